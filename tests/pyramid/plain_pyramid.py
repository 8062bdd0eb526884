"""Pyramid from its rules, slowly: every position that can be reached, breadth first.

Nothing here knows of shapes, bits, dominance or bounds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deals import PyramidPosition
from deals.cards import rank_of
from deals.pyramid_deck import pyramid_card_name
from deals.pyramid_position import GONE

RANKS = "A23456789TJQK"
ROW_POINTS = {7: 25, 6: 50, 5: 75, 4: 100, 3: 150, 2: 250, 1: 500}
"""The points for clearing a row, by its number of cards."""


class Plain(NamedTuple):
    """A position: each card is its place in the deck, 0 to 51.

    Attributes:
        pyramid: the cards left there.
        stock: top first.
        waste: top last.
        recycles: how many times the waste was turned over.
    """

    pyramid: frozenset[int]
    stock: tuple[int, ...]
    waste: tuple[int, ...]
    recycles: int


FIRST = Plain(frozenset(range(28)), tuple(range(28, 52)), (), 0)
"""The position at the start of every game."""


@dataclass(frozen=True)
class Endgame:
    """A position late in a game of a deck of ranks (1 to 13 by place)."""

    ranks: tuple[int, ...]
    position: Plain


def row_and_place(card: int) -> tuple[int, int]:
    """Where a pyramid card lies: row 1 to 7, place 1 to 7."""
    row = 1
    while card >= row * (row + 1) // 2:
        row += 1
    return row, card - row * (row - 1) // 2 + 1


PLACES = [row_and_place(card) for card in range(28)]
UPON = [
    {other for other in range(28) if PLACES[other] in ((row + 1, place), (row + 1, place + 1))}
    for row, place in PLACES
]


def all_upon(card: int) -> set[int]:
    """The cards of the pyramid that lie on one of it, directly or not."""
    return set().union(*({other} | all_upon(other) for other in UPON[card]))


def is_uncovered(card: int, pyramid: frozenset[int]) -> bool:
    return not UPON[card] & pyramid


def playable(position: Plain) -> list[int]:
    """The cards that could be removed now."""
    pyramid = (card for card in position.pyramid if is_uncovered(card, position.pyramid))
    return [*pyramid, *position.stock[:1], *position.waste[-1:]]


def without(position: Plain, gone: frozenset[int]) -> Plain:
    """The position once some cards are removed."""
    stock, waste = (
        tuple(card for card in cards if card not in gone)
        for cards in (position.stock, position.waste)
    )
    return Plain(position.pyramid - gone, stock, waste, position.recycles)


def successors(ranks: tuple[int, ...], position: Plain) -> Iterator[tuple[str, Plain]]:
    """Every legal step, written with places in the deck, and the position after it."""
    pyramid, stock, waste, recycles = position
    if not pyramid:
        return
    if stock:
        yield "draw", Plain(pyramid, stock[1:], (*waste, stock[0]), recycles)
    elif waste and recycles < 2:
        yield "recycle", Plain(pyramid, waste, (), recycles + 1)
    cards = playable(position)
    for first in cards:
        for second in cards:
            if (first == second and ranks[first] == 13) or (
                first < second and ranks[first] + ranks[second] == 13
            ):
                yield f"remove {first} {second}", without(position, frozenset((first, second)))


def walk(
    generator: random.Random, cards: Sequence[int], least: int = 0, most: int = 60
) -> Iterator[tuple[Plain, dict[str, Plain]]]:
    """So many positions of a game in which removals come first, each with its legal steps."""
    ranks, position = tuple(map(rank_of, cards)), FIRST
    for _ in range(generator.randint(least, most)):
        legal = dict(successors(ranks, position))
        yield position, legal
        if not legal:
            break
        eager = [step for step in legal if step.startswith("remove")]
        position = legal[generator.choice(eager or [*legal])]


def board_of(position: Plain, cards: Sequence[int]) -> PyramidPosition:
    """A position as a board, with the cards of each place."""
    return PyramidPosition(
        tuple(cards[place] if place in position.pyramid else GONE for place in range(28)),
        tuple(cards[place] for place in position.stock),
        tuple(cards[place] for place in position.waste),
        position.recycles,
    )


def words(step: str, cards: Sequence[int]) -> str:
    """A step as people write it."""
    kind, *places = step.split()
    names = [pyramid_card_name(cards[int(place)]) for place in dict.fromkeys(places)]
    return " ".join([kind.capitalize(), " and ".join(names)]).strip()


def distances(endgame: Endgame, most: int) -> dict[Plain, int] | None:
    """The fewest steps to every position that can be reached; None if there are too many."""
    seen = {endgame.position: 0}
    level = [endgame.position]
    while level:
        following = []
        for position in level:
            for _, after in successors(endgame.ranks, position):
                if after not in seen:
                    seen[after] = seen[position] + 1
                    following.append(after)
        if len(seen) > most:
            return None
        level = following
    return seen


def points(ranks: tuple[int, ...], position: Plain) -> int:
    """The points of a game at a position."""
    left = [*position.pyramid, *position.stock, *position.waste]
    kings = sum(ranks[card] == 13 for card in left)
    pairs = (48 - (len(left) - kings)) // 2
    rows = {row_and_place(card)[0] for card in position.pyramid}
    paid = sum(pay for row, pay in ROW_POINTS.items() if row not in rows)
    return 5 * (pairs + 4 - kings) + paid


def removed(ranks: tuple[int, ...], position: Plain, rank: int) -> int:
    """How many cards of a rank are gone."""
    left = [*position.pyramid, *position.stock, *position.waste]
    return 4 - sum(ranks[card] == rank for card in left)


def gain(endgame: Endgame, position: Plain, goal: str) -> int:
    """The points or the cards that a goal counts; 0 if it is to clear the pyramid."""
    if goal.startswith("score"):
        return points(endgame.ranks, position)
    if goal.startswith("cards"):
        return removed(endgame.ranks, position, RANKS.index(goal[6]) + 1)
    return 0


def random_endgame(generator: random.Random, most_pyramid: int, most_stock: int) -> Endgame:
    """Few cards left, kings anywhere among them; the others went in pairs, or were kings."""
    pyramid = frozenset(range(28))
    size = generator.randint(1, most_pyramid)
    while len(pyramid) > size:
        pyramid -= {generator.choice([c for c in sorted(pyramid) if is_uncovered(c, pyramid)])}
    kept = sorted(generator.sample(range(28, 52), generator.randint(0, most_stock)))
    left = sorted(pyramid) + kept
    gone = [card for card in range(52) if card not in left]
    kings = generator.choice([n for n in range(5) if (len(gone) - n) % 2 == 0 and n <= len(gone)])
    pairs = [(rank, 13 - rank) for rank in range(1, 7) for _ in range(4)]
    generator.shuffle(pairs)
    many = (len(gone) - kings) // 2
    if many > len(pairs) or 52 - len(gone) < 4 - kings:
        return random_endgame(generator, most_pyramid, most_stock)
    gone_ranks = [rank for pair in pairs[:many] for rank in pair] + [13] * kings
    left_ranks = [rank for pair in pairs[many:] for rank in pair] + [13] * (4 - kings)
    generator.shuffle(gone_ranks)
    generator.shuffle(left_ranks)
    ranks = [0] * 52
    for cards, given in ((gone, gone_ranks), (left, left_ranks)):
        for card, rank in zip(cards, given, strict=True):
            ranks[card] = rank
    drawn = generator.randint(0, len(kept))
    recycles = generator.choice([0, 0, 1, 2])
    return Endgame(tuple(ranks), Plain(pyramid, tuple(kept[drawn:]), tuple(kept[:drawn]), recycles))


def small_endgame(generator: random.Random, most: int) -> tuple[Endgame, dict[Plain, int]]:
    """An endgame, with the distances of the positions that can be reached: at most so many."""
    while True:
        size = generator.choice([(4, 6), (8, 8), (14, 9), (20, 6), (28, 2)])
        endgame = random_endgame(generator, *size)
        reached = distances(endgame, most)
        if reached is not None:
            return endgame, reached
