"""Reads the text of one or many FreeCell boards, in the forms that programs and people write.

``deals.freecell_board`` describes the forms. This module finds the cards and their places;
``deals.freecell_layout`` makes cascades of the lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from deals.cards import (
    DECK,
    SEPARATORS,
    DealError,
    card_name,
    deck_faults,
    is_card,
    parse_card,
)
from deals.drawn import is_head, is_numbers, read_drawn
from deals.foundations import EMPTY, NOTHING, Foundations, read_foundations
from deals.freecell_layout import (
    LAYOUTS,
    MAX_CASCADES,
    MIN_CASCADES,
    USUAL_CASCADES,
    Cascades,
    Line,
    cascades_of,
    is_dealt,
    refuse_rows_in_mid_game,
)
from deals.headings import not_understood
from deals.other_games import check_shape, check_signs
from deals.pasted import HEADING
from deals.signs import FREECELL
from deals.solvitaire import (
    CELLS,
    FOUNDATIONS,
    TABLEAU,
    NumberedLine,
    begins_json,
    parted,
)
from deals.solvitaire import read_board as read_object
from deals.words import plural

MIN_CELLS, MAX_CELLS = 0, 7
USUAL_CELLS = 4

_LABEL = re.compile(
    r"\s*+(?:(?P<home>foundations?|founds?|home(?:\s?cells?)?)|free[\s-]?cells?|cells?|fc)"
    r"(?:\s*+\((?P<count>\d+)\))?(?:\s*+[:=]|(?=\s|$))(?P<content>.*)$",
    re.IGNORECASE,
)
_CASCADES = re.compile(r"\s*+cascades\s*+[:=]?\s*+(\d++)\s*+", re.IGNORECASE)
_FOUR_WIDE = re.compile(r"(?:    |  \S\S| \S\S\S)+ {0,3}")
"""Free cells as fc-solve prints them: four characters each, a card at the right, or blanks."""
_GAP = "--"
_SEPARATOR = re.compile(f"[{SEPARATORS}]")
_COARSEST_FIRST = ";|,"
_NUMBERED = re.compile(r"\s*([0-9])\s*:\s*(.*)")
_ONE_END = (
    "line {}: | at the left end only: write it at both ends as a border, or write - where a card "
    "or a cascade is missing"
)
_HALF_A_DECK = 26


class BoardText(NamedTuple):
    """The attributes of a ``FreeCellBoard``, in order, as read from a text."""

    cascades: tuple[tuple[int, ...], ...]
    cells: tuple[int, ...]
    foundations: Foundations
    cell_count: int
    notes: tuple[str, ...]
    places: tuple[int, ...]
    places_by_blanks: bool


class _Shown(NamedTuple):
    """What a text shows, before we know how many cascades and cells the game has.

    Attributes:
        cascades: those shown.
        cells: what lies in each free cell, None for an empty one.
        foundations: the highest rank on the foundation of clubs, diamonds, hearts, spades.
        named: how many free cells the text says there are; None if it does not say.
        cells_line: the number of the line that names the cells.
        line_of: the line number of each card.
        in_rows: whether the cascades were read from rows.
        counted: how many cascades the text says there are; None if it does not say.
        by_blanks: whether blanks alone tell which cells are empty.
    """

    cascades: Cascades
    cells: Sequence[int | None]
    foundations: Foundations
    named: int | None
    cells_line: int
    line_of: dict[int, int]
    in_rows: bool = False
    counted: int | None = None
    by_blanks: bool = False


def read_board(
    text: Sequence[NumberedLine], cells: int | None, cascades: int | None, layout: str | None
) -> BoardText:
    """Read the lines of one board; the other arguments are those of ``FreeCellBoard.from_text``.

    Raises:
        DealError: naming the line and the card that is wrong, or both ways to read a line.
    """
    if layout not in (None, *LAYOUTS):
        raise DealError(f"a board is laid out in {' or '.join(LAYOUTS)}, got {layout!r}")
    if begins_json(text):
        return _fitted(_in_json(text), cells, cascades)
    check_signs(text, FREECELL)
    drawn = read_drawn(text)
    if drawn:
        text, layout = drawn.lines, "rows"
    lines: list[NumberedLine] = []
    row: list[int | None] = []
    home: Foundations = (0, 0, 0, 0)
    shown = ""
    counted_cells = ""
    seen: dict[int, int] = {}
    home_line = cells_line = below_cells = 0
    counted = None
    for number, line in text:
        label = _LABEL.match(line)
        if told := _CASCADES.fullmatch(line):
            if counted is not None:
                raise DealError(f"line {number}: the number of cascades again")
            counted = int(told[1][:3])
            if not MIN_CASCADES <= counted <= MAX_CASCADES:
                raise DealError(
                    f"line {number}: expected {MIN_CASCADES} to {MAX_CASCADES} cascades, got "
                    f"{told[1]:.20}"
                )
        elif label and label["home"]:
            if home_line:
                raise DealError(
                    f"line {number}: foundations again: line {home_line} already has them"
                )
            home = read_foundations(label["content"], number)
            home_line = number
        elif label:
            content = _without_separators(label["content"], number)
            alone = _says_alone(content)
            if cells_line:
                raise DealError(
                    f"line {number}: free cells again: line {cells_line} already has them"
                )
            shown, counted_cells, cells_line = content, label["count"] or "", number
            row += _places([] if alone else _in_cells(content), number, seen, True)
        elif HEADING.match(line):
            raise not_understood(line, number, "a heading like 'Deal 617'")
        elif line.strip():
            if 0 < cells_line == number - 1 and not (shown.strip() or counted_cells):
                below_cells = len(line.split())
            lines.append((number, line))
    groups = _cascades_on_one_line(*lines[0]) if len(lines) == 1 else []
    lines = groups or lines
    if layout != "rows":
        lines = _without_numbers(lines)
    written = _lines(lines, seen, gaps=layout == "rows")
    # Late in a game, all cards may lie in the cells and on the foundations.
    if not written and len(seen) + sum(home) < len(DECK):
        at_home = [card for card in DECK if card >> 2 <= home[card & 3]]
        cards = [*seen, *at_home]
        most = len(cards) > _HALF_A_DECK
        faults = f", or all cards in cells and at home: {deck_faults(cards)}" if most else ""
        raise DealError(f"no board: expected a line of cards for each cascade{faults}")
    for card, number in seen.items():
        if card >> 2 <= home[card & 3]:
            raise DealError(
                f"line {number}: {card_name(card)} cannot be here: "
                f"line {home_line} says it is on its foundation"
            )
    if layout != "columns":
        check_shape([len(line.cards) for line in written if line.cards], FREECELL)
    columns = cascades_of(written, cascades, layout)
    # If this is not a full deck, the missing cards are the better message.
    if layout is None and len(seen) + sum(home) == len(DECK):
        refuse_rows_in_mid_game(written, cascades)
    if len(columns) > USUAL_CASCADES and 0 < below_cells <= MAX_CELLS and layout is None:
        raise DealError(
            f"line {cells_line} can be read in two ways: no card lies in the free cells, or those "
            "of the line below it do: write the cards of the cells behind the label, or -- for each"
        )
    named = drawn.cells if drawn else _named_cells(shown)
    if counted_cells:
        held = sum(card is not None for card in row)
        named = _counted_cells(int(counted_cells[:3]), named, held, cells_line)
    rows = layout == "rows"
    if drawn:
        counted = len(columns)
    by_blanks = _FOUR_WIDE.fullmatch(shown) is not None
    shown_cards = _Shown(columns, row, home, named, cells_line, seen, rows, counted, by_blanks)
    return _fitted(shown_cards, cells, cascades)


def _fitted(shown: _Shown, cells: int | None, cascades: int | None) -> BoardText:
    """The board in a game with these numbers of cells and cascades, or those that its text shows.

    Raises:
        DealError: if the text shows more of them than the game has.
    """
    columns = shown.cascades
    wanted = cascades if cascades is not None else _cascades_of_game(shown)
    if shown.counted is not None and shown.counted > wanted:
        said = plural(shown.counted, "cascade")
        raise DealError(f"the text says that there are {said}, but the game has {wanted}")
    if len(columns) > wanted:
        what = ("card in a row", "cards in a row") if shown.in_rows else ("line", "lines of cards")
        given = plural(len(columns), *what)
        raise DealError(f"{given}, but the game has {plural(wanted, 'cascade')}")
    named = shown.named
    count = cells if cells is not None else USUAL_CELLS if named is None else named
    places = [place for place, card in enumerate(shown.cells) if card is not None]
    held = [card for card in shown.cells if card is not None]
    if MIN_CELLS <= count <= MAX_CELLS:
        if len(held) > count:
            over = held[count]
            raise DealError(
                f"line {shown.line_of[over]}: {card_name(over)} is one too many in the free cells: "
                f"the game has {count}"
            )
        if named is not None and named > count:
            raise DealError(
                f"line {shown.cells_line}: {plural(named, 'free cell')}, but the game has {count}: "
                f"leave out empty ones, or ask for {plural(named, 'cell')}"
            )
    notes = []
    if cells is None and count != USUAL_CELLS:
        some = plural(count, "free cell") if count else "no free cells"
        notes.append(f"played with {some}, as its text says: ask for another number to change it")
    if cascades is None and wanted != USUAL_CASCADES:
        notes.append(
            f"played with {wanted} cascades, as its text shows: ask for another number to change it"
        )
    if 0 < len(columns) < wanted:
        missing = f"cascade {wanted} is"
        if wanted - len(columns) > 1:
            joint = "and" if wanted - len(columns) == 2 else "to"
            missing = f"cascades {len(columns) + 1} {joint} {wanted} are"
        notes.append(
            f"played as if {missing} empty, as its text shows only {len(columns)}: "
            "write -- on the line of an empty cascade"
        )
    empty = [()] * (wanted - len(columns))
    board = (*columns, *empty), tuple(held), shown.foundations, count
    # Blanks can name more places than the game has.
    known = places != [*range(len(places))] and places[-1] < count
    return BoardText(
        *board, tuple(notes), tuple(places) if known else (), known and shown.by_blanks
    )


def _cascades_of_game(shown: _Shown) -> int:
    """How many cascades a board's game has: as many as its text says, or eight or more.

    It has fewer if the lines are those of a deal over fewer cascades, which no game with eight can
    reach.
    """
    if shown.counted is not None:
        return max(MIN_CASCADES, shown.counted)
    count = len(shown.cascades)
    if is_dealt(list(map(len, shown.cascades))):
        return count
    return max(USUAL_CASCADES, count)


def _in_json(text: Sequence[NumberedLine]) -> _Shown:
    board = read_object(text, (TABLEAU, CELLS, FOUNDATIONS), "FreeCell")
    held = [cell.card if cell else None for cell in board.cells]
    return _Shown(
        [tuple(card.card for card in pile) for pile in board.piles],
        held,
        board.foundations,
        len(board.cells) or None,
        board.line,
        {card: board.line for card in held if card is not None},
        counted=len(board.piles),
    )


def split_boards(text: str) -> list[list[NumberedLine]]:
    """The lines of each board of a text.

    An empty line ends a board that is not JSON. Adjacent lines with more than half a deck each
    are boards of one line.
    """
    boards: list[list[NumberedLine]] = []
    for is_json, lines in parted(text):
        boards += [lines] if is_json else _boards_in(lines)
    return boards


def _boards_in(lines: Iterable[NumberedLine]) -> Iterator[list[NumberedLine]]:
    for block in _blocks(lines):
        labels = [_LABEL.match(line) is not None for _, line in block]
        whole = [_has_half_a_deck(line) for _, line in block]
        starts = [0]
        # Labels stand before their boards. Anywhere else they could belong to either board.
        if sum(whole) > 1 and (labels[0] or not any(labels)):
            starts += [i + 1 for i, is_whole in enumerate(whole[:-1]) if is_whole]
        for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
            yield block[start:end]


def _blocks(lines: Iterable[NumberedLine]) -> Iterator[list[NumberedLine]]:
    """Blocks of lines between empty ones; a drawing has an empty line above its numbers."""
    head: list[NumberedLine] = []
    for is_empty, group in groupby(lines, key=lambda line: not line[1].strip()):
        block = [] if is_empty else list(group)
        if head and block:
            if is_numbers(block[0][1]):
                block = head + block
            else:
                yield head
            head = []
        if is_head(block):
            head = block
        elif block:
            yield block
    if head:
        yield head


def _has_half_a_deck(line: str) -> bool:
    """Whether a line has more than half of the cards, as at most one line of a board can."""
    words = _SEPARATOR.sub(" ", line).split()
    return len(words) > _HALF_A_DECK and sum(map(is_card, words)) > _HALF_A_DECK


def _without_numbers(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Lines of cascades with ``:`` in place of numbers like ``4:`` and of words for an empty one.

    Raises:
        DealError: if a number is not that of its cascade.
    """
    found: list[NumberedLine] = []
    for place, (number, line) in enumerate(lines, start=1):
        numbered = _NUMBERED.fullmatch(line)
        if numbered and int(numbered[1]) != place:
            raise DealError(
                f"line {number}: expected cascade {place}, got {numbered[1]}: write -- on the line "
                "of an empty cascade, and number them from 1 on"
            )
        text = f": {numbered[2]}" if numbered else line
        is_empty = text.strip().removeprefix(":").strip().lower() in EMPTY
        found.append((number, ":" if is_empty else text))
    return found


def _lines(written: Sequence[NumberedLine], seen: dict[int, int], gaps: bool) -> list[Line]:
    """The cards and empty places of each line.

    Args:
        written: the lines.
        seen: the line number of each card so far; gets the cards of these lines, too.
        gaps: whether words like ``--`` stand for empty places.
    """
    bodies = [(number, text.strip().removeprefix(":").strip()) for number, text in written]
    bordered = _have_borders(bodies)
    lines: list[Line] = []
    for (number, text), (_, body) in zip(written, bodies, strict=True):
        if bordered:
            body = body.removeprefix("|").removesuffix("|")
        *fields, last = _SEPARATOR.split(body)
        # After several words, a lone separator at the end of a line separates nothing.
        if last.strip() or len(fields) != 1 or not _has_several_words(fields[0]):
            fields.append(last)
        if len(fields) == 1:
            places = _places(fields[0].split(), number, seen, gaps)
        else:
            places = [place for field in fields for place in _field(field, number, seen, gaps)]
        lines.append(Line(number, text, places, len(fields) > 1, bordered and len(fields) > 1))
    return lines


def _have_borders(bodies: Iterable[NumberedLine]) -> bool:
    """Whether ``|`` stands at the ends of all lines, not between places."""
    barred = [(number, body) for number, body in bodies if "|" in body]
    if not barred or not all(body.startswith("|") for _, body in barred):
        return False
    for number, body in barred:
        if not body.endswith("|"):
            raise DealError(_ONE_END.format(number))
    return True


def _field(field: str, number: int, seen: dict[int, int], gaps: bool) -> list[int | None]:
    """What stands between two separators: a card or an empty place."""
    if _has_several_words(field):
        raise DealError(
            f"line {number}: {field.strip()!r} stands between separators: these stand between "
            "cards if a board has several lines, and between cascades if it has one"
        )
    return _places(field.split(), number, seen, gaps) or [None]


def _cascades_on_one_line(number: int, text: str) -> list[NumberedLine]:
    """The cascades of a board on one line, each as a line; empty if nothing separates them.

    Raises:
        DealError: if it is unclear whether the first cascade is empty.
    """
    for separator in _COARSEST_FIRST:
        groups = [group.strip() for group in text.split(separator)]
        if text.lstrip().startswith(":") or not any(map(_has_several_words, groups)):
            continue
        if not groups[-1]:
            groups = groups[separator == "|" and not groups[0] : -1]
        elif separator == "|" and not groups[0]:
            raise DealError(_ONE_END.format(number))
        if len(groups) > 1:
            return [(number, group if _has_cards(group) else ":") for group in groups]
    return []


def _has_several_words(field: str) -> bool:
    return len(_SEPARATOR.sub(" ", field).split()) > 1


def _has_cards(group: str) -> bool:
    return any(word not in NOTHING for word in _SEPARATOR.sub(" ", group).split())


def _places(
    words: Iterable[str], number: int, seen: dict[int, int], gaps: bool
) -> list[int | None]:
    """The cards of a line, and None for each empty place.

    Args:
        words: of the line.
        number: its number, for messages.
        seen: the line number of each card so far; gets the cards of this line, too.
        gaps: whether there can be empty places.
    """
    places: list[int | None] = []
    for word in words:
        if gaps and word in NOTHING:
            places.append(None)
            continue
        try:
            card = parse_card(word)
        except DealError as error:
            raise DealError(f"line {number}: {error}") from None
        if card in seen:
            raise DealError(
                f"line {number}: {card_name(card)} appears twice, also in line {seen[card]}"
            )
        seen[card] = number
        places.append(card)
    return places


def _without_separators(content: str, number: int) -> str:
    """The content of the free cells' line with blanks in place of separators."""
    if _SEPARATOR.search(content) is None:
        return content
    inside = content.strip()
    if inside.startswith("|") and inside.endswith("|"):
        inside = inside[1:-1]
    fields = [field.strip() for field in _SEPARATOR.split(inside)]
    if not all(fields):
        raise DealError(
            f"line {number}: nothing between two separators of the free cells: "
            "write -- for an empty one"
        )
    return " ".join(fields)


def _in_cells(content: str) -> list[str]:
    """The words for the free cells one by one; four blanks are an empty one for fc-solve."""
    if _FOUR_WIDE.fullmatch(content) is None:
        return content.split()
    return [content[i : i + 4].strip() or _GAP for i in range(0, len(content), 4)]


def _says_alone(shown: str) -> bool:
    """Whether one word describes all free cells: they are all empty, or there are none."""
    return shown.strip().lower() in ("none", "empty", "0")


def _named_cells(shown: str) -> int | None:
    """How many free cells there are, by what follows ``Freecells:``; None if it does not tell."""
    if _says_alone(shown):
        return 0 if shown.strip() == "0" else None
    words = shown.split()
    if any(word in NOTHING for word in words):
        return len(words)
    # Editors cut blanks at the end of a line, so a short line does not mean fewer cells.
    if words and _FOUR_WIDE.fullmatch(shown) and len(shown) // 4 > USUAL_CELLS:
        return len(shown) // 4
    return None


def _counted_cells(count: int, places: int | None, held: int, line: int) -> int:
    """The number of free cells in parentheses after the label.

    Args:
        count: that number.
        places: how many there are by the words after the label; None if these do not tell.
        held: how many cards lie in free cells.
        line: the number of the line, for messages.

    Raises:
        DealError: if the words tell another number; the message names both.
    """
    other = held if places is None and held > count else places
    if other not in (None, count):
        raise DealError(
            f"line {line} can be read in two ways: with {plural(count, 'free cell')}, as the "
            f"number in parentheses says, or with {other}: write one of the two"
        )
    return count
