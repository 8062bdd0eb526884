"""The moves that hints list, against the verifier and symmetry."""

from __future__ import annotations

from collections.abc import Iterator

from freecell_perft import Node
from hypothesis import given
from positions import middle
from random_boards import boards

from deals import FreeCellBoard
from gafreecell.solving.notations import IllegalMove
from hsd.legal_moves import after, legal_moves, listed
from hsd.verifier import CELL_LETTERS, Position


def node(board: FreeCellBoard) -> Node:
    """A board up to the order of cascades and cells."""
    return Node.of(Position.from_board(board))


def every_token(board: FreeCellBoard) -> Iterator[str]:
    """All there are in the notation for a board of this size."""
    columns = "123456789"[: len(board.cascades)]
    for source in columns + CELL_LETTERS[: board.cell_count]:
        for target in columns + CELL_LETTERS[: board.cell_count] + "h":
            yield source + target
            yield from (f"{source}{target}v{count:x}" for count in range(1, 14))


@given(boards())
def test_every_legal_move_is_listed_once_and_nothing_else(board: FreeCellBoard) -> None:
    found = legal_moves(board)
    assert len(set(found)) == len(found)
    met = set()
    for token in every_token(board):
        try:
            reached = after(board, token)
        except IllegalMove:
            assert token not in found
            continue
        one = listed(board, token)
        assert node(after(board, one)) == node(reached)
        met.add(one)
    assert met == {*found}
    assert all(listed(board, one) == one for one in found)


def test_one_empty_cell_and_cascade_stand_for_all() -> None:
    board = FreeCellBoard.from_text(
        "Foundations: C-J D-Q H-Q S-J\nFreecells: QC - -\nKC\nKH QS\nKD\n:\n:\nKS", 3, 6
    )
    assert " ".join(legal_moves(board)) == "2h 3h ah 14 1b 23 24 24v2 2b 34 3b 64 6b a3 a4"
    given = [("1c", "1b"), ("15", "14"), ("25v2", "24v2"), ("a5", "a4")]
    assert all(listed(board, move) == first for move, first in given)


def test_runs_of_each_length_go_to_an_empty_cascade() -> None:
    assert [move for move in legal_moves(middle(2)) if move[:2] == "65"] == ["65", "65v2"]


def test_a_count_that_is_left_out_is_the_run_that_fits() -> None:
    board = FreeCellBoard.from_text(
        "Foundations: C-J D-T H-Q S-J\nFreecells: QC\nKC\nKH QS JD\nKD\nQD\n:\nKS", 3, 6
    )
    assert "23v2" in legal_moves(board) and "23" not in legal_moves(board)
    assert listed(board, "23") == "23v2"
