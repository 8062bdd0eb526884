"""The jitted verifier accepts what the plain one accepts, but for runs without a count."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

import hsd
from deals import DealError, freecell
from hsd.kernels.verifier import which_solve
from hsd.verifier import verify

DEALS = tuple(range(1, 31))
PLACES = "123456789abcdefgh"


@pytest.fixture(scope="module")
def solutions() -> list[list[str]]:
    return [list(outcome.moves or ()) for outcome in hsd.solve_many(DEALS, jobs=1)]


def accepted(number: int, moves: Sequence[str], cascades: int = 8, cells: int = 4) -> bool:
    return which_solve([number], [moves], cascades, cells)[0]


def test_it_accepts_every_solution_but_none_of_another_deal(solutions: list[list[str]]) -> None:
    assert which_solve(DEALS, solutions, 8, 4) == [True] * len(DEALS)
    assert not any(which_solve(DEALS, solutions[1:] + solutions[:1], 8, 4))


@pytest.mark.parametrize("seed", range(6))
def test_the_plain_verifier_agrees_on_solutions_with_a_fault(
    solutions: list[list[str]], seed: int
) -> None:
    rng = random.Random(seed)
    kinds = set()
    for number, moves in zip(DEALS, solutions, strict=True):
        for _ in range(12):
            wrong = spoilt(moves, rng)
            plain = solves(number, wrong)
            assert accepted(number, wrong) == plain, (number, wrong)
            kinds.add(plain)
    # Some faults do no harm: two moves that can change places.
    assert kinds == {True, False}


def spoilt(moves: list[str], rng: random.Random) -> list[str]:
    """A solution with one change."""
    at = rng.randrange(len(moves) - 1)
    kind = rng.randrange(6)
    if kind == 4:
        at = rng.choice([i for i, move in enumerate(moves) if "v" in move] or [at])
    one, two = moves[at], moves[at + 1]
    instead = [
        [two],
        [two, one],
        [rng.choice(PLACES) + rng.choice(PLACES), two],
        [rng.choice(moves), one, two],
        # Another count of a run.
        [one[:3] + rng.choice("123456789abcd") if "v" in one else one, two],
        # A loop: there and back again.
        [one, one[1] + one[0] + one[2:], one, two],
    ]
    return with_counts([*moves[:at], *instead[kind], *moves[at + 2 :]])


def solves(number: int, moves: list[str]) -> bool:
    """What the plain verifier says; a move from home is no move to it."""
    try:
        return verify(freecell(number), moves).solved
    except DealError as fault:
        assert "'h" in str(fault)
        return False


def with_counts(moves: list[str]) -> list[str]:
    """Moves between cascades of which each says its count: without one, a run may be meant."""
    return [f"{m}v1" if m[0].isdigit() and m[1].isdigit() and len(m) == 2 else m for m in moves]


@pytest.mark.parametrize(
    "token",
    ["", "6", "6a6", "6av", "26v", "26v0", "26v14", "26ve", "hh", "h6", "0a", "x1", "6 a", "é1"],
)
def test_it_refuses_what_is_no_move(solutions: list[list[str]], token: str) -> None:
    moves = [*solutions[0][:-1], token]
    assert which_solve([1, 1, 2], [moves, solutions[0], solutions[1]], 8, 4) == [False, True, True]


def test_it_refuses_words_that_are_no_single_moves(solutions: list[list[str]]) -> None:
    right, last = solutions[0], solutions[0][-1]
    counted = [f"{token}v1" if token.endswith("h") else token for token in right]
    joined = [*right[:-2], f"{right[-2]} {last}"]
    wrong = [[*right, ""], [*right, " "], ["", *right], joined, counted, [f"{last}\n"], []]
    assert which_solve([1] * len(wrong), wrong, 8, 4) == [False] * len(wrong)


@pytest.mark.parametrize(("cascades", "cells"), [(6, 7), (7, 4), (8, 1), (9, 2), (8, 3)])
def test_games_of_other_sizes(cascades: int, cells: int) -> None:
    game = hsd.GAME.vary(cascades=cascades, cells=cells)
    weights = hsd.solver.SOLVER.weights("hsd-evolved")
    solved = 0
    for number in range(1, 9):
        outcome = hsd.solver.run(
            number, weights.evaluator, weights.search, weights.limits, cascades, cells
        )
        if outcome.moves is not None:
            solved += 1
            assert accepted(number, outcome.moves, cascades, cells)
            assert not accepted(number, outcome.moves[:-1], cascades, cells)
            assert not accepted(number + 1, outcome.moves, cascades, cells)
            assert game.verify_many([number], [outcome.moves]) == [""]
    assert solved > 2


def test_large_numbers_are_dealt_as_the_plain_shuffle_deals_them() -> None:
    numbers = [1, 2, 32_000, 32_001, 1_000_000, 2**30, 2**31 - 1]
    moves = [outcome.moves or () for outcome in hsd.solve_many(numbers, jobs=1)]
    assert which_solve(numbers, moves, 8, 4) == list(map(bool, moves))


def test_what_it_does_not_accept_goes_to_the_plain_verifier(solutions: list[list[str]]) -> None:
    """Without counts a solution is as good; boards are replayed, and faults told in words."""
    run = next(i for i, moves in enumerate(solutions) if any("v" in move for move in moves))
    number, moves = DEALS[run], solutions[run]
    short = [move.partition("v")[0] for move in moves]
    faults = hsd.GAME.verify_many([number, freecell(number), number], [short, moves, moves[:-1]])
    assert list(faults[:2]) == ["", ""]
    assert faults[2] == hsd.GAME.verify(freecell(number), moves[:-1])
    assert "52 cards home" in faults[2]
