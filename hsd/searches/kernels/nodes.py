"""Builds the nodes of a tree (``partial``): successors, which are examined first, and the root."""

from __future__ import annotations

import numpy as np

from gafreecell.jit import int64, kernel, large_kernel
from gafreecell.jit.kernels.bits import count_bits, lowest_bit
from hsd.kernels.board import CELL, HOME, STRIDE_BITS, Board
from hsd.kernels.columns import INFO, RECORD, UNDER, beneath, card_of, lay_on
from hsd.kernels.home import play_safe_home
from hsd.kernels.replay import Root, load_root
from hsd.kernels.zobrist import IN_CELL, NO_CARD, zobrist
from hsd.searches.kernels.foundations import goes_home_safely, next_cards
from hsd.searches.kernels.partial import (
    ABOVE,
    CELLS,
    COUNTS,
    MADE,
    MOVE,
    NODE,
    ORIGIN,
    SECOND,
    SMALL_TABLE,
    Partial,
    clear_table,
    find,
)


@kernel
def after_move(work: Partial, node: int, move: int, root: Root) -> tuple[int, int, int, bool]:
    """Examine a successor without building it.

    Returns:
        Both words of the hash after the move, before any forced home moves; the deepest card moved;
        and whether the successor is quiet: neither this move nor a forced one sends a card home.
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
        if was_on != NO_CARD and root.automatic and goes_home_safely(homes, was_on):
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
def _over_next(records: np.ndarray, link: int, following: int, after: int) -> int:
    """What each card laid on a column adds to a node's counts."""
    under = records[RECORD * link + UNDER]
    return (count_bits(under & following) << ABOVE) + (count_bits(under & after) << SECOND)


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
    return counts - count * _over_next(records, link, following, after)


@kernel
def _send_home(work: Partial, node: int, counts: int, cascades: int, card: int) -> int:
    """The counts after a card, already taken off its place, went home."""
    counts += 1 << (4 * (card & 3))
    if (card >> 2) < 13:
        over = _over(work, node, cascades, card + 4)
        counts += (over << ABOVE) - (over << SECOND)
        if (card >> 2) < 12:
            counts += _over(work, node, cascades, card + 8) << SECOND
    return counts


@kernel
def _toggle(work: Partial, node: int, card: int, beneath: int) -> None:
    """Add the pair of a card and the card beneath it to a node's hash, or remove it."""
    work.keys[2 * node] ^= zobrist(card, beneath, 0)
    work.keys[2 * node + 1] ^= zobrist(card, beneath, 1)


@kernel
def _force_home(work: Partial, node: int, counts: int, root: Root) -> int:
    """Send safe cards home until none is left; returns the counts."""
    records = work.records
    again = True
    while again:
        again = False
        for c in range(root.cascades):
            card = card_of(records[RECORD * int64(work.columns[16 * node + c]) + INFO])
            while card != NO_CARD and goes_home_safely(counts & 65535, card):
                following, after = next_cards(counts & 65535)
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
            if goes_home_safely(counts & 65535, card):
                work.nodes[NODE * node + CELLS] ^= 1 << card
                _toggle(work, node, card, IN_CELL)
                counts = _send_home(work, node, counts, root.cascades, card)
                again = True
    return counts


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
        first, second, card, quiet: the results of ``after_move``.
    """
    registers = work.registers
    records = work.records
    columns = work.columns
    node = registers.nodes
    at = NODE * node
    for i in range(CELLS + 1):
        work.nodes[at + i] = work.nodes[NODE * parent + i]
    counts = work.nodes[NODE * parent + COUNTS]
    following, after = next_cards(counts & 65535)
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
            counts += count * _over_next(records, link, following, after)
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
    """Begin a phase: the root, after forced home moves, is node 0 and the only one in the table."""
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
