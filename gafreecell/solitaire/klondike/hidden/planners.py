"""The players of Bjarnason, Fern and Tadepalli (2009), on the actions of 2007 (K+).

While nobody has seen the stock, a draw is an action of its own, the last in the greedy order. All
of them try a greedy search for the goal as soon as nothing is unseen. Hindsight
optimization (HOP) draws new determinizations for each action and counts how many of them the
nested rollouts of 2007 win after it. The rollouts use H2; their level is a parameter. The other
planners grow trees (``klondike.hidden.kernels.uct``): N trees of T trajectories each, whose values
at the root are averaged. Among equal actions they choose the first in the greedy order.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import ClassVar

import numpy as np

from gafreecell.jit import clear, new_registers
from gafreecell.jit.slices import EXHAUSTED, GROW, RUNNING, SOLVED
from gafreecell.solitaire.klondike.hidden.kernels import hop, trees, uct
from gafreecell.solitaire.klondike.hidden.kernels.seat import (
    WON_END,
    Seat,
    close_turn,
    new_seat,
    open_turn,
    play_turn,
)
from gafreecell.solitaire.klondike.hidden.players import Adviser, Clock, Player, Turn
from gafreecell.solitaire.klondike.hidden.view import View
from gafreecell.solitaire.klondike.moves import token
from gafreecell.solitaire.klondike.packed import PACKED
from gafreecell.solitaire.klondike.rollouts.kernels import search as rollouts
from gafreecell.solitaire.klondike.rollouts.kernels.values import new_values
from gafreecell.solitaire.klondike.rollouts.search import SLICE_STATES
from gafreecell.solitaire.klondike.rollouts.table_moves import table_moves
from gafreecell.solitaire.klondike.rollouts.values import PUBLISHED, set_weights, weights_of_stages
from gafreecell.solving import stopping
from gafreecell.solving.outcome import LARGEST
from gafreecell.solving.parameters import Parameter, ParameterError, Value
from gafreecell.solving.playing import Alternative

SLICE_TRAJECTORIES = 100
"""Trajectories in a slice, which takes some ten milliseconds."""


def sit(seat: Seat, draws: np.ndarray) -> None:
    """Begin a game with these random numbers."""
    clear(seat.registers)
    seat.draws[:] = draws


def show(seat: Seat, view: View) -> None:
    """Take in a view."""
    places = view.places
    seat.registers.unseen = places.size
    seat.places[: places.size] = places
    seat.determinization[:] = view.packed
    # The unseen cards start in a fixed order: no random number is drawn before it is needed.
    seat.determinization[places] = view.unseen


class _Seated(Player):
    """A player of K+."""

    def __init__(self) -> None:
        self._seat = new_seat()
        self._clock = Clock(None)

    def start(self, draws: np.ndarray, values: Mapping[str, Value], clock: Clock) -> None:
        sit(self._seat, draws)
        self._clock = clock


class _Reactive(_Seated):
    """A player that chooses without planning."""

    at_random: bool
    compiling = 6.0

    def turn(self, view: View) -> Turn:
        seat = self._seat
        show(seat, view)
        made, choices = play_turn(seat, self.at_random)
        return Turn(table_moves(view.packed, seat.made[:made]), choices)


class Random(_Reactive):
    name = "random"
    meaning = "a random action, all equally likely"
    at_random = True


class Greedy(_Reactive):
    name = "greedy"
    meaning = "the first action in the order of 2007 and 2009"
    at_random = False


class _Planning(_Seated, Adviser):
    """A player that compares actions wherever there are two or more."""

    judges = (
        "The chances are the results of trajectories. Most of these try moves at random, so the "
        "chances are too low: use them to compare the moves."
    )

    def turn(self, view: View) -> Turn:
        seat = self._seat
        show(seat, view)
        many = int(open_turn(seat))
        if many == WON_END:
            return Turn(table_moves(view.packed, seat.made[: seat.registers.made]), 0)
        if many == 0:
            return Turn(np.zeros(0, np.int64), 0)
        actions = seat.actions[:many].copy()
        best, weighed = 0, list[Alternative]()
        if many > 1:
            # About two more choices are left for each card that is still unseen.
            self._clock.share(1 / (2 * view.unseen.size + 4))
            won, samples = self.rate(actions)
            best = int(np.argmax(won))
            if self.watched:
                weighed = _alternatives(view, actions, won, samples)
        close_turn(seat, actions[best])
        return Turn(table_moves(view.packed, [actions[best]]), int(many > 1), tuple(weighed))

    def advise(self, view: View) -> list[Alternative]:
        """As ``Adviser.advise``; all cards of the talon that have been seen must be known."""
        if view.won:
            return [Alternative((), 1.0, 1.0, 1.0, 1)]
        if view.lacks_seen:
            raise ParameterError(
                f"the policy {self.name} has to know the cards of the talon that a player would "
                "have seen; best gives hints without them"
            )
        seat = self._seat
        show(seat, view)
        many = int(open_turn(seat))
        if many == WON_END:
            moves = table_moves(view.packed, seat.made[: seat.registers.made])
            return [Alternative(tuple(map(token, moves.tolist())), 1.0, 1.0, 1.0, 1)]
        if many == 0:
            # Its actions leave some moves out, so this is no proof.
            raise ParameterError(f"the policy {self.name} finds nothing to play here; ask best")
        actions = seat.actions[:many].copy()
        self._clock.share(1)
        return _alternatives(view, actions, *self.rate(actions))

    @abstractmethod
    def rate(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The share of samples won after each action of the current state, and their number."""


def _alternatives(
    view: View, actions: np.ndarray, won: np.ndarray, samples: np.ndarray
) -> list[Alternative]:
    """Actions with the shares of samples that were won after them, the best first."""
    return [
        _alternative(view, int(actions[i]), float(won[i]), int(samples[i]))
        for i in np.argsort(-won, kind="stable")
    ]


def _alternative(view: View, action: int, won: float, samples: int) -> Alternative:
    """An action with the share of samples that were won after it."""
    tokens = tuple(token(int(move)) for move in table_moves(view.packed, [action]))
    smoothed = (won * samples + 1) / (samples + 2)
    error = sqrt(smoothed * (1 - smoothed) / (samples + 2))
    return Alternative.estimated(tokens, won, error, samples)


class Hop(_Planning):
    name = "hop"
    compiling = 10.0
    meaning = "hindsight optimization: nested rollouts in determinizations, all cards known"
    judges = (
        "Each chance is the share of samples that the rollouts win after the move. From --level 1 "
        "on they choose by cards that the player does not see: a move after which one has to guess "
        "looks as good as one after which nobody has to."
    )
    budget = "samples"
    parameters = (
        Parameter("samples", 10, "determinizations drawn for each action", low=1, high=LARGEST),
        Parameter("level", 0, "level of nesting of the rollouts", low=0, high=9),
    )

    def __init__(self) -> None:
        super().__init__()
        self._packed = np.zeros(PACKED, np.int64)
        self._values = new_values(1)
        set_weights(self._values, weights_of_stages(PUBLISHED, 1))
        self._samples, self._level = 0, -1

    def start(self, draws: np.ndarray, values: Mapping[str, Value], clock: Clock) -> None:
        super().start(draws, values, clock)
        self._samples = int(values["samples"])
        if self._level != values["level"]:
            self._level = int(values["level"])
            self._work = rollouts.new_work((self._level,))
            if self._level == 0:
                # Nothing is cached at level 0, so there is nothing to wipe for each sample.
                self._work = self._work._replace(
                    table=np.zeros(2, np.uint64), table_level=np.zeros(2, np.int8)
                )
        # An interrupted game may have left a sample unfinished.
        clear(self._work.registers)

    def rate(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        won, taken = np.zeros(actions.size), 0
        samples = LARGEST if self._clock.runs else self._samples
        for _ in range(samples):
            found = [self._wins(action) for action in actions]
            # A sample that the clock cut short would favour the first actions.
            if self._clock.is_up:
                break
            won += found
            taken += 1
        return won / max(taken, 1), np.full(actions.size, taken)

    def _wins(self, action: np.int64) -> bool:
        """Whether the rollouts win a new determinization after an action before time is up."""
        stopping.check()
        work, pause = self._work, 0
        while not self._clock.is_up:
            pause += SLICE_STATES
            code = hop.advance(self._seat, work, self._values, int(action), self._packed, pause)
            if code == GROW:
                work = self._work = rollouts.enlarge(work)
            elif code == RUNNING:
                stopping.check()
            else:
                return code == SOLVED
        # The next sample begins anew.
        clear(work.registers)
        return False


MOST_TRAJECTORIES = 100_000
"""The most trajectories in a tree, which then takes about 700 MB."""
_TRAJECTORIES = Parameter(
    "trajectories", 1000, "trajectories in a tree", low=1, high=MOST_TRAJECTORIES
)
_TREES = Parameter("trees", 20, "trees for each choice", low=1, high=10**6)
_WIDTH = Parameter("width", 5, "outcomes kept of an action that turns a card up", low=1, high=10**6)


class Uct(_Planning):
    name = "uct"
    compiling = 8.0
    meaning = "a tree of trajectories, whose paths upper confidence bounds select"
    budget = "trajectories"
    parameters: ClassVar[tuple[Parameter, ...]] = (_TRAJECTORIES,)
    width = 0
    """The outcomes kept of an action, if that is not a parameter; 0 for all."""

    def __init__(self) -> None:
        super().__init__()
        self._tree = trees.new_tree()
        self._registers = new_registers(uct.Registers)
        self._target = self._trees = self._width = 0

    def start(self, draws: np.ndarray, values: Mapping[str, Value], clock: Clock) -> None:
        super().start(draws, values, clock)
        self._target = int(values["trajectories"])
        self._trees = int(values.get("trees", 1))
        self._width = int(values.get("width", self.width))

    def rate(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        place = {int(action): i for i, action in enumerate(actions)}
        total, count = np.zeros(actions.size), np.zeros(actions.size)
        samples = np.zeros(actions.size, np.int64)
        number, target = self._trees, self._target
        if self._clock.runs:
            number = LARGEST
            if self.budget == _TRAJECTORIES.name:
                number, target = 1, MOST_TRAJECTORIES
        for grown in range(number):
            tree = self._grown(target)
            # A tree that the clock cut short would weigh as much as the others.
            if grown and self._clock.is_up:
                break
            edges = slice(int(tree.first[0]), int(tree.first[0] + tree.tried[0]))
            for action, n, wins in zip(
                tree.action[edges], tree.runs[edges], tree.wins[edges], strict=True
            ):
                if n:
                    total[place[int(action)]] += wins / n
                    count[place[int(action)]] += 1
                    samples[place[int(action)]] += n
        return total / np.maximum(count, 1), samples

    def _grown(self, target: int) -> trees.Tree:
        """A tree of ``target`` trajectories, or of as many as the time allows."""
        tree = self._tree
        registers = self._registers
        clear(tree.counts)
        clear(registers)
        code = RUNNING
        while code != EXHAUSTED:
            stopping.check()
            pause = registers.trajectories + SLICE_TRAJECTORIES
            code = uct.advance(self._seat, tree, registers, self._width, target, pause)
            if code == GROW:
                tree = trees.enlarge(tree)
            if self._clock.is_up:
                break
        return tree


class HopUct(Uct):
    name = "hop-uct"
    meaning = "many trees, each with one outcome of an action that turns a card up"
    budget = "trees"
    parameters = (replace(_TRAJECTORIES, default=100), _TREES)
    width = 1


class SparseUct(Uct):
    name = "sparse-uct"
    meaning = "a tree with few outcomes of an action that turns a card up"
    parameters = (_TRAJECTORIES, _WIDTH)


class EnsembleUct(Uct):
    name = "ensemble-uct"
    meaning = "many trees, whose values are averaged"
    budget = "trees"
    parameters = (replace(_TRAJECTORIES, default=200), _TREES)


class EnsembleSparseUct(Uct):
    name = "ensemble-sparse-uct"
    meaning = "many trees with few outcomes of an action that turns a card up"
    budget = "trees"
    parameters = (
        replace(_TRAJECTORIES, default=50),
        replace(_TREES, default=50),
        replace(_WIDTH, default=2),
    )
