"""What a player sees.

The face-down cards of the piles are hidden. The cards of the stock are known, as in Bjarnason, Fern
and Tadepalli (2009), unless the board says that nobody has seen them (``KlondikeBoard.unseen``).
Players receive nothing of a game but views. A ``View`` does not hold the hidden cards: it describes
an information set.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from deals import DealError, KlondikeBoard
from deals.cards import DECK
from deals.klondike_board import UNKNOWN
from gafreecell.solitaire.klondike.cards import PILES, SUIT_PLACE, bit_of
from gafreecell.solitaire.klondike.moves import DRAW, REDEAL
from gafreecell.solitaire.klondike.packed import (
    CARDS_AT,
    DOWNS_AT,
    DRAW_AT,
    PACKED,
    REDEALS_AT,
    TALON_AT,
    UNLIMITED,
    UNSEEN_AT,
    WASTE_AT,
    packed_rules,
)
from gafreecell.solitaire.klondike.verifier import Position

UNSEEN = -1
"""Stands in for a card that the player has not seen."""


@dataclass(frozen=True)
class View:
    """A position as its player sees it: an information set.

    Attributes:
        packed: int64[74], a packed position (``klondike.packed``) with ``UNSEEN`` for each unseen
            card: those face down in a pile or in an unseen stock, and unknown ones.
        unseen: int64, the bits of the unseen cards, lowest first.
    """

    packed: np.ndarray
    unseen: np.ndarray

    @classmethod
    def of_board(cls, board: KlondikeBoard) -> View:
        """The view of a board, whose face-down cards may be known or not."""
        return cls.of_position(Position.from_board(board))

    @classmethod
    def of_position(cls, position: Position) -> View:
        """The view of a game in progress."""
        # Lists are faster here than arrays of a few dozen numbers.
        cards: list[int] = []
        downs, ranks = position.face_down, position.foundations
        for pile, down in zip(position.piles, downs, strict=True):
            cards += [UNKNOWN] * down
            cards += pile[down:]
        turned = position.waste
        rest = [UNKNOWN] * len(position.stock) if position.unseen else position.stock
        cards += turned
        cards += rest
        rules = packed_rules(position.draw, position.redeals, position.unseen)
        home = sum(rank << (4 * SUIT_PLACE[suit]) for suit, rank in enumerate(ranks))
        sizes = *map(len, position.piles), *downs, len(turned) + len(rest), len(turned), home
        bits = [_BIT_OF[card] for card in cards]
        rest_of_row = [0] * (PACKED - CARDS_AT - len(bits))
        seen = set(cards)
        for suit, rank in enumerate(ranks):
            seen.update(range(suit, 4 * rank + suit + 1, 4))
        unseen = [bit for bit, card in enumerate(_BY_BIT) if card not in seen]
        packed = np.array([*sizes, *rules, *bits, *rest_of_row], np.int64)
        return cls(packed, np.array(unseen, np.int64))

    @property
    def won(self) -> bool:
        """Whether all cards are home."""
        return not (self.packed[:PILES].any() or self.packed[TALON_AT])

    @property
    def face_down(self) -> int:
        """How many cards of the piles are face down."""
        return int(self.packed[DOWNS_AT : DOWNS_AT + PILES].sum())

    @property
    def talon(self) -> np.ndarray:
        """The cards of the talon, the waste first, each a bit or ``UNSEEN``."""
        start = CARDS_AT + self.packed[:PILES].sum()
        return self.packed[start : start + self.packed[TALON_AT]]

    @property
    def round_trip(self) -> list[int]:
        """The draws and the redeal that show unknown cards of the talon at no cost.

        Without a limit of redeals, they lead back to where they began if the waste has as many
        cards as some draws turn, or all: the same cards can be reached as before. Empty if all
        cards of the talon are known, or if the trip would cost something.
        """
        waste, draw, redeals = self.packed[[WASTE_AT, DRAW_AT, REDEALS_AT]].tolist()
        talon = self.talon
        even = waste == talon.size or waste % draw == 0
        if UNSEEN not in talon or redeals != UNLIMITED or not even:
            return []
        return [DRAW] * -(-(talon.size - waste) // draw) + [REDEAL]

    @property
    def lacks_seen(self) -> bool:
        """Whether cards of the talon are unknown that a player of the game would have seen."""
        turned = self.packed[WASTE_AT] if self.packed[UNSEEN_AT] else None
        return bool(UNSEEN in self.talon[:turned])

    @property
    def places(self) -> np.ndarray:
        """Where in ``packed`` the unseen cards lie."""
        return CARDS_AT + np.nonzero(self.packed[CARDS_AT:] == UNSEEN)[0]


_BIT_OF = [UNSEEN] * 4 + [bit_of(card) for card in range(4, 56)]
_BY_BIT = sorted(DECK, key=bit_of)


def check_known(board: KlondikeBoard) -> None:
    """Refuse a board with unknown cards: no game can be played from it.

    Raises:
        DealError: if a card is unknown.
    """
    cards = [*board.stock, *board.waste, *(card for pile in board.piles for card in pile)]
    if UNKNOWN in cards:
        raise DealError("a card is unknown (??): a game needs a deal with all its cards")


def seen(board: KlondikeBoard) -> KlondikeBoard:
    """A board as its player sees it: face-down cards of piles, and an unseen stock, are unknown."""
    piles = zip(board.piles, board.face_down, strict=True)
    hidden = tuple((UNKNOWN,) * down + pile[down:] for pile, down in piles)
    stock = (UNKNOWN,) * len(board.stock) if board.unseen else board.stock
    return replace(board, piles=hidden, stock=stock)
