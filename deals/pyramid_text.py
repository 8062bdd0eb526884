"""Reads the text of one or many decks and positions of Pyramid.

A line has cards, and dots where some are gone; or a label and what follows it; or it is a heading
that says nothing of the rules. Any other line is refused. ``deals.pyramid_deck`` and
``deals.pyramid_position`` describe the forms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from deals.cards import CARD, DECK, RANKS, SEPARATORS, SUITS, DealError, parse_card
from deals.checks import shown, text_of
from deals.headings import check_heading, not_understood, telling
from deals.other_games import are_laid_out, check_shape, check_signs
from deals.pasted import without_moves
from deals.signs import PYRAMID as THIS_GAME
from deals.signs import TRIANGLE
from deals.solvitaire import NumberedLine, begins_json

Made = TypeVar("Made")

PYRAMID = 28
"""Cards in the pyramid; the others are the stock."""
TALON = 24
"""Cards in the stock at first."""
ROWS = 7
RECYCLES = 2
"""How often the waste may be turned over."""
GONE = 0
"""In place of a card that is gone from the pyramid."""

STOCK, WASTE, TURNED = "stock", "waste", "recycles"
_LABEL = re.compile(rf"\s*+(({STOCK}|{WASTE}|{TURNED})\b([^:]*):)(.*)", re.IGNORECASE)
_ORDERS = {(): None, ("top", "first"): True, ("top", "last"): False}
_RECYCLES = [str(count) for count in range(RECYCLES + 1)]
_TOO_MANY = 4
"""So many cards too many, or fewer, are taken for a mistake in one deck."""
_EXPECTED = "cards, 'stock, top first:', 'waste, top first:', 'recycles: 1' or a heading"

_APART = "if a text has several positions, put an empty line between them"

_CARDS = re.compile(f"(?:{CARD})++", re.IGNORECASE)
_ONE = re.compile(CARD, re.IGNORECASE)
_WORD = re.compile(rf"[^\s{SEPARATORS}]++")
_BRACKETS = "[](){}"
_GAPS = frozenset({".", "-", "--", "[]", "()"})
_NOTHING = _GAPS | {"empty", "none"}
_NUMBER = re.compile(r"\s*+(?:row\s*+)?(\d{1,2})\s*+[:.)](?=\s)", re.IGNORECASE)


def pyramid_card_name(card: int) -> str:
    """A card as players of Pyramid write it: ``Td``, ``As``."""
    return RANKS[(card >> 2) - 1] + SUITS[card & 3].lower()


def drawn_rows(names: Sequence[str]) -> list[str]:
    """The lines of the pyramid in a drawing, from the names of its cards row by row."""
    return [
        "  " * (ROWS - row) + "  ".join(names[row * (row - 1) // 2 :][:row])
        for row in range(1, ROWS + 1)
    ]


class BoardText(NamedTuple):
    """A deck or a position as read from a text.

    Attributes:
        pyramid: 28 cards row by row from the tip, ``GONE`` in place of each that is gone.
        stock: the top card first.
        waste: the top card last.
        recycles: how often the waste was turned over.
        is_deck: whether no card has moved yet.
    """

    pyramid: tuple[int, ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...] = ()
    recycles: int = 0
    is_deck: bool = False


class _Line(NamedTuple):
    """A line of a board.

    Attributes:
        number: of the line.
        text: the line.
        place: that its label names; empty without a label.
        top_first: whether the label says that the top card comes first; None if it does not say.
        places: the cards, ``GONE`` for each place without one.
        malformed: words that are no cards.
        fault: why the line cannot be read; empty if it can.
    """

    number: int
    text: str = ""
    place: str = ""
    top_first: bool | None = None
    places: Sequence[int] = ()
    malformed: Sequence[str] = ()
    fault: str = ""

    @property
    def cards(self) -> list[int]:
        """Its cards, without the places where one is gone."""
        return [card for card in self.places if card != GONE]


@dataclass
class _Board:
    """The lines of a board: those of the pyramid, and those of stock, waste and recycles.

    ``went_on`` says whether a line without a label was taken for cards of the stock or the waste.
    """

    lines: list[_Line] = field(default_factory=list)
    rows: list[_Line] = field(default_factory=list)
    labelled: dict[str, list[_Line]] = field(default_factory=dict)
    cards: list[int] = field(default_factory=list)
    fault: str = ""
    went_on: bool = False

    def add(self, line: _Line) -> None:
        """Add a line. The cards of stock and waste may take several."""
        self.fault = self.fault or line.fault
        last = self.lines[-1].place if self.lines else ""
        if not line.place and last and self._continues(last, line):
            line, self.went_on = line._replace(place=last), True
            self.labelled[last].append(line)
        elif not line.place:
            self.rows.append(line)
        elif line.place in self.labelled:
            at = self.labelled[line.place][0].number
            self.fault = self.fault or (
                f"line {line.number}: the {line.place} again: line {at} already has it; {_APART}, "
                "and write stock, waste and recycles below the rows of each"
            )
        else:
            self.labelled[line.place] = [line]
        self.lines.append(line)
        self.cards += line.cards

    def _continues(self, place: str, line: _Line) -> bool:
        count = sum(len(one.cards) for one in self.labelled.get(place, ())) + len(line.cards)
        # Above the rows, a line with one place is the tip of the pyramid.
        below = bool(self.rows) or len(line.places) > 1
        return place != TURNED and below and count <= TALON and GONE not in line.places

    def takes(self, line: _Line, apart: bool) -> bool:
        """Whether a line belongs to this board, and not to the next one.

        A line with more cards than a pyramid is a board of its own. An empty line ends a board,
        unless the board lacks the cards that follow.

        Args:
            line: the next line with cards or a label.
            apart: whether an empty line or a heading comes before it.
        """
        whole = len(self.cards) >= len(DECK)
        if not (self.cards or self.labelled):
            return True
        if line.fault:
            return not (apart and whole)
        if line.place:
            return not (apart and whole and (line.place in self.labelled or line.cards))
        if whole or len(line.cards) > PYRAMID:
            return False
        if not apart or not self.rows:
            return True
        gaps = any(GONE in row.places for row in (*self.rows, line))
        is_ended = not self.lines[0].place and bool(self.labelled)
        # A deck with a card too many had better be told so than be split.
        is_whole = len(DECK) <= len(self.cards) + len(line.cards) <= len(DECK) + _TOO_MANY
        doubled = set(self.cards).intersection(line.cards)
        return not (gaps or is_ended or (doubled and not (is_whole and len(line.cards) > 1)))


def read_boards(
    text: str, make: Callable[[BoardText], Made], faults: list[str] | None = None
) -> list[Made | None]:
    """Read the boards of a text.

    Args:
        text: the boards.
        make: makes a board of what was read.
        faults: if given, gets a message for each board that cannot be read; the result has None
            in the place of that board.

    Raises:
        DealError: if a line belongs to another game; or if a board cannot be read or made, or
            there is none, and ``faults`` is not given. Where there are several boards, it names
            the one at fault.
    """
    lines = [*enumerate(without_moves(text_of(text, "a board", DealError)).splitlines(), start=1)]
    check_signs(lines, THIS_GAME)
    if begins_json(lines):
        raise DealError("expected a deck or a position as text, got JSON, as of another game")
    boards = _split(lines)
    found: list[Made | None] = []
    for count, board in enumerate(boards, start=1):
        try:
            found.append(make(_read(board, alone=len(boards) == 1)))
        except DealError as error:
            where = f"board {count} (line {board.lines[0].number}): " if len(boards) > 1 else ""
            fault = f"{where}{error}"
            if board.went_on and "doubled" in fault:
                fault += f"; {_APART}"
            if faults is None:
                raise DealError(fault) from error
            faults.append(fault)
            found.append(None)
    return found


def the_only(boards: list[Made | None], expected: str) -> Made:
    """The board of a text that has one.

    Raises:
        DealError: if it has several.
    """
    if len(boards) > 1 or boards[0] is None:
        raise DealError(f"expected {expected}, got {len(boards)} boards")
    return boards[0]


def refuse_faults(cards: Iterable[int], malformed: Iterable[str] = ()) -> None:
    """Refuse cards that are not one full deck.

    Raises:
        DealError: saying how many cards there are, and which are missing, doubled or malformed.
    """
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


def _split(lines: Iterable[NumberedLine]) -> list[_Board]:
    """The boards of a text, without its empty lines and headings."""
    boards = [_Board()]
    apart = False
    for number, text in lines:
        line = _line(number, text, len(boards[-1].rows) + 1)
        if line is None:
            apart = True
            continue
        if not boards[-1].takes(line, apart):
            boards.append(_Board())
            line = _line(number, text, 1) or line
        boards[-1].add(line)
        apart = False
    return boards


def _line(number: int, text: str, row: int) -> _Line | None:
    """A line of a board; None if it is empty or a heading.

    Args:
        number: of the line in the text.
        text: the line.
        row: its number among the board's lines without a label; it may begin with that.
    """
    try:
        label = _LABEL.match(text)
        return _labelled(number, label) if label else _unlabelled(number, text, row)
    except DealError as error:
        return _Line(number, text, fault=str(error))


def _labelled(number: int, label: re.Match[str]) -> _Line:
    place = label[2].lower()
    order = tuple(re.findall(r"\w+", label[3].lower()))
    if order not in _ORDERS or (order and place == TURNED):
        expected = f"{place}: 1" if place == TURNED else f"{place}, top first:"
        other = "" if place == TURNED else f" or '{place}, top last:'"
        raise DealError(f"line {number}: expected '{expected}'{other}, got {shown(label[1])}")
    if place == TURNED:
        return _Line(number, label[4], place)
    words = _words(label[4])
    if all(word.lower() in _NOTHING for word in words):
        words = []
    return _Line(number, label[4], place, _ORDERS[order], *_cards(words))


def _unlabelled(number: int, text: str, row: int) -> _Line | None:
    body = text
    numbered = _NUMBER.match(text)
    if numbered and int(numbered[1]) == row:
        body = text[numbered.end() :]
    name, colon, rest = body.rpartition(":")
    if colon and rest.strip():
        # The name of a deck may stand before its first card.
        if row > 1 or telling(f"{name}:", THIS_GAME):
            raise not_understood(f"{name}:", number, _EXPECTED)
        body = rest
    places, malformed = _cards(_words(body))
    if not places or (malformed and not any(places)):
        check_heading(text, number, THIS_GAME, _EXPECTED)
        return None
    for word in malformed:
        if not _is_nearly_a_card(word):
            raise DealError(f"line {number}: expected cards, got {shown(word)} beside them")
    return _Line(number, body, places=places, malformed=malformed)


def _words(text: str) -> list[str]:
    """The words between blanks and separators, without brackets around them."""
    words = (part for word in _WORD.findall(text) for part in _parts(word))
    return [word.strip(_BRACKETS) or word for word in words]


def _parts(word: str) -> list[str]:
    """The words that hyphens join, if there are cards among them; else the word itself."""
    parts = word.split("-")
    cards = (_CARDS.fullmatch(part.strip(_BRACKETS)) for part in parts)
    return parts if all(parts) and any(cards) else [word]


def _cards(words: Iterable[str]) -> tuple[list[int], list[str]]:
    """The cards of words, ``GONE`` for each place without one, and the words that are no cards."""
    cards: list[int] = []
    malformed: list[str] = []
    for word in words:
        if word in _GAPS:
            cards.append(GONE)
        elif _CARDS.fullmatch(word):
            cards += map(parse_card, _ONE.findall(word))
        else:
            malformed.append(word)
    return cards, malformed


def _is_nearly_a_card(word: str) -> bool:
    """Whether a word may be a card with a mistake: ``1h``, ``Xd``, ``7``."""
    return len(word) <= 3 and (word[0].isdigit() or word[0].isupper())


def _read(board: _Board, alone: bool) -> BoardText:
    """The deck or the position of a board.

    Args:
        board: its lines.
        alone: whether it is the text's only one.

    Raises:
        DealError: naming the line, the word or the cards that are wrong.
    """
    if board.fault:
        raise DealError(board.fault)
    recycles = sum(map(_recycles, board.labelled.get(TURNED, ())))
    has_waste = any(line.cards for line in board.labelled.get(WASTE, ()))
    is_whole = sorted(board.cards) == [*DECK]
    has_dots = any(GONE in row.places for row in board.rows)
    if not is_whole and not board.labelled and not (has_dots and board.cards):
        refuse_faults(board.cards, [word for row in board.rows for word in row.malformed])
    for line in board.lines:
        for word in line.malformed:
            _refuse_word(word, line.number)
    if is_whole and not has_waste and not recycles:
        return _deck(board)
    if board.lines[0].place and board.rows and not alone:
        raise DealError(
            f"line {board.lines[0].number}: the {board.lines[0].place} above the rows: if a text "
            "has several positions, write stock, waste and recycles below the rows of each"
        )
    if len(board.rows) > ROWS and not board.labelled.get(STOCK):
        raise DealError(
            f"line {board.rows[ROWS].number}: expected {ROWS} rows, got one more: write "
            "'stock, top first:' before the cards of the stock"
        )
    pyramid = [card for place, row in enumerate(board.rows, 1) for card in _row(row, place)]
    return BoardText(
        (*pyramid, *[GONE] * (PYRAMID - len(pyramid))),
        _talon(board.labelled.get(STOCK, []), top_first=True),
        _talon(board.labelled.get(WASTE, []), top_first=False),
        recycles,
    )


def _deck(board: _Board) -> BoardText:
    """The deck of a board with all 52 cards and none in the waste."""
    cards = [card for row in board.rows for card in row.cards]
    if told := board.labelled.get(STOCK, []):
        stock = _talon(told, top_first=True)
        if len(stock) != TALON:
            raise DealError(
                f"line {told[0].number}: expected the {TALON} cards of the stock after its label, "
                f"got {len(stock)}"
            )
        _check_lines([len(row.cards) for row in board.rows])
    else:
        counts = [len(row.cards) for row in board.rows if row.cards]
        check_shape(counts, THIS_GAME)
        if counts[-ROWS:] == TRIANGLE:
            _refuse_stock_first(cards)
        _check_lines(counts)
        stock = tuple(cards[PYRAMID:])
    return BoardText(tuple(cards[:PYRAMID]), stock, is_deck=True)


def _check_lines(counts: Sequence[int]) -> None:
    """Refuse lines that are neither rows and stock nor the cards in their order.

    Args:
        counts: how many cards each line has.
    """
    if are_laid_out(counts):
        return
    raise DealError(
        f"lines of {'-'.join(map(str, counts))} cards are not the rows of a pyramid, 1 to {ROWS}, "
        "and its stock: write them so, or all cards on one line"
    )


def _refuse_stock_first(cards: Sequence[int]) -> None:
    """Refuse lines that look like the stock above the rows of the pyramid."""
    tips = [pyramid_card_name(card) for card in (cards[0], cards[TALON])]
    raise DealError(
        f"{TALON} cards above rows of 1 to {ROWS} can be read in two ways: card after card, with "
        f"{tips[0]} at the tip, or as the stock, with {tips[1]} at the tip: write 'stock:' before "
        "the stock, or all cards on one line"
    )


def _row(row: _Line, place: int) -> Sequence[int]:
    if place > ROWS:
        raise DealError(f"line {row.number}: expected {ROWS} rows, got one more; {_APART}")
    if len(row.places) != place:
        raise DealError(
            f"line {row.number}: expected {place} places in row {place}, got {len(row.places)}: "
            "write a dot where a card is gone"
        )
    return row.places


def _talon(lines: Sequence[_Line], top_first: bool) -> tuple[int, ...]:
    """The cards of stock or waste.

    Args:
        lines: the one with the label, and those that go on with it.
        top_first: the order in which to return them. A stock is written so unless it says else.
    """
    cards = [card for line in lines for card in line.places]
    if GONE in cards:
        raise DealError(
            f"line {lines[0].number}: expected cards alone in the {lines[0].place}, got a dot or "
            "a hyphen among them"
        )
    written = lines[0].top_first if lines else None
    if written is None:
        if not top_first and len(cards) > 1:
            raise DealError(
                f"line {lines[0].number}: this waste can be read in two ways: write "
                "'waste, top first:' or 'waste, top last:'"
            )
        written = True
    return tuple(cards if written == top_first else cards[::-1])


def _recycles(line: _Line) -> int:
    word = line.text.strip()
    if word.lower() in _NOTHING:
        return 0
    if word not in _RECYCLES:
        raise DealError(f"line {line.number}: expected 0 to {RECYCLES} recycles, got {shown(word)}")
    return int(word)


def _refuse_word(word: str, number: int) -> None:
    try:
        parse_card(word)
    except DealError as error:
        raise DealError(f"line {number}: {error}") from None
