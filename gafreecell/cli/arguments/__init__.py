"""The arguments of every command, a module for each group. Nothing heavy is loaded here."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from gafreecell.cli.arguments import boards, evolving, measuring, playing, solving
from gafreecell.cli.parsing import Help, Parser
from gafreecell.cli.statuses import DONE

GROUPS = (solving, playing, boards, measuring, evolving)
"""In the order of the help: what a player needs comes first."""


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = Parser(
        prog="gafreecell",
        description="Solve solitaire games, and evolve the search heuristics that solve them.",
        formatter_class=Help,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for group in GROUPS:
        group.declare(commands)
    return top


class _Version(argparse.Action):
    def __call__(self, *ignored: Any, **options: Any) -> None:
        from gafreecell.version import VERSION

        print(f"gafreecell {VERSION}")
        sys.exit(DONE)
