"""FreeCell boards: Microsoft deals and the field's common text, both ways.

The text is a line for each cascade, leftmost first, exposed card last, with
optional ``Foundations: C-0 D-2 H-0 S-A`` and ``Freecells: 2C - TH`` lines
before them. Asked to, ``FreeCellBoard.from_text`` reads rows as a screen shows
them instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from deals.cards import DECK, DealError, card_name, deck_faults, parse_card
from deals.checks import whole_number
from deals.foundations import Foundations, foundations_text, read_foundations
from deals.microsoft import shuffled_deck

MIN_CASCADES, MAX_CASCADES = 4, 9
MIN_CELLS, MAX_CELLS = 0, 7
LAYOUTS = ("rows", "columns")
"""What a line of cards can be in a text: a row of the screen, or a cascade."""

_USUAL_CELLS = 4


@dataclass(frozen=True)
class FreeCellBoard:
    """A position of FreeCell.

    Attributes:
        cascades: 4 to 9 columns of cards, each from its deepest card to its exposed one.
        cells: the cards in the free cells, at most ``cell_count``.
        foundations: the highest rank home of clubs, diamonds, hearts, spades; 0 for none.
        cell_count: how many free cells the game has, 0 to 7.

    Raises:
        DealError: if the 52 cards are not each in exactly one place, or the
            numbers of cascades and cells are out of range.
    """

    cascades: tuple[tuple[int, ...], ...]
    cells: tuple[int, ...] = ()
    foundations: Foundations = (0, 0, 0, 0)
    cell_count: int = _USUAL_CELLS

    def __post_init__(self) -> None:
        if not MIN_CASCADES <= len(self.cascades) <= MAX_CASCADES:
            raise DealError(
                f"a board has {MIN_CASCADES} to {MAX_CASCADES} cascades, got {len(self.cascades)}"
            )
        if not MIN_CELLS <= self.cell_count <= MAX_CELLS:
            raise DealError(
                f"a game has {MIN_CELLS} to {MAX_CELLS} free cells, got {self.cell_count}"
            )
        if len(self.cells) > self.cell_count:
            raise DealError(
                f"free cells hold {len(self.cells)}, but the game has {self.cell_count} of them"
            )
        if len(self.foundations) != 4 or any(not 0 <= rank <= 13 for rank in self.foundations):
            raise DealError(f"foundations are four ranks from 0 to 13, got {self.foundations}")
        home = [4 * r + s for s in range(4) for r in range(1, self.foundations[s] + 1)]
        faults = deck_faults(
            [c for column in self.cascades for c in column] + list(self.cells) + home
        )
        if faults:
            raise DealError(f"not one full deck: {faults}")

    @classmethod
    def from_text(
        cls,
        text: str,
        cells: int | None = None,
        cascades: int | None = None,
        layout: str | None = None,
    ) -> FreeCellBoard:
        """Read a board.

        A whole deal typed row by row has lines of one length, and the last may be shorter. No
        deal has such cascades, so lines like these need ``layout``, unless one begins with ``:``,
        as cascades do. The same goes for lines with a blank in which a card could be missing.

        Args:
            text: the board's lines.
            cells: number of free cells, no less than the ``Freecells:`` line names. By default as
                many as it names, and 4 where it names none: where there is no such line, or an
                empty one, or one that shows cards alone. ``-`` or ``--`` is an empty cell; blanks
                four characters wide are, too, as fc-solve prints them, but count only where there
                are more than four places. ``none`` is no cell at all.
            cascades: number of cascades; by default as many as there are, at least 8. Missing
                ones are empty.
            layout: ``columns`` if each line is a cascade. ``rows`` if the k-th word of each line
                lies in the k-th cascade, the deepest cards in the first line; ``-`` or ``--`` is
                a place without a card, which only the last row of a whole deal may leave out.

        Raises:
            DealError: naming the line and the card that cannot be, or the two ways to read the
                lines.
        """
        return _parse(text, cells, cascades, layout)

    def __str__(self) -> str:
        lines = []
        if any(self.foundations):
            lines.append("Foundations: " + foundations_text(self.foundations))
        if self.cells or self.cell_count != _USUAL_CELLS:
            places = [card_name(c) for c in self.cells]
            places += ["-"] * (self.cell_count - len(self.cells))
            lines.append(" ".join(["Freecells:", *(places or ["none"])]))
        mark = ": " if _is_deal_by_rows([len(column) for column in self.cascades]) else ""
        lines += [mark + " ".join(map(card_name, column)) or ":" for column in self.cascades]
        return "\n".join(lines)


def freecell(number: int, cascades: int = 8, cells: int = _USUAL_CELLS) -> FreeCellBoard:
    """The Microsoft deal of a number, dealt row by row over the cascades.

    Args:
        number: 1 to 2^31 - 1.
        cascades: 4 to 9.
        cells: 0 to 7.

    Raises:
        DealError: if an argument is out of range.
    """
    cascades = whole_number(cascades, "cascades", DealError)
    cells = whole_number(cells, "cells", DealError)
    if not MIN_CASCADES <= cascades <= MAX_CASCADES:
        raise DealError(f"a game has {MIN_CASCADES} to {MAX_CASCADES} cascades, got {cascades}")
    deck = shuffled_deck(number)
    return FreeCellBoard(tuple(deck[i::cascades] for i in range(cascades)), cell_count=cells)


_LABEL = re.compile(r"^\s*(foundations?|founds?|freecells?|fc)\s*:(.*)$", re.IGNORECASE)
_EMPTY = ("-", "--")
_FOUR_WIDE = re.compile(r"(?:    |  \S\S| \S\S\S)+ {0,3}")
"""Free cells as fc-solve prints them: a card at the right of its place, or blanks."""
_INNER_BLANK = re.compile(r"(?<=\S)\s+(?=\S)")
_NARROWEST_CARD = 3
"""Characters of a card with the blank beside it."""


class _Line(NamedTuple):
    """A line of cards; None is a place of a row without one."""

    number: int
    text: str
    cards: Sequence[int | None]


def _parse(text: str, cells: int | None, cascades: int | None, layout: str | None) -> FreeCellBoard:
    if layout not in (None, *LAYOUTS):
        raise DealError(f"a board is laid out in {' or '.join(LAYOUTS)}, got {layout!r}")
    lines: list[_Line] = []
    held: list[int] = []
    home: Foundations = (0, 0, 0, 0)
    shown: list[str] = []
    seen: dict[int, int] = {}
    home_line = cells_line = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        label = _LABEL.match(line)
        words = (label.group(2) if label else line.strip().removeprefix(":")).split()
        if label and label.group(1).lower().startswith("found"):
            if home_line:
                raise DealError(f"line {number}: foundations again, line {home_line} has them")
            home, home_line = read_foundations(words, number), number
            continue
        if label:
            shown.append(label.group(2))
            cells_line = number
            held += _cards(_places([] if _says_none(words) else words, number, seen, True))
        else:
            lines.append(_Line(number, line, _places(words, number, seen, layout == "rows")))
    if not lines:
        raise DealError("no board: expected a line of cards for each cascade")
    for card, number in seen.items():
        if card >> 2 <= home[card & 3]:
            raise DealError(
                f"line {number}: {card_name(card)} cannot be here, "
                f"line {home_line} says it is on its foundation"
            )
    if layout is None:
        _refuse_rows(lines, cascades)
    columns = _transposed(lines) if layout == "rows" else [_cards(line.cards) for line in lines]
    wanted = cascades if cascades is not None else max(8, len(columns))
    if len(columns) > wanted:
        what = "cards in a row" if layout == "rows" else "lines of cards"
        raise DealError(f"{len(columns)} {what}, but the game has {wanted} cascades")
    columns += [()] * (wanted - len(columns))
    named = _named_cells(" ".join(shown))
    cell_count = cells if cells is not None else _USUAL_CELLS if named is None else named
    if MIN_CELLS <= cell_count <= MAX_CELLS:
        if len(held) > cell_count:
            over = held[cell_count]
            raise DealError(
                f"line {seen[over]}: {card_name(over)} is one too many in the free cells, "
                f"the game has {cell_count} of them"
            )
        if named is not None and named > cell_count:
            raise DealError(
                f"line {cells_line}: {named} places in the free cells, but the game has "
                f"{cell_count} of them: leave out empty places, or ask for {named} cells"
            )
    return FreeCellBoard(tuple(columns), tuple(held), home, cell_count)


def _places(
    words: Sequence[str], number: int, seen: dict[int, int], gaps: bool
) -> list[int | None]:
    """The cards of a line, and None for each place without one.

    Args:
        words: of the line.
        number: its number, for messages.
        seen: the line of each card so far; these cards are added.
        gaps: whether there can be places without a card.
    """
    places: list[int | None] = []
    for word in words:
        if gaps and word in _EMPTY:
            places.append(None)
            continue
        try:
            card = parse_card(word)
        except DealError as error:
            raise DealError(f"line {number}: {error}") from None
        if card in seen:
            raise DealError(
                f"line {number}: {card_name(card)} is doubled, it is also in line {seen[card]}"
            )
        seen[card] = number
        places.append(card)
    return places


def _cards(places: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(card for card in places if card is not None)


def _says_none(words: Sequence[str]) -> bool:
    return [word.lower() for word in words] == ["none"]


def _named_cells(shown: str) -> int | None:
    """How many free cells there are by what follows ``Freecells:``, if that says."""
    words = shown.split()
    if _says_none(words):
        return 0
    if any(word in _EMPTY for word in words):
        return len(words)
    # Editors cut blanks at the end of a line, so blanks never say that there are few cells.
    if words and _FOUR_WIDE.fullmatch(shown) and len(shown) // 4 > _USUAL_CELLS:
        return len(shown) // 4
    return None


def _is_deal_by_rows(lengths: Sequence[int]) -> bool:
    """Whether lines of so many cards are the rows of a whole deal.

    The cascades of a deal never have such lengths. Those of one deal differ by a card at most: all
    alike are only four of 13 cards, more than a row can have, and no number of cascades has the
    last alone a card shorter.
    """
    *upper, last = lengths
    width = lengths[0]
    return (
        MIN_CASCADES <= width <= MAX_CASCADES
        and sum(lengths) == len(DECK)
        and last <= width
        and all(length == width for length in upper)
    )


def _refuse_rows(lines: Sequence[_Line], cascades: int | None) -> None:
    """Complain of lines that may be rows of a screen instead of cascades."""
    if any(line.text.lstrip().startswith(":") for line in lines):
        return
    lengths = [len(line.cards) for line in lines]
    width = lengths[0]
    if _is_deal_by_rows(lengths) and (cascades is None or width <= cascades):
        by_rows = [len(DECK[place::width]) for place in range(width)]
        raise DealError(
            f"lines {lines[0].number} to {lines[-1].number} can be read in two ways: by columns, "
            f"with {_joined(lengths)} cards in the cascades, or by rows, with {_joined(by_rows)}: "
            "say --columns or --rows"
        )
    gap = _line_with_gap(lines)
    if gap:
        raise DealError(
            f"line {gap}: a blank as wide as a card, as a screen's row has where a cascade ends: "
            "for rows say --rows and write -- there, for cascades say --columns"
        )


def _joined(lengths: Sequence[int]) -> str:
    return "-".join(map(str, lengths))


def _line_with_gap(lines: Sequence[_Line]) -> int | None:
    """The first line with a blank so much wider than others that a card has room in it."""
    blanks = [
        (len(blank), line.number)
        for line in lines
        for blank in _INNER_BLANK.findall(line.text.expandtabs())
    ]
    least = min(blanks, default=(0, 0))[0] + _NARROWEST_CARD
    return next((number for blank, number in blanks if blank >= least), None)


def _transposed(rows: Sequence[_Line]) -> list[tuple[int, ...]]:
    """The cascades of a board whose lines are rows."""
    for row in rows:
        if row.text.lstrip().startswith(":"):
            raise DealError(f"line {row.number}: ':' begins a cascade, no row: leave out --rows")
    *upper, last = rows
    width = len(rows[0].cards)
    full = upper if _ends_at_the_left(rows) and len(last.cards) < width else rows
    for row in full:
        if len(row.cards) != width:
            raise DealError(
                f"line {row.number}: {len(row.cards)} places in a row, but line {rows[0].number} "
                f"has {width}: write -- where a cascade has no card"
            )
    columns = list(zip_longest(*(row.cards for row in rows)))
    for column in columns:
        for row, above, card in zip(rows[1:], column, column[1:], strict=False):
            if above is None and card is not None:
                raise DealError(
                    f"line {row.number}: {card_name(card)} has no card above it; "
                    "the first row has the deepest cards"
                )
    return [_cards(column) for column in columns]


def _ends_at_the_left(rows: Sequence[_Line]) -> bool:
    """Whether these are the rows of a whole deal, whose last one is dealt from the left."""
    indented = _indent(rows[-1]) >= _indent(rows[0]) + _NARROWEST_CARD
    lengths = [len(_cards(row.cards)) for row in rows]
    return _is_deal_by_rows(lengths) and not indented and not _line_with_gap(rows)


def _indent(line: _Line) -> int:
    text = line.text.expandtabs()
    return len(text) - len(text.lstrip())
