"""Run folders that are not what they should be: refused in a sentence, and left as they are."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Command, job_table, refused
from handed_in import EasyFirst, HillClimb, Share
from run_folders import ONE, put_state, same, snapshot, state_of, write_job

from gafreecell.evolution.job import JobError
from gafreecell.evolution.trainers.genetic import Genetic
from gafreecell.installed import plugins
from gafreecell.runs.folder import RunError
from gafreecell.runs.run import evolve, load, resume

# Folders that are not what they should be


def test_a_folder_with_a_run_is_not_overwritten(
    whole: Path, tmp_path: Path, command: Command
) -> None:
    before = snapshot(whole)
    done = command("evolve", tmp_path / "a.toml", "--out", whole)
    refused(done, f"gafreecell resume {whole}")
    assert snapshot(whole) == before


def test_an_empty_folder_is_used_and_a_strangers_files_stay(
    whole: Path, tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "diary.txt").write_text("dear diary")
    (folder / "log.jsonl").write_text("my own log")
    (folder / "weights").mkdir()
    (folder / "weights" / "mine.json").write_text("{}")
    assert command("evolve", tmp_path / "a.toml", "--out", folder, "--jobs", 1).status == 0
    same(whole, folder)
    kept = [content for content, _ in snapshot(folder).values()]
    for content in (b"dear diary", b"my own log", b"{}"):
        assert content in kept


def test_a_job_inside_the_run_folder_is_kept(whole: Path, tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    shutil.copy(tmp_path / "a.toml", folder / "job.toml")
    (folder / "job.toml.before").write_text("an older one")
    original = (folder / "job.toml").read_bytes()
    assert command("evolve", folder / "job.toml", "--out", folder, "--jobs", 1).status == 0
    kept = [content for content, _ in snapshot(folder).values()]
    assert original in kept
    assert b"an older one" in kept


FOREIGN = ['{"name": "another program"}', "[]", "null", "5", '"text"', '{"format": {"name": "x"}}']


@pytest.mark.parametrize("content", FOREIGN)
def test_a_foreign_folder_is_refused_and_left_alone(
    toy: Any, tmp_path: Path, command: Command, content: str
) -> None:
    folder = tmp_path / "foreign"
    folder.mkdir()
    (folder / "state.json").write_text(content)
    (folder / "job.toml").write_text("theirs = true")
    before = snapshot(folder)
    job = write_job(tmp_path)
    for words in (
        ["evolve", job, "--out", folder],
        ["resume", folder],
        ["show", folder],
        ["export", folder, "-o", tmp_path / "w.json"],
        ["plot", folder, "-o", tmp_path / "f.png"],
    ):
        refused(command(*words), str(folder))
        left = snapshot(folder)
        left.pop("lock", None)
        assert left == before
    assert not (tmp_path / "w.json").exists()


def test_folders_that_hold_no_run(tmp_path: Path, command: Command) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    for name in ("absent", "file", "empty"):
        for words in (["resume"], ["show"], ["export", "-o", tmp_path / "w.json"]):
            done = command(words[0], tmp_path / name, *words[1:])
            refused(done, name)
            assert len(done.lines) == 1
    assert list((tmp_path / "empty").iterdir()) == []
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("out", ["file", "file/below", "/proc/gafreecell-run"])
def test_folders_that_cannot_be_written(
    toy: Any, tmp_path: Path, command: Command, out: str
) -> None:
    (tmp_path / "file").write_text("precious")
    refused(command("evolve", write_job(tmp_path), "--out", tmp_path / out), str(tmp_path / out))
    assert (tmp_path / "file").read_text() == "precious"


@pytest.mark.parametrize("out", [".", "file/w.json"])
def test_export_says_where_it_cannot_write(
    whole: Path, tmp_path: Path, command: Command, out: str
) -> None:
    (tmp_path / "file").write_text("precious")
    done = command("export", whole, "-o", tmp_path / out)
    refused(done)
    assert len(done.lines) == 1
    assert f"{tmp_path / out}" in done.err.replace("'", ""), "it names the file that was asked for"
    assert ".w.json." not in done.err, "and no temporary one"


def test_nothing_to_export_or_draw_before_the_first_generation(
    toy: Any, tmp_path: Path, command: Command
) -> None:
    class Stop:
        def on_phase(self, name: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(write_job(tmp_path), tmp_path / "r", ONE, [Stop()])
    assert "0 of 6 generations" in command("show", tmp_path / "r").out
    for words in (["export", "-o", tmp_path / "x"], ["plot", "-o", tmp_path / "x.png"]):
        refused(command(words[0], tmp_path / "r", *words[1:]), "no generation is done")
    assert not list(tmp_path.glob("x*"))


class Full:
    """A disk that has room for some writes."""

    def __init__(self, room: int) -> None:
        self.room, self.sync = room, os.fsync

    def __call__(self, file: int) -> None:
        self.room -= 1
        if self.room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.sync(file)


@pytest.mark.parametrize("room", [1, 20])
def test_a_full_disk_is_told_with_the_file_the_run_and_the_remedy(
    room: int, whole: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, folder = tmp_path / "a.toml", tmp_path / "full"
    words = ["evolve", job, "--out", folder]
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", Full(room))
        done = command(*words, "--jobs", 1)
        refused(done, f"cannot write {folder}/", "No space left on device: free some space")
        begun = (folder / "state.json").exists()
        words = ["resume", folder] if begun else words
        assert begun == (room == 20)
        assert " ".join(map(str, words[:2])) in done.err if begun else "begin the run" in done.err
        full.setattr(os, "fsync", Full(1))
        with pytest.raises(RunError, match=f"cannot write {folder}/.*: No space left on device"):
            resume(folder, workers=ONE) if begun else evolve(job, folder, ONE)
    assert command(*words, "--jobs", 1).status == 0
    same(whole, folder)


# Damage


def damaged(folder: Path, command: Command) -> str:
    """What ``resume`` says of a damaged run, once it was seen to change nothing."""
    before = snapshot(folder)
    for words in (["show", folder], ["resume", folder, "--jobs", 1]):
        done = command(*words)
        refused(done, str(folder))
    assert snapshot(folder) == before
    return done.err


def test_a_truncated_state_is_refused_wherever_it_ends(broken: Path, command: Command) -> None:
    state = (broken / "state.json").read_bytes()
    for size in (0, 1, 20, len(state) // 3, len(state) // 2, len(state) - 3):
        (broken / "state.json").write_bytes(state[:size])
        assert "state.json" in damaged(broken, command)


def test_a_truncated_job_is_refused(broken: Path, command: Command) -> None:
    job = (broken / "job.toml").read_bytes()
    for size in (0, 5, len(job) // 3):
        (broken / "job.toml").write_bytes(job[:size])
        assert "job.toml" in damaged(broken, command)
    (broken / "job.toml").unlink()
    assert "job.toml" in damaged(broken, command)


@pytest.mark.parametrize("name", ["state.json", "job.toml", "log.jsonl"])
def test_files_that_are_no_text_are_refused_by_name(
    broken: Path, command: Command, name: str
) -> None:
    (broken / name).write_bytes(b"\xff\xfe\x80" + (broken / name).read_bytes())
    assert name in damaged(broken, command)


@pytest.mark.parametrize(
    "key", ["format", "job", "generation", "trainer", "scheme", "champion", "logs"]
)
def test_a_state_without_one_of_its_keys_is_refused(
    broken: Path, command: Command, key: str
) -> None:
    state = state_of(broken)
    del state[key]
    put_state(broken, state)
    assert "state.json" in damaged(broken, command)


WRONG_STATES: dict[str, dict[str, Any]] = {
    "version": {"format": {"name": "gafreecell-run", "version": 99}},
    "version-earlier": {"format": {"name": "gafreecell-run", "version": 1}},
    "generation-text": {"generation": "many"},
    "generation-null": {"generation": None},
    "generation-negative": {"generation": -1},
    "version-text": {"format": {"name": "gafreecell-run", "version": "2"}},
    "version-true": {"format": {"name": "gafreecell-run", "version": True}},
    "trainer-number": {"trainer": 5},
    "solvers-empty": {"trainer": {"solvers": []}},
    "solvers-number": {"trainer": {"solvers": 5}},
    "solvers-few": {"trainer": {"solvers": [[0.5, 0.5, 0.5]]}},
    "solvers-short": {"trainer": {"solvers": [[0.5, 0.5]] * 8}},
    "solvers-text": {"trainer": {"solvers": [["a", "b", "c"]] * 8}},
    "problems-empty": {"scheme": {"sets": []}},
    "problems-numbers": {"scheme": {"sets": [1, 2]}},
    "problems-bare": {"scheme": {"sets": [{}]}},
    "champion-bare": {"champion": {}},
    "champion-text": {"champion": "none"},
    "champion-short": {"champion": {"generation": 1, "weights": [1.0], "value": 1, "solved": 1,
                                    "nodes": 1.0}},
}  # fmt: skip


@pytest.mark.parametrize("changes", WRONG_STATES.values(), ids=WRONG_STATES)
def test_a_state_that_does_not_fit_its_job_is_refused(
    broken: Path, command: Command, changes: dict[str, Any]
) -> None:
    put_state(broken, {**state_of(broken), **changes})
    assert "state.json" in damaged(broken, command)


@pytest.mark.parametrize("gone", [HillClimb, EasyFirst, Share])
def test_the_parts_that_are_here_check_the_state(toy: Any, tmp_path: Path, gone: Any) -> None:
    kind = gone.__base__.__name__.lower()
    folder = Path(evolve(job_table(generations=2), tmp_path / "r", ONE, **{kind: gone}).folder)
    plugins._handed.clear()
    assert load(folder).generation == 2
    state = state_of(folder)
    for key in {"trainer", "scheme"} - {kind}:
        put_state(folder, {**state, key: {"strange": 1}})
        with pytest.raises(RunError, match=r"state\.json is damaged"):
            load(folder)


def test_what_a_part_that_is_here_refuses_is_told(toy: Any, tmp_path: Path) -> None:
    class Picky(HillClimb):
        name = "picky"

        def restore(self, state: Mapping[str, Any]) -> None:
            super().restore(state)
            if list(state) != ["solvers"]:
                raise plugins.PluginError("this is no state of mine")

    folder = Path(evolve(job_table(generations=2), tmp_path / "r", ONE, trainer=Picky).folder)
    state = state_of(folder)
    state["trainer"]["strange"] = 1
    put_state(folder, state)
    with pytest.raises(RunError, match=r"state\.json is damaged: this is no state of mine"):
        load(folder)


def test_a_job_that_was_changed_is_not_blamed_on_the_state(broken: Path, command: Command) -> None:
    job = broken / "job.toml"
    kept = job.read_text()
    job.write_text(kept.replace("growth = {}", "growth = {2 = 1}"))
    assert job.read_text() != kept
    said = damaged(broken, command)
    assert f"{job} was changed since the run began" in said
    assert "only generations, hall_of_fame, [stop] and [exports] may change" in said
    assert "state.json" not in said


def test_a_job_that_a_part_refuses_is_named(
    broken: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise JobError("solvers.elite must be 0")

    monkeypatch.setattr(Genetic, "restore", refuse)
    said = damaged(broken, command)
    assert f"{broken / 'job.toml'}: solvers.elite must be 0" in said
    assert "state.json" not in said


NESTED = 100_000 * "[" + "\n"
"""Python's reader of JSON refuses it by a RecursionError."""


def test_a_log_that_lost_lines_is_refused(broken: Path, command: Command) -> None:
    lines = (broken / "log.jsonl").read_text().splitlines(keepends=True)
    for text in ("", "".join(lines[:2]), "".join(lines[1:]), lines[0] + "{}\n" + lines[2], NESTED):
        (broken / "log.jsonl").write_text(text)
        assert "log.jsonl" in damaged(broken, command)
    (broken / "log.jsonl").unlink()
    assert "log.jsonl" in damaged(broken, command)


def test_a_last_newline_that_is_gone_loses_nothing(whole: Path) -> None:
    before = load(whole)
    for name in ("log.jsonl", "validation.jsonl"):
        (whole / name).write_bytes((whole / name).read_bytes()[:-1])
    assert load(whole) == before


def test_a_damaged_file_of_validation_values_is_refused(
    whole: Path, broken: Path, command: Command
) -> None:
    file = broken / "validation.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    for text in (
        lines[0] + "{}\n" + lines[2],
        lines[1] + lines[0],
        lines[0][1:] + lines[1],
        NESTED,
    ):
        file.write_text(text)
        assert "validation.jsonl" in damaged(broken, command)
    file.write_bytes(b"\xff\xfe\x80\n")
    assert "validation.jsonl" in damaged(broken, command)


def test_another_engine_version_is_refused_unless_forced(
    whole: Path, broken: Path, command: Command
) -> None:
    put_state(broken, state_of(broken) | {"engine": "toy-0"})
    before = snapshot(broken)
    refused(command("resume", broken, "--jobs", 1), "toy-0", "toy-1", "--force")
    assert snapshot(broken) == before
    assert command("show", broken).status == 0
    assert command("resume", broken, "--force", "--jobs", 1).status == 0
    same(whole, broken)


def test_a_run_of_a_game_that_is_gone_is_refused(
    broken: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [path for path in sys.path if "data/toy" not in path])
    refused(command("resume", broken), "there is no game 'toy'")


def test_a_moved_folder_resumes(whole: Path, broken: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere" / "renamed"
    moved.parent.mkdir()
    broken.rename(moved)
    resume(moved, workers=ONE)
    same(whole, moved)


JOB = ROOT / "runs" / "demo.toml"


@pytest.mark.parametrize("out", ["", "  ", "\t", "a\0b", "\ud800", b"r", 5])
def test_what_names_no_folder_is_refused(
    toy: Any, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch, out: Any
) -> None:
    """An empty name would be the present folder."""
    monkeypatch.chdir(tmp_path)
    if isinstance(out, str):
        refused(command("evolve", JOB, "--out", out), "a run folder must be a path")
        refused(command("demo", "--out", out), "a run folder must be a path")
    for use in (lambda: evolve(job_table(), out, ONE), lambda: resume(out), lambda: load(out)):
        with pytest.raises(RunError, match=r"a run folder must be a path, got .*name a folder"):
            use()
    assert not list(tmp_path.iterdir())
