"""The command ``compare``: how runs are grouped, what is said of groups, what is refused."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, job_table, refused
from run_folders import ONE

from gafreecell import evolve, load
from gafreecell.comparing.groups import _names, grouped
from gafreecell.comparing.run_comparison import _letter
from gafreecell.evolution.job import Job, Trained

Make = Callable[..., Path]


@pytest.fixture(scope="module")
def evolved() -> dict[str, Path]:
    """The folders of all runs of this file, by what their jobs change."""
    return {}


@pytest.fixture
def make(
    toy: Any, evolved: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> Make:  # fmt: skip
    """Makes a small run of the toy game in a folder of that name, which is returned."""
    monkeypatch.chdir(tmp_path)

    def made(folder: str, **changes: Any) -> Path:
        key, table = repr(changes), job_table(**{"generations": 3, **changes})
        if key not in evolved:
            evolved[key] = tmp_path_factory.mktemp("runs") / "run"
            evolve(table, evolved[key], ONE)
        return Path(shutil.copytree(evolved[key], folder))

    return made


def pairs(make: Make, changes: Sequence[dict[str, Any]]) -> list[Path]:
    """Two runs of each changed job, which differ in the seed."""
    return [
        make(f"{number}-{seed}", seed=seed, generations=1, **one)
        for number, one in enumerate(changes)
        for seed in (1, 2)
    ]


def test_runs_are_grouped_by_all_but_the_seed(make: Make) -> None:
    folders = [
        make("a1", seed=1),
        make("c1", seed=1, trainer="cma-es"),
        make("a2", seed=2),
        # A name that tells no more than the seed, and files written besides, change nothing.
        make("a3", seed=3, name="small-s3", exports={"x": {"search": "think"}}, hall_of_fame=3),
        make("c2", seed=2, trainer="cma-es", name="small_2"),
        make("longer", seed=1, generations=4),
    ]
    groups = grouped([load(folder) for folder in folders])
    assert [group.seeds for group in groups] == [(1, 2, 3), (1, 2), (1,)]
    assert [group.name for group in groups] == [
        "small (trainer=genetic, generations=3)",
        "small (trainer=cma-es, generations=3)",
        "small (trainer=genetic, generations=4)",
    ]
    assert [group.name for group in grouped([load(folders[0]), load(folders[2])])] == ["small"]


def test_groups_have_names_of_their_own(make: Make, command: Command) -> None:
    # Of those with one scheme the first three keys that differ from another group's agree.
    problems = {"every": 2, "meetings": 2, "penalty": 8}
    changes: list[dict[str, Any]] = [
        {"scheme": "fixed", "problems": {"every": 3, "meetings": 3, "penalty": 9}},
        {"problems": problems},
        {"problems": problems, "stop": {"patience": 9}},
        {"problems": problems, "stop": {"patience": 9, "evaluations": 10**6}},
    ]
    folders = pairs(make, changes)
    names = [group.name for group in grouped([load(folder) for folder in folders])]
    assert names == [
        "small (scheme=fixed, problems.every=3, problems.meetings=3, ...)",
        "small (scheme=coevolution, stop.evaluations=0, stop.patience=0, ...)",
        "small (scheme=coevolution, stop.evaluations=0, stop.patience=9, ...)",
        "small (scheme=coevolution, problems.every=2, stop.evaluations=1000000, ...)",
    ]
    done = command("compare", *folders, "--deals", "201-205", "--format", "json")
    document = json.loads(done.out)
    for part in ("groups", "measured", "costs"):
        assert list(document[part]) == names
    assert (document["game"], document["over"]) == ("toy", "seeds")
    runs = [[(run["run"], run["seed"]) for run in group] for group in document["groups"].values()]
    assert runs == [
        [(str(one), 1), (str(other), 2)]
        for one, other in zip(folders[::2], folders[1::2], strict=True)
    ]
    assert {pair["against"] for pair in document["comparisons"]} == set(names[1:])
    assert all(pair["paired"] for pair in document["comparisons"])


@pytest.mark.parametrize("columns", ["80", "120"])
def test_groups_with_long_names_go_by_letters(
    columns: str, make: Make, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    changes = [{"stop": {"patience": 9}}, {"scheme": "fixed"}, {"trainer": "cma-es"}]
    folders = pairs(make, changes)
    long = "small (scheme=coevolution, trainer=genetic, stop.patience=9)"
    for runs in (folders, folders[::2]):
        out = command("compare", *runs, "--deals", "201-205").out
        rows = [line for line in out.splitlines() if line.startswith("|")]
        assert rows and not any("scheme=" in row for row in rows)
        assert " ".join(out.split()).count(f"A: {long}, seed") == 1
        assert max(map(len, out.splitlines())) <= int(columns)
        for pair in ("A against B", "A against C", "B against C"):
            assert pair in out
        # A row of the groups, and four of what they cost.
        assert len(re.findall(r"^\| B  ", out, re.MULTILINE)) == 5
    document = json.loads(command("compare", *folders, "--format", "json").out)
    assert next(iter(document["measured"])) == long
    assert [_letter(place) for place in (0, 25, 26, 27, 52)] == ["A", "Z", "AA", "AB", "BA"]


def test_a_group_alone_keeps_its_long_name(make: Make, command: Command) -> None:
    name = "a-name-that-is-longer-than-tables-like"
    folders = [make(f"r{seed}", seed=seed, generations=1, name=name) for seed in (1, 2)]
    for runs in (folders, folders[:1]):
        out = command("compare", *runs, "--deals", "201-205").out
        assert f"| {name} " in out and "A: " not in out


def test_long_values_that_are_cut_leave_no_two_groups_alike() -> None:
    features = ["NumberWellPlaced", "NumCardsNotAtFoundations"]
    jobs = [
        Job("small", 1, Trained("think", features=(*features, last)))
        for last in ("FreeCells", "FreeCascades", "LowestHomeCard")
    ]
    cut = "small (trained.features=NumberWellPlaced,NumCardsNo...)"
    assert _names(jobs) == [f"{cut} #1", f"{cut} #2", f"{cut} #3"]


def test_a_setting_that_a_job_lacks_tells_it_apart(make: Make) -> None:
    folders = [
        make("own", generations=1),
        make("given", generations=1, fitness={"weights": {"near": 1.0}}),
    ]
    names = [group.name for group in grouped([load(folder) for folder in folders])]
    assert names == ["small (no fitness.weights.near)", "small (fitness.weights.near=1.0)"]


def test_groups_are_compared_over_their_seeds(make: Make, command: Command) -> None:
    folders = [make(f"{t}{s}", seed=s, trainer=t) for t in ("genetic", "random") for s in range(6)]
    done = command("compare", *folders, "--deals", "201-260")
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 100
    text = done.said
    assert "60 deals (201-260), at most 20,000 nodes a deal Toy with slow 1" in text
    assert "small (trainer=genetic): seeds 0, 1, 2, 3, 4, 5 (genetic0, ..., genetic5)" in text
    assert "small (trainer=genetic) needs " in text
    assert "over 6 seeds each; solved 60.0 against 60.0 of 60 on average (p = 1)" in text
    assert "small (trainer=genetic) against small (trainer=random), seed by seed:" in text


def test_one_seed_each_says_nothing_of_the_jobs(make: Make, command: Command) -> None:
    one, other = make("one", seed=1), make("other", seed=1, trainer="random")
    done = command("compare", one, other, "--deals", "201-260")
    text = done.said
    assert "One seed each: nothing can be concluded about the jobs" in text
    assert "small (trainer=genetic) needs " in text
    assert re.search(r"on the \d+ deals both solved", text)
    assert "intervals: bootstrap. p: " in text
    few = command("compare", one, other, "--deals", "201-202").said
    assert "intervals: bootstrap (only with at least 5 deals). p: " in few
    third = make("third", seed=2, trainer="random")
    done = command("compare", one, other, third, "--deals", "201-210")
    assert "small (trainer=genetic): one seed, so nothing can be concluded" in done.out
    assert "One seed each" not in done.out
    done = command("compare", one, "--deals", "201-201")
    assert "1 deal (201-201)" in done.out
    document = json.loads(command("compare", one, other, "--format", "json").out)
    assert document["over"] == "deals"


def test_the_deals_are_new_to_all_the_runs(make: Make, command: Command) -> None:
    one = make("one", seed=1)
    other = make("other", deals={"train": "1-60", "validation": "500-520"})
    document = json.loads(command("compare", one, other, "--format", "json").out)
    (words,) = document["deals"]
    first, last = map(int, words.split("-"))
    assert 520 < first < last
    done = command("compare", one, "--deals", "55-64", "--deals", "101-110")
    assert "20 deals (55-64, 101-110), at most 20,000 nodes a deal Toy" in done.said
    said = "runs trained or validated on 16 of the 20 deals, so these figures are too good"
    assert f"Warning: {said}" in done.said
    # Tables and JSON say so, too.
    for form in ("latex", "markdown", "csv", "json"):
        printed = command("compare", one, "--deals", "55-64", "--deals", "101-110",
                          "--format", form)  # fmt: skip
        assert (said in printed.out) == (form != "csv")
        assert f"gafreecell: {said}" in printed.err


def test_few_seeds_say_how_little_they_can_say(make: Make, command: Command) -> None:
    folders = [make(f"{t}{s}", seed=s, trainer=t) for t in ("genetic", "random") for s in (1, 2)]
    text = command("compare", *folders, "--deals", "1-30").said
    assert "over 2 seeds each" in text
    assert "with so few seeds p cannot be below 0.5" in text
    said = "bootstrap for a comparison of two (with fewer than 5 seeds each: paired t, marked (t)"
    assert said in text
    assert re.search(
        r"genetic\S* needs [0-9.]+ times .* \[[0-9.]+, [0-9.,]+\] \(t\), p = (0.5|1) over", text
    )
    assert "p, signed-rank | p, t |" in text
    shifted = make("random3", seed=3, trainer="random")
    text = command("compare", *folders[:3], shifted, "--deals", "1-30").out
    assert "not paired: the seeds differ" in text
    assert "Mann-Whitney" in text


def test_the_least_p_is_that_of_all_pairs(make: Make, command: Command) -> None:
    folders = [
        make(f"{t}{s}", seed=s, trainer=t) for t in ("genetic", "random", "cma-es") for s in (1, 2)
    ]
    text = command("compare", *folders, "--deals", "1-30").said
    assert text.count("with so few seeds p cannot be below 1") == 3
    assert "p, signed-rank (Holm) | p, t (uncorrected)" in text


def test_runs_within_different_budgets_need_one_for_all(make: Make, command: Command) -> None:
    one, other = make("one", seed=1), make("other", seed=1, trained={"nodes": 300})
    done = command("compare", one, other, "--deals", "1-10")
    refused(done, "different node budgets", "300", "20,000", "--nodes")
    assert command("compare", one, other, "--deals", "1-10", "--nodes", 500).status == 0


def test_unfinished_runs_are_said_to_be(broken: Path, command: Command) -> None:
    done = command("compare", broken, "--deals", "1-5")
    said = f"the run is not finished: {broken} has done 3 of 6 generations"
    assert said in done.said


def test_compare_refuses_before_it_works(make: Make, command: Command, tmp_path: Path) -> None:
    one = make("one", seed=1)
    shutil.copytree(one, tmp_path / "copy")
    refused(command("compare", one, "copy"), "one", "copy", "one seed", "1")
    slow = make("slow", variant={"slow": 2})
    refused(command("compare", one, slow), "slow 1", "slow 2", "one game")
    refused(command("compare", one, "known"), "known", "not a run folder", "evaluate")
    refused(command("compare", one / "weights" / "best.json"), "it is a file", "evaluate")
    refused(
        command("compare", "nowhere"), "nowhere is not a run folder: there is no such directory"
    )
    (tmp_path / "empty").mkdir()
    refused(command("compare", tmp_path / "empty"), "holds no run")
    refused(command("compare", one, "--deals", "0"), "0")
