"""Evolving search heuristics for solitaire games.

Deals go to a solver, a solver's outcomes become a fitness, a fitness moves two
populations, a run is what they leave behind.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PLACES = {
    "BaseGame": "solving.games",
    "Feature": "solving.features",
    "Game": "gafreecell.game",
    "Job": "gafreecell.job",
    "Measure": "gafreecell.measures",
    "Run": "gafreecell.run",
    "Scheme": "gafreecell.schemes",
    "Trainer": "gafreecell.trainers",
    "Weights": "solving.weights",
    "Workers": "gafreecell.evaluation",
    "evolve": "gafreecell.run",
    "games": "gafreecell.game",
    "load": "gafreecell.run",
    "read_job": "gafreecell.job",
    "read_weights": "solving.weights",
    "resume": "gafreecell.run",
    "solve": "gafreecell.solvers",
}
_ROOMS = ("figures", "testing")
__all__ = [*_PLACES, *_ROOMS]


def __getattr__(name: str) -> Any:
    # Loaded on first use: the command line's help must not wait for numba and matplotlib.
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name in _ROOMS:
        return import_module(f"gafreecell.{name}")
    raise AttributeError(f"module 'gafreecell' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
