"""The package as others install it: built, in a new environment, away from these sources."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from gafreecell.solving.neighbours import PACKAGES

ROOT = Path(__file__).parents[1]
ROOMS = ("deals", "hsd", "gafreecell")
COMMANDS = (
    "demo", "solve 164", "solve 3 --game klondike", "solve 7 --game pyramid --draw",
    "play 1 --policy best --samples 20", "rate 617", "rate 7 --game pyramid",
    "presets", "presets --game klondike", "examples",
    "evolve runs/demo.toml --out run --generations 2 --set solvers.population=4",
    "show runs/freecell-nine",
)  # fmt: skip
NOT_IN_THE_SDIST = (".ci/", ".git")
"""Beginnings of the paths that serve the repository alone."""


def test_every_room_ships_its_mark_of_being_typed() -> None:
    """One mark serves a package and all packages within it (PEP 561)."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert table["importlinter"]["root_packages"] == list(ROOMS)
    for room in ROOMS:
        assert (ROOT / room / "py.typed").exists()
        assert "py.typed" in table["setuptools"]["package-data"][room]
        assert f"{room}*" in table["setuptools"]["packages"]["find"]["include"]


def test_versions_agree() -> None:
    version = _project()["version"]
    released = re.search(r"^## ([0-9.]+) - \d{4}-\d\d-\d\d$", _text("CHANGELOG.md"), re.MULTILINE)
    assert released and released.group(1) == version
    assert f"gafreecell {version}" in _text("docs/start.md")


def test_the_oldest_versions_are_those_that_are_allowed() -> None:
    """'make oldest' would else prove nothing of what pyproject.toml says."""
    lines = [line for line in _text("constraints-oldest.txt").splitlines() if line[0] != "#"]
    oldest = dict(line.split("==") for line in lines)
    needs = [Requirement(need) for need in _project()["dependencies"]]
    for need in needs:
        lowest = [one.version for one in need.specifier if one.operator == ">="]
        assert [Version(oldest.pop(need.name))] == [*map(Version, lowest)], need
    assert not oldest


@pytest.mark.parametrize("name", PACKAGES)
def test_another_projects_package_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("from os import path\n")
    kept, sources = dict(os.environ), os.pathsep.join([str(tmp_path), *sys.path])
    fault = f"the package '{name}' that comes with gafreecell is needed, but the one in "

    def python(*words: str) -> subprocess.CompletedProcess[str]:
        command, env = [sys.executable, *words], {**kept, "PYTHONPATH": sources}
        return subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True)

    for code in ("import gafreecell", "import hsd, gafreecell.cli"):
        said = python("-c", code).stderr
        assert f"ImportError: {fault}{tmp_path / name} is another" in said
    done = python("-m", "gafreecell", "--help")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"gafreecell: {fault}") and done.stderr.count("\n") == 1


def test_freecell_loads_two_rooms_of_the_framework() -> None:
    code = (
        "import hsd, sys\n"
        "print(*{m.split('.')[1] for m in sys.modules if m.startswith('gafreecell.')})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"solving", "jit"}


@pytest.mark.long
def test_the_installed_package_has_all_it_needs(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wheel is built from the sdist, as package indexes and distributions do."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path / "cache"))
    elsewhere, built = tmp_path / "elsewhere", tmp_path / "built"
    elsewhere.mkdir()
    tracked = _run("git", "ls-files", cwd=ROOT).splitlines()
    for name in tracked:
        (tmp_path / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / "clone" / name)
    build = (sys.executable, "-m", "build", "-q", "--no-isolation", "-o", str(built))
    _run(*build, cwd=tmp_path / "clone")
    (sdist,), (wheel,) = built.glob("*.tar.gz"), built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        top = {name.partition("/")[0] for name in archive.namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} == set(ROOMS)
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert not [n for n in tracked if n not in packed and not n.startswith(NOT_IN_THE_SDIST)]

    def run(*words: str) -> str:
        return _run(str(environment), *words, cwd=elsewhere)

    run("-m", "pip", "install", "-q", "--no-deps", str(wheel))
    names = ", ".join(ROOMS)
    found = run("-c", f"import json, {names}\nprint(json.dumps([m.__file__ for m in ({names})]))")
    for file in map(Path, json.loads(found)):
        assert environment.parents[1] in file.parents, "it is the installed one"
        assert (file.parent / "py.typed").exists()
        there = {path.relative_to(file.parent) for path in file.parent.rglob("*.py")}
        room = ROOT / file.parent.name
        here = {path.relative_to(room) for path in room.rglob("*.py")}
        assert {path for path in there if path.parts[0] != "shipped"} == here
    for command in COMMANDS:
        run("-m", "gafreecell", *command.split())
    moves = ("-m", "gafreecell", "solve", "164", "--format", "moves")
    expected = run(*moves)
    # Names of other projects. Those that the package does not have do no harm to it.
    pip = ("-m", "pip", "-q")
    run(*pip, "install", "--no-deps", "hsd==0.1")
    fault = _run(str(environment), "-m", "gafreecell", "solve", "164", cwd=elsewhere, fails=True)
    assert "pip uninstall hsd" in fault
    run(*pip, "uninstall", "-y", "hsd")
    assert run(*moves) == expected
    run(*pip, "install", "--no-deps", "--ignore-requires-python", "klondike==0.3.0")
    assert run(*moves) == expected
    run(*pip, "uninstall", "-y", "klondike")
    assert run(*moves) == expected
    for name in tracked:
        if name.startswith(("runs/", "examples/")):
            assert (elsewhere / name).read_bytes() == (ROOT / name).read_bytes(), name
    for name in ("progress", "fitness", "weights", "cactus"):
        assert os.path.getsize(elsewhere / "out" / "demo" / f"{name}.png") > 10_000
    assert os.path.getsize(elsewhere / "out" / "demo" / "report.html") > 100_000


def _run(*words: str, cwd: Path, fails: bool = False) -> str:
    """What a command prints, or what one that fails says."""
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert bool(done.returncode) == fails, (words, done.stdout, done.stderr)
    return done.stderr if fails else done.stdout


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads(_text("pyproject.toml"))["project"]
    return project


def test_make_has_one_recipe_for_each_target() -> None:
    # The make that runs the tests hands its jobs and options down, which this one cannot use.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    make = partial(subprocess.run, cwd=ROOT, env=alone, capture_output=True, text=True)
    known = make(["make", "-pq", "demo"]).stdout
    (named,) = (line.split()[1:] for line in known.splitlines() if line.startswith(".PHONY: "))
    assert {"demo", "test", "paper"} <= set(named)
    for name in named:
        done = make(["make", "-n", name])
        told = done.stdout + done.stderr
        # Make itself does not miss the recipe of a phony target.
        assert done.returncode == 0 and "warning" not in told, told
        assert "Nothing to be done" not in told, name
