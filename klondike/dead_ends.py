"""Positions that cannot be won (Bjarnason, Tadepalli and Fern 2007, section 4.1).

Their two tests, and the second one carried further for the first position of a search. What
any of them calls dead is certainly lost, the rest may be lost too.
"""

from __future__ import annotations

from numba import int64, uint64

from klondike.actions import takes
from klondike.board import PILES, STRIDE, reach
from klondike.cards import DECK, KINGS, bit, pair_of, takers_of, whole
from solving.runtime import kernel

_ACES = uint64(0xF)


@kernel
def home_cards(board):
    """The set of the cards that are home."""
    cards = uint64(0)
    for suit in range(4):
        for r in range(board.home[suit]):
            cards |= bit(4 * r + suit)
    return cards


@kernel
def _dream(board, at, pile, floor):
    """What comes to be if nothing that becomes possible ever ceases to be so.

    A card once face up can move for good, and be built on for good. A talon card can be
    played if it is in reach, if the one after it can be played, or if enough of those
    before it can be to shift it to where a draw turns it up: it is the j-th from 0, so (j + 1) % 3.
    An empty pile is there once a pile's lowest card can leave it.

    Args:
        board: the position.
        at: int64[7], scratch.
        pile, floor: the cards of this pile up to this index never leave it; -1 for no such pile.

    Returns:
        The cards that get home and those that get to where they can be built on; all
        cards twice if no card of the piles or the talon stays covered.
    """
    n = board.size[0]
    home = home_cards(board)
    free = home  # Cards that can move,
    onto = uint64(0)  # and that can be built on.
    empty = False
    for p in range(PILES):
        at[p] = board.down[p] if board.height[p] > 0 else int64(-1)
        onto |= board.up[p]
        empty |= at[p] < 0
    free |= onto
    ready = reach(n, board.size[1])
    for j in range(n):
        if (ready >> uint64(j)) & uint64(1):
            free |= bit(board.talon[j])
    while True:
        before = free | home
        kept, was_empty = onto, empty
        more = ((home << uint64(4)) | _ACES) & free & ~home & DECK
        grown = home
        while more:
            home |= more
            more = ((home << uint64(4)) | _ACES) & free & ~home & DECK
        lying = takes(onto)
        if empty:
            lying |= KINGS
        onto |= free & lying
        leaving = (free & lying) | home
        for p in range(PILES):
            lowest = floor if p == pile else int64(-1)
            while at[p] > lowest and leaving & bit(board.pile[STRIDE * p + at[p]]):
                at[p] -= 1
                if at[p] >= 0:
                    card = bit(board.pile[STRIDE * p + at[p]])
                    free |= card
                    onto |= card
                else:
                    empty = True
        played = 0
        for j in range(n):
            card = bit(board.talon[j])
            if free & card == 0 and (
                played >= (j + 1) % 3 or (j + 1 < n and leaving & bit(board.talon[j + 1]))
            ):
                free |= card
            played += int64(leaving & card != 0)
        if free == DECK or home == DECK:
            return DECK, DECK
        if free | home == before and onto == kept and empty == was_empty and home == grown:
            return home, onto


@kernel
def relaxed_dead(board, at):
    """Whether the game is lost even if nothing that becomes possible ever ceases to be so.

    Args:
        board: the position.
        at: int64[7], scratch.
    """
    home, _ = _dream(board, at, -1, -1)
    return home != DECK


@kernel
def pair_dead(board, at, wide):
    """Whether two cards of a rank and colour in one pile can never both leave it.

    Before the lower one, face down, can leave the pile, the upper one has to. As long as
    neither can go home, each of them needs one of the two cards they can be built on. So the
    game is lost if, while the lower one stays, neither gets home and one of those two cards never
    gets to where it can be built on. In the paper's second pattern that card lies beneath them.

    Args:
        board: the position.
        at: int64[7], scratch.
        wide: whether it may lie anywhere.
    """
    for p in range(PILES):
        for d in range(board.down[p]):
            i = board.pile[STRIDE * p + d]
            above = False
            for k in range(d + 1, board.height[p]):
                above |= board.pile[STRIDE * p + k] == i ^ 1
            if not above or bit(i) & KINGS:
                continue
            builds = whole(uint64(1) << uint64(takers_of(i)))
            beneath = uint64(0)
            for k in range(d):
                beneath |= bit(board.pile[STRIDE * p + k])
            if not wide and beneath & builds == 0:
                continue
            home, onto = _dream(board, at, p, d)
            pair = whole(uint64(1) << uint64(pair_of(i)))
            # An ace can always go home.
            goes_home = i < 4 or (home << uint64(4)) & pair
            if not goes_home and onto & builds != builds:
                return True
    return False


@kernel
def is_lost(board, at, twins, wide):
    """Whether one of the tests tells that the first position of a search is lost.

    Args:
        board: the position.
        at: int64[7], scratch.
        twins: of the position; see ``find_twins``.
        wide: as of ``pair_dead``; if not, what is asked is what the paper asks.
    """
    return twins_dead(board, twins) or relaxed_dead(board, at) or pair_dead(board, at, wide)


@kernel
def find_twins(board, twins):
    """For each pile with d cards face down, at 8 * p + d the cards that must not lie above those.

    Of two cards of one rank and colour, let the lower one lie face down, and beneath it a lower
    card of each of their suits and one of the two cards they could be built on. Neither can
    go home before both have left the pile, and there is only one card left to take them.

    Args:
        board: the first position of the deal.
        twins: uint64[7 * 8], receives the sets; all cards where the upper one is face down.
    """
    for p in range(PILES):
        twins[8 * p] = 0
        for d in range(board.down[p]):
            i = board.pile[STRIDE * p + d]
            mine, other, build, above = False, False, False, True
            for k in range(d):
                below = board.pile[STRIDE * p + k]
                mine |= (below & 3) == (i & 3) and below < i
                other |= (below & 3) == ((i ^ 1) & 3) and below < (i ^ 1)
                build |= pair_of(below) == takers_of(i)
                above &= below != i ^ 1
            found = twins[8 * p + d]
            # An upper one that is face down, too, now lies among the face-down cards.
            if found & bit(i):
                found = DECK
            if mine and other and build and above:
                found |= bit(i ^ 1)
            twins[8 * p + d + 1] = found


@kernel
def twins_dead(board, twins):
    """Whether two cards of a rank and colour hold each other fast in a pile."""
    held = uint64(0)
    for p in range(PILES):
        held |= board.up[p] & twins[8 * p + board.down[p]]
    return held != 0
