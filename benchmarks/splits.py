"""``make splits``: docs/splits.md from docs/splits.toml, which explains its keys.

The page lists the deals on which solvers were trained, selected and reported, and where these
overlap. tests/test_splits.py compares the table with jobs, presets, benchmarks and documents.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from deals import named, parse_range
from gafreecell.solving.files import write_atomically
from gafreecell.terminal.tables import table

TABLE, PAGE = Path("docs/splits.toml"), Path("docs/splits.md")
UNRECORDED, SHUFFLED = "unrecorded deals", "shuffled decks"
"""Stand in for sets of deals without deal numbers."""
ROLES = ("trained", "chose")
MOST_SETS = 10
"""The most sets of deals that a table cell names one by one."""
Sets = tuple[str, ...]
"""Ranges and named sets of deals, as text."""


@dataclass(frozen=True)
class Run:
    """A run.

    Attributes:
        trained: the training deals.
        validated: the deals that selected its champion.
        job: ``module.CONSTANT`` of the benchmark that has its job; empty if the job is in runs/.
    """

    trained: Sets
    validated: Sets
    job: str = ""


@dataclass(frozen=True)
class Solver:
    """A solver: the weights of a run, the weights of another solver, or published ones."""

    run: str = ""
    weights: str = ""
    published: str = ""


@dataclass(frozen=True)
class Choice:
    """A choice that was made on deals, besides the training and validation of a run.

    Attributes:
        what: what was chosen.
        names: the runs and solvers that depend on it.
        trained, chose: the deals.
        start: whether it is the starting point of a run.
        within, count: the set from which unrecorded deals were drawn at random, and how many; if
            it is empty, they may be any deals.
    """

    what: str
    names: tuple[str, ...]
    trained: Sets = ()
    chose: Sets = ()
    start: bool = False
    within: Sets = ()
    count: int = 0


@dataclass(frozen=True)
class Overlap:
    """How many deals of a result also trained or selected a solver, and why it is reported."""

    why: str
    trained: Mapping[str, int] = field(default_factory=dict)
    chose: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """A reported result.

    Attributes:
        name: of the table, figure or fact.
        deals: the deals on which each solver is measured.
        shown: the files that report it.
        source: ``module.CONSTANT`` of the benchmark that has the deals.
        command: the command that measures it, if no benchmark does.
        overlaps: the declared overlaps.
    """

    name: str
    deals: Mapping[str, Sets]
    shown: tuple[str, ...]
    source: str = ""
    command: str = ""
    overlaps: tuple[Overlap, ...] = ()


@dataclass(frozen=True)
class Splits:
    """The table of one game."""

    game: str
    title: str
    runs: Mapping[str, Run]
    solvers: Mapping[str, Solver]
    choices: tuple[Choice, ...]
    results: tuple[Result, ...]

    def run(self, name: str) -> str:
        """The run that a solver's weights come from; empty if there is none.

        Raises:
            KeyError: if there is no solver or run of this name.
        """
        if name in self.runs:
            return name
        solver = self.solvers[name]
        return self.run(solver.weights) if solver.weights else solver.run

    def chosen(self, name: str) -> list[Choice]:
        """The choices that a solver depends on."""
        carried = {name, self.run(name), self.solvers[name].weights if name in self.solvers else ""}
        return [choice for choice in self.choices if carried & set(choice.names)]

    def unrecorded(self, name: str) -> bool:
        """Whether unrecorded deals, which may be any, trained or selected a solver."""
        return any(
            UNRECORDED in (*choice.trained, *choice.chose) and not choice.within
            for choice in self.chosen(name)
        )

    def origin(self, name: str, role: str) -> Sets:
        """The deals that trained or selected a solver: those of its run and of every choice."""
        run = self.run(name)
        found: list[str] = []
        if run:
            found += self.runs[run].trained if role == "trained" else self.runs[run].validated
        for choice in self.chosen(name):
            found += getattr(choice, role)
        # Unrecorded deals come last.
        return tuple(sorted(dict.fromkeys(found), key=lambda text: text == UNRECORDED))


def read(document: Mapping[str, Any]) -> dict[str, Splits]:
    """The table of each game.

    Args:
        document: the content of docs/splits.toml.

    Raises:
        TypeError: if an entry has an unknown key or lacks one.
        ValueError: if a set of deals is neither a range nor a named set.
    """
    return {game: _game(game, **part) for game, part in document.items()}


def _game(
    game: str,
    title: str,
    runs: Mapping[str, Any] | None = None,
    solvers: Mapping[str, Any] | None = None,
    choices: Sequence[Any] = (),
    results: Sequence[Any] = (),
) -> Splits:
    return Splits(
        game,
        title,
        {name: Run(**_checked(game, part)) for name, part in (runs or {}).items()},
        {name: Solver(**part) for name, part in (solvers or {}).items()},
        tuple(_choice(game, **part) for part in choices),
        tuple(_result(game, **part) for part in results),
    )


def _choice(game: str, **given: Any) -> Choice:
    return Choice(names=tuple(given.pop("for")), **_checked(game, given))


def _result(
    game: str, deals: Any, shown: Sequence[str], solvers: Sequence[str] = (), **given: Any
) -> Result:
    if isinstance(deals, Mapping) == bool(solvers):
        raise TypeError(f"{given['name']}: give solvers and their deals, or deals by solver")
    by_solver = deals if isinstance(deals, Mapping) else dict.fromkeys(solvers, deals)
    overlaps = tuple(Overlap(**part) for part in given.pop("overlaps", ()))
    checked = {solver: _sets(game, text) for solver, text in by_solver.items()}
    return Result(deals=checked, shown=tuple(shown), overlaps=overlaps, **given)


def _checked(game: str, given: Mapping[str, Any]) -> dict[str, Any]:
    roles = (*ROLES, "validated", "within")
    return {key: _sets(game, value) if key in roles else value for key, value in given.items()}


def _sets(game: str, given: str | Sequence[str]) -> Sets:
    sets = (given,) if isinstance(given, str) else tuple(given)
    numbers(game, sets)
    return sets


@cache
def numbers(game: str, sets: Sets) -> np.ndarray:
    """The deal numbers in sets of deals, each once, ascending; empty for sets without numbers.

    Raises:
        ValueError: if a set is neither a range nor, for FreeCell, a named set.
    """
    parts = [_numbers(game, text) for text in sets if text not in (UNRECORDED, SHUFFLED)]
    # np.unique would hash millions of numbers; ranges that follow each other are sorted at once.
    ascending = np.sort(np.concatenate([np.zeros(0, np.int64), *parts]), kind="stable")
    return ascending[np.diff(ascending, prepend=-1) > 0]


def _numbers(game: str, text: str) -> np.ndarray:
    deals = parse_range(text)
    if deals is not None:
        return np.arange(deals.start, deals.stop)
    if game != "freecell":
        raise ValueError(f"{text!r} is not a range of deals, and {game} has no named sets")
    return np.array(named(text))


@cache
def shared(game: str, sets: Sets, others: Sets) -> int:
    """How many deals two collections of sets have in common."""
    few, many = sorted((numbers(game, sets), numbers(game, others)), key=len)
    places = np.searchsorted(many, few)
    inside = places < many.size
    return int((many[places[inside]] == few[inside]).sum())


def faults(splits: Splits) -> list[str]:
    """Overlaps in a game's table that are not declared, or declared with wrong counts."""
    found = []
    for name, run in splits.runs.items():
        if many := shared(splits.game, run.validated, splits.origin(name, "trained")):
            found.append(f"{name}: {many:,} of its validation deals also trained it")
    for result in splits.results:
        for role in ROLES:
            declared = [getattr(overlap, role) for overlap in result.overlaps]
            stated = {solver: many for part in declared for solver, many in part.items()}
            real = {
                solver: shared(splits.game, deals, splits.origin(solver, role))
                for solver, deals in result.deals.items()
            }
            found += [
                f"{result.name}: {real.get(solver, 0):,} of the deals it reports also {role} "
                f"{solver}, and {stated.get(solver, 0):,} are declared"
                for solver in {**real, **stated}
                if real.get(solver, 0) != stated.get(solver, 0)
            ]
    return found


HEAD = """# Training, selection and test deals

A result says how good a solver is only if its deals had no part in making the solver. This page
lists the deals behind every run, every solver and every result, and each overlap between them.

- A **run** measures fitness on its training deals. Its validation deals select its champion.
- A **solver** also depends on choices. The column "selected on" lists the validation deals and the
  deals by which its search or settings were chosen. It says *unrecorded deals* if nobody noted the
  deals. That holds for choices that we made by hand, and for the training deals of the GA-FreeCell
  paper.
- A **result** names the deals on which each solver is measured. Its last column is *none* if there
  is no overlap, *below* if the list of overlaps describes one, and *none recorded* if we know
  of no overlap but a solver also depends on unrecorded deals. Any deal could be among these.
- `rate` is not a solver. It is the method that grades deals, and its scale depends on deals, too.

These are the named sets of Microsoft deals:

| set                | deals                                                        |
| ------------------ | ------------------------------------------------------------ |
| `ms32k`            | 1 to 32,000                                                  |
| `ms32k-train`      | 1,000 solvable deals of `ms32k`, drawn at random             |
| `ms32k-test`       | the other 31,000 of `ms32k`                                  |
| `ms32k-sample`     | 1,000 of `ms32k-test`, drawn at random                       |
| `ms32k-validation` | 2,000 solvable deals of 32,001 to 1,000,000, drawn at random |
| `ms-progress`      | 2,000,000,001 to 2,000,000,200                               |

Deals of different games are different deals, even if their numbers are equal.

`make splits` writes this page from [splits.toml](splits.toml). A test compares that file with the
jobs, presets, benchmarks and pages. It counts the overlaps again and fails if one is not declared.
"""


def page(tables: Mapping[str, Splits]) -> str:
    """The text of the page."""
    parts = (f"## {one.title}\n\n{_origins(one)}\n\n{_results(one)}\n" for one in tables.values())
    return "\n".join([HEAD, *parts])


def _origins(splits: Splits) -> str:
    runs = [
        [f"`{name}`", _words(run.trained), _words(run.validated)]
        for name, run in splits.runs.items()
    ]
    solvers = []
    for name, solver in splits.solvers.items():
        weights = solver.published or (
            f"run `{solver.run}`" if solver.run else f"`{solver.weights}`"
        )
        origin = [_words(splits.origin(name, role)) for role in ROLES]
        solvers.append([f"`{name}`", weights, *origin])
    choices = [
        [one.what, _names(one.names), _words(one.trained), _words(one.chose)]
        for one in splits.choices
    ]
    header = ["solver", "weights", "trained on", "selected on"]
    parts = [table(header, solvers, right=False)]
    if runs:
        parts.insert(0, table(["run", "trained on", "validated on"], runs, right=False))
    if choices:
        header = ["choice", "for", "trained on", "selected on"]
        told = table(header, choices, right=False)
        parts.append(f"Choices besides training and validation:\n\n{told}")
    return "\n\n".join(parts)


def _results(splits: Splits) -> str:
    rows, notes = [], []
    for result in splits.results:
        by_deals: dict[Sets, list[str]] = {}
        for solver, deals in result.deals.items():
            by_deals.setdefault(deals, []).append(solver)
        measured = (f"{_names(who)}: {_words(deals)}" for deals, who in by_deals.items())
        told = [f"{_counts(one)}. {one.why}." for one in result.overlaps]
        told += _expected(splits, result)
        none = "none recorded" if any(map(splits.unrecorded, result.deals)) else "none"
        rows.append([result.name, "; ".join(measured), "below" if told else none])
        notes += [f"- **{result.name}**: {one}" for one in told]
    parts = [table(["result", "solvers and deals", "overlap"], rows, right=False)]
    if notes:
        parts.append("Overlaps:\n\n" + "\n".join(notes))
    return "\n\n".join(parts)


def _expected(splits: Splits, result: Result) -> list[str]:
    """Overlaps with unrecorded deals that were drawn from a known set: how many to expect."""
    found = []
    for solver, deals in result.deals.items():
        for choice in splits.chosen(solver):
            common = shared(splits.game, deals, choice.within)
            if not common:
                continue
            whole = numbers(splits.game, choice.within).size
            many = f"about {choice.count * common / whole:,.0f}"
            found.append(
                f"`{solver}` was trained on {choice.count:,} unrecorded deals of "
                f"{_words(choice.within)}; {many} of them are expected among these deals."
                if common < whole
                else f"`{solver}` was trained on {choice.count:,} of these deals; it is "
                "not recorded which."
            )
    return found


def _counts(overlap: Overlap) -> str:
    """Which solvers were trained or selected on how many deals, grouped by equal counts."""
    alike: dict[str, list[str]] = {}
    for solver in {**overlap.trained, **overlap.chose}:
        counts = {role: getattr(overlap, role).get(solver, 0) for role in ROLES}
        ways = zip(("trained", "selected"), counts.values(), strict=True)
        words = " and ".join(f"{way} on {many:,}" for way, many in ways if many)
        alike.setdefault(words, []).append(solver)
    told = (
        f"{_names(solvers)} {'was' if len(solvers) == 1 else 'were'} {words}"
        for words, solvers in alike.items()
    )
    return "; ".join(told) + " of these deals"


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _words(sets: Sets) -> str:
    """Sets of deals as people write them."""
    if len(sets) > MOST_SETS:
        return f"{len(sets)} deals that splits.toml lists"
    return " and ".join(map(_word, sets)) or "-"


def _word(text: str) -> str:
    if text in (UNRECORDED, SHUFFLED):
        return text
    if parse_range(text) is None:
        return f"`{text}`"
    return " to ".join(f"{int(end):,}" for end in text.split("-"))


def main() -> None:
    """Write the page."""
    write_atomically(PAGE, page(read(tomllib.loads(TABLE.read_text(encoding="utf-8")))))
    print(f"wrote {PAGE}")


if __name__ == "__main__":
    main()
