"""The driver of the searches that grow a tree, and how their results are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from gafreecell.jit.slices import drive
from gafreecell.solving.outcome import Limits, Nodes, Status
from gafreecell.solving.parameters import Parameter, Value
from hsd.kernels.board import empty_board
from hsd.kernels.moves import ANY, AT_ONCE
from hsd.searches.kernels.linked import LinkedTree
from hsd.searches.kernels.tree import Tree, warm_up_tree
from hsd.searches.search import FreeCellSearch, Position, counts_runs

Work = TypeVar("Work", bound=tuple[Any, ...])


def supermoves(default: str) -> Parameter:
    """The parameter ``supermoves``."""
    return Parameter("supermoves", default, "whether runs move as a whole", choices=("yes", "no"))


def longest_run(values: Mapping[str, Value]) -> int:
    """The most cards that a move may take, as the parameters say: 1, ``ANY`` or ``AT_ONCE``."""
    if counts_runs(values):
        return AT_ONCE
    return ANY if values.get("supermoves") == "yes" else 1


class TreeSearch(FreeCellSearch, Generic[Work]):
    """A search whose arrays, ``Work``, hold a ``tree``, and perhaps its own ``registers``.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    slice_looks: ClassVar[int] = 20_000
    """Successors looked up in a slice, at most some twenty milliseconds."""

    def __init__(self, small: Work, enlarge: Callable[[Work], Work]) -> None:
        """Keep the small arrays with which every deal begins, and the function that enlarges them.

        Args:
            small: the arrays.
            enlarge: returns larger arrays in place of those that are full.
        """
        self._board = empty_board()
        self._small: Any = small
        self._enlarge = enlarge

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load the kernels that only large searches need."""
        warm_up_tree(self._small.tree)

    def _drive(
        self,
        advance: Callable[[Work, int], int],
        limits: Limits,
        started: float,
        first: Work | None = None,
    ) -> tuple[Status, Work]:
        """Run a search from its beginning.

        Args:
            advance: runs the kernel until the given number of successors were looked up.
            limits: what the search may spend.
            started: the thread's processor time when the search began.
            first: the arrays that the search begins with; the small ones by default.
        """
        work: Any = self._small if first is None else first
        tree: LinkedTree | Tree = work.tree
        tree.registers.generated = tree.registers.looked = 0

        def advance_slice(work: Any) -> int:
            tree: LinkedTree | Tree = work.tree
            return int(advance(work, int(tree.registers.looked) + self.slice_looks))

        return drive(work, advance_slice, self._enlarge, limits, started)


def path_in(tree: LinkedTree | Tree, status: Status) -> np.ndarray | None:
    """The moves of the solution that the search found (int64), None if it found none."""
    return tree.path[: tree.registers.length].copy() if status is Status.SOLVED else None


def nodes_in(tree: LinkedTree | Tree) -> Nodes:
    """The nodes of the search that grew this tree."""
    registers = tree.registers
    return Nodes(int(registers.expanded), int(registers.generated))
