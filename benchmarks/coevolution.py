"""``make coevolution``: does coevolution pay? Long runs on other deals, with ten seeds each.

All arms have the same search, measure, population and number of evaluations; each trains on other
deals. Every run submits twice: at the end, and after the nodes that all runs had. With words, only
the arms that they name are run; the word ``tables`` runs none. Writes docs/coevolution.csv,
docs/coevolution-generations.csv, the tables in docs/results.md and plots/coevolution.png.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from replayed import Replayed
from studies import Panel, Study

import hsd
from gafreecell.service.solvers import named_solver
from gafreecell.solving.weights import Weights

JOB = """
name = "long-runs"
generations = 200
[trained]
search = "staged"
parameters.depth = 2
parameters.automatic = "safe"
parameters.table = 0
nodes = 200_000
[solvers]
population = 30
reproduction = 0.1
crossover = 0.5
mutation = 0.4
selection = "tournament"
sigma = 0.1
gene_mutation = 0.2
[problems]
population = 30
encounters = "shared"
penalty = 10_000_000
[sample]
deals = 12
[fitness]
measure = "relative"
failure = 5.0
clip = 3.0
baseline = "hsd-evolved"
[deals]
train = "1000001-1800000"
validation = "1900001-1900020"
[validation]
candidate = "centroid"
"""
"""72,000 evaluations: 200 generations of 30 solvers on 12 deals."""
SEEDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
TEST = range(2_460_001, 2_470_001)
NODES = 100_000_000
"""Nodes of training after which each run submits once more; the cheapest runs take some more."""
MENDED = {"reproduction": 0.1, "crossover": 0.5, "mutation": 0.4, "gene_mutation": 0.3}
REDUCED = {**MENDED, "virulence": 0.75}
REPLAYED: dict[str, Any] = {"scheme": "replayed"}
FRESH = "fresh random deals"
ARMS: dict[str, dict[str, Any]] = {
    FRESH: {"scheme": "resampled"},
    "coevolution": {},
    "coevolution, mended rates": {"problems": MENDED},
    "coevolution, mended rates, virulence 0.75": {"problems": REDUCED},
    "informative problems": {"scheme": "informative"},
    "replay by learnability": {**REPLAYED, "options": {"replayed": {"score": "learnability"}}},
    "replay by regret": {**REPLAYED, "options": {"replayed": {"score": "regret"}}},
}
"""By name, what an arm changes."""
GENETIC = tuple(ARMS)
CMA = "CMA-ES, "
CHOSEN = (FRESH, "coevolution, mended rates", "replay by learnability")
CMA_KEYS: dict[str, Any] = {"trainer": "cma-es", "validation": {"candidate": "trainer"}}
ARMS |= {CMA + name: {**ARMS[name], **CMA_KEYS} for name in CHOSEN}
PAIRS = [(arm, FRESH) for arm in GENETIC if arm != FRESH]
PAIRS += [(CMA + arm, CMA + FRESH) for arm in CHOSEN if arm != FRESH] + [(CMA + FRESH, FRESH)]
OTHERS: dict[str, Callable[[], Weights]] = {
    "hsd-evolved": partial(named_solver, "hsd-evolved", hsd.GAME)
}
PANELS = [
    Panel("hardness of the problems, mean", {"problems_mean": "-"}, "log", GENETIC[1:4]),
    Panel("different deals among the problems", {"different": "-"}, arms=GENETIC[1:4]),
    Panel("nodes of training so far", {"nodes": "-"}, arms=GENETIC),
]


def study() -> Study:
    """The study."""
    return Study(
        "coevolution", JOB, {}, ARMS, SEEDS, TEST, OTHERS, "hsd-evolved", NODES, last=True,
        parts={"scheme": Replayed}, without=("penalised", "fitness"),
    )  # fmt: skip


def main() -> None:
    """Make the missing rows, then the page."""
    title = "Other deals in long runs"
    study().publish(sys.argv[1:], ", at equal evaluations", PAIRS, PANELS, title)


if __name__ == "__main__":
    main()
