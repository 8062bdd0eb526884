"""Klondike move by move on the table, as Yan, Diaconis, Rusmevichientong and Van Roy (2005) play.

Draws and redeals are moves. The face-up cards of a pile, its *block*, move to another pile only
all together. Moves are those of ``klondike.moves`` with two further fields for the engine: whether
a card of the source pile turns up, and how many lie face down there.

The hash is a Zobrist hash with a random number for each face-up card and what it lies on, one
for each card left in the talon and one for the size of the waste. Together they determine the
state, as face-down cards lie where they were dealt and all other cards are home.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.bits import count_bits, highest_bit
from gafreecell.solitaire.klondike.cards import PILES, STRIDE
from gafreecell.solitaire.klondike.kernels.cards import bit, pair_of, rank, takers_of
from gafreecell.solitaire.klondike.moves import (
    COUNT_SHIFT,
    DRAW,
    FROM_SHIFT,
    HOME_DOWN,
    PILE_HOME,
    PILE_PILE,
    REDEAL,
    TO_SHIFT,
    WASTE_DOWN,
    WASTE_HOME,
)
from gafreecell.solitaire.klondike.packed import CARDS_AT, DOWNS_AT, HOME_AT, TALON_AT, WASTE_AT

TURNS_SHIFT, DOWN_SHIFT = 13, 14
TABLE_BITS = (1 << TURNS_SHIFT) - 1
"""The bits of a move as in ``klondike.moves``."""
MOST_MOVES = 32
"""Room for the moves of a state: at most 29 are possible.

Four cards can go home, each from one place. Seven blocks, the top of the waste and four cards that
are home fit on two cards each. The last move is a draw or a redeal.
"""
_BASE = 52
"""52 + p stands for pile p itself, on which its deepest card lies."""


class BlockGame(NamedTuple):
    """The arrays of a game.

    Attributes:
        pile: int64[7 * 32], the cards of pile p from ``32 * p`` up, deepest first.
        height: int64[7], cards in each pile.
        down: int64[7], how many of them lie face down.
        home: int64[4], highest rank home of clubs, spades, diamonds, hearts.
        talon: int64[24], the cards that were in the talon at first, waste first.
        left: uint64[1], the places in ``talon`` of the cards still there.
        waste: uint64[1], the places in ``talon`` of the cards in the waste.
        hidden: uint64[1], the set of all face-down cards.
        key: uint64[1], the hash.
    """

    pile: np.ndarray
    height: np.ndarray
    down: np.ndarray
    home: np.ndarray
    talon: np.ndarray
    left: np.ndarray
    waste: np.ndarray
    hidden: np.ndarray
    key: np.ndarray


def empty_block_game() -> BlockGame:
    """A game to load positions into."""
    lengths = PILES * STRIDE, PILES, PILES, 4, 24
    pile, height, down, home, talon = (np.zeros(length, np.int64) for length in lengths)
    left, waste, hidden, key = (np.zeros(1, np.uint64) for _ in range(4))
    return BlockGame(pile, height, down, home, talon, left, waste, hidden, key)


# The raw stream of this generator is bit-identical on every machine.
_ZOBRIST = np.random.PCG64(2005).random_raw(64 * 64 + 64 + 32)
_ZOBRIST_PILE, _ZOBRIST_TALON, _ZOBRIST_WASTE = np.split(_ZOBRIST, [64 * 64, 64 * 65])


@kernel
def top(game: BlockGame, p: int) -> int:
    """The exposed card of a pile, -1 if it is empty."""
    return game.pile[STRIDE * p + game.height[p] - 1] if game.height[p] > 0 else int64(-1)


@kernel
def waste_top(game: BlockGame) -> int:
    """The top card of the waste, -1 if it is empty."""
    place = highest_bit(game.waste[0])
    return game.talon[place] if place >= 0 else int64(-1)


@kernel
def is_won(game: BlockGame) -> bool:
    """Whether home moves alone finish the game: nothing face down, the talon empty."""
    return game.hidden[0] == 0 and game.left[0] == 0


@kernel
def _pile_number(game: BlockGame, p: int, k: int) -> int:
    """The Zobrist number of the k-th card of a pile on what it lies on."""
    beneath = game.pile[STRIDE * p + k - 1] if k > 0 else _BASE + p
    return _ZOBRIST_PILE[64 * game.pile[STRIDE * p + k] + beneath]


@kernel
def load(game: BlockGame, packed: np.ndarray) -> None:
    """Set up a packed position (see ``klondike.packed``)."""
    for suit in range(4):
        game.home[suit] = (packed[HOME_AT] >> (4 * suit)) & 15
    game.left[0] = (uint64(1) << uint64(packed[TALON_AT])) - uint64(1)
    game.waste[0] = (uint64(1) << uint64(packed[WASTE_AT])) - uint64(1)
    game.hidden[0] = 0
    key = _ZOBRIST_WASTE[packed[WASTE_AT]]
    at = CARDS_AT
    for p in range(PILES):
        game.height[p] = packed[p]
        game.down[p] = packed[DOWNS_AT + p]
        for k in range(game.height[p]):
            game.pile[STRIDE * p + k] = packed[at + k]
            if k < game.down[p]:
                game.hidden[0] |= bit(packed[at + k])
            else:
                key ^= _pile_number(game, p, k)
        at += game.height[p]
    for j in range(packed[TALON_AT]):
        game.talon[j] = packed[at + j]
        key ^= _ZOBRIST_TALON[packed[at + j]]
    game.key[0] = key


@kernel
def _from_pile(game: BlockGame, p: int, kind: int, target: int, count: int) -> int:
    """A move of the top cards of a pile."""
    down = game.down[p]
    turns = int64(down > 0 and game.height[p] - down == count)
    written = count if kind == PILE_PILE else int64(0)
    return (
        kind | (p << FROM_SHIFT) | (target << TO_SHIFT) | (written << COUNT_SHIFT)
        | (turns << TURNS_SHIFT) | (down << DOWN_SHIFT)
    )  # fmt: skip


@kernel
def _list_downward(game: BlockGame, moves: np.ndarray, n: int, i: int, move: int) -> int:
    """List the move of a card, with the cards on it, to every pile that takes it.

    A king goes to the first empty pile only, as all are equivalent. ``move`` is the move without
    its target.
    """
    for p in range(PILES):
        fits = i >> 2 == 12 if game.height[p] == 0 else pair_of(top(game, p)) == takers_of(i)
        if fits:
            moves[n] = move | (p << TO_SHIFT)
            n += 1
            if game.height[p] == 0:
                break
    return n


@kernel
def list_moves(game: BlockGame, moves: np.ndarray, start: int) -> int:
    """List the legal moves.

    The order is: home from piles, home from the waste, between piles, from the waste to piles,
    from home to piles, the draw or the redeal; in each by source, then by target, from the left.
    A block that begins with a king and has no card beneath it does not move to an empty pile, as
    that would change nothing.

    Args:
        game: the state.
        moves: int64, receives at most ``MOST_MOVES`` moves from index ``start`` on.

    Returns:
        The index after the last one.
    """
    n = start
    for p in range(PILES):
        i = top(game, p)
        if i >= 0 and game.home[i & 3] == rank(i) - 1:
            moves[n] = _from_pile(game, p, PILE_HOME, i & 3, int64(1))
            n += 1
    turned = waste_top(game)
    if turned >= 0 and game.home[turned & 3] == rank(turned) - 1:
        moves[n] = WASTE_HOME
        n += 1
    for p in range(PILES):
        if game.height[p] > 0:
            i = game.pile[STRIDE * p + game.down[p]]
            if rank(i) < 13 or game.down[p] > 0:
                count = game.height[p] - game.down[p]
                move = _from_pile(game, p, PILE_PILE, int64(0), count)
                n = _list_downward(game, moves, n, i, move)
    if turned >= 0:
        n = _list_downward(game, moves, n, turned, int64(WASTE_DOWN))
    for suit in range(4):
        if game.home[suit] > 0:
            i = 4 * (game.home[suit] - 1) + suit
            n = _list_downward(game, moves, n, i, HOME_DOWN | (suit << FROM_SHIFT))
    if game.left[0] != game.waste[0]:
        moves[n] = DRAW
        n += 1
    elif game.left[0] != 0:
        moves[n] = REDEAL
        n += 1
    return n


@kernel
def _put(game: BlockGame, p: int, card: int) -> None:
    """Lay a card on a pile."""
    k = game.height[p]
    game.pile[STRIDE * p + k] = card
    game.height[p] = k + 1
    game.key[0] ^= _pile_number(game, p, k)


@kernel
def _shift(game: BlockGame, p: int, q: int, count: int) -> None:
    """Move the top ``count`` cards of a pile to another."""
    start, end = game.height[p] - count, game.height[q]
    for i in range(count):
        game.pile[STRIDE * q + end + i] = game.pile[STRIDE * p + start + i]
    game.height[p] = start
    game.height[q] = end + count


@kernel
def _turn_waste(game: BlockGame, waste: int) -> None:
    """Change which cards of the talon lie in the waste."""
    before, after = int64(count_bits(game.waste[0])), int64(count_bits(waste))
    game.waste[0] = waste
    game.key[0] ^= _ZOBRIST_WASTE[before] ^ _ZOBRIST_WASTE[after]


@kernel
def _draw(game: BlockGame) -> None:
    waste = game.waste[0]
    stock = game.left[0] ^ waste
    for _ in range(3):
        waste |= stock & (~stock + uint64(1))
        stock &= stock - uint64(1)
    _turn_waste(game, waste)


@kernel
def _from_waste(game: BlockGame) -> int:
    """Take the top card of the waste."""
    place = highest_bit(game.waste[0])
    card = game.talon[place]
    game.left[0] ^= bit(place)
    game.key[0] ^= _ZOBRIST_TALON[card]
    _turn_waste(game, game.waste[0] ^ bit(place))
    return card


@kernel
def make(game: BlockGame, move: int) -> None:
    """Make a move."""
    kind, source, target = move & 7, (move >> FROM_SHIFT) & 7, (move >> TO_SHIFT) & 7
    if kind == DRAW:
        _draw(game)
    elif kind == REDEAL:
        _turn_waste(game, uint64(0))
    elif kind == WASTE_HOME:
        game.home[_from_waste(game) & 3] += 1
    elif kind == WASTE_DOWN:
        _put(game, target, _from_waste(game))
    elif kind == HOME_DOWN:
        game.home[source] -= 1
        _put(game, target, 4 * game.home[source] + source)
    elif kind == PILE_HOME:
        k = game.height[source] - 1
        game.key[0] ^= _pile_number(game, source, k)
        game.height[source] = k
        game.home[target] += 1
    else:
        game.key[0] ^= _pile_number(game, source, game.down[source])
        end = game.height[target]
        _shift(game, source, target, (move >> COUNT_SHIFT) & 15)
        game.key[0] ^= _pile_number(game, target, end)
    if (move >> TURNS_SHIFT) & 1:
        k = game.height[source] - 1
        game.down[source] = k
        game.hidden[0] ^= bit(game.pile[STRIDE * source + k])
        game.key[0] ^= _pile_number(game, source, k)


@kernel
def unmake(game: BlockGame, move: int, left: int, waste: int, key: int) -> None:
    """Undo the last move; ``left``, ``waste`` and ``key`` are their values before it."""
    kind, source, target = move & 7, (move >> FROM_SHIFT) & 7, (move >> TO_SHIFT) & 7
    if (move >> TURNS_SHIFT) & 1:
        k = game.height[source] - 1
        game.down[source] = k + 1
        game.hidden[0] ^= bit(game.pile[STRIDE * source + k])
    if kind == WASTE_DOWN:
        game.height[target] -= 1
    elif kind == WASTE_HOME:
        game.home[game.talon[highest_bit(waste)] & 3] -= 1
    elif kind == HOME_DOWN:
        game.height[target] -= 1
        game.home[source] += 1
    elif kind == PILE_HOME:
        game.home[target] -= 1
        game.pile[STRIDE * source + game.height[source]] = 4 * game.home[target] + target
        game.height[source] += 1
    elif kind == PILE_PILE:
        _shift(game, target, source, (move >> COUNT_SHIFT) & 15)
    game.left[0] = left
    game.waste[0] = waste
    game.key[0] = key
