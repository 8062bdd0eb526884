"""FreeCell boards: Microsoft deals, and boards read from text and written as text.

The text is a line for each cascade, leftmost first, exposed card last, with
optional ``Foundations: C-0 D-2 H-0 S-A`` and ``Freecells: 2C - TH`` lines
before them. fc-solve and PySol FC write it, too. Other forms can be read:

- ``|``, commas or semicolons between cards, as in a table; a ``|`` at both ends is a border;
- the number of free cells in parentheses, ``Freecells (2): 2C TH``; we write it ourselves if all
  cells are taken and there are not four;
- other spellings of the labels (``FC:``, ``Free cells:``, ``Founds: H:3``) and of cards;
- ``--``, ``[]``, ``empty`` or ``4:`` on the line of a cascade without a card;
- a board as ``solve --draw`` shows it;
- a board on one line, with separators between cascades, or without them if it is a numbered deal;
- Solvitaire's JSON (``deals.solvitaire``).

On request, ``FreeCellBoard.from_text`` reads lines as the rows of a screen instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from deals.cards import DealError, card_name, deck_faults
from deals.checks import check_lists, check_numbers, text_of, whole_number
from deals.foundations import Foundations, foundations_text
from deals.freecell_layout import (
    LAYOUTS,
    MAX_CASCADES,
    MIN_CASCADES,
    USUAL_CASCADES,
    is_dealt,
    sink_like_rows,
)
from deals.freecell_text import MAX_CELLS, MIN_CELLS, USUAL_CELLS, read_board, split_boards
from deals.microsoft import shuffled_deck
from deals.pasted import without_headings, without_moves
from deals.words import plural

__all__ = [
    "LAYOUTS",
    "MAX_CASCADES",
    "MAX_CELLS",
    "MIN_CASCADES",
    "MIN_CELLS",
    "FreeCellBoard",
    "freecell",
    "read_freecell_boards",
]


@dataclass(frozen=True)
class FreeCellBoard:
    """A FreeCell position.

    Attributes:
        cascades: 4 to 9 columns of cards, each from its deepest card to its exposed one.
        cells: the cards in the free cells, at most ``cell_count``.
        foundations: the highest rank on the foundation of clubs, diamonds, hearts, spades; 0 for
            none.
        cell_count: how many free cells the game has, 0 to 7.
        notes: sentences on what the reader assumed where the text left something open; equality
            ignores them.
        places: in which free cell each of the cards in ``cells`` lies, from 0 and ascending;
            empty if they lie in the first ones. Only the names of cells in moves depend on it, so
            equality ignores it.
        places_by_blanks: whether the places were read from blanks, as fc-solve prints empty cells.
            fc-solve itself ignores blanks when it reads: its moves may name the first cells.

    Raises:
        DealError: if the 52 cards are not each in exactly one place, or the
            numbers of cascades and cells are out of range.
    """

    cascades: tuple[tuple[int, ...], ...]
    cells: tuple[int, ...] = ()
    foundations: Foundations = (0, 0, 0, 0)
    cell_count: int = USUAL_CELLS
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    places: tuple[int, ...] = field(default=(), compare=False, repr=False)
    places_by_blanks: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_lists(self.cascades, "the cascades", DealError)
        check_numbers(self.cells, "the cards in the free cells", DealError)
        check_numbers(self.foundations, "the foundations", DealError)
        whole_number(self.cell_count, "the number of free cells", DealError)
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
                f"{len(self.cells)} cards lie in free cells, but the game has {self.cell_count}"
            )
        check_numbers(self.places, "the places in the free cells", DealError)
        if self.places and (
            len(self.places) != len(self.cells)
            or sorted(set(self.places) & set(range(self.cell_count))) != [*self.places]
        ):
            raise DealError(
                f"the places of {plural(len(self.cells), 'card')} in {self.cell_count} free cells "
                f"are as many numbers, ascending from 0, got {self.places}"
            )
        if len(self.foundations) != 4 or any(not 0 <= rank <= 13 for rank in self.foundations):
            raise DealError(f"foundations are four ranks from 0 to 13, got {self.foundations}")
        home = [4 * r + s for s in range(4) for r in range(1, self.foundations[s] + 1)]
        faults = deck_faults(
            [c for column in self.cascades for c in column] + list(self.cells) + home
        )
        if faults:
            raise DealError(f"not one full deck: {faults}")

    @property
    def cell_row(self) -> tuple[int | None, ...]:
        """The card in each free cell, None for an empty one."""
        held = dict(zip(self.places or range(len(self.cells)), self.cells, strict=True))
        return tuple(map(held.get, range(self.cell_count)))

    @classmethod
    def from_text(
        cls,
        text: str,
        cells: int | None = None,
        cascades: int | None = None,
        layout: str | None = None,
    ) -> FreeCellBoard:
        """Read a board.

        Some texts can be read by columns and by rows, and then need ``layout``:

        - lines of one length, the last perhaps shorter, with all 52 cards: no deal has such
          cascades;
        - most positions in which no line is longer than the one above it;
        - lines with a gap in which a card could be missing, and tables that can be rows of a
          position;
        - 52 cards on one line without separators, or with separators between all cards, unless
          exactly one of the two readings is a numbered deal.

        A ``:`` at the beginning of a line says that the lines are cascades.

        Args:
            text: the board's lines.
            cells: number of free cells, at least as many as the ``Freecells:`` line names. By
                default as many as it names. It names none, and the game has 4, if the line is
                missing, is empty or has only cards. ``-`` or ``--`` is an empty cell. So are
                blanks four characters wide, as fc-solve prints them, but they count only if there
                are more than four places. ``none`` means that all are empty, ``0`` that there are
                none, and ``Freecells (2):`` that there are two.
            cascades: number of cascades; missing ones are empty. By default as many as the text
                shows, but at least 8, unless a whole deal shows fewer.
            layout: ``columns`` if each line is a cascade. ``rows`` if the k-th word of each line
                lies in the k-th cascade, with the deepest cards in the first line; ``-`` or ``--``
                is a place without a card, which only the last row of a whole deal may leave out.

        Raises:
            DealError: naming the line and the card that is wrong, or both ways to read the lines.
        """
        lines = list(enumerate(_board_lines(text).splitlines(), start=1))
        return cls(*read_board(lines, cells, cascades, layout))

    def __str__(self) -> str:
        lines = []
        if any(self.foundations):
            lines.append("Foundations: " + foundations_text(self.foundations))
        if self.cells or self.cell_count != USUAL_CELLS:
            places = ["-" if card is None else card_name(card) for card in self.cell_row]
            # An empty place shows that all places are listed; without one, readers assume four.
            full = len(self.cells) == self.cell_count not in (0, USUAL_CELLS)
            label = f"Freecells ({self.cell_count}):" if full else "Freecells:"
            lines.append(" ".join([label, *(places or ["0"])]))
        lengths = list(map(len, self.cascades))
        if len(lengths) < USUAL_CASCADES and not is_dealt(lengths):
            lines.append(f"Cascades: {len(lengths)}")
        # The line of an empty cascade has its colon anyway.
        marked = all(self.cascades) and sink_like_rows(lengths)
        mark = ": " if marked else ""
        lines += [mark + " ".join(map(card_name, column)) or ":" for column in self.cascades]
        return "\n".join(lines)


def freecell(
    number: int, cascades: int = USUAL_CASCADES, cells: int = USUAL_CELLS
) -> FreeCellBoard:
    """The Microsoft deal with this number, dealt row by row over the cascades.

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


def _board_lines(text: str) -> str:
    """A text without quotation marks, headings and moves between drawings."""
    return without_headings(without_moves(text_of(text, "a board", DealError)))


def read_freecell_boards(
    text: str,
    cells: int | None = None,
    cascades: int | None = None,
    layout: str | None = None,
    faults: list[str] | None = None,
) -> list[FreeCellBoard | None]:
    """Read one or many boards.

    An empty line ends a board; boards of one line, and objects in JSON, need none between them.

    Args:
        text: the boards.
        cells, cascades, layout: as in ``FreeCellBoard.from_text``.
        faults: if given, gets a message for each board that cannot be read; the result has None
            in the place of that board.

    Raises:
        DealError: if a board cannot be read and ``faults`` is not given; as
            ``FreeCellBoard.from_text``, and naming the board if there are several.
    """
    parts = split_boards(_board_lines(text))
    if not parts:
        raise DealError("no board: expected a line of cards for each cascade")
    boards: list[FreeCellBoard | None] = []
    for place, lines in enumerate(parts, start=1):
        try:
            boards.append(FreeCellBoard(*read_board(lines, cells, cascades, layout)))
        except DealError as error:
            fault = f"board {place}, {error}" if len(parts) > 1 else str(error)
            if len(parts) > 1 and ("missing" in fault or "no board" in fault):
                fault += (
                    "; an empty line ends a board: write -- for an empty cascade, or leave it out"
                )
            if faults is None:
                raise DealError(fault) from error
            faults.append(fault)
            boards.append(None)
    return boards
