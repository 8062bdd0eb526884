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
    evaluate.add_argument(
        "solvers",
        metavar="PRESET|WEIGHTS.json|RUN",
        nargs="+",
        help="presets, weights files or run folders",
    )
    evaluate.add_argument(
        "--deals", required=True, action="append", metavar="DEALS", help=DEALS_HELP
    )
    add_set(evaluate, "a parameter of the search, for every solver")
    add_game_of_solvers(evaluate)
    add_variant(evaluate)
    evaluate.add_argument(
        "-o", "--output", metavar="FILE.csv", help="write every outcome as a row of a new file"
    )
    evaluate.add_argument(
        "--format",
        default="table",
        choices=("table", "json"),
        help="tables for people (the default), or one JSON document",
    )
    evaluate.add_argument(
        "--penalty",
        action="store_true",
        help="also print mean nodes with 1000M for each unsolved deal, as in the GA-FreeCell paper",
    )
    add_limits(evaluate)
    add_jobs(evaluate)


def _compare(commands: Any) -> None:
    compare = add(
        commands,
        "compare",
        "comparing",
        "compare jobs over the seeds of their runs, with intervals and tests",
        "Compare jobs over the seeds of their runs. Runs that differ only in the seed form a "
        "group. The best weights of each run are measured on the same deals, and groups are "
        "compared with each run as one observation.",
        examples=(
            "gafreecell compare out/mine-s1 out/mine-s2 out/other-s1 out/other-s2",
            "gafreecell compare out/* --deals ms32k-sample --nodes 100000 --format json",
        ),
    )
    compare.add_argument(
        "--submit",
        choices=("champion", "last"),
        default="champion",
        help="which weights of a run to compare: champion, the best on its validation deals (the "
        "default), or last, the candidate of its last generation, which needs no validation",
    )
    compare.add_argument("runs", metavar="RUN", nargs="+", help="run folders")
    compare.add_argument(
        "--deals",
        action="append",
        metavar="DEALS",
        help=f"{DEALS_HELP} (default: deals that the runs neither trained nor validated on)",
    )
    compare.add_argument(
        "--format",
        default="table",
        choices=("table", "json"),
        help="tables for people (the default), or one JSON document",
    )
    add_nodes(compare, "node budget of each deal, instead of the runs'")
    add_jobs(compare)
