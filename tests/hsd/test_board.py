"""The jitted board and its moves against the plain twin."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from engine import Engine
from hypothesis import given
from hypothesis import strategies as st
from plain_twin import Key, Twin, count_by_depth
from random_boards import boards

from deals import FreeCellBoard, freecell
from hsd.board import CELL, HOME, PACKED, is_home, load, pack_board, pair_key, play, store
from hsd.moves import MOST_MOVES, list_moves
from solving.runtime import kernel
from solving.table import find

GOAL = FreeCellBoard(((),) * 8, (), (13, 13, 13, 13))


@st.composite
def starts(draw: st.DrawFn) -> FreeCellBoard:
    """Deals and mid-game positions of every variant."""
    if draw(st.booleans()):
        return draw(boards())
    number = draw(st.integers(1, 1_000_000))
    return freecell(number, draw(st.integers(4, 9)), draw(st.integers(0, 7)))


def choose(engine: Engine, moves: list[int], generator: random.Random) -> int:
    """A random move, more often one between cascades: they build runs and empty cascades."""
    between = [m for m in moves if m & 31 < CELL and (m >> 5) & 31 < CELL]
    home = [m for m in moves if (m >> 5) & 31 == HOME]
    lists = [moves, moves, between or moves, between or moves, home or moves]
    return generator.choice(generator.choice(lists))


def walk(board: FreeCellBoard, seed: int, length: int, safe: bool = False) -> Iterator[Engine]:
    """Positions of a random game, one and the same board changing; forced home moves if safe."""
    engine, generator = Engine(board), random.Random(seed)
    for _ in range(length):
        if safe:
            engine.play_safe_home()
        yield engine
        moves = engine.moves()
        if not moves:
            return
        engine.play(choose(engine, moves, generator))


SEEDS = st.integers(0, 10**6)


@given(starts(), SEEDS)
def test_the_moves_are_the_twins(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 25):
        translated = [engine.as_twins(move) for move in engine.moves()]
        assert len(set(translated)) == len(translated)
        assert set(translated) == set(engine.twin().moves())


@given(starts(), SEEDS)
def test_a_game_runs_as_the_twins(board: FreeCellBoard, seed: int) -> None:
    engine, twin = Engine(board), Twin.from_board(board)
    generator = random.Random(seed)
    for _ in range(60):
        assert engine.columns() == twin.cascades
        assert sorted(card for card in engine.cells() if card) == sorted(twin.cells)
        assert engine.arrays.size[2] == len(twin.cells)
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
def test_the_hash_kept_is_the_hash_from_scratch(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 40):
        assert engine.key() == engine.fresh_key()


@given(starts(), SEEDS)
def test_states_and_hashes_are_one_to_one(board: FreeCellBoard, seed: int) -> None:
    hashes: dict[Key, int] = {}
    states: dict[int, Key] = {}
    generator = random.Random(seed)
    for engine in walk(board, seed, 12):
        twin = engine.twin()
        generator.shuffle(twin.cascades)
        generator.shuffle(twin.cells)
        pairs = [(twin.key(), engine.key()), (twin.key(), Engine(as_board(twin)).key())]
        for move in engine.moves():
            suit = engine.suit_home(move)
            engine.play(move)
            pairs.append((engine.twin().key(), engine.key()))
            engine.unplay(move, suit)
        for state, key in pairs:
            assert hashes.setdefault(state, key) == key
            assert states.setdefault(key, state) == state


def as_board(twin: Twin) -> FreeCellBoard:
    clubs, diamonds, hearts, spades = twin.foundations
    columns = tuple(map(tuple, twin.cascades))
    home = (clubs, diamonds, hearts, spades)
    return FreeCellBoard(columns, tuple(twin.cells), home, twin.cell_count)


@given(starts(), SEEDS)
def test_moves_are_taken_back_to_the_last_bit(board: FreeCellBoard, seed: int) -> None:
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
def test_safe_home_moves_are_the_twins(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 40):
        twin, before = engine.twin(), engine.snapshot()
        played = twin.safe_home_moves()
        trail = engine.play_safe_home()
        assert len(trail) == len(played)
        assert engine.twin().key() == twin.key()
        assert engine.columns() == twin.cascades
        assert engine.key() == engine.fresh_key()
        assert engine.play_safe_home() == []
        engine.unplay_safe_home(trail)
        assert engine.snapshot() == before


@given(starts(), SEEDS)
def test_the_trail_says_which_cards_went_home(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 20):
        replayed = Engine(engine.as_board())
        replayed.load(engine.packed())
        for entry in engine.play_safe_home():
            source, suit = entry & 31, entry >> 10
            card = 4 * (replayed.home()[suit] + 1) + suit
            place = replayed.cells()[source - CELL] if source >= CELL else 0
            assert card == (place or replayed.columns()[source][-1])
            replayed.play((entry & 1023) | 1 << 10)
        assert replayed.snapshot() == engine.snapshot()


@pytest.mark.parametrize("safe", [False, True])
@given(starts(), SEEDS)
def test_what_is_told_of_a_move_before_it_is_made(
    safe: bool, board: FreeCellBoard, seed: int
) -> None:
    for engine in walk(board, seed, 25, safe=safe):
        for move in engine.moves():
            foretold, quiet = engine.key_after(move), engine.stays_quiet(move)
            suit = engine.suit_home(move)
            engine.play(move)
            assert engine.key() == foretold
            trail = engine.play_safe_home()
            # The promise holds from a position without safe home moves. Of moves that do
            # not go home it is exact.
            if safe and quiet:
                assert trail == []
            if safe and not trail:
                assert quiet or (move >> 5) & 31 == HOME
            engine.unplay_safe_home(trail)
            engine.unplay(move, suit)


@given(starts(), SEEDS)
def test_a_position_is_stored_and_loaded(board: FreeCellBoard, seed: int) -> None:
    other = Engine(board)
    kept = np.full(3 * PACKED, 255, np.uint8)
    for engine in walk(board, seed, 25):
        kept[PACKED : 2 * PACKED] = engine.packed()
        other.load(kept, PACKED)
        assert other.snapshot() == engine.snapshot()
        assert (other.packed() == engine.packed()).all()
        assert (kept[:PACKED] == 255).all() and (kept[2 * PACKED :] == 255).all()


@given(boards())
def test_a_board_is_packed_as_the_kernels_store_it(board: FreeCellBoard) -> None:
    engine = Engine(board)
    assert (engine.packed() == pack_board(board)).all()
    assert engine.as_board() == board


def test_the_goal_has_no_moves() -> None:
    engine = Engine(GOAL)
    assert engine.moves() == []
    assert is_home(engine.arrays)
    assert engine.key() == 0
    assert not is_home(Engine(freecell(1)).arrays)


@pytest.mark.parametrize("safe", [False, True])
@pytest.mark.parametrize(
    ("board", "depth"),
    [
        (freecell(1), 3),
        (freecell(617), 3),
        (freecell(2, cascades=4, cells=7), 3),
        (freecell(3, cascades=9, cells=0), 4),
        (freecell(11982, cells=1), 4),
        (
            FreeCellBoard.from_text(
                "Foundations: C-9 D-8 H-9 S-9\nFreecells: KH\nKS QD JC TD\nQH KC JS TH\n"
                "JD TS 9D\nQC\n:\nKD QS JH TC",
                cells=2,
                cascades=6,
            ),
            4,
        ),
    ],
)
def test_positions_by_depth(board: FreeCellBoard, depth: int, safe: bool) -> None:
    """Perft: the states first reached at each depth, told apart by the hash alone."""
    root = Engine(board)
    if safe:
        root.play_safe_home()
    seen = {root.key()}
    level = [root.packed()]
    counts = [1]
    for _ in range(depth):
        reached = []
        for packed in level:
            root.load(packed)
            for move in root.moves():
                suit = root.suit_home(move)
                root.play(move)
                trail = root.play_safe_home() if safe else []
                if root.key() not in seen:
                    seen.add(root.key())
                    reached.append(root.packed())
                root.unplay_safe_home(trail)
                root.unplay(move, suit)
        level = reached
        counts.append(len(level))
    assert counts == count_by_depth(board, depth, safe)


@kernel
def _flood(board, packed, table, moves):  # type: ignore[no-untyped-def]
    """Every state that can be reached from the first packed one; returns how many there are."""
    cascades, cells = board.size[0], board.size[1]
    load(board, packed, 0, cascades, cells)
    table[-1 - find(table, board.key[0])] = board.key[0]
    done, states = 0, 1
    while done < states:
        load(board, packed, done * PACKED, cascades, cells)
        for i in range(list_moves(board, moves, 0)):
            play(board, moves[i])
            place = find(table, board.key[0])
            if place < 0:
                table[-1 - place] = board.key[0]
                store(board, packed, states * PACKED)
                states += 1
            load(board, packed, done * PACKED, cascades, cells)
        done += 1
    return states


def test_an_unsolvable_deal_has_as_many_states_as_others_count() -> None:
    # 83,239 under full symmetry, without automatic moves: facts/freecell.md.
    engine = Engine(freecell(11982))
    packed = np.zeros(100_000 * PACKED, np.uint8)
    packed[:PACKED] = engine.packed()
    table, moves = np.zeros(1 << 18, np.uint64), np.zeros(MOST_MOVES, np.int64)
    assert _flood(engine.arrays, packed, table, moves) == 83_239


def test_hashes_differ_for_every_pair_of_cards() -> None:
    @kernel
    def fill(numbers):  # type: ignore[no-untyped-def]
        for card in range(4, 56):
            for beneath in range(56):
                numbers[card, beneath] = pair_key(np.uint8(card), np.uint8(beneath))

    numbers = np.zeros((64, 64), np.uint64)
    fill(numbers)
    drawn = numbers[4:56, :56].ravel()
    assert np.unique(drawn).size == drawn.size
    assert (drawn != 0).all()
