"""How many positions there are by depth, from the plain twins of the games.

    PYTHONPATH=.:tests:tests/klondike python tests/klondike/klondike_perft.py

writes ``data/perft.csv`` anew. Nothing here knows of kernels, bits or hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from klondike_flood import Position, position_of, successors, tops
from perft import by_depth, write_counts
from plain_klondike import RULES, USUAL, PlainTable, Rules
from plain_kplus import State, actions, result
from plain_man_machine import after, legal_moves

from deals import KlondikeBoard, klondike

TABLE = Path(__file__).parent / "data" / "perft.csv"
HEADER = """\
# Positions of Klondike by depth: those that so many moves reach, and no fewer.
# By moves: as Yan, Diaconis, Rusmevichientong and Van Roy (2005) play. A move is a move on the
#   table, draws and redeals included, of whole blocks only; a king goes to the first empty pile.
#   A position is what lies where, pile by pile.
# By actions: of K+ (Bjarnason, Tadepalli and Fern 2007, section 4.4), some of which are two moves.
#   Positions that differ in the order of piles, or in draws that bring up the same cards, are one.
# By events: a card leaves the talon, or the lowest face-up card of a pile, as it was dealt, leaves
#   it. All other moves are free. A position is what the piles have face down and at their bottom,
#   the talon, and which of its cards draws bring up, with how many redeals left; a king at the
#   bottom is as good as none. Nobody redeals without need. Rules are named unless usual (draw=3,
#   no limit of redeals).
"""
OTHERS = {f"events draw={draw} redeals={redeals}": (draw, redeals) for draw, redeals in RULES[1:]}
"""The names of the counts under other rules."""
DEPTHS = {"moves": 16, "actions": 7, "events": 8, **dict.fromkeys(OTHERS, 5)}
"""The greatest depth in the table of each count."""
DEALS = (1, 2, 5)
Node = TypeVar("Node")


def by_events(
    start: Node,
    moves: Callable[[Node], Iterable[Node]],
    name: Callable[[Node], Hashable],
    depth: int,
) -> list[int]:
    """``by_depth``, for moves that are free if the name stays the same."""
    seen, level, counts = {name(start)}, {name(start): {start}}, [1]
    for _ in range(depth):
        following: dict[Hashable, set[Node]] = {}
        for known, nodes in level.items():
            met, coming = set(nodes), list(nodes)
            while coming:
                for reached in moves(coming.pop()):
                    other = name(reached)
                    if other == known and reached not in met:
                        met.add(reached)
                        coming.append(reached)
                    elif other not in seen:
                        following.setdefault(other, set()).add(reached)
        seen |= following.keys()
        level = following
        counts.append(len(level))
    return counts


def dealt(number: int) -> State:
    """A deal as the plain twins write it."""
    return State.of(PlainTable(klondike(number).deal_text().split(":")[-1].split()))


def moves(number: int, depth: int) -> list[int]:
    """The count by moves."""
    return by_depth(dealt(number), lambda s: [after(s, move) for move in legal_moves(s)], depth)


def by_actions(number: int, depth: int) -> list[int]:
    """The count by actions."""

    def following(state: State) -> Iterator[State]:
        # A won game is not played on.
        return (result(state, action) for action in actions(state))

    return by_depth(dealt(number), following, depth, name=lambda state: state.same)


def events(number: int, depth: int, rules: Rules = USUAL) -> list[int]:
    """The count by events."""
    board = klondike(number, *rules)
    return by_events(
        position_of(board),
        partial(successors, thrifty=True),
        lambda position: bases(board, position),
        depth,
    )


def bases(board: KlondikeBoard, position: Position) -> Hashable:
    """What only events change."""
    return held_in(board, position), position.talon, frozenset(tops(position))


def held_in(board: KlondikeBoard, position: Position) -> tuple[int, ...]:
    """The number of each pile's cards up to the lowest face-up one, if it was dealt there.

    It is 0 for a king at the bottom.
    """
    return tuple(
        d + 1 if pile and [*pile[d : d + 1]] == [*first[d : d + 1]] and (d or pile[0] >> 2 < 13)
        else 0
        for pile, first, d in zip(position.piles, board.piles, position.down, strict=True)
    )  # fmt: skip


COUNTS: dict[str, Callable[[int, int], list[int]]] = {
    "moves": moves,
    "actions": by_actions,
    "events": events,
    **{name: partial(events, rules=rules) for name, rules in OTHERS.items()},
}


if __name__ == "__main__":
    write_counts(TABLE, HEADER, COUNTS, DEALS, DEPTHS)
