"""``make printed``: which reading of the printed vector reaches the paper's 98 %?

The GA-FreeCell paper prints a weight vector, but neither the scales of its features nor which of
them are turned round so that smaller is better. Here each feature has several readings. A search
looks for the combination that solves most deals in the paper's search: at random first, then one
feature after another. The best is measured on other deals, beside our usual reading and the paper's
words as they stand. Writes docs/printed.csv and the tables in docs/results.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import joblib
import numpy as np
from pages import fill
from paper import BASELINE

import hsd
from gafreecell.comparing.statistics import wilson
from gafreecell.service.solvers import named_solver
from gafreecell.solving.outcome import Evaluator, Limits, Status
from gafreecell.terminal.tables import table

Sums = Mapping[str, float]
"""Coefficients of our features."""
WEIGHTS = {
    "NumCardsNotAtFoundations": 0.09,
    "HSDH": 0.01,
    "DifferenceFromTop": 0.77,
    "LowestHomeCard": 0.01,
    "HighestHomeCard": 0.08,
    "NumberWellPlaced": 0.01,
    "DifferenceHome": 0.01,
    "SumOfBottomCards": 0.02,
}
"""The printed weights; that of ``FreeCells`` is 0."""
SCALES: Mapping[str, tuple[float, Sequence[float]]] = {
    "NumCardsNotAtFoundations": (52, (52,)),
    "HSDH": (96, (96, 48, 24)),
    "DifferenceFromTop": (26, (26, 13)),
    "LowestHomeCard": (13, (13,)),
    "HighestHomeCard": (13, (13,)),
    "DifferenceHome": (13, (13,)),
    "SumOfBottomCards": (100, (100, 52)),
}
"""By feature its scale here, and those that it may have had in the paper."""
SORTED: Sums = {"NumCardsNotAtFoundations": 1.0, "CellsUsed": -4 / 52, "NumberWellPlaced": -1.0}
"""Cards in cascades that are sorted throughout, / 52, as a sum of our features."""
DRAWN = 200
"""Combinations drawn at random."""
KEPT = 4
"""How many of them are improved, feature by feature."""
QUICK = range(2_450_001, 2_450_011)
CHOICE = range(2_450_001, 2_450_031)
TEST = range(2_420_001, 2_420_201)
QUICK_LIMIT, LIMIT = 300_000, 2_000_000
CSV = Path("docs/printed.csv")


def _turned(sums: Sums, by: float) -> dict[str, float]:
    return {name: by * value for name, value in sums.items()}


def readings() -> dict[str, dict[str, Sums]]:
    """By printed feature its readings: by name, the sum of our features that it is."""
    found: dict[str, dict[str, Sums]] = {}
    for name, (ours, scales) in SCALES.items():
        # Ours shrinks towards the goal; only this one is turned against the paper's words.
        ways = {"as it stands": 1.0, "turned": -1.0}
        if name == "HighestHomeCard":
            ways = {"turned": 1.0, "as it stands": -1.0}
        found[name] = {
            f"{way}, / {scale}": {name: sign * ours / scale}
            for scale, (way, sign) in product(scales, ways.items())
        }
    found["NumberWellPlaced"] = {
        "cards in other cascades, / 52": {"NumberWellPlaced": 1.0},
        "as it stands, / 52": SORTED,
        "turned, / 52": _turned(SORTED, -1.0),
    }
    return found


READINGS = readings()
NAMES = tuple(WEIGHTS)
OURS = tuple(next(iter(READINGS[name])) for name in NAMES)
"""Our usual reading of each feature."""
WORDS = tuple(
    next(one for one in READINGS[name] if one.startswith("as it stands")) for name in NAMES
)
"""The paper's words as they stand, with our scales."""
Combination = tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """What a combination of readings reached.

    Attributes:
        readings: of the features, in the order of ``NAMES``.
        deals: how many it was tried on.
        solved: how many of them were solved.
        nodes: mean nodes, unsolved deals included.
    """

    readings: Combination
    deals: int
    solved: int
    nodes: float

    @property
    def rank(self) -> tuple[int, float]:
        """Smaller is better."""
        return -self.solved, self.nodes


def evaluator(combination: Combination) -> Evaluator:
    """The printed vector in a combination of readings."""
    sums: dict[str, float] = {}
    for name, reading in zip(NAMES, combination, strict=True):
        for feature, by in READINGS[name][reading].items():
            sums[feature] = sums.get(feature, 0.0) + WEIGHTS[name] * by
    return Evaluator(tuple(sums), tuple(sums.values()))


def tried(combination: Combination, deals: range, limit: int) -> Found:
    """A combination in the paper's search, on deals."""
    base = named_solver(BASELINE, hsd.GAME)
    weights = replace(base, evaluator=evaluator(combination), limits=Limits(nodes=limit))
    found = hsd.solve_many(deals, weights, jobs=1)
    solved = sum(one.status is Status.SOLVED for one in found)
    mean = float(np.mean([one.nodes.generated for one in found]))
    return Found(combination, len(deals), solved, round(mean))


def best(combinations: Iterable[Combination], deals: range, limit: int) -> list[Found]:
    """All of them on the deals, the best first."""
    work = joblib.Parallel(n_jobs=-1)
    found = work(joblib.delayed(tried)(one, deals, limit) for one in dict.fromkeys(combinations))
    return sorted(found, key=lambda one: one.rank)


def improved(start: Found) -> Found:
    """A combination in which no other reading of a single feature is better."""
    here, before = start, None
    while here != before:
        before = here
        for place, name in enumerate(NAMES):
            others = [
                (*here.readings[:place], one, *here.readings[place + 1 :])
                for one in READINGS[name]
                if one != here.readings[place]
            ]
            if others:
                here = min([here, *best(others, CHOICE, LIMIT)], key=lambda one: one.rank)
    return here


def main() -> None:
    """Search, measure, write."""
    rng = np.random.default_rng(1)
    drawn = [tuple(str(rng.choice([*READINGS[name]])) for name in NAMES) for _ in range(DRAWN)]
    first = best([OURS, WORDS, *drawn], QUICK, QUICK_LIMIT)
    for one in first[:10]:
        print(one, file=sys.stderr)
    starts = best([OURS, *(one.readings for one in first[:KEPT])], CHOICE, LIMIT)
    ends = sorted({improved(one) for one in starts}, key=lambda one: one.rank)
    rows = {
        name: tried(combination, TEST, LIMIT)
        for name, combination in (
            ("ours", OURS),
            ("the paper's words", WORDS),
            ("best found", ends[0].readings),
        )
    }
    with CSV.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["deals", "limit", "solved", "nodes", *NAMES])
        for limit, group in ((QUICK_LIMIT, first), (LIMIT, [*starts, *ends, *rows.values()])):
            for one in group:
                writer.writerow([one.deals, limit, one.solved, one.nodes, *one.readings])
    lines = []
    for name, one in rows.items():
        low, high = (100 * end for end in wilson(one.solved, one.deals))
        share = f"{100 * one.solved / one.deals:.1f} ({low:.1f} to {high:.1f})"
        lines.append([name, share, f"{one.nodes:,.0f}"])
    text = [table(["reading", f"% of {len(TEST)} deals solved", "nodes, mean"], lines)]
    chosen = zip(NAMES, OURS, ends[0].readings, strict=True)
    text.append(table(["feature", "ours", "best found"], [[*one] for one in chosen]))
    fill("printed", "\n\n".join(text))


if __name__ == "__main__":
    main()
