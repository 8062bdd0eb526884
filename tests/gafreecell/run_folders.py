"""Run folders for tests: made, read and compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from conftest import as_toml, job_table

from gafreecell.solving.checksums import sealed
from gafreecell.workers.chosen import Workers

ONE = Workers(1)
STATE = "state.json"
FILES = ("job.toml", STATE, "weights/best.json")
VALUES = "validation.jsonl"


def write_job(folder: Path, name: str = "a.toml", **changes: Any) -> Path:
    path = folder / name
    path.write_text(as_toml(job_table(**changes)), encoding="utf-8")
    return path


def log_of(folder: Path) -> list[dict[str, Any]]:
    """The log without what may differ between machines and interruptions."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    for line in lines:
        assert line.pop("machine").keys() >= {"seconds", "cache_hits"}
    return lines


def same(one: Path, other: Path, values: bool = True) -> None:
    """Two folders hold the same run to the bit.

    Args:
        values: whether they have the same values of validation too, which some reference runs lack.
    """
    assert log_of(one) == log_of(other)
    exports = [f"weights/{path.name}" for path in (one / "weights").glob("*.json")]
    record = [path.name for path in one.glob("*.csv")]
    names = {*FILES, *([VALUES] if values else []), *exports, *record}
    if not values:
        names.remove(STATE)
        assert without_checksums(one) == without_checksums(other)
    for name in sorted(names):
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def state_of(folder: Path) -> dict[str, Any]:
    """The state as it is in the file."""
    state: dict[str, Any] = json.loads((folder / STATE).read_text())
    return state


def put_state(folder: Path, state: dict[str, Any]) -> None:
    """Write a state as a run does, with the checksum that belongs to it."""
    (folder / STATE).write_text(json.dumps(sealed(state)))


def without_checksums(folder: Path) -> dict[str, Any]:
    """A run's state without its checksums."""
    return {
        key: value for key, value in state_of(folder).items() if key not in ("logs", "checksum")
    }


def names_of(folder: Path) -> set[str]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder: bytes and time of the last change."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def generations_of(folder: Path) -> int:
    """Generations that a run at work has saved, -1 before its first state."""
    try:
        return int(json.loads((folder / STATE).read_bytes())["generation"])
    except FileNotFoundError:
        return -1
