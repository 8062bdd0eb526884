"""The jitted FreeCell board: making and unmaking moves.

Cards are those of ``deals.cards`` (4 * rank + suit). A move is an integer
``source | target << 5 | count << 10``. Source and target are places: 0 to 8 for the
cascades, 9 to 15 for the free cells and 16 for home.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, new_registers, uint64
from hsd.kernels.sums import part_at_bottom, part_on
from hsd.kernels.zobrist import IN_CELL, NO_CARD, zobrist

CELL, HOME = 9, 16
STRIDE_BITS = 6


class Numbers(Registers):
    """The numbers of a board.

    Attributes:
        cascades, cells: the game's size.
        used: cells in use.
        sums: the packed sums over the cards in cascades (``hsd.kernels.sums``).
    """

    cascades: int
    cells: int
    used: int
    sums: int


class Board(NamedTuple):
    """The arrays of a board.

    Attributes:
        column: uint8[9 * 64], the cards of cascade c from ``64 * c`` up, deepest first.
        words: uint64[9 * 8], the same memory, eight cards to a word.
        height: int64[9], cards in each cascade.
        cell: uint8[7], the card of each free cell, 0 if empty.
        home: int64[4], highest rank home of each suit.
        where: int64[64], for each card its index in ``column``; -1 if it is in no cascade.
        key: uint64[2], the Zobrist hash.
        under: uint64[9 * 64], for each index of ``column`` the set of the cards at
            and beneath it, one bit for each card.
        part: int64[9 * 64], for each index the share of its card in the sums.
        takers: int64[32], scratch of ``list_moves``.
        numbers: ``Numbers``.
    """

    column: np.ndarray
    words: np.ndarray
    height: np.ndarray
    cell: np.ndarray
    home: np.ndarray
    where: np.ndarray
    key: np.ndarray
    under: np.ndarray
    part: np.ndarray
    takers: np.ndarray
    numbers: Numbers


def empty_board() -> Board:
    """A board to load positions into."""
    column = np.zeros(9 << STRIDE_BITS, np.uint8)
    return Board(
        column=column,
        words=column.view("<u8"),
        height=np.zeros(9, np.int64),
        cell=np.zeros(7, np.uint8),
        home=np.zeros(4, np.int64),
        where=np.full(64, -1, np.int64),
        key=np.zeros(2, np.uint64),
        under=np.zeros(9 << STRIDE_BITS, np.uint64),
        part=np.zeros(9 << STRIDE_BITS, np.int64),
        takers=np.zeros(32, np.int64),
        numbers=new_registers(Numbers),
    )


@kernel
def toggle(board: Board, card: int, beneath: int) -> None:
    """Add the pair of a card and the card beneath it to the hash, or remove it."""
    board.key[0] ^= zobrist(card, beneath, 0)
    board.key[1] ^= zobrist(card, beneath, 1)


@kernel
def set_place(board: Board, at: int, start: int, card: int) -> None:
    """Write a card into a cascade that begins at ``start``, and add its share to the sums."""
    bit = uint64(1) << uint64(card)
    board.column[at] = card
    board.where[card] = at
    if at == start:
        part = part_at_bottom(card)
        board.under[at] = bit
    else:
        under = board.under[at - 1]
        part = part_on(card, int64(board.column[at - 1]), under, board.part[at - 1], at - start)
        board.under[at] = under | bit
    board.part[at] = part
    board.numbers.sums += part


@kernel
def top(board: Board, c: int) -> int:
    """The exposed card of a cascade, 0 if it is empty."""
    if board.height[c] == 0:
        return NO_CARD
    return int64(board.column[(c << STRIDE_BITS) + board.height[c] - 1])


@kernel
def lift(board: Board, source: int) -> int:
    """Like ``take``, without updating the hash."""
    if source >= CELL:
        card = int64(board.cell[source - CELL])
        board.cell[source - CELL] = NO_CARD
        board.numbers.used -= 1
        return card
    board.height[source] -= 1
    at = (source << STRIDE_BITS) + board.height[source]
    card = int64(board.column[at])
    board.where[card] = -1
    board.numbers.sums -= board.part[at]
    return card


@kernel
def lay(board: Board, target: int, card: int) -> None:
    """Like ``put``, without updating the hash."""
    if target >= CELL:
        board.cell[target - CELL] = card
        board.numbers.used += 1
        return
    at = (target << STRIDE_BITS) + board.height[target]
    set_place(board, at, target << STRIDE_BITS, card)
    board.height[target] += 1


@kernel
def take(board: Board, source: int) -> int:
    """Remove and return the exposed card of a cascade or the card of a cell."""
    card = lift(board, source)
    toggle(board, card, IN_CELL if source >= CELL else top(board, source))
    return card


@kernel
def put(board: Board, target: int, card: int) -> None:
    """Lay one card on a cascade or into a cell."""
    toggle(board, card, IN_CELL if target >= CELL else top(board, target))
    lay(board, target, card)


@kernel
def shift_run(board: Board, source: int, target: int, count: int) -> None:
    """Move the last ``count`` cards of a cascade to another, without updating the hash."""
    start = (source << STRIDE_BITS) + board.height[source] - count
    end = (target << STRIDE_BITS) + board.height[target]
    for i in range(count):
        board.numbers.sums -= board.part[start + i]
        set_place(board, end + i, target << STRIDE_BITS, int64(board.column[start + i]))
    board.height[source] -= count
    board.height[target] += count


@kernel
def play_unhashed(board: Board, move: int) -> None:
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
def play(board: Board, move: int) -> None:
    """Make a legal move."""
    source = move & 31
    target = (move >> 5) & 31
    if source < CELL and target < CELL:
        count = move >> 10
        start = (source << STRIDE_BITS) + board.height[source] - count
        deepest = int64(board.column[start])
        left = int64(board.column[start - 1]) if board.height[source] > count else NO_CARD
        toggle(board, deepest, left)
        toggle(board, deepest, top(board, target))
        shift_run(board, source, target, count)
    elif target == HOME:
        card = take(board, source)
        board.home[card & 3] += 1
    else:
        put(board, target, take(board, source))


@kernel
def undo(board: Board, move: int, suit: int) -> None:
    """Unmake the last move without updating the hash.

    The cards that the move took are still stored beyond the end of their cascade.

    Args:
        suit: of the card, if the move sent it home.
    """
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    card = NO_CARD
    if target == HOME:
        card = int64(4 * board.home[suit] + suit)
        board.home[suit] -= 1
    elif target >= CELL:
        card = int64(board.cell[target - CELL])
        board.cell[target - CELL] = NO_CARD
        board.numbers.used -= 1
    else:
        board.height[target] -= count
        at = (target << STRIDE_BITS) + board.height[target]
        card = int64(board.column[at])
        for i in range(at, at + count):
            board.numbers.sums -= board.part[i]
    if source >= CELL:
        board.cell[source - CELL] = card
        board.numbers.used += 1
        if target < CELL:
            board.where[card] = -1
    else:
        at = (source << STRIDE_BITS) + board.height[source]
        for i in range(at, at + count):
            board.where[int64(board.column[i])] = i
            board.numbers.sums += board.part[i]
        board.height[source] += count


@kernel
def unplay(board: Board, move: int, suit: int) -> None:
    """Unmake the last move; ``suit`` is that of the card if the move sent it home."""
    source = move & 31
    target = (move >> 5) & 31
    if source < CELL and target < CELL:
        play(board, target | (source << 5) | (move & ~1023))
    elif target == HOME:
        card = int64(4 * board.home[suit] + suit)
        board.home[suit] -= 1
        put(board, source, card)
    else:
        put(board, source, take(board, target))


@kernel
def unplay_unhashed(board: Board, move: int, suit: int) -> None:
    """Like ``unplay``, without updating the hash."""
    source = move & 31
    target = (move >> 5) & 31
    if source < CELL and target < CELL:
        shift_run(board, target, source, move >> 10)
    elif target == HOME:
        board.home[suit] -= 1
        lay(board, source, int64(4 * board.home[suit] + 4 + suit))
    else:
        lay(board, source, lift(board, target))
