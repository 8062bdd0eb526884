# The names of the package, one a line: offered.py of deals imports them on first use.

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
from deals.klondike_numbers import numbered_klondike as numbered_klondike
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
