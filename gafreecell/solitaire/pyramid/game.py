"""Pyramid as a game of the framework (see ``solitaire.game.Game``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from deals import numbers
from deals.cards import RANKS, SUITS
from deals.pyramid_deck import pyramid
from deals.pyramid_position import PyramidBoard, read_pyramid_boards
from deals.pysol import LARGEST_PYSOL
from deals.words import plural
from gafreecell.solitaire.pyramid import drawing, rating
from gafreecell.solitaire.pyramid import legal_moves as legal
from gafreecell.solitaire.pyramid.engine import ENGINE
from gafreecell.solitaire.pyramid.goals import MOST_POINTS, goal_parameters
from gafreecell.solitaire.pyramid.proof import why_lost
from gafreecell.solitaire.pyramid.solver import SOLVER
from gafreecell.solitaire.pyramid.verifier import NOTATION, Verdict, verify
from gafreecell.solving.games import SearchedGame
from gafreecell.solving.loading import Part
from gafreecell.solving.outcome import Outcome
from gafreecell.solving.parameters import NO_GOAL, Value
from gafreecell.solving.rating import Rating
from gafreecell.solving.solutions import HEAD, read_moves

_HEAD = re.compile(
    rf"{HEAD}|\d+ steps in the solution:|Solution: (?!(?i:.*\b(?:draw|recycle|remove)\b)).*"
)
"""Lines above a solution; the second is pyramid-solver's, the third solitaire-player's."""


class Pyramid(SearchedGame):
    """Pyramid with three cycles through the stock. It has no features: its search is exact."""

    name = "pyramid"
    solver = SOLVER
    engine = ENGINE
    features = ()
    comparison_presets = ()
    length_meanings: ClassVar[Mapping[str, str]] = {"steps": "all steps, with draws and recycles"}
    largest = LARGEST_PYSOL
    how_to_play = (
        "Clear the pyramid: remove two free cards that add up to 13, or a king alone. An ace "
        "counts 1, a jack 11, a queen 12. A card is free if no other one lies on it; the top "
        "cards of the stock and the waste are free, too. Draw a card from the stock when you like, "
        "and go through it three times."
    )
    deal = staticmethod(pyramid)
    goal = staticmethod(goal_parameters)
    read_boards = staticmethod(read_pyramid_boards)
    recognised = staticmethod(numbers.recognised)
    legend = drawing.LEGEND
    positions = staticmethod(drawing.positions)
    empty_table = staticmethod(drawing.empty_table)
    text_of_table = staticmethod(drawing.as_text)
    legal_moves = staticmethod(legal.legal_moves)
    listed = staticmethod(legal.listed)
    after = staticmethod(legal.after)
    check_rating = staticmethod(rating.check)
    rate = staticmethod(rating.rate)

    @property
    def parts(self) -> tuple[Part, ...]:
        return (*super().parts, rating.RANDOM_GAMES)

    def load(self, part: Part) -> None:
        if part == rating.RANDOM_GAMES:
            rating.load_random_games()
        else:
            super().load(part)

    def write_solution(self, board: PyramidBoard, outcome: Outcome) -> Iterable[str]:
        return _numbered(outcome.moves or ())

    def why_unsolvable(
        self, board: PyramidBoard, outcome: Outcome, goal: Mapping[str, Value] = NO_GOAL
    ) -> Sequence[str]:
        clears = goal.get("goal", "clear") == "clear"
        aim = "clear the pyramid" if clears else "reach the goal"
        if not outcome.nodes.generated:
            first = f"whatever is played first, the remaining cards can no longer {aim}"
            return (why_lost(board) if clears else ()) or (first,)
        searched = plural(outcome.nodes.generated, "position")
        return (
            f"every line of play that might {aim} was searched, {searched} "
            "(the other lines leave cards that can no longer be paired, or are no better)",
        )

    def verify(self, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL) -> str:
        verdict = verify(board, moves)
        kind, least = goal.get("goal", "clear"), int(goal.get("least", 0))
        if kind == "clear" or not verdict.legal:
            return verdict.reason
        if kind == "cards" and goal.get("clearing") == "yes" and not verdict.cleared:
            return verdict.reason
        reached = _reached(verdict, goal)
        what = "points" if kind == "score" else f"cards of rank {goal.get('rank', 'Q')}"
        return f"expected at least {least} {what}, got {reached}" if reached < least else ""

    def closed_goal(
        self, board: PyramidBoard, moves: Sequence[str], goal: Mapping[str, Value]
    ) -> str:
        """The goal of as much as legal moves reach; empty if ``goal`` says how much suffices."""
        kind, rank = goal.get("goal", "clear"), goal.get("rank", "Q")
        if kind == "clear" or goal.get("least"):
            return ""
        reached = _reached(verify(board, moves), goal)
        if reached == (MOST_POINTS if kind == "score" else len(SUITS)):
            return ""
        return f"score:{reached or 1}" if kind == "score" else f"cards:{rank}:{reached or 1}"

    def read_moves(self, text: str) -> list[str]:
        """The steps in a text, which other programs may have written.

        Raises:
            ValueError: if it has none, or if a word is no step.
        """
        return read_moves(text, (NOTATION,), _HEAD)

    def describe_rating(self, found: Rating) -> str:
        return rating.describe(found.measures)


def _reached(verdict: Verdict, goal: Mapping[str, Value]) -> int:
    """The points, or the cards of a goal's rank."""
    if goal["goal"] == "score":
        return verdict.score
    return verdict.count(RANKS.index(str(goal.get("rank", "Q"))) + 1)


def _numbered(steps: Sequence[str]) -> Iterator[str]:
    width = len(str(len(steps)))
    for number, step in enumerate(steps, start=1):
        yield f"{number:{width}}. {step}"


GAME = Pyramid()
