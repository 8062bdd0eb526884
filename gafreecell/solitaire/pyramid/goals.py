"""The goals of a search: to clear the pyramid, or one of the two challenges."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from deals.cards import RANKS
from deals.checks import shown
from gafreecell.solving.parameters import Parameter, ParameterError, Value

CLEAR, SCORE, OF_RANK = range(3)

MOST_POINTS = 28 * 5 + 1150
"""All cards removed, all rows cleared."""
PARAMETERS = (
    Parameter(
        "goal",
        "clear",
        "clear the pyramid, score the most points, or remove the most cards of a rank",
        choices=("clear", "score", "cards"),
    ),
    Parameter("rank", "Q", "rank of the cards to remove, for goal cards", choices=tuple(RANKS)),
    Parameter("least", 0, "points or cards that suffice; 0 for the most", 0, MOST_POINTS),
    Parameter(
        "clearing", "no", "whether to clear the pyramid too, for goal cards", choices=("yes", "no")
    ),
)
_GOAL = re.compile(r"(clear)|(score)(?::(\d+))?|(cards):(10|\w)(?::(\d+))?", re.IGNORECASE)


class Goal(NamedTuple):
    """A goal as kernels see it.

    A game gains units: 5 points each for ``SCORE``, one card each for ``OF_RANK``.

    Attributes:
        kind: ``CLEAR``, ``SCORE`` or ``OF_RANK``.
        least: units that suffice; 0 for the most.
        rank: of the cards that ``OF_RANK`` removes, 1 to 13.
        clearing: whether the pyramid must be cleared.
        top: the most units that count: ``least`` if that is not 0.
        pass_kings: whether an uncovered king may be left where it is.
    """

    kind: int
    least: int
    rank: int
    clearing: bool
    top: int
    pass_kings: bool


def goal_parameters(text: str) -> dict[str, Value]:
    """The search parameters of a goal as people write it.

    Args:
        text: ``clear``; ``score`` (the most points) or ``score:N`` (at least N);
            ``cards:Q`` (as many queens as possible) or ``cards:Q:N``.

    Raises:
        ParameterError: if it is none of these.
    """
    match = _GOAL.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        raise ParameterError(
            f"{shown(text, 40)} is not a goal: expected clear, score, score:N, cards:Q or "
            "cards:Q:N, with a rank in place of Q"
        )
    clear, _, points, _, rank, count = match.groups()
    if clear:
        return {"goal": "clear"}
    least = points or count
    if least is not None and int(least) == 0:
        raise ParameterError(f"{shown(text, 40)}: expected a positive number")
    most, what = (4, "cards") if rank else (MOST_POINTS, "points")
    if least is not None and int(least) > most:
        raise ParameterError(f"{shown(text, 40)}: there are at most {most:,} {what}")
    found: dict[str, Value] = {"goal": "cards" if rank else "score", "least": int(least or 0)}
    if rank:
        found["rank"] = "T" if rank == "10" else rank.upper()
    check_goal({parameter.name: parameter.default for parameter in PARAMETERS} | found)
    return found


def check_goal(values: Mapping[str, Value]) -> None:
    """Refuse goals that no game can reach.

    Raises:
        ParameterError: if the rank is unknown, or no game has that many points or cards.
    """
    for parameter in PARAMETERS:
        parameter.read(values[parameter.name])
    if values["goal"] == "cards" and int(values["least"]) > 4:
        raise ParameterError(f"least must be 1 to 4 cards, got {values['least']}")


def read_goal(values: Mapping[str, Value]) -> Goal:
    """The goal that a search's parameters describe."""
    kind = ("clear", "score", "cards").index(str(values["goal"]))
    least = int(values["least"]) if kind != CLEAR else 0
    clearing = kind == CLEAR or (kind == OF_RANK and values["clearing"] == "yes")
    if kind == SCORE:
        least = -(-least // 5)
    top = least or {CLEAR: 0, SCORE: MOST_POINTS // 5, OF_RANK: 4}[kind]
    # The most points require the removal of every king that can be removed.
    passing = not clearing and not (kind == SCORE and least == 0)
    rank = RANKS.index(str(values["rank"])) + 1
    return Goal(kind, least, rank, clearing, top, passing)
