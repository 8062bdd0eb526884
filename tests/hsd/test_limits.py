"""Limits of every search."""

from __future__ import annotations

from typing import Any

import pytest
from searching import (
    ASTRAY,
    BLIND,
    BOUND,
    EVOLVED,
    HSDH,
    ORDERED,
    TEXTBOOK,
    Way,
    a_star,
    beam,
    best_first,
    each,
    found,
    schedule,
    solve,
    staged,
)

from gafreecell.jit.slices import size_in_bytes
from gafreecell.solving.outcome import LARGEST, Status
from gafreecell.solving.stopping import Interrupted, StopToken
from hsd import solver
from hsd.kernels.moves import MOST_MOVES
from hsd.searches import staged as staged_search

PLENTY = 100_000_000


@each(
    best_first(HSDH),
    best_first(EVOLVED, safe=False, patience=300),
    best_first(HSDH, False, False),
    beam(BOUND, width=5),
    beam(EVOLVED, False, True, 100),
    beam(HSDH, safe=False, width=1),
    a_star(),
)
@pytest.mark.parametrize("nodes", [1, 2, 100, 1000, 19_999, 20_000, 20_001, 45_000])
def test_the_node_limit_ends_the_search_after_an_expansion(nodes: int, way: Way) -> None:
    for deal in (1, 11982):
        outcome = solve(way, deal, nodes=nodes)
        assert outcome.nodes.generated < nodes + MOST_MOVES
        if outcome.status is Status.NODE_LIMIT:
            assert outcome.nodes.generated >= nodes
            # One state less to spend, and it ends no later.
            before = solve(way, deal, nodes=max(nodes - 1, 1))
            assert before.nodes.expanded <= outcome.nodes.expanded


@each(best_first(HSDH), beam(HSDH), beam(BOUND), a_star())
def test_the_node_limit_follows_expansions(way: Way) -> None:
    """It ends after the first expansion that reaches the limit."""
    counts = sorted({solve(way, 1, nodes=nodes).nodes.generated for nodes in range(1, 300)})
    assert counts[0] == 1
    for nodes in range(1, 300):
        outcome = solve(way, 1, nodes=nodes)
        assert outcome.status is Status.NODE_LIMIT
        assert outcome.nodes.generated == next(count for count in counts if count >= nodes)


@each(
    *(staged(HSDH, 1), staged(HSDH, 4, False), staged(HSDH, table=700)), *(BLIND, ORDERED, TEXTBOOK)
)
@pytest.mark.parametrize("nodes", [1, 2, 7, 100, 1000, 19_999, 20_000, 20_001, 54_321])
def test_the_node_limit_is_met_exactly(nodes: int, way: Way) -> None:
    for deal in (1, 11982, 617):
        outcome = solve(way, deal, nodes=nodes)
        assert outcome.nodes.generated <= nodes
        if outcome.status is Status.NODE_LIMIT:
            assert outcome.nodes.generated == nodes


@each(best_first(), beam(), schedule(), staged())
@pytest.mark.parametrize("deal", [1, 617, 9])
def test_a_limit_of_what_it_takes_is_enough(deal: int, way: Way) -> None:
    outcome = solve(way, deal)
    assert outcome.status is Status.SOLVED
    for nodes in (outcome.nodes.generated, LARGEST):
        assert found(solve(way, deal, nodes=nodes)) == found(outcome)
    short = solve(way, deal, nodes=outcome.nodes.generated - way.over)
    assert short.status is Status.NODE_LIMIT
    assert short.nodes.generated < outcome.nodes.generated


@each(best_first(safe=False), beam(safe=False))
def test_a_proof_needs_every_state(way: Way) -> None:
    assert solve(way, 11982, nodes=83_240).status is Status.UNSOLVABLE
    assert solve(way, 11982, nodes=83_000).status is Status.NODE_LIMIT


@pytest.mark.parametrize(
    ("way", "memory"),
    [
        *((best_first(ASTRAY, safe=False), size) for size in (2_000_000, 5_000_000, 20_000_000)),
        *((beam(ASTRAY, safe=False), size) for size in (1_000_000, 3_000_000, 20_000_000)),
        *((a_star(safe=False), size) for size in (2_000_000, 5_000_000)),
        *((staged(ASTRAY, depth, False), 20_000_000) for depth in (1, 3)),
    ],
    ids=str,
)
def test_the_memory_limit(way: Way, memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    owner, name = solver.SOLVER.instance(way.search), "_enlarge"
    if way.search == "staged":
        owner, name = staged_search, "enlarge"
    enlarge = getattr(owner, name)

    def measured(work: Any) -> Any:
        larger = enlarge(work)
        sizes.append(size_in_bytes(larger))
        return larger

    monkeypatch.setattr(owner, name, measured)
    outcome = solve(way, 1, nodes=3_000_000, memory=memory)
    assert outcome.status is Status.MEMORY_LIMIT
    assert outcome.moves is None
    assert memory / 4 < max(sizes) <= memory
    more = solve(way, 1, nodes=3_000_000, memory=4 * memory)
    assert more.nodes.generated > outcome.nodes.generated


@each(BLIND, ORDERED, TEXTBOOK)
def test_the_memory_limit_of_a_table(way: Way) -> None:
    # Room for the second table of 2^17 places, but not for the third.
    outcome = solve(way, 617, memory=4_000_000, nodes=PLENTY)
    assert outcome.status is Status.MEMORY_LIMIT
    assert 1 << 16 <= outcome.nodes.generated < 1 << 20


@each(best_first(), beam(), schedule(), staged())
def test_memory_enough(way: Way) -> None:
    assert solve(way, 2, memory=100_000_000).status is Status.SOLVED


@each(
    *(best_first(ASTRAY, safe=False), beam(ASTRAY, safe=False), a_star(safe=False)),
    *(staged(ASTRAY, 3, False), TEXTBOOK),
)
def test_the_limit_in_seconds(way: Way) -> None:
    outcome = solve(way, 1, nodes=PLENTY, seconds=0.05, memory=4_000_000_000)
    assert outcome.status is Status.TIME_LIMIT
    assert outcome.seconds >= 0.05
    assert 0 < outcome.nodes.generated < PLENTY
    assert solve(way, 1, seconds=1e-9).status is Status.TIME_LIMIT


@each(BLIND, staged(), best_first(), schedule())
def test_a_stopped_call(way: Way) -> None:
    token = StopToken()
    token.set()
    with pytest.raises(Interrupted):
        token.run(solve, way, 617)
    assert solve(way, 617, nodes=10).status is Status.NODE_LIMIT
