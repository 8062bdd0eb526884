"""The arguments of all commands, one function a command. Importing this loads nothing slow."""

from __future__ import annotations

import argparse
import sys
from functools import cache
from typing import Any

from gafreecell.cli.arguments import evolving, helping, playing, solving
from gafreecell.cli.arguments.shared import Command
from gafreecell.cli.parsing import Help, Parser
from gafreecell.cli.statuses import DONE

_COMMANDS = {
    "play": (
        *(solving.solve, solving.verify, playing.hint, playing.play),
        *(solving.rate, solving.cells, solving.survey, solving.lists, solving.deal),
        *(solving.presets, solving.score, helping.games),
    ),
    "measure": (evolving.evaluate, evolving.compare),
    "evolve": (
        *(evolving.evolve, evolving.resume, evolving.study, evolving.show),
        *(evolving.export, evolving.plot, evolving.report),
    ),
    "more": (
        *(helping.serve, helping.demo, helping.examples, helping.list),
        *(helping.help, helping.warm_up, helping.completion),
    ),
}
_BEGIN = """begin with:
  gafreecell solve 164              a solution of Microsoft's FreeCell deal 164
  gafreecell demo                   weights evolved, drawn and evaluated, in a minute
  gafreecell help solve             what else a command can do"""


@cache
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
        parser_class=Command,
        required=True,
        help=argparse.SUPPRESS,
    )
    lists = []
    for title, declared in _COMMANDS.items():
        known = len(commands.choices)
        for declare in declared:
            declare(commands)
        added = commands._choices_actions[known:]
        lists += [f"{title}:", *[f"  {one.dest:<12}{one.help}" for one in added], ""]
    top.epilog = "\n".join([*lists, _BEGIN])
    return top


class _Version(argparse.Action):
    def __call__(self, *ignored: Any, **options: Any) -> None:
        from gafreecell.installed import VERSION

        print(f"gafreecell {VERSION}")
        sys.exit(DONE)
