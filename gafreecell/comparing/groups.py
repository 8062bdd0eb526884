"""Groups of runs of one job, which differ only in the seed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from deals.errors import BadInput
from gafreecell.evolution.job import Job
from gafreecell.runs.record import Run
from gafreecell.solitaire.game import full_title
from gafreecell.solving.settings import as_table, flat

SHOWN = 3
"""Settings in a group's name; more if they are needed to tell it from the others."""
CHIEF = ("scheme", "trainer", "fitness.measure")
"""Settings that come first in names."""


class GroupError(BadInput):
    """Runs that cannot be compared; the message names them."""


@dataclass(frozen=True)
class Group:
    """Runs of one job.

    Attributes:
        name: the job's name, with settings that tell it from other groups' jobs of that name.
            It is unique among the groups compared.
        runs: by ascending seed.
    """

    name: str
    runs: tuple[Run, ...]

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of its runs."""
        return tuple(run.job.seed for run in self.runs)


def grouped(runs: Sequence[Run]) -> list[Group]:
    """Group runs by job, in the order in which jobs first occur.

    Two jobs are the same if they differ only in name, seed, and what is read from the run or kept
    besides (exports, hall of fame, individuals).

    Raises:
        GroupError: if runs are of different games, or two runs have the same job and seed.
    """
    check_games(runs)
    return by_job(runs)


def check_games(runs: Sequence[Run]) -> None:
    """Raise ``GroupError`` if runs are of different games."""
    first, *others = runs
    game = first.job.load_game()
    for run in others:
        other = run.job.load_game()
        if (other.name, dict(other.variant)) != (game.name, dict(game.variant)):
            raise GroupError(
                f"{first.folder} is a run of {full_title(game)}, {run.folder} of "
                f"{full_title(other)}: compare runs of one game"
            )


def by_job(runs: Sequence[Run]) -> list[Group]:
    """Group runs by job without checking that they can be compared: games may differ.

    Raises:
        GroupError: if two runs have the same job and seed.
    """
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(repr(_settings(run.job)), []).append(run)
    for same in found.values():
        same.sort(key=lambda run: run.job.seed)
        # Counted as two observations, they would make intervals too narrow.
        for one, other in pairwise(same):
            if one.job.seed == other.job.seed:
                raise GroupError(
                    f"{one.folder} and {other.folder} are runs of one job with one seed, "
                    f"{one.job.seed}, so they are the same: leave one of them out"
                )
    names = _names([same[0].job for same in found.values()])
    return [Group(name, tuple(same)) for name, same in zip(names, found.values(), strict=True)]


def _settings(job: Job) -> dict[str, Any]:
    """All settings that shape a job's runs, except the seed, by key."""
    plain = replace(job, seed=0, name="", exports={}, hall_of_fame=1, individuals=False)
    return dict(sorted(flat(as_table(plain))))


def _names(jobs: Sequence[Job]) -> list[str]:
    """Unique names for groups of jobs: the job's name, with settings if needed."""
    # A bare number behind a point may be a setting's, as in ``sigma-0.1``.
    stems = [re.sub(rf"([-_.]?s|[-_]){job.seed}$", "", job.name) or job.name for job in jobs]
    settings, names = [_settings(job) for job in jobs], []
    for mine, stem in zip(settings, stems, strict=True):
        every = zip(settings, stems, strict=True)
        others = [one for one, called in every if called == stem and one is not mine]
        told = _told_apart(mine, others)
        names.append(f"{stem} ({', '.join(told)})" if told else stem)
    # Long values are cut, so two names can be equal although their values differ.
    alike, met = Counter(names), Counter[str]()
    for place, name in enumerate(names):
        if alike[name] > 1:
            met[name] += 1
            names[place] = f"{name} #{met[name]}"
    assert len(set(names)) == len(names)
    return names


def _told_apart(mine: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> list[str]:
    """The settings that tell a job from each of the others, as written in names."""
    differing = {key for one in others for key in {*mine, *one} if mine.get(key) != one.get(key)}
    keys = sorted(differing, key=lambda key: (_rank(key), key not in mine, key))
    shown, left = set(), list(others)
    for key in keys:
        still = [one for one in left if _told(one, key) == _told(mine, key)]
        if len(still) < len(left):
            shown.add(key)
            left = still
    further = [key for key in keys if key in mine and key not in shown]
    shown.update(further[: max(SHOWN - len(shown), 0)])
    told = [_told(mine, key) for key in keys if key in shown]
    return told + ["..."] * (len(shown) < len(keys))


def _rank(key: str) -> int:
    return CHIEF.index(key) if key in CHIEF else len(CHIEF)


def _told(settings: Mapping[str, Any], key: str) -> str:
    """A setting as written in names; jobs may lack keys of tables such as weights."""
    return f"{key}={_short(settings[key])}" if key in settings else f"no {key}"


def _short(value: Any) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text if len(text) <= 30 else f"{text[:27]}..."
