"""Boards of FreeCell in files and on standard input, as their users write them."""

from __future__ import annotations

import json
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, outcomes_of, records, refused, written

import hsd
from deals import FreeCellBoard, card_name, freecell
from deals.cards import DECK
from gafreecell.solving.parameters import ParameterError


def by_rows(board: FreeCellBoard) -> str:
    """A deal as a screen shows it."""
    columns = [[card_name(card) for card in column] for column in board.cascades]
    return "\n".join(" ".join(filter(None, row)) for row in zip_longest(*columns)) + "\n"


# Cells and layouts

TWO_WAYS = ("8-8-8-8-8-8-4", "7-7-7-7-6-6-6-6", "--rows", "--columns")


def six_deals(line: str) -> str:
    """Deals 1 to 6 with a line above each."""
    return "\n\n".join(f"{line}\n{freecell(number)}" for number in range(1, 7))


@pytest.mark.parametrize("line", ["Freecells:", "Freecells:" + 16 * " ", "Freecells: -- -- -- --"])
def test_empty_cells_make_no_deal_unsolvable(tmp_path: Path, command: Command, line: str) -> None:
    words = ("--format", "jsonl")
    done = command("solve", written(tmp_path / "boards", six_deals(line)), *words)
    assert done.status == 0
    assert [record["status"] for record in records(done.out)] == 6 * ["solved"]
    assert outcomes_of(done.out) == outcomes_of(command("solve", "1-6", *words).out)


def test_cells_can_be_fewer_than_four_but_not_than_a_line_names(
    tmp_path: Path, command: Command
) -> None:
    words = ("--cells", 0, "--format", "jsonl")
    done = command("solve", written(tmp_path / "boards", six_deals("Freecells:")), *words)
    assert outcomes_of(done.out) == outcomes_of(command("solve", "1-6", *words).out)
    named = written(tmp_path / "named", six_deals("Freecells: -- -- --"))
    refused(command("solve", named, *words), "board 1, line 1", "3 free cells", "ask for 3 cells")


def test_a_deal_without_cells_is_printed_as_one(tmp_path: Path, command: Command) -> None:
    text = command("deal", 1, "--cells", 0).out
    done = command("solve", written(tmp_path / "board", text))
    assert done.status == 0
    told = f"{tmp_path / 'board'}:1: played with no free cells, as its"
    assert done.out.replace("\n", " ").startswith(told)
    assert f"{tmp_path / 'board'}:1: unsolvable after" in done.out


def test_rows_are_read_if_that_is_asked_for(tmp_path: Path, command: Command) -> None:
    rows = written(tmp_path / "rows", by_rows(freecell(1)))
    line = command("solve", 1, "--format", "jsonl").out
    moves = written(tmp_path / "moves", line)
    for words in (("solve", rows), ("deal", rows), ("evaluate", "fast", "--deals", rows)):
        refused(command(*words), str(rows), "lines 1 to 7", *TWO_WAYS)
    refused(command("verify", rows, moves), *TWO_WAYS)
    refused(command("solve", "-", stdin=rows.read_text()), "standard input", *TWO_WAYS)

    assert command("deal", rows, "--rows").out == command("deal", 1).out
    solved = command("solve", rows, "--rows", "--format", "jsonl").out
    assert outcomes_of(solved) == outcomes_of(line)
    assert command("verify", rows, moves, "--rows").status == 0
    assert command("verify", rows, moves, "--columns").status == 1
    evaluated = command("evaluate", "fast", "--deals", rows, "--rows", "--format", "json")
    assert f'"nodes_mean": {records(line)[0]["nodes"]["generated"]}' in evaluated.out
    columns = command("deal", rows, "--columns").out
    assert columns == rows.read_text() + ":\n"
    assert command("deal", written(tmp_path / "columns", columns)).out == columns


def test_the_board_that_can_be_read_in_two_ways_is_named(tmp_path: Path, command: Command) -> None:
    boards = written(tmp_path / "boards", f"{freecell(2)}\n\n{by_rows(freecell(1))}")
    refused(command("solve", boards), "board 2, lines 10 to 16", *TWO_WAYS)
    done = command("solve", boards, "--keep-going", "--format", "jsonl")
    assert done.status == 2
    assert "board 2, lines 10 to 16" in done.err
    assert [record["deal"] for record in records(done.out)] == [1]
    refused(command("solve", boards, "--rows"), "board 1, line 5", "6 places")


def test_a_file_is_not_gone_on_with_in_another_layout(tmp_path: Path, command: Command) -> None:
    rows = written(tmp_path / "rows", by_rows(freecell(1)))
    words = ("solve", rows, "--format", "jsonl", "-o", tmp_path / "out.jsonl", "--resume")
    assert command(*words, "--rows").status == 0
    refused(command(*words, "--columns"), "out.jsonl", "was begun with other boards")
    assert command(*words, "--rows").status == 0


def test_a_figure_takes_boards_by_rows(tmp_path: Path, command: Command) -> None:
    rows, figure = written(tmp_path / "rows", by_rows(freecell(1))), tmp_path / "cactus.svg"
    words = ("plot", "fast", "--kind", "cactus", "--deals", rows, "-o", figure)
    refused(command(*words), *TWO_WAYS)
    assert command(*words, "--rows").status == 0
    assert figure.stat().st_size > 0


def test_the_layout_of_other_games_cannot_be_chosen(command: Command) -> None:
    for layout in ("--rows", "--columns"):
        done = command("solve", 1, "--game", "klondike", layout)
        refused(done, f"Klondike cannot tell rows from columns: leave out {layout}")
    refused(command("deal", 1, "--rows", "--columns"), "not allowed with")


def test_a_game_knows_two_layouts() -> None:
    text = by_rows(freecell(7, 9))
    nine = hsd.GAME.vary(cascades=9).laid_out("rows")
    assert nine.read_boards(text) == [freecell(7, 9)]
    assert nine.vary(cells=2).read_boards(text) == [freecell(7, 9, 2)]
    assert hsd.GAME.laid_out("columns").read_boards(text) != [freecell(7, 9)]
    with pytest.raises(ParameterError, match="rows or columns, got 'row'"):
        hsd.GAME.laid_out("row")


# What people paste


def test_boards_of_one_line_and_in_other_forms(tmp_path: Path, command: Command) -> None:
    deals = command("deal", "1-3").out
    boards = deals.strip().split("\n\n")
    symbols = deals.translate(str.maketrans({"C": "♣", "D": "♦", "H": "♥", "S": "♠"}))
    solvitaire = "\n".join(
        json.dumps(
            {"tableau piles": [line.split() for line in board.replace("T", "10").splitlines()]}
        )
        for board in boards
    )
    for text in (
        "\n".join(" ".join(board.split()) for board in boards),
        "\n".join(board.replace("\n", " | ") for board in boards),
        symbols,
        symbols.replace(" ", ", "),
        solvitaire,
        "Free cells: -- -- -- --\n" + deals,
    ):
        assert command("deal", written(tmp_path / "boards", text)).out == deals
        assert command("deal", "--number", tmp_path / "boards").out == "1\n2\n3\n"
    assert command("deal", "-", stdin=symbols).out == deals


def test_52_cards_on_one_line_are_refused_until_something_says_how(
    tmp_path: Path, command: Command
) -> None:
    names = [card_name(card) for card in DECK]
    flat = written(tmp_path / "flat", " ".join(names))
    refused(command("solve", flat), str(flat), "line 1", "by columns", "by rows", "| between")
    assert command("deal", flat, "--columns").out.splitlines()[0].split() == names[:7]
    assert command("deal", flat, "--rows").out.splitlines()[0].split() == names[::8]


# Positions and variants


@pytest.mark.parametrize("words", [["--cells", 0], ["--cells", 7], ["--cascades", 9]])
def test_variants_round_trip(tmp_path: Path, command: Command, words: list[Any]) -> None:
    text = command("deal", "5", *words).out
    assert command("deal", written(tmp_path / "board", text), *words).out == text


@pytest.mark.parametrize("cells", [0, 2, 6])
def test_a_board_that_tells_its_cells_is_not_played_with_four(
    tmp_path: Path, command: Command, cells: int
) -> None:
    """``deal --cells 6`` prints six places; reading them back as four is another deal."""
    text = command("deal", "5", "--cells", cells).out
    assert command("deal", written(tmp_path / "board", text)).out == text


def test_remarks_in_a_file_of_boards_are_no_cards(tmp_path: Path, command: Command) -> None:
    text = command("deal", "5").out
    remarked = "# deal 5\n" + text.replace("\n", "  # a cascade\n")
    assert command("deal", written(tmp_path / "board", remarked)).out == text


def test_a_position_in_mid_game_is_read_and_solved(tmp_path: Path, command: Command) -> None:
    text = (
        "Foundations: C-3 D-0 H-A S-2\nFreecells: 4C - 7D\n"
        + "\n".join(
            " ".join(row)
            for row in split_rest({"AC", "2C", "3C", "AH", "AS", "2S", "4C", "7D"}, columns=8)
        )
        + "\n"
    )
    board = FreeCellBoard.from_text(text)
    file = written(tmp_path / "board", text)
    done = command("solve", file, "--format", "jsonl")
    assert done.status == 0
    assert hsd.verify(board, records(done.out)[0]["moves"]).solved
    solution = written(tmp_path / "moves", " ".join(records(done.out)[0]["moves"]))
    assert command("verify", file, solution).status == 0


def split_rest(out: set[str], columns: int) -> list[list[str]]:
    """The other cards in columns, kings deepest."""
    left = [card_name(card) for card in sorted(DECK, reverse=True) if card_name(card) not in out]
    return [left[i::columns] for i in range(columns)]


# Boards that cannot be

BOARD = str(freecell(617)).splitlines()


def edited(line: int, old: str, new: str) -> str:
    lines = list(BOARD)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "\n".join(lines) + "\n"


BAD_BOARDS: dict[str, tuple[str, list[str]]] = {
    "missing": (edited(1, "7D ", ""), ["missing 7D"]),
    "doubled": (edited(3, BOARD[2].split()[0], "7D"), ["line 3", "7D", "appears twice", "line 1"]),
    "malformed-rank": (edited(2, BOARD[1].split()[1], "1D"), ["line 2", "'1D'", "A23456789TJQK"]),
    "malformed-suit": (edited(2, BOARD[1].split()[1], "7X"), ["line 2", "'7X'", "CDHS"]),
    "malformed-long": (edited(2, BOARD[1].split()[1], "100D"), ["line 2", "'100D'"]),
    "on-its-foundation": (
        "Foundations: C-0 D-A H-0 S-0\n" + "\n".join(BOARD),
        ["line 3", "AD", "line 1", "foundation"],
    ),
    "foundation-beyond-the-cards": (
        "Foundations: C-K D-K H-K S-K\n" + "\n".join(BOARD),
        ["foundation"],
    ),
    "malformed-foundation": ("Foundations: C-14\n" + "\n".join(BOARD), ["line 1", "'C-14'"]),
    "too-many-cells": (
        "Freecells: 7D TD TH KD 4C\n" + edited(1, "7D TD TH KD 4C ", ""),
        ["line 1", "4C", "has 4"],
    ),
    "too-many-cascades": ("\n".join([*BOARD[:7], *BOARD[7].split()]), ["cascades"]),
    "only-a-label": ("Foundations: C-0 D-0 H-0 S-0\n", ["cascade"]),
    "second-board": ("\n".join(BOARD) + "\n\n" + edited(1, "7D ", ""), ["board 2", "missing 7D"]),
    "second-board-line": ("\n".join(BOARD) + "\n\n" + edited(2, BOARD[1].split()[1], "7X"),
                          ["line 11", "'7X'"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "named"), BAD_BOARDS.values(), ids=BAD_BOARDS)
def test_boards_that_cannot_be(
    tmp_path: Path, command: Command, text: str, named: list[str]
) -> None:
    path = written(tmp_path / "board.txt", text)
    for name in ("solve", "deal"):
        refused(command(name, path), str(path), *named)
