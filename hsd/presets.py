"""The FreeCell presets: weights files that come with the package."""

from __future__ import annotations

from solving.presets import Presets
from solving.weights import Weights

DEFAULT = "fast"
NAMES = (
    "fast",
    "fastest",
    "best-first",
    "balanced",
    "short",
    "shortest",
    "optimal",
    "hsd-evolved",
    "ga-freecell-2011",
    "hsdh-same-search",
    "heineman-2009",
    "hsdh",
)
PRESETS = Presets("FreeCell", "hsd", NAMES, DEFAULT)


def preset(name: str) -> Weights:
    """A preset by name.

    Raises:
        WeightsError: naming the presets if there is none of this name.
    """
    return PRESETS.read(name)
