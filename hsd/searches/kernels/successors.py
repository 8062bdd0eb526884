"""Scores the successors of a node (``partial``) by the differences that their moves make."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel
from gafreecell.jit.kernels.bits import count_bits, lowest_bit
from hsd.kernels.board import CELL, HOME
from hsd.kernels.columns import (
    COLUMNS,
    INFO,
    INVERTED,
    RECORD,
    ROOM,
    RUN,
    SCORE,
    UNDER,
    W_ABOVE,
    W_BURIED,
    W_HIGHEST,
    W_HOME,
    W_LOWEST,
    W_MADE,
    W_OFF,
    W_RANKS,
    W_SECOND,
    W_SORTED,
    added,
    alone,
    beneath,
    card_of,
)
from hsd.kernels.linear import DEEPEST
from hsd.kernels.replay import Root
from hsd.searches.kernels.foundations import next_cards, wait_of
from hsd.searches.kernels.partial import (
    ABOVE,
    CELLS,
    COUNTS,
    MADE,
    NODE,
    NONE,
    SECOND,
    SOLUTION,
    Partial,
)

# Sets of cards, four bits a rank: the cards of each colour, and one card of each rank.
_RANKS = range(1, 14)
_BLACK = 9 | sum(9 << (4 * rank) for rank in _RANKS)
_RED = 6 | sum(6 << (4 * rank) for rank in _RANKS)
_ONES = sum(1 << (4 * rank) for rank in _RANKS)


class Here(NamedTuple):
    """What moves from a node are scored by.

    Attributes:
        node, w: the node and the row of coefficients.
        homes: the foundations' ranks.
        following, after: the sets of the next needed cards and of those after them.
        exposed: the set of exposed cards.
        taken: the set of the cards that fit on one of them and may move.
        moved: the deepest card of the last move, 0 for none.
        score: the node's score.
        room: where the row has what the cells and columns in use add.
        empty: an empty cascade, -1 if there is none.
        fewer, more: what one column in use less or more adds to the score.
    """

    node: int
    w: np.ndarray
    homes: int
    following: int
    after: int
    exposed: int
    taken: int
    moved: int
    score: int
    room: int
    empty: int
    fewer: int
    more: int


@kernel
def _takers(card: int, exposed: int) -> int:
    """The set of exposed cards on which a card fits."""
    other = _BLACK if (card ^ (card >> 1)) & 1 else _RED
    return ((other & 15) << ((card & 60) + 4)) & exposed


@kernel
def _taken(exposed: int) -> int:
    """The set of all cards that fit on one of the exposed cards."""
    black = exposed & _BLACK
    red = exposed & _RED
    on_black = (black | (black >> 3)) & _ONES
    on_red = ((red >> 1) | (red >> 2)) & _ONES
    return ((on_black * (_RED & 15)) | (on_red * (_BLACK & 15))) >> 4


@kernel
def _weigh_node(counts: int, in_cells: int, following: int, w: np.ndarray) -> int:
    """What the foundations, the cells, the counts and the moves made add to a node's score."""
    homes = counts & 65535
    h0, h1, h2, h3 = homes & 15, (homes >> 4) & 15, (homes >> 8) & 15, homes >> 12
    score = (
        ((counts >> ABOVE) & 255) * w[W_ABOVE]
        + ((counts >> SECOND) & 255) * w[W_SECOND]
        + min(counts >> MADE, DEEPEST) * w[W_MADE]
        + (h0 + h1 + h2 + h3) * w[W_HOME]
        + min(min(h0, h1), min(h2, h3)) * w[W_LOWEST]
        + max(max(h0, h1), max(h2, h3)) * w[W_HIGHEST]
        + count_bits(following) * w[W_BURIED]
    )
    cards = in_cells
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        score += wait_of(homes, card) * w[W_RANKS]
    return score


@kernel
def _emit(
    out: np.ndarray, end: int, best: int, second: int, score: int, move: int
) -> tuple[int, int, int]:
    """Write a successor; returns the end and the two least successors so far.

    Args:
        best, second: the two least successors before this one.
    """
    successor = score << 16 | move
    out[end] = successor
    return end + 1, min(best, successor), min(second, max(best, successor))


@kernel
def _emit_onto_others(
    work: Partial,
    at: Here,
    card: int,
    end: int,
    best: int,
    second: int,
    base: int,
    start: int,
) -> tuple[int, int, int]:
    """Write the moves of a card onto the exposed cards on which it fits.

    Args:
        base: the score of the position after the card was lifted.
        start: the moves, without their targets.
    """
    records, onto = work.records, work.onto
    takers = _takers(card, at.exposed)
    while takers:
        d = work.holder[lowest_bit(takers)]
        takers &= takers - 1
        t = RECORD * int64(work.columns[16 * at.node + d])
        score = base + added(records[t + INFO], records[t + UNDER], card, at.w) + onto[d]
        end, best, second = _emit(work.successors, end, best, second, score, start | (d << 5))
    return end, best, second


@kernel
def _emit_to_cell(
    work: Partial, at: Here, end: int, best: int, second: int
) -> tuple[int, int, int]:
    """Write the moves of exposed cards to the first free cell."""
    records, w = work.records, at.w
    into = w[at.room + COLUMNS] - w[at.room]
    into_alone = w[at.room + COLUMNS - 1] - w[at.room]
    cards = at.exposed & ~(1 << at.moved)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        c = work.holder[card]
        r = RECORD * int64(work.columns[16 * at.node + c])
        alone_there = records[r + UNDER] & (records[r + UNDER] - 1) == 0
        change = work.lift[c] + (into_alone if alone_there else into)
        change += wait_of(at.homes, card) * w[W_RANKS]
        move = c | (CELL << 5) | (1 << 10)
        end, best, second = _emit(work.successors, end, best, second, at.score + change, move)
    return end, best, second


@kernel
def _emit_home(
    work: Partial, at: Here, w_made: int, end: int, best: int, second: int
) -> tuple[int, int, int]:
    """Write the moves of exposed cards home."""
    records, w = work.records, at.w
    cards = at.exposed & at.following
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        c = work.holder[card]
        r = RECORD * int64(work.columns[16 * at.node + c])
        change = work.lift[c] - w_made + w[W_HOME]
        if records[r + RUN] != 1 << card:
            change -= w[W_OFF]
        if beneath(records, r) == 0:
            change += at.fewer
        move = c | (HOME << 5) | (1 << 10)
        end, best, second = _emit(work.successors, end, best, second, at.score + change, move)
    return end, best, second


@kernel
def _emit_exposed(
    work: Partial, at: Here, end: int, best: int, second: int
) -> tuple[int, int, int]:
    """Write the moves of exposed cards onto others."""
    cards = at.exposed & at.taken
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        c = work.holder[card]
        base = at.score + work.lift[c]
        if beneath(work.records, RECORD * int64(work.columns[16 * at.node + c])) == 0:
            base += at.fewer
        end, best, second = _emit_onto_others(
            work, at, card, end, best, second, base, c | (1 << 10)
        )
    return end, best, second


@kernel
def _emit_runs(
    work: Partial, at: Here, c: int, most: int, w_made: int, end: int, best: int, second: int
) -> tuple[int, int, int]:
    """Write the moves of a cascade's runs of two to ``most`` cards."""
    records, w = work.records, at.w
    r = RECORD * int64(work.columns[16 * at.node + c])
    run = records[r + RUN]
    score = records[r + SCORE]
    cut = r
    for count in range(2, min(count_bits(run), most) + 1):
        cut = RECORD * beneath(records, cut)
        card = card_of(records[cut + INFO])
        if card == at.moved:
            break
        link = beneath(records, cut)
        if not ((at.taken >> card) & 1 or (at.empty >= 0 and link != 0)):
            continue
        under = records[RECORD * link + UNDER]
        base = at.score + records[RECORD * link + SCORE] - score + (2 * count - 1) * w_made
        base -= count * (
            count_bits(under & at.following) * w[W_ABOVE]
            + count_bits(under & at.after) * w[W_SECOND]
        )
        if (run & under) != 0:
            base += w[W_OFF]
        takers = _takers(card, at.exposed)
        while takers:
            d = work.holder[lowest_bit(takers)]
            takers &= takers - 1
            t = RECORD * int64(work.columns[16 * at.node + d])
            change = count * work.onto[d] + (at.fewer if link == 0 else 0)
            # Each card of the run adds what it would add directly on the target.
            lower = r
            for _ in range(count):
                part = card_of(records[lower + INFO])
                change += added(records[t + INFO], records[t + UNDER], part, w)
                lower = RECORD * beneath(records, lower)
            move = c | (d << 5) | (count << 10)
            end, best, second = _emit(work.successors, end, best, second, base + change, move)
        if at.empty >= 0 and link != 0 and count < most:
            change = alone(card, w) + (count - 1) * w[W_SORTED] + at.more
            move = c | (at.empty << 5) | (count << 10)
            end, best, second = _emit(work.successors, end, best, second, base + change, move)
    return end, best, second


@kernel
def _emit_to_empty(
    work: Partial, at: Here, end: int, best: int, second: int
) -> tuple[int, int, int]:
    """Write the moves of exposed cards to the empty cascade."""
    cards = at.exposed & ~(1 << at.moved)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        c = work.holder[card]
        if beneath(work.records, RECORD * int64(work.columns[16 * at.node + c])) != 0:
            change = work.lift[c] + alone(card, at.w) + at.more
            move = c | (at.empty << 5) | (1 << 10)
            end, best, second = _emit(work.successors, end, best, second, at.score + change, move)
    return end, best, second


@kernel
def _emit_from_cells(
    work: Partial, at: Here, in_cells: int, w_made: int, end: int, best: int, second: int
) -> tuple[int, int, int]:
    """Write the moves of cards from cells."""
    w, room = at.w, at.room
    room_left = w[room - COLUMNS] - w[room]
    anywhere = ~(1 << at.moved) if at.empty >= 0 else 0
    cards = in_cells & (at.taken | at.following | anywhere)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        base = at.score - wait_of(at.homes, card) * w[W_RANKS] + room_left
        if (at.following >> card) & 1:
            move = CELL | (HOME << 5) | (card << 10)
            end, best, second = _emit(work.successors, end, best, second, base + w[W_HOME], move)
        if card == at.moved:
            continue
        base += w_made
        end, best, second = _emit_onto_others(
            work, at, card, end, best, second, base, CELL | (card << 10)
        )
        if at.empty >= 0:
            change = alone(card, w) + w[room - COLUMNS + 1] - w[room - COLUMNS]
            move = CELL | (at.empty << 5) | (card << 10)
            end, best, second = _emit(work.successors, end, best, second, base + change, move)
    return end, best, second


@kernel
def expand(work: Partial, node: int, root: Root, w: np.ndarray, moved: int) -> int:
    """Score the successors of a node.

    The scores are exact unless cards go home. A card that a move sends home counts as home, but
    everything else is scored as if the card had only left its place, and home moves that are then
    forced are ignored. Once the successor is built, its own successors have exact scores again.

    Args:
        w: the row of coefficients (``columns.row_of``).
        moved: the deepest card of the last move, 0 if a card has gone home since then or there was
            no move. The same cards are not moved again, as that only leads to successors of the
            parent. If the last move took several cards, longer runs that contain them are not moved
            either, as moves of single cards can bring those there.

    Returns:
        The best successor, ``NONE`` if there is none, ``SOLUTION`` if no card lies above a lower
        one. The register ``after`` holds the second best.
    """
    records = work.records
    columns = work.columns
    lift, onto, holder = work.lift, work.onto, work.holder
    registers = work.registers
    in_cells = work.nodes[NODE * node + CELLS]
    counts = work.nodes[NODE * node + COUNTS]
    homes = counts & 65535
    following, after = next_cards(homes)
    w_above, w_second, w_off = w[W_ABOVE], w[W_SECOND], w[W_OFF]
    w_made = w[W_MADE] if (counts >> MADE) < DEEPEST else 0
    here = _weigh_node(counts, in_cells, following, w)
    # ``lift``: what lifting a cascade's exposed card adds to the score, if the cascade does not
    # become empty. ``onto``: what each card laid on the cascade adds by the cards it covers.
    exposed = 0
    deep = 0
    flags = 0
    in_use = 0
    empty = -1
    for c in range(root.cascades):
        link = int64(columns[16 * node + c])
        if link == 0:
            empty = c
            continue
        r = RECORD * link
        in_use += 1
        info = records[r + INFO]
        under = records[r + UNDER]
        run = records[r + RUN]
        score = records[r + SCORE]
        flags |= info
        here += score
        card = card_of(info)
        bit = 1 << card
        exposed |= bit
        deep |= run ^ bit
        over = count_bits(under & following) * w_above + count_bits(under & after) * w_second
        onto[c] = over
        if (following | after) & bit:
            under ^= bit
            over = count_bits(under & following) * w_above + count_bits(under & after) * w_second
        holder[card] = c
        off = w_off if run != bit else 0
        lift[c] = records[RECORD * beneath(records, r) + SCORE] - score - over + w_made + off
    if (flags >> INVERTED) & 1 == 0:
        return SOLUTION
    unused = root.cascades - in_use
    used = count_bits(in_cells)
    free = root.cells - used
    room = ROOM + COLUMNS * used + in_use
    here += w[room]
    fewer = w[room - 1] - w[room]
    # With all cells and nine columns in use, the row has no entry for one more column.
    more = w[room + 1] - w[room] if empty >= 0 else 0
    end = start = registers.successors
    best = int64(NONE)
    second = int64(NONE)
    taken = _taken(exposed) & ~(1 << moved)
    at = Here(
        node, w, homes, following, after, exposed, taken, moved, here, room, empty, fewer, more
    )
    if free > 0:
        end, best, second = _emit_to_cell(work, at, end, best, second)
    end, best, second = _emit_home(work, at, w_made, end, best, second)
    end, best, second = _emit_exposed(work, at, end, best, second)
    most = free + unused + 1
    if deep & ~(1 << moved) and most > 1 and (deep & taken or empty >= 0):
        for c in range(root.cascades):
            run = records[RECORD * int64(columns[16 * node + c]) + RUN]
            if empty >= 0 or run & deep & taken:
                end, best, second = _emit_runs(work, at, c, most, w_made, end, best, second)
    if empty >= 0:
        end, best, second = _emit_to_empty(work, at, end, best, second)
    if used > 0:
        end, best, second = _emit_from_cells(work, at, in_cells, w_made, end, best, second)
    work.first[node] = start
    work.width[node] = end - start
    registers.successors = end
    registers.expanded += 1
    registers.scored += end - start
    registers.after = second
    return best
