"""Figures of runs and of solvers.

Each figure is a function ``plot_...`` that draws on given axes, or on new ones, and returns them.
Its twin ``..._data`` computes what is drawn and does not need matplotlib, which is imported only
to draw or save. ``save`` writes the file.

A figure of runs takes a list of runs (``LoggedRun``) and returns its axes. If it can draw only
one run, it refuses more with a ``FigureError``. A package adds a figure by registering it under
the entry point group ``gafreecell.figures``, like the built-in ones; ``gafreecell plot --kind
NAME`` then draws it. ``plot_cactus`` and ``plot_phases`` draw solvers, and ``plot_ranks`` a
comparison, not runs, and are not registered. ``plot_progress``, the first figure to look at,
solves deals to draw its runs; ``progress_data`` only solves them, and ``draw_progress`` draws what
it returns. So do ``importance_data`` and ``draw_importance`` for ``plot_importance``, and
likewise for ``plot_interactions`` and ``plot_front``. ``plot_deals`` draws means over the runs of
a job, ``draw_deals`` over any groups of runs.
"""

from gafreecell.figures.cactus import CactusCurve, CactusData, cactus_data, plot_cactus
from gafreecell.figures.courses import Course, Level, ProgressData, Score, progress_data
from gafreecell.figures.deals import (
    DealsData,
    Trend,
    deals_data,
    draw_deals,
    plot_deals,
)
from gafreecell.figures.fitness import Curves, FitnessData, fitness_data, plot_fitness
from gafreecell.figures.front import Front, FrontData, draw_front, front_data, plot_front
from gafreecell.figures.importance import (
    Change,
    Importance,
    ImportanceData,
    draw_importance,
    importance_data,
    plot_importance,
)
from gafreecell.figures.interactions import (
    Effect,
    InteractionsData,
    draw_interactions,
    interactions_data,
    plot_interactions,
)
from gafreecell.figures.lineage import Lineage, lineage_data, plot_lineage
from gafreecell.figures.phases import PhasesData, phases_data, plot_phases
from gafreecell.figures.progress import draw_progress, plot_progress
from gafreecell.figures.ranks import plot_ranks
from gafreecell.figures.style import (
    FORMATS,
    FigureError,
    LoggedRun,
    RunFigure,
    caption,
    check_format,
    save,
)
from gafreecell.figures.validation import ValidationData, plot_validation, validation_data
from gafreecell.figures.weights import WeightsData, plot_weights, weights_data

__all__ = [
    "FORMATS",
    "CactusCurve",
    "CactusData",
    "Change",
    "Course",
    "Curves",
    "DealsData",
    "Effect",
    "FigureError",
    "FitnessData",
    "Front",
    "FrontData",
    "Importance",
    "ImportanceData",
    "InteractionsData",
    "Level",
    "Lineage",
    "LoggedRun",
    "PhasesData",
    "ProgressData",
    "RunFigure",
    "Score",
    "Trend",
    "ValidationData",
    "WeightsData",
    "cactus_data",
    "caption",
    "check_format",
    "deals_data",
    "draw_deals",
    "draw_front",
    "draw_importance",
    "draw_interactions",
    "draw_progress",
    "fitness_data",
    "front_data",
    "importance_data",
    "interactions_data",
    "lineage_data",
    "phases_data",
    "plot_cactus",
    "plot_deals",
    "plot_fitness",
    "plot_front",
    "plot_importance",
    "plot_interactions",
    "plot_lineage",
    "plot_phases",
    "plot_progress",
    "plot_ranks",
    "plot_validation",
    "plot_weights",
    "progress_data",
    "save",
    "validation_data",
    "weights_data",
]
