"""``make features-alone``: what each of the nine features does alone, and what each adds.

Measures the single features, the champion without each of them, and the largest weighted feature
in place of their sum, in two searches. Outcomes and runs are kept in ``out/features-alone``.
Writes the tables in docs/results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher
from pages import fill
from results import kept, number

import hsd
import hsd.searches.kernels.staged as kernels
import hsd.searches.staged as driver
from gafreecell import evolve
from gafreecell.comparing.pairs import SEED, logarithms, ratio_of_typical
from gafreecell.comparing.statistics import bootstrap
from gafreecell.evolution.job_reading import parse_job
from gafreecell.jit import kernel
from gafreecell.runs.run import STATE, load
from gafreecell.solving.outcome import Evaluator, Outcome, Status
from gafreecell.terminal.tables import table
from hsd.kernels.board import Board
from hsd.kernels.features import NINE, Counted, counted, write_each
from hsd.kernels.policy import Rules

FOLDER = Path("out/features-alone")
DEALS, FEWER, FEWEST = "ms32k-sample", "2000000001-2000000100", "2000000001-2000000030"
"""Deals for our search, and for Heineman's, which is slow."""
OURS, HEINEMAN = "hsd-evolved", "hsdh"
"""The presets whose searches are ours and Heineman's."""
NAMES = tuple(feature.name for feature in NINE)
CHAMPION, PUBLISHED = "champion (`hsd-evolved`)", "Heineman's heuristic (`heineman-2009`)"
EQUAL = "sum of the nine, all weights 1"
JOB = """
name = "{name}"
generations = 40
scheme = "informative"
trainer = "cma-es"
[trained]
search = "staged"
nodes = 50_000
[solvers]
population = 20
[sample]
deals = 5
[cma]
scale = "cosine"
[fitness]
measure = "relative"
failure = 5.0
clip = 0.3
[deals]
train = "1000001-1100000"
validation = "1900001-1900100"
[validation]
ranking = "log-nodes"
"""
Outcomes = Mapping[int, Outcome]


def main() -> None:
    """Measure what is missing and write the tables."""
    champion = hsd.GAME.preset("hsd-evolved").evaluator
    weights = dict(zip(champion.features, champion.weights, strict=True))
    alone = {name: Evaluator((name,), (1.0,)) for name in NAMES}
    alone[PUBLISHED] = hsd.GAME.preset("heineman-2009").evaluator
    alone[EQUAL] = Evaluator(NAMES, (1.0,) * len(NAMES))
    alone[CHAMPION] = champion
    without = {CHAMPION: champion}
    for name in NAMES:
        others = {other: weight for other, weight in weights.items() if other != name}
        without[f"without {name}"] = Evaluator(tuple(others), tuple(others.values()))
    sums = {EQUAL: alone[EQUAL], CHAMPION: champion}
    well_placed = {"NumberWellPlaced": alone["NumberWellPlaced"]}
    ours = {**well_placed, **sums, "sum, trained for 40 generations": champion_of("sum")}
    tables = {
        "Each feature alone, ": [all_of(alone, OURS, DEALS), all_of(alone, HEINEMAN, FEWER)],
        "The champion without a feature, ": [
            all_of(without, OURS, DEALS),
            all_of(without, HEINEMAN, FEWEST),
        ],
        "Sum and largest, ": [all_of(ours, OURS, FEWER), all_of(sums, HEINEMAN, FEWER)],
    }
    take_the_largest()
    largest = {"largest, all weights 1": alone[EQUAL], "largest, the champion's weights": champion}
    tables["Sum and largest, "][1] |= all_of(largest, HEINEMAN, FEWER)
    largest["largest, trained for 40 generations"] = champion_of("largest")
    tables["Sum and largest, "][0] |= all_of(largest, OURS, FEWER)
    parts = [
        comparison(f"{heading}{search}, {many(results)}", results)
        for heading, pair in tables.items()
        for search, results in zip(("our search", "Heineman's search"), pair, strict=True)
    ]
    fill("features-alone", "\n\n".join(parts))


def many(results: Mapping[str, Outcomes]) -> str:
    """How many deals they are, and their name or numbers."""
    deals = [*results[CHAMPION]]
    named = f"`{DEALS}`" if len(deals) == 1000 else f"{deals[0]} to {deals[-1]}"
    return f"{len(deals):,} deals ({named})"


def all_of(evaluators: Mapping[str, Evaluator], preset: str, deals: str) -> dict[str, Outcomes]:
    """What evaluators make of the deals in the search of a preset."""
    solver = hsd.GAME.preset(preset)
    found = {}
    for name, evaluator in evaluators.items():
        plain = "".join(c if c.isalnum() else "-" for c in name)
        path = FOLDER / f"{plain}-in-{preset}-{deals}.csv"
        found[name] = kept(path, replace(solver, evaluator=evaluator), deals)
        print("|".join([preset, *cells(name, found[name], solver.limits.nodes)]), flush=True)
    return found


def champion_of(name: str) -> Evaluator:
    """The champion of a training run, from its folder or made now."""
    folder = FOLDER / name
    if not ((folder / STATE).exists() and load(folder).finished):
        evolve(parse_job(JOB.format(name=name), "the job of the comparison"), folder)
    return load(folder).weights.evaluator


@kernel
def _largest_of(c: Counted, weights: np.ndarray, rules: Rules | None, values: np.ndarray) -> float:
    """The largest weighted feature of a position, from its counts."""
    write_each(c, values)
    largest = 0.0
    for i in range(weights.size):
        largest = max(largest, weights[i] * values[i])
    return largest


@kernel
def _largest(board: Board, weights: np.ndarray, rules: Rules | None, values: np.ndarray) -> float:
    """The largest weighted feature of a position."""
    return _largest_of(counted(board), weights, rules, values)


def take_the_largest() -> None:
    """From now on staged deepening takes the largest weighted feature for their sum.

    All its kernels are compiled anew and not kept, as the cache knows them by their sources.
    """
    kernels.score_of, kernels.score_by = _largest_of, _largest
    for name, one in list(vars(kernels).items()):
        if isinstance(one, Dispatcher) and one.py_func.__module__ == kernels.__name__:
            fresh = kernel(one.py_func)
            fresh._cache = NullCache()
            setattr(kernels, name, fresh)
            if hasattr(driver, name):
                setattr(driver, name, fresh)


def comparison(heading: str, results: Mapping[str, Outcomes]) -> str:
    """A table with a row for each evaluator, and its nodes as a multiple of the champion's."""
    limit = hsd.GAME.preset(OURS).limits.nodes
    header = ["heuristic", "solved", "no states left", "nodes mean, solved", "geometric mean, all"]
    header += ["median, all", "times the champion's"]
    base = counts(results[CHAMPION], limit)
    rows = [
        [*cells(name, found, limit), times(counts(found, limit), base) if name != CHAMPION else "1"]
        for name, found in results.items()
    ]
    return f"{heading}:\n\n{table(header, rows)}"


def cells(name: str, found: Outcomes, limit: int) -> list[str]:
    """A row: an unsolved deal counts the whole budget, except in the mean over solved deals."""
    statuses = Counter(outcome.status for outcome in found.values())
    solved = [o.nodes.generated for o in found.values() if o.status is Status.SOLVED]
    nodes = counts(found, limit)
    figures = float(np.mean(solved)) if solved else np.nan, *(f(nodes) for f in MIDDLES)
    shown = [number(figure) for figure in figures]
    return [name, f"{statuses[Status.SOLVED]:,}", f"{statuses[Status.EXHAUSTED]:,}", *shown]


def geometric(nodes: list[int]) -> float:
    return float(np.exp(logarithms(nodes).mean()))


MIDDLES: tuple[Callable[[list[int]], float], ...] = geometric, median


def counts(found: Outcomes, limit: int) -> list[int]:
    """The nodes of each deal; the whole budget if it was not solved."""
    return [o.nodes.generated if o.status is Status.SOLVED else limit for o in found.values()]


def times(nodes: list[int], base: list[int]) -> str:
    """The ratio of the geometric means with its paired bootstrap interval."""
    logs = logarithms(nodes), logarithms(base)
    ratio = float(ratio_of_typical(*logs))
    low, high = bootstrap(ratio_of_typical, logs, np.random.default_rng(SEED))
    return f"{ratio:.3g} [{low:.3g}, {high:.3g}]"


if __name__ == "__main__":
    main()
