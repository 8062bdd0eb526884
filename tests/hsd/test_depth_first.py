"""Depth-first search: what it keeps of a state, and long paths that become short solutions."""

from __future__ import annotations

import pytest
from searching import depth_first, solve

from deals import freecell
from gafreecell.solving.outcome import Limits, Status
from hsd import solver
from hsd.presets import preset


def test_a_proof_in_memory_that_is_too_little_for_best_first_search() -> None:
    board, few = freecell(1, cells=2), Limits(memory=4_500_000)
    deep, best_first = preset("depth-first"), preset("best-first")
    assert deep.evaluator == best_first.evaluator
    statuses = [
        solver.run(board, one.evaluator, one.search, few).status for one in (deep, best_first)
    ]
    assert statuses == [Status.UNSOLVABLE, Status.MEMORY_LIMIT]


@pytest.mark.parametrize(("deal", "cells", "least"), [(2, 7, 20_000), (6, 4, 80_000)])
def test_paths_of_many_thousand_moves_are_cut_short(deal: int, cells: int, least: int) -> None:
    """The worst move first leads through most of what it meets."""
    way, board = depth_first({"NumCardsNotAtFoundations": -1.0}), freecell(deal, cells=cells)
    long = solve(way, board, nodes=400_000)
    assert long.moves is not None and len(long.moves) > least
    short = solve(way._replace(own={"shorten": "yes"}), board, nodes=400_000)
    assert short.moves is not None and len(short.moves) < 300
    assert short.nodes == long.nodes
