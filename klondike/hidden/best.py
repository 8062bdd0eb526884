"""The player ``best``: samples of the hidden cards, the complete solver at the leaves of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np

from klondike import complete
from klondike.complete import TRIED
from klondike.hidden import foresight
from klondike.hidden.foresight import DRAWN, PASSED, UNSEEN_CARDS, WON
from klondike.hidden.players import Clock, Player, Turn
from klondike.hidden.tree import enlarge, new_tree
from klondike.hidden.view import UNSEEN, View
from klondike.moves import DRAW, REDEAL, token
from klondike.order import ORDER, order_weights
from klondike.packed import CARDS, TALON, WASTE
from klondike.playback import make_move, play_back, settle_table
from klondike.position import new_position, unpack
from klondike.presets import preset
from klondike.states import CARD_SHIFT, SWAP, TALON_DOWN, TALON_HOME
from solving.outcome import LARGEST, Evaluator
from solving.parameters import Parameter, Value
from solving.playing import Alternative
from solving.runtime import STOP, kernel
from solving.slices import EXHAUSTED, GROW, RUNNING, SOLVED
from solving.transposition import rehash

STATES = 1_000
"""States that the solver looks at in a sampled world,"""
LAST_STATES = 1_000_000
"""and where all cards are known."""
MOST = 1_000_000
"""Samples for a choice: the tree then takes some 400 MB."""
EXPLORATION = 0.25
"""The constant of the confidence bounds; from 0.15 to 0.4 it makes no difference that was seen."""
HOPELESS = 4
"""Worlds drawn, at most, for each that can be won."""
SLICE_WORLDS = 20
"""Worlds drawn in a slice, some ten milliseconds."""
_Z = 2.5758
"""Standard deviations of a 99 % interval."""


@kernel
def _write_move(position, state, move, written):
    """Write what it takes on the table to make a move; returns the end."""
    at = settle_table(position.deal, position.table, state, written, 0)
    return make_move(position.deal, position.table, move, written, at)


class Best(Player):
    name = "best"
    meaning = "a tree of sampled worlds, with the complete solver at its leaves"
    parameters = (
        Parameter(
            "samples", 1000, "moves followed in worlds drawn, for each choice", low=1, high=MOST
        ),
    )
    budget = "samples"
    search = complete.Complete.name

    def __init__(self) -> None:
        self._mind = foresight.new_mind(STATES)
        self._tree = new_tree()
        self._last = new_position()
        self._work = complete.new_work()
        self._written = np.zeros(1 << 12, np.int64)
        self._clock = Clock(None)
        self._samples = 0
        self.weigh(None)

    def weigh(self, evaluator: Evaluator | None) -> None:
        evaluator = evaluator or preset(self.search).evaluator
        assert evaluator is not None
        given = dict(zip(evaluator.features, evaluator.weights, strict=True))
        weights = np.array([given.get(feature.name, 0.0) for feature in ORDER])
        self._mind.work.order[:] = order_weights(weights)

    def warm_up(self) -> None:
        """Load what hints need, and long searches at the end of a game."""
        mind, nothing, table = self._mind, np.zeros(0, np.int64), self._work.table[:0]
        foresight.try_all(mind, nothing, nothing.size, 0, nothing, STATES)
        rehash(table, table)

    def start(self, draws: np.ndarray, values: Mapping[str, Value], clock: Clock) -> None:
        self._mind.draws[:] = draws
        self._mind.registers[:] = 0
        self._clock = clock
        self._samples = int(values["samples"])

    def turn(self, view: View) -> Turn:
        self._see(view)
        if view.unseen.size <= 1:
            return Turn(self._finish(LAST_STATES), 0)
        mind = self._mind
        many, _ = foresight.look_round(mind)
        if many == 0:
            return Turn(np.zeros(0, np.int64), 0)
        move = int(mind.moves[many - 1])
        if many > 1:
            # About a choice and a half more for each card that is still face down.
            edge = self._choose(1 / (1.5 * view.unseen.size + 1))
            move = int(self._tree.action[edge])
        written = self._written_move(move)
        mind.registers[PASSED] = mind.registers[PASSED] + 1 if move & 7 == SWAP else 0
        return Turn(written, int(many > 1))

    def advise(self, view: View) -> list[Alternative]:
        """What each move is worth, the best first; the game is lost where there is none.

        Args:
            view: what is seen; cards of the talon may be unknown, too.
        """
        if view.won:
            return [Alternative((), 1.0, 1.0, 1.0, 1)]
        self._see(view)
        if view.unseen.size <= 1:
            # That a game is lost is not said for want of states.
            moves = self._finish(LARGEST)
            return [Alternative(_tokens(moves), 1.0, 1.0, 1.0, 1)] if moves.size else []
        mind = self._mind
        many, _ = foresight.look_round(mind)
        moves = mind.moves[:many][::-1].copy()
        talon = view.packed[CARDS + view.packed[:7].sum() :][: view.packed[TALON]]
        if UNSEEN in talon:
            self._clock.share(1)
            return self._try(view, moves)
        if many == 0:
            return []
        best = self._choose(1)
        tree, drawn = self._tree, int(mind.registers[DRAWN])
        won = (mind.registers[WON] + 1) / (drawn + 2)
        found = []
        for edge in range(many):
            runs, move = int(tree.runs[edge]), int(tree.action[edge])
            kept = (tree.wins[edge] + 1) / (runs + 2)
            # The error of a product of two shares.
            error = sqrt(
                kept**2 * won * (1 - won) / (drawn + 2) + won**2 * kept * (1 - kept) / (runs + 2)
            )
            found.append((edge != best, -kept, self._alternative(move, won * kept, error, runs)))
        return [alternative for _, _, alternative in sorted(found, key=lambda row: row[:2])]

    def _try(self, view: View, moves: np.ndarray) -> list[Alternative]:
        """Rate moves where cards of the talon are unknown: all worlds for all of them alike.

        Nobody could choose to play a card that is not seen yet; in its place there is the draw
        itself. Draws cost nothing and tell something, so of equals a draw is the best.
        """
        mind = self._mind
        unseen = set(view.unseen.tolist())
        talon = TALON_DOWN, TALON_HOME
        moves = np.array(
            [-1] + [m for m in moves if m & 7 not in talon or m >> CARD_SHIFT & 63 not in unseen]
        )
        count, waste = int(view.packed[TALON]), int(view.packed[WASTE])
        drawn = min(waste + 3, count) if waste < count else 0
        won = np.zeros(moves.size, np.int64)
        taken = 0
        while taken < (LARGEST if self._clock.runs else self._samples):
            STOP.check()
            foresight.try_all(mind, moves, moves.size, drawn, won, STATES)
            taken += 1
            if self._clock.is_up:
                break
        found = []
        for i, move in enumerate(moves.tolist()):
            share = (won[i] + 1) / (taken + 2)
            error = sqrt(share * (1 - share) / (taken + 2))
            found.append((-share, i, self._alternative(move, share, error, taken, waste < count)))
        return [alternative for _, _, alternative in sorted(found, key=lambda row: row[:2])]

    def _alternative(
        self, move: int, chance: float, error: float, samples: int, draw: bool = True
    ) -> Alternative:
        written = self._written_move(move) if move >= 0 else [DRAW if draw else REDEAL]
        low, high = max(0.0, chance - _Z * error), min(1.0, chance + _Z * error)
        return Alternative(_tokens(written), chance, low, high, samples)

    def _see(self, view: View) -> None:
        """Take in what is seen now."""
        mind, places = self._mind, view.places
        mind.registers[UNSEEN_CARDS] = places.size
        mind.places[: places.size] = places
        mind.world[:] = view.packed
        mind.world[places] = view.unseen

    def _written_move(self, move: int) -> np.ndarray:
        """What it takes on the table to make a move of what is seen."""
        mind = self._mind
        _, state = foresight.look_round(mind)
        unpack(mind.position, mind.world)
        return self._written[: _write_move(mind.position, state, move, self._written)].copy()

    def _choose(self, part: float) -> int:
        """The edge of the root's best move: half of those in question are dropped in each round.

        (Sequential halving; Karnin, Koren and Somekh 2013.) Each round has as many samples as the
        others, so the last two moves get most worlds.

        Args:
            part: what this choice may take of the time that is left, with a clock.
        """
        tree = self._tree
        edges = np.arange(foresight.plant(self._mind, tree))
        rounds = max(1, (edges.size - 1).bit_length())
        for left in range(rounds, 0, -1):
            self._clock.share(part / left)
            self._ponder(edges, max(1, self._samples // (rounds * edges.size)))
            tree = self._tree
            wins = tree.wins[edges] / np.maximum(tree.runs[edges], 1)
            edges = np.sort(edges[np.argsort(-wins, kind="stable")[: (edges.size + 1) // 2]])
        return int(edges[0])

    def _ponder(self, edges: np.ndarray, worlds: int) -> None:
        """Follow these moves in so many more worlds, or for their share of the time."""
        registers = self._mind.registers
        worlds, most = registers[WON] + worlds, registers[DRAWN] + HOPELESS * worlds
        if self._clock.runs:
            worlds = most = MOST // edges.size
        code = RUNNING
        while code != EXHAUSTED:
            STOP.check()
            pause = registers[DRAWN] + SLICE_WORLDS
            code = foresight.ponder(
                self._mind, self._tree, edges, edges.size, worlds, most, STATES, EXPLORATION, pause
            )
            if code == GROW:
                self._tree = enlarge(self._tree)
            if self._clock.is_up:
                break

    def _finish(self, states: int) -> np.ndarray:
        """All the moves to the end where every card is known; none if there is no way to it.

        Args:
            states: that may be looked at before it is taken for lost.
        """
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
            code = complete.advance(deal, work, root, foresight.OPTIONS, states, pause)
        if code != SOLVED:
            return np.zeros(0, np.int64)
        depth = int(work.registers[complete.DEPTH])
        written = np.zeros(64 * (depth + 2), np.int64)
        return written[: play_back(deal, table, work.state, work.made, depth, written)]


def _tokens(moves: np.ndarray | list[int]) -> tuple[str, ...]:
    return tuple(map(token, map(int, moves)))
