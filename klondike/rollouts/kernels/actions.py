"""The actions of a state, in order (Bjarnason, Tadepalli and Fern 2007, section 4.4).

There are six classes, in the paper's order: home moves from a pile that turn a card up, other
home moves, moves between piles that turn a card up, from the talon to a pile, from a
foundation to a pile, other moves between piles. Within a class actions are ordered by source,
then by target, single moves before pairs.

Local loop prevention: one action could undo a move from a foundation, and a move between
piles that neither turns a card up nor empties a pile. Such a move is made only together with
a second one that it makes possible and that no single action undoes: one that takes or covers
the card laid bare. The pair is one action, in the class of its second move. A home move
may be the second although it, too, can sometimes be undone: without that H2's walk of level 0
wins 12.5 % of deals instead of 15.5 (the paper: 16.17). To allow second moves unrelated to
the first takes time and changes no figure; to use the class of the first move changes none
either.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from jit import kernel
from jit.kernels.bits import lowest_bit
from klondike.cards import PILES, STRIDE
from klondike.kernels.board import (
    COUNT,
    HOME_PILE,
    PILE_HOME,
    PILE_PILE,
    SECOND,
    SOURCE,
    TALON_HOME,
    TALON_PILE,
    TARGET,
    TURNS,
    reach,
    top,
)
from klondike.kernels.cards import KINGS, bit, followers, pair_of, pairs_of, rank, takers_of

CLASSES, MOST = 6, 512
HOME_TURNING, HOMEWARD, TURNING, FROM_TALON, FROM_HOME, BETWEEN = range(CLASSES)


def new_lists() -> np.ndarray:
    """Arrays (int64[7, 512]) for ``list_actions``: the classes, and in the last row their sizes."""
    return np.zeros((CLASSES + 1, MOST), np.int64)


@kernel
def _add(lists, kind, action):
    n = lists[CLASSES, kind]
    lists[kind, n] = action
    lists[CLASSES, kind] = n + 1


@kernel
def _fits(i, beneath):
    """Whether a card may lie on an exposed one."""
    return beneath >= 0 and pair_of(beneath) == takers_of(i)


@kernel
def _run(board, p, i, q):
    """The move of a face-up card of a pile, with the cards on it, to another pile."""
    count = rank(i) - rank(top(board, p)) + 1
    turns = int64(board.down[p] > 0 and board.height[p] - board.down[p] == count)
    return PILE_PILE | (p << SOURCE) | (q << TARGET) | (count << COUNT) | (turns << TURNS)


@kernel
def _home(board, p, i):
    """The move of a pile's exposed card to its foundation."""
    turns = int64(board.down[p] > 0 and board.height[p] - board.down[p] == 1)
    return PILE_HOME | (p << SOURCE) | ((i & 3) << TARGET) | (turns << TURNS)


@kernel
def _list_run(board, lists, p, i, q):
    """List a move between piles, unless a single action could undo it."""
    move = _run(board, p, i, q)
    count = (move >> COUNT) & 15
    if move >> TURNS:
        _add(lists, TURNING, move)
    elif count == board.height[p]:
        _add(lists, BETWEEN, move)


@kernel
def _list_pairs(board, lists, first, bare, p):
    """List pairs of a first move with second ones that cover the card laid bare on pile p."""
    n, c = board.size[0], board.size[1]
    wanted = followers(pairs_of(bit(bare)))
    for r in range(PILES):
        # The cards of pile p itself would go straight back.
        cards = board.up[r] & wanted if r != p else uint64(0)
        while cards:
            i = lowest_bit(cards)
            cards &= cards - uint64(1)
            second = _run(board, r, i, p)
            if second >> TURNS:
                _add(lists, TURNING, first | (second << SECOND))
            elif (second >> COUNT) & 15 == board.height[r]:
                _add(lists, BETWEEN, first | (second << SECOND))
    ready = reach(n, c)
    while ready:
        j = lowest_bit(ready)
        ready &= ready - uint64(1)
        if bit(board.talon[j]) & wanted:
            second = TALON_PILE | (j << SOURCE) | (p << TARGET)
            _add(lists, FROM_TALON, first | (second << SECOND))


@kernel
def list_actions(board, lists, actions, start):
    """List the actions of a state.

    Args:
        board: the state.
        lists: scratch, from ``new_lists``.
        actions: int64, receives the actions from index ``start`` on.

    Returns:
        The index after the last one.
    """
    for kind in range(CLASSES):
        lists[CLASSES, kind] = 0
    home, height, down = board.home, board.height, board.down
    least = min(min(home[0], home[1]), min(home[2], home[3]))
    tops = uint64(0)
    empty = int64(-1)
    for p in range(PILES - 1, -1, -1):
        if height[p] == 0:
            empty = p
        else:
            tops |= bit(top(board, p))
    wanted = followers(pairs_of(tops))
    if empty >= 0:
        wanted |= KINGS
    for p in range(PILES):
        if height[p] == 0:
            continue
        i = top(board, p)
        if home[i & 3] == rank(i) - 1:
            move = _home(board, p, i)
            _add(lists, HOME_TURNING if move >> TURNS else HOMEWARD, move)
        cards = board.up[p] & wanted
        while cards:
            i = lowest_bit(cards)
            cards &= cards - uint64(1)
            if bit(i) & KINGS:
                if board.pile[STRIDE * p] != i:
                    _list_run(board, lists, p, i, empty)
                continue
            for q in range(PILES):
                if _fits(i, top(board, q)):
                    _list_run(board, lists, p, i, q)
    ready = reach(board.size[0], board.size[1])
    while ready:
        j = lowest_bit(ready)
        ready &= ready - uint64(1)
        i = board.talon[j]
        if home[i & 3] == rank(i) - 1:
            _add(lists, HOMEWARD, TALON_HOME | (j << SOURCE) | ((i & 3) << TARGET))
        if bit(i) & wanted:
            move = TALON_PILE | (j << SOURCE)
            if bit(i) & KINGS:
                _add(lists, FROM_TALON, move | (empty << TARGET))
            else:
                for q in range(PILES):
                    if _fits(i, top(board, q)):
                        _add(lists, FROM_TALON, move | (q << TARGET))
    # Pairs: first moves between piles that lay a face-up card bare, ...
    for p in range(PILES):
        cards = board.up[p] & wanted
        while cards:
            i = lowest_bit(cards)
            cards &= cards - uint64(1)
            k = height[p] - 1 - (rank(i) - rank(top(board, p)))
            if k == down[p]:
                continue
            bare = board.pile[STRIDE * p + k - 1]
            goes_home = home[bare & 3] == rank(bare) - 1
            for q in range(PILES):
                if not _fits(i, top(board, q)):
                    continue
                first = _run(board, p, i, q)
                if goes_home:
                    turns = int64(k - 1 == down[p] and down[p] > 0)
                    second = PILE_HOME | (p << SOURCE) | ((bare & 3) << TARGET) | (turns << TURNS)
                    kind = HOME_TURNING if turns else HOMEWARD
                    _add(lists, kind, first | (second << SECOND))
                _list_pairs(board, lists, first, bare, p)
    # ... and from foundations, except for cards that are no longer of use in the piles.
    for suit in range(4):
        if home[suit] <= 2 or least >= home[suit] - 2:
            continue
        i = 4 * (home[suit] - 1) + suit
        if bit(i) & wanted == 0:
            continue
        first = HOME_PILE | (suit << SOURCE)
        if bit(i) & KINGS:
            _list_pairs(board, lists, first | (empty << TARGET), i, empty)
            continue
        for q in range(PILES):
            if _fits(i, top(board, q)):
                _list_pairs(board, lists, first | (q << TARGET), i, q)
    for kind in range(CLASSES):
        for n in range(lists[CLASSES, kind]):
            actions[start] = lists[kind, n]
            start += 1
    return start
