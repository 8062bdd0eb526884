"""A slow and plain search through every position that can be reached, with draws as macro moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deals import KlondikeBoard

Counts = tuple[int, ...]
Piles = tuple[Counts, ...]


class Position(NamedTuple):
    """A position.

    Attributes:
        piles: of cards, bottom to top.
        down: how many of each lie face down.
        talon: the waste bottom to top, then the stock, first turned first.
        waste: how many cards of the talon lie in the waste.
        home: the ranks home.
        draw: how many cards a draw turns.
        redeals: how often the waste may still be turned over; None for no limit.
    """

    piles: Piles
    down: Counts
    talon: Counts
    waste: int
    home: Counts
    draw: int
    redeals: int | None

    @property
    def board(self) -> KlondikeBoard:
        clubs, diamonds, hearts, spades = self.home
        return KlondikeBoard(
            self.piles, self.down, self.talon[self.waste :], self.talon[: self.waste],
            (clubs, diamonds, hearts, spades), draw=self.draw, redeals=self.redeals,
        )  # fmt: skip


def position_of(board: KlondikeBoard) -> Position:
    return Position(
        board.piles, board.face_down, (*board.waste, *board.stock), len(board.waste),
        tuple(board.foundations), board.draw, board.redeals,
    )  # fmt: skip


def can_be_won(board: KlondikeBoard, most: int) -> tuple[bool, int] | None:
    """Whether the position can be won, and how many were met; None if more than ``most`` were."""
    start = position_of(board)
    seen = {_key(start)}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if sum(position.home) == 52:
            return True, len(seen)
        for after in successors(position):
            key = _key(after)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
        if len(seen) > most:
            return None
    return False, len(seen)


def nearest(board: KlondikeBoard, most: int) -> list[Position]:
    """About so many positions that can be reached, those with fewest moves first."""
    found = [position_of(board)]
    met = {*found}
    for position in found:
        for after in successors(position):
            if after not in met:
                met.add(after)
                found.append(after)
        if len(found) >= most:
            break
    return found


def _key(position: Position) -> object:
    piles, down, talon, waste, home, _, redeals = position
    return tuple(sorted(zip(piles, down, strict=True))), talon, waste, home, redeals


def fits(card: int, beneath: int) -> bool:
    return card >> 2 == (beneath >> 2) - 1 and (card & 3 in (1, 2)) != (beneath & 3 in (1, 2))


def _goes_on(card: int, pile: tuple[int, ...]) -> bool:
    return fits(card, pile[-1]) if pile else card >> 2 == 13


def tops(position: Position, thrifty: bool = False) -> set[tuple[int, int | None]]:
    """Places of the cards that draws and redeals bring up, each with the redeals left then.

    Args:
        position: where the game stands.
        thrifty: whether to leave out redeals that bring up nothing new.
    """
    _, _, talon, waste, _, draw, redeals = position
    tops: set[tuple[int, int | None]] = set()
    passed: set[tuple[int, int | None]] = set()
    while talon and (waste, redeals) not in passed:
        passed.add((waste, redeals))
        # Earlier passes leave more redeals.
        if waste and not (thrifty and waste - 1 in {place for place, _ in tops}):
            tops.add((waste - 1, redeals))
        if waste < len(talon):
            waste = min(waste + draw, len(talon))
        elif redeals != 0:
            waste, redeals = 0, None if redeals is None else redeals - 1
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


def successors(position: Position, thrifty: bool = False) -> Iterator[Position]:
    """The positions after each move, with the draws and redeals before it (see ``tops``)."""
    piles, down, talon, _, home, *_ = position
    for j, redeals in tops(position, thrifty):
        card = talon[j]
        drawn = position._replace(talon=talon[:j] + talon[j + 1 :], waste=j, redeals=redeals)
        if home[card & 3] == (card >> 2) - 1:
            yield drawn._replace(home=_replaced(home, card & 3, card >> 2))
        for p, pile in enumerate(piles):
            if _goes_on(card, pile):
                yield drawn._replace(piles=_replaced(piles, p, (*pile, card)))
    for p, pile in enumerate(piles):
        if not pile:
            continue
        card = pile[-1]
        if home[card & 3] == (card >> 2) - 1:
            left, turned = _taken(piles, down, p, 1)
            gone = _replaced(home, card & 3, card >> 2)
            yield position._replace(piles=left, down=turned, home=gone)
        for k in range(down[p], len(pile)):
            for q, other in enumerate(piles):
                if q != p and _goes_on(pile[k], other):
                    left, turned = _taken(piles, down, p, len(pile) - k)
                    left = _replaced(left, q, other + pile[k:])
                    yield position._replace(piles=left, down=turned)
    for suit, rank in enumerate(home):
        card = 4 * rank + suit
        for p, pile in enumerate(piles):
            if rank and _goes_on(card, pile):
                yield position._replace(
                    piles=_replaced(piles, p, (*pile, card)), home=_replaced(home, suit, rank - 1)
                )
