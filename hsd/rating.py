"""How hard a FreeCell deal is: what its solver has to do with four, three and two free cells.

A person plays with less foresight than a solver. So what tells a hard deal is less the work with
all four cells, when the solver sees its way through nearly everything, than how soon the deal
becomes hard when there is less room. The score is the mean logarithm of the positions that the
preset ``best-first`` expands with four, three and two cells, each within ``NODES`` nodes. Nothing
in it was fitted; docs/results.md tells how it goes with the games that weak players lose.

The scale is that of whole deals of the usual game. Other games, and positions in mid-game, would
need scales of their own, and have no grades.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log

from deals import FreeCellBoard
from deals.words import plural
from hsd.solver import SOLVER
from solving.outcome import Limits, Outcome, Status
from solving.parameters import Value
from solving.rating import Rating, RatingError, read_scale

CELLS = (4, 3, 2)
CASCADES = 8
HEIGHTS = [6] * 4 + [7] * 4
NODES = 20_000
"""What a search may spend. One that finds nothing counts as so many positions."""
MEASURES = {cells: f"expanded_{cells}" for cells in CELLS}
"""The names of the numbers of positions expanded, by the number of cells."""
SCORE = "score"
PRESET = "best-first"
PATIENT = (PRESET, "fast", "balanced")
"""The presets that say, one after another, whether a deal can be won where ``NODES`` do not.

No deal of the first million is left open by all of them.
"""


def check(deal: FreeCellBoard | int, variant: Mapping[str, Value]) -> None:
    """Raise ``RatingError`` unless a deal can have a grade.

    Args:
        deal: a board, or a deal number.
        variant: the game in which the number's board is dealt.
    """
    if isinstance(deal, int):
        cascades, cells, whole = int(variant["cascades"]), int(variant["cells"]), True
    else:
        cascades, cells = len(deal.cascades), deal.cell_count
        whole = not any(deal.foundations) and not deal.cells
        whole = whole and sorted(map(len, deal.cascades)) == HEIGHTS
    if (cascades, cells) != (CASCADES, CELLS[0]):
        raise RatingError(
            f"grades are those of FreeCell with {CASCADES} cascades and {CELLS[0]} cells; "
            f"this one has {cascades} and {cells}: 'gafreecell solve' says whether it can be won"
        )
    if not whole:
        raise RatingError(
            "only a whole deal has a grade, four cascades of 7 cards and four of 6; this is "
            "another position: 'gafreecell solve' says whether it can be won"
        )


def rate(deal: FreeCellBoard | int) -> Rating:
    """How hard a deal of the usual game is.

    Its measures are the positions expanded with four, three and two cells (``MEASURES``; None
    where the search found nothing) and the score. A deal that is lost, or that no search
    decides, has none of them.

    Args:
        deal: a board for which ``check`` finds no fault, or a Microsoft deal number.
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
    """The score of a deal from the positions expanded; None where a search found nothing."""
    # A deal that only home moves finish expands a single position, or none.
    return sum(log(NODES if n is None else max(n, 1)) for n in expanded) / len(expanded)


def _search(deal: FreeCellBoard | int, cells: int) -> Outcome:
    """What the preset does with so many cells."""
    weights = SOLVER.weights(PRESET)
    board = deal if isinstance(deal, int) else replace(deal, cell_count=cells)
    variant: dict[str, Value] = {"cascades": CASCADES, "cells": cells}
    return SOLVER.run(board, weights.evaluator, weights.search, Limits(NODES), variant)


def _decided(deal: FreeCellBoard | int) -> tuple[Status, float]:
    """Whether a deal that is not solved at once can be won, and how long it took to find out."""
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
    gives_up = f"gives up after {NODES:,} nodes with {without}"
    if not counts:
        return f"the solver {gives_up} cells"
    (most, first), *others = counts
    looks = [f"{plural(first, 'position')} with {most} cells"]
    looks += [f"{n:,} with {cells}" for cells, n in others]
    return f"the solver looks at {', '.join(looks)}" + (f", and {gives_up}" if without else "")
