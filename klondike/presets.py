"""The Klondike presets: weights files that come with the package."""

from __future__ import annotations

from solving.presets import Presets
from solving.weights import Weights

DEFAULT = "complete"
NAMES = (
    "complete",
    "vegas-1",
    "vegas-3",
    "rollouts-2007",
    "rollouts-evolved",
    *(f"man-machine-2005-n{n}" for n in range(6)),
)
PRESETS = Presets("Klondike", "klondike", NAMES, DEFAULT)


def preset(name: str) -> Weights:
    """A preset by name.

    Raises:
        WeightsError: if there is no preset of this name; the message lists the presets.
    """
    return PRESETS.read(name)
