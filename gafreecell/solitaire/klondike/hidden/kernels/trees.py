"""Search trees over actions and the cards that they turn up, in flat arrays that grow.

A node has *edges*, one for each action. An edge leads to a node. If its action turns cards up, it
leads to a linked list of *outcomes* instead, each with a node: the card, or several cards as one
number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, new_registers
from gafreecell.jit.slices import enlarged

LONGEST = 1000
"""The most edges on a path. Trajectories end there, but none has come near."""
MARGIN = LONGEST + 2
"""Free room for nodes and for outcomes that a tree must have before each step of its growth.

A trajectory of UCT adds at most a node for each state on its path. A determinization of ``best``
adds at most one for each move of the root, ``foresight.MOST_RACED`` at most.
"""
EDGE_MARGIN = 1 << 15
"""The same for edges. Edges that find no room are not stored."""


class TreeCounts(Registers):
    """How much of a tree's arrays is used.

    Attributes:
        nodes, edges, outcomes: how many are stored.
    """

    nodes: int
    edges: int
    outcomes: int


class Tree(NamedTuple):
    """The arrays of a tree.

    Attributes:
        counts: nodes, edges and outcomes stored; zero for a new tree.
        path: int64[1002], the edges from the root to the current node.
        won: int64, for each node whether the game is won there.
        visits: int64, for each node the trajectories through it.
        first, size, tried: int64, for each node the index of its first edge, the number of its
            edges (-1 until they are listed), and how many of them were tried; these come first.
        action: int64, for each edge its action.
        runs, wins: int64, for each edge the trajectories along it, and how many of them won.
        worth: float64, for each edge what its action is judged to be worth.
        child: int64, for each edge the node it leads to, or its first outcome if its action turns
            cards up; -1 for none.
        born: int64, for each edge the number of its outcomes.
        card, node, next: int64, for each outcome the card (or cards), the node and the next outcome
            of the same edge.
    """

    counts: TreeCounts
    path: np.ndarray
    won: np.ndarray
    visits: np.ndarray
    first: np.ndarray
    size: np.ndarray
    tried: np.ndarray
    action: np.ndarray
    runs: np.ndarray
    wins: np.ndarray
    worth: np.ndarray
    child: np.ndarray
    born: np.ndarray
    card: np.ndarray
    node: np.ndarray
    next: np.ndarray


NODE_ARRAYS = ("won", "visits", "first", "size", "tried")
EDGE_ARRAYS = ("action", "runs", "wins", "worth", "child", "born")
OUTCOME_ARRAYS = ("card", "node", "next")


def new_tree(nodes: int = 1 << 14, edges: int = 1 << 17, outcomes: int = 1 << 14) -> Tree:
    """Arrays with room for these numbers of nodes, edges and outcomes; they grow with the tree."""
    lengths = {"path": MARGIN} | dict.fromkeys(NODE_ARRAYS, nodes)
    lengths |= dict.fromkeys(EDGE_ARRAYS, edges) | dict.fromkeys(OUTCOME_ARRAYS, outcomes)
    arrays = {
        name: np.zeros(length, np.float64 if name == "worth" else np.int64)
        for name, length in lengths.items()
    }
    return Tree(counts=new_registers(TreeCounts), **arrays)


def enlarge(tree: Tree) -> Tree:
    """The same tree with larger arrays in place of those that are full."""
    counts = tree.counts
    if counts.nodes + MARGIN > tree.won.size:
        tree = enlarged(tree, *NODE_ARRAYS)
    if counts.edges + EDGE_MARGIN > tree.action.size:
        tree = enlarged(tree, *EDGE_ARRAYS)
    if counts.outcomes + MARGIN > tree.card.size:
        tree = enlarged(tree, *OUTCOME_ARRAYS)
    return tree


@kernel
def is_full(tree: Tree) -> bool:
    """Whether an array must be enlarged before the tree grows."""
    counts = tree.counts
    return (
        counts.nodes + MARGIN > tree.won.size
        or counts.edges + EDGE_MARGIN > tree.action.size
        or counts.outcomes + MARGIN > tree.card.size
    )


@kernel
def wipe(tree: Tree) -> None:
    """Begin a new tree."""
    tree.counts.nodes = 0
    tree.counts.edges = 0
    tree.counts.outcomes = 0


@kernel
def add_node(tree: Tree) -> int:
    """Store a node whose edges are not listed yet."""
    node = tree.counts.nodes
    tree.counts.nodes = node + 1
    tree.won[node] = 0
    tree.visits[node] = 0
    tree.size[node] = -1
    return node


@kernel
def add_edges(tree: Tree, node: int, many: int) -> int:
    """Store the edges of a node, for which there must be room; returns the first.

    The caller writes their actions.
    """
    first = tree.counts.edges
    tree.counts.edges = first + many
    tree.first[node] = first
    tree.size[node] = many
    tree.tried[node] = 0
    for edge in range(first, first + many):
        tree.runs[edge] = 0
        tree.wins[edge] = 0
        tree.worth[edge] = 0.0
        tree.child[edge] = -1
        tree.born[edge] = 0
    return first


@kernel
def outcome_of(tree: Tree, edge: int, card: int) -> int:
    """The outcome of an edge that turns this card (or these cards) up, -1 if it is not stored."""
    outcome = int64(tree.child[edge])
    while outcome >= 0 and tree.card[outcome] != card:
        outcome = tree.next[outcome]
    return outcome


@kernel
def add_outcome(tree: Tree, edge: int, card: int, node: int) -> None:
    """Store an outcome of an edge, ahead of its other outcomes."""
    outcome = tree.counts.outcomes
    tree.counts.outcomes = outcome + 1
    tree.card[outcome] = card
    tree.node[outcome] = node
    tree.next[outcome] = tree.child[edge]
    tree.child[edge] = outcome
    tree.born[edge] += 1


@kernel
def reward(tree: Tree, depth: int, won: int) -> None:
    """Count a trajectory along the first ``depth`` edges of the path, and whether it won."""
    for k in range(depth):
        tree.runs[tree.path[k]] += 1
        tree.wins[tree.path[k]] += won
