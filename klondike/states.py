"""States of Klondike with all cards known, and what can be done in them.

What can be rebuilt changes only when a card leaves the talon or a pile's lowest
face-up card leaves it; everything else can be undone at once. So a state is a
class of positions:

- Of the cards face up only each pile's lowest, its *base*, is tied to its place,
  as long as it is the one that was dealt there. Every other one, called loose,
  lies on one of two cards of the other colour one rank higher; on which of them is
  left open, for a run can be moved to the other one while that is free. (The
  solver lonelybot was the first to use this, as far as is known.)
- A loose card that can go home can come back at once, so it goes home. A card that
  is needed in the piles again comes back together with the move that needs
  it, after those above it on its foundation and those it has to lie on.

A state is what is home, how many cards each pile holds up to its base, which talon
cards are left and how many of them lie in the waste: 62 bits, nothing lost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int64, uint64

from klondike.cards import (
    DECK,
    KINGS,
    bit,
    home_set,
    next_set,
    pair_of,
    rank,
    rank_home,
    room,
    takers_of,
    whole,
)
from solving.bits import count_bits, lowest_bit
from solving.runtime import kernel

# A state: for each pile its cards up to the base in as many bits as they need, then home, the
# talon cards left and the cards of the waste.
PILE_SHIFT = np.array([0, 1, 3, 5, 8, 11, 14], np.int64)
_PILE_MASK = np.array([1, 3, 3, 7, 7, 7, 7], np.int64)
HOME_SHIFT, TALON_SHIFT, WASTE_SHIFT = 17, 33, 57

# A move: its kind, the pile or the card, and what is home when it is made, the cards that come
# back for it being taken off.
BASE_DOWN, BASE_HOME, TALON_DOWN, TALON_HOME, SWAP = range(5)
FROM_SHIFT, AFTER_SHIFT = 3, 16

MOST_MOVES = 1024
"""Room for the moves of a state: no state known has a tenth of them."""

# What may be left out without losing a win: bits of the options of ``list_moves``.
SAFE_HOME, STILL_BOTTOMS = 1, 2


class Deal(NamedTuple):
    """What a search knows of its deal.

    Attributes:
        base: int64[7 * 8], for each pile and number of cards up to the base, the base's bit.
        hidden: uint64[7 * 8], the cards face down beneath it.
        talon: int64[24], the bits of the talon's cards, waste first.
    """

    base: np.ndarray
    hidden: np.ndarray
    talon: np.ndarray


@kernel
def held(state, pile):
    """Cards of a pile up to its base."""
    return (int64(state) >> PILE_SHIFT[pile]) & _PILE_MASK[pile]


@kernel
def home_of(state):
    return (int64(state) >> HOME_SHIFT) & 0xFFFF


@kernel
def talon_of(state):
    return (int64(state) >> TALON_SHIFT) & 0xFFFFFF


@kernel
def waste_of(state):
    return int64(state >> uint64(WASTE_SHIFT))


@kernel
def reached(waste, many):
    """Cards in the waste, or 0 where the same cards can be reached from the whole stock."""
    return int64(0) if waste % 3 == 0 or waste == many else int64(waste)


@kernel
def look(deal, state):
    """The face-up cards but those home, the bases, and how many piles hold cards up to a base."""
    away = uint64(0)
    bases = uint64(0)
    piles = 0
    for p in range(7):
        cards = held(state, p)
        if cards > 0:
            away |= deal.hidden[8 * p + cards]
            bases |= bit(deal.base[8 * p + cards])
            piles += 1
    left = uint64(talon_of(state))
    while left:
        away |= bit(deal.talon[lowest_bit(left)])
        left &= left - uint64(1)
    return DECK & ~away, bases, piles


@kernel
def settle(up, bases, home):
    """Send loose cards home as long as one can go; returns what is home then.

    Args:
        up: the face-up cards, those home among them.
    """
    while True:
        open_cards = up & ~home_set(home)
        loose = open_cards & ~bases
        free, _ = room(open_cards, loose)
        ready = next_set(home) & loose & whole(free)
        if ready == 0:
            return home
        home += 1 << (4 * (lowest_bit(ready) & 3))


@kernel
def come_back(up, bases, piles, home, pair, found):
    """What may be home when cards have come back so that a pair has room.

    Each way is least: without one of its cards it would not do.

    Args:
        up, bases, piles: as of ``look``.
        home: what is home.
        pair: its even bit.
        found: receives the ways, from its start on; its second half is scratch.

    Returns:
        How many ways there are.
    """
    count = 0
    top = found.size // 2
    for s in range(2):
        suit = (pair & 3) + s
        low = pair >> 2
        if rank_home(home, suit) > low:
            found[top] = (home & ~(15 << (4 * suit))) | (low << (4 * suit))
            top += 1
    while top > found.size // 2:
        top -= 1
        after = found[top]
        open_cards = up & ~home_set(after)
        loose = open_cards & ~bases
        if piles + count_bits(loose & KINGS) > 7:
            continue
        free, lacking = room(open_cards, loose)
        if lacking == 0:
            if (free >> uint64(pair)) & uint64(1):
                known = False
                for i in range(count):
                    known = known or found[i] == after
                if not known and count < found.size // 2:
                    found[count] = after
                    count += 1
            continue
        # The highest pair that more cards would lie on than it has.
        need = 63 - _leading(lacking)
        for s in range(2):
            suit = (need & 3) + s
            low = need >> 2
            if rank_home(after, suit) > low and top < found.size:
                found[top] = (after & ~(15 << (4 * suit))) | (low << (4 * suit))
                top += 1
    return count


@kernel
def _leading(word):
    """Zeros above the highest bit of a word that is not zero."""
    n = 0
    for shift in (32, 16, 8, 4, 2, 1):
        if word >> uint64(64 - n - shift) == 0:
            n += shift
    return n


@kernel
def never_needed(i, home):
    """Whether no card will ever have to lie on this one once it is home."""
    low = rank(i)
    red = i & 2
    one, two = rank_home(home, 2 - red), rank_home(home, 3 - red)
    twin = rank_home(home, (i & 3) ^ 1)
    least = min(one, two)
    return least >= low - 1 or (least >= low - 2 and twin >= low - 3)


@kernel
def _write_ways(kind, source, found, ways, moves, at, end):
    """Write a move once for each way in which cards come back for it; returns the end."""
    for w in range(ways):
        if at < end:
            moves[at] = kind | (source << FROM_SHIFT) | (found[w] << AFTER_SHIFT)
            at += 1
    return at


@kernel
def list_moves(deal, state, options, moves, at, found):
    """Write the moves of a state from index ``at`` on, the best last; returns the end.

    A list that lacks moves is at least ``MOST_MOVES - 100`` long: no proof can rest on it.

    Args:
        options: ``SAFE_HOME``: a base that can go home and that no card will ever have to
            lie on goes home, and nothing else; ``STILL_BOTTOMS``: the bottom card of a
            pile goes to another pile only while a king waits for an empty one.
        found: scratch of ``come_back``.
    """
    home = home_of(state)
    up, bases, piles = look(deal, state)
    open_cards = up & ~home_set(home)
    loose = open_cards & ~bases
    free, _ = room(open_cards, loose)
    ready = next_set(home)
    uncovered = whole(free)
    vacant = 7 - piles - count_bits(loose & KINGS)
    # Those that need no card to come back are at most three for a pile and two for a talon card.
    end = at + MOST_MOVES - 100
    same = home << AFTER_SHIFT
    # A base that can go home and is never needed again goes.
    for p in range(7):
        cards = held(state, p)
        if cards > 0:
            i = deal.base[8 * p + cards]
            if options & SAFE_HOME and ready & uncovered & bit(i) and never_needed(i, home):
                moves[at] = BASE_HOME | (p << FROM_SHIFT) | same
                return at + 1
    # Kings that an empty pile would serve.
    waiting = (~open_cards | bases) & KINGS & ~home_set(home)
    if not options & STILL_BOTTOMS:
        waiting = KINGS
    # Those tried last first.
    for x in range(4):
        i = 4 * rank_home(home, x) + x
        if rank_home(home, x) < 13 and loose & bit(i) and not uncovered & bit(i):
            ways = come_back(up, bases, piles, home, pair_of(i), found)
            at = _write_ways(SWAP, i, found, ways, moves, at, end)
    for p in range(7):
        cards = held(state, p)
        if cards == 0 or (cards == 1 and waiting == 0):
            continue
        i = deal.base[8 * p + cards]
        if rank(i) < 13 and not (free >> uint64(takers_of(i))) & uint64(1):
            ways = come_back(up, bases, piles, home, takers_of(i), found)
            at = _write_ways(BASE_DOWN, p, found, ways, moves, at, end)
        if ready & bit(i) and not uncovered & bit(i):
            ways = come_back(up, bases, piles, home, pair_of(i), found)
            at = _write_ways(BASE_HOME, p, found, ways, moves, at, end)
    left = uint64(talon_of(state))
    many = count_bits(left)
    waste = waste_of(state)
    homeward = uint64(0)
    order = 0
    while left:
        place = lowest_bit(left)
        left &= left - uint64(1)
        j = order
        order += 1
        reached = j % 3 == 2 or j == many - 1 or j == waste - 1
        if not reached and not (j >= waste and (j - waste) % 3 == 2):
            continue
        i = deal.talon[place]
        if ready & bit(i):
            homeward |= bit(place)
        if rank(i) == 13:
            if vacant > 0:
                moves[at] = TALON_DOWN | (place << FROM_SHIFT) | same
                at += 1
        elif (free >> uint64(takers_of(i))) & uint64(1):
            moves[at] = TALON_DOWN | (place << FROM_SHIFT) | same
            at += 1
        else:
            ways = come_back(up, bases, piles, home, takers_of(i), found)
            at = _write_ways(TALON_DOWN, place, found, ways, moves, at, end)
    while homeward:
        moves[at] = TALON_HOME | (lowest_bit(homeward) << FROM_SHIFT) | same
        homeward &= homeward - uint64(1)
        at += 1
    for p in range(7):
        cards = held(state, p)
        if cards == 0:
            continue
        i = deal.base[8 * p + cards]
        if rank(i) == 13:
            if vacant > 0 and cards > 1:
                moves[at] = BASE_DOWN | (p << FROM_SHIFT) | same
                at += 1
        elif (cards > 1 or waiting) and (free >> uint64(takers_of(i))) & uint64(1):
            moves[at] = BASE_DOWN | (p << FROM_SHIFT) | same
            at += 1
    for p in range(7):
        cards = held(state, p)
        if cards > 0 and ready & uncovered & bit(deal.base[8 * p + cards]):
            moves[at] = BASE_HOME | (p << FROM_SHIFT) | same
            at += 1
    return at


@kernel
def after_move(deal, state, move):
    """The state that a move leads to."""
    kind = move & 7
    source = (move >> FROM_SHIFT) & 63
    home = (move >> AFTER_SHIFT) & 0xFFFF
    piles_part = int64(state) & ((1 << HOME_SHIFT) - 1)
    talon = talon_of(state)
    waste = waste_of(state)
    if kind in (BASE_DOWN, BASE_HOME):
        i = deal.base[8 * source + held(state, source)]
        piles_part -= 1 << PILE_SHIFT[source]
        piles_part = _without_settled_king(deal, piles_part, source)
    elif kind == SWAP:
        i = source
    else:
        i = deal.talon[source]
        waste = count_bits(uint64(talon & ((1 << source) - 1)))
        talon &= ~(1 << source)
        waste = reached(waste, count_bits(uint64(talon)))
    if kind in (BASE_HOME, TALON_HOME, SWAP):
        home += 1 << (4 * (i & 3))
    return settled(deal, piles_part, home, talon, waste)


@kernel
def _without_settled_king(deal, piles_part, p):
    """A king at the bottom of its pile is as good as a loose one."""
    cards = (piles_part >> PILE_SHIFT[p]) & _PILE_MASK[p]
    if cards == 1 and rank(deal.base[8 * p + 1]) == 13:
        return piles_part - (1 << PILE_SHIFT[p])
    return piles_part


@kernel
def settled(deal, piles_part, home, talon, waste):
    """The state in which all loose cards that can go home are home."""
    rest = piles_part | (talon << TALON_SHIFT) | (waste << WASTE_SHIFT)
    up, bases, _ = look(deal, uint64(rest))
    home = settle(up, bases, home)
    return uint64(rest | (home << HOME_SHIFT))


@kernel
def is_won(state):
    """Whether nothing is face down and the talon is empty: the rest goes home by itself."""
    for p in range(7):
        if held(state, p) > 1:
            return False
    return talon_of(state) == 0
