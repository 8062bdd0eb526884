"""Best-first search and beam search against plain references."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import endgame, endings
from searching import EVOLVED, HSDH, QUICK
from tree_searching import (
    BOUND,
    DRAWN,
    NONE,
    Way,
    beam,
    best_first,
    compare,
    each_drawn,
)

from deals import FreeCellBoard, freecell


@each_drawn
@settings(max_examples=75)
@given(data=st.data(), board=endings(), limit=st.sampled_from([1, 2, 50, 300]))
def test_endings(search: str, data: st.DataObject, board: FreeCellBoard, limit: int) -> None:
    compare(data.draw(DRAWN[search]), board, limit)


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
    ],
    ids=lambda value: str(value) if isinstance(value, Way) else None,
)
def test_deals(deal: FreeCellBoard, way: Way) -> None:
    compare(way, deal, 500 if way.search == "best-first" else 400)


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
    (4, 0, beam(HSDH, width=3)),
    (4, 3, beam(width=1)),
    (4, 7, beam(NONE, width=2)),
    (5, 2, beam(BOUND, width=2)),
    (6, 1, beam(EVOLVED, width=1)),
    (7, 0, beam(QUICK, width=4)),
    (8, 4, beam(width=3)),
    (9, 7, beam(NOT_HOME, width=1)),
]


@pytest.mark.parametrize(
    ("cascades", "cells", "way"),
    [(*size, other) for *size, way in ENDGAMES for other in way.in_all_options()],
    ids=str,
)
def test_endgames(cascades: int, cells: int, way: Way) -> None:
    limit, least = (300, 20) if way.search == "best-first" else (200, 5)
    plain = [compare(way, endgame(seed, cascades, cells), limit) for seed in range(3)]
    if cells:
        # Such moves were omitted, so this tests that.
        assert sum(reference.again for reference in plain) > least
