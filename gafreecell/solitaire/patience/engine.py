"""Solves positions of any game: a schedule of best-first searches, then depth first to the end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from deals.cards import rank_of, suit_of
from gafreecell.jit import RUNNING, clear
from gafreecell.jit.slices import drive
from gafreecell.solitaire.patience import rules as words
from gafreecell.solitaire.patience.kernels import search as kernels
from gafreecell.solitaire.patience.kernels.state import (
    EMPTY,
    Code,
    row_size,
)
from gafreecell.solitaire.patience.rules import Rules
from gafreecell.solving.outcome import Limits, Nodes, Status
from gafreecell.solving.search import Found

SLICE = 2_000


def code_of(rules: Rules) -> Code:
    """Rules as numbers."""
    piles, stock = rules.piles, rules.stock
    return Code(
        piles=piles.count,
        cells=rules.cells.count,
        build=words.BUILDS.index(piles.build),
        run=words.BUILDS.index(rules.run),
        move=words.MOVES.index(piles.move),
        space=(words.ANY, words.KING, words.NONE).index(piles.space),
        fill=("", *words.FILLS).index(piles.fill),
        stacked=int(rules.reserve.stacked),
        to=words.TARGETS.index(stock.to),
        draw=stock.draw,
        endless=int(stock.redeals == words.UNLIMITED),
        spaces=int(stock.spaces),
        back=int(rules.foundations.back),
        runs=int(rules.foundations.runs),
        hole=int(bool(rules.hole.base)),
        wraps=int(rules.hole.wraps),
        ranks=rules.ranks,
        decks=rules.decks,
    )


def row_of(rules: Rules, position: Any) -> np.ndarray:
    """A position as a row of bytes (``kernels.state``)."""
    base, ranks = position.base, rules.ranks

    def number(card: int) -> int:
        return 4 * ((rank_of(card) - base) % ranks) + suit_of(card)

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
    row = np.zeros(row_size(rules.piles.count, rules.cards), np.uint8)
    row[: len(head) + len(cards)] = (*head, *cards)
    return row


class Engine:
    """Solves positions of one game; a thread has its own."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.code = code_of(rules)
        self._small = kernels.new_work(row_size(rules.piles.count, rules.cards))

    def solve(
        self,
        row: np.ndarray,
        vectors: Sequence[np.ndarray],
        budgets: Sequence[int],
        limits: Limits,
    ) -> Found:
        """Solve a position: a best-first search for each budget, then depth first to the end."""
        started = time.thread_time()
        work, code = self._small, self.code
        clear(work.counts)
        work.row[0] = row
        before = 0
        for weights, budget in zip(vectors, (*budgets, 0), strict=True):
            most = min(budget or limits.nodes, limits.nodes - before)
            now = RUNNING
            advance = kernels.best_first if budget else kernels.depth_first
            if budget:
                now = kernels.start_best_first(code, work, weights)
            else:
                kernels.start_depth_first(code, work, weights)

            def run(work: kernels.Work) -> int:
                return advance(code, work, weights, most, SLICE)

            status, work = drive(work, run, kernels.enlarge, limits, started, now)
            before += int(work.counts.generated)
            if status is not Status.NODE_LIMIT:
                break
        nodes = Nodes(before, before, int(work.counts.scored))
        moves = self._path(work, bool(budget)) if status is Status.SOLVED else None
        return Found(status, moves, nodes, time.thread_time() - started)

    def _path(self, work: kernels.Work, by_parents: bool) -> np.ndarray:
        row = int(work.counts.goal)
        if not by_parents:
            return work.row_move[1 : row + 1].astype(np.int64)
        moves = np.zeros(256, np.int64)
        number = kernels.path_to(work, row, moves)
        if number > moves.size:
            moves = np.zeros(number, np.int64)
            kernels.path_to(work, row, moves)
        return moves[:number][::-1].copy()
