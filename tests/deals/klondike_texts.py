"""A deal of Klondike and a position of it as text, and what tests do with such texts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from deals import DealError, KlondikeBoard, klondike
from deals.klondike_board import UNKNOWN

DEAL = klondike(3).deal_text()
CARDS = DEAL.split()
# Piles 1 to 7, then the stock.
LINES = [" ".join(CARDS[i * (i + 1) // 2 :][: i + 1]) for i in range(7)] + [" ".join(CARDS[28:])]

# The same deal after 45 moves.
MIDDLE = """\
Foundations: C-2 D-1 H-3 S-1
Waste: KH 6C TD
Stock: 2S 3C 9H KD 9S JC 5H 8C 4S
KS QH
8H 7S 6D 5C 4H 3S
:
<7H> <JH> 9C 8D 7C 6H 5S
QC JD TS 9D 8S 7D 6S 5D 4C 3D
<2D> <4D> <QS> TC
<KC> <TH> <JS> QD
"""
HEAD = "".join(MIDDLE.splitlines(keepends=True)[:3])
PILES = MIDDLE.splitlines()[3:]


def refused(text: str, read: Callable[[str], object] = KlondikeBoard.from_text) -> str:
    with pytest.raises(DealError) as fault:
        read(text)
    return str(fault.value)


def hide(board: KlondikeBoard) -> KlondikeBoard:
    """The board as a player who remembers nothing sees it."""
    piles = [
        (UNKNOWN,) * hidden + pile[hidden:]
        for pile, hidden in zip(board.piles, board.face_down, strict=True)
    ]
    stock = (UNKNOWN,) * len(board.stock)
    waste = (UNKNOWN,) * (len(board.waste) - 1) + board.waste[-1:]
    return KlondikeBoard(tuple(piles), board.face_down, stock, waste, board.foundations)
