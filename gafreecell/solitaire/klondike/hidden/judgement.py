"""The judgement of moves as features, and how its weights become the player's numbers.

``klondike.hidden.kernels.judgement`` computes the terms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Evaluator

UNIT = 0.1
"""What a weight of 1 is worth, as a share of the determinizations that the solver wins."""
MOST_TRUST = 40.0
"""The determinizations that the judgement counts as at most, besides the first one."""
_MEANINGS = (
    ("Turns", "the move turns a card up"),
    ("TurnsDeep", "face-down cards beneath it in its pile, / 6"),
    ("TurnsEarly", "it turns a card up: face-down cards in all piles, / 21"),
    ("TurnsMost", "it turns a card up in the pile with the most face-down cards"),
    ("TurnsFewest", "it turns a card up in the pile with the fewest face-down cards"),
    ("Empties", "it takes the bottom card of a pile"),
    ("HomeFromPile", "it sends a card of a pile home"),
    ("HomeFromTalon", "it sends a card of the talon home"),
    ("HomeAhead", "ranks that a card sent home is above the lowest foundation, / 13"),
    ("Talon", "it lays a card of the talon on a pile"),
    ("TalonRank", "rank of a card of the talon laid on a pile, / 13"),
    ("TalonPlace", "place of the card that leaves the talon, / 24"),
    ("TalonLeft", "cards left in the talon that a card leaves, / 24"),
    ("Swap", "it sends a card home that its twin has to uncover"),
    ("Back", "cards that come back from their foundations for it"),
    ("PileRank", "rank of the card that moves from pile to pile, / 13"),
    ("King", "it lays a king on an empty pile"),
    ("Draw", "it draws from an unseen stock"),
    ("HiddenFits", "share of the hidden cards that find a place after it, minus that before"),
    ("TalonReach", "cards of the talon that can be played after it, minus those before, / 24"),
    ("TalonFits", "those of them that find a place, minus those before, / 24"),
    ("PilesFit", "other piles whose lowest face-up card finds a place, minus those before, / 7"),
    ("EmptyPiles", "empty piles after it, minus those before"),
    ("TwinHidden", "the other card of its card's rank and colour is hidden"),
)
TERMS = tuple(Feature(f"Judge{name}", meaning, -1.0, 1.0) for name, meaning in _MEANINGS)
_TRUST = "determinizations that the judgement counts as at the root, beyond one, / 40"
_EXPLORATION = "the constant of the confidence bounds"
SETTINGS = (
    Feature("JudgeTrust", _TRUST, 0.0, 1.0),
    Feature("JudgeTrustBelow", "the same below the root", 0.0, 1.0),
    Feature("JudgeExploration", _EXPLORATION, 0.0, 1.0, baseline=0.25),
)
FEATURES = (*SETTINGS, *TERMS)
"""What a judgement is made of. With their baselines, the player judges nothing beforehand."""


class Judgement(NamedTuple):
    """A judgement as the player takes it.

    Attributes:
        trust: float64[2], the determinizations that it counts as, at the root and below.
        exploration: the constant of the confidence bounds.
        weights: float64[24], of the terms.
    """

    trust: np.ndarray
    exploration: float
    weights: np.ndarray


def judgement_of(evaluator: Evaluator) -> Judgement:
    """The judgement that weights make; features that they lack have their baselines."""
    given = dict(zip(evaluator.features, evaluator.weights, strict=True))
    values = [float(given.get(feature.name, feature.baseline)) for feature in FEATURES]
    root, below, exploration, *terms = values
    trust = np.array([1 + MOST_TRUST * root, 1 + MOST_TRUST * below])
    return Judgement(trust, exploration, UNIT * np.array(terms))


NONE = Judgement(np.ones(2), 0.25, np.zeros(len(TERMS)))
"""No judgement: each move begins with a determinization that has the value of its state."""
