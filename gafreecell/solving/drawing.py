"""Drawings of positions: as lines of text and cards, and as piles of cards for a page.

In lines, cards are kept apart from the text so that they can be coloured.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from deals.cards import SUITS, card, card_name

COPY = 64
"""Added to a card of two decks to tell it from its other copy. Suit and colour stay the same."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A card in a drawing.

    Attributes:
        card: as in ``deals.cards``, with ``COPY`` added or not; 0 for an unknown card.
        text: the text that stands for it.
        face_down: whether it lies face down.
    """

    card: int
    text: str
    face_down: bool = False

    def __str__(self) -> str:
        return self.text


Line = Sequence[str | Shown]
"""A line of a drawing in pieces; may be a plain string."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A place of the table with the cards that lie on it, for a page that shows the game.

    Attributes:
        name: for people, such as ``cascade 3``; no two piles of a position have the same.
        x, y: its corner at the upper left: ``x`` in columns of cards, ``y`` in rows of cards.
        cards: from the deepest, with ``COPY`` added to one of two alike; 0 for an unknown card.
        face_down: how many of the deepest cards lie face down.
        spread: where each card lies beside the one below it: ``down``, ``right``, or nowhere
            (the empty text), so that only the last is seen.
        label: printed above the pile; as in the game's notation.
        suit: 0 to 3, printed on the empty place; None for any suit.
        outlined: whether the empty place is shown.
        known: whether a player from whom cards are hidden knows those that lie face down here.
        home: whether cards that lie here are done with, as on a foundation.
    """

    name: str
    x: float
    y: float
    cards: tuple[int, ...] = ()
    face_down: int = 0
    spread: Literal["down", "right", ""] = ""
    label: str = ""
    suit: int | None = None
    outlined: bool = True
    known: bool = False
    home: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """Some of the piles once more, side by side in one row, for a page that shows the game.

    Attributes:
        piles: those piles, each from the card that comes first; their places do not matter.
        marked: places in the row, from 0, of cards that are marked.
        note: what the marks mean, for people; the same in each position of a game.
    """

    piles: Sequence[Pile]
    marked: Sequence[int]
    note: str


@dataclass(frozen=True)
class Drawing:
    """A position, and the move that is played from it.

    Attributes:
        lines: the position as text.
        move: in the game's notation; empty after the last move.
        words: the move in words.
        cards: the cards that the move takes, as ``piles`` has them.
        piles: the position as piles of cards, the same piles in each position of a game; none
            if the game has only text.
        state: what a page says besides, such as ``2 redeals left``.
        row: some of the piles in a row above the others, in each position of a game or in none.
    """

    lines: Sequence[Line]
    move: str = ""
    words: str = ""
    cards: frozenset[int] = frozenset()
    piles: Sequence[Pile] = ()
    state: str = ""
    row: Row | None = None

    def __str__(self) -> str:
        return "\n".join("".join(map(str, line)).rstrip() for line in self.lines)


def name(card: int) -> str:
    """A card's name, ``??`` for an unknown one."""
    return card_name(card % COPY) if card else "??"


def shown(card: int, face_down: bool = False) -> Shown:
    """A card to draw, with its name as text; ``<KD>`` if it lies face down."""
    return Shown(card, f"<{name(card)}>" if face_down and card else name(card), face_down)


def foundations(tops: Sequence[int]) -> list[str | Shown]:
    """The top card of each foundation, from its rank; ``-H`` for an empty one."""
    return [
        shown(card(rank, suit)) if rank else f"-{SUITS[suit]}" for suit, rank in enumerate(tops)
    ]


def foundation_piles(tops: Sequence[int], x: float, y: float = 0) -> list[Pile]:
    """The foundations side by side, each with all its cards.

    Args:
        tops: the rank of each top card, by suit; 0 for an empty foundation.
        x, y: the place of the first.
    """
    names = ("clubs", "diamonds", "hearts", "spades")
    return [
        Pile(
            f"foundation of {names[suit]}",
            x + suit,
            y,
            tuple(card(rank, suit) for rank in range(1, top + 1)),
            label="h",
            suit=suit,
            home=True,
        )
        for suit, top in enumerate(tops)
    ]


def foundations_line(home: Sequence[Sequence[str]]) -> str:
    """The line of a board's text that says what is home: ``Foundations: C-0 D-2 H-0 S-A``.

    Args:
        home: the cards on each foundation, by suit, the top card last.
    """
    tops = ((cards[-1].strip("<>")[:-1] if cards else "0") for cards in home)
    return "Foundations: " + " ".join(map("-".join, zip(SUITS, tops, strict=True)))


def columns(piles: Sequence[Sequence[str | Shown]], width: int) -> list[Line]:
    """Piles side by side, their first cards in the first line.

    Args:
        piles: each from its deepest card.
        width: of a column.
    """
    rows = range(max(map(len, piles), default=0))
    return [
        [part for pile in piles for part in _placed(pile[row] if row < len(pile) else "", width)]
        for row in rows
    ]


def side_by_side(items: Iterable[str | Shown], width: int) -> Line:
    """Cards and words, each in the middle of a place of the same width."""
    return [part for item in items for part in _placed(item, width)]


def _placed(item: str | Shown, width: int) -> tuple[str | Shown, ...]:
    room = width - len(str(item))
    # A face-down card has a bracket on either side, so the names stay aligned.
    left = room // 2
    return (" " * left, item, " " * (room - left))


def in_words(cards: Sequence[int]) -> str:
    """The cards of a move: ``the 7H``; ``three cards, 9S to 7H,``."""
    if len(cards) == 1:
        return f"the {name(cards[0])}"
    return f"{counted(cards)}, {name(cards[0])} to {name(cards[-1])},"


def counted(cards: Sequence[int]) -> str:
    """How many cards: ``three cards``."""
    words = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    count = words[len(cards) - 1] if len(cards) < 10 else str(len(cards))
    return f"{count} card{'s' if len(cards) > 1 else ''}"
