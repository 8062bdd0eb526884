"""Packed boards: stored, loaded, loaded by the difference alone, and dealt in a kernel."""

from __future__ import annotations

import random

import numpy as np
import pytest
from engine import Engine
from hypothesis import given
from hypothesis import strategies as st
from random_boards import boards
from random_games import SEEDS, choose, starts, walk

from deals import FreeCellBoard, freecell
from deals.freecell_board import MAX_CASCADES, MIN_CASCADES
from deals.microsoft import LARGEST_DEAL
from hsd.kernels.dealing import deal
from hsd.kernels.packed import PACKED, pack_board

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
