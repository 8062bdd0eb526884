"""Run folders that are not what they should be: refused in a sentence, and left as they are."""

from __future__ import annotations

import errno
import os
import random
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
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
from gafreecell.runs.run import ResumeWarning, evolve, load, resume
from gafreecell.solving import checksums

pytestmark = pytest.mark.usefixtures("toy")

# Folders that are not what they should be


def test_a_folder_with_a_run_is_not_overwritten(
    whole: Path, tmp_path: Path, command: Command
) -> None:
    before = snapshot(whole)
    done = command("evolve", tmp_path / "a.toml", "--out", whole)
    refused(done, f"gafreecell resume {whole}")
    assert snapshot(whole) == before


def test_a_strangers_files_stay_and_a_job_inside_the_folder_is_kept(
    whole: Path, tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "mine"
    (folder / "weights").mkdir(parents=True)
    texts = {"diary.txt": "dear diary", "log.jsonl": "my own log", "weights/mine.json": "{}"}
    texts |= {"job.toml": (tmp_path / "a.toml").read_text(), "job.toml.before": "an older one"}
    for name, text in texts.items():
        (folder / name).write_text(text)
    assert command("evolve", folder / "job.toml", "--out", folder, "--jobs", 1).status == 0
    same(whole, folder)
    kept = {content.decode() for content, _ in snapshot(folder).values()}
    assert {*texts.values()} <= kept


FOREIGN = ['{"name": "another program"}', "[]", "null", "5", '"text"', '{"format": {"name": "x"}}']


@pytest.mark.parametrize("content", FOREIGN)
def test_a_foreign_folder_is_refused_and_left_alone(
    tmp_path: Path, command: Command, content: str
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
def test_folders_that_cannot_be_written(tmp_path: Path, command: Command, out: str) -> None:
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
    begun: Path, tmp_path: Path, command: Command
) -> None:
    assert "0 of 6 generations" in command("show", begun).out
    for words in (["export", "-o", tmp_path / "x"], ["plot", "-o", tmp_path / "x.png"]):
        refused(command(words[0], begun, *words[1:]), "no generation is done")
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
            resume(folder, jobs=ONE) if begun else evolve(job, folder, ONE)
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


NESTED = 100_000 * b"[" + b"\n"
"""Python's reader of JSON refuses it by a RecursionError."""


NO_TEXT = b"\xff\xfe\x80"


def spoilt(name: str, text: bytes) -> Iterator[bytes]:
    """The texts of a file of ``broken`` with damage of all kinds."""
    yield from (text[:1], text[: len(text) // 3], NO_TEXT + text, b"")
    if name.endswith(".jsonl"):
        one, two, three = text.splitlines(keepends=True)
        yield from (two + three, two + one, one + b"{}\n" + three, one[1:] + two, NESTED)
    else:
        yield from (text[:5], text[:20], text[: len(text) // 2], text[:-3])


@pytest.mark.parametrize("name", ["state.json", "job.toml", "log.jsonl", "validation.jsonl"])
def test_a_damaged_file_is_refused_by_name(broken: Path, command: Command, name: str) -> None:
    for text in spoilt(name, (broken / name).read_bytes()):
        (broken / name).write_bytes(text)
        assert name in damaged(broken, command), text[:80]
    (broken / name).unlink()
    # Without a state there is no run.
    assert (name if name != "state.json" else "holds no run") in damaged(broken, command)


def sets_of_problems(count: int, **changes: Any) -> dict[str, Any]:
    """A scheme's state of so many sets of three deals, with some keys changed."""
    tally = {"met": 1, "nodes": [1, 1, 1], "solved": [1, 1, 1]}
    return {
        "scheme": {
            "sets": [{"deals": [1, 2, 3], "hardness": 1.0, "tally": tally, **changes}] * count
        }
    }


KEYS = ("format", "job", "generation", "trainer", "scheme", "champion", "logs")
GONE: Any = object()
WRONG_STATES: dict[str, dict[str, Any]] = {
    **{f"{key}-gone": {key: GONE} for key in KEYS},
    "version": {"format": {"name": "gafreecell-run", "version": 99}},
    "version-earlier": {"format": {"name": "gafreecell-run", "version": 3}},
    "generation-text": {"generation": "many"},
    "generation-null": {"generation": None},
    "generation-negative": {"generation": -1},
    "version-text": {"format": {"name": "gafreecell-run", "version": "4"}},
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
    "problems-few": sets_of_problems(1),
    "problems-short": sets_of_problems(6, deals=[1, 2]),
    "problems-foreign": sets_of_problems(6, deals=[1, 2, 61]),
    "problems-named": sets_of_problems(6, deals=[1, 2, "3"]),
    "hardness-gone": sets_of_problems(6, hardness=None),
    "tally-short": sets_of_problems(6, tally={"met": 1, "nodes": [1, 1, 1], "solved": [1, 1]}),
    "champion-bare": {"champion": {}},
    "champion-text": {"champion": "none"},
    "champion-short": {"champion": {"generation": 1, "weights": [1.0], "value": 1, "solved": 1,
                                    "nodes": 1.0}},
}  # fmt: skip


def test_a_state_with_the_right_problems_is_not_refused(broken: Path) -> None:
    put_state(broken, {**state_of(broken), **sets_of_problems(6)})
    assert load(broken).generation == 3


@pytest.mark.parametrize("changes", WRONG_STATES.values(), ids=WRONG_STATES)
def test_a_state_that_does_not_fit_its_job_is_refused(
    broken: Path, command: Command, changes: dict[str, Any]
) -> None:
    state = {**state_of(broken), **changes}
    put_state(broken, {key: value for key, value in state.items() if value is not GONE})
    assert "state.json" in damaged(broken, command)


@pytest.mark.parametrize("gone", [HillClimb, EasyFirst, Share])
def test_the_parts_that_are_here_check_the_state(tmp_path: Path, gone: Any) -> None:
    kind = gone.__base__.__name__.lower()
    folder = Path(evolve(job_table(generations=2), tmp_path / "r", ONE, **{kind: gone}).folder)
    plugins._handed.clear()
    assert load(folder).generation == 2
    state = state_of(folder)
    for key in {"trainer", "scheme"} - {kind}:
        put_state(folder, {**state, key: {"strange": 1}})
        with pytest.raises(RunError, match=r"state\.json is damaged"):
            load(folder)


def test_what_a_part_that_is_here_refuses_is_told(tmp_path: Path) -> None:
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


def test_a_job_that_was_changed_is_refused_until_it_is_taken(
    broken: Path, command: Command
) -> None:
    job = broken / "job.toml"
    kept = job.read_text()
    for old, new in (
        ("growth = {}", "growth = {2 = 1}"),
        ("penalty = 1000000000", "penalty = 5"),
        ("gene_mutation = 0.1", "gene_mutation = 0.5"),
    ):
        job.write_text(kept.replace(old, new, 1))
        assert job.read_text() != kept
        said = damaged(broken, command)
        assert f"{job} was changed since the run began" in said
        assert "only generations, hall_of_fame, [stop] and [exports] may change" in said
        assert "--force" in said and "state.json" not in said
    with pytest.warns(ResumeWarning, match=r"job\.toml"):
        assert command("resume", broken, "--force", "--jobs", 1).status == 0
    assert load(broken).job.digest == state_of(broken)["job"]


def test_a_job_that_a_part_refuses_is_named(
    broken: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise JobError("solvers.elite must be 0")

    monkeypatch.setattr(Genetic, "restore", refuse)
    said = damaged(broken, command)
    assert f"{broken / 'job.toml'}: solvers.elite must be 0" in said
    assert "state.json" not in said


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
    resume(moved, jobs=ONE)
    same(whole, moved)


# Checksums

RESTED_ON = ("state.json", "validation.jsonl", "log.jsonl")
MAY_CHANGE = ("generations", "hall_of_fame", "stop", "exports")


def flipped(text: bytes, bit: int) -> bytes:
    """A text with one bit changed."""
    changed = bytearray(text)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def check_flips(folder: Path, name: str, flips: int) -> int:
    """A file with one bit changed is refused by name, or read as the same run.

    Returns:
        How many were refused.
    """
    file, before = folder / name, load(folder)
    text, refusals = file.read_bytes(), 0
    for bit in random.Random(name).sample(range(8 * len(text)), flips):
        file.write_bytes(flipped(text, bit))
        try:
            found = load(folder)
            if name == "job.toml":
                # These may be changed at any time, and no hash of the state covers them.
                free = {key: getattr(before.job, key) for key in MAY_CHANGE}
                found.job = replace(found.job, **free)
            assert found == before, f"bit {bit} of {name}"
        except RunError as error:
            assert str(file) in str(error), f"bit {bit} of {name}"
            refusals += 1
    file.write_bytes(text)
    return refusals


@pytest.mark.parametrize("flips", [20, pytest.param(200, marks=pytest.mark.long)])
def test_one_changed_bit_makes_no_other_run(broken: Path, flips: int) -> None:
    for name in RESTED_ON:
        # What is not refused means the same, as an exponent in capitals does.
        assert check_flips(broken, name, flips) > 0.8 * flips
    check_flips(broken, "job.toml", flips // 3)


@pytest.mark.parametrize(
    ("name", "key"),
    [*((name, "value") for name in RESTED_ON), ("log.jsonl", "evaluations")],
    ids=[*RESTED_ON, "what differs between machines"],
)
def test_changed_numbers_are_refused_until_they_are_taken(
    whole: Path, tmp_path: Path, command: Command, name: str, key: str
) -> None:
    folder = Path(shutil.copytree(whole, tmp_path / "changed"))
    file = folder / name
    text = file.read_text()
    # The last of "evaluations" is in the table of the machine.
    place = text.rindex(f'"{key}": ') + len(f'"{key}": ')
    file.write_text(text[:place] + ("2" if text[place] == "1" else "1") + text[place + 1 :])
    before = snapshot(folder)
    for words in (["show", folder], ["resume", folder], ["export", folder, "-o", "-"]):
        refused(command(*words), f"{file} does not match its checksum", "resume", "--force")
    with pytest.raises(RunError, match=name):
        load(folder)
    assert load(folder, force=True) != load(whole)
    assert snapshot(folder) == before, "nothing was changed"
    with pytest.warns(ResumeWarning, match=f"taken as they are: {name}"):
        assert command("resume", folder, "--force").status == 0
    assert command("show", folder).status == 0


def test_files_of_another_run_are_refused(whole: Path, broken: Path) -> None:
    """Each is whole in itself, and the generations fit."""
    for name in ("log.jsonl", "validation.jsonl"):
        kept = (broken / name).read_text()
        (broken / name).write_text(kept.replace('"generation": 3', '"generation": 4'))
        with pytest.raises(RunError, match=name):
            load(broken)
        (broken / name).write_text(kept)
    (broken / "validation.jsonl").unlink()
    with pytest.raises(RunError, match=r"validation\.jsonl"):
        load(broken)


def test_the_layout_of_files_means_nothing(whole: Path) -> None:
    before = load(whole)
    for name in ("log.jsonl", "validation.jsonl"):
        (whole / name).write_bytes((whole / name).read_bytes()[:-1])
    text = (whole / "state.json").read_text()
    (whole / "state.json").write_text(text.replace(", ", ",\n  "))
    assert load(whole) == before


def test_a_checksum_belongs_to_a_document() -> None:
    document: dict[str, Any] = {"a": [1, 2.5, None], "b": {"c": "d"}}
    kept = checksums.sealed(document)
    assert list(kept) == ["a", "b", "checksum"]
    assert checksums.sealed(kept) == kept
    assert checksums.matches(kept) and not checksums.matches(document)
    assert not checksums.matches({**kept, "a": [1, 2.5]})
    assert not checksums.matches({**kept, "e": 1})
    lines = [{"x": 1}, {"x": 2}, {"x": 3}]
    assert checksums.of_lines(lines) == checksums.of_lines(lines[1:], checksums.of_lines(lines[:1]))
    assert len({checksums.of_lines(some) for some in ([], lines, lines[:2], lines[::-1])}) == 4


# Names

JOB = ROOT / "runs" / "demo.toml"


@pytest.mark.parametrize("out", ["", "  ", "\t", "a\0b", "\ud800", b"r", 5])
def test_what_names_no_folder_is_refused(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch, out: Any
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
