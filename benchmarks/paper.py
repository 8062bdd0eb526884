"""``make paper``: the experiment of the GA-FreeCell paper in the paper's search, with ten seeds.

``runs/paper-2011.toml`` is the experiment with the paper's numbers. The arms of the study change
its problems or its trainer, at a smaller number of evaluations, the same for all. With words, only
the arms that they name are run; the word ``tables`` runs none. Writes docs/paper.csv,
docs/paper-generations.csv, the tables in docs/results and plots/paper.png.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from studies import PLANS, Panel, Study, champion_of

import hsd
from gafreecell import load, read_plan
from gafreecell.service.solvers import named_solver
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.weights import Weights

TEST = range(2_420_001, 2_420_201)
PLAN = read_plan(PLANS / "paper.toml")
FRESH = "fresh random deals"
PAIRS = [(arm, FRESH) for arm in PLAN.settings if arm != FRESH] + [("coevolution", "random search")]
BASELINE = "heineman-2009"
WHOLE = PLANS.parents[1] / "runs" / "paper-2011"
"""The run of the paper's full length."""
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
    "paper-2011, its champion": partial(champion_of, WHOLE),
    "paper-2011, its last generation": lambda: load(WHOLE).candidate(load(WHOLE).generation),
}
"""Solvers of no arm: presets, the best single feature in this search, and the whole run's."""


def study() -> Study:
    """The study."""
    return Study(PLAN, TEST, OTHERS, BASELINE)


def main() -> None:
    """Make the missing rows, then the page."""
    title = "The paper's experiment in Heineman's search"
    study().publish(sys.argv[1:], ", Heineman's search", PAIRS, PANELS, title)


if __name__ == "__main__":
    main()
