"""How many positions there are by depth, from the plain rules (``plain_pyramid``).

    PYTHONPATH=.:tests python tests/pyramid/pyramid_perft.py

writes ``data/perft.csv`` anew. Nothing here knows of shapes, bits or bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from perft import by_depth, write_counts
from plain_pyramid import UPON, Plain, is_uncovered, successors

from deals import pyramid
from deals.cards import rank_of

TABLE = Path(__file__).parent / "data" / "perft.csv"
HEADER = """\
# Positions of Pyramid by depth: those that so many moves reach, and no fewer.
# By steps: a position is what lies in pyramid, stock and waste, and the number of recycles.
#   A move is a step of the game: a draw, a recycle, the removal of a pair or of a king.
# By choices: a position is that and the pairs that are still open, as states of the search are.
#   A move is removals at one place of the stock, then draws to the next playable open pair.
#   All pairs that are playable then and were not removed are closed; kings go if they can.
"""
DEPTHS = {"steps": 17, "choices": 6}
"""The greatest depth in the table of each count."""
DEALS = (1, 2, 6, 12)
Ranks = tuple[int, ...]
Pairs = frozenset[frozenset[int]]
"""Cards that can still go together; a king goes alone."""


class Choice(NamedTuple):
    """A position, and the pairs that are still open."""

    position: Plain
    pairs: Pairs


def ranks_of(number: int) -> Ranks:
    """The ranks of a deal's cards by place."""
    return tuple(map(rank_of, pyramid(number).cards))


def first() -> Plain:
    """The position at the start of every game."""
    return Plain(frozenset(range(28)), tuple(range(28, 52)), (), 0)


def steps(number: int, depth: int) -> list[int]:
    """The count by steps."""
    ranks = ranks_of(number)
    return by_depth(first(), lambda p: (after for _, after in successors(ranks, p)), depth)


def choices(number: int, depth: int) -> list[int]:
    """The count by choices."""
    ranks = ranks_of(number)
    start = Choice(first(), open_at_first(ranks))
    return by_depth(start, lambda choice: after_choice(ranks, choice), depth)


def open_at_first(ranks: Ranks) -> Pairs:
    """All pairs neither of which lies on the other, and the kings of the pyramid."""
    pairs = {
        frozenset((a, b))
        for a in range(52)
        for b in range(a)
        if ranks[a] + ranks[b] == 13 and not (a < 28 and a in all_upon(b))
    }
    return frozenset(pairs | {frozenset((card,)) for card in range(28) if ranks[card] == 13})


def all_upon(card: int) -> set[int]:
    """The cards of the pyramid that lie on one of it, directly or not."""
    return set().union(*({other} | all_upon(other) for other in UPON[card]))


def playable(position: Plain) -> frozenset[int]:
    """The cards that could be removed now."""
    pyramid = (card for card in position.pyramid if is_uncovered(card, position.pyramid))
    return frozenset((*pyramid, *position.stock[:1], *position.waste[-1:]))


def after_choice(ranks: Ranks, choice: Choice) -> Iterator[Choice]:
    """The next choices."""
    seen, coming = {choice}, [choice]
    while coming:
        position, pairs = coming.pop()
        cards = playable(position)
        now = {pair for pair in pairs if pair <= cards}
        for pair in now:
            rest = frozenset(other for other in pairs if not other & pair)
            after = Choice(without(position, pair), rest)
            if after not in seen:
                seen.add(after)
                coming.append(after)
        if all(len(pair) == 2 for pair in now):
            drawn = drawn_on(ranks, Choice(position, pairs - now))
            if drawn is not None:
                yield drawn


def without(position: Plain, cards: frozenset[int]) -> Plain:
    """The position once some cards are removed."""
    pyramid, stock, waste, recycles = position
    stock = tuple(card for card in stock if card not in cards)
    return Plain(
        pyramid - cards, stock, tuple(card for card in waste if card not in cards), recycles
    )


def drawn_on(ranks: Ranks, choice: Choice) -> Choice | None:
    """The next choice if cards are drawn now; None if the game ends before."""
    (pyramid, stock, waste, recycles), pairs = choice
    while pyramid:
        if stock:
            # A king of the stock is removed instead of drawn.
            waste = waste if ranks[stock[0]] == 13 else (*waste, stock[0])
            stock = stock[1:]
        elif waste and recycles < 2:
            stock, waste, recycles = waste, (), recycles + 1
        else:
            return None
        position = Plain(pyramid, stock, waste, recycles)
        cards = playable(position)
        if any(pair <= cards for pair in pairs):
            return Choice(position, pairs)
    return None


COUNTS = {"steps": steps, "choices": choices}


if __name__ == "__main__":
    write_counts(TABLE, HEADER, COUNTS, DEALS, DEPTHS)
