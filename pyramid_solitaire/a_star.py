"""The search as solvers call it: a name, its parameters, and ``run``."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from jit.slices import drive
from pyramid_solitaire.goals import PARAMETERS, TOP, check_goal, goal_array
from pyramid_solitaire.kernels.a_star import (
    CURRENT,
    EXPANDED,
    GENERATED,
    SLICE_EXPANSIONS,
    Work,
    advance,
    enlarge,
    new_work,
    path_to,
    rehash,
)
from pyramid_solitaire.kernels.bounds import LEVEL
from pyramid_solitaire.kernels.states import Deal, new_deal, prepare
from pyramid_solitaire.position import PLACES
from pyramid_solitaire.steps import write_steps
from solving.outcome import Limits, Nodes, Status
from solving.parameters import Value
from solving.search import Found, GameSearch


class AStar(GameSearch[np.ndarray]):
    """The search ``a-star``; it is complete, and its solutions are shortest.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "a-star"
    guided = False
    parameters = PARAMETERS

    def __init__(self) -> None:
        self._deal: Deal = new_deal()
        self._small: Work = new_work()

    def warm_up(self, position: np.ndarray, weights: np.ndarray) -> None:
        """Load what only large searches need."""
        table = self._small.table[:0]
        rehash(table, self._small.state[:0], table)

    @classmethod
    def check(cls, values: Mapping[str, Value]) -> None:
        check_goal(values)

    def run(
        self, position: np.ndarray, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a packed position (``pyramid_solitaire.position``).

        Its moves are steps as ``pyramid_solitaire.steps`` has them; see ``solving.search``.
        """
        self.check(values)
        started = time.thread_time()
        goal = goal_array(values)
        ranks, start = position[:PLACES], position[PLACES:]
        prepare(self._deal, ranks)
        buckets = (int(goal[TOP]) + 1) << LEVEL
        if self._small.buckets.size != buckets:
            self._small = self._small._replace(buckets=np.zeros(buckets, np.int32))
        self._small.registers[:] = 0

        def advance_slice(work: Work) -> int:
            pause = work.registers[EXPANDED] + SLICE_EXPANSIONS
            return int(advance(self._deal, goal, work, start, limits.nodes, pause))

        status, work = drive(self._small, advance_slice, enlarge, limits, started)
        moves = None
        if status is Status.SOLVED:
            states = [tuple(start.tolist()), *path_to(work, int(work.registers[CURRENT]))]
            moves = np.array(write_steps(ranks.tolist(), states), np.int64)
        nodes = Nodes(int(work.registers[EXPANDED]), int(work.registers[GENERATED]))
        return Found(status, moves, nodes, time.thread_time() - started)
