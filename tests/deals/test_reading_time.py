"""Every reader takes time in proportion to its text, and refuses early what no board can be."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from board_texts import READERS

from deals import DealError, freecell, klondike, parse_range, pyramid
from deals.pasted import LONGEST_LINE, without_comments
from deals.sets import split_numbers

BOARDS = dict(
    zip(READERS.values(), map(str, (freecell(164), klondike(3), pyramid(7))), strict=True)
)
UNITS = [" ", "\t", "a", "TD", "| ", ": ", "#", '{"a": [', "a: ", "1. from ", "h:", "game ", "- "]
MORE = [
    *["\u00a0", "1", "TD ", ", ", "= ", "> ", "<", "??", "[] ", "{", "a ", "1. ", "draw ", "from "],
    *["foundations: ", "C-0 ", "stock ", "free cells (", "(1) ", "no. ", ". ", "11,982,", "1-"],
]


def seconds(read: Callable[[str], Any], text: str) -> float:
    start = time.process_time()
    with suppress(DealError):
        read(text)
    return time.process_time() - start


def check_linear(read: Callable[[str], Any], text: Callable[[int], str], size: int) -> None:
    """Four times the text takes four times as long; sixteen times would be the square."""
    for _ in range(2):
        little, much = (seconds(read, text(count)) for count in (size, 4 * size))
        # What else the machine does may disturb once.
        if much < 9 * little + 0.02:
            return
    pytest.fail(f"{text(3)}: {little} s, {much} s")


@pytest.mark.parametrize("read", BOARDS)
@pytest.mark.parametrize(
    "unit", [*UNITS, *(pytest.param(unit, marks=pytest.mark.long) for unit in MORE)]
)
def test_a_line_takes_time_in_proportion(read: Callable[[str], Any], unit: str) -> None:
    board = BOARDS[read]
    most = LONGEST_LINE // len(unit) // 4 - 20
    for form in ("{0}x\n{1}", "{1}\n{0}x", "Foundations: {0}x\n{1}", "{0}"):
        check_linear(read, lambda n, form=form: form.format(unit * n, board), most)  # type: ignore[misc]


@pytest.mark.parametrize("read", BOARDS)
@pytest.mark.parametrize(
    "unit", ["TD\n", ":\n\n", ". .\n", '{"a": [\n', "1:\n", "a:\n", "--\n", "Rules: draw=1\n"]
)
def test_many_lines_take_time_in_proportion(read: Callable[[str], Any], unit: str) -> None:
    check_linear(read, lambda n: unit * n, 250)
    check_linear(read, lambda n: unit * n + BOARDS[read], 250)


@pytest.mark.parametrize("read", BOARDS)
def test_keys_of_json_take_time_in_proportion(read: Callable[[str], Any]) -> None:
    def text(count: int) -> str:
        return "{" + ",\n".join(f'"{place}": []' for place in range(count)) + "}"

    check_linear(read, text, 2_000)


@pytest.mark.parametrize("unit", ["1", "11,982,", "1,2,", "1-", "1,", ","])
def test_numbers_take_time_in_proportion(unit: str) -> None:
    for read in (split_numbers, parse_range, without_comments):
        check_linear(read, lambda n: unit * n + "x", 20_000)


@pytest.mark.parametrize("read", BOARDS)
def test_ten_megabytes_on_a_line_are_refused_at_once(read: Callable[[str], Any]) -> None:
    text = "TD " * 3_500_000
    start = time.process_time()
    with pytest.raises(DealError, match=r"of at most 10,000 characters, got 10,500,000"):
        read(text)
    assert time.process_time() - start < 0.5
