"""Cards, deal numbers, layouts and texts of FreeCell, Klondike and Pyramid. Knows no solver."""

from __future__ import annotations

from deals.offered import offered

# Loaded on first use: the command line's help does without the readers of boards.
__all__, __getattr__ = offered(__name__)


def __dir__() -> list[str]:
    return sorted(__all__)
