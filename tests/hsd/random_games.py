"""Random games of FreeCell: positions to start from, and walks from them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine import Engine
from hypothesis import strategies as st
from random_boards import boards

from deals import FreeCellBoard, freecell
from hsd.kernels.board import CELL, HOME

SEEDS = st.integers(0, 10**6)


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
