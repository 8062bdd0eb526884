"""Running the search of Pyramid on positions, and playing its solutions by the plain rules."""

from __future__ import annotations

import numpy as np
from plain_pyramid import Endgame, Plain, successors

from gafreecell.solitaire.pyramid.a_star import AStar
from gafreecell.solitaire.pyramid.goals import PARAMETERS, goal_parameters
from gafreecell.solitaire.pyramid.kernels.states import (
    Deal,
    State,
    new_deal,
    open_pairs,
    prepare,
)
from gafreecell.solitaire.pyramid.position import Start, pack
from gafreecell.solitaire.pyramid.shapes import shapes
from gafreecell.solitaire.pyramid.steps import DRAW, RECYCLE
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.parameters import Value, read_parameters
from gafreecell.solving.search import Found

SEARCH = AStar()


def packed(endgame: Endgame) -> Start:
    """An endgame as searches take it."""
    position = endgame.position
    cards = sum(1 << card for card in position.pyramid)
    shape = int(np.searchsorted(shapes().cards, cards))
    left = sum(1 << (card - 28) for card in position.stock + position.waste)
    # Any place after the waste and not after the stock's top.
    at = max((card - 27 for card in position.waste), default=0)
    return pack(list(endgame.ranks), shape, left, at, position.recycles)


def prepared(start: Start) -> tuple[Deal, State]:
    """A deck as kernels see it, and the state at a start."""
    deal, (ranks, shape, left, at, cycle) = new_deal(), start
    prepare(deal, ranks)
    return deal, State(shape, left, at, cycle, 0, *open_pairs(deal, shape, left, at))


def values_of(goal: str, clearing: str = "no") -> dict[str, Value]:
    """The parameters of a search for a goal."""
    given = {**goal_parameters(goal), "clearing": clearing}
    return read_parameters("a-star", PARAMETERS, given)


def search(endgame: Endgame, goal: str = "clear", clearing: str = "no", **limits: int) -> Found:
    """The search's result."""
    values = values_of(goal, clearing)
    found = SEARCH.run(packed(endgame), np.zeros(0), values, Limits(**limits))
    assert (found.moves is not None) == (found.status is Status.SOLVED)
    return found


def played(endgame: Endgame, found: Found) -> Plain:
    """The position at the end of a solution."""
    position = endgame.position
    assert found.moves is not None
    for step in found.moves.tolist():
        words = {DRAW: "draw", RECYCLE: "recycle"}
        word = words.get(step) or "remove {} {}".format(*sorted(divmod(step, 64)))
        position = dict(successors(endgame.ranks, position))[word]
    return position
