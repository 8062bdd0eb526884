"""Collect the choices of games that the player ``best`` plays, with reference values.

    python -m klondike_choices.collect -o choices.npz

Each deal takes about a second. The package has the choices of ``DEALS``; ``--deals`` names others.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from joblib import Parallel, delayed

from deals import klondike, parse_range
from gafreecell.solitaire.klondike.hidden.choices import Choice, Chooser, write

DEALS = "4200001-4201000"
SAMPLES, DEEP = 60, 2_500
"""Samples of the player, and of the reference values."""
KEPT = 6
"""Choices of each game."""


def collected(deal: int) -> list[Choice]:
    """Some choices of a deal's game: every third game draws one card, the others three."""
    board = klondike(deal, draw=3 if deal % 3 else 1)
    return Chooser().collect(board, SAMPLES, KEPT, DEEP, deal)


def main() -> None:
    """Collect all choices on all cores."""
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("-o", "--output", type=Path, required=True, help="the file to write")
    reader.add_argument("--deals", default=DEALS, help=f"a range of deals (default {DEALS})")
    given = reader.parse_args()
    file, numbers = given.output, parse_range(given.deals)
    if numbers is None:
        reader.error(f"expected a range of deals such as {DEALS}, got {given.deals!r}")
    found = Parallel(n_jobs=-1, return_as="generator")(map(delayed(collected), numbers))
    choices: list[Choice] = []
    deals: list[int] = []
    for place, (deal, kept) in enumerate(zip(numbers, found, strict=True), 1):
        choices += kept
        deals += [deal] * len(kept)
        if place % 20 == 0:
            print(f"{place} of {len(numbers)} games, {len(choices)} choices", file=sys.stderr)
    write(file, choices, deals)
    print(f"wrote {file}: {len(choices)} choices", file=sys.stderr)


if __name__ == "__main__":
    main()
