"""Lines of a FreeCell board: whether each is a cascade or a row of the screen, and which cards
lie in which cascade then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from deals.cards import DECK, DealError, card_name
from deals.foundations import NOTHING
from deals.microsoft import number_of_deck
from deals.words import plural

MIN_CASCADES, MAX_CASCADES = 4, 9
USUAL_CASCADES = 8
LAYOUTS = ("rows", "columns")
"""What a line of cards can be in a text: a row of the screen, or a cascade."""

Cascades = list[tuple[int, ...]]

_INNER_BLANK = re.compile(r"(?<=\S)\s+(?=\S)")
_NARROWEST_CARD = 3
"""Characters of a card with the blank beside it."""
_FARTHER = 8
"""By how many cards rows may be farther from a deal than cascades, and still be meant."""


class Line(NamedTuple):
    """A line of cards.

    Attributes:
        number: in the text, from 1.
        text: what it says; that of a line that can only be a cascade begins with ``:``.
        places: its cards; None is a place without one.
        separated: whether there are separators between the places.
        bordered: whether ``|`` at its ends was taken for a border.
    """

    number: int
    text: str
    places: Sequence[int | None]
    separated: bool
    bordered: bool = False

    @property
    def cards(self) -> tuple[int, ...]:
        """Its cards without the gaps."""
        return tuple(card for card in self.places if card is not None)

    @property
    def is_cascade(self) -> bool:
        """Whether it says that it is a cascade, as ``fc-solve -p`` marks them."""
        return self.text.lstrip().startswith(":")


def is_deal_by_rows(lengths: Sequence[int]) -> bool:
    """Whether lines of so many cards are the rows of a whole deal.

    The cascades of a deal never have such lengths. Those of one deal differ by a card at most: all
    alike are only four of 13 cards, more than a row can have, and no number of cascades has the
    last alone a card shorter.
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
    """Whether no line of so many cards is longer than the one above it, as rows of a screen are.

    The cascades of a deal are like that, too, and do not count.
    """
    sinks = all(above >= below for above, below in pairwise(lengths))
    is_deal = len(lengths) <= MAX_CASCADES and [*lengths] == _dealt(len(lengths))
    return sinks and MIN_CASCADES <= max(lengths) <= MAX_CASCADES and not is_deal


def _can_be_rows(lengths: Sequence[int], cascades: int | None) -> bool:
    """Whether lines of so many cards can be the rows of a screen in mid-game.

    Cascades sink by chance, and soon after the deal, whose own are 7-7-7-7-6-6-6-6. As rows these
    would be a position that no game has so early, so lines are cascades if rows are much farther
    from a deal. Among the positions of 1,500 solutions and of random games, that asks for the
    layout of one board in a thousand that is written by columns, and fails to ask for that of one
    in four thousand written by rows. In the first moves of a solution it asks more often: of one
    board in a hundred and twenty.
    """
    if not sink_like_rows(lengths):
        return False
    by_rows = [sum(length > i for length in lengths) for i in range(lengths[0])]
    deal = _dealt(cascades or USUAL_CASCADES)
    return _distance(by_rows, deal) <= _distance(lengths, deal) + _FARTHER


def _dealt(cascades: int) -> list[int]:
    """How many cards each cascade of a deal has."""
    return [len(range(i, len(DECK), cascades)) for i in range(cascades)]


def _distance(lengths: Sequence[int], others: Sequence[int]) -> int:
    """By how many cards the cascades of two positions differ, from the longest of each on."""
    return sum(abs(one - other) for one, other in zip_longest(lengths, others, fillvalue=0))


def cascades_of(lines: Sequence[Line], cascades: int | None, layout: str | None) -> Cascades:
    """The cascades that lines of cards show, as many as are shown.

    Args:
        lines: of one board.
        cascades: how many the game has; None if any number.
        layout: one of ``LAYOUTS``; None if lines are cascades unless they could be rows.

    Raises:
        DealError: naming the two ways to read the lines, or the line that is no row.
    """
    if len(lines) == 1 and len(lines[0].cards) == len(DECK) and not lines[0].is_cascade:
        return _whole_deal(lines[0], cascades or USUAL_CASCADES, layout)
    if layout is None:
        _refuse_one_row(lines)
        _refuse_rows(lines, cascades)
    if layout == "rows":
        _refuse_borders(lines, cascades or USUAL_CASCADES)
    return _transposed(lines) if layout == "rows" else [line.cards for line in lines]


def _whole_deal(line: Line, cascades: int, layout: str | None) -> Cascades:
    """The cascades of a deal whose 52 cards stand on one line."""
    cards = line.cards
    if None in line.places[: len(cards)]:
        raise DealError(f"line {line.number}: a place without a card among all 52 cards")
    starts = range(min(cascades, len(cards)))
    by_rows = [cards[i::cascades] for i in starts]
    left = iter(cards)
    by_columns = [tuple(next(left) for _ in column) for column in by_rows]
    if layout is None:
        dealt = tuple(c for row in zip_longest(*by_columns) for c in row if c is not None)
        is_row_deal, is_column_deal = (number_of_deck(deck) is not None for deck in (cards, dealt))
        if is_row_deal == is_column_deal:
            raise DealError(
                f"line {line.number}: 52 cards on one line can be read in two ways: by columns, "
                f"with {_names(by_columns[0])} in the first cascade, or by rows, with "
                f"{_names(by_rows[0])}, and neither is a numbered deal: say --columns or --rows, "
                "or write | between the cascades"
            )
        layout = "rows" if is_row_deal else "columns"
    return by_rows if layout == "rows" else by_columns


def _names(cards: Sequence[int]) -> str:
    return " ".join(map(card_name, cards))


def _refuse_one_row(lines: Sequence[Line]) -> None:
    """Complain of separators on a single line: they may separate cards or cascades."""
    if len(lines) == 1 and lines[0].separated and not lines[0].is_cascade:
        count = len(lines[0].places)
        raise DealError(
            f"line {lines[0].number} can be read in two ways: by columns, with {count} cards in "
            f"one cascade, or by rows, with a card in each of {count} cascades: "
            "say --columns or --rows"
        )


def _refuse_rows(lines: Sequence[Line], cascades: int | None) -> None:
    """Complain of lines that may be rows of a screen instead of cascades."""
    if any(line.is_cascade for line in lines):
        return
    lengths = [len(line.cards) for line in lines]
    if is_deal_by_rows(lengths) or _is_table_of_rows(lines, lengths):
        _refuse_two_ways(lines, cascades)
    gap = _line_with_gap(lines)
    if gap:
        raise DealError(
            f"line {gap}: a blank as wide as a card, as a screen's row has where a cascade ends: "
            "for rows say --rows and write -- there, for cascades say --columns"
        )


def refuse_rows_in_mid_game(lines: Sequence[Line], cascades: int | None) -> None:
    """Complain of lines of a whole deck that may be rows of a screen in mid-game.

    Args:
        lines: of one board, for which no layout was asked.
        cascades: how many the game has; None if any number.

    Raises:
        DealError: naming the two ways to read them.
    """
    lengths = [len(line.cards) for line in lines]
    if not any(line.is_cascade for line in lines) and _can_be_rows(lengths, cascades):
        _refuse_two_ways(lines, cascades, " (and write -- where a cascade has no card)")


def _refuse_two_ways(lines: Sequence[Line], cascades: int | None, for_rows: str = "") -> None:
    """Complain of lines that may be rows, unless these have more places than the game cascades."""
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
        raise DealError(
            f"{where} can be read in two ways: by columns, with {_joined(by_columns)} cards in "
            f"the cascades, or by rows, with {_joined(by_rows)}: say --columns or --rows{for_rows}"
        )


def _is_table_of_rows(lines: Sequence[Line], lengths: Sequence[int]) -> bool:
    """Whether lines with separators may be rows of a screen, which need not be a whole deal.

    A table is a screen's more often than a list of cascades. Only cascades of a position can have
    such lengths, and they rarely do; but tables have empty places at the ends of cascades, too.
    """
    if len(lines) < 2 or not all(line.separated for line in lines):
        return False
    widths = {len(line.places) for line in lines}
    filled = len(widths) == 1 and MIN_CASCADES <= max(widths) <= MAX_CASCADES
    empty = any(None in line.places for line in lines)
    dealt = _dealt(len(lengths))
    return _are_like_rows(lengths) or (filled and empty and list(lengths) != dealt)


def _joined(lengths: Sequence[int]) -> str:
    return "-".join(map(str, lengths))


def _line_with_gap(lines: Sequence[Line]) -> int | None:
    """The first line with a place that lacks its card.

    That is an empty place between separators, or else a blank so much wider than others that
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
    """Complain of borders that can be separators beside cascades that are empty throughout."""
    words = [word for row in rows for word in row.text.replace("|", " ").split()]
    wide = max(len(row.places) for row in rows) + 2 > cascades
    deal = sum(len(row.cards) for row in rows) == len(DECK)
    if any(row.bordered for row in rows) and not (wide or deal or NOTHING.intersection(words)):
        raise DealError(
            f"line {rows[0].number}: | at both ends can be a border, or beside empty cascades: "
            "leave it out there, and write - where a cascade has no card"
        )


def _transposed(rows: Sequence[Line]) -> Cascades:
    """The cascades of a board whose lines are rows."""
    for row in rows:
        if row.is_cascade:
            raise DealError(f"line {row.number}: ':' begins a cascade, no row: leave out --rows")
    # Separators at the ends of all lines make a last place that is always empty.
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
    """Whether these are the rows of a whole deal, whose last one is dealt from the left."""
    indented = _indent(rows[-1]) >= _indent(rows[0]) + _NARROWEST_CARD
    lengths = [len(row.cards) for row in rows]
    return is_deal_by_rows(lengths) and not indented and not _line_with_gap(rows)


def _indent(line: Line) -> int:
    text = line.text.expandtabs()
    return len(text) - len(text.lstrip())
