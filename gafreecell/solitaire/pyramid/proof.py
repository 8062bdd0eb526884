"""Why a pyramid cannot be cleared, in words that can be checked on the cards.

There are two tests of dead ends: the cards of a rank find too few partners, or cards wait for one
another. The search makes the same tests (``kernels.bounds``); these are in plain Python and share
no code with the kernels. Two cards never go together if one of them lies beneath the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from deals.cards import rank_of
from deals.pyramid_deck import PyramidDeck, pyramid_card_name
from deals.pyramid_position import GONE, PyramidBoard, PyramidPosition
from gafreecell.solitaire.pyramid.verifier import PLACES


def why_lost(board: PyramidBoard) -> tuple[str, ...]:
    """Why a pyramid can never be cleared: a sentence, then the lines that prove it.

    Empty if neither test finds it lost.
    """
    pyramid = _Pyramid(board)
    return pyramid.too_few() or pyramid.waiting()


_RANKS = (
    *("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens"),
    *("jacks", "queens"),
)
_NUMBERS = ("no", "one", "two", "three", "four")


class _Pyramid:
    """The pyramid of a deck or a position.

    Attributes:
        cards: the cards of the pyramid, from the tip on.
        left: all cards that are not gone, those of stock and waste included.
        upon: for each card of the pyramid the cards that lie on it, directly or not.
    """

    def __init__(self, board: PyramidBoard) -> None:
        if isinstance(board, PyramidDeck):
            board = PyramidPosition.of_deck(board)
        placed = zip(board.pyramid, PLACES, strict=True)
        at = {card: place for card, place in placed if card != GONE}
        self.cards = tuple(at)
        self.left = sorted(board.left)
        self.upon = {
            card: {c for c, (r, i) in at.items() if r > row and 0 <= i - place <= r - row}
            for card, (row, place) in at.items()
        }

    def partners(self, card: int) -> list[int]:
        """The cards left whose rank makes 13 with a card's, at most four."""
        return [other for other in self.left if rank_of(other) == 13 - rank_of(card)]

    def are_apart(self, card: int, other: int) -> bool:
        """Whether neither of two cards lies beneath the other."""
        return other not in self.upon.get(card, ()) and card not in self.upon.get(other, ())

    def too_few(self) -> tuple[str, ...]:
        """Proof that some cards of a rank have fewer partners than needed; empty if none have."""
        for size in range(1, 5):
            for rank in range(1, 13):
                here = [card for card in self.cards if rank_of(card) == rank]
                for some in combinations(here, size):
                    partners = self.partners(some[0])
                    found = [p for p in partners if any(self.are_apart(p, card) for card in some)]
                    if len(found) < size:
                        return self._shortage(some, found)
        return ()

    def _shortage(self, some: tuple[int, ...], found: list[int]) -> tuple[str, ...]:
        lost = [card for card in self.partners(some[0]) if card not in found]
        wanted = f"{_names(some)} can go only with {_RANKS[rank_of(lost[0]) - 1]}"
        if len(some) == 1:
            return (f"{wanted}, and all of these lie on it or beneath it: {_names(lost)}",)
        every = "both" if len(some) == 2 else "each of them"
        return (
            f"{wanted}, and these {_NUMBERS[len(some)]} {_RANKS[rank_of(some[0]) - 1]} find only "
            f"{_names(found) or 'none'}: the others lie on or beneath {every}: {_names(lost)}",
        )

    def waiting(self) -> tuple[str, ...]:
        """Proof that some cards wait for one another; empty if none do.

        In this relaxation no card is ever used up, and the cards of stock and waste are always at
        hand. So a card waits only if all its partners lie in the pyramid.
        """
        ranks = {rank_of(card) for card in self.left if card not in self.cards}
        waiting = {c for c in self.cards if 13 - rank_of(c) >= 1 and 13 - rank_of(c) not in ranks}
        while True:
            free = {card for card in self.cards if not self.upon[card] & waiting}
            done = {
                card
                for card in waiting & free
                if any(p in free and self.are_apart(p, card) for p in self.partners(card))
            }
            if not done:
                break
            waiting -= done
        stuck = waiting & free
        if not stuck:
            return ()
        circle = min((self._circle(card, stuck) for card in sorted(stuck)), key=len)
        return (
            "these wait for one another, whatever becomes of the others; each can go only with:",
            *(f"  {self._only_with(card, circle)}" for card in circle),
        )

    def _circle(self, first: int, stuck: set[int]) -> list[int]:
        """A card and the cards for which it waits, directly or not."""
        circle = [first]
        for card in circle:
            for partner in self.partners(card):
                on_it = self.upon[partner] & stuck
                if self.are_apart(partner, card) and not on_it & set(circle):
                    circle.append(min(on_it))
        return circle

    def _only_with(self, card: int, circle: list[int]) -> str:
        where = []
        for partner in self.partners(card):
            if card in self.upon[partner]:
                lies = "beneath it"
            elif partner in self.upon[card]:
                lies = "on it"
            else:
                lies = f"beneath {pyramid_card_name(min(self.upon[partner] & set(circle)))}"
            where.append(f"{pyramid_card_name(partner)} ({lies})")
        return f"{pyramid_card_name(card)}: {', '.join(where)}"


def _names(cards: Iterable[int]) -> str:
    return " ".join(map(pyramid_card_name, cards))
