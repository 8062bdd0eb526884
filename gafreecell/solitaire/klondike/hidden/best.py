"""The player ``best``: a tree over sampled determinizations; the complete solver judges its leaves.

``klondike.hidden.kernels.foresight`` explains the tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import numpy as np

from gafreecell.jit import clear, uint64
from gafreecell.jit.kernels.transposition import rehash
from gafreecell.jit.slices import EXHAUSTED, GROW, RUNNING, SOLVED, UNSOLVABLE
from gafreecell.solitaire.klondike.cards import PILES
from gafreecell.solitaire.klondike.complete.kernels import search as complete
from gafreecell.solitaire.klondike.complete.kernels.layout import (
    MOST_MADE,
    MOST_SETTLED,
    new_unpacked,
    new_written,
    play_back,
    unpack,
)
from gafreecell.solitaire.klondike.complete.kernels.states import (
    CARD_SHIFT,
    PROVES,
    SWAP,
    TALON_DOWN,
    TALON_HOME,
)
from gafreecell.solitaire.klondike.complete.order import ORDER, order_weights
from gafreecell.solitaire.klondike.complete.search import SLICE_TRIES, Complete
from gafreecell.solitaire.klondike.hidden.calibration import calibration_for
from gafreecell.solitaire.klondike.hidden.judgement import NONE, Judgement, judgement_of
from gafreecell.solitaire.klondike.hidden.kernels import foresight
from gafreecell.solitaire.klondike.hidden.kernels.judgement import DRAW_STOCK
from gafreecell.solitaire.klondike.hidden.kernels.trees import enlarge, new_tree
from gafreecell.solitaire.klondike.hidden.players import Adviser, Clock, Turn
from gafreecell.solitaire.klondike.hidden.view import View
from gafreecell.solitaire.klondike.moves import DRAW, REDEAL, token
from gafreecell.solitaire.klondike.packed import (
    CARDS_AT,
    DRAW_AT,
    REDEALS_AT,
    TALON_AT,
    UNLIMITED,
    UNSEEN_AT,
    WASTE_AT,
)
from gafreecell.solitaire.klondike.presets import CHOICES, preset
from gafreecell.solving import stopping
from gafreecell.solving.outcome import LARGEST, Evaluator
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.playing import Alternative
from gafreecell.solving.weights import Weights

ORDERS = {1: "vegas-1", 3: "vegas-3"}
"""The presets whose order of moves the solver takes where redeals are limited, by the draw."""
SPREAD, SEED = 1.0, 3
"""The standard deviation of the weights of further orders of moves, and the seed of their draw."""
LAST_STATES = 1_000_000
"""The most states that it generates once all cards are known."""
MOST = 1_000_000
"""The most samples of all moves of a choice together; the tree then takes some 400 MB."""
PRICE = 0.002
"""The price of a state with one sample, as a share of a game. With n samples it is n^2 times lower:
the loss by wrong choices falls about as 1 / n, and the cost rises as n."""
SPEED = 900.0
"""Samples with which a game takes about a second."""
_TALON = [TALON_AT, WASTE_AT, DRAW_AT, REDEALS_AT]
"""Where a packed position tells the talon and the rules."""
MOST_WON, MOST_DRAWN = 4, 16
"""The most determinizations won for a choice, and drawn, as multiples of the samples."""
FEWEST_STOCKS, MOST_STOCKS, PER_STOCK = 10, 100, 100
"""The stocks that a hint tries where nobody has seen the stock, a tenth of its samples within these
limits, and the samples of each: fewer would bias its chance."""
SLICE_SAMPLES = 20
"""Determinizations drawn in a slice, which takes some ten milliseconds."""


class Best(Adviser):
    name = "best"
    compiling = 14.0
    meaning = "a tree of information sets, with the complete solver at its leaves"
    parameters = (
        Parameter(
            "samples",
            1000,
            "determinizations: roughly so many for a choice; in a hint, so many that can be won",
            low=1,
            high=MOST,
        ),
    )
    budget = "samples"
    search = Complete.name
    judges = ""
    calibrates = True
    """Whether chances are corrected where it is known by how much."""

    def __init__(self) -> None:
        self._mind = foresight.new_mind()
        self._tree = new_tree()
        self._last = new_unpacked()
        self._work = complete.new_work()
        self._written = np.zeros(MOST_SETTLED + MOST_MADE, np.int64)
        self._clock = Clock(None)
        self._samples = 0
        self._order: np.ndarray | None = None
        self._given: Judgement | None = None
        self._exploration = NONE.exploration

    def weigh(self, weights: Weights | None) -> None:
        self._order = self._given = None
        if weights is None or weights.evaluator is None:
            return
        if weights.game == CHOICES:
            self.judge(judgement_of(weights.evaluator))
        else:
            self._order = _orders_of(weights.evaluator)

    def judge(self, judgement: Judgement | None) -> None:
        """Use a judgement of moves; None stands for no judgement."""
        self._given = judgement

    def warm_up(self) -> None:
        """Load the kernels of hints, and of long searches at the end of a game."""
        mind, nothing, table = self._mind, np.zeros(0, np.int64), self._work.table[:0]
        foresight.try_all(mind, nothing, nothing.size, 0, 0, nothing)
        rehash(table, table)

    def start(self, draws: np.ndarray, values: Mapping[str, Value], clock: Clock) -> None:
        mind = self._mind
        mind.draws[:] = draws
        mind.verdicts[:] = 0
        clear(mind.registers)
        self._clock = clock
        self._samples = int(values["samples"])

    @property
    def may_repeat(self) -> bool:
        """Whether a state of the game could come back, so that fewer moves are allowed."""
        return bool(self._mind.registers.passed)

    def turn(self, view: View) -> Turn:
        self._see(view)
        if view.unseen.size <= 1:
            return Turn(self._finish(LAST_STATES), 0)
        if round_trip := view.round_trip:
            return Turn(np.array(round_trip), 0)
        mind = self._mind
        many, _ = foresight.list_root_moves(mind)
        if many == 0:
            return Turn(np.zeros(0, np.int64), 0)
        move = int(mind.moves[many - 1])
        weighed: list[Alternative] = []
        if many > 1:
            edge = self._race(view)
            move = int(self._tree.action[edge])
            if self.watched:
                weighed = self._weighed(view, many, edge)
        written = self._written_move(move)
        mind.registers.passed = mind.registers.passed + 1 if move & 7 == SWAP else 0
        return Turn(written, int(many > 1), tuple(weighed))

    def advise(self, view: View) -> list[Alternative]:
        """As ``Adviser.advise``; cards of the talon may be unknown, too."""
        # Only a proof may call a game lost, so the states of a last search are not limited.
        return self._advise(view, MOST if self._clock.runs else self._samples, LARGEST)

    def _advise(self, view: View, samples: int, states: int) -> list[Alternative]:
        """``advise`` with so many samples, and so many states once all cards are known."""
        if view.won:
            return [Alternative((), 1.0, 1.0, 1.0, 1)]
        self._see(view)
        if view.unseen.size <= 1:
            moves = self._finish(states)
            return [Alternative(_tokens(moves), 1.0, 1.0, 1.0, 1)] if moves.size else []
        if round_trip := view.round_trip:
            return [self._after(round_trip, view, samples)]
        mind = self._mind
        many, _ = foresight.list_root_moves(mind)
        moves = mind.moves[:many][::-1].copy()
        if view.lacks_seen:
            self._clock.share(1)
            return self._try(view, moves)
        if many == 0:
            return []
        edges = self._weigh(samples)
        return self._weighed(view, many, int(np.argmax(self._tree.wins[edges])))

    def _weighed(self, view: View, many: int, best: int) -> list[Alternative]:
        """The root's moves with their chances: the best first, the others by their shares.

        Args:
            view: the root's.
            many: how many moves it has.
            best: the edge that was chosen.
        """
        tree, registers = self._tree, self._mind.registers
        drawn, shared = int(registers.drawn), int(registers.won)
        calibration = calibration_for(view) if self.calibrates else None
        won, found = self._share_won, []
        for edge in range(many):
            runs, move = int(tree.runs[edge]), int(tree.action[edge])
            kept = float(_share(tree.wins[edge], runs))
            # The standard error of a product of two shares.
            error = sqrt(
                kept**2 * won * (1 - won) / (drawn + 2) + won**2 * kept * (1 - kept) / (runs + 2)
            )
            # A move that was dropped early met so many of those drawn.
            met = round(drawn * runs / shared) if shared else drawn
            stated = self._alternative(move, won * kept, error, met)
            corrected = calibration.of(stated, view.face_down) if calibration else stated
            found.append((edge != best, -kept, corrected))
        return [alternative for _, _, alternative in sorted(found, key=lambda row: row[:2])]

    def _after(self, trip: list[int], view: View, samples: int) -> Alternative:
        """The trip that shows an unseen stock, with the chance to win once it is made.

        That is the mean over stocks that it may show.

        Args:
            trip: its draws and the redeal.
            view: what is seen before.
            samples: of the hint.
        """
        rng = np.random.default_rng(int(self._mind.draws[0]))
        stock = view.places[view.places >= CARDS_AT + view.packed[:PILES].sum()]
        found: list[Alternative] = []
        stocks = min(max(FEWEST_STOCKS, samples // 10), MOST_STOCKS)
        while len(found) < stocks and not (len(found) >= FEWEST_STOCKS and self._clock.is_up):
            cards = rng.permutation(view.unseen)
            packed = view.packed.copy()
            packed[stock] = cards[: stock.size]
            packed[[WASTE_AT, UNSEEN_AT]] = 0
            shown = View(packed, np.sort(cards[stock.size :]))
            best = self._advise(shown, PER_STOCK, LAST_STATES)[:1]
            found += best or [Alternative((), 0.0, 0.0, 0.0, 1)]
        taken = sum(one.samples for one in found)
        # By Laplace's rule, as in ``_share``: there are stocks that were not tried.
        chances = np.array([0.0, 1.0, *(one.chance for one in found)])
        error = float(chances.std(ddof=1)) / sqrt(chances.size)
        return Alternative.estimated(_tokens(trip), float(chances.mean()), error, taken)

    def _try(self, view: View, moves: np.ndarray) -> list[Alternative]:
        """Rate moves if cards of the talon are unknown, all in the same determinizations.

        Nobody can choose to play an unseen card, so drawing is an alternative of its own. A draw
        costs nothing and reveals cards, so it comes first among equals.
        """
        mind = self._mind
        unseen = set(view.unseen.tolist())
        talon = TALON_DOWN, TALON_HOME
        rated = [
            move
            for move in moves
            if move & 7 != DRAW_STOCK
            and (move & 7 not in talon or move >> CARD_SHIFT & 63 not in unseen)
        ]
        count, waste, draw, redeals = view.packed[_TALON].tolist()
        if waste < count or redeals != 0:
            rated.insert(0, -1)
        drawn = min(waste + draw, count)
        if waste == count:
            drawn = 0
            redeals -= redeals != UNLIMITED
        moves = np.array(rated, np.int64)
        won = np.zeros(moves.size, np.int64)
        taken = 0
        while taken < (LARGEST if self._clock.runs else self._samples):
            stopping.check()
            foresight.try_all(mind, moves, moves.size, drawn, redeals, won)
            taken += 1
            if self._clock.is_up:
                break
        found = []
        for i, move in enumerate(moves.tolist()):
            share = float(_share(won[i], taken))
            error = sqrt(share * (1 - share) / (taken + 2))
            found.append((-share, i, self._alternative(move, share, error, taken, waste < count)))
        return [alternative for _, _, alternative in sorted(found, key=lambda row: row[:2])]

    def _alternative(
        self, move: int, chance: float, error: float, samples: int, draw: bool = True
    ) -> Alternative:
        written = self._written_move(move) if move >= 0 else [DRAW if draw else REDEAL]
        return Alternative.estimated(_tokens(written), chance, error, samples)

    def _see(self, view: View) -> None:
        """Take in a view."""
        draw, limited = int(view.packed[DRAW_AT]), bool(view.packed[REDEALS_AT] != UNLIMITED)
        mind = self._mind = foresight.enlarge(self._mind)
        mind.orders[:] = _orders_for(draw, limited) if self._order is None else self._order
        # It evolved without a limit of redeals, and for a stock that is known.
        judging = self._given or NONE
        if limited or view.packed[UNSEEN_AT]:
            judging = NONE
        mind.registers.judges = judging is not NONE
        mind.judgement[:] = judging.weights
        mind.trust[:] = judging.trust
        self._exploration = judging.exploration
        places = view.places
        mind.registers.unseen = places.size
        mind.registers.cursor = view.packed[WASTE_AT] if view.packed[UNSEEN_AT] else -1
        mind.places[: places.size] = places
        mind.determinization[:] = view.packed
        mind.determinization[places] = view.unseen

    def _written_move(self, move: int) -> np.ndarray:
        """The moves on the table that make a move of the current view."""
        mind = self._mind
        state = uint64(foresight.list_root_moves(mind)[1])
        unpack(mind.unpacked, mind.determinization)
        return self._written[
            : foresight.write_move(mind.unpacked, state, move, self._written)
        ].copy()

    @property
    def _share_won(self) -> float:
        """The share of determinizations that the solver wins from the root."""
        registers = self._mind.registers
        return float(_share(registers.won, registers.drawn))

    def decide(self, view: View) -> tuple[int, int]:
        """Choose a move.

        Args:
            view: what is seen; the player has two moves or more.

        Returns:
            The place of the move in the player's order, and the states that the solver generated.
        """
        self._see(view)
        return self._race(view), int(self._mind.registers.states)

    def _race(self, view: View) -> int:
        """The edge of the move that wins a race, after ``_see``."""
        # About one and a half more choices are left for each card that is still face down.
        self._clock.share(1 / (1.5 * view.unseen.size + 1))
        edges = np.arange(foresight.set_root(self._mind, self._tree))
        samples = float(self._samples)
        if self._clock.seconds is not None:
            samples = max(1.0, self._clock.seconds * SPEED)
        won = min(MOST_WON * samples, MOST // edges.size)
        left = self._simulate(edges, int(won), price_of(samples))
        trust = float(self._mind.trust[0])
        return int(max(left, key=lambda edge: foresight.value(self._tree, edge, trust)))

    def value_all(self, view: View, samples: int) -> np.ndarray:
        """The chance to win after each move (float64), from so many determinizations won."""
        self._see(view)
        edges, tree = self._weigh(samples), self._tree
        values: np.ndarray = self._share_won * _share(tree.wins[edges], tree.runs[edges])
        return values

    def _weigh(self, samples: int) -> np.ndarray:
        """Give all moves the same samples, so that their chances can be compared.

        Args:
            samples: determinizations for the solver to win.
        """
        self._clock.share(1)
        edges = np.arange(foresight.set_root(self._mind, self._tree))
        return self._simulate(edges, min(samples, MOST // edges.size), price=-1.0)

    def _simulate(self, edges: np.ndarray, won: int, price: float) -> np.ndarray:
        """Follow moves in determinizations, until one of them is left or time is up.

        Args:
            edges: int64, the moves' edges.
            won: the most determinizations that the solver wins.
            price: of a state of the solver; negative to keep all moves.

        Returns:
            The edges left, int64.
        """
        registers, code, many = self._mind.registers, RUNNING, edges.size
        most = MOST_DRAWN // MOST_WON * won
        while code != EXHAUSTED:
            stopping.check()
            pause = registers.drawn + SLICE_SAMPLES
            code, many = foresight.advance(
                self._mind, self._tree, edges, many, won, most, price, self._exploration, pause
            )
            if code == GROW:
                self._tree = enlarge(self._tree)
            if self._clock.is_up:
                break
        return edges[:many]

    def _finish(self, states: int) -> np.ndarray:
        """All moves to the end of a game whose cards are all known; none if no win is found.

        Args:
            states: the most states to generate before giving up.
        """
        deal, layout = self._last
        root = uint64(unpack(self._last, self._mind.determinization))
        work = self._work
        # The usual rules prove nothing. If they call the game lost, search with sound ones.
        for options in (foresight.OPTIONS, PROVES):
            complete.restart(work, 0)
            code = RUNNING
            while code in (RUNNING, GROW):
                stopping.check()
                if code == GROW:
                    work = self._work = complete.enlarge(work)
                pause = work.registers.tried + SLICE_TRIES
                code = complete.advance(deal, work, root, options, states, pause)
            if code != UNSOLVABLE:
                break
        if code != SOLVED:
            return np.zeros(0, np.int64)
        depth = int(work.registers.depth)
        written = new_written(depth)
        return written[: play_back(layout, work.up, work.bases, work.made, depth, written)]


def _share(won: Any, tried: Any) -> Any:
    """The share won, by Laplace's rule: as if there had been a win and a loss more."""
    return (won + 1) / (tried + 2)


def price_of(samples: float) -> float:
    """The price of a state of the solver, as a share of a game, for a player with these samples."""
    return PRICE / samples**2


@cache
def _orders_for(draw: int, limited: bool) -> np.ndarray:
    """The solver's orders of moves (int64[5, 12]) under these rules."""
    evaluator = preset(ORDERS[draw] if limited else Best.search).evaluator
    assert evaluator is not None
    return _orders_of(evaluator)


def _orders_of(evaluator: Evaluator) -> np.ndarray:
    """Orders of moves (int64[5, 12]): that of an evaluator, then some at random around it."""
    given = dict(zip(evaluator.features, evaluator.weights, strict=True))
    weights = np.array([given.get(feature.name, 0.0) for feature in ORDER])
    noise = Random(SEED)
    orders = [
        order_weights(weights + (k > 0) * np.array([noise.gauss(0, SPREAD) for _ in ORDER]))
        for k in range(foresight.LEAF_SEARCHES)
    ]
    return np.array(orders)


def _tokens(moves: np.ndarray | list[int]) -> tuple[str, ...]:
    return tuple(map(token, map(int, moves)))
