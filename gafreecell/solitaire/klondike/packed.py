"""Packed positions: arrays of integers, the input of every search in this package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from deals import DealError, KlondikeBoard, klondike
from deals.klondike_board import UNKNOWN
from deals.klondike_rules import DRAW
from gafreecell.solitaire.klondike.cards import SUIT_PLACE, bit_of

# A packed position, int64[74]: the height of each pile, the number of face-down cards in each pile,
# the numbers of cards in the talon and in the waste, the cards home (four bits a suit), the rules,
# then all cards as bit numbers: pile by pile, then the talon, waste first. The rules are the cards
# of a draw, the redeals left, and whether nobody has seen the stock.
DOWNS_AT, TALON_AT, WASTE_AT, HOME_AT, DRAW_AT, REDEALS_AT, UNSEEN_AT = 7, *range(14, 20)
CARDS_AT = 20
PACKED = CARDS_AT + 54
UNLIMITED = -1
"""The redeals left where the rules set no limit."""


Position = np.ndarray | int
"""The input of a search: a packed position or a deal number."""

DEALT_SIZES = (*range(1, 8), *range(7), 24, 0, 0, DRAW, UNLIMITED, 0)
"""The numbers that precede the cards in a packed deal of the usual game."""


def packed_position(position: Position) -> np.ndarray:
    """The packed position (int64[74]) of a search's input."""
    return packed_deal(position) if isinstance(position, int) else position


@lru_cache(maxsize=50_000)
def packed_deal(number: int, draw: int = DRAW, redeals: int | None = None) -> np.ndarray:
    """The packed position (int64[74]) of a deal under these rules (``deals.KlondikeBoard``)."""
    return pack_board(klondike(number, draw, redeals))


def pack_board(board: KlondikeBoard) -> np.ndarray:
    """Pack a board.

    Raises:
        DealError: if a card is unknown.
    """
    cards = [card for pile in board.piles for card in pile] + [*board.waste, *board.stock]
    if UNKNOWN in cards:
        raise DealError("a card is unknown (??): this solver needs to know all cards")
    home = sum(rank << (4 * SUIT_PLACE[suit]) for suit, rank in enumerate(board.foundations))
    waste = len(board.waste)
    sizes = [*map(len, board.piles), *board.face_down, waste + len(board.stock), waste, home]
    return _filled([*sizes, *packed_rules(board.draw, board.redeals, board.unseen)], cards)


def packed_rules(draw: int, redeals: int | None, unseen: bool) -> tuple[int, int, int]:
    """The rules of a packed position."""
    return draw, UNLIMITED if redeals is None else redeals, int(unseen)


def pack_deck(deck: tuple[int, ...]) -> np.ndarray:
    """Pack a deal, given as piles 1 to 7, each bottom to top, then the stock."""
    return _filled(DEALT_SIZES, deck)


def _filled(sizes: Sequence[int], cards: Sequence[int]) -> np.ndarray:
    packed = np.zeros(PACKED, np.int64)
    packed[:CARDS_AT] = sizes
    packed[CARDS_AT : CARDS_AT + len(cards)] = BIT_OF[list(cards)]
    return packed


BIT_OF = np.array([bit_of(max(card, 4)) for card in range(56)], np.int64)
"""The bit number of each card of ``deals.cards``."""
