"""Solving FreeCell boards: one, or many side by side."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from deals import FreeCellBoard
from deals.microsoft import shuffled_deck
from hsd import presets
from hsd.a_star import AStar
from hsd.beam import Beam
from hsd.best_first import BestFirst
from hsd.board import pack_board, pack_cascades
from hsd.deepening import IdaStar, IterativeDeepening
from hsd.heuristics import NAMES, NOT_OF_BOARD
from hsd.notation import lengths, token
from hsd.presets import DEFAULT
from hsd.search import FreeCellSearch
from hsd.staged import StagedDeepening
from solving.outcome import Evaluator, Limits, Outcome, Search
from solving.parameters import ParameterError, Value, read_parameters
from solving.runtime import interruptible
from solving.weights import Weights, WeightsError

SEARCHES: dict[str, type[FreeCellSearch]] = {
    search.name: search
    for search in (StagedDeepening, BestFirst, Beam, AStar, IterativeDeepening, IdaStar)
}


class _Instances(threading.local):
    """The searches of this thread, so that their arrays are reused."""

    def __init__(self) -> None:
        self.by_name: dict[str, FreeCellSearch] = {}


_instances = _Instances()


def check_search(search: Search, features: Iterable[str] = ()) -> dict[str, Value]:
    """Every parameter of a search with its value.

    Args:
        search: its name and parameters.
        features: what it is to weigh.

    Raises:
        ParameterError: if the search or one of its parameters is unknown or out
            of range, or if it cannot weigh a feature.
    """
    if search.name not in SEARCHES:
        raise ParameterError(f"there is no search {search.name!r}; there are {', '.join(SEARCHES)}")
    kind = SEARCHES[search.name]
    for feature in NOT_OF_BOARD.intersection(features) - kind.weighs if kind.guided else ():
        able = [name for name, other in SEARCHES.items() if feature in other.weighs]
        raise ParameterError(
            f"the search {search.name} cannot weigh {feature}; {', '.join(able)} can"
        )
    known = SEARCHES[search.name].parameters
    return read_parameters(f"the search {search.name}", known, search.parameters)


@lru_cache(maxsize=1000)
def weight_vector(evaluator: Evaluator | None) -> np.ndarray:
    """The evaluator's weights at the engine's places, zero for features it does not name.

    Raises:
        WeightsError: naming the unknown features.
    """
    vector = np.zeros(len(NAMES))
    if evaluator is None:
        return vector
    unknown = [name for name in evaluator.features if name not in NAMES]
    if unknown:
        raise WeightsError(
            f"unknown features {', '.join(unknown)}; FreeCell has {', '.join(NAMES)}"
        )
    for name, weight in zip(evaluator.features, evaluator.weights, strict=True):
        vector[NAMES.index(name)] = weight
    return vector


def _instance(name: str) -> FreeCellSearch:
    """This thread's instance of a search, its kernels compiled or loaded."""
    if name not in _instances.by_name:
        search = SEARCHES[name]()
        # One king from home: whatever the kernels take to load is no deal's time.
        last = FreeCellBoard(((55,), *[()] * 7), foundations=(13, 13, 13, 12))
        values = read_parameters(name, search.parameters, {"automatic": "none"})
        search.run(pack_board(last), np.array([8, 4]), weight_vector(None), values, Limits())
        _instances.by_name[name] = search
    return _instances.by_name[name]


@lru_cache(maxsize=50_000)
def _packed_deal(number: int, cascades: int) -> np.ndarray:
    deck = shuffled_deck(number)
    return pack_cascades([deck[i::cascades] for i in range(cascades)])


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
        cascades, cells: the game's size where ``deal`` is a number.

    Raises:
        ParameterError: if the search or a parameter is unknown or out of range,
            or an evaluator is missing.
        WeightsError: if the evaluator names unknown features.
        DealError: if there is no such deal.
    """
    values = check_search(search, evaluator.features if evaluator else ())
    instance = _instance(search.name)
    if evaluator is None and instance.needs_weights(values):
        raise ParameterError(f"the search {search.name} needs weights")
    if isinstance(deal, FreeCellBoard):
        packed, size = pack_board(deal), np.array([len(deal.cascades), deal.cell_count])
    else:
        packed, size = _packed_deal(deal, cascades), np.array([cascades, cells])
    found = instance.run(packed, size, weight_vector(evaluator), values, limits)
    if found.moves is None:
        return Outcome(found.status, None, None, found.nodes, found.seconds)
    moves = tuple(map(token, found.moves.tolist()))
    counted = lengths(found.moves)
    if found.bound is not None:
        counted["bound"] = found.bound
    return Outcome(found.status, moves, counted, found.nodes, found.seconds)


def solve(
    deal: FreeCellBoard | int,
    preset: str | Weights = DEFAULT,
    limits: Limits | None = None,
) -> Outcome:
    """Solve a board or a Microsoft deal with a preset or with weights of your own.

    Args:
        deal: a board (``deals.FreeCellBoard``) or a deal number, 1 to 2^31 - 1.
        preset: a preset's name, or weights (``solving.weights.read_weights``).
        limits: what the deal may take (``solving.outcome.Limits``); by default
            those of the preset.

    Returns:
        The outcome: its ``status``, and where that is solved its ``moves`` in
        standard notation and its ``lengths`` in ``single`` and ``column`` moves.

    Raises:
        WeightsError: if there is no such preset, or a feature is unknown.
        ParameterError: if the weights name a search or a parameter there is not.
        DealError: if there is no such deal.
    """
    weights = as_weights(preset)
    with interruptible():
        return _run_weights(deal, weights, limits)


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
        jobs: threads to use, at least 1; -1 for one a core.
        limits: what each deal may take; by default the preset's.

    Raises:
        ParameterError: if ``jobs`` is neither positive nor -1, and as ``solve`` does.
        WeightsError, DealError: as ``solve`` does.
    """
    from joblib import Parallel, delayed

    if jobs < 1 and jobs != -1:
        raise ParameterError(f"jobs must be positive, or -1 for all cores, got {jobs}")
    weights = as_weights(preset)
    items = list(deals)
    batches = [items[i : i + 100] for i in range(0, len(items), 100)]

    def batch(part: list[FreeCellBoard | int]) -> list[Outcome]:
        return [_run_weights(deal, weights, limits) for deal in part]

    with interruptible():
        done = Parallel(n_jobs=jobs, backend="threading")(delayed(batch)(part) for part in batches)
    return [outcome for part in done for outcome in part]


def _run_weights(deal: FreeCellBoard | int, weights: Weights, limits: Limits | None) -> Outcome:
    """Run the weights on the game they were made for."""
    cascades, cells = weights.variant.get("cascades", 8), weights.variant.get("cells", 4)
    limits = limits or weights.limits
    return run(deal, weights.evaluator, weights.search, limits, cascades, cells)


def as_weights(preset: str | Weights) -> Weights:
    """The weights themselves, or those of a preset's name."""
    return preset if isinstance(preset, Weights) else presets.preset(preset)
