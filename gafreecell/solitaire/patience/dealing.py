"""Deal numbers: which deck a number stands for.

Microsoft's numbers stand for the same shuffled deck as in FreeCell. PySol FC's stand for the deck
that it shuffles; ``order`` makes the board the same as well where PySol FC has the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from deals.cards import DealError, parse_card, rank_of
from deals.checks import deal_number
from deals.microsoft import LARGEST_DEAL, shuffled_deck
from deals.pysol import LARGEST_PYSOL
from gafreecell.solitaire.patience import rules as words
from gafreecell.solitaire.patience.position import fixed_base
from gafreecell.solitaire.patience.rules import Rules

Place = tuple[str, int, int]
"""Where a card is dealt: the part of the game; in the piles also its row in that part, and pile."""


def largest(rules: Rules) -> int:
    """A game's largest deal number."""
    return LARGEST_DEAL if rules.numbers == words.MICROSOFT else LARGEST_PYSOL


def deck_of(rules: Rules, number: int) -> tuple[int, ...]:
    """The cards of a deal in the order in which ``position.dealt`` lays them out.

    Args:
        rules: of the game.
        number: 1 to ``largest``.

    Raises:
        DealError: if there is no such deal.
    """
    number = deal_number(number, largest(rules), DealError)
    deck = shuffled_deck(number) if rules.numbers == words.MICROSOFT else _shuffled(rules, number)
    left = [*deck]
    first = _taken_out(rules)
    for card in first:
        left.remove(card)
    if rules.kings_under:
        left = _kings_under(left[::-1], rules)
    found = [0] * len(left)
    for card, place in zip(left, _order(rules), strict=True):
        found[place] = card
    return (*first, *found)


def _shuffled(rules: Rules, number: int) -> tuple[int, ...]:
    # Imported here because boards read from text do not need it.
    from pysol_cards.random import shuffle
    from pysol_cards.random_base import RandomBase

    # PySol FC's deck before the shuffle: suit by suit, ace to king; it deals from the end.
    deck = [
        4 * rank + suit
        for _ in range(rules.decks)
        for suit in (0, 3, 2, 1)
        for rank in range(1, rules.ranks + 1)
    ]
    return tuple(reversed(shuffle(deck, number, RandomBase.DEALS_PYSOLFC)))


def _taken_out(rules: Rules) -> list[int]:
    """The cards that lie in the hole or on foundations at first, if the rules name them."""
    if rules.hole.base not in ("", words.FIRST):
        return [parse_card(rules.hole.base)]
    if rules.hole.base or rules.foundations.base == words.FIRST:
        return []
    return [4 * fixed_base(rules) + place % 4 for place in range(rules.foundations.filled)]


@lru_cache(maxsize=1000)
def _order(rules: Rules) -> list[int]:
    """For each card in the order of dealing, its place in the order of ``position.dealt``."""
    places = _places(rules)
    steps = [name for name, _ in rules.steps]
    leftwards = dict(rules.steps)

    def key(index: int) -> tuple[int, int, int, int]:
        part, row, pile = places[index]
        step = part if part in steps else words.PILES
        if step not in words.PILE_PARTS and not leftwards[step]:
            return steps.index(step), 0, 0, index
        return steps.index(step), row, -pile if leftwards[step] else pile, index

    return sorted(range(len(places)), key=key)


def _places(rules: Rules) -> list[Place]:
    """Where each card of a deck is dealt, in the order of ``position.dealt``."""
    of_piles: list[Place] = []
    seen: Counter[int] = Counter()
    for pile in rules.rows:
        depth, down = seen[pile], rules.down[pile]
        seen[pile] += 1
        if depth == rules.sizes[pile] - 1:
            of_piles.append((words.TOPS, 0, pile))
        else:
            of_piles.append(
                (words.DOWN, depth, pile) if depth < down else (words.UP, depth - down, pile)
            )
    first = words.FIRST in (rules.hole.base, rules.foundations.base)
    counts = {
        words.BASE: int(first),
        words.CELLS: rules.cells.filled,
        words.RESERVE: rules.reserve.count,
        words.USUAL[-1]: rules.stock.count,
    }
    return [
        place
        for part in words.USUAL
        for place in (of_piles if part == words.PILES else [(part, 0, 0)] * counts[part])
    ]


def _kings_under(cards: Sequence[int], rules: Rules) -> list[int]:
    """Cards that are dealt row by row, each king exchanged with the deepest other card."""
    found, count = [*cards], rules.piles.count
    for place in [place for place, card in enumerate(cards) if rank_of(card) == rules.ranks]:
        for deeper in range(place % count, place, count):
            if rank_of(found[deeper]) != rules.ranks:
                found[place], found[deeper] = found[deeper], found[place]
                break
    return found
