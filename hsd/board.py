"""The jitted FreeCell board: making and unmaking moves, hashing, safe home moves.

Cards are those of ``deals.cards`` (4 * rank + suit). A move is an integer
``source | target << 5 | count << 10`` whose places are 0 to 8 for the cascades,
9 to 15 for the free cells and 16 for home.

The hash is the exclusive or of one random number for each pair of a card and
the card beneath it, so it does not depend on the order of the cascades or of
the cells: boards that differ only in that order are the same state. Home cards
need no number, they are those that lie nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from deals import FreeCellBoard
from solving.runtime import kernel

CELL, HOME = 9, 16
STRIDE_BITS = 6
NO_CARD, IN_CELL = 0, 1
PACKED = 96
"""Bytes of a packed board: 9 heights, 7 cells, 4 foundations, up to 52 cards, padding."""
_HEIGHTS, _CELLS, _HOMES, _CARDS = 0, 9, 16, 20


class Board(NamedTuple):
    """The arrays of a board.

    Attributes:
        column: uint8[9 * 64], the cards of cascade c from ``64 * c`` up, deepest first.
        height: int64[9], cards in each cascade.
        cell: uint8[7], the card of each free cell, 0 if empty.
        home: int64[4], highest rank home of each suit.
        where: int64[64], by card: its index in ``column``; meaningless elsewhere.
        size: int64[3], number of cascades, of cells, and of cells in use.
        key: uint64[1], the hash.
    """

    column: np.ndarray
    height: np.ndarray
    cell: np.ndarray
    home: np.ndarray
    where: np.ndarray
    size: np.ndarray
    key: np.ndarray


def empty_board() -> Board:
    """A board to load positions into."""
    return Board(
        np.zeros(9 << STRIDE_BITS, np.uint8),
        np.zeros(9, np.int64),
        np.zeros(7, np.uint8),
        np.zeros(4, np.int64),
        np.full(64, -1, np.int64),
        np.zeros(3, np.int64),
        np.zeros(1, np.uint64),
    )


def pack_board(board: FreeCellBoard) -> np.ndarray:
    """The packed bytes of a position, as ``load`` reads them."""
    packed = pack_cascades(board.cascades)
    packed[_CELLS : _CELLS + len(board.cells)] = board.cells
    packed[_HOMES : _HOMES + 4] = board.foundations
    return packed


def pack_cascades(cascades: Sequence[Sequence[int]]) -> np.ndarray:
    """The packed bytes of a position with all its cards in cascades."""
    packed = np.zeros(PACKED, np.uint8)
    packed[_HEIGHTS : _HEIGHTS + len(cascades)] = [len(column) for column in cascades]
    cards = [card for column in cascades for card in column]
    packed[_CARDS : _CARDS + len(cards)] = cards
    return packed


def _random_numbers() -> np.ndarray:
    """64 * 64 numbers by SplitMix64 (Steele, Lea and Flood 2014), the same everywhere."""
    mask = 2**64 - 1
    numbers = []
    state = 0x46726565_43656C6C
    for _ in range(64 * 64):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        numbers.append(z ^ (z >> 31))
    return np.array(numbers, np.uint64)


_PAIR = _random_numbers()


@kernel
def pair_key(card, beneath):
    """The number of a card lying on another, on no card, or in a cell."""
    return _PAIR[(int64(card) << 6) | int64(beneath)]


@kernel
def fits(card, target):
    """Whether a card may lie on another in a cascade: one rank lower, other colour."""
    if (target >> 2) != (card >> 2) + 1:
        return False
    return (((card ^ (card >> 1)) ^ (target ^ (target >> 1))) & 1) != 0


@kernel
def is_safe(board, card):
    """Whether a card can go home and nothing will ever need it.

    Safe: both cards of the other colour one rank lower are home, or both two
    ranks lower are home and its twin of the same colour three ranks lower is.
    """
    rank = int64(card >> 2)
    suit = int64(card & 3)
    if board.home[suit] != rank - 1:
        return False
    # Clubs 0 and spades 3 are black, diamonds 1 and hearts 2 are red.
    twin = 3 - suit
    if suit == 0 or suit == 3:
        lower = min(board.home[1], board.home[2])
    else:
        lower = min(board.home[0], board.home[3])
    return lower >= rank - 1 or (lower >= rank - 2 and board.home[twin] >= rank - 3)


@kernel
def load(board, packed, start, cascades, cells):
    """Set the board to the position packed at ``packed[start:]`` of a game of this size."""
    board.size[0] = cascades
    board.size[1] = cells
    board.size[2] = 0
    key = uint64(0)
    for s in range(4):
        board.home[s] = packed[start + _HOMES + s]
    for i in range(cells):
        card = packed[start + _CELLS + i]
        board.cell[i] = card
        if card != NO_CARD:
            board.size[2] += 1
            key ^= pair_key(card, IN_CELL)
    for card in range(64):
        board.where[card] = -1
    at = start + _CARDS
    for c in range(cascades):
        board.height[c] = packed[start + _HEIGHTS + c]
        beneath = np.uint8(NO_CARD)
        for i in range(board.height[c]):
            card = packed[at]
            at += 1
            board.column[(c << STRIDE_BITS) + i] = card
            board.where[card] = (c << STRIDE_BITS) + i
            key ^= pair_key(card, beneath)
            beneath = card
    board.key[0] = key


@kernel
def store(board, packed, start):
    """Write the board as packed bytes to ``packed[start:]``."""
    for s in range(4):
        packed[start + _HOMES + s] = board.home[s]
    for i in range(board.size[1]):
        packed[start + _CELLS + i] = board.cell[i]
    at = start + _CARDS
    for c in range(board.size[0]):
        packed[start + _HEIGHTS + c] = board.height[c]
        for i in range(board.height[c]):
            packed[at] = board.column[(c << STRIDE_BITS) + i]
            at += 1


@kernel
def top(board, c):
    """The exposed card of a cascade, 0 if it is empty."""
    if board.height[c] == 0:
        return np.uint8(NO_CARD)
    return board.column[(c << STRIDE_BITS) + board.height[c] - 1]


@kernel
def take(board, source):
    """Remove and return the one card of a cascade's end or of a cell."""
    if source >= CELL:
        card = board.cell[source - CELL]
        board.cell[source - CELL] = NO_CARD
        board.size[2] -= 1
        board.key[0] ^= pair_key(card, IN_CELL)
        return card
    board.height[source] -= 1
    at = (source << STRIDE_BITS) + board.height[source]
    card = board.column[at]
    beneath = board.column[at - 1] if board.height[source] > 0 else np.uint8(NO_CARD)
    board.key[0] ^= pair_key(card, beneath)
    board.where[card] = -1
    return card


@kernel
def put(board, target, card):
    """Lay one card on a cascade or into a cell."""
    if target >= CELL:
        board.cell[target - CELL] = card
        board.size[2] += 1
        board.key[0] ^= pair_key(card, IN_CELL)
        return
    at = (target << STRIDE_BITS) + board.height[target]
    beneath = board.column[at - 1] if board.height[target] > 0 else np.uint8(NO_CARD)
    board.column[at] = card
    board.where[card] = at
    board.height[target] += 1
    board.key[0] ^= pair_key(card, beneath)


@kernel
def shift_run(board, source, target, count):
    """Move the last ``count`` cards of one cascade to the end of another."""
    start = (source << STRIDE_BITS) + board.height[source] - count
    end = (target << STRIDE_BITS) + board.height[target]
    deepest = board.column[start]
    left = board.column[start - 1] if board.height[source] > count else np.uint8(NO_CARD)
    met = board.column[end - 1] if board.height[target] > 0 else np.uint8(NO_CARD)
    for i in range(count):
        card = board.column[start + i]
        board.column[end + i] = card
        board.where[card] = end + i
    board.height[source] -= count
    board.height[target] += count
    board.key[0] ^= pair_key(deepest, left) ^ pair_key(deepest, met)


@kernel
def play(board, move):
    """Make a move that is legal."""
    source = move & 31
    target = (move >> 5) & 31
    if source < CELL and target < CELL:
        shift_run(board, source, target, move >> 10)
    elif target == HOME:
        card = take(board, source)
        board.home[card & 3] += 1
    else:
        put(board, target, take(board, source))


@kernel
def send_home(board, source):
    """Move one card home; returns the move with the card's suit in its count, for ``unplay``."""
    card = take(board, source)
    board.home[card & 3] += 1
    return source | (HOME << 5) | (int64(card & 3) << 10)


@kernel
def unplay(board, move, suit):
    """Take back the last move; ``suit`` is that of the card if the move went home."""
    source = move & 31
    target = (move >> 5) & 31
    if source < CELL and target < CELL:
        shift_run(board, target, source, move >> 10)
    elif target == HOME:
        card = np.uint8(4 * board.home[suit] + suit)
        board.home[suit] -= 1
        put(board, source, card)
    else:
        put(board, source, take(board, target))


@kernel
def play_safe_home(board, trail, at):
    """Send every safe card home, again and again until none is left.

    Args:
        trail: int64 array that receives the moves from index ``at`` on, as
            ``send_home`` returns them.

    Returns:
        The index behind the last move written.
    """
    again = True
    while again:
        again = False
        for c in range(board.size[0]):
            while board.height[c] > 0 and is_safe(board, top(board, c)):
                trail[at] = send_home(board, c)
                at += 1
                again = True
        for i in range(board.size[1]):
            if board.cell[i] != NO_CARD and is_safe(board, board.cell[i]):
                trail[at] = send_home(board, CELL + i)
                at += 1
                again = True
    return at


@kernel
def unplay_home(board, trail, at, start):
    """Take back the home moves of ``trail[start:at]``, last first."""
    while at > start:
        at -= 1
        unplay(board, trail[at] & 1023, trail[at] >> 10)


@kernel
def is_home(board):
    """Whether all 52 cards are home: the goal."""
    return board.home[0] + board.home[1] + board.home[2] + board.home[3] == 52
