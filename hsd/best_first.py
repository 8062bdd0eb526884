"""Best-first search: always expand the open state with the least score.

Nothing is overwritten, dropped or wiped, so a search that runs dry has met every
state there is: that proves the deal unsolvable (``hsd.tree`` says how surely).

Where a score misjudges a region, best-first search floods it before it looks
elsewhere. With ``patience``, after so many expansions every second one takes the
best open state of the next depth in turn, as cyclic best-first search does
(Kao, Sewell and Jacobson 2009); what it meets in doing so joins its depth, what the other
expansions meet does not. Easy deals are solved before that; of hard ones
it takes off the long tail. Depth counts moves of single cards, home moves left out.

A position without inversions, where no card lies above a lower one, counts as
solved, for home moves alone finish it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numba import int64

from hsd.board import empty_board
from hsd.heuristics import MOVES_MADE
from hsd.linear import NOTES, compiled, linear_score, prepare, score_after
from hsd.moves import ANY, cost
from hsd.search import AUTOMATIC, FreeCellSearch, Position
from hsd.shorten import SHORTEN, shortened
from hsd.tree import (
    EXPANDED,
    GENERATED,
    GOAL,
    LOOKED,
    MOVE,
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
from solving.heap import meld, pop_key, push_key
from solving.outcome import Limits
from solving.parameters import Parameter, Value
from solving.runtime import kernel
from solving.slices import GROW, NODE_LIMIT, RUNNING, UNSOLVABLE, Found, drive, enlarged

# Further registers: HEAP the length of the heap, TURN the depth whose turn it was last, -1
# before the search loses patience, and OPEN the states not yet expanded.
HEAP, TURN, OPEN = range(OWN, OWN + 3)

DEEPEST = 255
"""Deeper states take their turn as if they lay here."""

_LOW = 0xFFFFFFFF


class BestFirstWork(NamedTuple):
    """The arrays of a best-first search; the driver enlarges those that fill up.

    Attributes:
        tree: the states met.
        node_made: int32, for each node the moves of single cards made to get there, home
            moves left out.
        entry_depth: uint8, the same for each entry, at most 255.
        entry_closed: uint8, whether it was expanded.
        heap: int64, the open states: score << 32 | ~entry; closed ones are passed over.
        order: int64, for each entry, its key in the heap.
        left, right: int32, the open states of each depth as skew heaps.
        roots: int32[256], the root of each depth, -1 for none.
        notes, scratch: int64[6], what is noted of the node's position and of others.
    """

    tree: Tree
    node_made: np.ndarray
    entry_depth: np.ndarray
    entry_closed: np.ndarray
    heap: np.ndarray
    order: np.ndarray
    left: np.ndarray
    right: np.ndarray
    roots: np.ndarray
    notes: np.ndarray
    scratch: np.ndarray


@kernel
def _queue_by_depth(work, entry, order):
    """Add an open state to the heap of its depth."""
    depth = work.entry_depth[entry]
    work.order[entry] = order
    work.left[entry] = -1
    work.right[entry] = -1
    work.roots[depth] = meld(
        work.order, work.left, work.right, int64(work.roots[depth]), int64(entry)
    )


@kernel
def _lose_patience(work):
    """Sort the open states by depth, from now on beside the one heap of all."""
    registers = work.tree.registers
    for depth in range(DEEPEST + 1):
        work.roots[depth] = -1
    for i in range(registers[HEAP]):
        _queue_by_depth(work, _LOW - (work.heap[i] & _LOW), work.heap[i])
    registers[TURN] = DEEPEST


@kernel
def _next_in_turn(work):
    """Take the best open state of the next depth that has one; -1 if there is none."""
    registers = work.tree.registers
    depth = registers[TURN]
    for _ in range(DEEPEST + 1):
        depth = (depth + 1) & DEEPEST
        while work.roots[depth] >= 0:
            entry = int64(work.roots[depth])
            left, right = int64(work.left[entry]), int64(work.right[entry])
            work.roots[depth] = meld(work.order, work.left, work.right, left, right)
            if not work.entry_closed[entry]:
                registers[TURN] = depth
                return entry
    return -1


@kernel
def advance(board, work, packed, size, automatic, longest, patience, k, node_limit, pause):
    """Search on until the deal is decided or ``pause`` successors were looked at.

    Args:
        board: scratch ``Board``; its content belongs to the search.
        work: ``BestFirstWork``, the tree's registers zero before the first slice.
        packed: the position the search starts from.
        size: int64[2], cascades and cells.
        automatic: whether safe home moves are forced.
        longest: cards that a move may take, 1 or ``ANY``.
        patience: expansions after which every second one goes to the next depth
            in turn; 0 for never.
        k: int64[109], the compiled evaluator.
        node_limit: states that may be generated.
        pause: successors at which to return ``RUNNING``.

    Returns:
        ``SOLVED`` with the solution in the tree, ``UNSOLVABLE``, ``NODE_LIMIT``,
        ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    tree = work.tree
    registers = tree.registers
    if registers[GENERATED] == 0:
        plant(board, tree, packed, size, automatic)
        registers[HEAP] = push_key(work.heap, 0, _LOW)
        registers[TURN] = -1
        registers[OPEN] = 1
        work.entry_depth[0] = 0
        work.entry_closed[0] = 0
        if without_inversions(board.total[0]):
            return write_solution(board, tree, packed, size, automatic)
    if registers[GOAL] > 0:
        return write_solution(board, tree, packed, size, automatic)
    while True:
        if registers[OPEN] == 0:
            return UNSOLVABLE
        if registers[GENERATED] >= node_limit:
            return NODE_LIMIT
        node = registers[EXPANDED]
        if (
            is_full(tree)
            or tree.entry_parent.size > work.heap.size
            or tree.node_entry.size > work.node_made.size
        ):
            return GROW
        if registers[LOOKED] >= pause:
            return RUNNING
        if patience > 0 and node == patience and registers[TURN] < 0:
            _lose_patience(work)
        in_turn = registers[TURN] >= 0 and node & 1 == 0
        entry = _next_in_turn(work) if in_turn else -1
        if entry < 0:
            in_turn = False
            entry = _LOW - (work.heap[0] & _LOW)
            registers[HEAP] = pop_key(work.heap, registers[HEAP])
            if work.entry_closed[entry]:
                continue
        work.entry_closed[entry] = 1
        registers[OPEN] -= 1
        made = 0
        if entry > 0:
            made = work.node_made[tree.entry_parent[entry]] + cost(int64(tree.entry_move[entry]))
        work.node_made[node] = made
        forced = arrive(board, tree, entry, size, automatic)
        end = expand(board, tree, entry, forced, automatic, longest)
        prepare(board, k, work.notes)
        for i in range(end):
            place, suit, forced = look(board, tree, i, automatic)
            move = tree.moves[i] & MOVE
            quiet = tree.moves[i] & QUIET != 0
            if place < 0:
                entry = enter(tree, i, place)
                depth = made + cost(move)
                if quiet:
                    score, sums = score_after(board, k, work.notes, move, depth)
                else:
                    score = linear_score(board, k, work.scratch, depth)
                    sums = board.total[0]
                if without_inversions(sums):
                    registers[GOAL] = entry
                    return write_solution(board, tree, packed, size, automatic)
                # Of equal scores the state met last comes first.
                order = (score << 32) | (_LOW - entry)
                registers[HEAP] = push_key(work.heap, registers[HEAP], order)
                registers[OPEN] += 1
                work.entry_depth[entry] = min(depth, DEEPEST)
                work.entry_closed[entry] = 0
                if in_turn:
                    _queue_by_depth(work, entry, order)
            if not quiet:
                back(board, tree, i, suit, forced)


def new_work() -> BestFirstWork:
    """Arrays for a search that stays small; they grow as a search needs."""
    nodes, entries = 1 << 10, 1 << 12
    return BestFirstWork(
        tree=new_tree(nodes, entries),
        node_made=np.zeros(nodes, np.int32),
        entry_depth=np.zeros(entries, np.uint8),
        entry_closed=np.zeros(entries, np.uint8),
        heap=np.zeros(entries, np.int64),
        order=np.zeros(entries, np.int64),
        left=np.zeros(entries, np.int32),
        right=np.zeros(entries, np.int32),
        roots=np.zeros(DEEPEST + 1, np.int32),
        notes=np.zeros(NOTES, np.int64),
        scratch=np.zeros(NOTES, np.int64),
    )


def enlarge(work: BestFirstWork) -> BestFirstWork:
    """The same search with larger arrays in place of those that are full."""
    work = work._replace(tree=enlarge_tree(work.tree))
    if work.tree.entry_parent.size > work.heap.size:
        work = enlarged(work, "entry_depth", "entry_closed", "heap", "order", "left", "right")
    if work.tree.node_entry.size > work.node_made.size:
        work = enlarged(work, "node_made")
    return work


class BestFirst(FreeCellSearch):
    """Best-first search as a search of this package; it is complete.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "best-first"
    guided = True
    weighs = frozenset({MOVES_MADE})
    parameters = (
        AUTOMATIC,
        Parameter("supermoves", "yes", "whether runs move as one", choices=("yes", "no")),
        Parameter(
            "patience",
            0,
            "expansions after which every second one goes to the next depth in turn; 0 for never",
            0,
            10**9,
        ),
        SHORTEN,
    )

    def __init__(self) -> None:
        self._board = empty_board()
        self._small = new_work()

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
        patience = int(values["patience"])
        longest = ANY if values["supermoves"] == "yes" else 1
        started = time.thread_time()
        k = compiled(weights.tobytes(), int(size[0]), int(size[1]))
        self._small.tree.registers[:] = 0

        def advance_slice(work: BestFirstWork) -> int:
            pause = work.tree.registers[LOOKED] + SLICE_LOOKS
            return int(
                advance(
                    self._board, work, packed, size, automatic, longest, patience, k,
                    limits.nodes, pause,
                )
            )  # fmt: skip

        status, work = drive(self._small, advance_slice, enlarge, limits, started)
        ended = found(work.tree, status, time.thread_time() - started)
        return shortened(ended, self._board, packed, size, values)
