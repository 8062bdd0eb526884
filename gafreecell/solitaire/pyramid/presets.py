"""The Pyramid presets: weights files without weights that come with the package."""

from __future__ import annotations

from gafreecell.solving.weights import Presets, Weights

DEFAULT = "optimal"
MEANINGS = {"optimal": "a shortest solution, or a proof that there is none"}
NAMES = tuple(MEANINGS)
PRESETS = Presets("Pyramid", "gafreecell.solitaire.pyramid", NAMES, DEFAULT, MEANINGS)


def preset(name: str) -> Weights:
    """A preset by name.

    Raises:
        WeightsError: naming the presets if there is none of this name.
    """
    return PRESETS.read(name)
