"""How many states there are, by a flood of its own over the jitted board, for tests."""

from __future__ import annotations

import numpy as np
from engine import Engine

from deals import FreeCellBoard
from hsd.board import PACKED, load, play, play_safe_home, store
from hsd.moves import ANY, MOST_MOVES, list_moves
from solving.runtime import kernel
from solving.table import find


@kernel
def _flood(board, packed, table, moves, trail, safe, longest):  # type: ignore[no-untyped-def]
    """Every state that can be reached from the first packed one.

    Returns:
        How many there are, -1 if there is no room for them.
    """
    cascades, cells = board.size[0], board.size[1]
    load(board, packed, 0, cascades, cells)
    table[-1 - find(table, board.key[0])] = board.key[0]
    done, states = 0, 1
    while done < states:
        load(board, packed, done * PACKED, cascades, cells)
        for i in range(list_moves(board, moves, 0, longest)):
            play(board, moves[i])
            if safe:
                play_safe_home(board, trail, 0)
            place = find(table, board.key[0])
            if place < 0:
                if (states + 1) * PACKED > packed.size:
                    return -1
                table[-1 - place] = board.key[0]
                store(board, packed, states * PACKED)
                states += 1
            load(board, packed, done * PACKED, cascades, cells)
        done += 1
    return states


def count_states(board: FreeCellBoard, safe: bool, longest: int = ANY) -> int:
    """The states that can be reached from a board, itself among them: at most 100,000.

    Args:
        safe: force safe home moves, before the first move and after every move.
        longest: cards that a move may take.
    """
    engine = Engine(board)
    if safe:
        engine.play_safe_home()
    packed = np.zeros(100_000 * PACKED, np.uint8)
    packed[:PACKED] = engine.packed()
    table, moves = np.zeros(1 << 18, np.uint64), np.zeros(MOST_MOVES, np.int64)
    trail = np.zeros(128, np.int64)
    states = int(_flood(engine.arrays, packed, table, moves, trail, safe, longest))
    assert states > 0
    return states
