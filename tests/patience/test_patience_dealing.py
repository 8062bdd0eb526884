"""Deal numbers are those of other programs, and decks are laid out as these do."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable

import pytest
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random_base import RandomBase

from deals.cards import DealError, parse_card, rank_of
from deals.freecell_board import freecell
from deals.klondike_board import klondike
from gafreecell.solitaire.patience import library
from gafreecell.solitaire.patience.dealing import deck_of, largest
from gafreecell.solitaire.patience.position import Position, dealt
from gafreecell.solitaire.patience.rules import Rules
from gafreecell.solving.settings import SettingError, build

NUMBERS = (1, 24680, 11_982_000_001)
"""Two of Microsoft's shuffle, and one of the Mersenne twister."""


def first(game: str, number: int) -> Position:
    rules = library.rules(game)
    return dealt(rules, deck_of(rules, number))


# PySol FC's own package

PACKAGE = {
    "bakers-dozen": "bakers_dozen",
    "beleaguered-castle": "beleaguered_castle",
    "black-hole": "black_hole",
    "eight-off": "eight_off",
    "fan": "fan",
    "fore-cell": "forecell",
    "golf": "golf",
    "gypsy": "gypsy",
    "klondike-deal-1": "klondike",
    "relaxed-seahaven-towers": "relaxed_seahaven_towers",
    "seahaven-towers": "seahaven_towers",
    "simple-simon": "simple_simon",
    "streets-and-alleys": "streets_and_alleys",
    "yukon": "yukon",
}
HEADS = ("Talon", "Freecells", "Foundations")


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("game", PACKAGE)
def test_deals_are_those_of_pysols_package(game: str, number: int) -> None:
    package = Game(PACKAGE[game], number, RandomBase.DEALS_PYSOLFC)
    lines = package.calc_layout_string(CardRenderer(True)).splitlines()
    heads = dict(line.split(":") for line in lines if line.startswith(HEADS))
    piles = [line.split() for line in lines if not line.startswith(HEADS)]
    position = first(game, number)
    assert [cards(pile) for pile in piles] == [[*pile] for pile in position.piles]
    if any("<" in card for pile in piles for card in pile):
        assert [sum("<" in card for card in pile) for pile in piles] == [*position.down]
    assert cards(heads.get("Talon", "").split()) == [*position.stock]
    if "Freecells" in heads:
        # PySol FC leaves other cells empty.
        found = cards(card for card in heads["Freecells"].split() if card != "-")
        assert found == [card for card in position.cells if card]
    if position.hole:
        assert cards(heads["Foundations"].split()) == [position.hole]


def cards(words: Iterable[str]) -> list[int]:
    return [parse_card(word.strip("<>")) for word in words]


# PySol FC's games, as they call their talon when a game starts


class Table:
    """Piles and other places that cards are dealt to, and the cards that are still to be dealt."""

    def __init__(self, rules: Rules, number: int) -> None:
        left = [*deck_of(Rules("", decks=rules.decks), number)]
        base = rules.foundations.base
        for place in range(rules.foundations.filled if base != "first" else 0):
            left.remove(4 * ("A2".index(base) + 1) + place % 4)
        self.left = iter(left)
        self.count = rules.piles.count
        self.piles: list[list[int]] = [[] for _ in range(self.count)]
        self.base: list[int] = []
        self.reserve: list[int] = []

    def row(self, start: int = 0, end: int | None = None, step: int = 1) -> None:
        for pile in self.piles[start:end][::step]:
            pile.append(next(self.left))

    def rows(self, count: int, end: int | None = None) -> None:
        for _ in range(count):
            self.row(0, end)

    def stairs(self, end: int | None = None, step: int = 1) -> None:
        for start in range(1, end or self.count):
            self.row(start, None, step)

    def hold(self, count: int) -> None:
        self.reserve += [next(self.left) for _ in range(count)]


def klondike_like(step: int = 1) -> Callable[[Table], None]:
    def deal(table: Table) -> None:
        table.stairs(step=step)
        table.row(step=step)

    return deal


def spider(table: Table) -> None:
    table.rows(4)
    for pile in (0, 3, 6, 9):
        table.row(pile, pile + 1)
    table.row()


def yukon(table: Table) -> None:
    table.stairs()
    for _ in range(4):
        table.row(1)
    table.row()


def odessa(table: Table) -> None:
    table.rows(5)
    table.row(1, 6)
    table.row(1, 6)
    table.row()


def double_yukon(table: Table) -> None:
    table.stairs(9)
    table.rows(6)


def fan(table: Table) -> None:
    table.rows(2, 17)
    table.row()


def simple_simon(table: Table) -> None:
    for end in range(9, 2, -1):
        table.row(0, end)
    table.row()


def diagonal(table: Table) -> None:
    for start in range(6):
        table.row(start)
    table.row(6)
    if table.count == 10:
        table.row(7)


def canfield(table: Table) -> None:
    table.base.append(next(table.left))
    table.hold(20 if table.count == 8 else 12 if table.count == 3 else 13)
    table.row(step=-1)


def storehouse(table: Table) -> None:
    table.hold(13)
    table.row(step=-1)


def king_albert(table: Table) -> None:
    klondike_like()(table)
    table.hold({9: 7, 8: 16, 7: 24}[table.count])


def raglan(table: Table) -> None:
    diagonal(table)
    table.hold(6)


def canister(table: Table) -> None:
    table.rows(6)
    table.row(2, 6)


def plain(rows: int, last: int = 0, held: int = 0) -> Callable[[Table], None]:
    def deal(table: Table) -> None:
        table.rows(rows)
        table.row(0, last)
        table.hold(held)

    return deal


GAMES: dict[str, Callable[[Table], None]] = {
    **dict.fromkeys(("klondike-deal-3", "vegas-klondike", "trigon"), klondike_like(-1)),
    **dict.fromkeys(("gargantua", "gargantua-redeal", "double-trigon"), klondike_like()),
    **dict.fromkeys(("spiderette", "baby-spiderette"), klondike_like()),
    **dict.fromkeys(("king-albert", "northwest-territory", "klondike-reserve"), king_albert),
    **dict.fromkeys(("artic-garden",), king_albert),
    **dict.fromkeys(("spider", "relaxed-spider", "open-spider", "black-widow"), spider),
    **dict.fromkeys(("yukon", "yukon-cells", "russian-solitaire", "russian-cell"), yukon),
    **dict.fromkeys(("fan", "free-fan", "ceiling-fan", "scotch-patience"), fan),
    **dict.fromkeys(("canfield", "canfield-strict", "superior-canfield", "rainfall"), canfield),
    **dict.fromkeys(("double-canfield", "american-toad", "chameleon"), canfield),
    **dict.fromkeys(("storehouse", "acme"), storehouse),
    **dict.fromkeys(("raglan", "relaxed-raglan"), raglan),
    **dict.fromkeys(("canister", "american-canister", "british-canister"), canister),
    **dict.fromkeys(("scorpion", "wasp"), plain(7)),
    **dict.fromkeys(("eastcliff", "east-haven", "westcliff", "westhaven"), plain(3)),
    **dict.fromkeys(("gypsy", "will-o-the-wisp", "box-fan", "limited"), plain(3)),
    **dict.fromkeys(("forty-thieves", "josephine", "streets", "emperor", "maria"), plain(4)),
    **dict.fromkeys(("number-ten", "rank-and-file", "waning-moon", "forty-and-eight"), plain(4)),
    **dict.fromkeys(("spanish-patience", "portuguese-solitaire", "castles-of-spain"), plain(4)),
    **dict.fromkeys(("deuces", "busy-aces", "fortunes-favor"), plain(1)),
    **dict.fromkeys(("beleaguered-castle", "siegecraft"), plain(6)),
    **dict.fromkeys(("streets-and-alleys", "stronghold", "geoffrey"), plain(6, 4)),
    "odessa": odessa,
    "double-yukon": double_yukon,
    "simple-simon": simple_simon,
    "somerset": diagonal,
    "brigade": plain(5, 0, 13),
    "flower-garden": plain(6, 0, 16),
    "mrs-mop": plain(8),
    "double-freecell-traditional": plain(10, 4),
}
OWN = {
    *("alina", "alpha-star", "delta-star", "one-cell", "two-cell", "lucas", "worm-hole"),
    *("ultra-klondike-2-deck", "duchess", "thirty", "thirtysix"),
}
"""Games that PySol FC does not have, or deals otherwise: our own order."""
MICROSOFT = {
    *(f"free-cell-{count}-cell" for count in range(4)),
    *(f"free-cell-{count}-pile" for count in range(4, 8)),
    *("free-cell", "relaxed-freecell", "seven-by-five", "bakers-game", "kings-only-bakers-game"),
}
SAME_AS = {
    "klondike-two-deck-9": "gargantua",
    "casino-klondike": "vegas-klondike",
    "canfield-auto-reserve-then-waste": "canfield",
    "eight-off-any-card-spaces": "eight-off",
    "fore-cell-same-suit": "fore-cell",
    "putt-putt": "golf",
}
"""Games that are dealt as another one."""


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("game", GAMES)
def test_boards_are_those_that_pysol_deals(game: str, number: int) -> None:
    rules = library.rules(game)
    table = Table(rules, number)
    GAMES[game](table)
    position = first(game, number)
    assert table.piles == [[*pile] for pile in position.piles]
    assert table.reserve == [*position.reserve]
    assert [*table.left] == [*position.stock]
    if table.base:
        assert table.base == [card for card in position.tops if card]


@pytest.mark.parametrize(("game", "other"), SAME_AS.items())
def test_games_are_dealt_as_others(game: str, other: str) -> None:
    assert deck_of(library.rules(game), 7) == deck_of(library.rules(other), 7)


def test_double_golf_deals_the_piles_before_the_hole() -> None:
    deck = [*deck_of(Rules("", decks=2), 33_333)]
    position = first("double-golf", 33_333)
    assert [*position.piles[0]] == deck[:63:9]
    assert (position.hole, *position.stock) == tuple(deck[63:])


def test_each_game_is_checked_or_has_numbers_of_its_own() -> None:
    checked = {*PACKAGE, *GAMES, *SAME_AS, "double-golf"}
    assert {*library.names()} == checked | OWN | MICROSOFT
    assert not checked & OWN
    numbers = {name: library.rules(name).numbers for name in library.names()}
    assert {name for name, whose in numbers.items() if whose == "microsoft"} == MICROSOFT


def test_klondike_is_dealt_as_by_its_own_engine() -> None:
    position, board = first("klondike-deal-3", 98_765), klondike(98_765)
    assert [*map(list, position.piles)] == [*map(list, board.piles)]
    assert [*position.stock] == [*board.stock]
    assert [*position.down] == [*board.face_down]


@pytest.mark.parametrize("number", [1, 617, 2**31 - 1])
def test_microsofts_numbers_are_freecells(number: int) -> None:
    columns = freecell(number).cascades
    assert [*map(list, first("free-cell", number).piles)] == [*map(list, columns)]
    assert [*map(list, first("bakers-game", number).piles)] == [*map(list, columns)]


@pytest.mark.parametrize("game", ["free-cell", "spider"])
@pytest.mark.parametrize("wrong", [0, -1, 10**30, 1.5, "x"])
def test_wrong_numbers(game: str, wrong: int) -> None:
    rules = library.rules(game)
    with pytest.raises(DealError, match="deal"):
        deck_of(rules, wrong)
    assert deck_of(rules, largest(rules))


def test_kings_lie_under() -> None:
    for pile in first("bakers-dozen", 5).piles:
        is_king = [rank_of(card) == 13 for card in pile]
        assert is_king == sorted(is_king, reverse=True)


# The order of dealing


def rules_of(text: str) -> Rules:
    return build(Rules, tomllib.loads('title = "A game"\n' + text))


@pytest.mark.parametrize(
    "order", ["reserve,stock ,  cells", "tops leftwards, down", "base", "stock, piles leftwards"]
)
def test_orders(order: str) -> None:
    text = 'cells = {count = 3, filled = 2}\nreserve = {count = 5}\npiles = {face_down = "covered"}'
    rules = rules_of(f'order = "{order}"\n{text}')
    deck = deck_of(rules, 1)
    assert sorted(deck) == sorted(deck_of(rules_of(text), 1))
    assert deck != deck_of(rules_of(text), 1) or order == "base"


def test_the_stock_may_be_dealt_first() -> None:
    rules = rules_of('order = "stock, reserve"\nreserve = {count = 5}\nstock = {count = 20}')
    plain, position = deck_of(Rules(""), 4), dealt(rules, deck_of(rules, 4))
    assert position.stock == plain[:20]
    assert position.reserve == plain[20:25]


@pytest.mark.parametrize(
    "order", ["pile", "piles, piles", "piles, piles leftwards", "cells leftwards", ",", "leftwards"]
)
def test_wrong_orders(order: str) -> None:
    with pytest.raises(SettingError, match="order must be some of base, piles, cells"):
        rules_of(f'order = "{order}"')
