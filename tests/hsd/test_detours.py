"""Detours are dropped: solutions stay solutions, and none of them gets longer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import endings, engine_move

from deals import FreeCellBoard, freecell
from gafreecell.solving.outcome import Evaluator, Limits, Search
from hsd.kernels.board import empty_board
from hsd.kernels.detours import drop_detours
from hsd.kernels.packed import pack_board
from hsd.kernels.replay import Root
from hsd.notation import tokens
from hsd.solver import run
from hsd.verifier import verify

AIMLESS = Evaluator(("NumCardsNotAtFoundations", "KingsBuried"), (1.0, -0.2))
"""Without regard to the moves made, it wanders."""


def left_of(board: FreeCellBoard, moves: list[str]) -> list[str]:
    """A solution without its detours; it solves the board in fewer moves, or had none."""
    numbers = np.array([engine_move(move) for move in moves], np.int64)
    root = Root(pack_board(board), len(board.cascades), board.cell_count, True)
    scratch = np.empty((2, numbers.size), np.int64)
    left = list(tokens(numbers[: drop_detours(empty_board(), root, numbers, *scratch)]))
    before, after = verify(board, moves), verify(board, left)
    assert before.solved and after.solved, after
    assert after.single < before.single or left == moves
    return left


LAST = "Foundations: C-Q D-J H-J S-K\nKC\nKD QD\nKH QH\n:\n"
ON_A_QUEEN = "Foundations: C-K D-K H-K S-J\nQS KS\n:\n:\n:\n"
TWO_KINGS = "Foundations: C-Q D-K H-K S-J\nKC\nKS QS\n:\n:\n"


@pytest.mark.parametrize(
    ("text", "moves", "left"),
    [
        # To a cell and home: home at once, when the first of them was to go.
        (LAST, "2a ah 2h 3h 3h 1h", "2h 2h 3h 3h 1h"),
        # There and back again, by a cell and by an empty cascade.
        (LAST, "1a a1 2h 2h 3h 3h 1h", "2h 2h 3h 3h 1h"),
        (LAST, "14 41 2h 2h 3h 3h 1h", "2h 2h 3h 3h 1h"),
        # By way of two places.
        (LAST, "2a a4 4h 2h 3h 3h 1h", "2h 2h 3h 3h 1h"),
        # One after the other.
        (TWO_KINGS, "2a 2b ah bh 1h", "2h 2h 1h"),
        # The queen has to make way.
        (ON_A_QUEEN, "1a 1h ah", "1a 1h ah"),
    ],
)
def test_by_hand(text: str, moves: str, left: str) -> None:
    board = FreeCellBoard.from_text(text)
    if verify(board, moves.split()).solved:
        assert left_of(board, moves.split()) == left.split()
    else:
        pytest.fail(verify(board, moves.split()).reason)


@settings(max_examples=80)
@given(board=endings(), automatic=st.sampled_from(["safe", "none"]))
def test_endings(board: FreeCellBoard, automatic: str) -> None:
    search = Search("schedule", {"automatic": automatic, "shorten": "no"})
    outcome = run(board, AIMLESS, search, Limits(2_000))
    if outcome.moves is not None:
        left_of(board, list(outcome.moves))


@pytest.mark.parametrize("size", [(8, 4), (8, 7), (9, 3), (7, 5), (5, 7)])
def test_deals_of_many_sizes(size: tuple[int, int]) -> None:
    dropped = solved = 0
    for number in range(1, 25):
        board = freecell(number, *size)
        whole = Search("schedule", {"shorten": "no"})
        outcome = run(board, AIMLESS, whole, Limits(20_000))
        if outcome.moves is None:
            continue
        left = left_of(board, list(outcome.moves))
        found = run(board, AIMLESS, Search("schedule", {"shorten": "detours"}), Limits(20_000))
        assert list(found.moves or ()) == left, "as the search drops them itself"
        solved += 1
        dropped += left != list(outcome.moves)
    assert dropped > solved // 2 > 2, (dropped, solved)
