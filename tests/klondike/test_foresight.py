"""The race of ``best``: verdicts on determinizations, their memo, and when a move is dropped."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from plain_klondike import RULES, PlainTable
from random_klondike import tables

from deals import KlondikeBoard, klondike
from gafreecell.jit.kernels.draws import new_draws, shuffle
from gafreecell.jit.slices import SOLVED, UNSOLVABLE
from gafreecell.solitaire.klondike.complete.kernels import search as complete
from gafreecell.solitaire.klondike.complete.kernels.states import PROVES, settled
from gafreecell.solitaire.klondike.complete.kernels.unpacked import unpack
from gafreecell.solitaire.klondike.hidden.best import Best
from gafreecell.solitaire.klondike.hidden.kernels import foresight
from gafreecell.solitaire.klondike.hidden.kernels.foresight import (
    FEWEST,
    LEAF_SEARCHES,
    ROOT_SEARCHES,
    Mind,
)
from gafreecell.solitaire.klondike.hidden.kernels.trees import new_tree
from gafreecell.solitaire.klondike.hidden.players import Clock
from gafreecell.solitaire.klondike.hidden.view import View


def seeing(board: KlondikeBoard, seed: int = 0) -> Mind:
    """The player's arrays, with a view taken in."""
    player = Best()
    player.start(new_draws(seed, 0), {"samples": 1}, Clock(None))
    player._see(View.of_board(board))
    return player._mind


def can_be_won(mind: Mind, state: np.uint64) -> bool:
    """Whether a sound search wins the current determinization from a state."""
    work = complete.new_work(1 << 20, 1 << 12, 1 << 18)
    work.order[:] = mind.orders[0]
    complete.restart(work, 1)
    code = complete.advance(mind.unpacked.deal, work, state, PROVES, 900_000, 1 << 60)
    assert code in (SOLVED, UNSOLVABLE)
    return bool(code == SOLVED)


@settings(max_examples=15)
@given(tables(80, RULES))
def test_what_counts_as_won_can_be_won(table: PlainTable) -> None:
    mind = seeing(KlondikeBoard.from_text(table.text()))
    for _ in range(5):
        shuffle(mind.determinization, mind.places, mind.registers.unseen, mind.draws)
        state, _, _ = settled(
            mind.unpacked.deal, np.uint64(unpack(mind.unpacked, mind.determinization))
        )
        mind.registers.world += 1
        won = foresight._solves(mind, np.uint64(state), ROOT_SEARCHES)
        assert not won or can_be_won(mind, np.uint64(state))
        if not won:
            continue
        # So can every state of the memo.
        here = mind.verdicts == 2 * mind.registers.world + 1
        assert here.any()
        for known in mind.memo[here][:5]:
            assert can_be_won(mind, known)
            assert foresight._solves(mind, known, LEAF_SEARCHES)


def test_a_verdict_is_kept_for_its_determinization_alone() -> None:
    mind = seeing(klondike(1_000_003))
    verdicts, kept = [], 0
    for _ in range(40):
        shuffle(mind.determinization, mind.places, mind.registers.unseen, mind.draws)
        state, _, _ = settled(
            mind.unpacked.deal, np.uint64(unpack(mind.unpacked, mind.determinization))
        )
        mind.registers.world += 1
        before = mind.registers.states
        verdicts.append(foresight._solves(mind, np.uint64(state), ROOT_SEARCHES))
        # The root is the same state in all determinizations, and has to be solved in each.
        assert mind.registers.states > before
        before = mind.registers.states
        assert foresight._solves(mind, np.uint64(state), ROOT_SEARCHES) == verdicts[-1]
        kept += int(mind.registers.states == before)
    assert 0 < sum(verdicts) < 40
    # Other states of a path may have taken the slot.
    assert kept >= 36


@pytest.mark.parametrize(("difference", "error"), [(0.0, 0.1), (0.05, 0.1), (0.3, 0.1), (0.2, 1.0)])
def test_the_expected_gain_is_an_integral(difference: float, error: float) -> None:
    # The worse move turns out to be better by max(0, x), x normal around minus the difference.
    x = np.linspace(0, 10 * error, 200_001)
    density = np.exp(-(((x + difference) / error) ** 2) / 2) / (error * math.sqrt(2 * math.pi))
    expected = float(np.trapezoid(x * density, x))
    assert foresight._expected_gain(difference, error) == pytest.approx(expected, abs=1e-7)


def raced(results: list[list[int]], price: float, drawn: int = 0) -> list[int]:
    """The moves left after a race with these results, a line for each determinization won."""
    many = len(results[0])
    mind, tree = seeing(klondike(1)), new_tree()
    edges = np.arange(many)
    won = np.array(results)
    mind.registers.won = len(results)
    mind.registers.drawn = drawn or len(results)
    mind.registers.root_states = 100 * mind.registers.drawn
    mind.registers.states = mind.registers.root_states + 50 * won.size
    tree.wins[:many] = won.sum(axis=0)
    for i in range(many):
        for j in range(many):
            mind.ahead[i, j] = (won[:, i] > won[:, j]).sum()
    return edges[: foresight._race(mind, tree, edges, many, price)].tolist()


def test_a_race_drops_what_is_not_worth_its_price() -> None:
    # The first two moves win as often, in other determinizations; the third one wins less.
    lines = [[int(n % 5 != 0), int(n % 5 != 1), int(n % 5 > 1)] for n in range(60)]
    assert raced(lines, price=-1.0) == [0, 1, 2]
    assert raced(lines, price=1e-10) == [0, 1, 2]
    assert raced(lines, price=1e-6) == [0, 1]
    assert len(raced(lines, price=1e-5)) == 1
    # Moves that win and lose together are soon told to be equal: they differ in few cases.
    alike = [[line[0], line[0], line[2]] for line in lines]
    assert raced(alike, price=1e-10) == [0, 1, 2]
    assert len(raced(alike, price=1e-6)) == 1


def test_a_race_ends_early_where_hardly_a_determinization_is_won() -> None:
    lines = [[1, 0], [0, 1]]
    assert len(raced(lines, price=1e-5, drawn=5)) == 2
    assert len(raced(lines, price=1e-5, drawn=400)) == 1
    # A single move is dropped only once there are a few determinizations.
    few = [[1, 1, 0]] * (FEWEST - 1)
    assert raced(few, price=1e-8) == [0, 1, 2]
