"""Every jitted function lies in a folder named ``kernels``."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from gafreecell.solving.sources import unit_of

ROOT = Path(__file__).parents[2]
ROOMS: tuple[str, ...] = tuple(
    tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["root_packages"]
)
COMPILERS = {
    "kernel", "large_kernel", "njit", "jit", "generated_jit", "vectorize", "guvectorize", "cfunc",
    "stencil", "intrinsic", "overload",
}  # fmt: skip
"""What makes compiled functions, whatever module it is taken from."""
COMPILING = ROOT / "gafreecell" / "jit" / "compiling.py"
"""Where the decorators are made, with numba's."""


def sources(room: str) -> list[Path]:
    """The modules of a package and of its own packages."""
    return sorted((ROOT / room).rglob("*.py"))


def compilers_in(path: Path) -> list[str]:
    """The names by which a module's code takes or uses what compiles, wherever in it."""
    found = []
    text = path.read_text(encoding="utf-8")
    # Only a text with such a word is worth reading as code.
    for node in ast.walk(ast.parse(text)) if COMPILERS & set(re.findall(r"\w+", text)) else ():
        if isinstance(node, ast.Name):
            found.append(node.id)
        elif isinstance(node, ast.Attribute):
            found.append(node.attr)
        elif isinstance(node, ast.ImportFrom):
            found += [name.name for name in node.names]
    return sorted(COMPILERS & set(found))


@pytest.mark.parametrize("room", ROOMS)
def test_kernels_lie_in_folders_of_that_name_and_nowhere_else(room: str) -> None:
    for path in sources(room):
        if path.parent.name == "kernels":
            assert compilers_in(path) or path.name == "__init__.py", f"{path} has no kernel"
        elif path not in (COMPILING, COMPILING.with_name("__init__.py")):
            assert not compilers_in(path), f"{path} compiles: {compilers_in(path)}"


def test_the_rooms_with_kernels() -> None:
    found = {r for r in ROOMS if any(p.parent.name == "kernels" for p in sources(r))}
    assert found == {"hsd", "gafreecell"}


@pytest.mark.parametrize(
    "code",
    [
        "from gafreecell.jit import kernel",
        "import numba\n\n@numba.njit\ndef f(x): return x",
        "import numba as nb\n\nclass A:\n    f = staticmethod(nb.vectorize(len))",
        "from gafreecell import jit\n\ndef make():\n    return jit.large_kernel(len)",
    ],
)
def test_whatever_compiles_is_seen(tmp_path: Path, code: str) -> None:
    path = tmp_path / "module.py"
    path.write_text(code)
    assert compilers_in(path)


@pytest.mark.parametrize("room", ROOMS)
def test_a_folder_of_kernels_says_what_is_in_it_and_no_more(room: str) -> None:
    for folder in {path.parent for path in sources(room) if path.parent.name == "kernels"}:
        (docstring,) = ast.parse((folder / "__init__.py").read_text(encoding="utf-8")).body
        assert isinstance(docstring, ast.Expr), folder


@pytest.mark.parametrize(
    ("module", "unit"),
    [
        ("hsd.searches.kernels.tree", "hsd"),
        ("gafreecell.pages.report", "gafreecell.pages"),
        ("gafreecell.solitaire.game", "gafreecell.solitaire"),
        ("gafreecell.solitaire.klondike", "gafreecell.solitaire.klondike"),
        ("gafreecell.solitaire.klondike.kernels.moves", "gafreecell.solitaire.klondike"),
        ("gafreecell.solitaire.pyramid.game", "gafreecell.solitaire.pyramid"),
    ],
)
def test_an_edit_of_one_game_or_room_leaves_the_kernels_of_the_others(
    module: str, unit: str
) -> None:
    assert unit_of(module) == unit
