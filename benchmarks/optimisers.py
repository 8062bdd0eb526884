"""``make optimisers``: the trainers beside the optimisers that people would use instead.

All of them seek the same 19 weights of best-first search, on the same deals, with the same budget
of 10,000 evaluations (a deal solved once), validation included. The others drive the black box in
their usual settings:

- irace and SMAC3 race configurations on instances themselves, and name their best.
- Optuna, Nevergrad, pyribs and DEAP's ``eaSimple`` minimise a function. Its value is the cost on
  ``SAMPLE`` training deals, new ones for each generation, or, for Optuna, which has none, always
  the same. The last tenth of the budget goes to their ten best points, each on 100 validation
  deals; the best of them is what they submit.

What ten seeds of each submit is measured on deals that took part in no training. Seconds are
processor time, of the searches and of the optimiser besides. Finished runs are kept in
docs/optimisers.csv.

For quality at equal processor time, the recommended job runs once more, and is measured as it was
when it had taken as many seconds as each of the others for all their evaluations; those that took
longer meet it as it ended. docs/optimisers-course.csv has these generations, and which share of the
run's processor seconds had passed after them. With words, only the optimisers that they name are
run; the word ``tables`` runs none. irace is Debian's ``r-cran-irace``; without it, its row is left
as it is. Writes the tables in docs/results.
"""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from pages import changes, fill, interval, read_lines, write_lines
from threadpoolctl import threadpool_limits
from trainers import TRAINED

import hsd
from gafreecell import BlackBox, evolve
from gafreecell.solving.outcome import Limits
from gafreecell.solving.settings import merged
from gafreecell.solving.weights import Weights
from gafreecell.terminal.tables import table

BUDGET = 10_000
SEEDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
TEST = range(2_430_001, 2_431_001)
LIMITS = Limits(nodes=400_000)
SAMPLE = 12
FINALISTS, TRIALS = 10, 100
"""How many points are measured once more in the end, and on how many validation deals."""
SEARCHED = BUDGET - FINALISTS * TRIALS
INSTANCES = 500
"""Training deals that irace and SMAC3 race on."""
CSV = Path("docs/optimisers.csv")
COURSE = Path("docs/optimisers-course.csv")
JOB = (
    """
name = "optimisers"
generations = 53
trainer = "cma-es"
scheme = "informative"
[solvers]
population = 20
[sample]
deals = 5
[sample.growth]
29 = 10
43 = 20
[cma]
scale = "cosine"
[fitness]
measure = "relative"
failure = 5.0
clip = 0.3
[stop]
evaluations = 10_000
[deals]
train = "1000001-1100000"
validation = "1900001-1900100"
[validation]
ranking = "log-nodes"
failure = 5.0
"""
    + TRAINED
)
"""The job of docs/train/choosing.md, scaled to the budget."""
TABLE = tomllib.loads(JOB)
OURS = "gafreecell, recommended job"
PLAIN: dict[str, Any] = {
    "scheme": "resampled",
    "cma": {},
    "sample": {"deals": SAMPLE, "growth": {}},
    "generations": 41,
}
"""Of fresh deals 9,840 evaluations are as many whole generations as there can be."""
Vector = NDArray[np.float64]


class Spent(Exception):
    """The budget is used up."""


class Meter:
    """The black box for optimisers that minimise a function, with its budget.

    Args:
        seed: of the deals.

    Attributes:
        best: the points measured so far, with their costs.
    """

    def __init__(self, seed: int) -> None:
        self.box = BlackBox(TABLE)
        self.rng = np.random.default_rng([2026, seed])
        self.best: list[tuple[float, tuple[float, ...]]] = []
        self.deals = self.box.sample(SAMPLE, self.rng)

    def renew(self) -> None:
        """Take new deals."""
        self.deals = self.box.sample(SAMPLE, self.rng)

    def left(self) -> int:
        """How many points can still be measured."""
        return int(SEARCHED - self.box.spent.evaluations) // SAMPLE

    def __call__(self, unit: Sequence[float] | Vector) -> float:
        """The cost at a point of the unit cube."""
        if not self.left():
            raise Spent
        point = self.scaled(unit)
        cost = self.box.cost(point, self.deals)
        self.best.append((cost, tuple(point)))
        return cost

    def scaled(self, unit: Sequence[float] | Vector) -> Vector:
        """The weights at a point of the unit cube, moved into it if need be."""
        low, high = self.box.low, self.box.high
        inside: Vector = low + (high - low) * np.clip(np.asarray(unit, float), 0, 1)
        return inside

    def submitted(self, further: Sequence[Vector] = ()) -> Vector:
        """The best of the ten best points, and of those that an optimiser recommends."""
        ranked = list(dict.fromkeys(point for _, point in sorted(self.best)))
        points = [tuple(self.scaled(one)) for one in further] + ranked
        deals = list(self.box.validation)[:TRIALS]
        found = [(self.box.cost(point, deals), point) for point in points[:FINALISTS]]
        return np.array(min(found)[1])


def optuna(sampler: str) -> Callable[[int], tuple[Meter, Vector]]:
    """Optuna's TPE or CMA-ES, as its tutorial has it: one objective, one study."""

    def run(seed: int) -> tuple[Meter, Vector]:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        meter = Meter(seed)
        names = [feature.name for feature in meter.box.features]
        made: Any = {"TPE": optuna.samplers.TPESampler, "CMA-ES": optuna.samplers.CmaEsSampler}
        study = optuna.create_study(sampler=made[sampler](seed=seed))
        study.optimize(
            lambda trial: meter([trial.suggest_float(name, 0, 1) for name in names]),
            n_trials=meter.left(),
        )
        return meter, meter.submitted()

    return run


def nevergrad(method: str) -> Callable[[int], tuple[Meter, Vector]]:
    """One of Nevergrad's optimisers; NGOpt is its advice where nothing is known."""

    def run(seed: int) -> tuple[Meter, Vector]:
        import nevergrad

        meter = Meter(seed)
        count = len(meter.box.features)
        # With bounds given here, its first step is a sixth of the range.
        array = nevergrad.p.Array(init=np.full(count, 0.5), lower=0, upper=1)
        array.random_state.seed(seed)
        optimiser = nevergrad.optimizers.registry[method](array, budget=meter.left())
        while meter.left():
            candidate = optimiser.ask()
            optimiser.tell(candidate, meter(candidate.value))
        return meter, meter.submitted([optimiser.provide_recommendation().value])

    return run


def pyribs(seed: int) -> tuple[Meter, Vector]:
    """pyribs' CMA-ME: five emitters, and an archive over two of the weights."""
    from ribs.archives import GridArchive
    from ribs.emitters import EvolutionStrategyEmitter
    from ribs.schedulers import Scheduler

    meter = Meter(seed)
    count = len(meter.box.features)
    archive = GridArchive(solution_dim=count, dims=[20, 20], ranges=[(0, 1), (0, 1)], seed=seed)
    emitters = [
        EvolutionStrategyEmitter(
            archive, x0=np.full(count, 0.5), sigma0=0.2, batch_size=15,
            lower_bounds=np.zeros(count), upper_bounds=np.ones(count), seed=seed + place,
        )
        for place in range(5)
    ]  # fmt: skip
    scheduler = Scheduler(archive, emitters)
    with suppress(Spent):
        while True:
            meter.renew()
            points = scheduler.ask()
            costs = np.array([meter(point) for point in points])
            # FreeCells and CellsUsedSquared: how the cells are valued.
            scheduler.tell(-costs, points[:, 13:15])
    return meter, meter.submitted()


def eaSimple(seed: int) -> tuple[Meter, Vector]:
    """DEAP's ``eaSimple`` with blend crossover, Gaussian mutation and tournaments of three."""
    from deap import algorithms, base, creator, tools

    random.seed(seed)
    np.random.seed(seed)
    meter = Meter(seed)
    for name in ("Cost", "Point"):
        vars(creator).pop(name, None)
    creator.create("Cost", base.Fitness, weights=(-1.0,))
    creator.create("Point", list, fitness=creator.Cost)
    toolbox = base.Toolbox()
    toolbox.register("attribute", random.random)
    toolbox.register(
        "individual", tools.initRepeat, creator.Point, toolbox.attribute, len(meter.box.features)
    )
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("mate", tools.cxBlend, alpha=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.1, indpb=0.2)
    toolbox.register("select", tools.selTournament, tournsize=3)
    toolbox.register("evaluate", lambda point: (meter(point),))

    def generation(evaluate: Any, points: Any) -> Any:
        meter.renew()
        return list(map(evaluate, points))

    toolbox.register("map", generation)
    with suppress(Spent):
        algorithms.eaSimple(
            toolbox.population(30), toolbox, cxpb=0.5, mutpb=0.2, ngen=1000, verbose=False
        )
    return meter, meter.submitted()


def smac(seed: int) -> tuple[Meter, Vector]:
    """SMAC3's ``AlgorithmConfigurationFacade``, which races configurations on instances."""
    from ConfigSpace import ConfigurationSpace, Float
    from smac import AlgorithmConfigurationFacade, Scenario

    meter = Meter(seed)
    box = meter.box
    deals = {str(deal): deal for deal in box.sample(INSTANCES, meter.rng)}
    space = ConfigurationSpace(seed=seed)
    space.add([Float(one.name, (0.0, 1.0)) for one in box.features])

    def point(configuration: Any) -> Vector:
        return meter.scaled([configuration[one.name] for one in box.features])

    def train(configuration: Any, instance: str, seed: int = 0) -> float:
        return box.cost(point(configuration), [deals[instance]])

    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(
            space, deterministic=True, n_trials=BUDGET, instances=list(deals), seed=seed,
            output_directory=Path(folder),
            instance_features={name: [float(place)] for place, name in enumerate(deals)},
        )  # fmt: skip
        found = AlgorithmConfigurationFacade(
            scenario, train, overwrite=True, logging_level=False
        ).optimize()
    return meter, point(found[0] if isinstance(found, list) else found)


R = """
library(irace)
connection <- socketConnection(port = {port}, open = "r+b", blocking = TRUE, timeout = 86400)
ask <- function(experiment, scenario) {{
  words <- c(experiment$id.instance, sprintf("%.17g", unlist(experiment$configuration)))
  writeLines(paste(words, collapse = " "), connection)
  list(cost = as.numeric(readLines(connection, n = 1)))
}}
parameters <- readParameters(text = '{parameters}')
scenario <- list(targetRunner = ask, instances = 1:{instances}, maxExperiments = {budget},
                 seed = {seed}, deterministic = TRUE, digits = 6, logFile = "")
best <- irace(scenario = checkScenario(scenario), parameters = parameters)
best <- removeConfigurationsMetaData(best[1, ])
writeLines(paste(c("best", sprintf("%.17g", unlist(best))), collapse = " "), connection)
"""


def irace(seed: int) -> tuple[Meter, Vector]:
    """irace (López-Ibáñez and others 2016) in R, whose target runner asks this process."""
    meter = Meter(seed)
    box = meter.box
    deals = box.sample(INSTANCES, meter.rng)
    answer: list[Vector] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection, connection.makefile("rw", encoding="ascii") as lines:
                for line in lines:
                    first, *words = line.split()
                    unit = [float(word) for word in words]
                    if first == "best":
                        answer.append(meter.scaled(unit))
                        return
                    cost = box.cost(meter.scaled(unit), [deals[int(first) - 1]])
                    print(f"{cost:.17g}", file=lines, flush=True)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        names = "\n".join(f'{one.name} "" r (0, 1)' for one in box.features)
        script = R.format(
            port=server.getsockname()[1], parameters=names, instances=INSTANCES, budget=BUDGET,
            seed=seed,
        )  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "race.R"
            path.write_text(script, encoding="ascii")
            subprocess.run(["Rscript", path], check=True, capture_output=True, cwd=folder)
        thread.join(60)
    return meter, answer[0]


@dataclass(frozen=True)
class Row:
    """What a run of an optimiser submits.

    Attributes:
        optimiser, seed: which.
        evaluations, nodes: that it took, validation included.
        searched: processor seconds of the searches.
        seconds: all of its processor seconds.
        typical: geometric mean of the nodes on the test deals, unsolved ones included.
        mean: their arithmetic mean.
        solved: of the test deals.
    """

    optimiser: str
    seed: int
    evaluations: int
    nodes: int
    searched: float
    seconds: float
    typical: float
    mean: float
    solved: int


@dataclass(frozen=True)
class Step:
    """A generation of the recommended job.

    Attributes:
        seed, generation: which.
        share: of the run's processor seconds, validation included, that had passed after it.
        typical: geometric mean of the candidate's nodes on the test deals.
    """

    seed: int
    generation: int
    share: float
    typical: float


def _black_box(run: Callable[[int], tuple[Meter, Vector]], seed: int) -> tuple[Any, Weights]:
    meter, best = run(seed)
    return meter.box.spent, meter.box.weights(best)


def _ours(changes: dict[str, Any], last: bool, seed: int) -> tuple[Any, Weights]:
    with tempfile.TemporaryDirectory() as folder:
        run = evolve(merged(TABLE, changes), Path(folder) / "run", jobs=1, seed=seed)
        costs = run.costs
        assert costs is not None
        spent = costs["solvers"] + costs["baseline"]
        return (spent, run.candidate()) if last else (spent + costs["validation"], run.weights)


def own(changes: dict[str, Any], last: bool = True) -> Callable[[int], tuple[Any, Weights]]:
    """A trainer of ours.

    Args:
        changes: what it changes in the job.
        last: whether it submits its last generation's candidate, so that no validation counts.
    """
    return lambda seed: _ours(changes, last, seed)


def other(run: Callable[[int], tuple[Meter, Vector]]) -> Callable[[int], tuple[Any, Weights]]:
    """Another optimiser."""
    return lambda seed: _black_box(run, seed)


MENDED = {
    "trainer": "genetic",
    "solvers": {
        "population": 20, "reproduction": 0.1, "crossover": 0.5, "mutation": 0.4,
        "selection": "tournament", "sigma": 0.1, "gene_mutation": 0.2,
    },
    "validation": {"candidate": "centroid"},
}  # fmt: skip
OPTIMISERS: dict[str, Callable[[int], tuple[Any, Weights]]] = {
    OURS: own({}),
    "gafreecell, CMA-ES on fresh deals": own(PLAIN),
    "gafreecell, genetic on fresh deals": own({**PLAIN, **MENDED}),
    "irace 3.5": other(irace),
    "SMAC3": other(smac),
    "Optuna, TPE": other(optuna("TPE")),
    "Optuna, CMA-ES": other(optuna("CMA-ES")),
    "Nevergrad, NGOpt": other(nevergrad("NGOpt")),
    "Nevergrad, CMA": other(nevergrad("CMA")),
    "pyribs, CMA-ME": other(pyribs),
    "DEAP, eaSimple": other(eaSimple),
}


def _measured(name: str, seed: int) -> Row:
    os.environ["OMP_NUM_THREADS"] = "1"
    began = os.times()
    with threadpool_limits(1):
        spent, weights = OPTIMISERS[name](seed)
    ended = os.times()
    # User and system time, of R's process, too.
    seconds = sum(ended[:4]) - sum(began[:4])
    nodes, solved = _on_test_deals(weights)
    return Row(
        name,
        seed,
        int(spent.evaluations),
        int(spent.nodes),
        round(spent.seconds, 2),
        round(seconds, 2),
        _typical(nodes),
        round(float(nodes.mean()), 1),
        solved,
    )


def _on_test_deals(weights: Weights) -> tuple[Vector, int]:
    outcomes = hsd.solve_many(TEST, weights, 1, LIMITS)
    nodes = np.array([one.nodes.generated for one in outcomes], float)
    return nodes, sum(one.status.value == "solved" for one in outcomes)


def _typical(nodes: Vector) -> float:
    return round(float(np.exp(np.log(nodes).mean())), 1)


def _course(seed: int, shares: Sequence[float]) -> list[Step]:
    """The recommended job after some shares of its seconds, and at its end."""
    os.environ["OMP_NUM_THREADS"] = "1"
    passed: list[float] = []

    def note(*_: Any) -> None:
        passed.append(sum(os.times()[:4]))

    with threadpool_limits(1), tempfile.TemporaryDirectory() as folder:
        began = sum(os.times()[:4])
        run = evolve(TABLE, Path(folder) / "run", jobs=1, seed=seed, callbacks=[note])
        told = (np.array(passed) - began) / (passed[-1] - began)
        ends = {int(np.searchsorted(told, min(share, 1), side="right")) for share in shares}
        candidates = {end: run.candidate(end) for end in sorted(ends | {len(passed)})}
    return [
        Step(seed, end, round(float(told[end - 1]), 4), _typical(_on_test_deals(weights)[0]))
        for end, weights in candidates.items()
    ]


def _medians(rows: Sequence[Row]) -> dict[str, float]:
    """The processor seconds of each optimiser's runs.

    Medians, as a run that imports a library or compiles takes seconds that the others do not.
    """
    return {
        name: float(np.median(found))
        for name in OPTIMISERS
        if (found := [row.seconds for row in rows if row.optimiser == name])
    }


def write(rows: list[Row]) -> None:
    """Keep the rows."""
    rows.sort(key=lambda row: (list(OPTIMISERS).index(row.optimiser), row.seed))
    write_lines(CSV, Row, rows)


def tabled(rows: Sequence[Row]) -> str:
    """The table: a line for each optimiser, the change of its nodes against ours."""
    groups = {name: [row for row in rows if row.optimiser == name] for name in OPTIMISERS}
    ours = {row.seed: row.typical for row in groups[OURS]}
    compared = {
        name: [[ours[row.seed] for row in group], [row.typical for row in group]]
        for name, group in groups.items()
        if name != OURS and len(group) > 1 and {row.seed for row in group} <= ours.keys()
    }
    against = dict(zip(compared, changes(list(compared.values())), strict=True))
    lines = []
    for name, group in groups.items():
        if len(group) > 1:
            lines.append(
                [
                    name,
                    f"{len(group)}",
                    interval([row.typical for row in group]),
                    interval([row.mean for row in group]),
                    f"{np.mean([row.solved for row in group]):,.1f}",
                    *against.get(name, ["-", "-", "-"]),
                    f"{np.mean([row.evaluations for row in group]):,.0f}",
                    f"{np.mean([row.searched for row in group]):,.1f}",
                    f"{np.mean([row.seconds - row.searched for row in group]):,.1f}",
                ]
            )
    header = ["optimiser", "seeds", "nodes, geometric mean", "mean", f"solved of {len(TEST):,}"]
    header += ["ours against it", "95 % interval", "p", "evaluations", "s of search", "s besides"]
    return table(header, lines)


def tabled_by_time(rows: Sequence[Row], steps: Sequence[Step]) -> str:
    """The table at equal processor time: ours when it had taken as many seconds as another."""
    medians = _medians(rows)
    seeds, lines, compared = {step.seed for step in steps}, [], []
    for name in list(medians)[1:]:
        share = medians[name] / medians[OURS]
        group = [row for row in rows if row.optimiser == name and row.seed in seeds]
        ours = []
        for row in group:
            past = [step for step in steps if step.seed == row.seed and step.share <= share]
            ours.append(max(past, key=lambda step: step.generation))
        told = [step.typical for step in ours]
        compared.append([told, [row.typical for row in group]])
        lines.append(
            [
                name,
                f"{medians[name]:.1f}",
                interval([row.typical for row in group]),
                f"{min(share, 1) * medians[OURS]:.1f}",
                f"{np.mean([step.generation for step in ours]):.0f}",
                interval(told),
            ]
        )
    cells = [[*line, *end] for line, end in zip(lines, changes(compared), strict=True)]
    header = ["optimiser", "s in all", "nodes, geometric mean", "ours, s", "generation", "nodes"]
    return table([*header, "ours against it", "95 % interval", "p"], cells)


def main() -> None:
    """Make the missing rows, then the page."""
    rows, words = read_lines(CSV, Row), sys.argv[1:]
    done = {(row.optimiser, row.seed) for row in rows}
    names = [] if words == ["tables"] else words or list(OPTIMISERS)
    if not shutil.which("Rscript"):
        names = [name for name in names if not name.startswith("irace")]
    wanted = [(name, seed) for seed in SEEDS for name in names if (name, seed) not in done]
    work = joblib.Parallel(n_jobs=-1, return_as="generator_unordered")
    for row in work(joblib.delayed(_measured)(*one) for one in wanted):
        rows.append(row)
        write(rows)
        print(row, file=sys.stderr, flush=True)
    steps = read_lines(COURSE, Step)
    missing = [] if words == ["tables"] else [s for s in SEEDS if s not in {x.seed for x in steps}]
    medians = _medians(rows)
    shares = [seconds / medians[OURS] for seconds in medians.values()]
    for found in work(joblib.delayed(_course)(seed, shares) for seed in missing):
        steps = sorted([*steps, *found], key=lambda step: (step.seed, step.generation))
        write_lines(COURSE, Step, steps)
        print(found[-1], file=sys.stderr, flush=True)
    fill("optimisers", f"{tabled(rows)}\n\n{tabled_by_time(rows, steps)}")


if __name__ == "__main__":
    main()
