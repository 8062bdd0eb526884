"""The directory of what is kept between processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from solving.cache import cache_directory


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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file", tmp_path / "file" / "beneath"):
        monkeypatch.setenv("GAFREECELL_CACHE", str(place))
        directory = cache_directory()
        assert directory.is_dir() and os.access(directory, os.W_OK)
        assert not directory.is_relative_to(tmp_path)
        assert cache_directory() == directory
        directory.rmdir()
    assert (tmp_path / "file").read_text() == "in the way"
