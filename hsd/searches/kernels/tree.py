"""The tree of best-first search and its transposition table.

An *entry* is a generated state, stored as its parent and a move. A *closed* state is an
expanded one, stored as a packed board. Successors are looked up by their hashes and
scored without building their boards; a board is built only when its state is expanded.

The transposition table identifies states by hashes of 128 bits. Among n states, some two
share a hash with a probability below n^2 / 2^129, less than 10^-24 for ten million.
Forced home moves lose no solution, as a safe card is of no use where it lies (dominance).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, new_registers
from gafreecell.jit.kernels import tree as trees
from gafreecell.jit.kernels.transposition import find_pair, not_zero, prefetch_pair, rehash_pairs
from gafreecell.jit.kernels.tree import AnyTree, with_room
from hsd.kernels.board import HOME, Board, play, undo
from hsd.kernels.home import play_safe_home, undo_home
from hsd.kernels.moves import MOST_MOVES, key_after, list_moves, stays_quiet, suit_home, takes_again
from hsd.kernels.packed import PACKED, load, reload, store
from hsd.kernels.replay import Root, load_root
from hsd.kernels.sums import INVERSIONS

HOME_MOVES = 64
"""Room for the home moves of a solution."""

PARENT = 2 * MOST_MOVES
"""Index in ``keys`` of the hash of the state being expanded."""

QUIET = 1 << 16
MOVE = QUIET - 1


class TreeRegisters(Registers):
    """What a tree counts and remembers between slices.

    Attributes:
        generated: the number of entries, that is of states generated.
        expanded: the number of closed states.
        shown: the closed state on the board, -1 for none.
        goal: the entry of the goal, 0 for none or the root.
        length: moves of the solution.
        looked: successors looked up.
    """

    generated: int
    expanded: int
    shown: int
    goal: int
    length: int
    looked: int


class Tree(NamedTuple):
    """The arrays of a tree; the driver enlarges those that fill up.

    Attributes:
        registers: ``TreeRegisters``.
        table: uint64, the transposition table: both words of the hashes of the states met.
        moves: int64[256], the moves of the state being expanded.
        keys: uint64[514], for each of these moves both words of the hash after it, then both
            words of the state's own hash.
        trail: int64[128], forced home moves.
        path: int64, the solution; its second half is scratch.
        closed_entry: int32, the entry of each closed state.
        closed_board: uint64, the packed boards of the closed states.
        closed_key: uint64, both words of the closed states' hashes.
        entry_parent: int32, for each entry the closed state that is its parent; -1 for the root.
        entry_move: uint16, for each entry the move from its parent.
    """

    registers: TreeRegisters
    table: np.ndarray
    moves: np.ndarray
    keys: np.ndarray
    trail: np.ndarray
    path: np.ndarray
    closed_entry: np.ndarray
    closed_board: np.ndarray
    closed_key: np.ndarray
    entry_parent: np.ndarray
    entry_move: np.ndarray


def new_tree(closed: int, entries: int) -> Tree:
    """A tree with room for this many closed states and entries (a power of two)."""
    return Tree(
        registers=new_registers(TreeRegisters),
        table=np.zeros(4 * entries, np.uint64),
        moves=np.zeros(MOST_MOVES, np.int64),
        keys=np.zeros(2 * MOST_MOVES + 2, np.uint64),
        trail=np.zeros(128, np.int64),
        path=np.zeros(2048, np.int64),
        closed_entry=np.zeros(closed, np.int32),
        closed_board=np.zeros(closed * PACKED, np.uint64),
        closed_key=np.zeros(2 * closed, np.uint64),
        entry_parent=np.zeros(entries, np.int32),
        entry_move=np.zeros(entries, np.uint16),
    )


def enlarge_either(tree: AnyTree, *by_closed: str) -> AnyTree:
    """The same ``Tree`` or ``LinkedTree`` with larger arrays in place of those that are full.

    Args:
        by_closed: the names of the arrays that grow with the closed states.
    """
    most = tree.registers.length + HOME_MOVES
    if 2 * most > tree.path.size:
        tree = tree._replace(path=np.zeros(4 * most, np.int64))
    return with_room(tree, by_closed=by_closed)


def enlarge_tree(tree: Tree) -> Tree:
    """The same tree with larger arrays in place of those that are full."""
    return enlarge_either(tree, "closed_board", "closed_key")


def warm_up_tree(tree: Tree) -> None:
    """Load the kernel that enlarges a tree."""
    rehash_pairs(tree.table[:0], tree.table[:0])


@kernel
def set_root(board: Board, tree: Tree, root: Root) -> None:
    """Begin a search: the root, after forced home moves, becomes entry 0 and is on the board."""
    registers = tree.registers
    table = tree.table
    for i in range(table.size):
        table[i] = 0
    load_root(board, root)
    if root.automatic:
        play_safe_home(board, tree.trail, 0)
    key = not_zero(board.key[0])
    slot = -1 - find_pair(table, key, board.key[1])
    table[slot] = key
    table[slot + 1] = board.key[1]
    store(board, tree.closed_board, 0)
    tree.entry_parent[0] = -1
    tree.entry_move[0] = 0
    registers.generated = 1
    registers.expanded = 0
    registers.goal = 0
    registers.length = 0
    registers.looked = 0
    registers.shown = -1


@kernel
def build(board: Board, tree: Tree, entry: int, root: Root) -> int:
    """Build an entry's position on the board; returns the number of forced home moves made."""
    registers = tree.registers
    parent = int64(tree.entry_parent[entry])
    if parent < 0:
        load(board, tree.closed_board, 0, root.cascades, root.cells)
        return 0
    if parent != registers.shown:
        reload(board, tree.closed_board, parent * PACKED)
        board.key[0] = tree.closed_key[2 * parent]
        board.key[1] = tree.closed_key[2 * parent + 1]
    # The board shows no closed state until the entry is expanded.
    registers.shown = -1
    move = int64(tree.entry_move[entry])
    play(board, move)
    return play_safe_home(board, tree.trail, 0) if root.automatic else 0


@kernel
def expand(board: Board, tree: Tree, entry: int, forced: int, root: Root, longest: int) -> int:
    """Close the entry on the board and list its moves; returns their number.

    Moves that send no card home and force no home move are marked ``QUIET``, and the hashes
    after them are in ``keys``. The cards that the last move took do not move again.
    """
    registers = tree.registers
    moves = tree.moves
    keys = tree.keys
    closed = registers.expanded
    registers.expanded += 1
    store(board, tree.closed_board, closed * PACKED)
    tree.closed_key[2 * closed] = board.key[0]
    tree.closed_key[2 * closed + 1] = board.key[1]
    tree.closed_entry[closed] = entry
    registers.shown = closed
    last = int64(tree.entry_move[entry]) if forced == 0 else 0
    keys[PARENT] = board.key[0]
    keys[PARENT + 1] = board.key[1]
    listed = list_moves(board, moves, 0, longest)
    end = 0
    for i in range(listed):
        move = moves[i]
        if takes_again(last, move):
            continue
        goes_home = ((move >> 5) & 31) == HOME
        if goes_home or (root.automatic and not stays_quiet(board, move)):
            moves[end] = move
        else:
            moves[end] = move | QUIET
            keys[2 * end] = not_zero(key_after(board, move, 0))
            keys[2 * end + 1] = key_after(board, move, 1)
            prefetch_pair(tree.table, keys[2 * end])
        end += 1
    registers.looked += end
    return end


@kernel
def look_up(board: Board, tree: Tree, i: int, root: Root) -> tuple[int, int, int]:
    """Look up the state after the i-th listed move; a move that is not quiet is made first.

    Returns:
        The slot in the table, as ``find_pair`` returns it; the suit sent home; and
        the number of forced home moves made. ``take_back`` needs the last two.
    """
    move = tree.moves[i]
    keys = tree.keys
    suit = int64(0)
    forced = 0
    if move & QUIET == 0:
        suit = suit_home(board, move)
        play(board, move)
        if root.automatic:
            forced = play_safe_home(board, tree.trail, 0)
        keys[2 * i] = not_zero(board.key[0])
        keys[2 * i + 1] = board.key[1]
    return find_pair(tree.table, keys[2 * i], keys[2 * i + 1]), suit, forced


@kernel
def enter(tree: Any, i: int, slot: int, move: int) -> int:
    """Enter the new state after the i-th listed move in the table; returns its entry.

    Args:
        tree: a ``Tree`` or a ``LinkedTree``.
        slot: in the table, from ``look_up``.
        move: the move without its mark. The caller passes it, as reading it again after these
            writes would cost best-first search an eighth of its time.
    """
    return trees.enter(tree, slot, tree.keys[2 * i], tree.keys[2 * i + 1], move)


@kernel
def take_back(board: Board, tree: Tree, i: int, suit: int, forced: int) -> None:
    """Unmake the i-th move, which ``look_up`` made."""
    undo_home(board, tree.trail, forced)
    undo(board, tree.moves[i] & MOVE, suit)
    board.key[0] = tree.keys[PARENT]
    board.key[1] = tree.keys[PARENT + 1]


@kernel
def without_inversions(sums: int) -> bool:
    """Whether no card lies above a lower one, so that home moves alone finish the game.

    Args:
        sums: the board's packed sums.
    """
    return (sums >> INVERSIONS) & 63 == 0
