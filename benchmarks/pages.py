"""Where benchmarks write: docs/results.md, between the marks of each."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solving.files import write_atomically

PAGE = Path("docs/results.md")


def fill(target: str, text: str) -> None:
    """Put a text between ``make target``'s marks in docs/results.md."""
    first, last = f"<!-- tables by make {target} -->\n", f"<!-- end of {target} -->\n"
    head, found, rest = PAGE.read_text(encoding="utf-8").partition(first)
    _, ended, tail = rest.partition(last)
    assert found and ended, f"{PAGE} lacks the marks of {target}"
    write_atomically(PAGE, f"{head}{first}\n{text}\n\n{last}{tail}")
    print(f"wrote {PAGE}", file=sys.stderr)


def solved(file: Path, *arguments: str) -> Iterator[dict[str, Any]]:
    """The lines of ``gafreecell solve``, kept in a file that an interrupted run goes on with."""
    yield from written(file, "solve", *arguments, "--format", "jsonl")


def written(file: Path, *words: str) -> Iterator[dict[str, Any]]:
    """The lines of a command, kept in a file that an interrupted run goes on with."""
    file.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "gafreecell", *words, "-o", str(file), "--resume"]
    done = subprocess.run(command, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.returncode)
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
