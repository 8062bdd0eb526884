"""Runs the code of a page of the documentation, block by block in one folder, as a reader would.

A page becomes a notebook of its ``sh`` and ``python`` blocks, and Jupyter's client executes it.
A comment before a block says what is special about it; GitHub and the site show no comments::

    <!-- run
    with 1-1000 => 1-5
    -->

- ``with OLD => NEW``: run or save NEW where the page says OLD, to spend less time on it;
- ``status N``: the last command of the block ends with this exit status;
- ``file NAME``: the block, whatever its language, is saved under this name and not run;
- ``output``: what the block before it prints contains this block; ``...`` stands for anything,
  and notices that kernels are being compiled do not count;
- ``first COMMAND``: run this shell command before the block;
- ``no REASON``: do not run the block.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from markdown_it import MarkdownIt
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from probes import NOTICE

ROOT = Path(__file__).parents[2]
RUN = {"sh", "python"}
_COMMENT = re.compile(r"<!--\s*run\b(.*?)-->", re.DOTALL)
_ORDERS = ("with", "status", "file", "output", "first", "no")


@dataclass(frozen=True)
class Block:
    """A fenced block: where it stands, its language, its text, and what its comment asks for."""

    line: int
    language: str
    text: str
    orders: tuple[tuple[str, str], ...] = ()

    def order(self, name: str) -> str | None:
        """What the comment says after this word; None if it does not have the word."""
        return next((rest for word, rest in self.orders if word == name), None)


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    orders: tuple[tuple[str, str], ...] = ()
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type == "html_block" and (comment := _COMMENT.search(token.content)):
            assert not orders, f"{page}: no block between two comments: {orders}"
            lines = [line.strip() for line in comment[1].splitlines() if line.strip()]
            words = [line.partition(" ") for line in lines]
            orders = tuple((word, rest.strip()) for word, _, rest in words)
            unknown = {word for word, _ in orders} - set(_ORDERS)
            assert not unknown, f"{page}: a comment asks for {unknown}; there are {_ORDERS}"
        elif token.type == "fence":
            language = token.info.split()[0] if token.info.split() else ""
            block = Block((token.map or [0])[0] + 1, language, token.content, orders)
            _check(block, page)
            yield block
            orders = ()
    assert not orders, f"{page}: no block after the comment: {orders}"


def _check(block: Block, page: Path) -> None:
    """Refuse orders that would have no effect."""
    asked = {word for word, _ in block.orders}
    idle = asked - {"no", "first"} if "no" in asked else set()
    if block.language != "sh" or "file" in asked:
        idle |= asked & {"status"}
    if not asked & {"file", "output"} and block.language not in RUN:
        idle |= asked - {"no", "first"}
    assert not idle, f"{page}:{block.line}: {idle} would have no effect on this block"


def run_page(page: Path, folder: Path) -> None:
    """Run a page in a folder that has what a clone has besides sources.

    Raises:
        AssertionError: naming the page, the block and what it printed.
    """
    for name in ("runs", "examples"):
        if not (folder / name).exists():
            ignored = shutil.ignore_patterns("__pycache__", "out", "*.egg-info")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    cells, places = [], []
    for block in blocks(page):
        sources = [f"%%bash\nset -e\n{rest}" for word, rest in block.orders if word == "first"]
        if (name := block.order("file")) is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            text = _replaced(block)
            sources.append(f"import pathlib as _p; _p.Path({name!r}).write_text({text!r}) and None")
        elif block.order("output") is not None:
            asked = f"line {block.line}: output is compared as it stands, without 'with'"
            assert block.order("with") is None, asked
            sources.append("")
        elif block.language in RUN and block.order("no") is None:
            sources.append(_source(block))
        cells += map(nbformat.v4.new_code_cell, sources)
        places += [block] * len(sources)
    try:
        execute(nbformat.v4.new_notebook(cells=cells), folder, *_packages(page, folder))
    except CellExecutionError as error:
        ran = sum(cell.execution_count is not None for cell in cells)
        raise AssertionError(f"{page}:{places[max(ran - 1, 0)].line}: {error}") from None
    _compare(page, cells, places)


def execute(notebook: nbformat.NotebookNode, folder: Path, *packages: Path) -> None:
    """Execute a notebook in a folder, with further folders to import from.

    Raises:
        CellExecutionError: if a cell fails.
    """
    client = NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(folder)}})
    kept = dict(os.environ)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, [ROOT, *packages]))
    try:
        client.execute()
    finally:
        os.environ.clear()
        os.environ.update(kept)


def with_metadata(packages: list[Path], site: Path) -> list[Path]:
    """Packages as if they were installed: where to import them and their metadata from."""
    for package in packages:
        project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
        metadata = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        metadata.mkdir(parents=True)
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (metadata / "METADATA").write_text(head)
        groups = [
            "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())])
            for group, entries in project.get("entry-points", {}).items()
        ]
        (metadata / "entry_points.txt").write_text("\n".join(groups))
    return [site, *packages]


def _packages(page: Path, folder: Path) -> list[Path]:
    """The examples, on the pages about them."""
    if not {"examples", "extend"} & {*page.parts}:
        return []
    packages = sorted(path.parent for path in (folder / "examples").glob("*/pyproject.toml"))
    return with_metadata(packages, folder / ".site")


def _replaced(block: Block) -> str:
    """The text of a block with what its comment replaces."""
    text = block.text
    for word, rest in block.orders:
        if word == "with":
            old, arrow, new = (part.strip() for part in rest.partition("=>"))
            assert arrow, f"line {block.line}: 'with OLD => NEW' lacks its arrow"
            assert old in text, f"line {block.line}: there is no {old!r} to replace"
            text = text.replace(old, new)
    return text


def _source(block: Block) -> str:
    """A cell that runs a block as its comment asks."""
    text = _replaced(block)
    if block.language == "python":
        return text
    status = block.order("status")
    if status is None:
        return f"%%bash\nset -eo pipefail\n{text}"
    return f"%%bash\nset +e\n{text.rstrip()}\n[ $? -eq {int(status)} ]"


def _compare(page: Path, cells: list[nbformat.NotebookNode], places: list[Block]) -> None:
    """Compare the blocks of output with what the blocks before them printed."""
    printed = ""
    for cell, block in zip(cells, places, strict=True):
        if block.order("output") is None:
            outputs = cell.get("outputs", [])
            parts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs]
            printed = NOTICE.sub("", "".join(parts))
            continue
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        wanted = f"...{block.text.strip()}..."
        matches = doctest.OutputChecker().check_output(wanted, f"\n{printed}\n", flags)
        assert matches, f"{page}:{block.line}: the page says\n{block.text}\nand it was\n{printed}"
