"""The moves that hints list, against a plain game, and which of them keep the win."""

from __future__ import annotations

from hypothesis import given
from klondike_flood import can_be_won
from plain_klondike import RULES, PlainTable
from random_klondike import tables

from deals import KlondikeBoard
from gafreecell.service.hints import adviser, judge
from gafreecell.solitaire.klondike import GAME
from gafreecell.solitaire.klondike.legal_moves import after, legal_moves, listed
from gafreecell.solving.outcome import Limits, Status


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


AT_THE_DRAW = """Foundations: C-5 D-5 H-7 S-8
Waste: 8H JH JC 7D
Stock: KS QD TC TH 6D 6C 9S 7C
KC QH JS TD 9C 8D
<9H> JD TS 9D 8C
KD QC
KH QS
:
:
:
"""
"""Once more cards are drawn, the seven of diamonds does not come up again."""


def test_a_draw_can_lose_the_win() -> None:
    board = KlondikeBoard.from_text(AT_THE_DRAW)
    found = judge(board, GAME, adviser(GAME), Limits(), jobs=1)
    keeps = {one.move: one.keeps_win for one in found.moves}
    assert keeps == {**dict.fromkeys(GAME.legal_moves(board), True), "draw": False}
    assert can_be_won(GAME.after(board, "draw"), 6000) == (False, 5948)
    assert found.best == "w2" and found.status is Status.SOLVED
