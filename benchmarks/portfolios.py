"""``make portfolios``: weights for each game given as rules, and what they are worth.

The games of ``TRAINED`` get the jobs of ``gafreecell evolve --game`` and the weights that come of
them, a file in the package; so do three games of examples/rules that are in no list, whose weights
are beside them. The other games take the weights of their family. docs/portfolios.csv compares the
evolved weights of each game with the features' baseline weights on deals that trained nothing.
Interrupted, it goes on where it stopped; ``portfolios.py NAME ...`` measures some games anew, with
new weights if they have their own. ``portfolios.py measured`` measures what is missing with the
weights there are, and ``portfolios.py tables`` only writes the tables.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path

import numpy as np
from pages import fill, read_lines, write_lines

import gafreecell
from gafreecell.solitaire.game import game as game_of
from gafreecell.solitaire.patience import library
from gafreecell.solving.outcome import Limits, Task
from gafreecell.solving.weights import read_weights
from gafreecell.terminal.tables import table

OUT, WEIGHTS = Path("out/portfolios"), Path("gafreecell/solitaire/patience/weights")
FILE, PAGE = Path("docs/portfolios.csv"), Path("docs/patience.md")
TRAINED = (
    *("free-cell", "bakers-game", "eight-off", "seahaven-towers", "fore-cell", "simple-simon"),
    *("fan", "king-albert", "canfield", "beleaguered-castle", "golf", "klondike-deal-1", "yukon"),
    *("spider", "forty-thieves", "thirty", "thirtysix", "westcliff", "american-toad", "wasp"),
    *("gypsy", "casino-klondike", "bakers-dozen", "portuguese-solitaire", "alina", "box-fan"),
    *("geoffrey", "odessa", "yukon-cells"),
)
"""Games with weights of their own: one at least of each family, and some that the family's slow
down."""
OWN = tuple(f"examples/rules/{name}.toml" for name in ("lighthouse", "two-ladders", "watermill"))
TRAINED_DEALS, OTHER_DEALS = "1-400", "1-50"
TRAINED_NODES, OTHER_NODES = 100_000, 50_000
SAID, EVERY = 10, 10
"""Deals, and every which of their positions tell how much the moves change a feature."""
AIMS = {
    "cards": "bring cards home",
    "breaks": "build cards on one another",
    "suit-breaks": "build in suit",
    "covers": "get low cards off the bottom",
    "depth": "dig for the next cards home",
    "cells": "keep cells free",
    "spaces": "empty piles",
    "hidden": "turn cards up",
    "spread": "keep the foundations level",
    "stock": "use the stock",
    "reserve": "play off the reserve",
    "rooted": "build on kings at the bottom",
    "gaps": "leave neighbouring ranks even",
    "moves": "take few moves",
}
"""What a player does who heeds a feature."""


@dataclass(frozen=True)
class Line:
    """What a game's evolved weights are worth.

    Attributes:
        game: its name.
        weights: the game that they were trained for.
        deals: how many deals.
        solved, proved: how many of them the evolved weights solve, and prove unsolvable.
        solved_before, proved_before: the same of the baseline weights.
        nodes: on a typical deal that both solve, the nodes of the evolved weights as a multiple of
            the others', with the ends of its 95 % interval.
        milliseconds, milliseconds_before: mean processor time of a deal.
    """

    game: str
    weights: str
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
    """Evolve a game's weights if it has its own, and compare them with the baseline's."""
    if game in (*TRAINED, *OWN):
        gafreecell.evolve_game(game, OUT / Path(game).stem).weights.write(_file_of(game))
    return measured(game)


def measured(game: str) -> Line:
    """Compare a game's weights with the baseline's."""
    own, file = game in (*TRAINED, *OWN), _file_of(game)
    evolved = read_weights(file) if own else "evolved"
    found = gafreecell.evaluate(
        {"evolved": evolved, "baseline": "baseline"},
        TRAINED_DEALS if own else OTHER_DEALS,
        game,
        TRAINED_NODES if own else OTHER_NODES,
    )
    (pair,) = found.pairs
    after, before = found.summaries.values()
    return Line(
        game,
        game if own else file.stem,
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


def _file_of(game: str) -> Path:
    """Where the weights of a game are, its own or those of its family."""
    if game in OWN:
        return Path(game).with_name(f"{Path(game).stem}-weights.json")
    one = game if game in TRAINED else next(iter(library.weights(game, library.rules(game))))
    return WEIGHTS / f"{one}.json"


def rows(lines: Sequence[Line]) -> list[list[str]]:
    """The table: a row for each game."""
    return [
        [
            game_of(line.game).title,
            *(f"{won} / {lost}" for won, lost in _verdicts(line)),
            _ratio(line),
            f"{line.milliseconds:.1f}",
            f"{line.milliseconds_before:.1f}",
        ]
        for line in lines
    ]


def _ratio(line: Line) -> str:
    """The ratio of nodes, with its interval if there are deals enough for one."""
    if isnan(line.nodes):
        return ""
    interval = "" if isnan(line.low) else f" ({line.low:.2f} to {line.high:.2f})"
    return f"{line.nodes:.2f}{interval}"


def said(game: str) -> list[str]:
    """What a game's weights make of the game: the aims of a player, with their shares.

    The share of a feature is that of its weight in the first phase times its standard deviation
    over the moves of a position, on average over positions of solutions. All moves cost a move.
    """
    played = game_of(game)
    weights = read_weights(_file_of(game))
    limits = Limits(TRAINED_NODES)
    tasks = [Task(i, weights.evaluator, weights.search, limits) for i in range(1, SAID + 1)]
    deviations = []
    for deal, outcome in enumerate(played.run(tasks), start=1):
        board = played.deal(deal)
        for step, move in enumerate(outcome.moves or ()):
            if step % EVERY == 0:
                after = (played.after(board, one) for one in played.legal_moves(board))
                values = [[*played.feature_values(one).values()] for one in after]
                deviations.append(np.std(values, axis=0))
            board = played.after(board, move)
    own = dict(zip(weights.evaluator.features, weights.evaluator.weights, strict=False))
    spread = np.mean(deviations, axis=0)
    worth = {
        feature.name: own.get(feature.name, 0.0) * change
        for feature, change in zip(played.features, spread, strict=True)
        if feature.name != "moves"
    }
    total = sum(map(abs, worth.values()))
    best = sorted(worth, key=lambda name: -abs(worth[name]))[:4]
    aims = (f"{_aim(name, worth[name])} ({abs(worth[name]) / total:.0%})" for name in best)
    return [played.title, ", ".join(aims)]


def _aim(name: str, worth: float) -> str:
    return "keep the stock" if name == "stock" and worth < 0 else AIMS[name]


def _verdicts(line: Line) -> tuple[tuple[int, int], tuple[int, int]]:
    return (line.solved, line.proved), (line.solved_before, line.proved_before)


def main(names: Sequence[str]) -> None:
    lines = {line.game: line for line in read_lines(FILE, Line)}
    chosen = [name for name in names if name not in ("tables", "measured")]
    for name in chosen:
        lines.pop(name, None)
        shutil.rmtree(OUT / Path(name).stem, ignore_errors=True)
    missing = [] if "tables" in names else [*chosen, *TRAINED, *OWN, *library.names()]
    for game in dict.fromkeys(missing):
        if game not in lines:
            lines[game] = measured(game) if "measured" in names else made(game)
            write_lines(FILE, Line, (lines[one] for one in sorted(lines)))
            print(lines[game], flush=True)
    order = [lines[one] for one in sorted(lines)]
    listed = _tables([line for line in order if line.game in TRAINED])
    own = _tables([line for line in order if line.game in OWN])
    others = [line for line in order if line.weights != line.game]
    fill(
        "portfolios",
        f"{listed}\n\nThree games that are in no list (`examples/rules`):\n\n{own}\n\n"
        f"Games with the weights of their family:\n\n{_compared(others)}",
        PAGE,
    )


def _tables(lines: Sequence[Line]) -> str:
    """The tables of some games: what their weights are worth, and what they say."""
    told = [said(line.game) for line in lines if line.solved]
    words = table(["game", "what its weights say"], told, right=False)
    return f"{_compared(lines)}\n\n{words}"


def _compared(lines: Sequence[Line]) -> str:
    header = ["game", "solved / proved lost", "before", "nodes", "ms a deal", "before"]
    return table(header, rows(lines))


if __name__ == "__main__":
    main(sys.argv[1:])
