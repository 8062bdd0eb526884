"""The Klondike presets: weights files that come with the package."""

from __future__ import annotations

from gafreecell.solving.weights import Presets, Weights

DEFAULT = "complete"
MEANINGS = {
    "complete": "finds a solution, or proves that there is none",
    "vegas-1": "the same search, with moves ordered for Vegas rules and draws of one card",
    "vegas-3": "the same search, with moves ordered for Vegas rules and draws of three cards",
    "rollouts-2007": "an experiment: the nested rollouts of a paper of 2007",
    "rollouts-evolved": "an experiment: the former with evolved weights",
    **{
        f"man-machine-2005-n{n}": f"an experiment: a paper of 2005, rollouts nested {n} deep"
        for n in range(6)
    },
}
NAMES = tuple(MEANINGS)
PRESETS = Presets("Klondike", "gafreecell.solitaire.klondike", NAMES, DEFAULT, MEANINGS)


CHOICES = "klondike-choices"
"""The game of ``examples/choices``, whose weights make a judgement for the player ``best``."""


def preset(name: str) -> Weights:
    """A preset by name.

    Raises:
        WeightsError: if there is no preset of this name; the message lists the presets.
    """
    return PRESETS.read(name)
