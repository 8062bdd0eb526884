"""Hindsight optimization: nested rollouts judge an action in one determinization after another."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import kernel
from gafreecell.jit.slices import GROW, RUNNING
from gafreecell.solitaire.klondike.hidden.kernels.seat import Seat, determinize
from gafreecell.solitaire.klondike.kernels.board import make, pack
from gafreecell.solitaire.klondike.rollouts.kernels import search as rollouts
from gafreecell.solitaire.klondike.rollouts.kernels.values import Values
from gafreecell.solving.outcome import LARGEST


@kernel
def advance(
    seat: Seat, work: rollouts.Work, values: Values, action: int, packed: np.ndarray, pause: int
) -> int:
    """Play on after an action in a determinization until the rollouts end or reach ``pause``.

    Args:
        seat: the player's arrays; the board belongs to the rollouts.
        work: the arrays of the rollouts. If they have not begun, a new determinization is drawn.
            When they end, they are reset for the next one.
        values: with weights for each heuristic.
        action: an action of the current state.
        packed: int64[74], scratch.
        pause: states generated at which to return ``RUNNING``.

    Returns:
        As ``klondike.rollouts.kernels.search.advance``.
    """
    if work.registers.begun == 0:
        determinize(seat)
        make(seat.board, action)
        pack(seat.board, packed)
    code = rollouts.advance(seat.board, work, values, packed, LARGEST, pause)
    if code not in (RUNNING, GROW):
        rollouts.restart(work)
    return code
