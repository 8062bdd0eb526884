"""Boards as text, both ways, what a text leaves open, and what is said of text that is no board."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from board_texts import by_rows, head, lengths, names, refused_by, rows, sized
from hypothesis import given
from hypothesis import strategies as st
from random_boards import boards

from deals import DealError, FreeCellBoard, freecell, parse_card, read_freecell_boards
from deals.cards import DECK
from deals.microsoft import shuffled_deck
from hsd.legal_moves import after, legal_moves

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
refused = partial(refused_by, FreeCellBoard.from_text)


@given(boards())
def test_a_board_prints_what_it_reads_and_its_size_where_that_is_not_the_usual(
    board: FreeCellBoard,
) -> None:
    lines = [line if ":" in line else ": " + line for line in str(board).splitlines()]
    same = str(board).lower() + "\n\n", str(board).replace("T", "10"), "\n".join(lines)
    for text in (str(board), *same):
        assert FreeCellBoard.from_text(text, **sized(board)) == board
    read = FreeCellBoard.from_text(str(board))
    assert read == board and read.places == board.places


def test_a_board_in_mid_game() -> None:
    board = FreeCellBoard.from_text(MIDDLE)
    assert (board.foundations, board.cells) == ((9, 8, 9, 9), (parse_card("KH"),))
    assert (board.cell_count, lengths(board)) == (3, [4, 4, 3, 1, 0, 4, 0, 0])
    six = FreeCellBoard.from_text(MIDDLE, cells=3, cascades=6)
    home, cells, *columns = MIDDLE.strip().splitlines()
    assert str(six) == "\n".join([home, cells, "Cascades: 6", *columns])
    assert FreeCellBoard.from_text(str(six)) == six
    assert len(FreeCellBoard.from_text(str(six), cascades=7).cascades) == 7
    said = "the text says that there are 6 cascades, but the game has 5"
    assert refused(str(six), cascades=5) == said


def test_all_cards_may_lie_in_cells_and_on_foundations() -> None:
    won = FreeCellBoard.from_text("Foundations: C-K D-K H-K S-K")
    assert won == FreeCellBoard(((),) * 8, foundations=(13, 13, 13, 13))
    last = FreeCellBoard.from_text("Foundations: C-K D-K H-K S-Q\nFreecells: - KS -")
    assert (last.cells, last.cell_count, last.places) == ((parse_card("KS"),), 3, (1,))


# Cells


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        *[(" KH", 4), (" KH -", 2), (" - KH - -", 4), (" - - KH - -", 5), (" KH - - - - - -", 7)],
        *[(" KH -- --", 3), ("-- KH - --", 4)],
        # As fc-solve 5.0.0 prints four and more cells (``fc-solve -p -t -s``).
        *[("  KH            ", 4), ("      KH", 4), ("          KH          ", 5)],
        ("                      KH", 6),
    ],
)
def test_places_of_the_freecells_line_count_as_cells(line: str, cells: int) -> None:
    board = FreeCellBoard.from_text(MIDDLE.replace(" KH - -", line))
    assert (board.cell_count, board.cells) == (cells, (parse_card("KH"),))


@pytest.mark.parametrize(
    "line",
    [
        *("Freecells:", "Freecells: ", "FC:\t", "Freecells:" + 16 * " "),
        *("", "Freecells: none", "Free cells:  None ", "FC: empty"),
    ],
)
def test_an_empty_or_missing_freecells_line_says_nothing_of_their_number(line: str) -> None:
    text = f"Foundations: H-0 C-0 D-0 S-0 \n{line}\n{FIRST}"
    board = FreeCellBoard.from_text(text)
    assert board == FIRST and not board.notes
    for cells in range(8):
        assert FreeCellBoard.from_text(text, cells) == freecell(1, cells=cells)


def test_the_number_of_cells_is_written_where_all_are_taken() -> None:
    held = ["KH", "QH", "KS"]
    text = MIDDLE.replace("KH - -", " ".join(held)).replace(" QH KC", " KC").replace("\nQH ", "\n")
    text = text.replace("\nKS ", "\n")
    assert FreeCellBoard.from_text(text).cell_count == 4
    for cells, label in ((3, "Freecells (3): KH QH KS"), (4, "Freecells: KH QH KS -")):
        board = FreeCellBoard.from_text(text, cells)
        assert label in str(board).splitlines()
        assert FreeCellBoard.from_text(str(board)).cell_count == cells
    told = FreeCellBoard.from_text(text.replace("Freecells:", "Freecells (3):")).notes
    assert told[0].startswith("played with 3 free cells")


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        *[("Freecells (2):", 2), ("FC (2)", 2), ("free cells(5) : none", 5), ("Cells (0):", 0)],
        ("FreeCells (3): - -- -", 3),
    ],
)
def test_the_number_of_cells_in_parentheses(line: str, cells: int) -> None:
    assert FreeCellBoard.from_text(f"{line}\n{FIRST}") == freecell(1, cells=cells)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Freecells (3): - -", "line 1 can be read in two ways: with 3 free cells, as the number"),
        ("FC (3):\nFC (3):", "line 2: free cells again: line 1 already has them"),
        ("FC: - -\nFC: - -", "line 2: free cells again: line 1 already has them"),
        ("FC (1): KH QH", "with 1 free cell, as the number in parentheses says, or with 2: write"),
        ("FC (9):", "a game has 0 to 7 free cells, got 9"),
    ],
)
def test_numbers_of_cells_that_cannot_be(line: str, said: str) -> None:
    text = str(FIRST).replace(" KH", "").replace(" QH", "") if "KH" in line else str(FIRST)
    assert said in refused(f"{line}\n{text}")


@pytest.mark.parametrize(
    ("line", "cells"), [("-- -- -- --", 4), ("- --", 2), ("--", 1), ("0", 0), (" 0 ", 0)]
)
def test_empty_cells_are_counted_and_told_unless_asked_for(line: str, cells: int) -> None:
    text = f"Freecells: {line}\n{FIRST}"
    board, some = FreeCellBoard.from_text(text), "" if cells == 1 else "s"
    told = f"played with {cells or 'no'} free cell{some}, as its text says: ask for another number"
    assert board == freecell(1, cells=cells)
    assert board.notes == (() if cells == 4 else (f"{told} to change it",))
    for more in range(cells, 8):
        asked = FreeCellBoard.from_text(text, more)
        assert (asked, asked.notes) == (freecell(1, cells=more), ())
    for fewer in range(cells):
        assert refused(text, cells=fewer) == (
            f"line 1: {cells} free cell{some}, but the game has {fewer}: "
            f"leave out empty ones, or ask for {cells} cell{some}"
        )


@pytest.mark.parametrize(
    ("line", "places"),
    [
        *[("- 2S - QD", (1, 3)), ("2S -- QD --", (0, 2)), ("2S QD", ()), ("2S QD - -", ())],
        *[("     2S      QD", (1, 3)), ("| -- | 2S | QD | -- |", (1, 2))],
    ],
)
def test_cards_keep_their_places_in_the_cells(line: str, places: tuple[int, ...]) -> None:
    cards = parse_card("2S"), parse_card("QD")
    columns = tuple(tuple(c for c in column if c not in cards) for column in freecell(3).cascades)
    text = "\n".join([f"Freecells: {line}", *map(names, columns)])
    board = FreeCellBoard.from_text(text, layout="columns")
    assert board.places == places
    assert board == FreeCellBoard(columns, cards)
    assert FreeCellBoard.from_text(str(board), layout="columns").cell_row == board.cell_row


def test_places_there_are_not() -> None:
    first, *others = freecell(1).cascades
    columns, held = (first[:-1], *others), first[-1:]
    assert FreeCellBoard(columns, held, places=(3,)).cell_row == (None, None, None, *held)
    for places in ((4,), (-1,), (0, 1)):
        with pytest.raises(DealError, match="the places of 1 card in 4 free cells"):
            FreeCellBoard(columns, held, places=places)


# What a text leaves open, and what its board says was assumed

DEAL = freecell(164)
EMPTIED = str(DEAL).splitlines()
"""A position without a line for its fourth cascade."""
EMPTIED[1] += " " + EMPTIED.pop(3)


def dealt(count: int) -> str:
    """The deck of a deal over so many lines."""
    return "\n".join(names(shuffled_deck(164)[i::count]) for i in range(count))


def position(fourth: str) -> str:
    return "\n".join([*EMPTIED[:3], fourth, *EMPTIED[3:]])


@pytest.mark.parametrize("count", [4, 5, 6, 7, 9])
def test_a_whole_deal_has_the_cascades_it_shows(count: int) -> None:
    board = FreeCellBoard.from_text(dealt(count))
    told = f"played with {count} cascades, as its text shows: ask for another number to change it"
    assert (board, board.notes) == (freecell(164, count), (told,))
    assert hash(board) == hash(freecell(164, count)), "notes are no part of a position"
    assert not FreeCellBoard.from_text(dealt(count), cascades=count).notes


def test_lines_that_are_missing_are_told() -> None:
    told = "as its text shows only 7: write -- on the line of an empty cascade"
    fewer = FreeCellBoard.from_text("\n".join(EMPTIED))
    assert fewer.notes == (f"played as if cascade 8 is empty, {told}",)
    (note,) = FreeCellBoard.from_text(dealt(3)).notes
    assert note.startswith("played as if cascades 4 to 8 are empty, as its text shows only 3:")
    (note,) = FreeCellBoard.from_text(dealt(6), cascades=8).notes
    assert note.startswith("played as if cascades 7 and 8 are empty,")


@pytest.mark.parametrize(
    "line", [":", "--", "-", "[]", "empty", "(empty)", "Empty", "4:", " 4: ", "4: --", ": -"]
)
def test_an_empty_cascade_has_a_line_of_its_own(line: str) -> None:
    board = FreeCellBoard.from_text(position(line))
    assert lengths(board) == [7, 14, 7, 0, 6, 6, 6, 6]
    assert not board.notes


def test_lines_may_begin_with_the_number_of_their_cascade() -> None:
    lines = enumerate(str(DEAL).splitlines(), start=1)
    numbered = "\n".join(f"{place}: {line}" for place, line in lines)
    assert FreeCellBoard.from_text(numbered) == DEAL
    with pytest.raises(DealError, match="line 4: expected cascade 4, got 5: write -- on the line"):
        FreeCellBoard.from_text(position("5:"))


def test_a_board_that_an_empty_line_parts_is_told_how_to_write_an_empty_cascade() -> None:
    with pytest.raises(DealError, match=r"board 1, .*missing .*: write -- for an empty cascade"):
        read_freecell_boards(position(""))


# What is refused

TOPS = "Freecells: " + " ".join(line.split()[-1] for line in LINES)
FULL = "\n".join([TOPS, *(line.rsplit(" ", 1)[0] for line in LINES)])
TOO_MANY = "{} is one too many in the free cells: the game has {}"
TEN = "\n".join(" ".join(str(FIRST).split()[i::10]) for i in range(10))
NO_BOARD = "no board: expected a line of cards for each cascade"


@pytest.mark.parametrize(
    ("text", "reading", "reason"),
    [
        *[(text, {}, NO_BOARD) for text in ("", " \n\n", "Freecells: - -\n", "Foundations: C-0\n")],
        # Cards that are missing, doubled, or on a foundation, too.
        (str(FIRST).replace(" 6S", ""), {}, "not one full deck: missing 6S"),
        ("\n".join(LINES[1:]), {}, "not one full deck: missing 2S 3S 4C 6D 6S JD KD"),
        (MIDDLE.replace("D-8", "D-7"), {}, "not one full deck: missing 8D"),
        (
            "\n".join([*LINES[:3], LINES[3] + " 6S", *LINES[4:]]),
            {},
            "line 4: 6S appears twice, also in line 1",
        ),
        (f"Freecells: 6S\n{FIRST}", {}, "line 2: 6S appears twice, also in line 1"),
        (LINES[0] + " 6s\n", {}, "line 1: 6S appears twice, also in line 1"),
        (
            f"Foundations: C-0 D-0 H-0 S-2\n{FIRST}",
            {},
            "line 2: 2S cannot be here: line 1 says it is on its foundation",
        ),
        (
            f"{FIRST}\nFoundations: S-A\n",
            {},
            "line 6: AS cannot be here: line 9 says it is on its foundation",
        ),
        # Lines count from the top, blank ones, too.
        (
            "\n" + "\n".join([LINES[0], "", *LINES[1:]]).replace("9H 9S", "9H 9?"),
            {},
            "line 5: '9?' is not a card: a card is a rank of A23456789TJQK and a suit of CDHS, as "
            "in TD",
        ),
        # Too many cells or cascades.
        (FULL, {}, "line 1: " + TOO_MANY.format(LINES[4].split()[-1], 4)),
        (FULL, {"cells": 8}, "a game has 0 to 7 free cells, got 8"),
        (FULL, {"cells": 7}, "line 1: " + TOO_MANY.format(LINES[7].split()[-1], 7)),
        (MIDDLE, {"cells": 0}, "line 2: " + TOO_MANY.format("KH", 0)),
        (MIDDLE, {"cells": 8}, "a game has 0 to 7 free cells, got 8"),
        (TEN, {}, "a board has 4 to 9 cascades, got 10"),
        (MIDDLE, {"cascades": 5}, "6 lines of cards, but the game has 5 cascades"),
        (MIDDLE, {"cascades": 10}, "a board has 4 to 9 cascades, got 10"),
        (str(FIRST), {"cascades": 7}, "8 lines of cards, but the game has 7 cascades"),
    ],
)
def test_the_fault_of_a_board_is_named(text: str, reading: dict[str, Any], reason: str) -> None:
    assert refused(text, **reading) == reason


@pytest.mark.parametrize("word", ["6X", "1S", "66", "-", "6S5H", "Ω"])
def test_malformed_card_is_named_with_its_line(word: str) -> None:
    reason = refused(str(FIRST).replace("6S", word, 1))
    assert reason.startswith(f"line 1: {word!r} is not a card") and "as in TD" in reason
    held = refused(f"Freecells: - {word[::-1]}x\n{FIRST}")
    assert held.startswith(f"line 1: '{word[::-1]}x' is not a card")


@pytest.mark.parametrize("word", ["X-3", "C-14", "C-01", "C-", "3-C", "C--3", "C:", "3", "CC"])
def test_malformed_foundation_is_named_with_its_line(word: str) -> None:
    reason = refused(MIDDLE.replace("S-9", word))
    assert reason.startswith(f"line 1: {word!r} is not a foundation")
    assert "C-0 D-5 H-K S-A" in reason


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ([((), (), ())], "4 to 9 cascades, got 3"),
        ([((),) * 10], "4 to 9 cascades, got 10"),
        ([((),) * 8], "missing"),
        ([((),) * 8, (), (14, 13, 13, 12)], "four ranks from 0 to 13"),
        ([((),) * 8, (), (13, 13, 13)], "four ranks from 0 to 13"),
    ],
)
def test_boards_there_are_not(board: list[Any], reason: str) -> None:
    with pytest.raises(DealError, match=reason):
        FreeCellBoard(*board)


# Rows

ROWS = by_rows(FIRST)


def test_rows_of_a_whole_deal_are_not_taken_for_cascades() -> None:
    assert refused(ROWS) == (
        "lines 1 to 7 can be read in two ways: by columns, with 8-8-8-8-8-8-4 cards in the "
        "cascades, or by rows, with 7-7-7-7-6-6-6-6: say --columns or --rows"
    )
    assert FreeCellBoard.from_text(ROWS, layout="rows") == FIRST
    columns = FreeCellBoard.from_text(ROWS, layout="columns")
    assert [*map(names, columns.cascades)] == [*ROWS.splitlines(), ""]
    for above in ("Freecells:\n", "Foundations: C-0 D-0 H-0 S-0\nFreecells: - - - -\n"):
        assert "two ways" in refused(above + ROWS)
        assert FreeCellBoard.from_text(above + ROWS, layout="rows") == FIRST


@pytest.mark.parametrize("cascades", range(4, 10))
def test_rows_of_deals_of_any_width(cascades: int) -> None:
    board = freecell(617, cascades)
    text = by_rows(board)
    by_columns = "-".join(str(len(row.split())) for row in text.splitlines())
    as_dealt = "-".join(map(str, lengths(board)))
    for asked in {None, 9, cascades}:
        reason = refused(text, cascades=asked)
        assert f"by columns, with {by_columns} cards in the" in reason
        assert f"by rows, with {as_dealt}:" in reason
    assert FreeCellBoard.from_text(text, None, cascades, "rows") == board
    wide = FreeCellBoard.from_text(text, None, 9, "rows")
    assert wide.cascades == board.cascades + ((),) * (9 - cascades)
    assert FreeCellBoard.from_text(text, layout="rows") == board


def test_rows_that_are_wider_than_the_game_are_cascades() -> None:
    board = FreeCellBoard.from_text(by_rows(freecell(1, 9)), cascades=8)
    assert lengths(board) == [9, 9, 9, 9, 9, 7, 0, 0]


@pytest.mark.parametrize("cascades", range(4, 10))
@pytest.mark.parametrize("cells", range(8))
def test_no_deal_that_is_printed_can_be_taken_for_rows(cascades: int, cells: int) -> None:
    for number in (1, 11982, 2**31 - 1):
        board = freecell(number, cascades, cells)
        assert FreeCellBoard.from_text(str(board), cascades=cascades) == board
        assert FreeCellBoard.from_text(str(board)).cell_count == cells


@pytest.mark.parametrize(("width", "cascades"), [(9, 6), (8, 7), (7, 8), (6, 9)])
def test_a_board_whose_cascades_look_like_rows_says_that_they_are_none(
    width: int, cascades: int
) -> None:
    board = FreeCellBoard(tuple(DECK[i : i + width] for i in range(0, 52, width)))
    assert len(board.cascades) == cascades
    plain = str(board).replace(": ", "")
    assert "two ways" in refused(plain)
    assert FreeCellBoard.from_text(plain, None, cascades, "columns") == board
    assert FreeCellBoard.from_text(str(board), cascades=cascades) == board
    one_line = plain.replace("\n", "\n: ", 1)
    assert FreeCellBoard.from_text(one_line, cascades=cascades) == board
    assert "say --columns" in refused(one_line, layout="rows")


@pytest.mark.parametrize(
    "counts",
    [
        *[(8, 8, 8, 8, 8, 4, 8), (7, 7, 7, 7, 7, 6, 6, 5), (9, 9, 9, 9, 8, 8)],
        *[(7, 7, 7, 7, 6, 6, 6, 6), (13, 13, 13, 13)],
    ],
)
def test_other_cascades_are_read_without_a_word(counts: tuple[int, ...]) -> None:
    cards = iter(DECK)
    columns = tuple(tuple(next(cards) for _ in range(count)) for count in counts)
    text = "\n".join(map(names, columns))
    assert FreeCellBoard.from_text(text).cascades[: len(counts)] == columns


@given(boards(), st.sampled_from(["-", "--"]), st.sampled_from([" ", "  ", "\t"]))
def test_any_board_can_be_written_by_rows(board: FreeCellBoard, gap: str, blank: str) -> None:
    if not any(board.cascades):
        return
    text = "\n".join([*head(board), by_rows(board, gap).replace(" ", blank)])
    assert FreeCellBoard.from_text(text, **sized(board), layout="rows") == board
    if len({*lengths(board)}) > 1:
        assert "is not a card" in refused(text)


SCREEN = """\
 2D  5H  5D  7H  7C  9H  JC  JD
 KC  3H  AD  QC  KH  9S  5S  KD
 KS  3C  JS  AS  AH  9D  QD  2S
 5C  7S  4H  AC  4D 10S  QH  4C
10D  7D  8H  2C  JH  4S 10H  3S
 8S 10C  6C  3D  8C  8D  QS  6D
 9C                  2H  6H  6S
"""
"""Deal 1 as ``fc-solve -s`` shows it, which sorts the cascades."""


def test_blanks_of_a_screen_are_no_places_where_cards_move_up() -> None:
    assert "two ways" in refused(SCREEN)
    reason = "line 7: 4 places in a row, but line 1 has 8: write -- where a cascade has no card"
    assert refused(SCREEN, layout="rows") == reason
    filled = SCREEN.replace(18 * " ", " -- -- -- -- ")
    assert sorted(FreeCellBoard.from_text(filled, layout="rows").cascades) == sorted(FIRST.cascades)
    at_the_right = SCREEN.replace(" 9C" + 18 * " ", 18 * " " + "9C ")
    assert refused(at_the_right, layout="rows") == reason
    at_the_left = SCREEN.replace(" 9C" + 18 * " ", " 9C  ")
    assert FreeCellBoard.from_text(at_the_left, layout="rows").cascades[1][-1] == parse_card("2H")


def test_blanks_in_the_rows_of_a_position_are_noticed() -> None:
    home = "Foundations: H-0 C-0 D-A S-0\nFreecells:  4H  6C  8H  JS\n"
    text = SCREEN
    for gone in ("AD", "JS", "4H", "8H", "6C"):
        text = text.replace(gone, "  ")
    reason = refused(home + text)
    assert reason.startswith("line 4: a gap as wide as a card")
    assert "say --columns or --rows; for rows, write -- in the gap" in reason
    assert refused(home + text, layout="rows") == (
        "line 4: 7 places in a row, but line 3 has 8: write -- where a cascade has no card"
    )
    filled = text.replace(18 * " ", " -- -- -- -- ").replace(6 * " ", "  -- ")
    assert lengths(FreeCellBoard.from_text(home + filled, layout="rows")) == [
        7,
        6,
        1,
        6,
        6,
        7,
        7,
        7,
    ]
    columns = FreeCellBoard.from_text(home + text, layout="columns")
    assert lengths(columns) == [8, 7, 7, 7, 7, 7, 4, 0]


def test_blanks_that_are_wide_everywhere_hide_no_cards() -> None:
    for blank in ("   ", "\t", 8 * " "):
        text = str(FIRST).replace(" ", blank).replace("T", "10")
        assert FreeCellBoard.from_text(text) == FIRST
        rows = ROWS.replace(" ", blank).replace("T", "10")
        assert FreeCellBoard.from_text(rows, layout="rows") == FIRST


@pytest.mark.parametrize(
    ("text", "reading", "reason"),
    [
        (
            str(FIRST),
            {},
            "line 5: 6 places in a row, but line 1 has 7: write -- where a cascade has no card",
        ),
        (
            "Foundations: C-K D-K H-K S-J\nQS --\n-- KS\n",
            {},
            "line 3: KS has no card above it; the first row has the deepest cards",
        ),
        (by_rows(freecell(1, 9)), {"cascades": 8}, "9 cards in a row, but the game has 8 cascades"),
        (ROWS, {"layout": "diagonals"}, "a board is laid out in rows or columns, got 'diagonals'"),
    ],
)
def test_rows_that_cannot_be(text: str, reading: dict[str, Any], reason: str) -> None:
    assert refused(text, **{"layout": "rows", **reading}) == reason


# Positions in mid-game without marks of cascades

ONE_MOVE = after(freecell(164), "8a")


def cascades_of(board: FreeCellBoard) -> str:
    return "\n".join([*head(board), *(names(cascade) or "--" for cascade in board.cascades)])


def typed(board: FreeCellBoard) -> str:
    """As it is typed from a screen, without a word where a cascade has ended."""
    return "\n".join([*head(board), *(" ".join(filter(None, row)) for row in rows(board))])


def games(count: int, seed: int) -> Iterator[FreeCellBoard]:
    """Positions of random games."""
    generator = random.Random(seed)
    for _ in range(count):
        board = freecell(generator.randint(1, 10**6))
        for _ in range(generator.randint(5, 30)):
            moves = legal_moves(board)
            if not moves:
                break
            home = [move for move in moves if move.endswith("h")]
            board = after(board, generator.choice(home or moves))
            yield board


def test_rows_after_a_single_move_are_noticed() -> None:
    text = typed(ONE_MOVE)
    assert refused(text) == (
        "lines 2 to 8 can be read in two ways: by columns, with 8-8-8-8-8-7-4 cards in the "
        "cascades, or by rows, with 7-7-7-7-6-6-6-5: say --columns or --rows (and write -- where "
        "a cascade has no card)"
    )
    as_columns = FreeCellBoard.from_text(text, layout="columns")
    assert lengths(as_columns) == [8, 8, 8, 8, 8, 7, 4, 0]
    text += " -- -- -- --"
    text = text.replace("7D\n6S", "7D --\n6S")
    assert FreeCellBoard.from_text(text, layout="rows") == ONE_MOVE
    assert FreeCellBoard.from_text(cascades_of(ONE_MOVE)) == ONE_MOVE


def test_cascades_and_rows_in_mid_game_are_hardly_ever_taken_for_one_another() -> None:
    seen = asked = missed = 0
    for board in games(12, seed=1):
        seen += 1
        try:
            assert FreeCellBoard.from_text(cascades_of(board)) == board
        except DealError as error:
            assert "can be read in two ways" in str(error)
            asked += 1
        # Rows of more than nine lines are no board by columns.
        try:
            FreeCellBoard.from_text(typed(board))
            missed += 1
        except DealError:
            pass
        assert FreeCellBoard.from_text(str(board)) == board
    assert seen > 160
    assert asked < seen / 200
    assert missed < seen / 200


@pytest.mark.parametrize(
    "counts",
    [
        *[(8, 8, 8, 8, 8, 7, 4), (8, 8, 8, 8, 7, 6, 4, 3), (7, 7, 7, 7, 6, 6, 5, 5)],
        *[(7, 7, 6, 5, 5, 4, 2), (4, 4, 4, 4), (6, 6, 6, 6, 6, 6, 6, 5, 1), (9, 9, 9, 9, 8, 4)],
    ],
)
@pytest.mark.parametrize("cascades", [None, 8, 9])
def test_what_is_printed_is_never_taken_for_rows(
    counts: tuple[int, ...], cascades: int | None
) -> None:
    """Its lines begin with ``:`` where they could be."""
    home = (52 - sum(counts)) // 4
    deck = iter([card for card in DECK if card >> 2 > home])
    columns = tuple(tuple(next(deck) for _ in range(length)) for length in counts)
    board = FreeCellBoard(columns, tuple(deck), (home, home, home, home))
    wanted = cascades and max(cascades, len(columns))
    read = FreeCellBoard.from_text(str(board), cascades=wanted)
    assert read.cascades[: len(columns)] == columns
    assert not any(read.cascades[len(columns) :])


def test_a_deck_that_lacks_cards_is_told_so() -> None:
    assert "missing 6D" in refused(typed(ONE_MOVE).replace(" 6D", ""))
