"""UCT and its relatives (Bjarnason, Fern and Tadepalli 2009, "UCT" to "Sparse UCT").

A node is an information set together with its history: the actions on the path to it and
the cards that they turned up. As the graph is a tree, a node has one history, so the same actions
are forbidden at each visit. All nodes of a trajectory are stored. A trajectory begins with a random
determinization, so cards turn up with the right probabilities.

With a width w, the outcome of an action that turns a card up is sampled w times at a node.
From then on, one of these w outcomes is chosen at random. Its card then changes places with the
card that would have turned up. A draw from a stock that nobody has seen has outcomes, too: the
cards that it turns, one after the other.
"""

from __future__ import annotations

import math

from gafreecell import jit
from gafreecell.jit import int64, kernel
from gafreecell.jit.kernels.draws import below
from gafreecell.jit.slices import EXHAUSTED, GROW, RUNNING
from gafreecell.solitaire.klondike.cards import PILES, STRIDE
from gafreecell.solitaire.klondike.hidden.kernels.seat import (
    Seat,
    all_seen,
    determinize,
    finish,
    lasts,
    list_allowed,
    turns_up,
)
from gafreecell.solitaire.klondike.hidden.kernels.trees import (
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
from gafreecell.solitaire.klondike.kernels.board import (
    DRAWING,
    ONE,
    SECOND,
    SOURCE,
    TURNS,
    Board,
    is_won,
    make,
    top,
)
from gafreecell.solitaire.klondike.kernels.cards import bit

EXPLORATION = 1.0
"""The constant c of the upper confidence bounds (UCB)."""
_TALON = PILES * STRIDE
"""Places from here on are in the talon."""


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
    won = is_won(board) or (all_seen(board) and finish(seat, since, passed) >= 0)
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
def _place_of(board: Board, card: int) -> int:
    """Where an unseen card lies: an index of ``board.pile``, or ``_TALON`` + one of the talon."""
    for p in range(PILES):
        for k in range(STRIDE * p, STRIDE * p + board.down[p]):
            if board.pile[k] == card:
                return k
    for j in range(board.waste_size[0], board.talon_size[0]):
        if board.talon[j] == card:
            return _TALON + j
    return int64(-1)


@kernel
def _lay(board: Board, place: int, card: int) -> None:
    """Swap an unseen card with the one at a place, which ``_place_of`` would return for it.

    The hash stays the same, as it leaves out where unseen cards lie.
    """
    other = board.talon[place - _TALON] if place >= _TALON else board.pile[place]
    found = _place_of(board, card)
    if found >= _TALON:
        board.talon[found - _TALON] = other
    else:
        board.pile[found] = other
    if place >= _TALON:
        board.talon[place - _TALON] = card
    else:
        board.pile[place] = card
    if (found >= _TALON) != (place >= _TALON):
        board.hidden[0] ^= bit(card) ^ bit(other)


@kernel
def _lay_outcome(board: Board, action: int, shown: int) -> None:
    """Arrange the unseen cards so that an action turns up what ``_shown`` returned after it."""
    if action != DRAWING:
        p = _turning_pile(action)
        _lay(board, STRIDE * p + board.down[p] - 1, shown)
        return
    start = board.waste_size[0]
    end = min(start + board.draw[0], board.talon_size[0])
    for j in range(end - 1, start - 1, -1):
        _lay(board, _TALON + j, shown & 63)
        shown >>= 6


@kernel
def _shown(board: Board, action: int) -> int:
    """What an action has turned up: a card, or after a draw those on top of the waste.

    These are as many as a draw turns, the top one in the lowest six bits. The last draw may have
    turned fewer; then they include some that lay there before.
    """
    if action != DRAWING:
        return top(board, _turning_pile(action))
    c, shown = board.waste_size[0], int64(0)
    for j in range(max(c - board.draw[0], 0), c):
        shown = (shown << 6) | board.talon[j]
    return shown


@kernel
def _follow(seat: Seat, tree: Tree, edge: int, width: int) -> int:
    """Make an edge's action; returns the node it leads to, -1 if that is not stored yet."""
    board, action = seat.board, tree.action[edge]
    if not turns_up(action):
        make(board, action)
        return tree.child[edge]
    outcome = tree.child[edge]
    full = width > 0 and tree.born[edge] == width
    if full:
        for _ in range(below(seat.draws, width)):
            outcome = tree.next[outcome]
        _lay_outcome(board, action, tree.card[outcome])
    make(board, action)
    if full:
        return tree.node[outcome]
    if width > 0:
        return int64(-1)
    # Without a width, an outcome is stored once.
    outcome = outcome_of(tree, edge, _shown(board, action))
    return tree.node[outcome] if outcome >= 0 else int64(-1)


@kernel
def _link(seat: Seat, tree: Tree, edge: int, node: int) -> None:
    """Store a new node as the one that an edge leads to."""
    action = tree.action[edge]
    if turns_up(action):
        add_outcome(tree, edge, _shown(seat.board, action), node)
    else:
        tree.child[edge] = node


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
