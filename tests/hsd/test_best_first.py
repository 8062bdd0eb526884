"""Best-first search: depths in turn, paths of any length, what its weights do."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from positions import endgame
from searching import HSDH, QUICK, best_first, compare, found, single, solve

from deals import freecell
from gafreecell.solving.outcome import Status


@pytest.mark.parametrize("patience", [1, 9])
@pytest.mark.parametrize(("cascades", "cells", "safe"), [(5, 2, True), (6, 1, False), (4, 4, True)])
def test_depths_take_turns_as_in_the_plain_search(
    cascades: int, cells: int, safe: bool, patience: int
) -> None:
    plain = [
        compare(best_first(weights, safe, patience=patience), endgame(seed, cascades, cells), 400)
        for seed in range(2)
        for weights in (HSDH, QUICK)
    ]
    # Some states were expanded out of turn, so this tests them too.
    assert sum(search.passed for search in plain) > 0


def test_depths_beyond_the_deepest_take_their_turn_together() -> None:
    plain = compare(best_first({"MovesMade": -1.0}, patience=150), freecell(2), 2500)
    assert plain.expanded > 300
    assert sum(item.made > 255 for item in plain.open.values()) > 50


LONG = """
from deals import freecell
from hsd import solver
from hsd.verifier import verify
from gafreecell.solving.outcome import Evaluator, Limits, Search

evaluator = Evaluator(("NumCardsNotAtFoundations",), (1.0,))
search = Search("best-first", {"shorten": "no"})
outcome = solver.run(2, evaluator, search, Limits(nodes=300_000))
assert outcome.moves is not None, outcome.status
assert verify(freecell(2), outcome.moves).solved
print(len(outcome.moves) > 4096)
"""


def test_solutions_of_many_thousand_moves() -> None:
    """A process of its own: an array too short for them would spoil this one."""
    done = subprocess.run(
        [sys.executable, "-c", LONG], capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "True\n"


def test_the_moves_made_weigh() -> None:
    """With some weight on them solutions are shorter."""
    lengths = []
    for weight in (0.0, 1.0):
        way = best_first(QUICK | {"MovesMade": weight})
        outcomes = [solve(way, deal) for deal in range(1, 31)]
        assert all(outcome.status is Status.SOLVED for outcome in outcomes)
        lengths.append(sum(map(single, outcomes)))
    assert lengths[1] < lengths[0]


@pytest.mark.parametrize("size", [2.0**10, 2.0**20, -(2.0**20), 2.0**1000])
def test_of_large_weights_only_the_proportions_matter(size: float) -> None:
    board, small = endgame(1, 5, 2), math.copysign(32.0, size)
    large_ones, small_ones = (
        best_first({"HSDH": one, "FreeCells": one / 3}) for one in (size, small)
    )
    assert found(solve(large_ones, board)) == found(solve(small_ones, board))
