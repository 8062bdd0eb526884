"""The command line with ``--game pyramid``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deals.pyramid import pyramid
from gafreecell.cli.main import run as command

GAME = ("--game", "pyramid", "--no-progress")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = command(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def test_one_deck_and_many_in_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    numbers = range(1, 13)
    status, out, _ = run(capsys, "solve", "1-12", *GAME, "--format", "jsonl")
    by_number = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert {line["status"] for line in by_number} == {"solved", "unsolvable"}
    for joint, text in (
        ("\n", [pyramid(n).deck_text() for n in numbers]),
        ("\n\n", [str(pyramid(n)) for n in numbers]),
    ):
        file = tmp_path / "decks"
        file.write_text(joint.join(text))
        status, out, _ = run(capsys, "solve", str(file), *GAME, "--format", "jsonl")
        lines = [json.loads(line) for line in out.splitlines()]
        assert [line["deal"] for line in lines] == list(numbers)
        assert [line["moves"] for line in lines] == [line["moves"] for line in by_number]


def test_text_is_numbered_verified_and_drawn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    number = 5
    status, out, _ = run(capsys, "solve", str(number), *GAME)
    assert status == 0
    steps = out.splitlines()[1:]
    assert steps[0].startswith(" 1. ")
    file = tmp_path / "steps"
    file.write_text("\n".join(steps))
    assert run(capsys, "verify", str(number), str(file), *GAME)[0] == 0
    _, drawn, _ = run(capsys, "solve", str(number), *GAME, "--draw")
    assert drawn.count("stock, top first:") == len([step for step in steps if step]) + 1
    status, _, err = run(capsys, "solve", "1", "--draw", "--no-progress")
    assert status == 2
    assert "FreeCell has no drawing" in err


def test_challenges(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("solve", "5", *GAME, "--format", "jsonl", "--goal")
    best = json.loads(run(capsys, *words, "score")[1])
    some = json.loads(run(capsys, *words, "score:200")[1])
    queens = json.loads(run(capsys, *words, "cards:Q:2")[1])
    assert best["lengths"]["score"] >= some["lengths"]["score"] >= 200
    assert some["lengths"]["steps"] <= best["lengths"]["steps"]
    assert queens["lengths"]["cards"] >= 2
    file = tmp_path / "steps"
    file.write_text(json.dumps(queens))
    assert run(capsys, "verify", "5", str(file), *GAME, "--goal", "cards:Q:2")[0] == 0
    status, out, _ = run(capsys, "verify", "5", str(file), *GAME, "--goal", "cards:2:4")
    assert status == 1
    assert "expected at least 4 cards of rank 2" in out
    status, _, err = run(capsys, *words, "points")
    assert status == 2
    assert "'points' is no goal: expected clear, score" in err
    status, _, err = run(capsys, "solve", "1", "--goal", "score", "--no-progress")
    assert status == 2
    assert "FreeCell has one goal only" in err


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
def test_wrong_decks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str, words: list[str]
) -> None:
    file = tmp_path / "deck"
    file.write_text(WRONG[kind])
    status, out, err = run(capsys, "solve", str(file), *GAME)
    assert (status, out) == (2, "")
    for word in words:
        assert word in err


def test_noise(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "noise"
    file.write_bytes(bytes(range(256)) * 4)
    status, out, err = run(capsys, "solve", str(file), *GAME)
    assert (status, out) == (2, "")
    assert "Traceback" not in err and "not text" in err


def test_wrong_decks_among_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "decks"
    file.write_text("\n\n".join([WRONG["doubled"], pyramid(5).deck_text(), WRONG["malformed"]]))
    status, out, err = run(capsys, "solve", str(file), *GAME)
    assert (status, out) == (2, "")
    assert "deck 1 (line 1)" in err
    status, out, err = run(capsys, "solve", str(file), *GAME, "--keep-going", "--format", "jsonl")
    assert status == 2
    assert "deck 1 (line 1)" in err and "deck 3 (line 5)" in err
    assert [json.loads(line)["deal"] for line in out.splitlines()] == [2]
