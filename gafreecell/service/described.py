"""Weights that stand on their own: with what their features mean, and boards to check a port by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gafreecell.solitaire.abilities import ListsMoves, MeasuresBoards, Numbered
from gafreecell.solitaire.game import Game
from gafreecell.solving.games import solved_by
from gafreecell.solving.outcome import Evaluator, Limits, Task
from gafreecell.solving.scoring import score_of
from gafreecell.solving.weights import Weights

ABOUT = "about"
"""The key of provenance under which the description stands."""
DEALS = 2
"""The reference boards are so many of the game's first training deals, and each of them half way to
a solution."""
NODES = 100_000
"""Node budget of that solution."""


def described(weights: Weights, game: Game) -> Weights:
    """The weights with a description of what they weigh, for programs that do not know the game.

    Args:
        weights: of the game.
        game: the game in its variant.

    Returns:
        The same weights, whose provenance has under ``about``: the ``engine`` number of the game,
        the ``features`` (name, meaning with formula and scale, range of the weight), and, if the
        game tells the features of a position, ``vectors``: boards with their features and scores,
        one score for each phase.
    """
    evaluator = weights.evaluator
    if evaluator is None:
        return weights
    by_name = {feature.name: feature for feature in game.features}
    about: dict[str, Any] = {
        "engine": game.engine,
        "features": [
            {
                "name": name,
                "meaning": by_name[name].meaning,
                "range": [by_name[name].low, by_name[name].high],
            }
            for name in evaluator.features
            if name in by_name
        ],
    }
    vectors = list(_vectors(game, weights, evaluator))
    if vectors:
        after = ", after the offset of the first rule that holds" if evaluator.rules else ""
        about["score"] = (
            f"the sum of each feature times its weight{after}; a search tries what has a lower "
            "score first"
        )
        about["vectors"] = vectors
    return replace(weights, provenance={**weights.provenance, ABOUT: about})


def _vectors(game: Game, weights: Weights, evaluator: Evaluator) -> Iterator[dict[str, Any]]:
    """The reference vectors; none if the game does not tell all features of a position."""
    if not (isinstance(game, MeasuresBoards) and isinstance(game, Numbered)):
        return
    for board in _boards(game, weights):
        values = game.feature_values(board)
        if not {*evaluator.features} <= {*values}:
            return
        phases = range(1, max(len(evaluator.phases), 1) + 1)
        yield {
            "board": game.write_board(board),
            "features": {name: values[name] for name in evaluator.features},
            "scores": [score_of(evaluator, values, phase) for phase in phases],
        }


def _boards(game: Any, weights: Weights) -> Iterator[Any]:
    """Deals, and what they look like half way to a solution."""
    for deal in game.deals(game.training)[:DEALS]:
        board = game.read_deal(deal)
        yield board
        task = Task(deal, weights.evaluator, weights.search, Limits(nodes=NODES))
        (outcome,) = solved_by(game, [task])
        if isinstance(game, ListsMoves) and outcome.moves:
            for move in outcome.moves[: len(outcome.moves) // 2]:
                board = game.after(board, move)
            yield board
