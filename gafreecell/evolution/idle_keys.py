"""Refuses keys of a job that none of its parts reads: they would change nothing.

This is known only of built-in parts; a plug-in may read any key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.settings import toml_value


class Idle(NamedTuple):
    """A key that some parts do not read.

    Attributes:
        key: its path, or its table's.
        kind: the kind of these parts, ``scheme`` or ``trainer``.
        parts: the names of the parts that do not read it.
        readers: what reads it, for people.
    """

    key: str
    kind: str
    parts: tuple[str, ...]
    readers: str


SAMPLED = "the scheme resampled or informative"
IDLE = (
    Idle("sample.growth", "scheme", ("coevolution",), SAMPLED),
    Idle("sample.agreement", "scheme", ("coevolution",), SAMPLED),
    Idle(
        "problems.virulence",
        "scheme",
        ("fixed", "resampled", "informative"),
        "the scheme coevolution",
    ),
    Idle("informative", "scheme", ("coevolution", "fixed", "resampled"), "the scheme informative"),
    Idle("cma.scale", "trainer", ("genetic", "nsga-ii", "random"), "the trainer cma-es"),
)
WITHOUT_BASELINE = {
    "scheme": ("fixed", "resampled", "informative"),
    "measure": ("log-nodes", "cost-per-solved", "relative"),
}
"""Parts that do not use a baseline."""


def check_idle_keys(job: Job) -> None:
    """Refuse keys whose values would change nothing.

    Raises:
        JobError: naming the key, its default and what reads it.
    """
    for idle in IDLE:
        part = getattr(job, idle.kind)
        for key, default in _changed(job, idle.key):
            if part in idle.parts:
                raise JobError.at(
                    key,
                    f": the {idle.kind} {part} does not read it: drop it (or set {key} = "
                    f"{toml_value(default)}, the default), or use {idle.readers}",
                )
    measure, scheme = job.fitness.measure, job.scheme
    unread = measure in WITHOUT_BASELINE["measure"] and scheme in WITHOUT_BASELINE["scheme"]
    if job.fitness.weights and unread:
        raise JobError.at(
            "fitness.weights",
            f": neither the measure {measure} nor the scheme {scheme} uses a "
            "baseline: drop them (or set fitness.weights = {}), or use the measure "
            "node-reduction or the scheme coevolution",
        )


def _changed(job: Job, key: str) -> Iterator[tuple[str, Any]]:
    """A key, or a table's keys, if the value is not the default; each with its default."""
    name, _, only = key.partition(".")
    table = getattr(job, name)
    default = type(table)()
    for spec in fields(table):
        usual = getattr(default, spec.name)
        if only in ("", spec.name) and getattr(table, spec.name) != usual:
            yield f"{name}.{spec.name}", usual
