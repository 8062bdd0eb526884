"""The directory of what is kept between processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gafreecell.solving.cache import cache_directory, is_kept


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
