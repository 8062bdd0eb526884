"""Cards, deal numbers, layouts and the text of every game. Knows no solver."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deals.cards import DealError as DealError
    from deals.cards import card_name as card_name
    from deals.cards import parse_card as parse_card
    from deals.errors import BadInput as BadInput
    from deals.freecell_board import FreeCellBoard as FreeCellBoard
    from deals.freecell_board import freecell as freecell
    from deals.freecell_board import read_freecell_boards as read_freecell_boards
    from deals.klondike_board import KlondikeBoard as KlondikeBoard
    from deals.klondike_board import klondike as klondike
    from deals.klondike_board import read_klondike_boards as read_klondike_boards
    from deals.numbers import NotNumbered as NotNumbered
    from deals.numbers import number_of as number_of
    from deals.pyramid_deck import PyramidDeck as PyramidDeck
    from deals.pyramid_deck import pyramid as pyramid
    from deals.pyramid_position import PyramidPosition as PyramidPosition
    from deals.pyramid_position import read_pyramid_boards as read_pyramid_boards
    from deals.sets import MS32K as MS32K
    from deals.sets import UNSOLVABLE as UNSOLVABLE
    from deals.sets import named as named
    from deals.sets import parse_range as parse_range
    from deals.sets import split as split

_NAMES = {
    "cards": ("DealError", "card_name", "parse_card"),
    "errors": ("BadInput",),
    "freecell_board": ("FreeCellBoard", "freecell", "read_freecell_boards"),
    "klondike_board": ("KlondikeBoard", "klondike", "read_klondike_boards"),
    "numbers": ("NotNumbered", "number_of"),
    "pyramid_deck": ("PyramidDeck", "pyramid"),
    "pyramid_position": ("PyramidPosition", "read_pyramid_boards"),
    "sets": ("MS32K", "UNSOLVABLE", "named", "parse_range", "split"),
}
_PLACES = {name: f"deals.{module}" for module, names in _NAMES.items() for name in names}
__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    # Loaded on first use: the command line's help does without the readers of boards.
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'deals' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
