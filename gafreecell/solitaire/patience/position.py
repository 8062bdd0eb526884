"""Positions of a solitaire game, and the one that a deck is dealt to.

Cards are numbered as in ``deals.cards``; 0 is no card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

from deals.cards import RANKS, DealError, card_name, parse_card, rank_of, suit_of
from deals.checks import check_numbers
from deals.words import plural
from gafreecell.solitaire.patience.rules import FIRST, RESERVE, RESERVE_WASTE, WASTE, Rules

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Position:
    """A position of a game.

    Attributes:
        rules: of the game.
        piles: the cards of each pile, the deepest first.
        down: how many cards of each pile lie face down.
        cells: the card in each cell, or 0.
        home: how many cards lie on each foundation. Foundation i has suit i % 4; of the two of a
            suit, the one with more cards comes first, so that equal positions are equal.
        base: the rank of the foundations' first cards; 1 if there is a hole.
        reserve: the deepest card first if it is stacked, otherwise the card of each place, or 0.
        stock: the card to be turned first comes first.
        waste: the deepest card first.
        hole: its top card; 0 if there is no hole.
        redeals: how many are left; -1 for without end.
    """

    rules: Rules
    piles: tuple[Cards, ...]
    down: tuple[int, ...]
    cells: Cards
    home: tuple[int, ...]
    base: int
    reserve: Cards
    stock: Cards
    waste: Cards
    hole: int
    redeals: int

    def order(self, card: int) -> int:
        """How many ranks a card is above the base: 0 for the base, 1 for the next card, ..."""
        return (rank_of(card) - self.base) % self.rules.ranks

    def at(self, order: int, suit: int) -> int:
        """The card so many ranks above the base."""
        return 4 * ((self.base - 1 + order) % self.rules.ranks + 1) + suit

    @property
    def tops(self) -> Cards:
        """The top card of each foundation, or 0."""
        return tuple(
            self.at(count - 1, place % 4) if count else 0 for place, count in enumerate(self.home)
        )

    @property
    def unplayed(self) -> list[int]:
        """All cards that are neither on a foundation nor in the hole."""
        places = (*self.piles, self.cells, self.reserve, self.stock, self.waste)
        return [card for place in places for card in place if card]

    @property
    def cards(self) -> list[int]:
        """All cards; of those in the hole only the top one."""
        home = [
            self.at(order, place % 4)
            for place, count in enumerate(self.home)
            for order in range(count)
        ]
        return [*self.unplayed, *home, *[self.hole] * bool(self.hole)]


def arranged(home: Iterable[int]) -> tuple[int, ...]:
    """Counts of cards on foundations, of the two of a suit the larger one first."""
    counts = tuple(home)
    if len(counts) == 4:
        return counts
    pairs = [*zip(counts[:4], counts[4:], strict=True)]
    return (*map(max, pairs), *map(min, pairs))


def dealt(rules: Rules, deck: Iterable[int]) -> Position:
    """The first position of a game.

    Args:
        rules: of the game.
        deck: its cards in the order in which they are dealt: the hole's first card or the cards
            that lie on the foundations at first, then the piles row by row, cells, reserve and
            stock. Where the rules name the first cards, these are taken out of the deck wherever
            they are.

    Raises:
        DealError: naming the cards that are missing or doubled.
    """
    cards = [*deck]
    check_numbers(cards, "the cards of a deck", DealError)
    if fault := card_faults(rules, cards):
        raise DealError(fault)
    base, hole, home = 1, 0, [0] * (4 * rules.decks)
    if rules.hole.base:
        hole = cards[0] if rules.hole.base == FIRST else parse_card(rules.hole.base)
        cards.remove(hole)
    elif rules.foundations.base == FIRST:
        first = cards.pop(0)
        base, home[suit_of(first)] = rank_of(first), 1
    else:
        base = fixed_base(rules)
        for place in range(rules.foundations.filled):
            cards.remove(4 * base + place % 4)
            home[place] = 1
    rest = iter(cards)
    piles: list[Cards] = [()] * rules.piles.count
    for pile in rules.rows:
        piles[pile] += (next(rest),)
    position = Position(
        rules=rules,
        piles=tuple(piles),
        down=rules.down,
        cells=(*islice(rest, rules.cells.filled), *[0] * (rules.cells.count - rules.cells.filled)),
        home=arranged(home),
        base=base,
        reserve=tuple(islice(rest, rules.reserve.count)),
        stock=tuple(rest),
        waste=(),
        hole=hole,
        redeals=rules.stock.redeals,
    )
    return settled(position)


def fixed_base(rules: Rules) -> int:
    """The rank of the foundations' first cards as the rules name it; 1 if they do not."""
    base = rules.foundations.base
    return 1 if rules.hole.base or base == FIRST else 1 + RANKS.index(base)


def settled(position: Position) -> Position:
    """The position after what happens by itself: spaces are filled, top cards turn up."""
    fill = position.rules.piles.fill
    if not any(position.down) and (not fill or all(position.piles)):
        return position
    piles, reserve = [*position.piles], position.reserve
    stock, waste = position.stock, position.waste
    for place, pile in enumerate(piles):
        if pile:
            continue
        if fill in (RESERVE, RESERVE_WASTE):
            piles[place], reserve = reserve[-1:], reserve[:-1]
        elif fill == WASTE and waste:
            piles[place], waste = waste[-1:], waste[:-1]
        elif fill == WASTE:
            piles[place], stock = stock[:1], stock[1:]
    hidden = zip(position.down, piles, strict=True)
    return replace(
        position,
        piles=tuple(piles),
        down=tuple(min(count, max(len(pile) - 1, 0)) for count, pile in hidden),
        reserve=reserve,
        stock=stock,
        waste=waste,
    )


def card_faults(rules: Rules, cards: Iterable[int], some: bool = False) -> str:
    """Which cards are missing, doubled or unknown to the game, in words; empty if none.

    Args:
        rules: of the game.
        cards: to count.
        some: whether cards may be missing.
    """
    count = Counter(cards)
    deck = range(4, 4 * rules.ranks + 4)
    often = "doubled" if rules.decks == 1 else "more than two of"
    parts = {
        "missing": [card for card in deck if not some for _ in range(count[card], rules.decks)],
        often: [card for card in deck if count[card] > rules.decks],
        "not in the game": sorted(count.keys() - {*deck}),
    }
    return "; ".join(f"{what} {_names(found)}" for what, found in parts.items() if found)


def _names(cards: list[int], most: int = 10) -> str:
    names = [card_name(card) if 4 <= card < 56 else str(card) for card in cards]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return " ".join(names[:most]) + more


def check(position: Position) -> None:
    """Raise an error if no game can reach a position, as far as numbers of cards tell.

    Raises:
        DealError: naming the place or the cards that are at fault.
    """
    rules, after = position.rules, settled(position)
    if rules.hole.base and not position.hole:
        raise DealError("expected the hole's top card, as in Hole: AS")
    if fault := card_faults(rules, position.cards, some=bool(position.hole)):
        raise DealError(fault)
    if rules.foundations.runs and not {*position.home} <= {0, rules.ranks}:
        raise DealError(f"expected only whole runs of {plural(rules.ranks, 'card')} home")
    talon = len(position.stock) + len(position.waste)
    if talon > rules.stock.count:
        raise DealError(
            f"stock and waste: expected at most {plural(rules.stock.count, 'card')}, got {talon}"
        )
    for place, (down, most) in enumerate(zip(position.down, rules.down, strict=True)):
        if down > most:
            raise DealError(
                f"pile {place + 1}: expected at most {plural(most, 'card')} face down, got {down}"
            )
        if after.piles[place] != position.piles[place]:
            raise DealError(f"pile {place + 1} is empty, but the rules fill it at once")
        if after.down[place] != down:
            raise DealError(f"pile {place + 1}: its top card lies face down, but turns up at once")
