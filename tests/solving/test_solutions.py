"""Move tokens in plain text and in JSON, and the messages for text without any."""

from __future__ import annotations

import json

import pytest

from gafreecell.cli.telling import folded
from gafreecell.solving.notations import Notation
from gafreecell.solving.solutions import read_moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", []),
        ("6a 26v3\n\n2h\t7h\r\n", ["6a", "26v3", "2h", "7h"]),
        (json.dumps({"deal": 1, "moves": ["6a", "26v3"]}) + "\n", ["6a", "26v3"]),
        ('{"moves": []}', []),
        ('["6a", "26 v3"]', ["6a", "26 v3"]),
        ("[1,2] [3,4]", ["[1,2]", "[3,4]"]),
        ("Deal 617, solved\n6a 26v3\n2h\n", ["6a", "26v3", "2h"]),
        ("a b.txt:1 (x): solved, length single 3; 1 node\n6a 26v3\n2h\n", ["6a", "26v3", "2h"]),
        ("1c: a legend\n\n 1. 6a     the TD\n\n TD 3C\n 2. 26v3   three cards\n", ["6a", "26v3"]),
        (" 1. Remove 6d and 7h\n 2. Draw\n", ["Remove 6d and 7h", "Draw"]),
    ],
)
def test_read_moves(text: str, moves: list[str]) -> None:
    assert read_moves(text) == moves


LONG = "Deal 3, played by the weights of " + "runs/long/" * 6 + "best.json"


@pytest.mark.parametrize("title", [LONG, f"{LONG}, which cannot see the cards ??"])
def test_titles_that_play_folds_are_read(title: str) -> None:
    one = Notation("a move", "[1-9][a-d1-9h]")
    moves = " 1. 6a     the TD from cascade 6 to cell a\n\nWon: 1 move, 1 decision, 0.1 s\n"
    text = f"{folded(title)}\n\n{moves}"
    assert len(text.splitlines()) > 5
    assert read_moves(text, [one]) == ["6a"]
    for wrong in (text.replace("played by", "played\nby"), text.replace("Won: 1", "Won: 6a 1")):
        with pytest.raises(ValueError, match="expected a numbered move"):
            read_moves(wrong, [one])


@pytest.mark.parametrize("line", ["  1     26    35", "  1  2  3  4  5  6  7  8  9  11", "  -"])
def test_moves_are_no_head_of_a_table(line: str) -> None:
    drawn = " 1. 6a     the TD from cascade 6 to cell a\n\n{}\n"
    one = [Notation("a move", "[1-9][a-d1-9h]")]
    assert read_moves(drawn.format("  1  2  3  4  5  6  7  8  9  10"), one) == ["6a"]
    with pytest.raises(ValueError, match="line 3"):
        read_moves(drawn.format(line), one)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"moves": null, "status": "node-limit"}', "got null: the deal's status is 'node-limit'"),
        ('{"moves": ["6a"', "malformed JSON"),
        ('{"moves": ["6a"]}\n{"moves": ["6a"]}', "one deal, got those of 2"),
        ('{"moves": ["6a"]}\n6a', "malformed JSON: Extra data: line 2"),
        ('{"moves": "6a"}', "list of strings"),
        ('{"moves": [6]}', "list of strings"),
        ('{"deal": 617}', 'a JSON object with "moves", got none'),
        ('{"a":' * 100_000, "malformed JSON"),
    ],
)
def test_read_moves_refuses(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as fault:
        read_moves(text)
    assert reason in str(fault.value)
