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
``top last`` means the opposite order; a stock without either has its top first. Lines without a
card or a dot are ignored. Among several boards, a position needs at least one of the three lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from deals.cards import DECK, RANKS, DealError, is_card, parse_card, rank_of
from deals.checks import check_numbers, text_of, whole_number
from deals.other_games import PYRAMID as THIS_GAME
from deals.other_games import check_signs
from deals.pasted import without_moves
from deals.pyramid import (
    PYRAMID,
    ROWS,
    TALON,
    DeckText,
    PyramidDeck,
    deck_texts,
    pyramid_card_name,
    read_pyramid_decks,
)
from deals.pyramid_labels import RECYCLES as TURNED
from deals.pyramid_labels import STOCK, WASTE, has_label, label_of

__all__ = ["GONE", "RECYCLES", "PyramidBoard", "PyramidPosition", "read_pyramid_boards"]

GONE = 0
"""In place of a card that is gone from the pyramid."""
RECYCLES = 2
"""How often the waste may be turned over."""
_DOTS = (".", "-", "--")
_NOTHING = (*_DOTS, "empty", "none")


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
        return _parse(without_moves(text_of(text, "a position", DealError)))

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
        lines = []
        for row in range(ROWS):
            first = row * (row + 1) // 2
            cards = self.pyramid[first : first + row + 1]
            shown = [pyramid_card_name(card) if card != GONE else " ." for card in cards]
            lines.append("  " * (ROWS - 1 - row) + "  ".join(shown))
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
            none, and ``faults`` is not given.
    """
    text = without_moves(text_of(text, "a board", DealError))
    lines = text.splitlines()
    check_signs([*enumerate(lines, start=1)], THIS_GAME)
    if not _is_position(text):
        return [*read_pyramid_decks(text, faults)]
    positions, rest = _split(lines)
    if not positions:
        positions, rest = [DeckText(1, text)], ""
    parts = sorted([*positions, *deck_texts(rest)], key=lambda part: part.line)
    boards: list[PyramidBoard | None] = []
    for count, part in enumerate(parts, start=1):
        try:
            boards.append(_read(part))
        except DealError as error:
            fault = f"board {count} (line {part.line}): {error}" if len(parts) > 1 else str(error)
            if faults is None:
                raise DealError(fault) from error
            faults.append(fault)
            boards.append(None)
    return boards


def _split(lines: list[str]) -> tuple[list[DeckText], str]:
    """The parts of a text that may be positions, and the text with empty lines in their place.

    Such a part is a block of lines with lines of stock, waste or recycles at its end, perhaps
    after empty lines. If these lines come first in the text, the whole text is one position.

    Raises:
        DealError: if they come first in a text of several positions.
    """
    lines = list(lines)
    told = [i for i, line in enumerate(lines) if has_label(line) or _has_places(line)]
    if told and has_label(lines[told[0]]):
        _check_one_position(lines)
        return [DeckText(1, "\n".join(lines))], ""
    found: list[DeckText] = []
    end = len(lines)
    while (end := _last_label(lines, end) + 1) > 0:
        first = end - 1
        while first > 0 and (has_label(lines[first - 1]) or not lines[first - 1].strip()):
            first -= 1
        # A line with a whole deck is not a row of the position below it.
        while first > 0 and lines[first - 1].strip() and not _is_deck(lines[first - 1]):
            first -= 1
            if has_label(lines[first]):
                first += 1
                break
        found.insert(0, DeckText(first + 1, "\n".join(lines[first:end])))
        lines[first:end] = [""] * (end - first)
        end = first
    return found, "\n".join(lines)


def _check_one_position(lines: list[str]) -> None:
    seen: set[str] = set()
    for number, line in enumerate(lines, start=1):
        label = label_of(line, number)
        if label and label.place in seen:
            raise DealError(
                f"line {number}: the {label.place} again: if a text has several positions, "
                "write stock, waste and recycles below the rows of each"
            )
        seen |= {label.place} if label else set()


def _has_places(line: str) -> bool:
    """Whether a line has cards, or dots for them."""
    return any(word in _DOTS or is_card(word) for word in line.split())


def _last_label(lines: list[str], end: int) -> int:
    """The index of the last line of stock, waste or recycles before a line; -1 if there is none."""
    return next((i for i in range(end - 1, -1, -1) if has_label(lines[i])), -1)


def _is_deck(line: str) -> bool:
    return sum(map(is_card, line.split())) > PYRAMID


def _read(part: DeckText) -> PyramidBoard:
    # Empty lines before the board make the line numbers in messages those of the text.
    text = "\n" * (part.line - 1) + part.text
    return PyramidPosition.from_text(text) if _is_position(text) else PyramidDeck.from_text(text)


def _is_position(text: str) -> bool:
    """Whether a text has a position, not only decks."""
    lines = enumerate(text.splitlines(), start=1)
    labels = [label for number, line in lines if (label := label_of(line, number))]
    if not labels and not any(word in _DOTS for word in text.split()):
        return False
    for label in labels:
        nothing = (["0"], []) if label.place == TURNED else ([],)
        if label.place != STOCK and _contents(label.content) not in nothing:
            return True
    try:
        read_pyramid_decks(text)
    except DealError:
        # Without labels, the dots may belong to remarks between several decks.
        return bool(labels) or len(deck_texts(text)) < 2
    return False


def _contents(text: str) -> list[str]:
    return [word for word in text.split() if word.lower() not in _NOTHING]


def _parse(text: str) -> PyramidPosition:
    check_signs([*enumerate(text.splitlines(), start=1)], THIS_GAME)
    pyramid: tuple[int, ...] = ()
    rows = 0
    labelled: dict[str, tuple[int, ...]] = {}
    recycles = 0
    for number, line in enumerate(text.splitlines(), start=1):
        label = label_of(line, number)
        if label is None:
            if _has_places(line):
                rows += 1
                pyramid += _row(line.split(), rows, number)
            continue
        words = _contents(label.content)
        if label.place == TURNED:
            recycles = _recycles(words, number)
            continue
        if label.place in labelled:
            raise DealError(f"line {number}: the {label.place} again")
        cards = tuple(_card(word, number) for word in words)
        if label.place == WASTE and len(cards) > 1 and label.top_first is None:
            raise DealError(
                f"line {number}: this waste can be read in two ways: write 'waste, top first:' or "
                "'waste, top last:'"
            )
        # The stock is kept top first, which is also its default order, and the waste top last.
        is_kept_so = (label.top_first is not False) == (label.place == STOCK)
        labelled[label.place] = cards if is_kept_so else cards[::-1]
    if not (rows or labelled):
        raise DealError("no position: expected rows of a pyramid, or its stock and waste")
    pyramid += (GONE,) * (PYRAMID - len(pyramid))
    return PyramidPosition(pyramid, labelled.get(STOCK, ()), labelled.get(WASTE, ()), recycles)


def _row(words: list[str], row: int, number: int) -> tuple[int, ...]:
    """The cards of a line of the pyramid."""
    if row > ROWS:
        raise DealError(f"line {number}: expected {ROWS} rows, got one more")
    if len(words) != row:
        raise DealError(
            f"line {number}: expected {row} places in row {row}, got {len(words)}: "
            "write a dot where a card is gone"
        )
    return tuple(GONE if word in _DOTS else _card(word, number) for word in words)


def _recycles(words: list[str], number: int) -> int:
    text = " ".join(words) or "0"
    if not re.fullmatch(r"\d+", text) or int(text) > RECYCLES:
        raise DealError(f"line {number}: expected 0 to {RECYCLES} recycles, got {text!r}")
    return int(text)


def _card(word: str, number: int) -> int:
    try:
        return parse_card(word)
    except DealError as error:
        raise DealError(f"line {number}: {error}") from None


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
