"""Keys of a job that nothing it has would read: they are refused, as they would change nothing.

Only parts that are built in are known not to read a key; one that is brought may read any.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

from gafreecell.job import Job, JobError
from gafreecell.settings import toml_value


class Idle(NamedTuple):
    """A key that some parts have no use for.

    Attributes:
        key: its path, or that of its table.
        kind: of the parts, ``scheme`` or ``trainer``.
        parts: names of those that do not read it.
        readers: what does, for people.
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
"""Parts that compare nothing with a baseline."""


def check_idle_keys(job: Job) -> None:
    """Refuse values of keys that would change nothing.

    Raises:
        JobError: naming the key, its default and what reads it.
    """
    for idle in IDLE:
        part = getattr(job, idle.kind)
        for key, default in _changed(job, idle.key):
            if part in idle.parts:
                raise JobError(
                    f"{key}: the {idle.kind} {part} does not read it: drop it (or set {key} = "
                    f"{toml_value(default)}, the default), or take {idle.readers}"
                )
    measure, scheme = job.fitness.measure, job.scheme
    unread = measure in WITHOUT_BASELINE["measure"] and scheme in WITHOUT_BASELINE["scheme"]
    if job.fitness.weights and unread:
        raise JobError(
            f"fitness.weights: neither the measure {measure} nor the scheme {scheme} compares with "
            "a baseline: drop them (or set fitness.weights = {}), or take the measure "
            "node-reduction or the scheme coevolution"
        )


def _changed(job: Job, key: str) -> Iterator[tuple[str, Any]]:
    """Those of a key, or of a table's keys, that have another value than the default, and that."""
    name, _, only = key.partition(".")
    table = getattr(job, name)
    default = type(table)()
    for spec in fields(table):
        usual = getattr(default, spec.name)
        if only in ("", spec.name) and getattr(table, spec.name) != usual:
            yield f"{name}.{spec.name}", usual
