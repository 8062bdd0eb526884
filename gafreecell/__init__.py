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

from gafreecell.solving.neighbours import check_neighbours

if TYPE_CHECKING:
    from deals.errors import BadInput as BadInput
    from gafreecell import figures as figures
    from gafreecell import testing as testing
    from gafreecell.comparing.jobs import compare as compare
    from gafreecell.comparing.run_comparison import RunComparison as RunComparison
    from gafreecell.comparing.solver_comparison import SolverComparison as SolverComparison
    from gafreecell.comparing.solvers import evaluate as evaluate
    from gafreecell.evolution.generation import Encounter as Encounter
    from gafreecell.evolution.generation import Learnt as Learnt
    from gafreecell.evolution.generation import Moment as Moment
    from gafreecell.evolution.generation import Purpose as Purpose
    from gafreecell.evolution.generation import Result as Result
    from gafreecell.evolution.job import Job as Job
    from gafreecell.evolution.job_reading import read_job as read_job
    from gafreecell.evolution.measures import Measure as Measure
    from gafreecell.evolution.schemes import Scheme as Scheme
    from gafreecell.evolution.trainers import Trainer as Trainer
    from gafreecell.runs import callbacks as callbacks
    from gafreecell.runs.record import Run as Run
    from gafreecell.runs.run import evolve as evolve
    from gafreecell.runs.run import load as load
    from gafreecell.runs.run import resume as resume
    from gafreecell.service.interface import Verdict as Verdict
    from gafreecell.service.interface import deal as deal
    from gafreecell.service.interface import presets as presets
    from gafreecell.service.interface import read_boards as read_boards
    from gafreecell.service.interface import solve as solve
    from gafreecell.service.interface import solve_many as solve_many
    from gafreecell.service.interface import verify as verify
    from gafreecell.solitaire import abilities as abilities
    from gafreecell.solitaire.game import Game as Game
    from gafreecell.solitaire.game import games as games
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
    from gafreecell.workers.evaluation import Workers as Workers

    __version__: str

check_neighbours()

_PLACES = {
    "BadInput": "deals.errors",
    "BaseGame": "gafreecell.solving.games",
    "Drawing": "gafreecell.solving.drawing",
    "Encounter": "gafreecell.evolution.generation",
    "Evaluator": "gafreecell.solving.outcome",
    "Feature": "gafreecell.solving.features",
    "Game": "gafreecell.solitaire.game",
    "Job": "gafreecell.evolution.job",
    "Learnt": "gafreecell.evolution.generation",
    "Limits": "gafreecell.solving.outcome",
    "Measure": "gafreecell.evolution.measures",
    "Moment": "gafreecell.evolution.generation",
    "Nodes": "gafreecell.solving.outcome",
    "Outcome": "gafreecell.solving.outcome",
    "Parameter": "gafreecell.solving.parameters",
    "Part": "gafreecell.solving.loading",
    "Pile": "gafreecell.solving.drawing",
    "Purpose": "gafreecell.evolution.generation",
    "Rating": "gafreecell.solving.rating",
    "Result": "gafreecell.evolution.generation",
    "Run": "gafreecell.runs.record",
    "RunComparison": "gafreecell.comparing.run_comparison",
    "Scales": "gafreecell.solving.features",
    "Scheme": "gafreecell.evolution.schemes",
    "Search": "gafreecell.solving.outcome",
    "Shown": "gafreecell.solving.drawing",
    "SolverComparison": "gafreecell.comparing.solver_comparison",
    "Status": "gafreecell.solving.outcome",
    "Task": "gafreecell.solving.outcome",
    "Trainer": "gafreecell.evolution.trainers",
    "Verdict": "gafreecell.service.interface",
    "Weights": "gafreecell.solving.weights",
    "Workers": "gafreecell.workers.evaluation",
    "compare": "gafreecell.comparing.jobs",
    "deal": "gafreecell.service.interface",
    "evaluate": "gafreecell.comparing.solvers",
    "evolve": "gafreecell.runs.run",
    "games": "gafreecell.solitaire.game",
    "load": "gafreecell.runs.run",
    "presets": "gafreecell.service.interface",
    "read_boards": "gafreecell.service.interface",
    "read_job": "gafreecell.evolution.job_reading",
    "read_weights": "gafreecell.solving.weights",
    "resume": "gafreecell.runs.run",
    "solve": "gafreecell.service.interface",
    "solve_many": "gafreecell.service.interface",
    "verify": "gafreecell.service.interface",
}
_ROOMS = {
    "abilities": "gafreecell.solitaire.abilities",
    "callbacks": "gafreecell.runs.callbacks",
    "figures": "gafreecell.figures",
    "testing": "gafreecell.testing",
}
__all__ = [*_PLACES, *_ROOMS]


def __getattr__(name: str) -> Any:
    # Loaded on first use: the command line's help must not wait for numba and matplotlib.
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name == "__version__":
        return import_module("gafreecell.installed").VERSION
    if name in _ROOMS:
        return import_module(_ROOMS[name])
    raise AttributeError(f"module 'gafreecell' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
