"""The tree of ``best``, at whose leaves the complete solver judges.

A simple player would judge a move by the share of determinizations that can be won after it, with
all cards known. That assumes that every later guess is right. This *averaging over clairvoyance*
leads to strategy fusion (Frank and Basin 1998; Bjarnason, Fern and Tadepalli 2009, figure 2). So
the solver judges some moves later, at the leaves of a tree. The nodes of the tree are information
sets: at a node the player makes the same choice in all determinizations that it cannot tell apart
there.

The moves are those between the equivalence classes of ``klondike.complete.kernels.states``. What
can be undone at once is no choice, so a few moves reach far. The tree grows in these steps:

1. Draw a determinization at random. Skip it if the solver does not win it from the root, as all
   moves are equal in it.
2. Follow each root move still in question down the tree. Upper confidence bounds select the moves
   after it.
3. Add a node where the path leaves the tree. The solver tells whether the determinization is
   still won there. Count the answer for each edge on the path.

So all root moves are compared in the same determinizations (common random numbers).

While nobody has seen the stock, only the top card of the waste can be chosen from the talon, and a
draw is a move of its own: it costs the cards that it buries, and shows others. The player then
knows more than the state says: the *cursor*, the talon's place up to which the cards were turned.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import jit
from jit import int64, kernel, large_kernel, new_registers, uint64
from jit.kernels.bits import highest_bit, lowest_bit
from jit.kernels.draws import shuffle
from jit.slices import EXHAUSTED, GROW, RUNNING, SOLVED, enlarged
from klondike.complete.kernels import search as complete
from klondike.complete.kernels.playback import make_move, settle_layout
from klondike.complete.kernels.states import (
    BASE_DOWN,
    BASE_HOME,
    CARD_SHIFT,
    HOME_STAYS,
    MOST_MOVES,
    MOST_WAYS,
    PROVES,
    SWAP,
    TALON_DOWN,
    TALON_HOME,
    WASTE_SHIFT,
    Deal,
    after_move,
    is_won,
    list_moves,
    look,
    settled,
    talon_of,
    turned,
)
from klondike.complete.kernels.unpacked import Unpacked, new_unpacked, unpack
from klondike.hidden.kernels.trees import (
    Tree,
    add_edges,
    add_node,
    add_outcome,
    is_full,
    outcome_of,
    reward,
    wipe,
)
from klondike.moves import DRAW
from klondike.packed import PACKED, REDEALS_AT, WASTE_AT

OPTIONS = PROVES | HOME_STAYS
"""Which moves to prune, in searches and in the tree. Wins may get lost: a chance is an estimate."""
DRAW_STOCK = SWAP + 1
"""The kind of a draw from an unseen stock, besides the kinds of the complete search's moves."""
MOST_DEEP = 200
"""Moves after which a sample counts as lost."""


class Registers(jit.Registers):
    """The numbers that the player keeps beside its tree, zero before a game.

    Attributes:
        unseen: how many cards are unseen.
        drawn: how many determinizations were drawn for the current tree.
        won: how many of them the solver won.
        passed: how many states that could come back the game has passed.
        cursor: the place of the talon where its unseen cards begin; -1 if all of it was seen.
    """

    unseen: int
    drawn: int
    won: int
    passed: int
    cursor: int


class Mind(NamedTuple):
    """The arrays that the player keeps beside its tree.

    Attributes:
        registers: named numbers.
        draws: uint64[1], the player's random number generator.
        determinization: int64[74], a packed position that fits the view.
        places: int64[52], where the unseen cards lie in it.
        path: uint64, the states passed that could come back, then those of a sample; ``enlarge``
            keeps it long enough.
        winning_path: uint64, the states on the solver's path to its win; as long as that path can
            be.
        moves: int64[``MOST_MOVES``], the moves of a state.
        found: int64[``MOST_WAYS``], scratch of ``list_moves``.
        unpacked: the determinization as the solver takes it.
        solver: the arrays of the complete search.
    """

    registers: Registers
    draws: np.ndarray
    determinization: np.ndarray
    places: np.ndarray
    path: np.ndarray
    winning_path: np.ndarray
    moves: np.ndarray
    found: np.ndarray
    unpacked: Unpacked
    solver: complete.Work


def new_mind(states: int, path: int = 512, deep: int = 1 << 10, moves: int = 1 << 15) -> Mind:
    """Arrays for a player whose solver generates at most ``states`` states.

    The solver's arrays cannot grow within a kernel. So a determinization also counts as not won if
    the solver's path, or the moves listed along it, would need more room than there is. A path of
    1,000 states has room.

    Args:
        states: the most states that the solver generates.
        path: room for the states passed.
        deep, moves: room for the states and moves on the solver's path.
    """
    slots = 1 << (8 * (states + 2) // 7).bit_length()
    solver = complete.new_work(slots, deep, moves)
    return Mind(
        registers=new_registers(Registers),
        draws=np.zeros(1, np.uint64),
        determinization=np.zeros(PACKED, np.int64),
        places=np.zeros(52, np.int64),
        path=np.zeros(path, np.uint64),
        winning_path=np.zeros_like(solver.state),
        moves=np.zeros(MOST_MOVES, np.int64),
        found=np.zeros(MOST_WAYS, np.int64),
        unpacked=new_unpacked(),
        solver=solver,
    )


def enlarge(mind: Mind) -> Mind:
    """The same arrays, with a longer path if a sample's states would not fit after those passed."""
    while mind.registers.passed + MOST_DEEP + 1 > mind.path.size:
        mind = enlarged(mind, "path")
    return mind


@large_kernel
def _solves(deal: Deal, solver: complete.Work, state: int, limit: int) -> bool:
    """Whether the solver wins a determinization from a state within ``limit`` states."""
    complete.restart(solver, 1)
    return complete.advance(deal, solver, state, OPTIONS, limit, 1 << 60) == SOLVED


@kernel
def _goes_back(
    mind: Mind, state: int, up: int, bases: int, move: int, since: int, passed: int
) -> bool:
    """Whether a move brings back a state of the path; only swaps can."""
    if move & 7 != SWAP:
        return False
    after, _, _ = after_move(mind.unpacked.deal, state, up, bases, move)
    back = False
    for k in range(since, passed):
        back = back or mind.path[k] == after
    return back


@kernel
def _top_of_waste(state: int, cursor: int) -> int:
    """The place of the waste's top card, if the cards before ``cursor`` were turned; -1 if none."""
    waste = uint64(talon_of(state) & ((1 << cursor) - 1))
    return highest_bit(waste) if waste else int64(-1)


@kernel
def _draw(deal: Deal, state: int, cursor: int) -> tuple[int, int]:
    """The state after a draw from an unseen stock, and the cursor: -1 after the last card."""
    talon, rules = talon_of(state), deal.rules
    # No card of an unseen stock has been played, so its places follow one another.
    cursor = min(cursor + rules.draw, highest_bit(uint64(talon)) + 1)
    rest = int64(state) & ~(31 << WASTE_SHIFT)
    after = uint64(rest | (turned(rules, talon, cursor) << WASTE_SHIFT))
    return after, cursor if talon >> cursor else int64(-1)


@kernel
def _cursor_after(state: int, cursor: int) -> int:
    """The cursor after a move that was no draw; -1 once no card of the stock is unseen."""
    return cursor if cursor >= 0 and talon_of(state) >> cursor else int64(-1)


@large_kernel
def list_choices(
    mind: Mind, state: int, up: int, bases: int, cursor: int, since: int, passed: int
) -> int:
    """List the moves of a state that bring back none of ``path[since:passed]``, the best last.

    Args:
        cursor: where the talon's unseen cards begin, -1 if there are none.

    Returns:
        How many there are, in ``mind.moves``.
    """
    deal = mind.unpacked.deal
    end = list_moves(deal, state, up, bases, OPTIONS, mind.moves, int64(0), mind.found)
    if end == 0:
        # The rules must not leave a state without moves, or the game would be called lost.
        end = list_moves(deal, state, up, bases, PROVES, mind.moves, int64(0), mind.found)
    top = _top_of_waste(state, cursor) if cursor >= 0 else int64(-1)
    kept = int64(0)
    for i in range(end):
        move = mind.moves[i]
        kind = move & 7
        unseen = (
            cursor >= 0
            and kind in (TALON_DOWN, TALON_HOME)
            and deal.place[(move >> CARD_SHIFT) & 63] != top
        )
        if not unseen and not _goes_back(mind, state, up, bases, move, since, passed):
            mind.moves[kept] = move
            kept += 1
    # A card that can go home at no risk is the only move; anything else competes with a draw.
    if cursor >= 0 and not (end == 1 and kept == 1 and mind.moves[0] & 7 == BASE_HOME):
        for i in range(kept, 0, -1):
            mind.moves[i] = mind.moves[i - 1]
        mind.moves[0] = DRAW_STOCK
        kept += 1
    return kept


@kernel
def _expand(
    mind: Mind,
    tree: Tree,
    node: int,
    state: int,
    up: int,
    bases: int,
    cursor: int,
    since: int,
    passed: int,
) -> None:
    """Store the moves of a node as its edges, as many as there is room for."""
    listed = list_choices(mind, state, up, bases, cursor, since, passed)
    many = min(listed, tree.action.size - tree.counts.edges)
    edge = add_edges(tree, node, many)
    for i in range(many):
        tree.action[edge + i] = mind.moves[many - 1 - i]


@kernel
def _select(tree: Tree, node: int, exploration: float) -> int:
    """The edge with the highest UCB; each starts with one run that had the value of its node."""
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
def _follow(tree: Tree, edge: int, card: int) -> int:
    """The node that an edge leads to if ``card`` turns up (-1 for none); added if it is new."""
    if card < 0:
        if tree.child[edge] < 0:
            tree.child[edge] = add_node(tree)
        return tree.child[edge]
    outcome = outcome_of(tree, edge, card)
    if outcome >= 0:
        return tree.node[outcome]
    node = add_node(tree)
    add_outcome(tree, edge, card, node)
    return node


@kernel
def _drawn(deal: Deal, state: int, cursor: int) -> int:
    """A number for the cards that a draw from an unseen stock turns."""
    number = int64(0)
    for place in range(cursor, cursor + deal.rules.draw):
        if talon_of(state) >> place:
            number = (number << 6) | (deal.talon[place] + 1)
    return number


@kernel
def turned_by(deal: Deal, move: int) -> int:
    """The card that a move turns up, -1 for none."""
    if move & 7 not in (BASE_DOWN, BASE_HOME):
        return int64(-1)
    beneath = deal.beneath[(move >> CARD_SHIFT) & 63]
    return lowest_bit(beneath) if beneath else int64(-1)


@kernel
def set_root(mind: Mind, tree: Tree) -> int:
    """Begin a tree at the current state; returns the number of its moves, in the solver's order."""
    registers = mind.registers
    wipe(tree)
    state, up, bases = settled(mind.unpacked.deal, unpack(mind.unpacked, mind.determinization))
    mind.path[registers.passed] = state
    _expand(
        mind, tree, add_node(tree), state, up, bases, registers.cursor, int64(0),
        registers.passed + 1,
    )  # fmt: skip
    registers.drawn = 0
    registers.won = 0
    return tree.size[0]


@kernel
def _simulate_move(
    mind: Mind,
    tree: Tree,
    edge: int,
    state: int,
    up: int,
    bases: int,
    end: int,
    limit: int,
    exploration: float,
) -> None:
    """Follow a move of the root, and then the tree, in the current determinization.

    The states passed in the game stay on the path, as other samples and turns need them.

    Args:
        edge: the move's edge.
        state, up, bases: the root's.
        end: the index of the last state of ``mind.winning_path``.
    """
    deal = mind.unpacked.deal
    depth, won = int64(0), int64(0)
    # The index on the winning path, whose states need not be solved again; -1 off it.
    on = int64(0)
    since, passed, cursor = int64(0), mind.registers.passed, mind.registers.cursor
    mind.path[passed] = state
    while True:
        tree.path[depth] = edge
        depth += 1
        move = tree.action[edge]
        if move & 7 == DRAW_STOCK:
            card = _drawn(deal, state, cursor)
            state, cursor = _draw(deal, state, cursor)
        else:
            card = turned_by(deal, move)
            state, up, bases = after_move(deal, state, up, bases, move)
            cursor = _cursor_after(state, cursor)
        on = on + 1 if 0 <= on < end and mind.winning_path[on + 1] == state else int64(-1)
        passed += 1
        if move & 7 != SWAP:
            since = passed
        mind.path[passed] = state
        node = _follow(tree, edge, card)
        if is_won(state):
            won = int64(1)
            break
        tree.visits[node] += 1
        if tree.visits[node] == 1:
            won = int64(on >= 0 or _solves(deal, mind.solver, state, limit))
            break
        if tree.size[node] < 0:
            _expand(mind, tree, node, state, up, bases, cursor, since, passed + 1)
        if tree.size[node] == 0 or depth == MOST_DEEP:
            break
        edge = _select(tree, node, exploration)
    reward(tree, depth, won)


@kernel
def advance(
    mind: Mind,
    tree: Tree,
    edges: np.ndarray,
    many: int,
    won: int,
    most: int,
    limit: int,
    exploration: float,
    pause: int,
) -> int:
    """Follow some moves of the root in more determinizations, the same for all of them.

    Args:
        mind: the player's arrays; its determinization fits the view.
        tree: as ``set_root`` left it.
        edges: int64, the edges of the moves in question.
        many: how many there are.
        won: stop when the solver has won so many determinizations since ``set_root``.
        most: stop when so many determinizations were drawn since ``set_root``.
        limit: states that the solver may generate.
        exploration: the constant of the bounds.
        pause: determinizations drawn at which to return ``RUNNING``.

    Returns:
        ``EXHAUSTED`` when ``won`` or ``most`` is reached, ``RUNNING``, or ``GROW`` if an array must
        be enlarged first.
    """
    registers, deal, solver = mind.registers, mind.unpacked.deal, mind.solver
    while registers.won < won and registers.drawn < most:
        if registers.drawn >= pause:
            return RUNNING
        if is_full(tree):
            return GROW
        shuffle(mind.determinization, mind.places, registers.unseen, mind.draws)
        state, up, bases = settled(deal, unpack(mind.unpacked, mind.determinization))
        registers.drawn += 1
        if _solves(deal, solver, state, limit):
            registers.won += 1
            end = solver.registers.depth
            for k in range(end + 1):
                mind.winning_path[k] = solver.state[k]
            for k in range(many):
                _simulate_move(mind, tree, edges[k], state, up, bases, end, limit, exploration)
    return EXHAUSTED


@kernel
def try_all(
    mind: Mind,
    moves: np.ndarray,
    many: int,
    waste: int,
    redeals: int,
    won: np.ndarray,
    limit: int,
) -> None:
    """Draw a determinization, and count each move after which the solver wins it.

    Args:
        moves: int64, moves of the view; -1 stands for draws alone.
        many: how many there are.
        waste: cards in the waste after these draws.
        redeals: redeals left after them, as a packed position tells them.
        won: int64, for each move its wins so far; raised by one if the solver wins.
        limit: states that the solver may generate.
    """
    shuffle(mind.determinization, mind.places, mind.registers.unseen, mind.draws)
    deal, packed = mind.unpacked.deal, mind.determinization
    now_waste, now_redeals = packed[WASTE_AT], packed[REDEALS_AT]
    for i in range(many):
        if moves[i] < 0:
            packed[WASTE_AT], packed[REDEALS_AT] = waste, redeals
        state, up, bases = settled(deal, unpack(mind.unpacked, packed))
        packed[WASTE_AT], packed[REDEALS_AT] = now_waste, now_redeals
        if moves[i] >= 0:
            state, up, bases = after_move(deal, state, up, bases, moves[i])
        won[i] += int64(is_won(state) or _solves(deal, mind.solver, state, limit))


@kernel
def list_root_moves(mind: Mind) -> tuple[int, int]:
    """List the moves of the current view, the best last; returns how many, and the state."""
    state, up, bases = settled(mind.unpacked.deal, unpack(mind.unpacked, mind.determinization))
    mind.path[mind.registers.passed] = state
    registers = mind.registers
    passed = registers.passed + 1
    return list_choices(mind, state, up, bases, registers.cursor, int64(0), passed), state


@kernel
def write_move(unpacked: Unpacked, state: int, move: int, written: np.ndarray) -> int:
    """Write the moves on the table that make a move; returns the end."""
    up, bases = look(unpacked.deal, state)
    at = settle_layout(unpacked.layout, up, bases, written, 0)
    if move & 7 == DRAW_STOCK:
        written[at] = DRAW
        return at + 1
    return make_move(unpacked.layout, move, written, at)
