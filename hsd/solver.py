"""Solves FreeCell boards, one at a time or many in parallel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from deals import DealError, FreeCellBoard
from deals.checks import deal_number, whole_number
from deals.microsoft import LARGEST_DEAL
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Search
from gafreecell.solving.parameters import ParameterError, Value
from gafreecell.solving.solver import Solver, Written
from gafreecell.solving.weights import Weights
from hsd.kernels.features import FEATURES
from hsd.kernels.packed import pack_board
from hsd.notation import lengths, tokens, with_cells_of
from hsd.presets import DEFAULT, PRESETS
from hsd.searches.a_star import AStar
from hsd.searches.beam import Beam
from hsd.searches.best_first import BestFirst
from hsd.searches.deepening import IdaStar, IterativeDeepening
from hsd.searches.depth_first import DepthFirst
from hsd.searches.schedule import Schedule
from hsd.searches.search import Position
from hsd.searches.staged import StagedDeepening


def _pack(deal: FreeCellBoard | int, variant: Mapping[str, Value]) -> Position:
    """A board, or a deal number of a variant, as searches take it."""
    if isinstance(deal, FreeCellBoard):
        return Position(pack_board(deal), len(deal.cascades), deal.cell_count)
    number = deal_number(deal, LARGEST_DEAL, DealError, "a deals.FreeCellBoard")
    cascades, cells = int(variant.get("cascades", 8)), int(variant.get("cells", 4))
    return Position(None, cascades, cells, number)


def _write(deal: object, moves: np.ndarray, values: Mapping[str, Value]) -> Written:
    written = tokens(moves)
    if isinstance(deal, FreeCellBoard) and deal.places:
        written = with_cells_of(deal, written)
    return written, lengths(moves)


def _trial() -> tuple[Position, dict[str, Value]]:
    """A position with one card left, a king that can go home."""
    last = FreeCellBoard(((55,), *[()] * 7), foundations=(13, 13, 13, 12))
    lengths(np.zeros(0, np.int64))  # Loads the kernel that counts a solution's moves.
    return _pack(last, {}), {"automatic": "none"}


SOLVER = Solver(
    "freecell",
    "FreeCell",
    (StagedDeepening, BestFirst, Schedule, Beam, AStar, DepthFirst, IterativeDeepening, IdaStar),
    FEATURES,
    PRESETS,
    pack=_pack,
    write=_write,
    trial=_trial,
)


def run(
    deal: FreeCellBoard | int,
    evaluator: Evaluator | None,
    search: Search,
    limits: Limits,
    cascades: int = 8,
    cells: int = 4,
) -> Outcome:
    """Run one search on one board.

    Args:
        deal: a position, or a Microsoft deal number.
        evaluator: what guides the search; None only for a search that needs none.
        search: which search, with its parameters.
        limits: what it may spend.
        cascades, cells: the game's size if ``deal`` is a number.

    Raises:
        ParameterError: if the search or a parameter is unknown or out of range,
            or an evaluator is missing.
        WeightsError: if the evaluator names unknown features.
        DealError: if there is no such deal.
    """
    variant: dict[str, Value] = {
        "cascades": whole_number(cascades, "cascades", ParameterError),
        "cells": whole_number(cells, "cells", ParameterError),
    }
    return SOLVER.run(deal, evaluator, search, limits, variant)


def solve(
    deal: FreeCellBoard | int, preset: str | Weights = DEFAULT, limits: Limits | None = None
) -> Outcome:
    """Solve a board or a Microsoft deal with a preset or with weights of your own.

    Args:
        deal: a board (``deals.FreeCellBoard``) or a deal number, 1 to 2^31 - 1.
        preset: a preset's name, or weights (``solving.weights.read_weights``).
        limits: what the search may spend (``solving.outcome.Limits``); by default
            the preset's limits.

    Returns:
        The outcome: its ``status``, and if that is solved its ``moves`` in standard
        notation and its ``lengths`` in ``single``, ``column`` and ``manual`` moves.

    Raises:
        WeightsError: if there is no such preset, or a feature is unknown.
        ParameterError: if the weights name an unknown search or parameter.
        DealError: if there is no such deal.
    """
    return SOLVER.solve(deal, preset, limits)


def solve_many(
    deals: Iterable[FreeCellBoard | int],
    preset: str | Weights = DEFAULT,
    jobs: int = -1,
    limits: Limits | None = None,
) -> list[Outcome]:
    """Solve many boards on several cores; the outcomes are in the order of the deals.

    Args:
        deals: boards or Microsoft deal numbers.
        preset: a preset's name or weights.
        jobs: number of threads, at least 1; -1 for one per core.
        limits: what each search may spend; by default the preset's limits.

    Raises:
        ParameterError: if ``jobs`` is neither positive nor -1, and as ``solve`` does.
        WeightsError, DealError: as ``solve`` does.
    """
    return SOLVER.solve_many(deals, preset, jobs, limits)
