"""Depth-first search: what it keeps of a state, and long paths that become short solutions."""

from __future__ import annotations

import pytest
from searching import depth_first, solve

from deals import freecell
from gafreecell.solving.outcome import Limits, Status
from hsd import solver
from hsd.presets import preset


def test_a_proof_in_memory_that_is_too_little_for_best_first_search() -> None:
    """The 70,882 states take two tables: one of twice the size has no room beside the old one."""
    board, few = freecell(1, cells=2), Limits(memory=2_300_000)
    deep, best_first = preset("depth-first"), preset("best-first")
    found = [solver.run(board, one.evaluator, one.search, few) for one in (deep, best_first)]
    assert [one.status for one in found] == [Status.UNSOLVABLE, Status.MEMORY_LIMIT]
    enough = solver.run(board, deep.evaluator, deep.search, Limits())
    assert (enough.status, enough.nodes) == (Status.UNSOLVABLE, found[0].nodes)
    less = solver.run(board, deep.evaluator, deep.search, Limits(memory=2_000_000))
    assert less.status is Status.MEMORY_LIMIT


@pytest.mark.parametrize(("deal", "cells", "least"), [(2, 7, 20_000), (6, 4, 80_000)])
def test_paths_of_many_thousand_moves_are_cut_short(deal: int, cells: int, least: int) -> None:
    """The worst move first leads through most of what it meets."""
    way, board = depth_first({"NumCardsNotAtFoundations": -1.0}), freecell(deal, cells=cells)
    long = solve(way, board, nodes=400_000)
    assert long.moves is not None and len(long.moves) > least
    short = solve(way._replace(own={"shorten": "yes"}), board, nodes=400_000)
    assert short.moves is not None and len(short.moves) < 300
    assert short.nodes == long.nodes
