"""The search ``schedule`` against its plain reference."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_schedule import FEATURES
from positions import endgame, endings
from schedules import RULES, Plan, compare, plan, plans
from searching import BOTH

from deals import FreeCellBoard, freecell
from gafreecell.solving.outcome import BEST_FIRST, DEPTH_IN_TURN

GOOD = {"NotPlaced": 8, "OwnSuitBelow": 6, "AboveNext": 5, "CellsUsedSquared": 1, "MovesMade": 1}
SORT = {"SequenceBreaks": 7, "NumCardsNotAtFoundations": 9, "KingsBuried": 3, "BreaksRun": 4}
LAST = None, BEST_FIRST, GOOD


@settings(max_examples=60)
@given(schedule=plans(), board=endings(), limit=st.sampled_from([1, 2, 50, 200]))
def test_endings(schedule: Plan, board: FreeCellBoard, limit: int) -> None:
    compare(schedule, board, limit)


@pytest.mark.parametrize(
    ("deal", "schedule"),
    [
        (freecell(1), plan((None, BEST_FIRST, GOOD))),
        (freecell(617), plan((None, DEPTH_IN_TURN, GOOD))),
        (
            freecell(164),
            plan((40, BEST_FIRST, SORT), (60, DEPTH_IN_TURN, GOOD), (None, BEST_FIRST, GOOD)),
        ),
        (freecell(11982), plan((50, DEPTH_IN_TURN, SORT), (None, BEST_FIRST, GOOD), safe=False)),
        (freecell(7, 9, 7), plan((30, BEST_FIRST, {}), (None, DEPTH_IN_TURN, {}))),
        (freecell(8, 4, 7), plan((None, BEST_FIRST, {"CellRanks": 2, "FreeCells": 9}), safe=False)),
        (freecell(9, 4, 0), plan((None, DEPTH_IN_TURN, {"MovesMade": -2, "Inversions": 3}))),
        (freecell(10, 9, 0), plan((1, BEST_FIRST, GOOD), (None, BEST_FIRST, SORT))),
        (freecell(12, 7, 1), plan((2, DEPTH_IN_TURN, SORT), (None, BEST_FIRST, SORT), safe=False)),
    ],
    ids=lambda value: str(value) if isinstance(value, Plan) else None,
)
def test_deals(deal: FreeCellBoard, schedule: Plan) -> None:
    compare(schedule, deal, 500)


@pytest.mark.parametrize("safe", BOTH)
@pytest.mark.parametrize("rule", RULES)
def test_endgames(rule: str, safe: bool) -> None:
    """In games of every size, each feature weighed in some; they end in every way."""
    ends: Counter[str] = Counter()
    again, longer, begun, weighed = 0, 0, 0, set()
    for seed in range(18):
        random = Random(seed)
        sizes = 4 + seed % 6, (seed // 2) % 8
        names = [FEATURES[(4 * seed + i) % len(FEATURES)] for i in range(4)]
        weighed |= set(names)
        whole = {name: random.randint(1, 9) for name in names}
        schedule = plan((10, rule, SORT), (None, rule, whole), safe=safe)
        plain, result = compare(schedule, endgame(seed, *sizes, home=4 + seed % 4), 150)
        ends[result.status] += 1
        again, longer, begun = again + plain.again, longer + plain.longer, begun + plain.begun
    assert weighed == set(FEATURES)
    assert ends["solved"] > 1 and ends["node-limit"] > 1 and begun > 25
    # Such moves were left out, so this tests that.
    assert again > 60 and longer > 0


def test_a_whole_deal_is_solved_alike() -> None:
    schedule = plan((5, BEST_FIRST, SORT), (None, BEST_FIRST, GOOD))
    _, result = compare(schedule, freecell(2), 2000)
    assert result.status == "solved"


def test_an_unsolvable_deal_is_proved_alike() -> None:
    schedule = plan((5, DEPTH_IN_TURN, SORT), (None, DEPTH_IN_TURN, {"AboveNext": 1}))
    _, result = compare(schedule, endgame(3, 4, 1, home=8), 2000)
    assert result.status == "unsolvable"
