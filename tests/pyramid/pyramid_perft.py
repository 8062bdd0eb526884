"""How many positions there are by depth, from the plain rules (``plain_pyramid``).

    PYTHONPATH=.:tests python tests/pyramid/pyramid_perft.py

writes ``data/perft.csv`` anew. Nothing here knows of shapes, bits or bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from perft import by_depth, write_counts
from plain_pyramid import FIRST, Plain, all_upon, playable, without

from deals import pyramid
from deals.cards import rank_of

TABLE = Path(__file__).parent / "data" / "perft.csv"
HEADER = """\
# Positions of Pyramid by depth: those that so many moves reach, and no fewer.
# By choices: a position is what lies in pyramid, stock and waste, the number of recycles, and the
#   pairs that are still open, as states of the search are.
#   A move is removals at one place of the stock, then draws to the next playable open pair.
#   All pairs that are playable then and were not removed are closed; kings go if they can.
"""
DEPTH = 6
"""The greatest depth in the table."""
DEALS = (1, 2, 6, 12)
Ranks = tuple[int, ...]
Pairs = frozenset[frozenset[int]]
"""Cards that can still go together; a king goes alone."""


class Choice(NamedTuple):
    """A position, and the pairs that are still open."""

    position: Plain
    pairs: Pairs


def choices(number: int, depth: int) -> list[int]:
    """The count by choices."""
    ranks = tuple(map(rank_of, pyramid(number).cards))
    start = Choice(FIRST, open_at_first(ranks))
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


def after_choice(ranks: Ranks, choice: Choice) -> Iterator[Choice]:
    """The next choices."""
    seen, coming = {choice}, [choice]
    while coming:
        position, pairs = coming.pop()
        cards = frozenset(playable(position))
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
        cards = frozenset(playable(position))
        if any(pair <= cards for pair in pairs):
            return Choice(position, pairs)
    return None


if __name__ == "__main__":
    write_counts(TABLE, HEADER, {"choices": choices}, DEALS, {"choices": DEPTH})
