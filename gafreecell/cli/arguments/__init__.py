"""The arguments of all commands, one module a group. Importing this loads nothing slow."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from gafreecell.cli.arguments import (
    boards,
    evolving,
    helping,
    measuring,
    playing,
    rating,
    serving,
    solving,
)
from gafreecell.cli.parsing import Help, Parser
from gafreecell.cli.statuses import DONE

_GROUPS = {
    "play": (solving, playing, rating, boards),
    "measure": (measuring,),
    "evolve": (evolving,),
    "more": (serving, helping),
}
_BEGIN = """begin with:
  gafreecell solve 164              a solution of Microsoft's FreeCell deal 164
  gafreecell demo                   weights evolved, drawn and evaluated, in a minute
  gafreecell help solve             what else a command can do"""


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = Parser(
        prog="gafreecell",
        usage="gafreecell COMMAND ...",
        description="Solve solitaire games, and evolve the search heuristics that solve them.",
        formatter_class=Help,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = top.add_subparsers(
        title="commands",
        prog="gafreecell",
        metavar="COMMAND",
        required=True,
        help=argparse.SUPPRESS,
    )
    lists = []
    for title, groups in _GROUPS.items():
        known = len(commands.choices)
        for group in groups:
            group.declare(commands)
        added = commands._choices_actions[known:]
        lists += [f"{title}:", *[f"  {one.dest:<12}{one.help}" for one in added], ""]
    top.epilog = "\n".join([*lists, _BEGIN])
    return top


class _Version(argparse.Action):
    def __call__(self, *ignored: Any, **options: Any) -> None:
        from gafreecell.installed import VERSION

        print(f"gafreecell {VERSION}")
        sys.exit(DONE)
