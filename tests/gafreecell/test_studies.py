"""Studies: plans, their runs side by side, killed, extended and shared by several processes."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from conftest import (
    Cluster,
    Command,
    as_toml,
    free_port,
    job_table,
    refused,
    rows_of,
    start,
    wait_for,
    written,
)
from handed_in import EasyFirst
from run_folders import ONE, generations_of, names_of, same, snapshot

import gafreecell
from gafreecell.evolution.generation import RunWarning
from gafreecell.runs.environment import records
from gafreecell.runs.folder import is_running
from gafreecell.runs.plan import PlanError, make_plan, read_plan
from gafreecell.runs.run import load
from gafreecell.runs.study import Study, StudyError, _AtWork, _finish, load_study, study

SETTINGS: dict[str, Any] = {
    "fresh": {"scheme": "resampled"},
    "coevolution": {},
    "cma": {"scheme": "resampled", "trainer": "cma-es"},
}
SMALL = {"generations": 2, "solvers": {"population": 6}}
BRIEF = job_table(generations=3, deals={"validation": "101-105"})
"""The job in a file."""


def plan(**changes: Any) -> dict[str, Any]:
    """A small study of the toy game."""
    table = {"name": "rates", "jobs": {"small": job_table(**SMALL)}, "seeds": "1-2"}
    return {**table, "settings": SETTINGS, **changes}


@pytest.fixture(autouse=True)
def here(toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A plan beside its job; the job's processes take their time if they are asked to."""
    written(tmp_path / "small.toml", as_toml(BRIEF))
    text = 'name = "rates"\njobs = ["small.toml"]\nseeds = "1-2"\n'
    text += '[settings.fresh]\nscheme = "resampled"\n[settings.coevolution]\n'
    return written(tmp_path / "rates.toml", text + "[settings.cma]\ntrainer = 'cma-es'\n"
                   "scheme = 'resampled'\n")  # fmt: skip


def test_every_job_runs_with_every_setting_swept_value_and_seed() -> None:
    jobs = {"small": job_table(**SMALL), "large": job_table(**{**SMALL, "generations": 3})}
    given = plan(jobs=jobs, sweep={"problems.elite": [1, 2], "stop.patience": [9]})
    made = make_plan({**given, "settings": {"plain": {}}, "seeds": [3, 8]})
    arms = made.arms
    assert [arm.name for arm in arms] == [
        f"{job}, plain, problems.elite={elite}, stop.patience=9"
        for job in ("small", "large")
        for elite in (1, 2)
    ]
    assert [arm.job.generations for arm in arms] == [2, 2, 3, 3]
    assert [arm.job.problems.elite for arm in arms] == [1, 2, 1, 2]
    told = {"job": "small", "setting": "plain", "problems.elite": 1, "stop.patience": 9}
    assert arms[0].told == told
    # The seeds of the study are those of the runs.
    assert [arm.job.seed for arm in arms] == [3] * 4
    assert Study(Path("s"), made).job_of(arms[1].name, 8).seed == 8


def test_a_plan_reads_back_the_same_with_its_jobs_in_it(file: Path, tmp_path: Path) -> None:
    made = read_plan(file)
    assert made.jobs == {"small": BRIEF}
    again = read_plan(written(tmp_path / "elsewhere.toml", made.text))
    assert again == made
    assert make_plan(made) == made
    assert [arm.job for arm in again.arms] == [arm.job for arm in made.arms]
    # The dots of a bare key are tables in TOML.
    text = made.text.replace("[sweep]", "[sweep]\nsolvers.elite = [1, 2]")
    assert read_plan(written(tmp_path / "a.toml", text)).sweep == {"solvers.elite": [1, 2]}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"sweeps": {}}, ("sweeps is not a key", "did you mean 'sweep'")),
        ({"jobs": []}, ("jobs must name a job",)),
        ({"jobs": 3}, ('jobs must be a list of job files, jobs = ["a.toml"]',)),
        ({"jobs": ["none.toml"]}, ("cannot read none.toml",)),
        ({"seeds": "1-"}, ('seeds must be numbers and ranges, as in "1-10"', "'1-'")),
        ({"seeds": "1-999999999"}, ("seeds must be",)),
        ({"seeds": "1-90000"}, ("more than 100,000 runs",)),
        ({"sweep": {"solvers.elite": 3}}, ("sweep.solvers.elite must be a list", "got 3")),
        ({"sweep": {"solvers.elite": [3, 3]}}, ("elite=3' are the same job", "leave one of them")),
        ({"settings": {}, "sweep": {"fitness.exponent": [1, 1.0]}},
         ("'fitness.exponent=1' and 'fitness.exponent=1.0' are the same job",)),
        ({"settings": {"a": {}, "b": {"generations": 2}}}, ("'a' and 'b' are the same job",)),
        ({"settings": {"a": {}, "b": {"hall_of_fame": 3}}}, ("'a' and 'b' are the same job",)),
        ({"settings": {}, "sweep": {"trained.parameters.effort": [900, 900.0]}}, ("whole number",)),
        ({"sweep": {"solvers.elite": [1, 99]}}, ("'fresh, solvers.elite=99'", "solvers.elite")),
        ({"settings": {"a": 3}}, ("settings.a must be a table of keys of a job",)),
        ({"sweep": {"cma.simga": [1]}}, ("cma.simga is not a key", "did you mean 'sigma'?")),
        ({"sweep": {"populaton": [8]}}, ("did you mean 'solvers.population' or 'problems.",)),
        ({"settings": {"a": {"schem": "fixed"}}}, ("the job of 'a': schem is not", "scheme")),
        ({"settings": {"a b": {}, "a-b": {"scheme": "fixed"}}},
         ("'a b' and 'a-b' would have the same folders, a-b-s...",)),
        ({"settings": {"Fresh": {}, "fresh": {"scheme": "fixed"}}},
         ("'Fresh' and 'fresh' would have the same folders",)),
        ({"test": {"submit": "best"}}, ("test.submit must be champion or last",)),
        ({"name": "../a"}, ("name must be letters, digits",)),
        ({"sweep": {"seed": [9]}}, ("sweep sets seed, which the study gives to each",)),
        ({"common": {"name": "a"}}, ("common sets name",)),
        ({"settings": {"a": {"seed": 3}}}, ("settings.a sets seed",)),
        ({"name": "?"}, ("name must be letters, digits", "'?'")),
    ],
)  # fmt: skip
def test_a_wrong_plan_is_refused_and_named(wrong: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(PlanError) as error:
        make_plan(plan(**wrong))
    for word in words:
        assert word in str(error.value)


def test_a_file_is_refused_with_its_line(command: Command, file: Path, tmp_path: Path) -> None:
    wrong = written(tmp_path / "b.toml", file.read_text().replace('"1-2"', '"one"'))
    refused(command("study", wrong), f"{wrong}, line 3: seeds must be numbers")
    refused(command("study", tmp_path / "none.toml"), "cannot read")
    refused(command("study", written(tmp_path / "c.toml", "name =")), "c.toml: not TOML")
    refused(command("study", tmp_path), "holds no study", "gafreecell study PLAN.toml")
    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for studies that several tests look at or copy."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def done(kept: Path) -> Study:
    """A study that is finished, made in this process."""
    if not (kept / "done").exists():
        study(plan(), kept / "done", jobs=1)
    shutil.copytree(kept / "done", "out/rates")
    return load_study("out/rates")


def test_its_runs_are_those_that_evolve_makes(done: Study, tmp_path: Path) -> None:
    assert done.folder == Path("out/rates") and done.finished
    assert [arm.name for arm in done.arms] == [*SETTINGS]
    assert [(run.job.scheme, run.job.trainer, run.job.seed) for run in done.runs] == [
        (scheme, trainer, seed)
        for scheme, trainer in (
            ("resampled", "genetic"), ("coevolution", "genetic"), ("resampled", "cma-es"),
        )
        for seed in (1, 2)
    ]  # fmt: skip
    alone = gafreecell.evolve(done.job_of("cma", 2), tmp_path / "alone", 1)
    same(done.run_folder("cma", 2), alone.folder)
    assert names_of(done.run_folder("cma", 2)) == names_of(alone.folder)
    for one in done.progress():
        run = done.run(one.arm, one.seed)
        assert (one.generation, one.generations, one.finished, one.running) == (2, 2, True, False)
        assert one.evaluations == sum(line["evaluations"] for line in run.lines) > 0
        assert one.nodes == sum(line["nodes"] for line in run.lines)
        costs = run.costs
        assert costs and one.seconds == sum(cost.seconds for cost in costs.values())
    with pytest.raises(StudyError, match=r"no arm 'cmaes'.*did you mean 'cma'"):
        done.arm("cmaes")


def test_two_processes_make_the_same_runs_as_none(done: Study, tmp_path: Path) -> None:
    other = study(plan(), tmp_path / "other", jobs=2)
    for one, same_one in zip(done.progress(), other.progress(), strict=True):
        same(one.folder, same_one.folder)
    assert (tmp_path / "other" / "study.toml").read_text() == done.plan.text


def test_a_finished_study_is_left_alone_and_extended(done: Study) -> None:
    before = snapshot(done.folder)
    assert study(done.folder).finished
    assert snapshot(done.folder) == before
    more = plan(seeds="1-3", settings={**SETTINGS, "fixed": {"scheme": "fixed"}})
    more["jobs"]["small"]["generations"] = 3
    longer = study(more, jobs=1)
    assert longer.finished
    assert {one.generation for one in longer.progress()} == {3}
    assert len(longer.progress()) == 12
    both = {"fresh": SETTINGS["fresh"], "fixed": {"scheme": "fixed"}}
    for one in study({**more, "seeds": "2-3", "settings": both}, "few", jobs=1).progress():
        same(one.folder, longer.run_folder(one.arm, one.seed))
    # Runs that are longer than the plan says are no longer what it says.
    with pytest.raises(StudyError, match=r"it has 3 generations, the plan 2"):
        study(plan(), jobs=1)
    short = plan(common={"stop": {"evaluations": 1}, "generations": 3})
    with pytest.raises(StudyError, match=r"beyond the end .*its 1 evaluations are done"):
        study(short, jobs=1)
    # What a plan drops stays where it is.
    with pytest.warns(RunWarning, match=r"the plan no longer has 9 runs that it had \(cma-s1, "):
        fewer = study({**more, "seeds": "2", "settings": SETTINGS}, jobs=1)
    assert len(fewer.progress()) == 3
    assert longer.run_folder("fixed", 3).is_dir()
    assert len(fewer.left_out) == 9 and longer.left_out == []


def test_a_changed_setting_a_run_and_another_study_are_refused(done: Study) -> None:
    before = snapshot(done.folder)
    changed = plan(settings={**SETTINGS, "cma": {**SETTINGS["cma"], "cma": {"sigma": 0.1}}})
    with pytest.raises(StudyError, match=r"cma-s1 holds a run of another job"):
        study(changed)
    with pytest.raises(StudyError, match=r"holds the study 'rates', not 'other'"):
        study(plan(name="other"), done.folder)
    with pytest.raises(StudyError, match=r"fresh-s1 holds a run"):
        study(plan(), done.run_folder("fresh", 1))
    assert snapshot(done.folder) == before


def test_runs_that_end_before_their_last_generation_are_finished() -> None:
    stops = {"target": {"stop": {"target": 1e9}}, "patience": {"stop": {"patience": 1}},
             "evaluations": {"stop": {"evaluations": 30}}}  # fmt: skip
    given = plan(settings=stops, common={"generations": 30})
    done = study(given, jobs=1)
    assert done.finished and all(one.generation < 30 for one in done.progress())
    before = snapshot(done.folder)
    assert study(given, jobs=1).finished
    assert snapshot(done.folder) == before


def test_a_run_that_went_on_where_the_plan_would_have_ended_it_is_refused() -> None:
    given = plan(settings={"a": SETTINGS["cma"]}, seeds="6", common={"generations": 9})
    done = study(given, jobs=1)
    bests = [line["validation"]["generation"] for line in done.run("a", 6).lines]
    rests = [number - best for number, best in enumerate(bests, start=1)]
    # Its last generations found better weights, after some that did not.
    most = max(rests)
    assert rests[-1] <= rests[-2] < most
    for patience, fine in ((most + 1, True), (most, False)):
        changed = {**given, "common": {"generations": 9, "stop": {"patience": patience}}}
        if fine:
            assert study(changed, jobs=1).finished
        else:
            with pytest.raises(StudyError, match=r"beyond the end .*no better weights in"):
                study(changed, jobs=1)


def test_what_a_plan_adds_reaches_runs_that_are_finished(done: Study) -> None:
    job = {**plan()["jobs"]["small"], "exports": {"more": {"search": "think", "nodes": 77}}}
    with pytest.warns(RunWarning, match="began without individuals = true have no record"):
        more = study(plan(jobs={"small": job}, common={"individuals": True}), jobs=1)
    for run in more.runs:
        assert (run.folder / "weights" / "more.json").exists() and run.job.exports
    assert more.finished


class Faulty(EasyFirst):
    name = "faulty"

    def ask(self, moment: Any, solvers: int) -> Any:
        raise ZeroDivisionError("of mine")


@pytest.mark.parametrize("jobs", [1, 2])
def test_one_setting_that_fails_keeps_no_other_from_its_runs(jobs: int) -> None:
    settings = {"bad": {"scheme": "faulty"}, "fresh": SETTINGS["fresh"]}
    with pytest.raises(StudyError) as error:
        study(plan(settings=settings), jobs=jobs, parts={"scheme": Faulty})
    told = str(error.value).splitlines()
    assert told[0] == "2 runs of out/rates failed, the others are made"
    assert told[1].startswith("bad, seed 1: ZeroDivisionError: of mine (")
    found = load_study("out/rates")
    assert [one.finished for one in found.progress()] == [False, True] * 2


def test_the_run_of_another_plan_is_left_as_it_is(done: Study) -> None:
    # As if another process had made it by another plan after this one began.
    folder = done.run_folder("fresh", 1)
    before = snapshot(folder)
    with pytest.raises(StudyError, match="holds a run of another job"):
        _finish(folder, done.job_of("coevolution", 1), ONE)
    with pytest.raises(StudyError, match="it has 2 generations, the plan 1"):
        _finish(folder, replace(done.job_of("fresh", 1), generations=1), ONE)
    assert {name: one for name, one in snapshot(folder).items() if name != "lock"} == {
        name: one for name, one in before.items() if name != "lock"
    }


def test_a_study_is_no_run(command: Command, done: Study) -> None:
    before = snapshot(done.folder)
    told = "holds a study, not a run", "gafreecell study "
    refused(command("resume", done.folder), *told)
    refused(command("export", done.folder, "-o", "x.json"), *told)
    job = written(Path("job.toml"), as_toml(job_table()))
    refused(command("evolve", job, "--out", done.folder), *told)
    assert snapshot(done.folder) == before


def test_the_logs_of_a_study_are_one_data_frame() -> None:
    given = plan(settings={}, sweep={"solvers.elite": [1, 2]})
    frame = study(given, jobs=1).to_pandas()
    assert frame.index.names == ["arm", "seed", "generation"]
    assert len(frame) == 2 * 2 * 2
    assert frame["solvers.elite"].tolist() == [1] * 4 + [2] * 4
    one = load(Path("out/rates/solvers.elite-2-s1")).to_pandas()
    rows = frame.loc["solvers.elite=2", 1]
    assert rows["solvers_best"].tolist() == one["solvers_best"].tolist()
    assert {*one.columns} < {*frame.columns}
    empty = Study(Path("none"), make_plan(given))
    assert empty.to_pandas().empty


TEST = {"deals": "201-230", "nodes": 5000, "submit": "last"}
MEASURED = "30 deals (201-230), search think up to 5,000 nodes a deal"


def test_compare_takes_a_study_its_arms_and_its_test(command: Command, done: Study) -> None:
    (done.folder / "study.toml").write_text(make_plan(plan(test=TEST)).text)
    found = gafreecell.compare(done.folder)
    assert [group.name for group in found.groups] == [*SETTINGS]
    assert [group.seeds for group in found.groups] == [(1, 2)] * 3
    assert (found.deals, found.count, found.nodes) == (("201-230",), 30, 5000)
    assert found.submit == "last"
    assert gafreecell.compare(load_study(done.folder)).measured == found.measured
    other = gafreecell.compare(done.folder, "231-240", 9000, "champion")
    assert (other.count, other.nodes, other.submit) == (10, 9000, "champion")
    # Among others it stands for its runs.
    many = gafreecell.compare([done.folder, *done.runs[:0]], "201-230", 5000, "last")
    assert many.measured == found.measured
    printed = command("compare", done.folder)
    assert printed.status == 0 and str(found) in printed.out
    assert command("plot", done.folder, "--kind", "ranks", "-o", "a.svg").status == 0
    assert command("plot", done.folder, "-o", "a.svg").status == 0
    assert MEASURED in Path("a.svg").read_text()
    assert command("show", done.folder).status == 0
    empty = Study(Path("none"), done.plan)
    with pytest.raises(BaseException, match="no run has done a generation yet"):
        gafreecell.compare(empty)


def test_runs_that_a_plan_lacks_are_told_wherever_others_are_compared(
    command: Command, done: Study
) -> None:
    for arm, seed in (("fresh", 2), ("cma", 1), ("cma", 2)):
        shutil.rmtree(done.run_folder(arm, seed))
    longer = plan(jobs={"small": job_table(**{**SMALL, "generations": 3})}, test=TEST)
    (done.folder / "study.toml").write_text(make_plan(longer).text)
    gap = (
        "3 of the 6 runs in the plan of out/rates are missing, because no generation is done: "
        "fresh (seeds: 2), cma (seeds: all)"
    )
    cut = "3 of 3 runs are not finished: "
    found = gafreecell.compare(done.folder, "201-210")
    assert found.cautions[1] == gap and found.cautions[2].startswith(cut)
    assert gap in found.table("groups").caption
    # Among others it lacks the same.
    both = gafreecell.compare([done.folder, done.run("fresh", 1)][:1] * 1, "201-210")
    assert both.cautions == found.cautions
    csv = command("compare", done.folder, "--deals", "201-210", "--format", "csv")
    assert f"gafreecell: {gap}" in csv.err
    for kind in ("weights", "front", "importance", "interactions", "lineage", "cactus", "phases"):
        ran = command("plot", done.folder, "--kind", kind, "-o", "a.svg")
        run = done.run_folder("fresh", 1)
        refused(ran, f"the figure {kind} draws runs: name one in it, such as {run}")
    for kind in ("progress", "fitness"):
        words = ("plot", done.folder, "--kind", kind, "--deals", "201-210", "-o", "a.svg")
        assert command(*words).status == 0
        picture = Path("a.svg").read_text()
        assert gap[:50] in picture and cut in picture, kind
    assert command("report", done.folder, "-o", "a.html").status == 0
    page = Path("a.html").read_text()
    assert f"{gap}." in page
    assert MEASURED in page and "30 deals (201-230), at most 5,000 nodes a deal." in page
    assert "submits what stood for the last generations" in page


def test_the_command_says_how_far_the_study_is(command: Command, file: Path) -> None:
    ran = command("study", file, "--seeds", "1-2", "--out", "here", "--jobs", "1")
    assert ran.status == 0
    assert ran.out.startswith("here: 6 of 6 runs finished\n")
    rows = rows_of(ran.out)
    assert [row[:4] for row in rows[2:]] == [[name, "2 of 2", "0", "6"] for name in SETTINGS]
    assert "go on:" not in ran.out and "compare: gafreecell compare here" in ran.out
    assert "with 2 seeds no pair of arms can differ at 5 %: 3 pairs need 7 seeds" in ran.out
    assert command("study", "here").out == ran.out
    # An option extends the study's own plan.
    more = command("study", "here", "--seeds", "1-3", "--jobs", "1")
    assert more.out.startswith("here: 9 of 9 runs finished\n")
    assert load_study("here").plan.seeds == "1-3"
    # Half done, it says what is left.
    written(Path("here/study.toml"), load_study("here").plan.text.replace('"1-3"', '"1-6"'))
    shown = command("show", "here")
    assert shown.status == 0 and shown.out.startswith("here: 9 of 18 runs finished\n")
    assert "27 generations to do, which will take about" in shown.out
    assert "go on:   gafreecell study here" in shown.out
    written(Path("here/study.toml"), load_study("here").plan.text.replace('"1-6"', '"1-7"'))
    assert "can differ" not in command("show", "here").out


def test_warnings_name_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    given = plan(common={"trained": {"nodes": 1}}, seeds="1", settings={"a": {}})
    with pytest.warns(RunWarning, match=r"out/rates/a-s1: no solver of the run solved"):
        study(given, jobs=1)


def test_parts_of_ones_own_reach_the_processes() -> None:
    given = plan(settings={"own": {"scheme": EasyFirst.name}, "fresh": SETTINGS["fresh"]})
    done = study(given, jobs=2, parts={"scheme": EasyFirst})
    assert done.finished
    assert done.run("own", 1).job.scheme == EasyFirst.name
    with pytest.raises(StudyError, match="no kind of parts 'schema'"):
        study(given, parts={"schema": EasyFirst})


# Killed, interrupted, shared


def finished(folder: Path) -> int:
    return sum(
        generations_of(path.parent) == BRIEF["generations"] for path in folder.glob("*/state.json")
    )


@pytest.fixture
def whole(kept: Path) -> Callable[[Path], Study]:
    """The study of a file, made in this process without an interruption."""

    def made(file: Path) -> Study:
        given = read_plan(file)
        return study(given, kept / f"seeds-{given.seeds}", jobs=1)

    return made


def alike(one: Study, other: Study) -> None:
    for a, b in zip(one.progress(), other.progress(), strict=True):
        same(a.folder, b.folder)
        assert names_of(a.folder) == names_of(b.folder)
    assert (one.folder / "study.toml").read_bytes() == (other.folder / "study.toml").read_bytes()


@pytest.mark.parametrize("times", [2, pytest.param(10, marks=pytest.mark.long)])
def test_killed_again_and_again_with_other_numbers_of_workers_it_is_the_same(
    times: int, file: Path, tmp_path: Path, whole: Callable[[Path], Study]
) -> None:
    if times > 2:
        file.write_text(file.read_text().replace('"1-2"', '"1-5"'))
    folder = tmp_path / "killed"
    rng = np.random.default_rng(times)
    count = 0
    for number in range(times):
        before = len([*folder.glob("*/log.jsonl")])
        words = ["study", file, "--out", folder, "--jobs", 1 + number % 3]
        process = start(*words, env={"TOY_PAUSE": "0.02"})
        while len([*folder.glob("*/log.jsonl")]) <= before:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        time.sleep(float(rng.uniform(0, 1)))
        count += process.poll() is None
        with_children = psutil.Process(process.pid).children(True) if process.poll() is None else []
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        psutil.wait_procs(with_children, 10)
    assert count == times and len([*folder.glob("*/log.jsonl")]) > 0
    last = study(folder, jobs=1)
    assert last.finished
    alike(last, whole(file))


def test_ctrl_c_has_all_runs_save_what_they_have(
    file: Path, tmp_path: Path, whole: Callable[[Path], Study]
) -> None:
    folder = tmp_path / "s"
    process = start("study", file, "--out", folder, "--jobs", 2, env={"TOY_PAUSE": "0.03"})
    # Both runs are within a generation, with some of its outcomes.
    wait_for(lambda: sum(log.stat().st_size > 0 for log in folder.glob("*/log.jsonl")) >= 2)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert f"gafreecell: stopped; what was done is saved\n  go on: gafreecell study {folder}" in err
    assert "Traceback" not in err
    # The outcomes of generations that were cut short are kept.
    assert [*folder.glob("*/unfinished*")]
    assert not [*folder.glob("*/stop-request*")]
    alike(study(folder, jobs=1), whole(file))


def test_runs_at_which_others_work_are_left_alone(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s"
    process = start("study", file, "--out", folder, "--jobs", 1, env={"TOY_PAUSE": "0.05"})
    wait_for(lambda: bool([*folder.glob("*/log.jsonl")]))
    # Another plan waits until the other process has ended.
    kept = (folder / "study.toml").read_bytes()
    with pytest.raises(StudyError, match=r"another process works on 1 run of .* by its present"):
        study(replace(load_study(folder).plan, seeds="1-3"), folder, jobs=1)
    assert (folder / "study.toml").read_bytes() == kept
    # Whoever stops does not stop them.
    found = load_study(folder)
    at_work = _AtWork(found, found.progress())
    # This one was handed out here and waits for the lock.
    place = found.places[0]
    assert [*at_work.handed_out([place])] == [place] and is_running(found.run_folder(*place))
    monkeypatch.setattr("gafreecell.runs.study.STOP_SECONDS", 1.0)
    at_work.set()
    assert is_running(found.run_folder(*place)) and not [*folder.glob("*/stop-request*")]
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def test_several_processes_share_a_study(
    file: Path, tmp_path: Path, whole: Callable[[Path], Study]
) -> None:
    folder = tmp_path / "s"
    process = start("study", file, "--out", folder, "--jobs", 1, env={"TOY_PAUSE": "0.01"})
    wait_for(lambda: bool([*folder.glob("*/log.jsonl")]))
    # Whoever finds the last runs at work elsewhere says so and ends.
    here = study(folder, jobs=1).finished
    ended = process.communicate(timeout=120)
    assert process.returncode in (0, 1) and (here or process.returncode == 0), ended
    assert finished(folder) == 6
    alike(load_study(folder), whole(file))
    # Each run was begun once, by one of them, and both began some.
    begun = [records(run.folder) for run in load_study(folder).runs]
    assert [len(commands) for commands in begun] == [1] * 6
    assert len({str(one["command"]) for (one,) in begun}) == 2


@pytest.mark.long
def test_over_dask_with_a_worker_killed_it_is_the_same(
    file: Path, tmp_path: Path, cluster: Cluster, whole: Callable[[Path], Study]
) -> None:
    address = cluster(3, TOY_PAUSE="0.01")
    folder = tmp_path / "s"
    words = ["study", file, "--out", folder, "--jobs", 3, "--scheduler", address]
    process = start(*words)
    wait_for(lambda: finished(folder) >= 2, 120)
    command = {one: {*(one.cmdline() or [""])} for one in psutil.Process().children(True)}
    workers = [one for one, words in command.items() if {"worker", address} <= words]
    workers[0].kill()
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    alike(load_study(folder), whole(file))


def test_a_scheduler_that_is_not_there_is_named(command: Command, file: Path) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    ran = command("study", file, "--scheduler", address, "--jobs", 1, "--wait", 1)
    assert ran.status == 2 and f"no dask scheduler at {address}" in ran.err
