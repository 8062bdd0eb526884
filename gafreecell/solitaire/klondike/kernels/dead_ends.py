"""Dead-end tests, which prove positions lost (Bjarnason, Tadepalli and Fern 2007, section 4.1).

These are the paper's two tests, and an extension of the second one for the first position of a
search. A position that a test calls dead is certainly lost. Others may be lost, too.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel, large_kernel, uint64
from gafreecell.solitaire.klondike.cards import PILES, STRIDE
from gafreecell.solitaire.klondike.kernels.board import Board, load, reach
from gafreecell.solitaire.klondike.kernels.cards import (
    ACES,
    DECK,
    KINGS,
    bit,
    followers,
    home_set,
    pair_of,
    pairs_of,
    takers_of,
    whole,
)


@large_kernel
def _delete_relaxation(board: Board, at: np.ndarray, pile: int, floor: int) -> tuple[int, int]:
    """The fixpoint of the delete relaxation: whatever becomes possible stays possible.

    Once a card was face up, it can always be moved and built on. A talon card can be played if
    it is reachable, if the card after it can be played, or, unless no redeal is left, if so many
    cards before it can be played that a draw after a redeal turns it up: for card j, counted from
    0, with three cards a draw, that takes (j + 1) % 3 of them. A limit of redeals counts only when
    none is left. There is an empty pile as soon as the lowest card of some pile can leave it.

    Args:
        board: the position.
        at: int64[7], scratch.
        pile, floor: the cards of this pile up to this index never leave it; -1 for no such pile.

    Returns:
        The cards that can go home, and those that can lie where they can be built on. Both are
        returned as the whole deck if every card of the piles and the talon can be moved.
    """
    n = board.talon_size[0]
    ranks = board.home
    home = home_set(ranks[0] | ranks[1] << 4 | ranks[2] << 8 | ranks[3] << 12)
    free = home  # Cards that can be moved.
    onto = uint64(0)  # Cards that can be built on.
    empty = False
    for p in range(PILES):
        at[p] = board.down[p] if board.height[p] > 0 else int64(-1)
        onto |= board.up[p]
        empty |= at[p] < 0
    free |= onto
    ready = reach(board, n, board.waste_size[0])
    # No number of cards played brings up another one if there is no redeal.
    draw, endless = board.draw[0], board.redeals[0] != 0
    for j in range(n):
        if (ready >> uint64(j)) & uint64(1):
            free |= bit(board.talon[j])
    while True:
        before = free | home
        kept, was_empty = onto, empty
        more = ((home << uint64(4)) | ACES) & free & ~home & DECK
        grown = home
        while more:
            home |= more
            more = ((home << uint64(4)) | ACES) & free & ~home & DECK
        lying = followers(pairs_of(onto))
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
            uncovered = j + 1 < n and leaving & bit(board.talon[j + 1]) != 0
            if free & card == 0 and (uncovered or (endless and played >= (j + 1) % draw)):
                free |= card
            played += int64(leaving & card != 0)
        if free == DECK or home == DECK:
            return DECK, DECK
        if free | home == before and onto == kept and empty == was_empty and home == grown:
            return home, onto


@kernel
def relaxed_dead(board: Board, at: np.ndarray) -> bool:
    """Whether the game is lost even in the delete relaxation.

    Args:
        board: the position.
        at: int64[7], scratch.
    """
    home, _ = _delete_relaxation(board, at, -1, -1)
    return home != DECK


@kernel
def pair_dead(board: Board, at: np.ndarray, wide: bool) -> bool:
    """Whether two cards of a rank and colour in one pile can never both leave it.

    The lower one lies face down and cannot leave the pile before the upper one. Unless one of
    them can go home, they need both cards that they can be built on, one each. So we keep the
    lower one in place and play the delete relaxation. The game is lost if neither can go home
    there and one of those two cards can never be built on. In the paper's second pattern that
    card lies beneath them.

    Args:
        board: the position.
        at: int64[7], scratch.
        wide: whether that card may lie anywhere; if not, only pairs with one of the two cards
            beneath them are tested.
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
            home, onto = _delete_relaxation(board, at, p, d)
            pair = whole(uint64(1) << uint64(pair_of(i)))
            # An ace can always go home.
            goes_home = i < 4 or (home << uint64(4)) & pair
            if not goes_home and onto & builds != builds:
                return True
    return False


@kernel
def is_lost(board: Board, at: np.ndarray, twins: np.ndarray, wide: bool) -> bool:
    """Whether one of the tests proves the first position of a search lost.

    Args:
        board: the position.
        at: int64[7], scratch.
        twins: of the position; see ``find_twins``.
        wide: as for ``pair_dead``; False for the paper's tests.
    """
    return twins_dead(board, twins) or relaxed_dead(board, at) or pair_dead(board, at, wide)


@kernel
def find_twins(board: Board, twins: np.ndarray) -> None:
    """Write at 8 * p + d the cards that lock pile p if they lie face up on its d face-down cards.

    Let the lower of two cards of one rank and colour lie face down. Beneath it let there be a
    lower card of each of their suits and one of the two cards that they could be built on. Then
    neither can go home before both have left the pile, and only one card is left to build them
    on.

    Args:
        board: the first position of the deal.
        twins: uint64[7 * 8], receives the sets; all cards if the upper one is face down, too.
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
            # This card locks the pile, and it lies face down.
            if found & bit(i):
                found = DECK
            if mine and other and build and above:
                found |= bit(i ^ 1)
            twins[8 * p + d + 1] = found


@kernel
def twins_dead(board: Board, twins: np.ndarray) -> bool:
    """Whether two cards of a rank and colour lock each other in a pile."""
    held = uint64(0)
    for p in range(PILES):
        held |= board.up[p] & twins[8 * p + board.down[p]]
    return held != 0


@kernel
def lost_at_once(board: Board, at: np.ndarray, twins: np.ndarray, packed: np.ndarray) -> bool:
    """Whether a dead-end test proves a packed position lost; the other arguments are scratch."""
    load(board, packed)
    find_twins(board, twins)
    return is_lost(board, at, twins, True)
