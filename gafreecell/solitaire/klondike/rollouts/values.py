"""The features of the two value functions of Bjarnason, Tadepalli and Fern (2007), table 1."""

from __future__ import annotations

import numpy as np

from gafreecell.solitaire.klondike.rollouts.kernels.values import Values
from gafreecell.solving.features import Feature

_MEANINGS = (
    ("Foundation", "cards on the foundations"),
    ("FoundationRank", "their rank values, 0 for an ace to 12 for a king"),
    ("FaceDown", "cards face down in the piles"),
    ("FaceDownRank", "their rank values"),
    ("TalonInReach", "talon cards that draws and redeals alone bring up"),
    ("PairFaceDown", "pairs of one rank and colour with both cards face down"),
    ("BlocksSuit", "times a card blocks a lower one of its suit"),
    ("BlocksBuild", "times a card blocks one of the two it could be built on"),
)
_PUBLISHED = ((5, -1, -13, 1, 0, -5, -5, -10), (5, 0, -13, 1, 1, -1, -1, -5))
HEURISTICS = len(_PUBLISHED)
VALUES = tuple(
    Feature(f"H{h}{name}", f"in H{h}: {meaning}", -20.0, 20.0, float(weight))
    for h, weights in enumerate(_PUBLISHED, start=1)
    for (name, meaning), weight in zip(_MEANINGS, weights, strict=True)
)
"""Eight features for each of H1 and H2; their baselines are the published weights."""
NAMES = tuple(feature.name for feature in VALUES)
PUBLISHED = np.array([feature.baseline for feature in VALUES])
"""The published weights, in the order of ``VALUES``."""

UNIT = 1 << 20
"""The integer that stands for a weight of 1."""


def set_weights(values: Values, weights: np.ndarray) -> None:
    """Set the weights of the heuristics (float64[h * 8])."""
    values.weight[:] = np.rint(weights * UNIT)
