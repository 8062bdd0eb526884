"""The command ``solve``: what it prints and when, in every format, and which boards it refuses."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, File, records, refused, start

import gafreecell
import hsd
from deals import FreeCellBoard, freecell, klondike, pyramid
from gafreecell.cli.outcomes import writer
from gafreecell.service.inputs import GivenDeal
from gafreecell.solitaire.game import game
from gafreecell.solving.outcome import Limits, Search

DEALS = {"freecell": 11982, "klondike": 7, "pyramid": 12}
"""An unsolvable deal of each game."""
WINNABLE = {"freecell": freecell, "klondike": klondike, "pyramid": pyramid}
KEYS = ["game", "deal", "status", "moves", "lengths", "nodes", "seconds"]


def test_every_line_has_every_key(command: Command) -> None:
    done = command("solve", "1-6", "11982", "--nodes", 1500, "--format", "jsonl", "--jobs", 2)
    assert (done.status, done.err) == (1, "")
    seen = set()
    for record in records(done.out):
        assert list(record) == KEYS
        assert record["game"] == "freecell"
        assert record["nodes"].keys() == {"expanded", "generated", "scored"}
        assert 0 < record["nodes"]["generated"] < 1500 + 256
        assert record["seconds"] > 0
        seen.add(record["status"])
        if record["status"] == "solved":
            verdict = hsd.verify(freecell(record["deal"]), record["moves"])
            assert verdict.solved, verdict.reason
            assert list(record["lengths"].items()) == [
                *(("single", verdict.single), ("column", verdict.column)),
                ("manual", verdict.manual),
            ]
            assert record["lengths"]["column"] == len(record["moves"])
        else:
            assert record["moves"] is record["lengths"] is None
    assert seen == {"solved", "node-limit"}


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_deals_come_in_the_order_they_were_asked_for(
    file: File, command: Command, jobs: int
) -> None:
    some = file("900 # a remark\n7, 9\n\n30-32\n")
    lines = command.records("solve", 617, some, "100-200", 617, "--nodes", 60, "--jobs", jobs)
    wanted = [617, 900, 7, 9, 30, 31, 32, *range(100, 201), 617]
    assert [line["deal"] for line in lines] == wanted


def test_outcomes_do_not_depend_on_workers_or_the_way_deals_are_given(
    file: File, command: Command
) -> None:
    def outcomes(*words: Any) -> list[Any]:
        lines = command.records("solve", *words, "--nodes", 20_000)
        return [{key: line[key] for key in KEYS[:-1]} for line in lines]

    expected = outcomes("1-10", "--jobs", 1)
    assert outcomes("1-10", "--jobs", 2) == expected
    assert outcomes(file("\n".join(map(str, range(1, 11))))) == expected
    assert outcomes(*range(1, 11)) == expected
    boards = file(command("deal", "1-10").out)
    assert outcomes(boards) == expected, "a board is named after its position, from 1"


@pytest.mark.parametrize("preset", hsd.GAME.presets)
def test_deal_11982_is_never_solved(command: Command, preset: str) -> None:
    words = ("--preset", preset, "--nodes", 300_000, "--format", "jsonl", "--jobs", 1)
    done = command("solve", 11982, *words)
    (record,) = records(done.out)
    complete = hsd.GAME.preset(preset).search.name not in ("staged", "iterative-deepening")
    assert record["status"] == ("unsolvable" if complete else "exhausted")
    assert done.status == (0 if complete else 1)
    assert record["moves"] is None


@pytest.mark.parametrize("search", hsd.GAME.searches)
def test_every_search_solves_an_easy_board(file: File, command: Command, search: str) -> None:
    text = "Foundations: C-J D-J H-J S-J\nFreecells: KC\nQS KH QC\nKD QH\nKS QD\n"
    (line,) = command.records("solve", file(text), "--search", search)
    assert hsd.verify(FreeCellBoard.from_text(text), line["moves"]).solved


def test_another_search_tells_which_parameters_it_leaves(command: Command) -> None:
    words = "solve", 3, "--preset", "fewest-moves", "--search", "a-star", "--nodes", 1000
    assert "a-star begins with unit=single: add --set unit=manual" in command(*words).err
    assert "unit" not in command(*words, "--set", "unit=manual").err


def test_options_change_the_search(command: Command) -> None:
    def nodes(*words: Any, budget: int = 5000) -> Any:
        (line,) = command.records("solve", 1, "--nodes", budget, *words)
        return line["nodes"]["generated"], line["status"]

    plain = nodes()
    assert nodes("--set", "automatic=none") != plain
    assert nodes("--preset", "hsdh") != plain
    assert nodes("--weights", "ga-freecell-2011") == nodes("--preset", "ga-freecell-2011")
    assert nodes("--cells", 3) != plain
    assert nodes("--cascades", 9) != plain
    assert nodes("--preset", "hsdh", budget=7) == (7, "node-limit")
    assert nodes("--seconds", 1e-9, "--preset", "hsdh")[1] == "time-limit"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ((11982,), 0, "unsolvable after 65,343 nodes, "),
        ((164, "--nodes", 10), 1, "not decided within 10 nodes; 10 nodes, "),
        ((164, "--nodes", 1), 1, "not decided within 1 node; 1 node, "),
        ((11982, "--seconds", "0.000001"), 1, "not decided within 1e-06 s; "),
        (
            (11982, "--preset", "hsdh"),
            1,
            "not decided: the search staged leaves out some positions, so it can miss a "
            "solution; try the preset fast; ",
        ),
    ],
)
def test_deals_without_a_solution_are_told_in_words(
    command: Command, words: tuple[object, ...], status: int, said: str
) -> None:
    done = command("solve", *words)
    assert done.status == status
    assert done.out.startswith(f"Deal {words[0]}: {said}")


# When it prints


@pytest.mark.parametrize("output", [False, True], ids=["pipe", "file"])
def test_each_deal_is_written_as_soon_as_it_is_done(toy: Any, tmp_path: Path, output: bool) -> None:
    """Lines too few to fill a buffer, and a process that dies when the first has come."""
    out = tmp_path / "out.jsonl"
    words = ["solve", "1-30", "--game", "toy", "--jobs", 1, "--format", "jsonl"]
    process = start(*words, *(["-o", out] if output else []), env={"TOY_PAUSE": "0.1"})
    assert process.stdout is not None
    if output:
        while not (out.exists() and out.read_text()) and process.poll() is None:
            time.sleep(0.01)
    else:
        assert process.stdout.readline()
    process.kill()
    lines = 1 + process.stdout.read().count("\n")
    process.communicate()
    if output:
        lines = out.read_text().count("\n")
    assert 0 < lines < 10, "nothing was written before the end"


def test_ctrl_c_in_solve_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    process = start("solve", "1-10000000", "--format", "jsonl", "-o", out)
    while not out.exists() or not out.stat().st_size:
        assert process.poll() is None
        time.sleep(0.02)
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 2
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "--resume" in err.splitlines()[-1]
    kept = out.read_text()
    assert kept.endswith("\n")
    assert [record["deal"] for record in records(kept)] == list(range(1, kept.count("\n") + 1))


# Bare moves and numbers


@pytest.mark.parametrize("name", WINNABLE)
def test_bare_moves_are_a_line_for_each_deal(file: File, command: Command, name: str) -> None:
    words = ("solve", 3, DEALS[name], 5, "--game", name)
    done = command(*words, "--format", "moves")
    assert done.status == 0
    first, none, last = done.out.split("\n")[:-1]
    assert none == "", "the unsolvable one"
    expected = command.records(*words)
    for line, record in ((first, expected[0]), (last, expected[2])):
        assert line == (", " if name == "pyramid" else " ").join(record["moves"])
        assert command("verify", record["deal"], file(line), "--game", name).status == 0
    only = command(*words, "--format", "moves", "--only", "solved")
    assert (only.status, only.out) == (0, f"{first}\n{last}\n")


def test_a_list_of_winnable_deals_in_one_command(command: Command) -> None:
    words = ("solve", "1-14", "--game", "klondike", "--nodes", 2000)
    status = {record["deal"]: record["status"] for record in command.records(*words)}
    assert {*status.values()} == {"solved", "unsolvable", "node-limit"}
    for only in ("solved", "unsolvable"):
        done = command(*words, "--only", only, "--format", "numbers")
        assert done.status == 1, "it counts the deal that is not decided as well"
        assert done.out == "".join(f"{n}\n" for n, what in status.items() if what == only)
    by_default = command(*words, "--format", "numbers").out
    assert by_default == command(*words, "--only", "solved", "--format", "numbers").out


def test_only_chooses_among_the_lines_of_every_format(command: Command) -> None:
    words = ("solve", 2, 11982, 3)
    lines = command.records(*words, "--only", "unsolvable")
    assert [line["deal"] for line in lines] == [11982]
    heads = [line for line in command(*words, "--only", "solved").out.splitlines() if ":" in line]
    assert [head.split(":")[0] for head in heads] == ["Deal 2", "Deal 3"]
    none = command("solve", "2-3", "--only", "unsolvable")
    assert (none.out, none.err) == ("", "of 2 deals, none is unsolvable\n")


# Where boards are from


def test_boards_name_their_file_and_place(file: File, command: Command) -> None:
    boards = file(f"{freecell(3)}\n\n{freecell(11982)}\n")
    done = command("solve", boards, 164)
    told = (line for line in done.out.splitlines() if ", length " in line or " after " in line)
    heads = [line.split(": ")[0] for line in told]
    assert heads == [f"{boards}:1", f"{boards}:2", "Deal 164"]
    lines = command.records("solve", boards, 164)
    assert [list(line) for line in lines] == [[*KEYS, "variant", "source"]] * 2 + [KEYS]
    assert [line["deal"] for line in lines] == [1, 2, 164]
    assert [line.get("source") for line in lines] == [f"{boards}:1", f"{boards}:2", None]
    assert lines[0]["variant"] == {"cascades": 8, "cells": 4}


def test_numbers_of_boards_are_deals_for_the_next_command(file: File, command: Command) -> None:
    position = f"Freecells: 2S\n{freecell(617)}".replace(" 2S ", " ")
    boards = file(f"{freecell(3)}\n\n{position}\n", "boards")
    numbers = command("solve", boards, 164, "--format", "numbers").out
    remark = f"# {boards}:2 is not recognised: expected a deal, got a position"
    assert re.fullmatch(rf"3\n{remark}.*\n164\n", numbers)
    assert command("deal", boards, 164, "--number").out == numbers
    again = command("solve", file(numbers), "--format", "numbers")
    assert (again.status, again.out) == (0, "3\n164\n")


def test_standard_input_and_names_are_told(file: File, command: Command) -> None:
    text = str(freecell(3))
    done = command("solve", "-", stdin=text)
    assert done.out.startswith("standard input:1: solved, length single ")
    (line,) = records(command("solve", "-", "--format", "jsonl", stdin=text).out)
    assert line["source"] == "standard input:1"
    named = file(f"mine: {klondike(3).deal_text()}")
    words = ("solve", named, "--game", "klondike")
    assert command(*words).out.startswith(f"{named}:1 (mine): solved, length moves ")
    (line,) = command.records(*words)
    assert (line["deal"], line["source"], line["variant"]) == ("mine", f"{named}:1", {})


def test_a_line_of_another_game_tells_its_variant(file: File, command: Command) -> None:
    (line,) = command.records("solve", 164, "--cells", 3)
    assert list(line) == [*KEYS, "variant", "source"]
    assert (line["variant"], line["source"]) == ({"cascades": 8, "cells": 3}, None)
    # A board tells itself which game it is of.
    (line,) = command.records("solve", file(f"Freecells: - -\n{freecell(164, 9)}"))
    assert line["variant"] == {"cascades": 9, "cells": 2}
    for line in command.records("solve", file("164 3")):
        assert list(line) == KEYS, "a number says all"


@pytest.mark.parametrize(
    "words", [[], ["--draw"], ["--format", "moves"], ["--format", "jsonl"]], ids=str
)
def test_what_is_printed_of_a_board_is_verified(
    file: File, command: Command, words: list[str]
) -> None:
    board = file(str(freecell(3)), "board")
    assert command("verify", board, file(command("solve", board, *words).out)).status == 0


# Drawings


@pytest.mark.parametrize("name", WINNABLE)
def test_a_drawn_solution(file: File, command: Command, name: str) -> None:
    drawn = command("solve", 5, "--game", name, "--draw")
    assert (drawn.status, drawn.err) == (0, "")
    lines = drawn.out.splitlines()
    chosen: Any = game(name)
    assert tuple(lines[:4]) == tuple(chosen.legend)
    assert lines[4] == "" and lines[5].startswith("Deal 5: solved, length ")
    moves = gafreecell.solve(5, game=name).moves
    assert moves is not None
    told = [line.split(maxsplit=1) for line in lines if re.match(r" *\d+\. ", line)]
    for place, ((number, rest), move) in enumerate(zip(told, moves, strict=True), start=1):
        assert number == f"{place}." and rest.startswith(f"{move}  ")
    *_, last = chosen.positions(WINNABLE[name](5), moves)
    assert drawn.out.rstrip("\n").endswith(str(last))
    assert "\033" not in drawn.out
    assert command("verify", 5, file(drawn.out), "--game", name).status == 0


def test_the_legend_comes_once(command: Command) -> None:
    text = command("solve", 11982, "1-3", "--draw").out
    assert text.count("TD is the ten of diamonds") == 1
    assert text.index("TD is the ten") < text.index("Deal 1: solved")


def test_cards_have_colours_in_a_terminal(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("solve", 3, "--game", "klondike", "--draw")
    plain = command(*words).out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = command(*words).out
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


# Proofs


@pytest.mark.parametrize(
    ("name", "number", "said"),
    [
        ("freecell", 11982, ["  Proof: every position that can be reached was searched, "]),
        ("klondike", 36, ["can take one of"]),
        (
            "klondike",
            7,
            [
                "unsolvable after 1 node, ",
                "  Proof: Suppose that every card, once free, stayed free to move and to build on.",
                "    next to go home: 2C AD AH AS",
            ],
        ),
        (
            "pyramid",
            12,
            [
                "unsolvable after 0 nodes, ",
                "  Proof: Ad As can go only with queens, and these two aces find only Qh: ",
            ],
        ),
    ],
)
def test_what_proved_a_deal_unsolvable_is_said(
    command: Command, name: str, number: int, said: list[str]
) -> None:
    done = command("solve", number, "--game", name)
    assert done.status == 0
    assert all(words in done.out for words in said), done.out
    assert max(map(len, done.out.splitlines())) < 100
    (line,) = command.records("solve", number, "--game", name)
    assert list(line) == KEYS


def test_lines_of_json_wait_for_no_proof(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*ignored: object) -> Any:
        raise AssertionError("a proof was worked out")

    monkeypatch.setattr("gafreecell.solitaire.klondike.game.why_lost", never)
    for form in ("jsonl", "moves", "numbers"):
        assert command("solve", 7, "--game", "klondike", "--format", form).status == 0
    with pytest.raises(AssertionError, match="worked out"):
        command("solve", 7, "--game", "klondike")


@pytest.mark.parametrize(("seconds", "said"), [(9.06, "9.06 s"), (0.906, "906 ms")])
def test_times_are_told_in_a_fitting_unit(seconds: float, said: str) -> None:
    given = Namespace(only=None, format="text", draw=False, output=None)
    write = writer(given, game("freecell"), Search("staged", {}), Limits(), 1)
    outcome = replace(gafreecell.solve(freecell(11982)), seconds=seconds)
    assert f"nodes, {said}" in next(write(GivenDeal(11982, freecell(11982)), outcome))


def test_a_board_with_hidden_cards_is_sent_to_hint(command: Command, file: File) -> None:
    lister: Any = game("klondike")
    board = file(str(lister.player.seen(klondike(1))), "k1.txt")
    done = command("solve", board, "--game", "klondike")
    refused(done, "needs to know all cards; for advice: gafreecell hint", "k1.txt --game klondike")
