"""The driver of A*: its name, its parameters and ``run``; the kernel is in ``kernels.a_star``."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from gafreecell.jit import clear
from gafreecell.jit.slices import drive
from gafreecell.solitaire.pyramid.goals import PARAMETERS, check_goal, read_goal
from gafreecell.solitaire.pyramid.kernels.a_star import (
    START,
    Work,
    advance,
    buckets_of,
    enlarge,
    new_work,
    rehash,
    unpack,
)
from gafreecell.solitaire.pyramid.kernels.states import Deal, new_deal, prepare
from gafreecell.solitaire.pyramid.position import Start
from gafreecell.solitaire.pyramid.steps import State, write_steps
from gafreecell.solving.outcome import Limits, Nodes, Status
from gafreecell.solving.parameters import Value
from gafreecell.solving.search import Found, GameSearch

SLICE_EXPANSIONS = 10_000
"""Nodes expanded in a slice, some ten milliseconds."""


class AStar(GameSearch[Start]):
    """The search ``a-star``; it is complete, and its solutions are shortest.

    One instance serves one thread and keeps its arrays from deal to deal.
    """

    name = "a-star"
    compiling = 8.0
    guided = False
    steady = frozenset({"nodes"})
    parameters = PARAMETERS

    def __init__(self) -> None:
        self._deal: Deal = new_deal()
        self._small: Work = new_work()

    def warm_up(self, position: Start, weights: np.ndarray) -> None:
        """Load the kernels that only large searches need."""
        table = self._small.table[:0]
        rehash(table, self._small.state[:0], table)

    @classmethod
    def check(cls, values: Mapping[str, Value]) -> None:
        check_goal(values)

    def run(
        self, position: Start, weights: np.ndarray, values: Mapping[str, Value], limits: Limits
    ) -> Found:
        """Search from a packed position (``pyramid.position``).

        The moves found are steps, encoded as in ``pyramid.steps``. See
        ``solving.search`` for the meaning of the arguments.
        """
        self.check(values)
        started = time.thread_time()
        goal = read_goal(values)
        prepare(self._deal, position.ranks)
        if self._small.buckets.size != buckets_of(goal):
            self._small = self._small._replace(buckets=np.zeros(buckets_of(goal), np.int32))
        clear(self._small.registers)

        def advance_slice(work: Work) -> int:
            pause = work.registers.expanded + SLICE_EXPANSIONS
            return advance(self._deal, goal, work, position, limits.nodes, pause)

        status, work = drive(self._small, advance_slice, enlarge, limits, started)
        moves = None
        if status is Status.SOLVED:
            start = State(position.shape, position.left, position.at, position.cycle)
            states = [start, *path_to(work, work.registers.current)]
            moves = np.array(write_steps(position.ranks.tolist(), states), np.int64)
        nodes = Nodes(int(work.registers.expanded), int(work.registers.generated))
        return Found(status, moves, nodes, time.thread_time() - started)


def path_to(work: Work, node: int) -> list[State]:
    """The states on the path to a node, without the start and with the node itself."""
    states: list[State] = []
    while node != START:
        shape, left, at, cycle, _ = map(int, unpack(work.state[node]))
        states.append(State(shape, left, at, cycle))
        node = work.parent[node]
    return states[::-1]
