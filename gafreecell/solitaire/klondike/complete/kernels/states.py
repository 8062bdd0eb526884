"""States of Klondike with all cards known, and the moves between them.

Only two events cannot be undone at once: a card leaves the talon, or the lowest face-up card of
a pile leaves that pile. So a state is an equivalence class of positions:

- Only the lowest face-up card of each pile, its *base*, has a fixed place, as long as it is the
  card that was dealt there. Every other face-up card is *loose*. It lies on one of the two cards
  of the other colour one rank higher. The state leaves open which one, as a run can move to the
  other card while that is free. (As far as we know, the solver lonelybot was the first to use
  this.)
- A loose card that can go home goes home, as it could come back at once. If a later move needs
  it in the piles, it comes back together with that move, after the cards above it on its
  foundation and the cards that it has to lie on.

A state consists of the cards home, the number of cards of each pile up to its base, the talon
cards left, the end of the waste and, where the rules limit them, the redeals left. That makes 64
bits, without any loss.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, uint64
from gafreecell.jit.kernels.bits import count_bits, highest_bit, lowest_bit
from gafreecell.solitaire.klondike.cards import PILES
from gafreecell.solitaire.klondike.kernels.cards import (
    DECK,
    KINGS,
    bit,
    followers,
    home_set,
    next_set,
    pair_of,
    pairs_of,
    rank,
    rank_home,
    room,
    takers_of,
    whole,
)

# A state: the number of each pile's cards up to its base, in as many bits as that pile needs, then
# the cards home, the talon cards left, the end of the waste and the redeals left.
PILE_SHIFT = np.array([0, 1, 3, 5, 8, 11, 14], np.int64)
_PILE_MASK = np.array([1, 3, 3, 7, 7, 7, 7], np.int64)
HOME_SHIFT, TALON_SHIFT, WASTE_SHIFT, REDEALS_SHIFT = 17, 33, 57, 62
# One of these bits is set while a card is face down, that is, a pile has two cards or more up to
# its base, or while the talon has cards.
_LEFT = int(sum((_PILE_MASK - 1) << PILE_SHIFT) | 0xFFFFFF << TALON_SHIFT)

# A move: its kind, its card, and the cards that are still home after others have come back for it.
# The kinds: a base goes to another pile or home, a talon card goes to a pile or home, or a swap: a
# loose card goes home after its twin, the other card of its pair, has come back to take what lies
# on it.
BASE_DOWN, BASE_HOME, TALON_DOWN, TALON_HOME, SWAP = range(5)
CARD_SHIFT, AFTER_SHIFT = 3, 16

MOST_MOVES = 1024
"""Room for the moves of a state; no known state has a tenth as many.

Moves for which cards come back fill all but the last 100 places at most. There are at most 39
others: 7 bases and 24 talon cards go to a pile, and 4 bases and 4 talon cards go home.
"""
MOST_WAYS = 2 * MOST_MOVES
"""The length of the array ``found`` of ``come_back``."""

SAFE_HOME, STILL_BOTTOMS, HOME_STAYS = 1, 2, 4
"""Bits of the search's options: rules that prune moves, see ``list_moves``.

The first two are dominance rules: they lose no win. The third one loses a win now and then, so no
proof can rest on it. It is for the player ``best``, which only estimates how likely a win is.
"""
PROVES = SAFE_HOME | STILL_BOTTOMS


class Rules(Registers):
    """The rules of a game.

    Attributes:
        draw: cards that a draw turns.
        limited: whether the redeals are limited, 0 or 1; if not, a state does not count them.
    """

    draw: int
    limited: int


class Deal(NamedTuple):
    """The facts about a deal that a search needs.

    Attributes:
        rules: of the game.
        base: int64[7 * 8], at 8 * p + n the base of pile p if it has n cards up to its base.
        hidden: uint64[7 * 8], the set of the face-down cards beneath that base.
        talon: int64[24], the talon's cards, waste first.
        pile: int64[64], for each card of the piles the pile that it was dealt to.
        beneath: uint64[64], for each of them the set of the card beneath it, 0 for none.
        place: int64[64], for each card of the talon its place there.
    """

    rules: Rules
    base: np.ndarray
    hidden: np.ndarray
    talon: np.ndarray
    pile: np.ndarray
    beneath: np.ndarray
    place: np.ndarray


@kernel
def held(state: int, pile: int) -> int:
    """The number of a pile's cards up to its base."""
    return (int64(state) >> PILE_SHIFT[pile]) & _PILE_MASK[pile]


@kernel
def home_of(state: int) -> int:
    return (int64(state) >> HOME_SHIFT) & 0xFFFF


@kernel
def talon_of(state: int) -> int:
    return (int64(state) >> TALON_SHIFT) & 0xFFFFFF


@kernel
def waste_of(state: int) -> int:
    """The end of the waste: all cards left in the talon before this place lie in the waste."""
    return int64(state >> uint64(WASTE_SHIFT)) & 31


@kernel
def redeals_of(state: int) -> int:
    """The redeals left; 0 if they are not limited."""
    return int64(state >> uint64(REDEALS_SHIFT))


@kernel
def turned(rules: Rules, talon: int, place: int) -> int:
    """The end of the waste that a state has if the talon cards before ``place`` lie in the waste.

    Positions that reach the same cards at the same price are one state, with the end 0. Without a
    limit of redeals, these are positions whose waste has as many cards as some draws turn, or all
    of them. With a limit they are those with an empty waste and those after the first draw of a
    pass. Otherwise the waste ends right after its top card.
    """
    waste = uint64(talon & ((1 << place) - 1))
    many, all_of_them = count_bits(waste), count_bits(uint64(talon))
    if rules.limited:
        same = many == 0 or many == min(rules.draw, all_of_them)
    else:
        same = many % rules.draw == 0 or many == all_of_them
    return int64(0) if same else highest_bit(waste) + 1


# At 256 * phase + mask: every third place of a set of eight, if ``phase`` places were counted
# before it.
_THIRDS = np.array(
    [
        sum(
            1 << b
            for b in range(8)
            if mask >> b & 1 and (phase + (mask & ((1 << b) - 1)).bit_count()) % 3 == 2
        )
        for phase in range(3)
        for mask in range(256)
    ],
    np.int64,
)


@kernel
def _every_third(places: int) -> int:
    """Every third place of a set: the third, the sixth and so on."""
    first, second, third = places & 255, (places >> 8) & 255, places >> 16
    phase = count_bits(uint64(first))
    thirds = _THIRDS[first] | (_THIRDS[((phase % 3) << 8) | second] << 8)
    phase += count_bits(uint64(second))
    return thirds | (_THIRDS[((phase % 3) << 8) | third] << 16)


@kernel
def _turned_up(rules: Rules, places: int) -> int:
    """The places of a set on which draws from the first of them end."""
    return places if rules.draw == 1 else _every_third(places)


@kernel
def in_this_pass(rules: Rules, state: int) -> int:
    """The places of the talon whose cards can be played now, or after draws alone."""
    talon = talon_of(state)
    if talon == 0:
        return int64(0)
    place = waste_of(state)
    reached = _turned_up(rules, (talon >> place) << place) | (1 << highest_bit(uint64(talon)))
    # The top card of the waste lies right before the end of the waste.
    return reached | (1 << (place - 1)) if place > 0 else reached


@kernel
def reachable(rules: Rules, state: int) -> int:
    """The places of the talon whose cards can be played now, or after draws and redeals alone."""
    reached = in_this_pass(rules, state)
    if rules.limited and redeals_of(state) == 0:
        return reached
    return reached | _turned_up(rules, talon_of(state))


@kernel
def cards_at(deal: Deal, places: int) -> int:
    """The set of the talon's cards at some of its places."""
    cards, left = uint64(0), uint64(places)
    while left:
        cards |= bit(deal.talon[lowest_bit(left)])
        left &= left - uint64(1)
    return cards


@kernel
def look(deal: Deal, state: int) -> tuple[int, int]:
    """The face-up cards, including those home, and the bases."""
    away = uint64(0)
    bases = uint64(0)
    for p in range(PILES):
        cards = held(state, p)
        if cards > 0:
            away |= deal.hidden[8 * p + cards]
            bases |= bit(deal.base[8 * p + cards])
    return DECK & ~(away | cards_at(deal, talon_of(state))), bases


@kernel
def settle(up: int, bases: int, home: int) -> int:
    """Send loose cards home until none can go; returns the cards home.

    Args:
        up: the face-up cards, including those home.
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
def _peel(home: int, pair: int, found: np.ndarray, top: int) -> int:
    """Push the cards home without one card of a pair, for each that is home; returns the top.

    The cards above it on its foundation come back, too.
    """
    low = pair >> 2
    for s in range(2):
        suit = (pair & 3) + s
        if rank_home(home, suit) > low and top < found.size:
            found[top] = (home & ~(15 << (4 * suit))) | (low << (4 * suit))
            top += 1
    return top


@kernel
def come_back(up: int, bases: int, home: int, pair: int, found: np.ndarray) -> int:
    """Find all ways to make room on a pair by bringing cards back from their foundations.

    A way is the set of cards that are still home then. Each is minimal: with one card fewer in the
    piles there would be no room.

    Args:
        up, bases: as ``look`` returns them.
        home: the cards home.
        pair: its even bit number.
        found: int64[``MOST_WAYS``], receives the sets in its first half; its second half is a
            stack. The stack never holds more than 53 sets, as each set taken from it pushes at
            most two, with fewer cards home.

    Returns:
        The number of sets.
    """
    room_for = found.size // 2
    count = 0
    top = _peel(home, pair, found, room_for)
    while top > room_for:
        top -= 1
        after = found[top]
        open_cards = up & ~home_set(after)
        loose = open_cards & ~bases
        if count_bits(bases) + count_bits(loose & KINGS) > 7:
            continue
        free, lacking = room(open_cards, loose)
        if lacking:
            # Bring back a card of the highest pair with fewer cards than would lie on it.
            top = _peel(after, highest_bit(lacking), found, top)
        elif (free >> uint64(pair)) & uint64(1):
            known = False
            for i in range(count):
                known = known or found[i] == after
            if not known and count < room_for:
                found[count] = after
                count += 1
    return count


@kernel
def never_needed(i: int, home: int, stays: bool) -> bool:
    """Whether no card will ever have to lie on this one, which can go home (dominance).

    That is so if all cards that would lie on it, or on those cards, can go home instead: both cards
    of the other colour two ranks lower are home, and so is the card of its own colour, but not of
    its suit, three ranks lower. It is not enough that both cards that fit on it are home: one could
    come back to take a card that cannot go home yet.

    Args:
        i: the card.
        home: the cards home.
        stays: whether to assume that no card ever comes back from its foundation, so that it is
            enough.
    """
    low = rank(i)
    red = i & 2
    one, two = rank_home(home, 2 - red), rank_home(home, 3 - red)
    twin = rank_home(home, (i & 3) ^ 1)
    least = min(one, two)
    return (least >= low - 2 and twin >= low - 3) or (stays and least >= low - 1)


@kernel
def _write_ways(
    kind: int,
    i: int,
    up: int,
    bases: int,
    home: int,
    pair: int,
    found: np.ndarray,
    moves: np.ndarray,
    at: int,
    end: int,
) -> int:
    """Write a move once for each way to bring cards back for it; returns the end."""
    ways = come_back(up, bases, home, pair, found)
    for w in range(ways):
        if at < end:
            moves[at] = kind | (i << CARD_SHIFT) | (found[w] << AFTER_SHIFT)
            at += 1
    return at


@kernel
def _write(kind: int, cards: int, home: int, moves: np.ndarray, at: int) -> int:
    """Write a move for each of these cards; returns the end."""
    while cards:
        moves[at] = kind | (lowest_bit(cards) << CARD_SHIFT) | (home << AFTER_SHIFT)
        at += 1
        cards &= cards - uint64(1)
    return at


@kernel
def list_moves(
    deal: Deal,
    state: int,
    up: int,
    bases: int,
    options: int,
    moves: np.ndarray,
    at: int,
    found: np.ndarray,
) -> int:
    """Write the moves of a state from index ``at`` on, the best last; returns the end.

    A list that was cut short has at least ``MOST_MOVES - 100`` moves. No proof can rest on it.

    Args:
        up, bases: as ``look`` returns them.
        options: rules that prune. ``SAFE_HOME``: if a base can go home and no card will ever
            have to lie on it, that is the only move. ``STILL_BOTTOMS``: the bottom card of
            a pile goes to another pile only while some king is not at the bottom of a pile and
            may want the empty one. ``HOME_STAYS``: both rules assume that no card comes back
            from its foundation.
        found: scratch of ``come_back``.
    """
    home = home_of(state)
    at_home = home_set(home)
    open_cards = up & ~at_home
    loose = open_cards & ~bases
    free, _ = room(open_cards, loose)
    uncovered = whole(free)
    ready = next_set(home)
    homeward = bases & ready & uncovered
    if options & SAFE_HOME:
        rest = homeward
        while rest:
            if never_needed(lowest_bit(rest), home, options & HOME_STAYS != 0):
                return _write(BASE_HOME, rest & (~rest + uint64(1)), home, moves, at)
            rest &= rest - uint64(1)
    takes = followers(free)
    if count_bits(bases) + count_bits(loose & KINGS) < 7:
        takes |= KINGS
    movable = bases
    waiting = (~open_cards | bases) & KINGS
    if options & HOME_STAYS:
        waiting &= ~at_home
    if options & STILL_BOTTOMS and waiting == 0:
        # A king that goes home leaves an empty pile, to which it can come back.
        rest = bases
        while rest:
            i = lowest_bit(rest)
            rest &= rest - uint64(1)
            if deal.beneath[i] == 0:
                movable &= ~bit(i)
    talon = cards_at(deal, reachable(deal.rules, state))
    # Moves for which cards come back are tried last.
    end = at + MOST_MOVES - 100
    come = followers(pairs_of(at_home))
    twins = whole(pairs_of(at_home)) & ready & ~uncovered
    for kind in (SWAP, BASE_HOME, BASE_DOWN, TALON_DOWN):
        if kind == SWAP:
            rest = loose & twins
        elif kind == BASE_HOME:
            rest = bases & twins
        elif kind == BASE_DOWN:
            rest = movable & come & ~takes
        else:
            rest = talon & come & ~takes
        while rest:
            i = lowest_bit(rest)
            rest &= rest - uint64(1)
            pair = pair_of(i) if kind in (SWAP, BASE_HOME) else takers_of(i)
            at = _write_ways(kind, i, up, bases, home, pair, found, moves, at, end)
    at = _write(TALON_DOWN, talon & takes, home, moves, at)
    at = _write(TALON_HOME, talon & ready, home, moves, at)
    at = _write(BASE_DOWN, movable & takes, home, moves, at)
    return _write(BASE_HOME, homeward, home, moves, at)


@kernel
def after_move(deal: Deal, state: int, up: int, bases: int, move: int) -> tuple[int, int, int]:
    """The state after a move, its face-up cards and its bases."""
    kind = move & 7
    i = (move >> CARD_SHIFT) & 63
    home = (move >> AFTER_SHIFT) & 0xFFFF
    if kind in (BASE_HOME, TALON_HOME, SWAP):
        home += 1 << (4 * (i & 3))
    rest = int64(state) & ~(0xFFFF << HOME_SHIFT)
    if kind in (BASE_DOWN, BASE_HOME):
        p = deal.pile[i]
        beneath = deal.beneath[i]
        up |= beneath
        bases = (bases & ~bit(i)) | beneath
        rest -= 1 << PILE_SHIFT[p]
        if beneath & KINGS and held(rest, p) == 1:
            # A king at the bottom of its pile counts as loose.
            bases &= ~beneath
            rest -= 1 << PILE_SHIFT[p]
    elif kind != SWAP:
        up |= bit(i)
        place = deal.place[i]
        talon = talon_of(rest) & ~(1 << place)
        rest &= (1 << TALON_SHIFT) - 1
        rest |= (talon << TALON_SHIFT) | (turned(deal.rules, talon, place) << WASTE_SHIFT)
        if deal.rules.limited:
            redeals = redeals_of(state)
            if not (in_this_pass(deal.rules, state) >> place) & 1:
                redeals -= 1
            # Two or three redeals set the sign bit.
            rest |= int64(redeals << REDEALS_SHIFT)
    home = settle(up, bases, home)
    return uint64(rest | (home << HOME_SHIFT)), up, bases


@kernel
def settled(deal: Deal, state: int) -> tuple[int, int, int]:
    """The state after all loose cards that can go home have done so, and what ``look`` returns."""
    up, bases = look(deal, state)
    home = settle(up, bases, home_of(state))
    rest = int64(state) & ~(0xFFFF << HOME_SHIFT)
    return uint64(rest | (home << HOME_SHIFT)), up, bases


@kernel
def is_won(state: int) -> bool:
    """Whether nothing is face down and the talon is empty: home moves alone finish the game."""
    return int64(state) & _LEFT == 0
