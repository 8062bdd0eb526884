"""``make fewest-moves``: our beam for manual moves beside macroxue/freecell, at equal times.

Each width of their beam meets one of ours that takes about as long, on the same deals and one core,
in turns. macroxue/freecell (commit 67511a1) has to be built first, by its makefile; ``MACROXUE`` in
the environment is the path of its ``solver``. It runs with its "maximum auto moves" (``-A``), and
its moves are counted as it prints them. Our solutions are replayed. Times are processor times, of
its process and of our search. The table is in docs/results/freecell.md.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
from dataclasses import replace
from typing import Any

import numpy as np
from pages import fill

from gafreecell.solitaire.game import game
from gafreecell.solving.outcome import Task
from gafreecell.terminal.tables import table

DEALS = range(2_001, 2_101)
PROGRAM = os.environ.get("MACROXUE", "solver")
PAIRS: dict[int, dict[str, Any]] = {
    8: {"width": 256, "wider": 0},
    10: {"width": 128, "wider": 512},
    11: {"width": 256, "wider": 1_024},
    12: {"width": 256, "wider": 2_048},
    13: {"width": 512, "wider": 5_120},
}
"""Our widths, by the exponent of theirs."""
FREECELL = game("freecell")


def ours(deal: int, widths: dict[str, Any]) -> tuple[int, float]:
    """The manual moves of our solution, and its milliseconds."""
    weights = FREECELL.preset("fewest-moves")
    search = replace(weights.search, parameters={**weights.search.parameters, **widths})
    (found,) = FREECELL.run([Task(deal, weights.evaluator, search, weights.limits)])
    assert found.moves is not None and found.lengths is not None, deal
    fault = FREECELL.verify(FREECELL.deal(deal), found.moves)
    assert not fault, (deal, fault)
    return found.lengths["manual"], 1000 * found.seconds


def theirs(deal: int, exponent: int) -> tuple[int, float]:
    """The same of their program."""
    before = _spent()
    # It reads a solution to go on from if standard input is no pipe.
    words = [PROGRAM, "-A", "-n1", str(deal), str(exponent)]
    told = subprocess.run(words, input="", capture_output=True, text=True, check=True).stdout
    moves = re.findall(r"Moves: (\d+)", told)
    return int(moves[-1]), 1000 * (_spent() - before)


def _spent() -> float:
    """Processor seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    rows = []
    for exponent, widths in PAIRS.items():
        ours(DEALS[0], widths)  # compiles, and makes the arrays
        both = np.array([(*theirs(deal, exponent), *ours(deal, widths)) for deal in DEALS])
        their_moves, their_time, moves, time = both.mean(axis=0)
        error = (both[:, 2] - both[:, 0]).std(ddof=1) / np.sqrt(len(DEALS))
        told = " then ".join(f"{width:,}" for width in widths.values() if width)
        difference = f"{moves - their_moves:.2f} ± {1.96 * error:.2f}"
        cells = (f"{their_moves:.2f}", f"{their_time:.1f}", told, f"{moves:.2f}", f"{time:.1f}")
        rows.append([f"{2**exponent:,}", *cells, difference])
        print(rows[-1], flush=True)
    header = ["macroxue, states", "manual moves", "ms a deal"]
    header += ["`fewest-moves`, states", "manual moves", "ms a deal", "difference in moves"]
    fill("fewest-moves", table(header, rows))


if __name__ == "__main__":
    main()
