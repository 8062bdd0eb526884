"""How hard a Pyramid deck is: how few of a thousand random games clear the pyramid.

The work of the optimal search does not tell which decks people lose, and the fewest steps tell
little (docs/results/grades.md). What counts is how many ways there are to clear the pyramid, and
random games sample them. The random player takes any removal, and now and then draws instead.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from deals.pyramid_deck import PyramidDeck, pyramid
from deals.pyramid_position import PyramidBoard, PyramidPosition
from deals.words import plural
from gafreecell.jit.kernels.draws import new_draws
from gafreecell.solitaire.pyramid.kernels.random_games import MOST_REMOVALS, count_won
from gafreecell.solitaire.pyramid.position import pack_board
from gafreecell.solitaire.pyramid.presets import DEFAULT
from gafreecell.solitaire.pyramid.shapes import shapes
from gafreecell.solitaire.pyramid.solver import SOLVER
from gafreecell.solving.loading import Part, loading
from gafreecell.solving.outcome import Status
from gafreecell.solving.rating import Rating, RatingError, read_scale

GAMES = 1000
SEED = 1
"""The seed of the random games, fixed so that a deck always gets the same grade."""
RANDOM_GAMES = Part("Pyramid's random games", seconds=2.0)
MEASURES = ("won", "games", "steps")
SCORE = "score"


def check(deal: PyramidBoard | int) -> None:
    """Raise ``RatingError`` unless a deal can have a grade.

    Args:
        deal: a board, or a deal number.
    """
    if isinstance(deal, PyramidPosition):
        raise RatingError(
            "only a whole deck has a grade; this is a position in the middle of a game: "
            "'gafreecell solve' says whether it can be won"
        )


def rate(deal: PyramidDeck | int) -> Rating:
    """How hard a deck is.

    The measures are the number of random games played (``games``) and of those ``won``, the fewest
    ``steps`` that clear the pyramid, and the score: the share of the random games that were lost.
    A deck that is lost, or that the search does not decide, has no measures.

    Args:
        deal: a deck, or a deal number.
    """
    deck = pyramid(deal) if isinstance(deal, int) else deal
    weights = SOLVER.weights(DEFAULT)
    outcome = SOLVER.run(deck, weights.evaluator, weights.search, weights.limits, weights.variant)
    if outcome.status is not Status.SOLVED or outcome.lengths is None:
        return Rating(outcome.status, None, dict.fromkeys((*MEASURES, SCORE)), outcome.seconds)
    load_random_games()
    began = time.thread_time()
    won = random_games_won(deck, GAMES)
    seconds = outcome.seconds + time.thread_time() - began
    score = (GAMES - won) / GAMES
    values = (won, GAMES, outcome.lengths["steps"], score)
    measures: Mapping[str, float | None] = dict(zip((*MEASURES, SCORE), values, strict=True))
    return Rating(
        outcome.status, read_scale("gafreecell.solitaire.pyramid").grade(score), measures, seconds
    )


def load_random_games() -> None:
    """Compile or load the kernels of random games, so that no deal's seconds include that."""
    with loading(RANDOM_GAMES):
        random_games_won(pyramid(1), 0)


def random_games_won(deck: PyramidDeck, games: int) -> int:
    """How many of a number of random games clear a deck's pyramid."""
    scratch = np.zeros(MOST_REMOVALS, np.int64)
    ranks = pack_board(deck).ranks
    return int(count_won(ranks, shapes().upon, games, new_draws(SEED, 0), scratch))


def describe(measures: Mapping[str, float | None]) -> str:
    """The measures in words."""
    won, games, steps = (measures[name] for name in MEASURES)
    least = plural(steps or 0, "step")
    return f"{won:,} of {games:,} random games clear it; the shortest solution has {least}"
