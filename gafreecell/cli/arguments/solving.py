"""``solve`` and ``verify``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import (
    add_deals,
    add_game,
    add_goal,
    add_html,
    add_jobs,
    add_limits,
    add_output,
    add_set,
    add_variant,
)
from gafreecell.cli.parsing import add


def declare(commands: Any) -> None:
    """Add the commands."""
    _solve(commands)
    _verify(commands)


def _solve(commands: Any) -> None:
    solve = add(
        commands,
        "solve",
        "solving",
        "solve deals",
        "Solve deals: FreeCell, Klondike with all cards known (three cards a draw, redeals without "
        "limit, unless --variant says otherwise), Pyramid (three times through the stock). "
        "FreeCell's solution lengths are counted in single moves (one card each), column moves (as "
        "printed: a run of cards is one move) "
        "and manual moves (column moves that bring no card home); Klondike's in moves, draws and "
        "redeals included; Pyramid's in steps. A search that proves solutions shortest also prints "
        "a bound: no solution has fewer single moves. "
        "Boards have a cascade on each line, -- for an empty one; "
        "the documentation's page Boards as text lists the other forms.",
        examples=(
            "gafreecell solve 164",
            "gafreecell solve board.txt --cells 3",
            "gafreecell solve 1-1000 -o solved.jsonl",
            "gafreecell solve 3 --game klondike --draw",
            "gafreecell solve 3 --game klondike --variant draw=1 --variant redeals=2",
            "gafreecell solve 3 --html 3.html --against hsdh --against shortest",
            "gafreecell solve 1-1000 --game klondike --only solved --format numbers",
        ),
        statuses={
            0: "every deal is decided: solved, or proved unsolvable",
            1: "some deal is not decided within its limits",
        },
    )
    add_deals(solve)
    add_game(solve)
    solve.add_argument("--preset", metavar="NAME", help="see 'gafreecell presets'")
    solve.add_argument(
        "--weights", metavar="NAME|FILE|RUN", help="weights of a preset, a file or a run"
    )
    solve.add_argument(
        "--search", metavar="NAME", help="use another search; see 'gafreecell presets'"
    )
    add_set(solve, "set a parameter of the search")
    add_goal(solve)
    add_variant(solve)
    add_limits(solve)
    add_jobs(solve)
    solve.add_argument(
        "--format",
        choices=("text", "jsonl", "moves", "numbers"),
        help="text for people (the default); jsonl: a JSON object a line (the default with "
        "-o FILE.jsonl); moves: the bare moves, a line for each deal, empty without a solution; "
        "numbers: the numbers of the solved deals, or of the unsolvable ones with --only "
        "unsolvable; a comment for a board that is no numbered deal",
    )
    solve.add_argument(
        "--only",
        choices=("solved", "unsolvable"),
        help="write only these deals; the exit status still counts all",
    )
    solve.add_argument(
        "--draw",
        action="store_true",
        help="draw the position before each move, and say the move in words",
    )
    add_html(solve, "show the solution on a page for a browser")
    solve.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="NAME|FILE|RUN",
        help="also show the solution of these weights on the page, side by side; may be repeated",
    )
    solve.add_argument(
        "--keep-going",
        action="store_true",
        help="if some boards of a file are wrong, solve the others",
    )
    add_output(solve)


def _verify(commands: Any) -> None:
    verify = add(
        commands,
        "verify",
        "boards",
        "replay a solution by the rules alone",
        examples=(
            "gafreecell verify 164 solution.txt",
            "gafreecell solve 164 | gafreecell verify 164 -",
        ),
        statuses={0: "the solution is right", 1: "the solution is wrong"},
    )
    verify.add_argument("deal", metavar="DEAL", help="a number, a file, or - for standard input")
    verify.add_argument(
        "solution",
        metavar="SOLUTION",
        help="a file or -: moves, or what solve, play or another solver prints; a number is dealt "
        "by the rules that solve names there, unless others are asked for",
    )
    add_game(verify)
    add_goal(verify)
    add_variant(verify)
