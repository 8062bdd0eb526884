"""One generation after another: a pure function of state, job and generation number.

A generation evaluates every solver, gives both populations their fitness,
and breeds the next ones. All its random numbers come from
``SeedSequence(seed, spawn_key=(purpose, generation))``, so nothing of a
generator needs to be saved to go on exactly where a run stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gafreecell import strategy
from gafreecell.evaluation import Baseline, Evaluation
from gafreecell.fitness import (
    baseline_counts,
    host_fitness,
    log_score,
    mean_log_nodes,
    mean_node_reduction,
    mean_nodes,
    nodes_and_length,
)
from gafreecell.job import Job, training_pool, validation_pool
from gafreecell.populations import (
    Draw,
    Host,
    Individual,
    best_of,
    front,
    next_front,
    next_generation,
    quantiles,
    toolbox_of,
)
from gafreecell.strategy import Strategy
from solving.outcome import Evaluator, Outcome, Status, Task

# What the random numbers of a generation are for: the first part of the spawn key.
FOUNDING, MEETING, SOLVER_BREEDING, HOST_BREEDING, SAMPLING, LEARNING = range(6)


def generator(job: Job, purpose: int, generation: int) -> Draw:
    """The random numbers of one purpose in one generation."""
    return np.random.default_rng(np.random.SeedSequence(job.seed, spawn_key=(purpose, generation)))


@dataclass(frozen=True)
class Champion:
    """The best weights so far, as the validation deals rank them.

    Attributes:
        generation: whose best solver it was.
        weights: its genome.
        value: the job's ranking of the validation deals; smaller is better.
        solved: validation deals it solved.
        nodes: its mean nodes on those it solved, 0 if none.
    """

    generation: int
    weights: tuple[float, ...]
    value: float
    solved: int
    nodes: float


@dataclass
class State:
    """All that a run is between two generations.

    Attributes:
        generation: generations completed.
        solvers: the solvers to evaluate next.
        hosts: the deal sets they can meet; empty without coevolution.
        champion: the best weights so far; None before the first generation.
        strategy: what CMA-ES draws the solvers from; None for other trainers.
    """

    generation: int
    solvers: list[Individual]
    hosts: list[Host] = field(default_factory=list)
    champion: Champion | None = None
    strategy: Strategy | None = None


class Evolution:
    """A job with what its generations need.

    Args:
        job: what to do.
        evaluation: runs the tasks.
        on_phase: told what is being computed, for progress.
    """

    def __init__(
        self, job: Job, evaluation: Evaluation, on_phase: Callable[[str], None] = lambda phase: None
    ) -> None:
        self.job = job
        self.evaluation = evaluation
        self.on_phase = on_phase
        game = evaluation.game
        names = job.trained.features or game.default_features
        by_name = {feature.name: feature for feature in game.features}
        self.features = [by_name[name] for name in names]
        self.pool = training_pool(job, game)
        self.validation = validation_pool(job, game)
        self._solver_tools = toolbox_of(job.solvers, self._new_weight)
        self._host_tools = toolbox_of(job.hosts, self._new_deal)
        self._baseline = self._make_baseline()

    def found(self) -> State:
        """The state before the first generation."""
        rng = generator(self.job, FOUNDING, 0)
        chosen = None
        if self.job.trainer == "cma-es":
            start = self.job.cma.start
            middle = [start.get(f.name, (f.low + f.high) / 2) for f in self.features]
            chosen = strategy.begin(self._scaled(middle), self.job.cma.spread)
            solvers = self._drawn(chosen, rng)
        else:
            solvers = self._random(rng)
        hosts = []
        if self.job.scheme == "coevolution":
            picks = rng.integers(
                len(self.pool), size=(self.job.hosts.population, self.job.hosts.deals)
            )
            hosts = [Host([self.pool[i] for i in row]) for row in picks.tolist()]
        return State(0, solvers, hosts, strategy=chosen)

    def _random(self, rng: Draw) -> list[Individual]:
        """Solvers with weights drawn uniformly from their ranges."""
        low = [feature.low for feature in self.features]
        high = [feature.high for feature in self.features]
        genomes = rng.uniform(low, high, size=(self.job.solvers.population, len(self.features)))
        return [Individual(genome) for genome in genomes.tolist()]

    def _drawn(self, chosen: Strategy, rng: Draw) -> list[Individual]:
        """Solvers drawn from a strategy."""
        genomes = strategy.draw(chosen, self.job.solvers.population, rng)
        return [Individual(self._unscaled(genome)) for genome in genomes]

    def _unscaled(self, genome: Sequence[float]) -> list[float]:
        return [f.low + x * (f.high - f.low) for f, x in zip(self.features, genome, strict=True)]

    def _scaled(self, weights: Sequence[float]) -> list[float]:
        return [
            min(max((w - f.low) / (f.high - f.low), 0.0), 1.0)
            for f, w in zip(self.features, weights, strict=True)
        ]

    def step(self, state: State) -> tuple[State, dict[str, Any]]:
        """Run one generation.

        Returns:
            The next state, and what the generation's log line says of it.
        """
        generation = state.generation + 1
        meetings = self._meetings(state, generation)
        self.on_phase("solvers")
        outcomes = self._evaluate(state.solvers, meetings)
        self.on_phase("baseline")
        self._give_fitness(state, meetings, outcomes)
        best = best_of(state.solvers, 1)[0]
        chosen = state.strategy
        if chosen is not None:
            genomes = [self._scaled(solver) for solver in state.solvers]
            values = [solver.value for solver in state.solvers]
            rng = generator(self.job, LEARNING, generation)
            chosen = strategy.follow(chosen, genomes, values, rng)
            # Its centre is less a matter of luck than the luckiest of those drawn.
            best = Individual(self._unscaled(chosen.mean), best.value)
        self.on_phase("validation")
        champion = self._validate(state.champion, best, generation)
        line = self._line(state, generation, outcomes, best, champion)
        costs = self._costs(outcomes) if self.job.trainer == "nsga-ii" else []
        if costs:
            line["front"] = [
                {"log_nodes": costs[i][0], "length": costs[i][1], "weights": list(state.solvers[i])}
                for i in front(costs)
            ]
        return self._breed(state, generation, champion, chosen, costs), line

    def _costs(self, outcomes: Sequence[Sequence[Outcome]]) -> list[tuple[float, float]]:
        """What NSGA-II weighs against each other, for each solver."""
        rules, budget = self.job.fitness, self.job.limits.nodes
        return [
            nodes_and_length(results, budget, rules.failure, rules.expansion, rules.exponent)
            for results in outcomes
        ]

    def evaluator(self, genome: Sequence[float]) -> Evaluator:
        """The evaluator that a genome stands for."""
        return Evaluator(tuple(feature.name for feature in self.features), tuple(genome))

    def _meetings(self, state: State, generation: int) -> list[list[int]]:
        """For each solver, the deals it is measured on this generation.

        With coevolution they come from the hosts it meets, whose numbers are
        drawn here again from the same key by ``_hosts_met``.
        """
        job = self.job
        if job.scheme == "coevolution":
            met = self._hosts_met(state, generation)
            return [[deal for host in hosts for deal in state.hosts[host]] for hosts in met]
        at = generation if job.scheme == "resampled" else 0
        picks = generator(job, SAMPLING, at).choice(
            len(self.pool), size=job.sample.deals, replace=False
        )
        deals = [self.pool[i] for i in picks.tolist()]
        return [deals] * len(state.solvers)

    def _hosts_met(self, state: State, generation: int) -> list[list[int]]:
        rng = generator(self.job, MEETING, generation)
        draws = len(state.solvers) if self.job.hosts.encounters == "own" else 1
        met = [
            rng.choice(len(state.hosts), size=self.job.hosts.meetings, replace=False).tolist()
            for _ in range(draws)
        ]
        return met if draws > 1 else met * len(state.solvers)

    def _evaluate(
        self, solvers: Sequence[Individual], meetings: list[list[int]]
    ) -> list[list[Outcome]]:
        tasks = [
            Task(deal, evaluator, self.job.search, self.job.limits)
            for solver, deals in zip(solvers, meetings, strict=True)
            for evaluator in (self.evaluator(solver),)
            for deal in deals
        ]
        found = iter(self.evaluation.outcomes(tasks))
        return [[next(found) for _ in deals] for deals in meetings]

    def _give_fitness(
        self, state: State, meetings: list[list[int]], outcomes: list[list[Outcome]]
    ) -> None:
        measure = self.job.fitness
        for solver, deals, results in zip(state.solvers, meetings, outcomes, strict=True):
            if measure.measure == "node-reduction":
                value = mean_node_reduction(results, self._baseline_counts(deals))
            else:
                budget = self.job.limits.nodes
                value = log_score(
                    results,
                    budget,
                    measure.failure,
                    measure.length,
                    measure.expansion,
                    measure.exponent,
                )
            solver.fitness.values = (value,)
        if self.job.scheme != "coevolution":
            return
        for met, results in zip(
            self._hosts_met(state, state.generation + 1), outcomes, strict=True
        ):
            _tally(state.hosts, met, results)
        for host in state.hosts:
            if host.tally.met:
                host.fitness.values = (self._host_value(host),)

    def _host_value(self, host: Host) -> float:
        tally = host.tally
        return host_fitness(
            tally.nodes,
            tally.solved,
            tally.met,
            self._baseline_counts(host),
            self.job.hosts.penalty,
        )

    def _baseline_counts(self, deals: Sequence[int]) -> list[int]:
        return baseline_counts(deals, self._baseline.outcomes(deals))

    def _make_baseline(self) -> Baseline:
        preset = self.job.fitness.baseline
        if preset:
            weights = self.evaluation.game.preset(preset)
            return Baseline(self.evaluation, weights.evaluator, weights.search, weights.limits)
        features = [feature for feature in self.evaluation.game.features if feature.baseline]
        evaluator = Evaluator(
            tuple(feature.name for feature in features),
            tuple(feature.baseline for feature in features),
        )
        return Baseline(self.evaluation, evaluator, self.job.search, self.job.limits)

    def _validate(self, champion: Champion | None, best: Individual, generation: int) -> Champion:
        """The champion, or the generation's best if it does better on the validation deals."""
        if champion is not None and champion.weights == tuple(best):
            return champion
        rules, limits = self.job.validation, self.job.validation_limits()
        evaluator = self.evaluator(best)
        tasks = [Task(deal, evaluator, self.job.search, limits) for deal in self.validation]
        found = self.evaluation.outcomes(tasks)
        if rules.ranking == "mean-nodes":
            value = mean_nodes(found, limits.nodes, rules.failure)
        else:
            value = mean_log_nodes(
                found, limits.nodes, rules.failure, rules.length, rules.expansion, rules.exponent
            )
        if champion is not None and champion.value <= value:
            return champion
        nodes = [o.nodes.generated for o in found if o.status is Status.SOLVED]
        mean = float(np.mean(nodes)) if nodes else 0.0
        return Champion(generation, tuple(best), value, len(nodes), mean)

    def _line(
        self,
        state: State,
        generation: int,
        outcomes: list[list[Outcome]],
        best: Individual,
        champion: Champion,
    ) -> dict[str, Any]:
        flat = [outcome for results in outcomes for outcome in results]
        line: dict[str, Any] = {
            "generation": generation,
            "solvers": quantiles([solver.value for solver in state.solvers]),
            "hosts": None,
            "best_weights": list(best),
            "nodes": sum(outcome.nodes.generated for outcome in flat),
            "solved": sum(outcome.status is Status.SOLVED for outcome in flat),
            "evaluations": len(flat),
            "validation": {
                "generation": champion.generation,
                "value": champion.value,
                "solved": champion.solved,
                "nodes": champion.nodes,
            },
        }
        if state.hosts:
            deals = {deal for host in state.hosts for deal in host}
            line["hosts"] = {
                **quantiles([host.value for host in state.hosts]),
                "distinct_deals": len(deals),
            }
        return line

    def _breed(
        self,
        state: State,
        generation: int,
        champion: Champion,
        chosen: Strategy | None,
        costs: Sequence[tuple[float, float]],
    ) -> State:
        rng = generator(self.job, SOLVER_BREEDING, generation)
        if chosen is not None:
            solvers = self._drawn(chosen, rng)
        elif self.job.trainer == "random":
            solvers = self._random(rng)
        elif costs:
            solvers = next_front(state.solvers, costs, self.job.solvers, self._solver_tools, rng)
        else:
            solvers = next_generation(state.solvers, self.job.solvers, self._solver_tools, rng)
        hosts: list[Host] = state.hosts
        if hosts and generation % self.job.hosts.every == 0:
            hosts = next_generation(
                hosts,
                self.job.hosts,
                self._host_tools,
                generator(self.job, HOST_BREEDING, generation),
            )
        return State(generation, solvers, hosts, champion, chosen)

    def _new_weight(self, gene: float, place: int, rng: Draw) -> float:
        feature, creep = self.features[place], self.job.solvers.creep
        if not creep:
            return float(rng.uniform(feature.low, feature.high))
        step = rng.normal(0, creep) * (feature.high - feature.low)
        return float(min(max(gene + step, feature.low), feature.high))

    def _new_deal(self, gene: int, place: int, rng: Draw) -> int:
        return self.pool[int(rng.integers(len(self.pool)))]


def _tally(hosts: Sequence[Host], met: Sequence[int], results: Sequence[Outcome]) -> None:
    """Enter one solver's outcomes, host after host, in the tallies of the hosts it met."""
    at = 0
    for number in met:
        host = hosts[number]
        host.tally.met += 1
        for place in range(len(host)):
            outcome = results[at]
            at += 1
            host.tally.nodes[place] += outcome.nodes.generated
            host.tally.solved[place] += outcome.status is Status.SOLVED
