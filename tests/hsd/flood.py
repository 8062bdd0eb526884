"""The number of reachable states and the shortest solutions, by breadth-first floods for tests."""

from __future__ import annotations

from functools import cache

import numpy as np
from engine import Engine

from deals import FreeCellBoard
from gafreecell.jit import kernel
from gafreecell.jit.kernels.transposition import find
from hsd.kernels.board import HOME, play
from hsd.kernels.home import is_home, play_safe_home
from hsd.kernels.moves import ANY, MOST_MOVES, list_moves
from hsd.kernels.packed import PACKED, load, store


@kernel
def _flood(board, packed, table, moves, trail, safe, longest, ends):  # type: ignore[no-untyped-def]
    """Visit the states that can be reached from the first packed one, breadth first.

    Args:
        ends: receives for each depth from 0 on how many states are met so far; the flood goes no
            deeper.

    Returns:
        How many depths there are, -1 if the states do not fit.
    """
    cascades, cells = board.numbers.cascades, board.numbers.cells
    load(board, packed, 0, cascades, cells)
    table[-1 - find(table, board.key[0])] = board.key[0]
    done, states, depth = 0, 1, 0
    while done < states:
        ends[depth] = states
        depth += 1
        if depth == ends.size:
            return depth
        while done < ends[depth - 1]:
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
    return depth


def states_by_depth(
    board: FreeCellBoard, depth: int, safe: bool, longest: int = ANY, room: int = 100_000
) -> list[int]:
    """How many states are first reached at each depth from 0 to ``depth``.

    Args:
        safe: whether to force safe home moves, before the first move and after every move.
        longest: the most cards that a move may take.
        room: the most states in all.
    """
    engine = Engine(board)
    if safe:
        engine.play_safe_home()
    packed = np.zeros(room * PACKED, np.uint64)
    packed[:PACKED] = engine.packed()
    table, moves = np.zeros(2 << room.bit_length(), np.uint64), np.zeros(MOST_MOVES, np.int64)
    trail, ends = np.zeros(128, np.int64), np.zeros(depth + 1, np.int64)
    depths = int(_flood(engine.arrays, packed, table, moves, trail, safe, longest, ends))
    assert depths > 0
    ends[depths:] = ends[depths - 1]
    return list(np.diff(ends, prepend=0).tolist())


@cache
def count_states(board: FreeCellBoard, safe: bool, longest: int = ANY) -> int:
    """The number of states that can be reached from a board, itself included; at most 100,000."""
    return sum(states_by_depth(board, 1000, safe, longest))


NO_WAY, NO_ROOM = -1, -2


@kernel
def _least_made(board, packed, kept, table, moves, longest):  # type: ignore[no-untyped-def]
    """The fewest moves to the goal, not counting home moves; else as ``shortest``.

    Args:
        packed: its halves are stacks, one of positions to visit now and one of those one move
            further; the position to solve is at index 0.
        kept: room for a position.
    """
    cascades, cells = board.numbers.cascades, board.numbers.cells
    half = packed.size // 2
    room = half // PACKED - MOST_MOVES
    now, size, later, states, made = 0, 1, 0, 0, 0
    while size > 0:
        while size > 0:
            size -= 1
            load(board, packed, now + size * PACKED, cascades, cells)
            place = find(table, board.key[0])
            if place >= 0:
                continue
            if is_home(board):
                return made
            if max(size, later) > room or 2 * states > table.size:
                return NO_ROOM
            table[-1 - place] = board.key[0]
            states += 1
            store(board, kept, 0)
            for i in range(list_moves(board, moves, 0, longest)):
                play(board, moves[i])
                if find(table, board.key[0]) >= 0:
                    pass
                elif (moves[i] >> 5) & 31 == HOME:
                    store(board, packed, now + size * PACKED)
                    size += 1
                else:
                    store(board, packed, half - now + later * PACKED)
                    later += 1
                load(board, kept, 0, cascades, cells)
        now, size, later = half - now, later, 0
        made += 1
    return NO_WAY


def shortest(board: FreeCellBoard, room: int = 100_000, longest: int = 1) -> int:
    """The number of moves of a shortest solution, home moves included.

    Args:
        room: how many positions fit.
        longest: 1 for single cards, ``AT_ONCE`` if a run counts one move.

    Returns:
        The number, ``NO_WAY`` if there is no solution, ``NO_ROOM`` if the positions do not fit.
    """
    engine = Engine(board)
    packed = np.zeros(2 * room * PACKED, np.uint64)
    packed[:PACKED] = engine.packed()
    table, moves = np.zeros(1 << 18, np.uint64), np.zeros(MOST_MOVES, np.int64)
    kept = np.zeros(PACKED, np.uint64)
    made = int(_least_made(engine.arrays, packed, kept, table, moves, longest))
    return made + 52 - sum(board.foundations) if made >= 0 else made
