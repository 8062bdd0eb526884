"""What ``best`` sees of the future: a tree whose leaves ask the complete solver.

To judge a move by how many worlds can be won after it if all is known from then on
takes for granted that every later guess is right (*averaging over clairvoyance*; Bjarnason, Fern
and Tadepalli 2009, figure 2). So that judgement is made some moves later, at the leaves of a
tree: its nodes are what a player can tell apart, and the player's choice at a node is the same in
all worlds that look alike there.

The moves are those between classes of positions (``klondike.states``): whatever can be undone at
once is no choice, so a few moves reach far. Worlds are drawn at random, and those that the solver
does not win from the root are passed over: in them all moves are equal. In each of the others
every move that is still in question at the root is followed down the tree, on by upper confidence
bounds; a node is added where the way leaves the tree, and the solver asked whether the world is
still won there. So moves are compared in the same worlds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import int64

from klondike import complete
from klondike.complete import DEPTH, ORDERED, advance
from klondike.hidden.tree import EDGE_MARGIN, MARGIN
from klondike.packed import PACKED, WASTE
from klondike.position import Position, new_position, unpack
from klondike.states import (
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
from solving.bits import lowest_bit
from solving.draws import shuffle
from solving.runtime import kernel, large_kernel
from solving.slices import EXHAUSTED, GROW, RUNNING, SOLVED

# Registers of a mind: unseen cards; worlds drawn for the tree at hand, and those of them that were
# won; states on the path that could come back.
UNSEEN_CARDS, DRAWN, WON, PASSED = range(4)
# Registers of a tree, as in ``klondike.hidden.tree``.
NODES, EDGES, OUTCOMES = range(3)
OPTIONS = SAFE_HOME | STILL_BOTTOMS
MOST_DEEP = 200


class Mind(NamedTuple):
    """What the player keeps beside its tree.

    Attributes:
        registers: int64[4].
        draws: uint64[1], the player's random numbers.
        world: int64[71], a packed position that fits what is seen.
        places: int64[52], where the unseen cards lie in it.
        path: uint64[512], the states passed that could come back, then those of a sample.
        line: uint64[1024], the solver's way to its win.
        moves: int64[1024], found: int64[2048]: scratch of ``list_moves``.
        position: the world as the solver takes it.
        work: of the solver.
    """

    registers: np.ndarray
    draws: np.ndarray
    world: np.ndarray
    places: np.ndarray
    path: np.ndarray
    line: np.ndarray
    moves: np.ndarray
    found: np.ndarray
    position: Position
    work: complete.Work


def new_mind(states: int) -> Mind:
    """Arrays for a player whose solver looks at so many states."""
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
        world=np.zeros(PACKED, np.int64),
        places=np.zeros(52, np.int64),
        path=np.zeros(512, np.uint64),
        line=np.zeros(deep, np.uint64),
        moves=np.zeros(2 * MOST_MOVES, np.int64),
        found=np.zeros(2048, np.int64),
        position=new_position(),
        work=work,
    )


@large_kernel
def _solves(deal, work, state, limit):
    """Whether the solver wins a world from a state within so many states."""
    for i in range(work.registers.size):
        work.registers[i] = 0
    work.registers[ORDERED] = 1
    return advance(deal, work, state, OPTIONS, limit, 1 << 60) == SOLVED


@kernel
def _come_round(mind, deal, state, up, bases, move, passed):
    """Whether a move brings a state of the path back; only those that swap cards can."""
    if move & 7 != SWAP:
        return False
    after, _, _ = after_move(deal, state, up, bases, move)
    back = False
    for k in range(passed):
        back = back or mind.path[k] == after
    return back


@large_kernel
def list_choices(mind, state, up, bases, passed):
    """List the moves of a state, the best last, but for those that go back on the path.

    Returns:
        How many there are, in ``mind.moves``.
    """
    deal = mind.position.deal
    end = list_moves(deal, state, up, bases, OPTIONS, mind.moves, int64(0), mind.found)
    kept = int64(0)
    for i in range(end):
        move = mind.moves[i]
        if not _come_round(mind, deal, state, up, bases, move, passed):
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
    """The edge with the highest bound; one that was never followed is worth what its node is."""
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
    """The node that an edge leads to if a card turns up (-1 for none), new if need be."""
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
def plant(mind, tree):
    """Begin a tree at the state at hand; returns how many moves it has, the solver's own first."""
    registers = mind.registers
    for i in range(tree.registers.size):
        tree.registers[i] = 0
    state, up, bases = settled(mind.position.deal, unpack(mind.position, mind.world))
    mind.path[registers[PASSED]] = state
    _expand(mind, tree, _add_node(tree), state, up, bases, registers[PASSED] + 1)
    registers[DRAWN] = 0
    registers[WON] = 0
    return tree.size[0]


@kernel
def _follow_down(mind, tree, edge, state, up, bases, end, limit, exploration):
    """Follow a move of the root and then the tree, in the world at hand.

    Args:
        edge: of the root.
        state, up, bases: the root's.
        end: index of the last state on the solver's way to its win, which is in ``mind.line``.
    """
    deal = mind.position.deal
    depth, reward = int64(0), int64(0)
    # Where on that way, whose states need not be solved again; -1 beside it.
    on = int64(0)
    passed = mind.registers[PASSED]
    mind.path[passed] = state
    while True:
        tree.line[depth] = edge
        depth += 1
        move = tree.action[edge]
        card = turned_by(deal, move)
        state, up, bases = after_move(deal, state, up, bases, move)
        on = on + 1 if 0 <= on < end and mind.line[on + 1] == state else int64(-1)
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
        tree.runs[tree.line[k]] += 1
        tree.wins[tree.line[k]] += reward


@kernel
def ponder(mind, tree, edges, many, worlds, most, limit, exploration, pause):
    """Follow some moves of the root in more worlds.

    Args:
        mind: of the player; its world is what is seen.
        tree: of ``plant``.
        edges: int64, the moves in question.
        many: how many.
        worlds: that the solver wins, in all since the tree was planted.
        most: worlds that may be drawn, in all.
        limit: states that the solver looks at.
        exploration: the constant of the bounds.
        pause: worlds drawn at which to return ``RUNNING``.

    Returns:
        ``EXHAUSTED`` when done, ``RUNNING``, or ``GROW`` if an array must be enlarged first.
    """
    registers, deal, work = mind.registers, mind.position.deal, mind.work
    while registers[WON] < worlds and registers[DRAWN] < most:
        if registers[DRAWN] >= pause:
            return RUNNING
        if (
            tree.registers[NODES] + MARGIN > tree.won.size
            or tree.registers[EDGES] + EDGE_MARGIN > tree.action.size
            or tree.registers[OUTCOMES] + MARGIN > tree.card.size
        ):
            return GROW
        shuffle(mind.world, mind.places, registers[UNSEEN_CARDS], mind.draws)
        state, up, bases = settled(deal, unpack(mind.position, mind.world))
        registers[DRAWN] += 1
        if _solves(deal, work, state, limit):
            registers[WON] += 1
            end = work.registers[DEPTH]
            for k in range(end + 1):
                mind.line[k] = work.state[k]
            for k in range(many):
                _follow_down(mind, tree, edges[k], state, up, bases, end, limit, exploration)
    return EXHAUSTED


@kernel
def try_all(mind, moves, many, waste, won, limit):
    """Draw a world and ask the solver whether it is won after each of some moves.

    Args:
        moves: of what is seen; -1 for none, as after draws alone.
        many: how many.
        waste: int64, cards in the waste where the move is -1.
        won: int64, raised by one for each move after which it is.
        limit: states that the solver looks at.
    """
    shuffle(mind.world, mind.places, mind.registers[UNSEEN_CARDS], mind.draws)
    deal, kept = mind.position.deal, mind.world[WASTE]
    for i in range(many):
        if moves[i] < 0:
            mind.world[WASTE] = waste
        state, up, bases = settled(deal, unpack(mind.position, mind.world))
        mind.world[WASTE] = kept
        if moves[i] >= 0:
            state, up, bases = after_move(deal, state, up, bases, moves[i])
        won[i] += int64(is_won(state) or _solves(deal, mind.work, state, limit))


@kernel
def look_round(mind):
    """List the moves of what is seen, the best last; returns how many, and the state."""
    state, up, bases = settled(mind.position.deal, unpack(mind.position, mind.world))
    mind.path[mind.registers[PASSED]] = state
    return list_choices(mind, state, up, bases, mind.registers[PASSED] + 1), state
