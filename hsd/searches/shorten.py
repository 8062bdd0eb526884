"""The parameter ``shorten``: whether redundant moves of a solution are dropped."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from hsd.kernels.board import Board
from hsd.kernels.replay import Root
from hsd.kernels.shorten import shorten
from solving.parameters import Parameter, Value
from solving.search import Found

SHORTEN = Parameter(
    "shorten", "yes", "whether redundant moves of a solution are dropped", choices=("yes", "no")
)


def shortened(found: Found, board: Board, root: Root, values: Mapping[str, Value]) -> Found:
    """A search's result, without redundant moves if ``SHORTEN`` says so.

    Its seconds include the time that this takes.

    Args:
        found: as the search returned it.
        board: scratch.
        root: where the search started.
        values: its parameters.
    """
    if found.moves is None or values[SHORTEN.name] == "no":
        return found
    started = time.thread_time()
    moves = found.moves.copy()
    scratch = [np.empty_like(moves) for _ in range(4)]
    end = shorten(board, root, moves, *scratch)
    return replace(found, moves=moves[:end], seconds=found.seconds + time.thread_time() - started)
