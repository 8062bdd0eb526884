"""With a version of numba that nobody tried, kernels are compiled by plain njit."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gafreecell.jit import DISABLED
from gafreecell.jit.gate import FIRST, LAST

UNTRIED = """
import numba
numba.version_info = numba.version_info._replace(full=({}, {}, 0))
{}
"""
ADD = """
import sys
from gafreecell.jit import kernel

@kernel
def add(x, y):
    return x + y

print(add(1, 2), type(add._cache).__name__)
internals = [name for name in sys.modules if name.startswith("gafreecell.jit.")]
print(*(name.rpartition(".")[2] for name in internals))
"""
SOLVE = """
import gafreecell
print(gafreecell.solve(7, game="pyramid").lengths["steps"])
"""


def run(code: str, version: tuple[int, int]) -> tuple[list[str], str]:
    done = subprocess.run(
        [sys.executable, "-c", UNTRIED.format(*version, code)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.split(), done.stderr


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_plain_njit_takes_over() -> None:
    words, said = run(ADD, (LAST[0], LAST[1] + 1))
    assert words[0] == "3" and words[1] == "NullCache"
    assert not {"caching", "quicker", "interrupts"} & set(words[2:])
    assert "was not tried with this version of gafreecell" in said and said.count("\n") == 1


@pytest.mark.long
def test_it_solves_as_ours_does() -> None:
    words, said = run(SOLVE, (FIRST[0], FIRST[1] - 1))
    tried, quiet = run(SOLVE, LAST)
    assert words == tried and said and "not tried" not in quiet


def test_the_versions_are_those_that_may_be_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    bounds = f"numba>={FIRST[0]}.{FIRST[1]},<{LAST[0]}.{LAST[1] + 1}"
    assert bounds in project["dependencies"]
