"""What a move changes in the counts, against the counts after the move was made."""

from __future__ import annotations

from hypothesis import given
from random_games import SEEDS, starts, walk

from deals import FreeCellBoard
from hsd.kernels.board import HOME
from hsd.kernels.deltas import counted_after, least_above, needed_cards
from hsd.kernels.features import counted


@given(starts(), SEEDS)
def test_counts_after_each_move(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 10):
        here = engine.arrays
        before = counted(here)
        needed = needed_cards(here)
        for move in engine.moves():
            if (move >> 5) & 31 == HOME:
                continue
            told = counted_after(here, before, *needed, least_above(here, move), move)
            with engine.made(move):
                assert told == counted(here)
