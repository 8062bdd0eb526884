"""The search of all games given as rules: a portfolio of best-first searches, then depth first.

Each phase of a schedule is a best-first search from scratch with weights of its own. The weights of
the last phase then guide four searches: best first with as many nodes as the parameter ``dive``
says, depth first, best first with ``before`` nodes, and depth first to the end, which keeps no
positions but those on its path. A single weighted sum is a schedule of one phase.

Unless cards build, move or go home together in suit, the searches before the last two tell cards
by their ranks alone, and there is one more of them, with a quarter of ``before``. They find most
solutions in fewer nodes, but drop positions and prove nothing (a streamliner of Solvitaire; Blake
and Gent 2026); once one of them runs dry, the others are left out. The last two drop no position,
and identify positions by hashes of 128 bits: among n positions, some two share a hash with a
probability below n^2 / 2^129. So one of them that runs dry proves that there is no solution.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from deals.cards import suit_of
from gafreecell.jit import clear, new_registers
from gafreecell.jit.slices import drive
from gafreecell.solitaire.patience import rules as words
from gafreecell.solitaire.patience.features import columns_of
from gafreecell.solitaire.patience.kernels import search as kernels
from gafreecell.solitaire.patience.kernels.features import FEATURES, measure
from gafreecell.solitaire.patience.kernels.state import EMPTY, Code, new_state, row_size, unpack
from gafreecell.solitaire.patience.position import Position
from gafreecell.solitaire.patience.rules import Rules
from gafreecell.solving.outcome import Limits, Nodes, Phase, Status
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.search import BatchSearch, Found

SLICE = 2_000
"""Positions generated in a slice, some milliseconds."""
LARGEST_WEIGHT = 10_000
"""Weights are turned into whole numbers, of which this is the largest."""
LEVELS = 32
"""The most parts of a stock that the search tells apart."""
LONGER = 10
"""How much longer the first depth-first search is than the best-first one before it, unless the
stock has levels, which a depth-first search does not know."""
DIVE = Parameter(
    "dive",
    2_000,
    "nodes of a first best-first search; a first depth-first one gets ten times as many, or as "
    "many if the stock has levels",
    0,
)
BEFORE = Parameter(
    "before",
    200_000,
    "nodes of the last best-first search before the search goes depth first; the one before it, "
    "which tells cards by their ranks alone, gets a quarter of them",
    0,
)


class Start(NamedTuple):
    """A position as the search takes it.

    Attributes:
        rules: of its game.
        row: its bytes (``row_of``).
    """

    rules: Rules
    row: np.ndarray


@lru_cache(maxsize=1000)
def code_of(rules: Rules) -> Code:
    """Rules as numbers."""
    piles, stock = rules.piles, rules.stock
    code = new_registers(Code)
    code.piles = piles.count
    code.cells = rules.cells.count
    code.build = words.BUILDS.index(piles.build)
    code.move = words.MOVES.index(piles.move)
    code.space = (words.ANY, words.KING, words.NONE).index(piles.space)
    code.fill = ("", *words.FILLS).index(piles.fill)
    code.stacked = int(rules.reserve.stacked)
    code.to = words.TARGETS.index(stock.to)
    code.draw = stock.draw
    code.endless = int(stock.redeals == words.UNLIMITED)
    code.spaces = int(stock.spaces)
    code.back = int(rules.foundations.back)
    code.runs = int(rules.foundations.runs)
    code.hole = int(bool(rules.hole.base))
    code.wraps = int(rules.hole.wraps)
    code.ranks = rules.ranks
    code.decks = rules.decks
    cards = np.arange(52)
    both = cards[:, None] ^ cards
    allowed = {
        words.NONE: both < 0,
        words.SUIT: both & 3 == 0,
        words.COLOUR: (both ^ (both >> 1)) & 1 != 0,
        words.ANY: both >= 0,
    }
    code.dealt = _dealt(rules)
    code.levels = min(code.dealt + 1, LEVELS)
    code.single = int(piles.move == words.CARD)
    # Empty piles that fill by themselves, rows dealt to the piles and second copies would make a
    # difference, and so does a hole, to which a card may go before the next lower one of its suit.
    code.whole = int(
        code.single
        and piles.build == words.SUIT
        and not piles.fill
        and (stock.to != words.TO_PILES or not stock.count)
        and rules.decks == 1
        and not rules.hole.base
    )
    next_lower = cards[:, None] >> 2 == (cards >> 2) + 1
    together = allowed[piles.build if code.single else rules.run]
    code.fits[:] = next_lower * (allowed[piles.build] + 2 * together)
    return code


def _dealt(rules: Rules) -> int:
    """How much of the stock there is at first, as ``kernels.search.stock_left`` counts it."""
    stock = rules.stock
    if stock.to == words.TO_PILES:
        return -(-stock.count // rules.piles.count)
    if stock.to == words.TO_WASTE:
        # None if redeals have no end, which are -1.
        return (stock.redeals + 1) * stock.count
    return stock.count


def row_of(position: Position) -> np.ndarray:
    """A position as a row of bytes (``kernels.state``)."""

    def number(card: int) -> int:
        return 4 * position.order(card) + suit_of(card)

    cells = [card for card in position.cells if card]
    reserve = [card for card in position.reserve if card]
    talon = (*position.waste, *position.stock)
    cards = [number(card) for cards in (*position.piles, cells, reserve, talon) for card in cards]
    counts = (
        len(cells),
        len(reserve),
        len(talon),
        len(position.waste),
        max(position.redeals, 0),
        number(position.hole) if position.hole else EMPTY,
        len(cards),
    )
    head = (*map(len, position.piles), *position.down, *counts, *position.home)
    row = np.zeros(row_size(len(position.piles), position.rules.cards), np.uint8)
    row[: len(head) + len(cards)] = (*head, *cards)
    return row


def values_of(position: Position) -> list[int]:
    """The value of each feature that applies to a position's game."""
    code, state, values = code_of(position.rules), new_state(), np.zeros(FEATURES, np.int64)
    unpack(code, state, row_of(position))
    measure(code, state, values)
    return [int(value) for value in values[columns_of(position.rules)]]


class _Step(NamedTuple):
    """A search of the portfolio.

    Attributes:
        weights: what guides it.
        nodes: how many it may generate; None for any number.
        deep: whether it is depth first.
        alike: whether it tells cards by their ranks alone, so that it proves nothing.
    """

    weights: np.ndarray
    nodes: int | None
    deep: bool
    alike: bool = False


class Portfolio(BatchSearch[Start]):
    """The search ``portfolio``; it is complete.

    One instance serves one thread and keeps its arrays from position to position.
    """

    name = "portfolio"
    compiling = 40.0
    guided = True
    steady = frozenset({"nodes"})
    schedules = True
    parameters = (DIVE, BEFORE)

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int, int, bool], kernels.Work] = {}

    def run_batch(
        self,
        positions: Sequence[Start],
        weights: np.ndarray,
        phases: Sequence[Phase],
        values: Mapping[str, Value],
        limits: Limits,
    ) -> list[Found]:
        """Search from many positions; see ``solving.search`` for the arguments."""
        rules = positions[0].rules
        columns = columns_of(rules)
        suited = words.SUIT in (rules.piles.build, rules.run) or rules.foundations.runs
        alike = not suited and not _has_no_suits(rules)
        vectors = [_whole(row, columns) for row in np.atleast_2d(weights)]
        last, dive, before = vectors[-1], int(values["dive"]), int(values["before"])
        tried = zip(vectors, phases, strict=False)
        steps = [
            *(_Step(one, phase.nodes, False, alike) for one, phase in tried),
            _Step(last, dive, False, alike),
            _Step(last, dive if code_of(rules).levels > 1 else LONGER * dive, True, alike),
            _Step(last, before // 4 if alike else 0, False, alike),
            _Step(last, before, False),
        ]
        wanted = [step for step in steps if step.nodes] + [_Step(last, None, True)]
        return [self._solve(one, wanted, limits) for one in positions]

    def warm_up(self, position: Start, weights: np.ndarray) -> None:
        vector = _whole(weights, columns_of(position.rules))
        work, code = self._work(position), code_of(position.rules)
        kernels.enlarge(work._replace(table=work.table[:4]))
        self._solve(position, [_Step(vector, None, True)], Limits(nodes=3))
        for advance in (kernels.best_first, kernels.depth_first):
            work.counts.generated = 0
            advance(code, work, vector, 1, SLICE)

    def _work(self, position: Start, alike: bool = False) -> kernels.Work:
        code = code_of(position.rules)
        alike |= _has_no_suits(position.rules)
        sizes = position.row.size, int(code.piles), int(code.levels), alike
        if sizes not in self._kept:
            self._kept[sizes] = kernels.new_work(*sizes)
        return self._kept[sizes]

    def _solve(self, position: Start, steps: Sequence[_Step], limits: Limits) -> Found:
        """Search step by step, until one decides."""
        started = time.thread_time()
        code, last, dry = code_of(position.rules), None, False
        generated, scored, status, moves = 0, 0, Status.NODE_LIMIT, None
        for weights, nodes, deep, alike in steps:
            if alike and dry:
                continue
            most = min(nodes or limits.nodes, limits.nodes - generated)
            if most <= 0:
                break
            if alike is not last:
                work, last = self._work(position, alike), alike
            work.row[0] = position.row
            clear(work.counts)
            advance = kernels.depth_first if deep else kernels.best_first
            enlarge = kernels.enlarge_path if deep else kernels.enlarge

            def run(
                work: kernels.Work, advance: Any = advance, vector: Any = weights, most: int = most
            ) -> int:
                ended: int = advance(code, work, vector, most, SLICE)
                return ended

            status, work = drive(work, run, enlarge, limits, started)
            generated += int(work.counts.generated)
            scored += int(work.counts.scored)
            if status is Status.SOLVED:
                moves = _path(work, deep)
            elif status is Status.MEMORY_LIMIT and not deep:
                # Depth first takes less.
                last = None
                continue
            elif status is Status.UNSOLVABLE and alike:
                status, dry = Status.NODE_LIMIT, True
            if status is not Status.NODE_LIMIT:
                break
        nodes_of = Nodes(generated, generated, scored)
        return Found(status, moves, nodes_of, time.thread_time() - started)


def _has_no_suits(rules: Rules) -> bool:
    """Whether suits mean nothing, so that cards of a rank can change places: nothing is built or
    moves together by suit or colour, and there is a hole instead of foundations."""
    return bool(rules.hole.base) and {rules.piles.build, rules.run} <= {words.NONE, words.ANY}


def _whole(weights: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Weights of a game's features as whole numbers for all features there are."""
    whole = np.zeros(FEATURES, np.int64)
    largest = np.abs(weights).max(initial=0.0)
    if largest > 0:
        whole[columns] = np.rint(weights * (LARGEST_WEIGHT / largest))
    return whole


def _path(work: kernels.Work, deep: bool) -> np.ndarray:
    """The moves that lead to the goal."""
    row = int(work.counts.goal)
    if deep:
        return work.row_move[1 : row + 1].astype(np.int64)
    moves = []
    while row > 0:
        moves.append(work.row_move[row])
        row = int(work.row_parent[row])
    return np.array(moves[::-1], np.int64)
