"""Jobs: what an evolution is to do, read from TOML and checked at the door.

docs/jobs.md describes every key; ``runs/*.toml`` are examples.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import partial
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from deals.errors import BadInput
from gafreecell.game import Game, GameError, game
from gafreecell.populations import SELECTIONS, Rates
from solving.files import read_text
from solving.outcome import Limits, Search

TRAINERS = ("genetic", "nsga-ii", "cma-es", "random")
SCHEMES = ("coevolution", "fixed", "resampled")
MEASURES = ("node-reduction", "log-nodes")
RANKINGS = ("mean-nodes", "log-nodes")
ENCOUNTERS = ("own", "shared")


LARGEST_POOL = 1_000_000
Result = TypeVar("Result")


class JobError(BadInput):
    """A job that cannot be run; the message names the key, the value and what is allowed."""


@dataclass(frozen=True)
class Trained:
    """What is trained, and inside which search.

    Attributes:
        features: names of the features that are weighed; the game's usual ones by default.
        search: name of the search.
        parameters: of the search; the search's defaults where a key is absent.
        nodes: node budget of each deal.
        solve_nodes: the node budget that the weights file carries; 0 for ``nodes``.
    """

    search: str
    features: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    nodes: int = 2_000_000
    solve_nodes: int = 0


@dataclass(frozen=True)
class Measure:
    """How outcomes become a solver's fitness.

    Attributes:
        measure: ``node-reduction`` is the paper's; ``log-nodes`` falls with the
            mean logarithm of nodes, which keeps telling good solvers apart.
        baseline: preset that node reduction is measured against; by default the
            features' baseline weights in the trained search itself.
        failure: ``log-nodes``: how many times the budget a failure counts.
        length: ``log-nodes``: weight of the mean solution length, a hundred
            moves counting as 1.
        expansion: ``log-nodes``: nodes that an expanded state counts besides:
            the time a search needs is not all in the states it generates.
        exponent: ``log-nodes``: of the power mean over the deals, before the
            logarithm is taken; 0 for the mean logarithm, 1 for the mean, which
            the hardest deals rule.
    """

    measure: str = "node-reduction"
    baseline: str = ""
    failure: float = 20.0
    length: float = 0.0
    expansion: float = 0.0
    exponent: float = 0.0


@dataclass(frozen=True)
class Hosts(Rates):
    """The population of deal sets.

    Attributes:
        deals: deals of a host.
        every: solver generations between two generations of hosts.
        meetings: hosts that a solver meets in a generation.
        encounters: ``own`` draws each solver's hosts by itself (the paper's);
            ``shared`` lets all solvers of a generation meet the same ones.
        penalty: nodes that a deal counts in its host's fitness when every
            solver that met it failed; 1000M in the paper.
    """

    deals: int = 6
    every: int = 5
    meetings: int = 2
    encounters: str = "own"
    penalty: int = 1_000_000_000


@dataclass(frozen=True)
class Sample:
    """The single population's deals: how many, for the schemes without hosts."""

    deals: int = 10


@dataclass(frozen=True)
class Pools:
    """Deal sets by name or range.

    Attributes:
        train: the deals fitness is measured on.
        validation: the deals that choose a run's best weights.
    """

    train: str = "ms32k-train"
    validation: str = "ms32k-validation"


@dataclass(frozen=True)
class Validation:
    """How a generation's best solver is compared with the best so far.

    Attributes:
        ranking: ``mean-nodes``, which the few hardest deals rule, or ``log-nodes``.
        nodes: node budget of each deal; 0 for the trained one.
        failure: how many times the budget a failure counts.
        length, expansion, exponent: ``log-nodes``: as in ``Measure``.
    """

    ranking: str = "mean-nodes"
    nodes: int = 0
    failure: float = 20.0
    length: float = 0.0
    expansion: float = 0.0
    exponent: float = 0.0


@dataclass(frozen=True)
class Cma:
    """CMA-ES: the population's size is that of the solvers.

    Attributes:
        spread: its first standard deviation, as a share of each weight's range.
        start: the weights it starts around; the middle of its range for a
            feature that is not named.
    """

    spread: float = 0.3
    start: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Export:
    """Another search that the run's weights are written for, besides the one they evolve in.

    Attributes:
        search: name of the search.
        parameters: of the search; the search's defaults where a key is absent.
        nodes: node budget that the weights file carries.
        memory: bytes that a deal may take.
    """

    search: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    nodes: int = Limits.nodes
    memory: int = Limits.memory


@dataclass(frozen=True)
class Job:
    """An evolution to run.

    Attributes:
        name: of the run; its default folder is named after it.
        generations: solver generations in all.
        seed: of every random number.
        scheme: ``coevolution``, or one population on ``fixed`` or ``resampled`` deals.
        trainer: what the next solvers are made by: ``genetic`` operators,
            ``nsga-ii`` for the trade-off of nodes and length, ``cma-es``, or drawn
            at ``random``, which is what the others are worth being compared with.
        exports: by name, further weights files to write.
    """

    name: str
    generations: int
    trained: Trained
    game: str = "freecell"
    variant: Mapping[str, int] = field(default_factory=dict)
    seed: int = 1
    scheme: str = "coevolution"
    trainer: str = "genetic"
    solvers: Rates = Rates()
    hosts: Hosts = Hosts()
    sample: Sample = Sample()
    cma: Cma = field(default_factory=Cma)
    fitness: Measure = Measure()
    deals: Pools = Pools()
    validation: Validation = Validation()
    exports: Mapping[str, Export] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A hash of all that shapes the run; the total of generations and exports do not.

        Of keys that have a default, only those with another value count: a later
        version's new keys leave the hashes of older runs as they are.
        """
        lines = sorted(_settings(replace(self, generations=0, exports={})))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    @property
    def search(self) -> Search:
        """The trained search with its parameters."""
        return Search(self.trained.search, self.trained.parameters)

    @property
    def limits(self) -> Limits:
        """The limits of each deal."""
        return Limits(nodes=self.trained.nodes)

    def load_game(self) -> Game:
        """The game in its variant."""
        return game(self.game).vary(**self.variant)

    def validation_limits(self) -> Limits:
        """The limits of each validation deal."""
        return Limits(nodes=self.validation.nodes or self.trained.nodes)


def _settings(table: Any, where: str = "") -> Iterator[str]:
    """A line for each key whose value is not its default."""
    for spec in fields(table):
        value = getattr(table, spec.name)
        if hasattr(value, "__dataclass_fields__"):
            yield from _settings(value, f"{where}{spec.name}.")
        elif value != (spec.default_factory() if callable(spec.default_factory) else spec.default):
            if isinstance(value, Mapping):
                value = dict(sorted(value.items()))
            yield f"{where}{spec.name} = {_toml(value)}"


_WORDS: dict[type, str] = {
    int: "a whole number",
    float: "a number",
    str: "text",
    tuple: "a list of names",
    dict: "a table",
}
_CHOICES = {
    "trainer": TRAINERS,
    "scheme": SCHEMES,
    "measure": MEASURES,
    "ranking": RANKINGS,
    "encounters": ENCOUNTERS,
    "selection": SELECTIONS,
}
_RANGES: dict[str, tuple[float, float]] = {
    "generations": (1, 1_000_000),
    "seed": (0, 2**63 - 1),
    "population": (2, 100_000),
    "reproduction": (0, 1),
    "crossover": (0, 1),
    "mutation": (0, 1),
    "gene_mutation": (0, 1),
    "creep": (0, 10),
    "elite": (0, 1000),
    "tournament": (1, 1000),
    "deals": (1, 100_000),
    "every": (1, 1_000_000),
    "meetings": (1, 1000),
    "penalty": (1, 10**15),
    "failure": (1, 10**9),
    "length": (0, 1000),
    "expansion": (0, 1000),
    "exponent": (0, 4),
    "spread": (1e-6, 10),
    "solve_nodes": (0, 10**12),
    "memory": (1_000_000, 10**15),
}
_NODES_RANGE = {"validation": (0, 10**12)}
_POSITIVE = (1, 10**12)


def read_job(path: str | os.PathLike[str]) -> Job:
    """Read and check a job file.

    Raises:
        JobError: naming the file, the key, the value and what is allowed.
    """
    text = read_text(path, "a job file (TOML)", JobError)
    return parse_job(text, str(path))


def parse_job(text: str, name: str) -> Job:
    """Read and check a job's text; ``name`` is what messages call it.

    Raises:
        JobError: naming the line or key, the value and what is allowed.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise JobError(f"{name}: not TOML: {error}") from None
    try:
        return _from_table(table)
    except JobError as error:
        line = _line_of(text, str(error))
        raise JobError(f"{name}{f', line {line}' if line else ''}: {error}") from None


def _from_table(table: Mapping[str, Any]) -> Job:
    try:
        job: Job = _build(Job, table, "")
        _check(job)
    except (GameError, ValueError) as error:
        raise JobError(str(error)) from None
    return job


def _build(kind: type[Any], table: Mapping[str, Any], where: str) -> Any:
    """A frozen dataclass from a table, every key checked."""
    hints = get_type_hints(kind)
    known = {f.name: f for f in fields(kind)}
    for key in table:
        if key not in known:
            raise JobError(
                f"{where}{key} is not a key of a job; "
                f"{f'[{where[:-1]}]' if where else 'the top level'} has {', '.join(known)}"
            )
    values = {}
    for key, spec in known.items():
        if key in table:
            values[key] = _value(hints[key], table[key], f"{where}{key}", key, where[:-1])
        elif spec.default is MISSING and spec.default_factory is MISSING:
            raise JobError(f"{where}{key} is missing: a job must give it")
    return kind(**values)


def _value(hint: Any, given: Any, path: str, key: str, section: str) -> Any:
    origin = get_origin(hint) or hint
    if origin in (Union, UnionType):
        origin = get_args(hint)[0]
    if hasattr(origin, "__dataclass_fields__"):
        if not isinstance(given, dict):
            raise JobError(f"{path} must be a table, got {given!r}")
        return _build(origin, given, f"{path}.")
    if origin is tuple:
        if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
            raise JobError(f"{path} must be a list of names, got {given!r}")
        return tuple(given)
    if isinstance(hint, type) is False and origin not in (int, float, str):
        if not isinstance(given, dict):
            raise JobError(f"{path} must be a table, got {given!r}")
        kind = get_args(hint)[-1]
        if not hasattr(kind, "__dataclass_fields__"):
            return dict(given)
        return {
            name: _value(kind, part, f"{path}.{name}", name, path) for name, part in given.items()
        }
    if origin is float and isinstance(given, int) and not isinstance(given, bool):
        given = float(given)
    if not isinstance(given, origin) or isinstance(given, bool):
        raise JobError(f"{path} must be {_WORDS[origin]}, got {given!r}")
    if origin is str:
        if key in _CHOICES and given not in _CHOICES[key]:
            raise JobError(f"{path} must be {' or '.join(_CHOICES[key])}, got {given!r}")
        return given
    low, high = _NODES_RANGE.get(section, _POSITIVE) if key == "nodes" else _RANGES[key]
    if not low <= given <= high:
        raise JobError(f"{path} must be {_number(low)} to {_number(high)}, got {given!r}")
    return given


def _check(job: Job) -> None:
    """What only the whole job shows: names of the game, sums, sizes."""
    if not job.name or not all(c.isalnum() or c in "-_." for c in job.name):
        raise JobError(f"name must be letters, digits, '-', '_' or '.', got {job.name!r}")
    chosen = _about("game", lambda: game(job.game))
    chosen = _about("variant", lambda: chosen.vary(**job.variant))
    names = [feature.name for feature in chosen.features]
    for name in job.trained.features:
        if name not in names:
            raise JobError(f"trained.features: {name!r} is not one of {', '.join(names)}")
    if len(set(job.trained.features)) < len(job.trained.features):
        raise JobError("trained.features names a feature twice")
    if job.trained.search not in chosen.searches:
        raise JobError(
            f"trained.search: there is no search {job.trained.search!r}; "
            f"there are {', '.join(chosen.searches)}"
        )
    features = job.trained.features or chosen.default_features
    by_name = {feature.name: feature for feature in chosen.features}
    for name, weight in job.cma.start.items():
        if name not in features:
            raise JobError(f"cma.start: {name!r} is not one of the trained {', '.join(features)}")
        low, high = by_name[name].low, by_name[name].high
        if type(weight) not in (int, float) or not low <= weight <= high:
            raise JobError(f"cma.start: {name} must be {low:g} to {high:g}, got {weight!r}")
    _about("trained.parameters", lambda: chosen.check(job.search, features))
    for name, export in job.exports.items():
        where = f"exports.{name}"
        if not name or not all(c.isalnum() or c in "-_" for c in name) or name == "best":
            raise JobError(
                f"{where}: a name is made of letters, digits, '-' and '_', and not 'best'"
            )
        _about(where, partial(chosen.check, Search(export.search, export.parameters), features))
    if job.fitness.baseline:
        _about("fitness.baseline", lambda: chosen.preset(job.fitness.baseline))
    for label, rates in (("solvers", job.solvers), ("hosts", job.hosts)):
        total = rates.reproduction + rates.crossover + rates.mutation
        if abs(total - 1) > 1e-9:
            raise JobError(
                f"{label}: reproduction, crossover and mutation must sum to 1, got {total:g}"
            )
        if rates.elite >= rates.population:
            raise JobError(f"{label}.elite must be less than the population, got {rates.elite}")
    if job.trainer == "nsga-ii" and job.fitness.measure != "log-nodes":
        raise JobError('fitness.measure must be "log-nodes" for the trainer nsga-ii')
    if job.scheme == "coevolution" and job.hosts.meetings > job.hosts.population:
        raise JobError(f"hosts.meetings must be at most hosts.population, got {job.hosts.meetings}")
    pool = training_pool(job, chosen)
    needed = job.hosts.deals if job.scheme == "coevolution" else job.sample.deals
    if len(pool) < needed:
        raise JobError(
            f"deals.train holds {len(pool)} deals, fewer than the {needed} of one sample"
        )
    validation_pool(job, chosen)


def _about(key: str, look: Callable[[], Result]) -> Result:
    """What a look at the game gives; its complaint names the job's key."""
    try:
        return look()
    except BadInput as error:
        raise JobError(f"{key}: {error}") from None


def revise(job: Job, **changes: Any) -> Job:
    """The job with some of its top-level keys changed, checked again.

    Raises:
        JobError: if a value is out of range.
    """
    return _from_table(tomllib.loads(job_text(replace(job, **changes))))


def training_pool(job: Job, chosen: Game) -> tuple[int, ...]:
    """The training deals, without those known to be unsolvable."""
    return _pool(job.deals.train, chosen, "deals.train")


def validation_pool(job: Job, chosen: Game) -> tuple[int, ...]:
    """The validation deals, without those known to be unsolvable."""
    return _pool(job.deals.validation, chosen, "deals.validation")


def _pool(name: str, chosen: Game, key: str) -> tuple[int, ...]:
    try:
        deals = chosen.deal_set(name)
    except ValueError as error:
        raise JobError(f"{key}: {error}") from None
    if len(deals) > LARGEST_POOL:
        raise JobError(f"{key}: {name!r} holds {len(deals):,} deals, more than {LARGEST_POOL:,}")
    pool = tuple(deal for deal in deals if deal not in chosen.unsolvable())
    if not pool:
        raise JobError(f"{key}: {name!r} holds no deal that can be solved")
    return pool


def _line_of(text: str, message: str) -> int:
    """The line of the key that a message is about, 0 if it cannot be told."""
    path = message.split(" ", 1)[0].rstrip(":")
    section, _, key = path.rpartition(".")
    current = ""
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("[") and stripped.endswith("]"):
            current = stripped.strip("[] ")
            if f"{current}" == path:
                return number
        elif current == section and stripped.partition("=")[0].strip() == key:
            return number
    return 0


def job_text(job: Job) -> str:
    """The job as TOML with every key written out; ``parse_job`` reads it back the same."""
    lines: list[str] = []
    tables: list[tuple[str, Any]] = []
    for spec in fields(job):
        value = getattr(job, spec.name)
        if spec.name == "exports":
            tables += [(f"exports.{name}", part) for name, part in value.items()]
        elif hasattr(value, "__dataclass_fields__"):
            tables.append((spec.name, value))
        else:
            lines.append(f"{spec.name} = {_toml(value)}")
    for name, table in tables:
        lines += ["", f"[{name}]"]
        lines += [f"{spec.name} = {_toml(getattr(table, spec.name))}" for spec in fields(table)]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    # JSON's text is TOML's, but for the one control character that JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _number(bound: float) -> str:
    return f"{bound:,}" if isinstance(bound, int) else f"{bound:g}"
