"""The command line: what each command prints, its exit status, and what it says of bad input.

Commands run in this process where nothing depends on it, which saves loading numba anew.
"""

from __future__ import annotations

import csv
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from conftest import (
    COMMAND,
    Command,
    as_toml,
    job_table,
    records,
    refused,
    shell,
    start,
    without_seconds,
    written,
)

import deals
import hsd
from deals import FreeCellBoard
from deals.cards import DECK, card_name
from solving.outcome import Limits, Search
from solving.weights import read_weights

COMMANDS = (
    "evolve", "resume", "show", "export", "plot", "evaluate", "solve", "deal", "verify", "presets",
    "play",
)  # fmt: skip
RECORD = ["game", "deal", "status", "moves", "lengths", "nodes", "seconds"]
DATA = Path(__file__).parents[1] / "hsd" / "data" / "fc_solve_solutions.txt"


# Help


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; from gafreecell.cli.main import run\n"
        "try: run(['--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('numba', 'numpy', 'joblib', 'deap', 'matplotlib', 'scipy', 'rich')"
        " if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert all(name in done.stdout for name in COMMANDS)

    def seconds() -> float:
        began = time.perf_counter()
        assert shell("--help").status == 0
        return time.perf_counter() - began

    # The best of several: the machine may be busy with something else.
    assert min(seconds() for _ in range(5)) < 0.3


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_and_takes_no_progress(command: Command, name: str) -> None:
    done = command(name, "--help")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"usage: gafreecell {name}")
    assert "--no-progress" in done.out


def test_the_version(command: Command) -> None:
    assert command("--version").out.startswith("gafreecell 0.")


@pytest.mark.parametrize("words", [[], ["dance"], ["solve"], ["--loud"], ["solve", "1", "--loud"]])
def test_bad_usage_gets_a_line_and_a_hint(command: Command, words: list[str]) -> None:
    done = command(*words)
    refused(done, "--help")
    assert len(done.lines) == 2


# solve


def test_every_line_has_every_key(command: Command) -> None:
    done = command("solve", "1-6", "11982", "--nodes", 1500, "--format", "jsonl", "--jobs", 2)
    assert (done.status, done.err) == (1, "")
    seen = set()
    for record in records(done.out):
        assert list(record) == RECORD
        assert record["game"] == "freecell"
        assert record["nodes"].keys() == {"expanded", "generated"}
        assert 0 < record["nodes"]["generated"] < 1500 + 256
        assert record["seconds"] > 0
        seen.add(record["status"])
        if record["status"] == "solved":
            assert record["lengths"].keys() == {"single", "column"}
            assert record["lengths"]["column"] == len(record["moves"])
            verdict = hsd.verify(deals.freecell(record["deal"]), record["moves"])
            assert verdict.solved, verdict.reason
            assert record["lengths"] == {"single": verdict.single, "column": verdict.column}
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
    assert outcomes(boards) == expected, "a board is named after its position, from 1"


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
    complete = hsd.GAME.preset(preset).search.name in ("best-first", "beam", "a-star")
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
    done = command(
        "solve", written(tmp_path / "board", text), "--search", search, "--format", "jsonl"
    )
    assert done.status == 0, done
    assert hsd.verify(board, records(done.out)[0]["moves"]).solved


def test_options_change_the_search(command: Command) -> None:
    def nodes(*words: Any) -> Any:
        done = command("solve", 1, "--format", "jsonl", "--nodes", 5000, *words)
        return records(done.out)[0]["nodes"]["generated"], records(done.out)[0]["status"]

    plain = nodes()
    assert nodes("--set", "supermoves=no") != plain
    assert nodes("--preset", "hsdh") != plain
    assert nodes("--weights", "ga-freecell-2011") == nodes("--preset", "ga-freecell-2011")
    assert nodes("--cells", 3) != plain
    assert nodes("--cascades", 9) != plain
    assert nodes("--nodes", 7, "--preset", "hsdh") == (7, "node-limit")
    assert nodes("--seconds", 1e-9, "--preset", "hsdh")[1] == "time-limit"


def test_solve_without_a_terminal_shows_no_progress() -> None:
    done = shell("solve", "1-3", "--format", "jsonl")
    assert (done.status, done.err) == (0, "")
    assert len(records(done.out)) == 3


def test_a_reader_that_goes_away_is_no_error() -> None:
    pipe = 'set -o pipefail; "$@" | head -n 2; exit "${PIPESTATUS[0]}"'
    done = subprocess.run(
        ["bash", "-c", pipe, "bash", *COMMAND, "deal", "1-5000"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 2


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


# deal and verify


def test_deals_round_trip_through_a_file_and_standard_input(
    tmp_path: Path, command: Command
) -> None:
    for words in (["1"], ["617", "1-3", "2147483647"]):
        text = command("deal", *words).out
        assert command("deal", written(tmp_path / "boards", text)).out == text
        assert shell("deal", "-", stdin=text).out == text
    assert text.count("\n\n") == 4, "a blank line between boards"
    assert command("deal", "617").out.startswith("7D TD TH KD 4C 4S JD\n")


@pytest.mark.parametrize("words", [["--cells", 0], ["--cells", 7], ["--cascades", 9]])
def test_variants_round_trip(tmp_path: Path, command: Command, words: list[Any]) -> None:
    text = command("deal", "5", *words).out
    assert command("deal", written(tmp_path / "board", text), *words).out == text


@pytest.mark.parametrize("cells", [0, 2, 6])
def test_a_board_that_tells_its_cells_is_not_played_with_four(
    tmp_path: Path, command: Command, cells: int
) -> None:
    """``deal --cells 6`` prints six places; reading them back as four is another deal."""
    text = command("deal", "5", "--cells", cells).out
    assert command("deal", written(tmp_path / "board", text)).out == text


def test_remarks_in_a_file_of_boards_are_no_cards(tmp_path: Path, command: Command) -> None:
    text = command("deal", "5").out
    remarked = "# deal 5\n" + text.replace("\n", "  # a cascade\n")
    assert command("deal", written(tmp_path / "board", remarked)).out == text


def test_weights_play_the_variant_they_were_made_for(tmp_path: Path, command: Command) -> None:
    base = hsd.solver.SOLVER.weights("hsd-evolved")
    two, four = tmp_path / "two.json", tmp_path / "four.json"
    replace(base, variant={"cascades": 8, "cells": 2}).write(two)
    base.write(four)
    found = {}
    for name, words in {
        "two": ["--weights", two],
        "four": ["--weights", four],
        "two asked for four": ["--weights", two, "--cells", "4"],
        "four asked for two": ["--weights", four, "--cells", "2"],
    }.items():
        line = records(command("solve", "1-5", "--format", "jsonl", *words).out)
        found[name] = [(record["status"], record["nodes"]) for record in line]
    assert found["two"] == found["four asked for two"]
    assert found["four"] == found["two asked for four"]
    assert found["two"] != found["four"]
    in_python = [hsd.solve(n, replace(base, variant={"cells": 2})).nodes for n in range(1, 6)]
    assert [asdict(nodes) for nodes in in_python] == [nodes for _, nodes in found["two"]]
    compared = command("evaluate", two, "hsd-evolved", "--deals", "1-5", "--format", "json")
    assert compared.status == 0
    refused(command("evaluate", two, four, "--deals", "1-5"), "2 cells", "4 cells")
    odd = tmp_path / "odd.json"
    replace(base, variant={"colour": 1}).write(odd)
    refused(command("solve", "1", "--weights", odd), "colour")
    for cells in (8, "two"):
        replace(base, variant={"cells": cells}).write(odd)
        refused(command("solve", "1", "--weights", odd), "cells")


def test_a_position_in_mid_game_is_read_and_solved(tmp_path: Path, command: Command) -> None:
    text = (
        "Foundations: C-3 D-0 H-A S-2\nFreecells: 4C - 7D\n"
        + "\n".join(
            " ".join(row)
            for row in split_rest({"AC", "2C", "3C", "AH", "AS", "2S", "4C", "7D"}, columns=8)
        )
        + "\n"
    )
    board = FreeCellBoard.from_text(text)
    file = written(tmp_path / "board", text)
    done = command("solve", file, "--format", "jsonl")
    assert done.status == 0
    assert hsd.verify(board, records(done.out)[0]["moves"]).solved
    solution = written(tmp_path / "moves", " ".join(records(done.out)[0]["moves"]))
    assert command("verify", file, solution).status == 0


def split_rest(out: set[str], columns: int) -> list[list[str]]:
    """The other cards in columns, kings deepest."""
    left = [card_name(card) for card in sorted(DECK, reverse=True) if card_name(card) not in out]
    return [left[i::columns] for i in range(columns)]


def test_verify_tells_right_from_wrong(tmp_path: Path, command: Command) -> None:
    line = command("solve", 617, "--format", "jsonl").out
    moves = records(line)[0]["moves"]
    right = command("verify", 617, written(tmp_path / "right", " ".join(moves)))
    assert (right.status, right.err) == (0, "")
    assert right.out.startswith(f"right: {len(moves)} moves")
    assert command("verify", 617, written(tmp_path / "line", line)).status == 0
    assert shell("verify", 617, "-", stdin="\n".join(moves)).status == 0
    assert shell("verify", "-", tmp_path / "line", stdin=command("deal", 617).out).status == 0

    for wrong in (
        moves[:-1],
        moves[1:],
        [*moves[:5], "6h", *moves[5:]],
        ["zz"],
        [*moves, "1a"],
    ):
        done = command("verify", 617, written(tmp_path / "wrong", " ".join(wrong)))
        assert (done.status, done.err) == (1, "")
        assert done.out.startswith("wrong: ")
        assert len(done.out.splitlines()) == 1
    assert command("verify", 618, tmp_path / "right").status == 1
    text = written(tmp_path / "text", command("solve", 617).out)
    assert command("verify", 617, text).status == 0, "what solve prints for people is read too"
    refused(command("verify", 617, written(tmp_path / "empty", " \n")), "empty")


def test_verify_reads_what_fc_solve_writes(tmp_path: Path, command: Command) -> None:
    rows = [line.split() for line in DATA.read_text().splitlines() if not line.startswith("#")]
    assert {row[1] for row in rows} >= {"-snx"}
    for number, _, _, *moves in rows[:12]:
        done = command("verify", number, written(tmp_path / "moves", " ".join(moves)))
        assert done.status == 0, (number, done)


@pytest.mark.parametrize(
    "content",
    ["{", '{"moves": 5}', '{"status": "node-limit", "moves": null}', "[]", b"\xff\xfe"],
)
def test_verify_refuses_what_holds_no_moves(
    tmp_path: Path, command: Command, content: str | bytes
) -> None:
    path = written(tmp_path / "solution", content)
    refused(command("verify", 1, path), str(path))


def test_verify_refuses_files_that_are_not_there_and_several_deals(
    tmp_path: Path, command: Command
) -> None:
    refused(command("verify", 1, tmp_path / "absent"), "absent")
    refused(command("verify", 1, tmp_path), "directory")
    refused(command("verify", "1-2", written(tmp_path / "moves", "1a")), "one deal")
    refused(shell("verify", "-", "-"), "standard input")


# evaluate and presets


def test_evaluate_prints_a_table_with_intervals(command: Command) -> None:
    done = command(
        "evaluate", "hsd-evolved", "hsdh-same-search", "--deals", "1-40", "--nodes", 3000
    )
    assert (done.status, done.err) == (0, "")
    rows = [line for line in done.out.splitlines() if line.startswith("| hsd")]
    assert "40 deals (1-40), 3,000 nodes a deal\nFreeCell with 8 cascades, 4 cells" in done.out
    assert [row.split("|")[1].strip() for row in rows[:2]] == ["hsd-evolved", "hsdh-same-search"]
    assert "95 % interval" in done.out
    widths = {len(line) for line in done.out.splitlines()[3:7]}
    assert len(widths) == 1, "the columns are aligned"


def test_evaluate_names_each_budget_and_no_absurd_share(command: Command, tmp_path: Path) -> None:
    """Solvers with budgets of their own are not passed off as equals."""
    small = tmp_path / "small.json"
    replace(hsd.solver.SOLVER.weights("hsd-evolved"), limits=Limits(nodes=1500)).write(small)
    done = command("evaluate", small, "hsd-evolved", "--deals", "1-40")
    assert "small 1,500 nodes, hsd-evolved 2,000,000 nodes a deal" in done.out
    assert "times as many" in done.out
    assert "-1000" not in done.out


def test_evaluate_as_json_and_csv_agree_with_solve(tmp_path: Path, command: Command) -> None:
    names = ["hsd-evolved", "ga-freecell-2011"]
    rest = ["--deals", "1-10", "--deals", "11982", "--nodes", 3000]
    done = command("evaluate", *names, *rest, "--format", "json", "-o", tmp_path / "rows.csv")
    assert done.status == 0
    document = json.loads(done.out, parse_constant=pytest.fail)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "rows.csv").read_text())))
    assert len(rows) == 22
    for name in names:
        solved = command(
            "solve", "1-10", 11982, "--preset", name, "--nodes", 3000, "--format", "jsonl"
        )
        expected = records(solved.out)
        mine = [row for row in rows if row["solver"] == name]
        for row, record in zip(mine, expected, strict=True):
            assert row["deal"] == str(record["deal"])
            assert row["status"] == record["status"]
            assert int(row["generated"]) == record["nodes"]["generated"]
            assert int(row["expanded"]) == record["nodes"]["expanded"]
            lengths = record["lengths"] or {"single": "", "column": ""}
            assert row["single"] == str(lengths["single"])
            assert row["column"] == str(lengths["column"])
        summary = document["solvers"][name]
        count = sum(record["status"] == "solved" for record in expected)
        assert (summary["deals"], summary["solved"]) == (11, count)
        assert summary["nodes_limit"] == 3000
        assert summary["interval"][0] <= count / 11 <= summary["interval"][1]
    assert {pair["solver"] for pair in document["reductions"]} == set(names)


def test_evaluate_of_nothing_solved_is_json_all_the_same(command: Command) -> None:
    words = ["evaluate", "hsdh", "hsd-evolved", "--deals", "11982", "--nodes", 50]
    document = json.loads(command(*words, "--format", "json").out, parse_constant=pytest.fail)
    assert document["solvers"]["hsdh"]["nodes_mean"] is None
    done = command(*words)
    assert done.status == 0
    assert "nan" not in done.out


def test_evaluate_refuses_before_it_works(tmp_path: Path, command: Command) -> None:
    refused(command("evaluate", "hsdh", "hsdh", "--deals", "1"), "hsdh", "rename")
    refused(command("evaluate", "nobody", "--deals", "1"), "nobody", "hsdh")
    refused(command("evaluate", "hsdh"), "--deals")
    refused(command("evaluate", "hsdh", "--deals", "0"), "0")
    refused(
        command("evaluate", "hsdh", "--deals", "1-100000", "-o", tmp_path / "no" / "x.csv"), "x.csv"
    )
    refused(command("plot", "hsdh", "--kind", "cactus", "-o", tmp_path / "x.bmp"), ".png")


def test_presets_are_listed_with_the_features(command: Command) -> None:
    done = command("presets")
    assert (done.status, done.err) == (0, "")
    for name in (*hsd.GAME.presets, *(feature.name for feature in hsd.GAME.features)):
        assert name in done.out
    assert "None" not in done.out
    assert f"{hsd.GAME.default_preset} (default)" in done.out


# A third party's game


def test_presets_list_every_search_with_its_parameters(command: Command) -> None:
    text = command("presets").out
    for name, search in hsd.solver.SOLVER.searches.items():
        for parameter in search.parameters:
            assert any(
                name in line and parameter.name in line and parameter.meaning in line
                for line in text.splitlines()
            )


def test_a_dash_is_standard_output(command: Command) -> None:
    plain = command("solve", 1, "--format", "jsonl").out
    assert without_seconds(command("solve", 1, "--format", "jsonl", "-o", "-").out) == (
        without_seconds(plain)
    )
    reference = Path(__file__).parents[2] / "runs" / "freecell-nine"
    exported = command("export", reference, "-o", "-")
    assert exported.out == (reference / "weights" / "best.json").read_text(encoding="utf-8")


@pytest.mark.usefixtures("toy")
def test_a_registered_game_has_the_whole_command_line(tmp_path: Path, command: Command) -> None:
    solved = command("solve", "--game", "toy", "1-3", "--format", "jsonl")
    assert [record["moves"] for record in records(solved.out)] == [["go"] * n for n in (8, 5, 2)]
    assert command("deal", "--game", "toy", "4-5").out == "toy 4\n\ntoy 5\n"
    moves = written(tmp_path / "moves", "go go")
    assert command("verify", "--game", "toy", "3", moves).status == 0
    assert command("verify", "--game", "toy", "1", moves).status == 1
    assert "guess" in command("presets", "--game", "toy").out
    assert "toy 1" in shell("deal", "--game", "toy", "1").out
    table = command("evaluate", "--game", "toy", "guess", "known", "--deals", "few")
    assert "30 deals" in table.out
    refused(command("solve", "--game", "toy", "1", "--cells", "3"), "cells", "slow")
    refused(command("solve", "--game", "chess", "1"), "chess", "freecell", "toy")


@pytest.mark.usefixtures("toy")
def test_a_solution_that_does_not_replay_is_never_printed(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not bad input: a fault of the program, which may show as one."""
    import toy_game

    monkeypatch.setattr(toy_game, "hardness", lambda deal: 3)
    real = toy_game.solution
    monkeypatch.setattr(toy_game.Toy, "verify", lambda *_: "they do not fit")
    assert real(1) == ("go",) * 3
    with pytest.raises(AssertionError, match="deal 1"):
        command("solve", "--game", "toy", "1", "--format", "jsonl")


# Bad input


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


BOARD = str(deals.freecell(617)).splitlines()


def edited(line: int, old: str, new: str) -> str:
    lines = list(BOARD)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "\n".join(lines) + "\n"


BAD_BOARDS: dict[str, tuple[str, list[str]]] = {
    "missing": (edited(1, "7D ", ""), ["missing 7D"]),
    "doubled": (edited(3, BOARD[2].split()[0], "7D"), ["line 3", "7D", "doubled", "line 1"]),
    "malformed-rank": (edited(2, BOARD[1].split()[1], "1D"), ["line 2", "'1D'", "A23456789TJQK"]),
    "malformed-suit": (edited(2, BOARD[1].split()[1], "7X"), ["line 2", "'7X'", "CDHS"]),
    "malformed-long": (edited(2, BOARD[1].split()[1], "100D"), ["line 2", "'100D'"]),
    "on-its-foundation": (
        "Foundations: C-0 D-A H-0 S-0\n" + "\n".join(BOARD),
        ["line 3", "AD", "line 1", "foundation"],
    ),
    "foundation-beyond-the-cards": (
        "Foundations: C-K D-K H-K S-K\n" + "\n".join(BOARD),
        ["foundation"],
    ),
    "malformed-foundation": ("Foundations: C-14\n" + "\n".join(BOARD), ["line 1", "'C-14'"]),
    "too-many-cells": (
        "Freecells: 7D TD TH KD 4C\n" + edited(1, "7D TD TH KD 4C ", ""),
        ["line 1", "4C", "has 4"],
    ),
    "too-many-cascades": ("\n".join([*BOARD[:7], *BOARD[7].split()]), ["cascades"]),
    "only-a-label": ("Foundations: C-0 D-0 H-0 S-0\n", ["cascade"]),
    "second-board": ("\n".join(BOARD) + "\n\n" + edited(1, "7D ", ""), ["board 2", "missing 7D"]),
    "second-board-line": ("\n".join(BOARD) + "\n\n" + edited(2, BOARD[1].split()[1], "7X"),
                          ["line 11", "'7X'"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "named"), BAD_BOARDS.values(), ids=BAD_BOARDS)
def test_boards_that_cannot_be(
    tmp_path: Path, command: Command, text: str, named: list[str]
) -> None:
    path = written(tmp_path / "board.txt", text)
    for name in ("solve", "deal"):
        refused(command(name, path), str(path), *named)


def test_standard_input_that_cannot_be_read() -> None:
    refused(shell("solve", "-"), "standard input", "empty")
    refused(shell("solve", "-", stdin="7X\n"), "standard input", "line 1", "7X")
    strict = {"PYTHONIOENCODING": "utf-8:strict"}  # what a UTF-8 locale other than C gives
    refused(shell("solve", "-", stdin=b"\xff\xfe", env=strict), "standard input")


def test_files_from_windows_are_read(tmp_path: Path, command: Command) -> None:
    crlf = written(tmp_path / "crlf", b"617\r\n618\r\n")
    assert command("deal", crlf).status == 0
    marked = written(tmp_path / "marked", b"\xef\xbb\xbf617\r\n")
    assert command("deal", marked).status == 0


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
    (["--set", "width=3"], ["width", "patience"]),
    (["--set", "patience=-1"], ["patience", "0 to"]),
    (["--set", "depth=17"], ["depth"]),
    (["--set", "patience=deep"], ["patience", "whole number"]),
    (["--set", "automatic=yes"], ["automatic", "safe"]),
    (["--format", "xml"], ["xml", "jsonl"]),
    (["--game", "chess"], ["chess", "freecell"]),
    (["--resume"], ["-o"]),
    (["--resume", "-o", "x.txt"], ["jsonl"]),
    (["-o", "/absent/out.txt"], ["/absent/out.txt"]),
    (["-o", "/"], ["/"]),
]


@pytest.mark.parametrize(("words", "named"), OPTIONS, ids=lambda value: " ".join(value)[:30])
def test_options_that_cannot_be(command: Command, words: list[str], named: list[str]) -> None:
    refused(command("solve", "1", *words), *named)


PRESET = read_weights(Path(hsd.__file__).parent / "presets_data" / "hsdh-same-search.json")


def test_the_memory_of_the_weights_is_the_limit(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "little.json"
    search = Search("best-first", {"automatic": "none"})
    little = Limits(nodes=3_000_000, memory=2_000_000)
    replace(PRESET, search=search, limits=little, provenance={}).write(path)
    done = command("solve", 11982, "--weights", path, "--format", "jsonl")
    assert [record["status"] for record in records(done.out)] == ["memory-limit"]
    done = command("evaluate", path, "--deals", "11982", "-o", tmp_path / "deals.csv")
    assert "memory-limit" in (tmp_path / "deals.csv").read_text()


def weights_text(change: Callable[[dict[str, Any]], None]) -> str:
    document = json.loads(PRESET.to_text())
    change(document)
    return json.dumps(document)


BAD_WEIGHTS: dict[str, tuple[str | bytes, list[str]]] = {
    "other-game": (weights_text(lambda d: d.update(game="klondike")), ["klondike", "freecell"]),
    "unknown-feature": (
        weights_text(lambda d: d["evaluator"].update(features=["Luck"], weights=[1])),
        ["Luck", "HSDH"],
    ),
    "feature-twice": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"] * 2, weights=[1, 1])),
        ["twice"],
    ),
    "too-few-weights": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"], weights=[])),
        ["1 features but 0 weights"],
    ),
    "weight-text": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"], weights=["1"])),
        ["weights", "numbers"],
    ),
    "weight-nan": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"], weights=[float("nan")])),
        ["weights"],
    ),
    "weight-infinite": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"], weights=[float("inf")])),
        ["weights"],
    ),
    "weight-huge": (
        weights_text(lambda d: d["evaluator"].update(features=["HSDH"], weights=[10**400])),
        ["weights"],
    ),
    "kind": (weights_text(lambda d: d["evaluator"].update(kind="tree")), ["tree", "linear"]),
    "no-evaluator": (weights_text(lambda d: d.update(evaluator=None)), ["weights"]),
    "search": (weights_text(lambda d: d["search"].update(name="guess")), ["guess", "staged"]),
    "parameter": (
        weights_text(lambda d: d["search"]["parameters"].update(width=1)),
        ["width", "depth"],
    ),
    "parameter-range": (
        weights_text(lambda d: d["search"]["parameters"].update(depth=99)),
        ["depth", "1 to"],
    ),
    "parameter-null": (
        weights_text(lambda d: d["search"]["parameters"].update(depth=None)),
        ["depth"],
    ),
    "parameter-list": (
        weights_text(lambda d: d["search"]["parameters"].update(depth=[2])),
        ["depth"],
    ),
    "nodes": (weights_text(lambda d: d["limits"].update(nodes=0)), ["nodes", "positive"]),
    "nodes-huge": (weights_text(lambda d: d["limits"].update(nodes=10**30)), ["nodes"]),
    "format": (weights_text(lambda d: d.update(format={"name": "x"})), ["format"]),
    "version": (weights_text(lambda d: d["format"].update(version=9)), ["version", "9"]),
    "list": ("[1, 2]", ["format"]),
    "truncated": (PRESET.to_text()[:200], ["line ", "JSON"]),
    "empty": ("", ["JSON"]),
    "binary": (b"\xff\xfe", ["not text"]),
    "nested": ("[" * 100_000, []),
}


@pytest.mark.parametrize(("content", "named"), BAD_WEIGHTS.values(), ids=BAD_WEIGHTS)
def test_weights_files_that_cannot_be(
    tmp_path: Path, command: Command, content: str | bytes, named: list[str]
) -> None:
    path = written(tmp_path / "weights.json", content)
    for words in (["solve", "1", "--weights", path], ["evaluate", path, "--deals", "1"]):
        refused(command(*words), "weights.json", *named)


def test_a_directory_without_a_run_is_no_weights_file(tmp_path: Path, command: Command) -> None:
    refused(command("solve", "1", "--weights", tmp_path), str(tmp_path), "directory")


BAD_JOBS: list[tuple[dict[str, Any], list[str]]] = [
    ({"colour": 1}, ["line ", "colour", "scheme"]),
    ({"problems": {"colour": 1}}, ["line ", "problems.colour", "penalty"]),
    ({"hosts": {"deals": 6}}, ["line ", "hosts is called problems now"]),
    ({"generations": "ten"}, ["line ", "generations", "'ten'", "whole number"]),
    ({"solvers": {"population": 1}}, ["line ", "solvers.population", "1", "2 to"]),
    ({"solvers": {"mutation": 0.9}}, ["line ", "solvers", "sum to 1"]),
    ({"trained": {"search": "guess"}}, ["guess", "think"]),
    ({"trained": {"parameters": {"depth": 1}}}, ["depth", "effort"]),
    ({"deals": {"train": "5-3"}}, ["line ", "deals.train", "5-3"]),
    ({"game": "chess"}, ["chess", "toy"]),
    ({"seconds": 120}, ["line ", "seconds"]),
]


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(("changes", "named"), BAD_JOBS, ids=lambda value: str(value)[:30])
def test_jobs_that_cannot_be(
    tmp_path: Path, command: Command, changes: dict[str, Any], named: list[str]
) -> None:
    path = written(tmp_path / "job.toml", as_toml(job_table(**changes)))
    refused(command("evolve", path, "--out", tmp_path / "run"), str(path), *named)
    assert not (tmp_path / "run").exists()


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--jobs", "0"], "--jobs"),
        (["--backend", "mpi"], "loky"),
        (["--scheduler", "tcp://127.0.0.1:1"], "dask"),
        (["--backend", "dask", "--scheduler", "nonsense://"], "nonsense"),
        (["--generations", "0"], "--generations"),
        (["--seed", "-1"], "--seed"),
        (["--seconds", "5"], "--seconds"),
    ],
)
def test_options_of_evolve_that_cannot_be(
    tmp_path: Path, command: Command, words: list[str], named: str
) -> None:
    path = written(tmp_path / "job.toml", as_toml(job_table()))
    refused(command("evolve", path, "--out", tmp_path / "run", *words), named)
    assert not (tmp_path / "run").exists()


@pytest.mark.usefixtures("toy")
def test_evolve_reports_and_names_its_folder_after_job_and_seed(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "job.toml", as_toml(job_table(generations=2)))
    done = command("evolve", "job.toml", "--seed", 7, "--jobs", 1)
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "out" / "small-s7" / "state.json").exists()
    assert "gafreecell export out/small-s7" in done.out
    assert "near" in done.out
    shown = command("show", "out/small-s7").out
    assert "seed 7" in shown
    assert "2 of 2 generations" in shown
