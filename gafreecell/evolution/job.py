"""Jobs: what an evolution is to do. ``job_reading`` reads and checks them.

docs/jobs.md describes every key; ``runs/*.toml`` are examples.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from deals.errors import BadInput
from deals.words import plural
from gafreecell.evolution.populations import Rates
from gafreecell.evolution.rule_genes import Policies, genes_of, policy, weight_places
from gafreecell.installed import VERSION, plugins
from gafreecell.solitaire.game import DEFAULT, Deal, Game, deals_named, game, members
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import BEST_FIRST, PHASE_RULES, Evaluator, Limits, Phase, Search
from gafreecell.solving.settings import (
    Between,
    OneOf,
    SettingError,
    beside,
    build,
    changed_settings,
    hints_of,
    toml_text,
)
from gafreecell.solving.weights import Weights

NODES = Between(1, 10**12)
OWN_NODES = Between(0, 10**12)
FAILURE, CHARGE, EXPONENT = Between(1, 10**9), Between(0, 1000), Between(0, 4)
UNSOLVED = Between(0, 10**9)
Result = TypeVar("Result")
Keys = TypeVar("Keys")


class JobError(SettingError):
    """A job that cannot be run; the message names the key, the value and what is allowed."""


class ChangeError(JobError):
    """Changes to a job that make it one that cannot be run."""


@dataclass(frozen=True)
class Trained:
    """What is trained, and inside which search.

    Attributes:
        search: the name of the search; ``gafreecell presets`` lists the searches with their
            parameters.
        features: the features that get a weight; the game's usual ones by default. FreeCell's
            usual ones are the nine of the GA-FreeCell paper, two of which ``schedule`` cannot
            weigh.
        ranges: the least and the largest weight of a feature, ``{CellRanks = [-0.5, 1]}``, in place
            of the game's (FreeCell: 0 to 1). If the best weight lies near 0, a range that extends
            to both sides of 0 keeps it away from the range's end.
        parameters: parameters of the search, such as ``{depth = 2, automatic = "safe", table =
            0}`` for ``staged``; a missing one takes the search's default. These are our variant
            of the paper's search; the paper gives no depth.
        nodes: node budget of each deal in training. It replaces both time limits of the paper.
        solve_nodes: node budget that the weights file carries, if solving may go further than
            training; 0 for ``nodes`` plus those of earlier phases.
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
        measure: how outcomes become fitness: ``node-reduction``, ``log-nodes``, ``relative``,
            ``cost-per-solved``, or a measure of your own.
        baseline: a preset to measure node reduction against. By default it is the game's baseline
            weights (HSDH alone) in the trained search with the trained budget. Coevolution measures
            its problems against it, too, so name a preset wherever these weights solve few deals:
            in best-first search, or with a small budget. Where the baseline fails, it counts 1,000
            million nodes. Then any solution scores nearly 1; a problem that holds such a deal has a
            fitness near 0, unless all its solvers failed there, too.
        weights: (``node-reduction`` and coevolution) weights to measure against, in the trained
            search with the trained budget, ``{HSDH = 0.4}``; in place of ``baseline``.
        failure: (``log-nodes``, ``relative``) how many times the budget an unsolved deal
            counts.
        length: (``log-nodes``, ``cost-per-solved``, ``relative``) charge for each hundred moves
            of a solution, in units of log nodes.
        expansion: (``log-nodes``, ``cost-per-solved``, ``relative``) nodes that each expanded
            state counts on top: listing its moves takes time, too.
        scoring: (``cost-per-solved``, ``relative``) nodes that each scored successor counts on
            top, in a search with partial expansion.
        unsolved: (``cost-per-solved``) nodes that each unsolved deal counts on top: what the
            later phases of a schedule will spend on it.
        exponent: (``log-nodes``) exponent of the power mean over the deals, taken before the
            logarithm. 0 is the mean logarithm, which typical deals dominate; 1 is the plain mean,
            which the hardest deals dominate.
        clip: (``relative``) the most that a deal can count, in log nodes above the median; 0.5 is
            1.65 times the median's nodes.
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
class Pools:
    """Sets of deals by name or range; the game's own by default.

    Attributes:
        train: the deals that fitness is measured on: a range or a named set, the game's by
            default (FreeCell: ``"ms32k-train"``). Deals known to be unsolvable are left out.
        validation: the deals that choose the run's best weights among the best of each
            generation; the game's by default (FreeCell: ``"ms32k-validation"``).
        overlap: whether the two may share deals. A champion that was chosen on deals that trained
            it looks better than it is.
    """

    train: str = ""
    validation: str = ""
    overlap: Annotated[str, OneOf(("refused", "allowed"))] = "refused"


@dataclass(frozen=True)
class Validation:
    """How a generation's best solver is compared with the best so far.

    Attributes:
        candidate: which solver stands for a generation. ``trainer``: the one that the trainer names
            (the fittest, or the centre of CMA-ES). ``fittest``: always the fittest. ``centroid``:
            the mean of the fitter half, which depends less on luck (not with ``rules.structure =
            "evolved"``, where some genes are choices and have no mean).
        ranking: ``mean-nodes``, which the few hardest deals dominate; ``log-nodes``, which
            typical deals dominate; ``cost-per-solved``, for a solver that gives up early.
        nodes: node budget of each validation deal; 0 for the trained one.
        failure: how many times the budget an unsolved deal counts, in the first two rankings.
        length, expansion, scoring: as in ``[fitness]``.
        unsolved: as in ``[fitness]``.
        exponent: as in ``[fitness]``.
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
class Operators:
    """Operators by name, in place of the trainer's own: DEAP's, or your own.

    The job's tables ``[options.<name>]`` hold their arguments.

    Attributes:
        crossover: in place of one-point crossover: ``cxOnePoint``, ``cxTwoPoint``,
            ``cxUniform``, ``cxBlend``, ``cxSimulatedBinary``, ``cxSimulatedBinaryBounded``.
        mutation: in place of the mutation that ``solvers.sigma`` describes: ``mutGaussian``,
            ``mutPolynomialBounded``.
        selection: in place of ``solvers.selection``: ``selTournament``, ``selRoulette``,
            ``selStochasticUniversalSampling``, ``selRandom``, ``selBest``, ``selWorst``,
            ``selLexicase``, ``selEpsilonLexicase``, ``selAutomaticEpsilonLexicase``. With
            ``nsga-ii``, in place of ``nsga.parents``: ``selTournamentDCD``, ``selRandom``.
    """

    crossover: str = ""
    mutation: str = ""
    selection: str = ""


@dataclass(frozen=True)
class Stop:
    """Conditions that finish a run before its last generation.

    Attributes:
        patience: finish after this many generations without better weights; 0 for never.
        target: finish once the validation value of the best weights is at most this
            (``[validation]`` ranks them; smaller is better).
        evaluations: finish once solvers have met this many deals in all, not counting
            validation; 0 for never.
    """

    patience: Annotated[int, Between(0, 1_000_000)] = 0
    target: Annotated[float, Between(float("-inf"), float("inf"))] = float("-inf")
    evaluations: Annotated[int, Between(0, 10**12)] = 0


@dataclass(frozen=True)
class Export:
    """Another search for which the run's weights are written, besides the one they evolve in.

    Attributes:
        search: the name of the search.
        parameters: parameters of the search; a missing one takes the search's default.
        nodes: node budget of each deal.
        memory: bytes that a deal may take.
    """

    search: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    nodes: Annotated[int, NODES] = Limits.nodes
    memory: Annotated[int, Between(1_000_000, 10**15)] = Limits.memory


@dataclass(frozen=True)
class EarlierPhase:
    """A phase of a schedule, trained earlier, that searches before the one to be trained.

    Attributes:
        nodes: states that the phase may generate before the next one begins.
        rule: which state is expanded next: the best of all (``best-first``), or the best of each
            depth in turn (``depth-in-turn``).
        weights: weights of its features, in place of a file.
        file: a weights file or a run folder, relative to the job file (from Python: to the
            working directory), whose weights and rule the phase takes when the job is read. If
            it holds a schedule, its last phase is taken.
    """

    nodes: Annotated[int, NODES]
    rule: Annotated[str, OneOf(PHASE_RULES)] = BEST_FIRST
    weights: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""


PARTS = ("scheme", "trainer", "measure")
"""The kinds of parts that can declare tables."""


@cache
def _built_in_tables() -> dict[str, type[Any]]:
    return {
        name: one
        for kind in PARTS
        for name, one in plugins.tables(kind, plugins.built_in(kind)).items()
    }


def _named(given: Mapping[str, Any]) -> dict[str, Any]:
    """The name of each part that a job's keys choose, by kind; None where they choose none."""
    fitness = given.get("fitness")
    by_key = fitness.get if isinstance(fitness, Mapping) else partial(getattr, fitness)
    measure = by_key("measure", None)
    return {"scheme": given.get("scheme"), "trainer": given.get("trainer"), "measure": measure}


def part_tables(given: Mapping[str, Any]) -> dict[str, type[Any]]:
    """The dataclasses of the tables that parts declare, by name of the table.

    They are those of the built-in parts, of the parts that a job names, and of further plug-ins
    whose tables it has.

    Args:
        given: the job's keys.
    """
    own, ours = {spec.name for spec in fields(Job)}, _built_in_tables()
    found: dict[str, type[Any]] = {}
    for kind, name in _named(given).items():
        found |= plugins.tables(kind, [name])
    unknown = set(given) - {*own, *ours, *found}
    for kind in PARTS if unknown else ():
        others = plugins.tables(kind, plugins.names(kind))
        found |= {name: one for name, one in others.items() if name in unknown}
    # Those of built-in parts come first, and keep their names.
    tables = {**ours, **found, **ours}
    return {name: one for name, one in tables.items() if name not in own}


@dataclass(frozen=True)
class Job:
    """An evolution to run.

    Tables can be given as mappings: ``Job("mine", 20, {"search": "staged"})``. ``evolve``
    checks the whole against the game.

    Attributes:
        name: the run's name. Its folder is ``out/<name>-s<seed>`` unless ``--out`` says
            otherwise.
        generations: solver generations in all.
        trained: what evolves, and inside which search.
        game: any registered game.
        variant: options of the game, such as ``{cells = 3}`` for FreeCell with three free
            cells.
        seed: every random number comes from it, the generation's number and its purpose.
        scheme: which deals the solvers meet. ``coevolution``: a population of problems, sets of
            deals that evolve, too. ``fixed``: the same ``sample.deals`` deals in every generation.
            ``resampled``: new deals in every generation. ``informative``: new deals, and up to half
            earlier ones that rank solvers as the other deals do and cost few nodes. ``replayed``:
            new deals, and as many earlier ones that only some solvers solve, or that cost them most
            beside the best.
        trainer: what makes the next solvers: ``genetic``, ``cma-es`` (Hansen 2016), ``nsga-ii``
            (Deb et al. 2002; nodes against length), ``rules-gp`` (policies of rules), or
            ``random``, the control that every other trainer has to beat.
        rules: whether policies of rules evolve instead of weighted sums.
        solvers: the population of solvers.
        tables: the tables of keys that parts declare, by name, such as ``problems`` for the scheme
            ``coevolution``. In a job file they stand beside the others: ``[problems]``.
        operators: genetic operators by name, for trainers that breed.
        fitness: how outcomes become fitness.
        deals: which deals train, and which choose the run's best weights.
        validation: how the run's best weights are chosen.
        stop: when a run finishes early.
        hall_of_fame: how many of the run's best distinct solvers ``Run.hall_of_fame`` holds, as
            the validation deals rank them. It can be changed at any time.
        individuals: whether the run keeps a full record: ``individuals.csv``, every solver with its
            fitness, costs and deals, and ``births.csv``, what each comes from. It can be changed at
            any time.
        options: a table ``[options.NAME]`` for a trainer, scheme or measure that is not built
            in, or for an operator; it says which keys it takes.
        exports: further weights files to write, by name.
        phases: the earlier phases of a schedule, by name, in the order in which they search.
            Training and validation then use only deals on which all of them fail, and the
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
    tables: Mapping[str, Any] = beside(part_tables)
    operators: Operators = Operators()
    fitness: Fitness = Fitness()
    deals: Pools = Pools()
    validation: Validation = Validation()
    stop: Stop = Stop()
    hall_of_fame: Annotated[int, Between(1, 1_000_000)] = 10
    individuals: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    exports: Mapping[str, Export] = field(default_factory=dict)
    phases: Mapping[str, EarlierPhase] = field(default_factory=dict)

    def __post_init__(self) -> None:
        hints = hints_of(Job)
        try:
            for spec in fields(self):
                kind, given = hints[spec.name], getattr(self, spec.name)
                if is_dataclass(kind) and isinstance(given, Mapping):
                    made: Any = build(kind, given, f"{spec.name}.")  # type: ignore[arg-type]
                    object.__setattr__(self, spec.name, made)
            tables = dict(self.tables)
            for name, one in part_tables({**vars(self), **tables}).items():
                given = tables.get(name, {})
                if isinstance(given, Mapping):
                    tables[name] = build(one, given, f"{name}.")
        except BadInput as error:
            raise job_error(error) from None
        object.__setattr__(self, "tables", tables)

    @property
    def unknown(self) -> bool:
        """Whether it has tables of parts that are not installed, whose defaults nobody knows."""
        tables = any(isinstance(one, Mapping) for one in self.tables.values())
        parts = _named(vars(self)).items()
        return tables and any(name not in plugins.names(kind) for kind, name in parts)

    def table(self, kind: type[Keys]) -> Keys:
        """Its table of the keys that a part declares in a dataclass."""
        for one in self.tables.values():
            if isinstance(one, kind):
                return one
        raise LookupError(f"no part of the job {self.name} declares {kind.__name__} in its tables")

    if not TYPE_CHECKING:
        # Hidden from mypy, which then finds misspelt attributes.
        def __getattr__(self, name: str) -> Any:
            """A part's table by its name: ``job.problems``."""
            try:
                return vars(self)["tables"][name]
            except KeyError:
                raise AttributeError(f"a job has no {name!r}") from None

    def __repr__(self) -> str:
        # All its keys would fill a screen; ``job_text`` writes them.
        generations = plural(self.generations, "generation")
        return (
            f"<gafreecell.Job {self.name}: {self.game}, {self.trainer}, {self.scheme}, "
            f"{generations}, seed {self.seed}>"
        )

    @cached_property
    def digest(self) -> str:
        """A hash of all settings that shape the run.

        These exclude its end (generations, stop) and what is read from its best solvers
        (hall_of_fame, exports) or kept besides (individuals).

        A key counts only if its value is not the default, so new keys do not change the hashes of
        older runs.
        """
        deals = replace(self.deals, overlap=Pools.overlap)
        shaping = replace(self, generations=0, stop=Stop(), exports={}, phases={}, deals=deals)
        shaping = replace(shaping, hall_of_fame=Job.hall_of_fame, individuals=False)
        lines = list(changed_settings(shaping))
        for place, phase in enumerate(self.phases.values()):
            lines += changed_settings(replace(phase, file=""), f"phases.{place}.")
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]

    @property
    def search(self) -> Search:
        """The trained search with its parameters."""
        return Search(self.trained.search, self.trained.parameters)

    @property
    def schedule_search(self) -> Search:
        """The trained search without the parameter ``rule``: a schedule's phases have their own."""
        given = self.trained.parameters
        return Search(self.trained.search, {key: given[key] for key in given if key != "rule"})

    @property
    def limits(self) -> Limits:
        """The limits of each deal."""
        return Limits(nodes=self.trained.nodes)

    @property
    def whole(self) -> tuple[Search, Limits]:
        """Search and limits of the weights that the run writes: the whole schedule, if any."""
        if not self.phases:
            return self.search, self.limits
        earlier = sum(phase.nodes for phase in self.phases.values())
        return self.schedule_search, Limits(nodes=earlier + self.trained.nodes)

    def load_game(self) -> Game:
        """The game in its variant."""
        return game(self.game).vary(**self.variant)

    @property
    def genes(self) -> tuple[str, ...]:
        """Names of the numbers that evolve: the features, or everything that rules consist of."""
        features = [Feature(name, "") for name in self.trained.features]
        return tuple(gene.name for gene in genes_of(features, self.rules))

    @property
    def weight_places(self) -> list[int]:
        """The places of feature weights among ``genes``; rules have other genes, too."""
        return weight_places(len(self.trained.features), self.rules)

    def trained_evaluator(self, genome: Sequence[float]) -> Evaluator:
        """The evaluator that a genome stands for, without earlier phases."""
        if self.rules.count:
            return policy(self.trained.features, self.rules, self.seed, genome)
        return Evaluator(self.trained.features, tuple(genome))

    def evaluator(self, weights: Sequence[float]) -> Evaluator:
        """The evaluator that the run writes for trained weights: a schedule if there are phases."""
        if not self.phases:
            return self.trained_evaluator(weights)
        trained = dict(zip(self.trained.features, weights, strict=True))
        rule = str(self.trained.parameters.get("rule", BEST_FIRST))
        phases = [*self.phases.values(), EarlierPhase(self.trained.nodes, rule, trained)]
        return _schedule(phases)

    def weights(self, genome: Sequence[float], **source: Any) -> Weights:
        """Trained weights for the search they evolved in, the whole schedule if there are phases.

        Args:
            genome: the weights, or all genes of rules.
            source: what their provenance says besides.
        """
        search, limits = self.whole
        return Weights(
            game=self.game,
            variant=self.load_game().variant,
            evaluator=self.evaluator(genome),
            search=search,
            limits=Limits(nodes=self.trained.solve_nodes or limits.nodes),
            provenance={
                "run": self.name,
                **source,
                "seed": self.seed,
                "job": self.digest,
                "trained": self.deals.train,
                "validated": self.deals.validation,
                "package": VERSION,
            },
        )

    def earlier(self) -> tuple[Evaluator, Limits]:
        """The phases before the trained one, and their limits together."""
        phases = list(self.phases.values())
        return _schedule(phases), Limits(nodes=sum(phase.nodes for phase in phases))

    def validation_limits(self) -> Limits:
        """The limits of each validation deal."""
        return Limits(nodes=self.validation.nodes or self.trained.nodes)


def _schedule(phases: Sequence[EarlierPhase]) -> Evaluator:
    """A schedule of phases; the last one goes on up to the limit of the whole."""
    features = tuple(dict.fromkeys(name for phase in phases for name in phase.weights))
    weights = tuple(float(phase.weights.get(name, 0.0)) for phase in phases for name in features)
    limits = [phase.nodes for phase in phases[:-1]] + [None]
    rules = [phase.rule for phase in phases]
    return Evaluator(features, weights, tuple(map(Phase, limits, rules)))


def job_error(error: BadInput) -> JobError:
    """An error of a setting or of a part as one of the job."""
    return JobError(str(error), getattr(error, "key", ""))


def naming(key: str, look: Callable[[], Result]) -> Result:
    """Call a function; an error gets the job's key in front.

    Raises:
        JobError: if the function raises ``BadInput``.
    """
    try:
        return look()
    except BadInput as error:
        raise JobError.at(key, f": {error}") from None


def training_pool(job: Job, chosen: Game) -> Sequence[Deal]:
    """The deals that fitness is measured on."""
    return _pool(job.deals.train, chosen, "deals.train")


def validation_pool(job: Job, chosen: Game) -> Sequence[Deal]:
    """The deals that choose the best weights."""
    return _pool(job.deals.validation, chosen, "deals.validation")


def overlap(job: Job, chosen: Game) -> int:
    """How many of the validation deals also train."""
    trained = members(training_pool(job, chosen))
    return sum(one in trained for one in validation_pool(job, chosen))


def _pool(name: str, chosen: Game, key: str) -> Sequence[Deal]:
    pool = naming(key, lambda: deals_named(chosen, name))
    if not pool:
        raise JobError.at(key, f": {name!r} holds no solvable deals")
    return pool


def check_sample(job: Job, chosen: Game, needed: int) -> None:
    """Raise ``JobError`` if the training pool holds fewer deals than one sample."""
    pool = training_pool(job, chosen)
    if len(pool) < needed:
        held = plural(len(pool), "deal")
        raise JobError.at("deals.train", f" holds {held}, fewer than the {needed:,} of one sample")


def check_shared(job: Job, who: str) -> None:
    """Refuse a scheme whose solvers meet different deals.

    Args:
        job: names the scheme.
        who: what compares solvers on the same deals, with its key in the job.

    Raises:
        JobError: naming the schemes that let all solvers meet the same deals.
    """
    if not plugins.find("scheme", job.scheme).shares(job):
        able = plugins.those("scheme", lambda other: other.shares(job))
        others = plugins.those("scheme", lambda other: bool(other.to_share))
        told = [f"{name} with {plugins.find('scheme', name).to_share}" for name in others]
        raise JobError(
            f"{who} compares solvers deal by deal, but with the scheme {job.scheme} they meet "
            f"different ones; {', '.join(able)} let all meet the same, and so does "
            f"{', and '.join(told)}"
        )


def job_text(job: Job) -> str:
    """The job as TOML with every key written out; ``parse_job`` reads it back the same."""
    return toml_text(job, listed=("exports", "phases"))
