"""Games and parts of an author of one's own, who hands them in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import gafreecell
from gafreecell.evolution.generation import Encounter, Genome, Learnt, Moment, Result
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Nodes, Outcome, Status, Task
from gafreecell.solving.parameters import Parameter, ParameterError


class HillClimb(gafreecell.Trainer):
    """Keeps the fittest and puts copies with small steps around it."""

    name = "hill-climb"
    parameters = (Parameter("step", 0.1, "share of a weight's range", 0.0, 1.0),)

    def found(self, moment: Moment) -> None:
        self._solvers = self.setting.uniform(self.setting.job.solvers.population, moment.rng(100))

    def ask(self) -> list[Genome]:
        return self._solvers

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        best = max(results, key=lambda result: result.fitness).solver
        spread = float(self.values["step"]) * moment.rng(101).normal(size=(len(results), len(best)))
        low, high = np.array([(f.low, f.high) for f in self.setting.features]).T
        steps = np.clip(np.array(best) + spread * (high - low), low, high)
        self._solvers = [best, *map(tuple, steps[1:].tolist())]
        return Learnt(best, {"spread": float(np.ptp(steps))})

    def state(self) -> dict[str, Any]:
        return {"solvers": self._solvers}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._solvers = [tuple(solver) for solver in state["solvers"]]


class EasyFirst(gafreecell.Scheme):
    """The pool's deals in turn, three a generation."""

    name = "in-turn"

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        first = 3 * (moment.generation - 1) % (len(self.setting.pool) - 3)
        return [Encounter(tuple(self.setting.pool[first : first + 3]))] * solvers


class Share(gafreecell.Measure):
    """The share of deals solved within a thousand nodes."""

    name = "share"

    def fitness(self, results: Sequence[Result]) -> list[float]:
        return [
            sum(o.status is Status.SOLVED and o.spent < 1000 for o in r.outcomes) / len(r.outcomes)
            for r in results
        ]


class Positions(gafreecell.BaseGame):
    """Stored positions with the regret of the move that the weights choose, and no deals."""

    name = "positions"
    features = (Feature("first", "the first move's worth"), Feature("second", "the second's"))
    training, validation = "training", "validation"

    def deals(self, name: str) -> list[str]:
        if name not in ("training", "validation"):
            raise ParameterError(f"there is no set {name!r}; there are training, validation")
        return [f"{name}-{number}" for number in range(1, 21)]

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        return [self._regret(task) for task in tasks]

    def _regret(self, task: Task) -> Outcome:
        assert task.evaluator is not None
        place = int(str(task.deal).partition("-")[2]) / 20
        weights = dict(zip(task.evaluator.features, task.evaluator.weights, strict=True))
        chosen = weights.get("first", 0) > weights.get("second", 0)
        regret = place if chosen else 1 - place
        return Outcome(Status.SOLVED, (), {"moves": 1}, Nodes(1, 1), 0.0, cost=regret)


class Countdown(gafreecell.BaseGame):
    name = "countdown"
    features = (Feature("stride", "how far a step goes", 0.0, 10.0, baseline=1.0),)

    def deal(self, number: int) -> int:
        return 10 * number

    def solve(self, deal: int, weights: np.ndarray, nodes: int) -> tuple[list[str] | None, int]:
        steps = -(-deal // max(1, round(weights[0])))
        return (["step"] * steps, steps) if steps <= nodes else (None, nodes)
