"""Pyramid decks: PySol FC's deal numbers, and text as players of the game type it.

A deck is 52 cards: the pyramid row by row from its tip, then the stock, top card
first. In text a card is a rank (``A23456789TJQK``, or ``10``) and a suit
(``cdhs``), in either case and either order; suits may be symbols (``6♦``)::

            Th
          2h  4d
        3h  Qd  8h
        ...

The cards may also stand on one line, or fill lines alike; brackets may stand around them. A line
that begins with ``stock:``, ``stock, top first:`` or ``stock, top last:`` has the stock. It may
stand above the pyramid or below it. Headings that say nothing of the rules may stand between; any
other line is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from deals.cards import DealError
from deals.checks import check_numbers, text_of
from deals.pyramid_text import (
    PYRAMID,
    ROWS,
    BoardText,
    drawn_rows,
    pyramid_card_name,
    read_boards,
    refuse_faults,
    the_only,
)
from deals.pysol import shuffled_pysol

__all__ = ["PYRAMID", "ROWS", "PyramidDeck", "pyramid", "pyramid_card_name"]


@dataclass(frozen=True)
class PyramidDeck:
    """The cards of one game.

    Attributes:
        cards: 52 cards: 28 of the pyramid row by row from its tip, 24 of the stock, top first.
        name: of the deck; equality ignores it.

    Raises:
        DealError: if the cards are not one full deck; the message says how many there are,
            and which are missing or doubled.
    """

    cards: tuple[int, ...]
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        text_of(self.name, "a name", DealError)
        check_numbers(self.cards, "the cards of a deck", DealError)
        refuse_faults(self.cards)

    @classmethod
    def from_text(cls, text: str, name: str = "") -> PyramidDeck:
        """Read one deck.

        Raises:
            DealError: if the text is not one deck. One message says how many cards there are
                and which are missing, doubled or malformed, or names the line that is wrong.
        """

        def deck(board: BoardText) -> PyramidDeck:
            if not board.is_deck:
                raise DealError("expected a deck, got a position")
            return cls((*board.pyramid, *board.stock), name)

        return the_only(read_boards(text, deck), "a deck")

    def deck_text(self) -> str:
        """The 52 cards on one line, as ``from_text`` reads them."""
        return " ".join(map(pyramid_card_name, self.cards))

    def __str__(self) -> str:
        names = list(map(pyramid_card_name, self.cards))
        return "\n".join([*drawn_rows(names), " ".join(names[PYRAMID:])])


def pyramid(number: int) -> PyramidDeck:
    """The deck of a deal number: PySol FC's shuffle, pyramid row by row, then the stock.

    Args:
        number: 1 to 10^20.

    Raises:
        DealError: if the number is out of range.
    """
    return PyramidDeck(shuffled_pysol(number))
