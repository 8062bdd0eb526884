"""Texts of boards for tests of their readers: ways to write cards, a deal and a position of
Klondike, and what readers say of a text that they refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from deals import (
    DealError,
    FreeCellBoard,
    KlondikeBoard,
    card_name,
    klondike,
    read_freecell_boards,
    read_klondike_boards,
    read_pyramid_boards,
)
from deals.cards import RANKS, SUITS
from deals.klondike_board import UNKNOWN

Reader = Callable[..., Any]
READERS: dict[str, Reader] = {
    "freecell": read_freecell_boards,
    "klondike": read_klondike_boards,
    "pyramid": read_pyramid_boards,
}


def refused_by(read: Reader, text: str, **reading: Any) -> str:
    """What a reader says of a text that it refuses."""
    with pytest.raises(DealError) as fault:
        read(text, **reading)
    return str(fault.value)


def published(file: str) -> list[tuple[int, str]]:
    """Number and text of the boards in a data file."""
    lines = (Path(__file__).parent / "data" / file).read_text().splitlines()
    blocks = "\n".join(line for line in lines if not line.startswith("#")).strip().split("\n\n")
    parts = [block.partition("\n") for block in blocks]
    return [(int(title.removeprefix("deal ")), text) for title, _, text in parts]


# Cards

SYMBOLS = {
    "C": ("♣", "♧", "♣\ufe0f", "♣\ufe0e"),
    "D": ("♦", "♢", "♦\ufe0f"),
    "H": ("♥", "♡", "♥\ufe0f"),
    "S": ("♠", "♤", "♠\ufe0e"),
}


def names(cards: Iterable[int]) -> str:
    return " ".join(map(card_name, cards))


@cache
def spellings(card: int) -> list[str]:
    """Every way to write a card."""
    rank, suit = RANKS[(card >> 2) - 1], SUITS[card & 3]
    ranks = {rank, rank.lower(), rank.replace("T", "10")}
    suits = {suit, suit.lower(), *SYMBOLS[suit]}
    return sorted({word for r in ranks for s in suits for word in (r + s, s + r)})


@st.composite
def all_spelled(draw: st.DrawFn, cards: list[int]) -> list[str]:
    """Words for cards: each in its own way, or all in the same."""
    # One choice, not 52: hypothesis is slow at many.
    chooser = Random(draw(st.integers(0, 10_000)))
    if draw(st.booleans()):
        return [chooser.choice(spellings(card)) for card in cards]
    way = chooser.random()
    return [spellings(card)[int(way * len(spellings(card)))] for card in cards]


# FreeCell


def sized(board: FreeCellBoard) -> dict[str, int]:
    return {"cells": board.cell_count, "cascades": len(board.cascades)}


def lengths(board: FreeCellBoard) -> list[int]:
    return [len(cascade) for cascade in board.cascades]


def head(board: FreeCellBoard) -> list[str]:
    """The lines of foundations and cells."""
    return [line for line in str(board).splitlines() if line[0] == "F"]


def rows(board: FreeCellBoard, gap: str = "") -> list[list[str]]:
    """The words of a screen's rows, ``gap`` where a cascade has no card."""
    columns = (map(card_name, column) for column in board.cascades)
    return [list(row) for row in zip_longest(*columns, fillvalue=gap)]


def by_rows(board: FreeCellBoard, gap: str = "") -> str:
    return "\n".join(" ".join(row).rstrip() for row in rows(board, gap))


# Klondike

DEAL = klondike(3).deal_text()
CARDS = DEAL.split()
# Piles 1 to 7, then the stock.
LINES = [" ".join(CARDS[i * (i + 1) // 2 :][: i + 1]) for i in range(7)] + [" ".join(CARDS[28:])]
# Of a screen: the first card of every pile, the second one of all but the first, ...
ROWS = [" ".join(pile.split()[row] for pile in LINES[row:7]) for row in range(7)]

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


def hide(board: KlondikeBoard) -> KlondikeBoard:
    """The board as a player who remembers nothing sees it."""
    piles = [
        (UNKNOWN,) * hidden + pile[hidden:]
        for pile, hidden in zip(board.piles, board.face_down, strict=True)
    ]
    stock = (UNKNOWN,) * len(board.stock)
    waste = (UNKNOWN,) * (len(board.waste) - 1) + board.waste[-1:]
    return KlondikeBoard(tuple(piles), board.face_down, stock, waste, board.foundations)
