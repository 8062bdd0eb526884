"""Positions of any game, drawn at random with a generator that is handed in."""

from __future__ import annotations

import random
from dataclasses import replace

from deals.cards import RANKS, rank_of, suit_of
from gafreecell.solitaire.patience.moves import after, legal_moves
from gafreecell.solitaire.patience.position import Position, arranged, dealt, fixed_base, settled
from gafreecell.solitaire.patience.rules import (
    COVERED,
    FIRST,
    NONE,
    ROWS,
    TO_WASTE,
    TRIANGLE,
    Rules,
)


def shuffled(rules: Rules, generator: random.Random) -> Position:
    """A deal."""
    deck = [*range(4, 4 * rules.ranks + 4)] * rules.decks
    generator.shuffle(deck)
    return dealt(rules, deck)


def shortened(rules: Rules, ranks: int) -> Rules:
    """The rules with fewer ranks, and about as large a part of the cards in each place.

    Sizes of piles become ``rows``, and numbers of cards face down ``covered``.
    """
    share = ranks / rules.ranks
    base, piles = rules.foundations.base, rules.piles
    return replace(
        rules,
        ranks=ranks,
        piles=replace(
            piles,
            dealt=piles.dealt if piles.dealt in (ROWS, TRIANGLE) else ROWS,
            face_down=piles.face_down if piles.face_down == NONE else COVERED,
        ),
        cells=replace(rules.cells, filled=int(rules.cells.filled * share)),
        foundations=replace(
            rules.foundations, base=base if base == FIRST or base in RANKS[:ranks] else "A"
        ),
        reserve=replace(rules.reserve, count=int(rules.reserve.count * share)),
        stock=replace(rules.stock, count=int(rules.stock.count * share)),
    )


def played(
    position: Position, generator: random.Random, steps: int, eager: float = 0.5
) -> Position:
    """The position after random legal moves; of those home the share ``eager`` is taken at once."""
    for _ in range(steps):
        moves = legal_moves(position)
        if not moves:
            break
        home = [move for move in moves if move.endswith("-h")]
        choice = home if home and generator.random() < eager else moves
        position = after(position, generator.choice(choice))
    return position


def scattered(rules: Rules, generator: random.Random, cards: int) -> Position:
    """A position with about so many cards left to play, the others home; any game may be at it.

    Nothing says that it can be reached from a deal.
    """
    deck = [*range(4, 4 * rules.ranks + 4)] * rules.decks
    base = fixed_base(rules)
    if rules.foundations.base == FIRST:
        base = generator.randint(1, rules.ranks)
    home, hole = [0] * (4 * rules.decks), 0
    generator.shuffle(deck)
    if rules.hole.base:
        hole, deck = _played_back(deck, cards, generator)
    else:
        while sum(home) < len(deck) - cards:
            place, step = generator.randrange(len(home)), rules.ranks
            if home[place] < rules.ranks:
                home[place] += step if rules.foundations.runs else 1
        deck = [*_without_home(rules, deck, base, home)]
    down = [generator.randint(0, most) for most in rules.down]
    places: list[list[int]] = [[] for _ in range(rules.piles.count)]
    stock: list[int] = []
    waste: list[int] = []
    cells, reserve = [0] * rules.cells.count, [0] * rules.reserve.count
    for card in deck:
        kind = generator.choice(["pile"] * 4 + ["cell", "reserve", "stock", "waste"])
        spare = cells if kind == "cell" else reserve
        turned = kind == "waste" and rules.stock.to == TO_WASTE
        if kind in ("cell", "reserve") and 0 in spare:
            spare[spare.index(0)] = card
        elif kind in ("stock", "waste") and len(stock) + len(waste) < rules.stock.count:
            (waste if turned else stock).append(card)
        else:
            generator.choice(places).append(card)
    left = rules.stock.redeals
    position = Position(
        rules=rules,
        piles=tuple(map(tuple, places)),
        down=tuple(down),
        cells=tuple(cells),
        home=arranged(home),
        base=base,
        reserve=tuple(card for card in reserve if card or not rules.reserve.stacked),
        stock=tuple(stock),
        waste=tuple(waste),
        hole=hole,
        redeals=generator.randint(0, left) if left > 0 else left,
    )
    return settled(position)


def _without_home(rules: Rules, deck: list[int], base: int, home: list[int]) -> list[int]:
    """The cards of a deck that are not home."""
    left = []
    home = [*home]
    for card in deck:
        order = (rank_of(card) - base) % rules.ranks
        # Each foundation that has the card takes one copy of it.
        copies = [i for i in range(suit_of(card), len(home), 4) if home[i] > order]
        seen = left.count(card)
        if seen + len(copies) < rules.decks:
            left.append(card)
    return left


def _played_back(deck: list[int], cards: int, generator: random.Random) -> tuple[int, list[int]]:
    """The hole's top card, and cards that could come on it one by one, the last first.

    Two of them are exchanged now and then, so that it is not always so.
    """
    left = [*deck]
    found = [left.pop()]
    while len(found) <= cards and left:
        near = [card for card in left if abs(rank_of(card) - rank_of(found[-1])) == 1]
        found.append(generator.choice(near or left))
        left.remove(found[-1])
    hole, *rest = found
    rest.reverse()
    if len(rest) > 1 and generator.random() < 0.5:
        one, other = generator.sample(range(len(rest)), 2)
        rest[one], rest[other] = rest[other], rest[one]
    return hole, rest
