"""What a move changes in the counts of a board, computed without making it (delta evaluation)."""

from __future__ import annotations

from gafreecell.jit import int64, kernel, uint64
from gafreecell.jit.kernels.bits import count_bits
from hsd.kernels.board import CELL, STRIDE_BITS, Board
from hsd.kernels.features import Counted, best_bottoms
from hsd.kernels.sums import COLUMNS, part_at_bottom, part_on

NO_MOVE = 31 | (31 << 5)
"""A move from no place to no place."""


@kernel
def needed_cards(board: Board) -> tuple[int, int]:
    """The sets of the next needed cards of the suits and of those after them."""
    next_cards = uint64(0)
    second_cards = uint64(0)
    for s in range(4):
        card = 4 * (board.home[s] + 1) + s
        if board.home[s] < 13:
            next_cards |= uint64(1) << uint64(card)
        if board.home[s] < 12:
            second_cards |= uint64(1) << uint64(card + 4)
    return next_cards, second_cards


@kernel
def least_above(board: Board, move: int) -> int:
    """The fewest cards above a next needed card after a move; 0 if all cards are home.

    Args:
        move: between cascades and cells, or ``NO_MOVE``.
    """
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    least = 52
    for s in range(4):
        if board.home[s] < 13:
            at = board.where[4 * (board.home[s] + 1) + s]
            over = 0
            if at >= 0:
                column = at >> STRIDE_BITS
                over = board.height[column] - 1 - (at & 63)
                # Cards that lie above it in the moved run stay above it.
                if column == source and over >= count:
                    over -= count
                elif column == target:
                    over += count
            least = min(least, over)
    return least if least < 52 else 0


@kernel
def counts_after(
    board: Board,
    above: int,
    second: int,
    ranks: int,
    next_cards: int,
    second_cards: int,
    move: int,
) -> tuple[int, int, int, int, int]:
    """Counts after a move between cascades and cells.

    Args:
        board: before the move.
        above, second, ranks: before the move, as in ``features.Counted``.
        next_cards, second_cards: from ``needed_cards``.
        move: the move.

    Returns:
        above, second, ranks, the cells in use and the packed sums after the move.
    """
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    sums = board.numbers.sums
    used = board.numbers.used
    first = 0
    if source >= CELL:
        card = int64(board.cell[source - CELL])
        used -= 1
        ranks -= (card >> 2) - 1 - board.home[card & 3]
    else:
        end = (source << STRIDE_BITS) + board.height[source]
        first = end - count
        card = int64(board.column[first])
        for i in range(first, end):
            sums -= board.part[i]
        if board.height[source] > count:
            left = board.under[first - 1]
            above -= count * count_bits(left & next_cards)
            second -= count * count_bits(left & second_cards)
    if target >= CELL:
        used += 1
        ranks += (card >> 2) - 1 - board.home[card & 3]
    else:
        depth = board.height[target]
        if depth == 0:
            under = uint64(1) << uint64(card)
            part = part_at_bottom(card)
        else:
            at = (target << STRIDE_BITS) + depth - 1
            met = board.under[at]
            above += count * count_bits(met & next_cards)
            second += count * count_bits(met & second_cards)
            part = part_on(card, int64(board.column[at]), met, board.part[at], depth)
            under = met | (uint64(1) << uint64(card))
        sums += part
        for i in range(1, count):
            beneath = card
            card = int64(board.column[first + i])
            part = part_on(card, beneath, under, part, depth + i)
            under |= uint64(1) << uint64(card)
            sums += part
    return above, second, ranks, used, sums


@kernel
def counted_after(
    board: Board, c: Counted, next_cards: int, second_cards: int, least: int, move: int
) -> Counted:
    """``features.counted`` after a move between cascades and cells.

    Args:
        board: before the move.
        c: its counts.
        next_cards, second_cards: from ``needed_cards``.
        least: after the move, as in ``Counted``, or any number if no feature needs it.
        move: the move.
    """
    above, second, ranks, used, sums = counts_after(
        board, c.above, c.second, c.ranks, next_cards, second_cards, move
    )
    columns = (sums >> COLUMNS) & 15
    return Counted(
        c.cascades, c.cells, used, columns, c.cells - used + c.cascades - columns,
        c.home, c.lowest, c.highest, above, second, least, c.kings, ranks,
        best_bottoms(columns), sums,
    )  # fmt: skip
