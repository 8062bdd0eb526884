"""Random positions late in a game, in which few moves are left: what is lost by a hair."""

from __future__ import annotations

import random

from klondike_flood import fits

from deals import KlondikeBoard

PILES = 7


def late_position(
    generator: random.Random, draw: int = 3, redeals: int | None = None
) -> KlondikeBoard:
    """Cards face down in one pile or two, most others in runs, some in the talon.

    Of three suits about as many cards are home, of the fourth fewer. So most positions can be won,
    and many only if cards come back from their foundations.
    """
    level = generator.randint(1, 12)
    home = [min(13, level + generator.choice((-1, 0, 0, 0, 1))) for _ in range(4)]
    home[generator.randrange(4)] = max(0, level - generator.randint(0, 8))
    if generator.random() < 0.5:
        home[generator.randrange(4)] = 13
    cards = [4 * rank + suit for suit in range(4) for rank in range(home[suit] + 1, 14)]
    # Low cards first, more or less: those that are to go home soon lie deep.
    cards.sort(key=lambda card: card / 4 + generator.gauss(0, 2), reverse=True)
    piles: list[list[int]] = [[] for _ in range(PILES)]
    down = [0] * PILES
    for p in generator.sample(range(1, PILES), generator.choice((1, 1, 2))):
        down[p] = min(generator.randint(1, p), max(0, len(cards) - 1))
        piles[p] = [cards.pop() for _ in range(down[p] + 1) if cards]
    for p in generator.sample(range(PILES), generator.randint(0, 3)):
        # The last card of a pile, where it was dealt.
        if not piles[p] and cards:
            piles[p].append(cards.pop())
    kings = [p for p in range(PILES) if not piles[p]]
    stay = generator.choice((0.0, 0.1, 0.3))
    talon = []
    for card in sorted(cards, reverse=True):
        places = [p for p in range(PILES) if piles[p] and fits(card, piles[p][-1])]
        if card >> 2 == 13:
            places += [p for p in kings if not piles[p]][:1]
        if places and generator.random() >= stay:
            piles[generator.choice(places)].append(card)
        else:
            talon.append(card)
    generator.shuffle(talon)
    if len(talon) > 24 or not any(down):
        return late_position(generator, draw, redeals)
    drawn = generator.choice(wastes(len(talon), draw))
    return KlondikeBoard(
        tuple(map(tuple, piles)), tuple(down),
        tuple(talon[drawn:]), tuple(talon[:drawn]), (home[0], home[1], home[2], home[3]),
        draw=draw, redeals=redeals,
    )  # fmt: skip


def wastes(many: int, draw: int) -> list[int]:
    """The sizes of a waste that a game can have reached with so many cards in waste and stock."""
    # Each draw but the last one turned ``draw`` cards, some of which may have been played.
    return [w for w in range(many + 1) if w == many or many - w + -(-w // draw) * draw <= 24]
