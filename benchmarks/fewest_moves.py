"""``make fewest-moves``: our beam for manual moves beside macroxue/freecell, at equal times.

Each width of their beam meets one of ours that takes about as long, on the same deals and one core,
in turns. macroxue/freecell (commit 67511a1) has to be built first, by ``make solver.p solver.q`` in
its folder, which profiles it; ``MACROXUE`` in the environment is the path of its ``solver.q``. It
runs in one thread with its "maximum auto moves" (``-A``). The solutions of both are replayed. Times
are processor times, of its process and of our search. The table is in docs/results/freecell.md.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
from pages import fill, spent_by

from gafreecell.solitaire.game import game
from gafreecell.solving.outcome import Task
from gafreecell.terminal.tables import table
from hsd.interpreting import code_of, interpret

DEALS = range(2_001, 2_101)
PROGRAM = os.environ.get("MACROXUE", "solver.q")
PAIRS: dict[int, dict[str, Any]] = {
    8: {"width": 180, "wider": 0},
    10: {"width": 128, "wider": 448},
    11: {"width": 256, "wider": 896},
    12: {"width": 256, "wider": 1_920},
    13: {"width": 384, "wider": 4_608},
}
"""Our widths, by the exponent of theirs; they were chosen by their time alone."""
FREECELL = game("freecell")


def ours(deal: int, widths: dict[str, Any]) -> tuple[float, float]:
    """The manual moves of our solution, nan if there is none, and the milliseconds."""
    weights = FREECELL.preset("fewest-moves")
    search = replace(weights.search, parameters={**weights.search.parameters, **widths})
    (found,) = FREECELL.run([Task(deal, weights.evaluator, search, weights.limits)])
    if found.moves is None or found.lengths is None:
        return np.nan, 1000 * found.seconds
    fault = FREECELL.verify(FREECELL.deal(deal), found.moves)
    assert not fault, (deal, fault)
    return found.lengths["manual"], 1000 * found.seconds


def theirs(deal: int, exponent: int) -> tuple[float, float]:
    """The same of their program."""
    # It reads a solution to go on from if standard input is no pipe.
    seconds, told = spent_by([PROGRAM, "-A", "-n1", str(deal), str(exponent)], "")
    solution = [line for line in told.splitlines() if line.startswith(f"{deal}:")][-1]
    if (moves := code_of(solution)) is None:
        return np.nan, 1000 * seconds
    meant = interpret(FREECELL.deal(deal), moves)
    fault = meant.fault or FREECELL.verify(FREECELL.deal(deal), meant.moves)
    assert not fault, (deal, exponent, fault)
    return len(moves), 1000 * seconds


def main() -> None:
    rows = []
    for exponent, widths in PAIRS.items():
        ours(DEALS[0], widths)  # compiles, and makes the arrays
        both = np.array([(*theirs(deal, exponent), *ours(deal, widths)) for deal in DEALS])
        solved = np.isfinite(both).all(axis=1)
        their_moves, _, moves, _ = both[solved].mean(axis=0)
        _, their_time, _, time = both.mean(axis=0)
        error = (both[solved, 2] - both[solved, 0]).std(ddof=1) / np.sqrt(solved.sum())
        told = " then ".join(f"{width:,}" for width in widths.values() if width)
        difference = f"{moves - their_moves:.2f} ± {1.96 * error:.2f}"
        cells = (f"{their_moves:.2f}", f"{their_time:.1f}", told, f"{moves:.2f}", f"{time:.1f}")
        rows.append([f"{2**exponent:,}", *cells, difference, str(solved.sum())])
        print(rows[-1], flush=True)
    measured = ("manual moves", "ms a deal")
    header = ["macroxue, states", *measured, "`fewest-moves`, states", *measured]
    header += ["difference", "deals"]
    fill("fewest-moves", table(header, rows))


if __name__ == "__main__":
    main()
