"""Refuses keys of a job that none of its parts reads: they would change nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from gafreecell.evolution.job import PARTS, Job, JobError
from gafreecell.evolution.settings import toml_value
from gafreecell.installed import plugins


def check_idle_keys(job: Job, parts: Mapping[str, Any]) -> None:
    """Refuse keys whose values would change nothing.

    Args:
        job: the job.
        parts: its parts by their kind.

    Raises:
        JobError: naming the key, its default and what reads it.
    """
    for name, table in job.tables.items():
        usual = type(table)()
        refused = getattr(table, "refused", [spec.name for spec in fields(table)])
        for only in refused:
            key, default = f"{name}.{only}", getattr(usual, only)
            read = any(_reads(key, part) for part in parts.values())
            if read or getattr(table, only) == default:
                continue
            for kind in PARTS:
                if able := plugins.those(kind, partial(_reads, key)):
                    raise JobError.at(
                        key,
                        f": the {kind} {parts[kind].name} does not read it: drop it (or set "
                        f"{key} = {toml_value(default)}, the default), or use the {kind} "
                        f"{' or '.join(able)}",
                    )
    if job.fitness.weights and not any(part.baseline for part in parts.values()):
        measures, schemes = (
            " or ".join(plugins.those(kind, lambda part: part.baseline))
            for kind in ("measure", "scheme")
        )
        raise JobError.at(
            "fitness.weights",
            f": neither the measure {job.fitness.measure} nor the scheme {job.scheme} uses a "
            "baseline: drop them (or set fitness.weights = {}), or use the measure "
            f"{measures} or the scheme {schemes}",
        )


def _reads(key: str, part: Any) -> bool:
    """Whether a part reads a key of a table."""
    return key.partition(".")[0] in part.tables and key not in part.unread
