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


def lines_of(*lengths: int) -> str:
    left = iter(CARDS)
    return "\n".join(" ".join(next(left) for _ in range(length)) for length in lengths)


MIDDLE = "Foundations: S-A\n{}\n{}: " + STOCK + "\n" + "\n".join(PILES[:2]) + "\n"
GOLF, YUKON = (*[5] * 7, 17), (1, *range(6, 12))


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
        # Games that are not known here, and a card on the wrong line.
        (read_freecell_boards, lines_of(*GOLF), "a deal of Golf, which is no game here"),
        (read_freecell_boards, lines_of(*YUKON), "a deal of Yukon, which is no game here"),
        (read_klondike_boards, lines_of(*GOLF), "5-5-5-5-5-5-5-17 cards are not the piles of"),
        (read_klondike_boards, lines_of(*YUKON), "1-6-7-8-9-10-11 cards are not the piles of"),
        (read_klondike_boards, lines_of(2, *range(2, 8), 23), "2-2-3-4-5-6-7-23 cards are not"),
        # Labels that a reader does not know, within a board and in the middle of a line.
        (
            read_klondike_boards,
            MIDDLE.format("Waste (3): AC 6D", "Stock"),
            "line 2: 'Waste (3):' is",
        ),
        (
            read_klondike_boards,
            MIDDLE.format("Waste pile: AC", "Stock"),
            "line 2: 'Waste pile:' is",
        ),
        (read_klondike_boards, MIDDLE.format("Waste: AC", "Draw pile"), "line 3: 'Draw pile:' is"),
        (
            read_klondike_boards,
            MIDDLE.format("Waste: AC", "Deck"),
            "line 3: expected one board, got",
        ),
        (
            read_klondike_boards,
            "\n".join([*PILES, f"Stock pile: {STOCK}"]),
            "line 8: 'Stock pile:'",
        ),
        (read_klondike_boards, f"1: {CARDS[0]} Stock: {STOCK}", "card 2: 'Stock:' is not a card"),
        # Cards face down that are not marked.
        (read_klondike_boards, "\n".join([f"Talon: {STOCK}", *PILES]), "brackets, <8H>"),
        # A stock without its label.
        (
            read_pyramid_boards,
            "\n".join(["recycles: 2", *TRIANGLE]),
            "line 9: expected 7 rows, got one more: write 'stock, top first:'",
        ),
        # Numbers of piles count from 1.
        (read_freecell_boards, f"0: {TEXT}", "line 1: expected cascade 1, got 0"),
        (read_klondike_boards, f"0: {PILES[0]}\n1: {PILES[1]}", "line 1: expected pile 1, got 0"),
        # Labels alone.
        (
            read_freecell_boards,
            f"Foundations: S-A\n\n{TEXT}",
            "cascade; an empty line ends a board",
        ),
        (read_freecell_boards, "Foundations: C-K D-K H-K\nFreecells: KS", "missing AS 2S 3S 4S"),
        (parse_range, "1,0000", "'1,0000' has a comma that may stand within a number"),
        # A long word ends with dots.
        (read_freecell_boards, "Q" * 80, "QQQ...' is not a card"),
        (read_freecell_boards, "deal 617", "no board: expected a line of cards for each cascade"),
    ],
)
def test_the_fault_is_named(read: Callable[[str], Any], text: str, said: str) -> None:
    assert said in refused(read, text)
