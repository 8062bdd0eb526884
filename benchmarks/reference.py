"""``make reference``: docs/jobs.md, docs/commands.md and pages of docs/how from the code.

Each line of the tables in docs/jobs.md has a key, its default, what is allowed, and its description
from the docstring of its dataclass. docs/commands.md has the help of each command, and
docs/how/features.md the features that the games declare. docs/how/loop.md shows the code of a
generation.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

from pages import fill

from deals.errors import BadInput
from gafreecell.cli.arguments import parser
from gafreecell.cli.parsing import GAMES
from gafreecell.evolution import populations
from gafreecell.evolution.key_list import keys_of, tables
from gafreecell.evolution.loop import Evolution
from gafreecell.evolution.schemes import coevolution, racing
from gafreecell.evolution.trainers import genetic
from gafreecell.solitaire.game import game
from gafreecell.solitaire.patience import library
from gafreecell.solitaire.patience.features import ALL
from gafreecell.solving.outcome import Search
from hsd.kernels.features import NINE

JOBS, COMMANDS = Path("docs/jobs.md"), Path("docs/commands.md")
FEATURES = Path("docs/how/features.md")
FEATURE_GAMES = ("freecell", "klondike")
"""The games whose features have tables."""
LOOP = Path("docs/how/loop.md")
LOOP_CODE: dict[str, tuple[Any, ...]] = {
    "generation": (Evolution.registered, Evolution.step, racing.evaluated),
    "operators": (populations.toolbox_of, genetic.solvers_toolbox, coevolution.problems_toolbox),
    "breeding": (populations.vary,),
}
"""The code that the page on the loop shows."""
UNRUN = "<!-- run\nno It is shown, not run.\n-->"
"""The comment that keeps the tests of pages from running a block."""


def rows(kind: Any) -> Iterator[str]:
    """The lines of a table of keys; keys that have one description share a line."""
    for (said, told), keys in groupby(keys_of(kind), key=lambda key: (key.meaning, key.allowed)):
        group = list(keys)
        meaning = said.replace("``", "`").replace("|", "\\|")
        cells = [
            ", ".join(f"`{key.name}`" for key in group),
            ", ".join(_default(key.default) for key in group),
            _allowed(told),
            meaning[0].upper() + meaning[1:] if meaning[0].isalpha() else meaning,
        ]
        yield f"| {' | '.join(cells)} |"


def _default(text: str) -> str:
    return f"`{text}`" if text and text != "the game's" else text


def _allowed(text: str) -> str:
    """Words as code; ranges and types as they are."""
    plain = (
        text in ("text", "table", "list of names") or text.startswith("number") or " to " in text
    )
    return text if plain else ", ".join(f"`{word}`" for word in text.split(", "))


def table(kind: Any) -> str:
    """The table of a dataclass."""
    head = ["| key | default | allowed | what it is for |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows(kind)])


def features(name: str) -> str:
    """The table of a game's features; if weights guide several searches, with those of each."""
    chosen = game(name)
    nine = {feature.name for feature in NINE} if name == "freecell" else set()
    guided = [search for search in chosen.searches if search not in chosen.unguided]
    head = ["feature", "meaning", "divided by", "range of its weight", "baseline"]
    head += ["weighed by"] * (len(guided) > 1)
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join(['---'] * len(head))} |"]
    # The heuristics of the third and later stages of Klondike's rollouts have the same features.
    alike = re.compile("H[3-8](?=[A-Z:])")
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for one in chosen.features:
        key = alike.sub("H", one.name), alike.sub("H", one.meaning)
        groups.setdefault((*key, one.low, one.high, one.baseline), []).append(one)
    for one, *others in groups.values():
        meaning, _, scale = one.meaning.partition(", / ")
        named = f"`{one.name}`"
        if others:
            named += f" to `{others[-1].name}`"
            meaning = f"{one.name[:2]} to {others[-1].name[:2]}: {meaning.partition(': ')[2]}"
        cells = [
            named + (" (3.2)" if one.name in nine else ""),
            meaning,
            scale.strip("()") or "-",
            f"{one.low:g} to {one.high:g}",
            f"{one.baseline:g}",
        ]
        cells += [_weighed_by(chosen, guided, one.name)] * (len(guided) > 1)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _weighed_by(chosen: Any, guided: Sequence[str], feature: str) -> str:
    """The searches that weigh a feature: all that weights guide, all but some, or a few."""
    weighing = []
    for search in guided:
        with suppress(BadInput):
            chosen.check(Search(search), (feature,))
            weighing.append(search)
    others = [search for search in guided if search not in weighing]
    few = others if len(others) < len(weighing) else weighing
    words = ", ".join(f"`{search}`" for search in few)
    return (f"all but {words}" if others else "all") if few is others else words


GAMES_HERE = "freecell, klondike, pyramid"
_EVOLVE = "first gafreecell evolve runs/demo.toml --generations 1 --set solvers.population=4 --out"
_RUN = f"{_EVOLVE} out/mine"
ORDERS: dict[str, tuple[str, ...]] = {
    "solve": ("first gafreecell deal 164 > board.txt", "with 1-1000 => 1-5"),
    "verify": ("first gafreecell solve 164 > solution.txt",),
    "hint": (
        "first gafreecell deal 617 > board.txt",
        "first gafreecell deal 7 --game pyramid > position.txt",
    ),
    "play": ("with 1-1000 => 1-9", "with 1-100 => 1"),
    "rate": (
        "first gafreecell deal 1 --game pyramid > decks.txt",
        "with 1-32000 => 1-3",
        "with 1-100 => 1-3",
    ),
    "survey": ("with 1-1000000 => 1-200", "with 1-1000 => 1-5", "with 1-9999 => 1-2"),
    "evaluate": (
        _RUN,
        "first gafreecell export out/mine -o mine.json",
        "with 50001-50400 => 50001-50402",
    ),
    "compare": ("no The page on comparing does this.",),
    "study": ("no The page on studies does this.",),
    "evolve": (
        "first rm -r out/mine",
        "with runs/demo.toml => runs/demo.toml --generations 1",
    ),
    "resume": ("with --generations 40 => --generations 2",),
    "export": ("first rm mine.json",),
    "plot": ("with 50001-50400 => 50001-50402",),
    "report": (f"{_EVOLVE} out/cma-es-s1", f"{_EVOLVE} out/random-s1 --seed 2"),
    "completion": ("no A shell would read this at its start.",),
    "serve": ("no It runs until Ctrl-C.",),
}
"""Orders for the tests that run a command's examples; see tests/docs/page_runner.py."""


def commands() -> str:
    """A section for each command: what it does, its examples, arguments and exit statuses."""
    (listed,) = [a for a in parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return "\n\n".join(_section(name, one) for name, one in listed.choices.items())


def _section(name: str, command: argparse.ArgumentParser) -> str:
    examples, _, statuses = (command.epilog or "").partition("exit status:\n")
    lines = [line[2:] for line in examples.splitlines() if line.startswith("  ")]
    parts = [f"## {name}", _markdown(command.description)]
    if lines:
        orders = "\n".join(ORDERS.get(name, ()))
        comment = f"<!-- run\n{orders}\n-->\n" if orders else ""
        parts.append("\n".join([f"{comment}```sh", *lines, "```"]))
    shown = [a for a in command._actions if a.dest not in ("help", "no_progress")]
    if shown:
        rows = [f"| {_signature(one)} | {_markdown(one.help)} |" for one in shown]
        parts.append("\n".join(["| argument | what it is for |", "| --- | --- |", *rows]))
    found = re.findall(r"^  (\d+) +(.*(?:\n {6,}.*)*)", statuses, re.MULTILINE)
    listing = "; ".join(f"{number}: {' '.join(said.split())}" for number, said in found)
    return "\n\n".join([*parts, f"Exit status: {_markdown(listing)}."])


def _signature(action: argparse.Action) -> str:
    """An argument as one types it."""
    if action.choices is not None and len(list(action.choices)) < 9 and not action.metavar:
        value = "\\|".join(map(str, action.choices))
    else:
        metavar = action.metavar or action.dest.upper()
        value = metavar if isinstance(metavar, str) else " ".join(metavar)
        value = value.replace("|", "\\|")
    if not action.option_strings:
        return f"`{value}`"
    words = ", ".join(f"`{name}`" for name in action.option_strings)
    return words if action.nargs == 0 else f"{words} `{value}`"


def _markdown(text: str | None) -> str:
    """A help text on one line, with options as code."""
    plain = " ".join((text or "").replace("%%", "%").replace(GAMES, GAMES_HERE).split())
    plain = re.sub(r"(?<![\w`-])(--[a-z][\w-]*|'gafreecell [^']*')", r"`\1`", plain)
    plain = re.sub(r"docs/([\w/]+\.md)", r"[\1](\1)", plain)
    return plain.replace("`'", "`").replace("'`", "`").replace("<", "\\<").replace("|", "\\|")


def code(*shown: Any) -> str:
    """The source of functions and methods, without their docstrings."""
    return "\n\n\n".join(map(_source, shown))


def _source(function: Any) -> str:
    text = textwrap.dedent(inspect.getsource(function))
    (parsed,) = ast.parse(text).body
    assert isinstance(parsed, ast.FunctionDef)
    lines, start = text.splitlines(), parsed.body[0].lineno - 1
    if ast.get_docstring(parsed):
        del lines[start : parsed.body[0].end_lineno]
    return "\n".join(lines)


def features_of_rules() -> str:
    """The table of the features of games given as rules, and in how many games each applies."""
    rules = [library.rules(name) for name in library.names()]
    lines = ["| feature | meaning | range of its weight | baseline | games |", "|" + " --- |" * 5]
    lines += [
        f"| `{one.name}` | {one.meaning} | {one.low:g} to {one.high:g} | {one.baseline:g} "
        f"| {sum(map(applies, rules))} |"
        for one, applies in ALL
    ]
    return "\n".join(lines)


def main() -> None:
    for name, kind in tables().items():
        fill(f"reference {name}", table(kind), JOBS)
    fill("reference commands", commands(), COMMANDS)
    for part, shown in LOOP_CODE.items():
        fill(f"reference {part}", f"{UNRUN}\n```python\n{code(*shown)}\n```", LOOP)
    for name in FEATURE_GAMES:
        fill(f"reference features of {name}", features(name), FEATURES)
    fill("reference features of games given as rules", features_of_rules(), FEATURES)


if __name__ == "__main__":
    main()
