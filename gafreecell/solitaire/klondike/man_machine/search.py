"""The search ``man-machine``: iterated rollouts of the strategy of 2005."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from deals.klondike_rules import DRAW, UNLIMITED
from gafreecell.jit import clear, new_registers
from gafreecell.jit.kernels.transposition import rehash_values
from gafreecell.jit.slices import drive
from gafreecell.solitaire.klondike.man_machine.kernels.block_game import (
    TABLE_BITS,
    empty_block_game,
)
from gafreecell.solitaire.klondike.man_machine.kernels.search import (
    Work,
    advance,
    enlarge,
    new_work,
)
from gafreecell.solitaire.klondike.man_machine.kernels.strategy import Readings
from gafreecell.solitaire.klondike.packed import DRAW_AT, REDEALS_AT, Position, packed_position
from gafreecell.solitaire.klondike.packed import UNLIMITED as NO_LIMIT
from gafreecell.solving.outcome import Limits, Nodes, Status
from gafreecell.solving.parameters import Parameter, ParameterError, Value
from gafreecell.solving.search import Found, GameSearch

SLICE_STATES = 50_000
"""States generated in a slice, which takes about ten milliseconds."""
_WORDS = {
    "queens": ("suit", "colour", "other-colour"),
    "ties": ("first", "last", "chance"),
    "avoid": ("nowhere", "game", "everywhere"),
    "first": ("points", "priority"),
}
_OUTWEIGHS = 64
"""More than the largest difference of points or priorities."""


class ManMachine(GameSearch[Position]):
    """The search ``man-machine``: iterated rollouts of the strategy of 2005.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "man-machine"
    compiling = 8.0
    guided = False
    parameters = (
        Parameter("nesting", 1, "how often the strategy is replaced by its rollout", 0, 5),
        Parameter("first", "points", "what ranks moves first", choices=_WORDS["first"]),
        Parameter("waste-home", 10, "points of a move from the waste home", 0, 10),
        Parameter("piles", 5, "points of a move between piles", 0, 10),
        Parameter(
            "queens",
            "suit",
            "a king's matching queens: its suit's, its colour's, or the other colour's",
            choices=_WORDS["queens"],
        ),
        Parameter("ties", "first", "which of equal moves is made", choices=_WORDS["ties"]),
        Parameter(
            "avoid",
            "game",
            "where states already passed are avoided; elsewhere they end the game",
            choices=_WORDS["avoid"],
        ),
        Parameter("seed", 0, "the seed of all random choices", 0, 2**62),
    )

    def __init__(self) -> None:
        self._game = empty_block_game()
        self._work = new_work()
        self._readings = new_registers(Readings)
        self._read: Mapping[str, Value] = {}

    def warm_up(self, position: Position, weights: np.ndarray) -> None:
        """Load what only large searches need."""
        table, nestings = self._work.table[:0], self._work.table_nestings[:0]
        rehash_values(table, nestings, table, nestings)

    def run(
        self, position: Position, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Play from a position (``klondike.packed``); a state entered is a node.

        Raises:
            ParameterError: if the position's rules are others than those of 2005.
        """
        packed = packed_position(position)
        _check_rules(packed)
        started = time.thread_time()
        readings, nesting = self._readings, int(values["nesting"])
        if values != self._read:
            read(values, readings)
            self._read = dict(values)
        clear(self._work.registers)

        def advance_slice(work: Work) -> int:
            pause = work.registers.generated + SLICE_STATES
            return advance(self._game, work, readings, nesting, packed, limits.nodes, pause)

        status, work = drive(self._work, advance_slice, enlarge, limits, started)
        moves = None
        if status is Status.SOLVED:
            moves = work.trail[: work.registers.trail] & TABLE_BITS
        nodes = Nodes(int(work.registers.expanded), int(work.registers.generated))
        return Found(status, moves, nodes, time.thread_time() - started)


def _check_rules(packed: np.ndarray) -> None:
    """Refuse rules that the strategy of 2005 does not play by."""
    draw, redeals = packed[[DRAW_AT, REDEALS_AT]].tolist()
    if (draw, redeals) != (DRAW, NO_LIMIT):
        left = UNLIMITED if redeals == NO_LIMIT else redeals
        raise ParameterError(
            f"the search man-machine plays draw={DRAW} redeals={UNLIMITED} only, got draw={draw} "
            f"redeals={left}: take another search or preset"
        )


def read(values: Mapping[str, Value], readings: Readings) -> None:
    """Set the readings (``klondike.man_machine.kernels.strategy``) from the parameters."""
    points_first = values["first"] == "points"
    readings.points, readings.priority = (_OUTWEIGHS, 1) if points_first else (1, _OUTWEIGHS)
    readings.waste_home, readings.piles = int(values["waste-home"]), int(values["piles"])
    readings.queens, readings.ties, readings.avoid = (
        _WORDS[name].index(str(values[name])) for name in ("queens", "ties", "avoid")
    )
    readings.seed = int(values["seed"])
