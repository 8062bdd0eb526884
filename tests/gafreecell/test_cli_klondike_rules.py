"""Klondike's rules on the command line: ``--variant draw=1 --variant redeals=2``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Command, records, refused, written

from deals import KlondikeBoard, klondike
from klondike.verifier import verify

GAME = ("--game", "klondike")
RULES = ("--variant", "draw=1", "--variant", "redeals=2")
VARIANT = {"draw": 1, "redeals": 2, "stock": "known"}
SHORT = ("--nodes", "2000")


def test_deal_solve_and_verify_follow_the_rules(tmp_path: Path, command: Command) -> None:
    done = command("solve", "1-12", *GAME, *RULES, *SHORT, "--format", "jsonl")
    lines = records(done.out)
    assert all(line["variant"] == VARIANT and line["source"] is None for line in lines)
    assert {line["status"] for line in lines} >= {"solved", "node-limit"}
    won = next(line for line in lines if line["status"] == "solved")
    assert verify(klondike(won["deal"], 1, 2), won["moves"]).solved
    moves = written(tmp_path / "line", json.dumps(won))
    assert command("verify", won["deal"], moves, *GAME, *RULES).status == 0
    wrong = command("verify", won["deal"], moves, *GAME)
    assert wrong.status == 1 and "wrong: move" in wrong.out
    # A board says by which rules it is played.
    text = command("deal", won["deal"], *GAME, *RULES).out
    assert KlondikeBoard.from_text(text) == klondike(won["deal"], 1, 2)
    board = written(tmp_path / "board", text)
    assert command("verify", board, moves, *GAME).status == 0
    [line] = records(command("solve", board, *GAME, *SHORT, "--format", "jsonl").out)
    assert line["variant"] == VARIANT and line["moves"] == won["moves"]


def test_the_usual_rules_are_not_named(command: Command) -> None:
    asked = ("--variant", "draw=3", "--variant", "redeals=unlimited", "--variant", "stock=known")
    usual, named = (
        records(command("solve", "1-3", *GAME, *words, *SHORT, "--format", "jsonl").out)
        for words in ((), asked)
    )
    assert not any("variant" in line for line in usual + named)
    assert [line["moves"] for line in usual] == [line["moves"] for line in named]


def test_a_board_may_not_contradict_what_was_asked_for(tmp_path: Path, command: Command) -> None:
    board = written(tmp_path / "board", command("deal", 7, *GAME, *RULES).out)
    for words in (("draw=3",), ("redeals=1",)):
        asked = [part for word in words for part in ("--variant", word)]
        refused(command("solve", board, *GAME, *asked), "as was asked for", words[0])


def test_hints_list_no_redeal_that_is_not_allowed(tmp_path: Path, command: Command) -> None:
    text = """Rules: draw=1 redeals={}
Foundations: C-K D-K H-J S-Q
Waste: KS QH
Stock:
KH
"""
    listed = {}
    for redeals in (0, 1):
        board = written(tmp_path / f"board-{redeals}", text.format(redeals))
        [line] = records(command("hint", board, *GAME, "--format", "jsonl").out)
        listed[redeals] = {one["move"] for one in line["moves"]}
    assert listed[1] - listed[0] == {"redeal"}


def test_moves_are_told_in_the_words_of_the_rules(command: Command) -> None:
    out = command("solve", "7", *GAME, *RULES, "--draw").out
    assert "turn one card of the stock onto the waste" in out
    assert "turn three cards of" not in out
    # Each position tells the redeals that are left.
    assert {line for line in out.splitlines() if line.startswith("rules:")} == {
        "rules: draw=1 redeals=2", "rules: draw=1 redeals=1", "rules: draw=1 redeals=0",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("draw=2", "draw must be 3 or 1, got 2"),
        ("redeals=9", "redeals must be 0 or 1 or 2 or 3 or unlimited, got 9"),
        ("redeals=many", "redeals must be 0 or 1 or 2 or 3 or unlimited, got 'many'"),
        ("stock=seen", "stock must be known or hidden, got 'seen'"),
    ],
)
def test_rules_that_no_game_has_are_refused(word: str, said: str, command: Command) -> None:
    for name, given in (("solve", ("7",)), ("deal", ("7",)), ("hint", ("7",))):
        refused(command(name, *given, *GAME, "--variant", word), said)


@pytest.mark.parametrize("name", ["solve", "hint"])
def test_solving_knows_every_stock(name: str, command: Command) -> None:
    hidden = "--variant", "stock=hidden"
    refused(command(name, "7", *GAME, *hidden), "the stock is hidden", "leave that out")


def test_a_strategy_for_one_set_of_rules_refuses_others(command: Command) -> None:
    preset = "man-machine-2005-n1"
    said = "man-machine plays draw=3 redeals=unlimited only, got draw=1 redeals=2"
    refused(command("solve", "7", *GAME, *RULES, "--preset", preset), said)
    refused(command("evaluate", preset, "--deals", "7", *GAME, *RULES), said)
