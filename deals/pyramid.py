"""Pyramid decks: PySol FC's deal numbers, and text as players of the game type it.

A deck is 52 cards: the pyramid row by row from its tip, then the stock, top card
first. In text a card is a rank (``A23456789TJQK``, or ``10``) and a suit
(``cdhs``), in either case; other text between the cards is ignored::

            Th
          2h  4d
        3h  Qd  8h
        ...

First we look for words that consist of cards only. If these are not a deck, we also take cards
inside longer words, written with a capital rank and a small suit (``x6dy``). If these are not a
deck either, all suits may be symbols (``6♦``), or stand before the ranks (``d6``, ``♦6``).

A line that begins with ``stock:``, ``stock, top first:`` or ``stock, top last:`` has the stock. It
may stand above the pyramid or below it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from deals.cards import (
    DECK,
    RANK,
    RANKS,
    SUIT_SYMBOL,
    SUITS,
    DealError,
    parse_card,
)
from deals.checks import check_numbers, text_of
from deals.other_games import PYRAMID as THIS_GAME
from deals.other_games import check_shape, check_signs
from deals.pasted import without_moves
from deals.pyramid_labels import STOCK, WASTE, has_label, label_of
from deals.pysol import shuffled_pysol

__all__ = [
    "PYRAMID",
    "DeckText",
    "PyramidDeck",
    "deck_texts",
    "pyramid",
    "pyramid_card_name",
    "read_pyramid_decks",
]

PYRAMID = 28
"""Cards in the pyramid; the others are the stock."""
TALON = 24
"""Cards in the stock at first."""
ROWS = 7

_INSIDE = re.compile(f"{RANK}[cdhs]")


class _Style:
    """A way to write cards; finds the cards that a text writes in this way."""

    def __init__(self, card: str) -> None:
        self._cards_only = re.compile(f"(?:{card})+", re.IGNORECASE)
        self._card = re.compile(card, re.IGNORECASE)
        symbols = SUIT_SYMBOL in card
        self._word = re.compile(f"(?:[0-9A-Za-z]|{SUIT_SYMBOL})+" if symbols else "[0-9A-Za-z]+")

    def words(self, text: str) -> tuple[int, ...]:
        """The cards in words that consist of cards only."""
        words = (word for word in self._word.findall(text) if self._cards_only.fullmatch(word))
        return tuple(parse_card(card) for word in words for card in self._card.findall(word))

    def anywhere(self, text: str) -> tuple[int, ...]:
        """The cards of ``words``, and those inside other words in Pyramid's usual style, ``6d``."""
        cards: list[int] = []
        for word in self._word.findall(text):
            pattern = self._card if self._cards_only.fullmatch(word) else _INSIDE
            cards += map(parse_card, pattern.findall(word))
        return tuple(cards)

    def malformed(self, text: str) -> tuple[str, ...]:
        """Short words that are nearly cards: ``1h``, ``Xd``, ``7``."""
        words = (word for word in self._word.findall(text) if len(word) <= 3)
        return tuple(
            word
            for word in words
            if not self._cards_only.fullmatch(word)
            and (any(map(str.isdigit, word)) or (len(word) == 2 and _half_a_card(word)))
        )


_USUAL = _Style(f"{RANK}[CDHS]")
# A deck has one style only: numbers and names of rows can look like cards in another style.
_OTHERS = (_Style(RANK + SUIT_SYMBOL), _Style(SUIT_SYMBOL + RANK), _Style(f"[CDHS]{RANK}"))


def pyramid_card_name(card: int) -> str:
    """A card as players of Pyramid write it: ``Td``, ``As``."""
    return RANKS[(card >> 2) - 1] + SUITS[card & 3].lower()


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
        _refuse(self.cards, ())

    @classmethod
    def from_text(cls, text: str, name: str = "") -> PyramidDeck:
        """Read one deck.

        Raises:
            DealError: if the text is not one deck. One message says how many cards there are
                and which are missing, doubled or malformed, or names the wrong label.
        """
        lines = without_moves(text_of(text, "a deck", DealError)).splitlines()
        check_signs([*enumerate(lines, start=1)], THIS_GAME)
        readings = [(_dealt(lines, _USUAL.words), _USUAL), (_dealt(lines, _USUAL.anywhere), _USUAL)]
        readings += [(_dealt(lines, style.words), style) for style in _OTHERS]
        for cards, style in readings:
            if sorted(cards) == sorted(DECK):
                counts = [len(style.words(line)) for line in lines]
                counts = [count for count in counts if count]
                check_shape(counts, THIS_GAME)
                if counts[-ROWS:] == [*range(1, ROWS + 1)] and not any(map(has_label, lines)):
                    _refuse_stock_first(cards)
                return cls(cards, name)
        cards, style = min(readings, key=lambda reading: abs(len(reading[0]) - len(DECK)))
        _refuse(cards, style.malformed(text))
        raise AssertionError("a full deck was read above")

    def deck_text(self) -> str:
        """The 52 cards on one line, as ``from_text`` reads them."""
        return " ".join(map(pyramid_card_name, self.cards))

    def __str__(self) -> str:
        lines = []
        for row in range(ROWS):
            first = row * (row + 1) // 2
            names = map(pyramid_card_name, self.cards[first : first + row + 1])
            lines.append("  " * (ROWS - 1 - row) + "  ".join(names))
        lines.append(" ".join(map(pyramid_card_name, self.cards[PYRAMID:])))
        return "\n".join(lines)


def pyramid(number: int) -> PyramidDeck:
    """The deck of a deal number: PySol FC's shuffle, pyramid row by row, then the stock.

    Args:
        number: 1 to 10^20.

    Raises:
        DealError: if the number is out of range.
    """
    return PyramidDeck(shuffled_pysol(number))


@dataclass(frozen=True)
class DeckText:
    """The part of a text that holds one deck.

    Attributes:
        line: number of its first line, from 1.
        text: its lines.
    """

    line: int
    text: str


def deck_texts(text: str) -> list[DeckText]:
    """The parts of a text, each of which holds a deck, right or wrong.

    A line with more cards than a pyramid has is a deck of its own. Other lines
    belong together up to an empty one, and beyond it if the deck so far lacks the
    cards that follow. Parts without cards are ignored.
    """
    parts: list[DeckText] = []
    others: list[DeckText] = []
    without: list[DeckText] = []
    for block in _blocks(enumerate(text.splitlines(), start=1), _USUAL):
        if not _USUAL.words(block.text) and len(_USUAL.anywhere(block.text)) <= PYRAMID:
            without.append(block)
            continue
        others += _in_other_styles(without)
        without = []
        _append(parts, block, _USUAL)
    others += _in_other_styles(without)
    return sorted(parts + others, key=lambda part: part.line)


def _append(parts: list[DeckText], block: DeckText, style: _Style) -> None:
    """Add a block to the parts of a text; if it continues the last part, join the two."""
    if parts and _continues(parts[-1].text, block.text, style):
        last = parts.pop()
        block = DeckText(last.line, f"{last.text}\n{block.text}")
    parts.append(block)


def _in_other_styles(blocks: Iterable[DeckText]) -> list[DeckText]:
    """The decks in blocks without cards in the usual style.

    Parts with no more cards than a pyramid has are taken for remarks and ignored.
    """
    lines = [
        line
        for block in blocks
        # An empty line between blocks.
        for line in (*enumerate(block.text.splitlines(), start=block.line), (0, ""))
    ]
    found: list[DeckText] = []
    for style in _OTHERS:
        parts: list[DeckText] = []
        for block in _blocks(lines, style):
            if style.words(block.text):
                _append(parts, block, style)
        found += [part for part in parts if len(style.words(part.text)) > PYRAMID]
    return found


def read_pyramid_decks(text: str, faults: list[str] | None = None) -> list[PyramidDeck | None]:
    """Read one or many decks.

    Args:
        text: the decks.
        faults: if given, gets a message for each deck that cannot be read; the result has None
            in the place of that deck.

    Raises:
        DealError: if a deck cannot be read, or there is none, and ``faults`` is not given. The
            message names all faults of the cards, and the deck and its first line if there are
            several decks.
    """
    parts = deck_texts(text_of(text, "a deck", DealError))
    if len(parts) < 2:
        parts = [DeckText(1, text)]
    decks: list[PyramidDeck | None] = []
    for count, part in enumerate(parts, start=1):
        try:
            # Empty lines before the deck make the line numbers in messages those of the text.
            decks.append(PyramidDeck.from_text("\n" * (part.line - 1) + part.text))
        except DealError as error:
            fault = f"deck {count} (line {part.line}): {error}" if len(parts) > 1 else str(error)
            if faults is None:
                raise DealError(fault) from error
            faults.append(fault)
            decks.append(None)
    return decks


def _dealt(lines: Sequence[str], read: Callable[[str], tuple[int, ...]]) -> tuple[int, ...]:
    """The cards of a deck: those of the pyramid, then the stock, top first.

    Args:
        lines: of the deck, perhaps with labels.
        read: returns the cards of a line.

    Raises:
        DealError: naming the label that is wrong or is not followed by 24 cards.
    """
    pyramid: list[int] = []
    stock: list[int] = []
    label, at = None, 0
    for number, line in enumerate(lines, start=1):
        found = label_of(line, number)
        if found and found.place == STOCK:
            if label:
                raise DealError(f"line {number}: the stock again: line {at} already has it")
            label, at = found, number
        if found and found.place == WASTE and read(found.content):
            raise DealError(
                f"line {number}: expected a deck, got a position with cards in the waste"
            )
        # The stock may take several lines.
        (stock if label and len(stock) < TALON else pyramid).extend(read(line))
    if label and len(stock) != TALON and len(stock) + len(pyramid) == len(DECK):
        raise DealError(
            f"line {at}: expected the {TALON} cards of the stock after its label, got {len(stock)}"
        )
    return (*pyramid, *(stock[::-1] if label and label.top_first is False else stock))


def _refuse_stock_first(cards: Sequence[int]) -> None:
    """Refuse lines that look like the stock above the rows of the pyramid."""
    tips = [pyramid_card_name(card) for card in (cards[0], cards[TALON])]
    raise DealError(
        f"{TALON} cards above rows of 1 to {ROWS} can be read in two ways: card after card, with "
        f"{tips[0]} at the tip, or as the stock, with {tips[1]} at the tip: write 'stock:' before "
        "the stock, or all cards on one line"
    )


def _half_a_card(word: str) -> bool:
    """Whether a word of two letters begins with a capital, and has a rank or a suit."""
    return word[0].isupper() and (word[0] in RANKS or word[1].upper() in SUITS)


def _refuse(cards: Iterable[int], malformed: Iterable[str]) -> None:
    """Raise a ``DealError`` that names all faults, unless the cards are one full deck."""
    count = Counter(cards)
    unknown = sorted(set(count) - set(DECK))
    if sorted(count.elements()) == list(DECK):
        return
    parts = [f"expected 52 cards, got {count.total() or 'none'}"]
    faults = (
        ("missing", [pyramid_card_name(c) for c in DECK if not count[c]]),
        ("doubled", [pyramid_card_name(c) for c in DECK if count[c] > 1]),
        ("malformed", [*malformed, *map(str, unknown)]),
    )
    for what, names in faults:
        if names and len(names) < len(DECK):
            parts.append(f"{what}: {' '.join(names)}")
    raise DealError("; ".join(parts))


def _blocks(numbered: Iterable[tuple[int, str]], style: _Style) -> list[DeckText]:
    blocks: list[DeckText] = []
    first, lines = 1, list[str]()

    def close() -> None:
        if lines:
            blocks.append(DeckText(first, "\n".join(lines)))
            lines.clear()

    for number, line in numbered:
        alone = len(style.anywhere(line)) > PYRAMID
        if alone or not line.strip():
            close()
        if not line.strip():
            continue
        if not lines:
            first = number
        lines.append(line)
        if alone:
            close()
    close()
    return blocks


def _continues(text: str, more: str, style: _Style) -> bool:
    """Whether a part continues the one before it, which must lack all its cards."""
    before, after = style.words(text), style.words(more)
    return bool(
        after
        and len(before) < len(DECK)
        and len(set(before)) == len(before)
        and len(set(after)) == len(after)
        and not set(before) & set(after)
    )
