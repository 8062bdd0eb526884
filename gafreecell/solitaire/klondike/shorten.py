"""Makes solutions shorter by local search, within a budget (``klondike.kernels.shorten``)."""

from __future__ import annotations

import time

import numpy as np

from gafreecell.solitaire.klondike.kernels.board import Board, empty_board
from gafreecell.solitaire.klondike.kernels.shorten import improve, replay, steps_of
from gafreecell.solving import stopping
from gafreecell.solving.loading import Part, loading
from gafreecell.solving.outcome import Limits
from gafreecell.solving.parameters import Parameter

SHORTEN = Parameter(
    "shorten", 0, "replays that local search may spend to shorten a solution", 0, 1e9
)
SHORTENING = Part("the shortening of Klondike's solutions", 4.0)
"""The kernels' name on the progress bar, and the seconds that they take to compile."""


def load_kernels(packed: np.ndarray) -> None:
    """Compile or load the kernels of ``shortened`` before the clock of a search starts.

    Args:
        packed: any position.
    """
    board: Board = empty_board()
    nothing = np.zeros(0, np.int64)
    with loading(SHORTENING):
        steps_of(board, packed, nothing, nothing)
        improve(board, packed, nothing, nothing, 0, 0, 0, nothing)
        replay(board, packed, nothing, 0, 0, nothing)


def shortened(
    packed: np.ndarray, moves: np.ndarray, budget: int, limits: Limits, started: float
) -> np.ndarray:
    """A solution with at most as many moves as the one given.

    Args:
        packed: the position (``klondike.packed``).
        moves: int64, moves on the table that bring all cards home.
        budget: about how many replays may be spent; 0 leaves the solution unchanged.
        limits: of the search; shortening may take the seconds that are left.
        started: the thread's processor time when the search began.

    Raises:
        Interrupted: if the call is stopped meanwhile (``solving.stopping``).
    """
    if budget == 0:
        return moves
    board: Board = empty_board()
    nothing = np.zeros(0, np.int64)
    steps, other = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
    n, length = steps_of(board, packed, moves, steps), len(moves)
    k, quiet = n - 1, 0
    while budget > 0 and quiet < n:
        stopping.check()
        if limits.seconds is not None and time.thread_time() - started >= limits.seconds:
            break
        before = length
        n, length, replays = improve(board, packed, steps, other, n, k, length, nothing)
        budget -= replays
        quiet = 0 if length < before else quiet + 1
        k = (k if k < n else n) - 1 if k > 0 else n - 1
    written = np.zeros(length, np.int64)
    replay(board, packed, steps, n, length, written)
    return written
