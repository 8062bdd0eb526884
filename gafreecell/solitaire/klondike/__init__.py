"""Klondike: searches with all cards known, players with hidden cards, presets and a verifier."""

from gafreecell.solitaire.klondike.game import GAME, Klondike
from gafreecell.solitaire.klondike.presets import preset
from gafreecell.solitaire.klondike.solver import solve, solve_many
from gafreecell.solitaire.klondike.verifier import Verdict, verify

__all__ = ["GAME", "Klondike", "Verdict", "preset", "solve", "solve_many", "verify"]
