"""Which operators there are, and why some of DEAP's do not work on weights."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, cast

from deap import gp, tools

from deals.errors import did_you_mean
from gafreecell.installed import plugins
from gafreecell.installed.plugins import PluginError

BY_CASES = ("selLexicase", "selEpsilonLexicase", "selAutomaticEpsilonLexicase")
PROPORTIONATE = ("selRoulette", "selStochasticUniversalSampling")
"""Selections in proportion to fitness, which DEAP's documentation asks to be above 0."""
BY_CROWDING = "selTournamentDCD"
BY_COSTS = ("selRandom", BY_CROWDING)
"""Selections that can choose parents by two costs and crowding distance."""
_PREFIXES = {"crossover": "cx", "mutation": "mut", "selection": "sel"}

_MOVES = (
    "it moves genes to other places, which suits permutations; here a gene's place says which "
    "feature's weight it is"
)
_STRATEGY = "it needs the strategy of an evolution strategy; the trainer cma-es has one"
_SURVIVORS = (
    "it chooses survivors by several costs, and a solver has one fitness; the trainer nsga-ii does "
    "so with two"
)
_REFUSED = {
    **dict.fromkeys(("cxOrdered", "cxPartialyMatched", "cxUniformPartialyMatched"), _MOVES),
    **dict.fromkeys(("mutInversion", "mutShuffleIndexes"), _MOVES),
    **dict.fromkeys(("cxESBlend", "cxESTwoPoint", "cxESTwoPoints", "mutESLogNormal"), _STRATEGY),
    **dict.fromkeys(("selNSGA2", "selNSGA3", "selNSGA3WithMemory", "selSPEA2"), _SURVIVORS),
    "cxMessyOnePoint": "it changes how many genes there are, and each feature has one weight",
    "cxTwoPoints": "DEAP calls it cxTwoPoint now",
    "mutFlipBit": "it flips bits, and weights are real numbers",
    "mutUniformInt": "it draws whole numbers, and weights are real ones",
    "selDoubleTournament": "it weighs sizes against each other, and all solvers have the same",
}
"""Operators of DEAP's that make no sense on weights, and why."""


def names(kind: str) -> list[str]:
    """The names of all operators of a kind that can be used, including your own."""
    prefix = _PREFIXES[kind]
    of_deap = {
        name
        for name, found in vars(tools).items()
        if name.startswith(prefix)
        and inspect.isfunction(found)
        and name not in (*_REFUSED, BY_CROWDING)
    }
    return sorted(of_deap | {*plugins.names(kind)})


def is_known(kind: str, name: str) -> bool:
    """Whether there is an operator of this kind and name, for any trainer."""
    return hasattr(tools, name) or name in plugins.names(kind)


def find(kind: str, name: str, by_costs: bool = False) -> Callable[..., Any]:
    """The operator of this name.

    Args:
        kind: crossover, mutation or selection.
        name: the name of an operator of DEAP's, or of one that is registered or was handed in.
        by_costs: whether solvers have two costs and a crowding distance.

    Raises:
        PluginError: if there is none; the message says why, or which there are.
    """
    prefix = _PREFIXES[kind]
    of_deap: Any = getattr(tools, name, None) if name.startswith(prefix) else None
    if (kind, name) == ("selection", BY_CROWDING) and not by_costs:
        raise PluginError(f"{name} needs crowding distances, which only the trainer nsga-ii has")
    if callable(of_deap) and name not in _REFUSED:
        return cast("Callable[..., Any]", of_deap)
    if name in _REFUSED:
        raise PluginError(f"{name} does not work on weights: {_REFUSED[name]}")
    if name in plugins.names(kind):
        found: Any = plugins.find(kind, name)
        if not callable(found):
            raise PluginError(f"the {kind} {name!r} must be a function, got {found!r:.60}")
        return cast("Callable[..., Any]", found)
    if name.startswith(prefix) and hasattr(gp, name):
        raise PluginError(f"{name} does not work on weights: it is for trees (deap.gp)")
    for other in _PREFIXES:
        there_too = name in names(other) or (other, name) == ("selection", BY_CROWDING)
        if other != kind and there_too:
            raise PluginError(f"{name} is a {other}, not a {kind}")
    there = names(kind)
    raise PluginError(
        f"there is no {kind} {name!r}; there are {', '.join(there)} (one of your own is installed "
        f"with its package, or handed in as {kind}=... from Python)" + did_you_mean(name, there)
    )


def hand_in(kind: str, brought: Any) -> str:
    """Make a function known by its name in this process; returns the name.

    Raises:
        PluginError: if it is not a function, or has the name of an installed operator or of one
            of DEAP's.
    """
    name = str(getattr(brought, "__name__", ""))
    if hasattr(tools, name):
        if getattr(tools, name) is brought:
            return name
        raise PluginError(f"deap.tools has a {name} as well: take another name for the {kind}")
    if not callable(brought) or isinstance(brought, type):
        name = repr(brought)
        raise PluginError(f"{kind}= takes the name of an operator, or a function, got {name:.60}")
    return plugins.hand_in(kind, brought)
