"""DEALS on the command line: numbers, files of numbers and of boards, standard input."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest
from conftest import COMMAND, Command, refused, shell, written


def test_deals_round_trip_through_a_file_and_standard_input(
    tmp_path: Path, command: Command
) -> None:
    for words in (["1"], ["617", "1-3", "2147483647"]):
        text = command("deal", *words).out
        assert command("deal", written(tmp_path / "boards", text)).out == text
        assert command("deal", "-", stdin=text).out == text
    assert text.count("\n\n") == 4, "a blank line between boards"
    assert command("deal", "617").out.startswith("7D TD TH KD 4C 4S JD\n")


def test_files_from_windows_are_read(tmp_path: Path, command: Command) -> None:
    crlf = written(tmp_path / "crlf", b"617\r\n618\r\n")
    assert command("deal", crlf).out == command("deal", "617-618").out
    marked = written(tmp_path / "marked", b"\xef\xbb\xbf617\r\n")
    assert command("deal", marked).out == command("deal", 617).out


def test_a_long_range_takes_no_room() -> None:
    """The first of two thousand million deals comes at once, and in little memory."""

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    process = subprocess.Popen(
        [*COMMAND, "deal", "1-2147483647"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=little_room,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        assert process.stdout.readline() == b"JD KD 2S 4C 3S 6D 6S\n", process.stderr.read()[-300:]
    finally:
        process.kill()
        process.communicate()


# Numbers of boards


def test_boards_that_are_numbered_deals_are_recognised(tmp_path: Path, command: Command) -> None:
    for game, numbers in (("freecell", "617 1-2 2147483647"), ("klondike", "24 32000"),
                          ("pyramid", "7 1")):  # fmt: skip
        words = numbers.split()
        boards = written(tmp_path / game, command("deal", *words, "--game", game).out)
        done = command("deal", "--number", boards, "--game", game)
        assert (done.status, done.err) == (0, "")
        assert done.out.split() == numbers.replace("1-2", "1 2").split()
        assert command("deal", "--number", 5, boards, "--game", game).out == f"5\n{done.out}"
        again = command("deal", "-", "--game", game, stdin=done.out)
        assert again.out == boards.read_text(), "the numbers are read as deals"


def test_a_board_that_is_no_numbered_deal_says_so_on_its_line(
    tmp_path: Path, command: Command
) -> None:
    lines = command("deal", 617).out.splitlines()
    exchanged = "\n".join([lines[1], lines[0], *lines[2:]])
    text = "\n\n".join([command("deal", 1).out, exchanged, command("deal", 3).out])
    boards = written(tmp_path / "boards", text)
    done = command("deal", "--number", boards)
    assert (done.status, done.err) == (1, "")
    assert done.out.splitlines() == [
        "1",
        f"# {boards}:2 is not recognised: no Microsoft deal has these cards in this order",
        "3",
    ]
    again = command("deal", "-", stdin=done.out)
    assert again.out == command("deal", 1, 3).out, "what is said of the others is a remark"
    high = written(tmp_path / "high", command("deal", 40000, "--game", "klondike").out)
    done = command("deal", "--number", high, "--game", "klondike")
    assert (done.status, done.out.count("larger numbers cannot be found from the cards")) == (1, 1)


def test_numbers_are_of_the_variant_that_is_asked_for(tmp_path: Path, command: Command) -> None:
    six = written(tmp_path / "six", command("deal", 617, "--cascades", 6, "--cells", 2).out)
    assert command("deal", "--number", six, "--cascades", 6).out == "617\n"
    done = command("deal", "--number", six)
    assert (done.status, done.out) == (0, "617\n")
    assert f"{six}:1: played with 6 cascades, as its text shows" in done.err
    done = command("deal", "--number", six, "--cascades", 8)
    assert (done.status, done.out) == (
        1,
        f"# {six}:1 is not recognised: this is deal 617 over 6 cascades, not 8: say --cascades 6\n",
    )
    refused(command("deal", "--number", six, "--reachable"), "not allowed with")
    refused(command("deal", "--number", written(tmp_path / "bad", "7X\n")), "'7X'")


# Decks in digits

DIGITS = (
    "123073052111093022112104094131132053071051133121012054041134024033031122092013114014043011042074"
    "034102044103083021113072062084082124061032081101064091023063"
)
"""Deal 1 of PySol FC's Klondike as Klondike-Solver takes it."""


def test_a_deck_in_digits_is_a_board_and_no_number(tmp_path: Path, command: Command) -> None:
    deal = command("deal", 1, "--game", "klondike").out
    assert command("deal", DIGITS, "--game", "klondike").out == deal
    assert command("deal", "-", "--game", "klondike", stdin=f"\n{DIGITS}\n").out == deal
    two = written(tmp_path / "two", f"# decks\n{DIGITS}\n{DIGITS}  # the same\n")
    assert command("deal", two, "--game", "klondike").out == f"{deal}\n{deal}"
    mixed = written(tmp_path / "mixed", f"{DIGITS}\n{command('deal', 3, '--game', 'klondike').out}")
    assert command("deal", "--number", mixed, "--game", "klondike").out == "1\n3\n"
    short = written(tmp_path / "short", DIGITS[:-3])
    refused(command("deal", short, "--game", "klondike"), "52 cards of three digits, got 51", "6H")
    refused(command("deal", two), "line 2", "156 digits are a Klondike deal", "--game klondike")
    refused(command("deal", two, "--game", "pyramid"), "line 2", "Klondike deal", "--game klondike")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["0"], ["0", "2,147,483,647"]),
        (["2147483648"], ["2147483648", "1 to 2,147,483,647"]),
        (["5-3"], ["5-3", "3-5"]),
        (["0-3"], ["0"]),
        (["1-2147483648"], ["2147483648"]),
        (["-5"], ["-5", "1 to 2,147,483,647"]),
        (["1-"], ["1-"]),
        (["617x"], ["617x", "ms32k"]),
        (["/absent/file"], ["/absent/file"]),
        (["1", "5-3"], ["5-3"]),
        (["9" * 5000], ["2,147,483,647"]),
    ],
    ids=lambda value: str(value)[:20],
)
def test_deals_that_cannot_be(command: Command, words: list[str], named: list[str]) -> None:
    for name in ("solve", "deal"):
        done = command(name, *words)
        refused(done, *named)
        assert len(done.err) < 1000


BAD_FILES: list[tuple[str | bytes, list[str]]] = [
    ("", ["empty"]),
    (" \n\t\n", ["empty"]),
    ("# only a remark\n", ["empty"]),
    (b"\xff\xfe\x00", ["not text"]),
    ("617\n0\n", ["line 2", "2,147,483,647"]),
    ("617\n\n5-3\n", ["line 3", "3-5"]),
    ("617 2147483648\n", ["line 1", "2147483648"]),
    ("9" * 5000, ["line 1", "2,147,483,647"]),
    ("617\nsix hundred\n", ["line 2"]),
]


@pytest.mark.parametrize(("content", "named"), BAD_FILES, ids=lambda value: str(value)[:16])
def test_files_of_deals_that_cannot_be(
    tmp_path: Path, command: Command, content: str | bytes, named: list[str]
) -> None:
    path = written(tmp_path / "deals.txt", content)
    done = command("solve", path)
    refused(done, str(path), *named)
    assert len(done.err) < 1000


def test_a_directory_is_no_file_of_deals(tmp_path: Path, command: Command) -> None:
    refused(command("solve", tmp_path), str(tmp_path), "directory")


def test_standard_input_that_cannot_be_read(command: Command) -> None:
    refused(command("solve", "-"), "standard input", "empty")
    refused(command("solve", "-", stdin="7X\n"), "standard input", "line 1", "7X")
    strict = {"PYTHONIOENCODING": "utf-8:strict"}  # what a UTF-8 locale other than C gives
    refused(shell("solve", "-", stdin=b"\xff\xfe", env=strict), "standard input")
