"""Searches against plain references."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_schedule import FEATURES
from positions import endgame, endings
from searching import (
    BOTH,
    BOUND,
    DRAWN,
    EVOLVED,
    HSDH,
    NONE,
    QUICK,
    RULES,
    STAGED,
    Plan,
    Way,
    beam,
    best_first,
    compare,
    depth_first,
    plan,
    plans,
    staged,
)

from deals import FreeCellBoard, freecell
from gafreecell.solving.outcome import BEST_FIRST, DEPTH_IN_TURN

LIMITS = st.sampled_from([1, 2, 50, 300])


@pytest.mark.parametrize("search", DRAWN)
@settings(max_examples=30)
@given(data=st.data(), board=endings(), limit=LIMITS)
def test_endings(search: str, data: st.DataObject, board: FreeCellBoard, limit: int) -> None:
    compare(data.draw(DRAWN[search]), board, limit)


@settings(max_examples=35)
@given(STAGED, endings(), LIMITS)
def test_endings_of_staged_deepening(way: Way, board: FreeCellBoard, limit: int) -> None:
    compare(way, board, limit)


@pytest.mark.parametrize(
    ("deal", "way"),
    [
        (freecell(1), best_first(HSDH)),
        (freecell(617), best_first()),
        (freecell(11982), best_first(EVOLVED, safe=False)),
        (freecell(5), best_first({"MovesMade": 0.5, "AboveNext": 1.0}, False, False)),
        (freecell(164), best_first(supermoves=False)),
        (freecell(7, 9, 7), best_first(NONE)),
        (freecell(8, 4, 7), best_first(safe=False)),
        (freecell(9, 4, 0), best_first(HSDH, False, False)),
        (freecell(10, 9, 0), best_first(EVOLVED)),
        (freecell(11, 6, 3), best_first({"MovesMade": 1.0}, supermoves=False)),
        (freecell(12, 7, 1), best_first(QUICK, False, False)),
        (freecell(1), depth_first()),
        (freecell(11982), depth_first(EVOLVED, False)),
        (freecell(7, 9, 7), depth_first(NONE)),
        (freecell(9, 4, 0), depth_first({"MovesMade": 1.0, "HSDH": 1.0})),
        (freecell(1), beam(HSDH, width=1)),
        (freecell(617), beam(QUICK, True, True, 2)),
        (freecell(2), beam(width=4)),
        (freecell(11982), beam(EVOLVED, False, True, 3)),
        (freecell(5), beam(BOUND, False, True, 2)),
        (freecell(7, 9, 7), beam(NONE, width=2)),
        (freecell(8, 4, 7), beam(safe=False, width=3)),
        (freecell(9, 4, 0), beam(HSDH, safe=False, width=4)),
        (freecell(10, 9, 0), beam(BOUND, True, True, 1)),
        (freecell(12, 7, 1), beam(QUICK, safe=False, width=400)),
        (freecell(2), beam(width=4, unit="manual")),
        (freecell(617), beam(QUICK, False, width=3, unit="column")),
        (freecell(13, 9, 1), beam(BOUND, width=2, unit="manual")),
        (freecell(1), staged(HSDH, 1)),
        (freecell(617), staged(HSDH, 2)),
        (freecell(11982), staged(HSDH, 3)),
        (freecell(5), staged(HSDH, 7, False)),
        (freecell(164), staged(HSDH, 4, table=100)),
        (freecell(7), staged(HSDH, 1, False, 50)),
    ],
    ids=lambda value: str(value) if isinstance(value, Way) else None,
)
def test_deals(deal: FreeCellBoard, way: Way) -> None:
    compare(way, deal, 250 if way.search == "best-first" else 200)


NOT_HOME = {"NumCardsNotAtFoundations": 1.0}
ENDGAMES = [
    (4, 0, best_first(HSDH)),
    (4, 3, best_first()),
    (4, 7, best_first(NONE)),
    (5, 2, best_first({"MovesMade": 0.2, "NotPlaced": 1.0})),
    (6, 1, best_first(EVOLVED)),
    (7, 0, best_first()),
    (8, 4, best_first(HSDH)),
    (9, 7, best_first(NOT_HOME)),
    (4, 0, depth_first(HSDH)),
    (5, 2, depth_first({"MovesMade": 0.2, "NotPlaced": 1.0})),
    (8, 4, depth_first(EVOLVED)),
    (9, 7, depth_first(NOT_HOME)),
    (4, 0, beam(HSDH, width=3)),
    (4, 3, beam(width=1)),
    (4, 7, beam(NONE, width=2)),
    (5, 2, beam(BOUND, width=2)),
    (6, 1, beam(EVOLVED, width=1)),
    (7, 0, beam(QUICK, width=4)),
    (8, 4, beam(width=3)),
    (9, 7, beam(NOT_HOME, width=1)),
    (5, 2, beam(width=2, unit="manual")),
    (6, 4, beam(BOUND, width=1, unit="column")),
]


@pytest.mark.parametrize(
    ("cascades", "cells", "way"),
    # Two of the four pairs of options for each size, the other two for the next.
    [
        (*size, other)
        for place, (*size, way) in enumerate(ENDGAMES)
        for other in way.in_all_options()
        if (other.safe == other.supermoves) == place % 2
    ],
    ids=str,
)
def test_endgames(cascades: int, cells: int, way: Way) -> None:
    limit, least = (200, 8) if way.search == "best-first" else (120, 2)
    plain = [compare(way, endgame(seed, cascades, cells), limit) for seed in range(3)]
    if cells:
        # Moves of the same cards again were omitted, so this tests that.
        assert sum(reference.again for reference in plain) > least


@pytest.mark.parametrize(
    ("cascades", "cells", "way"),
    [
        (5, 2, staged(HSDH, 1)),
        (5, 2, staged(HSDH, 2, False)),
        (4, 3, staged(HSDH, 2, table=60)),
        (4, 1, staged(HSDH, 3, False)),
        (6, 1, staged(HSDH, 1, False, 40)),
        (7, 0, staged(HSDH, 2)),
    ],
    ids=str,
)
def test_endgames_of_staged_deepening(cascades: int, cells: int, way: Way) -> None:
    plain = [compare(way, endgame(seed, cascades, cells), 600) for seed in range(6)]
    # There were equal scores, so this tests them.
    assert sum(search.replaced for search in plain) > 10


# ------------------------------------------------------------------ schedules

GOOD = {"NotPlaced": 8, "OwnSuitBelow": 6, "AboveNext": 5, "CellsUsedSquared": 1, "MovesMade": 1}
SORT = {"SequenceBreaks": 7, "NumCardsNotAtFoundations": 9, "KingsBuried": 3, "BreaksRun": 4}
LAST = None, BEST_FIRST, GOOD


@settings(max_examples=25)
@given(schedule=plans(), board=endings(), limit=st.sampled_from([1, 2, 50, 200]))
def test_endings_of_schedules(schedule: Plan, board: FreeCellBoard, limit: int) -> None:
    schedule.compare(board, limit)


@pytest.mark.parametrize(
    ("deal", "schedule"),
    [
        (freecell(1), plan(LAST)),
        (freecell(617), plan((None, DEPTH_IN_TURN, GOOD))),
        (freecell(164), plan((40, BEST_FIRST, SORT), (60, DEPTH_IN_TURN, GOOD), LAST)),
        (freecell(11982), plan((50, DEPTH_IN_TURN, SORT), LAST, safe=False)),
        (freecell(7, 9, 7), plan((30, BEST_FIRST, {}), (None, DEPTH_IN_TURN, {}))),
        (freecell(8, 4, 7), plan((None, BEST_FIRST, {"CellRanks": 2, "FreeCells": 9}), safe=False)),
        (freecell(9, 4, 0), plan((None, DEPTH_IN_TURN, {"MovesMade": -2, "Inversions": 3}))),
        (freecell(10, 9, 0), plan((1, BEST_FIRST, GOOD), (None, BEST_FIRST, SORT))),
        (freecell(12, 7, 1), plan((2, DEPTH_IN_TURN, SORT), (None, BEST_FIRST, SORT), safe=False)),
    ],
    ids=lambda value: str(value) if isinstance(value, Plan) else None,
)
def test_deals_of_schedules(deal: FreeCellBoard, schedule: Plan) -> None:
    schedule.compare(deal, 250)


@pytest.mark.parametrize("safe", BOTH)
@pytest.mark.parametrize("rule", RULES)
def test_endgames_of_schedules(rule: str, safe: bool) -> None:
    """In games of every size, each feature weighed in some; they end in every way."""
    ends: Counter[str] = Counter()
    again, longer, begun, weighed = 0, 0, 0, set()
    for seed in range(12):
        random = Random(seed)
        sizes = 4 + seed % 6, (seed // 2) % 8
        names = [FEATURES[(4 * seed + i) % len(FEATURES)] for i in range(4)]
        weighed |= set(names)
        whole = {name: random.randint(1, 9) for name in names}
        schedule = plan((10, rule, SORT), (None, rule, whole), safe=safe)
        plain, result = schedule.compare(endgame(seed, *sizes, home=4 + seed % 4), 150)
        ends[result.status] += 1
        again, longer, begun = again + plain.again, longer + plain.longer, begun + plain.begun
    assert weighed == set(FEATURES)
    assert ends["solved"] > 1 and ends["node-limit"] > 1 and begun > 16
    # Such moves were left out, so this tests that.
    assert again > 60 and longer > 0


@pytest.mark.parametrize(
    ("board", "schedule", "status"),
    [
        (freecell(2), plan((5, BEST_FIRST, SORT), LAST), "solved"),
        (
            endgame(3, 4, 1, home=8),
            plan((5, DEPTH_IN_TURN, SORT), (None, DEPTH_IN_TURN, {"AboveNext": 1})),
            "unsolvable",
        ),
    ],
    ids=["solved", "unsolvable"],
)
def test_schedules_that_end(board: FreeCellBoard, schedule: Plan, status: str) -> None:
    _, result = schedule.compare(board, 2000)
    assert result.status == status
