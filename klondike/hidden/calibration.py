"""What a stated chance is worth: the share of games that are won from positions with that chance.

At the leaves of its tree ``best`` knows all cards, so it wins too many samples. By how much depends
on the cards that are face down, as each of them is a gamble to come. A logistic regression on games
(``benchmarks/calibration.py``) corrects the chances (Platt 1999).
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

import numpy as np

from klondike.cards import PILES
from klondike.hidden.view import UNSEEN, View
from klondike.packed import CARDS_AT, DRAW_AT, REDEALS_AT, TALON_AT, UNLIMITED
from solving.playing import Alternative

MOST_HIDDEN = 21
"""The cards that are face down at the deal."""


class Calibration(NamedTuple):
    """The coefficients of a correction, on the scale of log odds.

    Attributes:
        constant: what is added to the log odds of the stated chance.
        slope: what they are multiplied by before.
        hidden, both: what is added to ``constant`` and to ``slope`` if all 21 cards are face down;
            in proportion if fewer are.
    """

    constant: float
    slope: float
    hidden: float
    both: float

    def corrected(self, chance: float, hidden: int) -> float:
        """The chance that a stated one is worth.

        Args:
            chance: 0 to 1; 0 and 1 stay as they are.
            hidden: how many cards are face down.
        """
        if not 0 < chance < 1:
            return chance
        odds, share = log(chance / (1 - chance)), hidden / MOST_HIDDEN
        odds = self.constant + self.hidden * share + (self.slope + self.both * share) * odds
        return 1 / (1 + exp(-odds))

    def of(self, stated: Alternative, hidden: int) -> Alternative:
        """An alternative with its chance and the ends of its interval corrected.

        A chance does not get nearer to 0 or 1 than its samples can tell.
        """
        chance, low, high = (
            self.corrected(one, hidden) for one in (stated.chance, stated.low, stated.high)
        )
        least = 1 / (stated.samples + 2)
        chance = min(max(chance, least), 1 - least)
        return Alternative(
            stated.moves, chance, min(low, chance), max(high, chance), stated.samples
        )


_BY_DRAW = {
    3: Calibration(constant=0.288, slope=1.506, hidden=-1.347, both=-0.653),
    1: Calibration(constant=0.479, slope=0.975, hidden=-1.417, both=-0.065),
}


def calibration_for(view: View) -> Calibration | None:
    """The correction for a view; None if it was not measured under such rules.

    It was measured with unlimited redeals and all cards of the talon known.
    """
    packed = view.packed
    talon = CARDS_AT + packed[:PILES].sum() + np.arange(packed[TALON_AT])
    if packed[REDEALS_AT] != UNLIMITED or UNSEEN in packed[talon]:
        return None
    return _BY_DRAW.get(int(packed[DRAW_AT]))
