"""Partial expansion: a state's successors are scored when it is expanded, and built one by one.

An expanded state scores all its successors by the differences that their moves make. It waits in
the open list under the best of them that is left (Yoshizumi, Miura and Ishida 2000). Only when
that one's turn comes is it looked up and built. So a search builds and stores a fraction of the
states that it scores.

A *node* is a built state: links to the records of its columns (``hsd.kernels.columns``), the set
of cards in cells, and a few counts. The transposition table identifies nodes by hashes of 128
bits. Nothing is dropped, so a search that runs dry has met every state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hsd.kernels.board import CELL, HOME, STRIDE_BITS, Board, play_unhashed
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
    lay_on,
)
from hsd.kernels.home import play_safe_home
from hsd.kernels.linear import DEEPEST
from hsd.kernels.replay import Root, finish_home, load_root
from hsd.kernels.zobrist import IN_CELL, NO_CARD, zobrist
from jit import Registers, int64, kernel, large_kernel, new_registers, uint64
from jit.kernels.bits import count_bits, lowest_bit
from jit.slices import GROW, SOLVED, enlarged

NODE = 8
"""Words (int64) of a node: links to ten columns in the halves of five, then these."""
CELLS, COUNTS, ORIGIN = 5, 6, 7
# Fields of COUNTS: the foundations' ranks, cards above the next needed card of each suit and above
# the one after it, moves of single cards made.
ABOVE, SECOND, MADE = 16, 24, 32
# Fields of ORIGIN: the parent and, from here on, the move: source, target << 5, and << 10 the
# cards of a run, or the card itself if it comes from a cell. CELL is any cell.
MOVE = 32

LINK = (1 << 32) - 1
SMALL_TABLE = 1 << 11
"""Words of the table that a search begins with."""
MOST = 256
"""An upper bound on the successors of a state."""
NONE = (1 << 63) - 1
"""No successor; others are ``score << 16 | move``."""
UNKNOWN = NONE - 2
SOLUTION = NONE - 1
"""What ``expand`` returns for a position that home moves alone finish."""

# Sets of cards, four bits a rank: those of each colour, and one card of each rank.
_RANKS = range(1, 14)
_BLACK = 9 | sum(9 << (4 * rank) for rank in _RANKS)
_RED = 6 | sum(6 << (4 * rank) for rank in _RANKS)
_ONES = sum(1 << (4 * rank) for rank in _RANKS)


class PartialRegisters(Registers):
    """What a tree counts and remembers between slices; the first four are sizes.

    Attributes:
        nodes, records, successors: how many are in use, of the phase at work.
        heap: length of the open list.
        expanded, generated, scored: the search's counts, over all phases.
        phase: the phase at work.
        turn: the depth whose turn it was last.
        node, next: the node at work and its successor to take; ``NONE`` for none.
        after: the successor after that; ``UNKNOWN`` if it has to be looked for.
        mask: of the hashes; the table is as large as the nodes need.
        goal: the node of the goal, -1 for none.
        length: moves of the solution.
    """

    nodes: int
    records: int
    successors: int
    heap: int
    expanded: int
    generated: int
    scored: int
    phase: int
    turn: int
    node: int
    next: int
    after: int
    mask: int
    goal: int
    length: int


class Partial(NamedTuple):
    """The arrays of a tree; the driver enlarges those that fill up.

    Attributes:
        registers: ``PartialRegisters``.
        table: uint32, the transposition table: nodes + 1, 0 for none. Its first ``mask`` + 1
            words are in use.
        records: int64, the records of columns.
        nodes: int64, the nodes.
        columns: uint32, the same memory, in which column c of node n is at ``16 * n + c``.
        keys: uint64, both words of the nodes' hashes.
        successors: int64, those of all nodes, ``score << 16 | move``.
        first: uint32, where a node's successors begin.
        width: uint32, how many they are.
        next: int64, the successor under which a node waits.
        heap: int64, the open list as keys.
        onto, lift: int64[16], scratch of ``expand`` by column.
        holder: int64[64], scratch of ``expand``: the column that a card is exposed on.
        path: int64, the solution; its second half is scratch.
        trail: int64[128], scratch.
    """

    registers: PartialRegisters
    table: np.ndarray
    records: np.ndarray
    nodes: np.ndarray
    columns: np.ndarray
    keys: np.ndarray
    successors: np.ndarray
    first: np.ndarray
    width: np.ndarray
    next: np.ndarray
    heap: np.ndarray
    onto: np.ndarray
    lift: np.ndarray
    holder: np.ndarray
    path: np.ndarray
    trail: np.ndarray


BY_NODE = "nodes", "keys", "first", "width", "next", "heap"
"""The arrays that grow with the number of nodes."""


def new_partial(nodes: int) -> Partial:
    """A tree with room for so many nodes, a power of two, at least 32: the root needs that."""
    words = np.zeros(NODE * nodes, np.int64)
    return Partial(
        registers=new_registers(PartialRegisters),
        table=np.zeros(2 * nodes, np.uint32),
        records=np.zeros(2 * RECORD * nodes, np.int64),
        nodes=words,
        columns=words.view(np.uint32),
        keys=np.zeros(2 * nodes, np.uint64),
        successors=np.zeros(8 * nodes, np.int64),
        first=np.zeros(nodes, np.uint32),
        width=np.zeros(nodes, np.uint32),
        next=np.zeros(nodes, np.int64),
        heap=np.zeros(nodes, np.int64),
        onto=np.zeros(16, np.int64),
        lift=np.zeros(16, np.int64),
        holder=np.zeros(64, np.int64),
        path=np.zeros(2048, np.int64),
        trail=np.zeros(128, np.int64),
    )


@kernel
def is_full(work: Partial) -> bool:
    """Whether one more node, its records or its successors might not fit."""
    registers = work.registers
    return (
        registers.nodes + 4 >= work.first.size
        or RECORD * (registers.records + 16) >= work.records.size
        or registers.successors + MOST >= work.successors.size
    )


def enlarge_partial(work: Partial) -> Partial:
    """The same tree with larger arrays in place of those that are full."""
    registers = work.registers
    if registers.nodes + 4 >= work.first.size:
        work = enlarged(work, *BY_NODE, "table")
        work = work._replace(columns=work.nodes.view(np.uint32))
    if RECORD * (registers.records + 16) >= work.records.size:
        work = enlarged(work, "records")
    if registers.successors + MOST >= work.successors.size:
        work = enlarged(work, "successors")
    if 2 * (registers.length + 64) > work.path.size:
        work = work._replace(path=np.zeros(4 * (registers.length + 64), np.int64))
    return work


@kernel
def find(work: Partial, first: int, second: int) -> int:
    """The place of a hash in the table; ``-1 - place`` if it is not there."""
    mask = work.registers.mask
    at = int64(first >> uint64(20)) & mask
    while work.table[at] != 0:
        node = int64(work.table[at]) - 1
        if work.keys[2 * node] == first and work.keys[2 * node + 1] == second:
            return at
        at = (at + 1) & mask
    return -1 - at


@kernel
def clear_table(work: Partial, size: int) -> None:
    """Make the table one of so many words, a power of two, all of them empty."""
    work.registers.mask = size - 1
    for i in range(size):
        work.table[i] = 0


@kernel
def widen_table(work: Partial) -> None:
    """Double the table if it is half full: a small one is soon cleared, and stays in the cache."""
    registers = work.registers
    if 2 * registers.nodes + 4 <= registers.mask:
        return
    clear_table(work, 2 * (registers.mask + 1))
    for node in range(registers.nodes):
        work.table[-1 - find(work, work.keys[2 * node], work.keys[2 * node + 1])] = node + 1


@kernel
def _rank_home(homes: int, card: int) -> int:
    """The highest rank home of a card's suit."""
    return (homes >> (4 * (card & 3))) & 15


@kernel
def _is_safe(homes: int, card: int) -> bool:
    """``hsd.kernels.home.is_safe``, on foundations in one word, for a card that is the next."""
    rank = card >> 2
    suit = card & 3
    black = suit == 0 or suit == 3
    first = (homes >> (4 if black else 0)) & 15
    second = (homes >> (8 if black else 12)) & 15
    twin = (homes >> (4 * (3 - suit))) & 15
    lower = min(first, second)
    return lower >= rank - 1 or (lower >= rank - 2 and twin >= rank - 3)


@kernel
def _goes_home_safely(homes: int, card: int) -> bool:
    return _rank_home(homes, card) == (card >> 2) - 1 and _is_safe(homes, card)


@kernel
def _needed(homes: int) -> tuple[int, int]:
    """The sets of the next needed cards and of those after them."""
    following = 0
    after = 0
    for s in range(4):
        rank = (homes >> (4 * s)) & 15
        if rank < 13:
            following |= 1 << (4 * rank + 4 + s)
        if rank < 12:
            after |= 1 << (4 * rank + 8 + s)
    return following, after


@kernel
def _takers(card: int, exposed: int) -> int:
    """Of the exposed cards the set of those on which a card fits."""
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
def _over(work: Partial, node: int, cascades: int, card: int) -> int:
    """How many cards lie above a card in its cascade; 0 if it lies in none."""
    records = work.records
    for c in range(cascades):
        at = RECORD * int64(work.columns[16 * node + c])
        if (records[at + UNDER] >> card) & 1:
            over = 0
            while card_of(records[at + INFO]) != card:
                over += 1
                at = RECORD * beneath(records, at)
            return over
    return 0


@kernel
def _weigh_node(counts: int, in_cells: int, following: int, w: np.ndarray) -> int:
    """What the foundations, the cells and the moves made add to a node's score."""
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
        score += _wait_of(homes, card) * w[W_RANKS]
    return score


@kernel
def _wait_of(homes: int, card: int) -> int:
    """How many ranks a card is from its turn home."""
    return (card >> 2) - 1 - _rank_home(homes, card)


@kernel
def _two_least(best: int, second: int, successor: int) -> tuple[int, int]:
    """The two least of three, of which the first two are in order."""
    return min(best, successor), min(second, max(best, successor))


@kernel
def expand(work: Partial, node: int, root: Root, w: np.ndarray, moved: int) -> int:
    """Score the successors of a node.

    A successor's score is that of the position, but for home moves: a card that goes home counts
    as home, and all else is scored as if it only left its place and no other followed it. When the
    successor is built, its own successors make good.

    Args:
        w: the row of coefficients (``columns.row_of``).
        moved: the deepest card of the last move if no card went home since; to move the same
            cards again leads nowhere that the parent's successors are not. 0 for none. If they
            are two or more, longer runs on which they lie stay as well: single cards take those
            there.

    Returns:
        The best of them, ``NONE`` if there is none, ``SOLUTION`` if no card lies above a lower one.
        The register ``after`` holds the second best.
    """
    records = work.records
    columns = work.columns
    out = work.successors
    lift, onto, holder = work.lift, work.onto, work.holder
    registers = work.registers
    at = NODE * node
    in_cells = work.nodes[at + CELLS]
    counts = work.nodes[at + COUNTS]
    homes = counts & 65535
    following, after = _needed(homes)
    w_above, w_second, w_ranks, w_off = w[W_ABOVE], w[W_SECOND], w[W_RANKS], w[W_OFF]
    w_made = w[W_MADE] if (counts >> MADE) < DEEPEST else 0
    here = _weigh_node(counts, in_cells, following, w)
    # What lifting its exposed card adds to the score of each cascade, as if no cascade fell empty.
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
    # With all cells and nine columns in use there is no place for one more.
    more = w[room + 1] - w[room] if empty >= 0 else 0
    end = start = registers.successors
    best = int64(NONE)
    second = int64(NONE)
    unmoved = ~(1 << moved)

    # Exposed cards to the first free cell.
    if free > 0:
        into = w[room + COLUMNS] - w[room]
        into_alone = w[room + COLUMNS - 1] - w[room]
        cards = exposed & unmoved
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            c = holder[card]
            r = RECORD * int64(columns[16 * node + c])
            alone_there = records[r + UNDER] & (records[r + UNDER] - 1) == 0
            change = lift[c] + (into_alone if alone_there else into)
            change += _wait_of(homes, card) * w_ranks
            successor = here + change << 16 | c | (CELL << 5) | (1 << 10)
            best, second = _two_least(best, second, successor)
            out[end] = successor
            end += 1

    # Exposed cards home.
    cards = exposed & following
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        c = holder[card]
        r = RECORD * int64(columns[16 * node + c])
        change = lift[c] - w_made + w[W_HOME]
        if records[r + RUN] != 1 << card:
            change -= w_off
        if beneath(records, r) == 0:
            change += fewer
        successor = here + change << 16 | c | (HOME << 5) | (1 << 10)
        best, second = _two_least(best, second, successor)
        out[end] = successor
        end += 1

    # Exposed cards onto others.
    taken = _taken(exposed) & unmoved
    cards = exposed & taken
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        c = holder[card]
        base = here + lift[c]
        if beneath(records, RECORD * int64(columns[16 * node + c])) == 0:
            base += fewer
        takers = _takers(card, exposed)
        while takers:
            d = holder[lowest_bit(takers)]
            takers &= takers - 1
            t = RECORD * int64(columns[16 * node + d])
            change = added(records[t + INFO], records[t + UNDER], card, w) + onto[d]
            successor = base + change << 16 | c | (d << 5) | (1 << 10)
            best, second = _two_least(best, second, successor)
            out[end] = successor
            end += 1

    # Runs of two cards and more onto others and to an empty cascade.
    most = free + unused + 1
    if deep & unmoved and most > 1 and (deep & taken or empty >= 0):
        for c in range(root.cascades):
            r = RECORD * int64(columns[16 * node + c])
            run = records[r + RUN]
            length = min(count_bits(run), most)
            if length < 2 or (empty < 0 and run & deep & taken == 0):
                continue
            score = records[r + SCORE]
            cut = r
            for count in range(2, length + 1):
                cut = RECORD * beneath(records, cut)
                card = card_of(records[cut + INFO])
                if card == moved:
                    break
                link = beneath(records, cut)
                if not ((taken >> card) & 1 or (empty >= 0 and link != 0)):
                    continue
                under = records[RECORD * link + UNDER]
                base = here + records[RECORD * link + SCORE] - score + (2 * count - 1) * w_made
                base -= count * (
                    count_bits(under & following) * w_above + count_bits(under & after) * w_second
                )
                if (run & under) != 0:
                    base += w_off
                takers = _takers(card, exposed)
                while takers:
                    d = holder[lowest_bit(takers)]
                    takers &= takers - 1
                    t = RECORD * int64(columns[16 * node + d])
                    change = count * onto[d] + (fewer if link == 0 else 0)
                    # The cards of the run add as if each of them lay on the target.
                    lower = r
                    for _ in range(count):
                        part = card_of(records[lower + INFO])
                        change += added(records[t + INFO], records[t + UNDER], part, w)
                        lower = RECORD * beneath(records, lower)
                    successor = base + change << 16 | c | (d << 5) | (count << 10)
                    best, second = _two_least(best, second, successor)
                    out[end] = successor
                    end += 1
                if empty >= 0 and link != 0 and count < most:
                    change = alone(card, w) + (count - 1) * w[W_SORTED] + more
                    successor = base + change << 16 | c | (empty << 5) | (count << 10)
                    best, second = _two_least(best, second, successor)
                    out[end] = successor
                    end += 1

    # Exposed cards to an empty cascade.
    if empty >= 0:
        cards = exposed & unmoved
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            c = holder[card]
            if beneath(records, RECORD * int64(columns[16 * node + c])) != 0:
                change = lift[c] + alone(card, w) + more
                successor = here + change << 16 | c | (empty << 5) | (1 << 10)
                best, second = _two_least(best, second, successor)
                out[end] = successor
                end += 1

    # Cards from cells.
    if used > 0:
        room_left = w[room - COLUMNS] - w[room]
        cards = in_cells & (taken | following | (unmoved if empty >= 0 else 0))
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            base = here - _wait_of(homes, card) * w_ranks + room_left
            if (following >> card) & 1:
                successor = base + w[W_HOME] << 16 | CELL | (HOME << 5) | (card << 10)
                best, second = _two_least(best, second, successor)
                out[end] = successor
                end += 1
            if card == moved:
                continue
            base += w_made
            takers = _takers(card, exposed)
            while takers:
                d = holder[lowest_bit(takers)]
                takers &= takers - 1
                t = RECORD * int64(columns[16 * node + d])
                change = added(records[t + INFO], records[t + UNDER], card, w) + onto[d]
                successor = base + change << 16 | CELL | (d << 5) | (card << 10)
                best, second = _two_least(best, second, successor)
                out[end] = successor
                end += 1
            if empty >= 0:
                change = alone(card, w) + w[room - COLUMNS + 1] - w[room - COLUMNS]
                successor = base + change << 16 | CELL | (empty << 5) | (card << 10)
                best, second = _two_least(best, second, successor)
                out[end] = successor
                end += 1
    work.first[node] = start
    work.width[node] = end - start
    registers.successors = end
    registers.expanded += 1
    registers.scored += end - start
    registers.after = second
    return best


@kernel
def after_move(work: Partial, node: int, move: int, root: Root) -> tuple[int, int, int, bool]:
    """Look at a successor without building it.

    Returns:
        Both words of the hash after the move, without the forced home moves that may follow; the
        deepest card moved; and whether no card goes home, by this move or after it.
    """
    records = work.records
    homes = work.nodes[NODE * node + COUNTS] & 65535
    source = move & 31
    target = (move >> 5) & 31
    quiet = target != HOME
    if source == CELL:
        card = move >> 10
        was_on = IN_CELL
    else:
        link = int64(work.columns[16 * node + source])
        for _ in range((move >> 10) - 1):
            link = beneath(records, RECORD * link)
        card = card_of(records[RECORD * link + INFO])
        link = beneath(records, RECORD * link)
        was_on = card_of(records[RECORD * link + INFO])
        if was_on != NO_CARD and root.automatic and _goes_home_safely(homes, was_on):
            quiet = False
    first = work.keys[2 * node] ^ zobrist(card, was_on, 0)
    second = work.keys[2 * node + 1] ^ zobrist(card, was_on, 1)
    if target != HOME:
        now_on = IN_CELL
        if target < CELL:
            link = int64(work.columns[16 * node + target])
            now_on = card_of(records[RECORD * link + INFO])
        first ^= zobrist(card, now_on, 0)
        second ^= zobrist(card, now_on, 1)
    return first, second, card, quiet


@kernel
def _lift(
    work: Partial, counts: int, node: int, c: int, count: int, following: int, after: int
) -> int:
    """Take cards off a column of a node that is being built; returns its counts."""
    records = work.records
    link = int64(work.columns[16 * node + c])
    for _ in range(count):
        link = beneath(records, RECORD * link)
    work.columns[16 * node + c] = link
    under = records[RECORD * link + UNDER]
    over = (count_bits(under & following) << ABOVE) + (count_bits(under & after) << SECOND)
    return counts - count * over


@kernel
def _send_home(work: Partial, node: int, counts: int, cascades: int, card: int) -> int:
    """The counts after a card, which is taken up already, went home."""
    counts += 1 << (4 * (card & 3))
    if (card >> 2) < 13:
        over = _over(work, node, cascades, card + 4)
        counts += (over << ABOVE) - (over << SECOND)
        if (card >> 2) < 12:
            counts += _over(work, node, cascades, card + 8) << SECOND
    return counts


@kernel
def _force_home(work: Partial, node: int, counts: int, root: Root) -> int:
    """Send safe cards home until none is left; returns the counts."""
    records = work.records
    again = True
    while again:
        again = False
        for c in range(root.cascades):
            card = card_of(records[RECORD * int64(work.columns[16 * node + c]) + INFO])
            while card != NO_CARD and _goes_home_safely(counts & 65535, card):
                following, after = _needed(counts & 65535)
                counts = _lift(work, counts, node, c, 1, following, after)
                left = card_of(records[RECORD * int64(work.columns[16 * node + c]) + INFO])
                _toggle(work, node, card, left)
                counts = _send_home(work, node, counts, root.cascades, card)
                card = left
                again = True
        cards = work.nodes[NODE * node + CELLS]
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            if _goes_home_safely(counts & 65535, card):
                work.nodes[NODE * node + CELLS] ^= 1 << card
                _toggle(work, node, card, IN_CELL)
                counts = _send_home(work, node, counts, root.cascades, card)
                again = True
    return counts


@kernel
def _toggle(work: Partial, node: int, card: int, beneath: int) -> None:
    """Add a pair to a node's hash, or remove it."""
    work.keys[2 * node] ^= zobrist(card, beneath, 0)
    work.keys[2 * node + 1] ^= zobrist(card, beneath, 1)


@kernel
def build(
    work: Partial,
    parent: int,
    move: int,
    root: Root,
    w: np.ndarray,
    first: int,
    second: int,
    card: int,
    quiet: bool,
) -> None:
    """Build a successor as the last node, without entering it in the table.

    Args:
        parent: the node that the move starts from.
        w: the row of coefficients.
        first, second, card, quiet: what ``after_move`` says.
    """
    registers = work.registers
    records = work.records
    columns = work.columns
    node = registers.nodes
    at = NODE * node
    for i in range(CELLS + 1):
        work.nodes[at + i] = work.nodes[NODE * parent + i]
    counts = work.nodes[NODE * parent + COUNTS]
    following, after = _needed(counts & 65535)
    work.keys[2 * node] = first
    work.keys[2 * node + 1] = second
    source = move & 31
    target = (move >> 5) & 31
    count = 1
    run = 0
    if source == CELL:
        work.nodes[at + CELLS] ^= 1 << card
    else:
        count = move >> 10
        run = RECORD * int64(columns[16 * node + source])
        counts = _lift(work, counts, node, source, count, following, after)
    if target == HOME:
        counts = _send_home(work, node, counts, root.cascades, card)
    else:
        counts += (2 * count - 1) << MADE
        if target == CELL:
            work.nodes[at + CELLS] |= 1 << card
        else:
            link = int64(columns[16 * node + target])
            under = records[RECORD * link + UNDER]
            over = (count_bits(under & following) << ABOVE) + (count_bits(under & after) << SECOND)
            counts += count * over
            new = registers.records
            lay_on(records, new, link, card, w)
            for i in range(count - 2, -1, -1):
                over_it = run
                for _ in range(i):
                    over_it = RECORD * beneath(records, over_it)
                lay_on(records, new + 1, new, card_of(records[over_it + INFO]), w)
                new += 1
            columns[16 * node + target] = new
            registers.records = new + 1
    if not quiet and root.automatic:
        counts = _force_home(work, node, counts, root)
    work.nodes[at + COUNTS] = counts
    work.nodes[at + ORIGIN] = parent | (move << MOVE)


@large_kernel
def set_root(work: Partial, board: Board, root: Root, w: np.ndarray) -> None:
    """Begin: the position, after forced home moves, becomes node 0, the only one in the table."""
    registers = work.registers
    load_root(board, root)
    if root.automatic:
        play_safe_home(board, work.trail, 0)
    clear_table(work, min(SMALL_TABLE, work.table.size))
    for i in range(RECORD):
        work.records[i] = 0
    for i in range(NODE):
        work.nodes[i] = 0
    registers.records = 1
    for c in range(root.cascades):
        link = 0
        for i in range(board.height[c]):
            card = int64(board.column[(c << STRIDE_BITS) + i])
            lay_on(work.records, registers.records, link, card, w)
            link = registers.records
            registers.records += 1
        work.columns[c] = link
    for i in range(root.cells):
        card = int64(board.cell[i])
        if card != NO_CARD:
            work.nodes[CELLS] |= 1 << card
    counts = 0
    for s in range(4):
        rank = board.home[s]
        counts |= rank << (4 * s)
        if rank < 13:
            counts += _over(work, 0, root.cascades, 4 * rank + 4 + s) << ABOVE
        if rank < 12:
            counts += _over(work, 0, root.cascades, 4 * rank + 8 + s) << SECOND
    work.nodes[COUNTS] = counts
    work.keys[0] = board.key[0]
    work.keys[1] = board.key[1]
    work.table[-1 - find(work, work.keys[0], work.keys[1])] = 1
    registers.nodes = 1
    registers.successors = 0
    registers.generated += 1
    registers.heap = 0


@large_kernel
def write_solution(board: Board, work: Partial, root: Root) -> int:
    """Write the path to the goal, forced home moves and those that finish the game to ``path``.

    Returns:
        ``SOLVED`` with the number of moves in the registers, or ``GROW`` if
        ``path`` must be enlarged first.
    """
    registers = work.registers
    length = 0
    node = registers.goal
    while node > 0:
        length += 1
        node = work.nodes[NODE * node + ORIGIN] & LINK
    registers.length = length
    half = work.path.size // 2
    if length + 64 > half:
        return GROW
    node = registers.goal
    for i in range(length - 1, -1, -1):
        origin = work.nodes[NODE * node + ORIGIN]
        work.path[half + i] = origin >> MOVE
        node = origin & LINK
    load_root(board, root)
    at = 0
    for i in range(length + 1):
        if i > 0:
            move = _board_move(board, work.path[half + i - 1])
            play_unhashed(board, move)
            work.path[at] = move
            at += 1
        if root.automatic:
            end = play_safe_home(board, work.path, at)
            while at < end:
                work.path[at] = (work.path[at] & 1023) | (1 << 10)
                at += 1
    registers.length = finish_home(board, work.path, at)
    return SOLVED


@kernel
def _board_move(board: Board, move: int) -> int:
    """A tree's move as a move on this board, which knows its cells apart."""
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    if source == CELL:
        card = count
        count = 1
        while board.cell[source - CELL] != card:
            source += 1
    elif target == CELL:
        while board.cell[target - CELL] != NO_CARD:
            target += 1
    return source | (target << 5) | (count << 10)
