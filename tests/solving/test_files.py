"""Files that are written atomically, and the directory of what is kept between processes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from deals.errors import BadInput
from gafreecell.solving.cache import cache_directory, is_kept
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


@pytest.mark.parametrize(
    ("step", "error"),
    [
        *[("fsync", OSError("disk full")), ("replace", OSError("disk full"))],
        *[("fsync", KeyboardInterrupt("pressed")), ("", UnicodeError("surrogates not allowed"))],
    ],
)
def test_a_failure_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise error

    if step:
        monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(error), match=str(error)):
        write_atomically(path, "new" if step else "\ud800")
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


def test_the_cache_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path / "deep" / "cache"))
    assert cache_directory() == tmp_path / "deep" / "cache"
    assert cache_directory().is_dir()
    assert list(cache_directory().iterdir()) == []


def test_without_a_word_it_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GAFREECELL_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    directory = cache_directory()
    assert directory.is_dir() and directory.is_relative_to(tmp_path)
    assert directory.name == "gafreecell"


def test_a_cache_that_cannot_be_written_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path))
    assert is_kept() and capsys.readouterr().err == ""
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file", tmp_path / "file" / "beneath"):
        monkeypatch.setenv("GAFREECELL_CACHE", str(place))
        monkeypatch.setenv("GAFREECELL_CACHE_UNKEPT", "")
        monkeypatch.delenv("GAFREECELL_CACHE_UNKEPT")
        directory = cache_directory()
        assert directory.is_dir() and os.access(directory, os.W_OK)
        assert not directory.is_relative_to(tmp_path)
        assert cache_directory() == directory and not is_kept()
        # It is said once, and not again by a process that this one starts.
        (said,) = capsys.readouterr().err.splitlines()
        assert said.startswith(f"The cache {place} cannot be written to (")
        assert (
            "set GAFREECELL_CACHE to a folder" in said and "GAFREECELL_CACHE_UNKEPT" in os.environ
        )
        directory.rmdir()
    assert (tmp_path / "file").read_text() == "in the way"
