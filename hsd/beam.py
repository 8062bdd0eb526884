"""Beam search by levels: it expands the best few states of each level.

The level of a state is its g, the number of moves of single cards on its path, not
counting home moves. So only states of equal cost are compared; on each level, home moves
that are not safe lead to variants of its states. One sweep over the levels is a beam search.
If a sweep ends without a solution, the next one continues with the best open states left
on each level. So the beam grows by its width with each sweep, and no work is done twice.
(Beam-stack search, Zhou and Hansen 2005, also makes beam search complete; it backtracks,
while this search keeps all open states.) Once the open lists are empty, the deal is proved
unsolvable.

If DeadlockBound has a weight, the bound of ``hsd.deadlock`` is part of the score. It is
evaluated lazily: a state has the least bound that its move allows until it reaches the
front of its level.

``wider`` runs a second beam, with the first solution as the incumbent: it prunes states
that cannot lead to a shorter one, and it has a single sweep. (If it finds nothing, the
incumbent need not be shortest, as a state first met on a longer path keeps that path.)
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numba import int64

from hsd.board import empty_board
from hsd.deadlock import ASSUMED, NO_CUTOFF, Graph, bound_after, deadlock_bound, new_graph, settle
from hsd.heuristics import DEADLOCK_BOUND
from hsd.linear import BOUND, NOTES, compiled, linear_score, prepare, score_after
from hsd.moves import ANY, cost
from hsd.notation import moves_not_home
from hsd.search import AUTOMATIC, FreeCellSearch, Position
from hsd.shorten import SHORTEN, shortened
from hsd.tree import (
    CARD,
    EXPANDED,
    GENERATED,
    GOAL,
    LOOKED,
    MOVE,
    NOT_HOME,
    OWN,
    QUIET,
    SLICE_LOOKS,
    Tree,
    build,
    enlarge_tree,
    enter,
    expand,
    found,
    is_full,
    look_up,
    new_tree,
    set_root,
    take_back,
    warm_up_tree,
    without_inversions,
    write_solution,
)
from jit import kernel
from jit.kernels.heap import meld
from jit.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, UNSOLVABLE, drive, enlarged
from solving.outcome import Limits
from solving.parameters import Parameter, Value
from solving.search import Found

# Further registers: LEVEL is the level whose turn it is; TAKEN the states expanded there in this
# sweep; OPEN the number of open states; ROOT_BOUND the bound of the position itself.
LEVEL, TAKEN, OPEN, ROOT_BOUND = range(OWN, OWN + 4)

DEEPEST = 255
"""States further down belong to this level."""

NO_INCUMBENT = 1 << 20
_LOW = 0xFFFFFFFF


class BeamWork(NamedTuple):
    """The arrays of a beam search; the driver enlarges those that fill up.

    Attributes:
        tree: the search tree.
        entry_g: uint16, for each entry the moves of single cards on its path, not counting
            home moves.
        entry_h: uint8, the bound on those that are left, or its least possible value.
        order: int64, score << 32 | ~entry.
        left, right: int32, the open lists of all levels as skew heaps.
        closed_feedback, closed_cycles: uint64, for each closed state its two sets of
            ``hsd.deadlock``.
        roots: int32[256], the root of each level, -1 for none.
        notes, scratch: int64[6], the notes of the state being expanded, and of others.
    """

    tree: Tree
    entry_g: np.ndarray
    entry_h: np.ndarray
    order: np.ndarray
    left: np.ndarray
    right: np.ndarray
    closed_feedback: np.ndarray
    closed_cycles: np.ndarray
    roots: np.ndarray
    notes: np.ndarray
    scratch: np.ndarray


@kernel
def _queue(work, entry, g, score):
    """Add a state to the open list of its level; of equal scores the state met last comes first."""
    level = min(g, DEEPEST)
    work.order[entry] = (score << 32) | (_LOW - entry)
    work.left[entry] = -1
    work.right[entry] = -1
    work.roots[level] = meld(work.order, work.left, work.right, int64(work.roots[level]), entry)


@kernel
def _take(work, level):
    """Remove the best state of a level."""
    entry = int64(work.roots[level])
    work.roots[level] = meld(
        work.order, work.left, work.right, int64(work.left[entry]), int64(work.right[entry])
    )
    return entry


@kernel
def settle_entry(board, tree, graph, entry, estimate, feedback_set, cycle_cards):
    """The exact bound of the entry that the board shows; ``graph`` then has its two sets.

    Args:
        estimate: its bound so far, as ``hsd.deadlock.bound_after`` returned it.
        feedback_set, cycle_cards: those of each closed state.
    """
    parent = int64(tree.entry_parent[entry])
    if parent < 0:
        return deadlock_bound(board, graph, NO_CUTOFF)
    return settle(
        board, graph, int64(tree.entry_move[entry]), tree.registers[CARD], estimate,
        feedback_set[parent], cycle_cards[parent],
    )  # fmt: skip


@kernel
def advance(
    board, work, graph, packed, size, automatic, longest, width, bounded, incumbent, k, limit, pause
):
    """Search on until the deal is decided or ``pause`` successors were looked up.

    Args:
        board: scratch ``Board``; its content belongs to the search.
        work: ``BeamWork``, the tree's registers zero before the first slice.
        graph: scratch of the bound.
        packed: the position the search starts from.
        size: int64[2], cascades and cells.
        automatic: whether safe home moves are forced.
        longest: the most cards that a move may take, 1 or ``ANY``.
        width: states expanded on each level in a sweep.
        bounded: whether to compute the deadlock bound.
        incumbent: the g of the incumbent, which a solution must beat in a single sweep;
            ``NO_INCUMBENT`` for none.
        k: the compiled evaluator.
        limit: states that may be generated.
        pause: successors at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the solution in the tree, ``EXHAUSTED`` after a single sweep,
        ``UNSOLVABLE``, ``NODE_LIMIT``, ``RUNNING``, or ``GROW`` if an array must be
        enlarged first.
    """
    tree = work.tree
    registers = tree.registers
    if registers[GENERATED] == 0:
        set_root(board, tree, packed, size, automatic)
        for level in range(DEEPEST + 1):
            work.roots[level] = -1
        registers[LEVEL] = 0
        registers[TAKEN] = 0
        registers[OPEN] = 1
        work.entry_g[0] = 0
        work.entry_h[0] = 0
        if bounded:
            work.entry_h[0] = deadlock_bound(board, graph, NO_CUTOFF)
        registers[ROOT_BOUND] = work.entry_h[0]
        if without_inversions(board.total[0]) or (bounded and work.entry_h[0] == 0):
            return write_solution(board, tree, packed, size, automatic)
        _queue(work, 0, 0, int64(0))
    if registers[GOAL] > 0:
        return write_solution(board, tree, packed, size, automatic)
    while True:
        if registers[OPEN] == 0:
            return UNSOLVABLE
        if registers[GENERATED] >= limit:
            return NODE_LIMIT
        if (
            is_full(tree)
            or tree.entry_parent.size > work.order.size
            or tree.closed_entry.size > work.closed_feedback.size
        ):
            return GROW
        if registers[LOOKED] >= pause:
            return RUNNING
        while registers[TAKEN] == width or work.roots[registers[LEVEL]] < 0:
            registers[TAKEN] = 0
            registers[LEVEL] = (registers[LEVEL] + 1) & DEEPEST
            if registers[LEVEL] == 0 and incumbent < NO_INCUMBENT:
                return EXHAUSTED
        level = registers[LEVEL]
        entry = _take(work, level)
        forced = build(board, tree, entry, size, automatic)
        g = int64(work.entry_g[entry])
        h = int64(0)
        if bounded:
            estimate = int64(work.entry_h[entry])
            h = settle_entry(
                board, tree, graph, entry, estimate, work.closed_feedback, work.closed_cycles
            )
            work.entry_h[entry] = h
            if g + h >= incumbent:
                registers[OPEN] -= 1
                continue
            if h == 0:
                registers[GOAL] = entry
                return write_solution(board, tree, packed, size, automatic)
            if estimate & ASSUMED:
                risen = h - (estimate & ~ASSUMED)
                score = (work.order[entry] >> 32) + risen * k[BOUND]
                next_best = int64(work.roots[level])
                if next_best >= 0 and ((score << 32) | (_LOW - entry)) > work.order[next_best]:
                    work.entry_h[entry] = h | ASSUMED
                    _queue(work, entry, g, score)
                    continue
            work.closed_feedback[registers[EXPANDED]] = graph.feedback_set[0]
            work.closed_cycles[registers[EXPANDED]] = graph.cycle_cards[0]
        registers[OPEN] -= 1
        registers[TAKEN] += 1
        end = expand(board, tree, entry, forced, automatic, longest)
        prepare(board, k, work.notes)
        feedback_set = graph.feedback_set[0]
        cycle_cards = graph.cycle_cards[0]
        for i in range(end):
            move = tree.moves[i] & MOVE
            quiet = tree.moves[i] & QUIET != 0
            child_g = g + cost(move)
            child_h = int64(0)
            if bounded:
                child_h = bound_after(board, move, h, feedback_set, cycle_cards)
                if child_g + (child_h & ~ASSUMED) >= incumbent:
                    continue
            slot, suit, forced = look_up(board, tree, i, automatic)
            if slot < 0:
                entry = enter(tree, i, slot)
                if quiet:
                    score, sums = score_after(board, k, work.notes, move, child_g)
                else:
                    score = linear_score(board, k, work.scratch, child_g)
                    sums = board.total[0]
                if without_inversions(sums) or (bounded and child_h == 0):
                    registers[GOAL] = entry
                    return write_solution(board, tree, packed, size, automatic)
                work.entry_g[entry] = child_g
                work.entry_h[entry] = child_h
                registers[OPEN] += 1
                _queue(work, entry, child_g, score + (child_h & ~ASSUMED) * k[BOUND])
            if not quiet:
                take_back(board, tree, i, suit, forced)


def new_work() -> BeamWork:
    """Small arrays, which grow as a search needs."""
    closed, entries = 1 << 10, 1 << 12
    return BeamWork(
        tree=new_tree(closed, entries),
        entry_g=np.zeros(entries, np.uint16),
        entry_h=np.zeros(entries, np.uint8),
        order=np.zeros(entries, np.int64),
        left=np.zeros(entries, np.int32),
        right=np.zeros(entries, np.int32),
        closed_feedback=np.zeros(closed, np.uint64),
        closed_cycles=np.zeros(closed, np.uint64),
        roots=np.zeros(DEEPEST + 1, np.int32),
        notes=np.zeros(NOTES, np.int64),
        scratch=np.zeros(NOTES, np.int64),
    )


def enlarge(work: BeamWork) -> BeamWork:
    """The same search with larger arrays in place of those that are full."""
    work = work._replace(tree=enlarge_tree(work.tree))
    if work.tree.entry_parent.size > work.order.size:
        work = enlarged(work, "entry_g", "entry_h", "order", "left", "right")
    if work.tree.closed_entry.size > work.closed_feedback.size:
        work = enlarged(work, "closed_feedback", "closed_cycles")
    return work


WIDER = Parameter(
    "wider", 0, "width of a second beam, with the first solution as incumbent; 0 for none", 0, 10**6
)


class Beam(FreeCellSearch):
    """The search ``beam``; it is complete.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "beam"
    guided = True
    weighs = frozenset({DEADLOCK_BOUND})
    parameters = (
        AUTOMATIC,
        Parameter("supermoves", "no", "whether runs move as one", choices=("yes", "no")),
        Parameter("width", 64, "states expanded on each level in a sweep", 1, 10**6),
        WIDER,
        SHORTEN,
    )

    def __init__(self) -> None:
        self._board = empty_board()
        self._small = new_work()
        self._graph: Graph = new_graph()

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load what only large searches need."""
        warm_up_tree(self._small.tree)

    def run(
        self,
        position: Position,
        weights: np.ndarray,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        """Search from a packed position; see ``hsd.search`` for the meaning of the arguments."""
        packed, size = position
        automatic = values["automatic"] == "safe"
        longest = ANY if values["supermoves"] == "yes" else 1
        started = time.thread_time()
        k = compiled(weights.tobytes(), int(size[0]), int(size[1]))
        bounded = bool(k[BOUND]) or int(values["wider"]) > 0

        def beam(width: int, incumbent: int, nodes: int) -> Found:
            self._small.tree.registers[:] = 0

            def advance_slice(work: BeamWork) -> int:
                pause = work.tree.registers[LOOKED] + SLICE_LOOKS
                return int(
                    advance(
                        self._board, work, self._graph, packed, size, automatic, longest, width,
                        bounded, incumbent, k, nodes, pause,
                    )
                )  # fmt: skip

            status, work = drive(self._small, advance_slice, enlarge, limits, started)
            registers = work.tree.registers
            bound = int(registers[NOT_HOME] + registers[ROOT_BOUND]) if bounded else None
            ended = found(work.tree, status, time.thread_time() - started, bound)
            return shortened(ended, self._board, packed, size, values)

        first = beam(int(values["width"]), NO_INCUMBENT, limits.nodes)
        wider = int(values["wider"])
        if first.moves is None or not wider or first.nodes.generated >= limits.nodes:
            return first
        incumbent = int(moves_not_home(first.moves))
        second = beam(wider, incumbent, limits.nodes - first.nodes.generated)
        return replace(
            first if second.moves is None else second,
            nodes=first.nodes + second.nodes,
            seconds=time.thread_time() - started,
        )
