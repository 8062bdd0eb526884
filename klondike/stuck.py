"""Tests that tell lost states: none of them ever fires where the game can still be won."""

from __future__ import annotations

from numba import int64, uint64

from klondike.cards import DECK, KINGS, bit, followers, home_set, pairs_of
from klondike.states import PILE_SHIFT, held, home_of, look, talon_of, waste_of
from solving.bits import count_bits, lowest_bit
from solving.runtime import kernel


@kernel
def is_stuck(deal, state):
    """Whether the game is lost even if what was once possible stays possible.

    Bjarnason, Tadepalli and Fern 2007, section 4.1: actions delete nothing. A card
    that is face up can be played and played upon for ever, and so can a talon
    card once it could have come up:

    - now;
    - once the card after it has been played;
    - once as many of the cards before it have been played as bring it to the third
      place of three, or one of them from which it is three, six, ... cards away.
    """
    home = home_of(state)
    up, bases = look(deal, state)
    present = up
    # Of the cards that are not kings, loose ones leave no pile empty.
    vacant = count_bits(bases) + count_bits(up & ~home_set(home) & ~bases & KINGS) < 7
    at_home = home_set(home)
    left = uint64(talon_of(state))
    many = count_bits(left)
    waste = count_bits(left & ((uint64(1) << uint64(waste_of(state))) - uint64(1)))
    counts = int64(state)
    while True:
        before = present
        home_before = at_home
        # Home goes whatever is present and follows on its foundation.
        while True:
            more = (((at_home << uint64(4)) | uint64(15)) & present) & ~at_home
            if more == 0:
                break
            at_home |= more
        movable = followers(pairs_of(present)) | at_home | ((at_home << uint64(4)) | uint64(15))
        if vacant:
            movable |= KINGS
        for p in range(7):
            cards = held(counts, p)
            while cards > 0 and movable & bit(deal.base[8 * p + cards]):
                cards -= 1
                counts -= 1 << PILE_SHIFT[p]
                if cards > 0:
                    present |= bit(deal.base[8 * p + cards])
                else:
                    vacant = True
        # The talon, last card first, so that a card sees what follows it.
        played = 0
        classes = 0
        rest = left
        j = 0
        while rest:
            place = lowest_bit(rest)
            rest &= rest - uint64(1)
            i = deal.talon[place]
            card = bit(i)
            if not present & card:
                comes = (
                    j % 3 == 2
                    or j == many - 1
                    or j == waste - 1
                    or (j >= waste and (j - waste) % 3 == 2)
                    or played >= (j + 1) % 3
                    or (classes >> (j % 3)) & 1
                )
                if not comes and rest:
                    after = bit(deal.talon[lowest_bit(rest)])
                    comes = bool(present & after and movable & after)
                if comes:
                    present |= card
            if present & card and movable & card:
                played += 1
                classes |= 1 << (j % 3)
            j += 1
        if present == before and at_home == home_before:
            return at_home != DECK
