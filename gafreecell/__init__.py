"""Evolving search heuristics for solitaire games.

A solver solves deals, and a fitness measure turns its outcomes into a fitness. Fitness drives
populations of solvers and of problems. A run folder keeps what they leave behind.

- To solve: ``solve``, ``solve_many``, ``verify``; ``deal``, ``read_boards``; ``games``,
  ``presets``, ``read_weights``.
- To evolve: ``evolve``, ``resume``, ``load``, ``read_job``; ``figures`` draws the runs,
  ``callbacks`` logs them.
- To compare: ``evaluate`` solvers on the same deals, ``compare`` jobs over the seeds of their runs.
- To bring your own game, trainer, scheme or fitness measure: ``BaseGame``, ``Feature``,
  ``Trainer``, ``Scheme``, ``Measure``, and what these take and return (``Task``, ``Outcome``,
  ``Drawing``, ``Rating``, ...). ``abilities`` says what else a game can do, and ``testing``
  checks all of it. A genetic operator of your own is a function.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deals.errors import BadInput as BadInput
    from gafreecell import abilities as abilities
    from gafreecell import callbacks as callbacks
    from gafreecell import figures as figures
    from gafreecell import testing as testing
    from gafreecell.comparing import RunComparison as RunComparison
    from gafreecell.comparing import compare as compare
    from gafreecell.evaluation import Workers as Workers
    from gafreecell.game import Game as Game
    from gafreecell.game import games as games
    from gafreecell.generation import Encounter as Encounter
    from gafreecell.generation import Learnt as Learnt
    from gafreecell.generation import Moment as Moment
    from gafreecell.generation import Purpose as Purpose
    from gafreecell.generation import Result as Result
    from gafreecell.interface import Verdict as Verdict
    from gafreecell.interface import deal as deal
    from gafreecell.interface import presets as presets
    from gafreecell.interface import read_boards as read_boards
    from gafreecell.interface import solve as solve
    from gafreecell.interface import solve_many as solve_many
    from gafreecell.interface import verify as verify
    from gafreecell.job import Job as Job
    from gafreecell.job_reading import read_job as read_job
    from gafreecell.measures import Measure as Measure
    from gafreecell.measuring import SolverComparison as SolverComparison
    from gafreecell.measuring import evaluate as evaluate
    from gafreecell.record import Run as Run
    from gafreecell.run import evolve as evolve
    from gafreecell.run import load as load
    from gafreecell.run import resume as resume
    from gafreecell.schemes import Scheme as Scheme
    from gafreecell.solving.drawing import Drawing as Drawing
    from gafreecell.solving.drawing import Pile as Pile
    from gafreecell.solving.drawing import Shown as Shown
    from gafreecell.solving.features import Feature as Feature
    from gafreecell.solving.features import Scales as Scales
    from gafreecell.solving.games import BaseGame as BaseGame
    from gafreecell.solving.loading import Part as Part
    from gafreecell.solving.outcome import Evaluator as Evaluator
    from gafreecell.solving.outcome import Limits as Limits
    from gafreecell.solving.outcome import Nodes as Nodes
    from gafreecell.solving.outcome import Outcome as Outcome
    from gafreecell.solving.outcome import Search as Search
    from gafreecell.solving.outcome import Status as Status
    from gafreecell.solving.outcome import Task as Task
    from gafreecell.solving.parameters import Parameter as Parameter
    from gafreecell.solving.rating import Rating as Rating
    from gafreecell.solving.weights import Weights as Weights
    from gafreecell.solving.weights import read_weights as read_weights
    from gafreecell.trainers import Trainer as Trainer

    __version__: str

_PLACES = {
    "BadInput": "deals.errors",
    "BaseGame": "gafreecell.solving.games",
    "Drawing": "gafreecell.solving.drawing",
    "Encounter": "gafreecell.generation",
    "Evaluator": "gafreecell.solving.outcome",
    "Feature": "gafreecell.solving.features",
    "Game": "gafreecell.game",
    "Job": "gafreecell.job",
    "Learnt": "gafreecell.generation",
    "Limits": "gafreecell.solving.outcome",
    "Measure": "gafreecell.measures",
    "Moment": "gafreecell.generation",
    "Nodes": "gafreecell.solving.outcome",
    "Outcome": "gafreecell.solving.outcome",
    "Parameter": "gafreecell.solving.parameters",
    "Part": "gafreecell.solving.loading",
    "Pile": "gafreecell.solving.drawing",
    "Purpose": "gafreecell.generation",
    "Rating": "gafreecell.solving.rating",
    "Result": "gafreecell.generation",
    "Run": "gafreecell.record",
    "RunComparison": "gafreecell.comparing",
    "Scales": "gafreecell.solving.features",
    "Scheme": "gafreecell.schemes",
    "Search": "gafreecell.solving.outcome",
    "Shown": "gafreecell.solving.drawing",
    "SolverComparison": "gafreecell.measuring",
    "Status": "gafreecell.solving.outcome",
    "Task": "gafreecell.solving.outcome",
    "Trainer": "gafreecell.trainers",
    "Verdict": "gafreecell.interface",
    "Weights": "gafreecell.solving.weights",
    "Workers": "gafreecell.evaluation",
    "compare": "gafreecell.comparing",
    "deal": "gafreecell.interface",
    "evaluate": "gafreecell.measuring",
    "evolve": "gafreecell.run",
    "games": "gafreecell.game",
    "load": "gafreecell.run",
    "presets": "gafreecell.interface",
    "read_boards": "gafreecell.interface",
    "read_job": "gafreecell.job_reading",
    "read_weights": "gafreecell.solving.weights",
    "resume": "gafreecell.run",
    "solve": "gafreecell.interface",
    "solve_many": "gafreecell.interface",
    "verify": "gafreecell.interface",
}
_ROOMS = ("abilities", "callbacks", "figures", "testing")
__all__ = [*_PLACES, *_ROOMS]


def __getattr__(name: str) -> Any:
    # Loaded on first use: the command line's help must not wait for numba and matplotlib.
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name == "__version__":
        return import_module("gafreecell.version").VERSION
    if name in _ROOMS:
        return import_module(f"gafreecell.{name}")
    raise AttributeError(f"module 'gafreecell' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
