"""Nodes of linked trees as boards, for tests."""

from __future__ import annotations

from typing import Any

from positions import root_of

from deals import FreeCellBoard
from hsd.kernels.board import empty_board
from hsd.kernels.deadlock import NO_CUTOFF, Graph
from hsd.kernels.linked_columns import INFO, beneath, card_of
from hsd.kernels.replay import Root
from hsd.searches.kernels.bounds import node_bound
from hsd.searches.kernels.linked import (
    NODE,
    OTHERS,
    cell_of,
    column_at,
    homes_of,
    new_linked,
    set_root,
)


def rooted(root: Root) -> Any:
    """A tree whose first node is this position, closed; the next one is scratch."""
    tree = new_linked(64, 256)
    set_root(empty_board(), tree, root)
    tree.registers.expanded = 1
    return tree


def bound_of(
    board: FreeCellBoard, graph: Graph, cutoff: int = NO_CUTOFF, at_once: bool = False
) -> int:
    """The deadlock bound of a position; its two sets are left in the graph."""
    root = root_of(board)
    return int(node_bound(rooted(root), 0, root, graph, at_once, cutoff))


def board_of(tree: Any, node: int, cascades: int, cells: int) -> FreeCellBoard:
    """The position of a node."""
    columns = []
    for c in range(cascades):
        column: list[int] = []
        at = int(column_at(tree, node, c))
        while at:
            column.insert(0, int(card_of(tree.records[at + INFO])))
            at = int(beneath(tree.records, at))
        columns.append(tuple(column))
    others, homes = int(tree.nodes[NODE * node + OTHERS]), int(homes_of(tree, node))
    held = [int(cell_of(others, i)) for i in range(cells)]
    return FreeCellBoard(
        tuple(columns),
        tuple(card for card in held if card),
        tuple((homes >> (4 * s)) & 15 for s in range(4)),
        cells,
    )
