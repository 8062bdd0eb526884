"""Refuses texts of another game, and names that game.

Some texts can be read as boards of several games. Labels and marks tell the game of a board, or
else the numbers of cards in its lines (``deals.signs``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from deals.cards import DECK
from deals.checks import shown
from deals.readings import OtherReading
from deals.signs import GAMES, TRIANGLE, Mark, Signs
from deals.solvitaire import NumberedLine


@cache
def _marks_of_others(game: Signs) -> dict[Mark, Signs]:
    """The marks that a game's boards do not have, with the first game whose boards have them."""
    found: dict[Mark, Signs] = {}
    for other in GAMES:
        for mark in other.marks:
            if mark not in game.marks:
                found.setdefault(mark, other)
    return found


def check_signs(lines: Sequence[NumberedLine], game: Signs) -> None:
    """Refuse lines that only boards of another game have.

    Args:
        lines: of one board.
        game: the game as which the board is read.

    Raises:
        OtherReading: naming the line and the other game.
    """
    for number, line in lines:
        for mark, other in _marks_of_others(game).items():
            if not (sign := mark(line)):
                continue
            told = f"{shown(sign, 40)} belongs to a board of {other.title}"
            if sign.isdigit():
                told = f"{len(sign)} digits are a {other.title} deal"
            raise OtherReading(f"line {number}: {told}", ("game", other.name))


def check_shape(lengths: Sequence[int], game: Signs) -> None:
    """Refuse a whole deck whose lines are as long as those of another game's deal.

    Args:
        lengths: how many cards each line has, without lines that have none.
        game: the game as which the deck is read.

    Raises:
        OtherReading: naming both games.
    """
    if sum(lengths) != len(DECK):
        return
    others = [one for one in GAMES if one.shape is not game.shape and one.shape(lengths)]
    titles = " or ".join(one.title for one in others)
    for title, dealt in game.strangers.items():
        if not others and [*lengths] == dealt:
            titles = f"{title}, which is no game here"
    if titles:
        raise OtherReading(
            f"lines of {'-'.join(map(str, lengths))} cards can be read in two ways: as a deal of "
            f"{titles}, or as {game.whole}",
            *(("game", one.name) for one in others),
            *game.ways,
            more=game.more,
        )


def are_laid_out(lengths: Sequence[int]) -> bool:
    """Whether lines are those of a deal of Klondike or Pyramid, or hold its cards in their order.

    These deals have lines of 1 to 7 cards, and the stock. Cards in their order fill their lines
    alike, except the last one; lines as wide as a screen may differ by a card or two.

    Args:
        lengths: how many cards each line has.
    """
    dealt = sum(TRIANGLE)
    end = next((i for i, n in enumerate(accumulate(lengths), 1) if n == dealt), len(lengths))
    rows, stock = [*lengths[:end]], lengths[end:]
    return _are_filled(lengths) or ((rows == TRIANGLE or _are_filled(rows)) and _are_filled(stock))


def _are_filled(lengths: Sequence[int]) -> bool:
    *full, last = lengths or [0]
    return not full or (max(full) - min(full) <= 2 and last <= max(full))
