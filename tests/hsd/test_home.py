"""Safe home moves against the plain twin, and the goal."""

from __future__ import annotations

from engine import Engine
from hypothesis import given
from positions import GOAL
from random_games import SEEDS, starts, walk

from deals import FreeCellBoard, freecell
from hsd.kernels.board import CELL
from hsd.kernels.home import is_home


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


def test_the_goal_has_no_moves() -> None:
    engine = Engine(GOAL)
    assert engine.moves() == []
    assert is_home(engine.arrays)
    assert engine.key() == (0, 0)
    assert not is_home(Engine(freecell(1)).arrays)
