"""``python benchmarks/mutations.py FOUND [--like EARLIER]``: which seeded faults the tests catch.

Each fault changes one sign, number or statement of the package, in a copy of a commit, and the
tests of the changed module run on it: those that import the module, or else those of its room. A
line of JSON for each tells the fault, the tests and whether they caught it.

``--like EARLIER`` seeds the faults of an earlier file again, wherever their functions stand now.
So one can redesign tests, and the package with them, and lose none that was caught.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

PACKAGES = ("gafreecell", "hsd", "deals")
SECONDS = 900
"""After this time the tests have caught the fault: it lets something run for ever."""
OTHER = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
    ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Div: "*", ast.Mod: "+",
    ast.BitAnd: "|", ast.BitOr: "&", ast.And: "or", ast.Or: "and",
}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """``place`` is the function's dotted name in ``module``, ``nth`` counts equal ``old`` in it."""

    module: str
    place: str
    old: str
    nth: int
    new: str


def main() -> None:
    """Seed faults, run the tests on each, and write what was caught."""
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS)
    parser.add_argument("found", type=Path, help="the file of results, one line a fault")
    parser.add_argument("--like", type=Path, help="seed the faults of this file again")
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--faults", type=int, default=60)
    parser.add_argument("--seed", type=int, default=48)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "checkout")
        subprocess.run(["git", "worktree", "add", "-q", "--detach", root, asked.commit], check=True)
        try:
            _run(root, asked)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", root], check=True)


def _run(root: Path, asked: argparse.Namespace) -> None:
    if asked.like:
        earlier = [json.loads(line) for line in asked.like.read_text().splitlines()]
        faults = [Fault(**one["fault"]) for one in earlier if one["caught"]]
    else:
        faults = _seeded(root, asked.faults, random.Random(asked.seed))
    done = asked.found.read_text().splitlines() if asked.found.exists() else []
    for number, fault in enumerate(faults):
        if number >= len(done):
            line = json.dumps(_tried(root, fault))
            with asked.found.open("a") as file:
                file.write(line + "\n")
            print(line, flush=True)


def _seeded(root: Path, count: int, rng: random.Random) -> list[Fault]:
    """Faults in files that are drawn by their number of lines."""
    files = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    sizes = [len(path.read_text().splitlines()) for path in files]
    faults: list[Fault] = []
    while len(faults) < count:
        found = list(_faults(root, rng.choices(files, sizes)[0]))
        if found:
            faults.append(rng.choice(found))
    return faults


def _faults(root: Path, path: Path) -> Iterator[Fault]:
    """All faults that can be seeded in the functions of a file."""
    text = path.read_text()
    module = ".".join(path.relative_to(root).with_suffix("").parts)
    for place, function in _functions(ast.parse(text)):
        whole = ast.get_source_segment(text, function) or ""
        for old, new in _changes(text, function):
            for nth in range(whole.count(old)):
                if _parses(_replaced(whole, old, nth, new)):
                    yield Fault(module, place, old, nth, new)


def _functions(tree: ast.AST, before: str = "") -> Iterator[tuple[str, ast.AST]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{before}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield f"{before}{node.name}", node


def _changes(text: str, function: ast.AST) -> set[tuple[str, str]]:
    """Pieces of a function's source with what may stand in their place."""
    found = set()
    for node in (one for part in function.body for one in _walked(part)):  # type: ignore[attr-defined]
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OTHER:
                new = f"{_of(text, left)} {OTHER[type(op)]} {_of(text, right)}"
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OTHER:
                new = f"{_of(text, left)} {OTHER[type(op)]} {_of(text, right)}"
            case ast.BoolOp(op=op, values=[left, right]):
                new = f"{_of(text, left)} {OTHER[type(op)]} {_of(text, right)}"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                new = _of(text, operand)
            case ast.Constant(value=bool(value)):
                new = str(not value)
            case ast.Return(value=ast.Name() | ast.Call() as value):
                new = f"return not {_of(text, value)}"
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                new = "pass"
            case ast.If(test=node):
                new = f"not ({_of(text, node)})"
            case _:
                continue
        old = _of(text, node)
        if "\n" not in old:
            found.add((old, new))
    return found


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all in it but annotations."""
    yield node
    for name, value in ast.iter_fields(node):
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST) and name not in ("annotation", "returns"):
                yield from _walked(one)


def _of(text: str, node: ast.AST) -> str:
    return ast.get_source_segment(text, node) or ""


def _replaced(whole: str, old: str, nth: int, new: str) -> str:
    pieces = whole.split(old)
    return old.join(pieces[: nth + 1]) + new + old.join(pieces[nth + 1 :])


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _tried(root: Path, fault: Fault) -> dict[str, object]:
    found = _found_again(root, fault)
    if found is None:
        return {"fault": asdict(fault), "caught": None, "tests": [], "by": "not in this commit"}
    path, text, changed = found
    tests = _tests_of(root, path)
    kept = path.stat()
    path.write_text(text.replace(*changed, 1))
    try:
        caught, told = _tests_fail(root, tests)
    finally:
        path.write_text(text)
        # Python takes a compiled module for the source whose time it has.
        os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))
    return {"fault": asdict(fault), "caught": caught, "tests": tests, "by": told}


def _found_again(root: Path, fault: Fault) -> tuple[Path, str, tuple[str, str]] | None:
    """The file, its text, and the function before and after; the fault's own module comes first."""
    files = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    own = root.joinpath(*fault.module.split(".")).with_suffix(".py")
    files.sort(key=lambda path: (path != own, -len(os.path.commonpath([path, own]))))
    name = fault.place.rsplit(".", 1)[-1]
    for path in files:
        text = path.read_text()
        for place, function in _functions(ast.parse(text)) if f"def {name}(" in text else ():
            whole = ast.get_source_segment(text, function) or ""
            if place.rsplit(".", 1)[-1] == name and whole.count(fault.old) > fault.nth:
                return path, text, (whole, _replaced(whole, fault.old, fault.nth, fault.new))
    return None


def _tests_of(root: Path, path: Path) -> list[str]:
    """The test files that import a module; or else those of its room, or those of its name."""
    module = ".".join(path.relative_to(root).with_suffix("").parts)
    package, _, last = module.rpartition(".")
    imports = re.compile(
        rf"\b{re.escape(module)}\b|from {re.escape(package)} import [^\n(]*\b{last}\b"
    )
    tests = sorted((root / "tests").rglob("test_*.py"))
    chosen = [one for one in tests if imports.search(one.read_text())]
    parts = [part for part in module.split(".") if part not in ("gafreecell", "solitaire")]
    room = parts[0]
    if not (root / "tests" / room).is_dir():
        chosen = chosen or [one for one in tests if last in one.name]
    chosen = chosen or [one for one in tests if room in (one.parent.name, *one.stem.split("_"))]
    return [str(one.relative_to(root)) for one in chosen] or ["tests/gafreecell"]


def _tests_fail(root: Path, tests: list[str]) -> tuple[bool, str]:
    settings = os.environ | {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(
            command, cwd=root, env=settings, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return True, "runs for ever"
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return done.returncode != 0, lines[0][:200] if lines else f"status {done.returncode}"


if __name__ == "__main__":
    main()
