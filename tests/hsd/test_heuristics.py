"""The features against numbers worked out by hand, and against plain Python."""

from __future__ import annotations

import random

import numpy as np
import pytest
from engine import NOT_OF_BOARD, Engine
from hypothesis import given
from hypothesis import strategies as st
from plain_features import FUNCTIONS, values_of
from positions import middle, turned_about
from random_boards import boards
from random_games import SEEDS, starts, walk

from deals import FreeCellBoard, freecell, parse_card
from deals.cards import DECK
from hsd.kernels.features import (
    BREAKS_RUN,
    DEADLOCK_BOUND,
    FEATURES,
    MOVES_MADE,
    NAMES,
    NINE,
    counted,
    weighted,
)

TABLE_1 = (
    "HSDH", "NumberWellPlaced", "NumCardsNotAtFoundations", "FreeCells", "DifferenceFromTop",
    "LowestHomeCard", "HighestHomeCard", "DifferenceHome", "SumOfBottomCards",
)  # fmt: skip
KNOWN = tuple(name for name in NAMES[len(NINE) :] if name not in NOT_OF_BOARD)


def read(text: str, cells: int = 4, cascades: int = 8) -> FreeCellBoard:
    return FreeCellBoard.from_text(text, cells, cascades, "columns")


def table_1(*values: float) -> dict[str, float]:
    return dict(zip(TABLE_1, values, strict=True))


def beyond(*values: float) -> dict[str, float]:
    assert len(values) == len(KNOWN), (
        f"tests/hsd/test_heuristics.py: add by hand the values of {KNOWN[len(values) :]}"
    )
    return dict(zip(KNOWN, values, strict=True))


def with_bottoms(text: str, cells: int = 4) -> FreeCellBoard:
    """A board whose deepest cards are these; the others are dealt upon them in some order."""
    bottoms = [parse_card(name) for name in text.split()]
    rest = [card for card in DECK if card not in bottoms]
    random.Random(1).shuffle(rest)
    columns = ((bottom, *rest[i :: len(bottoms)]) for i, bottom in enumerate(bottoms))
    return FreeCellBoard(tuple(columns), cell_count=cells)


LAST = "Foundations: C-K D-K H-K S-Q\n"
FULL = "Foundations: C-K D-J H-9 S-J\nFreecells: TH KS\nQD JH KD\nKH QH QS\n:\n:"
NO_CELLS = "Foundations: C-T D-T H-T S-T\nJC KC QC KD\nJD KH QD\nKS JH QH\nJS QS"
ENDING = "Foundations: C-K D-K H-T S-{}\n"
TEN_HOME = "Foundations: C-T D-T H-T S-T\n"
BY_HAND = [
    (
        freecell(1),
        table_1(
            (4 + 3 + 2 + 3) / 96,  # Above the AD, the AS, the AC (in one cascade), the AH.
            52 / 52,
            52 / 52,
            1 - 4 / 12,
            (13 + (6 + 9 + 2 + 6 + 6 + 3 + 8 + 10) / 8 - 0) / 26,
            1,
            1,
            0,
            (4 * 13 + 4 * 12 - (11 + 2 + 9 + 11 + 5 + 7 + 7 + 5)) / 100,
        )
        # Sums that are long are written cascade by cascade.
        | beyond(
            (2 + 4 + 3 + 3) / 48,  # AC, AD, AH, AS.
            (1 + 6 + 0 + 4) / 48,  # 2C, 2D, 2H, 2S.
            2 / 18,
            (3 + 2 + 1 + 1 + 1 + 1 + 2 + 1) / 48,  # KD 3S 6S; TD 9C; TS; QS; 8H; 2C; JH 8C; TC.
            44 / 51,
            (5 + 6 + 2 + 5 + 4 + 3 + 4 + 3) / 51,
            (13 + 46 + 5 + 27 + 25 + 8 + 26 + 15) / 200,
            44 / 52,
            1,
            *(0, 0, 0, 0),
            1,
            0,
        ),
    ),
    (
        middle(3),
        table_1(
            1 / 96,  # The 9D on the TS; TC, 9D and TH are exposed.
            (16 - (4 + 3 + 1 + 4)) / 52,  # All but QH KC JS TH.
            17 / 52,
            1 - (2 + 1) / (3 + 6),
            (13 + (10 + 10 + 9 + 12 + 10) / 5 - (9 + 8 + 9 + 9) / 4) / 26,
            (13 - 8) / 13,
            1 - 9 / 13,
            (9 - 8) / 13,
            (4 * 13 + 12 - (13 + 12 + 11 + 12 + 13)) / 100,
        )
        | beyond(
            1 / 48,  # The 9D on the TS.
            (1 + 0 + 1 + 1) / 48,  # JC, TD, JH, JS.
            0,
            0,
            2 / 51,  # KC and JS.
            1 / 51,  # The KC on the QH.
            1 / 200,
            (1 + 3) / 52,  # The KH; all upon the QH.
            2 / 4,  # KC and KH.
            1 / 3,
            1 / 9,
            0,
            3 / 36,  # TH, JH and QH come before the KH.
            5 / 6,
            5 / 18,
        ),
    ),
    (
        read(FULL, 2, 4),
        beyond(
            2 / 48,  # Two on the QD; the TH is in a cell, the QS exposed.
            1 / 48,  # The KD on the JH.
            0,
            1 / 48,  # The KD on the QD.
            4 / 51,  # Red on red thrice, queen on queen.
            1 / 51,  # The KD on the JH; a queen is not lower than a queen.
            2 / 200,
            (2 + 2 + 2) / 52,
            2 / 4,  # The KS in a cell and the KD; the KC is home.
            *(1, 1, 1),
            (0 + 1) / 24,  # It is the TH's turn; the QS comes before the KS.
            2 / 4,
            1 / 2,
        ),
    ),
    (
        read(NO_CELLS, 0, 5),
        beyond(
            (3 + 2 + 1 + 1) / 48,
            (1 + 0 + 0 + 0) / 48,
            1 / 18,
            (2 + 1 + 1 + 1) / 48,
            (3 + 2 + 2 + 1) / 51,  # KH on JD, JH on KS: two ranks.
            (3 + 2 + 1 + 1) / 51,
            (2 + 1 + 2 + 2 + 1 + 1 + 1) / 200,
            (3 + 2 + 2 + 1) / 52,
            3 / 4,
            *(0, 0, 1, 0),
            4 / 5,
            0,
        ),
    ),
    # A last card, in a cascade or in a cell.
    (read(LAST + "KS"), table_1(0, 0, 1 / 52, 1 / 12, (26 - 51 / 4) / 26, 1 / 13, 0, 1 / 13, 0)),
    (
        read("Freecells: KS\n" + LAST + ":"),
        table_1(0, 0, 1 / 52, 1 / 12, (13 - 51 / 4) / 26, 1 / 13, 0, 1 / 13, 0),
    ),
    *(
        (
            FreeCellBoard(((),) * cascades, (), (13, 13, 13, 13), cells),
            dict.fromkeys((*TABLE_1, *KNOWN), 0.0) | {"CellsFull": float(cells == 0)},
        )
        for cascades, cells in [(8, 4), (4, 0), (9, 7)]
    ),
    *(
        (with_bottoms(bottoms), {"SumOfBottomCards": value})
        for bottoms, value in [
            ("2C 3C 9C JC 6C 2D 8C JD", 0.48),  # The paper's example, section 3.2.
            ("KC KD KH KS QC QD QH QS", 0.0),
            ("AC AD AH AS 2C 2D 2H 2S", (100 - 12) / 100),
            ("KC KD KH KS", 0.0),
            ("KC KD KH QS", 0.01),
            ("QC QD QH QS JC JD JH JS TC", (52 + 48 + 11 - 48 - 44 - 10) / 100),
        ]
    ),
    *(
        (read(ENDING.format(home) + text, cells, 4), {"HSDH": cards / 96})
        for home, text, cells, cards in [
            ("T", "JH KH QH\nJS\nQS\nKS", 0, 2 * 2),  # Neither cell nor cascade.
            ("T", "JH KH QH\nJS\nQS\nKS", 1, 2),  # A free cell.
            ("T", "JH KH QH\nJS KS\nQS\n:", 0, 2 + 1),  # An empty cascade.
            ("9", "JH KH QH\nTS\nQS\nKS\nFreecells: JS", 1, 2 * 2),  # A full cell.
            ("T", "JH KH QH\n:\nQS\nKS\nFreecells: JS", 1, 2),  # An empty cascade.
            ("9", "JH KH TS QH\nQS\nJS\nKS", 0, 2 * (3 + 1)),  # Two in one cascade.
        ]
    ),
    # The most cards above the next: without a cell and with one.
    (with_bottoms("AC AD AH AS", cells=0), {"HSDH": 1.0}),
    (with_bottoms("AC AD AH AS", cells=1), {"HSDH": 0.5}),
    # A cascade is well placed as a whole or not at all.
    *(
        (read(TEN_HOME + columns), {"NumberWellPlaced": unsorted / 52})
        for columns, unsorted in [
            ("KC QD JS\nKD QC JH\nKH QS JD\nKS QH JC", 0),
            ("KC QD JS JH\nKD QC\nKH QS JD\nKS QH JC", 4),  # The break is at the top ...
            ("KD KC QH JS\nJH\nQC\nQS JD\nKS QD JC\nKH", 4),  # ... or at the bottom.
            ("KC QS JD\nKD QC JH\nKH QD JS\nKS QH JC", 6),  # Black on black, red on red.
            ("KC JD\nKD QC JH\nKH QS\nKS QH JC\nQD JS", 2),  # A rank is left out.
            ("JC QD KS\nKC\nKD QC JH\nKH QS JD\nQH JS", 3),  # Upside down.
        ]
    ),
]


@pytest.mark.parametrize(("board", "values"), BY_HAND)
def test_by_hand(board: FreeCellBoard, values: dict[str, float]) -> None:
    for found in (Engine(board).features(), values_of(Engine(board).twin())):
        assert {name: found[name] for name in values} == pytest.approx(values, abs=1e-12)


RANKS, SUITS = "A23456789TJQK", "CDHS"


@pytest.mark.parametrize(
    "text",
    [
        # All in one cascade, aces deepest.
        ": " + " ".join(rank + suit for rank in RANKS for suit in SUITS) + "\n:",
        # A suit each, upwards.
        "\n".join(" ".join(rank + suit for rank in RANKS) for suit in SUITS),
        # Runs of thirteen, all sorted.
        "KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC\nKD QC JD TC 9D 8C 7D 6C 5D 4C 3D 2C AD\n"
        "KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH\nKS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS",
        # Nine cascades of the highest cards.
        TEN_HOME + "Freecells: JD JH JS\nKC\nKD\nKH\nKS\nQC\nQD\nQH\nQS\nJC",
        # A run, a break onto an equal rank, one onto a lower, and a run again upon it.
        "Foundations: C-9 D-9 H-9 S-9\nFreecells: TC TS\nKC QD QS TD KH QC\nKD\nJC\n"
        "JS JD\nKS QH JH TH\n:",
    ],
)
def test_the_largest_sums_have_room(text: str) -> None:
    """Each of the fields that the board adds up is as large as it can be on one of these."""
    engine = Engine(FreeCellBoard.from_text(text, 4, 9))
    assert engine.features() == pytest.approx(values_of(engine.twin()), abs=1e-12)


@given(starts(), SEEDS, st.booleans())
def test_features_are_as_counted_plainly(board: FreeCellBoard, seed: int, safe: bool) -> None:
    for engine in walk(board, seed, 25, safe):
        values = engine.features()
        assert values == pytest.approx(values_of(engine.twin()), abs=1e-12)
        assert min(values.values()) >= 0 and max(map(values.get, TABLE_1)) <= 1


@given(starts(), st.randoms(use_true_random=False))
def test_a_feature_does_not_see_the_order_of_places(
    board: FreeCellBoard, generator: random.Random
) -> None:
    """Bit-identical: to searches, boards that differ in that order are one state."""
    turned = turned_about(board, generator)
    found, expected = Engine(turned).features(), Engine(board).features()
    assert {name: found[name] for name in KNOWN} == {name: expected[name] for name in KNOWN}


WEIGHTS = st.lists(st.sampled_from([0.0, -0.0]) | st.floats(-1, 1), min_size=len(NAMES))


@given(boards(), WEIGHTS)
def test_the_score_is_the_weighted_sum(board: FreeCellBoard, weights: list[float]) -> None:
    """Bit-identical, as staged deepening has one state for each score."""
    engine = Engine(board)
    features = engine.features()
    expected = 0.0
    for weight, name in zip(weights, NAMES, strict=False):
        expected += weight * features.get(name, 0.0)
    assert weighted(counted(engine.arrays), np.array(weights)) == expected


def test_every_feature_has_its_plain_function() -> None:
    missing = set(KNOWN) - set(FUNCTIONS)
    assert not missing, (
        f"tests/hsd/plain_features.py: write functions of {missing} from their meanings and enter "
        "them in FUNCTIONS;\ntests/hsd/test_heuristics.py: add their values by hand"
    )
    assert tuple(FUNCTIONS) == KNOWN
    assert tuple(feature.name for feature in NINE) == TABLE_1
    assert (*TABLE_1, *KNOWN, MOVES_MADE, DEADLOCK_BOUND, BREAKS_RUN) == NAMES


def test_what_is_said_of_features() -> None:
    assert {f.name for f in FEATURES if f.baseline} == {"HSDH"} and NINE[0].baseline == 1.0
    for feature in FEATURES:
        assert feature.meaning and feature.low in (-1, 0) and feature.high == 1
