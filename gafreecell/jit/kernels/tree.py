"""Search trees: the states that a search met, who their parents are, and which of them are open.

An *entry* is a generated state, kept as its parent and a move. A *closed* state is an expanded
one, kept as a row of numbers. The transposition table identifies states by hashes of 128 bits.
Among n states, some two share a hash with a probability below n^2 / 2^129, less than 10^-24 for
ten million.

``Tree`` is all that a best-first search of a game of your own needs. ``choose``, ``add`` and
``queue`` keep its counts, its node limit and its open list, so ``gafreecell.jit.drive`` can run the
search slice by slice. FreeCell's searches have trees of their own, of which ``is_full``, ``enter``
and ``with_room`` are a part.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np

from gafreecell.jit.compiling import int64, kernel, uint64
from gafreecell.jit.kernels.heap import entry_of, key_of, pop_key, push_key
from gafreecell.jit.kernels.transposition import find_pair, not_zero, rehash_pairs
from gafreecell.jit.registers import Registers, new_registers
from gafreecell.jit.slices import GROW, NODE_LIMIT, RUNNING, UNSOLVABLE, enlarged

_WORD = 2**64 - 1
_LEAST, _MOST = -(2**31), 2**31 - 1
AnyTree = TypeVar("AnyTree", bound=Any)
"""A tuple of arrays with ``registers`` (``generated``, ``expanded``), ``table``, ``moves``,
``entry_parent``, ``entry_move`` and ``closed_entry``, which are as in ``Tree``."""


@kernel
def is_full(tree: Any) -> bool:
    """Whether the successors of one more state might not fit in any kind of tree."""
    coming = tree.registers.generated + tree.moves.size
    return (
        4 * coming >= tree.table.size
        or coming >= tree.entry_parent.size
        or tree.registers.expanded >= tree.closed_entry.size
    )


@kernel
def enter(tree: Any, slot: int, key: int, second: int, move: int) -> int:
    """Enter a successor of the state closed last in any kind of tree; returns its entry.

    Args:
        slot: its place in the table, from ``find_pair``, which did not find it.
        key, second: its hash, the first word not zero.
        move: the move that leads to it.
    """
    registers = tree.registers
    entry = registers.generated
    registers.generated += 1
    tree.table[-1 - slot] = key
    tree.table[-slot] = second
    tree.entry_parent[entry] = registers.expanded - 1
    tree.entry_move[entry] = move
    return entry


def with_room(
    tree: AnyTree, by_entry: tuple[str, ...] = (), by_closed: tuple[str, ...] = ()
) -> AnyTree:
    """A tree of any kind with larger arrays in place of those that are full.

    Args:
        by_entry, by_closed: the names of its further arrays that grow with the entries, and with
            the closed states.
    """
    registers = tree.registers
    coming = registers.generated + tree.moves.size
    if 4 * coming >= tree.table.size:
        table = np.zeros(2 * tree.table.size, np.uint64)
        rehash_pairs(tree.table, table)
        tree = tree._replace(table=table)
    if coming >= tree.entry_parent.size:
        tree = enlarged(tree, "entry_parent", "entry_move", *by_entry)
    if registers.expanded >= tree.closed_entry.size:
        tree = enlarged(tree, "closed_entry", *by_closed)
    return tree


class TreeRegisters(Registers):
    """What a tree counts.

    Attributes:
        generated: the number of entries, that is of states generated, the root included.
        expanded: the number of closed states.
        open: the length of the heap.
        limit: how many entries there may be.
        goal: the entry of the goal, if the search found one.
    """

    generated: int
    expanded: int
    open: int
    limit: int
    goal: int


class Tree(NamedTuple):
    """The arrays of a best-first search.

    Attributes:
        registers: ``TreeRegisters``.
        table: uint64, the transposition table: both words of the hashes of the states met.
        heap: int64, the open list, as keys (``key_of``).
        state: the state being expanded or one of its successors, a row of numbers of any type.
        moves: int64, the moves of the state being expanded, which the game lists.
        entry_parent: int32, for each entry the closed state that is its parent; -1 for the root.
        entry_move: int32, for each entry the move from its parent; -1 for the root.
        closed_entry: int32, the entry of each closed state.
        closed_state: a row for each closed state.
    """

    registers: TreeRegisters
    table: np.ndarray
    heap: np.ndarray
    state: np.ndarray
    moves: np.ndarray
    entry_parent: np.ndarray
    entry_move: np.ndarray
    closed_entry: np.ndarray
    closed_state: np.ndarray


def new_tree(
    state: np.ndarray, key: int, second: int, most_moves: int, entries: int = 1 << 12
) -> Tree:
    """A tree whose only entry, 0, is the root, which is open.

    Args:
        state: the root, a row of numbers.
        key, second: its hash, two words of 64 bits.
        most_moves: an upper bound on the moves of a state, the length of ``moves``, beyond which a
            kernel must not write.
        entries: room at first, a power of two greater than ``most_moves``; ``enlarge_tree`` makes
            more.

    Raises:
        ValueError: if there is no room for the moves of a state.
    """
    if entries <= most_moves or entries & (entries - 1):
        raise ValueError(
            f"entries must be a power of two greater than most_moves ({most_moves}), got {entries}"
        )
    closed = max(entries // 4, 1)
    tree = Tree(
        registers=new_registers(TreeRegisters),
        table=np.zeros(4 * entries, np.uint64),
        heap=np.zeros(entries, np.int64),
        state=state.copy(),
        moves=np.zeros(most_moves, np.int64),
        entry_parent=np.full(entries, -1, np.int32),
        entry_move=np.full(entries, -1, np.int32),
        closed_entry=np.zeros(closed, np.int32),
        closed_state=np.zeros((closed, state.size), state.dtype),
    )
    tree.closed_state[0] = state
    tree.registers.generated = tree.registers.open = 1
    tree.heap[0] = key_of(0, 0)
    # A table of one key. So the kernel is loaded before the first search needs it.
    words = [(int(key) & _WORD) or 1, int(second) & _WORD]
    rehash_pairs(np.array(words, np.uint64), tree.table)
    return tree


def enlarge_tree(tree: Tree) -> Tree:
    """The same tree with larger arrays in place of those that are full."""
    return with_room(tree, ("heap",), ("closed_state",))


@kernel
def choose(tree: Tree, limit: int, pause: int) -> tuple[int, int]:
    """Take the open entry with the least score, and of several the latest, to expand it.

    ``tree.state`` is then its parent's state, on which the game makes ``entry_move`` (the root's
    own state for entry 0). After that, ``close`` must be called, once.

    Args:
        limit: how many states may be generated, the root included.
        pause: the number of closed states at which a slice ends; more than there are at its start,
            or the search makes no step and never ends.

    Returns:
        The entry and 0; or -1 and what ``advance`` returns to ``drive``: ``NODE_LIMIT``, ``GROW``,
        ``RUNNING``, or ``UNSOLVABLE`` if no state is open.
    """
    registers = tree.registers
    registers.limit = limit
    if registers.generated >= limit:
        return int64(-1), int64(NODE_LIMIT)
    if registers.open == 0:
        return int64(-1), int64(UNSOLVABLE)
    if is_full(tree):
        return int64(-1), int64(GROW)
    if registers.expanded >= pause:
        return int64(-1), int64(RUNNING)
    entry = entry_of(tree.heap[0])
    registers.open = pop_key(tree.heap, registers.open)
    _show(tree, max(int64(tree.entry_parent[entry]), 0))
    return entry, int64(0)


@kernel
def close(tree: Tree, entry: int) -> None:
    """Close the entry that ``choose`` returned. ``add`` then adds its successors.

    ``tree.state`` must be its state.

    Raises:
        ValueError: if there is no room, as several were closed after one ``choose``.
    """
    closed = tree.registers.expanded
    if closed >= tree.closed_entry.size:
        raise ValueError("jit.close takes what jit.choose returned, once")
    for i in range(tree.state.size):
        tree.closed_state[closed, i] = tree.state[i]
    tree.closed_entry[closed] = entry
    tree.registers.expanded += 1


@kernel
def add(tree: Tree, key: int, second: int, move: int) -> int:
    """Add a successor of the state closed last, unless it is known or the node limit is reached.

    It comes after ``choose`` and ``close``, for at most ``most_moves`` successors of a state.

    Args:
        key, second: its hash, whole numbers of 64 bits.
        move: the move that leads to it, 0 to 2^31 - 1.

    Returns:
        Its entry, which ``queue`` opens; or -1.

    Raises:
        ValueError: if the move is out of its range, or there is no room for so many successors.
    """
    if tree.registers.generated >= tree.registers.limit:
        return -1
    # A hash of signed words would never equal what the table holds.
    first, other = not_zero(uint64(key)), uint64(second)
    slot = find_pair(tree.table, first, other)
    if slot >= 0:
        return -1
    if tree.registers.generated >= tree.entry_parent.size:
        raise ValueError("jit.add takes at most the most_moves of jit.new_tree for each state")
    if not 0 <= move <= _MOST:
        raise ValueError("jit.add takes moves from 0 to 2^31 - 1")
    return enter(tree, slot, first, other, move)


@kernel
def queue(tree: Tree, entry: int, score: int) -> None:
    """Open an entry.

    Args:
        entry: what ``add`` returned, unless that was -1; an open one is not opened again.
        score: an int64 from -2^31 to 2^31 - 1, the less the better. A float does not compile;
            round the weights, not the score.

    Raises:
        ValueError: if the score is out of its range, there is no such entry, or more entries were
            opened than there are.
    """
    registers = tree.registers
    if not 0 <= entry < registers.generated or registers.open >= registers.generated:
        raise ValueError("jit.queue takes what jit.add returned, not -1, and each entry once")
    if not _LEAST <= score <= _MOST:
        raise ValueError("jit.queue takes scores from -2^31 to 2^31 - 1: scale the weights down")
    registers.open = push_key(tree.heap, registers.open, key_of(score, entry))


@kernel
def take_back(tree: Tree) -> None:
    """Set ``tree.state`` to the state closed last, after the game has made one of its moves.

    There must be a closed state.
    """
    _show(tree, tree.registers.expanded - 1)


@kernel
def _show(tree: Tree, closed: int) -> None:
    for i in range(tree.state.size):
        tree.state[i] = tree.closed_state[closed, i]


def path_to(tree: Tree, entry: int) -> list[int]:
    """The moves that lead from the root to an entry."""
    moves = []
    while entry > 0:
        moves.append(int(tree.entry_move[entry]))
        entry = int(tree.closed_entry[tree.entry_parent[entry]])
    return moves[::-1]
