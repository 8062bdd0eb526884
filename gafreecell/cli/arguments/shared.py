"""Arguments that several commands have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gafreecell.cli.parsing import GAMES, positive, whole, workers

DEALS_HELP = (
    "a number, a range 1-32000, a named set, a file of numbers or boards, or - for standard input"
)


def add_value(command: Any, name: str, metavar: str, help: str, **more: Any) -> None:
    """Add an argument, or an option if its name begins with a dash, that takes a word."""
    command.add_argument(name, metavar=metavar, help=help, **more)


def add_number(command: Any, name: str, least: int, help: str, default: int | None = None) -> None:
    """Add an option that takes a whole number, ``least`` or more."""
    add_value(command, name, "N", help, type=whole(least), default=default)


def add_choice(command: Any, choices: Sequence[str], help: str, name: str = "--format") -> None:
    """Add an option that takes one of several words, by default the first."""
    command.add_argument(name, default=choices[0], choices=choices, help=help)


def add_flag(command: Any, name: str, help: str) -> None:
    command.add_argument(name, action="store_true", help=help)


def add_runs(command: Any, help: str = "run folders") -> None:
    add_value(command, "runs", "RUN", help, nargs="+")


def add_run(command: Any) -> None:
    add_value(command, "run", "RUN", "a run folder")


def add_deals(command: Any) -> None:
    add_value(command, "deals", "DEALS", DEALS_HELP, nargs="+")


def add_deals_option(command: Any, help: str, **more: Any) -> None:
    add_value(command, "--deals", "DEALS", help, action="append", **more)


def add_game(command: Any, default: str = "freecell") -> None:
    add_value(command, "--game", "G", f"{GAMES} (default {default})", default=default)


def add_game_of_solvers(command: Any) -> None:
    add_value(command, "--game", "G", f"{GAMES} (default: the solvers' game)")


def add_goal(command: Any) -> None:
    add_value(
        command,
        "--goal",
        "GOAL",
        "Pyramid: clear (the default), score (most points), score:N (at least N points), "
        "cards:Q (most queens) or cards:Q:N (N queens)",
    )


def add_html(command: Any, what: str) -> None:
    help = f"{what}; one file that needs no network, and replaces an earlier one"
    add_value(command, "--html", "FILE", help)


def add_set(command: Any, what: str) -> None:
    add_value(command, "--set", "KEY=VALUE", what, action="append", default=[])


def add_options(command: Any) -> None:
    add_value(
        command,
        "--variant",
        "KEY=VALUE",
        "an option of the game: cells=3 for FreeCell; draw=1, redeals=2 or stock=hidden for "
        "Klondike. Repeat it for several options; 'gafreecell presets' lists them all",
        action="append",
        default=[],
    )


def add_variant(command: Any) -> None:
    add_options(command)
    add_number(command, "--cells", 0, "FreeCell: free cells, 0 to 7 (default 4)")
    add_number(command, "--cascades", 1, "FreeCell: cascades, 4 to 9 (default 8)")
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
    add_number(command, "--nodes", 1, help)


def add_seconds(command: Any, help: str) -> None:
    add_value(command, "--seconds", "S", help, type=positive("seconds"))


def add_jobs(command: Any) -> None:
    help = "workers (default -1: one per core)"
    add_value(command, "--jobs", "N", help, type=workers, default=-1)


def add_output(command: Any) -> None:
    add_written(command, "FILE", "write to a new file")
    add_flag(command, "--resume", "continue the output file where it ends")


def add_written(command: Any, metavar: str, help: str, required: bool = False) -> None:
    command.add_argument("-o", "--output", metavar=metavar, required=required, help=help)
