"""Redundant moves and detours are dropped: solutions stay solutions and get no longer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_shorten import shorten
from positions import endings, engine_move, root_of
from searching import (
    ASTRAY,
    HSDH,
    QUICK,
    Way,
    beam,
    best_first,
    check_solution,
    each,
    run,
    schedule,
    single,
    solve,
    staged,
)

from deals import FreeCellBoard, freecell
from hsd.kernels.board import empty_board
from hsd.kernels.detours import drop_detours
from hsd.kernels.shorten import LATE, MISSES
from hsd.notation import tokens
from hsd.searches.search import shortened
from hsd.verifier import verify


def without(
    detours_alone: bool, board: FreeCellBoard, moves: Sequence[str], unit: str = "single"
) -> list[str]:
    """A solution without redundant moves, or without detours; it is shorter, or had none."""
    numbers, root = np.array([engine_move(move) for move in moves], np.int64), root_of(board, True)
    if detours_alone:
        scratch = np.empty((2, numbers.size), np.int64)
        kept = numbers[: drop_detours(empty_board(), root, numbers, *scratch)]
    else:
        kept = shortened(numbers, empty_board(), root, {"shorten": "yes", "unit": unit})
    left = list(tokens(kept))
    before, after = verify(board, moves), verify(board, left)
    assert before.solved, before.reason
    assert after.solved, after.reason
    assert getattr(after, unit) < getattr(before, unit) or left == list(moves)
    return left


def left_of(board: FreeCellBoard, moves: Sequence[str], unit: str = "single") -> list[str]:
    """A solution without redundant moves; the plain reference leaves the same."""
    left = without(False, board, moves, unit)
    assert left == shorten(board, moves, MISSES, LATE, unit != "single")
    return left


HOME_ALONE = "Foundations: C-Q D-J H-J S-K\nKC\nKD QD\nKH QH\n:\n"
TO_ITS_QUEEN = "Foundations: C-K D-9 H-K S-T\nTD JS JD\nQS\nKD QD\nKS\n"
A_RUN = "Foundations: C-Q D-J H-J S-K\nKH KC QD\nKD\nQH\n:\n"


@pytest.mark.parametrize(
    ("board", "moves", "left"),
    [
        (HOME_ALONE, "1h 2h 2h 3h 3h", "1h 2h 2h 3h 3h"),
        (HOME_ALONE, "1a ah 2h 2h 3h 3h", "1h 2h 2h 3h 3h"),
        (HOME_ALONE, "2a 3b b4 ah 4a 2h 1h ah 3h", "2h 2h 1h 3h 3h"),
        (TO_ITS_QUEEN, "1a 1h a2 1h 2h 2h 4h 3h 3h", "12 1h 1h 2h 2h 4h 3h 3h"),
        (A_RUN, "14v2 4h 4h 2h 3h 1h", "1h 1h 2h 3h 1h"),
    ],
)
def test_redundant_moves(board: str, moves: str, left: str) -> None:
    position = FreeCellBoard.from_text(board, cells=2, cascades=4)
    assert left_of(position, moves.split()) == left.split()


@each(
    best_first(),
    best_first(safe=False, supermoves=False),
    staged(),
    beam(QUICK, width=8),
    beam(HSDH, width=3, supermoves=True),
    beam(HSDH, width=3, unit="manual"),
)
def test_solutions_of_searches(way: Way) -> None:
    before = after = 0
    for deal in range(1, 7):
        outcome = solve(way, deal, nodes=50_000)
        if outcome.moves is not None:
            before += len(outcome.moves)
            unit = str(way.own.get("unit", "single"))
            after += len(left_of(freecell(deal), outcome.moves, unit))
    assert 0 < after < before


@given(endings(), st.sampled_from([QUICK, ASTRAY]))
def test_solutions_of_endings(board: FreeCellBoard, weights: dict[str, float]) -> None:
    outcome = solve(best_first(weights, safe=False), board, nodes=2000)
    if outcome.moves is not None:
        left_of(board, outcome.moves)


@pytest.mark.parametrize("name", ["best-first", "beam"])
def test_searches_drop_them_themselves(name: str) -> None:
    dropped = 0
    for deal in range(1, 11):
        board = freecell(deal)
        with_them = run(deal, name, QUICK, {"shorten": "no"})
        fewer = run(deal, name, QUICK, {})
        assert (fewer.status, fewer.nodes) == (with_them.status, with_them.nodes)
        check_solution(board, fewer)
        if with_them.moves is not None:
            assert list(fewer.moves) == left_of(board, with_them.moves)
            dropped += with_them.moves != fewer.moves
    assert dropped > 5


def test_a_second_beam_is_bounded_by_the_shorter_solution() -> None:
    for deal in range(1, 11):
        outcomes = [
            run(deal, "beam", QUICK, {"width": 4, "wider": 30, "shorten": shorten_them})
            for shorten_them in ("no", "yes")
        ]
        assert single(outcomes[1]) <= single(outcomes[0])
        assert outcomes[1].nodes.generated <= outcomes[0].nodes.generated


# ------------------------------------------------------------------ detours

AIMLESS = {"NumCardsNotAtFoundations": 1.0, "KingsBuried": -0.2}
"""Without regard to the moves made, it wanders."""
ON_A_QUEEN = "Foundations: C-K D-K H-K S-J\nQS KS\n:\n:\n:\n"
TWO_KINGS = "Foundations: C-Q D-K H-K S-J\nKC\nKS QS\n:\n:\n"


@pytest.mark.parametrize(
    ("text", "moves", "left"),
    [
        # To a cell and home: home at once, when the first of them was to go.
        (HOME_ALONE, "2a ah 2h 3h 3h 1h", "2h 2h 3h 3h 1h"),
        # There and back again, by a cell and by an empty cascade.
        (HOME_ALONE, "1a a1 2h 2h 3h 3h 1h", "2h 2h 3h 3h 1h"),
        (HOME_ALONE, "14 41 2h 2h 3h 3h 1h", "2h 2h 3h 3h 1h"),
        # By way of two places.
        (HOME_ALONE, "2a a4 4h 2h 3h 3h 1h", "2h 2h 3h 3h 1h"),
        # One after the other.
        (TWO_KINGS, "2a 2b ah bh 1h", "2h 2h 1h"),
        # The queen has to make way.
        (ON_A_QUEEN, "1a 1h ah", "1a 1h ah"),
    ],
)
def test_detours(text: str, moves: str, left: str) -> None:
    assert without(True, FreeCellBoard.from_text(text), moves.split()) == left.split()


@settings(max_examples=50)
@given(board=endings(), safe=st.booleans())
def test_detours_in_endings(board: FreeCellBoard, safe: bool) -> None:
    outcome = solve(schedule(AIMLESS, safe), board, 2_000)
    if outcome.moves is not None:
        without(True, board, outcome.moves)


@pytest.mark.parametrize("size", [(8, 4), (8, 7), (9, 3), (7, 5), (5, 7)])
def test_detours_in_deals_of_many_sizes(size: tuple[int, int]) -> None:
    dropped = solved = 0
    for number in range(1, 9):
        board = freecell(number, *size)
        outcome = solve(schedule(AIMLESS), board, 20_000)
        if outcome.moves is None:
            continue
        left = without(True, board, outcome.moves)
        found = run(board, "schedule", AIMLESS, {"shorten": "detours"}, 20_000)
        assert list(found.moves) == left, "as the search drops them itself"
        solved += 1
        dropped += left != list(outcome.moves)
    assert dropped > solved // 2 > 1, (dropped, solved)
