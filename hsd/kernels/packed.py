"""Packed boards: a position in 128 bytes, as searches store it, and Microsoft deals as such."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deals import FreeCellBoard
from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.bits import lowest_bit
from gafreecell.jit.kernels.shuffles import shuffle_microsoft
from hsd.kernels.board import STRIDE_BITS, Board, lay, lift, put, toggle
from hsd.kernels.zobrist import IN_CELL, NO_CARD

PACKED = 16
"""Words (uint64) of a packed board: one of heights, one of cells and foundations, then the cards of
each cascade, eight to a word, lowest byte first."""
HEIGHT_BITS, _CELL_BITS, _RANK_BITS = 6, 6, 4
CARDS = 2
"""The first word of cards."""
_HOMES = 7 * _CELL_BITS


def pack_board(board: FreeCellBoard) -> np.ndarray:
    """The packed words (uint64[16]) of a position, as ``load`` reads them."""
    packed = pack_cascades(board.cascades)
    numbers = [card << (_CELL_BITS * i) for i, card in enumerate(board.cells)]
    numbers += [rank << (_HOMES + _RANK_BITS * s) for s, rank in enumerate(board.foundations)]
    packed[1] = sum(numbers)
    return packed


def pack_cascades(cascades: Sequence[Sequence[int]]) -> np.ndarray:
    """The packed words of a position with all its cards in cascades."""
    packed = np.zeros(PACKED, np.uint64)
    packed[0] = sum(len(column) << (HEIGHT_BITS * c) for c, column in enumerate(cascades))
    cards = b"".join(bytes(column) + bytes(-len(column) % 8) for column in cascades)
    packed[CARDS : CARDS + len(cards) // 8] = np.frombuffer(cards, "<u8")
    return packed


@kernel
def _height_of(packed: np.ndarray, start: int, c: int) -> int:
    """Cards in a cascade of a packed board."""
    return int64(packed[start] >> uint64(HEIGHT_BITS * c)) & 63


@kernel
def _cell_of(packed: np.ndarray, start: int, i: int) -> int:
    """The card of a cell of a packed board."""
    return int64((packed[start + 1] >> uint64(_CELL_BITS * i)) & uint64(63))


@kernel
def _home_of(packed: np.ndarray, start: int, s: int) -> int:
    """The highest rank home of a suit on a packed board."""
    return int64(packed[start + 1] >> uint64(_HOMES + _RANK_BITS * s)) & 15


@kernel
def load(board: Board, packed: np.ndarray, start: int, cascades: int, cells: int) -> None:
    """Set the board to the position packed at ``packed[start:]``, of a game of this size."""
    board.numbers.cascades = cascades
    board.numbers.cells = cells
    board.numbers.used = 0
    board.key[0] = 0
    board.key[1] = 0
    for s in range(4):
        board.home[s] = _home_of(packed, start, s)
    for i in range(cells):
        card = _cell_of(packed, start, i)
        board.cell[i] = card
        if card != NO_CARD:
            board.numbers.used += 1
            toggle(board, card, IN_CELL)
    for card in range(64):
        board.where[card] = -1
    board.numbers.sums = 0
    at = start + CARDS
    for c in range(cascades):
        board.height[c] = 0
        height = _height_of(packed, start, c)
        for i in range(height):
            put(board, c, int64((packed[at + (i >> 3)] >> uint64(8 * (i & 7))) & uint64(255)))
        at += (height + 7) >> 3


@kernel
def store(board: Board, packed: np.ndarray, start: int) -> None:
    """Write the board as packed words to ``packed[start:]``."""
    heights = uint64(0)
    others = uint64(0)
    for s in range(4):
        others |= uint64(board.home[s]) << uint64(_HOMES + _RANK_BITS * s)
    for i in range(board.numbers.cells):
        others |= uint64(board.cell[i]) << uint64(_CELL_BITS * i)
    at = start + CARDS
    for c in range(board.numbers.cascades):
        height = board.height[c]
        heights |= uint64(height) << uint64(HEIGHT_BITS * c)
        first = c << (STRIDE_BITS - 3)
        for i in range((height + 7) >> 3):
            packed[at] = board.words[first + i]
            at += 1
        if height & 7:
            # Clear cards that once lay above the exposed one.
            packed[at - 1] &= (uint64(1) << uint64(8 * (height & 7))) - uint64(1)
    packed[start] = heights
    packed[start + 1] = others


@kernel
def reload(board: Board, packed: np.ndarray, start: int) -> None:
    """Like ``load`` for another position of the same game, without updating the hash.

    The cards that both positions share at the bottom of a cascade stay in place.
    """
    board.numbers.used = 0
    for s in range(4):
        board.home[s] = _home_of(packed, start, s)
    for i in range(board.numbers.cells):
        card = _cell_of(packed, start, i)
        board.cell[i] = card
        if card != NO_CARD:
            board.numbers.used += 1
    at = start + CARDS
    for c in range(board.numbers.cascades):
        height = _height_of(packed, start, c)
        shared = min(board.height[c], height)
        first = c << (STRIDE_BITS - 3)
        for i in range((shared + 7) >> 3):
            unlike = board.words[first + i] ^ packed[at + i]
            if unlike:
                shared = min(shared, 8 * i + (lowest_bit(unlike) >> 3))
                break
        while board.height[c] > shared:
            lift(board, c)
        at += (height + 7) >> 3
    at = start + CARDS
    for c in range(board.numbers.cascades):
        height = _height_of(packed, start, c)
        for i in range(board.height[c], height):
            lay(board, c, int64((packed[at + (i >> 3)] >> uint64(8 * (i & 7))) & uint64(255)))
        at += (height + 7) >> 3


@kernel
def deal(number: int, cascades: int, packed: np.ndarray, start: int, deck: np.ndarray) -> None:
    """Write the packed board of a deal.

    Args:
        number: 1 to 2^31 - 1.
        cascades: the number of cascades, to which the cards are dealt in turn.
        packed: uint64, receives 16 words from ``start`` on.
        deck: int64[52], scratch.
    """
    shuffle_microsoft(number, deck)
    for i in range(16):
        packed[start + i] = 0
    at = start + CARDS
    heights = 0
    for c in range(cascades):
        height = (51 - c) // cascades + 1
        heights |= height << (HEIGHT_BITS * c)
        for i in range(height):
            card = uint64(deck[c + cascades * i])
            packed[at + (i >> 3)] |= card << uint64(8 * (i & 7))
        at += (height + 7) >> 3
    packed[start] = uint64(int64(heights))
