"""Runs in groups: those of one job, which differ in nothing but the seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from deals.errors import BadInput
from gafreecell.game import full_title
from gafreecell.job import Job
from gafreecell.record import Run
from gafreecell.settings import as_table

SHOWN = 3
"""Settings that a group's name tells it apart by, at most."""


class GroupError(BadInput):
    """Runs that cannot be compared; the message names them."""


@dataclass(frozen=True)
class Group:
    """Runs of one job.

    Attributes:
        name: the job's, with what tells it from other groups' jobs of that name.
        runs: by ascending seed.
    """

    name: str
    runs: tuple[Run, ...]

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of its runs."""
        return tuple(run.job.seed for run in self.runs)


def grouped(runs: Sequence[Run]) -> list[Group]:
    """The runs in groups of one job each, in the order in which jobs first come.

    Jobs are the same if they differ in nothing but name, seed, and what is read from the run
    (exports, hall of fame).

    Raises:
        GroupError: if runs are of different games, or two are of one job with one seed.
    """
    first = runs[0]
    for run in runs:
        if _game(run.job) != _game(first.job):
            raise GroupError(
                f"{first.folder} is a run of {_game_text(first.job)}, {run.folder} of "
                f"{_game_text(run.job)}: compare runs of one game"
            )
    by_job: dict[str, list[Run]] = {}
    for run in runs:
        by_job.setdefault(repr(_settings(run.job)), []).append(run)
    for same in by_job.values():
        same.sort(key=lambda run: run.job.seed)
        for one, other in pairwise(same):
            if one.job.seed == other.job.seed:
                raise GroupError(
                    f"{one.folder} and {other.folder} are runs of one job with one seed, "
                    f"{one.job.seed}, so they are the same: name one of them"
                )
    names = _names([same[0].job for same in by_job.values()])
    return [Group(name, tuple(same)) for name, same in zip(names, by_job.values(), strict=True)]


def _game(job: Job) -> tuple[str, dict[str, Any]]:
    return job.game, dict(job.load_game().variant)


def _game_text(job: Job) -> str:
    return full_title(job.load_game())


def _settings(job: Job) -> dict[str, Any]:
    """All that shapes a job's runs but for the seed, by key."""
    return dict(_flat(as_table(replace(job, seed=0, name="", exports={}, hall_of_fame=1))))


def _flat(table: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in sorted(table.items()):
        if isinstance(value, Mapping):
            yield from _flat(value, f"{where}{key}.")
        else:
            yield f"{where}{key}", value


def _names(jobs: Sequence[Job]) -> list[str]:
    """What to call groups of jobs: the job's name, and settings where that is not enough."""
    stems = [re.sub(rf"[-_.]?s?{job.seed}$", "", job.name) or job.name for job in jobs]
    settings, names = [_settings(job) for job in jobs], []
    for mine, stem in zip(settings, stems, strict=True):
        alike = [one for one, called in zip(settings, stems, strict=True) if called == stem]
        keys = [key for key in mine if any(one.get(key) != mine[key] for one in alike)]
        told = [f"{key}={_short(mine[key])}" for key in keys[:SHOWN]]
        told += ["..."] * (len(keys) > SHOWN)
        names.append(f"{stem} ({', '.join(told)})" if told else stem)
    return names


def _short(value: Any) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text if len(text) <= 30 else f"{text[:27]}..."
