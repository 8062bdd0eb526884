"""``survey`` and ``lists``: the same bytes whatever interrupts, and what ``solve`` says."""

from __future__ import annotations

import csv
import io
import sys
import threading
from collections.abc import Generator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Command, contents, records, refused

from deals.errors import BadInput
from gafreecell.cli import surveying as cli_surveying
from gafreecell.service import surveying
from gafreecell.service.inputs import GivenDeal
from gafreecell.service.solvers import solved
from gafreecell.service.survey import UNKNOWN, Row, Survey, read_survey
from gafreecell.service.surveying import decide, decided_again, rows_of
from gafreecell.solving.outcome import Outcome
from gafreecell.workers.chosen import Workers
from hsd.game import GAME

RANGES = ("11900-11990", "1-120")


@pytest.fixture
def whole(command: Command, tmp_path: Path) -> Path:
    """A survey of two ranges in three shards, made by one worker."""
    folder = tmp_path / "whole"
    done = command("survey", *RANGES, "--shard", 100, "--jobs", 1, "-o", folder)
    assert done.status == 0
    assert "210 of 211 deals solved, 99.5261%" in done.out
    assert "not solved: 11982 (unsolvable)" in done.out
    assert "found as in the files: 100 deals" in done.out
    return folder


def test_the_files_say_what_solve_says(command: Command, whole: Path) -> None:
    listed = records(command("lists", whole, "--format", "jsonl").out)
    solved = command.records("solve", "1-120", "11900-11990")
    assert [line["deal"] for line in listed] == [line["deal"] for line in solved]
    for one, other in zip(listed, solved, strict=True):
        lengths = other["lengths"] or dict.fromkeys(("single", "column", "manual"))
        known = {"status": other["status"], "generated": other["nodes"]["generated"], **lengths}
        assert one == {"deal": one["deal"], **known}


def test_interruptions_workers_and_longer_ranges_change_no_byte(
    command: Command, whole: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    begun = replace(read_survey(whole), folder=other)
    begun.write_plan()
    rows = decide(begun, begun.left(), Workers(1))
    assert len([*islice(rows, 111)]) == 111
    rows.close()
    assert {"1-100.npz", "101-120.part"} < {*contents(other)}
    assert command("survey", *RANGES, "--shard", 100, "-o", other, "--jobs", 3).status == 0
    assert contents(other) == contents(whole)
    assert command("survey", *RANGES, "12001-12010", "--shard", 100, "-o", other).status == 0
    kept = contents(other)
    assert {name for name, data in contents(whole).items() if kept[name] != data} == {"survey.toml"}
    assert "12001-12010.npz" in kept
    plan = (other / "survey.toml").read_text()
    (other / "survey.toml").write_text(plan.replace(GAME.engine, GAME.earlier_engines[-1]))
    longer = ("survey", *RANGES, "12001-12030", "--shard", 100, "--check", 0, "-o", other)
    assert command(*longer).status == 0
    assert {*contents(other)} == {*kept} - {"12001-12010.npz"} | {"12001-12030.npz"}
    refused(command(*longer[:3], "12001-12029", *longer[4:]), "has deals that are not asked for")
    assert GAME.engine in (other / "survey.toml").read_text()
    (other / "survey.toml").write_text(plan.replace(GAME.engine, "0"))
    refused(command(*longer), "was begun with engine '0', got")


def test_a_slow_deal_holds_up_its_shard_alone(
    command: Command, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others_are_there = threading.Event()

    def slow(*given: Any) -> list[Row]:
        if any(deal.board == 3 for deal in given[-1]):
            others_are_there.wait(30)
        return rows_of(*given)

    monkeypatch.setattr(surveying, "rows_of", slow)
    other = tmp_path / "other"
    begun = replace(read_survey(whole), folder=other)
    begun.write_plan()
    left = begun.left()
    rows = decide(begun, left, Workers(2))
    assert len([*islice(rows, 111 + 90)]) == 111 + 90
    assert "101-120.npz" in contents(other)
    others_are_there.set()
    rows.close()
    assert "1-100.part" in contents(other)
    assert command("survey", *RANGES, "--shard", 100, "-o", other).status == 0
    assert contents(other) == contents(whole)


def test_larger_limits_decide_again_what_met_a_limit(
    command: Command, whole: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    asked = ("survey", *RANGES, "--shard", 100, "-o", other, "--no-progress")
    assert command(*asked, "--nodes", 200).status == 1
    small, files = read_survey(other), [f"{part}.npz" for part in ("1-100", "101-120")]
    met = [(small.read(shard)["status"] > 1).sum() for shard in small.shards]
    met = [number for number in met if number]
    assert len(met) == 3
    refused(command(*asked, "--nodes", 199), "was begun with larger limits (200 nodes")
    begun = replace(read_survey(whole), folder=other)
    begun.write_plan()
    assert not {*files} & {*contents(other)}
    left = begun.left()
    assert [*map(len, left.values())] == met
    rows = decide(begun, left, Workers(1))
    assert len([*islice(rows, met[0] + 1)]) == met[0] + 1
    rows.close()
    assert {"1-100.npz", "101-120.part"} < {*contents(other)}
    assert command(*asked).status == 0
    assert contents(other) == contents(whole)


def test_ranges_and_limits_may_change_in_any_order(command: Command, tmp_path: Path) -> None:
    """A longer range is begun, the shorter one decided with larger limits, the longer ended."""
    folder = tmp_path / "survey"
    few, more = ("--nodes", 200), ("--nodes", 3_000)
    always = ("--check", 0, "--jobs", 1)
    command("survey", "1-20", *few, *always, "-o", folder)
    (folder / "1-20-backup.npz").write_bytes(b"mine")
    begun = replace(read_survey(folder), deals=(range(1, 41),))
    begun.write_plan()
    rows = decide(begun, begun.left(), Workers(1))
    assert len([*islice(rows, 12)]) == 12
    rows.close()
    assert command("survey", "1-20", *more, *always, "-o", folder).status == 0
    assert "1-40.part" in contents(folder)
    left = replace(read_survey(folder), deals=(range(1, 41),)).left()
    assert sum(map(len, left.values())) < 20
    assert command("survey", "1-40", *more, *always, "-o", folder).status == 0
    assert command("survey", "1-40", *more, *always, "-o", tmp_path / "whole").status == 0
    kept = contents(folder)
    assert kept.pop("1-20-backup.npz") == b"mine"
    assert kept == contents(tmp_path / "whole")


def test_larger_limits_that_may_change_solutions_are_refused(
    command: Command, tmp_path: Path
) -> None:
    asked = ("survey", "1-2", "--check", 0, "-o", tmp_path / "short", "--weights", "shortest")
    command(*asked, "--nodes", 2_000)
    refused(command(*asked, "--nodes", 3_000), "might find other solutions of deals")
    verdicts = ("survey", "1-9", "--game", "pyramid", "--verdicts", "--check", 0, "-o")
    assert "memory-limit" in command(*verdicts, tmp_path / "grown", "--memory", "70k").out
    assert command(*verdicts, tmp_path / "grown").status == 0
    assert command(*verdicts, tmp_path / "once").status == 0
    assert contents(tmp_path / "grown") == contents(tmp_path / "once")


def test_larger_limits_decide_again_how_few_cells_are_enough(
    command: Command, tmp_path: Path
) -> None:
    asked = ("survey", "5-24", "--least-cells", "-o")
    begun = command(*asked, tmp_path / "grown", "--nodes", 500)
    assert begun.status == 1
    assert "1 with 1, 5 with 2, 14 not decided" in begun.out
    survey = read_survey(tmp_path / "grown")
    assert -1 in survey.read(range(5, 25))["cells"]
    # An earlier engine might have left some open that this one decides.
    plan = tmp_path / "grown" / "survey.toml"
    plan.write_text(plan.read_text().replace(GAME.engine, GAME.earlier_engines[-1]))
    survey.write_plan()
    assert sum(map(len, survey.left().values())) == 15
    done = command(*asked, tmp_path / "grown", "--nodes", 100_000)
    assert "4 with 1, 13 with 2, 2 with 3, 1 not decided" in done.out
    command(*asked, tmp_path / "whole", "--nodes", 100_000)
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")


def test_verdicts_alone(command: Command, whole: Path, tmp_path: Path) -> None:
    asked = ("survey", *RANGES, "--shard", 100, "-o", tmp_path / "verdicts")
    done = command(*asked, "--verdicts")
    assert (done.status, "means" in done.out) == (0, False)
    files = contents(tmp_path / "verdicts")
    assert command(*asked).status == 0
    assert contents(tmp_path / "verdicts") == files
    few, many = read_survey(tmp_path / "verdicts"), read_survey(whole)
    assert few.columns == ("status",)
    for shard in few.shards:
        assert (few.read(shard)["status"] == many.read(shard)["status"]).all()


def test_other_solvers_go_on_if_only_the_verdict_matters(command: Command, tmp_path: Path) -> None:
    few = ("11982", "--memory", "5M")
    assert "not decided within 5 MB" in command("solve", *few).out
    asked = ("survey", *few, "--check", 1, "-o")
    assert "11982 (memory-limit)" in command(*asked, tmp_path / "nodes").out
    assert "11982" in command("lists", tmp_path / "nodes", "--only", "open").out
    done = command(*asked, tmp_path / "verdicts", "--verdicts")
    assert done.status == 0 and "11982 (unsolvable)" in done.out


def test_grades_of_decided_deals_decide_nothing_again(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("survey", "1-6", "11982", "--shard", 4, "--check", 0, "-o")
    at_once, later = tmp_path / "at-once", tmp_path / "later"
    assert command(*asked, at_once, "--grades").status == 0
    assert command(*asked, later).status == 0

    def refused(weights: object, game: object, limits: object, piece: list[object]) -> list[object]:
        assert not piece
        return []

    monkeypatch.setattr(surveying, "solved", refused)
    assert command(*asked, later, "--grades").status == 0
    assert contents(later) == contents(at_once)
    # A longer range needs new deals alone.
    monkeypatch.undo()
    longer = ("survey", "1-8", *asked[2:])
    assert command(*longer, at_once).status == command(*longer, later).status == 0
    assert contents(later) == contents(at_once)


@pytest.mark.parametrize("way", ["whole", "unfinished", "larger-limits"])
def test_an_interrupted_grading_keeps_what_is_decided(
    way: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, asked = tmp_path / "survey", ("--shard", 20, "--check", 0, "--jobs", 1, "-o")
    few = ("--nodes", 300) if way == "larger-limits" else ()
    command("survey", "1-30", *few, *asked, folder)
    if way == "unfinished":
        begun = replace(read_survey(folder), deals=(range(1, 60),))
        begun.write_plan()
        rows = decide(begun, begun.left(), Workers(1))
        assert len([*islice(rows, 4)]) == 4
        rows.close()
    last = 59 if way == "unfinished" else 30
    assert command("survey", f"1-{last}", *asked, tmp_path / "at-once", "--grades").status == 0
    wanted = replace(read_survey(tmp_path / "at-once"), folder=folder)
    wanted.write_plan()
    left, files = wanted.left(), wanted.files()
    rows = [wanted.begun(shard, files) for shard in left]
    undecided = last - sum(row[0] != UNKNOWN for kept in rows for row in kept)
    assert undecided == {"whole": 0, "unfinished": 25, "larger-limits": 5}[way]
    for done in (3, 18):
        graded = decide(wanted, wanted.left(), Workers(1))
        assert len([*islice(graded, done)]) == done
        graded.close()
        assert "is not finished" in command("lists", folder, "--grade", 1).err
    fresh: list[GivenDeal] = []

    def watched(weights: Any, game: Any, limits: Any, piece: list[GivenDeal]) -> list[Outcome]:
        fresh.extend(piece)
        return solved(weights, game, limits, piece)

    monkeypatch.setattr(surveying, "solved", watched)
    assert command("survey", f"1-{last}", *asked, folder, "--grades").status == 0
    assert contents(folder) == contents(tmp_path / "at-once")
    assert len(fresh) <= undecided


def test_larger_limits_keep_the_grades_of_an_interrupted_grading(
    command: Command, tmp_path: Path
) -> None:
    folder, asked = tmp_path / "survey", ("survey", "1-30", "--check", 0, "--jobs", 1, "-o")
    command(*asked, folder, "--nodes", 300)
    command(*asked, tmp_path / "at-once", "--grades")
    wanted = replace(read_survey(tmp_path / "at-once"), folder=folder)
    graded = replace(wanted, weights=read_survey(folder).weights)
    graded.write_plan()
    rows = decide(graded, graded.left(), Workers(1))
    assert len([*islice(rows, 8)]) == 8
    rows.close()
    before = sum(map(len, graded.left().values()))
    wanted.write_plan()
    # Those that met a limit wait, too.
    assert sum(map(len, wanted.left().values())) == before + 5
    assert command(*asked, folder, "--grades").status == 0
    assert contents(folder) == contents(tmp_path / "at-once")


def test_larger_limits_after_a_kill_that_left_a_shorter_file(
    command: Command, tmp_path: Path
) -> None:
    folder, asked = tmp_path / "survey", ("--grades", "--check", 0, "--jobs", 1, "-o")
    command("survey", "1-20", *asked, folder, "--nodes", 300)
    shorter = (folder / "1-20.npz").read_bytes()
    command("survey", "1-40", *asked, folder, "--nodes", 300)
    (folder / "1-20.npz").write_bytes(shorter)
    assert command("survey", "1-40", *asked, folder).status == 0
    command("survey", "1-40", *asked, tmp_path / "at-once")
    assert contents(folder) == contents(tmp_path / "at-once")


def test_ctrl_c_while_a_shard_is_written_loses_nothing(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("survey", "1-40", "--shard", 10, "--jobs", 1, "-o", tmp_path / "survey")
    keep, calls = Survey.keep, list[range]()

    def interrupted(self: Survey, shard: range, *given: Any) -> None:
        calls.append(shard)
        if len(calls) == 3:
            raise KeyboardInterrupt
        keep(self, shard, *given)

    with monkeypatch.context() as patched:
        patched.setattr(Survey, "keep", interrupted)
        done = command(*asked)
    assert done.status == 130 and "29 of 40 deals are done" in done.err
    assert (tmp_path / "survey" / "21-30.npz").exists()


def test_a_damaged_survey_leaves_no_part_of_a_list(command: Command, whole: Path) -> None:
    last = whole / "11901-11990.npz"
    last.write_bytes(last.read_bytes()[:-30])
    out = whole.parent / "list.csv"
    refused(command("lists", whole, "-o", out), "is damaged")
    assert not out.exists()


def test_grades_cells_and_filters(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "graded"
    asked = ("survey", "1-6", "11982", "--check", 2, "-o", folder)
    assert command(*asked).status == 0
    before = records(command("lists", folder, "--format", "jsonl").out)
    # More may be asked of deals that are decided; the folder remembers what was.
    done = command(*asked, "--grades", "--least-cells")
    assert done.status == 0 and "mean grade" in done.out
    graded = records(command("lists", folder, "--format", "jsonl").out)
    assert [{name: line[name] for name in before[0]} for line in graded] == before
    kept = contents(folder)
    assert command(*asked).status == 0 and contents(folder) == kept
    rated = command.records("rate", "1-6", "11982")
    assert [line["grade"] for line in graded] == [line["grade"] for line in rated]
    least = command.records("least-cells", "1-6")
    assert [line["cells"] for line in graded[:6]] == [line["cells"] for line in least]
    easiest = min(line["grade"] for line in graded[:6])
    refused(command("lists", folder, "--grade", 1, "--only", "unsolvable"), "leave out --only")
    few = command("lists", folder, "--grade", easiest, "--format", "numbers").out
    assert few.split() == [str(line["deal"]) for line in graded if line["grade"] == easiest]
    file = tmp_path / "lost.csv"
    assert command("lists", folder, "--only", "unsolvable", "-o", file).status == 0
    (row,) = csv.DictReader(io.StringIO(file.read_text()))
    assert (row["deal"], row["status"], row["grade"], row["single"]) == (
        "11982", "unsolvable", "", "",
    )  # fmt: skip
    assert command("lists", folder, "--deals", "2-3").out.count("\n") == 4


@pytest.mark.parametrize("first", [2**63 - 3, 2**64 - 3, 2**70])
def test_numbers_of_another_program(command: Command, tmp_path: Path, first: int) -> None:
    folder = tmp_path / "numbered"
    rules = ("--game", "klondike", "--variant", "draw=1", "--numbers")
    asked = ("survey", f"{first}-{first + 4}", *rules[:-1], "-o", folder)
    done = command(*asked, rules[-1], "microsoft", "--grades")
    assert "redeals, numbers of microsoft: " in done.out
    assert "almost the same cards" in done.out and "interval" not in done.out
    listed = records(command("lists", folder, "--format", "jsonl").out)
    deals = [line.pop("deal") for line in listed]
    assert {line.pop("numbers") for line in listed} == {"microsoft"}
    assert command("lists", folder, "--format", "csv").out.startswith("deal,numbers,status,")
    assert deals == [*range(first, first + 5)]
    some = command("lists", folder, "--deals", f"{first + 1}-{first + 2}", "--format", "numbers")
    assert some.out == f"{first + 1}\n{first + 2}\n"
    solved = command.records("solve", *deals, *rules, "microsoft")
    rated = command.records("rate", *deals, *rules, "microsoft")
    for one, other, grade in zip(listed, solved, rated, strict=True):
        assert other["deal"] == f"microsoft-{deals.pop(0)}"
        assert one["status"] == other["status"]
        assert one["generated"] == other["nodes"]["generated"]
        assert one["grade"] == grade["grade"]
    refused(command(*asked, rules[-1], "exact"), "with numbers 'microsoft', got 'exact'")
    usual = ("survey", "1-5", *rules[:-1], "-o", folder)
    refused(command(*usual), "with numbers 'microsoft', got 'usual'")
    pytest.importorskip("pyarrow")
    refused(command("lists", folder, "-o", tmp_path / "all.parquet"), "below 2^63")


def test_parquet(
    command: Command, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.parquet"
    with monkeypatch.context() as missing:
        missing.setitem(sys.modules, "pyarrow", None)  # type: ignore[arg-type]
        refused(command("lists", whole, "-o", file), "pip install 'gafreecell[tables]'")
    refused(command("lists", whole, "--format", "parquet"), "-o FILE.parquet")
    parquet = pytest.importorskip("pyarrow.parquet")
    assert command("lists", whole, "-o", file).status == 0
    assert parquet.read_table(file).to_pylist() == records(
        command("lists", whole, "--format", "jsonl").out
    )


def test_what_is_refused(command: Command, whole: Path, tmp_path: Path) -> None:
    asked = ("survey", *RANGES, "-o", whole, "--shard")
    refused(command(*asked, 50), "begun with --shard 100, got 50")
    refused(command(*asked, 100, "--weights", "best-first"), "begun with another solver")
    refused(command("survey", "1-20", "--shard", 100, "-o", whole), "files join at multiples of")
    refused(command(*asked, 100, "--verdicts"), "begun with nodes and lengths")
    new = tmp_path / "new"
    refused(command("survey", "1-2147483647", "--shard", 100, "-o", new), "1,000,000 files at most")
    refused(command("survey", "ms32k-train", "-o", new), "expected deal numbers or ranges")
    refused(command("survey", "1-9", "--game", "golf", "--grades", "-o", new), "cannot grade")
    refused(command("lists", whole, "--grade", 3), "has no grades")
    refused(command("survey", "1-9", "-o", new, "--scheduler", "x"), "needs the backend dask")
    assert not new.exists()
    command("survey", "51-120", "--shard", 100, "--check", 0, "-o", new)
    refused(command("survey", "1-200", "--shard", 100, "-o", new), "51-100.npz", "files join at")
    (new / "survey.toml").unlink()
    refused(command("survey", "51-120", "--shard", 100, "-o", new), "but no survey.toml")
    refused(command("lists", tmp_path / "none"), "there is no list")
    refused(command("lists", new), "has no survey.toml")
    refused(command("survey", "1-5", "-o", tmp_path), "has files (", "but no survey.toml")
    refused(command(*asked, 100, "--game", "klondike"), "begun with game 'freecell'")
    refused(command("lists", "--format", "csv"), "name a list")
    refused(command("lists", whole, "-o", new.with_suffix(".json")), "JSON lines go to .jsonl")
    assert "has no such deal" in command("lists", whole, "--deals", 1, "--only", "unsolvable").err
    some = command("lists", whole, "--deals", "5-9", "--deals", "3-7", "--format", "numbers").out
    assert some.split() == [*"3456789"]
    assert command("lists", whole, "--deals", "90-120", "--format", "numbers").status == 0
    refused(command("lists", whole, "--deals", "90-130"), "does not have deal 121")
    refused(command("lists", whole, "--grade", "3-1"), "a grade 1 to 10")


def test_the_sample_has_a_deal_of_each_file(whole: Path) -> None:
    survey = read_survey(whole)
    checked = [deal for deal, *_ in decided_again(survey, 4, Workers(1))]
    assert all(deal in shard for deal, shard in zip(checked, survey.shards, strict=True))
    assert len({deal for deal, *_ in decided_again(survey, 211, Workers(1))}) == 211


def test_ctrl_c_while_the_sample_is_decided_again_loses_nothing(
    command: Command, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: Any) -> Generator[Any, None, None]:
        yield 1, (0,), (0,)
        raise KeyboardInterrupt

    monkeypatch.setattr(cli_surveying, "decided_again", interrupted)
    done = command("survey", *RANGES, "--shard", 100, "-o", whole)
    assert done.status == 130 and "211 of 211 deals are done" in done.err
    assert f"saved in {whole}" in done.err and "continue: gafreecell survey" in done.err


def test_damage_is_found(command: Command, whole: Path) -> None:
    again = ("survey", *RANGES, "--shard", 100, "-o", whole, "--check", 211)
    listed = command("lists", whole, "--format", "csv").out
    file = whole / "1-100.npz"
    with np.load(file) as found:
        columns = {**found}
    columns["single"][7] += 1
    np.savez_compressed(file, **columns)
    refused(command(*again), "deal 8 has solved", "when decided again")
    file.write_bytes(file.read_bytes()[:300])
    refused(command(*again), "1-100.npz is damaged", "remove it")
    for column, change in [
        ("status", 99), ("status", -1), ("status", [1.5]), ("status", [[1]]), ("generated", -999),
    ]:  # fmt: skip
        np.savez_compressed(file, **{**columns, column: np.full(100, 1) * change})
        refused(command(*again), "1-100.npz is damaged")
        refused(command("lists", whole), "1-100.npz is damaged")
    twice = {name: np.tile(one, 2) if one.ndim else one for name, one in columns.items()}
    np.savez_compressed(file, **twice)
    refused(command(*again), "200 numbers for 100 deals")
    other = {**columns, "about": np.array('{"game": "klondike", "variant": {}}')}
    np.savez_compressed(file, **other)
    refused(command(*again), 'it is about {"game": "klondike"', '"cells": 4')
    columns["single"][7] -= 1
    np.savez_compressed(file, **columns)
    right = file.read_bytes()
    generator = np.random.default_rng(0)
    for place in generator.choice(len(right), 300, replace=False).tolist():
        flipped = bytearray(right)
        flipped[place] ^= 1 << generator.integers(8)
        file.write_bytes(flipped)
        done = command("lists", whole, "--format", "csv")
        assert done.status in (0, 2) and "Traceback" not in done.err
        if done.status == 0:
            assert done.out == listed
    file.unlink()
    assert command(*again).status == 0
    with pytest.raises(BadInput, match="cannot read"):
        read_survey(whole.parent)
