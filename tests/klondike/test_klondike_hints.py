"""Which moves keep the win in Klondike, against a slow search."""

from __future__ import annotations

from klondike_flood import can_be_won

from deals import KlondikeBoard
from gafreecell.service.hints import adviser, judge
from gafreecell.solitaire.klondike import GAME
from gafreecell.solving.outcome import Limits, Status

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
