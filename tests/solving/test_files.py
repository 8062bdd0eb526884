"""Files that are written atomically."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from deals.errors import BadInput
from gafreecell.solving.files import read_text, write_atomically


def test_the_file_holds_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, "ä\n")
    assert path.read_bytes() == "ä\n".encode()
    write_atomically(path, "shorter")
    assert path.read_text() == "shorter"
    assert os.listdir(tmp_path) == ["a.json"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_text_of_windows_editors_is_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "board.txt"
    # Python writes a byte-order mark for "utf-16" only, in the machine's order of bytes.
    mark = "\ufeff" if encoding[-3:] in ("-le", "-be") else ""
    path.write_text(f"{mark}10♦ ä", encoding=encoding)
    assert read_text(path, "a board", BadInput) == "10♦ ä"


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_mode_is_that_of_any_new_file(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        write_atomically(tmp_path / "a.json", "text")
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == mode


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_text_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "\ud800")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_an_interruption_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        write_atomically(tmp_path / "no" / "a.json", "text")
    assert os.listdir(tmp_path) == []


def test_a_directory_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.json").mkdir()
    with pytest.raises(OSError):
        write_atomically(tmp_path / "a.json", "text")
    assert os.listdir(tmp_path) == ["a.json"]
