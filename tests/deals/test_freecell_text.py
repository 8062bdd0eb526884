"""Boards as text, both ways, and what is said of text that is no board."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_boards import boards

from deals import DealError, FreeCellBoard, card_name, freecell, parse_card
from deals.cards import DECK, card, is_red, rank_of, suit_of

FIRST = freecell(1)
LINES = str(FIRST).splitlines()

MIDDLE = """\
Foundations: C-9 D-8 H-9 S-9
Freecells: KH - -
KS QD JC TD
QH KC JS TH
JD TS 9D
QC
:
KD QS JH TC
"""


def test_the_deck_is_52_cards_that_read_and_print() -> None:
    assert sorted(map(card_name, DECK)) == sorted(r + s for r in "A23456789TJQK" for s in "CDHS")
    for number in DECK:
        assert parse_card(card_name(number)) == number
        assert parse_card(card_name(number).lower()) == number
        assert card(rank_of(number), suit_of(number)) == number
        assert is_red(number) == (card_name(number)[1] in "DH")


@pytest.mark.parametrize("text", ["TD", "td", "10D", "10d", " Td "])
def test_ten_of_diamonds(text: str) -> None:
    assert card_name(parse_card(text)) == "TD"


@pytest.mark.parametrize("text", ["", "T", "D", "DT", "1D", "11D", "0D", "TX", "TDD", "T D", "10"])
def test_no_card(text: str) -> None:
    with pytest.raises(DealError, match="is not a card"):
        parse_card(text)


@given(boards())
def test_a_board_prints_what_it_reads(board: FreeCellBoard) -> None:
    sized = {"cells": board.cell_count, "cascades": len(board.cascades)}
    assert FreeCellBoard.from_text(str(board), **sized) == board
    assert FreeCellBoard.from_text(str(board).lower() + "\n\n", **sized) == board
    assert FreeCellBoard.from_text(str(board).replace("T", "10"), **sized) == board
    lines = [line if ":" in line else ": " + line for line in str(board).splitlines()]
    assert FreeCellBoard.from_text("\n".join(lines), **sized) == board


@given(boards())
def test_a_board_says_its_size_where_it_is_not_the_usual(board: FreeCellBoard) -> None:
    # Cells that are all taken do not tell whether there are more.
    full = 0 < len(board.cells) == board.cell_count
    read = FreeCellBoard.from_text(str(board), cells=board.cell_count if full else None)
    assert read.cell_count == board.cell_count
    assert read.cascades[: len(board.cascades)] == board.cascades
    assert len(read.cascades) == max(8, len(board.cascades))
    assert (read.cells, read.foundations) == (board.cells, board.foundations)


def test_a_board_in_mid_game() -> None:
    board = FreeCellBoard.from_text(MIDDLE)
    assert board.foundations == (9, 8, 9, 9)
    assert board.cells == (parse_card("KH"),)
    assert board.cell_count == 3
    assert [len(column) for column in board.cascades] == [4, 4, 3, 1, 0, 4, 0, 0]
    assert str(FreeCellBoard.from_text(MIDDLE, cells=3, cascades=6)) == MIDDLE.strip()


@pytest.mark.parametrize("line", ["H-9 S-9 C-9 D-8", "S9 c9 H9 D-8", "h-9  d-8 c-9 s-9"])
def test_foundations_come_in_any_order(line: str) -> None:
    text = MIDDLE.replace("C-9 D-8 H-9 S-9", line)
    assert FreeCellBoard.from_text(text) == FreeCellBoard.from_text(MIDDLE)


def test_foundation_ranks_that_are_no_digits() -> None:
    text = "Foundations: C-K D-10 H-A S-0\nJD QD KD\n"
    text += " ".join(f"{r}H" for r in "23456789TJQK") + "\n"
    text += " ".join(f"{r}S" for r in "A23456789TJQK")
    for same in (text, text.replace("C-K D-10 H-A", "C-13 D-T H-1")):
        assert FreeCellBoard.from_text(same).foundations == (13, 10, 1, 0)


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        (" KH", 4),
        (" KH -", 2),
        (" - KH - -", 4),
        (" - - KH - -", 5),
        (" KH - - - - - -", 7),
        (" KH -- --", 3),
        ("-- KH - --", 4),
        ("  KH            ", 4),
        ("      KH", 4),
        ("          KH          ", 5),
        ("                      KH", 6),
    ],
)
def test_places_of_the_freecells_line_count_as_cells(line: str, cells: int) -> None:
    """The last ones are as fc-solve 5.0.0 prints four and more cells (``fc-solve -p -t -s``)."""
    board = FreeCellBoard.from_text(MIDDLE.replace(" KH - -", line))
    assert (board.cell_count, board.cells) == (cells, (parse_card("KH"),))


@pytest.mark.parametrize("line", ["Freecells:", "Freecells: ", "FC:\t", "Freecells:" + 16 * " "])
def test_an_empty_freecells_line_says_nothing_of_their_number(line: str) -> None:
    text = f"Foundations: H-0 C-0 D-0 S-0 \n{line}\n{FIRST}"
    assert FreeCellBoard.from_text(text) == FIRST
    for cells in range(8):
        assert FreeCellBoard.from_text(text, cells) == freecell(1, cells=cells)


@pytest.mark.parametrize(
    ("line", "cells"), [("-- -- -- --", 4), ("- --", 2), ("--", 1), ("none", 0), (" None ", 0)]
)
def test_empty_cells_are_counted(line: str, cells: int) -> None:
    text = f"Freecells: {line}\n{FIRST}"
    assert FreeCellBoard.from_text(text) == freecell(1, cells=cells)
    for more in range(cells, 8):
        assert FreeCellBoard.from_text(text, more) == freecell(1, cells=more)
    for fewer in range(cells):
        assert refused(text, cells=fewer) == (
            f"line 1: {cells} places in the free cells, but the game has {fewer} of them: "
            f"leave out empty places, or ask for {cells} cells"
        )


def test_a_game_has_the_cells_that_are_asked_for_if_they_are_no_fewer() -> None:
    text = MIDDLE.replace("KH - -", "KH -- --")
    for cells in (3, 5, 7):
        board = FreeCellBoard.from_text(text, cells)
        assert (board.cell_count, board.cells) == (cells, (parse_card("KH"),))
    assert refused(text, cells=2).startswith("line 2: 3 places in the free cells")
    assert FreeCellBoard.from_text(MIDDLE.replace(" - -", ""), 2).cell_count == 2


def refused(text: str, **reading: int) -> str:
    with pytest.raises(DealError) as fault:
        FreeCellBoard.from_text(text, **reading)
    return str(fault.value)


@pytest.mark.parametrize("text", ["", " \n\n", "Freecells: - -\n", "Foundations: C-0\n"])
def test_no_board(text: str) -> None:
    assert refused(text) == "no board: expected a line of cards for each cascade"


def test_missing_card_is_named() -> None:
    text = str(FIRST).replace(" 6S", "")
    assert refused(text) == "not one full deck: missing 6S"
    many = refused("\n".join(LINES[1:]))
    assert all(name in many for name in LINES[0].split())


def test_missing_card_is_named_below_a_foundation_too() -> None:
    assert refused(MIDDLE.replace("D-8", "D-7")) == "not one full deck: missing 8D"


def test_doubled_card_is_named_with_both_lines() -> None:
    text = "\n".join([*LINES[:3], LINES[3] + " 6S", *LINES[4:]])
    assert refused(text) == "line 4: 6S is doubled, it is also in line 1"
    held = "Freecells: 6S\n" + str(FIRST)
    assert refused(held) == "line 2: 6S is doubled, it is also in line 1"
    assert "line 1: 6S is doubled" in refused(LINES[0] + " 6s\n")


@pytest.mark.parametrize("word", ["6X", "1S", "66", "-", "6S5H", "Ω"])
def test_malformed_card_is_named_with_its_line(word: str) -> None:
    text = str(FIRST).replace("6S", word, 1)
    reason = refused(text)
    assert reason.startswith(f"line 1: {word!r} is not a card")
    assert "as in TD" in reason
    text = f"Freecells: - {word[::-1]}x\n" + str(FIRST)
    assert refused(text).startswith(f"line 1: '{word[::-1]}x' is not a card")


def test_lines_count_from_the_top_blank_ones_too() -> None:
    text = "\n" + "\n".join([LINES[0], "", *LINES[1:]]).replace("9H 9S", "9H 9?")
    assert refused(text).startswith("line 5: '9?' is not a card")


def test_card_that_is_on_its_foundation_is_named() -> None:
    text = "Foundations: C-0 D-0 H-0 S-2\n" + str(FIRST)
    reason = refused(text)
    assert reason == "line 2: 2S cannot be here, line 1 says it is on its foundation"
    below = refused(str(FIRST) + "\nFoundations: S-A\n")
    assert below == "line 6: AS cannot be here, line 9 says it is on its foundation"


@pytest.mark.parametrize("word", ["X-3", "C-14", "C-01", "C-", "3-C", "C--3", "-"])
def test_malformed_foundation_is_named_with_its_line(word: str) -> None:
    reason = refused(MIDDLE.replace("S-9", word))
    assert reason.startswith(f"line 1: {word!r} is not a foundation")
    assert "C-0 D-5 H-K S-A" in reason


def test_too_many_cells() -> None:
    held = "Freecells: " + " ".join(line.split()[-1] for line in LINES) + "\n"
    text = held + "\n".join(line.rsplit(" ", 1)[0] for line in LINES)
    too_many = "line 1: {} is one too many in the free cells, the game has {} of them"
    assert refused(text) == too_many.format(LINES[4].split()[-1], 4)
    assert refused(text, cells=8) == "a game has 0 to 7 free cells, got 8"
    assert refused(text, cells=7) == too_many.format(LINES[7].split()[-1], 7)
    assert refused(MIDDLE, cells=0) == too_many.format("KH", 0).replace("line 1", "line 2")
    assert refused(MIDDLE, cells=8) == "a game has 0 to 7 free cells, got 8"


def test_too_many_cascades() -> None:
    ten = [name for line in LINES for name in line.split()]
    text = "\n".join(" ".join(ten[i::10]) for i in range(10))
    assert refused(text) == "a board has 4 to 9 cascades, got 10"
    assert refused(MIDDLE, cascades=5) == "6 lines of cards, but the game has 5 cascades"
    assert refused(MIDDLE, cascades=10) == "a board has 4 to 9 cascades, got 10"
    assert refused(str(FIRST), cascades=7) == "8 lines of cards, but the game has 7 cascades"


@given(boards(), st.data())
def test_one_wrong_card_is_never_taken(board: FreeCellBoard, data: st.DataObject) -> None:
    spots = [(c, i) for c, column in enumerate(board.cascades) for i in range(len(column))]
    if not spots:
        return
    c, i = data.draw(st.sampled_from(spots))
    right = board.cascades[c][i]
    wrong = data.draw(st.sampled_from([card for card in DECK if card != right]))
    columns = [list(column) for column in board.cascades]
    columns[c][i] = wrong
    home, count = board.foundations, board.cell_count
    with pytest.raises(DealError) as fault:
        FreeCellBoard(tuple(map(tuple, columns)), board.cells, home, count)
    assert card_name(right) in str(fault.value) and card_name(wrong) in str(fault.value)
    lines = [" ".join(map(card_name, column)) or ":" for column in columns]
    head = [line for line in str(board).splitlines() if line[0] == "F"]
    text = "\n".join(head + lines)
    reason = refused(text, cells=count, cascades=len(columns))
    assert card_name(wrong) in reason and "line " in reason


@given(st.text(alphabet="A2TKcdhs10-: \nFoundations", max_size=80) | st.text(max_size=40))
def test_text_is_a_board_or_refused_in_words(text: str) -> None:
    with pytest.raises(DealError):
        FreeCellBoard.from_text(text)


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (((), (), ()), "4 to 9 cascades, got 3"),
        (((),) * 10, "4 to 9 cascades, got 10"),
        (((),) * 8, "missing"),
    ],
)
def test_boards_there_are_not(board: tuple[tuple[int, ...], ...], reason: str) -> None:
    with pytest.raises(DealError, match=reason):
        FreeCellBoard(board)


def test_foundations_out_of_range() -> None:
    with pytest.raises(DealError, match="four ranks from 0 to 13"):
        FreeCellBoard(((),) * 8, (), (14, 13, 13, 12))
    with pytest.raises(DealError, match="four ranks from 0 to 13"):
        FreeCellBoard(((),) * 8, (), (13, 13, 13))  # type: ignore[arg-type]
