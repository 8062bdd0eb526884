"""The package as others install it: built, in a new environment, away from these sources."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("deals", "solving", "jit", "hsd", "klondike", "pyramid_solitaire", "gafreecell")
COMMANDS = (
    "solve 164",
    "solve 3 --game klondike",
    "solve 7 --game pyramid --draw",
    "play 1 --policy best --samples 20",
    "rate 617",
    "rate 7 --game pyramid",
    "presets",
    "presets --game klondike",
    "evolve demo.toml --out run --generations 2 --set solvers.population=4",
    "show run",
    "export run -o weights.json",
    "plot run -o fitness.svg",
    "solve 164 --weights weights.json",
)


def test_every_room_ships_its_mark_of_being_typed() -> None:
    """One mark serves a package and all packages within it (PEP 561)."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert table["importlinter"]["root_packages"] == list(ROOMS)
    for room in ROOMS:
        assert (ROOT / room / "py.typed").exists()
        assert "py.typed" in table["setuptools"]["package-data"][room]
        assert f"{room}*" in table["setuptools"]["packages"]["find"]["include"]


@pytest.mark.long
def test_the_installed_package_has_all_it_needs(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("GAFREECELL_CACHE", str(tmp_path / "cache"))
    sources, elsewhere = tmp_path / "sources", tmp_path / "elsewhere"
    elsewhere.mkdir()
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for room in ROOMS:
        shutil.copytree(ROOT / room, sources / room, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    shutil.copy(ROOT / "runs" / "demo.toml", elsewhere)

    def run(*words: str) -> str:
        done = subprocess.run(
            [str(environment), *words], cwd=elsewhere, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    run("-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", str(sources))
    names = ", ".join(ROOMS)
    found = run("-c", f"import json, {names}\nprint(json.dumps([m.__file__ for m in ({names})]))")
    for file in map(Path, json.loads(found)):
        assert environment.parents[1] in file.parents, "it is the installed one"
        assert (file.parent / "py.typed").exists()
        built = {path.relative_to(file.parent) for path in file.parent.rglob("*.py")}
        room = ROOT / file.parent.name
        assert built == {path.relative_to(room) for path in room.rglob("*.py")}
    for command in COMMANDS:
        run("-m", "gafreecell", *command.split())
    assert os.path.getsize(elsewhere / "fitness.svg") > 1000
