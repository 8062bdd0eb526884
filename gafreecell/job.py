"""Jobs: what an evolution is to do. ``job_reading`` reads and checks them.

docs/jobs.md describes every key; ``runs/*.toml`` are examples.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Annotated, Any, TypeVar, get_type_hints

from deals.errors import BadInput
from deals.words import plural
from gafreecell.game import DEFAULT, Game, Problem, game
from gafreecell.populations import Rates
from gafreecell.rule_genes import Policies, genes_of, policy, weight_places
from gafreecell.settings import (
    Between,
    OneOf,
    build,
    changed_settings,
    toml_text,
    toml_value,
)
from solving.features import Feature
from solving.outcome import BEST_FIRST, PHASE_RULES, Evaluator, Limits, Phase, Search

NODES = Between(1, 10**12)
OWN_NODES = Between(0, 10**12)
FAILURE, CHARGE, EXPONENT = Between(1, 10**9), Between(0, 1000), Between(0, 4)
UNSOLVED, DEALS = Between(0, 10**9), Between(1, 100_000)
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
        ranges: the least and the largest weight of a feature, by its name, where they are not to
            be those that the game gives it.
        parameters: of the search; the search's defaults where a key is absent.
        nodes: node budget of each problem.
        solve_nodes: the node budget that the weights file carries; 0 for ``nodes`` and those of
            earlier phases.
    """

    search: str
    features: tuple[str, ...] = ()
    ranges: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    nodes: Annotated[int, NODES] = 2_000_000
    solve_nodes: Annotated[int, OWN_NODES] = 0


@dataclass(frozen=True)
class Fitness:
    """How outcomes become a solver's fitness.

    Attributes:
        measure: ``node-reduction`` is the paper's; ``log-nodes`` falls with the
            mean logarithm of nodes, which keeps telling good solvers apart;
            ``cost-per-solved`` falls with the logarithm of all nodes for each problem solved;
            ``relative`` compares log nodes with the median of the generation on each problem.
        baseline: preset that node reduction is measured against; by default the
            features' baseline weights in the trained search itself.
        weights: of the baseline in the trained search itself, by feature, in place of a preset
            and of the game's.
        failure: ``log-nodes``: how many times the budget a failure counts.
        length: weight of the mean solution length, a hundred moves counting as 1.
        expansion: nodes that an expanded state counts besides: the time a search needs is not
            all in the states it generates.
        scoring: nodes that a scored successor counts besides, with partial expansion.
        unsolved: ``cost-per-solved``: nodes that a failure counts besides: what the later phases
            of a schedule will spend on it.
        exponent: ``log-nodes``: of the power mean over the problems, before the
            logarithm is taken; 0 for the mean logarithm, 1 for the mean, which
            the hardest problems rule.
        clip: ``relative``: what a problem counts at most, in log nodes above the median.
    """

    measure: str = "node-reduction"
    baseline: str = ""
    weights: Mapping[str, Any] = field(default_factory=dict)
    failure: Annotated[float, FAILURE] = 20.0
    length: Annotated[float, CHARGE] = 0.0
    expansion: Annotated[float, CHARGE] = 0.0
    scoring: Annotated[float, CHARGE] = 0.0
    unsolved: Annotated[float, UNSOLVED] = 0.0
    exponent: Annotated[float, EXPONENT] = 0.0
    clip: Annotated[float, Between(1e-6, 1000)] = 0.5


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
        virulence: the quantile of hardness at which problems are fittest, such as 0.75: harder
            than three quarters of the others, but not the hardest (reduced virulence, Cartlidge
            and Bullock 2004); 0 for the harder the fitter.
    """

    deals: Annotated[int, DEALS] = 6
    every: Annotated[int, Between(1, 1_000_000)] = 5
    meetings: Annotated[int, Between(1, 1000)] = 2
    encounters: Annotated[str, OneOf(("own", "shared"))] = "own"
    penalty: Annotated[int, Between(1, 10**15)] = 1_000_000_000
    virulence: Annotated[float, Between(0, 1)] = 0.0


@dataclass(frozen=True)
class Sample:
    """How many deals all solvers of a generation meet, where there are no sets of them.

    Attributes:
        deals: how many, for the schemes ``fixed``, ``resampled`` and ``informative``.
        growth: how many in all from a generation on, by its number; more each time.
        agreement: there are a quarter more whenever the ranking of the solvers by these deals
            agrees less than this with what another sample would say, as the two halves of the
            sample suggest (split-half correlation); 0 leaves them as many as they are.
        most: how many there are at most for the sake of agreement.
    """

    deals: Annotated[int, DEALS] = 10
    growth: Mapping[str, Any] = field(default_factory=dict)
    agreement: Annotated[float, Between(0, 1)] = 0.0
    most: Annotated[int, DEALS] = 40


@dataclass(frozen=True)
class Informative:
    """The scheme ``informative``: deals that tell solvers apart are met again.

    Attributes:
        population: deals that are kept for it.
        fresh: the least share of a generation's deals that are new ones: not remembered.
        age: generations after which a deal is dropped.
        price: how much of its worth a deal loses by needing e times the nodes of others.
        likeness: how much of its worth it loses by telling what another one tells.
    """

    population: Annotated[int, Between(1, 100_000)] = 50
    fresh: Annotated[float, Between(0.5, 1)] = 0.5
    age: Annotated[int, Between(1, 1_000_000)] = 10
    price: Annotated[float, Between(0, 100)] = 0.1
    likeness: Annotated[float, Between(0, 100)] = 0.1


@dataclass(frozen=True)
class Racing:
    """Rounds within a generation: who falls behind on the first deals meets no more of them.

    Attributes:
        rounds: in how many parts the deals are met; 1 for all at once.
        share: of the solvers of a round, how many go on to the next.
    """

    rounds: Annotated[int, Between(1, 100)] = 1
    share: Annotated[float, Between(0.01, 1)] = 0.5


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
        candidate: who stands for a generation: the one that the ``trainer`` names (the fittest,
            the centre of CMA-ES), the ``fittest``, or the ``centroid`` of the fitter half.
        ranking: ``mean-nodes``, which the few hardest problems rule, ``log-nodes`` or
            ``cost-per-solved``.
        nodes: node budget of each problem; 0 for the trained one.
        failure: how many times the budget a failure counts.
        length, expansion, scoring, unsolved, exponent: as in ``Fitness``.
    """

    candidate: Annotated[str, OneOf(("trainer", "fittest", "centroid"))] = "trainer"
    ranking: Annotated[str, OneOf(("mean-nodes", "log-nodes", "cost-per-solved"))] = "mean-nodes"
    nodes: Annotated[int, OWN_NODES] = 0
    failure: Annotated[float, FAILURE] = 20.0
    length: Annotated[float, CHARGE] = 0.0
    expansion: Annotated[float, CHARGE] = 0.0
    scoring: Annotated[float, CHARGE] = 0.0
    unsolved: Annotated[float, UNSOLVED] = 0.0
    exponent: Annotated[float, EXPONENT] = 0.0


@dataclass(frozen=True)
class Cma:
    """CMA-ES: the population's size is that of the solvers.

    Attributes:
        sigma: its first standard deviation, as a share of each weight's range.
        start: the weights it starts around; the middle of its range for a
            feature that is not named.
        scale: of the numbers that it draws within a weight's range: ``linear``, or ``cosine``,
            on which equal steps are small ones near both ends.
    """

    sigma: Annotated[float, Between(1e-6, 10)] = 0.3
    start: Mapping[str, Any] = field(default_factory=dict)
    scale: Annotated[str, OneOf(("linear", "cosine"))] = "linear"


@dataclass(frozen=True)
class Nsga:
    """NSGA-II: the rates of crossover and mutation are those of the solvers.

    Attributes:
        parents: how survivors become parents: the better of two by ``crowded-tournament`` (Deb
            et al. 2002), or each as likely as any other, ``uniform``.
    """

    parents: Annotated[str, OneOf(("crowded-tournament", "uniform"))] = "crowded-tournament"


@dataclass(frozen=True)
class Operators:
    """Operators by name, in place of the trainer's own: DEAP's, or of one's own.

    Their arguments stand in the job's tables ``[options.<name>]``.

    Attributes:
        crossover: makes two children of two solvers.
        mutation: makes a mutant of a solver.
        selection: chooses parents.
    """

    crossover: str = ""
    mutation: str = ""
    selection: str = ""


@dataclass(frozen=True)
class Stop:
    """When a run is finished before its generations are done.

    Attributes:
        patience: after so many generations without better weights; 0 for never.
        target: once the best weights' validation value is at most this.
        evaluations: once solvers have met so many problems in all; 0 for never.
    """

    patience: Annotated[int, Between(0, 1_000_000)] = 0
    target: Annotated[float, Between(float("-inf"), float("inf"))] = float("-inf")
    evaluations: Annotated[int, Between(0, 10**12)] = 0


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
class EarlierPhase:
    """A phase of a schedule that was trained before: it searches before the one to be trained.

    Attributes:
        nodes: states it may generate before the next phase begins.
        rule: how it chooses the next state.
        weights: of its features.
        file: a weights file from which to take weights and rule, those of its last phase if it
            holds a schedule; relative to the job's own file.
    """

    nodes: Annotated[int, NODES]
    rule: Annotated[str, OneOf(PHASE_RULES)] = BEST_FIRST
    weights: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""


@dataclass(frozen=True)
class Job:
    """An evolution to run.

    Tables can be given as mappings: ``Job("mine", 20, {"search": "staged"})``. ``evolve``
    checks the whole against the game.

    Attributes:
        name: of the run; its default folder is named after it.
        generations: solver generations in all.
        seed: of every random number.
        scheme: what decides which problems the solvers meet: ``coevolution``, one
            population on ``fixed`` or ``resampled`` deals, or on ``informative`` ones.
        trainer: what makes the next solvers: ``genetic`` operators, ``nsga-ii`` for
            the trade-off of nodes and length, ``cma-es``, ``rules-gp`` for policies of rules,
            or drawn at ``random``, which is what the others are worth being compared with.
        hall_of_fame: how many of the run's best distinct solvers ``Run.hall_of_fame`` holds.
        operators: for trainers that breed, by name, instead of their own.
        options: of trainers, schemes and measures that are not built in, and of operators, by
            their name.
        exports: by name, further weights files to write.
        rules: whether policies of rules evolve instead of weighted sums.
        phases: by name, the phases of a schedule before the one that is trained, in order. Then
            training and validation use only problems on which all of them fail, and the
            weights that the run writes are the whole schedule.
    """

    name: str
    generations: Annotated[int, Between(1, 1_000_000)]
    trained: Trained
    game: str = DEFAULT
    variant: Mapping[str, Any] = field(default_factory=dict)
    seed: Annotated[int, Between(0, 2**63 - 1)] = 1
    scheme: str = "coevolution"
    trainer: str = "genetic"
    rules: Policies = field(default_factory=Policies)
    solvers: Rates = Rates()
    problems: Problems = Problems()
    sample: Sample = field(default_factory=Sample)
    informative: Informative = Informative()
    racing: Racing = Racing()
    cma: Cma = field(default_factory=Cma)
    nsga: Nsga = Nsga()
    operators: Operators = Operators()
    fitness: Fitness = Fitness()
    deals: Pools = Pools()
    validation: Validation = Validation()
    stop: Stop = Stop()
    hall_of_fame: Annotated[int, Between(1, 1_000_000)] = 10
    options: Mapping[str, Any] = field(default_factory=dict)
    exports: Mapping[str, Export] = field(default_factory=dict)
    phases: Mapping[str, EarlierPhase] = field(default_factory=dict)

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

    def __repr__(self) -> str:
        # All its keys would fill a screen: `job_text` has them.
        generations = plural(self.generations, "generation")
        return (
            f"<gafreecell.Job {self.name}: {self.game}, {self.trainer}, {self.scheme}, "
            f"{generations}, seed {self.seed}>"
        )

    @property
    def digest(self) -> str:
        """A hash of all that shapes the run.

        Its end (generations, stop) and what is read or written of its best (hall_of_fame,
        exports) do not.

        Of keys that have a default, only those with another value count: a later
        version's new keys leave the hashes of older runs as they are. Where the default is not
        what was done before there was a key, what was done takes its place here.
        """
        shaping = replace(self, generations=0, stop=Stop(), exports={}, phases={}, nsga=Nsga())
        lines = list(changed_settings(replace(shaping, hall_of_fame=Job.hall_of_fame)))
        if self.nsga.parents != earlier_parents(self.trainer):
            lines.append(f"nsga.parents = {toml_value(self.nsga.parents)}")
        for place, phase in enumerate(self.phases.values()):
            lines += changed_settings(replace(phase, file=""), f"phases.{place}.")
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]

    @property
    def search(self) -> Search:
        """The trained search with its parameters."""
        return Search(self.trained.search, self.trained.parameters)

    @property
    def schedule_search(self) -> Search:
        """The same for a schedule, whose phases have rules of their own."""
        given = self.trained.parameters
        return Search(self.trained.search, {key: given[key] for key in given if key != "rule"})

    @property
    def limits(self) -> Limits:
        """The limits of each problem."""
        return Limits(nodes=self.trained.nodes)

    @property
    def whole(self) -> tuple[Search, Limits]:
        """Search and limits of what the run writes: with earlier phases the whole schedule's."""
        if not self.phases:
            return self.search, self.limits
        earlier = sum(phase.nodes for phase in self.phases.values())
        return self.schedule_search, Limits(nodes=earlier + self.trained.nodes)

    def load_game(self) -> Game:
        """The game in its variant."""
        return game(self.game).vary(**self.variant)

    @property
    def genes(self) -> tuple[str, ...]:
        """Names of the numbers that evolve: of the features, or of all that rules consist of."""
        features = [Feature(name, "") for name in self.trained.features]
        return tuple(gene.name for gene in genes_of(features, self.rules))

    @property
    def weight_places(self) -> list[int]:
        """Where among ``genes`` weights of features are; rules consist of more than those."""
        return weight_places(len(self.trained.features), self.rules)

    def trained_evaluator(self, genome: Sequence[float]) -> Evaluator:
        """What a genome stands for by itself, without earlier phases."""
        if self.rules.count:
            return policy(self.trained.features, self.rules, self.seed, genome)
        return Evaluator(self.trained.features, tuple(genome))

    def evaluator(self, weights: Sequence[float]) -> Evaluator:
        """What the run writes for the weights trained: behind earlier phases a schedule."""
        if not self.phases:
            return self.trained_evaluator(weights)
        trained = dict(zip(self.trained.features, weights, strict=True))
        rule = str(self.trained.parameters.get("rule", BEST_FIRST))
        return _schedule(
            [(dict(p.weights), Phase(p.nodes, p.rule)) for p in self.phases.values()]
            + [(trained, Phase(None, rule))]
        )

    def earlier(self) -> tuple[Evaluator, Limits]:
        """The phases before the one that is trained, and what they may spend together."""
        phases = list(self.phases.values())
        limits = [Phase(phase.nodes, phase.rule) for phase in phases]
        limits[-1] = Phase(None, phases[-1].rule)
        rows = [dict(phase.weights) for phase in phases]
        evaluator = _schedule(list(zip(rows, limits, strict=True)))
        return evaluator, Limits(nodes=sum(phase.nodes for phase in phases))

    def validation_limits(self) -> Limits:
        """The limits of each validation problem."""
        return Limits(nodes=self.validation.nodes or self.trained.nodes)


def _schedule(phases: Sequence[tuple[Mapping[str, float], Phase]]) -> Evaluator:
    """A schedule of phases, each with its weights by feature."""
    features = tuple(dict.fromkeys(name for weights, _ in phases for name in weights))
    weights = tuple(float(row.get(name, 0.0)) for row, _ in phases for name in features)
    return Evaluator(features, weights, tuple(phase for _, phase in phases))


def earlier_parents(trainer: str) -> str:
    """The value of ``nsga.parents`` that a run means which was made before it was a key."""
    return "uniform" if trainer == "nsga-ii" else Nsga().parents


def naming(key: str, look: Callable[[], Result]) -> Result:
    """What a look at the game gives; its complaint names the job's key.

    Raises:
        JobError: if the look raises ``BadInput``.
    """
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
    pool = naming(key, lambda: chosen.problems(name))
    if not pool:
        raise JobError(f"{key}: {name!r} holds nothing that can be solved")
    return pool


def check_sample(job: Job, chosen: Game, needed: int) -> None:
    """Raise ``JobError`` if the training pool holds fewer problems than one sample."""
    pool = training_pool(job, chosen)
    if len(pool) < needed:
        held = plural(len(pool), "deal")
        raise JobError(f"deals.train holds {held}, fewer than the {needed:,} of one sample")


def job_text(job: Job) -> str:
    """The job as TOML with every key written out; ``parse_job`` reads it back the same."""
    return toml_text(job, listed=("exports", "phases"))
