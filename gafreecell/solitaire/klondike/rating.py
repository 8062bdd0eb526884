"""How hard a Klondike deal is: how many of a thousand careless games are lost, cards hidden.

Whether a deal can be won with all cards known says little about a game with hidden cards. So a
careless player plays the deal a thousand times. It knows the stock, as everybody does after going
through it once, so a board whose stock is hidden has the same grade. The share of games that it
loses is the score. Stronger players lose mostly the same deals (docs/results/grades.md), but a game
of theirs takes a thousand times as long. Each number of cards that a draw turns has its scale, made
from whole deals without a limit of redeals. Positions and stricter rules share it, so under rules
by which hardly any game is won nearly all deals have grade 10.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from deals import KlondikeBoard, klondike
from deals.errors import BadInput
from gafreecell.jit.kernels.draws import new_draws
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solitaire.klondike.presets import DEFAULT
from gafreecell.solitaire.klondike.solver import SOLVER
from gafreecell.solving.loading import Part, loading
from gafreecell.solving.outcome import Status
from gafreecell.solving.rating import Rating, RatingError, read_scale

GAMES = 1000
SEED = 1
"""The seed of the games, fixed so that a deal always gets the same grade."""
CARELESS_GAMES = Part("Klondike's careless games", seconds=8.0)
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
    share of games lost. If no game is won, and the complete search does not win either, there are
    no measures.

    Args:
        board: one that passes ``check``.
    """
    load_careless_games()
    began = time.thread_time()
    won = careless_games_won(board, GAMES)
    seconds = time.thread_time() - began
    if not won:
        # Whether it can be won at all is asked of a solver, which knows a hidden stock, too.
        weights, known = SOLVER.weights(DEFAULT), replace(board, unseen=False)
        outcome = SOLVER.run(known, weights.evaluator, weights.search, weights.limits, {})
        seconds += outcome.seconds
        if outcome.status is not Status.SOLVED:
            return Rating(outcome.status, None, dict.fromkeys((*MEASURES, SCORE)), seconds)
    measures = {"won": won, "games": GAMES, SCORE: (GAMES - won) / GAMES}
    return Rating(Status.SOLVED, _grade(board, won), measures, seconds)


def grade_winnable(board: KlondikeBoard) -> int:
    """The grade of a board that can be won."""
    load_careless_games()
    return _grade(board, careless_games_won(board, GAMES))


def _grade(board: KlondikeBoard, won: int) -> int:
    scale = read_scale("gafreecell.solitaire.klondike", f"rating-draw-{board.draw}.json")
    return scale.grade((GAMES - won) / GAMES)


def load_careless_games() -> None:
    """Compile or load the kernels of careless games, so that no deal's seconds include that."""
    with loading(CARELESS_GAMES):
        careless_games_won(klondike(1), 0)


def careless_games_won(board: KlondikeBoard, games: int) -> int:
    """How many of a number of careless games win a board."""
    from gafreecell.solitaire.klondike.hidden.kernels.careless import count_won
    from gafreecell.solitaire.klondike.hidden.kernels.seat import new_seat

    seat = new_seat()
    seat.determinization[:] = pack_board(replace(board, unseen=False))
    seat.draws[:] = new_draws(SEED, 0)
    return int(count_won(seat, games))


def describe(measures: Mapping[str, float | None]) -> str:
    """The measures in words."""
    won, games = (int(measures[name] or 0) for name in MEASURES)
    return f"a careless player, who does not see the hidden cards, wins {won:,} of {games:,} games"
