"""The moves of a position, one for each class of moves that lead to equal positions.

And what happens in a position by itself.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import count_bits, int64, kernel, large_kernel, lowest_bit
from gafreecell.solitaire.patience.kernels.state import (
    ANY,
    AT,
    CELLS,
    COLOUR,
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
    NONE,
    PILE,
    REDEALS,
    RESERVE,
    SPACE_ANY,
    SPACE_KING,
    SPACE_NONE,
    SUIT,
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
    card_of,
    complete_run,
    first_of_reserve,
    goes_on,
    in_reach,
    least_home,
    move_of,
    parts_of,
    play,
    put,
    take_talon,
)

MOST_MOVES = 4096
"""More than any position has: 24 piles with 24 others each and a space for runs of 104 cards."""


@large_kernel
def list_moves(code: Code, state: State, moves: np.ndarray) -> int:
    """List the moves of a position that ``measure`` has seen; returns their number."""
    empty = int64(0)
    for p in range(code.piles):
        empty |= int64(state.size[p] == 0) << p
    ordered = code.to == TO_PILES and state.counts[TALON] > 0
    # The first stands for all, unless their order matters.
    spaces = empty if ordered else empty & -empty
    end = home_moves(code, state, moves)
    end = _pile_moves(code, state, moves, end, empty, spaces, ordered)
    end = _single_moves(code, state, moves, end, spaces)
    return _talon_moves(code, state, moves, end, spaces)


@kernel
def home_moves(code: Code, state: State, moves: np.ndarray) -> int:
    """List the moves from piles, cells and reserve to the foundations or the hole; their number."""
    end, number = int64(0), code.ranks if code.runs else int64(1)
    for p in range(code.piles):
        size = state.size[p]
        if code.runs:
            goes = complete_run(code, state, p)
        else:
            goes = size > 0 and can_go_home(code, state, int64(state.piles[p, size - 1]))
        if goes:
            moves[end] = move_of(FROM_PILE, TO_HOME, p, 0, number)
            end += 1
    for i in range(state.counts[CELLS]):
        if can_go_home(code, state, int64(state.cell[i])):
            moves[end] = move_of(FROM_CELL, TO_HOME, i, 0, 1)
            end += 1
    for i in range(first_of_reserve(code, state), state.counts[RESERVE]):
        if can_go_home(code, state, int64(state.reserve[i])):
            moves[end] = move_of(FROM_RESERVE, TO_HOME, i, 0, 1)
            end += 1
    return end


@kernel
def _pile_moves(
    code: Code, state: State, moves: np.ndarray, end: int, empty: int, spaces: int, ordered: bool
) -> int:
    """List the moves from pile to pile."""
    most = most_to_space = int64(MOST_CARDS)
    if code.single:
        # Empty piles help if they can take any card for a while.
        helpful = count_bits(empty) if code.space == SPACE_ANY and code.fill == NO_FILL else 0
        free = code.cells - state.counts[CELLS]
        most, most_to_space = (free + 1) << helpful, (free + 1) << max(helpful - 1, 0)
    for p in range(code.piles):
        size, run = state.size[p], state.run[p]
        if run == 0:
            continue
        fewest = size if code.move == PILE else int64(1)
        for number in range(run if code.whole else fewest, min(run, most) + 1):
            move = move_of(FROM_PILE, TO_PILE, p, 0, number)
            card = int64(state.piles[p, size - number])
            end = _to_fitting(code, state, moves, end, move, card, ~(int64(1) << p))
        for number in range(fewest, min(run, most_to_space if spaces else 0) + 1):
            move = move_of(FROM_PILE, TO_PILE, p, 0, number)
            if number < size or ordered:
                end = _to_each(moves, end, move, _open(code, state, move, spaces))
    return end


@kernel
def _to_fitting(
    code: Code, state: State, moves: np.ndarray, end: int, move: int, card: int, among: int
) -> int:
    """Write a move of a card to each of some piles, given as bits, on which the card may lie."""
    piles = state.tops[(card >> 2) + 1] & among
    while piles:
        p = lowest_bit(piles)
        piles &= piles - 1
        if goes_on(code, card, int64(state.piles[p, state.size[p] - 1])):
            moves[end] = move | (p << 12)
            end += 1
    return end


@kernel
def _open(code: Code, state: State, move: int, spaces: int) -> int:
    """Those of the empty piles to which a move may lead, as bits."""
    if code.space == SPACE_NONE:
        return int64(0)
    if code.space == SPACE_KING and card_of(state, move) >> 2 != code.ranks - 1:
        return int64(0)
    if code.fill == FILL_RESERVE_WASTE and parts_of(move)[0] != FROM_TALON:
        return int64(0)
    return spaces


@kernel
def _to_each(moves: np.ndarray, end: int, move: int, piles: int) -> int:
    """Write a move to each of some piles, given as bits; returns the number of moves."""
    while piles:
        moves[end] = move | (lowest_bit(piles) << 12)
        piles &= piles - 1
        end += 1
    return end


@kernel
def _single_moves(code: Code, state: State, moves: np.ndarray, end: int, spaces: int) -> int:
    """List the moves of single cards between cells, reserve, foundations and piles."""
    for i in range(state.counts[CELLS]):
        end = _to_piles(code, state, moves, end, FROM_CELL, i, spaces)
    for i in range(first_of_reserve(code, state), state.counts[RESERVE]):
        end = _to_piles(code, state, moves, end, FROM_RESERVE, i, spaces)
        end = _to_cell(code, state, moves, end, FROM_RESERVE, i, 1)
    for f in range(4 * code.decks if code.back else 0):
        # Of two equal foundations the second gives the card.
        twin = code.decks > 1 and f < 4 and state.home[f] == state.home[f + 4]
        if state.home[f] > 0 and not twin and not _returns(code, state, f):
            end = _to_piles(code, state, moves, end, FROM_HOME, f, spaces)
            end = _to_cell(code, state, moves, end, FROM_HOME, f, 1)
    for p in range(code.piles):
        if state.size[p] > 0:
            number = state.run[p] if code.whole else int64(1)
            end = _to_cell(code, state, moves, end, FROM_PILE, p, number)
    return end


@kernel
def _returns(code: Code, state: State, f: int) -> bool:
    """Whether a foundation's top card, played back, would go home again by itself."""
    if not _saves_cards(code, state) or code.fill != NO_FILL or code.spaces == 0:
        return False
    state.home[f] -= 1
    safe = _is_safe(code, state, 4 * state.home[f] + (f & 3))
    state.home[f] += 1
    return safe


@kernel
def _to_piles(
    code: Code, state: State, moves: np.ndarray, end: int, source: int, place: int, spaces: int
) -> int:
    """List the moves of a card from outside of the piles to each pile that it fits."""
    move = move_of(source, TO_PILE, place, 0, 1)
    end = _to_fitting(code, state, moves, end, move, card_of(state, move), int64(-1))
    return _to_each(moves, end, move, _open(code, state, move, spaces))


@kernel
def _to_cell(
    code: Code, state: State, moves: np.ndarray, end: int, source: int, place: int, number: int
) -> int:
    """List the move of some cards to cells, if these have room."""
    if number <= code.cells - state.counts[CELLS]:
        moves[end] = move_of(source, TO_CELL, place, 0, number)
        end += 1
    return end


@kernel
def _talon_moves(code: Code, state: State, moves: np.ndarray, end: int, spaces: int) -> int:
    """List the moves of stock and waste."""
    talon, at = state.counts[TALON], state.counts[AT]
    if talon == 0:
        return end
    if code.to != TO_WASTE:
        if code.to == TO_HOLE or code.spaces or spaces == 0:
            moves[end] = DEAL
            end += 1
        return end
    again = code.endless or state.counts[REDEALS] > 0
    if code.fill == FILL_WASTE and (at < talon or again):
        # What lies on the waste may fill a pile by itself, so that each draw is a choice.
        moves[end] = DRAW
        end += 1
    if at > 0:
        end = _talon_card(code, state, moves, end, at, spaces)
    if code.fill == FILL_WASTE:
        return end
    # Every card that draws can bring to the top, the redeals in between included.
    place = at
    while place < talon:
        place = min(place + code.draw, talon)
        end = _talon_card(code, state, moves, end, place, spaces)
    place = int64(0) if again else talon
    while place < talon:
        place = min(place + code.draw, talon)
        if not in_reach(code, state, place):
            end = _talon_card(code, state, moves, end, place, spaces)
    return end


@kernel
def _talon_card(
    code: Code, state: State, moves: np.ndarray, end: int, place: int, spaces: int
) -> int:
    """List the moves of the waste's top card when it has so many cards."""
    if can_go_home(code, state, int64(state.talon[place - 1])):
        moves[end] = move_of(FROM_TALON, TO_HOME, place, 0, 1)
        end += 1
    end = _to_piles(code, state, moves, end, FROM_TALON, place, spaces)
    return _to_cell(code, state, moves, end, FROM_TALON, place, 1)


@large_kernel
def settle(code: Code, state: State) -> None:
    """What happens by itself after a move: cards turn up, empty piles are filled.

    Besides, cards go home if that can do no harm. Moves of this second kind are logged.
    """
    state.log[0] = 0
    saves = _saves_cards(code, state)
    again = True
    while again:
        again = False
        for p in range(code.piles):
            size = state.size[p]
            if size > 0:
                state.down[p] = min(state.down[p], size - 1)
            else:
                state.down[p] = 0
                again |= code.fill != NO_FILL and _fill(code, state, p)
        again |= saves and _bring_safe_home(code, state)
        again |= code.whole != 0 and _leave_cell(code, state)


@kernel
def _saves_cards(code: Code, state: State) -> bool:
    """Whether safe cards go home by themselves."""
    # Cards that are dealt on a card can be carried along with it.
    carries = code.move == LOOSE and code.to == TO_PILES and state.counts[TALON] > 0
    return code.hole == 0 and code.runs == 0 and not carries


@kernel
def _fill(code: Code, state: State, p: int) -> bool:
    """Fill an empty pile by the rules; returns whether there was a card for it."""
    count = state.counts
    if code.fill == FILL_WASTE:
        if count[TALON] == 0:
            return False
        put(state, p, take_talon(state, max(count[AT], 1)))
        return True
    if count[RESERVE] == 0:
        return False
    count[RESERVE] -= 1
    put(state, p, int64(state.reserve[count[RESERVE]]))
    return True


@kernel
def _bring_safe_home(code: Code, state: State) -> bool:
    """Bring home a card that can do no good elsewhere; returns whether there was one."""
    for i in range(home_moves(code, state, state.free)):
        move = state.free[i]
        source, _, place, _, _ = parts_of(move)
        # An empty pile may be filled by what the player would rather keep, or keep a row from
        # being dealt.
        keeps = code.fill == FILL_WASTE or code.spaces == 0
        kept = keeps and source == FROM_PILE and state.size[place] == 1
        if not kept and _is_safe(code, state, card_of(state, move)):
            _log(code, state, move)
            return True
    return False


@kernel
def _leave_cell(code: Code, state: State) -> bool:
    """Put a card from a cell on the card that goes on with it in suit; whether there was one."""
    for i in range(state.counts[CELLS]):
        for p in range(code.piles):
            size = state.size[p]
            if size > 0 and int64(state.piles[p, size - 1]) == int64(state.cell[i]) + 4:
                _log(code, state, move_of(FROM_CELL, TO_PILE, i, p, 1))
                return True
    return False


@kernel
def _log(code: Code, state: State, move: int) -> None:
    """Make a move that happens by itself."""
    state.log[0] += 1
    state.log[state.log[0]] = move
    state.card[state.log[0]] = card_of(state, move)
    play(code, state, move)


@kernel
def _is_safe(code: Code, state: State, card: int) -> bool:
    """Whether no card needs one that can go home to lie on.

    The argument, by how piles are built, is in docs/how/patience.md.
    """
    order, suit = card >> 2, card & 3
    # Of two decks: the other copy must be home, as the two compete for the foundation.
    if code.decks > 1 and state.home[suit] == order:
        return False
    if code.build == NONE or code.build == SUIT:
        return True
    other_colour = same_colour = int64(13)
    for other in range(4):
        if other != suit:
            least = least_home(code, state, other)
            if code.build == COLOUR and ((suit ^ other) ^ ((suit ^ other) >> 1)) & 1 == 0:
                same_colour = min(same_colour, least)
            else:
                other_colour = min(other_colour, least)
    if code.build == ANY:
        return other_colour >= order - 1
    if code.back == 0 and other_colour >= order:
        return True
    return other_colour >= order - 1 and same_colour >= order - 2
