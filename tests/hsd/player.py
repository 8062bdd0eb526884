"""A player that knows the rules of FreeCell and standard notation, and nothing of this project.

It deals Microsoft's numbers, plays a solution and counts the moves a person makes: a run
that moves at once is one move, and a card that goes home costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

RANKS, SUITS = "A23456789TJQK", "CDHS"


def deal(number: int) -> list[list[str]]:
    """Eight columns of cards such as ``TD``, the last card exposed."""
    pack = [rank + suit for rank in RANKS for suit in SUITS]
    columns: list[list[str]] = [[] for _ in range(8)]
    for place in range(52):
        number = (number * 214013 + 2531011) % (1 << 31)
        chosen = (number >> 16) % len(pack)
        pack[chosen], pack[-1] = pack[-1], pack[chosen]
        columns[place % 8].append(pack.pop())
    return columns


def may_lie(upper: str, lower: str) -> bool:
    """Whether a card may lie on another in a column."""
    one_less = RANKS.index(upper[0]) + 1 == RANKS.index(lower[0])
    return one_less and (upper[1] in "DH") != (lower[1] in "DH")


def manual_moves(number: int, moves: Iterable[str]) -> int:
    """The moves that are not home moves in a solution of a deal.

    Raises:
        AssertionError: if a move breaks the rules, or some card is not home in the end.
    """
    columns = deal(number)
    cells: dict[str, str] = {}
    home = dict.fromkeys(SUITS, 0)
    counted = 0
    for move in moves:
        source, target = move[0], move[1]
        count = int(move[3:], 16) if len(move) > 2 else 1
        from_cell = source in "abcd"
        column = [cells[source]] if from_cell else columns[int(source) - 1]
        taken = column[-count:]
        assert len(taken) == count > 0, move
        assert all(may_lie(*pair) for pair in zip(taken[1:], taken, strict=False)), move
        if target == "h":
            assert count == 1 and RANKS.index(taken[0][0]) == home[taken[0][1]], move
            home[taken[0][1]] += 1
        elif target in "abcd":
            assert count == 1 and not from_cell and target not in cells, move
            cells[target] = taken[0]
            counted += 1
        else:
            onto = columns[int(target) - 1]
            assert onto is not column, move
            assert not onto or may_lie(taken[0], onto[-1]), move
            empty = sum(not other for other in columns if other is not onto)
            assert count <= (4 - len(cells) + 1) * 2**empty, move
            onto += taken
            counted += 1
        if from_cell:
            del cells[source]
        else:
            del column[-count:]
    assert list(home.values()) == [13] * 4
    return counted
