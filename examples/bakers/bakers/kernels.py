"""The compiled search of Baker's Game: a position, its moves, its hash, its score, and the loop.

A position is a row of 80 bytes. Cards are numbered from 4 to 55: four times the rank, plus the
suit. At the index of a card lies the card beneath it, or ``EMPTY`` if it is the deepest of a
column, ``CELL`` or ``GONE``. From ``TOP`` on lie the exposed cards of the columns, then those of
the cells, and from ``HOME`` on the ranks of the foundations. A move is its source, and from bit 4
on its target.
"""

from __future__ import annotations

import numpy as np

from gafreecell import jit
from gafreecell.jit import int64, kernel, uint64

COLUMNS, PLACES = 8, 12
EMPTY, CELL, GONE = 0, 1, 2
TOP, HOME, ROW = 64, 76, 80
MOST_MOVES = 128
"""More than any position has: each of twelve cards has at most ten targets."""

_ZOBRIST = np.random.default_rng(1).integers(0, 2**64, (64, 64, 2), np.uint64)
"""Two words for each pair of a card and what lies beneath it."""


@kernel
def fits(card: int, target: int, by_suit: bool) -> bool:
    """Whether a card may lie on another: one rank lower, of its suit or of the other colour."""
    if (card >> 2) + 1 != target >> 2:
        return False
    both = card ^ target
    return both & 3 == 0 if by_suit else (both ^ (both >> 1)) & 1 != 0


@kernel
def beneath(state: np.ndarray, target: int) -> int:
    """What a card will lie on at a target."""
    if target >= HOME:
        return GONE
    return CELL if target >= TOP + COLUMNS else int64(state[target])


@kernel
def play(state: np.ndarray, move: int) -> None:
    """Make a move."""
    source, target = TOP + (move & 15), TOP + (move >> 4)
    card = int64(state[source])
    state[source] = EMPTY if state[card] == CELL else state[card]
    state[card] = beneath(state, target)
    if target >= HOME:
        state[HOME + (card & 3)] += 1
    else:
        state[target] = card


@kernel
def hash_of(state: np.ndarray) -> tuple[int, int]:
    """The hash of a position; it does not depend on the order of columns and of cells."""
    key = second = uint64(0)
    for card in range(4, 56):
        key ^= _ZOBRIST[card, int64(state[card]), 0]
        second ^= _ZOBRIST[card, int64(state[card]), 1]
    return key, second


@kernel
def change_of(state: np.ndarray, move: int, word: int) -> int:
    """What a move does to a word of the hash, by exclusive or."""
    card = int64(state[TOP + (move & 15)])
    before, after = int64(state[card]), beneath(state, TOP + (move >> 4))
    return _ZOBRIST[card, before, word] ^ _ZOBRIST[card, after, word]


@kernel
def list_moves(state: np.ndarray, moves: np.ndarray, by_suit: bool) -> int:
    """List the moves of a position, those that bring cards home first; returns their number."""
    end = 0
    empty = cell = -1
    for place in range(PLACES - 1, -1, -1):
        # Of several empty columns or cells one is enough.
        if state[TOP + place] == EMPTY:
            empty, cell = (place, cell) if place < COLUMNS else (empty, place)
    for i in range(PLACES):
        source = (i + COLUMNS) % PLACES
        card = int64(state[TOP + source])
        if card != EMPTY and state[HOME + (card & 3)] + 1 == card >> 2:
            moves[end] = source | (PLACES << 4)
            end += 1
    for source in range(PLACES):
        card = int64(state[TOP + source])
        if card == EMPTY:
            continue
        for target in range(COLUMNS):
            if fits(card, int64(state[TOP + target]), by_suit):
                moves[end] = source | (target << 4)
                end += 1
        if empty >= 0 and state[card] != EMPTY:
            moves[end] = source | (empty << 4)
            end += 1
        if cell >= 0 and source < COLUMNS:
            moves[end] = source | (cell << 4)
            end += 1
    return end


@kernel
def score(state: np.ndarray, weights: np.ndarray, by_suit: bool) -> int:
    """The weighted sum of a position's features, in the order of ``Bakers.features``."""
    cards = inversions = breaks = cells = 0
    for place in range(PLACES):
        card = int64(state[TOP + place])
        cells += place >= COLUMNS and card != EMPTY
        # The cards above, as a set, without those already known to lie above a lower one.
        above = uint64(0)
        while card > CELL:
            next_rank = uint64((card | 3) + 1)
            inversions += jit.count_bits(above >> next_rank)
            above &= (uint64(1) << next_rank) - uint64(1)
            above |= uint64(1) << uint64(card)
            cards += 1
            lower = int64(state[card])
            breaks += lower > CELL and not fits(card, lower, by_suit)
            card = lower
    return weights[0] * cards + weights[1] * inversions + weights[2] * breaks + weights[3] * cells


@kernel
def advance(tree: jit.Tree, weights: np.ndarray, by_suit: bool, limit: int, pause: int) -> int:
    """Search on until the deal is decided or ``pause`` positions were expanded."""
    state, moves = tree.state, tree.moves
    while True:
        entry, code = jit.choose(tree, limit, pause)
        if entry < 0:
            return code
        if entry > 0:
            play(state, int64(tree.entry_move[entry]))
        jit.close(tree, entry)
        key, second = hash_of(state)
        for i in range(list_moves(state, moves, by_suit)):
            first, other = change_of(state, moves[i], 0), change_of(state, moves[i], 1)
            entry = jit.add(tree, key ^ first, second ^ other, moves[i])
            if entry >= 0:
                play(state, moves[i])
                jit.queue(tree, entry, score(state, weights, by_suit))
                if state[HOME] + state[HOME + 1] + state[HOME + 2] + state[HOME + 3] == 52:
                    tree.registers.goal = entry
                    return jit.SOLVED
                jit.take_back(tree)
