"""``rate``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import (
    add_deals,
    add_game,
    add_jobs,
    add_output,
    add_variant,
)
from gafreecell.cli.parsing import add


def declare(commands: Any) -> None:
    """Add the command."""
    rate = add(
        commands,
        "rate",
        "rating",
        "grade how hard deals are, from 1 (easiest) to 10",
        "Grade how hard deals are, from 1 (easiest) to 10. "
        "FreeCell's grade comes from the positions that the solver expands with four, three and "
        "two free cells, Pyramid's from the share of random games that clear the pyramid; each of "
        "these grades has about a tenth of the winnable deals, and "
        "the documentation's page Results says how well they predict where weak players "
        "fail. Klondike's grade says how many games of ten the player best loses, from 1 for less "
        "than one to 10 for nine or more. That player sees no face-down card, and the stock only "
        "as --variant stock=known (the default) or stock=hidden says. Under strict rules most "
        "winnable deals have grade 10. To find the hardest of several deals with the same grade, "
        "compare the scores from which the grades come: a higher score means a harder deal. With "
        "--format jsonl, each line has the score in its measures.",
        examples=(
            "gafreecell rate 617",
            "gafreecell rate 1-100",
            "gafreecell rate decks.txt --game pyramid",
            "gafreecell rate 1-20 --game klondike --variant redeals=2",
            "gafreecell rate 1-32000 -o rated.jsonl",
        ),
        statuses={
            0: "every deal is decided: it has a grade, or is proved unsolvable",
            1: "some deal is not decided",
        },
    )
    add_deals(rate)
    add_game(rate)
    add_variant(rate)
    add_jobs(rate)
    rate.add_argument(
        "--format",
        choices=("text", "jsonl"),
        help="text for people (the default), or a line of JSON for each deal (the default with "
        "-o FILE.jsonl)",
    )
    add_output(rate)
