"""Pyramid: an optimal search, both challenges, presets, and an independent verifier."""

from gafreecell.solitaire.pyramid.game import GAME, Pyramid
from gafreecell.solitaire.pyramid.presets import preset
from gafreecell.solitaire.pyramid.solver import solve, solve_many
from gafreecell.solitaire.pyramid.verifier import Verdict, verify

__all__ = ["GAME", "Pyramid", "Verdict", "preset", "solve", "solve_many", "verify"]
