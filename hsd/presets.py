"""The FreeCell presets: weights files that come with the package."""

from __future__ import annotations

from gafreecell.solving.weights import Presets, Weights

DEFAULT = "fast"
MEANINGS = {
    "fast": "for most purposes",
    "fastest": "the quickest, with longer solutions",
    "best-first": "a simpler relative of fast",
    "balanced": "shorter solutions at little cost",
    "short": "short solutions",
    "shortest": "solutions about one move longer than the shortest",
    "optimal": "a shortest solution, with its proof; takes seconds",
    "fewest-moves": "the fewest moves as people count them: a run in one, home moves free",
    "depth-first": "for what takes fast too much memory; proofs, and long solutions",
    "optimal-moves": "the same, with its proof; takes seconds or minutes",
    "hsd-evolved": "an experiment: weights evolved for a paper's heuristics",
    "ga-freecell-2011": "an experiment: a vector that a paper of 2011 prints",
    "hsdh-same-search": "an experiment: a paper's baseline in the search of hsd-evolved",
    "well-placed": "an experiment: one feature alone in the search of hsd-evolved",
    "heineman-2009": "an experiment: a paper's baseline with one more term",
    "hsdh": "an experiment: the baseline of a paper of 2011",
}
NAMES = tuple(MEANINGS)
PRESETS = Presets("FreeCell", "hsd", NAMES, DEFAULT, MEANINGS)


def preset(name: str) -> Weights:
    """A preset by name.

    Raises:
        WeightsError: naming the presets if there is none of this name.
    """
    return PRESETS.read(name)
