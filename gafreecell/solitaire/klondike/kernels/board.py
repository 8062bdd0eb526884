"""The board of the K+ searches: piles, foundations and a talon without draws.

The talon is one list: the waste from bottom to top, then the stock in the order of draws. Its
cursor says how many of its cards lie in the waste. A talon card can be played at once if draws
and redeals alone bring it up (Bjarnason, Tadepalli and Fern 2007, section 2.2).

A player who has not seen the stock (``hide_stock``) can only play the top card of the waste, and a
draw is a move of its own. Once it has turned the last card, the talon is a list again.

Cards are numbered as in ``klondike.cards``. A move is an integer, kind | source << 3 |
target << 8 | count << 11 | turns << 15. Source and target are piles 0 to 6, suits 0 to 3 or an
index in the talon; ``turns`` is 1 if a card turns up that nobody has seen. An *action* is one move,
or two moves, one after the other: first | second << 16.

The hash is a Zobrist hash. It has a random number for each pair of a face-up card and the
face-up card beneath it, for each unseen card, for each other card of the talon, and for the cursor.
Positions that differ only in the order of the piles are one state. So are cursors that reach
the same cards.

The hash leaves out which unseen card lies where. Within one deal, the set of unseen cards
determines that. For a player who does not know the deal, all positions of an information set
have the same hash.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, uint64
from gafreecell.solitaire.klondike.cards import PILES, STRIDE
from gafreecell.solitaire.klondike.kernels.cards import bit
from gafreecell.solitaire.klondike.packed import (
    CARDS_AT,
    DOWNS_AT,
    DRAW_AT,
    HOME_AT,
    REDEALS_AT,
    TALON_AT,
    UNSEEN_AT,
    WASTE_AT,
)

PILE_TO_HOME, TALON_TO_HOME, PILE_TO_PILE, TALON_TO_PILE, HOME_TO_PILE, DRAW = range(1, 7)
SOURCE, TARGET, COUNT, TURNS, SECOND, CURSOR = 3, 8, 11, 15, 16, 32
ONE = (1 << SECOND) - 1
"""The bits of one move."""
DRAWING = DRAW | 1 << TURNS
"""The action that draws from a stock that nobody has seen."""

MOST_TALON = 24
_REDEALS = 5
"""Where the redeals left stand in what is kept of a cursor."""
_BOTTOM = 63
"""Stands for the card beneath a pile's lowest face-up card."""


class Board(NamedTuple):
    """The arrays of a board.

    Attributes:
        pile: int64[7 * 32], the cards of pile p from ``32 * p`` up, deepest first.
        height: int64[7], cards in each pile.
        down: int64[7], how many of them lie face down.
        home: int64[4], highest rank home of clubs, spades, diamonds, hearts.
        talon: int64[24], the cards of the talon, waste first.
        talon_size, waste_size: int64[1], cards in the talon, and how many of them lie in the waste.
        draw: int64[1], how many cards a draw turns.
        implied: int64[1], the same for draws that other moves imply: 0 while nobody has seen the
            stock.
        redeals: int64[1], how often the waste may still be turned over; -1 for no limit.
        up: uint64[7], the set of each pile's face-up cards.
        hidden: uint64[1], the set of all face-down cards.
        key: uint64[1], the hash.
    """

    pile: np.ndarray
    height: np.ndarray
    down: np.ndarray
    home: np.ndarray
    talon: np.ndarray
    talon_size: np.ndarray
    waste_size: np.ndarray
    draw: np.ndarray
    implied: np.ndarray
    redeals: np.ndarray
    up: np.ndarray
    hidden: np.ndarray
    key: np.ndarray


def empty_board() -> Board:
    """A board to load positions into."""
    lengths = PILES * STRIDE, PILES, PILES, 4, MOST_TALON, 1, 1, 1, 1, 1
    numbers = (np.zeros(length, np.int64) for length in lengths)
    sets = (np.zeros(length, np.uint64) for length in (PILES, 1, 1))
    return Board(*numbers, *sets)


def _ahead() -> np.ndarray:
    """At 1024 * d + 32 * n + c: the indices of a talon of n cards that can be played in this pass.

    c of the cards lie in the waste, and a draw turns d cards; without draws, d is 0.
    """
    ahead = np.zeros(4 * 32 * 32, np.uint64)
    for d in (0, 1, 3):
        for n in range(MOST_TALON + 1):
            for c in range(n + 1):
                # The top of the waste, the card on which each draw ends, and the last card.
                tops = {c - 1, *range(c + d - 1, n, d), n - 1} if d else {c - 1}
                ahead[1024 * d + 32 * n + c] = sum(1 << j for j in tops - {-1})
    return ahead


# The raw stream of this generator is bit-identical on every machine.
_ZOBRIST = np.random.PCG64(2007).random_raw(64 * 64 + 4 * 64)
_ZOBRIST_PAIR, _ZOBRIST_HIDDEN, _ZOBRIST_TALON, _ZOBRIST_WASTE, _ZOBRIST_REDEALS = np.split(
    _ZOBRIST, [64 * 64, 64 * 65, 64 * 66, 64 * 67]
)
_AHEAD = _ahead()


@kernel
def _in_this_pass(board: Board, n: int, c: int) -> int:
    """The indices of a talon of n cards, c of them in the waste, that need no redeal."""
    return _AHEAD[1024 * board.implied[0] + 32 * n + c]


@kernel
def reach(board: Board, n: int, c: int) -> int:
    """The reachable indices of a talon of n cards, c of them in the waste."""
    reached = _in_this_pass(board, n, c)
    return reached if board.redeals[0] == 0 else reached | _in_this_pass(board, n, int64(0))


@kernel
def _redeals_after(board: Board, j: int) -> int:
    """The redeals left once the j-th card of the talon was played; -1 for no limit."""
    redeals = board.redeals[0]
    if redeals <= 0:
        return redeals
    ahead = _in_this_pass(board, board.talon_size[0], board.waste_size[0])
    return redeals - int64((ahead >> uint64(j)) & uint64(1) == 0)


@kernel
def reach_after(board: Board, j: int) -> int:
    """The reachable indices of the talon once its j-th card was played."""
    n = board.talon_size[0] - 1
    reached = _in_this_pass(board, n, j)
    again = _redeals_after(board, j) != 0
    return reached | _in_this_pass(board, n, int64(0)) if again else reached


@kernel
def top(board: Board, p: int) -> int:
    """The exposed card of a pile, -1 if it is empty."""
    return board.pile[STRIDE * p + board.height[p] - 1] if board.height[p] > 0 else int64(-1)


@kernel
def is_won(board: Board) -> bool:
    """Whether home moves alone finish the game: nothing face down, the talon empty."""
    return board.hidden[0] == 0 and board.talon_size[0] == 0


@kernel
def wins(board: Board, action: int) -> bool:
    """Whether an action leads to a won position; its last move decides that."""
    last = (action >> SECOND) & ONE if (action >> SECOND) & ONE else action & ONE
    kind, hidden = last & 7, board.hidden[0]
    if (last >> TURNS) & 1:
        hidden &= hidden - uint64(1)
    return hidden == 0 and board.talon_size[0] == int64(kind in (TALON_TO_HOME, TALON_TO_PILE))


@kernel
def _pair_number(board: Board, p: int, k: int) -> int:
    """The Zobrist number of the k-th card of a pile, face up, on the card beneath it."""
    beneath = board.pile[STRIDE * p + k - 1] if k > board.down[p] else int64(_BOTTOM)
    return _ZOBRIST_PAIR[64 * board.pile[STRIDE * p + k] + beneath]


@kernel
def _cursor_number(board: Board) -> int:
    """The Zobrist number of the cursor and of the redeals left.

    It is 0 for cursor 0 and for cursors that reach the same cards at the same price: without a
    limit of redeals those after whole draws and at the end, otherwise the one after the first draw.
    """
    c, n, draw, redeals = board.waste_size[0], board.talon_size[0], board.draw[0], board.redeals[0]
    if redeals < 0:
        return _ZOBRIST_WASTE[c] if c % draw != 0 and c != n else uint64(0)
    same = c == 0 or c == min(draw, n)
    return _ZOBRIST_REDEALS[redeals] ^ (uint64(0) if same else _ZOBRIST_WASTE[c])


@kernel
def _turned_number(board: Board, j: int) -> int:
    """What changes in the hash when the j-th card of the talon is seen for the first time."""
    card = board.talon[j]
    return _ZOBRIST_HIDDEN[card] ^ _ZOBRIST_TALON[card]


@kernel
def load(board: Board, packed: np.ndarray) -> None:
    """Set up a packed position (see ``klondike.packed``) for those who know all its cards."""
    for suit in range(4):
        board.home[suit] = (packed[HOME_AT] >> (4 * suit)) & 15
    board.talon_size[0] = packed[TALON_AT]
    board.waste_size[0] = packed[WASTE_AT]
    board.draw[0] = packed[DRAW_AT]
    board.implied[0] = packed[DRAW_AT]
    board.redeals[0] = packed[REDEALS_AT]
    board.hidden[0] = 0
    key = _cursor_number(board)
    at = CARDS_AT
    for p in range(PILES):
        board.height[p] = packed[p]
        board.down[p] = packed[DOWNS_AT + p]
        board.up[p] = 0
        for k in range(board.height[p]):
            card = packed[at + k]
            board.pile[STRIDE * p + k] = card
            if k < board.down[p]:
                board.hidden[0] |= bit(card)
                key ^= _ZOBRIST_HIDDEN[card]
            else:
                board.up[p] |= bit(card)
                key ^= _pair_number(board, p, k)
        at += board.height[p]
    for j in range(board.talon_size[0]):
        board.talon[j] = packed[at + j]
        key ^= _ZOBRIST_TALON[packed[at + j]]
    board.key[0] = key


@kernel
def hide_stock(board: Board) -> None:
    """Play on as one who has not seen the stock, in which cards are left."""
    board.implied[0] = 0
    for j in range(board.waste_size[0], board.talon_size[0]):
        board.key[0] ^= _turned_number(board, j)


@kernel
def pack(board: Board, packed: np.ndarray) -> None:
    """Write the packed position that ``load`` reads."""
    packed[HOME_AT] = 0
    for suit in range(4):
        packed[HOME_AT] |= board.home[suit] << (4 * suit)
    packed[TALON_AT] = board.talon_size[0]
    packed[WASTE_AT] = board.waste_size[0]
    packed[DRAW_AT] = board.draw[0]
    packed[REDEALS_AT] = board.redeals[0]
    packed[UNSEEN_AT] = 0
    at = CARDS_AT
    for p in range(PILES):
        packed[p] = board.height[p]
        packed[DOWNS_AT + p] = board.down[p]
        for k in range(board.height[p]):
            packed[at + k] = board.pile[STRIDE * p + k]
        at += board.height[p]
    for j in range(board.talon_size[0]):
        packed[at + j] = board.talon[j]


@kernel
def _put(board: Board, p: int, card: int) -> None:
    """Lay a card on a pile."""
    k = board.height[p]
    board.pile[STRIDE * p + k] = card
    board.height[p] = k + 1
    board.up[p] |= bit(card)
    board.key[0] ^= _pair_number(board, p, k)


@kernel
def _take(board: Board, p: int) -> int:
    """Take a pile's exposed card."""
    k = board.height[p] - 1
    card = board.pile[STRIDE * p + k]
    board.key[0] ^= _pair_number(board, p, k)
    board.height[p] = k
    board.up[p] ^= bit(card)
    return card


@kernel
def _shift(board: Board, p: int, q: int, count: int) -> None:
    """Move the top ``count`` cards of a pile to another."""
    start, end = board.height[p] - count, board.height[q]
    board.key[0] ^= _pair_number(board, p, start)
    run = uint64(0)
    for i in range(count):
        card = board.pile[STRIDE * p + start + i]
        board.pile[STRIDE * q + end + i] = card
        run |= bit(card)
    board.height[p] = start
    board.height[q] = end + count
    board.up[p] ^= run
    board.up[q] ^= run
    board.key[0] ^= _pair_number(board, q, end)


@kernel
def _turn(board: Board, p: int, down: int) -> None:
    """Turn the card at the boundary of a pile's face-down cards over, so that ``down`` remain."""
    card = board.pile[STRIDE * p + min(down, board.down[p])]
    board.down[p] = down
    board.up[p] ^= bit(card)
    board.hidden[0] ^= bit(card)
    board.key[0] ^= _ZOBRIST_HIDDEN[card] ^ _ZOBRIST_PAIR[64 * card + _BOTTOM]


@kernel
def _take_from_talon(board: Board, j: int) -> int:
    """Remove the j-th card of the talon, which leaves j cards in the waste."""
    key = board.key[0] ^ _cursor_number(board)
    card = board.talon[j]
    board.redeals[0] = _redeals_after(board, j)
    n = board.talon_size[0] - 1
    for i in range(j, n):
        board.talon[i] = board.talon[i + 1]
    board.talon_size[0] = n
    board.waste_size[0] = j
    board.key[0] = key ^ _ZOBRIST_TALON[card] ^ _cursor_number(board)
    return card


@kernel
def _return_to_talon(board: Board, j: int, card: int, cursor: int) -> None:
    """Put a card back in the talon at index j, and restore the cursor, redeals included."""
    key = board.key[0] ^ _cursor_number(board)
    n = board.talon_size[0]
    for i in range(n, j, -1):
        board.talon[i] = board.talon[i - 1]
    board.talon[j] = card
    board.talon_size[0] = n + 1
    board.waste_size[0] = cursor & 31
    board.redeals[0] = (cursor >> _REDEALS) - 1
    board.key[0] = key ^ _ZOBRIST_TALON[card] ^ _cursor_number(board)


@kernel
def _draw(board: Board) -> None:
    """Draw from a stock that nobody has seen."""
    key = board.key[0] ^ _cursor_number(board)
    start, n = board.waste_size[0], board.talon_size[0]
    end = min(start + board.draw[0], n)
    for j in range(start, end):
        key ^= _turned_number(board, j)
    board.waste_size[0] = end
    if end == n:
        board.implied[0] = board.draw[0]
    board.key[0] = key ^ _cursor_number(board)


@kernel
def _undraw(board: Board, start: int) -> None:
    """Undo a draw, which leaves ``start`` cards in the waste and the others unseen."""
    key = board.key[0] ^ _cursor_number(board)
    for j in range(start, board.waste_size[0]):
        key ^= _turned_number(board, j)
    board.waste_size[0] = start
    board.implied[0] = 0
    board.key[0] = key ^ _cursor_number(board)


@kernel
def _make(board: Board, move: int) -> None:
    kind, source = move & 7, (move >> SOURCE) & 31
    target = (move >> TARGET) & 7
    if kind == PILE_TO_PILE:
        _shift(board, source, target, (move >> COUNT) & 15)
    elif kind == PILE_TO_HOME:
        board.home[_take(board, source) & 3] += 1
    elif kind == TALON_TO_HOME:
        board.home[_take_from_talon(board, source) & 3] += 1
    elif kind == TALON_TO_PILE:
        _put(board, target, _take_from_talon(board, source))
    elif kind == HOME_TO_PILE:
        board.home[source] -= 1
        _put(board, target, 4 * board.home[source] + source)
    else:
        _draw(board)
        return
    if (move >> TURNS) & 1:
        _turn(board, source, board.down[source] - 1)


@kernel
def _unmake(board: Board, move: int, cursor: int) -> None:
    kind, source = move & 7, (move >> SOURCE) & 31
    target = (move >> TARGET) & 7
    if kind == DRAW:
        _undraw(board, cursor & 31)
        return
    if (move >> TURNS) & 1:
        _turn(board, source, board.down[source] + 1)
    if kind == PILE_TO_PILE:
        _shift(board, target, source, (move >> COUNT) & 15)
    elif kind == PILE_TO_HOME:
        board.home[target] -= 1
        _put(board, source, 4 * board.home[target] + target)
    elif kind == TALON_TO_HOME:
        board.home[target] -= 1
        _return_to_talon(board, source, 4 * board.home[target] + target, cursor)
    elif kind == TALON_TO_PILE:
        _return_to_talon(board, source, _take(board, target), cursor)
    else:
        _take(board, target)
        board.home[source] += 1


@kernel
def make(board: Board, action: int) -> int:
    """Make an action; returns what ``unmake`` needs to undo it."""
    # With 1 added, the redeals left are never negative.
    cursor = board.waste_size[0] | ((board.redeals[0] + 1) << _REDEALS)
    _make(board, action & ONE)
    second = (action >> SECOND) & ONE
    if second:
        _make(board, second)
    return action | (cursor << CURSOR)


@kernel
def unmake(board: Board, made: int) -> None:
    """Undo the last action, as ``make`` returned it."""
    cursor = made >> CURSOR
    second = (made >> SECOND) & ONE
    if second:
        _unmake(board, second, cursor)
    _unmake(board, made & ONE, cursor)
