"""What a FreeCell text leaves open, and what its board says was assumed."""

from __future__ import annotations

import pytest

from deals import FreeCellBoard, freecell, read_freecell_boards
from deals.cards import DECK, DealError, card_name
from deals.microsoft import shuffled_deck

DEAL = freecell(164)
LINES = str(DEAL).splitlines()
EMPTIED = [LINES[0], f"{LINES[1]} {LINES[3]}", LINES[2], *LINES[4:]]
"""A position without a line for its fourth cascade."""


def dealt(count: int) -> str:
    """The deck of a deal over so many lines."""
    deck = shuffled_deck(164)
    return "\n".join(" ".join(map(card_name, deck[i::count])) for i in range(count))


def position(fourth: str) -> str:
    return "\n".join([*EMPTIED[:3], fourth, *EMPTIED[3:]])


@pytest.mark.parametrize("line", ["", "Freecells:\n", "Freecells: none\n", "FC: -- -- -- --\n"])
def test_nothing_is_assumed_of_the_usual_game(line: str) -> None:
    board = FreeCellBoard.from_text(line + str(DEAL))
    assert board == DEAL and not board.notes


@pytest.mark.parametrize(
    ("line", "cells", "told"),
    [("-", 1, "1 free cell,"), ("-- --", 2, "2 free cells,"), ("0", 0, "no free cells,")],
)
def test_an_unusual_number_of_cells_is_told_unless_it_was_asked_for(
    line: str, cells: int, told: str
) -> None:
    text = f"Freecells: {line}\n{DEAL}"
    board = FreeCellBoard.from_text(text)
    assert board.cell_count == cells
    assert board.notes == (
        f"played with {told} as its text says: ask for another number to change it",
    )
    assert not FreeCellBoard.from_text(text, cells=4).notes


@pytest.mark.parametrize("count", [4, 5, 6, 7, 9])
def test_a_whole_deal_has_the_cascades_it_shows(count: int) -> None:
    board = FreeCellBoard.from_text(dealt(count))
    assert board == freecell(164, count)
    assert board.notes == (
        f"played with {count} cascades, as its text shows: ask for another number to change it",
    )
    assert not FreeCellBoard.from_text(dealt(count), cascades=count).notes


def test_lines_that_are_missing_are_told() -> None:
    fewer = "\n".join(EMPTIED)
    told = "as its text shows only 7: write -- on the line of an empty cascade"
    assert FreeCellBoard.from_text(fewer).notes == (f"played as if cascade 8 is empty, {told}",)
    (note,) = FreeCellBoard.from_text(dealt(3)).notes
    assert note.startswith("played as if cascades 4 to 8 are empty, as its text shows only 3:")
    (note,) = FreeCellBoard.from_text(dealt(6), cascades=8).notes
    assert note.startswith("played as if cascades 7 and 8 are empty,")


@pytest.mark.parametrize(
    "line", [":", "--", "-", "[]", "empty", "(empty)", "Empty", "4:", " 4: ", "4: --", ": -"]
)
def test_an_empty_cascade_has_a_line_of_its_own(line: str) -> None:
    board = FreeCellBoard.from_text(position(line))
    assert [len(cascade) for cascade in board.cascades] == [7, 14, 7, 0, 6, 6, 6, 6]
    assert not board.notes


def test_lines_may_begin_with_the_number_of_their_cascade() -> None:
    numbered = "\n".join(f"{place}: {line}" for place, line in enumerate(LINES, start=1))
    assert FreeCellBoard.from_text(numbered) == DEAL
    with pytest.raises(DealError, match="line 4: expected cascade 4, got 5: write -- on the line"):
        FreeCellBoard.from_text(position("5:"))


def test_a_board_that_an_empty_line_parts_is_told_how_to_write_an_empty_cascade() -> None:
    with pytest.raises(DealError, match=r"board 1, .*missing .*: write -- for an empty cascade"):
        read_freecell_boards(position(""))


def test_notes_are_no_part_of_a_position() -> None:
    one, other = FreeCellBoard.from_text(dealt(6)), freecell(164, 6)
    assert one.notes and one == other and hash(one) == hash(other)
    assert len([card for cascade in one.cascades for card in cascade]) == len(DECK)
