"""Search trees whose states share their columns.

A *node* is a closed state: links to its columns (``hsd.kernels.linked_columns``), the cards in
cells, the foundations, a few counts and the hash. Building a state copies its parent's node and
adds a record for each card laid on a column. An *entry* is a generated state, stored as its parent
and a move (as in ``hsd.searches.kernels.tree``, which also says what the hashes prove). Successors
are looked up and scored without being built, unless cards go home.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import Registers, int64, kernel, large_kernel, new_registers
from gafreecell.jit.kernels import tree as trees
from gafreecell.jit.kernels.bits import count_bits, lowest_bit
from gafreecell.jit.kernels.transposition import find_pair, not_zero
from hsd.kernels.board import CELL, HOME, STRIDE_BITS, Board
from hsd.kernels.home import play_safe_home
from hsd.kernels.linked_columns import HEIGHT, INFO, RECORD, UNDER, beneath, card_of, lay_on
from hsd.kernels.moves import ANY, MOST_MOVES
from hsd.kernels.replay import Root, load_root
from hsd.kernels.zobrist import IN_CELL, zobrist
from hsd.searches.kernels.foundations import next_cards, no_card_needs
from hsd.searches.kernels.tree import enlarge_either

LINKS = 10
"""Half words (uint32) of a node in ``LinkedTree.columns``: links to nine columns, then COUNTS."""
COUNTS = 9
"""The half word of three counts: cards above the next needed cards (from bit 0), cards above those
after them (from ``SECOND``), and cells in use (from ``USED``)."""
NODE = 3
"""Words (uint64) of a node in ``LinkedTree.nodes``: OTHERS, then both words of the hash at KEY."""
OTHERS, KEY = 0, 1
SECOND, USED = 8, 16
# OTHERS has the cards of the cells, six bits each, and from this bit on the foundations' ranks.
HOMES = 42


class LinkedRegisters(Registers):
    """What a tree counts and remembers between slices.

    Attributes:
        generated: the number of entries, that is of states generated.
        expanded: the number of closed states; the node after the last of them is scratch.
        records: the number of records in use by closed states.
        fresh: the same, with those of the node built last.
        goal: the entry of the goal, 0 for none or the root.
        length: moves of the solution.
        not_home: cards not home at first.
        looked: successors looked up.
        card: the deepest card that the move to the node built last took.
    """

    generated: int
    expanded: int
    records: int
    fresh: int
    goal: int
    length: int
    not_home: int
    looked: int
    card: int


class LinkedTree(NamedTuple):
    """The arrays of a tree; the driver enlarges those that fill up.

    Attributes:
        registers: ``LinkedRegisters``.
        table: uint64, the transposition table: both words of the hashes of the states met.
        moves: int64[256], the moves of the state being expanded.
        keys: uint64[512], for each of these moves both words of the hash after it.
        takers: int64[32], scratch of ``expand``.
        path: int64, the solution; its second half is scratch.
        trail: int64[128], scratch.
        closed_entry: int32, the entry of each closed state.
        nodes: uint64, the words of the nodes.
        columns: uint32, the half words of the nodes: column c of node n is at ``10 * n + c``.
        records: int64, the records of columns.
        entry_parent: int32, for each entry the closed state that is its parent; -1 for the root.
        entry_move: uint16, for each entry the move from its parent.
    """

    registers: LinkedRegisters
    table: np.ndarray
    moves: np.ndarray
    keys: np.ndarray
    takers: np.ndarray
    path: np.ndarray
    trail: np.ndarray
    closed_entry: np.ndarray
    nodes: np.ndarray
    columns: np.ndarray
    records: np.ndarray
    entry_parent: np.ndarray
    entry_move: np.ndarray


def _records_for(closed: int) -> int:
    """Words of records for this many closed states, which make less than one record on average."""
    return RECORD * (closed + 192)


def new_linked(closed: int, entries: int) -> LinkedTree:
    """A tree with room for this many closed states and entries (a power of two)."""
    return LinkedTree(
        registers=new_registers(LinkedRegisters),
        table=np.zeros(4 * entries, np.uint64),
        moves=np.zeros(MOST_MOVES, np.int64),
        keys=np.zeros(2 * MOST_MOVES, np.uint64),
        takers=np.zeros(32, np.int64),
        path=np.zeros(2048, np.int64),
        trail=np.zeros(128, np.int64),
        closed_entry=np.zeros(closed, np.int32),
        nodes=np.zeros(NODE * (closed + 1), np.uint64),
        columns=np.zeros(LINKS * (closed + 1), np.uint32),
        records=np.zeros(_records_for(closed), np.int64),
        entry_parent=np.zeros(entries, np.int32),
        entry_move=np.zeros(entries, np.uint16),
    )


@kernel
def is_full(tree: LinkedTree) -> bool:
    """Whether the successors of one more state might not fit."""
    return trees.is_full(tree) or RECORD * (tree.registers.records + 2 * ANY) >= tree.records.size


def enlarge_linked(tree: LinkedTree) -> LinkedTree:
    """The same tree with larger arrays in place of those that are full."""
    closed = tree.closed_entry.size
    tree = enlarge_either(tree, "nodes", "columns")
    size = tree.records.size
    if tree.closed_entry.size > closed:
        size = max(size, _records_for(tree.closed_entry.size))
    elif RECORD * (tree.registers.records + 2 * ANY) >= size:
        size *= 2
    if size > tree.records.size:
        records = np.zeros(size, np.int64)
        records[: tree.records.size] = tree.records
        tree = tree._replace(records=records)
    return tree


@kernel
def column_at(tree: LinkedTree, node: int, c: int) -> int:
    """Where the record of a node's column begins; 0 if it is empty."""
    return RECORD * int64(tree.columns[LINKS * node + c])


@kernel
def homes_of(tree: LinkedTree, node: int) -> int:
    """The foundations' ranks, four bits each."""
    return int64(tree.nodes[NODE * node + OTHERS]) >> HOMES


@kernel
def cell_of(others: int, i: int) -> int:
    """The card of a cell, 0 if it is empty."""
    return (others >> (6 * i)) & 63


@kernel
def safe_cards(homes: int, following: int) -> int:
    """The set of the next needed cards that are safe (``hsd.kernels.home.is_safe``)."""
    safe = 0
    cards = following
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if no_card_needs(homes, card):
            safe |= 1 << card
    return safe


@kernel
def counted_above(under: int, following: int, after: int) -> int:
    """What a card laid on a set of cards adds to COUNTS."""
    return count_bits(under & following) + (count_bits(under & after) << SECOND)


@kernel
def cards_over(tree: LinkedTree, node: int, cascades: int, card: int) -> int:
    """How many cards lie above a card in its column; 0 if it lies in none."""
    records = tree.records
    for c in range(cascades):
        at = column_at(tree, node, c)
        if (records[at + UNDER] >> card) & 1:
            height = (records[at + INFO] >> HEIGHT) & 63
            while card_of(records[at + INFO]) != card:
                at = beneath(records, at)
            return height - ((records[at + INFO] >> HEIGHT) & 63)
    return 0


@kernel
def _counts_after_home(tree: LinkedTree, node: int, counts: int, cascades: int, card: int) -> int:
    """COUNTS after a card, already taken off its place, went home."""
    if (card >> 2) < 13:
        over = cards_over(tree, node, cascades, card + 4)
        counts += over - (over << SECOND)
        if (card >> 2) < 12:
            counts += cards_over(tree, node, cascades, card + 8) << SECOND
    return counts


@kernel
def _force_home(tree: LinkedTree, node: int, root: Root) -> int:
    """Send safe cards home until none is left; returns the number of these moves."""
    records = tree.records
    columns = tree.columns
    nodes = tree.nodes
    at = NODE * node
    forced = 0
    again = True
    while again:
        again = False
        others = int64(nodes[at + OTHERS])
        following, after = next_cards(others >> HOMES)
        safe = safe_cards(others >> HOMES, following)
        for place in range(root.cascades + root.cells):
            counts = int64(columns[LINKS * node + COUNTS])
            if place < root.cascades:
                column = column_at(tree, node, place)
                card = card_of(records[column + INFO])
                if (safe >> card) & 1 == 0:
                    continue
                left = beneath(records, column)
                columns[LINKS * node + place] = left // RECORD
                counts -= counted_above(records[left + UNDER], following, after)
                on = card_of(records[left + INFO])
            else:
                i = place - root.cascades
                card = cell_of(others, i)
                if (safe >> card) & 1 == 0:
                    continue
                others ^= card << (6 * i)
                counts -= 1 << USED
                on = IN_CELL
            others += 1 << (HOMES + 4 * (card & 3))
            nodes[at + OTHERS] = others
            nodes[at + KEY] ^= zobrist(card, on, 0)
            nodes[at + KEY + 1] ^= zobrist(card, on, 1)
            columns[LINKS * node + COUNTS] = _counts_after_home(
                tree, node, counts, root.cascades, card
            )
            forced += 1
            following, after = next_cards(others >> HOMES)
            safe = safe_cards(others >> HOMES, following)
            again = True
    return forced


@kernel
def make(tree: LinkedTree, parent: int, move: int, root: Root) -> int:
    """Build the position after a move of a closed state, as the scratch node.

    Returns:
        The number of forced home moves made.
    """
    registers = tree.registers
    nodes = tree.nodes
    columns = tree.columns
    records = tree.records
    node = registers.expanded
    at = NODE * node
    for i in range(NODE):
        nodes[at + i] = nodes[NODE * parent + i]
    for i in range(LINKS):
        columns[LINKS * node + i] = columns[LINKS * parent + i]
    others = int64(nodes[at + OTHERS])
    counts = int64(columns[LINKS * node + COUNTS])
    following, after = next_cards(others >> HOMES)
    source = move & 31
    target = (move >> 5) & 31
    count = move >> 10
    fresh = registers.records
    run = 0
    left = 0
    if source >= CELL:
        card = cell_of(others, source - CELL)
        others ^= card << (6 * (source - CELL))
        counts -= 1 << USED
        on = IN_CELL
    else:
        run = column_at(tree, node, source)
        cut = run
        for _ in range(count - 1):
            cut = beneath(records, cut)
        card = card_of(records[cut + INFO])
        left = beneath(records, cut)
        columns[LINKS * node + source] = left // RECORD
        counts -= count * counted_above(records[left + UNDER], following, after)
        on = card_of(records[left + INFO])
    first = nodes[at + KEY] ^ zobrist(card, on, 0)
    second = nodes[at + KEY + 1] ^ zobrist(card, on, 1)
    if target == HOME:
        others += 1 << (HOMES + 4 * (card & 3))
        counts = _counts_after_home(tree, node, counts, root.cascades, card)
    else:
        on = IN_CELL
        if target >= CELL:
            others |= card << (6 * (target - CELL))
            counts += 1 << USED
        else:
            column = column_at(tree, node, target)
            on = card_of(records[column + INFO])
            counts += count * counted_above(records[column + UNDER], following, after)
            lay_on(records, RECORD * fresh, column, card)
            for i in range(count - 2, -1, -1):
                upper = run
                for _ in range(i):
                    upper = beneath(records, upper)
                upper = card_of(records[upper + INFO])
                lay_on(records, RECORD * (fresh + 1), RECORD * fresh, upper)
                fresh += 1
            columns[LINKS * node + target] = fresh
            fresh += 1
        first ^= zobrist(card, on, 0)
        second ^= zobrist(card, on, 1)
    registers.card = card
    registers.fresh = fresh
    nodes[at + OTHERS] = others
    nodes[at + KEY] = first
    nodes[at + KEY + 1] = second
    columns[LINKS * node + COUNTS] = counts
    if root.automatic:
        exposed = card_of(records[left + INFO])
        if target == HOME or (safe_cards(others >> HOMES, following) >> exposed) & 1:
            return _force_home(tree, node, root)
    return 0


@large_kernel
def set_root(board: Board, tree: LinkedTree, root: Root) -> None:
    """Begin a search: the root, after forced home moves, becomes entry 0 and the first node."""
    registers = tree.registers
    table = tree.table
    records = tree.records
    for i in range(table.size):
        table[i] = 0
    load_root(board, root)
    home = board.home
    registers.not_home = 52 - (home[0] + home[1] + home[2] + home[3])
    if root.automatic:
        play_safe_home(board, tree.trail, 0)
    for i in range(RECORD):
        records[i] = 0
    for i in range(LINKS):
        tree.columns[i] = 0
    fresh = 1
    for c in range(root.cascades):
        column = 0
        for i in range(board.height[c]):
            card = int64(board.column[(c << STRIDE_BITS) + i])
            lay_on(records, RECORD * fresh, column, card)
            column = RECORD * fresh
            fresh += 1
        tree.columns[c] = column // RECORD
    others = 0
    counts = board.numbers.used << USED
    for i in range(root.cells):
        others |= int64(board.cell[i]) << (6 * i)
    for s in range(4):
        rank = int64(home[s])
        others |= rank << (HOMES + 4 * s)
        if rank < 13:
            counts += cards_over(tree, 0, root.cascades, 4 * rank + 4 + s)
        if rank < 12:
            counts += cards_over(tree, 0, root.cascades, 4 * rank + 8 + s) << SECOND
    tree.nodes[OTHERS] = others
    tree.nodes[KEY] = board.key[0]
    tree.nodes[KEY + 1] = board.key[1]
    tree.columns[COUNTS] = counts
    key = not_zero(board.key[0])
    slot = -1 - find_pair(table, key, board.key[1])
    table[slot] = key
    table[slot + 1] = board.key[1]
    tree.entry_parent[0] = -1
    tree.entry_move[0] = 0
    registers.generated = 1
    registers.expanded = 0
    registers.records = fresh
    registers.fresh = fresh
    registers.goal = 0
    registers.length = 0
    registers.looked = 0
    registers.card = 0


@kernel
def build(tree: LinkedTree, entry: int, root: Root) -> int:
    """Build an entry's position as the scratch node; returns the number of forced home moves."""
    parent = int64(tree.entry_parent[entry])
    # The root's node exists already.
    return make(tree, parent, int64(tree.entry_move[entry]), root) if parent >= 0 else 0
