"""Plans of studies: jobs, settings and seeds, as one table that is read from TOML or a mapping.

docs/train/studies.md describes every key.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated, Any

from deals.checks import shown
from deals.errors import BadInput
from deals.words import plural
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.job_reading import (
    KeyLines,
    job_from,
    make_job,
    parse_toml,
    table_with_phases,
)
from gafreecell.solving.files import read_text
from gafreecell.solving.settings import (
    Between,
    OneOf,
    SettingError,
    as_table,
    build,
    flat,
    merged,
    nested,
    toml_tables,
    toml_value,
)

_SEEDS = re.compile(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?")
GIVEN = ("name", "seed")
"""Keys of a job that the study gives to each run."""
MOST_RUNS = 100_000
"""Runs of a study, at most: more would be a slip of the pen."""


class PlanError(SettingError):
    """A study that cannot be planned; the message names the key, the value and what is allowed."""


@dataclass(frozen=True)
class Test:
    """How the weights of the runs are measured, unless a command says otherwise.

    Attributes:
        deals: the deals; by default some that no run trained or validated on.
        nodes: node budget of each deal; 0 for the runs' own.
        submit: which weights of a run: ``champion``, the best on its validation deals, or
            ``last``, the candidate of its last generation.
    """

    deals: str = ""
    nodes: Annotated[int, Between(0, 10**12)] = 0
    submit: Annotated[str, OneOf(("champion", "last"))] = "champion"


@dataclass(frozen=True)
class Arm:
    """Runs of a study that differ only in the seed.

    Attributes:
        name: unique in the study.
        job: the job, with the first seed.
        told: what distinguishes it from the other arms: ``job``, ``setting``, and the values of the
            swept keys.
    """

    name: str
    job: Job
    told: Mapping[str, Any]

    @property
    def word(self) -> str:
        """Its name as folders of runs have it."""
        return _word(self.name)


@dataclass(frozen=True)
class Plan:
    """What a study is to run: every job with every setting and every seed.

    Attributes:
        name: the study's name. Its folder is ``out/<name>`` unless ``--out`` says otherwise.
        jobs: the jobs by name, each with the keys of a job file; or a list of paths of job files,
            relative to the study's own.
        seeds: the seeds: ``"1-10"``, ``"1-5, 8"``, or a list of numbers.
        common: keys that all runs change in their jobs.
        settings: by name, keys that a setting changes, ``{"fresh": {"scheme": "resampled"}}``.
        sweep: by dotted key, the values that it takes in turn, ``{"cma.sigma": [0.1, 0.3]}``;
            with several keys every combination.
        test: how the weights of the runs are measured.
    """

    name: str
    jobs: Mapping[str, Any]
    seeds: str = "1-10"
    common: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    sweep: Mapping[str, Any] = field(default_factory=dict)
    test: Test = Test()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The seeds in their order, each once."""
        return tuple(dict.fromkeys(_numbers(self.seeds)))

    @property
    def text(self) -> str:
        """The plan as TOML, the jobs included."""
        return toml_tables(as_table(self))

    @cached_property
    def arms(self) -> tuple[Arm, ...]:
        """The arms, each with its checked job.

        Raises:
            PlanError: naming the arm and what is wrong with its job.
        """
        found = []
        for told, changes in self._combined():
            parts = [str(told[key]) for key in ("job", "setting") if key in told]
            parts += [f"{key}={_short(value)}" for key, value in told.items() if key in self.sweep]
            name = ", ".join(parts) or self.name
            table = self.jobs[told["job"]] if "job" in told else next(iter(self.jobs.values()))
            about = {"name": _word(name), "seed": self.numbers[0]}
            try:
                job = make_job(merged(merged(table, changes), about))
            except BadInput as error:
                where = f"the job of {name!r}" if parts else "its job"
                raise PlanError(f"{where}: {error}") from None
            found.append(Arm(name, job, told))
        _check_distinct(found)
        return tuple(found)

    def _combined(self) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """What tells each arm apart, and what it changes in its job."""
        jobs = list(self.jobs) if len(self.jobs) > 1 else [""]
        steps = [[(key, value) for value in values] for key, values in self.sweep.items()]
        for job, setting, point in product(jobs, self.settings or [""], [*product(*steps)]):
            told: dict[str, Any] = {"job": job} if job else {}
            changes = dict(self.common)
            if setting:
                told["setting"] = setting
                changes = merged(changes, self.settings[setting])
            for key, value in point:
                told[key] = value
                changes = merged(changes, nested(key, value))
            yield told, changes


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read and check the plan of a study.

    Args:
        path: of the TOML file.

    Raises:
        PlanError: naming the file, the key, the value and what is allowed.
    """
    text = read_text(path, "the plan of a study (TOML)", PlanError)
    try:
        table = parse_toml(text, str(path))
    except JobError as error:
        raise PlanError(str(error)) from None
    try:
        return _made(table, Path(path).parent)
    except BadInput as error:
        line = KeyLines(text, table).line_of(getattr(error, "key", ""))
        where = f", line {line}" if line else ""
        raise PlanError(f"{path}{where}: {error}") from None


def make_plan(given: Plan | Mapping[str, Any] | str | os.PathLike[str]) -> Plan:
    """A checked plan from a plan, a mapping of its keys, or the path of a file.

    Raises:
        PlanError: naming the key, the value and what is allowed.
    """
    if isinstance(given, str | os.PathLike):
        return read_plan(given)
    if not isinstance(given, Plan | Mapping):
        raise PlanError(
            "a study must be a gafreecell.Plan, a mapping or the path of a file, got "
            f"{shown(given)}"
        )
    try:
        return _made(as_table(given) if isinstance(given, Plan) else given, Path())
    except BadInput as error:
        raise PlanError(str(error), getattr(error, "key", "")) from None


def with_seeds(plan: Plan, seeds: str) -> Plan:
    """A plan with other seeds.

    Raises:
        PlanError: if they are no seeds.
    """
    _numbers(seeds)
    return replace(plan, seeds=seeds)


def _made(table: Mapping[str, Any], folder: Path) -> Plan:
    given = dict(table)
    given["jobs"] = _jobs(given.get("jobs"), folder)
    seeds = given.get("seeds", Plan.seeds)
    if isinstance(seeds, list | tuple | range) and all(type(one) is int for one in seeds):
        given["seeds"] = ", ".join(map(str, seeds))
    plan = build(Plan, given)
    if not re.fullmatch(r"\w[\w.-]*", plan.name):
        raise PlanError.at(
            "name", f" must be letters, digits, '-', '_' or '.', got {shown(plan.name)}"
        )
    for name, changes in plan.settings.items():
        if not isinstance(changes, Mapping):
            raise PlanError.at(
                f"settings.{name}", f" must be a table of keys of a job, got {shown(changes)}"
            )
    # TOML takes the dots of a bare key for tables.
    plan = replace(plan, sweep=dict(flat(plan.sweep)))
    for key, values in plan.sweep.items():
        if not isinstance(values, list | tuple) or not values:
            raise PlanError.at(
                f"sweep.{key}", f" must be a list of the values it takes, got {shown(values)}"
            )
    for where, key in _given(plan):
        raise PlanError.at(
            where, f" sets {key}, which the study gives to each of its runs: leave it out"
        )
    several = (len(plan.settings) or 1, *map(len, plan.sweep.values()))
    if len(plan.jobs) * prod(several) * len(plan.numbers) > MOST_RUNS:
        raise PlanError(f"this study has more than {plural(MOST_RUNS, 'run')}: sweep less")
    assert plan.arms
    return plan


def _given(plan: Plan) -> Iterator[tuple[str, str]]:
    """Where the plan sets what the study itself gives to its runs."""
    tables = {"common": plan.common, "sweep": plan.sweep}
    tables |= {f"settings.{name}": changes for name, changes in plan.settings.items()}
    yield from ((where, key) for where, table in tables.items() for key in GIVEN if key in table)


def _check_distinct(arms: Iterable[Arm]) -> None:
    """Refuse arms whose runs would be the same, or would share folders."""
    jobs: dict[Any, Arm] = {}
    folders: dict[str, Arm] = {}
    for arm in arms:
        shaping = replace(arm.job, name="", exports={}, hall_of_fame=1, individuals=False)
        if (other := jobs.setdefault(_frozen(as_table(shaping)), arm)) is not arm:
            raise PlanError(
                f"{other.name!r} and {arm.name!r} are the same job, so their runs would be the "
                "same: leave one of them out"
            )
        # Some file systems take capitals for small letters.
        if (other := folders.setdefault(arm.word.casefold(), arm)) is not arm:
            raise PlanError(
                f"{other.name!r} and {arm.name!r} would have the same folders, {arm.word}-s...: "
                "name one of them differently"
            )


def _frozen(value: Any) -> Any:
    """A value of a table as one that can be looked up; 1 and 1.0 are the same."""
    if isinstance(value, Mapping):
        # Phases have an order.
        return tuple((key, _frozen(one)) for key, one in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _jobs(given: Any, folder: Path) -> dict[str, Any]:
    """The tables of the jobs by name, from a table of them or a list of files."""
    if isinstance(given, str | os.PathLike | Job):
        given = [given]
    if isinstance(given, Mapping):
        named = dict(given)
    elif isinstance(given, Sequence):
        named = {}
        for one in given:
            if not isinstance(one, str | os.PathLike | Job):
                raise PlanError.at("jobs", f" must be paths of job files, got {shown(one)}")
            name = one.name if isinstance(one, Job) else Path(one).stem
            if name in named:
                raise PlanError.at("jobs", f" has two jobs called {name!r}: give a table of them")
            named[name] = one
    else:
        raise PlanError.at(
            "jobs", ' must be a list of job files, jobs = ["a.toml"], or tables [jobs.NAME]'
        )
    if not named:
        raise PlanError.at("jobs", " must name a job at least")
    return {name: _table_of(name, one, folder) for name, one in named.items()}


def _table_of(name: str, given: Any, folder: Path) -> dict[str, Any]:
    """A job's table, with the files that it names read."""
    if isinstance(given, Job):
        return as_table(given)
    if isinstance(given, str | os.PathLike):
        return job_from(folder / given)
    if not isinstance(given, Mapping):
        raise PlanError.at(f"jobs.{name}", f" must be a path or a table, got {shown(given)}")
    return table_with_phases({"name": name, **given}, folder)


def _numbers(seeds: str) -> list[int]:
    """The seeds that a text names."""
    found: list[int] = []
    for word in seeds.split(","):
        match = _SEEDS.fullmatch(word)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not 0 <= first <= last < 2**63 or last - first >= MOST_RUNS:
            raise PlanError.at(
                "seeds", f' must be numbers and ranges, as in "1-10" or "1-5, 8", got {seeds!r}'
            )
        found += range(first, last + 1)
    return found


def _word(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "arm"


def _short(value: Any) -> str:
    return value if isinstance(value, str) else toml_value(value)
