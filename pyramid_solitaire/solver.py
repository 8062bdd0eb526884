"""Solving Pyramid decks: one, or many side by side."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import replace

from deals.pyramid import PyramidDeck, pyramid
from pyramid_solitaire import presets
from pyramid_solitaire.goals import check_goal, goal_parameters
from pyramid_solitaire.position import pack, pack_deck
from pyramid_solitaire.search import AStar
from pyramid_solitaire.steps import token
from pyramid_solitaire.verifier import verify
from solving.outcome import Evaluator, Limits, Outcome, Search
from solving.parameters import ParameterError, Value, read_parameters
from solving.runtime import interruptible
from solving.weights import Weights, WeightsError

SEARCHES: dict[str, type[AStar]] = {AStar.name: AStar}


class _Instances(threading.local):
    """The searches of this thread, so that their arrays are reused."""

    def __init__(self) -> None:
        self.by_name: dict[str, AStar] = {}


_instances = _Instances()


def check_search(search: Search, features: Iterable[str] = ()) -> dict[str, Value]:
    """Every parameter of a search with its value.

    Raises:
        ParameterError: if the search or one of its parameters is unknown or out of
            range, or no game can reach the goal.
        WeightsError: if there are features: Pyramid has none.
    """
    if search.name not in SEARCHES:
        raise ParameterError(f"there is no search {search.name!r}; there are {', '.join(SEARCHES)}")
    unknown = list(features)
    if unknown:
        raise WeightsError(f"unknown features {', '.join(unknown)}; Pyramid has none")
    known = SEARCHES[search.name].parameters
    values = read_parameters(f"the search {search.name}", known, search.parameters)
    check_goal(values)
    return values


def _instance(name: str) -> AStar:
    """This thread's instance of a search, its kernels compiled or loaded."""
    if name not in _instances.by_name:
        search = SEARCHES[name]()
        values = read_parameters(name, search.parameters, {})
        # A king alone: whatever the kernels take to load is no deal's time.
        ranks = [13, *(1 + i % 12 for i in range(48)), 13, 13, 13]
        search.run(pack(ranks, shape=1, left=0, at=24, cycle=2), values, Limits())
        search.warm_up()
        _instances.by_name[name] = search
    return _instances.by_name[name]


def run(
    deal: PyramidDeck | int, evaluator: Evaluator | None, search: Search, limits: Limits
) -> Outcome:
    """Run one search on one deck.

    Args:
        deal: a deck or a deal number.
        evaluator: none, or one without features.
        search: which search, with its parameters.
        limits: what it may spend.

    Returns:
        The outcome; ``lengths`` has ``steps`` and, for a challenge, ``score`` or ``cards``.

    Raises:
        ParameterError, WeightsError: see ``check_search``.
        DealError: if there is no such deal.
    """
    values = check_search(search, evaluator.features if evaluator else ())
    deck = pyramid(deal) if isinstance(deal, int) else deal
    found = _instance(search.name).run(pack_deck(deck), values, limits)
    if found.moves is None:
        return Outcome(found.status, None, None, found.nodes, found.seconds)
    steps = tuple(token(step, deck) for step in found.moves.tolist())
    lengths = {"steps": len(steps)}
    if values["goal"] != "clear":
        played = verify(deck, steps)
        rank = "A23456789TJQK".index(str(values["rank"])) + 1
        goal = str(values["goal"])
        lengths[goal] = played.score if goal == "score" else played.count(rank)
    return Outcome(found.status, steps, lengths, found.nodes, found.seconds)


def solve(
    deal: PyramidDeck | int,
    preset: str | Weights = presets.DEFAULT,
    limits: Limits | None = None,
    goal: str | None = None,
) -> Outcome:
    """Solve a deck or a deal with the fewest steps.

    Args:
        deal: a deck (``deals.PyramidDeck``) or a deal number, 1 to 10^20.
        preset: a preset's name, or weights (``solving.weights.read_weights``).
        limits: what the deal may take (``solving.outcome.Limits``); by default
            those of the preset.
        goal: another goal than the preset's: ``clear``, ``score[:N]`` or ``cards:Q[:N]``, see
            ``pyramid_solitaire.goals``.

    Returns:
        The outcome: its ``status``, and where that is solved its ``moves`` (``Draw``,
        ``Recycle``, ``Remove Kd``, ``Remove 6d and 7h``) and its ``lengths``: ``steps``, and
        the ``score`` or the ``cards`` of a challenge.

    Raises:
        WeightsError: if there is no such preset.
        ParameterError: if there is no such search, parameter or goal.
        DealError: if there is no such deal.
    """
    weights = as_weights(preset, goal)
    with interruptible():
        return _run_weights(deal, weights, limits)


def solve_many(
    deals: Iterable[PyramidDeck | int],
    preset: str | Weights = presets.DEFAULT,
    jobs: int = -1,
    limits: Limits | None = None,
    goal: str | None = None,
) -> list[Outcome]:
    """Solve many decks on several cores; the outcomes are in the order of the decks.

    Args:
        deals: decks or deal numbers.
        preset, limits, goal: see ``solve``.
        jobs: threads to use, at least 1; -1 for one a core.

    Raises:
        ParameterError: if ``jobs`` is neither positive nor -1, and as ``solve`` does.
        WeightsError, DealError: as ``solve`` does.
    """
    from joblib import Parallel, delayed

    if jobs < 1 and jobs != -1:
        raise ParameterError(f"jobs must be positive, or -1 for all cores, got {jobs}")
    weights = as_weights(preset, goal)
    items = list(deals)
    batches = [items[i : i + 20] for i in range(0, len(items), 20)]

    def batch(part: list[PyramidDeck | int]) -> list[Outcome]:
        return [_run_weights(deal, weights, limits) for deal in part]

    with interruptible():
        done = Parallel(n_jobs=jobs, backend="threading")(delayed(batch)(part) for part in batches)
    return [outcome for part in done for outcome in part]


def _run_weights(deal: PyramidDeck | int, weights: Weights, limits: Limits | None) -> Outcome:
    return run(deal, weights.evaluator, weights.search, limits or weights.limits)


def as_weights(preset: str | Weights, goal: str | None = None) -> Weights:
    """The weights themselves, or those of a preset's name, with another goal if one is given."""
    weights = preset if isinstance(preset, Weights) else presets.preset(preset)
    if goal is None:
        return weights
    parameters = {**weights.search.parameters, **goal_parameters(goal)}
    return replace(weights, search=Search(weights.search.name, parameters))
