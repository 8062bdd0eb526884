"""Redundant moves are dropped: solutions stay valid and match those of a plain reference."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_shorten import shorten
from positions import endings, engine_move
from searching import ASTRAY, EVOLVED, HSDH, QUICK, check_solution, run

from deals import FreeCellBoard, freecell
from hsd.kernels.board import empty_board
from hsd.kernels.packed import pack_board
from hsd.kernels.replay import Root
from hsd.kernels.shorten import LATE, MISSES
from hsd.notation import token
from hsd.searches.shorten import shortened
from hsd.verifier import verify


def left_of(board: FreeCellBoard, moves: list[str]) -> list[str]:
    """The rest of a solution; it solves the board, and the plain reference leaves the same."""
    numbers = np.array([engine_move(move) for move in moves], np.int64)
    root = Root(pack_board(board), len(board.cascades), board.cell_count, True)
    kept = shortened(numbers, empty_board(), root, {"shorten": "yes"})
    left = [token(int(move)) for move in kept]
    before, after = verify(board, moves), verify(board, left)
    assert before.solved and after.solved
    assert after.single < before.single or left == moves
    assert left == shorten(board, moves, MISSES, LATE)
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


@pytest.mark.parametrize(
    ("name", "weights", "parameters"),
    [
        ("best-first", QUICK, {}),
        ("best-first", QUICK, {"supermoves": "no", "automatic": "none"}),
        ("staged", EVOLVED, {"depth": 2}),
        ("beam", QUICK, {"width": 8}),
        ("beam", HSDH, {"width": 3, "supermoves": "yes"}),
    ],
)
def test_solutions_of_searches(
    name: str, weights: Mapping[str, float], parameters: Mapping[str, int | str]
) -> None:
    before = after = 0
    if name != "staged":
        parameters = {**parameters, "shorten": "no"}
    for deal in range(1, 21):
        outcome = run(deal, name, weights, parameters, nodes=50_000)
        if outcome.moves is not None:
            left = left_of(freecell(deal), list(outcome.moves))
            before += len(outcome.moves)
            after += len(left)
    assert 0 < after < before


@given(endings(), st.sampled_from([QUICK, ASTRAY]))
def test_solutions_of_endings(board: FreeCellBoard, weights: dict[str, float]) -> None:
    parameters = {"automatic": "none", "shorten": "no"}
    outcome = run(board, "best-first", weights, parameters, nodes=2000)
    if outcome.moves is not None:
        left_of(board, list(outcome.moves))


@pytest.mark.parametrize("name", ["best-first", "beam"])
def test_searches_drop_them_themselves(name: str) -> None:
    dropped = 0
    for deal in range(1, 31):
        board = freecell(deal)
        with_them = run(deal, name, QUICK, {"shorten": "no"})
        without = run(deal, name, QUICK, {})
        assert (without.status, without.nodes) == (with_them.status, with_them.nodes)
        check_solution(board, without)
        if with_them.moves is not None:
            assert list(without.moves or ()) == left_of(board, list(with_them.moves))
            dropped += with_them.moves != without.moves
    assert dropped > 5


def test_a_second_beam_is_bounded_by_the_shorter_solution() -> None:
    for deal in range(1, 11):
        outcomes = [
            run(deal, "beam", QUICK, {"width": 4, "wider": 30, "shorten": shorten_them})
            for shorten_them in ("no", "yes")
        ]
        lengths = [outcome.lengths["single"] for outcome in outcomes if outcome.lengths]
        assert lengths[1] <= lengths[0]
        assert outcomes[1].nodes.generated <= outcomes[0].nodes.generated
