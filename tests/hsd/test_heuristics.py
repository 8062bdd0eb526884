"""The features against numbers worked out by hand, and against plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from engine import Engine
from hypothesis import given
from hypothesis import strategies as st
from plain_features import FUNCTIONS, further
from random_boards import boards

from deals import FreeCellBoard, freecell, parse_card
from deals.cards import DECK
from hsd.kernels.features import (
    BREAKS_RUN,
    DEADLOCK_BOUND,
    FEATURES,
    MOVES_MADE,
    NAMES,
    NINE,
    NOT_OF_BOARD,
    score,
)

TABLE_1 = (
    "HSDH",
    "NumberWellPlaced",
    "NumCardsNotAtFoundations",
    "FreeCells",
    "DifferenceFromTop",
    "LowestHomeCard",
    "HighestHomeCard",
    "DifferenceHome",
    "SumOfBottomCards",
)

MIDDLE = """\
Foundations: C-9 D-8 H-9 S-9
Freecells: KH
KS QD JC TD
QH KC JS TH
JD TS 9D
QC
:
KD QS JH TC
"""

LAST = "Foundations: C-K D-K H-K S-Q\n"


def read(text: str, cells: int = 4, cascades: int = 8) -> FreeCellBoard:
    return FreeCellBoard.from_text(text, cells, cascades, "columns")


def distances(board: FreeCellBoard) -> list[float]:
    """The nine in Table 1's order."""
    values = Engine(board).heuristics()
    return [values[name] for name in TABLE_1]


@pytest.mark.parametrize(
    ("board", "values"),
    [
        pytest.param(
            freecell(1),
            [
                (4 + 3 + 2 + 3) / 96,  # Above the AD, the AS, the AC (in one cascade), the AH.
                52 / 52,
                52 / 52,
                1 - 4 / 12,
                (13 + (6 + 9 + 2 + 6 + 6 + 3 + 8 + 10) / 8 - 0) / 26,
                1,
                1,
                0,
                (4 * 13 + 4 * 12 - (11 + 2 + 9 + 11 + 5 + 7 + 7 + 5)) / 100,
            ],
            id="deal 1",
        ),
        pytest.param(
            read(MIDDLE, 3, 6),
            [
                1 / 96,  # The 9D on the TS; TC, 9D and TH are exposed.
                (16 - (4 + 3 + 1 + 4)) / 52,  # All but QH KC JS TH.
                17 / 52,
                1 - (2 + 1) / (3 + 6),
                (13 + (10 + 10 + 9 + 12 + 10) / 5 - (9 + 8 + 9 + 9) / 4) / 26,
                (13 - 8) / 13,
                1 - 9 / 13,
                (9 - 8) / 13,
                (4 * 13 + 12 - (13 + 12 + 11 + 12 + 13)) / 100,
            ],
            id="mid-game",
        ),
        pytest.param(
            read(LAST + "KS"),
            [0, 0, 1 / 52, 1 / 12, (13 + 13 - 51 / 4) / 26, 1 / 13, 0, 1 / 13, 0],
            id="a last card in a cascade",
        ),
        pytest.param(
            read("Freecells: KS\n" + LAST + ":"),
            [0, 0, 1 / 52, 1 / 12, (13 + 0 - 51 / 4) / 26, 1 / 13, 0, 1 / 13, 0],
            id="a last card in a cell",
        ),
        *(
            pytest.param(
                FreeCellBoard(((),) * cascades, (), (13, 13, 13, 13), cells),
                [0.0] * 9,
                id=f"goal with {cascades} cascades and {cells} cells",
            )
            for cascades, cells in [(8, 4), (4, 0), (9, 7)]
        ),
    ],
)
def test_all_nine_by_hand(board: FreeCellBoard, values: list[float]) -> None:
    assert distances(board) == pytest.approx(values, abs=1e-12)


def with_bottoms(text: str, cells: int = 4) -> FreeCellBoard:
    """A board whose deepest cards are these; the others are dealt upon them in some order."""
    bottoms = [parse_card(name) for name in text.split()]
    rest = [card for card in DECK if card not in bottoms]
    random.Random(1).shuffle(rest)
    columns = ((bottom, *rest[i :: len(bottoms)]) for i, bottom in enumerate(bottoms))
    return FreeCellBoard(tuple(columns), cell_count=cells)


@pytest.mark.parametrize(
    ("bottoms", "value"),
    [
        ("2C 3C 9C JC 6C 2D 8C JD", 0.48),  # The paper's example, section 3.2.
        ("KC KD KH KS QC QD QH QS", 0.0),
        ("AC AD AH AS 2C 2D 2H 2S", (100 - 12) / 100),
        ("KC KD KH KS", 0.0),
        ("KC KD KH QS", 0.01),
        ("QC QD QH QS JC JD JH JS TC", (52 + 48 + 11 - 48 - 44 - 10) / 100),
    ],
)
def test_sum_of_bottom_cards(bottoms: str, value: float) -> None:
    assert Engine(with_bottoms(bottoms)).heuristics()["SumOfBottomCards"] == pytest.approx(value)


ENDING = "Foundations: C-K D-K H-T S-{}\n"


@pytest.mark.parametrize(
    ("text", "cells", "cards"),
    [
        (ENDING.format("T") + "JH KH QH\nJS\nQS\nKS", 0, 2 * 2),  # Neither cell nor cascade.
        (ENDING.format("T") + "JH KH QH\nJS\nQS\nKS", 1, 2),  # A free cell.
        (ENDING.format("T") + "JH KH QH\nJS KS\nQS\n:", 0, 2 + 1),  # An empty cascade.
        (ENDING.format("9") + "JH KH QH\nTS\nQS\nKS\nFreecells: JS", 1, 2 * 2),  # A full cell.
        (ENDING.format("T") + "JH KH QH\n:\nQS\nKS\nFreecells: JS", 1, 2),  # An empty cascade.
        (ENDING.format("9") + "JH KH TS QH\nQS\nJS\nKS", 0, 2 * (3 + 1)),  # Two in one cascade.
    ],
)
def test_cards_above_the_next(text: str, cells: int, cards: int) -> None:
    assert Engine(read(text, cells, 4)).heuristics()["HSDH"] == pytest.approx(cards / 96)


def test_the_most_cards_above_the_next() -> None:
    board = with_bottoms("AC AD AH AS", cells=0)
    assert Engine(board).heuristics()["HSDH"] == 1.0
    board = with_bottoms("AC AD AH AS", cells=1)
    assert Engine(board).heuristics()["HSDH"] == 0.5


def test_a_cascade_is_well_placed_as_a_whole_or_not_at_all() -> None:
    text = "Foundations: C-T D-T H-T S-T\n"
    for columns, unsorted in [
        ("KC QD JS\nKD QC JH\nKH QS JD\nKS QH JC", 0),
        ("KC QD JS JH\nKD QC\nKH QS JD\nKS QH JC", 4),  # The break is at the top ...
        ("KD KC QH JS\nJH\nQC\nQS JD\nKS QD JC\nKH", 4),  # ... or at the bottom.
        ("KC QS JD\nKD QC JH\nKH QD JS\nKS QH JC", 6),  # Black on black, red on red.
        ("KC JD\nKD QC JH\nKH QS\nKS QH JC\nQD JS", 2),  # A rank is left out.
        ("JC QD KS\nKC\nKD QC JH\nKH QS JD\nQH JS", 3),  # Upside down.
    ]:
        value = Engine(read(text + columns)).heuristics()["NumberWellPlaced"]
        assert value == pytest.approx(unsorted / 52)


@given(boards(), st.integers(0, 10**6))
def test_random_play_measures_as_the_twin(board: FreeCellBoard, seed: int) -> None:
    engine, generator = Engine(board), random.Random(seed)
    for _ in range(15):
        values = engine.heuristics()
        assert values == pytest.approx(engine.twin().heuristics(), abs=1e-12)
        assert all(0 <= value <= 1 for value in values.values())
        moves = engine.moves()
        if not moves:
            break
        engine.play(generator.choice(moves))


@given(st.integers(1, 10**6), st.integers(4, 9), st.integers(0, 7), st.integers(0, 10**6))
def test_deals_measure_as_the_twin(deal: int, cascades: int, cells: int, seed: int) -> None:
    engine, generator = Engine(freecell(deal, cascades, cells)), random.Random(seed)
    for _ in range(15):
        assert engine.heuristics() == pytest.approx(engine.twin().heuristics(), abs=1e-12)
        moves = engine.moves()
        if not moves:
            break
        engine.play(generator.choice(moves))


WEIGHTS = st.lists(st.floats(-1, 1), min_size=9, max_size=9)


@given(boards(), WEIGHTS)
def test_the_score_is_the_weighted_sum(board: FreeCellBoard, weights: list[float]) -> None:
    vector = np.array(weights + [0.0] * (len(NAMES) - 9))
    total = score(Engine(board).arrays, vector, np.zeros(len(NAMES)))
    expected = sum(w * v for w, v in zip(weights, distances(board), strict=True))
    assert total == pytest.approx(expected, abs=1e-12)


EACH_WEIGHT = st.lists(st.floats(-1, 1), min_size=len(NAMES), max_size=len(NAMES))


@given(boards(), EACH_WEIGHT, st.floats(0, 10))
def test_the_score_of_every_feature(
    board: FreeCellBoard, weights: list[float], made: float
) -> None:
    values = np.zeros(len(NAMES))
    given = {MOVES_MADE: made, DEADLOCK_BOUND: made / 2, BREAKS_RUN: made / 3}
    for name, value in given.items():
        values[NAMES.index(name)] = value
    total = score(Engine(board).arrays, np.array(weights), values)
    features = Engine(board).features() | given
    expected = sum(w * features[name] for w, name in zip(weights, NAMES, strict=True))
    assert total == pytest.approx(expected, abs=1e-12)


def test_the_features_are_table_1s() -> None:
    assert tuple(feature.name for feature in NINE) == TABLE_1
    baseline = {feature.name: feature.baseline for feature in NINE}
    assert baseline == dict.fromkeys(TABLE_1, 0.0) | {"HSDH": 1.0}
    assert all(feature.meaning for feature in NINE)


# ------------------------------------------------------------------ beyond Table 1


KNOWN = tuple(feature.name for feature in FEATURES[len(NINE) :] if feature.name not in NOT_OF_BOARD)
DEALS = st.builds(freecell, st.integers(1, 10**6), st.integers(4, 9), st.integers(0, 7))


def test_every_further_feature_has_its_plain_function() -> None:
    missing = set(KNOWN) - set(FUNCTIONS)
    assert not missing, (
        f"tests/hsd/plain_features.py: write functions of {missing} from their meanings and enter "
        "them in FUNCTIONS;\ntests/hsd/test_heuristics.py: add their values by hand"
    )
    assert tuple(FUNCTIONS) == KNOWN
    assert (*TABLE_1, *KNOWN, MOVES_MADE, DEADLOCK_BOUND, BREAKS_RUN) == NAMES
    assert all(feature.meaning for feature in FEATURES[len(NINE) :])


def test_the_range_of_every_weight_is_one_of_numbers() -> None:
    assert all(feature.low < feature.high and feature.high == 1 for feature in FEATURES)
    assert all(feature.low in (-1, 0) for feature in FEATURES)
    assert all(feature.low <= feature.baseline <= feature.high for feature in FEATURES)


def walk(board: FreeCellBoard, seed: int, length: int) -> Iterator[Engine]:
    """Positions of a random game, one and the same board changing; now and then forced moves."""
    engine, generator = Engine(board), random.Random(seed)
    for _ in range(length):
        yield engine
        moves = engine.moves()
        if not moves:
            return
        engine.play(generator.choice(moves))
        if generator.random() < 0.1:
            engine.play_safe_home()


@given(boards() | DEALS, st.integers(0, 10**6))
def test_the_further_features_are_as_counted_plainly(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 20):
        values = engine.features()
        for name, expected in further(engine.twin()).items():
            assert values[name] == pytest.approx(expected, abs=1e-12), name
            assert values[name] >= 0


@pytest.mark.parametrize("name", KNOWN)
@given(boards(), st.randoms(use_true_random=False))
def test_a_further_feature_does_not_see_the_order_of_places(
    name: str, board: FreeCellBoard, generator: random.Random
) -> None:
    cascades, cells = list(board.cascades), list(board.cells)
    generator.shuffle(cascades)
    generator.shuffle(cells)
    turned = FreeCellBoard(tuple(cascades), tuple(cells), board.foundations, board.cell_count)
    # Bit-identical: to searches, boards that differ in that order are one state.
    assert Engine(turned).features()[name] == Engine(board).features()[name]


FULL = """\
Foundations: C-K D-J H-9 S-J
Freecells: TH KS
QD JH KD
KH QH QS
:
:
"""


@pytest.mark.parametrize(
    ("board", "values"),
    [
        # Sums that are long are written cascade by cascade.
        pytest.param(
            freecell(1),
            {
                "AboveNext": (2 + 4 + 3 + 3) / 48,  # AC, AD, AH, AS.
                "AboveSecond": (1 + 6 + 0 + 4) / 48,  # 2C, 2D, 2H, 2S.
                "LeastAboveNext": 2 / 18,
                # KD 3S 6S; TD 9C; TS; QS; 8H; 2C; JH 8C; TC.
                "OwnSuitBelow": (3 + 2 + 1 + 1 + 1 + 1 + 2 + 1) / 48,
                "SequenceBreaks": 44 / 51,
                "Inversions": (5 + 6 + 2 + 5 + 4 + 3 + 4 + 3) / 51,
                "InversionDepth": (
                    (2 + 2 + 1 + 4 + 4)
                    + (11 + 11 + 3 + 8 + 6 + 7)
                    + (1 + 4)
                    + (7 + 7 + 5 + 7 + 1)
                    + (10 + 3 + 7 + 5)
                    + (5 + 1 + 2)
                    + (6 + 3 + 10 + 7)
                    + (4 + 4 + 7)
                )
                / 200,
                "NotPlaced": 44 / 52,
                "KingsBuried": 1,
                "CellsUsed": 0,
                "CellsUsedSquared": 0,
                "CellsFull": 0,
                "CellRanks": 0,
                "OccupiedColumns": 1,
                "CellsTimesColumns": 0,
            },
            id="deal 1",
        ),
        pytest.param(
            read(MIDDLE, 3, 6),
            {
                "AboveNext": 1 / 48,  # The 9D on the TS.
                "AboveSecond": (1 + 0 + 1 + 1) / 48,  # JC, TD, JH, JS.
                "LeastAboveNext": 0,
                "OwnSuitBelow": 0,
                "SequenceBreaks": 2 / 51,  # KC and JS.
                "Inversions": 1 / 51,  # The KC on the QH.
                "InversionDepth": 1 / 200,
                "NotPlaced": (1 + 3) / 52,  # The KH; all upon the QH.
                "KingsBuried": 2 / 4,  # KC and KH.
                "CellsUsed": 1 / 3,
                "CellsUsedSquared": 1 / 9,
                "CellsFull": 0,
                "CellRanks": 3 / 36,  # TH, JH and QH come before the KH.
                "OccupiedColumns": 5 / 6,
                "CellsTimesColumns": 5 / 18,
            },
            id="mid-game",
        ),
        pytest.param(
            read(FULL, 2, 4),
            {
                "AboveNext": 2 / 48,  # Two on the QD; the TH is in a cell, the QS exposed.
                "AboveSecond": 1 / 48,  # The KD on the JH.
                "LeastAboveNext": 0,
                "OwnSuitBelow": 1 / 48,  # The KD on the QD.
                "SequenceBreaks": 4 / 51,  # Red on red thrice, queen on queen.
                "Inversions": 1 / 51,  # The KD on the JH; a queen is not lower than a queen.
                "InversionDepth": 2 / 200,
                "NotPlaced": (2 + 2 + 2) / 52,
                "KingsBuried": 2 / 4,  # The KS in a cell and the KD; the KC is home.
                "CellsUsed": 1,
                "CellsUsedSquared": 1,
                "CellsFull": 1,
                "CellRanks": (0 + 1) / 24,  # It is the TH's turn; the QS comes before the KS.
                "OccupiedColumns": 2 / 4,
                "CellsTimesColumns": 1 / 2,
            },
            id="full cells",
        ),
        pytest.param(
            read("Foundations: C-T D-T H-T S-T\nJC KC QC KD\nJD KH QD\nKS JH QH\nJS QS", 0, 5),
            {
                "AboveNext": (3 + 2 + 1 + 1) / 48,
                "AboveSecond": (1 + 0 + 0 + 0) / 48,
                "LeastAboveNext": 1 / 18,
                "OwnSuitBelow": (2 + 1 + 1 + 1) / 48,
                "SequenceBreaks": (3 + 2 + 2 + 1) / 51,  # KH on JD, JH on KS: two ranks.
                "Inversions": (3 + 2 + 1 + 1) / 51,
                "InversionDepth": (2 + 1 + 2 + 2 + 1 + 1 + 1) / 200,
                "NotPlaced": (3 + 2 + 2 + 1) / 52,
                "KingsBuried": 3 / 4,
                "CellsUsed": 0,
                "CellsUsedSquared": 0,
                "CellsFull": 1,
                "CellRanks": 0,
                "OccupiedColumns": 4 / 5,
                "CellsTimesColumns": 0,
            },
            id="no cells",
        ),
        *(
            pytest.param(
                FreeCellBoard(((),) * cascades, (), (13, 13, 13, 13), cells),
                dict.fromkeys(KNOWN, 0.0) | {"CellsFull": float(cells == 0)},
                id=f"goal with {cascades} cascades and {cells} cells",
            )
            for cascades, cells in [(8, 4), (4, 0), (9, 7)]
        ),
    ],
)
def test_all_further_by_hand(board: FreeCellBoard, values: dict[str, float]) -> None:
    assert tuple(values) == KNOWN, (
        f"tests/hsd/test_heuristics.py: add by hand the values of {set(KNOWN) - set(values)}"
    )
    found = Engine(board).features()
    plain = further(Engine(board).twin())
    assert {name: found[name] for name in KNOWN} == pytest.approx(values, abs=1e-12)
    assert plain == pytest.approx(values, abs=1e-12)
