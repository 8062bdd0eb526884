"""Deal numbers: which deck a number stands for."""

from __future__ import annotations

from deals.cards import DealError
from deals.checks import deal_number
from deals.pysol import LARGEST_PYSOL
from gafreecell.solitaire.patience.rules import Rules


def deck_of(rules: Rules, number: int) -> tuple[int, ...]:
    """The cards of a deal in the order in which they are dealt.

    Args:
        rules: of the game.
        number: 1 to 10^20.

    Raises:
        DealError: if there is no such deal.
    """
    number = deal_number(number, LARGEST_PYSOL, DealError)
    from pysol_cards.random import shuffle
    from pysol_cards.random_base import RandomBase

    deck = [
        4 * rank + suit
        for _ in range(rules.decks)
        for suit in (0, 3, 2, 1)
        for rank in range(1, rules.ranks + 1)
    ]
    return tuple(reversed(shuffle(deck, number, RandomBase.DEALS_PYSOLFC)))
