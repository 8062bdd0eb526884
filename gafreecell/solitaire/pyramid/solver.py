"""Solves Pyramid decks, one at a time or many in parallel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from deals.cards import RANKS, DealError
from deals.checks import deal_number
from deals.pyramid_deck import PyramidDeck, pyramid
from deals.pyramid_position import PyramidBoard
from deals.pysol import LARGEST_PYSOL
from gafreecell.solitaire.pyramid.a_star import AStar
from gafreecell.solitaire.pyramid.goals import goal_parameters
from gafreecell.solitaire.pyramid.position import Start, filled_in, pack, pack_board
from gafreecell.solitaire.pyramid.presets import DEFAULT, PRESETS
from gafreecell.solitaire.pyramid.steps import token
from gafreecell.solitaire.pyramid.verifier import verify
from gafreecell.solving.outcome import Limits, Outcome, Search
from gafreecell.solving.parameters import Value
from gafreecell.solving.solver import Solver, Written
from gafreecell.solving.weights import Weights


def board_of(deal: PyramidBoard | int) -> PyramidBoard:
    """The board of a deal that may be given by its number."""
    if isinstance(deal, PyramidBoard):
        return deal
    return _dealt(deal_number(deal, LARGEST_PYSOL, DealError, "a deals.PyramidDeck"))


@lru_cache(maxsize=1000)
def _dealt(number: int) -> PyramidDeck:
    """A deal's deck, cached because it is needed both before and after the search."""
    return pyramid(number)


def _pack(deal: PyramidBoard | int, variant: Mapping[str, Value]) -> Start:
    return pack_board(board_of(deal))


def _write(deal: PyramidBoard | int, moves: np.ndarray, values: Mapping[str, Value]) -> Written:
    board = board_of(deal)
    deck = filled_in(board)
    steps = tuple(token(step, deck) for step in moves.tolist())
    lengths = {"steps": len(steps)}
    goal = str(values["goal"])
    if goal != "clear":
        played = verify(board, steps)
        rank = RANKS.index(str(values["rank"])) + 1
        lengths[goal] = played.score if goal == "score" else played.count(rank)
    return steps, lengths


def _trial() -> tuple[Start, dict[str, Value]]:
    """A position with one card left, a king at the tip."""
    ranks = [13, *(1 + i % 12 for i in range(48)), 13, 13, 13]
    return pack(ranks, shape=1, left=0, at=24, cycle=2), {}


SOLVER = Solver("pyramid", "Pyramid", (AStar,), (), PRESETS, pack=_pack, write=_write, trial=_trial)


def solve(
    deal: PyramidBoard | int,
    preset: str | Weights = DEFAULT,
    limits: Limits | None = None,
    goal: str | None = None,
) -> Outcome:
    """Solve a deck, a position or a deal with the fewest steps.

    Args:
        deal: a deck (``deals.PyramidDeck``), a position (``deals.PyramidPosition``) or a deal
            number, 1 to 10^20.
        preset: a preset's name, or weights (``solving.weights.read_weights``).
        limits: what the search may spend (``solving.outcome.Limits``); by default
            the preset's limits.
        goal: replaces the preset's goal: ``clear``, ``score[:N]`` or ``cards:Q[:N]``, see
            ``pyramid.goals``.

    Returns:
        The outcome: its ``status``, and if that is solved its ``moves`` (``Draw``,
        ``Recycle``, ``Remove Kd``, ``Remove 6d and 7h``) and its ``lengths``: ``steps``, and
        the ``score`` or the ``cards`` of a challenge.

    Raises:
        WeightsError: if there is no such preset.
        ParameterError: if there is no such search, parameter or goal.
        DealError: if there is no such deal.
    """
    return SOLVER.solve(deal, with_goal(preset, goal), limits)


def solve_many(
    deals: Iterable[PyramidBoard | int],
    preset: str | Weights = DEFAULT,
    jobs: int = -1,
    limits: Limits | None = None,
    goal: str | None = None,
) -> list[Outcome]:
    """Solve many decks on several cores; the outcomes are in the order of the decks.

    Args:
        deals: decks, positions or deal numbers.
        preset, limits, goal: see ``solve``.
        jobs: number of threads, at least 1; -1 for one per core.

    Raises:
        ParameterError: if ``jobs`` is neither positive nor -1, and as ``solve`` does.
        WeightsError, DealError: as ``solve`` does.
    """
    return SOLVER.solve_many(deals, with_goal(preset, goal), jobs, limits)


def with_goal(preset: str | Weights, goal: str | None) -> Weights:
    """The weights of a preset, or the given ones, with their goal replaced if one is given."""
    weights = SOLVER.weights(preset)
    if goal is None:
        return weights
    parameters = {**weights.search.parameters, **goal_parameters(goal)}
    return replace(weights, search=Search(weights.search.name, parameters))
