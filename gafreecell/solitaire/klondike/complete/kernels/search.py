"""A complete search with all cards known: it wins a deal or proves that it cannot be won.

This is a depth-first search through the equivalence classes of
``klondike.complete.kernels.states``. Each state has a key of its own in the transposition table, so
no two states are confused. So if the search ends without a win, it has proved that there is none.
The moves of a state can be ordered by a weighted sum of their features
(``klondike.complete.order``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell import jit
from gafreecell.jit import kernel, new_registers, uint64
from gafreecell.jit.kernels.bits import count_bits
from gafreecell.jit.kernels.transposition import find, prefetch_slot, rehash
from gafreecell.jit.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, SOLVED, UNSOLVABLE, enlarged
from gafreecell.solitaire.klondike.complete.kernels.states import (
    AFTER_SHIFT,
    BASE_DOWN,
    BASE_HOME,
    CARD_SHIFT,
    MOST_MOVES,
    MOST_WAYS,
    TALON_DOWN,
    TALON_HOME,
    Deal,
    after_move,
    held,
    home_of,
    in_this_pass,
    is_won,
    list_moves,
    settled,
)
from gafreecell.solitaire.klondike.kernels.cards import (
    followers,
    home_set,
    next_set,
    pairs_of,
    rank,
)

CACHED = 1 << 17
"""Tables with at most so many slots stay in the processor's caches."""
WEIGHTS = 12
"""The number of features by which moves are ordered."""


class Registers(jit.Registers):
    """What the search keeps between slices; ``restart`` sets it before the first.

    Attributes:
        generated: states entered.
        expanded: states whose moves were listed.
        depth: of the current state.
        tried: moves tried.
        cut_short: whether a list of moves was cut short.
        ordered: whether moves are ordered by weights.
    """

    generated: int
    expanded: int
    depth: int
    tried: int
    cut_short: int
    ordered: int


class Work(NamedTuple):
    """The arrays of a search.

    Attributes:
        registers: named numbers.
        table: uint64, the transposition table (``jit.kernels.transposition``).
        entered: int64, the slots of its first keys, so that clearing after a small search is cheap.
            The table grows only after it has more keys than this array holds.
        state: uint64, the states on the current path.
        up, bases: uint64, for each of them the face-up cards and the bases.
        first, last: int64, for each of them the range of ``moves`` still to be tried.
        made: int64, for each of them the move made.
        moves: int64, the moves listed for each state on the path, end to end.
        found: int64[``MOST_WAYS``], scratch of ``list_moves``.
        order: int64[12], the weights of move ordering; all zero for the order of the list.
        scores: int64[``MOST_MOVES``], scratch of ``sort_moves``.
        keys: uint64[``MOST_MOVES``], scratch: the keys of the states after the moves.
    """

    registers: Registers
    table: np.ndarray
    entered: np.ndarray
    state: np.ndarray
    up: np.ndarray
    bases: np.ndarray
    first: np.ndarray
    last: np.ndarray
    made: np.ndarray
    moves: np.ndarray
    found: np.ndarray
    order: np.ndarray
    scores: np.ndarray
    keys: np.ndarray


@kernel
def _score(deal: Deal, state: int, ready: int, takes: int, weights: np.ndarray, move: int) -> int:
    """The weighted sum of a move's features."""
    kind = move & 7
    i = (move >> CARD_SHIFT) & 63
    score = weights[9] * rank(i)
    if kind in (BASE_HOME, TALON_HOME):
        score += weights[0]
    if kind in (BASE_DOWN, BASE_HOME):
        beneath = deal.beneath[i]
        if beneath == 0:
            score += weights[6]
        else:
            score += weights[1] + weights[2] * (held(state, deal.pile[i]) - 1)
            if beneath & ready:
                score += weights[3]
            if beneath & takes:
                score += weights[4]
            # The rank of the card beneath: ``beneath`` is a set of one card.
            score += weights[5] * ((count_bits(beneath - uint64(1)) >> 2) + 1)
    elif kind in (TALON_DOWN, TALON_HOME):
        score += weights[7] + weights[8] * deal.place[i]
        if deal.rules.limited and not (in_this_pass(deal.rules, state) >> deal.place[i]) & 1:
            score += weights[11]
    after = (move >> AFTER_SHIFT) & 0xFFFF
    home = home_of(state)
    if after != home:
        score += weights[10] * count_bits(home_set(home) & ~home_set(after))
    return score


@kernel
def sort_moves(
    deal: Deal,
    state: int,
    up: int,
    weights: np.ndarray,
    moves: np.ndarray,
    scores: np.ndarray,
    first: int,
    last: int,
) -> None:
    """Sort the moves of a state, the best last; the sort is stable.

    Args:
        deal, state, up: as in ``klondike.complete.kernels.states``.
        weights: int64[12], see ``order_weights``.
        moves: int64; ``moves[first:last]`` is sorted in place.
        scores: int64, scratch of the same length.
    """
    home = home_of(state)
    ready = next_set(home)
    takes = followers(pairs_of(up & ~home_set(home)))
    for m in range(first, last):
        move = moves[m]
        score = _score(deal, state, ready, takes, weights, move)
        k = m
        while k > first and scores[k - 1 - first] > score:
            moves[k] = moves[k - 1]
            scores[k - first] = scores[k - 1 - first]
            k -= 1
        moves[k] = move
        scores[k - first] = score


@kernel
def _key(state: int) -> int:
    """A state's key in the table: unique, never zero, its bits well mixed."""
    key = state + uint64(1)
    key = (key ^ (key >> uint64(31))) * uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> uint64(29))


@kernel
def _enter(work: Work, state: int) -> bool:
    """Enter a state in the table; returns whether it is new."""
    key = _key(state)
    slot = find(work.table, key)
    if slot >= 0:
        return False
    work.table[-1 - slot] = key
    if work.registers.generated < work.entered.size:
        work.entered[work.registers.generated] = -1 - slot
    work.registers.generated += 1
    return True


@kernel
def _list(deal: Deal, work: Work, options: int, depth: int, at: int) -> None:
    """List the moves of the state at ``depth``, from index ``at`` on."""
    work.first[depth] = at
    state, up, bases = work.state[depth], work.up[depth], work.bases[depth]
    end = list_moves(deal, state, up, bases, options, work.moves, at, work.found)
    if end - at >= MOST_MOVES - 100:
        work.registers.cut_short = 1
    if work.table.size > CACHED:
        end = _leave_out_known(deal, work, depth, at, end)
    work.last[depth] = end
    if work.registers.ordered:
        sort_moves(deal, state, up, work.order, work.moves, work.scores, at, end)


@kernel
def _leave_out_known(deal: Deal, work: Work, depth: int, first: int, last: int) -> int:
    """Drop the moves to states that are in the table; returns the end of those left.

    They would be dropped when their turn comes, each after a wait for memory. Looked up together,
    they wait once.
    """
    state, up, bases = work.state[depth], work.up[depth], work.bases[depth]
    for m in range(first, last):
        after, _, _ = after_move(deal, state, up, bases, work.moves[m])
        key = _key(after)
        prefetch_slot(work.table, key)
        work.keys[m - first] = key
    end = first
    for m in range(first, last):
        if find(work.table, work.keys[m - first]) < 0:
            work.moves[end] = work.moves[m]
            end += 1
    work.registers.tried += last - end
    return end


@kernel
def restart(work: Work, ordered: int) -> None:
    """Begin a new search; ``ordered`` says whether to order moves by weights."""
    registers = work.registers
    if registers.generated <= work.entered.size:
        for i in range(registers.generated):
            work.table[work.entered[i]] = 0
    else:
        for i in range(work.table.size):
            work.table[i] = 0
    registers.generated = 0
    registers.expanded = 0
    registers.depth = 0
    registers.tried = 0
    registers.cut_short = 0
    registers.ordered = ordered


@kernel
def advance(deal: Deal, work: Work, root: int, options: int, limit: int, pause: int) -> int:
    """Continue the search until the deal is decided or ``pause`` moves were tried.

    Args:
        deal: as ``klondike.complete.kernels.layout`` makes it.
        work: ``Work``, new or restarted before the first slice.
        root: the state that the search starts from.
        options: bits, see ``klondike.complete.kernels.states.list_moves``.
        limit: states that may be generated.
        pause: moves tried at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the path in ``state`` and ``made``, ``UNSOLVABLE``, ``EXHAUSTED`` if a list
        of moves was cut short, ``NODE_LIMIT``, ``RUNNING``, or ``GROW`` if an array must be
        enlarged first.
    """
    registers = work.registers
    if registers.generated == 0:
        state, up, bases = settled(deal, root)
        _enter(work, state)
        registers.depth = 0
        work.state[0], work.up[0], work.bases[0] = state, up, bases
        if is_won(state):
            return SOLVED
        registers.expanded = 1
        _list(deal, work, options, 0, 0)
    while registers.depth >= 0:
        d = registers.depth
        if work.last[d] == work.first[d]:
            registers.depth -= 1
            continue
        if registers.generated >= limit:
            return NODE_LIMIT
        if (
            8 * registers.generated >= 7 * work.table.size
            or d + 2 >= work.state.size
            or work.last[d] + MOST_MOVES >= work.moves.size
        ):
            return GROW
        if registers.tried >= pause:
            return RUNNING
        registers.tried += 1
        work.last[d] -= 1
        move = work.moves[work.last[d]]
        state, up, bases = after_move(deal, work.state[d], work.up[d], work.bases[d], move)
        if not _enter(work, state):
            continue
        work.made[d] = move
        d += 1
        registers.depth = d
        work.state[d], work.up[d], work.bases[d] = state, up, bases
        if is_won(state):
            return SOLVED
        registers.expanded += 1
        _list(deal, work, options, d, work.last[d - 1])
    return EXHAUSTED if registers.cut_short else UNSOLVABLE


def new_work(slots: int = 1 << 12, deep: int = 1 << 8, moves: int = 1 << 13) -> Work:
    """Arrays for a search, by default small ones, which grow as it needs.

    Args:
        slots: slots of the transposition table, a power of two.
        deep: room for states on the path, at least 2.
        moves: room for the moves listed along the path, at least ``MOST_MOVES``.
    """
    return Work(
        registers=new_registers(Registers),
        table=np.zeros(slots, np.uint64),
        entered=np.zeros(slots // 8, np.int64),
        state=np.zeros(deep, np.uint64),
        up=np.zeros(deep, np.uint64),
        bases=np.zeros(deep, np.uint64),
        first=np.zeros(deep, np.int64),
        last=np.zeros(deep, np.int64),
        made=np.zeros(deep, np.int64),
        moves=np.zeros(moves, np.int64),
        found=np.zeros(MOST_WAYS, np.int64),
        order=np.zeros(WEIGHTS, np.int64),
        scores=np.zeros(MOST_MOVES, np.int64),
        keys=np.zeros(MOST_MOVES, np.uint64),
    )


def enlarge(work: Work) -> Work:
    """The same search with larger arrays in place of those that are full."""
    registers = work.registers
    if 8 * registers.generated >= 7 * work.table.size:
        table = np.zeros(2 * work.table.size, np.uint64)
        rehash(work.table, table)
        work = work._replace(table=table)
    if registers.depth + 2 >= work.state.size:
        work = enlarged(work, "state", "up", "bases", "first", "last", "made")
    if work.last[registers.depth] + MOST_MOVES >= work.moves.size:
        work = enlarged(work, "moves")
    return work
