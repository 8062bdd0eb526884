"""``make judgement``: what the evolved judgement of moves is worth.

The player ``best`` makes the choices of deals that neither trained the judgement nor chose it, with
and without it, at two budgets; each choice is made several times with other random numbers. Then it
plays fresh deals with and without it. Writes the tables of docs/how/hidden.md and
``docs/judgement.csv.gz``, which has the outcome of each game. The choices take some minutes, the
games half an hour on two cores; they are kept in ``out/judgement``, and an interrupted run can be
continued.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from pages import Outcomes, fill, interval, results_of, wins, write_outcomes, written

from gafreecell.comparing.statistics import student
from gafreecell.solitaire.klondike.hidden.choices import Choice, Chooser, read
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.weights import read_weights
from gafreecell.terminal.tables import rounded, table

EXAMPLE = Path("examples/choices")
WEIGHTS = EXAMPLE / "run/weights/best.json"
DEALS = range(4_200_801, 4_201_001)
PLAYED = range(5_000_001, 5_004_001)
BUDGETS = ((150, 100), (450, 300))
"""Samples with the judgement, and without it."""
SEEDS = 8
"""How often each choice is made."""
FOLDER, TABLE = Path("out/judgement"), Path("docs/judgement.csv.gz")
PAGE = Path("docs/how/hidden.md")
MILLIONTHS = 1_000_000


def main() -> None:
    """Write the tables."""
    parts = {"regret": make_choices, "games": play_games}
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("part", nargs="?", choices=list(parts), help="default: both")
    given = reader.parse_args().part
    for part, make in parts.items():
        if given in (None, part):
            make()


def make_choices() -> None:
    """Measure what the choices lose."""
    every = zip(*read(EXAMPLE / "klondike_choices/choices.npz"), strict=True)
    choices = [choice for choice, deal in every if deal in DEALS]
    judgement = read_weights(WEIGHTS).evaluator
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
    fill("judgement regret", table([*header, "solver's states"], lines), PAGE)


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


def play_games() -> None:
    """Play the games that are missing."""
    outcomes: Outcomes = {}
    lines = []
    for pair in BUDGETS:
        won, seconds = [], []
        for samples, player in zip(pair, ("with", "without"), strict=True):
            words = [f"{PLAYED[0]}-{PLAYED[-1]}", "--policy", "best", "--samples", str(samples)]
            words += ["--weights", str(WEIGHTS)] if player == "with" else []
            games = results_of(written(FOLDER / f"{player}-{samples}.jsonl", "play", *words))
            outcomes[f"{player}, {samples} samples"] = games
            won.append(100 * wins(games))
            seconds.append(rounded(float(np.mean(games[1]))))
        shares = [f"{share.mean():.2f}" for share in won]
        gain = interval(won[0] - won[1], 2)
        lines.append([*map(str, pair), *shares, gain, ", ".join(seconds)])
    write_outcomes(TABLE, PLAYED, outcomes)
    header = ["samples with it", "and without it", "won with it, %", "without it, %"]
    fill("judgement games", table([*header, "gain, 95 % interval", "s a game, both"], lines), PAGE)


if __name__ == "__main__":
    main()
