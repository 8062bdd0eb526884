"""The moves that searches consider, and what can be computed before a move is made.

From a cascade: the exposed card home, runs onto cascades on which they fit, runs of
every length to an empty cascade, the exposed card to a free cell. From a cell: home, onto
a cascade, to an empty cascade. A run of n cards needs n <= free cells + empty cascades
other than the target + 1 (Heineman's rule). Of several empty cascades or cells only the
first is a target, as all lead to the same state. A whole cascade does not move to an
empty one: that would not change the state.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel, large_kernel, uint64
from gafreecell.jit.kernels.bits import lowest_bit
from hsd.kernels.board import CELL, HOME, STRIDE_BITS, Board, top
from hsd.kernels.home import is_safe
from hsd.kernels.sums import fits
from hsd.kernels.zobrist import IN_CELL, NO_CARD, zobrist

ANY = 13
"""The most cards that a run has."""
AT_ONCE = 14
"""In place of the most cards of a move: a run of any length moves at once, as one move, if (free
cells + 1) times two for each other empty cascade are no fewer cards."""
MOST_MOVES = 256
"""An upper bound on the moves of a position."""


@kernel
def class_of(card: int) -> int:
    """Index of a card's rank and colour in ``takers``, of boards and of trees."""
    return ((card >> 2) << 1) | (int64(card ^ (card >> 1)) & 1)


@kernel
def most_carried(free: int, empty: int, longest: int) -> int:
    """The most cards that a move may take.

    Args:
        free: free cells.
        empty: empty cascades other than the target.
        longest: as in ``list_moves``, or ``AT_ONCE``.
    """
    if longest == AT_ONCE:
        return (free + 1) << empty
    return min(free + empty + 1, longest)


@kernel
def list_moves(board: Board, moves: np.ndarray, at: int, longest: int) -> int:
    """Write the moves of a position into ``moves`` from index ``at``; returns the end.

    Args:
        longest: the most cards that a move may take: 1; ``ANY`` for whole runs; or ``AT_ONCE``.
    """
    cascades = board.numbers.cascades
    cells = board.numbers.cells
    free = cells - board.numbers.used
    takers = board.takers
    empty = 0
    first_empty = -1
    # For each rank and colour, the set of cascades whose exposed card has them.
    for k in range(32):
        takers[k] = 0
    for c in range(cascades - 1, -1, -1):
        if board.height[c] == 0:
            empty += 1
            first_empty = c
        else:
            takers[class_of(top(board, c))] |= 1 << c
    free_cell = -1
    for i in range(cells):
        card = int64(board.cell[i])
        if card == NO_CARD:
            if free_cell < 0:
                free_cell = i
        elif board.home[card & 3] == (card >> 2) - 1:
            moves[at] = (CELL + i) | (HOME << 5) | (1 << 10)
            at += 1
    for c in range(cascades):
        card = top(board, c)
        if card != NO_CARD and board.home[card & 3] == (card >> 2) - 1:
            moves[at] = c | (HOME << 5) | (1 << 10)
            at += 1
    for c in range(cascades):
        height = board.height[c]
        if height == 0:
            continue
        end = (c << STRIDE_BITS) + height
        run = 1
        while run < height and fits(
            int64(board.column[end - run]), int64(board.column[end - run - 1])
        ):
            run += 1
        most = min(run, most_carried(free, empty, longest))
        exposed = class_of(int64(board.column[end - 1]))
        targets = 0
        for count in range(1, most + 1):
            # Colours alternate along the run and on its target.
            targets |= takers[(exposed + 2 * count) ^ (count & 1)]
        while targets:
            t = lowest_bit(uint64(targets))
            targets &= targets - 1
            count = int64(top(board, t) >> 2) - (exposed >> 1)
            moves[at] = c | (t << 5) | (count << 10)
            at += 1
        if empty > 0:
            most = min(run, most_carried(free, empty - 1, longest), height - 1)
            for count in range(1, most + 1):
                moves[at] = c | (first_empty << 5) | (count << 10)
                at += 1
        if free_cell >= 0:
            moves[at] = c | ((CELL + free_cell) << 5) | (1 << 10)
            at += 1
    for i in range(cells):
        card = int64(board.cell[i])
        if card == NO_CARD:
            continue
        targets = takers[(class_of(card) + 2) ^ 1]
        while targets:
            t = lowest_bit(uint64(targets))
            targets &= targets - 1
            moves[at] = (CELL + i) | (t << 5) | (1 << 10)
            at += 1
        if empty > 0:
            moves[at] = (CELL + i) | (first_empty << 5) | (1 << 10)
            at += 1
    return at


@kernel
def moved_card(board: Board, move: int) -> int:
    """The card that a move of one card takes."""
    source = move & 31
    if source >= CELL:
        return int64(board.cell[source - CELL])
    return top(board, source)


@kernel
def suit_home(board: Board, move: int) -> int:
    """The suit of the card that a move sends home, 0 if it goes elsewhere."""
    if ((move >> 5) & 31) == HOME:
        return int64(moved_card(board, move) & 3)
    return int64(0)


@kernel
def takes_again(last: int, move: int) -> bool:
    """Whether a move takes the cards of the last move again, and not home.

    Searches leave such moves out: the cards would return, or could have gone there at once.

    Args:
        last: the last move; 0 for none.
        move: the move.
    """
    came, to = (last >> 5) & 31, (move >> 5) & 31
    same = move & 31 == came and move >> 10 == last >> 10
    return last != 0 and same and came < HOME and to != HOME


@kernel
def stays_quiet(board: Board, move: int) -> bool:
    """Whether no safe home move can follow a move, given that none was possible before it."""
    source = move & 31
    if ((move >> 5) & 31) == HOME:
        return False
    if source >= CELL:
        return True
    beneath = board.height[source] - (move >> 10) - 1
    return beneath < 0 or not is_safe(board, int64(board.column[(source << STRIDE_BITS) + beneath]))


@kernel
def key_after(board: Board, move: int, word: int) -> int:
    """A word of the hash after a move, computed without making it (delta evaluation)."""
    source = move & 31
    target = (move >> 5) & 31
    if source >= CELL:
        card = int64(board.cell[source - CELL])
        key = board.key[word] ^ zobrist(card, IN_CELL, word)
    else:
        at = (source << STRIDE_BITS) + board.height[source] - (move >> 10)
        card = int64(board.column[at])
        beneath = int64(board.column[at - 1]) if board.height[source] > (move >> 10) else NO_CARD
        key = board.key[word] ^ zobrist(card, beneath, word)
    if target >= HOME:
        return key
    if target >= CELL:
        return key ^ zobrist(card, IN_CELL, word)
    return key ^ zobrist(card, top(board, target), word)


@kernel
def cost(move: int) -> int:
    """The number of single-card moves that a move takes; 0 if it goes home."""
    if ((move >> 5) & 31) == HOME:
        return 0
    return 2 * (move >> 10) - 1


@kernel
def charge(move: int, longest: int) -> int:
    """What a move costs in the unit of the search: one if runs move at once, else ``cost``."""
    if longest == AT_ONCE:
        return 0 if ((move >> 5) & 31) == HOME else 1
    return cost(move)


@large_kernel
def count_moves(moves: np.ndarray) -> tuple[int, int]:
    """Count a solution's moves (int64) that are not home moves, and their single-card moves."""
    count = 0
    single = 0
    for i in range(moves.size):
        if ((moves[i] >> 5) & 31) != HOME:
            count += 1
            single += cost(moves[i])
    return count, single
