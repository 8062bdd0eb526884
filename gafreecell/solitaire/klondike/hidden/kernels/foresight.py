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
4. Drop each move that is not worth the price of further samples (``_race``).

So all root moves are compared in the same determinizations (common random numbers).

While nobody has seen the stock, only the top card of the waste can be chosen from the talon, and a
draw is a move of its own: it costs the cards that it buries, and shows others. The player then
knows more than the state says: the *cursor*, the talon's place up to which the cards were turned.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gafreecell import jit
from gafreecell.jit import int64, kernel, large_kernel, new_registers, uint64
from gafreecell.jit.kernels.bits import highest_bit, lowest_bit
from gafreecell.jit.kernels.draws import shuffle
from gafreecell.jit.slices import EXHAUSTED, GROW, RUNNING, SOLVED, UNSOLVABLE, enlarged
from gafreecell.solitaire.klondike.complete.kernels import search as complete
from gafreecell.solitaire.klondike.complete.kernels.layout import (
    Unpacked,
    make_move,
    new_unpacked,
    settle_layout,
    unpack,
)
from gafreecell.solitaire.klondike.complete.kernels.states import (
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
from gafreecell.solitaire.klondike.hidden.kernels.judgement import DRAW_STOCK, TERMS, judge
from gafreecell.solitaire.klondike.hidden.kernels.trees import (
    Tree,
    add_edges,
    add_node,
    add_outcome,
    is_full,
    outcome_of,
    reward,
    wipe,
)
from gafreecell.solitaire.klondike.moves import DRAW
from gafreecell.solitaire.klondike.packed import PACKED, REDEALS_AT, WASTE_AT

OPTIONS = PROVES | HOME_STAYS
"""Which moves to prune, in searches and in the tree. Wins may get lost: a chance is an estimate."""
MEMO_BITS = 12
MEMO = 1 << MEMO_BITS
"""Slots of the memo of verdicts."""
ROOT_SEARCHES, LEAF_SEARCHES = 4, 5
"""The most searches for a verdict, from the root and from a leaf, each with an order of its own."""
STATES = 100
"""The most states that each of them generates."""
FEWEST = 8
"""Determinizations drawn before a race may end, and won before a single move is dropped."""
MOST_RACED = 128
"""The most moves of a root that are compared; no known state has as many."""
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
        world: the number of the current determinization, for the memo of verdicts.
        states: how many states the solver has generated for the current tree.
        root_states: how many of them from the root.
        order: which of the orders of moves the next search takes first.
        judges: whether moves are judged before they are tried.
    """

    unseen: int
    drawn: int
    won: int
    passed: int
    cursor: int
    world: int
    states: int
    root_states: int
    order: int
    judges: int


class Mind(NamedTuple):
    """The arrays that the player keeps beside its tree.

    Attributes:
        registers: named numbers.
        draws: uint64[1], the player's random number generator.
        determinization: int64[74], a packed position that fits the view.
        places: int64[52], where the unseen cards lie in it.
        path: uint64, the states passed that could come back, then those of a sample; ``enlarge``
            keeps it long enough.
        orders: int64[``LEAF_SEARCHES``, 12], the order of moves of each search for a verdict.
        memo: uint64[``MEMO``], states of the current determinization with a verdict.
        verdicts: int64[``MEMO``], for each of them twice the number of its determinization, plus 1
            if it was won.
        ahead: int64[``MOST_RACED``, ``MOST_RACED``], in how many determinizations the first of two
            root moves won and the second one did not.
        results: int64[``MOST_RACED``], for each root move whether it won the last one.
        judgement: float64[``TERMS``], the weights of the judgement of moves.
        trust: float64[2], how many determinizations the judgement counts as, at the root and below.
        terms: float64[``TERMS``], scratch of ``judge``.
        worths: float64[``MOST_MOVES``], the worths of the moves of a state.
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
    orders: np.ndarray
    memo: np.ndarray
    verdicts: np.ndarray
    ahead: np.ndarray
    results: np.ndarray
    judgement: np.ndarray
    trust: np.ndarray
    terms: np.ndarray
    worths: np.ndarray
    moves: np.ndarray
    found: np.ndarray
    unpacked: Unpacked
    solver: complete.Work


def new_mind(path: int = 512, deep: int = 1 << 8, moves: int = 1 << 13) -> Mind:
    """Arrays for a player.

    The solver's arrays cannot grow within a kernel. So a determinization also counts as not won if
    the moves listed along the solver's path would need more room than there is.

    Args:
        path: room for the states passed.
        deep, moves: room for the states and moves on the solver's path.
    """
    slots = 1 << (8 * (STATES + 2) // 7).bit_length()
    solver = complete.new_work(slots, deep, moves)
    return Mind(
        registers=new_registers(Registers),
        draws=np.zeros(1, np.uint64),
        determinization=np.zeros(PACKED, np.int64),
        places=np.zeros(52, np.int64),
        path=np.zeros(path, np.uint64),
        orders=np.zeros((LEAF_SEARCHES, complete.WEIGHTS), np.int64),
        memo=np.zeros(MEMO, np.uint64),
        verdicts=np.zeros(MEMO, np.int64),
        ahead=np.zeros((MOST_RACED, MOST_RACED), np.int64),
        results=np.zeros(MOST_RACED, np.int64),
        judgement=np.zeros(TERMS),
        trust=np.ones(2),
        terms=np.zeros(TERMS),
        worths=np.zeros(MOST_MOVES),
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


@kernel
def _slot(state: int) -> int:
    """Where the memo of verdicts keeps a state."""
    return int64((state * uint64(0x9E3779B97F4A7C15)) >> uint64(64 - MEMO_BITS))


@large_kernel
def _solves(mind: Mind, state: int, searches: int) -> bool:
    """Whether the solver wins the current determinization from a state.

    Several short searches in different orders find more wins than a long one in the same time:
    a search that went astray early seldom comes back (Gomes, Selman and Kautz 1998).
    """
    registers, solver = mind.registers, mind.solver
    slot = _slot(state)
    if mind.memo[slot] == state and mind.verdicts[slot] >> 1 == registers.world:
        return mind.verdicts[slot] & 1 == 1
    code, first, order = int64(RUNNING), registers.order, registers.order
    for k in range(searches):
        # The order that won last comes first.
        order = (first + k) % LEAF_SEARCHES
        for w in range(complete.WEIGHTS):
            solver.order[w] = mind.orders[order, w]
        complete.restart(solver, 1)
        code = complete.advance(mind.unpacked.deal, solver, state, OPTIONS, STATES, 1 << 60)
        registers.states += solver.registers.generated
        if code in (SOLVED, UNSOLVABLE):
            break
    if code == SOLVED:
        registers.order = order
        # The states on the way to the win need not be solved again.
        for k in range(solver.registers.depth + 1):
            slot = _slot(solver.state[k])
            mind.memo[slot] = solver.state[k]
            mind.verdicts[slot] = 2 * registers.world + 1
        return True
    mind.memo[slot] = state
    mind.verdicts[slot] = 2 * registers.world
    return False


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
        tree.action[edge + i] = mind.moves[listed - 1 - i]
    if mind.registers.judges:
        judge(
            mind.unpacked.deal, state, up, bases, mind.moves, listed, mind.judgement, mind.terms,
            mind.worths,
        )  # fmt: skip
        for i in range(many):
            tree.worth[edge + i] = mind.worths[listed - 1 - i]


@kernel
def _select(tree: Tree, node: int, trust: float, exploration: float) -> int:
    """The edge with the highest UCB.

    Each starts with ``trust`` runs that had the value of its node, plus its worth.
    """
    first, size, visits = tree.first[node], tree.size[node], tree.visits[node]
    wins = int64(0)
    for edge in range(first, first + size):
        wins += tree.wins[edge]
    prior = (wins + 1.0) / (visits + 1.0)
    best, highest = first, -math.inf
    log = math.log(visits + 1.0)
    for edge in range(first, first + size):
        n = tree.runs[edge] + trust
        bound = (
            tree.wins[edge] + trust * (prior + tree.worth[edge])
        ) / n + exploration * math.sqrt(log / n)
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
    registers.states = 0
    registers.root_states = 0
    many = min(tree.size[0], MOST_RACED)
    for i in range(many):
        for j in range(many):
            mind.ahead[i, j] = 0
    return many


@kernel
def _simulate_move(
    mind: Mind, tree: Tree, edge: int, state: int, up: int, bases: int, exploration: float
) -> int:
    """Follow a move of the root, and then the tree, in the current determinization.

    The states passed in the game stay on the path, as other samples and turns need them.

    Args:
        edge: the move's edge.
        state, up, bases: the root's.

    Returns:
        Whether the sample is won.
    """
    deal = mind.unpacked.deal
    depth, won = int64(0), int64(0)
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
            won = int64(_solves(mind, state, LEAF_SEARCHES))
            break
        if tree.size[node] < 0:
            _expand(mind, tree, node, state, up, bases, cursor, since, passed + 1)
        if tree.size[node] == 0 or depth == MOST_DEEP:
            break
        edge = _select(tree, node, mind.trust[1], exploration)
    reward(tree, depth, won)
    return won


@kernel
def _expected_gain(difference: float, error: float) -> float:
    """What is gained on average by a choice between two moves once their difference is known.

    Args:
        difference: by how much the better one is estimated to be ahead.
        error: the standard error of the difference, which is taken to be normal.
    """
    z = difference / error
    density = math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
    return error * density - 0.5 * difference * math.erfc(z / math.sqrt(2.0))


@kernel
def value(tree: Tree, edge: int, trust: float) -> float:
    """The determinizations won after a root move, with the judgement's share."""
    return float(tree.wins[edge] + trust * tree.worth[edge])


@kernel
def _race(mind: Mind, tree: Tree, edges: np.ndarray, many: int, price: float) -> int:
    """Drop the moves whose comparison with the best one costs more than it is expected to gain.

    To know a move's true value would gain no more than ``_expected_gain``. Another look at it
    means as many samples of it again, so a move is dropped if these would cost more than that. The
    race ends if the gains of all moves together are less than the price of all that was spent.

    Args:
        edges: int64, the moves in question; the first ones stay in question.
        many: how many there are.
        price: of a state of the solver, as a share of a game.

    Returns:
        How many stay in question.
    """
    registers, trust = mind.registers, mind.trust[0]
    n = registers.won + trust
    best = edges[0]
    for k in range(1, many):
        if value(tree, edges[k], trust) > value(tree, best, trust):
            best = edges[k]
    share = (registers.won + 1.0) / (registers.drawn + 2.0)
    # Each move in question had a sample in each determinization won, and others had some, too.
    samples = (registers.states - registers.root_states) / many
    total, kept = 0.0, int64(0)
    for k in range(many):
        edge = edges[k]
        gain = 0.0
        if edge != best:
            difference = (value(tree, best, trust) - value(tree, edge, trust)) / n
            apart = mind.ahead[best, edge] + mind.ahead[edge, best] + 1.0
            error = math.sqrt(max(apart / n - difference**2, 0.25 / n) / n)
            gain = share * _expected_gain(difference, error)
            total += gain
        if edge == best or registers.won < FEWEST or gain > price * samples:
            edges[kept] = edge
            kept += 1
    if total <= price * (registers.root_states + kept * samples):
        edges[0] = best
        return int64(1)
    return kept


@kernel
def advance(
    mind: Mind,
    tree: Tree,
    edges: np.ndarray,
    many: int,
    won: int,
    most: int,
    price: float,
    exploration: float,
    pause: int,
) -> tuple[int, int]:
    """Follow some moves of the root in more determinizations, the same for all of them.

    Args:
        mind: the player's arrays; its determinization fits the view.
        tree: as ``set_root`` left it.
        edges: int64, the edges of the moves in question; the first ones stay in question.
        many: how many there are.
        won: stop when the solver has won so many determinizations since ``set_root``.
        most: stop when so many determinizations were drawn since ``set_root``.
        price: see ``_race``; negative to drop no move.
        exploration: the constant of the bounds.
        pause: determinizations drawn at which to return ``RUNNING``.

    Returns:
        ``EXHAUSTED`` when one move is left or ``won`` or ``most`` is reached, ``RUNNING``, or
        ``GROW`` if an array must be enlarged first; and how many moves stay in question.
    """
    registers, deal = mind.registers, mind.unpacked.deal
    # Without a price all moves keep their place, and a single one is to be judged, too.
    while (many > 1 or price < 0) and registers.won < won and registers.drawn < most:
        if registers.drawn >= pause:
            return RUNNING, many
        if is_full(tree):
            return GROW, many
        shuffle(mind.determinization, mind.places, registers.unseen, mind.draws)
        state, up, bases = settled(deal, unpack(mind.unpacked, mind.determinization))
        registers.drawn += 1
        registers.world += 1
        registers.order = 0
        before = registers.states
        solved = _solves(mind, state, ROOT_SEARCHES)
        registers.root_states += registers.states - before
        if solved:
            registers.won += 1
            for k in range(many):
                mind.results[k] = _simulate_move(
                    mind, tree, edges[k], state, up, bases, exploration
                )
            for k in range(many):
                for m in range(many):
                    mind.ahead[edges[k], edges[m]] += mind.results[k] & (1 - mind.results[m])
        if price >= 0 and registers.drawn >= FEWEST:
            many = _race(mind, tree, edges, many, price)
    return EXHAUSTED, many


@kernel
def try_all(
    mind: Mind, moves: np.ndarray, many: int, waste: int, redeals: int, won: np.ndarray
) -> None:
    """Draw a determinization, and count each move after which the solver wins it.

    Args:
        moves: int64, moves of the view; -1 stands for draws alone.
        many: how many there are.
        waste: cards in the waste after these draws.
        redeals: redeals left after them, as a packed position tells them.
        won: int64, for each move its wins so far; raised by one if the solver wins.
    """
    shuffle(mind.determinization, mind.places, mind.registers.unseen, mind.draws)
    mind.registers.world += 1
    mind.registers.order = 0
    deal, packed = mind.unpacked.deal, mind.determinization
    now_waste, now_redeals = packed[WASTE_AT], packed[REDEALS_AT]
    for i in range(many):
        if moves[i] < 0:
            packed[WASTE_AT], packed[REDEALS_AT] = waste, redeals
        state, up, bases = settled(deal, unpack(mind.unpacked, packed))
        packed[WASTE_AT], packed[REDEALS_AT] = now_waste, now_redeals
        if moves[i] >= 0:
            state, up, bases = after_move(deal, state, up, bases, moves[i])
        won[i] += int64(is_won(state) or _solves(mind, state, LEAF_SEARCHES))


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
