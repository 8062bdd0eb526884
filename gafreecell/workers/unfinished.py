"""Keeps the outcomes of an interrupted generation, so that a resumed run need not repeat them.

An outcome depends only on its task and the engine. If this file is missing or cannot be read, the
run only takes longer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any

from deals.errors import BadInput
from gafreecell.solving.cache import read_kept
from gafreecell.solving.checksums import sealed
from gafreecell.solving.contract import kept_outcome
from gafreecell.solving.files import write_atomically
from gafreecell.solving.formats import Format
from gafreecell.solving.games import UNSAVED
from gafreecell.solving.outcome import Outcome, Task

FILE = "unfinished.json"
FORMAT = Format("gafreecell-unfinished", "outcomes of an unfinished generation", version=2)


def key_of(task: Task) -> str:
    """A hash of a task."""
    return hashlib.sha256(repr(task).encode()).hexdigest()[:32]


def save(folder: Path, engine: str, outcomes: Mapping[Task, Outcome]) -> None:
    """Write the outcomes of the present generation into a run's folder, if there are any.

    Args:
        engine: the engine number of the game that computed them.
    """
    if not outcomes or engine.startswith(UNSAVED):
        return
    kept = {
        key_of(task): [
            o.status.value,
            None if o.lengths is None else dict(o.lengths),
            astuple(o.nodes),
            o.seconds,
            o.cost,
        ]
        for task, o in outcomes.items()
    }
    document = sealed({"format": FORMAT.head, "engine": engine, "outcomes": kept})
    try:
        write_atomically(folder / FILE, json.dumps(document) + "\n")
    except OSError:
        # The user should hear about the interruption, not about this file.
        return


def read(folder: Path, engine: str) -> dict[str, Outcome]:
    """The outcomes in a run's folder that this engine computed, by ``key_of(task)``."""

    def outcomes(document: Any) -> dict[str, Outcome]:
        kept = FORMAT.read(document, BadInput)
        if kept["engine"] != engine:
            return {}
        return {
            key: kept_outcome(status, lengths, nodes, seconds, cost)
            for key, (status, lengths, nodes, seconds, cost) in kept["outcomes"].items()
        }

    return read_kept(folder / FILE, outcomes, {})


def drop(folder: Path) -> None:
    """Remove the file once its generation is saved."""
    path = folder / FILE
    # A directory of that name is not the run's.
    if not path.is_dir():
        path.unlink(missing_ok=True)
