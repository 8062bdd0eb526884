"""Hillis-style coevolution (GA-FreeCell 2011, section 3.4): problems evolve to be hard.

The paper calls sets of deals "a population of problems". In Hillis's terms, solvers are hosts and
problems are parasites.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import wraps
from typing import Annotated, Any, ClassVar

from deap import base, tools

from deals.words import plural
from gafreecell.evolution.generation import (
    Encounter,
    Moment,
    Purpose,
    Result,
    RunWarning,
    Setting,
    warn,
)
from gafreecell.evolution.job import Job, JobError, check_sample
from gafreecell.evolution.measures import UNSOLVED_NODES, Judge, baseline_counts
from gafreecell.evolution.measures.node_reduction import NodeReduction
from gafreecell.evolution.operators.global_random import global_generators_from
from gafreecell.evolution.populations import Individual, Rates, quantiles, toolbox_of, vary
from gafreecell.evolution.schemes import MOST_LISTED, Scheme
from gafreecell.solitaire.abilities import ProvesUnsolvable
from gafreecell.solitaire.game import Deal, Game
from gafreecell.solving.outcome import Outcome, Status
from gafreecell.solving.settings import Between, OneOf
from gafreecell.solving.sums import left_to_right
from gafreecell.terminal.tables import Table


class UnsolvableWarning(RunWarning):
    """Problems that evolve to be hard may become unsolvable."""


@dataclass(frozen=True)
class Problems(Rates):
    """The population of problems, each a set of deals.

    Attributes:
        deals: deals in a problem.
        every: solver generations between two generations of problems.
        meetings: problems that a solver meets in a generation.
        encounters: ``own``: each solver meets problems drawn for it alone, as in the paper.
            ``shared``: all solvers of a generation meet the same problems (common random
            numbers), so the luck of the draw does not blur their comparison.
        penalty: nodes that a deal counts in its problem's fitness if every solver that met it
            failed. At 1,000 million, the paper's value, one such deal makes its problem about a
            thousand times fitter than any other.
        virulence: 0: the harder a problem, the fitter. Above 0: the quantile of hardness at
            which a problem is fittest. With 0.75, the fittest problems are harder than three
            quarters of the others, so they stay within the solvers' reach (reduced virulence,
            Cartlidge and Bullock 2004).
    """

    refused: ClassVar[tuple[str, ...]] = ("virulence",)
    deals: Annotated[int, Between(1, 100_000)] = 6
    every: Annotated[int, Between(1, 1_000_000)] = 5
    meetings: Annotated[int, Between(1, 1000)] = 2
    encounters: Annotated[str, OneOf(("own", "shared"))] = "own"
    penalty: Annotated[int, Between(1, 10**15)] = 1_000_000_000
    virulence: Annotated[float, Between(0, 1)] = 0.0


@dataclass
class Tally:
    """Counts over all solvers that have met a set of deals.

    Attributes:
        met: how many solvers met it.
        nodes: for each of its deals, nodes (or costs) summed over those solvers.
        solved: for each of its deals, how many of them solved it.
    """

    met: int = 0
    nodes: list[float] = field(default_factory=list)
    solved: list[int] = field(default_factory=list)


class ProblemSet(Individual):
    """An individual of the population of problems: a set of deals that solvers are measured on.

    Its genes are places in the pool, which DEAP's ``mutUniformInt`` can draw.

    Attributes:
        hardness: how hard it was for the solvers that met it; before, the mean of its parents'.
        tally: what solvers did on it.
    """

    def __init__(self, genes: Iterable[int] = (), hardness: float = 0.0) -> None:
        super().__init__(genes)
        self.hardness = hardness
        self.tally = Tally(0, [0] * len(self), [0] * len(self))

    def enter(self, outcomes: Sequence[Outcome]) -> None:
        """Count one solver's outcomes on its deals."""
        self.tally.met += 1
        for place, outcome in enumerate(outcomes):
            self.tally.nodes[place] += outcome.spent
            self.tally.solved[place] += outcome.status is Status.SOLVED

    def again(self) -> ProblemSet:
        """The same deals as a new individual, which nobody has met yet."""
        return type(self)(self, self.hardness)


def inheriting(mate: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator for crossovers: the children inherit the mean hardness of their parents."""

    @wraps(mate)
    def mated(*parents: ProblemSet, **given: Any) -> Any:
        mean = sum(one.hardness for one in parents) / len(parents)
        children = mate(*parents, **given)
        for child in children:
            child.hardness = mean
        return children

    return mated


def set_fitness(tally: Tally, baseline: Sequence[float], penalty: int) -> float:
    """How hard a set is: mean nodes of the solvers that met it, divided by the baseline's nodes.

    Args:
        tally: counts of at least one solver.
        baseline: for each deal, the baseline's nodes.
        penalty: nodes that a deal counts if no solver solved it.
    """
    means = [
        total / tally.met if count else float(penalty)
        for total, count in zip(tally.nodes, tally.solved, strict=True)
    ]
    # Costs other than nodes can be 0: then divide by 1.
    return left_to_right(means) / (left_to_right(baseline) or 1)


def virulent(hardness: Sequence[float], virulence: float) -> list[float]:
    """The fitness of problems under reduced virulence, which favours less than the hardest ones.

    Let x be the share of problems that are no harder. Fitness is 2x/v - (x/v)^2, which is largest
    where x equals the virulence v. Cartlidge and Bullock (2004, section 3) use the score relative
    to the best one as x. But hardness varies so much that nearly all of these would be close to 0.

    Args:
        hardness: of each problem, 0 or more.
        virulence: v, above 0 and at most 1.
    """
    # Loading it takes 0.4 s, more than all else that shows a run, and few jobs need it.
    from scipy.stats import rankdata

    shares = rankdata(hardness, "max") / len(hardness) / virulence
    return [max(2 * share - share**2, 0.0) for share in shares.tolist()]


class Coevolution(Scheme):
    """A population of problems, each a set of deals, by the settings of ``[problems]``.

    Warns:
        BaselineWarning: once, when the baseline solves less than half of what the solvers of a
            generation meet, unless the measure says so; or fails in three of four problems.
        UnsolvableWarning: at the start, if the game has unsolvable deals and does not know which.
    """

    name = "coevolution"
    axis = "nodes / baseline's nodes (higher is harder)"
    hint = "very high: some deal that no solver solved; near 0: one that the baseline failed on"
    to_share = "problems.encounters = 'shared'"
    adversarial = True
    tables: ClassVar = {"problems": Problems}
    baseline = True

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._sets: list[ProblemSet] = []
        self._judge = Judge(setting, "a problem that solvers solve has a fitness near 0")

    @classmethod
    def check(cls, job: Job, game: Game) -> None:
        """Refuse more meetings than there are problems, and a pool smaller than a problem."""
        rates = job.table(Problems)
        if rates.meetings > rates.population:
            raise JobError.at(
                "problems.meetings", f" must be at most problems.population, got {rates.meetings}"
            )
        check_sample(job, game, rates.deals)

    @classmethod
    def words(cls, job: Job) -> str:
        rates = job.table(Problems)
        shared = "all meet the same ones" if cls.shares(job) else "each meets its own"
        text = (
            f"They evolve against {plural(rates.population, 'problem')} of "
            f"{plural(rates.deals, 'deal')} each, from the deals {job.deals.train}. In a "
            f"generation a solver meets {plural(rates.meetings, 'problem')} ({shared}). Problems "
            f"evolve, too, every {plural(rates.every, 'generation')}: the more nodes the solvers "
            "need on a problem, as a multiple of the baseline's, the fitter it is. "
            f"{_unsolved(job)}"
        )
        if rates.virulence:
            text += (
                " Virulence is reduced: the fittest problems are those harder than "
                f"{100 * rates.virulence:.3g} % of the others."
            )
        return text

    @classmethod
    def shares(cls, job: Job) -> bool:
        return job.table(Problems).encounters == "shared"

    @classmethod
    def remembered(cls, state: Mapping[str, Any], job: Job, run: str) -> Iterator[Table]:
        sets = state.get("sets", ())
        if not sets:
            return
        fittest = sorted(sets, key=lambda one: -one["hardness"])[:MOST_LISTED]
        yield Table(
            f"The fittest problems at the end of {run}, of {len(sets)}",
            ["rank", "deals", "fitness"],
            [
                [str(place), ", ".join(map(str, one["deals"])), f"{one['hardness']:.3g}"]
                for place, one in enumerate(fittest, 1)
            ],
            [
                "Fitness: nodes of the solvers that met the problem, as a multiple of the "
                f"baseline's. {_unsolved(job)} A problem that no solver has met yet has the "
                "fitness of its parents."
            ],
        )
        counts = Counter(deal for one in sets for deal in dict.fromkeys(one["deals"]))
        common = sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0])))[:MOST_LISTED]
        yield Table(
            f"The deals that most problems of {run} hold at the end",
            ["deal", "problems that hold it"],
            [[str(deal), f"{count} of {len(sets)}"] for deal, count in common],
            [
                f"The {len(sets)} problems hold {plural(len(counts), 'different deal')}. A deal in "
                "many of them has spread because it is hard for the solvers."
            ],
        )

    def found(self, moment: Moment) -> None:
        """Draw sets of deals uniformly from the pool."""
        rates, pool = self.setting.job.table(Problems), self.setting.pool
        size = (rates.population, rates.deals)
        picks = moment.rng(Purpose.FOUNDING).integers(len(pool), size=size)
        self._sets = list(map(ProblemSet, picks.tolist()))
        game = self.setting.game
        known: Collection[Deal] = getattr(game, "unsolvable", frozenset)()
        if isinstance(game, ProvesUnsolvable) and not known:
            warn(
                f"deals of {game.title} can be unsolvable, and it is not known which: coevolution "
                "takes them for the hardest and breeds them; unless deals.train holds solvable "
                "deals alone, take the scheme 'resampled' or 'informative'",
                UnsolvableWarning,
            )

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        rates, rng = self.setting.job.table(Problems), moment.rng(Purpose.MEETING)
        own = rates.encounters == "own"
        met = [
            tuple(rng.choice(len(self._sets), size=rates.meetings, replace=False).tolist())
            for _ in range(solvers if own else 1)
        ]
        encounters = [
            Encounter(tuple(deal for at in places for deal in self._deals(self._sets[at])), places)
            for places in met
        ]
        return encounters if own else encounters * solvers

    def tell(self, moment: Moment, results: Sequence[Result]) -> dict[str, Any]:
        rates = self.setting.job.table(Problems)
        for result in results:
            outcomes = iter(result.outcomes)
            for place in result.encounter.met:
                self._sets[place].enter([next(outcomes) for _ in range(rates.deals)])
        baseline = []
        for one in self._sets:
            if one.tally.met:
                baseline.append(self.setting.baseline(self._deals(one)))
                counts = baseline_counts(baseline[-1])
                one.hardness = set_fitness(one.tally, counts, rates.penalty)
        if self.setting.job.fitness.measure != NodeReduction.name:
            deals = dict.fromkeys(deal for result in results for deal in result.encounter.deals)
            self._judge.look_at(self.setting.baseline(list(deals)))
        self._judge.look_at_sets(baseline)
        told = {
            **quantiles([one.hardness for one in self._sets]),
            "distinct_deals": len({place for one in self._sets for place in one}),
        }
        if moment.generation % rates.every == 0:
            with global_generators_from(moment.rng(Purpose.PROBLEM_BREEDING)):
                self._sets = vary(self._parents(), problems_toolbox(rates, self.setting), rates)
        return told

    def state(self) -> dict[str, Any]:
        return {
            "sets": [
                {
                    "deals": self._deals(one),
                    "hardness": one.hardness,
                    "tally": asdict(one.tally),
                }
                for one in self._sets
            ]
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._sets = []
        rates = self.setting.job.table(Problems)
        for kept in state["sets"]:
            one = ProblemSet(map(self.setting.place_of, kept["deals"]), float(kept["hardness"]))
            one.tally = Tally(**kept["tally"])
            if not len(one.tally.nodes) == len(one.tally.solved) == len(one) == rates.deals:
                raise ValueError("its problems or their tallies are not as long as the job says")
            self._sets.append(one)
        if len(self._sets) != rates.population:
            raise ValueError("its problems are not as many as the job says")

    def _deals(self, one: ProblemSet) -> list[Deal]:
        return [self.setting.pool[place] for place in one]

    def _parents(self) -> list[ProblemSet]:
        """The sets that breed, with their fitness.

        With virulence, hard ones are fittest, but not the hardest.
        """
        virulence = self.setting.job.table(Problems).virulence
        sets = self._sets
        if virulence:
            # Nothing is known of the others: neither they nor their parents have been met.
            sets = [one for one in sets if one.tally.met or one.hardness] or sets
        hardness = [one.hardness for one in sets]
        values = virulent(hardness, virulence) if virulence else hardness
        for one, value in zip(sets, values, strict=True):
            one.fitness.values = (value,)
        return sets


def problems_toolbox(rates: Problems, setting: Setting) -> base.Toolbox:
    """A DEAP toolbox that breeds sets of deals."""
    toolbox = toolbox_of(rates, rates.deals)
    toolbox.register("clone", ProblemSet.again)
    toolbox.decorate("mate", inheriting)
    last, share = len(setting.pool) - 1, rates.gene_mutation
    toolbox.register("mutate", tools.mutUniformInt, low=0, up=last, indpb=share)
    return toolbox


def _unsolved(job: Job) -> str:
    """What a deal without a solution counts in the fitness of problems."""
    penalty = plural(job.table(Problems).penalty, "node")
    return (
        f"There a deal that no solver solved counts {penalty}. Where the baseline failed, it "
        f"counts {plural(UNSOLVED_NODES, 'node')}."
    )
