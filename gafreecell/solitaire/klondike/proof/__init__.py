"""Explains why deals cannot be won, so that people can check it."""

from gafreecell.solitaire.klondike.proof.lost import why_lost

__all__ = ["why_lost"]
