"""Refuses texts of another game, and names that game.

Some texts can be read as boards of several games. Labels and marks (signs) tell the game of a
board, or else the numbers of cards in its lines (shapes).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from deals.cards import DECK, is_card
from deals.checks import shown
from deals.digits import DIGITS
from deals.headings import FREECELL, KLONDIKE, PYRAMID
from deals.readings import COLUMNS, OtherReading
from deals.solvitaire import NumberedLine

_TITLES = {FREECELL: "FreeCell", KLONDIKE: "Klondike", PYRAMID: "Pyramid"}

_CELLS = re.compile(r"\s*(free[\s-]?cells?\s*(?:\(\d+\)\s*)?:)", re.IGNORECASE)
_TALON = re.compile(r"\s*((?:waste|stock|talon)\s*:)", re.IGNORECASE)
_BACK = re.compile(r"(?:[^<?]*+(?<!\S))?(\?\?|<[^<>\s]{2,3}>)(?=\s|$)")
_TOP = re.compile(r"\s*((?:stock|waste)\W+(?:top|bottom)\b[^:]*:|recycles\s*:)", re.IGNORECASE)
_DIGITS = re.compile(rf"\s*+({DIGITS})\s*+$")
_SIGNS = {
    # Pyramid has labels like Klondike's.
    FREECELL: ((KLONDIKE, _TALON), (KLONDIKE, _BACK), (KLONDIKE, _DIGITS), (PYRAMID, _TOP)),
    KLONDIKE: ((FREECELL, _CELLS), (PYRAMID, _TOP)),
    PYRAMID: ((FREECELL, _CELLS), (KLONDIKE, _BACK), (KLONDIKE, _DIGITS)),
}

_FREECELL_DEALS = [
    # Not four lines of 13 cards: a deck of any game may be typed so.
    *([len(range(i, len(DECK), count)) for i in range(count)] for count in range(5, 10)),
    [8] * 6 + [4],
]
_TRIANGLE = [*range(1, 8)]
_OTHERS = {"Golf": [*[5] * 7, 17], "Yukon": [1, *range(6, 12)]}
"""The lines of deals of games that are unknown here."""


def check_signs(lines: Sequence[NumberedLine], game: str) -> None:
    """Refuse lines that only boards of another game have.

    Args:
        lines: of one board.
        game: the game as which the board is read.

    Raises:
        OtherReading: naming the line and the other game.
    """
    for number, line in lines:
        matches = [(other, mark.match(line)) for other, mark in _SIGNS[game]]
        found = [(other, match[1]) for other, match in matches if match]
        if game != PYRAMID and _has_gaps(line):
            found.append((PYRAMID, "."))
        for other, sign in found:
            told = f"{shown(sign, 40)} belongs to a board of {_TITLES[other]}"
            if sign.isdigit():
                told = f"{len(sign)} digits are a Klondike deal"
            raise OtherReading(f"line {number}: {told}", ("game", other))


def check_shape(lengths: Sequence[int], game: str) -> None:
    """Refuse a whole deck whose lines are as long as those of another game's deal.

    Args:
        lengths: how many cards each line has, without lines that have none.
        game: the game as which the deck is read.

    Raises:
        OtherReading: naming both games.
    """
    if sum(lengths) != len(DECK):
        return
    told = f"lines of {'-'.join(map(str, lengths))} cards can be read in two ways: as "
    if game != FREECELL and [*lengths] in _FREECELL_DEALS:
        raise OtherReading(
            f"{told}a deal of FreeCell, or as a deck of {_TITLES[game]}",
            ("game", FREECELL),
            more=", or write all cards on one line",
        )
    if game == FREECELL and [*lengths[:7]] == _TRIANGLE:
        raise OtherReading(
            f"{told}a deal of Klondike or Pyramid, or as cascades of FreeCell",
            ("game", KLONDIKE),
            ("game", PYRAMID),
            COLUMNS,
        )
    for other, dealt in _OTHERS.items():
        if game == FREECELL and [*lengths] == dealt:
            raise OtherReading(
                f"{told}a deal of {other}, which is no game here, or as cascades of FreeCell",
                COLUMNS,
            )


def are_laid_out(lengths: Sequence[int]) -> bool:
    """Whether lines are those of a deal of Klondike or Pyramid, or hold its cards in their order.

    These deals have lines of 1 to 7 cards, and the stock. Cards in their order fill their lines
    alike, except the last one; lines as wide as a screen may differ by a card or two.

    Args:
        lengths: how many cards each line has.
    """
    dealt = sum(_TRIANGLE)
    end = next((i for i, n in enumerate(accumulate(lengths), 1) if n == dealt), len(lengths))
    rows, stock = [*lengths[:end]], lengths[end:]
    return _are_filled(lengths) or ((rows == _TRIANGLE or _are_filled(rows)) and _are_filled(stock))


def _are_filled(lengths: Sequence[int]) -> bool:
    *full, last = lengths or [0]
    return not full or (max(full) - min(full) <= 2 and last <= max(full))


def _has_gaps(line: str) -> bool:
    """Whether a line is a row of a pyramid in which some cards are gone."""
    words = line.split()
    return "." in words and all(word == "." or is_card(word) for word in words)
