"""Klondike: searches with all cards known, players with hidden cards, presets and a verifier."""

from klondike.game import GAME, Klondike
from klondike.presets import preset
from klondike.solver import solve, solve_many
from klondike.verifier import Verdict, verify

__all__ = ["GAME", "Klondike", "Verdict", "preset", "solve", "solve_many", "verify"]
