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
        assert shell("deal", "-", stdin=text).out == text
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


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["0"], ["0", "2147483647"]),
        (["2147483648"], ["2147483648", "1 to 2147483647"]),
        (["5-3"], ["5-3", "3-5"]),
        (["0-3"], ["0"]),
        (["1-2147483648"], ["2147483648"]),
        (["-5"], ["-5", "1 to 2147483647"]),
        (["1-"], ["1-"]),
        (["617x"], ["617x", "ms32k"]),
        (["/absent/file"], ["/absent/file"]),
        (["1", "5-3"], ["5-3"]),
        (["9" * 5000], ["2147483647"]),
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
    ("617\n0\n", ["line 2", "2147483647"]),
    ("617\n\n5-3\n", ["line 3", "3-5"]),
    ("617 2147483648\n", ["line 1", "2147483648"]),
    ("9" * 5000, ["line 1", "2147483647"]),
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


def test_standard_input_that_cannot_be_read() -> None:
    refused(shell("solve", "-"), "standard input", "empty")
    refused(shell("solve", "-", stdin="7X\n"), "standard input", "line 1", "7X")
    strict = {"PYTHONIOENCODING": "utf-8:strict"}  # what a UTF-8 locale other than C gives
    refused(shell("solve", "-", stdin=b"\xff\xfe", env=strict), "standard input")
