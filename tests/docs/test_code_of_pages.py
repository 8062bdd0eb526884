"""Every code block of README, docs and examples runs, on smaller input where it is long."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_runner import ROOT, run_page

OUTSIDE = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
PAGES = [*OUTSIDE, ROOT / "examples" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
QUICK = ("docs/how/pyramid.md",)
"""Pages that ``make test`` runs."""


def _param(page: Path) -> object:
    name = page.relative_to(ROOT).as_posix()
    return pytest.param(page, id=name, marks=() if name in QUICK else pytest.mark.long)


@pytest.mark.parametrize("page", [_param(page) for page in PAGES])
def test_the_code_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path)
