"""The player ``best``: samples of the hidden cards, and the complete solver at the leaves of a tree."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from klondike import complete
from klondike.complete import TRIED
from klondike.hidden import foresight
from klondike.hidden.foresight import DRAWN, EDGES, NODES, PASSED, UNSEEN_CARDS, WON
from klondike.hidden.players import Clock, Player, Turn
from klondike.hidden.tree import enlarge, new_tree
from klondike.hidden.view import View
from klondike.playback import make_move, play_back, settle_table
from klondike.position import new_position, unpack
from klondike.states import SWAP, settled
from solving.outcome import LARGEST
from solving.parameters import Parameter, Value
from solving.runtime import STOP, kernel
from solving.slices import DRY, GROW, RUNNING, SOLVED

SLICE_WORLDS = 20
import os
STATES = int(os.environ.get('BEST_STATES', 1000))
"""States that the solver looks at in a sampled world,"""
LAST_STATES = 1_000_000
"""and when all cards are known."""
EXPLORATION = float(os.environ.get('BEST_C', 0.4))
DRAWS = int(os.environ.get('BEST_D', 4))
FINAL = os.environ.get('BEST_F', 'visits')


@kernel
def _write_move(position, state, move, written):
    """Write what it takes on the table to make a move; returns the end."""
    at = settle_table(position.deal, position.table, state, written, 0)
    return make_move(position.deal, position.table, move, written, at)


class Best(Player):
    name = "best"
    meaning = "a tree of sampled worlds with the complete solver at its leaves"
    parameters = (
        Parameter(
            "samples", 100, "worlds for each choice that can still be won", low=1, high=10**7
        ),
    )

    def __init__(self) -> None:
        self._mind = foresight.new_mind(STATES)
        self._tree = new_tree()
        self._last = new_position()
        self._work = complete.new_work()
        self._written = np.zeros(1 << 12, np.int64)
        self._clock = Clock(None)
        self._samples = 0

    def start(self, draws: np.ndarray, values: Mapping[str, Value], clock: Clock) -> None:
        self._mind.draws[:] = draws
        self._mind.registers[:] = 0
        self._clock = clock
        self._samples = int(values["samples"])

    def turn(self, view: View) -> Turn:
        mind = self._mind
        places = view.places
        mind.registers[UNSEEN_CARDS] = places.size
        mind.places[: places.size] = places
        mind.world[:] = view.packed
        mind.world[places] = view.unseen
        if places.size <= 1:
            return Turn(self._finish(), 0)
        many, state = foresight.look_round(mind)
        if many == 0:
            return Turn(np.zeros(0, np.int64), 0)
        move = mind.moves[many - 1]
        if many > 1:
            move = self._choose()
        unpack(mind.position, mind.world)
        end = _write_move(mind.position, state, move, self._written)
        mind.registers[PASSED] = mind.registers[PASSED] + 1 if move & 7 == SWAP else 0
        return Turn(self._written[:end].copy(), int(many > 1))

    def _choose(self) -> int:
        mind, tree = self._mind, self._tree
        mind.registers[DRAWN] = mind.registers[WON] = 0
        tree.registers[:] = 0
        tree.registers[NODES] = 1
        tree.visits[0] = 0
        tree.size[0] = -1
        samples, most = self._samples, DRAWS * self._samples
        code = RUNNING
        while code != DRY:
            STOP.check()
            pause = mind.registers[DRAWN] + SLICE_WORLDS
            code = foresight.ponder(mind, tree, samples, most, STATES, EXPLORATION, pause)
            if code == GROW:
                tree = self._tree = enlarge(tree)
        if tree.size[0] < 0:
            return int(mind.moves[foresight.look_round(mind)[0] - 1])
        edges = slice(int(tree.first[0]), int(tree.first[0] + tree.size[0]))
        runs, wins = tree.runs[edges], tree.wins[edges]
        if FINAL == 'visits':
            score = runs + wins / np.maximum(runs, 1)
        else:
            score = (wins + 1) / (runs + 2)
        return int(tree.action[edges][np.argmax(score)])

    def _finish(self) -> np.ndarray:
        """All the moves to the end where every card is known; none if it is lost."""
        deal, table = self._last
        root = np.uint64(unpack(self._last, self._mind.world))
        work = self._work
        work.registers[:] = 0
        code = RUNNING
        while code in (RUNNING, GROW):
            STOP.check()
            if code == GROW:
                work = self._work = complete.enlarge(work)
            pause = work.registers[TRIED] + complete.SLICE_TRIES
            code = complete.advance(deal, work, root, foresight.OPTIONS, LAST_STATES, pause)
        if code != SOLVED:
            return np.zeros(0, np.int64)
        depth = int(work.registers[complete.DEPTH])
        written = np.zeros(64 * (depth + 2), np.int64)
        return written[: play_back(deal, table, work.state, work.made, depth, written)]


_ = (EDGES, settled)
