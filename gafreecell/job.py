"""Jobs: what an evolution is to do, read from TOML or made in Python, checked at the door.

docs/jobs.md describes every key; ``runs/*.toml`` are examples.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from typing import Annotated, Any, TypeVar, get_type_hints

from deals.errors import BadInput
from gafreecell import plugins
from gafreecell.game import DEFAULT, Game, HasPresets, Problem, able, game
from gafreecell.populations import Rates
from gafreecell.settings import (
    Between,
    OneOf,
    as_table,
    build,
    changed_settings,
    merged,
    toml_text,
    toml_value,
)
from solving.files import read_text
from solving.outcome import Limits, Search
from solving.parameters import read_parameters

NODES = Between(1, 10**12)
OWN_NODES = Between(0, 10**12)
FAILURE, CHARGE, EXPONENT = Between(1, 10**9), Between(0, 1000), Between(0, 4)
RENAMED = {"hosts": "problems", "creep": "sigma", "spread": "sigma"}
"""Keys that had another name in earlier versions."""
Result = TypeVar("Result")


class JobError(BadInput):
    """A job that cannot be run; the message names the key, the value and what is allowed."""


@dataclass(frozen=True)
class Trained:
    """What is trained, and inside which search.

    Attributes:
        search: name of the search.
        features: names of the features that are weighed; the game's usual ones by default.
        parameters: of the search; the search's defaults where a key is absent.
        nodes: node budget of each problem.
        solve_nodes: the node budget that the weights file carries; 0 for ``nodes``.
    """

    search: str
    features: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    nodes: Annotated[int, NODES] = 2_000_000
    solve_nodes: Annotated[int, OWN_NODES] = 0


@dataclass(frozen=True)
class Fitness:
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
        exponent: ``log-nodes``: of the power mean over the problems, before the
            logarithm is taken; 0 for the mean logarithm, 1 for the mean, which
            the hardest problems rule.
    """

    measure: str = "node-reduction"
    baseline: str = ""
    failure: Annotated[float, FAILURE] = 20.0
    length: Annotated[float, CHARGE] = 0.0
    expansion: Annotated[float, CHARGE] = 0.0
    exponent: Annotated[float, EXPONENT] = 0.0


@dataclass(frozen=True)
class Problems(Rates):
    """The population of problems, each a set of deals.

    Attributes:
        deals: deals of a problem.
        every: solver generations between two generations of problems.
        meetings: problems that a solver meets in a generation.
        encounters: ``own`` draws each solver's problems by itself (the paper's); ``shared``
            lets all solvers of a generation meet the same ones (common random numbers).
        penalty: nodes that a deal counts in its problem's fitness when every
            solver that met it failed; 1000M in the paper.
    """

    deals: Annotated[int, Between(1, 100_000)] = 6
    every: Annotated[int, Between(1, 1_000_000)] = 5
    meetings: Annotated[int, Between(1, 1000)] = 2
    encounters: Annotated[str, OneOf(("own", "shared"))] = "own"
    penalty: Annotated[int, Between(1, 10**15)] = 1_000_000_000


@dataclass(frozen=True)
class Sample:
    """The deals of a single population: how many, for the schemes ``fixed`` and ``resampled``."""

    deals: Annotated[int, Between(1, 100_000)] = 10


@dataclass(frozen=True)
class Pools:
    """Sets of problems by name or range; the game's own by default.

    Attributes:
        train: what fitness is measured on.
        validation: what chooses a run's best weights.
    """

    train: str = ""
    validation: str = ""


@dataclass(frozen=True)
class Validation:
    """How a generation's best solver is compared with the best so far.

    Attributes:
        ranking: ``mean-nodes``, which the few hardest problems rule, or ``log-nodes``.
        nodes: node budget of each problem; 0 for the trained one.
        failure: how many times the budget a failure counts.
        length, expansion, exponent: ``log-nodes``: as in ``Fitness``.
    """

    ranking: Annotated[str, OneOf(("mean-nodes", "log-nodes"))] = "mean-nodes"
    nodes: Annotated[int, OWN_NODES] = 0
    failure: Annotated[float, FAILURE] = 20.0
    length: Annotated[float, CHARGE] = 0.0
    expansion: Annotated[float, CHARGE] = 0.0
    exponent: Annotated[float, EXPONENT] = 0.0


@dataclass(frozen=True)
class Cma:
    """CMA-ES: the population's size is that of the solvers.

    Attributes:
        sigma: its first standard deviation, as a share of each weight's range.
        start: the weights it starts around; the middle of its range for a
            feature that is not named.
    """

    sigma: Annotated[float, Between(1e-6, 10)] = 0.3
    start: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Nsga:
    """NSGA-II: the rates of crossover and mutation are those of the solvers.

    Attributes:
        parents: how survivors become parents: the better of two by ``crowded-tournament`` (Deb
            et al. 2002), or each as likely as any other, ``uniform``.
    """

    parents: Annotated[str, OneOf(("crowded-tournament", "uniform"))] = "crowded-tournament"


@dataclass(frozen=True)
class Stop:
    """When a run is finished before its generations are done.

    Attributes:
        patience: after so many generations without better weights; 0 for never.
        target: once the best weights' validation value is at most this.
    """

    patience: Annotated[int, Between(0, 1_000_000)] = 0
    target: Annotated[float, Between(float("-inf"), float("inf"))] = float("-inf")


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
    nodes: Annotated[int, NODES] = Limits.nodes
    memory: Annotated[int, Between(1_000_000, 10**15)] = Limits.memory


@dataclass(frozen=True)
class Job:
    """An evolution to run.

    Tables can be given as mappings: ``Job("mine", 20, {"search": "staged"})``. ``evolve``
    checks the whole against the game.

    Attributes:
        name: of the run; its default folder is named after it.
        generations: solver generations in all.
        seed: of every random number.
        scheme: what decides which problems the solvers meet: ``coevolution``, or one
            population on ``fixed`` or ``resampled`` deals.
        trainer: what makes the next solvers: ``genetic`` operators, ``nsga-ii`` for
            the trade-off of nodes and length, ``cma-es``, or drawn at ``random``,
            which is what the others are worth being compared with.
        options: of trainers, schemes and measures that are not built in, by their name.
        exports: by name, further weights files to write.
    """

    name: str
    generations: Annotated[int, Between(1, 1_000_000)]
    trained: Trained
    game: str = DEFAULT
    variant: Mapping[str, Any] = field(default_factory=dict)
    seed: Annotated[int, Between(0, 2**63 - 1)] = 1
    scheme: str = "coevolution"
    trainer: str = "genetic"
    solvers: Rates = Rates()
    problems: Problems = Problems()
    sample: Sample = Sample()
    cma: Cma = field(default_factory=Cma)
    nsga: Nsga = Nsga()
    fitness: Fitness = Fitness()
    deals: Pools = Pools()
    validation: Validation = Validation()
    stop: Stop = Stop()
    options: Mapping[str, Any] = field(default_factory=dict)
    exports: Mapping[str, Export] = field(default_factory=dict)

    def __post_init__(self) -> None:
        hints = get_type_hints(Job)
        for spec in fields(self):
            given = getattr(self, spec.name)
            if is_dataclass(hints[spec.name]) and isinstance(given, Mapping):
                try:
                    table: Any = build(hints[spec.name], given, f"{spec.name}.", RENAMED)
                except BadInput as error:
                    raise JobError(str(error)) from None
                object.__setattr__(self, spec.name, table)

    @property
    def digest(self) -> str:
        """A hash of all that shapes the run; its end (generations, stop) and exports do not.

        Of keys that have a default, only those with another value count: a later
        version's new keys leave the hashes of older runs as they are. Where the default is not
        what was done before there was a key, what was done takes its place here.
        """
        shaping = replace(self, generations=0, stop=Stop(), exports={}, nsga=Nsga())
        lines = list(changed_settings(shaping))
        if self.nsga.parents != earlier_parents(self.trainer):
            lines.append(f"nsga.parents = {toml_value(self.nsga.parents)}")
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]

    @property
    def search(self) -> Search:
        """The trained search with its parameters."""
        return Search(self.trained.search, self.trained.parameters)

    @property
    def limits(self) -> Limits:
        """The limits of each problem."""
        return Limits(nodes=self.trained.nodes)

    def load_game(self) -> Game:
        """The game in its variant."""
        return game(self.game).vary(**self.variant)

    def validation_limits(self) -> Limits:
        """The limits of each validation problem."""
        return Limits(nodes=self.validation.nodes or self.trained.nodes)


def earlier_parents(trainer: str) -> str:
    """The value of ``nsga.parents`` that a run means which was made before it was a key."""
    return "uniform" if trainer == "nsga-ii" else Nsga().parents


def read_job(path: str | os.PathLike[str]) -> Job:
    """Read and check a job file.

    Raises:
        JobError: naming the file, the key, the value and what is allowed.
    """
    text = read_text(path, "a job file (TOML)", JobError)
    return parse_job(text, str(path))


def parse_job(text: str, name: str, changes: Mapping[str, Any] | None = None) -> Job:
    """Read and check a job's text.

    Args:
        text: TOML.
        name: messages call it.
        changes: values to take instead of the text's, by key; tables key by key.

    Raises:
        JobError: naming the line or key, the value and what is allowed.
    """
    table = parse_toml(text, name)
    try:
        return make_job(merged(table, changes or {}))
    except JobError as error:
        line = _line_of(text, str(error))
        if changes and line and not _fails(table, str(error)):
            # It is a change that is wrong, not the text.
            raise
        raise JobError(f"{name}{f', line {line}' if line else ''}: {error}") from None


def _fails(table: Mapping[str, Any], message: str) -> bool:
    """Whether a table fails in the same way without any changes."""
    try:
        make_job(table)
    except JobError as error:
        return str(error) == message
    return False


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """The table in a TOML text; ``JobError`` naming the line if it is none."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise JobError(f"{name}: not TOML: {error}") from None


def make_job(job: Job | Mapping[str, Any], **changes: Any) -> Job:
    """A checked job with nothing left open: the game's defaults are filled in.

    Args:
        job: a job, or its keys and tables as a mapping.
        changes: values to take instead, by key; a mapping changes a table key by key.

    Raises:
        JobError: naming the key, the value and what is allowed.
    """
    table = merged(as_table(job) if isinstance(job, Job) else job, changes)
    try:
        return _checked(build(Job, table, renamed=RENAMED))
    except BadInput as error:
        raise JobError(str(error)) from None


def load_job(
    job: Job | Mapping[str, Any] | str | os.PathLike[str], changes: Mapping[str, Any]
) -> Job:
    """A checked job from whatever a user has: a job, a mapping, or the path of a file."""
    if isinstance(job, Job | Mapping):
        return make_job(job, **changes)
    if not isinstance(job, str | os.PathLike):
        raise JobError(
            f"a job is a gafreecell.Job, a mapping or the path of a file, got {job!r:.60}"
        )
    text = read_text(job, "a job file (TOML)", JobError)
    return parse_job(text, str(job), changes)


def _checked(job: Job) -> Job:
    """Check what only the whole job shows, and fill in what the game decides."""
    if not job.name or not all(c.isalnum() or c in "-_." for c in job.name):
        raise JobError(f"name must be letters, digits, '-', '_' or '.', got {job.name!r}")
    chosen = _about("game", lambda: game(job.game))
    chosen = _about("variant", lambda: chosen.vary(**job.variant))
    train, validation = job.deals.train, job.deals.validation
    pools = Pools(train or chosen.training, validation or chosen.validation)
    features = job.trained.features or chosen.default_features
    job = replace(job, deals=pools, trained=replace(job.trained, features=tuple(features)))
    _check_trained(job, chosen)
    _check_populations(job)
    measure = _about("fitness.measure", lambda: plugins.part("measure", job.fitness.measure))
    trainer = _about("trainer", lambda: plugins.part("trainer", job.trainer))
    scheme = _about("scheme", lambda: plugins.part("scheme", job.scheme))
    for part in (measure, trainer, scheme):
        part.check(job, chosen)
    _check_options(job, (measure, trainer, scheme))
    training_pool(job, chosen)
    validation_pool(job, chosen)
    return job


def _check_trained(job: Job, chosen: Game) -> None:
    features = job.trained.features
    names = [feature.name for feature in chosen.features]
    if not features:
        raise JobError(f"trained.features: {chosen.title} has no features whose weights can evolve")
    for name in features:
        if name not in names:
            raise JobError(f"trained.features: {name!r} is not one of {', '.join(names)}")
    if len(set(features)) < len(features):
        raise JobError("trained.features names a feature twice")
    _about("trained.search", lambda: chosen.check(Search(job.trained.search)))
    _about("trained.parameters", lambda: chosen.check(job.search, features))
    for name, export in job.exports.items():
        where = f"exports.{name}"
        if not name or not all(c.isalnum() or c in "-_" for c in name) or name == "best":
            raise JobError(
                f"{where}: a name is made of letters, digits, '-' and '_', and not 'best'"
            )
        _about(where, partial(chosen.check, Search(export.search, export.parameters), features))
    if job.fitness.baseline:
        with_presets = able(chosen, HasPresets, "has no presets")
        _about("fitness.baseline", lambda: with_presets.preset(job.fitness.baseline))


def _check_populations(job: Job) -> None:
    for label, rates in (("solvers", job.solvers), ("problems", job.problems)):
        total = rates.reproduction + rates.crossover + rates.mutation
        if abs(total - 1) > 1e-9:
            raise JobError(
                f"{label}: reproduction, crossover and mutation must sum to 1, got {total:g}"
            )
        if rates.elite >= rates.population:
            raise JobError(f"{label}.elite must be less than the population, got {rates.elite}")


def _check_options(job: Job, parts: Sequence[Any]) -> None:
    by_name = {part.name: part for part in parts}
    for name, given in job.options.items():
        where = f"options.{name}"
        if name not in by_name:
            raise JobError(f"{where}: this job uses {', '.join(by_name)}, none called {name!r}")
        if not isinstance(given, Mapping):
            raise JobError(f"{where} must be a table, got {given!r}")
        known = by_name[name].parameters
        _about(where, partial(read_parameters, name, known, given, "option"))


def _about(key: str, look: Callable[[], Result]) -> Result:
    """What a look at the game gives; its complaint names the job's key."""
    try:
        return look()
    except BadInput as error:
        raise JobError(f"{key}: {error}") from None


def training_pool(job: Job, chosen: Game) -> Sequence[Problem]:
    """The problems that fitness is measured on."""
    return _pool(job.deals.train, chosen, "deals.train")


def validation_pool(job: Job, chosen: Game) -> Sequence[Problem]:
    """The problems that choose the best weights."""
    return _pool(job.deals.validation, chosen, "deals.validation")


def _pool(name: str, chosen: Game, key: str) -> Sequence[Problem]:
    pool = _about(key, lambda: chosen.problems(name))
    if not pool:
        raise JobError(f"{key}: {name!r} holds nothing that can be solved")
    return pool


def check_sample(job: Job, chosen: Game, needed: int) -> None:
    """Raise ``JobError`` if the training pool holds fewer problems than one sample."""
    pool = training_pool(job, chosen)
    if len(pool) < needed:
        raise JobError(
            f"deals.train holds {len(pool)} deals, fewer than the {needed} of one sample"
        )


def _line_of(text: str, message: str) -> int:
    """The line of the key that a message is about, 0 if it cannot be told."""
    path = message.split(" ", 1)[0].rstrip(":").split(".")
    lines, first = text.split("\n"), 1
    for number in range(1, len(lines) + 1):
        # The parser gives no places, but it says which beginnings of the text are whole: the
        # first of those that has the key ends with the statement that sets it.
        try:
            found: Any = tomllib.loads("\n".join(lines[:number]) + "\n")
        except tomllib.TOMLDecodeError:
            continue
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        if found is not None:
            return first
        first = number + 1
    return 0


def job_text(job: Job) -> str:
    """The job as TOML with every key written out; ``parse_job`` reads it back the same."""
    return toml_text(job, listed="exports")
