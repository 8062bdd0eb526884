"""Files of a run that changed since they were written: no run goes on from them unnoticed."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, refused
from run_folders import snapshot, state_of

from gafreecell.runs.folder import RunError
from gafreecell.runs.run import ResumeWarning, load, resume
from gafreecell.solving import checksums

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


def test_changed_numbers_are_refused_until_they_are_taken(
    whole: Path, tmp_path: Path, command: Command
) -> None:
    for name in RESTED_ON:
        folder = Path(shutil.copytree(whole, tmp_path / name))
        file = folder / name
        text = file.read_text()
        place = text.rindex('"value": ') + len('"value": ')
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


def test_what_differs_between_machines_has_a_checksum_too(whole: Path) -> None:
    log = whole / "log.jsonl"
    log.write_text(log.read_text().replace('"evaluations": ', '"evaluations": 1', 2))
    with pytest.raises(RunError, match=r"log\.jsonl does not match"):
        load(whole)
    with pytest.warns(ResumeWarning, match=r"log\.jsonl"):
        resume(whole, force=True)
    assert load(whole).finished


def test_a_job_that_was_changed_is_taken_if_forced(broken: Path, command: Command) -> None:
    job = broken / "job.toml"
    job.write_text(job.read_text().replace("gene_mutation = 0.1", "gene_mutation = 0.5", 1))
    refused(command("resume", broken), str(job), "was changed since the run began", "--force")
    with pytest.warns(ResumeWarning, match=r"job\.toml"):
        assert command("resume", broken, "--force", "--jobs", 1).status == 0
    assert load(broken).job.digest == state_of(broken)["job"]


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


def test_a_file_may_be_indented_anew(whole: Path) -> None:
    before = load(whole)
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
