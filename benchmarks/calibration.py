"""``make calibration``: what the chances of hints are worth.

Plays games of hidden Klondike with the player of the hints. In each game, some positions with a
choice are kept, each with the chance that a hint states for its best move; the game's end tells
whether it was won. ``check`` compares the chances with the shares of games won and writes the table
of docs/results.md. ``fit`` fits the corrections of ``klondike/hidden/calibration.py`` on other
deals and prints them. Outcomes are kept in ``out/calibration``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from math import log
from pathlib import Path
from random import Random

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from pages import fill

from deals import klondike
from gafreecell.statistics import wilson
from gafreecell.tables import table
from klondike.hidden import advise, play
from klondike.hidden.best import Best
from klondike.hidden.calibration import MOST_HIDDEN, Calibration
from klondike.verifier import Position

FOLDER = Path("out/calibration")
GAMES = 1_000
FIRST = {"fit": 4_300_001, "check": 4_310_001}
CHECKED = range(FIRST["check"], FIRST["check"] + GAMES)
PLAYER, HINT = {"samples": 100}, {"samples": 1_000}
"""The player of the games, and the hints: their default."""
POSITIONS = 3
"""Positions of each game."""
DRAWS = 3, 1

Sample = tuple[int, float, float, float, bool]
"""Cards face down, the chance stated with its interval, and whether the game was won."""


def main() -> None:
    """Check the corrections, or fit them."""
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("task", nargs="?", choices=list(FIRST), default="check")
    task = reader.parse_args().task
    # What is fitted is what a hint would say without any correction.
    Best.calibrates = task == "check"
    found = {draw: samples(task, draw) for draw in DRAWS}
    if task == "fit":
        for draw in DRAWS:
            print(f"{draw}: {fitted(found[draw])},")
        return
    header = ["draw", "stated, %", "positions", "stated on average, %", "won, %", "99 % interval"]
    lines = [line for draw in DRAWS for line in shares(draw, found[draw])]
    fill("calibration", table(header, lines))


def samples(task: str, draw: int) -> list[Sample]:
    """The positions of all games of a task, played now where they are missing."""
    deals = range(FIRST[task], FIRST[task] + GAMES)
    file = FOLDER / f"{task}-{draw}.jsonl"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        pool = Parallel(n_jobs=-1, backend="threading", return_as="generator")
        games = pool(delayed(game)(number, draw) for number in deals)
        begun = file.with_suffix(".part")
        with begun.open("w", encoding="utf-8") as out:
            for place, kept in enumerate(games, 1):
                print(json.dumps(kept), file=out)
                if place % 100 == 0:
                    print(f"{file.stem}: {place} games", file=sys.stderr)
        begun.rename(file)
    with file.open(encoding="utf-8") as lines:
        return [tuple(one) for line in lines for one in json.loads(line)]


def game(number: int, draw: int) -> list[Sample]:
    """Positions of a game with a choice, and what a hint says there."""
    board = klondike(number, draw)
    played = play(board, "best", PLAYER, place=number - 1, watched=True)
    places = [decision.place for decision in played.weighed]
    kept = {*Random(number).sample(places, min(POSITIONS, len(places)))}
    found, position = [], Position.from_board(board)
    for place, token in enumerate(played.moves):
        if place in kept:
            best = advise(position.board, "best", HINT, seed=number)[0]
            hidden = sum(position.face_down)
            found.append((hidden, best.chance, best.low, best.high, played.won))
        position.play(token)
    return found


def fitted(found: Sequence[Sample]) -> Calibration:
    """The correction under which the outcomes are most likely, by Newton's method."""
    kept = [one for one in found if 0 < one[1] < 1]
    odds = np.array([log(chance / (1 - chance)) for _, chance, _, _, _ in kept])
    share = np.array([hidden / MOST_HIDDEN for hidden, _, _, _, _ in kept])
    won = np.array([float(one[-1]) for one in kept])
    columns = np.stack([np.ones_like(odds), odds, share, share * odds], axis=1)
    weights: NDArray[np.float64] = np.zeros(4)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-columns @ weights))
        curve = columns.T @ (columns * (chance * (1 - chance))[:, None])
        weights += np.linalg.solve(curve, columns.T @ (won - chance))
    return Calibration(*(round(float(one), 3) for one in weights))


def shares(draw: int, found: Sequence[Sample]) -> list[list[str]]:
    """Lines of the table: of the positions with a chance in a range, how many were won."""
    lines = []
    for low in (10 * np.arange(10)).tolist():
        there = [one for one in found if low <= 100 * one[1] < low + 10 + (low == 90)]
        if not there:
            continue
        won = sum(one[-1] for one in there)
        ends = wilson(won, len(there), 0.99)
        lines.append(
            [
                str(draw),
                f"{low} to {low + 10}",
                f"{len(there):,}",
                f"{100 * sum(one[1] for one in there) / len(there):.1f}",
                f"{100 * won / len(there):.1f}",
                " to ".join(f"{100 * end:.1f}" for end in ends),
            ]
        )
    return lines


if __name__ == "__main__":
    main()
