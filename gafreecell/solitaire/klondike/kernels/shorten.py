"""Makes solutions shorter by local search.

A solution is represented as a list of *steps*. A step is a card and what it goes on; draws are
left out, as they follow from the steps. A change leaves out a step, or a step and the next one of
the same card, or moves a step to an earlier or later place, where it may need fewer draws. A
change is kept if the steps still bring all cards home, in fewer moves on the table, including
draws and redeals.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel, uint64
from gafreecell.solitaire.klondike.cards import PILES, STRIDE
from gafreecell.solitaire.klondike.kernels.board import (
    COUNT,
    HOME_TO_PILE,
    PILE_TO_HOME,
    PILE_TO_PILE,
    SOURCE,
    TALON_TO_HOME,
    TALON_TO_PILE,
    TARGET,
    TURNS,
    Board,
    load,
    make,
    reach,
    top,
)
from gafreecell.solitaire.klondike.kernels.cards import bit, pair_of, rank, takers_of
from gafreecell.solitaire.klondike.moves import (
    COUNT_SHIFT,
    DRAW,
    FROM_SHIFT,
    HOME_DOWN,
    PILE_HOME,
    PILE_PILE,
    REDEAL,
    TO_SHIFT,
    WASTE_DOWN,
    WASTE_HOME,
)

_WINDOW = 40
"""The largest distance by which a step is moved."""
# A step: card | target << 6. The target is the card it goes on, the table or its foundation.
_ON, _TABLE, _FOUNDATION = 6, 60, 61


@kernel
def _turning(board: Board, p: int, count: int) -> int:
    """The ``turns`` bit of a move of ``count`` cards: whether a card turns up beneath them."""
    up = board.height[p] - board.down[p]
    return int64(up == count and board.down[p] > 0) << TURNS


@kernel
def steps_of(board: Board, packed: np.ndarray, moves: np.ndarray, steps: np.ndarray) -> int:
    """Turn moves on the table into steps; returns how many there are."""
    load(board, packed)
    waste = board.waste_size[0]
    at = 0
    for m in range(moves.size):
        move = moves[m]
        kind, source, target = move & 7, (move >> FROM_SHIFT) & 7, (move >> TO_SHIFT) & 7
        if kind == DRAW:
            waste = min(waste + board.draw[0], board.talon_size[0])
            continue
        if kind == REDEAL:
            waste = 0
            continue
        below = top(board, target)
        below = below if below >= 0 else int64(_TABLE)
        if kind in (WASTE_DOWN, WASTE_HOME):
            waste -= 1
            i = board.talon[waste]
            move = (TALON_TO_PILE if kind == WASTE_DOWN else TALON_TO_HOME) | (waste << SOURCE)
            move |= (target if kind == WASTE_DOWN else i & 3) << TARGET
        elif kind == HOME_DOWN:
            i = 4 * (board.home[source] - 1) + source
            move = HOME_TO_PILE | (source << SOURCE) | (target << TARGET)
        elif kind == PILE_HOME:
            i = top(board, source)
            move = (
                PILE_TO_HOME | (source << SOURCE) | ((i & 3) << TARGET) | _turning(board, source, 1)
            )
        else:
            count = max(moves[m] >> COUNT_SHIFT, 1)
            i = board.pile[STRIDE * source + board.height[source] - count]
            move = PILE_TO_PILE | (source << SOURCE) | (target << TARGET) | (count << COUNT)
            move |= _turning(board, source, count)
        if kind in (WASTE_HOME, PILE_HOME):
            below = int64(_FOUNDATION)
        steps[at] = i | (below << _ON)
        at += 1
        make(board, move)
    return at


@kernel
def _target(board: Board, i: int, below: int) -> int:
    """A pile that takes card ``i``, preferably with ``below`` on top; -1 if there is none."""
    found = int64(-1)
    for q in range(PILES):
        t = top(board, q)
        if t == below or (t < 0 and below == _TABLE and rank(i) == 13):
            return q
        if found < 0 and (rank(i) == 13 if t < 0 else pair_of(t) == takers_of(i)):
            found = q
    return found


@kernel
def replay(
    board: Board, packed: np.ndarray, steps: np.ndarray, n: int, longest: int, written: np.ndarray
) -> int:
    """Play steps from a position.

    Args:
        board: scratch.
        packed: the position.
        steps: int64; steps that have become redundant do nothing.
        n: how many steps there are.
        longest: the most moves on the table that they may take.
        written: int64, receives as many moves on the table as fit.

    Returns:
        The number of moves on the table; -1 if a step is impossible, if there are too many moves,
        or if not all cards are home at the end.
    """
    load(board, packed)
    at = 0
    for s in range(n):
        i, below = steps[s] & 63, steps[s] >> _ON
        suit = i & 3
        if board.home[suit] >= rank(i):
            # The card is home. It stays there, or comes back if it lies on top.
            if below == _FOUNDATION:
                continue
            q = _target(board, i, below)
            if board.home[suit] > rank(i) or q < 0:
                return -1
            move = HOME_TO_PILE | (suit << SOURCE) | (q << TARGET)
            shown = HOME_DOWN | (suit << FROM_SHIFT) | (q << TO_SHIFT)
        else:
            p = 0
            while p < PILES and not board.up[p] & bit(i):
                p += 1
            goes_home = below == _FOUNDATION
            if goes_home and board.home[suit] != rank(i) - 1:
                return -1
            q = int64(0) if goes_home else _target(board, i, below)
            if p < PILES:
                count = rank(i) - rank(top(board, p)) + 1
                start = board.height[p] - count
                if goes_home:
                    if count != 1:
                        return -1
                    move = PILE_TO_HOME | (p << SOURCE) | (suit << TARGET)
                    shown = PILE_HOME | (p << FROM_SHIFT)
                else:
                    beneath = board.pile[STRIDE * p + start - 1] if start > 0 else int64(_TABLE)
                    if beneath == below:
                        continue
                    if q < 0:
                        return -1
                    move = PILE_TO_PILE | (p << SOURCE) | (q << TARGET) | (count << COUNT)
                    shown = PILE_PILE | (p << FROM_SHIFT) | (q << TO_SHIFT) | (count << COUNT_SHIFT)
                move |= _turning(board, p, count)
            else:
                size, waste, draw = board.talon_size[0], board.waste_size[0], board.draw[0]
                j = 0
                while j < size and board.talon[j] != i:
                    j += 1
                if q < 0 or j == size or not (reach(board, size, waste) >> uint64(j)) & uint64(1):
                    return -1
                if j + 1 < waste or ((j + 1 - waste) % draw != 0 and j + 1 < size):
                    # Draw through the rest of the stock, then start over.
                    for _ in range((size - waste + draw - 1) // draw):
                        if at < written.size:
                            written[at] = DRAW
                        at += 1
                    if at < written.size:
                        written[at] = REDEAL
                    at += 1
                    waste = 0
                for _ in range((j + draw - waste) // draw):
                    if at < written.size:
                        written[at] = DRAW
                    at += 1
                if goes_home:
                    move = TALON_TO_HOME | (j << SOURCE) | (suit << TARGET)
                    shown = int64(WASTE_HOME)
                else:
                    move = TALON_TO_PILE | (j << SOURCE) | (q << TARGET)
                    shown = WASTE_DOWN | (q << TO_SHIFT)
        make(board, move)
        if at < written.size:
            written[at] = shown
        at += 1
        if at > longest:
            return -1
    if board.home[0] + board.home[1] + board.home[2] + board.home[3] < 52:
        return -1
    return at


@kernel
def _without(steps: np.ndarray, n: int, one: int, two: int, other: np.ndarray) -> int:
    """Copy all steps but two, which may be the same one; returns how many are left."""
    at = 0
    for s in range(n):
        if s != one and s != two:
            other[at] = steps[s]
            at += 1
    return at


@kernel
def improve(
    board: Board,
    packed: np.ndarray,
    steps: np.ndarray,
    other: np.ndarray,
    n: int,
    k: int,
    length: int,
    written: np.ndarray,
) -> tuple[int, int, int]:
    """Try the changes of one step; keep the first one that makes the solution shorter.

    Args:
        board: scratch.
        packed: the position.
        steps: int64, the solution; changed in place.
        other: int64, scratch of the same length.
        n: how many steps there are.
        k: the index of the step to change.
        length: how many moves on the table the solution takes.
        written: int64[0], as nothing is to be written.

    Returns:
        The new number of steps, the moves on the table that they take, and the number of replays.
    """
    replays = 0
    following = k + 1
    while following < n and (steps[following] ^ steps[k]) & 63:
        following += 1
    for last in (k, following):
        if last < n:
            fewer = _without(steps, n, k, last, other)
            found = replay(board, packed, other, fewer, length - 1, written)
            replays += 1
            if found >= 0:
                for s in range(fewer):
                    steps[s] = other[s]
                return fewer, found, replays
    for place in range(max(0, k - _WINDOW), min(n, k + _WINDOW + 1)):
        if place == k:
            continue
        for s in range(n):
            other[s] = steps[s]
        way = 1 if place > k else -1
        for s in range(k, place, way):
            other[s] = other[s + way]
        other[place] = steps[k]
        found = replay(board, packed, other, n, length - 1, written)
        replays += 1
        if found >= 0:
            for s in range(n):
                steps[s] = other[s]
            return n, found, replays
    return n, length, replays
