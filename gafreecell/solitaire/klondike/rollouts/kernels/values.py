"""The value functions of Bjarnason, Tadepalli and Fern (2007), table 1.

A card that lies directly on a face-down card, whether face up or face down itself, *blocks* every
card below it in its pile. So what the blocking and face-down cards of a pile contribute depends
only on the number of its face-down cards. Tables hold these sums, so a value takes a dozen
look-ups. Values are integers, so they do not depend on the order of additions. ``delta`` computes
the change that an action makes (delta evaluation).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.bits import count_bits
from gafreecell.solitaire.klondike.cards import PILES, STRIDE
from gafreecell.solitaire.klondike.kernels.board import (
    HOME_TO_PILE,
    MOST_TALON,
    ONE,
    PILE_TO_HOME,
    SECOND,
    SOURCE,
    TALON_TO_HOME,
    TALON_TO_PILE,
    TARGET,
    TURNS,
    Board,
    reach,
    reach_after,
)
from gafreecell.solitaire.klondike.kernels.cards import PAIRS, bit, pair_of, rank, takers_of

FOUNDATION, FOUNDATION_RANK, FACE_DOWN, FACE_DOWN_RANK = range(4)
IN_REACH, PAIR_DOWN, BLOCKS_SUIT, BLOCKS_BUILD = range(4, 8)
KINDS = 8


class Values(NamedTuple):
    """The tables of a deal for value functions.

    Attributes:
        weight: int64[h * 8], the weights of each heuristic.
        pile: int64[h * 56], at 56 * h + 8 * p + d what pile p adds with d cards face down.
        home: int64[h * 16], at 16 * h + r what a suit adds with ranks up to r home.
        talon: int64[h * 32], at 32 * h + k what k reachable talon cards add.
    """

    weight: np.ndarray
    pile: np.ndarray
    home: np.ndarray
    talon: np.ndarray


def new_values(heuristics: int) -> Values:
    """Tables for ``prepare`` to fill."""
    lengths = KINDS, 8 * PILES, 16, 32
    return Values(*(np.zeros(heuristics * length, np.int64) for length in lengths))


@kernel
def _blocked(board: Board, p: int, d: int, build: bool) -> int:
    """How many cards the d-th card of a pile blocks: of its suit, or of those it can lie on."""
    i = board.pile[STRIDE * p + d]
    count = 0
    for k in range(d):
        below = board.pile[STRIDE * p + k]
        if build:
            count += int64(pair_of(below) == takers_of(i))
        else:
            count += int64((below & 3) == (i & 3) and below < i)
    return count


@kernel
def prepare(board: Board, values: Values) -> None:
    """Fill the tables from the first position of the deal and the weights."""
    for h in range(values.weight.size // KINDS):
        w = KINDS * h
        weight = values.weight
        for r in range(13):
            values.home[16 * h + r + 1] = (
                values.home[16 * h + r] + weight[w + FOUNDATION] + weight[w + FOUNDATION_RANK] * r
            )
        for k in range(MOST_TALON + 1):
            values.talon[32 * h + k] = weight[w + IN_REACH] * k
        for p in range(PILES):
            at = 8 * (PILES * h + p)
            values.pile[at] = 0
            for d in range(board.down[p]):
                i = board.pile[STRIDE * p + d]
                values.pile[at + d + 1] = (
                    values.pile[at + d]
                    + weight[w + FACE_DOWN]
                    + weight[w + FACE_DOWN_RANK] * (rank(i) - 1)
                    + weight[w + BLOCKS_SUIT] * _blocked(board, p, d + 1, False)
                    + weight[w + BLOCKS_BUILD] * _blocked(board, p, d + 1, True)
                )


@kernel
def value(board: Board, values: Values, h: int) -> int:
    """The value of a position under a heuristic."""
    n = board.talon_size[0]
    pairs = board.hidden[0] & (board.hidden[0] >> uint64(1)) & PAIRS
    total = values.talon[32 * h + count_bits(reach(board, n, board.waste_size[0]))] + values.weight[
        KINDS * h + PAIR_DOWN
    ] * count_bits(pairs)
    for suit in range(4):
        total += values.home[16 * h + board.home[suit]]
    for p in range(PILES):
        total += values.pile[8 * (PILES * h + p) + board.down[p]]
    return total


@kernel
def _delta(board: Board, values: Values, h: int, move: int) -> int:
    """The change that a single move makes to the value."""
    kind, source = move & 7, (move >> SOURCE) & 31
    target = (move >> TARGET) & 7
    delta = int64(0)
    if kind in (PILE_TO_HOME, TALON_TO_HOME):
        at = 16 * h + board.home[target]
        delta += values.home[at + 1] - values.home[at]
    elif kind == HOME_TO_PILE:
        at = 16 * h + board.home[source]
        delta += values.home[at - 1] - values.home[at]
    if kind in (TALON_TO_HOME, TALON_TO_PILE):
        n, c = board.talon_size[0], board.waste_size[0]
        after, before = count_bits(reach_after(board, source)), count_bits(reach(board, n, c))
        delta += values.talon[32 * h + after] - values.talon[32 * h + before]
    if (move >> TURNS) & 1:
        d = board.down[source]
        at = 8 * (PILES * h + source) + d
        delta += values.pile[at - 1] - values.pile[at]
        twin = board.pile[STRIDE * source + d - 1] ^ 1
        if board.hidden[0] & bit(twin):
            delta -= values.weight[KINDS * h + PAIR_DOWN]
    return delta


@kernel
def delta(board: Board, values: Values, h: int, action: int) -> int:
    """The change that an action makes to the value; the two moves of a pair never interact."""
    total = _delta(board, values, h, action & ONE)
    second = (action >> SECOND) & ONE
    if second:
        total += _delta(board, values, h, second)
    return total
