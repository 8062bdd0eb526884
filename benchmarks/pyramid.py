"""``make pyramid``: Pyramid's optimal search on random decks, and both challenges.

Solves deals 1 to 1500 for clearing the pyramid and 1 to 1000 for each challenge, on one core, after
a warm-up. The verifier replays every solution. Writes the tables in docs/results and
``docs/pyramid.csv``.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pages import fill

from deals import pyramid
from gafreecell.solitaire import pyramid as pyramid_solitaire
from gafreecell.solitaire.pyramid.solver import with_goal
from gafreecell.solving.outcome import Outcome, Status
from gafreecell.terminal.tables import rounded, table

DECKS = range(1, 1501)
CHALLENGES = range(1, 1001)
WARM_UP = range(2001, 2011)
GOALS = ("score", "cards:Q", "cards:K", "cards:6")
FILE = Path("docs/pyramid.csv")
RIVAL = "pyramid-solver, other decks, i7-4770k"
PUBLISHED = [
    [f"{RIVAL}: all", "1,500", "754", "2,675", "141", "44,234", "1,131", "-", "-"],
    [f"{RIVAL}: solvable", "998", "354", "527", "157", "5,313", "353", "-", "-"],
    [f"{RIVAL}: unsolvable", "502", "1,550", "4,458", "62", "44,234", "778", "-", "-"],
]
"""From the README of mchung94/pyramid-solver, which gives totals in minutes and seconds."""
HARDEST = """
Th 2h 4d 3h Qd 8h 9h 5d Jc Td 7c 4c Ts Ac 9c 8d 5s 2s 7h 6s 7s 2c 9d Qs 3d 5c 5h Ad
8s Js 6c 9s 4h Kh Jd 4s 2d 6d Ks Qc 3s 3c Kc 7d Tc Ah 6h Qh Kd 8c As Jh
"""
"""The slowest deck in that README; it takes that program 44 s."""


def main() -> None:
    """Measure everything, one after the other, and write the results."""
    for goal in ("clear", *GOALS):
        solve(WARM_UP, goal)
    idle = memory("VmRSS")
    forget_peak()
    outcomes = solve(DECKS, "clear")
    peak = memory("VmHWM") - idle
    write(outcomes)
    solved = [outcome for outcome in outcomes if outcome.status is Status.SOLVED]
    lost = [outcome for outcome in outcomes if outcome.status is Status.UNSOLVABLE]
    assert len(solved) + len(lost) == len(outcomes)
    columns = ["decks", "number", "ms mean", "SD", "median", "max", "total s", "states", "steps"]
    parts = (("all", outcomes), ("solvable", solved), ("unsolvable", lost))
    rows = [[name, *cells(part, True)] for name, part in parts] + PUBLISHED
    hardest = pyramid_solitaire.solve(pyramid_solitaire.GAME.read_boards(HARDEST)[0])
    text = table(columns, rows)
    text += f"\n\nPeak memory above that of the idle process: {peak / 1e6:.0f} MB. "
    text += (
        f"The slowest deck of pyramid-solver's README: {hardest.status} after "
        f"{1000 * hardest.seconds:.0f} ms and {hardest.nodes.generated:,} states."
    )
    rows = []
    for goal in GOALS:
        forget_peak()
        outcomes = solve(CHALLENGES, goal)
        peak = memory("VmHWM") - idle
        gained = np.mean([(o.lengths or {}).get("score") or o.lengths["cards"] for o in outcomes])
        rows.append([goal, *cells(outcomes), f"{gained:.2f}", f"{peak / 1e6:.0f}"])
    columns = ["goal", "number", "ms mean", "median", "max", "states", "steps", "gained", "MB"]
    fill("pyramid", f"{text}\n\n{table(columns, rows)}")


def solve(numbers: Sequence[int], goal: str) -> list[Outcome]:
    """Solve deals one after the other and replay every solution."""
    weights = with_goal("optimal", goal)
    outcomes = []
    for number in numbers:
        deck = pyramid(number)
        outcome = pyramid_solitaire.solve(deck, weights)
        assert outcome.status.decided, (goal, number, outcome.status)
        if outcome.moves is not None:
            verdict = pyramid_solitaire.verify(deck, outcome.moves)
            assert verdict.legal and (verdict.cleared or goal != "clear"), (number, verdict.reason)
        outcomes.append(outcome)
    return outcomes


def cells(outcomes: Sequence[Outcome], spread: bool = False) -> list[str]:
    """Table cells: number of deals, milliseconds, states and steps.

    Args:
        outcomes: of the deals.
        spread: whether to give the standard deviation and the total in seconds, too.
    """
    times = 1000 * np.array([outcome.seconds for outcome in outcomes])
    states = np.mean([outcome.nodes.generated for outcome in outcomes])
    steps = [outcome.lengths["steps"] for outcome in outcomes if outcome.lengths]
    shown = [times.mean(), np.median(times), times.max()]
    if spread:
        shown[1:1] = [times.std(ddof=1)]
        shown += [times.sum() / 1000]
    return [
        f"{len(outcomes):,}",
        *map(rounded, shown),
        f"{states:,.0f}",
        f"{np.mean(steps):.2f}" if steps else "-",
    ]


def write(outcomes: Sequence[Outcome]) -> None:
    """Write a line for each deal: its status, fewest steps and states."""
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["deal", "status", "steps", "generated"])
        for number, outcome in zip(DECKS, outcomes, strict=True):
            steps = outcome.lengths["steps"] if outcome.lengths else ""
            writer.writerow([number, outcome.status, steps, outcome.nodes.generated])
    print(f"wrote {FILE}", file=sys.stderr)


def memory(name: str) -> int:
    """The present (``VmRSS``) or peak (``VmHWM``) memory of this process in bytes; Linux only."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(name))


def forget_peak() -> None:
    """Reset ``VmHWM`` to the present memory."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


if __name__ == "__main__":
    main()
