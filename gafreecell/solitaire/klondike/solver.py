"""Solves Klondike boards with all cards known: one, or many in parallel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from deals import DealError, KlondikeBoard
from deals.checks import deal_number
from deals.klondike_rules import DRAW, limit_of
from deals.pysol import LARGEST_PYSOL
from gafreecell.solitaire.klondike.complete.search import Complete
from gafreecell.solitaire.klondike.features import FEATURES
from gafreecell.solitaire.klondike.man_machine.search import ManMachine
from gafreecell.solitaire.klondike.moves import tokens
from gafreecell.solitaire.klondike.packed import Position, pack_board, packed_deal
from gafreecell.solitaire.klondike.presets import DEFAULT, PRESETS
from gafreecell.solitaire.klondike.rollouts.search import Rollouts
from gafreecell.solving.outcome import Limits, Outcome
from gafreecell.solving.parameters import ParameterError, Value
from gafreecell.solving.solver import Solver, Written
from gafreecell.solving.weights import Weights

_HIDDEN = (
    "the stock is hidden (stock=hidden, or angle brackets around its cards), but a solver knows "
    "all cards: leave that out; hint, rate and play take a hidden stock"
)


def _pack(deal: KlondikeBoard | int, variant: Mapping[str, Value]) -> Position:
    if isinstance(deal, KlondikeBoard):
        packed = pack_board(deal)
        if deal.unseen:
            raise DealError(_HIDDEN)
        return packed
    number = deal_number(deal, LARGEST_PYSOL, DealError, "a deals.KlondikeBoard")
    if not variant:
        return number
    if variant.get("stock") == "hidden":
        raise ParameterError(_HIDDEN)
    return packed_deal(number, int(variant.get("draw", DRAW)), limit_of(variant.get("redeals")))


def _write(deal: object, moves: np.ndarray, values: Mapping[str, Value]) -> Written:
    return tokens(moves), {"moves": len(moves)}


def _trial() -> tuple[Position, dict[str, Value]]:
    """A position in which only one king is not home."""
    last = KlondikeBoard(((55,), *[()] * 6), (0,) * 7, (), (), (13, 13, 13, 12))
    return pack_board(last), {}


SOLVER = Solver(
    "klondike",
    "Klondike",
    (Complete, Rollouts, ManMachine),
    FEATURES,
    PRESETS,
    pack=_pack,
    write=_write,
    trial=_trial,
)


def solve(
    deal: KlondikeBoard | int, preset: str | Weights = DEFAULT, limits: Limits | None = None
) -> Outcome:
    """Solve a board or a PySol FC deal with a preset or with weights of your own.

    Args:
        deal: a board with all cards known (``deals.KlondikeBoard``) or a deal number, 1 to 10^20.
        preset: a preset's name, or weights (``solving.weights.read_weights``).
        limits: what the search may spend (``solving.outcome.Limits``); by default
            the preset's limits.

    Returns:
        The outcome: its ``status``, and if that is solved its ``moves``, draws and
        redeals included, and its ``lengths``, the number of ``moves``.

    Raises:
        WeightsError: if there is no such preset, or a feature is unknown.
        ParameterError: if the weights name an unknown search or parameter, or rules that the
            search does not play by.
        DealError: if there is no such deal, one of its cards is unknown, or its stock is hidden.
    """
    return SOLVER.solve(deal, preset, limits)


def solve_many(
    deals: Iterable[KlondikeBoard | int],
    preset: str | Weights = DEFAULT,
    jobs: int = -1,
    limits: Limits | None = None,
) -> list[Outcome]:
    """Solve many boards on several cores; the outcomes are in the order of the deals.

    Args:
        deals: boards or PySol FC's deal numbers.
        preset: a preset's name or weights.
        jobs: number of threads, at least 1; -1 for one per core.
        limits: what each search may spend; by default the preset's limits.

    Raises:
        ParameterError: if ``jobs`` is neither positive nor -1, and as ``solve`` does.
        WeightsError, DealError: as ``solve`` does.
    """
    return SOLVER.solve_many(deals, preset, jobs, limits)
