"""FreeCell boards: Microsoft deals and the field's common text, both ways.

The text is a line for each cascade, leftmost first, exposed card last, with
optional ``Foundations: C-0 D-2 H-0 S-A`` and ``Freecells: 2C - TH`` lines
before them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deals.cards import DealError, card_name, deck_faults, parse_card
from deals.foundations import Foundations, foundations_text, read_foundations
from deals.microsoft import shuffled_deck

MIN_CASCADES, MAX_CASCADES = 4, 9
MIN_CELLS, MAX_CELLS = 0, 7

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
    ) -> FreeCellBoard:
        """Read a board.

        Args:
            text: the board's lines.
            cells: number of free cells, no less than the ``Freecells:`` line names. By default as
                many as it names, and 4 where it names none: where there is no such line, or an
                empty one, or one that shows cards alone. ``-`` or ``--`` is an empty cell; blanks
                four characters wide are, too, as fc-solve prints them, but count only where there
                are more than four places. ``none`` is no cell at all.
            cascades: number of cascades; by default as many as there are, at least 8. Missing
                ones are empty.

        Raises:
            DealError: naming the line and the card that cannot be.
        """
        return _parse(text, cells, cascades)

    def __str__(self) -> str:
        lines = []
        if any(self.foundations):
            lines.append("Foundations: " + foundations_text(self.foundations))
        if self.cells or self.cell_count != _USUAL_CELLS:
            places = [card_name(c) for c in self.cells]
            places += ["-"] * (self.cell_count - len(self.cells))
            lines.append(" ".join(["Freecells:", *(places or ["none"])]))
        lines += [" ".join(map(card_name, column)) or ":" for column in self.cascades]
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
    if not MIN_CASCADES <= cascades <= MAX_CASCADES:
        raise DealError(f"a game has {MIN_CASCADES} to {MAX_CASCADES} cascades, got {cascades}")
    deck = shuffled_deck(number)
    return FreeCellBoard(tuple(deck[i::cascades] for i in range(cascades)), cell_count=cells)


_LABEL = re.compile(r"^\s*(foundations?|founds?|freecells?|fc)\s*:(.*)$", re.IGNORECASE)
_EMPTY = ("-", "--")
_FOUR_WIDE = re.compile(r"(?:    |  \S\S| \S\S\S)+ {0,3}")
"""Free cells as fc-solve prints them: a card at the right of its place, or blanks."""


def _parse(text: str, cells: int | None, cascades: int | None) -> FreeCellBoard:
    columns: list[tuple[int, ...]] = []
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
            columns.append(_cards(_places(words, number, seen, False)))
    if not columns:
        raise DealError("no board: expected a line of cards for each cascade")
    for card, number in seen.items():
        if card >> 2 <= home[card & 3]:
            raise DealError(
                f"line {number}: {card_name(card)} cannot be here, "
                f"line {home_line} says it is on its foundation"
            )
    wanted = cascades if cascades is not None else max(8, len(columns))
    if len(columns) > wanted:
        raise DealError(f"{len(columns)} lines of cards, but the game has {wanted} cascades")
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
