"""Solutions: turns the states on the path of a search into the steps between them.

A step is an integer: ``DRAW``, ``RECYCLE``, or 64 p + q for the removal of the cards at
positions p and q, with p = q for a king.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple

from deals.pyramid_deck import PyramidDeck, pyramid_card_name
from gafreecell.solitaire.pyramid.shapes import CARDS, CLEARED, STOCK, TIP, shapes

DRAW, RECYCLE = -1, -2


class State(NamedTuple):
    """A state on a path; the fields are those of ``pyramid.position.Start``."""

    shape: int
    left: int
    at: int
    cycle: int


def token(step: int, deck: PyramidDeck) -> str:
    """A step as people write it."""
    if step in (DRAW, RECYCLE):
        return "Draw" if step == DRAW else "Recycle"
    first, second = divmod(step, 64)
    names = [pyramid_card_name(deck.cards[p]) for p in dict.fromkeys((first, second))]
    return "Remove " + " and ".join(names)


def write_steps(ranks: Sequence[int], states: Sequence[State]) -> list[int]:
    """The steps that lead through the states of a path.

    Args:
        ranks: the ranks of the cards at the 52 positions.
        states: the states on the path, from the start on.
    """
    steps: list[int] = []
    for before, after in pairwise(states):
        between = _between(ranks, before, after)
        assert between is not None, "expected steps between two states of a solution"
        steps += between
    return steps


def _between(ranks: Sequence[int], before: State, after: State) -> list[int] | None:
    """The steps between two states of a path; None if there are none.

    First come removals without a draw, then draws, with removals of stock kings among them. The
    removal of the tip may come last and end the game.
    """
    shape, left, at, cycle = after
    if before.shape != CLEARED == shape:
        if ranks[0] == 13:
            steps = _between(ranks, before, State(TIP, left, at, cycle))
            return None if steps is None else [*steps, 0]
        found = []
        for partner in range(STOCK):
            if ranks[0] + ranks[CARDS + partner] == 13 and (before.left & ~left) >> partner & 1:
                # The partner was on top of the stock or of the waste.
                for place in {partner, at}:
                    last = State(TIP, left | 1 << partner, place, cycle)
                    steps = _between(ranks, before, last) if _is_top(last, partner) else None
                    if steps is not None:
                        found.append([*steps, CARDS + partner])
        return min(found, key=len, default=None)
    board = _tables()[0][before.shape] | before.left << CARDS
    rest = _tables()[0][shape] | left << CARDS
    gone = _positions(board & ~rest)
    kings = [p for p in gone if p >= CARDS and ranks[p] == 13]
    in_waste = [p for p in kings if p < CARDS + before.at]
    # A king of the waste goes from there, or after a recycle from the stock, in as many steps.
    for count in range(len(in_waste) + 1):
        for later in combinations(in_waste, count):
            drawn = [p for p in kings if p not in in_waste or p in later]
            first = [p for p in gone if p not in drawn]
            steps = _removals(ranks, board, before.at, first, set())
            draws = _draws(ranks, before, drawn, after)
            if steps is not None and draws is not None:
                return [*steps, *draws]
    return None


def _draws(
    ranks: Sequence[int], before: State, kings: Sequence[int], after: State
) -> list[int] | None:
    """Draws, recycles and removals of stock kings that lead to a state; None if none do.

    Args:
        before: where the stock is.
        kings: the cards of stock and waste that the draws remove.
        after: what they lead to.
    """
    steps = []
    left = after.left | sum(1 << (p - CARDS) for p in kings)
    here = (left, _top(left, before.at), before.cycle)
    while here != after[1:]:
        left, at, cycle = here
        if at == STOCK:
            if cycle == after.cycle:
                return None
            steps.append(RECYCLE)
            here = (left, _top(left, 0), cycle + 1)
        elif ranks[CARDS + at] == 13:
            steps.append(65 * (CARDS + at))
            left &= ~(1 << at)
            here = (left, _top(left, at), cycle)
        else:
            steps.append(DRAW)
            here = (left, _top(left, at + 1), cycle)
    return steps


def _positions(cards: int) -> list[int]:
    """The positions of a set, as a list."""
    found = []
    while cards:
        found.append((cards & -cards).bit_length() - 1)
        cards &= cards - 1
    return found


def _is_top(state: State, card: int) -> bool:
    """Whether a stock card lies on top of stock or waste."""
    _, left, at, _ = state
    return card in (_top(left, at), (left & ((1 << at) - 1)).bit_length() - 1)


def _top(left: int, at: int) -> int:
    """The index of the first card left at an index of the stock or after it; 24 for none."""
    ahead = left >> at << at
    return (ahead & -ahead).bit_length() - 1 if ahead else STOCK


@cache
def _tables() -> tuple[list[int], list[int]]:
    """``Shapes.cards`` and ``Shapes.upon`` as lists of Python's integers."""
    return shapes().cards.tolist(), shapes().upon.tolist()


def _removals(
    ranks: Sequence[int], board: int, at: int, gone: list[int], hopeless: set[int]
) -> list[int] | None:
    """Removals of exactly the cards ``gone``, without a draw; None if there are none.

    Args:
        hopeless: boards from which the same end cannot be reached; new ones are added.
    """
    if not gone:
        return []
    if board in hopeless:
        return None
    upon = _tables()[1]
    left = board >> CARDS
    at = _top(left, at)
    tops = (CARDS + at, CARDS - 1 + (left & ((1 << at) - 1)).bit_length())
    playable = [p for p in gone if (p in tops if p >= CARDS else not board & upon[p])]
    for i, p in enumerate(playable):
        for q in [p] if ranks[p] == 13 else playable[i + 1 :]:
            if ranks[p] == 13 or ranks[p] + ranks[q] == 13:
                rest = [card for card in gone if card not in (p, q)]
                more = _removals(ranks, board & ~(1 << p | 1 << q), at, rest, hopeless)
                if more is not None:
                    return [64 * p + q, *more]
    hopeless.add(board)
    return None
