"""Converts run folders of version 1.

They called the second population hosts and Gaussian mutation's ``sigma`` ``creep`` or ``spread``,
and their jobs did not state the game's defaults.
"""

from __future__ import annotations

import hashlib
from typing import Any

from gafreecell.evolution.job import RENAMED, Job
from gafreecell.evolution.settings import build, changed_settings
from gafreecell.solving.formats import Document

ENGINES = {"freecell": "b4ff40213a83d9ae"}
"""Engine numbers of today that return the same as the engines of version 1, all called 1."""
_DEFAULT_DEALS = ('deals.train = "ms32k-train"', 'deals.validation = "ms32k-validation"')


def present_state(document: Document) -> Document:
    """Convert a state of version 1 to version 2."""
    trainer: Document = {"solvers": document["solvers"]}
    if document.get("strategy"):
        trainer["strategy"] = document["strategy"]
    sets = [
        {"problems": host["deals"]} | {key: host[key] for key in ("inherited", "fitness", "tally")}
        for host in document["hosts"]
    ]
    kept = {
        key: value for key, value in document.items() if key not in ("solvers", "hosts", "strategy")
    }
    if kept.get("engine") == "1":
        kept["engine"] = ENGINES.get(kept.get("game", ""), "1")
    return {**kept, "trainer": trainer, "scheme": {"sets": sets} if sets else {}}


def present_names(table: Any) -> Any:
    """A job's table with the present names of its keys."""
    return {
        RENAMED.get(name, name): {RENAMED.get(key, key): value for key, value in part.items()}
        if isinstance(part, dict)
        else part
        for name, part in table.items()
    }


def older_digest(table: Any) -> str:
    """The digest that version 1 gave a job.

    Args:
        table: the job's, with present names.
    """
    since = ("nsga", "hall_of_fame")
    known = {key: value for key, value in table.items() if key not in since}
    open_ends = {**known, "generations": 1, "exports": {}}
    lines = []
    for line in changed_settings(build(Job, open_ends)):
        key, _, value = line.partition(" = ")
        key = key.replace("solvers.sigma", "solvers.creep").replace("cma.sigma", "cma.spread")
        key = key.replace("problems.sigma", "hosts.creep").replace("problems.", "hosts.")
        lines.append(f"{key} = {value}")
    kept = [line for line in lines if line not in _DEFAULT_DEALS]
    kept = ["generations = 0" if line == "generations = 1" else line for line in kept]
    return hashlib.sha256("\n".join(sorted(kept)).encode()).hexdigest()[:16]


def present_line(line: dict[str, Any]) -> dict[str, Any]:
    """A line of the log with the present names; a present line is unchanged."""
    if "hosts" not in line:
        return line
    renamed = {"problems" if key == "hosts" else key: value for key, value in line.items()}
    if renamed["problems"]:
        renamed["problems"] = {
            "distinct_problems" if key == "distinct_deals" else key: value
            for key, value in renamed["problems"].items()
        }
    return renamed
