"""The Pyramid presets: weights files without weights that come with the package."""

from __future__ import annotations

from solving.presets import Presets
from solving.weights import Weights

DEFAULT = "optimal"
NAMES = ("optimal",)
PRESETS = Presets("Pyramid", "pyramid_solitaire", NAMES, DEFAULT)


def preset(name: str) -> Weights:
    """A preset by name.

    Raises:
        WeightsError: naming the presets if there is none of this name.
    """
    return PRESETS.read(name)
