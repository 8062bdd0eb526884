"""The generator that breeding draws from, also in DEAP's operators.

DEAP's modules draw from Python's global generator, which all threads of a process share: those of a
dask cluster, say, or of a notebook. While a generation is bred, these modules draw from
``GENERATOR`` instead (``operators.global_random``), as our own code does.
"""

from __future__ import annotations

import random

from deap import gp
from deap.tools import crossover, emo, mutation, selection

GENERATOR = random.Random()
"""Seeded by the run for each generation; who else breeds with DEAP meanwhile draws from it, too."""
DRAWING: tuple[object, ...] = (crossover, emo, gp, mutation, selection)
"""The modules of DEAP that draw random numbers."""
