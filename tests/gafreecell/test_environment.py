"""The record of what made a run: versions, machine, command, and the sources of own parts."""

from __future__ import annotations

import importlib
import linecache
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy
import pytest
from conftest import Command, as_toml, job_table
from run_folders import ONE, put_state, state_of

import gafreecell
from gafreecell.installed.sources import digest_of
from gafreecell.pages.learnt import stories
from gafreecell.runs.environment import ENVIRONMENT, command_of, records
from gafreecell.runs.folder import RunError
from gafreecell.runs.run import NothingSolvedWarning

pytestmark = pytest.mark.usefixtures("toy")
SCHEME = """
import gafreecell
from gafreecell.solving.parameters import Parameter

FIRST = {first}

def offset(number):
    return FIRST + number

class Base(gafreecell.Scheme):
    def ask(self, moment, solvers):
        pool = self.setting.pool[offset(moment.generation):]
        return [gafreecell.Encounter(tuple(pool[: self.values["deals"]]))] * solvers

class Next(Base):
    name = "next"
    parameters = (Parameter("deals", {deals}, "deals of a generation", 1, 50),)
"""
Write = Callable[..., Any]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes the module of a scheme and imports it anew; returns the scheme."""
    monkeypatch.syspath_prepend(str(tmp_path))
    # Files of one second and one size are the same to Python's caches.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def written(first: int = 2, deals: int = 4, text: str = SCHEME) -> Any:
        (tmp_path / "mine.py").write_text(text.format(first=first, deals=deals))
        sys.modules.pop("mine", None)
        importlib.invalidate_caches()
        linecache.clearcache()
        return importlib.import_module("mine").Next

    yield written
    sys.modules.pop("mine", None)


def evolved(scheme: Any, folder: Path, **changes: Any) -> gafreecell.Run:
    return gafreecell.evolve(job_table(**{"generations": 2, **changes}), folder, ONE, scheme=scheme)


def test_each_process_leaves_a_line_with_what_it_ran_on(tmp_path: Path) -> None:
    run = gafreecell.evolve(job_table(generations=2), tmp_path / "r", ONE)
    gafreecell.resume(run.folder, 3, ONE)
    first, second = records(run.folder)
    assert [first["generation"], second["generation"]] == [0, 2]
    assert first["python"] == platform.python_version() and first["command"] == sys.argv
    for module in (numpy, numba):
        assert first["libraries"][module.__name__] == module.__version__
    assert first["time"].endswith("+00:00") and first["processor"]
    assert {kind: part["from"] for kind, part in first["parts"].items()} == {"game": "toy_game:Toy"}
    # A finished run that is only looked at gets none.
    gafreecell.resume(run.folder, 3, ONE)
    assert len(records(run.folder)) == 2


def test_a_part_whose_sources_have_changed_is_refused(tmp_path: Path, write: Write) -> None:
    run = evolved(write(), tmp_path / "r")
    assert gafreecell.resume(run.folder, 3, ONE, scheme=write()).generation == 3
    changed = write(first=3)
    with pytest.raises(RunError, match="made with another scheme 'next', whose sources had the"):
        gafreecell.resume(run.folder, 4, ONE, scheme=changed)
    assert gafreecell.resume(run.folder, 4, ONE, force=True, scheme=changed).generation == 4
    # From now on this one belongs to the run.
    assert gafreecell.resume(run.folder, 5, ONE, scheme=changed).generation == 5
    with pytest.raises(RunError, match="another scheme"):
        gafreecell.resume(run.folder, 6, ONE, scheme=write())


def test_all_that_a_part_rests_on_is_hashed(tmp_path: Path, write: Write) -> None:
    kept = digest_of(write())
    assert digest_of(write()) == kept
    others = {
        digest_of(write(first=3)),
        digest_of(write(deals=5)),
        digest_of(write(text=SCHEME.replace("FIRST + number", "FIRST - number"))),
        digest_of(write(text=SCHEME.replace("tuple(pool[:", "tuple(pool[1:"))),
    }
    assert len(others) == 4 and kept not in others
    assert digest_of(write(text=f"{SCHEME}\nUNUSED = 3\n")) == kept
    for change in ("first", "second"):
        text = SCHEME.replace("import gafreecell\n", "import gafreecell, helping\n", 1)
        (tmp_path / "helping.py").write_text(f"{change} = 1\n")
        others.add(digest_of(write(text=text.replace("+ number", "+ helping.__name__.count('x')"))))
    assert len(others) == 6
    typed: dict[str, Any] = {"__name__": "__main__"}
    exec("def made(one):\n    return one", typed)
    assert digest_of(typed["made"]) == "", "there is no source"


@pytest.mark.parametrize(
    ("top", "body"),
    [
        ("from helping import START", "return START + number"),
        ("import helping", "return helping.START + number"),
        ("from helping import *", "return START + number"),
        ("", "from helping import START; return START + number"),
    ],
)
def test_modules_that_a_part_imports_are_hashed_with_what_they_import(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch, top: str, body: str
) -> None:
    text = top + SCHEME.replace("return FIRST + number", body)
    installed = tmp_path / "site-packages"
    installed.mkdir()
    monkeypatch.syspath_prepend(str(installed))
    for name in ("helping", "further", "others"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / "helping.py").write_text("import others\nfrom further import START\n")

    def scheme(start: int = 2, other: int = 0) -> Any:
        (tmp_path / "further.py").write_text(f"START = {start}\n")
        (installed / "others.py").write_text(f"OTHER = {other}\n")
        return write(text=text)

    run = evolved(scheme(), tmp_path / "r")
    assert gafreecell.resume(run.folder, 3, ONE, scheme=scheme(other=1)).generation == 3
    with pytest.raises(RunError, match="made with another scheme 'next', whose sources had the"):
        gafreecell.resume(run.folder, 4, ONE, scheme=scheme(start=3))
    assert gafreecell.resume(run.folder, 4, ONE, scheme=scheme()).generation == 4


def test_a_study_refuses_further_seeds_if_a_part_or_the_engine_has_changed(
    tmp_path: Path, write: Write
) -> None:
    jobs = {"small": job_table(generations=1)}
    settings = {"own": {"scheme": "next"}, "fresh": {"scheme": "resampled"}}
    plan = {"name": "s", "jobs": jobs, "seeds": "1", "settings": settings}

    def study(scheme: Any, **changes: Any) -> gafreecell.Study:
        return gafreecell.study({**plan, **changes}, tmp_path / "s", 1, parts={"scheme": scheme})

    done = study(write())
    kept = (tmp_path / "s" / "study.toml").read_bytes()
    # What is finished is left alone.
    assert study(write(first=3)).finished
    changed = r"own-s1 was made with another scheme 'next'.*further runs of 'own' would differ"
    with pytest.raises(gafreecell.BadInput, match=changed):
        study(write(first=3), seeds="1-2")
    assert (tmp_path / "s" / "study.toml").read_bytes() == kept
    assert study(write(), seeds="1-2").finished
    state = state_of(done.run_folder("fresh", 2))
    put_state(done.run_folder("fresh", 2), {**state, "engine": "other"})
    with pytest.raises(gafreecell.BadInput, match=r"fresh-s2 was made by engine other.*'fresh'"):
        study(write(), seeds="1-3")


def test_the_hash_is_the_same_in_every_process(tmp_path: Path, write: Write) -> None:
    text = SCHEME.replace(
        "FIRST = {first}", "FIRST = {first}\nRED = {{'red': {{'D', 'H'}}}}\nSEEN = {{}}"
    )
    scheme = write(
        text=text.replace(
            "    def ask", "    def red(self):\n        return RED, SEEN\n\n    def ask"
        )
    )
    here = digest_of(scheme)
    importlib.import_module("mine").SEEN["x"] = object()
    assert digest_of(scheme) == here
    program = "import mine, gafreecell.installed.sources as s; print(s.digest_of(mine.Next))"
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        assert done.stdout.strip() == here


def test_the_job_keeps_the_defaults_of_own_parts(tmp_path: Path, write: Write) -> None:
    run = evolved(write(), tmp_path / "r")
    assert "next = {deals = 4}" in (run.folder / "job.toml").read_text()
    # A later version has another default: the run keeps its own.
    run = gafreecell.resume(run.folder, 3, ONE, force=True, scheme=write(deals=5))
    assert len({line["evaluations"] for line in run.lines}) == 1


def test_the_report_has_a_command_that_works_for_own_parts(tmp_path: Path, write: Write) -> None:
    job = {
        "name": "k",
        "generations": 1,
        "trained": {"search": "best-first", "nodes": 200},
        "solvers": {"population": 2},
        "fitness": {"measure": "log-nodes"},
        "deals": {"train": "1-30", "validation": "41-42"},
    }
    run = gafreecell.evolve(job, tmp_path / "r", ONE, scheme=write(deals=1))
    out = tmp_path / "again"
    command = command_of(run.folder, str(out))
    _, (story,) = stories({"r": run})
    for text in (command, story.command):
        assert text.startswith("python -c") and "scheme=mine.Next" in text
    done = subprocess.run(
        ["sh", "-c", command.replace("python", sys.executable, 1)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    logs = [gafreecell.load(folder).lines for folder in (run.folder, out)]
    first, again = ([{**line, "machine": None} for line in lines] for lines in logs)
    assert first == again


@pytest.mark.parametrize("line", ["{no", "5", "[]", "{}", '{"parts": []}'])
def test_a_damaged_record_is_named(tmp_path: Path, line: str) -> None:
    run = gafreecell.evolve(job_table(generations=1), tmp_path / "r", ONE)
    with (run.folder / ENVIRONMENT).open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(RunError, match=r"environment\.jsonl, line 2: expected what made the run"):
        gafreecell.resume(run.folder, 2, ONE)


def test_half_a_line_and_a_file_of_another_run_go(tmp_path: Path) -> None:
    run = gafreecell.evolve(job_table(generations=1), tmp_path / "r", ONE)
    file = run.folder / ENVIRONMENT
    whole = file.read_text()
    file.write_text(f'{whole}{{"time')
    gafreecell.resume(run.folder, 2, ONE)
    assert [one["generation"] for one in records(run.folder)] == [0, 1]
    other = tmp_path / "other"
    other.mkdir()
    (other / ENVIRONMENT).write_text(whole)
    assert len(records(gafreecell.evolve(job_table(generations=1), other, ONE).folder)) == 1


def test_a_run_that_solves_nothing_says_so(tmp_path: Path, command: Command) -> None:
    job = tmp_path / "job.toml"
    job.write_text(
        as_toml(job_table(generations=1, trained={"nodes": 1}, fitness={"measure": "log-nodes"}))
    )
    for words in (("evolve", job, "--out", tmp_path / "r"), ("resume", tmp_path / "r")):
        assert command(*words).status == 1
    said = "no solver of the run solved a validation deal, so its weights say nothing"
    for words in (("resume",), ("show",), ("export", "-o", tmp_path / "mine.json")):
        done = command(words[0], tmp_path / "r", *words[1:])
        assert f"gafreecell: {tmp_path / 'r'}: {said}" in done.err
    with pytest.warns(NothingSolvedWarning, match="no solver of the run solved a validation deal"):
        gafreecell.resume(tmp_path / "r", 2, ONE)
