"""Writes the solution that a search has found."""

from __future__ import annotations

from gafreecell.jit import int64, kernel, large_kernel
from gafreecell.jit.slices import GROW, SOLVED
from hsd.kernels.board import CELL, Board, play_unhashed
from hsd.kernels.columns import LINK
from hsd.kernels.replay import Root, finish_home, load_root, write_out, write_safe_home
from hsd.kernels.zobrist import NO_CARD
from hsd.searches.kernels.linked import LinkedTree
from hsd.searches.kernels.partial import MOVE, NODE, ORIGIN, Partial
from hsd.searches.kernels.tree import HOME_MOVES, Tree


@large_kernel
def write_solution(board: Board, work: Partial, root: Root) -> int:
    """Write the whole solution of ``schedule``'s tree to ``path``, home moves included.

    Returns:
        ``SOLVED`` with the number of moves in the registers, or ``GROW`` if
        ``path`` must be enlarged first.
    """
    registers = work.registers
    length = 0
    node = registers.goal
    while node > 0:
        length += 1
        node = work.nodes[NODE * node + ORIGIN] & LINK
    registers.length = length
    half = work.path.size // 2
    if length + HOME_MOVES > half:
        return GROW
    node = registers.goal
    for i in range(length - 1, -1, -1):
        origin = work.nodes[NODE * node + ORIGIN]
        work.path[half + i] = origin >> MOVE
        node = origin & LINK
    load_root(board, root)
    at = 0
    for i in range(length + 1):
        if i > 0:
            move = _board_move(board, work.path[half + i - 1])
            play_unhashed(board, move)
            work.path[at] = move
            at += 1
        if root.automatic:
            at = write_safe_home(board, work.path, at)
    registers.length = finish_home(board, work.path, at)
    return SOLVED


@kernel
def _board_move(board: Board, move: int) -> int:
    """A tree's move, for which all cells are alike, as a move between places of the board."""
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    if source == CELL:
        card = count
        count = 1
        while board.cell[source - CELL] != card:
            source += 1
    elif target == CELL:
        while board.cell[target - CELL] != NO_CARD:
            target += 1
    return source | (target << 5) | (count << 10)


@large_kernel
def write_path(board: Board, tree: Tree | LinkedTree, root: Root) -> int:
    """Write a tree's solution to ``path``: the path to the goal and the home moves after it.

    Returns:
        ``SOLVED`` with the number of moves in the registers, or ``GROW`` if
        ``path`` must be enlarged first.
    """
    registers = tree.registers
    length = 0
    entry = registers.goal
    while tree.entry_parent[entry] >= 0:
        length += 1
        entry = int64(tree.closed_entry[tree.entry_parent[entry]])
    registers.length = length
    half = tree.path.size // 2
    if length + HOME_MOVES > half:
        return GROW
    at = half + length
    entry = registers.goal
    while tree.entry_parent[entry] >= 0:
        at -= 1
        tree.path[at] = tree.entry_move[entry]
        entry = int64(tree.closed_entry[tree.entry_parent[entry]])
    at = write_out(board, root, tree.path, half, length, tree.path)
    registers.length = finish_home(board, tree.path, at)
    return SOLVED
