"""Beam search by levels: the best few states of each level are expanded.

A state's level is how many moves of single cards led there, home moves left out,
so only states are compared that cost the same; on a level unsafe home moves lead
to variants of its states. One sweep over the levels is a beam search. Nothing is
thrown away: if a sweep ends without a solution, the next one goes on with the
best open states that were left on each level, so the beam grows by its width each
time, and no work is done twice. (Zhou and Hansen, "Beam-stack search", 2005, also
make beam search complete; here all open states are kept instead.) A search whose
open states run out has proved the deal unsolvable.

With weights on DeadlockBound the bound of ``hsd.deadlock`` joins the score, computed
only for states that reach the front of their level: until then it is taken to
be as low as the move allows.

``wider`` runs a second beam, bounded by the length in hand: states that cannot
beat it are passed over, and one sweep is all it gets. (That it finds nothing does not
prove the first shortest: a state met first by a longer way keeps that way.)
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numba import int64

from hsd.board import empty_board
from hsd.deadlock import ASSUMED, ENOUGH, Graph, bound_after, deadlock_bound, new_graph, settle
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
    arrive,
    back,
    enlarge_tree,
    enter,
    expand,
    found,
    is_full,
    look,
    new_tree,
    plant,
    warm_up_tree,
    without_inversions,
    write_solution,
)
from solving.heap import meld
from solving.outcome import Limits
from solving.parameters import Parameter, Value
from solving.runtime import kernel
from solving.slices import EXHAUSTED, GROW, NODE_LIMIT, RUNNING, UNSOLVABLE, Found, drive, enlarged

# Further registers: LEVEL the level whose turn it is, TAKEN states expanded there in this
# sweep, OPEN the states not yet expanded, ROOT_BOUND the bound of the position itself.
LEVEL, TAKEN, OPEN, ROOT_BOUND = range(OWN, OWN + 4)

DEEPEST = 255
"""States further down take their turn as if they lay here."""

NO_LENGTH = 1 << 20
_LOW = 0xFFFFFFFF


class BeamWork(NamedTuple):
    """The arrays of a beam search; the driver enlarges those that fill up.

    Attributes:
        tree: the states met.
        entry_made: uint16, for each entry the moves of single cards made to get there.
        entry_bound: uint8, the bound on those that are left, or the least it can be.
        order: int64, score << 32 | ~entry.
        left, right: int32, the open states of each level as skew heaps.
        node_breakers, node_circled: uint64, for each node what ``hsd.deadlock`` tells of it.
        roots: int32[256], the root of each level, -1 for none.
        notes, scratch: int64[6], what is noted of the node's position and of others.
    """

    tree: Tree
    entry_made: np.ndarray
    entry_bound: np.ndarray
    order: np.ndarray
    left: np.ndarray
    right: np.ndarray
    node_breakers: np.ndarray
    node_circled: np.ndarray
    roots: np.ndarray
    notes: np.ndarray
    scratch: np.ndarray


@kernel
def _queue(work, entry, made, score):
    """Add an open state to its level; of equal scores the state met last comes first."""
    level = min(made, DEEPEST)
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
def settle_entry(board, tree, graph, entry, told, breakers, circled):
    """The bound of the entry that the board shows; ``graph`` then tells of its position.

    Args:
        told: what is known of it: as ``hsd.deadlock.bound_after`` said.
        breakers, circled: of each node.
    """
    parent = int64(tree.entry_parent[entry])
    if parent < 0:
        return deadlock_bound(board, graph, ENOUGH)
    return settle(
        board, graph, int64(tree.entry_move[entry]), tree.registers[CARD], told,
        breakers[parent], circled[parent],
    )  # fmt: skip


@kernel
def advance(
    board, work, graph, packed, size, automatic, longest, width, bounded, upper, k, limit, pause
):
    """Search on until the deal is decided or ``pause`` successors were looked at.

    Args:
        board: scratch ``Board``; its content belongs to the search.
        work: ``BeamWork``, the tree's registers zero before the first slice.
        graph: scratch of the bound.
        packed: the position the search starts from.
        size: int64[2], cascades and cells.
        automatic: whether safe home moves are forced.
        longest: cards that a move may take, 1 or ``ANY``.
        width: states expanded on each level in a sweep.
        bounded: whether the deadlock bound is computed.
        upper: moves, home moves left out, that a solution must stay below; with
            any but ``NO_LENGTH`` there is a single sweep.
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
        plant(board, tree, packed, size, automatic)
        for level in range(DEEPEST + 1):
            work.roots[level] = -1
        registers[LEVEL] = 0
        registers[TAKEN] = 0
        registers[OPEN] = 1
        work.entry_made[0] = 0
        work.entry_bound[0] = 0
        if bounded:
            work.entry_bound[0] = deadlock_bound(board, graph, ENOUGH)
        registers[ROOT_BOUND] = work.entry_bound[0]
        if without_inversions(board.total[0]) or (bounded and work.entry_bound[0] == 0):
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
            or tree.node_entry.size > work.node_breakers.size
        ):
            return GROW
        if registers[LOOKED] >= pause:
            return RUNNING
        while registers[TAKEN] == width or work.roots[registers[LEVEL]] < 0:
            registers[TAKEN] = 0
            registers[LEVEL] = (registers[LEVEL] + 1) & DEEPEST
            if registers[LEVEL] == 0 and upper < NO_LENGTH:
                return EXHAUSTED
        level = registers[LEVEL]
        entry = _take(work, level)
        forced = arrive(board, tree, entry, size, automatic)
        made = int64(work.entry_made[entry])
        bound = int64(0)
        if bounded:
            told = int64(work.entry_bound[entry])
            bound = settle_entry(
                board, tree, graph, entry, told, work.node_breakers, work.node_circled
            )
            work.entry_bound[entry] = bound
            if made + bound >= upper:
                registers[OPEN] -= 1
                continue
            if bound == 0:
                registers[GOAL] = entry
                return write_solution(board, tree, packed, size, automatic)
            if told & ASSUMED:
                risen = bound - (told & ~ASSUMED)
                score = (work.order[entry] >> 32) + risen * k[BOUND]
                next_best = int64(work.roots[level])
                if next_best >= 0 and ((score << 32) | (_LOW - entry)) > work.order[next_best]:
                    work.entry_bound[entry] = bound | ASSUMED
                    _queue(work, entry, made, score)
                    continue
            work.node_breakers[registers[EXPANDED]] = graph.breakers[0]
            work.node_circled[registers[EXPANDED]] = graph.circled[0]
        registers[OPEN] -= 1
        registers[TAKEN] += 1
        end = expand(board, tree, entry, forced, automatic, longest)
        prepare(board, k, work.notes)
        breakers = graph.breakers[0]
        circled = graph.circled[0]
        for i in range(end):
            move = tree.moves[i] & MOVE
            quiet = tree.moves[i] & QUIET != 0
            far = made + cost(move)
            near = int64(0)
            if bounded:
                near = bound_after(board, move, bound, breakers, circled)
                if far + (near & ~ASSUMED) >= upper:
                    continue
            place, suit, forced = look(board, tree, i, automatic)
            if place < 0:
                entry = enter(tree, i, place)
                if quiet:
                    score, sums = score_after(board, k, work.notes, move, far)
                else:
                    score = linear_score(board, k, work.scratch, far)
                    sums = board.total[0]
                if without_inversions(sums) or (bounded and near == 0):
                    registers[GOAL] = entry
                    return write_solution(board, tree, packed, size, automatic)
                work.entry_made[entry] = far
                work.entry_bound[entry] = near
                registers[OPEN] += 1
                _queue(work, entry, far, score + (near & ~ASSUMED) * k[BOUND])
            if not quiet:
                back(board, tree, i, suit, forced)


def new_work() -> BeamWork:
    """Arrays for a search that stays small; they grow as a search needs."""
    nodes, entries = 1 << 10, 1 << 12
    return BeamWork(
        tree=new_tree(nodes, entries),
        entry_made=np.zeros(entries, np.uint16),
        entry_bound=np.zeros(entries, np.uint8),
        order=np.zeros(entries, np.int64),
        left=np.zeros(entries, np.int32),
        right=np.zeros(entries, np.int32),
        node_breakers=np.zeros(nodes, np.uint64),
        node_circled=np.zeros(nodes, np.uint64),
        roots=np.zeros(DEEPEST + 1, np.int32),
        notes=np.zeros(NOTES, np.int64),
        scratch=np.zeros(NOTES, np.int64),
    )


def enlarge(work: BeamWork) -> BeamWork:
    """The same search with larger arrays in place of those that are full."""
    work = work._replace(tree=enlarge_tree(work.tree))
    if work.tree.entry_parent.size > work.order.size:
        work = enlarged(work, "entry_made", "entry_bound", "order", "left", "right")
    if work.tree.node_entry.size > work.node_breakers.size:
        work = enlarged(work, "node_breakers", "node_circled")
    return work


WIDER = Parameter("wider", 0, "width of a second beam, bounded by the first; 0 for none", 0, 10**6)


class Beam(FreeCellSearch):
    """Beam search by levels as a search of this package; it is complete.

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

        def beam(width: int, upper: int, nodes: int) -> Found:
            self._small.tree.registers[:] = 0

            def advance_slice(work: BeamWork) -> int:
                pause = work.tree.registers[LOOKED] + SLICE_LOOKS
                return int(
                    advance(
                        self._board, work, self._graph, packed, size, automatic, longest, width,
                        bounded, upper, k, nodes, pause,
                    )
                )  # fmt: skip

            status, work = drive(self._small, advance_slice, enlarge, limits, started)
            registers = work.tree.registers
            bound = int(registers[NOT_HOME] + registers[ROOT_BOUND]) if bounded else None
            ended = found(work.tree, status, time.thread_time() - started, bound)
            return shortened(ended, self._board, packed, size, values)

        first = beam(int(values["width"]), NO_LENGTH, limits.nodes)
        wider = int(values["wider"])
        if first.moves is None or not wider or first.nodes.generated >= limits.nodes:
            return first
        upper = int(moves_not_home(first.moves))
        second = beam(wider, upper, limits.nodes - first.nodes.generated)
        return replace(
            first if second.moves is None else second,
            nodes=first.nodes + second.nodes,
            seconds=time.thread_time() - started,
        )
