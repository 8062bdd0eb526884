"""Deal numbers: which deck a number stands for."""

from __future__ import annotations

from deals.cards import DealError
from deals.checks import deal_number
from deals.microsoft import LARGEST_DEAL, shuffled_deck
from deals.pysol import LARGEST_PYSOL
from gafreecell.solitaire.patience.rules import MICROSOFT, Rules


def largest(rules: Rules) -> int:
    """A game's largest deal number."""
    return LARGEST_DEAL if rules.numbers == MICROSOFT else LARGEST_PYSOL


def deck_of(rules: Rules, number: int) -> tuple[int, ...]:
    """The cards of a deal in the order in which they are dealt.

    Args:
        rules: of the game.
        number: 1 to ``largest``.

    Raises:
        DealError: if there is no such deal.
    """
    number = deal_number(number, largest(rules), DealError)
    if rules.numbers == MICROSOFT:
        return shuffled_deck(number)
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
