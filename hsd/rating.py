"""How hard a FreeCell deal is, judged by the solver's work with four, three and two free cells.

A person plays with less foresight than a solver. With all four cells the solver finds its way
through nearly every deal, so its work there says little. How soon a deal becomes hard with fewer
cells says more. The score is the mean logarithm of the number of positions that the preset
``best-first`` expands with four, three and two cells, each within ``NODES`` nodes. Nothing in it
was fitted; docs/results/grades.md compares it with the games that weak players lose.

The scale holds for whole deals of the standard game. Variants and mid-game positions would need
scales of their own, so they have no grades.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log

from deals import FreeCellBoard
from deals.words import plural
from gafreecell.solving.outcome import Limits, Outcome, Status
from gafreecell.solving.parameters import Value
from gafreecell.solving.rating import Rating, RatingError, read_scale
from gafreecell.solving.sums import left_to_right
from hsd.solver import SOLVER

CELLS = (4, 3, 2)
CASCADES = 8
HEIGHTS = [6] * 4 + [7] * 4
NODES = 20_000
"""The node limit of a search. A search that finds nothing counts as this many positions."""
MEASURES = {cells: f"expanded_{cells}" for cells in CELLS}
"""By the number of cells, the name of the measure: the number of positions expanded."""
SCORE = "score"
PRESET = "best-first"
PATIENT = (PRESET, "fast", "balanced")
"""The presets that are tried in turn on a deal that ``NODES`` nodes leave undecided.

Together they decide every deal of the first million.
"""


def check(deal: FreeCellBoard | int, variant: Mapping[str, Value]) -> None:
    """Raise ``RatingError`` unless a deal can have a grade.

    Args:
        deal: a board, or a deal number.
        variant: the variant in which a deal number is dealt.
    """
    if isinstance(deal, int):
        cascades, cells, whole = int(variant["cascades"]), int(variant["cells"]), True
    else:
        cascades, cells = len(deal.cascades), deal.cell_count
        whole = not any(deal.foundations) and not deal.cells
        whole = whole and sorted(map(len, deal.cascades)) == HEIGHTS
    if (cascades, cells) != (CASCADES, CELLS[0]):
        raise RatingError(
            f"only FreeCell with {CASCADES} cascades and {CELLS[0]} cells has grades; this game "
            f"has {cascades} and {cells}: 'gafreecell solve' says whether it can be won"
        )
    if not whole:
        raise RatingError(
            "only a whole deal has a grade (four cascades of 7 cards and four of 6); this is "
            "another position: 'gafreecell solve' says whether it can be won"
        )


def rate(deal: FreeCellBoard | int) -> Rating:
    """How hard a deal of the standard game is.

    The measures are the numbers of positions expanded with four, three and two cells
    (``MEASURES``; None if the search found nothing) and the score. A deal that is lost, or that
    no search decides, has no measures.

    Args:
        deal: a board that passes ``check``, or a Microsoft deal number.
    """
    first = _search(deal, CELLS[0])
    status, seconds = first.status, first.seconds
    if not status.decided:
        status, more = _decided(deal)
        seconds += more
    if status is not Status.SOLVED:
        return Rating(status, None, dict.fromkeys((*MEASURES.values(), SCORE)), seconds)
    others = [_search(deal, cells) for cells in CELLS[1:]]
    seconds += sum(outcome.seconds for outcome in others)
    expanded = [o.nodes.expanded if o.status is Status.SOLVED else None for o in (first, *others)]
    score = score_of(expanded)
    measures = dict(zip(MEASURES.values(), expanded, strict=True))
    return Rating(status, read_scale("hsd").grade(score), {**measures, SCORE: score}, seconds)


def score_of(expanded: Sequence[int | None]) -> float:
    """The score of a deal from the positions expanded, None for a search that found nothing."""
    # A search expands at most one position of a deal that home moves alone finish.
    return left_to_right(log(NODES if n is None else max(n, 1)) for n in expanded) / len(expanded)


def _search(deal: FreeCellBoard | int, cells: int) -> Outcome:
    """Run the preset on a deal with this many cells."""
    weights = SOLVER.weights(PRESET)
    board = deal if isinstance(deal, int) else replace(deal, cell_count=cells)
    variant: dict[str, Value] = {"cascades": CASCADES, "cells": cells}
    return SOLVER.run(board, weights.evaluator, weights.search, Limits(NODES), variant)


def _decided(deal: FreeCellBoard | int) -> tuple[Status, float]:
    """The status of a deal that the first search left undecided, and the seconds spent on it."""
    status, seconds = Status.NODE_LIMIT, 0.0
    for name in PATIENT:
        weights = SOLVER.weights(name)
        outcome = SOLVER.run(
            deal, weights.evaluator, weights.search, weights.limits, weights.variant
        )
        status, seconds = outcome.status, seconds + outcome.seconds
        if status.decided:
            break
    return status, seconds


def describe(measures: Mapping[str, float | None]) -> str:
    """The measures in words."""
    expanded = {cells: measures[name] for cells, name in MEASURES.items()}
    counts = [(cells, int(n)) for cells, n in expanded.items() if n is not None]
    *some, last = [str(cells) for cells, n in expanded.items() if n is None] or [""]
    without = " and ".join(filter(None, [", ".join(some), last]))
    gives_up = f"gives up after {NODES:,} positions with {without}"
    if not counts:
        return f"the solver {gives_up} cells"
    (most, first), *others = counts
    looks = [f"{plural(first, 'position')} with {most} cells"]
    looks += [f"{n:,} with {cells}" for cells, n in others]
    return f"the solver looks at {', '.join(looks)}" + (f", and {gives_up}" if without else "")
