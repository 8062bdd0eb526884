"""``make own-game``: a game on the blocks of ``gafreecell.jit`` against the built-in search.

``examples/bakers`` with the option ``build=colour`` is FreeCell. Its search expands the same
positions as the built-in ``best-first`` with the same features, one card at a time and no forced
home moves. Both search the same deals by turns; a rate is nodes generated per second of processor
time in the search, shortening left out. The ratio is the median over the rounds; compare only
figures of one run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from gafreecell import Evaluator, Limits, Search, Task
from hsd.game import GAME as FREECELL

PACKAGE = Path(__file__).parents[1] / "examples/bakers"
ROUNDS = 7
DEALS = range(1001, 1031)
NODES = 300_000
# The same weighted sum: FreeCell's features are divided by their ranges.
SUMS = {
    "bakers": {"cards": 0.25, "inversions": 0.25, "breaks": 0.125, "cells": 1.0},
    "freecell": {
        "NumCardsNotAtFoundations": 0.25 * 52,
        "Inversions": 0.25 * 51,
        "SequenceBreaks": 0.125 * 51,
        "CellsUsed": 4.0,
    },
}
SETTINGS = {"bakers": {}, "freecell": {"automatic": "none", "supermoves": "no", "shorten": "no"}}


def tasks(game: Any, deals: Sequence[int], nodes: int) -> list[Task]:
    """The deals for a game with its weighted sum and its search."""
    weights = SUMS[game.name]
    evaluator = Evaluator(tuple(weights), tuple(weights.values()))
    search = Search("best-first", SETTINGS[game.name])
    return [Task(deal, evaluator, search, Limits(nodes=nodes)) for deal in deals]


def code_lines(path: Path) -> int:
    """The lines of a module that are neither blank, comments nor docstrings."""
    text = path.read_text(encoding="utf-8")
    said = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    lines = enumerate(map(str.strip, text.splitlines()), start=1)
    return sum(1 for i, line in lines if line and not line.startswith("#") and i not in said)


def main() -> None:
    """Print the rates, their ratio and the lines."""
    sys.path.insert(0, str(PACKAGE))
    from bakers import Bakers

    games = {"examples/bakers": Bakers(build="colour"), "built-in best-first": FREECELL}
    rates: dict[str, list[float]] = {name: [] for name in games}
    for game in games.values():
        game.run(tasks(game, DEALS[:2], NODES))
    for _ in range(ROUNDS):
        for name, game in games.items():
            found = game.run(tasks(game, DEALS, NODES))
            nodes = sum(outcome.nodes.generated for outcome in found)
            rates[name].append(nodes / sum(outcome.seconds for outcome in found))
    for name, several in rates.items():
        print(f"{name}: {median(several) / 1e6:.2f} M nodes/s")
    ratio = median(own / other for own, other in zip(*rates.values(), strict=True))
    print(f"ratio: {ratio:.2f}")
    print(f"lines of its kernels: {code_lines(PACKAGE / 'bakers/kernels.py')}")


if __name__ == "__main__":
    main()
