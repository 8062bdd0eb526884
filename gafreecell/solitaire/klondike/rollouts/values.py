"""The features of the value functions of Bjarnason, Tadepalli and Fern (2007), table 1.

The paper has two of them, H1 and H2, for two stages. Further stages may have their own, H3 to H8.
"""

from __future__ import annotations

import numpy as np

from gafreecell.solitaire.klondike.rollouts.kernels.values import KINDS, Values
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
HEURISTICS = 8
"""As many as there can be stages."""
VALUES = tuple(
    Feature(f"H{h}{name}", f"in H{h}: {meaning}", -20.0, 20.0, float(weight))
    for h, weights in enumerate(
        _PUBLISHED + ((0,) * KINDS,) * (HEURISTICS - len(_PUBLISHED)), start=1
    )
    for (name, meaning), weight in zip(_MEANINGS, weights, strict=True)
)
"""Eight features for each heuristic; the baselines of H1 and H2 are the published weights."""
NAMES = tuple(feature.name for feature in VALUES)
USUAL_NAMES = NAMES[: len(_PUBLISHED) * KINDS]
"""The features of H1 and H2."""
PUBLISHED = np.array([feature.baseline for feature in VALUES])
"""The published weights, in the order of ``VALUES``; those of H3 to H8 are 0."""

UNIT = 1 << 20
"""The integer that stands for a weight of 1."""


def set_weights(values: Values, weights: np.ndarray) -> None:
    """Set the weights of the heuristics (float64[h * 8])."""
    values.weight[:] = np.rint(weights * UNIT)


def weights_of_stages(weights: np.ndarray, stages: int) -> np.ndarray:
    """The weights (float64[stages * 8]) of the heuristic of each stage.

    A single stage has H2, the paper's heuristic for one. A third or later stage whose heuristic has
    no weights has that of the stage before it.

    Args:
        weights: float64[64 or more], in the order of ``VALUES``.
        stages: 1 to 8.
    """
    if stages == 1:
        return weights[KINDS : 2 * KINDS]
    rows = weights[: stages * KINDS].reshape(stages, KINDS).copy()
    for stage in range(2, stages):
        if not rows[stage].any():
            rows[stage] = rows[stage - 1]
    return rows.ravel()
