"""Figures of runs and of solvers.

Each figure is a function that draws on given axes, or on new ones, and returns
them; its ``_data`` twin computes what is drawn and needs no matplotlib, which is
imported only when something is drawn or saved. ``save`` writes the file.
"""

# Imported here and now, not on first use: the functions are named after their
# modules, and importing a module later would put it in the function's place.
from gafreecell.figures.cactus import CactusCurve, CactusData, cactus, cactus_data
from gafreecell.figures.fitness import Curves, FitnessData, fitness, fitness_data
from gafreecell.figures.front import FrontData, front, front_data
from gafreecell.figures.style import FORMATS, FigureError, LoggedRun, check_format, save
from gafreecell.figures.weights import WeightsData, weights, weights_data

__all__ = [
    "FORMATS",
    "CactusCurve",
    "CactusData",
    "Curves",
    "FigureError",
    "FitnessData",
    "FrontData",
    "LoggedRun",
    "WeightsData",
    "cactus",
    "cactus_data",
    "check_format",
    "fitness",
    "fitness_data",
    "front",
    "front_data",
    "save",
    "weights",
    "weights_data",
]
