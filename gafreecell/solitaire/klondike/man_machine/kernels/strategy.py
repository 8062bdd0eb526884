"""The hand-crafted strategy of Yan, Diaconis, Rusmevichientong and Van Roy (2005).

Each move earns points by their scoring system: 5 from a pile home or from the waste to a pile, -10
from home to a pile. Among moves of equal points a *priority* decides ("A heuristic strategy"):

- a move between piles that turns a card up: 1 plus the number of face-down cards in that pile;
- a move between piles that empties one: 1;
- a move from the waste to a pile: 1, but -1 for a king whose matching queen lies face down;
- every other move: 0.

The poster says "if card moved is king the priority is 1", beside two lines that rank kings by their
queen. We read it as "is not a king". Each of the other points that the poster leaves open is a
*reading*, a field of ``Readings``.
"""

from __future__ import annotations

import numpy as np

from gafreecell import jit
from gafreecell.jit import int64, kernel, uint64
from gafreecell.solitaire.klondike.kernels.cards import bit, rank
from gafreecell.solitaire.klondike.man_machine.kernels.block_game import (
    DOWN_SHIFT,
    BlockGame,
    waste_top,
)
from gafreecell.solitaire.klondike.moves import (
    HOME_DOWN,
    PILE_HOME,
    PILE_PILE,
    WASTE_DOWN,
    WASTE_HOME,
)

SUIT, COLOUR, OTHER_COLOUR = range(3)
FIRST, LAST, CHANCE = range(3)
NOWHERE, IN_THE_GAME, EVERYWHERE = range(3)
_STEP = uint64(0x9E3779B97F4A7C15)


class Readings(jit.Registers):
    """What the poster leaves open.

    Attributes:
        points, priority: the weights of a move's points and of its priority.
        waste_home, piles: points of a move from the waste home and of one between piles, which the
            scoring system does not name.
        queens: which queens match a king: ``SUIT``, ``COLOUR`` or ``OTHER_COLOUR``.
        ties: what breaks ties: ``FIRST``, ``LAST`` or ``CHANCE``.
        avoid: where states already passed are avoided: ``NOWHERE``, ``IN_THE_GAME`` or
            ``EVERYWHERE``.
        seed: of all random choices.
    """

    points: int
    priority: int
    waste_home: int
    piles: int
    queens: int
    ties: int
    avoid: int
    seed: int


@kernel
def number(seed: int, count: int) -> int:
    """The ``count``-th random number (uint64) of a seed, by SplitMix64."""
    z = uint64(seed) + uint64(count) * _STEP
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))


@kernel
def _matching_queens(king: int, reading: int) -> int:
    """The set of queens that match a king."""
    queen = king - 4
    if reading == SUIT:
        return bit(queen)
    if reading == COLOUR:
        return bit(queen) | bit(queen ^ 1)
    return bit(queen ^ 2) | bit(queen ^ 3)


@kernel
def worth(game: BlockGame, readings: Readings, move: int) -> int:
    """The strategy's value of a move: points and priority as one number (int64)."""
    kind = move & 7
    points, priority = int64(0), int64(0)
    if kind == PILE_HOME:
        points = int64(5)
    elif kind == WASTE_HOME:
        points = readings.waste_home
    elif kind == HOME_DOWN:
        points = int64(-10)
    elif kind == PILE_PILE:
        # A block that leaves its pile either turns a card up or empties the pile.
        points = readings.piles
        priority = ((move >> DOWN_SHIFT) & 7) + 1
    elif kind == WASTE_DOWN:
        points = int64(5)
        priority = int64(1)
        card = waste_top(game)
        if rank(card) == 13 and game.hidden[0] & _matching_queens(card, readings.queens):
            priority = int64(-1)
    return points * readings.points + priority * readings.priority


@kernel
def choose(game: BlockGame, readings: Readings, moves: np.ndarray, start: int, end: int) -> int:
    """Index of the strategy's move among those listed from ``start`` to ``end``.

    Ties are broken at random by the state alone, so the strategy maps each state to one move.
    """
    best, most = start, worth(game, readings, moves[start])
    equal = uint64(1)
    for i in range(start + 1, end):
        value = worth(game, readings, moves[i])
        if value > most:
            best, most, equal = i, value, uint64(1)
        elif value == most:
            equal += uint64(1)
            if readings.ties == LAST or (
                readings.ties == CHANCE
                and number(game.key[0] ^ uint64(readings.seed), equal) % equal == 0
            ):
                best = i
    return best
