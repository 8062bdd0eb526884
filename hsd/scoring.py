"""The features of a position, as the searches weigh them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deals import FreeCellBoard
from hsd.kernels.board import empty_board
from hsd.kernels.deadlock import NO_CUTOFF, new_graph
from hsd.kernels.features import BREAKS_RUN, DEADLOCK_BOUND, MOVES_MADE, NAMES, counted, write_each
from hsd.kernels.linked_columns import HIGHER
from hsd.kernels.packed import load, pack_board
from hsd.searches.kernels.bounds import bound_of_waits


def feature_values(board: FreeCellBoard) -> Mapping[str, float]:
    """The features of a position from which a search starts, by name.

    ``MovesMade`` and ``BreaksRun`` are 0 there, as no move has been made.
    """
    arrays, values = empty_board(), np.zeros(len(NAMES))
    load(arrays, pack_board(board), 0, len(board.cascades), board.cell_count)
    write_each(counted(arrays), values)
    found = dict(zip(NAMES, values.tolist(), strict=True))
    return {**found, MOVES_MADE: 0.0, BREAKS_RUN: 0.0, DEADLOCK_BOUND: _bound(board) / 48}


def _bound(board: FreeCellBoard) -> int:
    """The deadlock bound: a lower bound on the moves that are not home moves."""
    graph, left, loops = new_graph(), 0, 0
    for cards in board.cascades:
        waiting = 0
        for card in cards:
            graph.waits[card] = waiting
            loops |= waiting & (1 << card)
            left |= 1 << card
            waiting |= int(HIGHER[card])
    return int(bound_of_waits(graph, False, left, loops, NO_CUTOFF))
