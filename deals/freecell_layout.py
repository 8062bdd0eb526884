"""Decides whether the lines of a FreeCell board are cascades or rows of the screen, and makes
cascades of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from deals.cards import DECK, DealError, card_name
from deals.foundations import NOTHING
from deals.microsoft import number_of_deck
from deals.readings import COLUMNS, ROWS, OtherReading
from deals.signs import dealt_over
from deals.words import plural

MIN_CASCADES, MAX_CASCADES = 4, 9
USUAL_CASCADES = 8
LAYOUTS = ("rows", "columns")
"""What a line of cards can be: a row of the screen, or a cascade."""

Cascades = list[tuple[int, ...]]

_INNER_BLANK = re.compile(r"(?<=\S)\s++(?=\S)")
_NARROWEST_CARD = 3
"""Characters of a card and the blank beside it."""
_FARTHER = 8
"""By how many cards a reading as rows may be farther from a deal than one as cascades."""


class Line(NamedTuple):
    """A line of cards.

    Attributes:
        number: of the line in the text, from 1.
        text: the line itself; it begins with ``:`` if the line can only be a cascade.
        places: its cards; None for a place without one.
        separated: whether there are separators between the places.
        bordered: whether ``|`` at its ends was read as a border.
    """

    number: int
    text: str
    places: Sequence[int | None]
    separated: bool
    bordered: bool = False

    @property
    def cards(self) -> tuple[int, ...]:
        """Its cards, without the empty places."""
        return tuple(card for card in self.places if card is not None)

    @property
    def is_cascade(self) -> bool:
        """Whether a ``:`` marks it as a cascade, as in the output of ``fc-solve -p``."""
        return self.text.lstrip().startswith(":")


def is_deal_by_rows(lengths: Sequence[int]) -> bool:
    """Whether lines of these lengths are the rows of a whole deal.

    The cascades of a deal never have such lengths. Their lengths differ by one card at most. They
    are equal only for four cascades of 13 cards, which is more than a row can have, and with no
    number of cascades is just the last one shorter.
    """
    return sum(lengths) == len(DECK) and _are_like_rows(lengths)


def _are_like_rows(lengths: Sequence[int]) -> bool:
    *upper, last = lengths
    width = lengths[0]
    return (
        MIN_CASCADES <= width <= MAX_CASCADES
        and last <= width
        and all(length == width for length in upper)
    )


def sink_like_rows(lengths: Sequence[int]) -> bool:
    """Whether no line is longer than the one above it, as with the rows of a screen.

    False for the cascades of a deal, although their lengths sink, too.
    """
    sinks = all(above >= below for above, below in pairwise(lengths))
    fits = MIN_CASCADES <= max(lengths, default=0) <= MAX_CASCADES
    return sinks and fits and not is_dealt(lengths)


def _can_be_rows(lengths: Sequence[int], cascades: int | None) -> bool:
    """Whether lines of these lengths can be the rows of a screen in mid-game.

    The lengths of cascades sink by chance, too, and often soon after the deal, which has
    7-7-7-7-6-6-6-6. Read as rows, these would be a position far from any deal. So we take lines
    for cascades if the reading as rows is much farther from a deal. We measured this on the
    positions of 1,500 solutions and of random games. One board in 1,000 written by columns is
    refused for want of a layout, and one in 4,000 written by rows is wrongly taken for columns.
    In the first moves of a solution more boards are refused: one in 120.
    """
    if not sink_like_rows(lengths):
        return False
    by_rows = [sum(length > i for length in lengths) for i in range(lengths[0])]
    deal = dealt_over(cascades or USUAL_CASCADES)
    return _distance(by_rows, deal) <= _distance(lengths, deal) + _FARTHER


def is_dealt(lengths: Sequence[int]) -> bool:
    """Whether cascades have the lengths of a deal over 4 to 9 of them."""
    return MIN_CASCADES <= len(lengths) <= MAX_CASCADES and [*lengths] == dealt_over(len(lengths))


def _distance(lengths: Sequence[int], others: Sequence[int]) -> int:
    """The sum of the differences between two lists of lengths, place by place."""
    return sum(abs(one - other) for one, other in zip_longest(lengths, others, fillvalue=0))


def cascades_of(lines: Sequence[Line], cascades: int | None, layout: str | None) -> Cascades:
    """The cascades that lines of cards show, perhaps fewer than the game has.

    Args:
        lines: of one board.
        cascades: how many cascades the game has; None for any number.
        layout: one of ``LAYOUTS``; None to take lines for cascades unless they could be rows.

    Raises:
        DealError: naming both ways to read the lines, or the line that cannot be a row.
    """
    if not lines:
        return []
    if len(lines) == 1 and len(lines[0].cards) == len(DECK) and not lines[0].is_cascade:
        return _whole_deal(lines[0], cascades or USUAL_CASCADES, layout)
    if layout is None:
        _refuse_one_row(lines)
        _refuse_rows(lines, cascades)
    if layout == "rows":
        _refuse_borders(lines, cascades or USUAL_CASCADES)
    return _transposed(lines) if layout == "rows" else [line.cards for line in lines]


def _whole_deal(line: Line, cascades: int, layout: str | None) -> Cascades:
    """The cascades of a deal with all 52 cards on one line."""
    cards = line.cards
    if None in line.places[: len(cards)]:
        raise DealError(f"line {line.number}: an empty place between the 52 cards of a deal")
    starts = range(min(cascades, len(cards)))
    by_rows = [cards[i::cascades] for i in starts]
    left = iter(cards)
    by_columns = [tuple(next(left) for _ in column) for column in by_rows]
    if layout is None:
        dealt = tuple(c for row in zip_longest(*by_columns) for c in row if c is not None)
        is_row_deal, is_column_deal = (number_of_deck(deck) is not None for deck in (cards, dealt))
        if is_row_deal == is_column_deal:
            raise OtherReading(
                f"line {line.number}: 52 cards on one line can be read in two ways: by columns, "
                f"with {_names(by_columns[0])} in the first cascade, or by rows, with "
                f"{_names(by_rows[0])}, and neither is a numbered deal",
                COLUMNS,
                ROWS,
                more=", or write | between the cascades",
            )
        layout = "rows" if is_row_deal else "columns"
    return by_rows if layout == "rows" else by_columns


def _names(cards: Sequence[int]) -> str:
    return " ".join(map(card_name, cards))


def _refuse_one_row(lines: Sequence[Line]) -> None:
    """Refuse separators on a single line: they may separate cards or cascades."""
    if len(lines) == 1 and lines[0].separated and not lines[0].is_cascade:
        count = len(lines[0].places)
        raise OtherReading(
            f"line {lines[0].number} can be read in two ways: by columns, with {count} cards in "
            f"one cascade, or by rows, with a card in each of {count} cascades",
            COLUMNS,
            ROWS,
        )


def _refuse_rows(lines: Sequence[Line], cascades: int | None) -> None:
    """Refuse lines that may be rows of a screen instead of cascades."""
    if any(line.is_cascade for line in lines):
        return
    lengths = [len(line.cards) for line in lines]
    if is_deal_by_rows(lengths) or _is_table_of_rows(lines, lengths):
        _refuse_two_ways(lines, cascades)
    gap = _line_with_gap(lines)
    if gap:
        raise OtherReading(
            f"line {gap}: a gap as wide as a card, as in a screen's row below a short cascade",
            COLUMNS,
            ROWS,
            more="; for rows, write -- in the gap",
        )


def refuse_rows_in_mid_game(lines: Sequence[Line], cascades: int | None) -> None:
    """Refuse lines of a whole deck that may be rows of a screen in mid-game.

    Args:
        lines: of one board without a given layout.
        cascades: how many cascades the game has; None for any number.

    Raises:
        DealError: naming both ways to read them.
    """
    lengths = [len(line.cards) for line in lines]
    if not any(line.is_cascade for line in lines) and _can_be_rows(lengths, cascades):
        _refuse_two_ways(lines, cascades, " (and write -- where a cascade has no card)")


def _refuse_two_ways(lines: Sequence[Line], cascades: int | None, for_rows: str = "") -> None:
    """Refuse lines that may be rows, unless rows have more places than the game has cascades."""
    by_rows = [
        sum(card is not None for card in column)
        for column in zip_longest(*(line.places for line in lines))
    ]
    while by_rows and not by_rows[-1]:
        by_rows.pop()
    if cascades is None or len(by_rows) <= cascades:
        first, last = lines[0].number, lines[-1].number
        where = f"lines {first} to {last}" if first < last else f"line {first}"
        by_columns = [len(line.cards) for line in lines]
        raise OtherReading(
            f"{where} can be read in two ways: by columns, with {_joined(by_columns)} cards in "
            f"the cascades, or by rows, with {_joined(by_rows)}",
            COLUMNS,
            ROWS,
            more=for_rows,
        )


def _is_table_of_rows(lines: Sequence[Line], lengths: Sequence[int]) -> bool:
    """Whether lines with separators may be rows of a screen, of a whole deal or a position.

    A table more often shows a screen than a list of cascades. Cascades have lengths like those of
    rows only in a position, and rarely there. But a table of cascades, too, has empty places at
    the ends of its lines.
    """
    if len(lines) < 2 or not all(line.separated for line in lines):
        return False
    widths = {len(line.places) for line in lines}
    filled = len(widths) == 1 and MIN_CASCADES <= max(widths) <= MAX_CASCADES
    empty = any(None in line.places for line in lines)
    dealt = dealt_over(len(lengths))
    return _are_like_rows(lengths) or (filled and empty and list(lengths) != dealt)


def _joined(lengths: Sequence[int]) -> str:
    return "-".join(map(str, lengths))


def _line_with_gap(lines: Sequence[Line]) -> int | None:
    """The number of the first line with a gap.

    A gap is an empty place between separators, or a blank so much wider than the narrowest that
    a card has room in it.
    """
    for line in lines:
        if line.separated and None in line.places[: len(line.cards)]:
            return line.number
    blanks = [
        (len(blank), line.number)
        for line in lines
        if not line.separated
        for blank in _INNER_BLANK.findall(line.text.expandtabs())
    ]
    least = min(blanks, default=(0, 0))[0] + _NARROWEST_CARD
    return next((number for blank, number in blanks if blank >= least), None)


def _refuse_borders(rows: Sequence[Line], cascades: int) -> None:
    """Refuse borders that may be separators beside empty cascades."""
    words = [word for row in rows for word in row.text.replace("|", " ").split()]
    wide = max(len(row.places) for row in rows) + 2 > cascades
    deal = sum(len(row.cards) for row in rows) == len(DECK)
    if any(row.bordered for row in rows) and not (wide or deal or NOTHING.intersection(words)):
        raise DealError(
            f"line {rows[0].number}: | at both ends can be a border, or stand beside empty "
            "cascades: leave it out at the ends, and write - where a cascade has no card"
        )


def _transposed(rows: Sequence[Line]) -> Cascades:
    """The cascades of a board whose lines are rows."""
    for row in rows:
        if row.is_cascade:
            raise OtherReading(
                f"line {row.number}: a line that begins with ':' is a cascade, not a row", COLUMNS
            )
    # A separator at the end of every line makes an empty last place.
    while all(len(row.places) > 1 and row.separated and row.places[-1] is None for row in rows):
        rows = [row._replace(places=row.places[:-1]) for row in rows]
    *upper, last = rows
    width = len(rows[0].places)
    full = upper if _ends_at_the_left(rows) and len(last.places) < width else rows
    for row in full:
        if len(row.places) != width:
            raise DealError(
                f"line {row.number}: {plural(len(row.places), 'place')} in a row, but line "
                f"{rows[0].number} has {width}: write -- where a cascade has no card"
            )
    columns = list(zip_longest(*(row.places for row in rows)))
    for column in columns:
        for row, above, card in zip(rows[1:], column, column[1:], strict=False):
            if above is None and card is not None:
                raise DealError(
                    f"line {row.number}: {card_name(card)} has no card above it; "
                    "the first row has the deepest cards"
                )
    return [tuple(card for card in column if card is not None) for column in columns]


def _ends_at_the_left(rows: Sequence[Line]) -> bool:
    """Whether these are the rows of a whole deal, so that the last one begins at the left."""
    indented = _indent(rows[-1]) >= _indent(rows[0]) + _NARROWEST_CARD
    lengths = [len(row.cards) for row in rows]
    return is_deal_by_rows(lengths) and not indented and not _line_with_gap(rows)


def _indent(line: Line) -> int:
    text = line.text.expandtabs()
    return len(text) - len(text.lstrip())
