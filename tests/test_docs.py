"""What the documents promise: commands that parse, job keys that exist, files that are there."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from gafreecell.cli.main import parser
from gafreecell.job import Export, Job, Trained, read_job

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md"))]


def commands(page: str) -> list[str]:
    """The gafreecell command lines in a page's code blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    parts = [part.strip() for line in lines for part in line.partition("#")[0].split("&&")]
    return [part.partition(" > ")[0] for part in parts if part.startswith("gafreecell ")]


@pytest.mark.parametrize("page", PAGES)
def test_command_lines_parse(page: str) -> None:
    for command in commands(page):
        parser().parse_args(shlex.split(command)[1:])


def test_the_readme_shows_commands() -> None:
    assert len(commands("README.md")) > 10


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in target:
            assert ((ROOT / page).parent / target).exists(), target


def test_every_key_of_a_job_is_described() -> None:
    text = (ROOT / "docs/jobs.md").read_text(encoding="utf-8")
    shown = Job("a", 1, Trained("staged"))
    tables = {
        spec.name: getattr(shown, spec.name)
        for spec in fields(Job)
        if hasattr(getattr(shown, spec.name), "__dataclass_fields__")
    }
    keys = [spec.name for spec in fields(Job) if spec.name not in (*tables, "exports")]
    for table in (*tables.values(), Export("staged")):
        keys += [spec.name for spec in fields(table)]
    missing = [key for key in keys if f"`{key}`" not in text]
    assert not missing


@pytest.mark.parametrize("path", sorted((ROOT / "runs").glob("*.toml")), ids=lambda p: p.stem)
def test_the_jobs_that_come_along_can_be_read(path: Path) -> None:
    assert read_job(path).name == path.stem
