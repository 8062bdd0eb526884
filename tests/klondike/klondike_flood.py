"""A slow and plain search through every position that can be reached, with draws as macro moves."""

from __future__ import annotations

from collections.abc import Iterator

from deals import KlondikeBoard

Counts = tuple[int, ...]
Piles = tuple[Counts, ...]
Position = tuple[Piles, tuple[int, ...], tuple[int, ...], int, tuple[int, ...]]
"""Piles, cards face down, the talon (waste first), cards in the waste, ranks home."""


def can_be_won(board: KlondikeBoard, most: int) -> tuple[bool, int] | None:
    """Whether the position can be won, and how many were met; None if more than ``most`` were."""
    start = (
        board.piles, board.face_down, (*board.waste, *board.stock), len(board.waste),
        tuple(board.foundations),
    )  # fmt: skip
    seen = {_key(start)}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if sum(position[4]) == 52:
            return True, len(seen)
        for after in successors(position):
            key = _key(after)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
        if len(seen) > most:
            return None
    return False, len(seen)


def _key(position: Position) -> object:
    piles, down, talon, waste, home = position
    return tuple(sorted(zip(piles, down, strict=True))), talon, waste, home


def fits(card: int, beneath: int) -> bool:
    return card >> 2 == (beneath >> 2) - 1 and (card & 3 in (1, 2)) != (beneath & 3 in (1, 2))


def _goes_on(card: int, pile: tuple[int, ...]) -> bool:
    return fits(card, pile[-1]) if pile else card >> 2 == 13


def tops(many: int, waste: int) -> set[int]:
    """Places of the cards that come to the top of the waste by draws and redeals."""
    tops = {waste - 1} if waste else set()
    while waste < many:
        waste = min(waste + 3, many)
        tops.add(waste - 1)
    waste = 0
    while waste < many:
        waste = min(waste + 3, many)
        tops.add(waste - 1)
    return tops


def _replaced(values: tuple, index: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[:index], value, *values[index + 1 :])


def _taken(
    piles: Piles, down: tuple[int, ...], p: int, count: int
) -> tuple[Piles, tuple[int, ...]]:
    """The piles without the last cards of one, after its next card turned up."""
    left = piles[p][:-count]
    if left and down[p] == len(left):
        down = _replaced(down, p, down[p] - 1)
    return _replaced(piles, p, left), down


def successors(position: Position) -> Iterator[Position]:
    piles, down, talon, waste, home = position
    for j in tops(len(talon), waste):
        card, rest = talon[j], talon[:j] + talon[j + 1 :]
        if home[card & 3] == (card >> 2) - 1:
            yield piles, down, rest, j, _replaced(home, card & 3, card >> 2)
        for p, pile in enumerate(piles):
            if _goes_on(card, pile):
                yield _replaced(piles, p, (*pile, card)), down, rest, j, home
    for p, pile in enumerate(piles):
        if not pile:
            continue
        card = pile[-1]
        if home[card & 3] == (card >> 2) - 1:
            yield *_taken(piles, down, p, 1), talon, waste, _replaced(home, card & 3, card >> 2)
        for k in range(down[p], len(pile)):
            for q, other in enumerate(piles):
                if q != p and _goes_on(pile[k], other):
                    left, turned = _taken(piles, down, p, len(pile) - k)
                    yield _replaced(left, q, other + pile[k:]), turned, talon, waste, home
    for suit, rank in enumerate(home):
        card = 4 * rank + suit
        for p, pile in enumerate(piles):
            if rank and _goes_on(card, pile):
                yield (
                    _replaced(piles, p, (*pile, card)),
                    down,
                    talon,
                    waste,
                    _replaced(home, suit, rank - 1),
                )
