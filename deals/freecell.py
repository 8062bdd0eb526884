"""FreeCell boards: Microsoft deals and the field's common text, both ways.

The text is a line for each cascade, leftmost first, exposed card last, with
optional ``Foundations: C-0 D-2 H-0 S-A`` and ``Freecells: 2C - TH`` lines
before them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from deals.cards import DealError, card_name, deck_faults, parse_card
from deals.foundations import Foundations, foundations_text, read_foundations
from deals.microsoft import shuffled_deck

MIN_CASCADES, MAX_CASCADES = 4, 9
MIN_CELLS, MAX_CELLS = 0, 7


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
    cell_count: int = 4

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
        cls, text: str, cells: int | None = None, cascades: int | None = None
    ) -> FreeCellBoard:
        """Read a board.

        Args:
            text: the board's lines.
            cells: number of free cells; by default as many as the ``Freecells:``
                line has places, but 4 where there is no such line, or one that
                shows no empty cell (``-``) beside its cards.
            cascades: number of cascades; by default as many as there are lines,
                at least 8. Missing lines are empty cascades.

        Raises:
            DealError: naming the line and the card that cannot be.
        """
        return _parse(text, cells, cascades)

    def __str__(self) -> str:
        lines = []
        if any(self.foundations):
            lines.append("Foundations: " + foundations_text(self.foundations))
        if self.cells or self.cell_count != 4:
            places = [card_name(c) for c in self.cells]
            places += ["-"] * (self.cell_count - len(self.cells))
            lines.append(" ".join(["Freecells:", *places]))
        lines += [" ".join(map(card_name, column)) or ":" for column in self.cascades]
        return "\n".join(lines)


def freecell(number: int, cascades: int = 8, cells: int = 4) -> FreeCellBoard:
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


def _parse(text: str, cells: int | None, cascades: int | None) -> FreeCellBoard:
    columns: list[tuple[int, ...]] = []
    held: list[int] = []
    home: Foundations = (0, 0, 0, 0)
    places: list[str] | None = None
    seen: dict[int, int] = {}
    home_line = 0
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
        found = []
        for word in words:
            if label and word in "-":
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
            found.append(card)
        if label:
            held += found
            places = (places or []) + words
        else:
            columns.append(tuple(found))
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
    cell_count = cells if cells is not None else _cell_count(places)
    if MIN_CELLS <= cell_count <= MAX_CELLS and len(held) > cell_count:
        over = held[cell_count]
        raise DealError(
            f"line {seen[over]}: {card_name(over)} is one too many in the free cells, "
            f"the game has {cell_count} of them"
        )
    return FreeCellBoard(tuple(columns), tuple(held), home, cell_count)


def _cell_count(places: list[str] | None) -> int:
    """How many free cells a board has whose ``Freecells:`` line shows these places, if any."""
    if places is None or (places and "-" not in places):
        return 4
    return len(places)
