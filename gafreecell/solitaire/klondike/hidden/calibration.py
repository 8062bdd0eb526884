"""What a stated chance is worth: the share of games that are won from positions with that chance.

At the leaves of its tree ``best`` knows all cards, so it wins too many samples. By how much depends
on the cards that are face down, as each of them is a gamble to come. A logistic regression on games
(``benchmarks/calibration.py``) corrects the chances (Platt 1999).
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

from gafreecell.solitaire.klondike.hidden.view import UNSEEN, View
from gafreecell.solitaire.klondike.packed import DRAW_AT, REDEALS_AT, UNLIMITED
from gafreecell.solving.playing import Alternative

PLAYER = "the player best with 300 samples"
"""Whose chances the corrected ones are: the player of the games that were fitted."""
MOST_HIDDEN = 21
"""The cards that are face down at the deal."""


class Calibration(NamedTuple):
    """The coefficients of a correction, on the scale of log odds.

    With a share h of the cards face down, log odds x become
    x + h (a + b h + c h²) + h (d + e h + f h²) x. So nothing is corrected once all cards are known.

    Attributes:
        a, b, c, d, e, f: the coefficients.
    """

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def corrected(self, chance: float, hidden: int) -> float:
        """The chance that a stated one is worth.

        Args:
            chance: 0 to 1; 0 and 1 stay as they are.
            hidden: how many cards are face down.
        """
        if not 0 < chance < 1:
            return chance
        odds, share = log(chance / (1 - chance)), hidden / MOST_HIDDEN
        moved = self.a + share * (self.b + share * self.c)
        scaled = self.d + share * (self.e + share * self.f)
        return 1 / (1 + exp(-odds - share * (moved + scaled * odds)))

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


BY_DRAW = {
    3: Calibration(a=2.128, b=-5.616, c=3.367, d=1.886, e=-5.391, f=3.397),
    1: Calibration(a=2.499, b=-6.715, c=4.073, d=0.898, e=-2.151, f=1.006),
}


def calibration_for(view: View) -> Calibration | None:
    """The correction for a view; None if it was not measured under such rules.

    It was measured with unlimited redeals and all cards of the talon known.
    """
    if view.packed[REDEALS_AT] != UNLIMITED or UNSEEN in view.talon:
        return None
    return BY_DRAW.get(int(view.packed[DRAW_AT]))
