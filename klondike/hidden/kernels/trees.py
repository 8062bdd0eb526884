"""Trees of actions and what they turn up, in flat arrays that grow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jit.slices import enlarged
from klondike.hidden.kernels.seat import MOST_STEPS

# Registers: nodes, edges and outcomes stored, trajectories made.
NODES, EDGES, OUTCOMES, TRAJECTORIES = range(4)
MARGIN = MOST_STEPS + 2
EDGE_MARGIN = 1 << 15


class Tree(NamedTuple):
    """The arrays of a tree.

    Attributes:
        registers: int64[4], zero for a new tree.
        path: int64[1002], the edges of the current trajectory.
        won: int64, for each node whether the greedy search wins there.
        visits: int64, trajectories through a node.
        first, size, tried: int64, the index of its first edge, how many there are, and how many of
            them were tried; these come first.
        action: int64, of an edge.
        runs, wins: int64, trajectories along it, and those of them that won.
        child: int64, the node it leads to, or its first outcome if it turns a card up; -1 for none.
        born: int64, how many outcomes it has.
        card, node, next: int64, of an outcome the card, the node and the next outcome.
    """

    registers: np.ndarray
    path: np.ndarray
    won: np.ndarray
    visits: np.ndarray
    first: np.ndarray
    size: np.ndarray
    tried: np.ndarray
    action: np.ndarray
    runs: np.ndarray
    wins: np.ndarray
    child: np.ndarray
    born: np.ndarray
    card: np.ndarray
    node: np.ndarray
    next: np.ndarray


_NODE = ("won", "visits", "first", "size", "tried")
_EDGE = ("action", "runs", "wins", "child", "born")
_OUTCOME = ("card", "node", "next")


def new_tree() -> Tree:
    """Small arrays, which grow as a tree needs."""
    lengths = {"registers": 4, "path": MARGIN}
    lengths |= dict.fromkeys(_NODE + _OUTCOME, 1 << 14) | dict.fromkeys(_EDGE, 1 << 17)
    return Tree(**{name: np.zeros(length, np.int64) for name, length in lengths.items()})


def enlarge(tree: Tree) -> Tree:
    """The same tree with larger arrays in place of those that are full."""
    nodes, edges, outcomes, _ = tree.registers
    if nodes + MARGIN > tree.won.size:
        tree = enlarged(tree, *_NODE)
    if edges + EDGE_MARGIN > tree.action.size:
        tree = enlarged(tree, *_EDGE)
    if outcomes + MARGIN > tree.card.size:
        tree = enlarged(tree, *_OUTCOME)
    return tree
