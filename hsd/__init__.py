"""FreeCell: a jitted engine, heuristics, searches, presets, and an independent verifier."""

# First, as it names other projects' packages that stand in for ours.
import gafreecell as gafreecell
from hsd.game import GAME, FreeCell
from hsd.presets import preset
from hsd.solver import run, solve, solve_many
from hsd.verifier import Verdict, verify

__all__ = ["GAME", "FreeCell", "Verdict", "preset", "run", "solve", "solve_many", "verify"]
