"""The command ``solve``: what it prints and when, its options, and which of them it refuses."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, records, refused, shell, start, written

import deals
import hsd
from deals import FreeCellBoard, klondike
from gafreecell.solitaire.game import game
from gafreecell.solving.outcome import Evaluator, Search
from gafreecell.solving.weights import Weights

RECORD = ["game", "deal", "status", "moves", "lengths", "nodes", "seconds"]


def test_every_line_has_every_key(command: Command) -> None:
    done = command("solve", "1-6", "11982", "--nodes", 1500, "--format", "jsonl", "--jobs", 2)
    assert (done.status, done.err) == (1, "")
    seen = set()
    for record in records(done.out):
        assert list(record) == RECORD
        assert record["game"] == "freecell"
        assert record["nodes"].keys() == {"expanded", "generated", "scored"}
        assert 0 < record["nodes"]["generated"] < 1500 + 256
        assert record["seconds"] > 0
        seen.add(record["status"])
        if record["status"] == "solved":
            assert list(record["lengths"]) == ["single", "column", "manual"]
            assert record["lengths"]["column"] == len(record["moves"])
            verdict = hsd.verify(deals.freecell(record["deal"]), record["moves"])
            assert verdict.solved, verdict.reason
            assert record["lengths"] == {
                "single": verdict.single, "column": verdict.column, "manual": verdict.manual,
            }  # fmt: skip
        else:
            assert record["moves"] is record["lengths"] is None
    assert seen == {"solved", "node-limit"}


def test_deals_come_in_the_order_they_were_asked_for(tmp_path: Path, command: Command) -> None:
    file = written(tmp_path / "some", "900 # a remark\n7, 9\n\n30-32\n")
    for jobs in (1, 2, 7):
        words = ["617", file, "100-200", "617", "--nodes", 60, "--format", "jsonl"]
        done = command("solve", *words, "--jobs", jobs)
        numbers = [record["deal"] for record in records(done.out)]
        assert numbers == [617, 900, 7, 9, 30, 31, 32, *range(100, 201), 617]


def test_outcomes_do_not_depend_on_workers_or_the_way_deals_are_given(
    tmp_path: Path, command: Command
) -> None:
    numbers = written(tmp_path / "numbers", "\n".join(map(str, range(1, 11))))
    boards = written(tmp_path / "boards", command("deal", "1-10").out)

    def outcomes(*words: Any) -> list[Any]:
        done = command("solve", *words, "--format", "jsonl", "--nodes", 20_000)
        return [
            {key: value for key, value in record.items() if key != "seconds"}
            for record in records(done.out)
        ]

    expected = outcomes("1-10", "--jobs", 1)
    assert outcomes("1-10", "--jobs", 2) == expected
    assert outcomes(numbers) == expected
    assert outcomes(*range(1, 11)) == expected
    told = [{key: record[key] for key in RECORD[:-1]} for record in outcomes(boards)]
    assert told == expected, "a board is named after its position, from 1"


def test_text_says_what_was_found_in_moves_to_play(command: Command) -> None:
    done = command("solve", "1")
    assert (done.status, done.err) == (0, "")
    head, *moves = done.out.strip().splitlines()
    assert head.startswith("Deal 1: solved, length single ")
    assert hsd.verify(deals.freecell(1), " ".join(moves).split()).solved


@pytest.mark.parametrize("preset", hsd.GAME.presets)
def test_deal_11982_is_never_solved(command: Command, preset: str) -> None:
    done = command(
        "solve", 11982, "--preset", preset, "--nodes", 300_000, "--format", "jsonl", "--jobs", 1
    )
    (record,) = records(done.out)
    complete = hsd.GAME.preset(preset).search.name not in ("staged", "iterative-deepening")
    assert record["status"] == ("unsolvable" if complete else "exhausted")
    assert done.status == (0 if complete else 1)
    assert record["moves"] is None


def test_solve_11982_as_a_user_does(command: Command) -> None:
    done = command("solve", "11982")
    assert done.status == 0
    assert "Deal 11982: unsolvable" in done.out


@pytest.mark.parametrize("search", hsd.GAME.searches)
def test_every_search_solves_an_easy_board(tmp_path: Path, command: Command, search: str) -> None:
    text = "Foundations: C-J D-J H-J S-J\nFreecells: KC\nQS KH QC\nKD QH\nKS QD\n"
    board = FreeCellBoard.from_text(text)
    words = ["--search", search, "--format", "jsonl"]
    if search == "schedule":
        weights = Weights("freecell", {}, Evaluator(("AboveNext",), (1.0,)), Search(search))
        weights.write(tmp_path / "weights.json")
        words += ["--weights", str(tmp_path / "weights.json")]
    done = command("solve", written(tmp_path / "board", text), *words)
    assert done.status == 0, done
    assert hsd.verify(board, records(done.out)[0]["moves"]).solved


def test_options_change_the_search(command: Command) -> None:
    def nodes(*words: Any, budget: int = 5000) -> Any:
        done = command("solve", 1, "--format", "jsonl", "--nodes", budget, *words)
        return records(done.out)[0]["nodes"]["generated"], records(done.out)[0]["status"]

    plain = nodes()
    assert nodes("--set", "automatic=none") != plain
    assert nodes("--preset", "hsdh") != plain
    assert nodes("--weights", "ga-freecell-2011") == nodes("--preset", "ga-freecell-2011")
    assert nodes("--cells", 3) != plain
    assert nodes("--cascades", 9) != plain
    assert nodes("--preset", "hsdh", budget=7) == (7, "node-limit")
    assert nodes("--seconds", 1e-9, "--preset", "hsdh")[1] == "time-limit"


def test_solve_without_a_terminal_shows_no_progress() -> None:
    done = shell("solve", "1-3", "--format", "jsonl")
    assert (done.status, done.err) == (0, "")
    assert len(records(done.out)) == 3


@pytest.mark.parametrize("output", [False, True], ids=["pipe", "file"])
def test_each_deal_is_written_as_soon_as_it_is_done(tmp_path: Path, output: bool) -> None:
    """Lines too few to fill a buffer, and a process that dies when the first has come."""
    out = tmp_path / "out.jsonl"
    slow = ["--search", "iterative-deepening", "--nodes", 200_000, "--jobs", 1]
    words = ["solve", *["11982"] * 30, *slow, "--format", "jsonl"]
    process = start(*words, *(["-o", out] if output else []))
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


OPTIONS: list[tuple[list[str], list[str]]] = [
    (["--nodes", "0"], ["--nodes", "'0'"]),
    (["--nodes", "-1"], ["--nodes"]),
    (["--nodes", "1e6"], ["--nodes", "1e6"]),
    (["--nodes", "100000000000000000000"], ["nodes"]),
    (["--seconds", "0"], ["--seconds"]),
    (["--seconds", "-1"], ["--seconds"]),
    (["--seconds", "nan"], ["--seconds"]),
    (["--seconds", "inf"], ["--seconds"]),
    (["--jobs", "0"], ["--jobs", "-1"]),
    (["--jobs", "-2"], ["--jobs"]),
    (["--cells", "8"], ["cells", "0 to 7"]),
    (["--cells", "-1"], ["cells"]),
    (["--cascades", "3"], ["cascades", "4 to 9"]),
    (["--cascades", "10"], ["cascades", "4 to 9"]),
    (["--preset", "best"], ["best", "hsdh"]),
    (["--weights", "absent.json"], ["absent.json", "hsdh"]),
    (["--preset", "hsdh", "--weights", "hsdh"], ["--preset", "--weights"]),
    (["--search", "guess"], ["guess", "staged"]),
    (["--set", "depth"], ["KEY=VALUE"]),
    (["--set", "width=3"], ["width", "shorten"]),
    (["--search", "best-first", "--set", "patience=-1"], ["patience", "0 to"]),
    (["--set", "depth=17"], ["depth"]),
    (["--search", "best-first", "--set", "patience=deep"], ["patience", "whole number"]),
    (["--set", "automatic=yes"], ["automatic", "safe"]),
    (["--format", "xml"], ["xml", "jsonl"]),
    (["--game", "chess"], ["chess", "freecell"]),
    (["--resume"], ["-o"]),
    (["--resume", "-o", "x.txt"], ["jsonl"]),
    (["-o", "/dev/null/out.txt"], ["/dev/null/out.txt"]),
    (["-o", "/"], ["/"]),
]


@pytest.mark.parametrize(("words", "named"), OPTIONS, ids=lambda value: " ".join(value)[:30])
def test_options_that_cannot_be(command: Command, words: list[str], named: list[str]) -> None:
    refused(command("solve", "1", *words), *named)


def test_a_file_that_is_not_there(command: Command) -> None:
    refused(command("solve", "mygame.txt"), "there is no file 'mygame.txt' in this folder")
    assert "set of deals" not in command("solve", "mygame.txt").err
    refused(command("solve", "boards/mine"), "there is no file 'boards/mine'")
    refused(command("solve", "ms64k"), "no set of deals 'ms64k'")


def test_a_board_with_hidden_cards_is_sent_to_hint(command: Command, tmp_path: Path) -> None:
    lister: Any = game("klondike")
    file = written(tmp_path / "k1.txt", str(lister.player.seen(klondike(1))))
    done = command("solve", file, "--game", "klondike")
    refused(done, "needs to know all cards; for advice: gafreecell hint", "k1.txt --game klondike")
