"""Kernels compiled by another process meanwhile."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from gafreecell.jit import DISABLED, beside
from gafreecell.solving.loading import Part

pytestmark = pytest.mark.skipif(DISABLED, reason="nothing is compiled")

KERNELS = """\
from gafreecell.jit import kernel

@kernel
def {name}(number: int) -> int:
    return 3 * number

def load_kernels() -> None:
    {name}(1)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module with a kernel that no process has compiled."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(beside, "_cores", lambda: 2)
    monkeypatch.setattr(beside, "_started", {})
    name = f"thrice_{os.getpid()}_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(KERNELS.format(name="thrice"))
    return importlib.import_module(name)


def test_another_process_leaves_kernels_in_the_cache(module: Any) -> None:
    beside.start(Part("the search", beside=(module.__name__,)))
    assert module.thrice(5) == 15
    assert sum(module.thrice.stats.cache_hits.values()) == 1


def test_a_process_that_fails_costs_nothing_but_time(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "_SCRIPT", "raise SystemExit(3)")
    beside.start(Part("the search", beside=(module.__name__,)))
    assert module.thrice(5) == 15
    assert not module.thrice.stats.cache_hits


@pytest.mark.parametrize("why", ["one core", "it is such a process", "no interpreter"])
def test_where_no_other_process_is_started(
    module: Any, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    if why == "one core":
        monkeypatch.setattr(beside, "_cores", lambda: 1)
    elif why == "no interpreter":
        monkeypatch.setattr(sys, "executable", "/no/such/python")
    else:
        monkeypatch.setenv("GAFREECELL_BESIDE", "1")
    beside.start(Part("the search", beside=(module.__name__,)))
    assert not beside.wait_for(module.__name__)


def test_a_module_is_compiled_by_one_process(module: Any) -> None:
    part = Part("the search", beside=(module.__name__,))
    beside.start(part)
    first = dict(beside._started)
    beside.start(part)
    assert beside._started == first
    assert beside.wait_for(module.__name__)
