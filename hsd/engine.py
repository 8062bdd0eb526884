"""FreeCell's engine number and the tasks whose results it digests (see ``solving.engine``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from deals import FreeCellBoard, freecell
from gafreecell.solving.engine import weighing
from gafreecell.solving.outcome import Evaluator, Limits, Phase, Search, Task
from gafreecell.solving.rules import AT_MOST, OR, OVER, Comparison, Rule

ENGINE = "c97d550c0eacc861"
"""The digest of the tasks' results."""
EARLIER = {
    "b4ff40213a83d9ae": 312,
    "25fdf80d4eea0e49": 377,
    "e46faf16306044d0": 507,
    "a1d5719fff8a5e74": 572,
}
"""Earlier engines, which lacked a search, policies or units and otherwise return the same results.

Each is a digest of the first tasks; the value is their number. A run of such an engine resumes as
if this engine had made it.
"""

_HSDH = weighing({"HSDH": 1.0})
_WEIGHED = {
    "HSDH": (0.05, 0.2),
    "NumberWellPlaced": (0.34, 0.8),
    "NumCardsNotAtFoundations": (0.31, 0.8),
    "FreeCells": (0.15, 0.7),
    "DifferenceFromTop": (0.12, 0.7),
    "LowestHomeCard": (0.32, 0.9),
    "HighestHomeCard": (0.2, 0.8),
    "DifferenceHome": (0.1, 0.1),
    "SumOfBottomCards": (0.15, 0.4),
    "AboveNext": (0.24, 0.2),
    "AboveSecond": (0.15, 0.2),
    "LeastAboveNext": (0.2, 0.05),
    "OwnSuitBelow": (0.11, 0.2),
    "SequenceBreaks": (0.33, 0.5),
    "Inversions": (0.12, 0.4),
    "InversionDepth": (0.23, 0.5),
    "NotPlaced": (0.17, 0.7),
    "KingsBuried": (0.14, 0.5),
    "CellsUsed": (0.12, 0.6),
    "CellsUsedSquared": (0.1, 0.4),
    "CellsFull": (0.1, 0.5),
    "CellRanks": (0.15, 0.4),
    "OccupiedColumns": (0.13, 0.9),
    "CellsTimesColumns": (0.14, 0.6),
}
"""A weight of each feature, and a threshold that it exceeds in about half of all states."""
_ON_BOARD = {name: weight for name, (weight, _) in _WEIGHED.items()}
_OFTEN_PASSED = {name: often for name, (_, often) in _WEIGHED.items()} | {"MovesMade": 0.3}
_EVERY = weighing(_ON_BOARD)
# Features that seldom differ between successors decide something only if few others are weighed.
_FEW = weighing(
    {"AboveNext": 1.0, "LowestHomeCard": 0.5, "CellsUsedSquared": 0.2, "CellsFull": 0.3}
)
_MOVES_TOO = weighing(_ON_BOARD | {"MovesMade": 0.94})
_BOUND_TOO = weighing(_ON_BOARD | {"DeadlockBound": 0.86})

_SOLVERS = (
    (_HSDH, Search("staged")),
    (_HSDH, Search("staged", {"depth": 7, "automatic": "none", "table": 2_000})),
    (_EVERY, Search("staged")),
    (_EVERY, Search("staged", {"depth": 1, "automatic": "none"})),
    (_EVERY, Search("staged", {"depth": 3, "table": 1_000})),
    (_HSDH, Search("best-first")),
    (_FEW, Search("best-first")),
    (_EVERY, Search("best-first", {"automatic": "none", "supermoves": "no"})),
    (_MOVES_TOO, Search("best-first", {"patience": 100})),
    (_MOVES_TOO, Search("best-first", {"shorten": "no"})),
    (_HSDH, Search("beam")),
    (_EVERY, Search("beam", {"width": 10, "automatic": "none", "supermoves": "yes"})),
    (_BOUND_TOO, Search("beam", {"width": 10, "shorten": "no"})),
    (_BOUND_TOO, Search("beam", {"width": 20, "wider": 100})),
    (None, Search("a-star")),
    (None, Search("a-star", {"automatic": "none"})),
    (_EVERY, Search("a-star", {"width": 10})),
    (_BOUND_TOO, Search("a-star", {"width": 20, "wider": 50})),
    (None, Search("iterative-deepening")),
    (None, Search("iterative-deepening", {"depth": 9, "automatic": "none"})),
    (_HSDH, Search("ida-star")),
    (_EVERY, Search("ida-star", {"depth": 9})),
    (_FEW, Search("ida-star")),
    (_EVERY, Search("ida-star", {"bound": "f", "automatic": "none"})),
)


def _schedules() -> Iterator[tuple[Evaluator, Search]]:
    """The solvers that engine b4ff40213a83d9ae lacked."""
    from hsd.searches.schedule import Schedule

    weights = {name: w for name, w in _ON_BOARD.items() if name not in Schedule.cannot_weigh}
    one = weighing(weights | {"MovesMade": 0.94, "BreaksRun": 0.5})
    yield one, Search("schedule")
    yield one, Search("schedule", {"automatic": "none"})
    yield one, Search("schedule", {"rule": "depth-in-turn", "shorten": "no"})
    rows = (*one.weights, *one.weights[::-1], *one.weights)
    phases = Phase(100), Phase(300, "depth-in-turn"), Phase()
    three = Evaluator(one.features, rows, phases)
    yield three, Search("schedule")
    yield three, Search("schedule", {"shorten": "detours"})


def _policies() -> Iterator[tuple[Evaluator, Search]]:
    """The solvers that engine 25fdf80d4eea0e49 lacked."""
    for third in range(3):
        by_rules = _by_rules(_ON_BOARD, third)
        for search in ("best-first", "staged", "ida-star"):
            yield by_rules, Search(search)
    # Only best-first search compares MovesMade.
    yield _by_rules(_ON_BOARD | {"MovesMade": 0.94}, 0), Search("best-first", {"automatic": "none"})


def _units() -> Iterator[tuple[Evaluator | None, Search]]:
    """The solvers that engine e46faf16306044d0 lacked."""
    yield _BOUND_TOO, Search("beam", {"width": 10, "unit": "manual"})
    yield _EVERY, Search("beam", {"automatic": "none", "unit": "column", "shorten": "no"})
    yield _BOUND_TOO, Search("beam", {"width": 20, "wider": 100, "repeat": "yes", "unit": "column"})
    yield None, Search("a-star", {"unit": "manual"})
    several: dict[str, float | str] = {"width": 20, "wider": 60, "repeat": "yes"}
    yield _BOUND_TOO, Search("a-star", {**several, "automatic": "none", "unit": "column"})


def _deep() -> Iterator[tuple[Evaluator, Search]]:
    """The solvers that engine a1d5719fff8a5e74 lacked."""
    yield _FEW, Search("depth-first")
    yield _MOVES_TOO, Search("depth-first")
    yield _EVERY, Search("depth-first", {"automatic": "none", "shorten": "no"})


def _by_rules(weights: Mapping[str, float], third: int) -> Evaluator:
    """A policy with a rule for every third feature, each compared with a second feature.

    Each rule has weights of its own. ``third`` is the first feature compared, 0 to 2.
    """
    names, row = tuple(weights), tuple(weights.values())
    rules, rows, offsets = [], [], []
    for place in range(third, len(names), 3):
        name, other = names[place], names[place - 10]
        # Both comparisons must hold, so that later rules are reached too.
        sides = (
            Comparison(name, OVER, _OFTEN_PASSED[name]),
            Comparison(other, AT_MOST, _OFTEN_PASSED[other]),
        )
        rules.append(Rule(sides, OR) if place + 3 >= len(names) else Rule(sides))
        rows += [*row[place:], *row[:place]]
        offsets.append(0.03 * (place % 5) - 0.06)
    return Evaluator(names, (*rows, *row), rules=tuple(rules), offsets=(*offsets, 0.0))


def tasks() -> list[Task]:
    """Every search, parameter and feature, on deals with every kind of outcome."""
    deals = (
        1,
        617,
        11982,
        freecell(2, cells=6),
        freecell(3, cascades=7),
        freecell(4, cascades=9, cells=1),
        freecell(5, cascades=5, cells=3),
        _end_of(6, low=6),
        _end_of(7, low=8, cascades=6, cells=3),
        _end_of(8, low=8, cascades=4, cells=2),
        _end_of(9, low=7, cascades=4, cells=1),
        _end_of(10, low=7, cascades=4, cells=0),
    )
    tried = [(deal, Limits(20_000)) for deal in deals]
    tried.append((617, Limits(100_000, memory=2_000_000)))
    return [
        Task(deal, evaluator, search, limits)
        for evaluator, search in (*_SOLVERS, *_schedules(), *_policies(), *_units(), *_deep())
        for deal, limits in tried
    ]


def _end_of(number: int, low: int, cascades: int = 8, cells: int = 4) -> FreeCellBoard:
    """A deal whose cards up to rank ``low`` are home."""
    deal = freecell(number, cascades, cells)
    left = tuple(tuple(c for c in column if c >> 2 > low) for column in deal.cascades)
    return FreeCellBoard(left, (), (low,) * 4, cells)
