"""``make paper``: the experiment of the GA-FreeCell paper in the paper's search, with ten seeds.

``runs/paper-2011.toml`` is the experiment with the paper's numbers. The arms of the study change
its problems or its trainer, at a smaller number of evaluations, the same for all. With words, only
the arms that they name are run; the word ``tables`` runs none. Writes docs/paper.csv,
docs/paper-generations.csv, the tables in docs/results.md and plots/paper.png.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from studies import Panel, Study

import hsd
from gafreecell.service.solvers import named_solver
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.weights import Weights

JOB = Path("runs/paper-2011.toml")
SEEDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
TEST = range(2_420_001, 2_420_201)
SHORT: dict[str, Any] = {
    "generations": 20,
    "solvers": {"population": 40},
    "problems": {"population": 40},
    "sample": {"deals": 12},
}
"""What all arms change: 9,600 evaluations instead of 180,000."""
MENDED = {"reproduction": 0.1, "crossover": 0.5, "mutation": 0.4, "gene_mutation": 0.3}
FRESH = "fresh random deals"
ARMS: dict[str, dict[str, Any]] = {
    "coevolution": {},
    "coevolution, mended rates": {"problems": MENDED},
    FRESH: {"scheme": "resampled"},
    "fixed deals": {"scheme": "fixed"},
    "random search": {"scheme": "resampled", "trainer": "random"},
}
"""By name, what an arm changes besides."""
PAIRS = [(arm, FRESH) for arm in ARMS if arm != FRESH] + [("coevolution", "random search")]
BASELINE = "heineman-2009"
COEVOLVING = ("coevolution", "coevolution, mended rates")
PANELS = [
    Panel("fitness of the solvers: best, mean (dashed)", {"best": "-", "mean": "--"}),
    Panel(
        "fitness of the problems: best, mean (dashed)",
        {"problems_best": "-", "problems_mean": "--"},
        "log",
        COEVOLVING,
    ),
    Panel("different deals among the problems", {"different": "-"}, arms=COEVOLVING),
    Panel("best solver so far: mean nodes, validation", {"champion": "-"}),
]


def _of_preset(name: str) -> Weights:
    """A preset's weights in the paper's search."""
    evaluator = named_solver(name, hsd.GAME).evaluator
    return replace(named_solver(BASELINE, hsd.GAME), evaluator=evaluator)


def _alone(feature: str) -> Weights:
    """A single feature in the paper's search."""
    return replace(named_solver(BASELINE, hsd.GAME), evaluator=Evaluator((feature,), (1.0,)))


OTHERS: dict[str, Callable[[], Weights]] = {
    **{name: partial(_of_preset, name) for name in (BASELINE, "hsdh", "hsd-evolved")},
    "NumCardsNotAtFoundations alone": partial(_alone, "NumCardsNotAtFoundations"),
}
"""Solvers that no run submits: presets, and the best single feature in this search."""


def study() -> Study:
    """The study."""
    text = JOB.read_text(encoding="utf-8")
    return Study("paper", text, SHORT, ARMS, SEEDS, TEST, OTHERS, BASELINE)


def main() -> None:
    """Make the missing rows, then the page."""
    title = "The paper's experiment in Heineman's search"
    study().publish(sys.argv[1:], ", Heineman's search", PAIRS, PANELS, title)


if __name__ == "__main__":
    main()
