"""``make calibration``: what the chances of hints are worth.

Plays games of hidden Klondike with ``best``. A hint states the chance of its best move, and the
game's end tells whether it was won. ``check`` asks for a hint at each deal, and at each later
position with a choice with the same probability, so that it meets the positions that players meet.
(A fixed number of each game would favour the short games, most of which are lost.) It compares the
chances with the shares of games won and writes the tables of docs/results. ``fit`` fits the
corrections in Klondike's ``hidden/calibration.py`` on other deals and prints them. A few thousand
hints would be too few for that, so it takes what the player itself states at each choice, and the
hints at the deals. Outcomes are kept in ``out/calibration``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from pages import fill

from deals import KlondikeBoard, klondike
from gafreecell.comparing.statistics import wilson
from gafreecell.solitaire.klondike.hidden import advise, play
from gafreecell.solitaire.klondike.hidden.best import Best
from gafreecell.solitaire.klondike.hidden.calibration import BY_DRAW, MOST_HIDDEN, Calibration
from gafreecell.solitaire.klondike.verifier import Position
from gafreecell.terminal.tables import table

FOLDER = Path("out/calibration")
GAMES = 1_500
FIRST = {"fit": 4_320_001, "check": 4_330_001}
CHECKED = range(FIRST["check"], FIRST["check"] + GAMES)
PLAYER, HINT = {"samples": 300}, {"samples": 1_000}
"""The player of the games, and the hints: their default."""
KEPT = 0.05
"""The probability that a position is checked; a game has some 30 with a choice."""
DRAWS = 3, 1
FACE_DOWN = ((MOST_HIDDEN, MOST_HIDDEN), (18, 20), (13, 17), (8, 12), (4, 7), (2, 3))
"""Ranges of numbers of cards face down, for the second table."""

Sample = tuple[int, float, bool]
"""Cards face down, the chance of the best move, whether the game was won."""


class Game(NamedTuple):
    """A game that was played.

    Attributes:
        won: whether it was won.
        deal: the chance that a hint states at the deal, before its correction.
        stated: for positions of the game, the number of cards face down and the chance of the best
            move before its correction.
    """

    won: bool
    deal: float
    stated: Sequence[tuple[int, float]]

    @property
    def at_deal(self) -> Sample:
        """The deal with the game's end."""
        return MOST_HIDDEN, self.deal, self.won

    @property
    def later(self) -> list[Sample]:
        """The positions with the game's end."""
        return [(hidden, chance, self.won) for hidden, chance in self.stated]


def main() -> None:
    """Check the corrections, or fit them."""
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("task", nargs="?", choices=list(FIRST), default="check")
    task = reader.parse_args().task
    # Positions are kept with what a hint would say without any correction.
    Best.calibrates = False
    found = {draw: samples(task, draw) for draw in DRAWS}
    deals = {draw: [game.at_deal for game in found[draw]] for draw in DRAWS}
    positions = {draw: [one for game in found[draw] for one in game.later] for draw in DRAWS}
    if task == "fit":
        for draw in DRAWS:
            print(f"{draw}: {fitted(deals[draw] + positions[draw])},")
        return
    header = ["draw", "stated, %", "positions", "stated on average, %", "won, %", "99 % interval"]
    stated = {draw: corrected(draw, positions[draw]) for draw in DRAWS}
    lines = [line for draw in DRAWS for line in by_chance(draw, stated[draw])]
    hidden = ["draw", "face down", *header[2:]]
    hidden_lines = []
    for draw in DRAWS:
        hidden_lines.append([str(draw), "the deal", *shares(corrected(draw, deals[draw]))])
        hidden_lines += by_hidden(draw, stated[draw])
    fill("calibration", f"{table(header, lines)}\n\n{table(hidden, hidden_lines)}")


def samples(task: str, draw: int) -> list[Game]:
    """What was stated in all games of a task; they are played now where they are missing."""
    deals = range(FIRST[task], FIRST[task] + GAMES)
    file = FOLDER / f"{task}-{draw}-{PLAYER['samples']}-{HINT['samples']}-{KEPT}.jsonl"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        pool = Parallel(n_jobs=-1, backend="threading", return_as="generator")
        played = pool(delayed(play_game)(number, draw, task) for number in deals)
        begun = file.with_suffix(".part")
        with begun.open("w", encoding="utf-8") as out:
            for place, one in enumerate(played, 1):
                print(json.dumps(one), file=out)
                if place % 100 == 0:
                    print(f"{file.stem}: {place} games", file=sys.stderr)
        begun.rename(file)
    with file.open(encoding="utf-8") as lines:
        return [Game(*json.loads(line)) for line in lines]


def play_game(number: int, draw: int, task: str) -> Game:
    """A game, what a hint says at its deal, and what is stated at its choices.

    To fit, that is what the player stated at each of them; to check, what hints say at some.
    """
    board = klondike(number, draw)
    played = play(board, "best", PLAYER, place=number - 1, watched=True)
    stated = {one.place: one.alternatives[0].chance for one in played.weighed}
    # Not Python's own generator: seeded with the number it would repeat the shuffle of the deal,
    # and the positions that are kept would depend on the cards.
    draws = np.random.default_rng(number)
    kept = {place for place in stated if task == "fit" or draws.random() < KEPT} - {0}
    found, position = [], Position.from_board(board)
    for place, token in enumerate(played.moves):
        if place in kept:
            chance = stated[place] if task == "fit" else hinted(position.board, number)
            found.append((sum(position.face_down), chance))
        position.play(token)
    return Game(played.won, hinted(board, number), found)


def hinted(board: KlondikeBoard, number: int) -> float:
    """The chance that a hint gives its best move; 0 if the game is lost."""
    found = advise(board, "best", HINT, seed=number)
    return found[0].chance if found else 0.0


def fitted(found: Sequence[Sample]) -> Calibration:
    """The correction under which the outcomes are most likely, by Newton's method."""
    kept = [one for one in found if 0 < one[1] < 1]
    odds = np.array([log(chance / (1 - chance)) for _, chance, _ in kept])
    share = np.array([hidden / MOST_HIDDEN for hidden, _, _ in kept])
    won = np.array([float(one[-1]) for one in kept])
    powers = np.stack([share, share**2, share**3], axis=1)
    columns = np.hstack([powers, powers * odds[:, None]])
    weights: NDArray[np.float64] = np.zeros(6)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-odds - columns @ weights))
        curve = columns.T @ (columns * (chance * (1 - chance))[:, None])
        weights += np.linalg.solve(curve, columns.T @ (won - chance))
    return Calibration(*(round(float(one), 3) for one in weights))


def corrected(draw: int, found: Sequence[Sample]) -> list[Sample]:
    """The positions with their chances corrected.

    A hint also keeps them as far from 0 and 1 as its samples can tell.
    """
    correction = BY_DRAW[draw]
    return [(hidden, correction.corrected(chance, hidden), won) for hidden, chance, won in found]


def by_chance(draw: int, found: Sequence[Sample]) -> list[list[str]]:
    """Lines of a table: of the positions with a chance in a range, how many were won."""
    lines = []
    for low in (10 * np.arange(10)).tolist():
        there = [one for one in found if low <= 100 * one[1] < low + 10 + (low == 90)]
        if there:
            lines.append([str(draw), f"{low} to {low + 10}", *shares(there)])
    return lines


def by_hidden(draw: int, found: Sequence[Sample]) -> list[list[str]]:
    """Lines of a table: of the positions with so many cards face down, how many were won."""
    lines = []
    for low, high in FACE_DOWN:
        there = [one for one in found if low <= one[0] <= high]
        if there:
            name = f"{low} to {high}" if low < high else str(low)
            lines.append([str(draw), name, *shares(there)])
    return lines


def shares(found: Sequence[Sample]) -> list[str]:
    """Cells: positions, the mean of their chances, the share won and its interval."""
    won = sum(one[-1] for one in found)
    stated = sum(one[1] for one in found) / len(found)
    ends = wilson(won, len(found), 0.99)
    percent = [f"{100 * share:.1f}" for share in (stated, won / len(found), *ends)]
    return [f"{len(found):,}", *percent[:2], " to ".join(percent[2:])]


if __name__ == "__main__":
    main()
