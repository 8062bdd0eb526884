"""How ``solve`` writes outcomes: moves, numbers, drawings, proofs, and where boards are from."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import (
    COMMAND,
    Command,
    records,
    refused,
    written,
)

import gafreecell
from deals import freecell, klondike, pyramid
from gafreecell.cli.outcomes import writer
from gafreecell.service.inputs import Deal
from gafreecell.solitaire.game import game
from gafreecell.solving.outcome import Limits, Outcome, Search

DEALS = {"freecell": 11982, "klondike": 7, "pyramid": 12}
"""An unsolvable deal of each game."""
WINNABLE = {"freecell": freecell, "klondike": klondike, "pyramid": pyramid}
KEYS = ["game", "deal", "status", "moves", "lengths", "nodes", "seconds"]


def seen(*words: object, **changes: str) -> str:
    """What a command shows in a terminal."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "NO_COLOR": "", **changes}
    process = subprocess.Popen(
        [*COMMAND, *map(str, words), "--no-progress"], stdout=theirs, stderr=theirs, env=env
    )
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # As Linux says that nobody writes any more.
            break
        if not part:
            break
        text += part
    os.close(ours)
    assert process.wait() == 0
    return text.decode().replace("\r\n", "\n")


# Bare moves and numbers


@pytest.mark.parametrize("name", WINNABLE)
def test_bare_moves_are_a_line_for_each_deal(tmp_path: Path, command: Command, name: str) -> None:
    words = ("solve", 3, DEALS[name], 5, "--game", name)
    done = command(*words, "--format", "moves")
    assert done.status == 0
    first, none, last = done.out.split("\n")[:-1]
    assert none == "", "the unsolvable one"
    expected = records(command(*words, "--format", "jsonl").out)
    for line, record in ((first, expected[0]), (last, expected[2])):
        separator = ", " if name == "pyramid" else " "
        assert line == separator.join(record["moves"])
        file = written(tmp_path / "moves", line)
        assert command("verify", record["deal"], file, "--game", name).status == 0
    only = command(*words, "--format", "moves", "--only", "solved")
    assert (only.status, only.out) == (0, f"{first}\n{last}\n")


def test_a_list_of_winnable_deals_in_one_command(command: Command) -> None:
    words = ("solve", "1-14", "--game", "klondike", "--nodes", 2000)
    status = {record["deal"]: record["status"] for record in
              records(command(*words, "--format", "jsonl").out)}  # fmt: skip
    assert {*status.values()} == {"solved", "unsolvable", "node-limit"}
    for only in ("solved", "unsolvable"):
        done = command(*words, "--only", only, "--format", "numbers")
        assert done.status == 1, "it counts the deal that is not decided as well"
        assert done.out == "".join(f"{n}\n" for n, what in status.items() if what == only)
    by_default = command(*words, "--format", "numbers").out
    assert by_default == command(*words, "--only", "solved", "--format", "numbers").out


def test_only_chooses_among_the_lines_of_every_format(command: Command) -> None:
    words = ("solve", 2, 11982, 3)
    lines = records(command(*words, "--only", "unsolvable", "--format", "jsonl").out)
    assert [line["deal"] for line in lines] == [11982]
    heads = [line for line in command(*words, "--only", "solved").out.splitlines() if ":" in line]
    assert [head.split(":")[0] for head in heads] == ["Deal 2", "Deal 3"]


def test_options_that_do_not_go_together(tmp_path: Path, command: Command) -> None:
    out = ("-o", tmp_path / "out")
    for words, said in (
        (["--only", "solved", "--format", "jsonl", "--resume", *out], "leave out --only"),
        (["--format", "moves", "--resume", *out], "--resume needs --format jsonl"),
        (["--draw", "--format", "jsonl"], "--draw needs the text format, not jsonl"),
        (["--draw", "-o", f"{tmp_path / 'out'}.jsonl"], "--draw needs the text format"),
        (["--format", "moves", "--only", "unsolvable"], "an unsolvable deal has no moves"),
        (["--only", "lost"], "--only must be one of solved, unsolvable, got 'lost'"),
    ):
        refused(command("solve", 1, *words), said)
    assert not (tmp_path / "out").exists()


# Where boards are from


def test_boards_name_their_file_and_place(tmp_path: Path, command: Command) -> None:
    file = written(tmp_path / "boards.txt", f"{freecell(3)}\n\n{freecell(11982)}\n")
    done = command("solve", file, 164)
    told = (line for line in done.out.splitlines() if ", length " in line or " after " in line)
    heads = [line.split(": ")[0] for line in told]
    assert heads == [f"{file}:1", f"{file}:2", "Deal 164"]
    lines = records(command("solve", file, 164, "--format", "jsonl").out)
    assert [list(line) for line in lines] == [[*KEYS, "variant", "source"]] * 2 + [KEYS]
    assert [line["deal"] for line in lines] == [1, 2, 164]
    assert [line.get("source") for line in lines] == [f"{file}:1", f"{file}:2", None]
    assert lines[0]["variant"] == {"cascades": 8, "cells": 4}


def test_numbers_of_boards_are_deals_for_the_next_command(tmp_path: Path, command: Command) -> None:
    position = f"Freecells: 2S\n{freecell(617)}".replace(" 2S ", " ")
    assert position.count("2S") == 1
    file = written(tmp_path / "boards.txt", f"{freecell(3)}\n\n{position}\n")
    for words in (("solve", file, 164, "--format", "numbers"), ("deal", file, 164, "--number")):
        three, remark, last = command(*words).out.splitlines()
        assert (three, last) == ("3", "164")
        assert remark.startswith(f"# {file}:2 is not recognised: expected a deal, got a position")
    numbers = written(tmp_path / "numbers", f"{three}\n{remark}\n{last}\n")
    again = command("solve", numbers, "--format", "numbers")
    assert (again.status, again.out) == (0, "3\n164\n")


def test_standard_input_and_names_are_told(tmp_path: Path, command: Command) -> None:
    done = command("solve", "-", stdin=str(freecell(3)))
    assert done.out.startswith("standard input:1: solved, length single ")
    again = command("solve", "-", "--format", "jsonl", stdin=str(freecell(3)))
    assert records(again.out)[0]["source"] == "standard input:1"
    file = written(tmp_path / "named", f"mine: {klondike(3).deal_text()}")
    words = ("solve", file, "--game", "klondike")
    assert command(*words).out.startswith(f"{file}:1 (mine): solved, length moves ")
    (line,) = records(command(*words, "--format", "jsonl").out)
    assert (line["deal"], line["source"], line["variant"]) == ("mine", f"{file}:1", {})


def test_a_line_of_another_game_tells_its_variant(tmp_path: Path, command: Command) -> None:
    (line,) = records(command("solve", 164, "--cells", 3, "--format", "jsonl").out)
    assert list(line) == [*KEYS, "variant", "source"]
    assert (line["variant"], line["source"]) == ({"cascades": 8, "cells": 3}, None)
    # A board tells itself which game it is of.
    file = written(tmp_path / "board", f"Freecells: - -\n{freecell(164, 9)}")
    (line,) = records(command("solve", file, "--format", "jsonl").out)
    assert line["variant"] == {"cascades": 9, "cells": 2}
    file = written(tmp_path / "numbers", "164 3")
    for line in records(command("solve", file, "--format", "jsonl").out):
        assert list(line) == KEYS, "a number says all"


def test_what_is_printed_of_a_board_is_verified(tmp_path: Path, command: Command) -> None:
    file = written(tmp_path / "board.txt", str(freecell(3)))
    for words in ((), ("--draw",), ("--format", "moves"), ("--format", "jsonl")):
        moves = written(tmp_path / "moves", command("solve", file, *words).out)
        assert command("verify", file, moves).status == 0


# Drawings and proofs


@pytest.mark.parametrize("name", WINNABLE)
def test_a_drawn_solution(tmp_path: Path, command: Command, name: str) -> None:
    drawn = command("solve", 5, "--game", name, "--draw")
    assert (drawn.status, drawn.err) == (0, "")
    lines = drawn.out.splitlines()
    chosen: Any = game(name)
    assert tuple(lines[:4]) == tuple(chosen.legend)
    assert lines[4] == "" and lines[5].startswith("Deal 5: solved, length ")
    moves = gafreecell.solve(5, game=name).moves
    assert moves is not None
    told = (line for line in lines if re.match(r" *\d+\. ", line))
    steps = [line.split(maxsplit=1) for line in told]
    assert [number for number, _ in steps] == [f"{n}." for n in range(1, len(moves) + 1)]
    for (_, rest), move in zip(steps, moves, strict=True):
        assert rest.startswith(f"{move}  ")
    *_, last = chosen.positions(WINNABLE[name](5), moves)
    assert drawn.out.rstrip("\n").endswith(str(last))
    assert "\033" not in drawn.out
    text = written(tmp_path / "drawn", drawn.out)
    assert command("verify", 5, text, "--game", name).status == 0


def test_the_legend_comes_once(command: Command) -> None:
    text = command("solve", 11982, "1-3", "--draw").out
    assert text.count("TD is the ten of diamonds") == 1
    assert text.index("TD is the ten") < text.index("Deal 1: solved")


def test_cards_have_colours_in_a_terminal(command: Command) -> None:
    words = ("solve", 3, "--game", "klondike", "--draw")
    plain, text = command(*words).out, seen(*words)
    assert "\033[31m" in text, "red cards"
    assert "\033[2m<" in text and "\033[31;2m<" in text, "face-down ones"
    assert "\033[7m" in text and "\033[31;7m" in text, "those that move"
    bare = re.sub(r"\033\[[0-9;]*m", "", text)
    assert bare.partition("ms\n")[2] == plain.partition("ms\n")[2]


def test_colours_can_be_turned_off(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    words = ("solve", 3, "--draw")
    assert "\033[" in command(*words).out
    assert "\033[" in command(*words, "-o", "-").out
    assert command(*words, "-o", tmp_path / "drawn").out == ""
    assert "\033" not in (tmp_path / "drawn").read_text()
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as changed:
            changed.setenv(name, value)
            assert "\033" not in command(*words).out


def test_who_sees_one_solution_is_told_how_to_see_more(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = "--draw shows each position\n"
    assert closing not in command("solve", 3).out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert command("solve", 3).out.endswith(f"\n\n{closing}")
    for words in ((3, 4), (11982,), (3, "--format", "jsonl"), (3, "--draw")):
        assert closing not in command("solve", *words).out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("freecell", "Proof: every position that can be reached was searched, "),
        ("klondike", "unsolvable after 1 node, "),
        (
            "klondike",
            "  Proof: Suppose that every card, once free, stayed free to move and to build on.",
        ),
        ("klondike", "    next to go home: 2C AD AH AS"),
        ("pyramid", "  Proof: Ad As can go only with queens, and these two aces find only Qh: "),
        ("pyramid", "unsolvable after 0 nodes, "),
    ],
)
def test_what_proved_a_deal_unsolvable_is_said(command: Command, name: str, said: str) -> None:
    done = command("solve", DEALS[name], "--game", name)
    assert done.status == 0
    assert said in done.out
    assert max(map(len, done.out.splitlines())) < 100
    (line,) = records(command("solve", DEALS[name], "--game", name, "--format", "jsonl").out)
    assert list(line) == KEYS


def test_lines_of_json_wait_for_no_proof(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*ignored: object) -> Any:
        raise AssertionError("a proof was worked out")

    monkeypatch.setattr("gafreecell.solitaire.klondike.game.why_lost", never)
    for form in ("jsonl", "moves", "numbers"):
        assert command("solve", 7, "--game", "klondike", "--format", form).status == 0
    with pytest.raises(AssertionError, match="worked out"):
        command("solve", 7, "--game", "klondike")


def test_proofs_fit_and_times_are_told_in_a_fitting_unit(command: Command) -> None:
    done = command("solve", 36, "--game", "klondike")
    assert "can take one of them;" in " ".join(done.out.split())
    assert max(map(len, done.out.splitlines())) < 100
    deal = Deal(11982, freecell(11982))
    outcome = gafreecell.solve(deal.board)
    for seconds, said in ((9.06, "9.06 s"), (0.906, "906 ms")):
        assert f"nodes, {said}" in _of(deal, replace(outcome, seconds=seconds))[0]


def _of(deal: Deal, outcome: Outcome) -> list[str]:
    """An outcome as ``solve`` writes it for people."""
    given = Namespace(only=None, format="text", draw=False, output=None)
    return [*writer(given, game("freecell"), Search("staged", {}), Limits(), 1)(deal, outcome)]


def test_a_search_that_gives_up_says_so_and_names_a_complete_one(command: Command) -> None:
    done = command("solve", 11982, "--preset", "hsdh")
    assert done.status == 1
    assert done.out.startswith(
        "Deal 11982: not decided: the search staged leaves out some positions, so it can miss a "
        "solution; try the preset fast; "
    )
    assert command("solve", 11982, "--preset", "fast").status == 0
