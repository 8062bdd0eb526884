"""The command line with ``--game pyramid``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, records, refused, written

from deals.pyramid_deck import pyramid

GAME = ("--game", "pyramid")


def test_one_deck_and_many_in_a_file(tmp_path: Path, command: Command) -> None:
    numbers = range(1, 13)
    words = ("--format", "jsonl", *GAME)
    done = command("solve", "1-12", *words)
    assert done.status == 0
    by_number = records(done.out)
    assert {line["status"] for line in by_number} == {"solved", "unsolvable"}
    for joint, texts in (
        ("\n", [pyramid(n).deck_text() for n in numbers]),
        ("\n\n", [str(pyramid(n)) for n in numbers]),
    ):
        file = written(tmp_path / "decks", joint.join(texts))
        lines = records(command("solve", file, *words).out)
        assert [line["deal"] for line in lines] == list(numbers)
        assert [line["moves"] for line in lines] == [line["moves"] for line in by_number]


def test_text_is_numbered_and_verified(tmp_path: Path, command: Command) -> None:
    done = command("solve", 5, *GAME)
    assert done.status == 0
    steps = done.out.splitlines()[1:]
    assert steps[0].startswith(" 1. ")
    file = written(tmp_path / "steps", "\n".join(steps))
    assert command("verify", 5, file, *GAME).status == 0


def test_challenges(tmp_path: Path, command: Command) -> None:
    words = ("solve", 5, *GAME, "--format", "jsonl", "--goal")

    def solved(goal: str) -> dict[str, Any]:
        (line,) = records(command(*words, goal).out)
        return line

    best, some, queens = map(solved, ("score", "score:200", "cards:Q:2"))
    assert best["lengths"]["score"] >= some["lengths"]["score"] >= 200
    assert some["lengths"]["steps"] <= best["lengths"]["steps"]
    assert queens["lengths"]["cards"] >= 2
    file = written(tmp_path / "steps", json.dumps(queens))
    assert command("verify", 5, file, *GAME, "--goal", "cards:Q:2").status == 0
    wrong = command("verify", 5, file, *GAME, "--goal", "cards:2:4")
    assert wrong.status == 1
    assert "expected at least 4 cards of rank 2" in wrong.out
    draw = written(tmp_path / "draw", "Draw")
    for goal, other in (("score", "score:1"), ("cards:Q", "cards:Q:1")):
        refused(command("verify", 5, draw, *GAME, "--goal", goal), f"suffices, as in {other}")
    refused(command("verify", 5, file, *GAME, "--goal", "cards:q"), "suffices, as in cards:Q:")
    refused(command(*words, "points"), "'points' is not a goal: expected clear, score")
    refused(command("solve", 1, "--goal", "score"), "FreeCell cannot be played for another goal")


WRONG = {
    "51": pyramid(1).deck_text().rsplit(maxsplit=1)[0],
    "53": pyramid(1).deck_text() + " Kd",
    "doubled": pyramid(1).deck_text().replace("Kd", "Ks"),
    "malformed": pyramid(1).deck_text().replace("Kd", "1h"),
    "empty": " \n",
}


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("51", ["expected 52 cards, got 51", "missing"]),
        ("53", ["expected 52 cards, got 53", "Kd"]),
        ("doubled", ["missing: Kd", "Ks"]),
        ("malformed", ["missing: Kd", "1h"]),
        ("empty", ["is empty"]),
    ],
)
def test_wrong_decks(tmp_path: Path, command: Command, kind: str, words: list[str]) -> None:
    refused(command("solve", written(tmp_path / "deck", WRONG[kind]), *GAME), *words)


def test_noise(tmp_path: Path, command: Command) -> None:
    file = written(tmp_path / "noise", bytes(range(256)) * 4)
    refused(command("solve", file, *GAME), "not text")


def test_wrong_decks_among_others(tmp_path: Path, command: Command) -> None:
    decks = [WRONG["doubled"], pyramid(5).deck_text(), WRONG["malformed"]]
    file = written(tmp_path / "decks", "\n\n".join(decks))
    refused(command("solve", file, *GAME), "board 1 (line 1)")
    done = command("solve", file, *GAME, "--keep-going", "--format", "jsonl")
    assert done.status == 2
    assert "board 1 (line 1)" in done.err and "board 3 (line 5)" in done.err
    assert [record["deal"] for record in records(done.out)] == [2]


MIDGAME = """\
            3d
          8s  4s
        9d  5d  8h
      6h  2c  2s  2d
    Qh  Td   .   .  9h
   .  7s   .   .   .  6c
 .   .   .   .   .   .   .
stock, top first: 6s 5s
waste, top first: Js 3c 4d Th 7c 9s Jd 4h 7h Ad Jc
"""


def test_a_position_in_mid_game(tmp_path: Path, command: Command) -> None:
    file = written(tmp_path / "position.txt", MIDGAME)
    assert command("deal", file, *GAME).out == MIDGAME
    [line] = records(command("solve", file, "--format", "jsonl", *GAME).out)
    assert (line["status"], line["lengths"]) == ("solved", {"steps": 17})
    steps = written(tmp_path / "steps.txt", "\n".join(line["moves"]))
    assert command("verify", file, steps, *GAME).out.startswith("right: 17 moves")
    fewer = written(tmp_path / "fewer.txt", "\n".join(line["moves"][:-1]))
    done = command("verify", file, fewer, *GAME)
    assert done.status == 1 and "these are left: 3d" in done.out
    # Every drawing is a position that can be read again.
    drawn = command("solve", file, "--draw", *GAME).out.split("\n\n")
    positions = [part for part in drawn if "stock, top first" in part]
    assert positions[0].strip() == MIDGAME.strip() and len(positions) == 18
    for left, position in zip((16, 9, 2), (positions[1], positions[8], positions[15]), strict=True):
        later = written(tmp_path / "later.txt", position)
        [line] = records(command("solve", later, "--format", "jsonl", *GAME).out)
        assert line["lengths"] == {"steps": left}


def test_what_a_position_is_not(tmp_path: Path, command: Command) -> None:
    file = written(tmp_path / "position.txt", MIDGAME)
    refused(command("rate", file, *GAME), "only a whole deck has a grade")
    done = command("deal", "--number", file, *GAME)
    assert done.status == 1 and "position in the middle of a game" in done.out
    wrong = written(tmp_path / "wrong.txt", MIDGAME.replace("6s ", ""))
    refused(command("hint", wrong, *GAME), "wrong.txt: ", "2 of rank 6 and 1 of rank 7 are gone")
