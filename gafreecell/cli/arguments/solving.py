"""``solve``, ``verify``, ``rate``, ``survey``, ``lists``, ``deal``, ``presets`` and ``score``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import add
from gafreecell.cli.parsing import grades


def solve(commands: Any) -> None:
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
        "a bound: no solution has fewer moves, in the unit named first. "
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
    solve.add_deals()
    solve.add_game()
    solve.add_value("--preset", "NAME", "see 'gafreecell presets'")
    solve.add_value("--weights", "NAME|FILE|RUN", "weights of a preset, a file or a run")
    solve.add_value("--search", "NAME", "use another search; see 'gafreecell presets'")
    solve.add_set("set a parameter of the search")
    solve.add_goal()
    solve.add_variant()
    solve.add_numbers()
    solve.add_limits()
    solve.add_workers()
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
    solve.add_flag("--draw", "draw the position before each move, and say the move in words")
    solve.add_html("show the solution on a page for a browser")
    solve.add_value(
        "--against",
        "NAME|FILE|RUN",
        "also show the solution of these weights on the page, side by side; may be repeated",
        action="append",
        default=[],
    )
    solve.add_flag("--keep-going", "if some boards of a file are wrong, solve the others")
    solve.add_output()


def verify(commands: Any) -> None:
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
    verify.add_value("deal", "DEAL", "a number, a file, or - for standard input")
    verify.add_value(
        "solution",
        "SOLUTION",
        "a file or -: moves, or what solve, play or another solver prints; a number is dealt "
        "by the rules that the solution names, unless others are asked for",
    )
    verify.add_game()
    verify.add_goal()
    verify.add_variant()
    verify.add_numbers()


def rate(commands: Any) -> None:
    rate = add(
        commands,
        "rate",
        "rating",
        "grade how hard deals are, from 1 (easiest) to 10",
        "Grade how hard deals are, from 1 (easiest) to 10. "
        "FreeCell's grade comes from the positions that the solver expands with four, three and "
        "two free cells, Pyramid's from the share of random games that clear the pyramid, "
        "Klondike's from the share of games won by a careless player, who sees no face-down card. "
        "About a tenth of the winnable deals has each grade; if Klondike's redeals are limited, "
        "most have grade 10. The documentation's page Results says how well grades predict where "
        "other players fail. To find the hardest of several deals with the same grade, "
        "compare the scores from which the grades come: a higher score means a harder deal. With "
        "--format jsonl, each line has the score in its measures.",
        examples=(
            "gafreecell rate 617",
            "gafreecell rate 1-100",
            "gafreecell rate decks.txt --game pyramid",
            "gafreecell rate 1-20 --game klondike --variant redeals=2",
            "gafreecell rate 1-32000 -o rated.jsonl",
        ),
        statuses={
            0: "every deal is decided: it has a grade, or is proved unsolvable",
            1: "some deal is not decided",
        },
    )
    rate.add_deals()
    rate.add_game(rules=False)
    rate.add_variant()
    rate.add_numbers()
    rate.add_workers()
    rate.add_argument(
        "--format",
        choices=("text", "jsonl"),
        help="text for people (the default), or a line of JSON for each deal (the default with "
        "-o FILE.jsonl)",
    )
    rate.add_output()


def cells(commands: Any) -> None:
    cells = add(
        commands,
        "least-cells",
        "cells",
        "find the fewest free cells with which deals can be won",
        "Find the fewest free cells with which each deal can be won, and prove that it cannot be "
        "won with one fewer. Deals are given by number.",
        examples=(
            "gafreecell least-cells 1-20",
            "gafreecell least-cells 1-32000 -o cells.jsonl",
            "gafreecell least-cells 11982 --memory 4G",
        ),
        statuses={
            0: "the fewest cells of every deal are known, or none are enough",
            1: "some deal is not decided",
        },
    )
    cells.add_deals("a number, a range 1-32000, a named set, or a file of numbers")
    cells.add_value("--game", "G", "a game with free cells (default freecell)", default="freecell")
    cells.add_limits("search (one or more a deal)")
    cells.add_workers()
    cells.add_argument(
        "--format",
        choices=("text", "jsonl"),
        help="text for people (the default), or a line of JSON for each deal (the default with "
        "-o FILE.jsonl)",
    )
    cells.add_output()


def survey(commands: Any) -> None:
    survey = add(
        commands,
        "survey",
        "surveying",
        "decide long ranges of deals into a folder of compact files",
        "Decide long ranges of deals into a folder of compact files, each with the verdicts, nodes "
        "and lengths of a part of the deals. The same command continues after an interruption, "
        "with any workers, to the same bytes. In the end some deals are decided again and compared "
        "with the files, and the sums are printed. 'gafreecell lists FOLDER' reads the files.",
        examples=(
            "gafreecell survey 1-1000000 -o surveys/million",
            "gafreecell survey 1-1000 --grades --least-cells -o surveys/thousand",
            "gafreecell survey 1-9999 --game klondike --variant draw=1 --grades -o surveys/draw-1",
        ),
        statuses={0: "every deal is decided", 1: "some deal is not decided within its limits"},
    )
    survey.add_value("deals", "RANGE", "a number or a range 1-1000000", nargs="+")
    survey.add_game()
    survey.add_value("--weights", "NAME|FILE|RUN", "weights of a preset, a file or a run")
    survey.add_variant()
    survey.add_numbers()
    survey.add_nodes("node budget of each deal, instead of the preset's")
    survey.add_memory()
    survey.add_flag(
        "--verdicts",
        "keep only each deal's verdict, not its nodes and lengths; where the solver of a FreeCell "
        "deal gives up, the presets short and depth-first go on",
    )
    survey.add_flag("--grades", "also grade the deals that can be won, as 'gafreecell rate' does")
    survey.add_flag("--least-cells", "also find the fewest free cells with which each can be won")
    survey.add_number("--shard", 1, "the most deals of a file (default 100000)", default=100_000)
    survey.add_number("--check", 0, "deals to decide again in the end (default 100)", default=100)
    survey.add_workers()
    survey.add_written("FOLDER", "the survey's folder", required=True)


def lists(commands: Any) -> None:
    lists = add(
        commands,
        "lists",
        "lists",
        "name the lists of decided and graded deals, or write one",
        "Name the lists of decided and graded deals in the folder lists/ of the repository; or "
        "write what a list, or any survey, says of its deals.",
        examples=(
            "gafreecell lists",
            "gafreecell lists freecell --deals 1-100",
            "gafreecell lists surveys/thousand --grade 1-3 --format numbers",
            "gafreecell lists surveys/million --only solved -o won.csv",
        ),
    )
    lists.add_value("list", "LIST|FOLDER", "a list, or the folder of a survey", nargs="?")
    lists.add_deals_option("only these deals: a number or a range; may be repeated", default=[])
    lists.add_value("--grade", "N", "only deals of these grades: 3, or 1-3", type=grades)
    lists.add_argument(
        "--only",
        choices=("solved", "unsolvable", "open"),
        help="only deals with this verdict; open: a limit was met",
    )
    lists.add_argument(
        "--format",
        choices=("text", "numbers", "jsonl", "csv", "parquet"),
        help="a table for people (the default), bare deal numbers, a JSON object a line, CSV, or "
        "Parquet; -o FILE.csv and so on choose it, too",
    )
    lists.add_written("FILE", "write to a new file")


def deal(commands: Any) -> None:
    deal = add(
        commands,
        "deal",
        "boards",
        "print deals as text",
        examples=(
            "gafreecell deal 164 > board.txt",
            "gafreecell deal 1-20 --game pyramid",
            "gafreecell deal --number board.txt",
        ),
        statuses={1: "with --number: some board is not a numbered deal; its line says why"},
    )
    deal.add_deals()
    either = deal.add_mutually_exclusive_group()
    either.add_argument(
        "--number",
        action="store_true",
        help="instead of boards, print the number of each one that is a numbered deal",
    )
    either.add_argument(
        "--reachable",
        action="store_true",
        help="Klondike: put the talon's cards that can be played now in parentheses",
    )
    deal.add_game()
    deal.add_variant()
    deal.add_numbers()


def presets(commands: Any) -> None:
    presets = add(
        commands,
        "presets",
        "boards",
        "list a game's presets, searches and features",
        examples=(
            "gafreecell presets",
            "gafreecell presets fast",
            "gafreecell presets --game klondike",
        ),
    )
    presets.add_value(
        "preset",
        "PRESET",
        "show only this preset, with its limit, phases and weights",
        nargs="?",
    )
    presets.add_game()


def score(commands: Any) -> None:
    score = add(
        commands,
        "score",
        "scoring",
        "print what weights make of positions",
        "Print the features of positions and their score by some weights, as a search has them at "
        "its start: a search tries what has a lower score first. Use it to check a port of "
        "FreeCell's features to another program.",
        examples=(
            "gafreecell score 617",
            "gafreecell score board.txt --weights runs/freecell-nine",
            "gafreecell score 1-100 --weights fast --phase 2 --format jsonl",
        ),
    )
    score.add_deals()
    score.add_value("--weights", "NAME|FILE|RUN", "weights of a preset, a file or a run")
    score.add_number("--phase", 1, "phase of a schedule (default: the first)", default=1)
    score.add_game()
    score.add_variant()
    score.add_argument(
        "--format",
        choices=("text", "jsonl"),
        default="text",
        help="text for people (the default), or a line of JSON for each position",
    )
