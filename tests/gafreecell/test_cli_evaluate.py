"""The command ``evaluate``: its table, its JSON and its rows, and what it refuses."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Command, File, refused

import deals
import hsd
from gafreecell.comparing.pairs import Comparison, Estimate
from gafreecell.comparing.solver_comparison import sentence
from gafreecell.solitaire import klondike
from gafreecell.solving.outcome import Limits

EVOLVED = hsd.preset("hsd-evolved")


def test_evaluate_says_what_came_out_and_then_the_figures(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    words = ("evaluate", "hsd-evolved", "hsdh-same-search", "--deals", "1-40", "--nodes", 30_000)
    done = command(*words)
    assert done.status == 0
    head, verdict, solvers, title, pair, meaning = done.out.split("\n\n")
    assert head == (
        "40 deals (1-40), at most 30,000 nodes a deal\nFreeCell with 8 cascades, 4 cells"
    )
    assert re.fullmatch(
        r"hsd-evolved needs 0\.\d+ times the nodes of hsdh-same-search on the \d+ deals both "
        r"solved \[0\.\d+, 0\.\d+\], p < 0\.001 by ranks(, failures counted)?; "
        r"solved \d+ against \d+ of 40 \(p [<=] 0\.\d+\)",
        " ".join(verdict.split()),
    )
    names = [line.split("|")[1].strip() for line in solvers.splitlines()]
    assert names == ["solver", "-" * 16, "hsd-evolved", "hsdh-same-search"]
    assert title.startswith("hsd-evolved against hsdh-same-search, ")
    assert "nodes, typical deal" in pair
    assert "McNemar" in meaning
    assert "1000M" not in done.out
    for part in (solvers, pair):
        assert len({len(line) for line in part.splitlines()}) == 1, "the columns are aligned"


@pytest.mark.parametrize("columns", [80, 100, 300])
def test_evaluate_fits_the_terminal(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    long = tmp_path / "freecell-nine-published.json"
    EVOLVED.write(long)
    words = ["evaluate", long, "hsdh-same-search", "fast", "--deals", "1-20", "--nodes", 2000]
    done = command(*words, "--penalty")
    assert max(map(len, done.out.splitlines())) <= min(columns, 100)
    assert "3 comparisons (Holm)" in done.said and "with 1000M" in done.out


def test_evaluate_counts_one_deal_as_one(command: Command) -> None:
    done = command("evaluate", "hsd-evolved", "--deals", "1", "--nodes", 3000)
    assert done.out.startswith("1 deal (1), at most 3,000 nodes a deal\n")
    done = command("evaluate", "hsd-evolved", "hsdh", "--deals", "1", "--nodes", 1)
    assert "at most 1 node a deal" in done.out
    assert "hsd-evolved and hsdh solved no deal in common; solved 0 against 0 of 1" in done.out


def test_evaluate_names_each_budget(command: Command, tmp_path: Path) -> None:
    """Solvers with budgets of their own are not passed off as equals."""
    small = tmp_path / "small.json"
    replace(EVOLVED, limits=Limits(nodes=1500)).write(small)
    done = command("evaluate", small, "hsd-evolved", "--deals", "1-40")
    assert "1,500 nodes a deal for small; 2,000,000 nodes a deal for hsd-evolved" in done.said
    assert "small needs as many nodes as hsd-evolved" not in done.out
    warned = "Warning: the solvers have different node budgets"
    assert warned in done.out and "--nodes N" in done.out
    done = command("evaluate", small, "hsd-evolved", "--deals", "1-4", "--nodes", 1500)
    assert warned not in done.out
    assert "small needs as many nodes as hsd-evolved, p = 1" in done.out


def test_evaluate_names_each_memory_limit(command: Command, tmp_path: Path) -> None:
    small, warned = tmp_path / "small.json", "Warning: the solvers have different memory limits"
    for memory, met in ((10**9, False), (10**6, True)):
        replace(EVOLVED, limits=replace(EVOLVED.limits, memory=memory)).write(small)
        done = command("evaluate", small, "hsd-evolved", "--deals", "5-7")
        assert f"{memory / 1e6:,.0f} MB a deal for small; 2,000,000 nodes, 500 MB a" in done.said
        assert (warned in done.said) == met


def test_a_ratio_that_the_failures_contradict_is_no_verdict(
    command: Command, tmp_path: Path
) -> None:
    """The one deal that both solve takes more nodes, but the others are solved by one alone."""
    assert EVOLVED.evaluator is not None
    weights = (0.882, 0.895, 0.203, 0.21, 0.185, 0.683, 0.933, 0.909, 0.39)
    path = tmp_path / "nine.json"
    replace(EVOLVED, evaluator=replace(EVOLVED.evaluator, weights=weights)).write(path)
    said = command("evaluate", path, "ga-freecell-2011", "--deals", "1-10", "--nodes", 3000).said
    assert re.search(
        r"needs 1\.\d+ times the nodes of ga-freecell-2011 on the deal both solved, but does "
        r"better with all deals counted, p = 0\.031 by ranks; solved 7",
        said,
    )
    assert "1 deal solved by both:" in said


def test_a_verdict_says_that_its_test_counts_failures() -> None:
    estimate = Estimate(0.5, (0.4, 0.6))
    found = Comparison(
        "mine", "theirs", 10, 8, estimate, estimate, {}, 0.02, 0.02, 1, 10, 8, 2, 0, 0.5, 0.5, 1.0
    )
    assert "by ranks, failures counted; solved" in sentence(found)
    assert "by ranks; solved" in sentence(replace(found, solved_against=10, only=0))


def test_ranks_that_prove_nothing_contradict_no_ratio() -> None:
    """Where both solve all deals, a mean of logarithms and ranks may still differ in sign."""
    ratio = Estimate(1.01, (0.94, 1.08))
    found = Comparison("a", "b", 9, 9, ratio, ratio, {}, 0.52, 0.52, 1, 9, 9, 0, 0, 1.0, 1.0, 1.01)
    assert "with all deals counted" not in sentence(found)
    assert "does better with all deals counted" in sentence(replace(found, nodes_p_holm=0.01))


def test_evaluate_knows_the_game_of_its_solvers(command: Command, tmp_path: Path) -> None:
    weights = tmp_path / "order.json"
    base = klondike.preset("complete")
    replace(base, limits=Limits(nodes=300), provenance={}).write(weights)
    for solver in ("complete", weights):
        done = command("evaluate", solver, "--deals", "1-3", "--nodes", 300)
        assert done.status == 0
        assert "\nKlondike\n" in done.out, "a game without options is not 'with' any"
    # Both FreeCell and Pyramid have an optimal preset: it goes with the others, or is FreeCell's.
    assert "FreeCell" in command("evaluate", "optimal", "--deals", "1", "--nodes", 50).out
    refused(command("evaluate", weights, "fast", "--deals", "1"), "order.json", "klondike", "fast")


def test_evaluate_as_json_and_csv_agree_with_solve(tmp_path: Path, command: Command) -> None:
    names = ["hsd-evolved", "ga-freecell-2011"]
    rest = ["--deals", "1-10", "--deals", "11982", "--nodes", 3000]
    done = command("evaluate", *names, *rest, "--format", "json", "-o", tmp_path / "rows.csv")
    assert done.status == 0
    document = json.loads(done.out, parse_constant=pytest.fail)
    with (tmp_path / "rows.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 22
    for name in names:
        lines = command.records("solve", "1-10", 11982, "--preset", name, "--nodes", 3000)
        mine = [row for row in rows if row["solver"] == name]
        for row, line in zip(mine, lines, strict=True):
            told = {**line, **line["nodes"], **(line["lengths"] or {"single": "", "column": ""})}
            keys = ("deal", "status", "expanded", "generated", "single", "column")
            assert [row[key] for key in keys] == [str(told[key]) for key in keys]
        summary = document["solvers"][name]
        count = sum(line["status"] == "solved" for line in lines)
        assert (summary["deals"], summary["solved"]) == (11, count)
        assert summary["nodes_limit"] == 3000
        assert summary["interval"][0] <= count / 11 <= summary["interval"][1]
    (pair,) = document["comparisons"]
    assert [pair["solver"], pair["against"]] == names
    assert pair["solved"] == document["solvers"][names[0]]["solved"]
    assert pair["nodes_typical"]["value"] > 0
    assert "penalised" not in pair
    assert (document["game"], document["deals"]) == ("freecell", ["1-10", "11982"])
    penalty = command("evaluate", *names, *rest, "--format", "json", "--penalty")
    assert json.loads(penalty.out)["comparisons"][0]["penalised"] > 0


def test_evaluate_of_nothing_solved_is_json_all_the_same(command: Command) -> None:
    words = ["evaluate", "hsdh", "hsd-evolved", "--deals", "11982", "--nodes", 50]
    document = json.loads(command(*words, "--format", "json").out, parse_constant=pytest.fail)
    assert document["solvers"]["hsdh"]["nodes_mean"] is None
    done = command(*words)
    assert done.status == 0 and "nan" not in done.out


def test_evaluate_refuses_before_it_works(file: File, command: Command) -> None:
    board = file(str(deals.freecell(164)), "board.txt")
    twice = ("--deals", board, "--deals", "164")
    refused(command("evaluate", "hsdh", *twice), "board.txt:1", "1 repeated deal")
    kept = file("mine", "kept.csv")
    for path, said in ((kept / "x.csv", "x.csv"), (kept, "exists")):
        done = command("evaluate", "hsdh", "--deals", "1-100000", "-o", path)
        refused(done, str(path), said)
    assert kept.read_text() == "mine"


def test_a_unit_that_repeats_another_is_left_out(command: Command) -> None:
    out = command("evaluate", "fast", "hsd-evolved", "--deals", "1-5").out
    assert "column" in out and "manual" not in out
    alone = command("evaluate", "fast", "--deals", "1-5", "--format", "json").out
    assert '"manual"' in alone


def test_set_changes_the_search_of_every_solver(command: Command) -> None:
    words = ("evaluate", "fast", "short", "--deals", "1-3")
    usual, changed = (
        json.loads(command(*words, *more, "--format", "json").out)["solvers"]
        for more in ((), ("--set", "shorten=no"))
    )
    for name in ("fast", "short"):
        assert changed[name]["parameters"] == {**usual[name]["parameters"], "shorten": "no"}
        lines = command.records("solve", "1-3", "--preset", name, "--set", "shorten=no")
        single = sum(line["lengths"]["single"] for line in lines) / 3
        assert changed[name]["lengths"]["single"] == single > usual[name]["lengths"]["single"]
    assert ", --set shorten=no " in command(*words, "--set", "shorten=no").said
