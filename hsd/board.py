"""The jitted FreeCell board: making and unmaking moves, Zobrist hashing, safe home moves.

Cards are those of ``deals.cards`` (4 * rank + suit). A move is an integer
``source | target << 5 | count << 10`` whose places are 0 to 8 for the cascades,
9 to 15 for the free cells and 16 for home.

The hash is a Zobrist hash with one random number for each pair of a card and the
card beneath it. So it does not depend on the order of the cascades or of the cells:
boards that differ only in that order are the same state. Home cards need no number,
as they are those that lie nowhere else. The hash has 128 bits in two words; searches
that prove nothing use the first word alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from deals import FreeCellBoard
from jit import kernel
from jit.kernels.bits import lowest_bit

CELL, HOME = 9, 16
STRIDE_BITS = 6
NO_CARD, IN_CELL = 0, 1
PACKED = 16
"""Words (uint64) of a packed board: a word of heights, one of cells and foundations, then the
cards of each cascade, eight to a word, lowest byte first."""
_HEIGHT_BITS, _CELL_BITS, _RANK_BITS = 6, 6, 4
_HOMES = 7 * _CELL_BITS


# The board also keeps sums over the cards in cascades, so that heuristics need no loop over
# the cards (delta evaluation): the share of a card in the sums depends on the cards beneath
# it alone. These are the lowest bits of the sums' fields; no sum overflows its field.
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
        words: uint64[9 * 8], the same memory, eight cards to a word.
        height: int64[9], cards in each cascade.
        cell: uint8[7], the card of each free cell, 0 if empty.
        home: int64[4], highest rank home of each suit.
        where: int64[64], by card: its index in ``column``; -1 elsewhere.
        size: int64[3], number of cascades, of cells, and of cells in use.
        key: uint64[2], the Zobrist hash.
        under: uint64[9 * 64], for each place of ``column`` the set of the cards at
            and beneath it, a bit for each card.
        part: int64[9 * 64], for each place the share of its card in ``total``.
        takers: int64[32], scratch of ``list_moves``.
        total: int64[1], sums over the cards in cascades, a field each: OUTSIDE cards
            that do not belong to the sorted run at the bottom, LOOPS cards above a
            lower one of their suit, BREAKS cards that do not fit on the card beneath
            them, INVERSIONS cards above a lower one, DROPS by how many ranks at most,
            SORTED cards in cascades sorted throughout, EXPOSED ranks of exposed cards,
            BOTTOMS ranks of deepest cards, KINGS among those, COLUMNS not empty.
    """

    column: np.ndarray
    words: np.ndarray
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
    column = np.zeros(9 << STRIDE_BITS, np.uint8)
    return Board(
        column,
        column.view("<u8"),
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
    """The packed words (uint64[16]) of a position, as ``load`` reads them."""
    packed = pack_cascades(board.cascades)
    numbers = [card << (_CELL_BITS * i) for i, card in enumerate(board.cells)]
    numbers += [rank << (_HOMES + _RANK_BITS * s) for s, rank in enumerate(board.foundations)]
    packed[1] = sum(numbers)
    return packed


def pack_cascades(cascades: Sequence[Sequence[int]]) -> np.ndarray:
    """The packed words of a position with all its cards in cascades."""
    packed = np.zeros(PACKED, np.uint64)
    packed[0] = sum(len(column) << (_HEIGHT_BITS * c) for c, column in enumerate(cascades))
    cards = b"".join(bytes(column) + bytes(-len(column) % 8) for column in cascades)
    packed[2 : 2 + len(cards) // 8] = np.frombuffer(cards, "<u8")
    return packed


def _zobrist_numbers() -> np.ndarray:
    """2 * 64 * 64 numbers by SplitMix64 (Steele, Lea and Flood 2014), the same on every machine."""
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


# The two words of a pair are adjacent.
_ZOBRIST = np.ascontiguousarray(_zobrist_numbers().reshape(2, -1).T).ravel()


@kernel
def zobrist(card, beneath, word):
    """A word of the Zobrist number of a card that lies on another, on no card or in a cell."""
    return _ZOBRIST[(int64(card) << 7) | (int64(beneath) << 1) | word]


@kernel
def toggle(board, card, beneath):
    """Add a pair to the hash, or remove it."""
    board.key[0] ^= zobrist(card, beneath, 0)
    board.key[1] ^= zobrist(card, beneath, 1)


@kernel
def fits(card, target):
    """Whether a card may lie on another in a cascade: one rank lower, other colour."""
    if (target >> 2) != (card >> 2) + 1:
        return False
    return (((card ^ (card >> 1)) ^ (target ^ (target >> 1))) & 1) != 0


_OF_SUIT = np.array([sum(1 << (4 * r + s) for r in range(1, 14)) for s in range(4)], np.uint64)


@kernel
def part_at_bottom(card):
    """The share in the sums of a card that is the deepest of its cascade."""
    rank = int64(card >> 2)
    part = (1 << SORTED) | (rank << EXPOSED) | (rank << BOTTOMS) | (1 << COLUMNS)
    if rank == 13:
        part |= 1 << KINGS
    return part


@kernel
def part_on(card, beneath, under, part_beneath, depth):
    """The share in the sums of a card that lies on another.

    Args:
        card, beneath: the card, and the one it lies on.
        under: the set of the cards beneath it.
        part_beneath: the share of the card beneath.
        depth: how many cards lie beneath it.
    """
    rank = int64(card >> 2)
    lowest = lowest_bit(under) >> 2
    part = (rank - int64(beneath >> 2)) << EXPOSED
    outside = part_beneath & 1
    if not fits(card, beneath):
        part += 1 << BREAKS
        if not outside:
            # The cascade was sorted throughout: all its cards drop out of that sum.
            part -= depth << SORTED
            outside = 1
    elif not outside:
        part += 1 << SORTED
    part += outside
    if rank > lowest:
        part += (1 << INVERSIONS) + ((rank - lowest) << DROPS)
        if under & _OF_SUIT[card & 3] & ((uint64(1) << uint64(card)) - uint64(1)):
            part += 1 << LOOPS
    return part


@kernel
def set_place(board, at, start, card):
    """Write a card into a cascade that begins at ``start``, and add its share to the sums."""
    bit = uint64(1) << uint64(card)
    board.column[at] = card
    board.where[card] = at
    if at == start:
        part = part_at_bottom(card)
        board.under[at] = bit
    else:
        under = board.under[at - 1]
        part = part_on(card, board.column[at - 1], under, board.part[at - 1], at - start)
        board.under[at] = under | bit
    board.part[at] = part
    board.total[0] += part


@kernel
def is_safe(board, card):
    """Whether a card can go home and nothing will ever need it (dominance).

    It is safe if both cards of the other colour one rank lower are home. It is also safe if
    both of them two ranks lower are home, and the other card of its colour three ranks lower.
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
def _height_of(packed, start, c):
    """Cards in a cascade of a packed board."""
    return int64(packed[start] >> uint64(_HEIGHT_BITS * c)) & 63


@kernel
def _cell_of(packed, start, i):
    """The card of a cell of a packed board."""
    return np.uint8((packed[start + 1] >> uint64(_CELL_BITS * i)) & uint64(63))


@kernel
def _home_of(packed, start, s):
    """The highest rank home of a suit on a packed board."""
    return int64(packed[start + 1] >> uint64(_HOMES + _RANK_BITS * s)) & 15


@kernel
def load(board, packed, start, cascades, cells):
    """Set the board to the position packed at ``packed[start:]``, of a game of this size."""
    board.size[0] = cascades
    board.size[1] = cells
    board.size[2] = 0
    board.key[0] = 0
    board.key[1] = 0
    for s in range(4):
        board.home[s] = _home_of(packed, start, s)
    for i in range(cells):
        card = _cell_of(packed, start, i)
        board.cell[i] = card
        if card != NO_CARD:
            board.size[2] += 1
            toggle(board, card, IN_CELL)
    for card in range(64):
        board.where[card] = -1
    board.total[0] = 0
    at = start + 2
    for c in range(cascades):
        board.height[c] = 0
        height = _height_of(packed, start, c)
        for i in range(height):
            put(board, c, np.uint8((packed[at + (i >> 3)] >> uint64(8 * (i & 7))) & uint64(255)))
        at += (height + 7) >> 3


@kernel
def store(board, packed, start):
    """Write the board as packed words to ``packed[start:]``."""
    heights = uint64(0)
    others = uint64(0)
    for s in range(4):
        others |= uint64(board.home[s]) << uint64(_HOMES + _RANK_BITS * s)
    for i in range(board.size[1]):
        others |= uint64(board.cell[i]) << uint64(_CELL_BITS * i)
    at = start + 2
    for c in range(board.size[0]):
        height = board.height[c]
        heights |= uint64(height) << uint64(_HEIGHT_BITS * c)
        first = c << (STRIDE_BITS - 3)
        for i in range((height + 7) >> 3):
            packed[at] = board.words[first + i]
            at += 1
        if height & 7:
            # Cards that once lay above the exposed one are not part of the board.
            packed[at - 1] &= (uint64(1) << uint64(8 * (height & 7))) - uint64(1)
    packed[start] = heights
    packed[start + 1] = others


@kernel
def top(board, c):
    """The exposed card of a cascade, 0 if it is empty."""
    if board.height[c] == 0:
        return np.uint8(NO_CARD)
    return board.column[(c << STRIDE_BITS) + board.height[c] - 1]


@kernel
def lift(board, source):
    """As ``take``, without updating the hash."""
    if source >= CELL:
        card = board.cell[source - CELL]
        board.cell[source - CELL] = NO_CARD
        board.size[2] -= 1
        return card
    board.height[source] -= 1
    at = (source << STRIDE_BITS) + board.height[source]
    card = board.column[at]
    board.where[card] = -1
    board.total[0] -= board.part[at]
    return card


@kernel
def lay(board, target, card):
    """As ``put``, without updating the hash."""
    if target >= CELL:
        board.cell[target - CELL] = card
        board.size[2] += 1
        return
    at = (target << STRIDE_BITS) + board.height[target]
    set_place(board, at, target << STRIDE_BITS, card)
    board.height[target] += 1


@kernel
def take(board, source):
    """Remove and return the exposed card of a cascade or the card of a cell."""
    card = lift(board, source)
    toggle(board, card, IN_CELL if source >= CELL else top(board, source))
    return card


@kernel
def put(board, target, card):
    """Lay one card on a cascade or into a cell."""
    toggle(board, card, IN_CELL if target >= CELL else top(board, target))
    lay(board, target, card)


@kernel
def reload(board, packed, start):
    """As ``load`` for another position of the same game, without updating the hash.

    The cards that both positions have in common stay in place.
    """
    board.size[2] = 0
    for s in range(4):
        board.home[s] = _home_of(packed, start, s)
    for i in range(board.size[1]):
        card = _cell_of(packed, start, i)
        board.cell[i] = card
        if card != NO_CARD:
            board.size[2] += 1
    at = start + 2
    for c in range(board.size[0]):
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
    at = start + 2
    for c in range(board.size[0]):
        height = _height_of(packed, start, c)
        for i in range(board.height[c], height):
            lay(board, c, np.uint8((packed[at + (i >> 3)] >> uint64(8 * (i & 7))) & uint64(255)))
        at += (height + 7) >> 3


@kernel
def shift_run(board, source, target, count):
    """Move the last ``count`` cards of a cascade to another, without updating the hash."""
    start = (source << STRIDE_BITS) + board.height[source] - count
    end = (target << STRIDE_BITS) + board.height[target]
    for i in range(count):
        board.total[0] -= board.part[start + i]
        set_place(board, end + i, target << STRIDE_BITS, board.column[start + i])
    board.height[source] -= count
    board.height[target] += count


@kernel
def play_unhashed(board, move):
    """Make a legal move, without updating the hash."""
    source = move & 31
    target = (move >> 5) & 31
    if source < CELL and target < CELL:
        shift_run(board, source, target, move >> 10)
    elif target == HOME:
        card = lift(board, source)
        board.home[card & 3] += 1
    else:
        lay(board, target, lift(board, source))


@kernel
def play(board, move):
    """Make a legal move."""
    source = move & 31
    target = (move >> 5) & 31
    if source < CELL and target < CELL:
        count = move >> 10
        start = (source << STRIDE_BITS) + board.height[source] - count
        deepest = board.column[start]
        left = board.column[start - 1] if board.height[source] > count else np.uint8(NO_CARD)
        toggle(board, deepest, left)
        toggle(board, deepest, top(board, target))
        shift_run(board, source, target, count)
    elif target == HOME:
        card = take(board, source)
        board.home[card & 3] += 1
    else:
        put(board, target, take(board, source))


@kernel
def undo(board, move, suit):
    """Unmake the last move without updating the hash; ``suit`` is that of a card sent home.

    The cards that the move took are still stored behind the end of their cascade.
    """
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    card = np.uint8(NO_CARD)
    if target == HOME:
        card = np.uint8(4 * board.home[suit] + suit)
        board.home[suit] -= 1
    elif target >= CELL:
        card = board.cell[target - CELL]
        board.cell[target - CELL] = NO_CARD
        board.size[2] -= 1
    else:
        board.height[target] -= count
        at = (target << STRIDE_BITS) + board.height[target]
        card = board.column[at]
        for i in range(at, at + count):
            board.total[0] -= board.part[i]
    if source >= CELL:
        board.cell[source - CELL] = card
        board.size[2] += 1
        if target < CELL:
            board.where[card] = -1
    else:
        at = (source << STRIDE_BITS) + board.height[source]
        for i in range(at, at + count):
            board.where[board.column[i]] = i
            board.total[0] += board.part[i]
        board.height[source] += count


@kernel
def send_home(board, source):
    """Move one card home; returns the move with the card's suit in its count, for ``unplay``."""
    card = take(board, source)
    board.home[card & 3] += 1
    return source | (HOME << 5) | (int64(card & 3) << 10)


@kernel
def unplay(board, move, suit):
    """Unmake the last move; ``suit`` is that of a card sent home."""
    source = move & 31
    target = (move >> 5) & 31
    if source < CELL and target < CELL:
        play(board, target | (source << 5) | (move & ~1023))
    elif target == HOME:
        card = np.uint8(4 * board.home[suit] + suit)
        board.home[suit] -= 1
        put(board, source, card)
    else:
        put(board, source, take(board, target))


@kernel
def play_safe_home(board, trail, at):
    """Send safe cards home until none is left.

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
    """Unmake the home moves of ``trail[start:at]``, last first."""
    while at > start:
        at -= 1
        unplay(board, trail[at] & 1023, trail[at] >> 10)


@kernel
def undo_home(board, trail, at):
    """Unmake the home moves of ``trail[:at]``, last first, without updating the hash."""
    while at > 0:
        at -= 1
        undo(board, (trail[at] & 1023) | (1 << 10), trail[at] >> 10)


@kernel
def is_home(board):
    """Whether all 52 cards are home: the goal."""
    return board.home[0] + board.home[1] + board.home[2] + board.home[3] == 52
