"""Turns drawings of boards, as ``solve --draw`` prints them, into lines that the readers know.

The cards of a cascade or pile stand below its number. For FreeCell, cells and foundations stand
above the numbers, as on a screen::

      a    b    c    d       home
     6S   --   --   --       -C   -D   -H   AS

      1    2    3    4    5    6    7    8
     AH   5D   JH   AC   QD   QS   3D   8D
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from deals.cards import DealError
from deals.checks import shown
from deals.solvitaire import NumberedLine

_FEWEST = 4
"""A line of numbers above piles has at least so many."""
_PLACES = re.compile(r"\s*((?:[a-g]\s+)*)home\s*")
_WORD = re.compile(r"\S+")
GAP = "--"
_ALIGNED = ": keep cards and numbers aligned, as they are drawn"


class Drawn(NamedTuple):
    """A drawing of a FreeCell board, rewritten.

    Attributes:
        lines: cells and foundations with labels; rows with ``--`` where there is no card.
        cells: how many free cells are drawn; None if the drawing has no line of cells.
    """

    lines: list[NumberedLine]
    cells: int | None


def is_numbers(line: str) -> bool:
    """Whether a line has the numbers above the piles: ``1  2  3 ...``."""
    words = line.split()
    return len(words) >= _FEWEST and words == [str(n) for n in range(1, len(words) + 1)]


def is_head(lines: Sequence[NumberedLine]) -> bool:
    """Whether these are just the two lines of cells and foundations above FreeCell's numbers."""
    return len(lines) == 2 and _PLACES.fullmatch(lines[0][1]) is not None


def below(numbers: NumberedLine, rows: Sequence[NumberedLine], begins: int = 0) -> list[list[str]]:
    """The words of each row by the numbers they stand below; an empty string where there is none.

    Args:
        numbers: the line of numbers.
        rows: those below it.
        begins: how far to the right of its number a card begins.

    Raises:
        DealError: naming the line and the word, if a word does not stand below exactly one number,
            below another card and aligned like all others; or if the lines have lost the blanks at
            their beginning, so that a row may stand below other numbers.
    """
    # In the columns of a spreadsheet, tabs stand everywhere.
    tabs = numbers[1].rstrip().split("\t") == numbers[1].split()
    places = [match.start() for match in _WORD.finditer(numbers[1].expandtabs())]
    apart = {right - left for left, right in pairwise(places)}
    if ("\t" in numbers[1].rstrip() and not tabs) or len(apart) > 1:
        raise DealError(f"line {numbers[0]}: expected numbers that are equally far apart{_ALIGNED}")
    found: list[list[str]] = []
    for number, line in rows:
        row = [""] * len(places)
        if "\t" in line and not tabs:
            raise DealError(f"line {number}: expected blanks, got a tab{_ALIGNED}")
        for word in _WORD.finditer(line.expandtabs()):
            above = [i for i, place in enumerate(places) if word.start() <= place < word.end()]
            # Brackets stand beside a card. A card of three characters begins where there is room.
            name = word[0].strip("<>")
            at = word.start() + word[0].startswith("<") - places[above[0]] if above else 0
            if len(above) != 1 or (len(name) == 2 and at != begins):
                raise DealError(
                    f"line {number}: {shown(word[0])} is not below one of the numbers of line "
                    f"{numbers[0]}{_ALIGNED}"
                )
            if found and not found[-1][above[0]]:
                raise DealError(f"line {number}: {shown(word[0])} has no card above it{_ALIGNED}")
            row[above[0]] = word[0]
        found.append(row)
    _refuse_stripped([numbers, *rows], found)
    return found


def _refuse_stripped(lines: Sequence[NumberedLine], rows: Sequence[Sequence[str]]) -> None:
    """Refuse lines that all begin at the left if a row may have stood farther to the right."""
    if any(line[:1].isspace() for _, line in lines):
        return
    above = set(range(len(lines[0][1].split())))
    for (number, _), row in zip(lines[1:], rows, strict=True):
        filled = {place for place, word in enumerate(row) if word}
        if filled and any({place + by for place in filled} <= above for by in range(1, len(row))):
            raise DealError(
                f"line {number}: this row may stand below other numbers, as the drawing seems to "
                f"have lost the blanks at the beginning of its lines{_ALIGNED}"
            )
        above = filled


def read_drawn(lines: Sequence[NumberedLine]) -> Drawn | None:
    """Read a drawing of a FreeCell board; None if the lines are not one.

    Raises:
        DealError: naming the line that does not fit the others.
    """
    lines = [line for line in lines if line[1].strip()]
    head = next((i for i, (_, line) in enumerate(lines) if is_numbers(line)), None)
    if head is None:
        return None
    # Without rows, the numbers become an empty row: they tell how many cascades there are.
    numbers, rows = lines[head], lines[head + 1 :]
    count = len(numbers[1].split())
    # In our drawings, the second character of a card is below the number.
    begins = -1 if numbers[1][:1].isspace() else 0
    written = [
        (row[0], " ".join(word or GAP for word in words))
        for row, words in zip(rows, below(numbers, rows, begins), strict=True)
    ] or [(numbers[0], " ".join([GAP] * count))]
    above = list(lines[:head])
    if not is_head(above):
        return Drawn([*above, *written], None)
    (_, places), (number, line) = above
    letters, words = places.split()[:-1], line.split()
    if letters != [*"abcdefg"[: len(letters)]] or len(words) < len(letters):
        raise DealError(
            f"line {number}: expected a card or -- for each of {places.strip()!r}, got {line!r}"
        )
    cells, home = words[: len(letters)], words[len(letters) :]
    labelled = [
        (number, f"Foundations: {' '.join(home)}"),
        (number, f"Freecells: {' '.join(cells)}"),
    ]
    return Drawn([*labelled, *written], len(letters))
