"""Klondike with hidden cards: a table that knows the deal, and players that see the open cards."""

from gafreecell.solitaire.klondike.hidden.policies import POLICIES, advise, play

__all__ = ["POLICIES", "advise", "play"]
