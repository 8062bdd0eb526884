"""Cards, deal numbers, layouts and the text of every game. Knows no solver."""

from deals.cards import DealError, card_name, parse_card
from deals.errors import BadInput
from deals.freecell import FreeCellBoard, freecell, read_freecell_boards
from deals.klondike import KlondikeBoard, klondike, read_klondike_boards
from deals.numbers import NotNumbered, number_of
from deals.pyramid import PyramidDeck, pyramid
from deals.pyramid_position import PyramidPosition, read_pyramid_boards
from deals.sets import MS32K, UNSOLVABLE, named, parse_range, split

__all__ = [
    "MS32K",
    "UNSOLVABLE",
    "BadInput",
    "DealError",
    "FreeCellBoard",
    "KlondikeBoard",
    "NotNumbered",
    "PyramidDeck",
    "PyramidPosition",
    "card_name",
    "freecell",
    "klondike",
    "named",
    "number_of",
    "parse_card",
    "parse_range",
    "pyramid",
    "read_freecell_boards",
    "read_klondike_boards",
    "read_pyramid_boards",
    "split",
]
