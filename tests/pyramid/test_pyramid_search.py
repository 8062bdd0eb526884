"""The search against every position that can be reached, on endgames; and whole decks."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_pyramid import Endgame, Plain, points, random_endgame, removed, small_endgame
from pyramid_searching import played, search

from gafreecell.solving.outcome import Status

MOST = 800
"""The most positions for the slow search."""


Case = tuple[Endgame, dict[Plain, int]]


@st.composite
def endgames(draw: st.DrawFn) -> Case:
    """Endgames, each with the distances of all positions that can be reached from it."""
    return small_endgame(random.Random(draw(st.integers(0, 2**32))), MOST)


def check(endgame: Endgame, goal: str, best: int | None, clearing: str = "no") -> Plain | None:
    """The search finds a solution of the best length; returns its last position."""
    found = search(endgame, goal, clearing)
    if best is None:
        assert found.status is Status.UNSOLVABLE
        return None
    assert found.status is Status.SOLVED
    end = played(endgame, found)
    assert found.moves is not None and len(found.moves) == best
    return end


def check_clearing(case: Case) -> None:
    endgame, reached = case
    ends = [steps for position, steps in reached.items() if not position.pyramid]
    end = check(endgame, "clear", min(ends, default=None))
    assert end is None or not end.pyramid


def check_score(case: Case, number: int) -> None:
    endgame, reached = case
    scored = {position: points(endgame.ranks, position) for position in reached}
    most = max(scored.values())
    end = check(endgame, "score", min(reached[p] for p in reached if scored[p] == most))
    assert end is not None and points(endgame.ranks, end) == most
    now = scored[endgame.position]
    least = min(now + 1 + number % (most - now + 6), 1290)
    enough = [steps for p, steps in reached.items() if scored[p] >= least]
    end = check(endgame, f"score:{least}", min(enough, default=None))
    assert end is None or points(endgame.ranks, end) >= least


def check_cards(case: Case, rank: int, least: int, clearing: bool) -> None:
    endgame, reached = case
    letter, clears = "A23456789TJQK"[rank - 1], "yes" if clearing else "no"
    gone = {
        position: removed(endgame.ranks, position, rank)
        for position in reached
        if not (clearing and position.pyramid)
    }
    most = max(gone.values(), default=0)
    best = min((reached[p] for p in gone if gone[p] == most), default=None)
    end = check(endgame, f"cards:{letter}", best, clears)
    assert end is None or removed(endgame.ranks, end, rank) == most
    enough = min((reached[p] for p in gone if gone[p] >= least), default=None)
    end = check(endgame, f"cards:{letter}:{least}", enough, clears)
    assert end is None or removed(endgame.ranks, end, rank) >= least


@settings(max_examples=200)
@given(endgames())
def test_clearing_takes_the_fewest_steps(case: Case) -> None:
    check_clearing(case)


@settings(max_examples=200)
@given(endgames(), st.integers(0, 10**6))
def test_score(case: Case, number: int) -> None:
    check_score(case, number)


@settings(max_examples=200)
@given(endgames(), st.integers(1, 13), st.integers(1, 4), st.booleans())
def test_cards(case: Case, rank: int, least: int, clearing: bool) -> None:
    check_cards(case, rank, least, clearing)


@pytest.mark.long
def test_every_goal_from_many_endgames() -> None:
    generator = random.Random(4)
    for _ in range(20_000):
        case = small_endgame(generator, 2 * MOST)
        check_clearing(case)
        check_score(case, generator.randrange(10**6))
        for rank in (13, generator.randint(1, 12)):
            for clearing in (False, True):
                check_cards(case, rank, generator.randint(1, 4), clearing)


@pytest.mark.parametrize("nodes", [1, 100])
def test_a_limit_is_no_verdict(nodes: int) -> None:
    generator = random.Random(3)
    statuses = set()
    for _ in range(50):
        endgame = random_endgame(generator, 28, 24)
        found = search(endgame, nodes=nodes)
        if found.status is Status.NODE_LIMIT:
            assert found.nodes.generated >= nodes
        else:
            assert found.status is search(endgame).status
        statuses.add(found.status)
    assert Status.NODE_LIMIT in statuses
