"""``make coevolution``: does coevolution pay? Long runs on other deals, with ten seeds each.

All arms have the same search, measure, population and number of evaluations; each trains on other
deals. Every run submits twice: at the end, and after the nodes that all runs had. With words, only
the arms that they name are run; the word ``tables`` runs none. Writes docs/coevolution.csv,
docs/coevolution-generations.csv, the tables in docs/results and plots/coevolution.png.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from studies import FITNESS, PENALISED, PLANS, Panel, Study

import hsd
from gafreecell import read_plan
from gafreecell.service.solvers import named_solver
from gafreecell.solving.settings import toml_tables
from gafreecell.solving.weights import Weights

TEST = range(2_460_001, 2_470_001)
NODES = 100_000_000
"""Nodes of training after which each run submits once more; the cheapest runs take some more."""
PLAN = read_plan(PLANS / "coevolution.toml")
JOB = toml_tables(PLAN.jobs["long-runs"])
FRESH = "fresh random deals"
CMA = "CMA-ES, "
GENETIC = tuple(arm for arm in PLAN.settings if not arm.startswith(CMA))
CHOSEN = (FRESH, "coevolution, mended rates", "replay by learnability")
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
    left_out = (PENALISED, FITNESS)
    return Study(PLAN, TEST, OTHERS, "hsd-evolved", NODES, last=True, without=left_out)


def main() -> None:
    """Make the missing rows, then the page."""
    title = "Other deals in long runs"
    study().publish(sys.argv[1:], ", at equal evaluations", PAIRS, PANELS, title)


if __name__ == "__main__":
    main()
