"""The searches that grow a tree, as tests run them: best-first, beam and A*."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st
from plain_beam import PlainBeam
from plain_best_first import PlainBestFirst
from searching import (
    BOTH,
    EVOLVED,
    HSDH,
    OPTIONS,
    QUICK,
    as_plain,
    check_solution,
    in_order,
    options,
    run,
)

from deals import FreeCellBoard, freecell
from gafreecell.solving.outcome import BEST_FIRST, DEPTH_IN_TURN, Outcome
from hsd.kernels.features import BREAKS_RUN, DEADLOCK_BOUND, NAMES
from hsd.kernels.moves import ANY

BOUND = {"DeadlockBound": 1.0}
BOUNDED = {"DeadlockBound": 1.0, "NotPlaced": 0.4, "AboveNext": 0.3, "CellsUsedSquared": 0.1}
NONE: dict[str, float] = {}


class Way(NamedTuple):
    """A search with an evaluator and parameters.

    Attributes:
        search: its name.
        weights: by feature; none for a blind search.
        safe: force safe home moves.
        supermoves: move runs as one; A* never does, a schedule always.
        own: the search's further parameters.
    """

    search: str
    weights: Mapping[str, float]
    safe: bool
    supermoves: bool
    own: Mapping[str, int | str]

    def __str__(self) -> str:
        words = [self.search, *list(self.weights)[:3], "safe" * self.safe, "runs" * self.supermoves]
        words += [f"{name}={value}" for name, value in self.own.items() if value]
        return " ".join(filter(None, words))

    @property
    def parameters(self) -> dict[str, int | str]:
        """All parameters, for solutions exactly as the search found them."""
        given = options(self.safe, self.supermoves)
        if self.search == "a-star":
            given = {"automatic": given["automatic"]}
        elif self.search == "schedule":
            del given["supermoves"]
        return {**given, **self.own}

    @property
    def bounded(self) -> bool:
        """Whether it tells a bound of the shortest solution."""
        wider = int(self.own.get("wider", 0)) > 0
        return self.search == "a-star" or wider or DEADLOCK_BOUND in self.weights

    @property
    def longest(self) -> int:
        """The most cards that a move may take."""
        return ANY if self.supermoves else 1

    def in_all_options(self) -> list[Way]:
        """The same with and without safe home moves and supermoves."""
        given = OPTIONS
        if self.search in ("a-star", "schedule"):
            given = [(safe, self.supermoves) for safe in BOTH]
        return [self._replace(safe=safe, supermoves=runs) for safe, runs in given]


def best_first(
    weights: Mapping[str, float] = QUICK,
    safe: bool = True,
    supermoves: bool = True,
    patience: int = 0,
) -> Way:
    return Way("best-first", weights, safe, supermoves, {"patience": patience})


def beam(
    weights: Mapping[str, float] = BOUNDED,
    safe: bool = True,
    supermoves: bool = False,
    width: int = 16,
    wider: int = 0,
) -> Way:
    return Way("beam", weights, safe, supermoves, {"width": width, "wider": wider})


def a_star(
    weights: Mapping[str, float] = NONE, safe: bool = True, width: int = 0, wider: int = 0
) -> Way:
    return Way("a-star", weights, safe, False, {"width": width, "wider": wider})


def schedule(
    weights: Mapping[str, float] = QUICK, safe: bool = True, rule: str = BEST_FIRST
) -> Way:
    """A schedule of a single phase."""
    return Way("schedule", weights, safe, True, {"rule": rule})


def each(*ways: Way) -> Callable[[Any], Any]:
    """Parametrize a test by ways."""
    return pytest.mark.parametrize("way", ways, ids=str)


def each_in_all_options(*ways: Way) -> Callable[[Any], Any]:
    """Parametrize a test by ways with and without safe home moves and supermoves."""
    return each(*(other for way in ways for other in way.in_all_options()))


def solve(way: Way, deal: FreeCellBoard | int, nodes: int = 200_000, **limits: float) -> Outcome:
    """The outcome; its solution is checked."""
    outcome = run(deal, way.search, way.weights, way.parameters, nodes, **limits)
    board = freecell(deal) if isinstance(deal, int) else deal
    check_solution(board, outcome, way.bounded)
    return outcome


# ------------------------------------------------------------------ the plain references


def compare(way: Way, board: FreeCellBoard, limit: int) -> PlainBestFirst | PlainBeam:
    """Run a search and its plain reference and compare them; returns the plain one."""
    plain: PlainBestFirst | PlainBeam
    if way.search == "best-first":
        patience = int(way.own["patience"])
        plain = PlainBestFirst(way.weights, way.safe, way.supermoves, limit, patience)
    else:
        plain = PlainBeam(way.weights, way.safe, way.supermoves, limit, int(way.own["width"]))
    expected = plain.run(board)
    outcome = solve(way, board, nodes=limit)
    assert as_plain(outcome) in map(in_order, [expected, *plain.early])
    # To move the same cards again leads to no new state: the jitted search omits it.
    assert plain.again_new == 0
    return plain


# ------------------------------------------------------------------ ways drawn

WIDTHS = st.integers(1, 4)
PATIENCES = st.sampled_from([0, 0, 1, 2, 7, 30])
GUIDES = [
    HSDH,
    NONE,  # Every score is 0: the state met last comes first.
    QUICK,
    EVOLVED,
    {"HSDH": -1.0, "FreeCells": 0.5},  # Negative scores.
]
MOVES_WEIGHED = [
    {"MovesMade": 1.0},  # Breadth first, a run as far as its cards.
    {"MovesMade": 0.25, "HSDH": 1.0, "NotPlaced": 0.5},
    {"MovesMade": -1.0, "OccupiedColumns": -0.5},
    {"NumberWellPlaced": 0.25, "FreeCells": 0.125},
    {name: 1 / (i + 2) for i, name in enumerate(NAMES) if name not in (DEADLOCK_BOUND, BREAKS_RUN)},
]
BOUND_WEIGHED = [
    BOUND,
    BOUNDED,
    {"DeadlockBound": 0.3, "OccupiedColumns": -0.5, "InversionDepth": 0.2},
    {"DeadlockBound": 0.01, "HSDH": -1.0},
]
BEAM_GUIDES = st.sampled_from(GUIDES + BOUND_WEIGHED)
DRAWN = {
    "best-first": st.builds(
        best_first,
        st.sampled_from(GUIDES + MOVES_WEIGHED),
        st.booleans(),
        st.booleans(),
        PATIENCES,
    ),
    "beam": st.builds(beam, BEAM_GUIDES, st.booleans(), st.booleans(), WIDTHS),
}
"""Ways of searches that have a plain reference here; that of ``schedule`` is in ``schedules``."""
SCHEDULES = st.builds(
    schedule,
    st.sampled_from([NONE, QUICK, {"MovesMade": 1.0}, {"BreaksRun": -1.0, "NotPlaced": 0.5}]),
    st.booleans(),
    st.sampled_from([BEST_FIRST, DEPTH_IN_TURN]),
)

each_drawn = pytest.mark.parametrize("search", DRAWN)
