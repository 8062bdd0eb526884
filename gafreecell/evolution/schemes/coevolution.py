"""Hillis-style coevolution (GA-FreeCell 2011, section 3.4): problems evolve to be hard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from gafreecell.evolution.measures import UNSOLVED_NODES, baseline_counts
from gafreecell.evolution.measures.baseline_warning import Judge
from gafreecell.evolution.measures.node_reduction import NodeReduction
from gafreecell.evolution.populations import Draw, Rates, next_generation, quantiles, toolbox_of
from gafreecell.evolution.schemes import MOST_LISTED, Scheme
from gafreecell.evolution.schemes.problems import ProblemSet, set_fitness, virulent
from gafreecell.evolution.settings import Between, OneOf
from gafreecell.solitaire.abilities import ProvesUnsolvable
from gafreecell.solitaire.game import Game, Problem
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
