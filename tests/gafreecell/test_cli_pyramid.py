"""The command line with ``--game pyramid``."""

from __future__ import annotations

import json
from typing import Any

from conftest import Command, File, records, refused

from deals.pyramid_deck import pyramid

GAME = ("--game", "pyramid")


def test_challenges(file: File, command: Command) -> None:
    words = ("solve", 5, *GAME, "--goal")

    def solved(goal: str) -> dict[str, Any]:
        (line,) = command.records(*words, goal)
        return line

    best, some, queens = map(solved, ("score", "score:200", "cards:Q:2"))
    assert best["lengths"]["score"] >= some["lengths"]["score"] >= 200
    assert some["lengths"]["steps"] <= best["lengths"]["steps"]
    assert queens["lengths"]["cards"] >= 2
    verify = ("verify", 5, file(json.dumps(queens)), *GAME, "--goal")
    assert command(*verify, "cards:Q:2").status == 0
    wrong = command(*verify, "cards:2:4")
    assert wrong.status == 1
    assert "expected at least 4 cards of rank 2" in wrong.out
    refused(command(*verify, "score"), "suffices, as in score:")
    refused(command("verify", 5, file("Draw"), *GAME, "--goal", "cards:q"), "as in cards:Q:1")
    refused(command(*words, "points"), "'points' is not a goal: expected clear, score")


def test_wrong_decks_among_others(file: File, command: Command) -> None:
    right = pyramid(1).deck_text()
    decks = [right.replace("Kd", "Ks"), pyramid(5).deck_text(), right.replace("Kd", "1h")]
    words = ("solve", file("\n\n".join(decks)), *GAME)
    refused(command(*words), "board 1 (line 1)", "missing: Kd")
    done = command(*words, "--keep-going", "--format", "jsonl")
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


def test_a_position_in_mid_game(file: File, command: Command) -> None:
    position = file(MIDGAME)
    assert command("deal", position, *GAME).out == MIDGAME
    [line] = command.records("solve", position, *GAME)
    assert (line["status"], line["lengths"]) == ("solved", {"steps": 17})
    for left, said in ((0, "right: 17 moves"), (1, "wrong: ")):
        steps = file("\n".join(line["moves"][: 17 - left]), "steps")
        done = command("verify", position, steps, *GAME)
        assert (done.status, done.out.startswith(said)) == (left, True)
    assert "these are left: 3d" in done.out
    # Every drawing is a position that can be read again.
    drawn = command("solve", position, "--draw", *GAME).out.split("\n\n")
    positions = [part for part in drawn if "stock, top first" in part]
    assert positions[0].strip() == MIDGAME.strip() and len(positions) == 18
    for place in (1, 8, 15):
        [line] = command.records("solve", file(positions[place]), *GAME)
        assert line["lengths"] == {"steps": 17 - place}


def test_what_a_position_is_not(file: File, command: Command) -> None:
    position = file(MIDGAME)
    refused(command("rate", position, *GAME), "only a whole deck has a grade")
    done = command("deal", "--number", position, *GAME)
    assert done.status == 1 and "position in the middle of a game" in done.out
    wrong = file(MIDGAME.replace("6s ", ""), "wrong.txt")
    refused(command("hint", wrong, *GAME), "wrong.txt: ", "2 of rank 6 and 1 of rank 7 are gone")
