"""The command ``evaluate``: its table, its JSON and its rows, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Command, records, refused

import hsd
from solving.outcome import Limits


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


def test_evaluate_counts_one_deal_as_one(command: Command) -> None:
    done = command("evaluate", "hsd-evolved", "--deals", "1", "--nodes", 3000)
    assert done.out.startswith("1 deal (1), 3,000 nodes a deal\n")


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
