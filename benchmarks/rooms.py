"""``python benchmarks/rooms.py [CHECKOUT]``: rooms, arrows, floors, circles, lines, functions.

A room is a package that is installed; in ``gafreecell`` each folder or module is one, and each of
its games. An arrow leads from a room to one that it imports, also within functions. Floors are the
rooms on the longest way along arrows.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import grimp

FRAMEWORK, GAMES = "gafreecell", ("klondike", "pyramid")
LONG = 60
"""Lines of a function that is counted as long."""


def main() -> None:
    """Print the counts of a checkout, by default of this one."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    packages = sorted(path.parent.name for path in root.glob("*/py.typed"))
    sys.path.insert(0, str(root))
    graph = grimp.build_graph(*packages, cache_dir=None)
    imports = [(a, b) for a in graph.modules for b in graph.find_modules_directly_imported_by(a)]
    arrows: dict[str, set[str]] = defaultdict(set)
    for importer, imported in imports:
        if room_of(importer) != room_of(imported):
            arrows[room_of(importer)].add(room_of(imported))
    rooms = {room_of(module) for module in graph.modules} - {FRAMEWORK}
    circles = _in_circles(arrows)
    modules: dict[str, set[str]] = defaultdict(set)
    for importer, imported in imports:
        modules[importer].add(imported)
    print(f"{len(packages)} packages, {len(graph.modules)} modules, {len(imports):,} imports")
    print(f"{len(rooms)} rooms, {sum(map(len, arrows.values()))} arrows, ", end="")
    print("floors: " + ("no count with circles" if circles else f"{_floors(arrows, rooms)}"))
    print(f"rooms in circles: {', '.join(circles) or 'none'}")
    print(f"modules in circles: {', '.join(_in_circles(modules)) or 'none'}")
    for name, folders in (("package", packages), ("tests", ["tests"])):
        _count(name, sorted(path for one in folders for path in (root / one).rglob("*.py")))


def room_of(module: str) -> str:
    """The room of a module, by its dotted name."""
    parts = module.split(".")
    if parts[0] != FRAMEWORK or len(parts) == 1:
        return parts[0]
    game = len(parts) > 2 and parts[2] in GAMES
    return ".".join(parts[: 3 if game else 2])


def _in_circles(arrows: dict[str, set[str]]) -> list[str]:
    return sorted(one for one in list(arrows) if one in _reached(arrows, set(arrows[one])))


def _reached(arrows: dict[str, set[str]], coming: set[str]) -> set[str]:
    found: set[str] = set()
    while coming:
        found |= coming
        coming = {other for one in coming for other in arrows[one]} - found
    return found


def _floors(arrows: dict[str, set[str]], rooms: set[str]) -> int:
    @cache
    def depth(room: str) -> int:
        return 1 + max(map(depth, sorted(arrows[room])), default=0)

    return max(map(depth, rooms))


def _count(name: str, paths: list[Path]) -> None:
    """Print the lines of files, and how long their functions are."""
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    functions = sorted(
        ((node.end_lineno or 0) - node.lineno + 1, f"{path.stem}.{node.name}")
        for path, text in texts.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    lines = {path: text.count("\n") for path, text in texts.items()}
    largest = max(paths, key=lines.__getitem__)
    print(f"{name}: {len(paths)} files, {sum(lines.values()):,} lines, ", end="")
    print(f"the longest file {largest.name} with {lines[largest]}; {len(functions):,} functions, ")
    print(f"  {sum(size > LONG for size, _ in functions)} of more than {LONG} lines, the longest ")
    print("  " + ", ".join(f"{called} {size}" for size, called in reversed(functions[-5:])))


if __name__ == "__main__":
    main()
