"""Commands, and the arguments that several of them have in common."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from gafreecell.cli.parsing import GAMES, WIDTH, Help, Parser, positive, size, whole, workers
from gafreecell.workers.chosen import BACKENDS, WAIT_SECONDS

DEALS_HELP = (
    "a number, a range 1-32000, a named set, a file of numbers or boards, or - for standard input"
)
USUAL_STATUSES: Mapping[int, str] = {
    0: "done",
    2: "bad usage or bad input; nothing was started",
    130: "stopped by Ctrl-C",
}

GIVEN_AS_RULES = ", a name that 'gafreecell games' lists, or a file of rules"
"""What ``--game`` takes besides the games with an engine of their own, for help texts."""


class Command(Parser):
    """The parser of a command."""

    def add_value(self, name: str, metavar: str, help: str, **more: Any) -> None:
        """Add an argument, or an option if its name begins with a dash, that takes a word."""
        self.add_argument(name, metavar=metavar, help=help, **more)

    def add_number(self, name: str, least: int, help: str, default: int | None = None) -> None:
        """Add an option that takes a whole number, ``least`` or more."""
        self.add_value(name, "N", help, type=whole(least), default=default)

    def add_format(self, choices: Sequence[str], help: str) -> None:
        """Add ``--format``, which takes one of several words, by default the first."""
        self.add_argument("--format", default=choices[0], choices=choices, help=help)

    def add_flag(self, name: str, help: str) -> None:
        self.add_argument(name, action="store_true", help=help)

    def add_runs(self, help: str = "folders of runs or studies") -> None:
        self.add_value("runs", "RUN|STUDY", help, nargs="+")

    def add_run(self) -> None:
        self.add_value("run", "RUN", "a run folder")

    def add_deals(self, help: str = DEALS_HELP) -> None:
        self.add_value("deals", "DEALS", help, nargs="+")

    def add_deals_option(self, help: str, **more: Any) -> None:
        self.add_value("--deals", "DEALS", help, action="append", **more)

    def add_game(self, default: str = "freecell", rules: bool = True) -> None:
        """Add ``--game``; ``rules`` says whether games given as rules are taken."""
        games = f"{GAMES}{GIVEN_AS_RULES if rules else ''}"
        self.add_value("--game", "G", f"{games} (default {default})", default=default)

    def add_game_of_solvers(self) -> None:
        self.add_value("--game", "G", f"{GAMES}{GIVEN_AS_RULES} (default: the solvers' game)")

    def add_goal(self) -> None:
        self.add_value(
            "--goal",
            "GOAL",
            "Pyramid: clear (the default), score (most points), score:N (at least N points), "
            "cards:Q (most queens) or cards:Q:N (N queens)",
        )

    def add_html(self, what: str) -> None:
        help = f"{what}; one file that needs no network, and replaces an earlier one"
        self.add_value("--html", "FILE", help)

    def add_set(self, what: str) -> None:
        self.add_value("--set", "KEY=VALUE", what, action="append", default=[])

    def add_options(self) -> None:
        self.add_value(
            "--variant",
            "KEY=VALUE",
            "an option of the game: cells=3 for FreeCell; draw=1, redeals=2 or stock=hidden for "
            "Klondike. Repeat it for several options; 'gafreecell presets' lists them all",
            action="append",
            default=[],
        )

    def add_variant(self) -> None:
        self.add_options()
        self.add_number("--cells", 0, "FreeCell: free cells, 0 to 7 (default 4)")
        self.add_number("--cascades", 1, "FreeCell: cascades, 4 to 9 (default 8)")
        self.add_layout()

    def add_numbers(self) -> None:
        self.add_value(
            "--numbers",
            "KIND",
            "Klondike: deal numbers are those of green-felt, microsoft (its collection), "
            "solvitaire, klondike-solver or exact (lonelybot), not PySol FC's",
        )

    def add_layout(self) -> None:
        either = self.add_mutually_exclusive_group()
        for layout, meaning in (
            ("rows", "lines of FreeCell boards are rows, as a screen shows them"),
            ("columns", "lines of FreeCell boards are cascades, even where they could be rows"),
        ):
            either.add_argument(
                f"--{layout}", dest="layout", action="store_const", const=layout, help=meaning
            )

    def add_limits(self, each: str = "deal") -> None:
        self.add_nodes(f"node budget of each {each}, instead of the preset's")
        self.add_seconds(f"limit of processor time in seconds of each {each}; not reproducible")
        self.add_memory()

    def add_memory(self) -> None:
        self.add_value(
            "--memory",
            "SIZE",
            "limit of the memory that a search takes, such as 2G (default 500M)",
            type=size,
        )

    def add_nodes(self, help: str) -> None:
        self.add_number("--nodes", 1, help)

    def add_seconds(self, help: str) -> None:
        self.add_value("--seconds", "S", help, type=positive("seconds"))

    def add_jobs(self) -> None:
        help = "workers (default -1: one per core)"
        self.add_value("--jobs", "N", help, type=workers, default=-1)

    def add_workers(self) -> None:
        """Add who solves: threads, processes, or workers of a cluster."""
        self.add_jobs()
        self.add_argument(
            "--backend",
            default="threading",
            choices=BACKENDS,
            help="kind of workers: threads (the default), processes (loky), or dask workers, which "
            "are threads, too, unless --scheduler names a cluster",
        )
        self.add_scheduler("address of a dask scheduler, for --backend dask")

    def add_scheduler(self, help: str) -> None:
        self.add_value("--scheduler", "ADDRESS", help)
        self.add_value(
            "--wait",
            "S",
            "stop if the scheduler has no worker for S seconds, because they come late or have "
            f"ended (default {WAIT_SECONDS:g})",
            type=positive("seconds"),
            default=WAIT_SECONDS,
        )

    def add_output(self) -> None:
        self.add_written("FILE", "write to a new file")
        self.add_flag("--resume", "continue the output file where it ends")

    def add_written(self, metavar: str, help: str, required: bool = False) -> None:
        self.add_argument("-o", "--output", metavar=metavar, required=required, help=help)


def add(
    commands: Any,
    name: str,
    module: str,
    help: str,
    description: str = "",
    *,
    examples: Sequence[str],
    statuses: Mapping[int, str] | None = None,
) -> Command:
    """Add a command.

    Args:
        commands: the parser's commands.
        name: as users write it.
        module: the module of ``gafreecell.cli`` with a function of that name.
        help: one line in the list of commands.
        description: above the command's own help; ``help`` by default.
        examples: command lines that its help shows.
        statuses: meanings of exit statuses that differ from the usual ones.
    """
    about = textwrap.fill((description or help[0].upper() + help[1:] + "."), WIDTH - 2)
    meanings = dict(sorted({**USUAL_STATUSES, **(statuses or {})}.items()))
    lines = ["examples:", *[f"  {example}" for example in examples], "", "exit status:"]
    lines += [f"  {status:<4}{meaning}" for status, meaning in meanings.items()]
    command: Command = commands.add_parser(
        name, help=help, description=about, formatter_class=Help, epilog="\n".join(lines)
    )
    command.set_defaults(module=module, command=name.replace("-", "_"), parser=command)
    command.add_argument("--no-progress", action="store_true", help="show no progress on stderr")
    return command
