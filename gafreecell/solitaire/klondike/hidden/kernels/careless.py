"""Games of a careless player of K+, counted.

At each choice it takes the first action in the greedy order of 2007 and 2009 with probability one
half. Otherwise it looks at the next one with the same probability, and so on to the last. It tries
the greedy search for the goal as soon as nothing is unseen, as the other players of K+ do. Its
actions depend on nothing that is hidden, so it may play on the deal itself.
"""

from __future__ import annotations

from gafreecell.jit import int64, kernel, large_kernel
from gafreecell.jit.kernels.draws import below
from gafreecell.solitaire.klondike.hidden.kernels.seat import (
    Seat,
    all_seen,
    finish,
    lasts,
    list_allowed,
    set_up,
)
from gafreecell.solitaire.klondike.kernels.board import is_won, make


@large_kernel
def _wins(seat: Seat) -> bool:
    """Whether a game from the position in ``determinization`` is won."""
    board, passed, since = seat.board, int64(0), int64(0)
    set_up(seat)
    while not is_won(board):
        if all_seen(board) and finish(seat, since, passed) >= 0:
            return True
        seat.path[passed] = board.key[0]
        many = list_allowed(seat, since, passed + 1)
        # The path has room for any game; no game has come near its end.
        if many == 0 or passed + 1 == seat.path.size:
            return False
        chosen = int64(0)
        while chosen < many - 1 and below(seat.draws, 2) == 1:
            chosen += 1
        make(board, seat.actions[chosen])
        passed += 1
        if lasts(seat.actions[chosen]):
            since = passed
    return True


@kernel
def count_won(seat: Seat, games: int) -> int:
    """Play games and return how many are won.

    Args:
        seat: whose ``determinization`` is the position with all its cards in their places, and
            whose ``draws`` are the player's random numbers.
        games: how many games to play.
    """
    won = 0
    for _ in range(games):
        won += int64(_wins(seat))
    return won
