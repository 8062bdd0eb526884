"""``make nine-random``: nine weights from evolution and from random search.

The job of both is ``runs/freecell-nine.toml``, cut to ten generations; its whole run and rivals
without training stand beside them. With words, only the arms that they name are run; the word
``tables`` runs none. Writes docs/nine-random.csv, docs/nine-random-generations.csv and the tables
in docs/results.
"""

from __future__ import annotations

import sys
from functools import partial

from studies import FITNESS, PENALISED, PLANS, Study, champion_of

import hsd
from gafreecell import read_plan
from gafreecell.service.solvers import named_solver
from gafreecell.solving.settings import merged, toml_tables

WHOLE = PLANS.parents[1] / "runs" / "freecell-nine"
OTHERS = {
    "freecell-nine, its champion": partial(champion_of, WHOLE),
    **{
        name: partial(named_solver, name, hsd.GAME)
        for name in ("hsd-evolved", "well-placed", "hsdh-same-search")
    },
}
TEST = range(2_480_001, 2_481_001)
PLAN = read_plan(PLANS / "nine-random.toml")
JOB = toml_tables(merged(PLAN.jobs["freecell-nine"], PLAN.common))
STUDY = Study(PLAN, TEST, OTHERS, "hsdh-same-search", without=(PENALISED, FITNESS))


def main() -> None:
    """Make the missing rows, then the page."""
    STUDY.publish(sys.argv[1:], ", our search", [("coevolution", "random search")])


if __name__ == "__main__":
    main()
