"""Why deals cannot be won, for people to check."""

from klondike.proof.lost import why_lost

__all__ = ["why_lost"]
