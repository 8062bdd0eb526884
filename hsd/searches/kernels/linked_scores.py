"""Scores nodes and their successors, as ``hsd.kernels.linear`` scores boards."""

from __future__ import annotations

from typing import NamedTuple

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.bits import count_bits, lowest_bit
from hsd.kernels.board import CELL
from hsd.kernels.deltas import NO_MOVE
from hsd.kernels.linear import Linear, weigh
from hsd.kernels.linked_columns import BROKEN, HEIGHT, INFO, SUMS, UNDER, beneath, card_of
from hsd.kernels.replay import Root
from hsd.kernels.sums import part_at_bottom, part_on
from hsd.kernels.zobrist import NO_CARD
from hsd.searches.kernels.foundations import next_cards, wait_of
from hsd.searches.kernels.linked import (
    COUNTS,
    HOMES,
    LINKS,
    NODE,
    OTHERS,
    SECOND,
    USED,
    LinkedTree,
    cards_over,
    cell_of,
    column_at,
    counted_above,
)


class Notes(NamedTuple):
    """What ``score_after`` needs to know about a node; whole numbers.

    Attributes:
        home_part: the part of the score that depends on the cards home.
        counts: the node's COUNTS.
        ranks: summed over the cards in cells, how many cards of the card's suit must go home
            before it.
        sums: the position's sums (``hsd.kernels.sums``).
        following, after: the sets of the next needed cards and of those after them.
        homes: the foundations' ranks.
        others: the node's OTHERS.
    """

    home_part: int
    counts: int
    ranks: int
    sums: int
    following: int
    after: int
    homes: int
    others: int


@kernel
def prepare(tree: LinkedTree, node: int, root: Root, k: Linear) -> Notes:
    """Compute what ``score_after`` needs to know about a node."""
    records = tree.records
    others = int64(tree.nodes[NODE * node + OTHERS])
    homes = others >> HOMES
    counts = int64(tree.columns[LINKS * node + COUNTS])
    following, after = next_cards(homes)
    h0, h1, h2, h3 = homes & 15, (homes >> 4) & 15, (homes >> 8) & 15, homes >> 12
    home_part = (
        (h0 + h1 + h2 + h3) * k.of.home
        + min(min(h0, h1), min(h2, h3)) * k.of.lowest
        + max(max(h0, h1), max(h2, h3)) * k.of.highest
        + count_bits(following) * k.of.buried
    )
    ranks = 0
    if counts >> USED:
        for i in range(root.cells):
            card = cell_of(others, i)
            if card != NO_CARD:
                ranks += wait_of(homes, card)
    sums = 0
    for c in range(root.cascades):
        sums += records[column_at(tree, node, c) + SUMS]
    return Notes(home_part, counts, ranks, sums, following, after, homes, others)


@kernel
def _least_above(tree: LinkedTree, node: int, cascades: int, following: int, move: int) -> int:
    """The fewest cards above a next needed card after a move; 0 if all cards are home.

    Args:
        move: between cascades and cells, or ``NO_MOVE``.
    """
    records = tree.records
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    least = 52
    cards = following
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        over = cards_over(tree, node, cascades, card)
        for c in range(cascades):
            if (records[column_at(tree, node, c) + UNDER] >> card) & 1:
                # Cards that lie above it in the moved run stay above it.
                if c == source and over >= count:
                    over -= count
                elif c == target:
                    over += count
        least = min(least, over)
    return least if least < 52 else 0


@kernel
def node_score(tree: LinkedTree, node: int, root: Root, k: Linear, made: int) -> tuple[int, int]:
    """``hsd.kernels.linear.linear_score`` of a node, and its sums."""
    notes = prepare(tree, node, root, k)
    least = 0
    if k.of.least != 0:
        least = _least_above(tree, node, root.cascades, notes.following, NO_MOVE)
    counts = notes.counts
    score = weigh(
        root.cascades, root.cells, k, notes.home_part, counts & 255, (counts >> SECOND) & 255,
        notes.ranks, least, counts >> USED, notes.sums, made,
    )  # fmt: skip
    return score, notes.sums


@kernel
def score_after(
    tree: LinkedTree, node: int, root: Root, k: Linear, notes: Notes, move: int, made: int
) -> tuple[int, int]:
    """``node_score`` after a move between cascades and cells, without making it."""
    records = tree.records
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    sums = notes.sums
    counts = notes.counts
    ranks = notes.ranks
    following, after = notes.following, notes.after
    column = 0
    if source >= CELL:
        card = cell_of(notes.others, source - CELL)
        counts -= 1 << USED
        ranks -= wait_of(notes.homes, card)
    else:
        column = column_at(tree, node, source)
        cut = column
        for _ in range(count - 1):
            cut = beneath(records, cut)
        card = card_of(records[cut + INFO])
        left = beneath(records, cut)
        sums += records[left + SUMS] - records[column + SUMS]
        counts -= count * counted_above(records[left + UNDER], following, after)
    if target >= CELL:
        counts += 1 << USED
        ranks += wait_of(notes.homes, card)
    else:
        onto = column_at(tree, node, target)
        info = records[onto + INFO]
        under = records[onto + UNDER]
        depth = (info >> HEIGHT) & 63
        if depth == 0:
            part = part_at_bottom(card)
        else:
            counts += count * counted_above(under, following, after)
            part = part_on(card, card_of(info), uint64(under), (info >> BROKEN) & 1, depth)
        under |= 1 << card
        sums += part
        for i in range(1, count):
            lower = card
            cut = column
            for _ in range(count - 1 - i):
                cut = beneath(records, cut)
            card = card_of(records[cut + INFO])
            part = part_on(card, lower, uint64(under), part, depth + i)
            under |= 1 << card
            sums += part
    least = 0
    if k.of.least != 0:
        least = _least_above(tree, node, root.cascades, following, move)
    score = weigh(
        root.cascades, root.cells, k, notes.home_part, counts & 255, (counts >> SECOND) & 255,
        ranks, least, counts >> USED, sums, made,
    )  # fmt: skip
    return score, sums
