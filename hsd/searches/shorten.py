"""The parameter ``shorten``: whether redundant moves of a solution are dropped."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gafreecell.solving.parameters import Parameter, Value
from hsd.kernels.board import Board
from hsd.kernels.replay import Root
from hsd.kernels.shorten import shorten

SHORTEN = Parameter(
    "shorten", "yes", "whether redundant moves of a solution are dropped", choices=("yes", "no")
)

BESIDE = ("hsd.kernels.shorten", "hsd.kernels.verifier")
"""Modules with kernels that only solutions need."""


def shortened(
    moves: np.ndarray, board: Board, root: Root, values: Mapping[str, Value]
) -> np.ndarray:
    """The moves of a solution, without redundant ones if ``SHORTEN`` says so.

    Args:
        moves: int64, all of them; overwritten.
        board: scratch.
        root: where the search started.
        values: its parameters.
    """
    if values[SHORTEN.name] == "no":
        return moves
    scratch = np.empty((4, moves.size), np.int64)
    return moves[: shorten(board, root, moves, *scratch)]
