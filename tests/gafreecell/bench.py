"""An evolution of the toy game whose every evaluation is seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conftest import as_toml, job_table
from joblib import Parallel

from gafreecell.evolution.generation import Result
from gafreecell.evolution.job import Job
from gafreecell.evolution.job_reading import parse_job
from gafreecell.evolution.loop import Evolution
from gafreecell.evolution.measures import baseline_counts
from gafreecell.evolution.parts import State
from gafreecell.evolution.schemes.coevolution import ProblemSet, Tally
from gafreecell.solving.outcome import Outcome, Task
from gafreecell.workers.evaluation import Evaluation
from gafreecell.workers.pools import Threads


class Spy(Evaluation):
    """An evaluation that keeps what it was asked, call after call."""

    def __init__(self, game: Any) -> None:
        super().__init__(game, Threads(Parallel(n_jobs=1, return_as="generator_unordered")))
        self.calls: list[list[Task]] = []
        self.phase = ""

    def outcomes(self, tasks: Sequence[Task], replayed: bool = False) -> list[Outcome]:
        self.calls.append(list(tasks))
        return super().outcomes(tasks, replayed)


def solvers_of(state: State) -> list[list[float]]:
    """The genomes to be measured next."""
    return [list(solver) for solver in state.trainer["solvers"]]


def sets_of(state: State) -> list[ProblemSet]:
    """The population of problems; here their genes are the deals themselves."""
    found = []
    for kept in state.scheme.get("sets", []):
        found.append(ProblemSet(kept["deals"], kept["hardness"]))
        found[-1].tally = Tally(**kept["tally"])
    return found


class Bench:
    """An evolution whose every evaluation is seen.

    Attributes:
        results: of the generation just run, with their fitness.
        met: the problems as they were told of it, before they had children.
    """

    def __init__(self, **changes: Any) -> None:
        self.job: Job = parse_job(as_toml(job_table(**changes)), "job.toml")
        self.spy = Spy(self.job.load_game())
        self.evolution = Evolution(self.job, self.spy)
        self.evaluator = self.evolution.parts.setting.evaluator
        self.tasks: list[Task] = []
        self.validated: list[tuple[float, ...]] = []
        self.results: list[Result] = []
        learn = self.evolution.parts.trainer.tell

        def tell(moment: Any, results: Sequence[Result]) -> Any:
            self.results = list(results)
            return learn(moment, results)

        self.evolution.parts.trainer.tell = tell  # type: ignore[method-assign]

    def generations(self, count: int | None = None) -> Iterator[tuple[State, State, dict]]:
        """Each generation's state as evaluated, the next one, and its log line."""
        state = self.evolution.found()
        phases: dict[str, list[list[Task]]] = {}

        def phase(name: str) -> None:
            phases[name] = self.spy.calls = []

        self.evolution.on_phase = phase
        for _ in range(count or self.job.generations):
            phases.clear()
            before = state
            state, line = self.evolution.step(before)
            (self.tasks,) = phases["solvers"]
            self.validated = [
                tasks[0].evaluator.weights  # type: ignore[union-attr]
                for tasks in phases.get("validation", [])
            ]
            yield before, state, line

    def deals_met(self, state: State) -> list[list[int]]:
        """The deals each solver was measured on in the generation just run."""
        solvers = solvers_of(state)
        tasks = iter(self.tasks)
        each = len(self.tasks) // len(solvers)
        found = []
        for solver in solvers:
            mine = [next(tasks) for _ in range(each)]
            assert {task.evaluator.weights for task in mine} == {tuple(solver)}  # type: ignore
            found.append([int(task.deal) for task in mine])  # type: ignore[call-overload]
        assert not list(tasks)
        return found

    def baseline(self, deals: Sequence[int]) -> list[float]:
        """The baseline's counts."""
        return baseline_counts(self.evolution.parts.setting.baseline(deals))
