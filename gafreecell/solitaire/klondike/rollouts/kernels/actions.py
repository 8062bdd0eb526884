"""The actions of a state, in order (Bjarnason, Tadepalli and Fern 2007, section 4.4).

There are six classes, in the paper's order: home moves from a pile that turn a card up, other
home moves, moves between piles that turn a card up, moves from the talon to a pile, moves from a
foundation to a pile, other moves between piles. Within a class, actions are ordered by source,
then by target, single moves before pairs. While nobody has seen the stock, the last action is to
draw; the paper has no such class.

Local loop prevention: a single action could undo a move from a foundation, or a move between
piles that neither turns a card up nor empties a pile. Such a move is made only as the first of a
pair. The second move takes or covers the card that the first one laid bare, and no single action
can undo it. The pair is one action, in the class of its second move.

A home move may be the second one although it, too, can sometimes be undone. Without that, H2's
walk of level 0 wins 12.5 % of deals instead of 15.5 % (the paper: 16.17 %). We tried two
variants that change no figure: second moves unrelated to the first, which take more time, and
pairs in the class of their first move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.bits import lowest_bit
from gafreecell.solitaire.klondike.cards import PILES, STRIDE
from gafreecell.solitaire.klondike.kernels.board import (
    COUNT,
    DRAWING,
    HOME_TO_PILE,
    PILE_TO_HOME,
    PILE_TO_PILE,
    SECOND,
    SOURCE,
    TALON_TO_HOME,
    TALON_TO_PILE,
    TARGET,
    TURNS,
    Board,
    reach,
    top,
)
from gafreecell.solitaire.klondike.kernels.cards import (
    KINGS,
    bit,
    followers,
    pair_of,
    pairs_of,
    rank,
    takers_of,
)

CLASSES = 6
HOME_TURNING, HOMEWARD, TURNING, FROM_TALON, FROM_HOME, BETWEEN = range(CLASSES)
MOST_IN_CLASS, MOST_ACTIONS = 128, 256
"""Room for the actions of a class, and of a state: at most 115 and 199 are possible.

A card fits on two others, and each card is in one place. So there are at most 4 single moves home,
14 of all face-up cards of a pile, and 48 from the talon. The first move of a pair takes a card off
one of the two that it fits on, which leaves only the other to take it: at most 51 of these. After
each of them one card can go home, and one can be laid on the card laid bare, as the other that
could was moved. Four cards can come from their foundations, each to two piles, and be covered by
two cards. A draw is one more.
"""


class Lists(NamedTuple):
    """The arrays in which ``list_actions`` sorts actions by class.

    Attributes:
        actions: int64[6, 128], those of each class.
        sizes: int64[6], how many there are.
    """

    actions: np.ndarray
    sizes: np.ndarray


def new_lists() -> Lists:
    """Lists that serve one board after another."""
    return Lists(np.zeros((CLASSES, MOST_IN_CLASS), np.int64), np.zeros(CLASSES, np.int64))


@kernel
def _add(lists: Lists, kind: int, action: int) -> None:
    n = lists.sizes[kind]
    lists.actions[kind, n] = action
    lists.sizes[kind] = n + 1


@kernel
def _fits(i: int, beneath: int) -> bool:
    """Whether a card may lie on an exposed one."""
    return beneath >= 0 and pair_of(beneath) == takers_of(i)


@kernel
def _run(board: Board, p: int, i: int, q: int) -> int:
    """The move of a face-up card of a pile, with the cards on it, to another pile."""
    count = rank(i) - rank(top(board, p)) + 1
    turns = int64(board.down[p] > 0 and board.height[p] - board.down[p] == count)
    return PILE_TO_PILE | (p << SOURCE) | (q << TARGET) | (count << COUNT) | (turns << TURNS)


@kernel
def home_move(board: Board, p: int) -> int:
    """The move of a pile's exposed card to its foundation, 0 if it cannot go there."""
    i = top(board, p)
    if i < 0 or board.home[i & 3] != rank(i) - 1:
        return int64(0)
    turns = int64(board.down[p] > 0 and board.height[p] - board.down[p] == 1)
    return PILE_TO_HOME | (p << SOURCE) | ((i & 3) << TARGET) | (turns << TURNS)


@kernel
def _list_run(board: Board, lists: Lists, p: int, i: int, q: int) -> None:
    """List a move between piles, unless a single action could undo it."""
    move = _run(board, p, i, q)
    count = (move >> COUNT) & 15
    if move >> TURNS:
        _add(lists, TURNING, move)
    elif count == board.height[p]:
        _add(lists, BETWEEN, move)


@kernel
def _list_pairs(board: Board, lists: Lists, first: int, bare: int, p: int) -> None:
    """List pairs of a first move with each second one that covers the card laid bare on pile p."""
    n, c = board.talon_size[0], board.waste_size[0]
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
    ready = reach(board, n, c)
    while ready:
        j = lowest_bit(ready)
        ready &= ready - uint64(1)
        if bit(board.talon[j]) & wanted:
            second = TALON_TO_PILE | (j << SOURCE) | (p << TARGET)
            _add(lists, FROM_TALON, first | (second << SECOND))


@kernel
def list_actions(board: Board, lists: Lists, actions: np.ndarray, start: int) -> int:
    """List the actions of a state.

    Args:
        board: the state.
        lists: scratch, from ``new_lists``.
        actions: int64, receives at most ``MOST_ACTIONS`` from index ``start`` on.

    Returns:
        The index after the last one.
    """
    for kind in range(CLASSES):
        lists.sizes[kind] = 0
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
        move = home_move(board, p)
        if move:
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
    ready = reach(board, board.talon_size[0], board.waste_size[0])
    while ready:
        j = lowest_bit(ready)
        ready &= ready - uint64(1)
        i = board.talon[j]
        if home[i & 3] == rank(i) - 1:
            _add(lists, HOMEWARD, TALON_TO_HOME | (j << SOURCE) | ((i & 3) << TARGET))
        if bit(i) & wanted:
            move = TALON_TO_PILE | (j << SOURCE)
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
                    second = (
                        PILE_TO_HOME | (p << SOURCE) | ((bare & 3) << TARGET) | (turns << TURNS)
                    )
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
        first = HOME_TO_PILE | (suit << SOURCE)
        if bit(i) & KINGS:
            _list_pairs(board, lists, first | (empty << TARGET), i, empty)
            continue
        for q in range(PILES):
            if _fits(i, top(board, q)):
                _list_pairs(board, lists, first | (q << TARGET), i, q)
    for kind in range(CLASSES):
        for n in range(lists.sizes[kind]):
            actions[start] = lists.actions[kind, n]
            start += 1
    if board.implied[0] == 0:
        actions[start] = DRAWING
        start += 1
    return start
