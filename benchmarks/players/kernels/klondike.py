"""``random`` and ``greedy`` of 2009 under other readings of the papers' rules.

Lists all single moves of K+ and then drops or pairs those that the papers may mean, so it shares
only the board with the players that it is compared with.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.draws import below, shuffle
from gafreecell.solitaire.klondike.cards import PILES, STRIDE
from gafreecell.solitaire.klondike.kernels.board import (
    COUNT,
    HOME_TO_PILE,
    ONE,
    PILE_TO_HOME,
    PILE_TO_PILE,
    SECOND,
    SOURCE,
    TALON_TO_HOME,
    TALON_TO_PILE,
    TARGET,
    TURNS,
    Board,
    is_won,
    load,
    make,
    reach,
    top,
    unmake,
)
from gafreecell.solitaire.klondike.kernels.cards import rank
from gafreecell.solitaire.klondike.packed import CARDS_AT
from gafreecell.solitaire.klondike.rollouts.kernels.actions import CLASSES

ROOM, LONGEST = 1024, 4096
"""Room for the actions of a state, and for those of a game."""
ALL_SINGLE, RELATED, NO_PAIRS, REVERSIBLE, UNRELATED = range(5)
PROGRESSION, ALWAYS, NEVER, ONE_RANK, OTHER_COLOUR = range(5)
IN_EVERY_STATE, NOT_AT_ALL, ONCE, LOST_AFTERWARDS = range(4)
AT_RANDOM, BY_CLASS, GREEDY = range(3)


class Reading(NamedTuple):
    """How the rules of 2007 and 2009 are read.

    Attributes:
        pairs: local loop prevention. Moves that a single action can undo are all allowed
            (``ALL_SINGLE``), dropped (``NO_PAIRS``), or made together with a second move: one that
            takes or covers the card laid bare and cannot be undone (``RELATED``, the players'
            reading), such a one that may be undone, too (``REVERSIBLE``), or any that cannot be
            undone (``UNRELATED``).
        home: whether a home move counts as one that cannot be undone: 0 never as the second one,
            1 always, 2 as the second one and as a single one only if the card may not come back.
        back: when a card may leave its foundation: not an ace or a two, nor if all cards two ranks
            lower are home (``PROGRESSION``), if all cards one rank lower are (``ONE_RANK``), or if
            those two ranks lower of the other colour are (``OTHER_COLOUR``).
        kings: 0 for the leftmost empty pile, 1 for each one, 2 also from the bottom of a pile.
        end: when the greedy search looks for a win once all cards are seen.
        choice: of an action.
    """

    pairs: int = RELATED
    home: int = 1
    back: int = PROGRESSION
    kings: int = 0
    end: int = IN_EVERY_STATE
    choice: int = AT_RANDOM


class Scratch(NamedTuple):
    """Arrays for the games of one player: actions with their classes, their numbers, the path."""

    actions: np.ndarray
    first: np.ndarray
    second: np.ndarray
    third: np.ndarray
    sizes: np.ndarray
    path: np.ndarray
    made: np.ndarray
    places: np.ndarray


def new_scratch() -> Scratch:
    """Scratch for one series after another."""
    lists = (np.zeros((ROOM, 2), np.int64) for _ in range(4))
    places = np.arange(CARDS_AT, CARDS_AT + 52)
    sizes, path = np.zeros(CLASSES, np.int64), np.zeros(LONGEST, np.uint64)
    return Scratch(*lists, sizes, path, np.zeros(LONGEST, np.int64), places)


@kernel
def _fits(i: int, beneath: int) -> bool:
    """Whether a card may lie on another one: of the next rank, of the other colour."""
    return beneath >= 0 and beneath >> 2 == (i >> 2) + 1 and (beneath & 2) != (i & 2)


@kernel
def _takes(board: Board, i: int, q: int, kings: int) -> bool:
    """Whether a pile takes a card."""
    if board.height[q] > 0:
        return _fits(i, top(board, q))
    if rank(i) != 13:
        return False
    first = True
    for p in range(q):
        first = first and board.height[p] > 0
    return first or kings > 0


@kernel
def _comes_back(board: Board, suit: int, back: int) -> bool:
    """Whether the top card of a foundation may return to the piles."""
    height, home = board.home[suit], board.home
    if back == ALWAYS:
        return height > 0
    if back == NEVER or height <= 2:
        return False
    lower = height - (1 if back == ONE_RANK else 2)
    lowest = min(home[suit ^ 2], home[suit ^ 3])
    if back != OTHER_COLOUR:
        lowest = min(lowest, home[suit ^ 1])
    return lowest < lower


@kernel
def _list_single(board: Board, reading: Reading, found: np.ndarray) -> int:
    """List every single move with its class; returns how many there are."""
    n = 0
    for p in range(PILES):
        height, down = board.height[p], board.down[p]
        i = top(board, p)
        if i >= 0 and board.home[i & 3] == rank(i) - 1:
            turns = int64(down > 0 and height - down == 1)
            found[n, 0] = PILE_TO_HOME | (p << SOURCE) | ((i & 3) << TARGET) | (turns << TURNS)
            found[n, 1] = 1 - turns
            n += 1
        for k in range(down, height):
            i = board.pile[STRIDE * p + k]
            turns = int64(down > 0 and k == down)
            for q in range(PILES):
                if q == p or not _takes(board, i, q, reading.kings):
                    continue
                if k == 0 and board.height[q] == 0 and reading.kings < 2:
                    continue
                move = PILE_TO_PILE | (p << SOURCE) | (q << TARGET) | ((height - k) << COUNT)
                found[n, 0] = move | (turns << TURNS)
                found[n, 1] = 5 - 3 * turns
                n += 1
    ready = reach(board, board.talon_size[0], board.waste_size[0])
    for j in range(board.talon_size[0]):
        if (ready >> uint64(j)) & uint64(1) == 0:
            continue
        i = board.talon[j]
        if board.home[i & 3] == rank(i) - 1:
            found[n, 0] = TALON_TO_HOME | (j << SOURCE) | ((i & 3) << TARGET)
            found[n, 1] = 1
            n += 1
        for q in range(PILES):
            if _takes(board, i, q, reading.kings):
                found[n, 0] = TALON_TO_PILE | (j << SOURCE) | (q << TARGET)
                found[n, 1] = 3
                n += 1
    for suit in range(4):
        if _comes_back(board, suit, reading.back):
            for q in range(PILES):
                if _takes(board, 4 * (board.home[suit] - 1) + suit, q, reading.kings):
                    found[n, 0] = HOME_TO_PILE | (suit << SOURCE) | (q << TARGET)
                    found[n, 1] = 4
                    n += 1
    return n


@kernel
def _stays(board: Board, move: int, reading: Reading) -> bool:
    """Whether no single action undoes a move."""
    kind, p = move & 7, (move >> SOURCE) & 31
    if (move >> TURNS) & 1 or kind in (TALON_TO_HOME, TALON_TO_PILE):
        return True
    if kind == PILE_TO_PILE:
        return (move >> COUNT) & 15 == board.height[p]
    if kind == PILE_TO_HOME:
        if reading.home < 2 or board.height[p] == 1:
            return True
        suit = (move >> TARGET) & 7
        board.home[suit] += 1
        back = _comes_back(board, suit, reading.back)
        board.home[suit] -= 1
        return not back
    return False


@kernel
def _can_return(board: Board, reading: Reading, key: int, found: np.ndarray) -> bool:
    """Whether a single move leads to the state with this hash."""
    for c in range(_list_single(board, reading, found)):
        made = make(board, found[c, 0])
        same = board.key[0] == key
        unmake(board, made)
        if same:
            return True
    return False


@kernel
def _list(board: Board, reading: Reading, scratch: Scratch) -> int:
    """List the actions of a state; returns how many there are."""
    actions, first, second = scratch.actions, scratch.first, scratch.second
    singles = _list_single(board, reading, first)
    pairs, key = reading.pairs, board.key[0]
    n = 0
    for a in range(singles):
        if pairs == ALL_SINGLE or _stays(board, first[a, 0], reading):
            actions[n, 0], actions[n, 1] = first[a, 0], first[a, 1]
            n += 1
    if pairs in (ALL_SINGLE, NO_PAIRS):
        return n
    for a in range(singles):
        move = first[a, 0]
        if _stays(board, move, reading):
            continue
        # The pile with the card laid bare, or with the card from a foundation.
        from_home = move & 7 == HOME_TO_PILE
        pile = (move >> TARGET) & 7 if from_home else (move >> SOURCE) & 31
        made = make(board, move)
        for b in range(_list_single(board, reading, second)):
            then = second[b, 0]
            kind = then & 7
            if kind == PILE_TO_HOME:
                related = reading.home > 0 and not from_home and (then >> SOURCE) & 31 == pile
            else:
                related = kind in (PILE_TO_PILE, TALON_TO_PILE) and (then >> TARGET) & 7 == pile
            stays = _stays(board, then, reading)
            if not (related or pairs == UNRELATED) or not (stays or pairs == REVERSIBLE):
                continue
            if not stays:
                also = make(board, then)
                undone = board.key[0] == key or _can_return(board, reading, key, scratch.third)
                unmake(board, also)
                if undone:
                    continue
            actions[n, 0], actions[n, 1] = move | (then << SECOND), second[b, 1]
            n += 1
        unmake(board, made)
    return n


@kernel
def _move_lasts(move: int) -> bool:
    """Whether no earlier state can come back after a move."""
    return (move >> TURNS) & 1 == 1 or move & 7 in (TALON_TO_HOME, TALON_TO_PILE)


@kernel
def _lasts(action: int) -> bool:
    return _move_lasts(action & ONE) or _move_lasts((action >> SECOND) & ONE)


@kernel
def _list_new(board: Board, reading: Reading, scratch: Scratch, since: int, passed: int) -> int:
    """List the actions that bring back none of the states passed."""
    kept = 0
    for i in range(_list(board, reading, scratch)):
        action, kind = scratch.actions[i, 0], scratch.actions[i, 1]
        back = False
        if not _lasts(action):
            made = make(board, action)
            for k in range(since, passed):
                back = back or scratch.path[k] == board.key[0]
            unmake(board, made)
        if not back:
            scratch.actions[kept, 0], scratch.actions[kept, 1] = action, kind
            kept += 1
    return kept


@kernel
def _chosen(scratch: Scratch, many: int, choice: int, draws: np.ndarray) -> int:
    """An action of those listed."""
    if choice == AT_RANDOM:
        return scratch.actions[below(draws, many), 0]
    sizes = scratch.sizes
    for kind in range(CLASSES):
        sizes[kind] = 0
    for i in range(many):
        sizes[scratch.actions[i, 1]] += 1
    there = int64(0)
    for kind in range(CLASSES):
        there += int64(sizes[kind] > 0)
    skipped = below(draws, there) if choice == BY_CLASS else int64(0)
    kind = int64(0)
    while sizes[kind] == 0 or skipped > 0:
        skipped -= int64(sizes[kind] > 0)
        kind += 1
    skipped = below(draws, sizes[kind]) if choice == BY_CLASS else int64(0)
    i = int64(0)
    while scratch.actions[i, 1] != kind or skipped > 0:
        skipped -= int64(scratch.actions[i, 1] == kind)
        i += 1
    return scratch.actions[i, 0]


@kernel
def _finishes(
    board: Board, reading: Reading, scratch: Scratch, draws: np.ndarray, since: int, passed: int
) -> bool:
    """Whether greedy actions bring all cards home; the board is unchanged."""
    start = passed
    while not is_won(board) and passed < LONGEST:
        scratch.path[passed] = board.key[0]
        many = _list_new(board, reading, scratch, since, passed + 1)
        if many == 0:
            break
        action = _chosen(scratch, many, GREEDY, draws)
        scratch.made[passed] = make(board, action)
        passed += 1
        if _lasts(action):
            since = passed
    won = is_won(board)
    for k in range(passed - 1, start - 1, -1):
        unmake(board, scratch.made[k])
    return won


@kernel
def _wins(board: Board, reading: Reading, scratch: Scratch, draws: np.ndarray) -> bool:
    """Play a game."""
    passed, since, tried = 0, 0, False
    while not is_won(board):
        if board.hidden[0] == 0 and reading.end != NOT_AT_ALL and not (tried and reading.end > 1):
            if _finishes(board, reading, scratch, draws, since, passed):
                return True
            if reading.end == LOST_AFTERWARDS:
                return False
            tried = True
        scratch.path[passed] = board.key[0]
        many = _list_new(board, reading, scratch, since, passed + 1)
        # No game of a million has come near the room for its path.
        if many == 0 or passed + 1 == LONGEST:
            return False
        action = _chosen(scratch, many, reading.choice, draws)
        make(board, action)
        passed += 1
        if _lasts(action):
            since = passed
    return True


@kernel
def wins_of(
    board: Board,
    reading: Reading,
    scratch: Scratch,
    packed: np.ndarray,
    draws: np.ndarray,
    games: int,
) -> int:
    """Play shuffled decks.

    Args:
        board, scratch: overwritten.
        reading: of the rules.
        packed: int64[74], a packed deal, whose cards are shuffled.
        draws: the random numbers of decks and player.
        games: how many.

    Returns:
        The number of games won.
    """
    won = 0
    for _ in range(games):
        shuffle(packed, scratch.places, 52, draws)
        load(board, packed)
        won += int64(_wins(board, reading, scratch, draws))
    return won
