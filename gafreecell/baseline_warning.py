"""Warns of a baseline that solves few deals: fitness measured against it says little."""

from __future__ import annotations

from collections.abc import Sequence

from deals.words import plural
from gafreecell.generation import RunWarning, Setting, warn
from solving.outcome import Outcome, Status


class BaselineWarning(RunWarning):
    """The baseline solves so few deals that fitness hardly tells solvers or problems apart."""


class Judge:
    """Warns once, if the baseline solves less than half of a generation's deals.

    Args:
        setting: the run's.
        effect: what happens to fitness on deals that the baseline fails on, in words.
        instead: an alternative to another baseline, in words, if there is any.
    """

    def __init__(self, setting: Setting, effect: str, instead: str = "") -> None:
        self._setting = setting
        self._effect = effect
        self._instead = instead
        self._warned = False

    def look_at(self, outcomes: Sequence[Outcome]) -> None:
        """Look at the baseline's outcomes on all deals of a generation."""
        solved = sum(outcome.status is Status.SOLVED for outcome in outcomes)
        if self._warned or 2 * solved >= len(outcomes):
            return
        self._warned = True
        job = self._setting.job
        if job.fitness.baseline:
            what = f"the preset {job.fitness.baseline}"
        elif job.fitness.weights:
            what = "the weights of fitness.weights"
        elif any(feature.baseline for feature in self._setting.game.features):
            what = "the baseline weights of the features"
        else:
            what = "weights that are all 0, as no feature has a baseline weight"
        place = ", in place of fitness.weights," if job.fitness.weights else ""
        warn(
            f"the baseline ({what}) solves only {solved} of the {plural(len(outcomes), 'deal')} "
            f"of a generation; where it fails, {self._effect}: set fitness.baseline{place} to a "
            f"preset that solves most deals{self._instead}",
            BaselineWarning,
        )
