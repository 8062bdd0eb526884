"""``evaluate`` and ``compare``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import (
    DEALS_HELP,
    add_game_of_solvers,
    add_jobs,
    add_limits,
    add_nodes,
    add_set,
    add_variant,
)
from gafreecell.cli.parsing import add


def declare(commands: Any) -> None:
    """Add the commands."""
    _evaluate(commands)
    _compare(commands)


def _evaluate(commands: Any) -> None:
    evaluate = add(
        commands,
        "evaluate",
        "evaluation",
        "compare solvers on the same deals, with intervals and tests",
        examples=(
            "gafreecell evaluate fast hsdh --deals 50001-50400",
            "gafreecell evaluate mine.json hsd-evolved --deals 50001-50400 --nodes 100000",
        ),
    )
    evaluate.add_argument("solvers", metavar="PRESET|WEIGHTS.json|RUN", nargs="+")
    evaluate.add_argument(
        "--deals", required=True, action="append", metavar="DEALS", help=DEALS_HELP
    )
    add_set(evaluate, "a parameter of the search, for every solver")
    add_game_of_solvers(evaluate)
    add_variant(evaluate)
    evaluate.add_argument(
        "-o", "--output", metavar="FILE.csv", help="write every outcome as a row of a new file"
    )
    evaluate.add_argument("--format", default="table", choices=("table", "json"))
    evaluate.add_argument(
        "--penalty",
        action="store_true",
        help="also mean nodes where an unsolved deal counts 1000M, as the GA-FreeCell paper does",
    )
    add_limits(evaluate)
    add_jobs(evaluate)


def _compare(commands: Any) -> None:
    compare = add(
        commands,
        "compare",
        "comparing",
        "compare jobs over the seeds of their runs, with intervals and tests",
        "Compare jobs over the seeds of their runs. Runs that differ in nothing but the seed are a "
        "group; each run's best weights are measured on the same deals, and the groups are "
        "compared with a run as one observation.",
        examples=(
            "gafreecell compare out/mine-s1 out/mine-s2 out/other-s1 out/other-s2",
            "gafreecell compare out/* --deals ms32k-sample --nodes 100000 --format json",
        ),
    )
    compare.add_argument(
        "--submit",
        choices=("champion", "last"),
        default="champion",
        help="which weights a run submits: the best by its validation deals (default), or who "
        "stood for its last generation, which costs no validation",
    )
    compare.add_argument("runs", metavar="RUN", nargs="+", help="run folders")
    compare.add_argument(
        "--deals",
        action="append",
        metavar="DEALS",
        help=f"{DEALS_HELP} (default: some that the runs neither trained nor validated on)",
    )
    compare.add_argument("--format", default="table", choices=("table", "json"))
    add_nodes(compare, "node budget of each deal instead of the runs'")
    add_jobs(compare)
