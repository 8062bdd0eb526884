"""Drops detours from a solution: a card that reaches a place in two moves goes there in one.

Either the first of the two moves is dropped and the second starts where the first did, or the
second is dropped and the first ends where the second did. This is safe if no move between them
touches the places that matter, which can be checked without a replay. ``hsd.kernels.shorten``
finds twice as much in thirty times the time.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel, large_kernel
from hsd.kernels.board import CELL, HOME, STRIDE_BITS, Board, play_unhashed
from hsd.kernels.replay import Root, load_root

EMPTIED, WAS_EMPTY = 1, 2
"""Flags of a move: it empties its source, or its target was empty. Empty places are room for
runs."""


@kernel
def _note(
    board: Board, root: Root, moves: np.ndarray, cards: np.ndarray, flags: np.ndarray
) -> None:
    """Write the deepest card and the flags of each move."""
    load_root(board, root)
    for i in range(moves.size):
        source = moves[i] & 31
        target = (moves[i] >> 5) & 31
        count = moves[i] >> 10
        flags[i] = 0
        if source >= CELL:
            cards[i] = int64(board.cell[source - CELL])
            flags[i] |= EMPTIED
        else:
            cards[i] = int64(board.column[(source << STRIDE_BITS) + board.height[source] - count])
            if board.height[source] == count:
                flags[i] |= EMPTIED
        if target != HOME and (target >= CELL or board.height[target] == 0):
            flags[i] |= WAS_EMPTY
        play_unhashed(board, moves[i])


@kernel
def _way(moves: np.ndarray, flags: np.ndarray, k: int, j: int) -> int:
    """How to drop a detour: 0 not at all, 1 without its k-th move, 2 without its j-th."""
    start = moves[k] & 31
    middle = (moves[k] >> 5) & 31
    end = (moves[j] >> 5) & 31
    count = moves[k] >> 10
    # No move goes from one cell to another.
    if start >= CELL and CELL <= end < HOME and start != end:
        return 0
    later = True
    sooner = end != HOME
    for i in range(k + 1, j):
        source = moves[i] & 31
        target = (moves[i] >> 5) & 31
        run = moves[i] >> 10 > 1
        if middle in (source, target):
            return 0
        if start in (source, target) or (run and flags[k] & EMPTIED):
            later = False
        if end in (source, target) or (run and flags[j] & WAS_EMPTY):
            sooner = False
        if not later and not sooner:
            return 0
    # A run may need the empty place itself as room to move.
    if count > 1 and flags[k] & EMPTIED:
        later = False
    if count > 1 and flags[j] & WAS_EMPTY:
        sooner = False
    if later:
        return 1
    return 2 if sooner else 0


@kernel
def _delete(moves: np.ndarray, cards: np.ndarray, flags: np.ndarray, at: int, size: int) -> int:
    """Delete a move; returns how many are left."""
    for i in range(at, size - 1):
        moves[i] = moves[i + 1]
        cards[i] = cards[i + 1]
        flags[i] = flags[i + 1]
    return size - 1


@large_kernel
def drop_detours(
    board: Board, root: Root, moves: np.ndarray, cards: np.ndarray, flags: np.ndarray
) -> int:
    """Drop the detours of a solution.

    Args:
        board: scratch.
        root: where the moves start.
        moves: int64, all moves of a solution; overwritten by the shorter solution.
        cards, flags: int64, scratch as long as ``moves``.

    Returns:
        The number of moves left.
    """
    _note(board, root, moves, cards, flags)
    size = moves.size
    k = 0
    while k < size:
        count = moves[k] >> 10
        dropped = -1
        if ((moves[k] >> 5) & 31) != HOME:
            for j in range(k + 1, size):
                if cards[j] != cards[k]:
                    continue
                if moves[j] >> 10 == count:
                    way = _way(moves, flags, k, j)
                    if way == 1:
                        # Later: the j-th move starts where the k-th did.
                        moves[j] = (moves[j] & ~31) | (moves[k] & 31)
                        flags[j] |= flags[k] & EMPTIED
                        dropped = k
                    elif way == 2:
                        # Sooner: the k-th move ends where the j-th does.
                        moves[k] = (moves[k] & ~(31 << 5)) | (moves[j] & (31 << 5))
                        flags[k] = (flags[k] & EMPTIED) | (flags[j] & WAS_EMPTY)
                        dropped = j
                break
        if dropped < 0:
            k += 1
            continue
        size = _delete(moves, cards, flags, dropped, size)
        # The merged move may end where it starts: then it is no move and is dropped, too.
        at = k if dropped > k else j - 1
        if (moves[at] & 31) == ((moves[at] >> 5) & 31):
            size = _delete(moves, cards, flags, at, size)
        # An earlier move may now be part of a detour.
        k = max(k - 1, 0)
    return size
