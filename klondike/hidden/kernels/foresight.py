"""The tree of ``best``, at whose leaves the complete solver judges.

To judge a move by the share of determinizations that can be won after it, with all cards known
from then on, assumes that every later guess is right. This *averaging over clairvoyance* leads to
strategy fusion (Frank and Basin 1998; Bjarnason, Fern and Tadepalli 2009, figure 2). So that
judgement is made some moves later, at the leaves of a tree. Its nodes are information sets: at a
node the player makes the same choice in all determinizations that it cannot tell apart there.

The moves are those between the equivalence classes of ``klondike.complete.kernels.states``: what
can be undone at once is no choice, so a few moves reach far. Determinizations are drawn at random,
and skipped if the solver does not win them from the root, as all moves are equal in them. In each
of the others every root move still in question is followed down the tree, further moves being
selected by upper confidence bounds. A node is added where the path leaves the tree, and the solver
tells whether the determinization is still won there. So all moves are compared in the same
determinizations (common random numbers).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import int64

from jit import kernel, large_kernel
from jit.kernels.bits import lowest_bit
from jit.kernels.draws import shuffle
from jit.slices import EXHAUSTED, GROW, RUNNING, SOLVED
from klondike.complete.kernels import search as complete
from klondike.complete.kernels.playback import make_move, settle_layout
from klondike.complete.kernels.search import DEPTH, ORDERED
from klondike.complete.kernels.states import (
    BASE_DOWN,
    BASE_HOME,
    CARD_SHIFT,
    MOST_MOVES,
    SAFE_HOME,
    STILL_BOTTOMS,
    SWAP,
    after_move,
    is_won,
    list_moves,
    settled,
)
from klondike.complete.kernels.unpacked import Unpacked, new_unpacked, unpack
from klondike.hidden.kernels.trees import EDGE_MARGIN, EDGES, MARGIN, NODES, OUTCOMES
from klondike.packed import PACKED, WASTE

# Registers of a mind: unseen cards; determinizations drawn for the current tree, and those of them
# that were won; states on the path that could come back.
UNSEEN_CARDS, DRAWN, WON, PASSED = range(4)
OPTIONS = SAFE_HOME | STILL_BOTTOMS
MOST_DEEP = 200


class Mind(NamedTuple):
    """The arrays that the player keeps beside its tree.

    Attributes:
        registers: int64[4].
        draws: uint64[1], the player's random number generator.
        determinization: int64[71], a packed position that fits the view.
        places: int64[52], where the unseen cards lie in it.
        path: uint64[512], the states passed that could come back, then those of a sample.
        winning_path: uint64[1024], the states on the solver's path to its win.
        moves: int64[1024], found: int64[2048]: scratch of ``list_moves``.
        unpacked: the determinization as the solver takes it.
        work: of the solver.
    """

    registers: np.ndarray
    draws: np.ndarray
    determinization: np.ndarray
    places: np.ndarray
    path: np.ndarray
    winning_path: np.ndarray
    moves: np.ndarray
    found: np.ndarray
    unpacked: Unpacked
    work: complete.Work


def new_mind(states: int) -> Mind:
    """Arrays for a player whose solver generates at most so many states."""
    table = 1 << (8 * (states + 2) // 7).bit_length()
    deep = 1 << 10
    work = complete.new_work()._replace(
        table=np.zeros(table, np.uint64),
        moves=np.zeros(1 << 15, np.int64),
        **{name: np.zeros(deep, np.uint64) for name in ("state", "up", "bases")},
        **{name: np.zeros(deep, np.int64) for name in ("first", "last", "made")},
    )
    return Mind(
        registers=np.zeros(4, np.int64),
        draws=np.zeros(1, np.uint64),
        determinization=np.zeros(PACKED, np.int64),
        places=np.zeros(52, np.int64),
        path=np.zeros(512, np.uint64),
        winning_path=np.zeros(deep, np.uint64),
        moves=np.zeros(2 * MOST_MOVES, np.int64),
        found=np.zeros(2048, np.int64),
        unpacked=new_unpacked(),
        work=work,
    )


@large_kernel
def _solves(deal, work, state, limit):
    """Whether the solver wins a determinization from a state, generating at most so many states."""
    for i in range(work.registers.size):
        work.registers[i] = 0
    work.registers[ORDERED] = 1
    return complete.advance(deal, work, state, OPTIONS, limit, 1 << 60) == SOLVED


@kernel
def _goes_back(mind, deal, state, up, bases, move, passed):
    """Whether a move brings back a state of the path; only those that swap cards can."""
    if move & 7 != SWAP:
        return False
    after, _, _ = after_move(deal, state, up, bases, move)
    back = False
    for k in range(passed):
        back = back or mind.path[k] == after
    return back


@large_kernel
def list_choices(mind, state, up, bases, passed):
    """List the moves of a state that bring back no state of the path, the best last.

    Returns:
        How many there are, in ``mind.moves``.
    """
    deal = mind.unpacked.deal
    end = list_moves(deal, state, up, bases, OPTIONS, mind.moves, int64(0), mind.found)
    kept = int64(0)
    for i in range(end):
        move = mind.moves[i]
        if not _goes_back(mind, deal, state, up, bases, move, passed):
            mind.moves[kept] = move
            kept += 1
    return kept


@kernel
def _add_node(tree):
    node = tree.registers[NODES]
    tree.registers[NODES] = node + 1
    tree.visits[node] = 0
    tree.size[node] = -1
    return node


@kernel
def _expand(mind, tree, node, state, up, bases, passed):
    """Store the moves of a node."""
    edge = tree.registers[EDGES]
    many = min(list_choices(mind, state, up, bases, passed), tree.action.size - edge)
    tree.first[node] = edge
    tree.size[node] = many
    for i in range(many):
        tree.action[edge + i] = mind.moves[many - 1 - i]
        tree.runs[edge + i] = 0
        tree.wins[edge + i] = 0
        tree.child[edge + i] = -1
    tree.registers[EDGES] = edge + many


@kernel
def _select(tree, node, exploration):
    """The edge with the highest UCB; one never followed has the value of its node."""
    first, size, visits = tree.first[node], tree.size[node], tree.visits[node]
    wins = int64(0)
    for edge in range(first, first + size):
        wins += tree.wins[edge]
    prior = (wins + 1.0) / (visits + 1.0)
    best, highest = first, -1.0
    log = math.log(visits + 1.0)
    for edge in range(first, first + size):
        n = tree.runs[edge] + 1
        bound = (tree.wins[edge] + prior) / n + exploration * math.sqrt(log / n)
        if bound > highest:
            best, highest = edge, bound
    return best


@kernel
def _follow(tree, edge, card):
    """The node that an edge leads to if this card turns up (-1 for none); added if need be."""
    if card < 0:
        if tree.child[edge] < 0:
            tree.child[edge] = _add_node(tree)
        return tree.child[edge]
    outcome = tree.child[edge]
    while outcome >= 0:
        if tree.card[outcome] == card:
            return tree.node[outcome]
        outcome = tree.next[outcome]
    outcome = tree.registers[OUTCOMES]
    tree.registers[OUTCOMES] = outcome + 1
    tree.card[outcome] = card
    tree.node[outcome] = _add_node(tree)
    tree.next[outcome] = tree.child[edge]
    tree.child[edge] = outcome
    return tree.node[outcome]


@kernel
def turned_by(deal, move):
    """The card that a move turns up, -1 for none."""
    if move & 7 not in (BASE_DOWN, BASE_HOME):
        return int64(-1)
    beneath = deal.beneath[(move >> CARD_SHIFT) & 63]
    return lowest_bit(beneath) if beneath else int64(-1)


@kernel
def set_root(mind, tree):
    """Begin a tree at the current state; returns the number of its moves, in the solver's order."""
    registers = mind.registers
    for i in range(tree.registers.size):
        tree.registers[i] = 0
    state, up, bases = settled(mind.unpacked.deal, unpack(mind.unpacked, mind.determinization))
    mind.path[registers[PASSED]] = state
    _expand(mind, tree, _add_node(tree), state, up, bases, registers[PASSED] + 1)
    registers[DRAWN] = 0
    registers[WON] = 0
    return tree.size[0]


@kernel
def _simulate_move(mind, tree, edge, state, up, bases, end, limit, exploration):
    """Follow a move of the root, and then the tree, in the current determinization.

    Args:
        edge: of the root.
        state, up, bases: the root's.
        end: index of the last state of ``mind.winning_path``.
    """
    deal = mind.unpacked.deal
    depth, reward = int64(0), int64(0)
    # The index on that path, whose states need not be solved again; -1 off the path.
    on = int64(0)
    passed = mind.registers[PASSED]
    mind.path[passed] = state
    while True:
        tree.path[depth] = edge
        depth += 1
        move = tree.action[edge]
        card = turned_by(deal, move)
        state, up, bases = after_move(deal, state, up, bases, move)
        on = on + 1 if 0 <= on < end and mind.winning_path[on + 1] == state else int64(-1)
        passed = passed + 1 if move & 7 == SWAP else int64(0)
        mind.path[passed] = state
        node = _follow(tree, edge, card)
        if is_won(state):
            reward = int64(1)
            break
        tree.visits[node] += 1
        if tree.visits[node] == 1:
            reward = int64(on >= 0 or _solves(deal, mind.work, state, limit))
            break
        if tree.size[node] < 0:
            _expand(mind, tree, node, state, up, bases, passed + 1)
        if tree.size[node] == 0 or depth == MOST_DEEP:
            break
        edge = _select(tree, node, exploration)
    for k in range(depth):
        tree.runs[tree.path[k]] += 1
        tree.wins[tree.path[k]] += reward


@kernel
def advance(mind, tree, edges, many, won, most, limit, exploration, pause):
    """Follow some moves of the root in more determinizations, the same for all of them.

    Args:
        mind: of the player; its determinization fits the view.
        tree: as ``set_root`` left it.
        edges: int64, the moves in question.
        many: how many.
        won: determinizations that the solver wins, in all since ``set_root``.
        most: determinizations that may be drawn, in all.
        limit: states that the solver may generate.
        exploration: the constant of the bounds.
        pause: determinizations drawn at which to return ``RUNNING``.

    Returns:
        ``EXHAUSTED`` when they are used up, ``RUNNING``, or ``GROW`` if an array must be enlarged
        first.
    """
    registers, deal, work = mind.registers, mind.unpacked.deal, mind.work
    while registers[WON] < won and registers[DRAWN] < most:
        if registers[DRAWN] >= pause:
            return RUNNING
        if (
            tree.registers[NODES] + MARGIN > tree.won.size
            or tree.registers[EDGES] + EDGE_MARGIN > tree.action.size
            or tree.registers[OUTCOMES] + MARGIN > tree.card.size
        ):
            return GROW
        shuffle(mind.determinization, mind.places, registers[UNSEEN_CARDS], mind.draws)
        state, up, bases = settled(deal, unpack(mind.unpacked, mind.determinization))
        registers[DRAWN] += 1
        if _solves(deal, work, state, limit):
            registers[WON] += 1
            end = work.registers[DEPTH]
            for k in range(end + 1):
                mind.winning_path[k] = work.state[k]
            for k in range(many):
                _simulate_move(mind, tree, edges[k], state, up, bases, end, limit, exploration)
    return EXHAUSTED


@kernel
def try_all(mind, moves, many, waste, won, limit):
    """Draw a determinization, and for each of some moves let the solver tell whether it wins then.

    Args:
        moves: of the view; -1 for none, as after draws alone.
        many: how many.
        waste: int64, cards in the waste for the move -1.
        won: int64, for each move, raised by one if it does.
        limit: states that the solver may generate.
    """
    shuffle(mind.determinization, mind.places, mind.registers[UNSEEN_CARDS], mind.draws)
    deal, kept = mind.unpacked.deal, mind.determinization[WASTE]
    for i in range(many):
        if moves[i] < 0:
            mind.determinization[WASTE] = waste
        state, up, bases = settled(deal, unpack(mind.unpacked, mind.determinization))
        mind.determinization[WASTE] = kept
        if moves[i] >= 0:
            state, up, bases = after_move(deal, state, up, bases, moves[i])
        won[i] += int64(is_won(state) or _solves(deal, mind.work, state, limit))


@kernel
def list_root_moves(mind):
    """List the moves of the current view, the best last; returns how many, and the state."""
    state, up, bases = settled(mind.unpacked.deal, unpack(mind.unpacked, mind.determinization))
    mind.path[mind.registers[PASSED]] = state
    return list_choices(mind, state, up, bases, mind.registers[PASSED] + 1), state


@kernel
def write_move(unpacked, state, move, written):
    """Write the moves on the table that make a move; returns the end."""
    at = settle_layout(unpacked.deal, unpacked.layout, state, written, 0)
    return make_move(unpacked.deal, unpacked.layout, move, written, at)
