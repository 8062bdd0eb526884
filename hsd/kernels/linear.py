"""Weighted sums of features in whole numbers, compiled for one size of game.

Searches that score millions of states a second do not compute the features one by one.
The sum is rearranged into an integer coefficient for each count that the board keeps, and
tables for what depends on the numbers of cells and cascades in use. It equals the
weighted sum of ``features.measure`` up to rounding. ``score_after`` computes the score
after a move from the differences that the move makes (delta evaluation).
"""

from __future__ import annotations

import inspect
import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, new_registers, uint64
from gafreecell.solving.policy import Policy
from hsd.kernels.board import STRIDE_BITS, Board
from hsd.kernels.deltas import NO_MOVE, counts_after, least_above
from hsd.kernels.features import HSDH_RANGE, MOVES_MADE, NAMES, TERMS, Counted, Room, best_bottoms
from hsd.kernels.policy import Conditions, conditions_of, first_holding
from hsd.kernels.sums import (
    BOTTOMS,
    BREAKS,
    COLUMNS,
    DROPS,
    EXPOSED,
    INVERSIONS,
    KINGS,
    LOOPS,
    OUTSIDE,
    SORTED,
)
from hsd.kernels.zobrist import NO_CARD

UNIT = 1 << 24
"""A score of 1."""
LARGEST = 127
"""An upper bound on scores, so that they fit in 32 bits."""
DEEPEST = 10_000
"""The largest number of moves made that a score counts; more moves count as this many."""


class Coefficients(Registers):
    """What one unit of each count adds to a score.

    Attributes:
        home, lowest, highest, above, second, least, ranks: as in ``features.Counted``.
        hsdh: cards above the next needed ones, doubled without room, at most ``HSDH_RANGE``.
        loops, breaks, inversions, drops, outside, sorted, bottoms: the board's sums.
        buried: kings neither home nor deepest in their cascade.
        made: single-card moves so far.
        bound: the deadlock bound, which the search adds.
        off: 1 if the last move took cards off a card on which they fit; the search adds it.
    """

    home: int
    lowest: int
    highest: int
    above: int
    hsdh: int
    second: int
    least: int
    loops: int
    breaks: int
    inversions: int
    drops: int
    outside: int
    sorted: int
    bottoms: int
    buried: int
    ranks: int
    made: int
    bound: int
    off: int


_COUNTS = tuple(inspect.get_annotations(Coefficients))
_LEAST = NAMES.index("LeastAboveNext")
_COLUMNS = 10
_ROOMS = 8 * _COLUMNS


class Linear(NamedTuple):
    """An evaluator compiled for one size of game.

    Attributes:
        of: ``Coefficients``.
        exposed: int64[10], by columns in use, what each rank of an exposed card adds.
        room: int64[8 * 10], by cells and columns in use, what these alone add.
    """

    of: Coefficients
    exposed: np.ndarray
    room: np.ndarray


@lru_cache(maxsize=100)
def _terms(cascades: int, cells: int) -> np.ndarray:
    """Each feature's coefficients for counts, ``exposed`` and ``room``.

    Returns:
        float64[features, counts + 10 + 80].
    """
    out = np.zeros((len(TERMS), len(_COUNTS) + _COLUMNS + _ROOMS))
    for row, terms in zip(out, TERMS, strict=True):
        of, exposed, room = np.split(row, (len(_COUNTS), len(_COUNTS) + _COLUMNS))
        given = terms(Room(0, 0, cells, cascades))
        of[:] = [given.get(name, 0.0) for name in _COUNTS]
        for columns in range(cascades + 1):
            for used in range(cells + 1):
                given = terms(Room(used, columns, cells, cascades))
                exposed[columns] = given.get("exposed", 0.0)
                room[_COLUMNS * used + columns] = given.get("one", 0.0)
    return out


@lru_cache(maxsize=1000)
def compiled(weights: bytes, cascades: int, cells: int) -> Linear:
    """An evaluator's coefficients for a game of this size.

    Args:
        weights: float64, of every feature in order.
        cascades, cells: the game's size.

    Only the proportions of weights matter, so very large weights are halved until no score
    can exceed ``LARGEST``.
    """
    given = np.frombuffer(weights)
    return _linear(np.ldexp(given, -halvings(given)), cascades, cells)


def _linear(scaled: np.ndarray, cascades: int, cells: int) -> Linear:
    """The coefficients of weights that are small enough."""
    # Summed feature by feature, so that the result does not depend on a library's summation order.
    out = (scaled[:, np.newaxis] * _terms(cascades, cells)).sum(axis=0)
    whole = np.rint(out * UNIT).astype(np.int64)
    counts, exposed, room = np.split(whole, (len(_COUNTS), len(_COUNTS) + _COLUMNS))
    of = new_registers(Coefficients)
    for name, value in zip(_COUNTS, counts, strict=True):
        setattr(of, name, value)
    return Linear(of, exposed, room)


class LinearRules(NamedTuple):
    """A policy's rules compiled for one size of game; the default is a ``Linear`` beside them.

    Attributes:
        conditions: when each rule holds.
        least: whether a sum or a condition needs ``least``, the costliest of the counts.
        of: ``Coefficients`` of each rule, as an array.
        exposed: int64[rules, 10], as in ``Linear``.
        room: int64[rules, 80], as in ``Linear``, with each rule's offset added.
    """

    conditions: Conditions
    least: bool
    of: np.ndarray
    exposed: np.ndarray
    room: np.ndarray


@lru_cache(maxsize=1000)
def compiled_policy(policy: Policy, cascades: int, cells: int) -> tuple[Linear, LinearRules]:
    """A policy's default and its rules for a game of this size.

    Very large weights are halved as in ``compiled``, all rows and offsets equally often.
    """
    with_offsets = np.column_stack((policy.weights, policy.offsets))
    halved = np.ldexp(with_offsets, -max(map(halvings, with_offsets)))
    rows = []
    for row in halved:
        linear = _linear(row[:-1], cascades, cells)
        linear.room[:] += int(np.rint(row[-1] * UNIT))
        rows.append(linear)
    *rules, default = rows
    compared = _LEAST in policy.feature
    return default, LinearRules(
        conditions_of(policy),
        bool(compared or any(row.of.least for row in rows)),
        np.array([row.of for row in rules]),
        np.array([row.exposed for row in rules]),
        np.array([row.room for row in rules]),
    )


def halvings(weights: np.ndarray) -> int:
    """How often the weights are halved so that every score stays below ``LARGEST``."""
    peak = float(np.abs(weights).max())
    if peak == 0:
        return 0
    shares = np.abs(weights / peak)
    shares[NAMES.index(MOVES_MADE)] *= DEEPEST / 100
    total = float(shares.sum())
    if peak * total <= LARGEST:
        return 0
    # From the exponents, as the product itself may be too large for a float.
    return math.frexp(peak)[1] + math.frexp(total / LARGEST)[1]


class Notes(NamedTuple):
    """What ``score_after`` needs to know about a position; whole numbers.

    Attributes:
        home_part: the part of the score that depends on the cards home.
        above, second, ranks, kings: as in ``features.Counted``.
        next_cards, second_cards: the sets of the next needed cards and of those after them.
    """

    home_part: int
    above: int
    second: int
    ranks: int
    kings: int
    next_cards: int
    second_cards: int


@kernel
def _home_part(board: Board, k: Linear, kings: int) -> int:
    """The part of a score that depends on the cards home; ``kings`` are those not home."""
    home = board.home
    return (
        (home[0] + home[1] + home[2] + home[3]) * k.of.home
        + min(home[0], home[1], home[2], home[3]) * k.of.lowest
        + max(home[0], home[1], home[2], home[3]) * k.of.highest
        + kings * k.of.buried
    )


@kernel
def _needs_least(k: Linear, rules: LinearRules | None) -> bool:
    """Whether scores need ``least``, the costliest of the counts."""
    if rules is None:
        return k.of.least != 0
    return rules.least


@kernel
def prepare(board: Board, k: Linear) -> Notes:
    """Compute what ``score_after`` needs to know about a position."""
    home = board.home
    above = 0
    second = 0
    next_cards = uint64(0)
    second_cards = uint64(0)
    kings = 4
    for s in range(4):
        if home[s] == 13:
            kings -= 1
            continue
        card = 4 * (home[s] + 1) + s
        next_cards |= uint64(1) << uint64(card)
        at = board.where[card]
        if at >= 0:
            above += board.height[at >> STRIDE_BITS] - 1 - (at & 63)
        if home[s] < 12:
            card += 4
            second_cards |= uint64(1) << uint64(card)
            at = board.where[card]
            if at >= 0:
                second += board.height[at >> STRIDE_BITS] - 1 - (at & 63)
    ranks = 0
    if board.numbers.used > 0:
        for i in range(board.numbers.cells):
            card = int64(board.cell[i])
            if card != NO_CARD:
                ranks += (card >> 2) - 1 - home[card & 3]
    home_part = _home_part(board, k, kings)
    return Notes(home_part, above, second, ranks, kings, next_cards, second_cards)


@kernel
def weigh(
    cascades: int,
    cells: int,
    k: Linear,
    home_part: int,
    above: int,
    second: int,
    ranks: int,
    least: int,
    used: int,
    sums: int,
    made: int,
) -> int:
    """A position's score from its counts.

    Args:
        cascades, cells: the game's size.
        k: the coefficients.
        home_part: the part of the score that depends on the cards home.
        above, second, ranks, least: as in ``features.Counted``.
        used: cells in use.
        sums: the sums over the cards in cascades.
        made: single-card moves so far.
    """
    columns = (sums >> COLUMNS) & 15
    stuck = used == cells and columns == cascades
    return (
        home_part
        + k.room[_COLUMNS * used + columns]
        + min(made, DEEPEST) * k.of.made
        + ranks * k.of.ranks
        + above * k.of.above
        + min(2 * above if stuck else above, HSDH_RANGE) * k.of.hsdh
        + second * k.of.second
        + least * k.of.least
        - ((sums >> KINGS) & 7) * k.of.buried
        + ((sums >> OUTSIDE) & 63) * k.of.outside
        + ((sums >> LOOPS) & 63) * k.of.loops
        + ((sums >> BREAKS) & 63) * k.of.breaks
        + ((sums >> INVERSIONS) & 63) * k.of.inversions
        + ((sums >> DROPS) & 1023) * k.of.drops
        + ((sums >> SORTED) & 63) * k.of.sorted
        + ((sums >> EXPOSED) & 127) * k.exposed[columns]
        + ((sums >> BOTTOMS) & 127) * k.of.bottoms
    )


@kernel
def _weigh_by(
    board: Board,
    k: Linear,
    rules: LinearRules | None,
    notes: Notes,
    above: int,
    second: int,
    ranks: int,
    least: int,
    used: int,
    sums: int,
    made: int,
) -> int:
    """A position's score from its counts, by the weighted sum that applies to it.

    Args:
        board: only its size and the cards home are read; the rest need not be the position's.
        k: the coefficients; for a policy, those of its default.
        rules: a policy's rules, or None.
        notes: from ``prepare`` with the same ``k``.
        above, second, ranks, least, used, sums, made: as in ``weigh``.
    """
    cascades, cells, home = board.numbers.cascades, board.numbers.cells, board.home
    if rules is None:
        return weigh(
            cascades, cells, k, notes.home_part, above, second, ranks, least, used, sums, made
        )
    columns = (sums >> COLUMNS) & 15
    c = Counted(
        cascades, cells, used, columns, cells - used + cascades - columns,
        home[0] + home[1] + home[2] + home[3],
        min(home[0], home[1], home[2], home[3]), max(home[0], home[1], home[2], home[3]),
        above, second, least, notes.kings, ranks, best_bottoms(columns), sums,
    )  # fmt: skip
    rule = first_holding(rules.conditions, c, min(made, DEEPEST) / 100)
    if rule == rules.of.size:
        return weigh(
            cascades, cells, k, notes.home_part, above, second, ranks, least, used, sums, made
        )
    own = Linear(rules.of[rule], rules.exposed[rule], rules.room[rule])
    home_part = _home_part(board, own, notes.kings)
    return weigh(cascades, cells, own, home_part, above, second, ranks, least, used, sums, made)


@kernel
def linear_score(board: Board, k: Linear, rules: LinearRules | None, made: int) -> int:
    """The score of a position, in units of ``1 / UNIT``.

    Args:
        k: the coefficients of a weighted sum; for a policy, those of its default.
        rules: a policy's rules, or None.
        made: single-card moves so far.
    """
    notes = prepare(board, k)
    least = least_above(board, NO_MOVE) if _needs_least(k, rules) else 0
    return _weigh_by(
        board, k, rules, notes, notes.above, notes.second, notes.ranks, least,
        board.numbers.used, board.numbers.sums, made,
    )  # fmt: skip


@kernel
def score_after(
    board: Board, k: Linear, rules: LinearRules | None, notes: Notes, move: int, made: int
) -> tuple[int, int]:
    """``linear_score`` after a move between cascades and cells, without making it.

    Args:
        k: the coefficients of a weighted sum; for a policy, those of its default.
        rules: a policy's rules, or None.
        notes: from ``prepare`` for the position before the move.
        move: the move.
        made: single-card moves so far, this one included.

    Returns:
        The score, and the board's sums after the move.
    """
    above, second, ranks, used, sums = counts_after(
        board, notes.above, notes.second, notes.ranks, notes.next_cards, notes.second_cards, move
    )
    least = least_above(board, move) if _needs_least(k, rules) else 0
    score = _weigh_by(board, k, rules, notes, above, second, ranks, least, used, sums, made)
    return score, sums
