"""``evaluate``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import DEALS_HELP, add_game, add_jobs, add_limits, add_variant
from gafreecell.cli.parsing import add


def declare(commands: Any) -> None:
    """Add the command."""
    evaluate = add(
        commands,
        "evaluate",
        "evaluation",
        "compare solvers on many deals, with confidence intervals",
        examples=(
            "gafreecell evaluate fast hsdh --deals 50001-50400",
            "gafreecell evaluate mine.json hsd-evolved --deals 50001-50400 --nodes 100000",
        ),
    )
    evaluate.add_argument("solvers", metavar="PRESET|WEIGHTS.json|RUN", nargs="+")
    evaluate.add_argument(
        "--deals", required=True, action="append", metavar="DEALS", help=DEALS_HELP
    )
    add_game(evaluate)
    add_variant(evaluate)
    evaluate.add_argument("-o", "--output", metavar="FILE.csv", help="write every outcome as a row")
    evaluate.add_argument("--format", default="table", choices=("table", "json"))
    add_limits(evaluate)
    add_jobs(evaluate)
