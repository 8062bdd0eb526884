"""States of a game, and the graph of the pairs that may still be removed.

A solution that removes some pair can as well remove it as soon as both cards are playable. Its
other steps stay legal: the other cards lie in the same order, without the pair, so each of them is
playable whenever it was. Only draws of the two cards, and a recycle of nothing else, are left out.
So some shortest solution removes each of its pairs as soon as possible, and never removes a pair
that it could have removed before and left alone. This dominance rule holds in every position, and
for kings of pyramid and waste as for pairs. A state therefore includes its *open pairs*, those that
may still be removed. These get fewer as the game goes on, so states have few successors, bounds are
sharp, and pyramids that cannot be cleared are found early.

The cards whose ranks make 13 form six *groups* of four low and four high cards: aces and queens,
twos and jacks, ..., sixes and sevens. A group's open pairs are a graph of up to 16 edges: bit
4 i + j is the pair of its i-th low and its j-th high card, in the order of their positions. Groups
0 to 2 lie side by side in the first *graph* word, groups 3 to 5 in the second. Bits 48 to 51 of the
first word are the kings of pyramid and waste that may still be removed. Kings of the stock are none
of them: they are removed instead of drawn (see ``kernels.successors``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.bits import highest_bit, lowest_bit
from gafreecell.solitaire.pyramid.shapes import CARDS, STOCK, Shapes, shapes

KING_EDGES = 48
SECOND = 64
"""The number of the first edge in the second word."""
_NIBBLE = 15


class Deal(NamedTuple):
    """A deck as kernels see it.

    Attributes:
        shapes: the tables that are the same for every deck.
        rank: int64[52], the rank of the card at each position, 1 to 13.
        line: int64[52], for each card its edges in its word.
        word: int64[52], for each card which word that is, 0 or 1.
        low_lines, high_lines: int64[104], for each card the edges of which it is the low card, or
            the high card (a king is both), in the first word and, from index 52 on, in the second.
        low, high: int64[128], for each edge its low and its high card.
        graph: int64[2], the pairs of which neither card lies on the other, and all kings.
        spread: int64[1280], table that turns sets of positions into sets by rank, see
            ``of_pyramid``.
        kings: int64[1], the set of the kings' positions.
        of_rank: int64[14], for each rank the set of its stock cards.
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


class State(NamedTuple):
    """A state, at a choice or on the way to one.

    Attributes:
        shape, left, at, cycle: as in ``pyramid.position.Start``.
        steps: taken from the start of the search.
        graph, graph_2: the open pairs, both words.
    """

    shape: int
    left: int
    at: int
    cycle: int
    steps: int
    graph: int
    graph_2: int


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
            deal.line[p] = int64(1) << (KING_EDGES + nth)
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
    deal.graph[0] |= int64(_NIBBLE) << KING_EDGES


@kernel
def of_pyramid(deal: Deal, cards: int) -> int:
    """A set of pyramid positions as a set by rank, with bits 4 (rank - 1) to 4 (rank - 1) + 3."""
    spread = deal.spread
    return (
        spread[cards & 127]
        | spread[128 + ((cards >> 7) & 127)]
        | spread[256 + ((cards >> 14) & 127)]
        | spread[384 + (cards >> 21)]
    )


@kernel
def of_stock(deal: Deal, left: int) -> int:
    """A set of cards of stock and waste as a set by rank."""
    spread = deal.spread
    return (
        spread[512 + (left & 255)] | spread[768 + ((left >> 8) & 255)] | spread[1024 + (left >> 16)]
    )


@kernel
def lowest(some: int) -> int:
    """Index of the lowest bit set in a word that is not negative; 64 if none is set."""
    return lowest_bit(uint64(some))


@kernel
def stock_top(left: int, at: int) -> int:
    """The index of the first card left at ``at`` or after it: the stock's top; 24 if there is none.

    Args:
        left: the set of cards left in stock and waste.
        at: 0 to 24.
    """
    return min(lowest((left >> at) << at), STOCK)


@kernel
def waste_top(left: int, at: int) -> int:
    """The index of the last card left before ``at``: the waste's top; -1 if there is none."""
    return highest_bit(uint64(left & ((int64(1) << at) - 1)))


@kernel
def playable(opens: int, top: int, under: int) -> int:
    """The set of positions whose cards can be played now.

    Args:
        opens: the pyramid cards that count as uncovered.
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
    """All edges between the cards of a set, open or not, in both words."""
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
def pairs_of(deal: Deal, p: int, graph: int, graph_2: int) -> int:
    """The open pairs of a card, in its word."""
    return deal.line[p] & (graph if deal.word[p] == 0 else graph_2)


@kernel
def without_card(deal: Deal, p: int, graph: int, graph_2: int) -> tuple[int, int]:
    """The open pairs without those of a card."""
    if deal.word[p] == 0:
        return graph & ~deal.line[p], graph_2
    return graph, graph_2 & ~deal.line[p]


@kernel
def open_pairs(deal: Deal, shape: int, left: int, at: int) -> tuple[int, int]:
    """The pairs that are open at the start of a search: those of ``Deal.graph`` with both cards
    left, without the kings of the stock."""
    graph, graph_2 = deal.graph[0], deal.graph[1]
    cards = deal.shapes.cards[shape] | (left << CARDS)
    for p in range(52):
        if (cards >> p) & 1 == 0 or (p >= CARDS + at and deal.rank[p] == 13):
            graph, graph_2 = without_card(deal, p, graph, graph_2)
    return graph, graph_2
