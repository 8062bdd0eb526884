"""States of a game, and the graph of the pairs that can still be removed.

A pair that is removed at some time can as well be removed as soon as both its cards
are playable: that uncovers more and draws less, and the cards in between are no farther
apart. So some shortest solution removes each of its pairs as soon as it can, and never removes a
pair that was playable and was left alone. That is a dominance rule. A state therefore includes
the pairs that are still open. As these get fewer during a game, few successors remain, the bounds
become sharp, and it shows early if a pyramid cannot be cleared.

The cards whose ranks make 13 form six *groups* of four and four: aces and queens, twos and
jacks, ..., sixes and sevens. A group's open pairs are a graph of 16 edges: bit 4 i + j is the
pair of its i-th low and its j-th high card, counted in the order of their positions. Groups 0 to 2
lie side by side in the first *graph* word, 3 to 5 in the second; bits 48 to 51 of the
first are the kings of the pyramid that may still be removed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jit import int64, kernel, uint64
from jit.kernels.bits import highest_bit, lowest_bit
from pyramid_solitaire.shapes import CARDS, STOCK, Shapes, shapes

KING_EDGES = 48
SECOND = 64
"""The number of the first edge in the second word."""
_NIBBLE = 15


class Deal(NamedTuple):
    """A deck as kernels see it.

    Attributes:
        shapes: the tables that are the same for every deck.
        rank: int64[52], of the card at each position, 1 to 13.
        line: int64[52], the edges of a card in its word; of a stock king none.
        word: int64[52], which word that is, 0 or 1.
        low_lines, high_lines: int64[104], the edges of a card as the low one and as the high
            one of its pairs (a king is both), in the first word and, from 52 on, in the second.
        low, high: int64[128], the cards of an edge.
        graph: int64[2], the pairs that are open at first.
        spread: int64[1280], the cards of sets of positions by rank, see ``of_pyramid``.
        kings: int64[1], the positions of the kings.
        of_rank: int64[14], the stock cards of each rank.
    """

    shapes: Shapes
    rank: np.ndarray
    line: np.ndarray
    word: np.ndarray
    low_lines: np.ndarray
    high_lines: np.ndarray
    low: np.ndarray
    high: np.ndarray
    graph: np.ndarray
    spread: np.ndarray
    kings: np.ndarray
    of_rank: np.ndarray


def new_deal() -> Deal:
    """Arrays for a deck, to be filled by ``prepare``."""
    return Deal(
        shapes=shapes(),
        rank=np.zeros(52, np.int64),
        line=np.zeros(52, np.int64),
        word=np.zeros(52, np.int64),
        low_lines=np.zeros(104, np.int64),
        high_lines=np.zeros(104, np.int64),
        low=np.zeros(2 * SECOND, np.int64),
        high=np.zeros(2 * SECOND, np.int64),
        graph=np.zeros(2, np.int64),
        spread=np.zeros(4 * 128 + 3 * 256, np.int64),
        kings=np.zeros(1, np.int64),
        of_rank=np.zeros(14, np.int64),
    )


@kernel
def prepare(deal: Deal, ranks: np.ndarray) -> None:
    """Fill in a deck.

    Args:
        deal: written to.
        ranks: int64[52], the rank of each position's card.
    """
    met = int64(0)
    for rank in range(14):
        deal.of_rank[rank] = 0
    for i in range(deal.spread.size):
        deal.spread[i] = 0
    deal.kings[0] = 0
    for p in range(52):
        rank = ranks[p]
        nth = (met >> (4 * rank)) & _NIBBLE
        met += int64(1) << (4 * rank)
        deal.rank[p] = rank
        if p < CARDS:
            at = 128 * (p // 7) + (1 << (p % 7))
        else:
            at = 512 + 256 * ((p - CARDS) // 8) + (1 << ((p - CARDS) % 8))
            deal.of_rank[rank] |= int64(1) << (p - CARDS)
        deal.spread[at] = int64(1) << (4 * (rank - 1) + nth)
        if rank == 13:
            deal.kings[0] |= int64(1) << p
            deal.word[p] = 0
            deal.line[p] = int64(p < CARDS) << (KING_EDGES + nth)
            deal.low[KING_EDGES + nth] = p
            deal.high[KING_EDGES + nth] = p
            continue
        group = min(rank, 13 - rank) - 1
        first = 16 * (group % 3)
        deal.word[p] = group // 3
        deal.line[p] = int64(_NIBBLE if rank < 7 else 0x1111) << (
            first + (4 * nth if rank < 7 else nth)
        )
        for i in range(4):
            if rank < 7:
                deal.low[SECOND * (group // 3) + first + 4 * nth + i] = p
            else:
                deal.high[SECOND * (group // 3) + first + 4 * i + nth] = p
    for p in range(52):
        for w in range(2):
            mine = deal.line[p] if deal.word[p] == w else int64(0)
            deal.low_lines[52 * w + p] = mine if deal.rank[p] < 7 or deal.rank[p] == 13 else 0
            deal.high_lines[52 * w + p] = mine if deal.rank[p] > 6 else 0
    for part in range(7):
        start = 128 * part if part < 4 else 512 + 256 * (part - 4)
        for some in range(1, 128 if part < 4 else 256):
            one = some & -some
            deal.spread[start + some] = deal.spread[start + some - one] | deal.spread[start + one]
    for w in range(2):
        deal.graph[w] = 0
        for edge in range(48):
            p, q = deal.low[SECOND * w + edge], deal.high[SECOND * w + edge]
            # A card never pairs with one it lies on.
            beneath = (p < CARDS and (deal.shapes.upon[p] >> q) & 1) or (
                q < CARDS and (deal.shapes.upon[q] >> p) & 1
            )
            if not beneath:
                deal.graph[w] |= int64(1) << edge
    for p in range(CARDS):
        if deal.rank[p] == 13:
            deal.graph[0] |= deal.line[p]


@kernel
def of_pyramid(deal: Deal, cards: int) -> int:
    """A set of pyramid positions by rank: bits 4 (rank - 1) to 4 (rank - 1) + 3."""
    spread = deal.spread
    return (
        spread[cards & 127]
        | spread[128 + ((cards >> 7) & 127)]
        | spread[256 + ((cards >> 14) & 127)]
        | spread[384 + (cards >> 21)]
    )


@kernel
def of_stock(deal: Deal, left: int) -> int:
    """A set of stock cards by rank."""
    spread = deal.spread
    return (
        spread[512 + (left & 255)] | spread[768 + ((left >> 8) & 255)] | spread[1024 + (left >> 16)]
    )


@kernel
def lowest(some: int) -> int:
    """Index of the lowest bit that is set in a word that is not negative; 64 if none is."""
    return lowest_bit(uint64(some))


@kernel
def stock_top(left: int, at: int) -> int:
    """The first stock card that is left, at a place or after it; 24 if there is none.

    Args:
        left: the cards left in stock and waste, as bits.
        at: 0 to 24.
    """
    return min(lowest((left >> at) << at), STOCK)


@kernel
def waste_top(left: int, at: int) -> int:
    """The last card left before a place: the waste's top; -1 if there is none."""
    return highest_bit(uint64(left & ((int64(1) << at) - 1)))


@kernel
def playable(opens: int, top: int, under: int) -> int:
    """The cards that can be played now, as positions.

    Args:
        opens: pyramid cards that count as uncovered.
        top, under: the stock's top (24 for none) and the waste's (-1 for none).
    """
    cards = opens
    if top < STOCK:
        cards |= int64(1) << (CARDS + top)
    if under >= 0:
        cards |= int64(1) << (CARDS + under)
    return cards


@kernel
def edges_between(deal: Deal, cards: int) -> tuple[int, int]:
    """All edges between some cards, in both words, open or not."""
    low_0, low_1, high_0, high_1 = int64(0), int64(0), int64(0), int64(0)
    while cards:
        p = lowest(cards)
        cards &= cards - 1
        low_0 |= deal.low_lines[p]
        low_1 |= deal.low_lines[52 + p]
        high_0 |= deal.high_lines[p]
        high_1 |= deal.high_lines[52 + p]
    return low_0 & high_0, low_1 & high_1


@kernel
def open_pairs(deal: Deal, shape: int, left: int) -> tuple[int, int]:
    """The pairs that are open at the start of a search: all those with both cards left."""
    graph, graph_2 = deal.graph[0], deal.graph[1]
    cards = deal.shapes.cards[shape] | (left << CARDS)
    for p in range(52):
        if (cards >> p) & 1 == 0:
            if deal.word[p] == 0:
                graph &= ~deal.line[p]
            else:
                graph_2 &= ~deal.line[p]
    return graph, graph_2
