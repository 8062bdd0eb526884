"""The search ``rollouts``: multistage nested rollouts."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from gafreecell.jit import clear
from gafreecell.jit.slices import drive
from gafreecell.solitaire.klondike.kernels.board import empty_board
from gafreecell.solitaire.klondike.packed import Position, packed_position
from gafreecell.solitaire.klondike.rollouts.kernels.search import Work, advance, enlarge, new_work
from gafreecell.solitaire.klondike.rollouts.kernels.values import Values, new_values
from gafreecell.solitaire.klondike.rollouts.table_moves import table_moves
from gafreecell.solitaire.klondike.rollouts.values import NAMES, set_weights, weights_of_stages
from gafreecell.solitaire.klondike.shorten import SHORTEN, load_kernels, shortened
from gafreecell.solving.outcome import Limits, Nodes, Status
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.search import Found, GameSearch

SLICE_STATES = 30_000
"""States generated in a slice, which takes about ten milliseconds."""


class Rollouts(GameSearch[Position]):
    """The search ``rollouts``: multistage nested rollouts.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "rollouts"
    compiling = 22.0
    guided = True
    weighs = frozenset(NAMES)
    parameters = (
        Parameter(
            "nesting",
            "3,1",
            "levels of nesting, a stage each: of H1, H2 and so on to H8; a single number is H2's",
            pattern=r"[0-9](,[0-9]){0,7}",
        ),
        SHORTEN,
    )

    def __init__(self) -> None:
        self._board = empty_board()
        self._kept: dict[tuple[int, ...], tuple[Work, Values]] = {}

    def _arrays(self, levels: tuple[int, ...]) -> tuple[Work, Values]:
        if levels not in self._kept:
            self._kept = {levels: (new_work(levels), new_values(len(levels)))}
        return self._kept[levels]

    def run(
        self, position: Position, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a position (``klondike.packed``); a state entered is a node."""
        packed = packed_position(position)
        if values["shorten"]:
            load_kernels(packed)
        started = time.thread_time()
        levels = tuple(int(level) for level in str(values["nesting"]).split(","))
        small, tables = self._arrays(levels)
        clear(small.registers)
        set_weights(tables, weights_of_stages(weights, len(levels)))

        def advance_slice(work: Work) -> int:
            pause = work.registers.generated + SLICE_STATES
            return advance(self._board, work, tables, packed, limits.nodes, pause)

        status, work = drive(small, advance_slice, enlarge, limits, started)
        moves = None
        if status is Status.SOLVED:
            moves = table_moves(packed, work.trail[: work.registers.trail])
            moves = shortened(packed, moves, int(values["shorten"]), limits, started)
        nodes = Nodes(int(work.registers.expanded), int(work.registers.generated))
        return Found(status, moves, nodes, time.thread_time() - started)
