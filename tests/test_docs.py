"""What the documents promise: commands that parse, job keys that exist, files that are there."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gafreecell.cli.arguments import parser
from gafreecell.job import EarlierPhase, Export, Job, Trained
from gafreecell.settings import as_table

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]


def commands(page: str) -> list[str]:
    """The gafreecell command lines in a page's code blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    parts = [part.strip() for line in lines for part in line.partition("#")[0].split("&&")]
    # What a loop fills in only the shell knows; tests/docs runs these commands.
    return [
        part.partition(" > ")[0]
        for part in parts
        if part.startswith("gafreecell ") and "$" not in part
    ]


@pytest.mark.parametrize("page", PAGES)
def test_command_lines_parse(page: str) -> None:
    for command in commands(page):
        parser().parse_args(shlex.split(command)[1:])


def test_the_pages_show_commands() -> None:
    assert len(commands("README.md")) >= 2
    assert len(commands("docs/commands.md")) > 30


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in target:
            assert ((ROOT / page).parent / target).exists(), target


GIVEN = {"name": "any", "generations": 1, "search": "any", "nodes": 1}
"""What every job must say."""
BY_THE_GAME = {"the game's usual ones": (), "the game's": ""}
"""Defaults in words, with the value that leaves them to the game."""


def described() -> dict[str, Any]:
    """The keys and defaults in docs/jobs.md, those of tables in a table of their own."""
    job: dict[str, Any] = {}
    tables: list[str] = []
    for line in (ROOT / "docs/jobs.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            tables = re.findall(r"`\[(\w+)", line)
        elif line.startswith("| `"):
            keys, defaults, meaning = (cell.strip() for cell in line.split("|")[1:4])
            alone = re.findall(r"^\(`\[(\w+)\]`\)", meaning)
            for key, default in zip(keys.split(", "), defaults.split(", "), strict=True):
                name = key.strip("`")
                for table in [job.setdefault(one, {}) for one in alone or tables] or [job]:
                    assert name not in table, f"{name} is described twice"
                    table[name] = value_of(name, default)
    return job


def value_of(name: str, default: str) -> Any:
    """The value that a cell of the column of defaults stands for."""
    if not default:
        return GIVEN[name]
    if default in BY_THE_GAME:
        return BY_THE_GAME[default]
    return tomllib.loads(f"value = {default.strip('`')}")["value"]


def test_every_key_of_a_job_is_described_with_its_default() -> None:
    exports, phases = {"any": Export("any")}, {"any": EarlierPhase(1)}
    job = as_table(Job("any", 1, Trained("any"), exports=exports, phases=phases))
    job["exports"] = job["exports"]["any"]
    job["phases"] = job["phases"]["any"]
    del job["problems"]["sigma"]  # Deals have no range for a Gaussian step.
    assert described() == job
