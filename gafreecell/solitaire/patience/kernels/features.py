"""The features of a position, and how a move changes them."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel, large_kernel
from gafreecell.solitaire.patience.kernels.state import (
    CELLS,
    DEAD,
    DEAL,
    DRAW,
    EMPTY,
    FROM_CELL,
    FROM_HOME,
    FROM_PILE,
    FROM_RESERVE,
    FROM_TALON,
    HOLE,
    LEFT,
    LOOSE,
    PILE,
    RESERVE,
    TALON,
    TO_CELL,
    TO_HOLE,
    TO_HOME,
    TO_PILE,
    TO_PILES,
    TO_WASTE,
    Code,
    State,
    card_of,
    foundation_of,
    goes_on,
    goes_with,
    least_home,
    parts_of,
)

(
    LEFT_CARDS,
    BREAKS,
    SUIT_BREAKS,
    COVERS,
    DEPTH,
    IN_CELLS,
    SPACES,
    HIDDEN,
    SPREAD,
    IN_TALON,
    IN_RESERVE,
    ROOTED,
    GAPS,
    MADE,
) = range(14)
FEATURES = 14


@large_kernel
def measure(code: Code, state: State, values: np.ndarray) -> None:
    """Compute every feature of a position, and what ``change`` and the moves need of it.

    Args:
        values: int64[features], filled, but for the moves made, which a position does not tell.
    """
    for i in range(FEATURES):
        values[i] = 0
    for card in range(52 * code.decks):
        state.pile_of[card] = -1
    for order in range(15):
        state.tops[order] = 0
    for suit in range(4):
        state.next[suit] = int64(-1) if code.hole else _next_of(code, state, suit)
    last = code.ranks - 1
    for p in range(code.piles):
        size, down = state.size[p], state.down[p]
        needed = int64(0)
        values[SPACES] += size == 0
        values[HIDDEN] += down
        state.low[p, 0] = EMPTY
        rooted = int64(0)
        lower = int64(0)
        least = int64(EMPTY)
        for depth in range(size):
            card = int64(state.piles[p, depth])
            order = card >> 2
            if depth > 0:
                on = goes_on(code, card, lower)
                values[BREAKS] += not on
                values[SUIT_BREAKS] += card + 4 != lower
                if on and rooted == depth:
                    rooted += 1
            elif order == last and down == 0:
                rooted = int64(1)
            if order > least:
                values[COVERS] += 1
            else:
                least = order
            state.low[p, depth + 1] = least
            if state.next[card & 3] == card:
                needed += 1
                values[DEPTH] += size - 1 - depth
            copy = card + 52 if state.pile_of[card] >= 0 else card
            state.pile_of[copy] = p
            state.depth_of[copy] = depth
            lower = card
        if size > 0:
            state.tops[lower >> 2] |= int64(1) << p
        state.needed[p] = needed
        state.rooted[p] = rooted
        values[ROOTED] += rooted
        state.run[p] = _run_of(code, state, p)
    values[LEFT_CARDS] = state.counts[LEFT]
    values[IN_CELLS] = state.counts[CELLS]
    values[IN_TALON] = state.counts[TALON]
    values[IN_RESERVE] = state.counts[RESERVE]
    if code.hole:
        _measure_ranks(code, state, values)
        return
    values[SPREAD] = _spread(code, state)


@kernel
def _measure_ranks(code: Code, state: State, values: np.ndarray) -> None:
    """Count the cards of each rank that are left."""
    for rank in range(14):
        state.ranks[rank] = 0
    for p in range(code.piles):
        for depth in range(state.size[p]):
            state.ranks[int64(state.piles[p, depth]) >> 2] += 1
    for i in range(state.counts[CELLS]):
        state.ranks[int64(state.cell[i]) >> 2] += 1
    for i in range(state.counts[RESERVE]):
        state.ranks[int64(state.reserve[i]) >> 2] += 1
    for rank in range(14):
        state.waiting[rank] = state.ranks[rank]
    for i in range(state.counts[TALON]):
        state.ranks[int64(state.talon[i]) >> 2] += 1
    values[GAPS] = _gaps(code, state)
    state.counts[DEAD] = int64(0)
    if code.to == TO_HOLE or state.counts[TALON] == 0:
        state.counts[DEAD] = _lacks_neighbours(code, state)


@kernel
def _lacks_neighbours(code: Code, state: State) -> bool:
    """Whether the cards of some ranks, every other one of a row, are more than their neighbours.

    Each card that the stock does not deal goes on a card of its own, of a neighbouring rank, which
    is left or on top of the hole.
    """
    ranks, wraps, here = code.ranks, code.wraps, state.counts[HOLE] >> 2
    state.ranks[here] += 1
    lacks = False
    for start in range(ranks):
        # Where ranks do not go round, there are no cards at either end of the array.
        lacking = -state.ranks[start - 1 + wraps * (ranks if start == 0 else 0)]
        for width in range(0, ranks - 2 * wraps, 2):
            rank = start + width
            if rank >= ranks:
                if wraps == 0:
                    break
                rank -= ranks
            after = rank + 1
            if wraps and after == ranks:
                after = int64(0)
            lacking += state.waiting[rank] - state.ranks[after]
            lacks |= lacking > 0
    state.ranks[here] -= 1
    return lacks


@kernel
def _gaps(code: Code, state: State) -> int:
    """How unequal neighbouring ranks are among the cards left."""
    gaps = int64(0)
    for rank in range(code.ranks - 1):
        gaps += abs(state.ranks[rank] - state.ranks[rank + 1])
    if code.wraps:
        gaps += abs(state.ranks[0] - state.ranks[code.ranks - 1])
    return gaps


@kernel
def _run_of(code: Code, state: State, p: int) -> int:
    """How many top cards of a pile may move at once."""
    size, down = state.size[p], state.down[p]
    if code.move == LOOSE:
        return size - down
    if size == 0:
        return int64(0)
    number = int64(1)
    while number < size - down and goes_with(
        code, int64(state.piles[p, size - number]), int64(state.piles[p, size - number - 1])
    ):
        number += 1
    if code.move == PILE and number < size:
        return int64(0)
    return number


@kernel
def _next_of(code: Code, state: State, suit: int) -> int:
    """The card that a suit needs next; -1 if it is complete."""
    least = least_home(code, state, suit)
    return 4 * least + suit if least < code.ranks else int64(-1)


@kernel
def change(code: Code, state: State, move: int, weights: np.ndarray) -> int:
    """By how much a move changes the weighted sum of features, before the position settles.

    Args:
        state: the position before the move, after ``measure``.
        weights: int64[features].
    """
    source, target, place, to, number = parts_of(move)
    if source in (DEAL, DRAW):
        return _change_of_stock(code, state, source, weights)
    total, card = int64(0), card_of(state, move)
    # What leaves its place.
    if source == FROM_PILE:
        size = state.size[place]
        beneath = size - number
        total -= _cost_in_pile(code, state, place, place, beneath, number, weights)
        total += weights[SPACES] * (beneath == 0)
        total -= weights[ROOTED] * max(state.rooted[place] - beneath, 0)
        total -= weights[DEPTH] * number * _needed_below(state, place, number)
    elif source == FROM_CELL:
        total -= weights[IN_CELLS]
    elif source == FROM_RESERVE:
        total -= weights[IN_RESERVE]
    elif source == FROM_TALON:
        total -= weights[IN_TALON]
    else:
        total += weights[LEFT_CARDS]
    # What comes to another.
    if target == TO_PILE:
        size = state.size[to]
        if source == FROM_PILE:
            total += _cost_in_pile(code, state, place, to, size, number, weights)
        else:
            total += _cost_of_card(code, state, card, to, size, weights)
        total -= weights[SPACES] * (size == 0)
        if size == 0:
            rooted = card >> 2 == code.ranks - 1
        else:
            rooted = state.rooted[to] == size and goes_on(
                code, card, int64(state.piles[to, size - 1])
            )
        if rooted:
            total += weights[ROOTED] * (_built(code, state, place, number) if number > 1 else 1)
        total += weights[DEPTH] * number * state.needed[to]
    elif target == TO_CELL:
        total += weights[IN_CELLS] * number
    if code.hole:
        if target == TO_HOME:
            total += weights[GAPS] * _change_of_gaps(code, state, card >> 2)
            total -= weights[LEFT_CARDS]
        return total
    if target == TO_HOME:
        total -= weights[LEFT_CARDS] * number
        total += _change_of_foundations(code, state, card, source, place, number, weights)
    elif source == FROM_HOME:
        total += _change_back(code, state, card, place, to, target, weights)
    return total


@kernel
def _needed_below(state: State, p: int, number: int) -> int:
    """How many of the suits' next cards lie in a pile below so many top cards."""
    found = state.needed[p]
    for i in range(number):
        card = int64(state.piles[p, state.size[p] - 1 - i])
        found -= state.next[card & 3] == card
    return found


@kernel
def _cost_in_pile(
    code: Code, state: State, source: int, p: int, size: int, number: int, weights: np.ndarray
) -> int:
    """What breaks and covers a pile's top cards add when they lie on so many cards of another."""
    first = state.size[source] - number
    card = int64(state.piles[source, first])
    # The breaks among the moved cards go with them.
    total = _cost_of_card(code, state, card, p, size, weights)
    least = min(int64(state.low[p, size]), card >> 2)
    for i in range(first + 1, first + number):
        order = int64(state.piles[source, i]) >> 2
        total += weights[COVERS] * (order > least)
        least = min(least, order)
    return total


@kernel
def _cost_of_card(
    code: Code, state: State, card: int, p: int, size: int, weights: np.ndarray
) -> int:
    """What breaks and covers a card adds when it lies on so many cards of a pile."""
    total = weights[COVERS] * (card >> 2 > int64(state.low[p, size]))
    if size > 0:
        lower = int64(state.piles[p, size - 1])
        total += weights[BREAKS] * (not goes_on(code, card, lower))
        total += weights[SUIT_BREAKS] * (card + 4 != lower)
    return total


@kernel
def _built(code: Code, state: State, p: int, number: int) -> int:
    """How many of a pile's top cards are built on the deepest of them, itself included."""
    first = state.size[p] - number
    found = int64(1)
    while found < number and goes_on(
        code, int64(state.piles[p, first + found]), int64(state.piles[p, first + found - 1])
    ):
        found += 1
    return found


@kernel
def _change_of_gaps(code: Code, state: State, rank: int) -> int:
    before = _gaps(code, state)
    state.ranks[rank] -= 1
    after = _gaps(code, state)
    state.ranks[rank] += 1
    return after - before


@kernel
def _change_of_foundations(
    code: Code, state: State, card: int, source: int, place: int, number: int, weights: np.ndarray
) -> int:
    """What a card or run that goes home changes of spread and of the next cards' depth."""
    if weights[SPREAD] == 0 and weights[DEPTH] == 0:
        return int64(0)
    suit = card & 3
    f = foundation_of(code, state, suit if code.runs else card)
    before = _spread(code, state)
    old_depth = _above_next(code, state, suit, source, place, number)
    old_next = state.next[suit]
    state.home[f] += number
    state.next[suit] = _next_of(code, state, suit)
    after = _spread(code, state)
    new_depth = _above_next(code, state, suit, source, place, number)
    state.home[f] -= number
    state.next[suit] = old_next
    return weights[SPREAD] * (after - before) + weights[DEPTH] * (new_depth - old_depth)


@kernel
def _above_next(code: Code, state: State, suit: int, source: int, place: int, number: int) -> int:
    """How many cards lie on the card that a suit needs next, on both copies if there are two.

    So many top cards of a pile, if that is the source, do not count.
    """
    above, card = int64(0), state.next[suit]
    if card < 0:
        return above
    for copy in range(card, 52 * code.decks, 52):
        p = state.pile_of[copy]
        if p >= 0:
            lifted = number if source == FROM_PILE and p == place else int64(0)
            above += max(state.size[p] - 1 - state.depth_of[copy] - lifted, 0)
    return above


@kernel
def _change_back(
    code: Code, state: State, card: int, f: int, to: int, target: int, weights: np.ndarray
) -> int:
    """What a card that comes back from a foundation changes of spread and of its suit's depth."""
    before = _spread(code, state)
    state.home[f] -= 1
    after = _spread(code, state)
    state.home[f] += 1
    suit = card & 3
    depth = int64(0)
    if card >> 2 < least_home(code, state, suit):
        # It is now the next of its suit, with nothing on it; its other copy may lie in a pile.
        depth = -_above_next(code, state, suit, FROM_HOME, f, 1)
        next_card = state.next[suit]
        if target == TO_PILE and next_card >= 0:
            for copy in range(next_card, 52 * code.decks, 52):
                depth -= state.pile_of[copy] == to
        if code.decks > 1 and state.pile_of[card] >= 0:
            depth += state.size[state.pile_of[card]] - 1 - state.depth_of[card]
            depth += target == TO_PILE and state.pile_of[card] == to
    return weights[SPREAD] * (after - before) + weights[DEPTH] * depth


@kernel
def _spread(code: Code, state: State) -> int:
    most, fewest = int64(0), int64(13)
    for f in range(4):
        most = max(most, state.home[f])
        fewest = min(fewest, least_home(code, state, f))
    return most - fewest


@kernel
def _change_of_stock(code: Code, state: State, source: int, weights: np.ndarray) -> int:
    """What a draw, or a row dealt to the piles or a card to the hole, changes.

    Only what is known at once: cards that a row covers, spaces, cards of the talon.
    """
    if source == DRAW:
        return int64(0)
    total = int64(0)
    cards = min(code.piles, state.counts[TALON]) if code.to == TO_PILES else int64(1)
    total -= weights[IN_TALON] * cards
    if code.to == TO_PILES:
        for p in range(cards):
            card = int64(state.talon[p])
            total += _cost_of_card(code, state, card, p, state.size[p], weights)
            total -= weights[SPACES] * (state.size[p] == 0)
            total += weights[DEPTH] * state.needed[p]
    else:
        total -= weights[LEFT_CARDS]
        total += weights[GAPS] * _change_of_gaps(code, state, int64(state.talon[0]) >> 2)
    return total


@kernel
def is_won(code: Code, state: State, values: np.ndarray) -> bool:
    """Whether all cards are home, or nothing is left but to bring them home.

    If no card lies on a lower one, the lowest card that is left is on top of its pile, and goes to
    its foundation, and so does the next. Cards of the stock must be in reach whenever they are
    needed, and a stacked reserve must be empty.
    """
    if state.counts[LEFT] == 0:
        return True
    if code.hole or code.runs or values[COVERS] > 0:
        return False
    if state.counts[TALON] > 0 and (code.endless == 0 or code.draw > 1 or code.to != TO_WASTE):
        return False
    return code.stacked == 0 or state.counts[RESERVE] == 0


@kernel
def score_of(values: np.ndarray, weights: np.ndarray) -> int:
    """The weighted sum of the features."""
    total = int64(0)
    for i in range(FEATURES):
        total += values[i] * weights[i]
    return total
