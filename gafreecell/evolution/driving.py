"""A job driven from outside: its black box for any optimiser, and its trainer asked and told."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np
from joblib import Parallel
from numpy.typing import ArrayLike, NDArray

from deals.checks import expected, finite, shown, whole, whole_number
from deals.words import plural
from gafreecell.evolution.costs import Spent
from gafreecell.evolution.generation import Genome, Moment, Result, trained_features
from gafreecell.evolution.job import Job, JobError, training_pool, validation_pool
from gafreecell.evolution.job_reading import load_job
from gafreecell.evolution.measuring import Measuring
from gafreecell.evolution.parts import Parts, State
from gafreecell.evolution.returned import genome, listed
from gafreecell.evolution.schemes.racing import Racing
from gafreecell.evolution.validation import champion_of
from gafreecell.installed.plugins import PluginError
from gafreecell.solitaire.game import Deal, members
from gafreecell.solitaire.replaying import check_moves
from gafreecell.solving.features import Feature
from gafreecell.solving.games import solved_by
from gafreecell.solving.outcome import Nodes, Outcome, Status, Task
from gafreecell.solving.weights import Weights
from gafreecell.workers.chosen import Workers
from gafreecell.workers.evaluation import BATCH, Evaluation
from gafreecell.workers.pools import Threads

Given: TypeAlias = Job | Mapping[str, Any] | str | os.PathLike[str]
"""A job, its keys and tables as a mapping, or the path of its file."""


@contextmanager
def _answering() -> Iterator[None]:
    """Checks in this block are of a caller's arguments, not of what a part returned."""
    try:
        yield
    except PluginError as error:
        raise JobError(str(error)) from None


class BlackBox:
    """What weights cost on deals, for an optimiser of your own.

    It has a job's search, budget and deals, and counts what they cost. Its trainer, scheme and
    measure are not used. Close it, or use it in a ``with`` block, if it has several workers.

    Args:
        job: the job, its keys as a mapping, or the path of its file.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; by default
            one, in this thread.
        changes: values that replace the job's, as for ``evolve``.

    Attributes:
        job: the job.
        spent: evaluations, nodes and processor seconds of searches so far.

    Raises:
        JobError: if the job cannot be read or run.
    """

    def __init__(self, job: Given, jobs: Workers | int = 1, **changes: Any) -> None:
        self.job = load_job(job, changes)
        if self.job.phases or self.job.rules.count:
            raise JobError(
                f"the job {self.job.name!r} trains rules, or a phase behind others: a black box "
                "takes a job that trains the weights of one sum"
            )
        self.spent = Spent()
        self._game = self.job.load_game()
        self._stack = ExitStack()
        workers = Workers.of(jobs)
        self._evaluation = None
        if (workers.jobs, workers.backend) != (1, "threading"):
            pool = self._stack.enter_context(workers.started())
            self._evaluation = Evaluation(self._game, pool)
        self._replayed = False
        self._strange: set[int] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End its workers."""
        self._stack.close()

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The features whose weights are sought, each with ``name``, ``low`` and ``high``."""
        return trained_features(self.job, self._game)

    @property
    def low(self) -> NDArray[np.float64]:
        """The least weight of each feature, shape ``(features,)``."""
        return np.array([feature.low for feature in self.features])

    @property
    def high(self) -> NDArray[np.float64]:
        """The largest weight of each feature, shape ``(features,)``."""
        return np.array([feature.high for feature in self.features])

    @cached_property
    def training(self) -> Sequence[Deal]:
        """The deals to train on."""
        return training_pool(self.job, self._game)

    @cached_property
    def validation(self) -> Sequence[Deal]:
        """The deals to choose the best weights on."""
        return validation_pool(self.job, self._game)

    def sample(self, count: int, rng: np.random.Generator) -> list[Deal]:
        """So many distinct training deals, drawn by a generator.

        Raises:
            JobError: if there are not so many, or the arguments are of other kinds.
        """
        count, most = whole_number(count, "the size of a sample", JobError), len(self.training)
        if not 1 <= count <= most:
            raise JobError(f"a sample must have 1 to {most:,} training deals, got {count:,}")
        expected(rng, np.random.Generator, "rng must be a numpy.random.Generator", JobError)
        places = rng.choice(len(self.training), size=count, replace=False)
        return [self.training[int(place)] for place in places]

    def outcomes(self, weights: ArrayLike, deals: Sequence[Deal]) -> list[Outcome]:
        """What becomes of each deal with some weights, without the moves.

        Args:
            weights: one for each feature, shape ``(features,)``, from ``low`` to ``high``.
            deals: numbers or names of deals, at least one.

        Raises:
            BadInput: if the weights are not so many finite numbers in their ranges, or there are
                no such deals.
        """
        evaluator = self.job.trained_evaluator(self._genome(weights))
        with _answering():
            given = listed(deals, "deals must be a list of numbers and names")
        if not given:
            raise JobError("there are no deals to measure weights on: give at least one")
        tasks = [Task(deal, evaluator, self.job.search, self.job.limits) for deal in given]
        if self._evaluation is not None:
            found = self._evaluation.outcomes(tasks, replayed=True)
        else:
            found = self._solved(tasks)
        self.spent += Spent.on(found)
        numbers = {number for deal in given if (number := whole(deal)) is not None}
        self._strange |= {one for one in numbers if not any(one in pool for pool in self._pools)}
        return found

    @cached_property
    def _pools(self) -> list[Container[Deal]]:
        """The job's deals."""
        return [members(self.training), members(self.validation)]

    def _genome(self, weights: ArrayLike) -> Genome:
        with _answering():
            return genome(weights, self.features, f"the job {self.job.name!r} takes")

    def _solved(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Solve here; the verifier replays the first solutions, as in a run."""
        found = solved_by(self._game, tasks)
        for task, outcome in zip(tasks, found[: 0 if self._replayed else BATCH], strict=False):
            check_moves(task.deal, outcome.moves, task.search, self._game)
        self._replayed = True
        return [outcome.without_moves() for outcome in found]

    def cost(self, weights: ArrayLike, deals: Sequence[Deal]) -> float:
        """What some weights cost on some deals; less is better.

        It is the value by which the job's ``[validation]`` ranks solvers (``ranking``, ``failure``
        and the charges), within the budget of training.

        Args:
            weights, deals: as for ``outcomes``.
        """
        outcomes = self.outcomes(weights, deals)
        rules, scales = self.job.validation, self._game.scales
        return champion_of(0, (), outcomes, rules, self.job.limits.nodes, scales).value

    def weights(self, weights: ArrayLike) -> Weights:
        """Weights to write to a file and to solve with.

        Their provenance names the deals of the job and the other numbers that were met here
        (``met``), of all of which ``evaluate`` warns. It names no seed and no run, because none
        made them.

        Raises:
            JobError: as ``outcomes`` does for weights.
        """
        found = self.job.weights(self._genome(weights))
        made = f"an optimiser that minimised the cost of the job {self.job.name!r}"
        about: dict[str, Any] = {"made by": made}
        about |= {key: found.provenance[key] for key in ("trained", "validated")}
        if self._strange:
            numbers = np.array(sorted(self._strange))
            rows = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
            about["met"] = [f"{row[0]}-{row[-1]}" for row in rows]
        return replace(found, provenance={**about, "package": found.provenance["package"]})


@dataclass(frozen=True)
class Asked:
    """A solver that the trainer asks about.

    Attributes:
        weights: its weights, or all of its genes.
        deals: what it meets, in this order.
    """

    weights: Genome
    deals: tuple[Deal, ...]


class AskTell:
    """A job's trainer and scheme, which you ask for solvers and tell what became of them.

    You solve the deals, wherever and however you want, or report costs of anything else. With the
    outcomes that a run would have had, it asks for the same solvers as the run, to the bit.

    Args:
        job: the job, its keys as a mapping, or the path of its file.
        state: what ``state`` returned, to go on from there; a new beginning by default.
        changes: values that replace the job's, as for ``evolve``.

    Attributes:
        job: the job.

    Raises:
        JobError: if the job cannot be read or run, or the state is of another job.
    """

    def __init__(self, job: Given, state: Mapping[str, Any] | None = None, **changes: Any) -> None:
        self.job = load_job(job, changes)
        if self.job.table(Racing).rounds > 1:
            raise JobError.at(
                "racing.rounds", ": solvers that are asked about meet all their deals: set it to 1"
            )
        pool = Threads(Parallel(1, batch_size=1, return_as="generator_unordered"))
        measuring = Measuring(self.job, Evaluation(self.job.load_game(), pool))
        self._parts = Parts.of(measuring.setting)
        measuring.allow_baseline()
        self._asked: list[Asked] = []
        if state is None:
            self._state = self._parts.found()
        else:
            self._state = self._from(state)

    @property
    def generation(self) -> int:
        """How many generations have been told."""
        return self._state.generation

    def ask(self) -> list[Asked]:
        """The solvers of the next generation, each with the deals that it meets.

        Asked again before ``tell``, it returns the same ones.
        """
        moment = Moment(self.job.seed, self.generation + 1)
        self._parts.restore(self._state)
        self._solvers = self._parts.generate()
        self._encounters = self._parts.meet(moment, self._solvers)
        self._asked = [
            Asked(tuple(solver), encounter.deals)
            for solver, encounter in zip(self._solvers, self._encounters, strict=True)
        ]
        return list(self._asked)

    def tell(self, outcomes: Sequence[Sequence[Outcome | float]]) -> Genome:
        """Tell what became of the solvers that were asked about.

        Args:
            outcomes: for each solver in the order of ``ask`` an outcome for each of its deals, or
                what the deal cost as a finite number of 0 or more, of which less is better.

        Returns:
            The weights that stand for the generation.

        Raises:
            JobError: if nothing was asked, or outcomes are missing.
        """
        if not self._asked:
            raise JobError("there is nothing to tell before ask: call ask first")
        asked_for = f"tell takes the outcomes of {plural(len(self._asked), 'solver')}"
        with _answering():
            given = listed(outcomes, asked_for)
            lists = [listed(one, f"{asked_for}, a list each") for one in given]
        if len(lists) != len(self._asked):
            raise JobError(f"{asked_for}, got {len(lists)}")
        moment = Moment(self.job.seed, self.generation + 1)
        results = [
            Result(tuple(solver), encounter, _outcomes(found, asked))
            for solver, encounter, found, asked in zip(
                self._solvers, self._encounters, lists, self._asked, strict=True
            )
        ]
        # Whatever a part needs of ``ask`` is in its state or in the encounters.
        self._parts.restore(self._state)
        fitness = self._parts.score(results)
        results = [replace(one, fitness=f) for one, f in zip(results, fitness, strict=True)]
        problems = self._parts.learn(moment, results)
        learnt = self._parts.update(moment, results, problems)
        self._state = self._parts.state(moment.generation, None)
        self._asked = []
        return learnt.best

    def state(self) -> dict[str, Any]:
        """All that is needed to go on after the last ``tell``; JSON can hold it."""
        kept = {"trainer": self._state.trainer, "scheme": self._state.scheme}
        return {"job": self.job.digest, "generation": self.generation, **deepcopy(kept)}

    def _from(self, kept: Mapping[str, Any]) -> State:
        try:
            state = State(int(kept["generation"]), kept["trainer"], kept["scheme"])
            same = kept["job"] == self.job.digest
            if same:
                self._parts.restore(state)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise JobError(
                f"a state must be what AskTell.state returned, got {shown(kept)} ({error})"
            ) from None
        if not same:
            raise JobError(
                f"this state is of another job than {self.job.name!r}: give the job and the "
                "changes that it was made with"
            )
        return state

    def weights(self, weights: ArrayLike) -> Weights:
        """Weights to write to a file and to solve with.

        Raises:
            JobError: if they are not as many finite numbers as a solver has, in their ranges.
        """
        features = self._parts.setting.features
        with _answering():
            return self.job.weights(genome(weights, features, f"the job {self.job.name!r} takes"))


def _outcomes(given: Sequence[Outcome | float], asked: Asked) -> tuple[Outcome, ...]:
    """A solver's outcomes, costs turned into such."""
    found = []
    for one in given:
        cost = None if isinstance(one, Outcome) else finite(one)
        if isinstance(one, Outcome):
            found.append(one)
        elif cost is None or cost < 0:
            # Measures count costs as they count nodes.
            raise JobError(
                "an outcome must be a gafreecell.Outcome or a finite number of 0 or more, got "
                f"{shown(one)}"
            )
        else:
            found.append(Outcome(Status.SOLVED, None, {}, Nodes(0, 0), cost=cost))
    if len(found) != len(asked.deals):
        raise JobError(
            f"tell takes an outcome for each of {plural(len(asked.deals), 'deal')} of a solver, "
            f"got {len(found)}"
        )
    return tuple(found)
