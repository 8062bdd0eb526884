"""Collect the choices of games that the player ``best`` plays, with reference values.

    python -m klondike_choices.collect --out choices.npz

Each deal takes about a second.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from joblib import Parallel, delayed

from deals import klondike
from klondike.hidden.choices import Choice, Chooser, write

DEALS = range(4_200_001, 4_200_801)
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
    reader.add_argument("--out", type=Path, default=Path(__file__).with_name("choices.npz"))
    file = reader.parse_args().out
    found = Parallel(n_jobs=-1, return_as="generator")(map(delayed(collected), DEALS))
    choices: list[Choice] = []
    deals: list[int] = []
    for place, (deal, kept) in enumerate(zip(DEALS, found, strict=True), 1):
        choices += kept
        deals += [deal] * len(kept)
        if place % 20 == 0:
            print(f"{place} of {len(DEALS)} games, {len(choices)} choices", file=sys.stderr)
    write(file, choices, deals)
    print(f"wrote {file}: {len(choices)} choices", file=sys.stderr)


if __name__ == "__main__":
    main()
