"""Moves against the plain twin, and what is known of them before they are made."""

from __future__ import annotations

import pytest
from hypothesis import given
from random_games import SEEDS, starts, walk

from deals import FreeCellBoard
from hsd.kernels.board import HOME
from hsd.kernels.moves import cost


@given(starts(), SEEDS)
def test_the_moves_are_the_twins(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 25):
        translated = [engine.as_twins(move) for move in engine.moves()]
        assert len(set(translated)) == len(translated)
        assert set(translated) == set(engine.twin().moves())


@pytest.mark.parametrize("safe", [False, True])
@given(starts(), SEEDS)
def test_what_is_known_of_a_move_before_it_is_made(
    safe: bool, board: FreeCellBoard, seed: int
) -> None:
    for engine in walk(board, seed, 25, safe=safe):
        for move in engine.moves():
            foretold, quiet = engine.key_after(move), engine.stays_quiet(move)
            suit = engine.suit_home(move)
            engine.play(move)
            assert engine.key() == foretold
            trail = engine.play_safe_home()
            # It applies to positions without safe home moves. For moves that do not go home
            # it is exact.
            if safe and quiet:
                assert trail == []
            if safe and not trail:
                assert quiet or (move >> 5) & 31 == HOME
            engine.unplay_safe_home(trail)
            engine.unplay(move, suit)


@given(starts(), SEEDS)
def test_without_supermoves_the_moves_of_one_card_are_listed(
    board: FreeCellBoard, seed: int
) -> None:
    for engine in walk(board, seed, 25):
        assert engine.moves(longest=1) == [move for move in engine.moves() if move >> 10 == 1]


@given(starts(), SEEDS)
def test_a_move_costs_what_its_cards_moved_one_by_one_take(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 25):
        for move in engine.moves():
            _, target, count = engine.as_twins(move)
            # All but the last go aside and come back.
            assert cost(move) == (0 if target == "home" else 2 * (count - 1) + 1)
