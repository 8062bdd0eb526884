"""The moves of a position, one for each class of moves that lead to equal positions."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel, large_kernel, lowest_bit
from gafreecell.solitaire.patience.kernels.state import (
    AT,
    CELLS,
    DEAL,
    DRAW,
    FILL_RESERVE_WASTE,
    FILL_WASTE,
    FROM_CELL,
    FROM_HOME,
    FROM_PILE,
    FROM_RESERVE,
    FROM_TALON,
    LOOSE,
    MOST_CARDS,
    NO_FILL,
    PILE,
    REDEALS,
    RESERVE,
    SPACE_ANY,
    SPACE_KING,
    SPACE_NONE,
    TALON,
    TO_CELL,
    TO_HOLE,
    TO_HOME,
    TO_PILE,
    TO_PILES,
    TO_WASTE,
    Code,
    State,
    can_go_home,
    complete_run,
    goes_on,
    in_reach,
    is_safe,
    most_at_once,
    move_of,
    saves_cards,
)

MOST_MOVES = 4096
"""More than any position has: 24 piles with 24 others each and a space for runs of 104 cards."""


@large_kernel
def list_moves(code: Code, state: State, moves: np.ndarray) -> int:
    """List the moves of a position that ``measure`` has seen; returns their number."""
    space = int64(-1)
    for p in range(code.piles - 1, -1, -1):
        if state.size[p] == 0:
            space = p
    ordered = code.to == TO_PILES and state.counts[TALON] > 0
    end = _home_moves(code, state, moves, int64(0))
    end = _pile_moves(code, state, moves, end, space, ordered)
    end = _single_moves(code, state, moves, end, space, ordered)
    end = _talon_moves(code, state, moves, end, space)
    return end


@kernel
def _home_moves(code: Code, state: State, moves: np.ndarray, end: int) -> int:
    """List the moves from piles, cells and reserve to the foundations or the hole."""
    home, one, none = int64(TO_HOME), int64(1), int64(0)
    for p in range(code.piles):
        size = state.size[p]
        if code.runs:
            if complete_run(code, state, p):
                moves[end] = move_of(int64(FROM_PILE), home, p, none, int64(code.ranks))
                end += 1
        elif size > 0 and can_go_home(code, state, int64(state.piles[p, size - 1])):
            moves[end] = move_of(int64(FROM_PILE), home, p, none, one)
            end += 1
    if code.runs:
        return end
    for i in range(state.counts[CELLS]):
        if can_go_home(code, state, int64(state.cell[i])):
            moves[end] = move_of(int64(FROM_CELL), home, i, none, one)
            end += 1
    first = max(state.counts[RESERVE] - 1, 0) if code.stacked else int64(0)
    for i in range(first, state.counts[RESERVE]):
        if can_go_home(code, state, int64(state.reserve[i])):
            moves[end] = move_of(int64(FROM_RESERVE), home, i, none, one)
            end += 1
    return end


@kernel
def _pile_moves(
    code: Code, state: State, moves: np.ndarray, end: int, space: int, ordered: bool
) -> int:
    """List the moves from pile to pile."""
    pile = int64(TO_PILE)
    most = most_to_space = int64(MOST_CARDS)
    if code.single:
        spaces = _helpful_spaces(code, state)
        most = most_at_once(code, state, spaces)
        most_to_space = most_at_once(code, state, max(spaces - 1, 0))
    for p in range(code.piles):
        size, run = state.size[p], state.run[p]
        if run == 0:
            continue
        top = int64(state.piles[p, size - 1]) >> 2
        fewest = int64(1)
        if code.move == PILE:
            fewest = size
        elif code.whole:
            fewest = run
        for number in range(fewest, min(run, most) + 1):
            card = int64(state.piles[p, size - number])
            # Where runs move, their orders are consecutive.
            order = card >> 2 if code.move == LOOSE else top + number - 1
            targets = state.tops[order + 1] & ~(int64(1) << p)
            while targets:
                q = lowest_bit(targets)
                targets &= targets - 1
                if goes_on(code, card, int64(state.piles[q, state.size[q] - 1])):
                    moves[end] = move_of(int64(FROM_PILE), pile, p, q, number)
                    end += 1
        if space < 0 or code.space == SPACE_NONE or code.fill == FILL_RESERVE_WASTE:
            continue
        end = _moves_to_space(code, state, moves, end, p, space, ordered, most_to_space)
    return end


@kernel
def _helpful_spaces(code: Code, state: State) -> int:
    """How many empty piles can take any card for a while."""
    spaces = int64(0)
    if code.space == SPACE_ANY and code.fill == NO_FILL:
        for p in range(code.piles):
            spaces += state.size[p] == 0
    return spaces


@kernel
def _moves_to_space(
    code: Code,
    state: State,
    moves: np.ndarray,
    end: int,
    p: int,
    space: int,
    ordered: bool,
    most: int,
) -> int:
    """List the moves from a pile to empty piles: the first, or all if their order matters."""
    size = state.size[p]
    for number in range(1, min(state.run[p], most) + 1):
        if code.move == PILE and number < size:
            continue
        if code.space == SPACE_KING and int64(state.piles[p, size - number]) >> 2 != code.ranks - 1:
            continue
        if number == size and not ordered:
            continue
        for q in range(space, code.piles if ordered else space + 1):
            if state.size[q] == 0:
                moves[end] = move_of(int64(FROM_PILE), int64(TO_PILE), p, q, number)
                end += 1
    return end


@kernel
def _single_moves(
    code: Code, state: State, moves: np.ndarray, end: int, space: int, ordered: bool
) -> int:
    """List the moves of single cards between cells, reserve, foundations and piles."""
    one, none = int64(1), int64(0)
    free = state.counts[CELLS] < code.cells
    for i in range(state.counts[CELLS]):
        card = int64(state.cell[i])
        end = _to_piles(code, state, moves, end, int64(FROM_CELL), i, card, space, ordered)
    first = max(state.counts[RESERVE] - 1, 0) if code.stacked else int64(0)
    for i in range(first, state.counts[RESERVE]):
        card = int64(state.reserve[i])
        end = _to_piles(code, state, moves, end, int64(FROM_RESERVE), i, card, space, ordered)
        if free:
            moves[end] = move_of(int64(FROM_RESERVE), int64(TO_CELL), i, none, one)
            end += 1
    if code.back:
        for f in range(4 * code.decks):
            # Of two equal foundations the second gives the card.
            twin = code.decks > 1 and f < 4 and state.home[f] == state.home[f + 4]
            if state.home[f] > 0 and not twin and not _returns(code, state, f):
                card = 4 * (state.home[f] - 1) + (f & 3)
                end = _to_piles(code, state, moves, end, int64(FROM_HOME), f, card, space, ordered)
                if free:
                    moves[end] = move_of(int64(FROM_HOME), int64(TO_CELL), f, none, one)
                    end += 1
    if free:
        for p in range(code.piles):
            if state.size[p] > 0:
                number = state.run[p] if code.whole else one
                if number <= code.cells - state.counts[CELLS]:
                    moves[end] = move_of(int64(FROM_PILE), int64(TO_CELL), p, none, number)
                    end += 1
    return end


@kernel
def _returns(code: Code, state: State, f: int) -> bool:
    """Whether a foundation's top card, played back, would go home again by itself."""
    if not saves_cards(code, state) or code.fill != NO_FILL or code.spaces == 0:
        return False
    state.home[f] -= 1
    safe = is_safe(code, state, 4 * state.home[f] + (f & 3))
    state.home[f] += 1
    return safe


@kernel
def _to_piles(
    code: Code,
    state: State,
    moves: np.ndarray,
    end: int,
    source: int,
    place: int,
    card: int,
    space: int,
    ordered: bool,
) -> int:
    """List the moves of a card from outside of the piles to each pile that it fits."""
    targets = state.tops[(card >> 2) + 1]
    while targets:
        q = lowest_bit(targets)
        targets &= targets - 1
        if goes_on(code, card, int64(state.piles[q, state.size[q] - 1])):
            moves[end] = move_of(source, int64(TO_PILE), place, q, int64(1))
            end += 1
    if space < 0 or code.space == SPACE_NONE:
        return end
    if code.space == SPACE_KING and card >> 2 != code.ranks - 1:
        return end
    if code.fill == FILL_RESERVE_WASTE and source != FROM_TALON:
        return end
    for q in range(space, code.piles if ordered else space + 1):
        if state.size[q] == 0:
            moves[end] = move_of(source, int64(TO_PILE), place, q, int64(1))
            end += 1
    return end


@kernel
def _talon_moves(code: Code, state: State, moves: np.ndarray, end: int, space: int) -> int:
    """List the moves of stock and waste."""
    talon, at = state.counts[TALON], state.counts[AT]
    if talon == 0:
        return end
    if code.to != TO_WASTE:
        if code.to == TO_HOLE or code.spaces or space < 0:
            moves[end] = move_of(int64(DEAL), int64(0), int64(0), int64(0), int64(0))
            end += 1
        return end
    if code.fill == FILL_WASTE:
        # What lies on the waste may fill a pile by itself, so that each draw is a choice.
        if at < talon or code.endless or state.counts[REDEALS] > 0:
            moves[end] = move_of(int64(DRAW), int64(0), int64(0), int64(0), int64(0))
            end += 1
        return _talon_card(code, state, moves, end, at, space) if at > 0 else end
    # Every card that draws can bring to the top, the redeals in between included.
    if at > 0:
        end = _talon_card(code, state, moves, end, at, space)
    place = at
    while place < talon:
        place = min(place + code.draw, talon)
        end = _talon_card(code, state, moves, end, place, space)
    if code.endless or state.counts[REDEALS] > 0:
        place = int64(0)
        while place < talon:
            place = min(place + code.draw, talon)
            if not in_reach(code, state, place):
                end = _talon_card(code, state, moves, end, place, space)
    return end


@kernel
def _talon_card(
    code: Code, state: State, moves: np.ndarray, end: int, place: int, space: int
) -> int:
    """List the moves of the waste's top card when it has so many cards."""
    card = int64(state.talon[place - 1])
    source = int64(FROM_TALON)
    if can_go_home(code, state, card):
        moves[end] = move_of(source, int64(TO_HOME), place, int64(0), int64(1))
        end += 1
    end = _to_piles(code, state, moves, end, source, place, card, space, False)
    if state.counts[CELLS] < code.cells:
        moves[end] = move_of(source, int64(TO_CELL), place, int64(0), int64(1))
        end += 1
    return end
