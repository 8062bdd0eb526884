"""Every code block of README, docs and examples runs, as the comment before it asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_runner import ROOT, blocks, run_page

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


FENCE = "```"


def page(folder: Path, *blocks: tuple[str, str, str]) -> Path:
    """A page of blocks, each with its orders, its language and its text."""
    parts = [
        f"<!-- run\n{orders}\n-->\n{FENCE}{language}\n{text}\n{FENCE}\n"
        for orders, language, text in blocks
    ]
    path = folder / "page.md"
    path.write_text("\n".join(parts))
    return path


def test_a_file_is_saved_with_its_replacements(tmp_path: Path) -> None:
    one = page(
        tmp_path,
        ("file a.toml\nwith 100 => 3", "toml", "generations = 100"),
        ("with a.toml => a.toml a.toml", "sh", "cat a.toml"),
        ("output", "text", "generations = 3\ngenerations = 3"),
    )
    run_page(one, tmp_path)
    assert (tmp_path / "a.toml").read_text() == "generations = 3\n"


def test_notices_of_compilation_do_not_count(tmp_path: Path) -> None:
    said = "echo a; echo 'Compiling the search for this machine, once: up to 9 s ...' >&2; echo b"
    run_page(page(tmp_path, ("", "sh", said), ("output", "text", "a\nb")), tmp_path)


def test_output_cannot_be_replaced(tmp_path: Path) -> None:
    one = page(tmp_path, ("", "sh", "echo 3"), ("output\nwith 4 => 3", "text", "4"))
    with pytest.raises(AssertionError, match="output is compared as it stands"):
        run_page(one, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        f"<!-- run\nstatus 2\n-->\n{FENCE}python\n1\n{FENCE}\n",
        f"<!-- run\nwith 1 => 2\n-->\n{FENCE}text\n1\n{FENCE}\n",
        f"<!-- run\nno It needs a net.\nstatus 2\n-->\n{FENCE}sh\n1\n{FENCE}\n",
        f"<!-- run\nstatus 2\n-->\n\n<!-- run\nstatus 3\n-->\n\n{FENCE}sh\n1\n{FENCE}\n",
        f"{FENCE}sh\ntrue\n{FENCE}\n\n<!-- run\noutput\n-->\n",
    ],
)
def test_orders_without_effect_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "page.md").write_text(text)
    with pytest.raises(AssertionError, match=r"no effect|no block"):
        list(blocks(tmp_path / "page.md"))
