"""Messages name the fault that a text has, not another one that follows from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from deals import (
    DealError,
    freecell,
    klondike,
    parse_range,
    pyramid,
    read_freecell_boards,
    read_klondike_boards,
    read_pyramid_boards,
)

CARDS = klondike(3).deal_text().split()
PILES = [" ".join(CARDS[i * (i + 1) // 2 :][: i + 1]) for i in range(7)]
ROWS = [" ".join(pile.split()[row] for pile in PILES[row:]) for row in range(7)]
STOCK = " ".join(CARDS[28:])
TRIANGLE = str(pyramid(7)).splitlines()
TEXT = str(freecell(164))


def refused(read: Callable[[str], Any], text: str) -> str:
    with pytest.raises(DealError) as fault:
        read(text)
    return str(fault.value)


def by_rows(text: str) -> Any:
    return read_freecell_boards(text, layout="rows")


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        # A card too many does not split a board in two.
        (read_klondike_boards, "\n".join([*PILES, "", f"{STOCK} TD"]), "TD appears twice"),
        (read_klondike_boards, "\n".join([*PILES, f"{STOCK} TD"]), "TD appears twice"),
        (read_pyramid_boards, "\n".join([*TRIANGLE[:7], "", f"{TRIANGLE[7]} 3d"]), "got 53; dou"),
        (read_pyramid_boards, "\n".join([*TRIANGLE[:7], "", TRIANGLE[7][3:]]), "got 51; missing: "),
        (read_freecell_boards, f"{TEXT} TD", "TD appears twice"),
        # Rows of a screen are no piles, and piles no rows.
        (read_klondike_boards, "\n".join([f"Stock: {STOCK}", *ROWS]), "are the rows of a screen"),
        (by_rows, "\n".join([*PILES, STOCK]), "a deal of Klondike or Pyramid, or as cascades"),
        # Digits.
        (parse_range, "123" * 31, "no deal with 93 digits: deals are numbered 1 to 2,147,483,647"),
        (read_pyramid_boards, "012" * 52, "156 digits are a Klondike deal: say --game klondike"),
        (read_freecell_boards, "012" * 52, "156 digits are a Klondike deal: say --game klondike"),
        # Cards whose ranks are numbers.
        (read_freecell_boards, "0D 2C", "'0D' is not a card"),
        (read_freecell_boards, "0D 2C", "(TD?)"),
        (read_freecell_boards, "H11 2C", "(JH?)"),
        (read_pyramid_boards, '{"tableau piles": []}', "got JSON, as of another game"),
        # The cards of the cells on the line below their label.
        (read_freecell_boards, f"Freecells:\n{TEXT[:8]}\n{TEXT[9:]}", "can be read in two ways"),
        (read_freecell_boards, "deal 617", "no board: expected a line of cards for each cascade"),
    ],
)
def test_the_fault_is_named(read: Callable[[str], Any], text: str, said: str) -> None:
    assert said in refused(read, text)
