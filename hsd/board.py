"""The jitted FreeCell board: making and unmaking moves, hashing, safe home moves.

Cards are those of ``deals.cards`` (4 * rank + suit). A move is an integer
``source | target << 5 | count << 10`` whose places are 0 to 8 for the cascades,
9 to 15 for the free cells and 16 for home.

The hash is the exclusive or of one random number for each pair of a card and
the card beneath it, so it does not depend on the order of the cascades or of
the cells: boards that differ only in that order are the same state. Home cards
need no number, they are those that lie nowhere else. It has 128 bits in two
words; searches that prove nothing use the first alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from deals import FreeCellBoard
from solving.bits import lowest_bit
from solving.runtime import kernel

CELL, HOME = 9, 16
STRIDE_BITS = 6
NO_CARD, IN_CELL = 0, 1
PACKED = 96
"""Bytes of a packed board: 9 heights, 7 cells, 4 foundations, up to 52 cards, padding."""
_HEIGHTS, _CELLS, _HOMES, _CARDS = 0, 9, 16, 20


# What lies in a cascade is also kept as sums, so that heuristics need no walk over the
# cards: each card adds to the sum what its cascade says of it, which depends on the cards
# beneath it alone. The sum's fields, by their lowest bit; a total never leaves its field.
OUTSIDE, LOOPS, BREAKS, INVERSIONS, DROPS = 0, 6, 12, 18, 24
SORTED, EXPOSED, BOTTOMS, KINGS, COLUMNS = 34, 40, 47, 54, 57
WIDTHS = {
    OUTSIDE: 6, LOOPS: 6, BREAKS: 6, INVERSIONS: 6, DROPS: 10,
    SORTED: 6, EXPOSED: 7, BOTTOMS: 7, KINGS: 3, COLUMNS: 4,
}  # fmt: skip


class Board(NamedTuple):
    """The arrays of a board.

    Attributes:
        column: uint8[9 * 64], the cards of cascade c from ``64 * c`` up, deepest first.
        height: int64[9], cards in each cascade.
        cell: uint8[7], the card of each free cell, 0 if empty.
        home: int64[4], highest rank home of each suit.
        where: int64[64], by card: its index in ``column``; -1 elsewhere.
        size: int64[3], number of cascades, of cells, and of cells in use.
        key: uint64[2], the hash.
        under: uint64[9 * 64], for each place of ``column`` the set of the cards at
            and beneath it, a bit for each card.
        part: int64[9 * 64], for each place what its card adds to ``total``.
        takers: int64[32], scratch of ``list_moves``.
        total: int64[1], sums over the cards in cascades, a field each: OUTSIDE cards
            that do not belong to the sorted run at the bottom, LOOPS cards above a
            lower one of their suit, BREAKS cards that do not fit on the card beneath
            them, INVERSIONS cards above a lower one, DROPS by how many ranks at most,
            SORTED cards in cascades sorted throughout, EXPOSED ranks of exposed cards,
            BOTTOMS ranks of deepest cards, KINGS among those, COLUMNS not empty.
    """

    column: np.ndarray
    height: np.ndarray
    cell: np.ndarray
    home: np.ndarray
    where: np.ndarray
    size: np.ndarray
    key: np.ndarray
    under: np.ndarray
    part: np.ndarray
    takers: np.ndarray
    total: np.ndarray


def empty_board() -> Board:
    """A board to load positions into."""
    return Board(
        np.zeros(9 << STRIDE_BITS, np.uint8),
        np.zeros(9, np.int64),
        np.zeros(7, np.uint8),
        np.zeros(4, np.int64),
        np.full(64, -1, np.int64),
        np.zeros(3, np.int64),
        np.zeros(2, np.uint64),
        np.zeros(9 << STRIDE_BITS, np.uint64),
        np.zeros(9 << STRIDE_BITS, np.int64),
        np.zeros(32, np.int64),
        np.zeros(1, np.int64),
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
    """2 * 64 * 64 numbers by SplitMix64 (Steele, Lea and Flood 2014), the same everywhere."""
    mask = 2**64 - 1
    numbers = []
    state = 0x46726565_43656C6C
    for _ in range(2 * 64 * 64):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        numbers.append(z ^ (z >> 31))
    return np.array(numbers, np.uint64)


_PAIR = _random_numbers()


@kernel
def pair_key(card, beneath, word):
    """The number of a card lying on another, on no card, or in a cell, for a word of the hash."""
    return _PAIR[(word << 12) | (int64(card) << 6) | int64(beneath)]


@kernel
def flip(board, card, beneath):
    """Enter a pair in the hash, or take it out again."""
    board.key[0] ^= pair_key(card, beneath, 0)
    board.key[1] ^= pair_key(card, beneath, 1)


@kernel
def fits(card, target):
    """Whether a card may lie on another in a cascade: one rank lower, other colour."""
    if (target >> 2) != (card >> 2) + 1:
        return False
    return (((card ^ (card >> 1)) ^ (target ^ (target >> 1))) & 1) != 0


_OF_SUIT = np.array([sum(1 << (4 * r + s) for r in range(1, 14)) for s in range(4)], np.uint64)


@kernel
def set_place(board, at, start, card):
    """Write a card into a cascade that begins at ``start``, and what it adds to the sums."""
    rank = int64(card >> 2)
    bit = uint64(1) << uint64(card)
    board.column[at] = card
    board.where[card] = at
    if at == start:
        part = (1 << SORTED) | (rank << EXPOSED) | (rank << BOTTOMS) | (1 << COLUMNS)
        if rank == 13:
            part |= 1 << KINGS
        board.under[at] = bit
    else:
        beneath = board.column[at - 1]
        cards = board.under[at - 1]
        lowest = lowest_bit(cards) >> 2
        part = (rank - int64(beneath >> 2)) << EXPOSED
        outside = board.part[at - 1] & 1
        if not fits(card, beneath):
            part += 1 << BREAKS
            if not outside:
                # The cascade was sorted throughout: all its cards leave that sum.
                part -= (at - start) << SORTED
                outside = 1
        elif not outside:
            part += 1 << SORTED
        part += outside
        if rank > lowest:
            part += (1 << INVERSIONS) + ((rank - lowest) << DROPS)
            if cards & _OF_SUIT[card & 3] & (bit - uint64(1)):
                part += 1 << LOOPS
        board.under[at] = cards | bit
    board.part[at] = part
    board.total[0] += part


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
    board.key[0] = 0
    board.key[1] = 0
    for s in range(4):
        board.home[s] = packed[start + _HOMES + s]
    for i in range(cells):
        card = packed[start + _CELLS + i]
        board.cell[i] = card
        if card != NO_CARD:
            board.size[2] += 1
            flip(board, card, IN_CELL)
    for card in range(64):
        board.where[card] = -1
    board.total[0] = 0
    at = start + _CARDS
    for c in range(cascades):
        board.height[c] = packed[start + _HEIGHTS + c]
        beneath = np.uint8(NO_CARD)
        for i in range(board.height[c]):
            card = packed[at]
            at += 1
            set_place(board, (c << STRIDE_BITS) + i, c << STRIDE_BITS, card)
            flip(board, card, beneath)
            beneath = card


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
        flip(board, card, IN_CELL)
        return card
    board.height[source] -= 1
    at = (source << STRIDE_BITS) + board.height[source]
    card = board.column[at]
    beneath = board.column[at - 1] if board.height[source] > 0 else np.uint8(NO_CARD)
    flip(board, card, beneath)
    board.where[card] = -1
    board.total[0] -= board.part[at]
    return card


@kernel
def put(board, target, card):
    """Lay one card on a cascade or into a cell."""
    if target >= CELL:
        board.cell[target - CELL] = card
        board.size[2] += 1
        flip(board, card, IN_CELL)
        return
    at = (target << STRIDE_BITS) + board.height[target]
    beneath = board.column[at - 1] if board.height[target] > 0 else np.uint8(NO_CARD)
    set_place(board, at, target << STRIDE_BITS, card)
    board.height[target] += 1
    flip(board, card, beneath)


@kernel
def reload(board, packed, start):
    """As ``load``, from another position of the same game: what both share stays in place."""
    board.size[2] = 0
    for s in range(4):
        board.home[s] = packed[start + _HOMES + s]
    for i in range(board.size[1]):
        card = board.cell[i]
        wanted = packed[start + _CELLS + i]
        if card != wanted:
            if card != NO_CARD:
                flip(board, card, IN_CELL)
            if wanted != NO_CARD:
                flip(board, wanted, IN_CELL)
            board.cell[i] = wanted
        if wanted != NO_CARD:
            board.size[2] += 1
    at = start + _CARDS
    for c in range(board.size[0]):
        shared = min(board.height[c], int64(packed[start + _HEIGHTS + c]))
        i = 0
        while i < shared and board.column[(c << STRIDE_BITS) + i] == packed[at + i]:
            i += 1
        while board.height[c] > i:
            take(board, c)
        at += int64(packed[start + _HEIGHTS + c])
    at = start + _CARDS
    for c in range(board.size[0]):
        for i in range(board.height[c], int64(packed[start + _HEIGHTS + c])):
            put(board, c, packed[at + i])
        at += int64(packed[start + _HEIGHTS + c])


@kernel
def shift_run(board, source, target, count):
    """Move the last ``count`` cards of one cascade to the end of another."""
    start = (source << STRIDE_BITS) + board.height[source] - count
    end = (target << STRIDE_BITS) + board.height[target]
    deepest = board.column[start]
    left = board.column[start - 1] if board.height[source] > count else np.uint8(NO_CARD)
    met = board.column[end - 1] if board.height[target] > 0 else np.uint8(NO_CARD)
    for i in range(count):
        board.total[0] -= board.part[start + i]
        set_place(board, end + i, target << STRIDE_BITS, board.column[start + i])
    board.height[source] -= count
    board.height[target] += count
    flip(board, deepest, left)
    flip(board, deepest, met)


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
