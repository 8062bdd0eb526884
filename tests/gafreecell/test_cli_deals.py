"""DEALS on the command line: numbers, files of numbers and of boards, standard input."""

from __future__ import annotations

import os
import pty
import re
import resource
import subprocess
from itertools import zip_longest
from typing import Any

import pytest
from conftest import COMMAND, Command, File, outcomes_of, records, refused

import hsd
from deals import FreeCellBoard, card_name, freecell, klondike, pyramid
from gafreecell.solving.parameters import ParameterError

GAME = ("--game", "klondike")
JSON = ("--format", "jsonl")
BOARD = str(freecell(617))


# Numbers


@pytest.mark.parametrize("words", [["1"], ["617", "1-3", "2147483647"]])
def test_deals_round_trip_through_a_file_and_standard_input(
    file: File, command: Command, words: list[str]
) -> None:
    text = command("deal", *words).out
    assert command("deal", file(text)).out == command("deal", "-", stdin=text).out == text
    assert text.count("\n\n") == len(words) // 3 * 4, "a blank line between boards"


def test_files_from_windows_are_read(file: File, command: Command) -> None:
    assert command("deal", file(b"617\r\n618\r\n")).out == command("deal", "617-618").out
    assert command("deal", file(b"\xef\xbb\xbf617\r\n")).out == command("deal", 617).out


def test_a_long_range_takes_no_room() -> None:
    """The first of two thousand million deals comes at once, and in little memory."""
    process = subprocess.Popen(
        [*COMMAND, "deal", "1-2147483647"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)),
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        assert process.stdout.readline() == b"JD KD 2S 4C 3S 6D 6S\n", process.stderr.read()[-300:]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", ["empty"]),
        (" \n\t\n", ["empty"]),
        ("# only a remark\n", ["empty"]),
        (b"\xff\xfe\x00", ["not text"]),
        (bytes(range(256)) * 4, ["not text"]),
        ("617\n0\n", ["line 2", "2,147,483,647"]),
        ("617\n\n5-3\n", ["line 3", "3-5"]),
        ("617 2147483648\n", ["line 1", "2147483648"]),
        ("9" * 5000, ["line 1", "2,147,483,647"]),
        ("617\nsix hundred\n", ["line 2"]),
        (BOARD.replace("7D ", ""), ["missing 7D"]),
        (f"{BOARD}\n\n" + BOARD.replace("7D ", ""), ["board 2", "missing 7D"]),
        (f"{BOARD}\n\n" + BOARD.replace("7D ", "7X "), ["line 10", "'7X'"]),
    ],
    ids=lambda value: str(value)[:16],
)
def test_files_of_deals_that_cannot_be(
    file: File, command: Command, content: str | bytes, named: list[str]
) -> None:
    for name in ("solve", "deal"):
        done = command(name, file(content, "deals.txt"))
        refused(done, "deals.txt", *named)
        assert len(done.err) < 1000


def test_standard_input_that_cannot_be_read(command: Command) -> None:
    refused(command("solve", "-"), "standard input", "empty")
    refused(command("solve", "-", stdin="7X\n"), "standard input", "line 1", "7X")
    refused(command("solve", "-", stdin=b"\xff\xfe"), "standard input")


def test_who_types_at_a_terminal_is_told_how_to_end(command: Command) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "deal", "-"], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        os.write(ours, b"164\n\x04")
        out, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert err == b"gafreecell: paste the text and end it with Ctrl-D\n"
    assert out.decode() == f"{freecell(164)}\n"
    assert not command("deal", "-", stdin="164").err


# Numbers of boards


@pytest.mark.parametrize(
    ("game", "numbers"),
    [("freecell", (617, 1, 2147483647)), ("klondike", (24, 32000)), ("pyramid", (7, 1))],
)
def test_boards_that_are_numbered_deals_are_recognised(
    file: File, command: Command, game: str, numbers: tuple[int, ...]
) -> None:
    boards = file(command("deal", *numbers, "--game", game).out)
    done = command("deal", "--number", boards, "--game", game)
    assert (done.status, done.err) == (0, "")
    assert done.out == "".join(f"{number}\n" for number in numbers)
    assert command("deal", "--number", 5, boards, "--game", game).out == f"5\n{done.out}"
    again = command("deal", "-", "--game", game, stdin=done.out)
    assert again.out == boards.read_text(), "the numbers are read as deals"


def test_a_board_that_is_no_numbered_deal_says_so_on_its_line(file: File, command: Command) -> None:
    lines = command("deal", 617).out.splitlines()
    exchanged = "\n".join([lines[1], lines[0], *lines[2:]])
    boards = file("\n\n".join([command("deal", 1).out, exchanged, command("deal", 3).out]))
    done = command("deal", "--number", boards)
    assert (done.status, done.err) == (1, "")
    said = f"# {boards}:2 is not recognised: no Microsoft deal has these cards in this order"
    assert done.out == f"1\n{said}\n3\n"
    again = command("deal", "-", stdin=done.out)
    assert again.out == command("deal", 1, 3).out, "what is said of the others is a remark"
    done = command("deal", "--number", file(command("deal", 40000, *GAME).out), *GAME)
    assert (done.status, done.out.count("larger numbers cannot be found from the cards")) == (1, 1)


def test_numbers_are_of_the_variant_that_is_asked_for(file: File, command: Command) -> None:
    six = file(command("deal", 617, "--cascades", 6, "--cells", 2).out)
    assert command("deal", "--number", six, "--cascades", 6).out == "617\n"
    done = command("deal", "--number", six)
    assert (done.status, done.out) == (0, "617\n")
    assert f"{six}:1: played with 6 cascades, as its text shows" in done.err
    done = command("deal", "--number", six, "--cascades", 8)
    said = "is not recognised: this is deal 617 over 6 cascades, not 8: say --cascades 6"
    assert (done.status, done.out) == (1, f"# {six}:1 {said}\n")
    refused(command("deal", "--number", file("7X\n")), "'7X'")


DIGITS = (
    "123073052111093022112104094131132053071051133121012054041134024033031122092013114014043011042074"
    "034102044103083021113072062084082124061032081101064091023063"
)
"""Deal 1 of PySol FC's Klondike as Klondike-Solver takes it."""


def test_a_deck_in_digits_is_a_board_and_no_number(file: File, command: Command) -> None:
    deal = command("deal", 1, *GAME).out
    assert command("deal", DIGITS, *GAME).out == deal
    assert command("deal", "-", *GAME, stdin=f"\n{DIGITS}\n").out == deal
    two = file(f"# decks\n{DIGITS}\n{DIGITS}  # the same\n", "two")
    assert command("deal", two, *GAME).out == f"{deal}\n{deal}"
    mixed = file(f"{DIGITS}\n{command('deal', 3, *GAME).out}")
    assert command("deal", "--number", mixed, *GAME).out == "1\n3\n"
    short = command("deal", file(DIGITS[:-3]), *GAME)
    refused(short, "52 cards of three digits, got 51", "6H")
    refused(command("deal", two), "line 2", "156 digits are a Klondike deal", "--game klondike")
    refused(command("deal", two, "--game", "pyramid"), "line 2", "Klondike deal", "--game klondike")


# Rows and columns

TWO_WAYS = ("8-8-8-8-8-8-4", "7-7-7-7-6-6-6-6", "--rows", "--columns")


def by_rows(board: FreeCellBoard) -> str:
    """A deal as a screen shows it."""
    columns = [[card_name(card) for card in column] for column in board.cascades]
    return "\n".join(" ".join(filter(None, row)) for row in zip_longest(*columns)) + "\n"


def test_rows_are_read_if_that_is_asked_for(file: File, command: Command) -> None:
    rows = file(by_rows(freecell(1)), "rows")
    line = command("solve", 1, *JSON).out
    moves = file(line, "moves")
    for words in (("solve", rows), ("deal", rows), ("evaluate", "fast", "--deals", rows)):
        refused(command(*words), str(rows), "lines 1 to 7", *TWO_WAYS)
    refused(command("verify", rows, moves), *TWO_WAYS)
    refused(command("solve", "-", stdin=rows.read_text()), "standard input", *TWO_WAYS)

    assert command("deal", rows, "--rows").out == command("deal", 1).out
    assert outcomes_of(command("solve", rows, "--rows", *JSON).out) == outcomes_of(line)
    assert command("verify", rows, moves, "--rows").status == 0
    assert command("verify", rows, moves, "--columns").status == 1
    evaluated = command("evaluate", "fast", "--deals", rows, "--rows", "--format", "json")
    assert f'"nodes_mean": {records(line)[0]["nodes"]["generated"]}' in evaluated.out
    columns = command("deal", rows, "--columns").out
    assert columns == rows.read_text() + ":\n"
    assert command("deal", file(columns)).out == columns


def test_a_figure_takes_boards_by_rows(file: File, command: Command) -> None:
    rows = file(by_rows(freecell(1)))
    words = ("plot", "fast", "--kind", "cactus", "--deals", rows, "-o", rows.with_suffix(".svg"))
    refused(command(*words), *TWO_WAYS)
    assert command(*words, "--rows").status == 0
    assert rows.with_suffix(".svg").stat().st_size > 0


def test_a_game_knows_two_layouts() -> None:
    text = by_rows(freecell(7, 9))
    nine = hsd.GAME.vary(cascades=9).laid_out("rows")
    assert nine.read_boards(text) == [freecell(7, 9)]
    assert nine.vary(cells=2).read_boards(text) == [freecell(7, 9, 2)]
    assert hsd.GAME.laid_out("columns").read_boards(text) != [freecell(7, 9)]
    with pytest.raises(ParameterError, match="rows or columns, got 'row'"):
        hsd.GAME.laid_out("row")


# Cells and cascades


def test_boards_in_other_forms_are_read_and_recognised(file: File, command: Command) -> None:
    deals = command("deal", "1-3").out
    symbols = deals.translate(str.maketrans("CDHS", "♣♦♥♠"))
    remarked = "# deals\n" + re.sub(r"(\S)\n", r"\1  # a cascade\n", deals)
    for text in (symbols, remarked):
        assert command("deal", file(text)).out == command("deal", "-", stdin=text).out == deals
        assert command("deal", "--number", file(text)).out == "1\n2\n3\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--cells", 0], True),
        (["--cells", 2], True),
        (["--cells", 6], True),
        (["--cells", 7], False),
        (["--cascades", 9], False),
    ],
)
def test_variants_round_trip(file: File, command: Command, words: list[Any], told: bool) -> None:
    """``deal --cells 6`` prints six places; reading them back as four is another deal."""
    text = command("deal", "5", *words).out
    assert command("deal", file(text), *words).out == text
    assert not told or command("deal", file(text)).out == text


# What is assumed of boards

TWO_CELLS = f"Freecells: -- --\n{freecell(1)}"
TOLD = "played with 2 free cells, as its text says"


@pytest.mark.parametrize("name", ["solve", "hint"])
def test_an_answer_tells_the_cells_it_assumed(file: File, command: Command, name: str) -> None:
    board = file(TWO_CELLS)
    done = command(name, board)
    assert done.said.startswith(f"FreeCell with 8 cascades, 2 cells {board}:1: {TOLD}")
    assert (done.status, done.err) == (0, "")


def test_other_output_leaves_what_was_assumed_to_stderr(file: File, command: Command) -> None:
    board = file(TWO_CELLS)
    for words in (
        ("solve", board, *JSON),
        ("solve", board, "--format", "moves"),
        ("hint", board, *JSON),
        ("deal", board),
    ):
        done = command(*words)
        assert done.lines == [f"gafreecell: {board}:1: {TOLD}: ask for another number to change it"]
        assert TOLD not in done.out
    assert TOLD not in command("solve", board, "--cells", 2).out
    boards = file("\n\n".join([TWO_CELLS] * 3))
    (line,) = command("deal", boards).lines
    assert line.startswith(f"gafreecell: {boards}:1 and 2 more: {TOLD}")


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        (("hint", "-"), str(pyramid(3)), ["two ways", "Klondike or Pyramid", "--columns"]),
        (("solve", "-"), str(klondike(3)), ["of Klondike: say --game klondike"]),
        (("solve", "-", *GAME), str(freecell(164)), ["two ways", "FreeCell"]),
        (("solve", "-", "--game", "pyramid"), str(freecell(164)), ["two ways", "FreeCell"]),
        (("play", "-"), str(freecell(164)), ["two ways", "FreeCell"]),
    ],
)
def test_another_game_s_board_is_refused_by_its_name(
    command: Command, words: tuple[str, ...], text: str, said: list[str]
) -> None:
    refused(command(*words, stdin=text), "standard input", *said)
