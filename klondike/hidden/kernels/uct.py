"""UCT and its relatives (Bjarnason, Fern and Tadepalli 2009, "UCT" to "Sparse UCT").

A node is an information set together with its history: the actions on the path to it and
the cards that they turned up. As the graph is a tree, a node has one history, so the same actions
are forbidden at each visit. All nodes of a trajectory are stored. A trajectory begins with a random
determinization, so cards turn up with the right probabilities.

With a width w, the outcome of an action that turns a card up is sampled w times at a node.
From then on, one of these w outcomes is chosen at random. Its card then changes places with the
card that would have turned up.
"""

from __future__ import annotations

import math

import jit
from jit import int64, kernel
from jit.kernels.draws import below
from jit.slices import EXHAUSTED, GROW, RUNNING
from klondike.cards import PILES, STRIDE
from klondike.hidden.kernels.seat import Seat, determinize, finish, lasts, list_allowed, turns_up
from klondike.hidden.kernels.trees import (
    EDGE_MARGIN,
    LONGEST,
    Tree,
    add_edges,
    add_node,
    add_outcome,
    is_full,
    outcome_of,
    reward,
)
from klondike.kernels.board import ONE, SECOND, SOURCE, TURNS, Board, is_won, make, top

EXPLORATION = 1.0
"""The constant c of the upper confidence bounds (UCB)."""


class Registers(jit.Registers):
    """What the growth of a tree keeps between slices, zero before the first.

    Attributes:
        trajectories: how many were run.
    """

    trajectories: int


@kernel
def _add_node(seat: Seat, tree: Tree, since: int, passed: int) -> int:
    """Store the current state, the last on the path, as a node with its edges."""
    board = seat.board
    node = add_node(tree)
    won = is_won(board) or (board.hidden[0] == 0 and finish(seat, since, passed) >= 0)
    many = int64(0)
    if not won and tree.counts.edges + EDGE_MARGIN // 2 < tree.action.size:
        many = list_allowed(seat, since, passed + 1)
    edge = add_edges(tree, node, many)
    for i in range(many):
        tree.action[edge + i] = seat.actions[i]
    tree.won[node] = int64(won)
    return node


@kernel
def _select(seat: Seat, tree: Tree, node: int) -> int:
    """The edge to follow: a random one not tried yet, else the one with the highest UCB."""
    first, size, tried = tree.first[node], tree.size[node], tree.tried[node]
    if tried < size:
        edge, drawn = first + tried, first + tried + below(seat.draws, size - tried)
        kept = tree.action[edge]
        tree.action[edge] = tree.action[drawn]
        tree.action[drawn] = kept
        tree.tried[node] = tried + 1
        return edge
    best, highest = first, -1.0
    log = math.log(tree.visits[node])
    for edge in range(first, first + size):
        n = tree.runs[edge]
        bound = tree.wins[edge] / n + EXPLORATION * math.sqrt(log / n)
        if bound > highest:
            best, highest = edge, bound
    return best


@kernel
def _turning_pile(action: int) -> int:
    """The pile in which an action turns a card up, if it does."""
    if (action >> TURNS) & 1:
        return (action >> SOURCE) & 31
    return (((action >> SECOND) & ONE) >> SOURCE) & 31


@kernel
def _lay(board: Board, p: int, card: int) -> None:
    """Swap a face-down card with the one that turns up next in pile ``p``."""
    at = STRIDE * p + board.down[p] - 1
    for q in range(PILES):
        for k in range(STRIDE * q, STRIDE * q + board.down[q]):
            if board.pile[k] == card:
                board.pile[k] = board.pile[at]
                board.pile[at] = card
                return


@kernel
def _follow(seat: Seat, tree: Tree, edge: int, width: int) -> int:
    """Make an edge's action; returns the node it leads to, -1 if that is not stored yet."""
    board, action = seat.board, tree.action[edge]
    if not turns_up(action):
        make(board, action)
        return tree.child[edge]
    p = _turning_pile(action)
    outcome = tree.child[edge]
    full = width > 0 and tree.born[edge] == width
    if full:
        for _ in range(below(seat.draws, width)):
            outcome = tree.next[outcome]
        _lay(board, p, tree.card[outcome])
    make(board, action)
    if full:
        return tree.node[outcome]
    if width > 0:
        return int64(-1)
    # Without a width, an outcome is stored once for each card.
    outcome = outcome_of(tree, edge, top(board, p))
    return tree.node[outcome] if outcome >= 0 else int64(-1)


@kernel
def _link(seat: Seat, tree: Tree, edge: int, node: int) -> None:
    """Store a new node as the one that an edge leads to."""
    action = tree.action[edge]
    if not turns_up(action):
        tree.child[edge] = node
        return
    add_outcome(tree, edge, top(seat.board, _turning_pile(action)), node)


@kernel
def _run_trajectory(seat: Seat, tree: Tree, width: int) -> None:
    """Run one trajectory from the root to a win or a dead end, and update its edges."""
    determinize(seat)
    board = seat.board
    passed, since = seat.registers.passed, seat.registers.since
    seat.path[passed] = board.key[0]
    node = int64(0) if tree.counts.nodes > 0 else int64(-1)
    depth = int64(0)
    while True:
        if node < 0:
            node = _add_node(seat, tree, since, passed)
            if depth > 0:
                _link(seat, tree, tree.path[depth - 1], node)
        if tree.size[node] == 0 or depth == LONGEST:
            break
        tree.visits[node] += 1
        edge = _select(seat, tree, node)
        tree.path[depth] = edge
        depth += 1
        node = _follow(seat, tree, edge, width)
        passed += 1
        if lasts(tree.action[edge]):
            since = passed
        seat.path[passed] = board.key[0]
    reward(tree, depth, tree.won[node])


@kernel
def advance(
    seat: Seat, tree: Tree, registers: Registers, width: int, trajectories: int, pause: int
) -> int:
    """Run trajectories until the tree has ``trajectories`` of them.

    Args:
        seat: the player's arrays; the current state is the root of the tree.
        tree: wiped before it begins to grow.
        registers: zero before it begins to grow.
        width: the outcomes kept of an edge; 0 for all.
        trajectories: how many the whole tree is to have.
        pause: trajectories at which to return ``RUNNING``.

    Returns:
        ``EXHAUSTED`` when the trajectories are used up, ``RUNNING``, or ``GROW`` if an array must
        be enlarged first.
    """
    while registers.trajectories < trajectories:
        if registers.trajectories >= pause:
            return RUNNING
        if is_full(tree):
            return GROW
        _run_trajectory(seat, tree, width)
        registers.trajectories += 1
    return EXHAUSTED
