"""Linked trees against boards: what making a move does, which moves there are, and their scores."""

from __future__ import annotations

import numpy as np
import pytest
from engine import Engine
from hypothesis import given
from linked_boards import board_of, rooted
from positions import root_of
from random_boards import boards

from deals import FreeCellBoard
from hsd.kernels.board import HOME
from hsd.kernels.features import NAMES
from hsd.kernels.linear import compiled, linear_score
from hsd.kernels.moves import ANY, AT_ONCE
from hsd.searches.kernels.linked import KEY, NODE, make
from hsd.searches.kernels.linked_moves import expand
from hsd.searches.kernels.linked_scores import node_score, prepare, score_after
from hsd.searches.kernels.tree import MOVE, QUIET

WEIGHTS = np.array([(-1) ** i / (i + 2) for i in range(len(NAMES))])


@pytest.mark.parametrize("automatic", [False, True])
@pytest.mark.parametrize("longest", [ANY, AT_ONCE])
@given(board=boards())
def test_a_move_does_what_it_does_on_a_board(
    board: FreeCellBoard, longest: int, automatic: bool
) -> None:
    root = root_of(board, automatic)
    tree = rooted(root)
    start = Engine(board)
    if automatic:
        start.play_safe_home()
    assert board_of(tree, 0, root.cascades, root.cells) == start.as_board()
    k = compiled(WEIGHTS.tobytes(), root.cascades, root.cells)
    tree.registers.expanded = 0
    listed = int(expand(tree, 0, 0, root, longest))
    moves = tree.moves[:listed].copy()
    keys = tree.keys[: 2 * listed].copy()
    assert [int(move) & MOVE for move in moves] == [int(m) for m in start.moves(longest)]
    notes = prepare(tree, 0, root, k)
    for i, marked in enumerate(moves.tolist()):
        move = marked & MOVE
        engine = Engine(board)
        if automatic:
            engine.play_safe_home()
        engine.play(move)
        forced = len(engine.play_safe_home()) if automatic else 0
        assert int(make(tree, 0, move, root)) == forced
        assert board_of(tree, 1, root.cascades, root.cells) == engine.as_board()
        assert tuple(tree.nodes[NODE + KEY : NODE + KEY + 2].tolist()) == engine.key()
        assert bool(marked & QUIET) == (forced == 0 and (move >> 5) & 31 != HOME)
        score, sums = node_score(tree, 1, root, k, 7)
        assert int(score) == int(linear_score(engine.arrays, k, None, 7))
        assert int(sums) == int(engine.arrays.numbers.sums)
        if marked & QUIET:
            assert score_after(tree, 0, root, k, notes, move, 7) == (score, sums)
            first, second = engine.key()
            assert keys[2 * i : 2 * i + 2].tolist() == [max(first, 1), second]
