"""Hillis-style coevolution (GA-FreeCell 2011, section 3.4): problems evolve to be hard.

The paper calls sets of deals "a population of problems". In Hillis's terms, solvers are hosts and
problems are parasites.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, ClassVar

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
from gafreecell.evolution.populations import (
    Draw,
    Individual,
    Rates,
    next_generation,
    quantiles,
    toolbox_of,
)
from gafreecell.evolution.schemes import MOST_LISTED, Scheme
from gafreecell.evolution.settings import Between, OneOf
from gafreecell.solitaire.abilities import ProvesUnsolvable
from gafreecell.solitaire.game import Game, Problem
from gafreecell.solving.outcome import Outcome, Status
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
    """An individual of the population of problems: a set of deals that solvers are measured on."""

    def __init__(self, genes: Sequence[Problem], inherited: float = 0.0) -> None:
        super().__init__(genes, inherited)
        self.tally = Tally(0, [0] * len(genes), [0] * len(genes))

    def enter(self, outcomes: Sequence[Outcome]) -> None:
        """Count one solver's outcomes on its deals."""
        self.tally.met += 1
        for place, outcome in enumerate(outcomes):
            self.tally.nodes[place] += outcome.spent
            self.tally.solved[place] += outcome.status is Status.SOLVED

    def as_document(self) -> dict[str, Any]:
        """The set in plain numbers, words, lists and mappings."""
        return {
            "problems": list(self),
            "inherited": self.inherited,
            "fitness": self.value if self.fitness.valid else None,
            "tally": asdict(self.tally),
        }

    @classmethod
    def from_document(cls, kept: Mapping[str, Any]) -> ProblemSet:
        """The set of a document; ``KeyError``, ``TypeError`` or ``ValueError`` if that is wrong."""
        one = cls(kept["problems"], float(kept["inherited"]))
        if kept["fitness"] is not None:
            one.fitness.values = (float(kept["fitness"]),)
        one.tally = Tally(**kept["tally"])
        if not all(isinstance(deal, int | str) for deal in one):
            raise ValueError("a problem must be a number or a name")
        if not len(one.tally.nodes) == len(one.tally.solved) == len(one):
            raise ValueError("a set's tallies must be as long as its list of problems")
        return one


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
        sets = [ProblemSet.from_document(kept) for kept in state.get("sets", ())]
        if not sets:
            return
        fittest = sorted(sets, key=lambda one: -one.value)[:MOST_LISTED]
        yield Table(
            f"The fittest problems at the end of {run}, of {len(sets)}",
            ["rank", "deals", "fitness"],
            [
                [str(place), ", ".join(map(str, one)), f"{one.value:.3g}"]
                for place, one in enumerate(fittest, 1)
            ],
            [
                "Fitness: nodes of the solvers that met the problem, as a multiple of the "
                f"baseline's. {_unsolved(job)} A problem that no solver has met yet has the "
                "fitness of its parents."
            ],
        )
        counts = Counter(deal for one in sets for deal in dict.fromkeys(one))
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
        self._sets = [ProblemSet([pool[i] for i in row]) for row in picks.tolist()]
        game = self.setting.game
        known: Collection[Problem] = getattr(game, "unsolvable", frozenset)()
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
            Encounter(tuple(deal for place in places for deal in self._sets[place]), places)
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
                baseline.append(self.setting.baseline(one))
                counts = baseline_counts(baseline[-1])
                one.fitness.values = (set_fitness(one.tally, counts, rates.penalty),)
        if self.setting.job.fitness.measure != NodeReduction.name:
            deals = dict.fromkeys(p for result in results for p in result.encounter.problems)
            self._judge.look_at(self.setting.baseline(list(deals)))
        self._judge.look_at_sets(baseline)
        told = {
            **quantiles([one.value for one in self._sets]),
            "distinct_problems": len({deal for one in self._sets for deal in one}),
        }
        if moment.generation % rates.every == 0:
            rng = moment.rng(Purpose.PROBLEM_BREEDING)
            toolbox = toolbox_of(rates, self._new_deal, rng)
            self._sets = next_generation(self._parents(), rates, toolbox, rng)
        return told

    def state(self) -> dict[str, Any]:
        return {"sets": [one.as_document() for one in self._sets]}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._sets = [ProblemSet.from_document(kept) for kept in state["sets"]]
        rates = self.setting.job.table(Problems)
        if [len(one) for one in self._sets] != [rates.deals] * rates.population:
            raise ValueError("its problems are not as many, or as large, as the job says")

    def _parents(self) -> list[ProblemSet]:
        """The sets that breed; with virulence, hard ones are worth most, but not the hardest."""
        virulence = self.setting.job.table(Problems).virulence
        if not virulence:
            return self._sets
        # Nothing is known of the others: neither they nor their parents have been met.
        known = [one for one in self._sets if one.tally.met or one.inherited] or self._sets
        values = virulent([one.value for one in known], virulence)
        for one, value in zip(known, values, strict=True):
            one.worth = value  # Their children inherit the hardness itself.
        return known

    def _new_deal(self, gene: Problem, place: int, rng: Draw) -> Problem:
        return self.setting.pool[int(rng.integers(len(self.setting.pool)))]


def _unsolved(job: Job) -> str:
    """What a deal without a solution counts in the fitness of problems."""
    penalty = plural(job.table(Problems).penalty, "node")
    return (
        f"There a deal that no solver solved counts {penalty}. Where the baseline failed, it "
        f"counts {plural(UNSOLVED_NODES, 'node')}."
    )
