"""What the documents promise: commands that parse, job keys that exist, files that are there."""

from __future__ import annotations

import re
import shlex
import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import get_type_hints

import pytest
import reference

from gafreecell.cli.arguments import parser
from gafreecell.evolution.job import Job, part_tables
from gafreecell.evolution.key_list import described, tables
from gafreecell.evolution.populations import Rates
from gafreecell.solitaire.game import game
from hsd.kernels.features import NINE

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]

INHERITED = {spec.name for spec in fields(Rates)}
"""Keys that two populations share: the page describes them once."""


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def commands(page: str) -> list[str]:
    """The gafreecell command lines in a page's code blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", text(page), re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    parts = [part.strip() for line in lines for part in line.partition("#")[0].split("&&")]
    # What a loop fills in only the shell knows; tests/docs runs these commands.
    return [
        re.split(r" [>|] ", part)[0]
        for part in parts
        if part.startswith("gafreecell ") and "$" not in part
    ]


JOBS, FEATURES = text("docs/jobs.md"), text("docs/how/features.md")


@pytest.mark.parametrize("page", PAGES)
def test_command_lines_parse(page: str) -> None:
    for command in commands(page):
        parser().parse_args(shlex.split(command)[1:])


def test_the_pages_show_commands() -> None:
    assert len(commands("README.md")) >= 2
    assert len(commands("docs/commands.md")) > 30


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", text(page)):
        if "://" not in target:
            place = ((ROOT / page).parent / target).resolve()
            assert place.exists(), target
            if page.startswith("docs/") and place.is_relative_to(ROOT / "docs"):
                assert place.is_file(), f"{target}: the site does not show folders"


@pytest.mark.parametrize("name", tables())
def test_the_tables_of_a_job_are_in_step(name: str) -> None:
    kind = tables()[name]
    assert f"{reference.table(kind)}\n" in JOBS, "run make reference"
    specs = {spec.name for spec in fields(kind)}
    keys = {key for listed in described(kind) for key in listed.split(", ")}
    assert keys - INHERITED <= specs
    assert specs - keys <= INHERITED


def test_every_table_of_a_job_is_on_the_page() -> None:
    hints = get_type_hints(Job)
    own = {spec.name for spec in fields(Job) if is_dataclass(hints[spec.name])}
    assert {*own, *part_tables({}), "exports", "phases", "job"} == set(tables())
    for name in tables():
        assert name == "job" or re.search(rf"^## `\[{name}(\.NAME)?\]`", JOBS, re.MULTILINE), name


@pytest.mark.parametrize("name", reference.FEATURE_GAMES)
def test_the_tables_of_features_are_in_step(name: str) -> None:
    table = reference.features(name)
    assert f"{table}\n" in FEATURES, "run make reference"
    for feature in game(name).features:
        # A row has a feature of all of H3 to H8.
        first = re.sub("^H[4-8](?=[A-Z])", "H3", feature.name)
        assert f"| `{first}`" in table


def test_the_sections_of_commands_are_in_step() -> None:
    assert f"{reference.commands()}\n" in text("docs/commands.md"), "run make reference"


def test_a_game_without_a_table_has_no_features() -> None:
    for name in ("freecell", "klondike", "pyramid"):
        assert bool(game(name).features) == (name in reference.FEATURE_GAMES)


def test_the_papers_features_are_compared_one_by_one() -> None:
    part = FEATURES.partition("### The paper's nine features")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)`", part, re.MULTILINE) == [one.name for one in NINE]


def test_the_citations_name_the_version() -> None:
    version = re.escape(tomllib.loads(text("pyproject.toml"))["project"]["version"])
    page, kept = text("docs/cite.md"), text("CITATION.cff")
    title = re.search(r'^title: "(.*)"$', kept, re.MULTILINE)
    assert title and page.count(title[1]) == 2
    assert re.search(rf"^version: {version}$", kept, re.MULTILINE)
    assert re.search(rf"\. Version {version}\. ", page)
    assert re.search(rf"version = \{{{version}\}}", page)
