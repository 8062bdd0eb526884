"""Texts of another game than the one that reads them, which are refused by that game's name.

Some texts can be read as boards of several games. A board tells its game by its labels and marks
(signs), or else by the numbers of cards in its lines (shapes).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deals.cards import DECK, DealError, is_card
from deals.solvitaire import NumberedLine

FREECELL, KLONDIKE, PYRAMID = "freecell", "klondike", "pyramid"
_TITLES = {FREECELL: "FreeCell", KLONDIKE: "Klondike", PYRAMID: "Pyramid"}

_CELLS = re.compile(r"\s*(free[\s-]?cells?\s*(?:\(\d+\)\s*)?:)", re.IGNORECASE)
_TALON = re.compile(r"\s*((?:waste|stock|talon)\s*:)", re.IGNORECASE)
_BACK = re.compile(r"\s*(?:[^<?]*\s)?(\?\?|<[^<>\s]{2,3}>)(?=\s|$)")
_TOP = re.compile(r"\s*((?:stock|waste)\W+(?:top|bottom)\b[^:]*:|recycles\s*:)", re.IGNORECASE)
_SIGNS = {
    # Pyramid has labels like Klondike's, and passes over what it does not know.
    FREECELL: ((KLONDIKE, _TALON), (KLONDIKE, _BACK), (PYRAMID, _TOP)),
    KLONDIKE: ((FREECELL, _CELLS), (PYRAMID, _TOP)),
    PYRAMID: ((FREECELL, _CELLS), (KLONDIKE, _BACK)),
}

_FREECELL_DEALS = [
    # A deck typed in four lines of 13 may be anything.
    *([len(range(i, len(DECK), count)) for i in range(count)] for count in range(5, 10)),
    [8] * 6 + [4],
]
_TRIANGLE = [*range(1, 8)]


def check_signs(lines: Sequence[NumberedLine], game: str) -> None:
    """Refuse lines that only another game's boards have.

    Args:
        lines: of one board.
        game: that reads them.

    Raises:
        DealError: naming the line and the other game.
    """
    for number, line in lines:
        matches = [(other, mark.match(line)) for other, mark in _SIGNS[game]]
        found = [(other, match[1]) for other, match in matches if match]
        if game != PYRAMID and _has_gaps(line):
            found.append((PYRAMID, "."))
        for other, sign in found:
            raise DealError(
                f"line {number}: {sign!r} is of a board of {_TITLES[other]}: say --game {other}"
            )


def check_shape(lengths: Sequence[int], game: str) -> None:
    """Refuse a whole deck in lines that are those of another game's deal.

    Args:
        lengths: how many cards each line has; lines without one left out.
        game: that reads them.

    Raises:
        DealError: naming both games and how to ask for each.
    """
    if sum(lengths) != len(DECK):
        return
    told = f"lines of {'-'.join(map(str, lengths))} cards can be read in two ways: as "
    if game != FREECELL and [*lengths] in _FREECELL_DEALS:
        raise DealError(
            f"{told}a deal of FreeCell (--game freecell), or as a deck of {_TITLES[game]}: then "
            "write its cards on one line"
        )
    if game == FREECELL and [*lengths[:7]] == _TRIANGLE:
        raise DealError(
            f"{told}a deal of Klondike or Pyramid (--game klondike, --game pyramid), or as "
            "cascades of FreeCell: then say --columns"
        )


def _has_gaps(line: str) -> bool:
    """Whether it is a row of a pyramid in which some cards are gone."""
    words = line.split()
    return "." in words and all(word == "." or is_card(word) for word in words)
