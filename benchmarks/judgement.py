"""``make judgement``: what the evolved judgement of moves is worth.

The player ``best`` makes the choices of deals that neither trained the judgement nor chose it, with
and without it, at two budgets; each choice is made several times with other random numbers. Writes
the table of docs/how/hidden.md. Takes some minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from pages import fill

from gafreecell.statistics import student
from gafreecell.tables import table
from klondike.hidden.choices import Choice, Chooser, read
from solving.outcome import Evaluator
from solving.weights import read_weights

EXAMPLE = Path("examples/choices")
DEALS = range(4_200_801, 4_201_001)
BUDGETS = ((150, 100), (450, 300))
"""Samples with the judgement, and without it."""
SEEDS = 8
"""How often each choice is made."""
PAGE = Path("docs/how/hidden.md")
MILLIONTHS = 1_000_000


def main() -> None:
    """Make the choices and write the table."""
    every = zip(*read(EXAMPLE / "klondike_choices/choices.npz"), strict=True)
    choices = [choice for choice, deal in every if deal in DEALS]
    judgement = read_weights(EXAMPLE / "run/weights/best.json").evaluator
    lines = []
    for pair in BUDGETS:
        (regret, states), (plain_regret, plain_states) = (
            made(choices, evaluator, samples)
            for evaluator, samples in zip((judgement, None), pair, strict=True)
        )
        low, high = student(regret - plain_regret)
        change = 100 * (states.mean() / plain_states.mean() - 1)
        line = [*map(str, pair), f"{regret.mean():,.0f}", f"{plain_regret.mean():,.0f}"]
        lines.append(
            [*line, f"{(low + high) / 2:+,.0f} ± {(high - low) / 2:,.0f}", f"{change:+.0f} %"]
        )
        print(line, file=sys.stderr)
    header = ["samples with it", "and without it", "regret with it", "without it", "difference"]
    fill("judgement", table([*header, "solver's states"], lines), PAGE)


def made(
    choices: Sequence[Choice], evaluator: Evaluator | None, samples: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean regret of each choice in millionths of a game, and the mean states."""

    def one(seed: int) -> list[tuple[float, int]]:
        chooser, first = Chooser(), 1_000_000 * seed
        return [
            chooser.decide(choice, evaluator, samples, first + place)
            for place, choice in enumerate(choices)
        ]

    found = Parallel(n_jobs=-1, backend="threading")(map(delayed(one), range(SEEDS)))
    means = np.array(found, float).mean(axis=0)
    return MILLIONTHS * means[:, 0], means[:, 1]


if __name__ == "__main__":
    main()
