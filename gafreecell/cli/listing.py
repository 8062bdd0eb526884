"""``list``: the parts that jobs can name, and the keys of jobs."""

from __future__ import annotations

import inspect
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from deap import tools

from deals.errors import did_you_mean
from gafreecell.cli.outcomes import wrapped
from gafreecell.cli.statuses import DONE
from gafreecell.evolution.key_list import keys_of, tables
from gafreecell.evolution.operators import catalogue
from gafreecell.installed import plugins
from gafreecell.runs.plan import Plan, Test
from gafreecell.service.inputs import InputError
from gafreecell.solitaire.game import Game, game, games
from gafreecell.terminal.tables import table

WIDTH = 100
MEASURING = ("cactus", "phases", "ranks")
"""Figures that ``plot`` draws of solvers and of comparisons."""
GIVEN = ("individual", "individuals", "ind1", "ind2", "k", "fit_attr", "cases")
"""Arguments of DEAP's operators that no job sets."""
Row = Sequence[str]


def list_parts(given: Namespace) -> int:
    """List the parts of one kind or of all, or the keys of jobs."""
    if given.table and given.what != "keys":
        raise InputError(f"only keys are listed by table: leave out {given.table!r}")
    if given.what == "keys":
        print(_keys(given.table))
        return DONE
    kinds = [given.what] if given.what else list(KINDS)
    parts = [_titled(kind, KINDS[kind][0], KINDS[kind][1]()) for kind in kinds]
    print("\n\n".join(parts))
    if not given.what:
        print("\nkeys of jobs: gafreecell list keys; of one table: gafreecell list keys solvers")
    return DONE


def list_games(given: Namespace) -> int:
    """List the games: those with an engine of their own, then those of libraries; or tell one."""
    if given.game:
        print("\n".join(_told(game(given.game))))
        return DONE
    titles = {name: game(name).title for name in games()}
    width = max(map(len, titles))
    print("with an engine of their own")
    for name, title in titles.items():
        print(f"  {name:{width}}  {title}")
    for name in plugins.names("library"):
        print("\n".join(["", *plugins.find("library", name).listing()]))
    return DONE


def _told(one: Game) -> list[str]:
    """A game's title, the names that --game takes, its rules, and where they come from."""
    rules = getattr(one, "rules", None)
    names = [one.name, *getattr(one, "names", ())]
    return [
        f"{one.title} (--game {', '.join(names)})",
        *wrapped([getattr(one, "how_to_play", "")]),
        *([f"source: {rules.source}"] if rules and rules.source else []),
    ]


def _titled(kind: str, where: str, rows: Iterator[Row]) -> str:
    told = [[name, text.replace("``", "")] for name, text in rows]
    return f"{kind} ({where}):\n{table(['name', 'what it does'], told, right=False, width=WIDTH)}"


def _parts(kind: str) -> Iterator[Row]:
    """The trainers, schemes, measures or figures there are, each with its first sentence."""
    for name in plugins.names(kind):
        text = "cannot be loaded"
        with suppress(Exception):
            text = _first_line(plugins.find(kind, name))
        yield name, text


def _figures() -> Iterator[Row]:
    """The figures of runs, and those of solvers and comparisons, which are no parts."""
    from gafreecell import figures

    others = {name: _first_line(getattr(figures, f"plot_{name}")) for name in MEASURING}
    yield from sorted([*_parts("figure"), *others.items()], key=lambda row: row[0])


def _operators() -> Iterator[Row]:
    for kind in plugins.FUNCTIONS:
        for name in catalogue.names(kind):
            with suppress(Exception):
                found = catalogue.find(kind, name)
                if hasattr(tools, name):
                    taken = [one for one in inspect.signature(found).parameters if one not in GIVEN]
                    options = f"; options: {', '.join(taken)}" if taken else ""
                    yield name, f"{kind} of deap.tools{options}"
                else:
                    yield name, f"{kind}: {_first_line(found)}"
    yield catalogue.BY_CROWDING, "selection of deap.tools, by two costs: for nsga-ii alone"


def _first_line(found: Any) -> str:
    return (inspect.getdoc(found) or "").partition("\n")[0]


KINDS: dict[str, tuple[str, Callable[[], Iterator[Row]]]] = {
    "trainers": ("the job's trainer", lambda: _parts("trainer")),
    "schemes": ("the job's scheme", lambda: _parts("scheme")),
    "measures": ("fitness.measure", lambda: _parts("measure")),
    "operators": ("the job's table [operators]", _operators),
    "figures": ("plot --kind", _figures),
}


PLANS: dict[str, type[Any]] = {"study": Plan, "study.test": Test}
"""The tables of a study's plan."""
_TITLES = {"job": "the top level of a job", "study": "the top level of a study's plan"}
_TITLES |= {name: f"[{name}.NAME] of a job" for name in ("exports", "phases")}
_TITLES["study.test"] = "[test] of a study's plan"


def _keys(chosen: str | None) -> str:
    """The keys of a table; without a name, those of every table by name alone."""
    found = {**tables(), **PLANS}
    if chosen is None:
        rows = [
            [name, ", ".join(key.name for key in keys_of(kind))] for name, kind in found.items()
        ]
        return (
            f"{table(['table', 'keys'], rows, right=False, width=WIDTH)}\n\n"
            "each key of a table: gafreecell list keys TABLE, as in gafreecell list keys solvers\n"
            "a job names a key of a table as solvers.population, one of the top level alone: seed"
        )
    if chosen not in found:
        guess = did_you_mean(chosen, found)
        raise InputError(f"there is no table {chosen!r}; there are {', '.join(found)}{guess}")
    rows = [
        [key.name, key.default or "(needed)", key.allowed, key.meaning.replace("``", "")]
        for key in keys_of(found[chosen])
    ]
    head = ["key", "default", "allowed", "what it is for"]
    title = _TITLES.get(chosen, f"[{chosen}] of a job")
    return f"{title}:\n{table(head, rows, right=False, width=WIDTH)}"
