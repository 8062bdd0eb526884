"""How hard a deal is: its grade, and the scale that turns scores into grades.

A game gives each deal a *score*, which is larger for harder deals. The scale has nine scores that
divide a sample of winnable deals into tenths, so about one winnable deal in ten has each grade.
``make rating`` writes it to a file in the game's package, most often ``rating.json``.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from deals.errors import BadInput
from gafreecell.solving.formats import Format
from gafreecell.solving.outcome import Status

GRADES = 10
FORMAT = Format("gafreecell-rating", "a scale of grades", version=1)
_WORDS = ("very easy", "easy", "medium", "hard", "very hard")


class RatingError(BadInput):
    """A deal or a game without a grade, or a scale that cannot be read."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How hard a deal is.

    Attributes:
        status: whether it can be won.
        grade: 1 (easiest) to 10; None unless it can be won.
        measures: the numbers that the grade was computed from, by name; None for one without a
            value. The names are the same for every deal of a game.
        seconds: processor time.
    """

    status: Status
    grade: int | None
    measures: Mapping[str, float | None]
    seconds: float


@dataclass(frozen=True)
class Scale:
    """The scale of grades.

    Attributes:
        thresholds: nine ascending scores. The grade of a score is 1 plus the number of thresholds
            that it reaches.
        provenance: how the thresholds were made: the deals of the sample and so on.

    Raises:
        RatingError: unless there are nine ascending thresholds.
    """

    thresholds: tuple[float, ...]
    provenance: Mapping[str, Any]

    def __post_init__(self) -> None:
        if len(self.thresholds) != GRADES - 1 or sorted(self.thresholds) != [*self.thresholds]:
            raise RatingError(
                f"a scale has {GRADES - 1} ascending thresholds, got {self.thresholds}"
            )

    @classmethod
    def of(cls, scores: Sequence[float], provenance: Mapping[str, Any]) -> Scale:
        """The scale that divides scores into tenths."""
        tenths = np.quantile(scores, np.arange(1, GRADES) / GRADES)
        return cls(tuple(tenths.tolist()), provenance)

    def grade(self, score: float) -> int:
        """The grade of a score, 1 to 10."""
        return 1 + bisect_right(self.thresholds, score)

    def to_text(self) -> str:
        """The text of the scale's file."""
        document = {
            "format": FORMAT.head,
            "thresholds": list(self.thresholds),
            "provenance": dict(self.provenance),
        }
        return json.dumps(document, indent=2) + "\n"


def parse_scale(text: str) -> Scale:
    """The scale in a file's text; ``RatingError`` if it is a file of another kind."""
    document = FORMAT.read(json.loads(text), RatingError)
    return Scale(tuple(document["thresholds"]), document["provenance"])


@cache
def read_scale(package: str, name: str = "rating.json") -> Scale:
    """The scale of a game.

    Args:
        package: the game's package.
        name: the file's name.
    """
    return parse_scale(resources.files(package).joinpath(name).read_text("utf-8"))


def word(grade: int) -> str:
    """The word for a grade; two grades share one."""
    return _WORDS[(grade - 1) // 2]
