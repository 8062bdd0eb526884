"""Pyramid: an optimal search, both challenges, presets, and an independent verifier."""

from pyramid_solitaire.game import GAME, Pyramid
from pyramid_solitaire.presets import preset
from pyramid_solitaire.solver import solve, solve_many
from pyramid_solitaire.verifier import Verdict, verify

__all__ = ["GAME", "Pyramid", "Verdict", "preset", "solve", "solve_many", "verify"]
