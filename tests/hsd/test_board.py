"""Moves made and unmade on the jitted board, against the plain twin."""

from __future__ import annotations

import random

from engine import Engine
from hypothesis import given
from plain_twin import Twin
from random_games import SEEDS, choose, starts, walk

from deals import FreeCellBoard
from hsd.kernels.home import is_home


@given(starts(), SEEDS)
def test_a_game_runs_as_the_twins(board: FreeCellBoard, seed: int) -> None:
    engine, twin = Engine(board), Twin.from_board(board)
    generator = random.Random(seed)
    for _ in range(60):
        assert engine.columns() == twin.cascades
        assert sorted(card for card in engine.cells() if card) == sorted(twin.cells)
        assert engine.arrays.numbers.used == len(twin.cells)
        assert engine.home() == twin.foundations
        assert bool(is_home(engine.arrays)) == (sum(twin.foundations) == 52)
        for c, column in enumerate(engine.columns()):
            assert [int(engine.arrays.where[card]) for card in column] == [
                64 * c + i for i in range(len(column))
            ]
        moves = engine.moves()
        if not moves:
            break
        move = choose(engine, moves, generator)
        twin.play(engine.as_twins(move))
        engine.play(move)


@given(starts(), SEEDS)
def test_unmaking_moves_is_bit_identical(board: FreeCellBoard, seed: int) -> None:
    engine, generator = Engine(board), random.Random(seed)
    before = [engine.snapshot()]
    made: list[tuple[int, int, list[int]]] = []
    for _ in range(40):
        moves = engine.moves()
        if not moves:
            break
        for move in moves:
            suit = engine.suit_home(move)
            engine.play(move)
            engine.unplay(move, suit)
            assert engine.snapshot() == before[-1]
        move = choose(engine, moves, generator)
        suit = engine.suit_home(move)
        engine.play(move)
        made.append((move, suit, engine.play_safe_home()))
        before.append(engine.snapshot())
    while made:
        assert engine.snapshot() == before.pop()
        move, suit, trail = made.pop()
        engine.unplay_safe_home(trail)
        engine.unplay(move, suit)
    assert engine.snapshot() == before.pop()


@given(starts(), SEEDS)
def test_a_move_without_the_hash_is_the_move(board: FreeCellBoard, seed: int) -> None:
    hashed, other = Engine(board), Engine(board)
    for engine in walk(board, seed, 25):
        for move in engine.moves():
            hashed.load(engine.packed())
            hashed.play(move)
            other.load(engine.packed())
            other.play_unhashed(move)
            assert other.key() == engine.key()
            assert without_key(other) == without_key(hashed)


@given(starts(), SEEDS)
def test_the_last_move_is_undone_but_for_the_hash(board: FreeCellBoard, seed: int) -> None:
    """Made with or without the hash, and also with forced home moves after it."""
    for engine in walk(board, seed, 25):
        before, key = engine.snapshot(), engine.key()
        for move in engine.moves():
            suit = engine.suit_home(move)
            engine.play_unhashed(move)
            engine.undo(move, suit)
            assert engine.snapshot() == before
            engine.play_unhashed(move)
            trail = engine.play_safe_home()
            there = engine.key()
            engine.undo_safe_home(trail)
            engine.undo(move, suit)
            assert engine.key() == there
            engine.arrays.key[:] = key
            assert engine.snapshot() == before


def without_key(engine: Engine) -> tuple[object, ...]:
    """The whole position except the hash."""
    columns, cells, home, where, size, _, sums = engine.snapshot()
    return columns, cells, home, where, size, sums
