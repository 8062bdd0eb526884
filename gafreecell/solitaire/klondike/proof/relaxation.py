"""The relaxed game of the dead-end tests in plain Python (see ``klondike.kernels.dead_ends``).

Whatever becomes possible in it stays possible. A card that could be moved once can always be moved,
and it can be built on wherever it has been.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from deals.cards import card_name, is_red, rank_of
from deals.klondike_board import KlondikeBoard

KING = 13


@dataclass(frozen=True)
class Step:
    """A step of the relaxed game.

    Attributes:
        card: what is moved.
        onto: the card that it is laid on; 0 for home, and for a king's empty pile.
        home: whether it goes home.
    """

    card: int
    onto: int
    home: bool

    def __str__(self) -> str:
        if self.home:
            return f"{card_name(self.card)} home"
        onto = f"onto {card_name(self.onto)}" if self.onto else "to an empty pile"
        return f"{card_name(self.card)} {onto}"


@dataclass
class Relaxed:
    """Where the relaxed game ends.

    Attributes:
        free: the cards that can be moved.
        onto: those that lie where they can be built on.
        home: those that get home.
        gone: those that can leave their first place.
        at: for each pile the index of the lowest card that was uncovered, -1 if the pile is
            emptied.
        steps: what was moved, in order.
    """

    free: set[int]
    onto: set[int]
    home: set[int]
    gone: set[int]
    at: list[int]
    steps: list[Step] = field(default_factory=list)


def relaxed(board: KlondikeBoard, granted: Collection[int] = frozenset(), kept: int = 0) -> Relaxed:
    """Play the relaxed game to its end.

    Args:
        board: where it begins.
        granted: cards that are home from the start and can be built on as well.
        kept: a card that never leaves its pile; 0 for none.
    """
    talon = talon_of(board)
    home = {4 * rank + suit for suit in range(4) for rank in range(1, board.foundations[suit] + 1)}
    home.update(granted)
    onto = {c for pile, d in zip(board.piles, board.face_down, strict=True) for c in pile[d:]}
    onto.update(granted)
    free = home | onto | {talon[j] for j in board.reachable}
    at = [d if pile else -1 for pile, d in zip(board.piles, board.face_down, strict=True)]
    end = Relaxed(free, onto, home, set(home), at)
    laid = set(granted)
    before = (-1, -1)
    while before != (len(end.steps), len(free)):
        before = (len(end.steps), len(free))
        for card in sorted(free - (home & laid) - {kept}):
            if card not in home and (rank_of(card) == 1 or card - 4 in home):
                home.add(card)
                end.steps.append(Step(card, 0, True))
            if card not in laid:
                taker = next((taker for taker in takers(card) if taker in onto), 0)
                if taker or (rank_of(card) == KING and min(at) < 0):
                    laid.add(card)
                    onto.add(card)
                    end.steps.append(Step(card, taker, False))
        end.gone |= home | laid
        for p, pile in enumerate(board.piles):
            while at[p] >= 0 and pile[at[p]] in end.gone and pile[at[p]] != kept:
                at[p] -= 1
                if at[p] >= 0:
                    free.add(pile[at[p]])
                    onto.add(pile[at[p]])
        played = 0
        for j, card in enumerate(talon):
            comes_up = board.redeals != 0 and played >= (j + 1) % board.draw
            if comes_up or (j + 1 < len(talon) and talon[j + 1] in end.gone):
                free.add(card)
            played += card in end.gone
    return end


def takers(card: int) -> tuple[int, ...]:
    """The two cards that a card may be laid on; none for a king."""
    if rank_of(card) == KING:
        return ()
    return tuple(4 * (rank_of(card) + 1) + suit for suit in ((0, 3) if is_red(card) else (1, 2)))


def talon_of(board: KlondikeBoard) -> tuple[int, ...]:
    """The waste from bottom to top, then the stock in the order of draws."""
    return (*board.waste, *board.stock)
