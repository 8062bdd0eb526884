"""A position of any game, its hash, and what happens in it by itself.

Cards are numbered 4 * order + suit, where the order is the number of cards of the suit that go home
before it: rules with another base than the ace are turned into those of the ace. The two copies of
a card of two decks have the same number.

A *row* is a position in a line of bytes: what ``pack`` writes and ``unpack`` reads.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import (
    Registers,
    int64,
    kernel,
    large_kernel,
    nested,
    new_registers,
    not_zero,
    uint64,
)

MOST_PILES, MOST_CARDS, MOST_CELLS, MOST_RESERVE = 24, 104, 12, 60
NONE, SUIT, COLOUR, ANY = range(4)
CARD, RUN, PILE, LOOSE = range(4)
SPACE_ANY, SPACE_KING, SPACE_NONE = range(3)
NO_FILL, FILL_RESERVE, FILL_RESERVE_WASTE, FILL_WASTE = range(4)
TO_WASTE, TO_PILES, TO_HOLE = range(3)
CELLS, RESERVE, TALON, AT, REDEALS, HOLE, LEFT, DEAD = range(8)
"""Places in ``State.counts``: cards in cells, in the reserve, in stock and waste; of the last those
in the waste; redeals left; the top card of the hole; cards that are not home. ``measure`` writes
the last, whether the hole can never take all cards."""
EMPTY = 255
"""Below the order of any card, and no hole."""
FROM_PILE, FROM_CELL, FROM_RESERVE, FROM_TALON, FROM_HOME, DEAL, DRAW = range(7)
TO_PILE, TO_CELL, TO_HOME = range(3)


_RANDOM = np.random.default_rng(51).integers(0, 2**64, (MOST_CARDS + 16, 64, 2), np.uint64)
(_CELL, _RESERVE, _STACK, _HOME, _SECOND_HOME, _TALON, _TURNED, _DOWN, _PLACE, _REDEALS, _HOLE) = (
    MOST_CARDS + i for i in (0, 1, 2, 3, 4, 5, 7, 9, 11, 12, 13)
)
"""Rows of the table of random words; some counts, up to 104, take two rows."""


class Code(Registers):
    """Rules as numbers, in the words of ``rules``.

    Attributes:
        single: whether cards move one by one, so that the free places bound how many move on.
        whole: whether only whole runs need to move, and cards leave cells for piles by themselves.
        levels: how many parts of the stock a best-first search tells apart; 1 if it can be gone
            through again without end.
        dealt: how much of the stock there is at first, as ``search.stock_left`` counts it.
        fits: uint8[52, 52], by the lower and the upper card: 1 if the upper one may lie on the
            other, and 2 if both can move together.
    """

    piles: int
    cells: int
    build: int
    move: int
    space: int
    fill: int
    stacked: int
    to: int
    draw: int
    endless: int
    spaces: int
    back: int
    runs: int
    hole: int
    wraps: int
    ranks: int
    decks: int
    single: int
    whole: int
    levels: int
    dealt: int
    fits: np.ndarray = nested(np.uint8, 52, 52)


class State(Registers):
    """A position.

    Attributes:
        piles: uint8[piles, cards], from the deepest card.
        size, down: int64[piles], the cards of each pile and those of them that lie face down.
        key: uint64[2 * piles], two words for each pile, of its cards and their depths.
        mixed, total: uint64[2 * piles], uint64[2], what the piles add to the hash, and the hash.
        cell, reserve: uint8, the cards there, in no order (of a stacked reserve from the deepest).
        talon: uint8, the waste from its deepest card, then the stock from its next.
        home: int64[8], the cards on each foundation: of four suits, and of two decks the fuller
            ones first.
        counts: int64, see above.
        low: uint8[piles, cards + 1], the least order among so many of a pile's deepest cards.
        run: int64[piles], how many top cards of each pile may move at once.
        rooted: int64[piles], how many of a pile's deepest cards are built on a king.
        pile_of, depth_of: int64[104], where each card lies, -1 for outside of piles; a second copy
            has 52 added to its number.
        next: int64[4], the card that each suit needs next; -1 for none.
        needed: int64[piles], how many of these cards lie in each pile, all copies counted.
        tops: int64[15], for each order the piles with such a card on top, as bits.
        ranks, waiting: int64[14], how many cards of each rank are left, if there is a hole; and
            those of them that the stock does not deal.
        free: int64, moves home, as ``settle`` lists them.
        log, card: int64, the moves that ``settle`` made, and their cards, from index 1; their
            number is at index 0 of the first.
        random: uint64, two words for each card at each depth of a pile; after them for cards at
            other places, and for counts.
    """

    piles: np.ndarray = nested(np.uint8, MOST_PILES, MOST_CARDS)
    size: np.ndarray = nested(np.int64, MOST_PILES)
    down: np.ndarray = nested(np.int64, MOST_PILES)
    key: np.ndarray = nested(np.uint64, 2 * MOST_PILES)
    mixed: np.ndarray = nested(np.uint64, 2 * MOST_PILES)
    total: np.ndarray = nested(np.uint64, 2)
    cell: np.ndarray = nested(np.uint8, MOST_CELLS)
    reserve: np.ndarray = nested(np.uint8, MOST_RESERVE)
    talon: np.ndarray = nested(np.uint8, MOST_CARDS)
    home: np.ndarray = nested(np.int64, 8)
    counts: np.ndarray = nested(np.int64, 8)
    low: np.ndarray = nested(np.uint8, MOST_PILES, MOST_CARDS + 1)
    run: np.ndarray = nested(np.int64, MOST_PILES)
    rooted: np.ndarray = nested(np.int64, MOST_PILES)
    pile_of: np.ndarray = nested(np.int64, 104)
    depth_of: np.ndarray = nested(np.int64, 104)
    next: np.ndarray = nested(np.int64, 4)
    needed: np.ndarray = nested(np.int64, MOST_PILES)
    tops: np.ndarray = nested(np.int64, 15)
    ranks: np.ndarray = nested(np.int64, 14)
    waiting: np.ndarray = nested(np.int64, 14)
    free: np.ndarray = nested(np.int64, 128)
    log: np.ndarray = nested(np.int64, 128)
    card: np.ndarray = nested(np.int64, 128)
    random: np.ndarray = nested(np.uint64, *_RANDOM.shape)


def new_state(alike: bool = False) -> State:
    """An empty table; if suits are ``alike``, its hash tells cards by their ranks alone, but for
    those that are home."""
    state = new_registers(State)
    state.random[:] = _RANDOM
    if alike:
        cards = np.arange(52)
        for row in (*range(MOST_CARDS), _CELL, _RESERVE):
            state.random[row, cards] = _RANDOM[row, cards & ~3]
    return state


def row_size(piles: int, cards: int) -> int:
    """The bytes of a row."""
    return cards + 2 * piles + 8 + 8


@kernel
def _mixed(word: int) -> int:
    """A word whose bits are mixed (the finaliser of SplitMix64, Steele and others 2014)."""
    word = (word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB)
    return word ^ (word >> uint64(31))


@large_kernel
def hash_of(code: Code, state: State) -> tuple[int, int]:
    """A position's hash, two words, the first not zero.

    It does not depend on the order of cells and reserve, nor on that of piles unless the stock is
    dealt to them.
    """
    first = _sum_of_places(code, state, int64(0))
    second = _sum_of_places(code, state, int64(1))
    state.total[0] = first
    state.total[1] = second
    return not_zero(first), second


@kernel
def _sum_of_places(code: Code, state: State, word: int) -> int:
    """A word of the hash: the sum of what the places add to it."""
    count = state.counts
    key = uint64(0)
    for p in range(code.piles):
        state.mixed[2 * p + word] = _word_of_pile(code, state, p, state.key[2 * p + word], word)
        key += state.mixed[2 * p + word]
    for i in range(count[CELLS]):
        key += state.random[_CELL, int64(state.cell[i]), word]
    if code.stacked:
        key += state.random[_STACK, count[RESERVE], word]
    else:
        for i in range(count[RESERVE]):
            key += state.random[_RESERVE, int64(state.reserve[i]), word]
    for f in range(4 * code.decks):
        key += state.random[_HOME + (f >> 2), 14 * (f & 3) + state.home[f], word]
    if code.hole:
        key += state.random[_HOLE, count[HOLE] >> 2, word]
    if count[TALON] > 0:
        key += _hash_of_talon(code, state, word)
    return key


@kernel
def _word_of_pile(code: Code, state: State, p: int, key: int, word: int) -> int:
    """What a pile adds to a word of the hash if its key were this."""
    if key == 0:
        return uint64(0)
    key ^= state.random[_DOWN + (state.down[p] >> 6), state.down[p] & 63, word]
    if code.to == TO_PILES and state.counts[TALON] > 0:
        key ^= state.random[_PLACE, p, word]
    return _mixed(key)


@large_kernel
def hash_after(code: Code, state: State, move: int, word: int) -> int:
    """A word of the hash of the position after a move, before it settles.

    The position at hand must be that of the last ``hash_of``. Zero if the position is sure to
    settle, or if its hash would take as long as ``hash_of``.
    """
    source, target, place, to, number = parts_of(move)
    if source in (DEAL, DRAW, FROM_TALON):
        return uint64(0)
    card, total = card_of(state, move), state.total[word]
    if source == FROM_PILE:
        beneath = state.size[place] - number
        if (beneath > 0 and state.down[place] == beneath) or (code.runs and target == TO_HOME):
            return uint64(0)
        total += _change_of_pile(code, state, place, beneath, place, card, number, word)
    elif source == FROM_CELL:
        total -= state.random[_CELL, card, word]
    elif source == FROM_HOME:
        row, height = _HOME + (place >> 2), 14 * (place & 3) + state.home[place]
        total += _step(state, row, height, height - 1, word)
    elif code.stacked:
        height = state.counts[RESERVE]
        total += _step(state, int64(_STACK), height, height - 1, word)
    else:
        total -= state.random[_RESERVE, card, word]
    if target == TO_PILE:
        pile = place if source == FROM_PILE else int64(-1)
        total += _change_of_pile(code, state, to, state.size[to], pile, card, number, word)
    elif target == TO_CELL:
        for i in range(number):
            each = card if number == 1 else int64(state.piles[place, state.size[place] - 1 - i])
            total += state.random[_CELL, each, word]
    elif code.hole:
        total += _step(state, int64(_HOLE), state.counts[HOLE] >> 2, card >> 2, word)
    else:
        f = foundation_of(code, state, card)
        row, height = _HOME + (f >> 2), 14 * (f & 3) + state.home[f]
        total += _step(state, row, height, height + 1, word)
    return not_zero(total) if word == 0 else total


@kernel
def _change_of_pile(
    code: Code, state: State, p: int, depth: int, source: int, card: int, number: int, word: int
) -> int:
    """By how much a pile's word changes if so many cards, from a depth on, are put or lifted.

    They are the top cards of the pile ``source``; or ``card`` alone, where that is -1.
    """
    key = state.key[2 * p + word]
    for i in range(number):
        each = card
        if source >= 0:
            each = int64(state.piles[source, state.size[source] - number + i])
        key ^= state.random[depth + i, each, word]
    return _word_of_pile(code, state, p, key, word) - state.mixed[2 * p + word]


@kernel
def _step(state: State, row: int, before: int, after: int, word: int) -> int:
    """By how much a word of the hash changes if a count, or what stands for it, does."""
    return state.random[row, after, word] - state.random[row, before, word]


@kernel
def _hash_of_talon(code: Code, state: State, word: int) -> int:
    """A word of what stock and waste add to the hash."""
    count, turned = state.counts, _turned(code, state)
    talon = state.random[_TALON + (count[TALON] >> 6), count[TALON] & 63, word]
    talon ^= state.random[_TURNED + (turned >> 6), turned & 63, word]
    if not code.endless:
        talon ^= state.random[_REDEALS, count[REDEALS], word]
    if (code.decks > 1 or code.hole) and code.to == TO_WASTE:
        # Of one deck the cards left are those that are nowhere else, in an order that is known,
        # unless there is a hole, of whose cards only the last counts.
        for i in range(count[TALON]):
            talon ^= state.random[i, int64(state.talon[i]), word]
    return _mixed(talon)


@kernel
def _turned(code: Code, state: State) -> int:
    """The cards in the waste; 0 if that makes no difference to which can be reached."""
    at = state.counts[AT]
    alike = at == state.counts[TALON] or at % code.draw == 0
    return int64(0) if alike and code.endless and code.fill != FILL_WASTE else at


@large_kernel
def make_keys(code: Code, state: State) -> None:
    """Compute the keys of all piles."""
    for p in range(code.piles):
        size = state.size[p]
        state.key[2 * p] = state.key[2 * p + 1] = uint64(0)
        state.size[p] = 0
        for depth in range(size):
            put(state, p, int64(state.piles[p, depth]))


@large_kernel
def pack(code: Code, state: State, row: np.ndarray) -> None:
    """Write a position to a row."""
    _exchange(code, state, row, True)


@large_kernel
def unpack(code: Code, state: State, row: np.ndarray) -> None:
    """Read a position from a row."""
    _exchange(code, state, row, False)


@kernel
def _exchange(code: Code, state: State, row: np.ndarray, write: bool) -> None:
    """Write a position to a row, or read it."""
    at = _exchange_part(state.size, code.piles, row, 0, write)
    at = _exchange_part(state.down, code.piles, row, at, write)
    at = _exchange_part(state.counts, DEAD, row, at, write)
    at = _exchange_part(state.home, 4 * code.decks, row, at, write)
    for p in range(code.piles):
        at = _exchange_part(state.piles[p], state.size[p], row, at, write)
    at = _exchange_part(state.cell, state.counts[CELLS], row, at, write)
    at = _exchange_part(state.reserve, state.counts[RESERVE], row, at, write)
    _exchange_part(state.talon, state.counts[TALON], row, at, write)


@kernel
def _exchange_part(part: np.ndarray, size: int, row: np.ndarray, at: int, write: bool) -> int:
    """Write so many numbers to a row from a place on, or read them; returns the place after."""
    for i in range(size):
        if write:
            row[at + i] = part[i]
        else:
            part[i] = row[at + i]
    return at + size


@kernel
def goes_on(code: Code, upper: int, lower: int) -> bool:
    """Whether a card may lie on another of a pile."""
    return code.fits[lower, upper] & 1 != 0


@kernel
def goes_with(code: Code, upper: int, lower: int) -> bool:
    """Whether a card that lies on another can move along with it."""
    return code.fits[lower, upper] & 2 != 0


@kernel
def least_home(code: Code, state: State, suit: int) -> int:
    """The cards on a suit's foundation; with two decks on the emptier of its two."""
    return state.home[suit + 4] if code.decks > 1 else state.home[suit]


@kernel
def foundation_of(code: Code, state: State, card: int) -> int:
    """The foundation to which a card can go, or -1."""
    order, f = card >> 2, card & 3
    if state.home[f] == order:
        # Of two equal foundations the first stays the fuller one.
        return f
    if code.decks > 1 and state.home[f + 4] == order:
        return f + 4
    return int64(-1)


@kernel
def can_go_home(code: Code, state: State, card: int) -> bool:
    """Whether a single card may go to a foundation, or to the hole."""
    if code.hole:
        apart = abs((card >> 2) - (state.counts[HOLE] >> 2))
        return apart == 1 or (code.wraps != 0 and apart == code.ranks - 1)
    return code.runs == 0 and foundation_of(code, state, card) >= 0


@kernel
def complete_run(code: Code, state: State, p: int) -> bool:
    """Whether a whole run in suit lies on top of a pile."""
    size, ranks = state.size[p], code.ranks
    if size - state.down[p] < ranks:
        return False
    suit = int64(state.piles[p, size - 1]) & 3
    number = int64(0)
    while number < ranks and int64(state.piles[p, size - 1 - number]) == 4 * number + suit:
        number += 1
    return number == ranks


@kernel
def bring_home(code: Code, state: State, card: int) -> None:
    """Put a card, taken from its place, on a foundation or in the hole."""
    state.counts[LEFT] -= 1
    if code.hole:
        state.counts[HOLE] = card
    else:
        state.home[foundation_of(code, state, card)] += 1


@kernel
def _take_from(state: State, cards: np.ndarray, kind: int, i: int) -> int:
    """Take a card from the cells or the reserve, whose number is at ``kind`` in the counts."""
    card = int64(cards[i])
    state.counts[kind] -= 1
    cards[i] = cards[state.counts[kind]]
    return card


@kernel
def first_of_reserve(code: Code, state: State) -> int:
    """The index of the first card of the reserve that can be played."""
    return max(state.counts[RESERVE] - 1, 0) if code.stacked else int64(0)


@kernel
def take_talon(state: State, at: int) -> int:
    """Take the top card of the waste, once it has this many cards."""
    card = int64(state.talon[at - 1])
    for i in range(at - 1, state.counts[TALON] - 1):
        state.talon[i] = state.talon[i + 1]
    state.counts[TALON] -= 1
    state.counts[AT] = at - 1
    return card


@kernel
def in_reach(code: Code, state: State, place: int) -> bool:
    """Whether the waste gets so many cards by draws, without being turned over."""
    at = state.counts[AT]
    return place >= max(at, 1) and ((place - at) % code.draw == 0 or place == state.counts[TALON])


@kernel
def put(state: State, p: int, card: int) -> None:
    """Put a card on a pile."""
    depth = state.size[p]
    state.piles[p, depth] = card
    state.size[p] += 1
    state.key[2 * p] ^= state.random[depth, card, 0]
    state.key[2 * p + 1] ^= state.random[depth, card, 1]


@kernel
def lift(state: State, p: int) -> int:
    """Take the top card of a pile."""
    state.size[p] -= 1
    depth = state.size[p]
    card = int64(state.piles[p, depth])
    state.key[2 * p] ^= state.random[depth, card, 0]
    state.key[2 * p + 1] ^= state.random[depth, card, 1]
    return card


@kernel
def move_of(source: int, target: int, place: int, to: int, number: int) -> int:
    """The number of a move.

    Args:
        source, target: kinds of places, such as ``FROM_PILE``.
        place: the pile, the index of a cell or reserve card, the cards in the waste when its top
            card is taken, or the foundation.
        to: the pile.
        number: how many cards move.
    """
    return source | (target << 3) | (place << 5) | (to << 12) | (number << 17)


@kernel
def parts_of(move: int) -> tuple[int, int, int, int, int]:
    """The parts of a move: what ``move_of`` takes."""
    return move & 7, (move >> 3) & 3, (move >> 5) & 127, (move >> 12) & 31, move >> 17


@kernel
def card_of(state: State, move: int) -> int:
    """The card that a move takes, of several the deepest; -1 for a draw or a row that is dealt."""
    source, _, place, _, number = parts_of(move)
    if source == FROM_PILE:
        return int64(state.piles[place, state.size[place] - number])
    if source == FROM_CELL:
        return int64(state.cell[place])
    if source == FROM_RESERVE:
        return int64(state.reserve[place])
    if source == FROM_TALON:
        return int64(state.talon[place - 1])
    if source == FROM_HOME:
        return 4 * (state.home[place] - 1) + (place & 3)
    return int64(-1)


@large_kernel
def play(code: Code, state: State, move: int) -> None:
    """Make a move; ``settle`` does the rest."""
    source, target, place, to, number = parts_of(move)
    if source == DEAL:
        _deal(code, state)
        return
    if source == DRAW:
        if state.counts[AT] == state.counts[TALON]:
            state.counts[AT] = 0
            state.counts[REDEALS] -= 1 - code.endless
        else:
            state.counts[AT] = min(state.counts[AT] + code.draw, state.counts[TALON])
        return
    if source == FROM_PILE and target == TO_PILE:
        beneath = state.size[place] - number
        for i in range(number):
            put(state, to, int64(state.piles[place, beneath + i]))
        for _ in range(number):
            lift(state, place)
        return
    for _ in range(number):
        card = _taken(code, state, source, place)
        if target == TO_PILE:
            put(state, to, card)
        elif target == TO_CELL:
            state.cell[state.counts[CELLS]] = card
            state.counts[CELLS] += 1
        else:
            bring_home(code, state, card)


@kernel
def _taken(code: Code, state: State, source: int, place: int) -> int:
    """Take a card from its place."""
    if source == FROM_PILE:
        return lift(state, place)
    if source == FROM_CELL:
        return _take_from(state, state.cell, CELLS, place)
    if source == FROM_RESERVE:
        return _take_from(state, state.reserve, RESERVE, place)
    if source == FROM_TALON:
        if not in_reach(code, state, place):
            state.counts[REDEALS] -= 1 - code.endless
        return take_talon(state, place)
    state.home[place] -= 1
    state.counts[LEFT] += 1
    return 4 * state.home[place] + (place & 3)


@kernel
def _deal(code: Code, state: State) -> None:
    """Deal from the stock to the piles or to the hole."""
    cards = min(code.piles, state.counts[TALON]) if code.to == TO_PILES else 1
    for i in range(cards):
        card = int64(state.talon[i])
        if code.to == TO_PILES:
            put(state, i, card)
        else:
            bring_home(code, state, card)
    state.counts[TALON] -= cards
    for i in range(state.counts[TALON]):
        state.talon[i] = state.talon[i + cards]
