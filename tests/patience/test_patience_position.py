"""Deals of any game: where each card goes, and which decks are refused."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from patience_games import (
    BELEAGUERED_CASTLE,
    BLACK_HOLE,
    CANFIELD,
    EIGHT_OFF,
    FREECELL,
    GAMES,
    GARGANTUA,
    GOLF,
    KING_ALBERT,
    KLONDIKE,
    SPIDER,
    YUKON,
)
from random_positions import scattered, shortened, shuffled

from deals import FreeCellBoard, freecell
from deals.cards import DECK, DealError, parse_card
from deals.klondike_board import klondike, shuffled_klondike
from deals.microsoft import shuffled_deck
from gafreecell.solitaire.patience.position import arranged, check, dealt, settled
from gafreecell.solitaire.patience.rules import Foundations, Hole, Piles, Rules, Stock


def cards(text: str) -> tuple[int, ...]:
    return tuple(map(parse_card, text.split()))


def test_freecell_is_dealt_row_by_row() -> None:
    position = dealt(FREECELL, shuffled_deck(617))
    assert isinstance(freecell(617), FreeCellBoard)
    assert position.piles == freecell(617).cascades
    assert position.cells == (0, 0, 0, 0) and position.home == (0, 0, 0, 0)
    assert not any(position.down) and not position.stock


def test_klondike_is_dealt_as_pysol_does_with_the_piles_in_reverse() -> None:
    board = klondike(7)
    deck = shuffled_klondike(board)
    position = dealt(KLONDIKE, deck)
    assert list(map(len, position.piles)) == [1, 2, 3, 4, 5, 6, 7]
    assert position.down == (0, 1, 2, 3, 4, 5, 6)
    assert position.stock == board.stock and position.redeals == -1
    # The first row goes to all piles, the second leaves out the first pile.
    assert [pile[0] for pile in position.piles] == list(deck[:7])
    assert [pile[1] for pile in position.piles[1:]] == list(deck[7:13])
    # PySol leaves out piles from the right: its last card face up lies on pile 1.
    assert position.piles[6][-1] == deck[27]


def test_a_triangle_goes_on_in_whole_rows() -> None:
    rules = Rules("x", ranks=3, piles=Piles(3, dealt="triangle"))
    position = dealt(rules, range(4, 16))
    # Rows 4 5 6, 7 8, 9, then 10 11 12 and 13 14 15.
    assert position.piles == ((4, 10, 13), (5, 7, 11, 14), (6, 8, 9, 12, 15))


def test_rows_leave_out_full_piles() -> None:
    rules = Rules("x", ranks=2, piles=Piles(3, dealt="1 4 3"))
    assert dealt(rules, range(4, 12)).piles == ((4,), (5, 7, 9, 11), (6, 8, 10))


def test_sizes() -> None:
    found = {rules.title: [*map(len, dealt(rules, [*DECK] * rules.decks).piles)] for rules in GAMES}
    assert found["Spider"] == [6, 6, 6, 6, 5, 5, 5, 5, 5, 5]
    assert found["Yukon"] == [1, 6, 7, 8, 9, 10, 11]
    assert found["Golf"] == [5] * 7 and found["Fan"] == [3] * 16 + [2] * 2
    assert found["King Albert"] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert found["Gargantua"] == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_cells_reserve_and_stock_follow_the_piles() -> None:
    position = dealt(EIGHT_OFF, DECK)
    assert position.cells == (*DECK[48:], 0, 0, 0, 0)
    assert dealt(KING_ALBERT, DECK).reserve == DECK[45:]
    canfield = dealt(CANFIELD, DECK)
    assert canfield.base == 1 and canfield.home == (1, 0, 0, 0)
    assert canfield.piles == tuple((card,) for card in DECK[1:5])
    assert canfield.reserve == DECK[5:18] and canfield.stock == DECK[18:]


def test_the_first_card_sets_the_base() -> None:
    deck = [parse_card("7H"), *[card for card in DECK if card != parse_card("7H")]]
    position = dealt(CANFIELD, deck)
    assert position.base == 7 and position.home == (0, 0, 1, 0)
    assert position.tops == (0, 0, parse_card("7H"), 0)
    assert [position.order(card) for card in cards("7C KC AC 6S")] == [0, 6, 7, 12]


def test_first_cards_are_taken_out_of_the_deck() -> None:
    deck = tuple(reversed(DECK))
    position = dealt(BELEAGUERED_CASTLE, deck)
    assert position.home == (1, 1, 1, 1)
    assert [pile[0] for pile in position.piles] == list(deck[:8])
    assert position.piles[-1] == deck[7:48:8]
    two = Rules("x", decks=2, ranks=2, foundations=Foundations("2", filled=5))
    assert dealt(two, [*range(4, 12)] * 2).home == (1, 1, 1, 1, 1, 0, 0, 0)
    assert dealt(two, [*range(4, 12)] * 2).base == 2


def test_holes() -> None:
    position = dealt(BLACK_HOLE, DECK)
    ace = parse_card("AS")
    assert position.hole == ace and [*map(len, position.piles)] == [3] * 17
    assert ace not in position.unplayed and position.base == 1
    golf = dealt(GOLF, DECK)
    assert golf.hole == DECK[0] and golf.stock == DECK[36:]


def test_of_two_foundations_of_a_suit_the_larger_one_comes_first() -> None:
    assert arranged((1, 2, 3, 4, 5, 0, 3, 9)) == (5, 2, 3, 9, 1, 0, 3, 4)
    assert arranged((4, 1, 2, 3)) == (4, 1, 2, 3)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.title)
def test_a_deal_has_all_cards(rules: Rules) -> None:
    generator = random.Random(1)
    for one in (rules, shortened(rules, 5)):
        position = shuffled(one, generator)
        assert Counter(position.cards) == Counter([*range(4, 4 * one.ranks + 4)] * one.decks)
        assert position == settled(position)
        check(position)
        scattered(one, generator, 9)


@pytest.mark.parametrize(
    ("rules", "deck", "fault"),
    [
        (FREECELL, DECK[1:], "missing AC"),
        (FREECELL, (*DECK, DECK[0]), "doubled AC"),
        (FREECELL, (*DECK[1:], 55), "missing AC; doubled KS"),
        (FREECELL, (), "missing AC AD AH AS 2C 2D 2H 2S 3C 3D and 42 more"),
        (SPIDER, [*DECK, *DECK, 4], "more than two of AC"),
        (SPIDER, DECK * 2 + (99,), "not in the game 99"),
        (SPIDER, (*DECK, *DECK[1:]), "missing AC"),
        (replace(FREECELL, ranks=12), DECK, "not in the game KC KD KH KS"),
    ],
)
def test_other_decks_are_refused(rules: Rules, deck: tuple[int, ...], fault: str) -> None:
    with pytest.raises(DealError) as refused:
        dealt(rules, deck)
    assert str(refused.value) == fault
    with pytest.raises(DealError, match="whole numbers"):
        dealt(rules, ["AC"])  # type: ignore[list-item]


# What happens by itself


def test_the_reserve_fills_spaces() -> None:
    start = dealt(CANFIELD, DECK)
    space = replace(start, piles=((), start.piles[1], (), start.piles[3]))
    after = settled(space)
    assert after.piles[0] == start.reserve[-1:] and after.piles[2] == start.reserve[-2:-1]
    assert after.reserve == start.reserve[:-2]
    empty = replace(space, reserve=())
    assert settled(empty) == empty


def test_the_waste_fills_spaces_and_then_the_stock() -> None:
    start = dealt(GARGANTUA, DECK * 2)
    piles = ((), (), (), *start.piles[3:])
    down = (0, 0, 0, *start.down[3:])
    position = replace(start, piles=piles, down=down, waste=cards("4C 5C"), stock=cards("6C 7C"))
    after = settled(position)
    assert after.piles[:3] == (cards("5C"), cards("4C"), cards("6C"))
    assert after.waste == () and after.stock == cards("7C")


def test_top_cards_turn_up() -> None:
    start = dealt(YUKON, DECK)
    position = replace(start, piles=(*start.piles[:6], start.piles[6][:3]), down=(0,) * 6 + (6,))
    assert settled(position).down == (0,) * 6 + (2,)
    assert settled(replace(position, piles=(*start.piles[:6], ()))).down == (0,) * 7


def test_a_hole_may_begin_with_any_card() -> None:
    rules = Rules("x", ranks=2, piles=Piles(1, build="none"), hole=Hole("2D"), stock=Stock(3))
    position = dealt(rules, range(4, 12))
    assert position.hole == parse_card("2D")
    assert position.piles == ((4, 5, 6, 7),) and position.stock == (8, 10, 11)
