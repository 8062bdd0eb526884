"""Positions in the middle of a game of Pyramid, read from text and written as text.

A position is written as it is drawn, with a dot for each card of the pyramid that is gone::

                .
              5h  Ah
            .   4s  Ks
          ...
    stock, top first: 9c As 5d
    waste, top first: 3s
    recycles: 1

Rows at the bottom may be left out if all their cards are gone. Each of the last three lines may be
left out if it would be empty. They may stand above the rows if a text has only one position.
``top last`` means the opposite order; a stock without either has its top first. Headings
that say nothing of the rules may stand between. Among several boards, a position needs a dot or
one of the three lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from deals.cards import DECK, RANKS, DealError, rank_of
from deals.checks import check_numbers, text_of, whole_number
from deals.pyramid_deck import PyramidDeck
from deals.pyramid_text import (
    GONE,
    PYRAMID,
    RECYCLES,
    ROWS,
    STOCK,
    TALON,
    WASTE,
    BoardText,
    drawn_rows,
    pyramid_card_name,
    read_boards,
    the_only,
)

__all__ = ["GONE", "RECYCLES", "PyramidBoard", "PyramidPosition", "read_pyramid_boards"]


@dataclass(frozen=True)
class PyramidPosition:
    """A game in progress.

    Attributes:
        pyramid: 28 cards row by row from the tip; ``GONE`` in place of each one that is gone.
        stock: the cards not drawn, the top one first.
        waste: the cards drawn, the top one last.
        recycles: how many times the waste was turned over, 0 to 2.
        name: of the position; equality ignores it.

    Raises:
        DealError: naming the cards, if a card is in two places, or if no game can reach the
            position: removed cards do not form pairs, or a removed card is still covered.
    """

    pyramid: tuple[int, ...]
    stock: tuple[int, ...] = ()
    waste: tuple[int, ...] = ()
    recycles: int = 0
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        text_of(self.name, "a name", DealError)
        whole_number(self.recycles, "recycles", DealError)
        for place, cards in (("pyramid", self.pyramid), (STOCK, self.stock), (WASTE, self.waste)):
            check_numbers(cards, f"the cards of the {place}", DealError)
        for fault in _faults(self):
            raise DealError(fault)

    @classmethod
    def of_deck(cls, deck: PyramidDeck) -> PyramidPosition:
        """The first position of a game."""
        return cls(deck.cards[:PYRAMID], deck.cards[PYRAMID:], name=deck.name)

    @classmethod
    def from_text(cls, text: str) -> PyramidPosition:
        """Read one position.

        Raises:
            DealError: naming the line and the word, or the cards, that are wrong.
        """
        return the_only(read_boards(text, _position), "a position")

    @property
    def left(self) -> tuple[int, ...]:
        """The cards left in the pyramid, the stock and the waste."""
        return (*(card for card in self.pyramid if card != GONE), *self.stock, *self.waste)

    @property
    def gone(self) -> tuple[int, ...]:
        """The cards that were removed, lowest first."""
        left = set(self.left)
        return tuple(card for card in DECK if card not in left)

    def __str__(self) -> str:
        names = [pyramid_card_name(card) if card != GONE else " ." for card in self.pyramid]
        lines = drawn_rows(names)
        lines.append(f"stock, top first: {_names(self.stock)}")
        lines.append(f"waste, top first: {_names(self.waste[::-1])}")
        return "\n".join([*lines, *[f"recycles: {self.recycles}"] * bool(self.recycles)])


PyramidBoard = PyramidDeck | PyramidPosition
"""A position from which a game can be played."""


def read_pyramid_boards(text: str, faults: list[str] | None = None) -> list[PyramidBoard | None]:
    """Read one or many decks or positions.

    A text with all 52 cards is a deck, unless it has cards in the waste or recycles.

    Args:
        text: the boards.
        faults: if given, gets a message for each board that cannot be read; the result has None
            in the place of that board.

    Raises:
        DealError: if a line belongs to another game; or if a board cannot be read, or there is
            none, and ``faults`` is not given. The message names the line, or says how many cards
            there are and which are missing, doubled or malformed.
    """
    return read_boards(text, _board, faults)


def _board(board: BoardText) -> PyramidBoard:
    return PyramidDeck((*board.pyramid, *board.stock)) if board.is_deck else _position(board)


def _position(board: BoardText) -> PyramidPosition:
    return PyramidPosition(board.pyramid, board.stock, board.waste, board.recycles)


def _names(cards: Iterable[int]) -> str:
    return " ".join(map(pyramid_card_name, cards)) or "empty"


def _faults(position: PyramidPosition) -> Iterator[str]:
    """Why no game can reach a position."""
    pyramid, left = position.pyramid, position.left
    if len(pyramid) != PYRAMID:
        yield f"expected {PYRAMID} places in the pyramid, got {len(pyramid)}"
    if not 0 <= position.recycles <= RECYCLES:
        yield f"expected 0 to {RECYCLES} recycles, got {position.recycles}"
    if unknown := set(left) - set(DECK):
        yield f"expected cards from {DECK[0]} to {DECK[-1]}, got {sorted(unknown)}"
    if doubled := sorted(card for card, count in Counter(left).items() if count > 1):
        yield f"doubled: {_names(doubled)}"
    if len(position.stock) + len(position.waste) > TALON:
        yield (
            f"expected at most {TALON} cards in stock and waste together, "
            f"got {len(position.stock) + len(position.waste)}"
        )
    for row in range(ROWS - 1):
        first = row * (row + 1) // 2
        for place in range(first, first + row + 1):
            for above in (place + row + 1, place + row + 2):
                if pyramid[place] == GONE != pyramid[above]:
                    name = pyramid_card_name(pyramid[above])
                    yield f"the {name} of row {row + 2} covers a card that is gone"
    for rank in range(1, 7):
        gone, partners = (
            [card for card in position.gone if rank_of(card) == one] for one in (rank, 13 - rank)
        )
        if len(gone) != len(partners):
            yield (
                f"cards go in pairs, but {len(gone)} of rank {RANKS[rank - 1]} and "
                f"{len(partners)} of rank {RANKS[12 - rank]} are gone: "
                f"{_names([*gone, *partners])}"
            )
