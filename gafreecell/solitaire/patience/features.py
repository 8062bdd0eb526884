"""The features that evaluators of games given as rules can weigh, and to which rules they apply."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from gafreecell.solitaire.patience.rules import NONE, SUIT, Rules
from gafreecell.solving.features import Feature

Applies = Callable[[Rules], bool]


def _always(rules: Rules) -> bool:
    return True


def _builds(rules: Rules) -> bool:
    return rules.piles.build != NONE


def _foundations(rules: Rules) -> bool:
    return not rules.hole.base


ALL: tuple[tuple[Feature, Applies], ...] = (
    (Feature("cards", "cards that are not home", 0, 1, 0.2), _always),
    (Feature("breaks", "cards that do not go on with the one below", 0, 1, 0.06), _builds),
    (
        Feature("suit-breaks", "cards that do not go on in suit with the one below", 0, 1, 0.02),
        lambda rules: _builds(rules) and rules.piles.build != SUIT,
    ),
    (Feature("covers", "cards that lie on a lower one of their pile", 0, 1, 0.1), _foundations),
    (
        Feature("depth", "cards that lie on the cards that the suits need next", 0, 1, 0.06),
        lambda rules: _foundations(rules) and not rules.foundations.runs,
    ),
    (Feature("cells", "cards in cells", 0, 1, 0.12), lambda rules: rules.cells.count > 0),
    (Feature("spaces", "empty piles", -1, 0, -0.12), _builds),
    (Feature("hidden", "cards that lie face down", 0, 1, 0.12), lambda rules: any(rules.down)),
    (
        Feature("spread", "cards that the fullest foundation is ahead of the emptiest", 0, 1, 0.02),
        lambda rules: _foundations(rules) and not rules.foundations.runs,
    ),
    (
        Feature("stock", "cards in stock and waste", -1, 1, 0.04),
        lambda rules: rules.stock.count > 0,
    ),
    (Feature("reserve", "cards in the reserve", 0, 1, 0.06), lambda rules: rules.reserve.count > 0),
    (
        Feature("rooted", "cards that are built on a king at the bottom of a pile", -1, 0, -0.04),
        _builds,
    ),
    (
        Feature("gaps", "how unequal the numbers of cards of neighbouring ranks are", 0, 1, 0.1),
        lambda rules: bool(rules.hole.base),
    ),
    (Feature("moves", "moves made", 0, 1, 0.02), _always),
)
"""In the order of ``kernels.features``."""


@lru_cache(maxsize=1000)
def features_of(rules: Rules) -> tuple[Feature, ...]:
    """The features that apply to a game."""
    return tuple(feature for feature, applies in ALL if applies(rules))


@lru_cache(maxsize=1000)
def columns_of(rules: Rules) -> np.ndarray:
    """The place of each of them among all."""
    return np.array([place for place, (_, applies) in enumerate(ALL) if applies(rules)])
