"""The moves that hints list, against a plain game with names of cards."""

from __future__ import annotations

import pytest
from hypothesis import given
from plain_klondike import RULES, PlainTable
from random_klondike import tables

from deals import KlondikeBoard, klondike
from gafreecell.solitaire.klondike.legal_moves import after, legal_moves, listed
from gafreecell.solving.notations import IllegalMove


def same(board: KlondikeBoard) -> object:
    """A board up to the order of its piles."""
    piles = sorted(zip(board.piles, board.face_down, strict=True))
    return piles, board.stock, board.waste, board.foundations, board.draw, board.redeals


@given(tables(rules=RULES))
def test_every_legal_move_is_listed_once_and_leads_where_it_should(table: PlainTable) -> None:
    board = KlondikeBoard.from_text(table.text())
    found = legal_moves(board)
    assert len(set(found)) == len(found)
    met = set()
    for move in table.moves():
        reached = table.copy()
        reached.play(move)
        one = listed(board, move)
        assert after(board, move) == KlondikeBoard.from_text(reached.text())
        assert same(after(board, one)) == same(after(board, move))
        met.add(one)
    assert met == {*found}
    assert all(listed(board, one) == one for one in found)


MIDGAME = """Foundations: C-3 D-A H-6 S-6
Waste: KH 6C 9H KD 7S
Stock: 8C
:
:
KS QH JC TD 9S 8D 7C 6D 5C
<7H> <JH> 9C 8H
QC JD
<2D> <4D> <QS> <TC> 5D 4C 3D
<KC> <TH> <JS> <QD> TS 9D 8S 7D
"""


def test_one_empty_pile_stands_for_all() -> None:
    board = KlondikeBoard.from_text(MIDGAME)
    assert " ".join(legal_moves(board)) == "wh w4 34v3 31v9 75v4 S7 draw"
    assert listed(board, "32v9") == "31v9"


def test_draws_and_redeals() -> None:
    deal = klondike(3)
    for _ in range(8):
        assert legal_moves(deal)[-1] == "draw"
        deal = after(deal, "draw")
    assert legal_moves(deal)[-1] == "redeal"
    with pytest.raises(IllegalMove, match="expected cards in the stock"):
        after(deal, "draw")


def test_a_redeal_that_the_rules_do_not_allow_is_not_listed() -> None:
    board = klondike(3, 1, 1)
    for move in (*["draw"] * 24, "redeal", *["draw"] * 24):
        assert legal_moves(board)[-1] == move
        board = after(board, move)
    assert board.redeals == 0 and not {"draw", "redeal"} & {*legal_moves(board)}
    with pytest.raises(IllegalMove, match="the rules allow no more redeals"):
        after(board, "redeal")
