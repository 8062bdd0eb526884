"""What the searches of this package have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from deals.microsoft import shuffled_deck
from gafreecell.solving.outcome import Limits
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.policy import Policy
from gafreecell.solving.search import Found, GameSearch
from hsd.kernels.board import Board
from hsd.kernels.moves import ANY, AT_ONCE
from hsd.kernels.packed import pack_cascades
from hsd.kernels.policy import Rules, rules_of
from hsd.kernels.replay import Root
from hsd.kernels.shorten import shorten
from hsd.notation import UNITS, lengths_of_runs

SHORTEN = Parameter(
    "shorten", "yes", "whether redundant moves of a solution are dropped", choices=("yes", "no")
)

BESIDE = ("hsd.kernels.shorten", "hsd.kernels.verifier")
"""Modules with kernels that only solutions need."""
UNIT = Parameter(
    "unit",
    "single",
    "the moves to save: of single cards; or as printed, without home moves (manual) or with them "
    "(column), where a run counts one move, whatever supermoves says",
    choices=UNITS,
)
AUTOMATIC = Parameter("automatic", "safe", "home moves that are forced", choices=("safe", "none"))


class Position(NamedTuple):
    """A position as searches take it.

    Attributes:
        board: uint64[16], as ``hsd.kernels.packed.pack_board`` makes it; None for a deal number.
        cascades, cells: the game's size.
        number: the deal number if there is no board.
    """

    board: np.ndarray | None
    cascades: int
    cells: int
    number: int = 0

    @property
    def packed(self) -> np.ndarray:
        """The packed board (uint64[16])."""
        return _packed_deal(self.number, self.cascades) if self.board is None else self.board

    def root(self, values: Mapping[str, Value]) -> Root:
        """Where a search with these parameters starts."""
        automatic = values[AUTOMATIC.name] == "safe"
        return Root(self.packed, self.cascades, self.cells, automatic)


@lru_cache(maxsize=50_000)
def _packed_deal(number: int, cascades: int) -> np.ndarray:
    deck = shuffled_deck(number)
    return pack_cascades([deck[i::cascades] for i in range(cascades)])


def counts_runs(values: Mapping[str, Value]) -> bool:
    """Whether a run counts one move; the units column and manual differ by home moves only."""
    return values.get(UNIT.name, "single") != "single"


def bound_in(values: Mapping[str, Value], not_home: int, others: int) -> int:
    """A lower bound on a solution's length in the unit that the parameters say.

    Args:
        not_home: cards not home at first.
        others: a lower bound on the moves that are not home moves.
    """
    return int(others) if values[UNIT.name] == "manual" else int(not_home + others)


def lengths_in(
    values: Mapping[str, Value], moves: np.ndarray | None, root: Root
) -> dict[str, int] | None:
    """A solution's lengths if a run counts one move; None if its moves tell them, or without it."""
    if moves is None or not counts_runs(values):
        return None
    return lengths_of_runs(moves, str(values[UNIT.name]), root.cascades, root.cells)


FreeCellSearch = GameSearch[Position]


class RulesSearch(FreeCellSearch):
    """A search whose kernel takes a policy's rules, or None, besides the weights."""

    def run(
        self, position: Position, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a position; see ``solving.search`` for the meaning of the arguments."""
        return self._search(position, weights, None, values, limits)

    def run_policy(
        self, position: Position, policy: Policy, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Like ``run``, with a policy of rules."""
        self.check_rules()
        return self._search(position, policy.default, rules_of(policy), values, limits)

    @abstractmethod
    def _search(
        self,
        position: Position,
        weights: np.ndarray,
        rules: Rules | None,
        values: Mapping[str, Value],
        limits: Limits,
    ) -> Found:
        """Search with these weights; with ``rules`` they are those of the policy's default."""


def shortened(
    moves: np.ndarray, board: Board, root: Root, values: Mapping[str, Value]
) -> np.ndarray:
    """The moves of a solution, without redundant ones if ``SHORTEN`` says so.

    Args:
        moves: int64, all of them; overwritten.
        board: scratch.
        root: where the search started.
        values: its parameters.
    """
    if values[SHORTEN.name] == "no":
        return moves
    scratch = np.empty((4, moves.size), np.int64)
    longest = AT_ONCE if counts_runs(values) else ANY
    return moves[: shorten(board, root, longest, moves, *scratch)]
