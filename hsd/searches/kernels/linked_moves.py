"""Lists the moves of a node and looks up the states to which they lead."""

from __future__ import annotations

from gafreecell.jit import int64, kernel
from gafreecell.jit.kernels.bits import lowest_bit
from gafreecell.jit.kernels.transposition import find_pair, not_zero, prefetch_pair
from hsd.kernels.board import CELL, HOME
from hsd.kernels.linked_columns import HEIGHT, INFO, RUN, beneath, card_of
from hsd.kernels.moves import class_of, most_carried
from hsd.kernels.replay import Root
from hsd.kernels.zobrist import IN_CELL, NO_CARD, zobrist
from hsd.searches.kernels.foundations import next_cards
from hsd.searches.kernels.linked import (
    HOMES,
    KEY,
    NODE,
    OTHERS,
    LinkedTree,
    cell_of,
    column_at,
    make,
    safe_cards,
)
from hsd.searches.kernels.tree import QUIET


@kernel
def _list(tree: LinkedTree, end: int, move: int, first: int, second: int) -> int:
    """List a move after which no card goes home, and the hash after it; returns the end."""
    tree.moves[end] = move | QUIET
    tree.keys[2 * end] = not_zero(first)
    tree.keys[2 * end + 1] = second
    prefetch_pair(tree.table, tree.keys[2 * end])
    return end + 1


@kernel
def expand(tree: LinkedTree, entry: int, forced: int, root: Root, longest: int) -> int:
    """Close the entry built last and list its moves; returns their number.

    The moves are those of ``hsd.kernels.moves.list_moves``, in its order. Moves that send no card
    home and force no home move are marked ``QUIET``, and the hashes after them are in ``keys``. The
    cards that the last move took do not move again: they would return, or could have gone there at
    once.

    Args:
        longest: the most cards that a move may take: 1, or ``ANY`` for whole runs.
    """
    registers = tree.registers
    records = tree.records
    moves = tree.moves
    takers = tree.takers
    node = registers.expanded
    registers.expanded += 1
    registers.records = registers.fresh
    tree.closed_entry[node] = entry
    last = int64(tree.entry_move[entry]) if forced == 0 else 0
    came = (last >> 5) & 31 if last != 0 else HOME
    again = last >> 10
    others = int64(tree.nodes[NODE * node + OTHERS])
    key = tree.nodes[NODE * node + KEY]
    word = tree.nodes[NODE * node + KEY + 1]
    following, _ = next_cards(others >> HOMES)
    safe = safe_cards(others >> HOMES, following) if root.automatic else 0
    empty = 0
    first_empty = -1
    # For each rank and colour, the set of cascades whose exposed card has them.
    for i in range(32):
        takers[i] = 0
    exposed = 0
    for c in range(root.cascades - 1, -1, -1):
        column = column_at(tree, node, c)
        if column == 0:
            empty += 1
            first_empty = c
        else:
            card = card_of(records[column + INFO])
            exposed |= 1 << card
            takers[class_of(card)] |= 1 << c
    end = 0
    free = 0
    free_cell = -1
    for i in range(root.cells - 1, -1, -1):
        if cell_of(others, i) == NO_CARD:
            free += 1
            free_cell = i
    most_onto = most_carried(free, empty, longest)
    most_alone = most_carried(free, max(empty - 1, 0), longest)
    for i in range(root.cells):
        if (following >> cell_of(others, i)) & 1:
            moves[end] = (CELL + i) | (HOME << 5) | (1 << 10)
            end += 1
    if exposed & following:
        for c in range(root.cascades):
            if (following >> card_of(records[column_at(tree, node, c) + INFO])) & 1:
                moves[end] = c | (HOME << 5) | (1 << 10)
                end += 1
    for c in range(root.cascades):
        column = column_at(tree, node, c)
        if column == 0:
            continue
        info = records[column + INFO]
        card = card_of(info)
        rank = card >> 2
        left = card_of(records[beneath(records, column) + INFO])
        height = (info >> HEIGHT) & 63
        run = (info >> RUN) & 15
        kind = class_of(card)
        stays = c != came or again != 1
        quiet = (safe >> left) & 1 == 0
        first = key ^ zobrist(card, left, 0)
        second = word ^ zobrist(card, left, 1)
        targets = takers[(kind + 2) ^ 1]
        for count in range(2, min(run, most_onto) + 1):
            # Colours alternate along the run and on its target.
            targets |= takers[(kind + 2 * count) ^ (count & 1)]
        while targets:
            t = lowest_bit(targets)
            targets &= targets - 1
            on = card_of(records[column_at(tree, node, t) + INFO])
            count = (on >> 2) - rank
            move = c | (t << 5) | (count << 10)
            if count == 1:
                if not stays:
                    continue
                if quiet:
                    one, two = zobrist(card, on, 0), zobrist(card, on, 1)
                    end = _list(tree, end, move, first ^ one, second ^ two)
                else:
                    moves[end] = move
                    end += 1
            elif c != came or again != count:
                end = _list_run(tree, end, move, column, on, key, word, safe)
        if empty > 0:
            for count in range(1, min(run, most_alone, height - 1) + 1):
                move = c | (first_empty << 5) | (count << 10)
                if c != came or again != count:
                    end = _list_run(tree, end, move, column, NO_CARD, key, word, safe)
        if free_cell >= 0 and stays:
            move = c | ((CELL + free_cell) << 5) | (1 << 10)
            if quiet:
                one, two = zobrist(card, IN_CELL, 0), zobrist(card, IN_CELL, 1)
                end = _list(tree, end, move, first ^ one, second ^ two)
            else:
                moves[end] = move
                end += 1
    for i in range(root.cells):
        card = cell_of(others, i)
        if card == NO_CARD or (CELL + i == came and again == 1):
            continue
        targets = takers[(class_of(card) + 2) ^ 1]
        if targets == 0 and empty == 0:
            continue
        first = key ^ zobrist(card, IN_CELL, 0)
        second = word ^ zobrist(card, IN_CELL, 1)
        while targets:
            t = lowest_bit(targets)
            targets &= targets - 1
            on = card_of(records[column_at(tree, node, t) + INFO])
            one, two = zobrist(card, on, 0), zobrist(card, on, 1)
            move = (CELL + i) | (t << 5) | (1 << 10)
            end = _list(tree, end, move, first ^ one, second ^ two)
        if empty > 0:
            one, two = zobrist(card, NO_CARD, 0), zobrist(card, NO_CARD, 1)
            move = (CELL + i) | (first_empty << 5) | (1 << 10)
            end = _list(tree, end, move, first ^ one, second ^ two)
    registers.looked += end
    return end


@kernel
def _list_run(
    tree: LinkedTree, end: int, move: int, column: int, on: int, key: int, word: int, safe: int
) -> int:
    """List a move of one or more cards from a column onto a card; returns the end.

    Args:
        column: where the column's record begins.
        on: the card on which they are laid.
        key, word: both words of the hash before the move.
        safe: the safe cards.
    """
    records = tree.records
    for _ in range((move >> 10) - 1):
        column = beneath(records, column)
    card = card_of(records[column + INFO])
    left = card_of(records[beneath(records, column) + INFO])
    if (safe >> left) & 1:
        tree.moves[end] = move
        return end + 1
    first = key ^ zobrist(card, left, 0) ^ zobrist(card, on, 0)
    second = word ^ zobrist(card, left, 1) ^ zobrist(card, on, 1)
    return _list(tree, end, move, first, second)


@kernel
def look_up(tree: LinkedTree, i: int, root: Root) -> int:
    """Look up the state after the i-th listed move; if the move is not quiet, build the state.

    Returns:
        The slot in the table, as ``find_pair`` returns it.
    """
    move = tree.moves[i]
    keys = tree.keys
    if move & QUIET == 0:
        make(tree, tree.registers.expanded - 1, move, root)
        at = NODE * tree.registers.expanded
        keys[2 * i] = not_zero(tree.nodes[at + KEY])
        keys[2 * i + 1] = tree.nodes[at + KEY + 1]
    return find_pair(tree.table, keys[2 * i], keys[2 * i + 1])
