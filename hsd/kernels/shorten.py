"""Drops redundant moves from a solution.

Solutions often contain them: a card goes to a cell and then to a cascade where it could
have gone at once, or moves for no reason. Here each move in turn is left out, together
with all later moves that then become impossible (action elimination; Nakhost and Müller
2010). If that fails, the card goes at once where its next move takes it. If all cards
still get home in fewer moves, the shorter solution replaces the longer one.
"""

from __future__ import annotations

import numpy as np

from deals.microsoft import shuffled_deck
from gafreecell.jit import int64, kernel
from hsd.kernels.board import (
    CELL,
    HOME,
    STRIDE_BITS,
    Board,
    empty_board,
    play_unhashed,
    top,
    unplay,
)
from hsd.kernels.home import is_home
from hsd.kernels.moves import ANY, charge, most_carried
from hsd.kernels.packed import pack_cascades, reload
from hsd.kernels.replay import Root, load_root
from hsd.kernels.sums import fits
from hsd.kernels.zobrist import NO_CARD

# A step is a move in terms of cards, so that it keeps its meaning if other moves are left out:
# card | count << 6 | where << 11, which are the deepest card moved, the number of cards, and the
# card they are laid on or one of these targets.
_CARDS = (1 << 11) - 1
_TO_EMPTY, _TO_CELL, _TO_HOME = 0, 1, 2
_NOWHERE = -1

# If a solution works without a move, few later moves become impossible. So a replay stops once more
# than MISSES of them, home moves not counted, were impossible, or more than LATE home moves wait.
MISSES, LATE = 3, 8
TRIES = 50_000
"""The largest number of replays; only solutions of many thousand moves need so many."""


@kernel
def _step(board: Board, move: int) -> int:
    """The step that a move on this board stands for."""
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    if source >= CELL:
        card = int64(board.cell[source - CELL])
    else:
        card = int64(board.column[(source << STRIDE_BITS) + board.height[source] - count])
    if target == HOME:
        where = _TO_HOME
    elif target >= CELL:
        where = _TO_CELL
    else:
        where = int64(top(board, target))
    return int64(card) | (count << 6) | (where << 11)


@kernel
def _move(board: Board, step: int, longest: int) -> int:
    """The move that carries out a step on this board; -1 if the step is impossible."""
    card = step & 63
    count = (step >> 6) & 31
    where = step >> 11
    at = board.where[card]
    cells = board.numbers.cells
    if at >= 0:
        source = at >> STRIDE_BITS
        end = (source << STRIDE_BITS) + board.height[source]
        if at + count != end:
            return _NOWHERE
        for i in range(at + 1, end):
            if not fits(int64(board.column[i]), int64(board.column[i - 1])):
                return _NOWHERE
    else:
        source = _NOWHERE
        for i in range(cells):
            if int64(board.cell[i]) == card:
                source = CELL + i
        if source < 0 or count > 1:
            return _NOWHERE
    if where == _TO_HOME:
        if board.home[card & 3] != (card >> 2) - 1:
            return _NOWHERE
        return source | (HOME << 5) | (count << 10)
    if where == _TO_CELL:
        if source >= CELL:
            return _NOWHERE
        for i in range(cells):
            if board.cell[i] == NO_CARD:
                return source | ((CELL + i) << 5) | (count << 10)
        return _NOWHERE
    empty = 0
    target = _NOWHERE
    for c in range(board.numbers.cascades):
        if board.height[c] == 0:
            empty += 1
            target = c if target < 0 else target
    if where == _TO_EMPTY:
        if target < 0 or (source < CELL and board.height[source] == count):
            return _NOWHERE
        empty -= 1
    else:
        at = board.where[where]
        if at < 0:
            return _NOWHERE
        target = at >> STRIDE_BITS
        if target == source or at + 1 != (target << STRIDE_BITS) + board.height[target]:
            return _NOWHERE
    if count > most_carried(cells - board.numbers.used, empty, longest):
        return _NOWHERE
    return source | (target << 5) | (count << 10)


@kernel
def _replay(
    board: Board,
    longest: int,
    steps: np.ndarray,
    start: int,
    end: int,
    instead: int,
    skipped: int,
    most: int,
    written: np.ndarray,
    late: np.ndarray,
    trail: np.ndarray,
) -> tuple[int, int]:
    """Play the steps from ``start`` on and skip the impossible ones.

    A home move that is not possible yet is made as soon as it is.

    Args:
        board: the position before ``steps[start]``; it is restored at the end.
        longest: as in ``shorten``.
        instead: a step in place of ``steps[start]``, -1 for none.
        skipped: index of another step that is left out, -1 for none.
        most: the most that the steps may cost.
        written: receives the steps made, from index ``start`` on.
        late: scratch.
        trail: scratch for the moves made.

    Returns:
        The index after the last step written (-1 if some card did not get home), and what the
        steps cost.
    """
    waiting = 0
    at = start
    used = 0
    misses = 0
    for i in range(start, end):
        step = instead if i == start else steps[i]
        if step < 0 or i == skipped:
            continue
        move = _move(board, step, longest)
        if move < 0:
            if (step >> 11) == _TO_HOME:
                late[waiting] = step
                waiting += 1
            else:
                misses += 1
            if misses > MISSES or waiting > LATE:
                break
            continue
        used += charge(move, longest)
        if used > most:
            break
        play_unhashed(board, move)
        written[at] = step
        trail[at] = move
        at += 1
        j = 0
        while j < waiting:
            move = _move(board, late[j], longest)
            if move < 0:
                j += 1
                continue
            play_unhashed(board, move)
            written[at] = late[j]
            trail[at] = move
            at += 1
            waiting -= 1
            late[j] = late[waiting]
            # Another home move that waits may be possible now.
            j = 0
    reached = at if is_home(board) else -1
    while at > start:
        at -= 1
        unplay(board, trail[at], int64(written[at] & 3))
    return reached, used


@kernel
def _next_of_same(steps: np.ndarray, k: int, end: int) -> int:
    """Index of the next step of the same cards; -1 if there is none or it is a home move."""
    for i in range(k + 1, end):
        if (steps[i] & _CARDS) == (steps[k] & _CARDS):
            return -1 if (steps[i] >> 11) == _TO_HOME else i
    return -1


@kernel
def shorten(
    board: Board,
    root: Root,
    longest: int,
    moves: np.ndarray,
    steps: np.ndarray,
    written: np.ndarray,
    late: np.ndarray,
    trail: np.ndarray,
) -> int:
    """Drop redundant moves until none can be dropped alone, or after ``TRIES`` replays.

    Args:
        board: scratch ``Board``.
        root: where the moves start.
        longest: ``ANY`` if moves count in single cards, ``AT_ONCE`` if a run counts one move.
        moves: int64, all moves of a solution; overwritten by the shorter solution.
        steps, written, late, trail: int64, scratch as long as ``moves``.

    Returns:
        The number of moves left.
    """
    load_root(board, root)
    end = moves.size
    left = int64(0)
    for i in range(end):
        steps[i] = _step(board, moves[i])
        left += charge(moves[i], longest)
        play_unhashed(board, moves[i])
    tries = 0
    again = True
    while again:
        again = False
        reload(board, root.packed, 0)
        used = int64(0)
        k = 0
        while k < end:
            reached = -1
            further = int64(0)
            if (steps[k] >> 11) != _TO_HOME and tries < TRIES:
                tries += 1
                most = left - used - 1
                reached, further = _replay(
                    board, longest, steps, k, end, int64(-1), -1, most, written, late, trail
                )
                other = _next_of_same(steps, k, end) if reached < 0 else -1
                if other >= 0:
                    reached, further = _replay(
                        board,
                        longest,
                        steps,
                        k,
                        end,
                        steps[other],
                        other,
                        most,
                        written,
                        late,
                        trail,
                    )
            if reached >= 0:
                for i in range(k, reached):
                    steps[i] = written[i]
                end = reached
                left = used + further
                again = True
            else:
                move = _move(board, steps[k], longest)
                used += charge(move, longest)
                play_unhashed(board, move)
                k += 1
    reload(board, root.packed, 0)
    for i in range(end):
        moves[i] = _move(board, steps[i], longest)
        play_unhashed(board, moves[i])
    return end


def load_kernels() -> None:
    """Load the kernel that shortens solutions."""
    deck = shuffled_deck(1)
    root = Root(pack_cascades([deck[i::8] for i in range(8)]), 8, 4, True)
    shorten(empty_board(), root, ANY, *np.zeros((5, 0), np.int64))
