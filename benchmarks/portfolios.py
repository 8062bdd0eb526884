"""``make portfolios``: weights for each game given as rules, and what they are worth.

Each game gets the jobs of ``gafreecell evolve --game`` and the weights that come of them, a file in
the package. docs/portfolios.csv compares them with the features' baseline weights on deals that
trained nothing. Interrupted, it goes on where it stopped; ``portfolios.py NAME ...`` makes the
weights of some games anew.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from pages import read_lines, write_lines

import gafreecell
from gafreecell.solitaire.patience import library

OUT, WEIGHTS = Path("out/portfolios"), Path("gafreecell/solitaire/patience/weights")
FILE = Path("docs/portfolios.csv")
DEALS = "1-400"
FIRST = (
    *("free-cell", "bakers-game", "eight-off", "seahaven-towers", "fore-cell", "simple-simon"),
    *("fan", "king-albert", "canfield", "beleaguered-castle", "streets-and-alleys", "golf"),
    *("black-hole", "spider", "yukon", "klondike-deal-1", "klondike-deal-3", "forty-thieves"),
    *("raglan", "spiderette", "scorpion", "gypsy", "russian-solitaire", "bakers-dozen"),
)
"""Trained first; then all others by name."""
NODES = 100_000


@dataclass(frozen=True)
class Line:
    """What a game's evolved weights are worth.

    Attributes:
        game: its name.
        deals: how many deals.
        solved, proved: how many of them the evolved weights solve, and prove unsolvable.
        solved_before, proved_before: the same of the baseline weights.
        nodes: on a typical deal that both solve, the nodes of the evolved weights as a multiple of
            the others', with the ends of its 95 % interval.
        milliseconds, milliseconds_before: mean processor time of a deal.
    """

    game: str
    deals: int
    solved: int
    proved: int
    solved_before: int
    proved_before: int
    nodes: float
    low: float
    high: float
    milliseconds: float
    milliseconds_before: float


def made(game: str) -> Line:
    """Evolve a game's weights, write them into the package and compare them."""
    weights = gafreecell.evolve_game(game, OUT / game).weights
    WEIGHTS.mkdir(exist_ok=True)
    weights.write(WEIGHTS / f"{game}.json")
    solvers = {"evolved": weights, "baseline": "baseline"}
    found = gafreecell.evaluate(solvers, DEALS, game, NODES)
    (pair,) = found.pairs
    after, before = found.summaries.values()
    return Line(
        game,
        found.count,
        after.solved,
        after.unsolvable,
        before.solved,
        before.unsolvable,
        round(pair.nodes_typical.value, 3),
        *(round(end, 3) for end in pair.nodes_typical.interval),
        round(after.milliseconds, 2),
        round(before.milliseconds, 2),
    )


def main(names: list[str]) -> None:
    lines = {line.game: line for line in read_lines(FILE, Line)}
    for name in names:
        lines.pop(name, None)
        shutil.rmtree(OUT / name, ignore_errors=True)
    for game in dict.fromkeys((*FIRST, *library.names())):
        if game not in lines:
            lines[game] = made(game)
            write_lines(FILE, Line, (lines[one] for one in sorted(lines)))
            print(lines[game], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
