"""The sums that the board keeps, against plain Python and worked out by hand."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from engine import Engine
from hypothesis import given
from plain_twin import fits, is_run
from random_boards import boards
from random_games import SEEDS, choose, starts, walk

from deals import FreeCellBoard
from deals.cards import rank_of, suit_of
from hsd.kernels.sums import (
    BOTTOMS,
    BREAKS,
    COLUMNS,
    DROPS,
    EXPOSED,
    INVERSIONS,
    KINGS,
    LOOPS,
    OUTSIDE,
    SORTED,
    WIDTHS,
)


def plain_total(columns: list[list[int]]) -> dict[int, int]:
    """The fields of ``Board.total`` from their descriptions, computed from scratch."""
    fields = dict.fromkeys(WIDTHS, 0)
    for column in columns:
        ranks = [rank_of(card) for card in column]
        run = max((n for n in range(1, len(column) + 1) if is_run(column[:n])), default=0)
        fields[OUTSIDE] += len(column) - run
        fields[SORTED] += len(column) if is_run(column) else 0
        for i, card in enumerate(column):
            lowest = min(ranks[:i], default=99)
            mates = [rank_of(other) for other in column[:i] if suit_of(other) == suit_of(card)]
            fields[LOOPS] += any(rank < ranks[i] for rank in mates)
            fields[BREAKS] += i > 0 and not fits(card, column[i - 1])
            fields[INVERSIONS] += lowest < ranks[i]
            fields[DROPS] += max(ranks[i] - lowest, 0)
        if column:
            fields[EXPOSED] += ranks[-1]
            fields[BOTTOMS] += ranks[0]
            fields[KINGS] += ranks[0] == 13
            fields[COLUMNS] += 1
    return fields


@given(starts(), SEEDS)
def test_the_sums_are_those_counted_from_scratch(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 40):
        assert engine.total() == plain_total(engine.columns())


@given(starts(), SEEDS)
def test_the_incremental_sums_are_those_from_scratch(board: FreeCellBoard, seed: int) -> None:
    """Moves made and unmade in turns, with runs, cells and forced home moves."""
    engine, generator = Engine(board), random.Random(seed)
    made: list[tuple[int, int, list[int]]] = []
    for _ in range(60):
        moves = engine.moves()
        if made and (not moves or generator.random() < 0.4):
            move, suit, trail = made.pop()
            engine.unplay_safe_home(trail)
            engine.unplay(move, suit)
        elif moves:
            move = choose(engine, moves, generator)
            suit = engine.suit_home(move)
            engine.play(move)
            made.append((move, suit, engine.play_safe_home() if generator.random() < 0.5 else []))
        else:
            break
        fresh = Engine(engine.as_board())
        assert engine.sums() == fresh.sums()
        # To the features a negative place means that the card is in no cascade.
        assert engine.arrays.where.tolist() == fresh.arrays.where.tolist()
        assert engine.total() == plain_total(engine.columns())


@given(boards())
def test_under_is_the_set_of_the_cards_at_and_beneath_a_place(board: FreeCellBoard) -> None:
    engine = Engine(board)
    for c, column in enumerate(engine.columns()):
        for i in range(len(column)):
            cards = sum(1 << card for card in column[: i + 1])
            assert int(engine.arrays.under[64 * c + i]) == cards


def test_the_fields_of_the_total_lie_side_by_side() -> None:
    places = [(low, low + width) for low, width in sorted(WIDTHS.items())]
    assert places[0][0] == 0 and places[-1][1] < 63
    assert all(end <= start for (_, end), (start, _) in pairwise(places))


SUIT = ["".join(rank + suit + " " for rank in "A23456789TJQK") for suit in "CDHS"]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        # All in one cascade, aces deepest: the most that the first five can be.
        (
            ": " + " ".join(rank + suit for rank in "A23456789TJQK" for suit in "CDHS") + "\n:",
            {OUTSIDE: 51, LOOPS: 48, BREAKS: 51, INVERSIONS: 48, DROPS: 4 * 78, SORTED: 0}
            | {EXPOSED: 13, BOTTOMS: 1, KINGS: 0, COLUMNS: 1},
        ),
        # A suit each, upwards.
        (
            "\n".join(SUIT),
            {OUTSIDE: 48, LOOPS: 48, BREAKS: 48, INVERSIONS: 48, DROPS: 4 * 78, SORTED: 0}
            | {EXPOSED: 52, BOTTOMS: 4, KINGS: 0, COLUMNS: 4},
        ),
        # Runs of thirteen, all sorted.
        (
            "KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC\nKD QC JD TC 9D 8C 7D 6C 5D 4C 3D 2C AD\n"
            "KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH\nKS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS",
            {OUTSIDE: 0, LOOPS: 0, BREAKS: 0, INVERSIONS: 0, DROPS: 0, SORTED: 52}
            | {EXPOSED: 4, BOTTOMS: 52, KINGS: 4, COLUMNS: 4},
        ),
        # Nine cascades of the highest cards: the most that the last four can be.
        (
            "Foundations: C-T D-T H-T S-T\nFreecells: JD JH JS\nKC\nKD\nKH\nKS\nQC\nQD\nQH\nQS\nJC",
            {OUTSIDE: 0, LOOPS: 0, BREAKS: 0, INVERSIONS: 0, DROPS: 0, SORTED: 9}
            | {EXPOSED: 111, BOTTOMS: 111, KINGS: 4, COLUMNS: 9},
        ),
        # A run, a break onto an equal rank, one onto a lower, and a run again upon it.
        (
            "Foundations: C-9 D-9 H-9 S-9\nFreecells: TC TS\nKC QD QS TD KH QC\nKD\nJC\n"
            "JS JD\nKS QH JH TH\n:",
            {
                OUTSIDE: 4 + 0 + 0 + 1 + 2,
                # No suit comes twice in a cascade but downwards.
                LOOPS: 0,
                # QS on QD, TD on QS, KH on TD; JD on JS; JH on QH, TH on JH.
                BREAKS: 3 + 1 + 2,
                # The KH and the QC are above the TD; an equal rank is not lower.
                INVERSIONS: 2,
                DROPS: 3 + 2,
                SORTED: 1 + 1,
                EXPOSED: 12 + 13 + 11 + 11 + 10,
                BOTTOMS: 13 + 13 + 11 + 11 + 13,
                KINGS: 3,
                COLUMNS: 5,
            },
        ),
    ],
)
def test_the_sums_by_hand(text: str, fields: dict[int, int]) -> None:
    board = FreeCellBoard.from_text(text, 4, 9)
    assert Engine(board).total() == fields
