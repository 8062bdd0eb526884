"""Moves made and unmade on the jitted board, what is known before, and packed boards."""

from __future__ import annotations

import random

import numpy as np
import pytest
from engine import Engine
from hypothesis import given
from hypothesis import strategies as st
from plain_twin import Twin
from positions import GOAL
from random_boards import boards
from random_games import SEEDS, choose, starts, walk

from deals import FreeCellBoard, freecell, parse_card
from deals.freecell_board import MAX_CASCADES, MIN_CASCADES
from deals.microsoft import LARGEST_DEAL
from hsd.kernels.board import CELL, HOME
from hsd.kernels.home import is_home
from hsd.kernels.moves import cost
from hsd.kernels.packed import PACKED, deal, pack_board
from hsd.notation import lengths, token


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
        assert engine.kept() == Engine(engine.as_board()).kept()
        moves = engine.moves()
        translated = [engine.as_twins(move) for move in moves]
        assert len(set(translated)) == len(translated)
        assert set(translated) == set(twin.moves())
        if not moves:
            break
        move = choose(engine, moves, generator)
        twin.play(engine.as_twins(move))
        engine.play(move)


@given(boards())
def test_each_place_knows_its_card_and_those_beneath_it(board: FreeCellBoard) -> None:
    engine = Engine(board)
    for c, column in enumerate(engine.columns()):
        for i, card in enumerate(column):
            cards = sum(1 << other for other in column[: i + 1])
            assert int(engine.arrays.under[64 * c + i]) == cards
            assert int(engine.arrays.where[card]) == 64 * c + i


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
            with engine.made(move):
                pass
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
def test_a_move_without_the_hash_is_the_move_and_is_undone(board: FreeCellBoard, seed: int) -> None:
    """Made with or without the hash, and also with forced home moves after it."""
    other = Engine(board)
    for engine in walk(board, seed, 25):
        before, key = engine.snapshot(), engine.key()
        for move in engine.moves():
            suit = engine.suit_home(move)
            other.load(engine.packed())
            other.play(move)
            engine.play_unhashed(move)
            assert engine.key() == key
            engine.arrays.key[:] = other.key()
            assert engine.snapshot() == other.snapshot()
            engine.arrays.key[:] = key
            engine.undo(move, suit)
            assert engine.snapshot() == before
            engine.play_unhashed(move)
            engine.unplay_unhashed(move, suit)
            assert engine.snapshot() == before
            engine.play_unhashed(move)
            trail = engine.play_safe_home()
            there = engine.key()
            engine.undo_safe_home(trail)
            engine.undo(move, suit)
            assert engine.key() == there
            engine.arrays.key[:] = key
            assert engine.snapshot() == before


@pytest.mark.parametrize("safe", [False, True])
@given(starts(), SEEDS)
def test_what_is_known_of_a_move_before_it_is_made(
    safe: bool, board: FreeCellBoard, seed: int
) -> None:
    for engine in walk(board, seed, 25, safe=safe):
        for move in engine.moves():
            foretold, quiet = engine.key_after(move), engine.stays_quiet(move)
            with engine.made(move):
                assert engine.key() == foretold
                trail = engine.play_safe_home()
                # It applies to positions without safe home moves. For moves that do not go home
                # it is exact.
                if safe and quiet:
                    assert trail == []
                if safe and not trail:
                    assert quiet or (move >> 5) & 31 == HOME
                engine.unplay_safe_home(trail)


@given(starts(), SEEDS)
def test_without_supermoves_the_moves_of_one_card_are_listed(
    board: FreeCellBoard, seed: int
) -> None:
    for engine in walk(board, seed, 25):
        assert engine.moves(longest=1) == [move for move in engine.moves() if move >> 10 == 1]


# ------------------------------------------------------------------ safe home moves


@given(starts(), SEEDS)
def test_safe_home_moves_are_the_twins(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 40):
        twin, before = engine.twin(), engine.snapshot()
        played = twin.safe_home_moves()
        trail = engine.play_safe_home()
        assert len(trail) == len(played)
        assert engine.twin().key() == twin.key()
        assert engine.columns() == twin.cascades
        assert engine.kept() == Engine(engine.as_board()).kept()
        assert engine.play_safe_home() == []
        engine.unplay_safe_home(trail)
        assert engine.snapshot() == before


@pytest.mark.parametrize(
    ("home", "column", "left"),
    [
        ([0, 0, 0, 0], "2C AC", 0),  # Twos never hold anything but aces.
        ([2, 2, 2, 2], "3C", 0),
        ([3, 2, 2, 1], "4C", 0),  # Both red twos and the AS are home.
        ([3, 2, 2, 0], "4C", 1),
        ([3, 2, 1, 3], "4C", 1),
        ([3, 2, 2, 3], "5C 4C", 1),
    ],
)
def test_which_cards_are_safe_to_the_twin(home: list[int], column: str, left: int) -> None:
    twin = Twin([[parse_card(name) for name in column.split()]], [], home)
    twin.safe_home_moves()
    assert len(twin.cascades[0]) == left


@given(starts(), SEEDS)
def test_the_trail_says_which_cards_went_home(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 20):
        replayed = Engine(board)
        replayed.load(engine.packed())
        for entry in engine.play_safe_home():
            source, suit = entry & 31, entry >> 10
            card = 4 * (replayed.home()[suit] + 1) + suit
            place = replayed.cells()[source - CELL] if source >= CELL else 0
            assert card == (place or replayed.columns()[source][-1])
            replayed.play((entry & 1023) | 1 << 10)
        assert replayed.snapshot() == engine.snapshot()


def test_the_goal_has_no_moves() -> None:
    engine = Engine(GOAL)
    assert engine.moves() == []
    assert is_home(engine.arrays)
    assert engine.key() == (0, 0)
    assert not is_home(Engine(freecell(1)).arrays)


# ------------------------------------------------------------------ costs and notation


@given(starts(), SEEDS)
def test_a_move_costs_what_its_cards_moved_one_by_one_take(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 25):
        for move in engine.moves():
            _, target, count = engine.as_twins(move)
            # All but the last go aside and come back.
            assert cost(move) == (0 if target == "home" else 2 * (count - 1) + 1)


@given(st.integers(0, 15), st.integers(0, 16), st.integers(1, 13))
def test_moves_in_standard_notation(source: int, target: int, count: int) -> None:
    between = source < 9 and target < 9
    count = count if between else 1
    places = "123456789abcdefgh"
    suffix = f"v{count:x}" if count > 1 else ""
    assert token(source | target << 5 | count << 10) == places[source] + places[target] + suffix


def test_lengths() -> None:
    assert lengths(np.array([], np.int64)) == {"single": 0, "column": 0, "manual": 0}
    run_of_13, to_cell, held_home = 1 << 5 | 13 << 10, 9 << 5 | 1 << 10, 9 | 16 << 5 | 1 << 10
    moves = np.array([run_of_13, to_cell, held_home])
    assert lengths(moves) == {"single": 25 + 1 + 1, "column": 3, "manual": 2}


# ------------------------------------------------------------------ packed boards

LEFT = 2**64 - 1
"""What lies around a packed board, and must stay."""


@given(starts(), SEEDS)
def test_a_position_is_stored_and_loaded(board: FreeCellBoard, seed: int) -> None:
    other = Engine(board)
    kept = np.full(3 * PACKED, LEFT, np.uint64)
    for engine in walk(board, seed, 25):
        kept[PACKED : 2 * PACKED] = engine.packed()
        other.load(kept, PACKED)
        assert other.snapshot() == engine.snapshot()
        assert (other.packed() == engine.packed()).all()
        assert (kept[:PACKED] == LEFT).all() and (kept[2 * PACKED :] == LEFT).all()


@given(boards())
def test_a_board_is_packed_as_the_kernels_store_it(board: FreeCellBoard) -> None:
    engine = Engine(board)
    assert (engine.packed() == pack_board(board)).all()
    assert engine.as_board() == board


@st.composite
def two_of_a_game(draw: st.DrawFn) -> tuple[FreeCellBoard, FreeCellBoard]:
    """Two positions with as many cascades and cells, near each other or unrelated."""
    board = draw(starts())
    if draw(st.booleans()):
        engine = list(walk(board, draw(SEEDS), draw(st.integers(1, 30))))[-1]
        return board, engine.as_board()
    cascades, cells = len(board.cascades), board.cell_count
    return board, draw(boards(cascades=cascades, cells=cells))


@given(two_of_a_game(), st.booleans())
def test_reload_is_load(two: tuple[FreeCellBoard, FreeCellBoard], back: bool) -> None:
    first, second = reversed(two) if back else two
    kept = np.full(3 * PACKED, LEFT, np.uint64)
    kept[PACKED : 2 * PACKED] = pack_board(second)
    loaded, reloaded = Engine(first), Engine(first)
    loaded.load(kept, PACKED)
    reloaded.reload(kept, PACKED)
    assert reloaded.snapshot() == loaded.snapshot() == Engine(second).snapshot()
    assert (kept[:PACKED] == LEFT).all() and (kept[2 * PACKED :] == LEFT).all()


@given(starts(), SEEDS)
def test_reload_goes_anywhere_in_a_game(board: FreeCellBoard, seed: int) -> None:
    """Cells with gaps between held cards, as play leaves them, and one reload upon another."""
    packed = [engine.packed() for engine in walk(board, seed, 25)]
    generator = random.Random(seed)
    loaded, reloaded = Engine(board), Engine(board)
    for _ in range(25):
        position = generator.choice(packed)
        loaded.load(position)
        reloaded.reload(position)
        assert reloaded.snapshot() == loaded.snapshot()
        moves = reloaded.moves()
        if moves and generator.random() < 0.5:
            reloaded.play(choose(reloaded, moves, generator))


@pytest.mark.parametrize("cascades", range(MIN_CASCADES, MAX_CASCADES + 1))
def test_a_deal_is_the_plain_one(cascades: int) -> None:
    generator = random.Random(cascades)
    numbers = [1, 2, 32_000, 65_536, 10**6, 2**30, LARGEST_DEAL - 1, LARGEST_DEAL]
    numbers += [generator.randint(1, LARGEST_DEAL) for _ in range(400)]
    packed, scratch = np.full(3 * PACKED, LEFT, np.uint64), np.full(52, -7, np.int64)
    for number in numbers:
        packed[PACKED : 2 * PACKED] = LEFT
        deal(number, cascades, packed, PACKED, scratch)
        assert (packed[PACKED : 2 * PACKED] == pack_board(freecell(number, cascades))).all()
    assert (packed[:PACKED] == LEFT).all() and (packed[2 * PACKED :] == LEFT).all()
