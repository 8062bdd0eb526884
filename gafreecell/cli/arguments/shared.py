"""Arguments that several commands have in common."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.parsing import GAMES, positive, whole, workers

DEALS_HELP = (
    "a number, a range 1-32000, a named set, a file of numbers or boards, or - for standard input"
)


def add_deals(command: Any) -> None:
    command.add_argument("deals", metavar="DEALS", nargs="+", help=DEALS_HELP)


def add_game(command: Any, default: str = "freecell") -> None:
    command.add_argument(
        "--game", default=default, metavar="G", help=f"{GAMES} (default {default})"
    )


def add_game_of_solvers(command: Any) -> None:
    command.add_argument("--game", metavar="G", help=f"{GAMES} (default: the solvers' game)")


def add_goal(command: Any) -> None:
    command.add_argument(
        "--goal",
        metavar="GOAL",
        help="Pyramid: clear (the default), score (most points), score:N (at least N points), "
        "cards:Q (most queens) or cards:Q:N (N queens)",
    )


def add_html(command: Any, what: str) -> None:
    command.add_argument(
        "--html",
        metavar="FILE",
        help=f"{what}; one file that needs no network, and replaces an earlier one",
    )


def add_set(command: Any, what: str) -> None:
    command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help=what)


def add_options(command: Any) -> None:
    command.add_argument(
        "--variant",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the game: cells=3 for FreeCell; draw=1, redeals=2 or stock=hidden for "
        "Klondike. Repeat it for several options; 'gafreecell presets' lists them all",
    )


def add_variant(command: Any) -> None:
    add_options(command)
    command.add_argument(
        "--cells", type=whole(0), metavar="N", help="FreeCell: free cells, 0 to 7 (default 4)"
    )
    command.add_argument(
        "--cascades", type=whole(1), metavar="N", help="FreeCell: cascades, 4 to 9 (default 8)"
    )
    add_layout(command)


def add_layout(command: Any) -> None:
    either = command.add_mutually_exclusive_group()
    for layout, meaning in (
        ("rows", "lines of FreeCell boards are rows, as a screen shows them"),
        ("columns", "lines of FreeCell boards are cascades, even where they could be rows"),
    ):
        either.add_argument(
            f"--{layout}", dest="layout", action="store_const", const=layout, help=meaning
        )


def add_limits(command: Any) -> None:
    add_nodes(command, "node budget of each deal, instead of the preset's")
    add_seconds(command, "limit of processor time in seconds of each deal; not reproducible")


def add_nodes(command: Any, help: str) -> None:
    command.add_argument("--nodes", type=whole(1), metavar="N", help=help)


def add_seconds(command: Any, help: str) -> None:
    command.add_argument("--seconds", type=positive("seconds"), metavar="S", help=help)


def add_jobs(command: Any) -> None:
    command.add_argument(
        "--jobs", type=workers, default=-1, metavar="N", help="workers (default -1: one per core)"
    )


def add_output(command: Any) -> None:
    command.add_argument("-o", "--output", metavar="FILE", help="write to a new file")
    command.add_argument(
        "--resume", action="store_true", help="continue the output file where it ends"
    )
