"""Klondike: an engine, searches with all cards known, presets, and a verifier of its own."""

from klondike.game import GAME, Klondike
from klondike.presets import preset
from klondike.solver import solve, solve_many
from klondike.verifier import Verdict, verify

__all__ = ["GAME", "Klondike", "Verdict", "preset", "solve", "solve_many", "verify"]
