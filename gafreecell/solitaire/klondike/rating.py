"""How hard a Klondike deal is: how often the player ``best`` loses it with its cards hidden.

Whether a deal can be won with all cards known says little about a game with hidden cards. So the
player ``best`` plays the deal several times, with few samples for each choice and other random
numbers each time. The share of games that it loses is the score, and gives the grade: 1 for a deal
that it loses in less than one game of ten, 10 for a deal that it loses in nine of ten or more. So a
grade says the same under all rules, and for a position as for a deal. Under rules by which hardly
any game is won, nearly all deals have grade 10. The player knows the stock unless the board hides
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from deals import KlondikeBoard
from deals.errors import BadInput
from deals.words import plural
from gafreecell.solitaire.klondike.presets import DEFAULT
from gafreecell.solitaire.klondike.solver import SOLVER
from gafreecell.solving.outcome import Status
from gafreecell.solving.rating import GRADES, Rating, RatingError

GAMES = 20
SAMPLES = 20
"""Of the player, for each choice."""
SEED = 1
"""The seed of the games, fixed so that a deal always gets the same grade."""
MEASURES = ("won", "games")
SCORE = "score"


def check(board: KlondikeBoard) -> None:
    """Raise ``RatingError`` unless a board can have a grade: all its cards must be known."""
    from gafreecell.solitaire.klondike.hidden.view import check_known

    try:
        check_known(board)
    except BadInput as error:
        raise RatingError(f"{error}: 'gafreecell hint' says what its moves are worth") from None


def rate(board: KlondikeBoard) -> Rating:
    """How hard a deal or a position is, under the rules that the board carries.

    The measures are the number of games played (``games``) and of those ``won``, and the score: the
    share of games lost. A board that is lost with all cards known, or that the complete search does
    not decide, has no measures.

    Args:
        board: one that passes ``check``.
    """
    from gafreecell.solitaire.klondike.hidden import play

    weights = SOLVER.weights(DEFAULT)
    # Whether a deal can be won is asked of a solver, which knows all cards, a hidden stock, too.
    known = replace(board, unseen=False)
    outcome = SOLVER.run(known, weights.evaluator, weights.search, weights.limits, {})
    if outcome.status is not Status.SOLVED:
        none = dict.fromkeys((*MEASURES, SCORE))
        return Rating(outcome.status, None, none, outcome.seconds)
    games = [play(board, "best", {"samples": SAMPLES}, SEED, place) for place in range(GAMES)]
    won = sum(game.won for game in games)
    seconds = outcome.seconds + sum(game.seconds for game in games)
    measures = {"won": won, "games": GAMES, SCORE: (GAMES - won) / GAMES}
    return Rating(outcome.status, grade_of(won), measures, seconds)


def grade_of(won: int) -> int:
    """The grade of a deal of which ``won`` of ``GAMES`` games were won, 1 to 10."""
    return min(GRADES, 1 + GRADES * (GAMES - won) // GAMES)


def describe(measures: Mapping[str, float | None]) -> str:
    """The measures in words."""
    won, games = (int(measures[name] or 0) for name in MEASURES)
    wins = f"wins {won} of {plural(games, 'game')}"
    return f"the player best, who does not see the hidden cards, {wins}"
