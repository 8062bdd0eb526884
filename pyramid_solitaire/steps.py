"""Solutions: from the states a search chose at to the steps between them.

A step is an integer: ``DRAW``, ``RECYCLE``, or 64 p + q for the removal of the cards at
positions p and q, p = q for a king.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from deals.pyramid import PyramidDeck, pyramid_card_name
from pyramid_solitaire.shapes import CARDS, STOCK, shapes

DRAW, RECYCLE = -1, -2
State = tuple[int, int, int, int]
"""Shape, stock cards left, stock's top, cycle."""


def token(step: int, deck: PyramidDeck) -> str:
    """A step as people write it."""
    if step in (DRAW, RECYCLE):
        return "Draw" if step == DRAW else "Recycle"
    first, second = divmod(step, 64)
    names = [pyramid_card_name(deck.cards[p]) for p in dict.fromkeys((first, second))]
    return "Remove " + " and ".join(names)


def write_steps(ranks: Sequence[int], states: Sequence[State]) -> list[int]:
    """The steps that lead through some states, each a choice after the one before it.

    Args:
        ranks: of the 52 positions.
        states: the start first.
    """
    steps: list[int] = []
    for before, after in pairwise(states):
        steps += _between(ranks, before, after)
    return steps


def _between(ranks: Sequence[int], before: State, after: State) -> list[int]:
    """First removals, at one place of the stock, then draws, in which stock kings go."""
    cards = shapes().cards
    board = int(cards[before[0]]) | before[1] << CARDS
    rest = int(cards[after[0]]) | after[1] << CARDS
    gone = {p for p in range(CARDS + STOCK) if (board & ~rest) >> p & 1}
    kings = {p for p in gone if p >= CARDS and ranks[p] == 13}
    steps = _removals(ranks, board, before[2], frozenset(gone - kings))
    assert steps is not None, "expected a way between two states of a solution"
    left, at, cycle = (rest >> CARDS) | sum(1 << (p - CARDS) for p in kings), before[2], before[3]
    at = _top(left, at)
    while (left, at, cycle) != after[1:]:
        if at == STOCK:
            steps.append(RECYCLE)
            at, cycle = _top(left, 0), cycle + 1
        elif ranks[CARDS + at] == 13:
            steps.append(65 * (CARDS + at))
            left &= ~(1 << at)
            at = _top(left, at)
        else:
            steps.append(DRAW)
            at = _top(left, at + 1)
    return steps


def _top(left: int, at: int) -> int:
    """The first stock card that is left, at a place or after it."""
    while at < STOCK and not left >> at & 1:
        at += 1
    return at


def _removals(ranks: Sequence[int], board: int, at: int, gone: frozenset[int]) -> list[int] | None:
    """Removals of just these cards without a draw; None if there are none."""
    if not gone:
        return []
    upon = shapes().upon
    at = _top(board >> CARDS, at)
    waste = (board >> CARDS) & ((1 << at) - 1)
    tops = (CARDS + at, CARDS + waste.bit_length() - 1 if waste else -1)
    playable = sorted(p for p in gone if (p in tops if p >= CARDS else not board & int(upon[p])))
    for i, p in enumerate(playable):
        partners = [p] if ranks[p] == 13 else playable[i + 1 :]
        for q in partners:
            if ranks[p] == 13 or ranks[p] + ranks[q] == 13:
                more = _removals(ranks, board & ~(1 << p | 1 << q), at, gone - {p, q})
                if more is not None:
                    return [64 * p + q, *more]
    return None
