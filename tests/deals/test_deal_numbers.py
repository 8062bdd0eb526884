"""Numbered deals, against fc-solve's and PySol FC's own boards, and the numbers of boards."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from board_texts import hide, published
from hypothesis import example, given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random_base import RandomBase
from random_boards import boards

from deals import (
    DealError,
    FreeCellBoard,
    KlondikeBoard,
    NotNumbered,
    PyramidDeck,
    freecell,
    klondike,
    number_of,
    parse_card,
    pyramid,
)
from deals.cards import DECK, card
from deals.microsoft import LARGEST_DEAL, number_of_deck, shuffled_deck
from deals.numbers import recognised
from deals.pysol import LARGEST_MICROSOFT, LARGEST_PYSOL, shuffled_pysol

MICROSOFT = published("microsoft_boards.txt")
PYSOL = published("pysol_klondike_boards.txt")
NUMBERS = st.integers(1, 40000) | st.integers(1, LARGEST_PYSOL)


def test_the_data_files_hold_what_they_should() -> None:
    assert [n for n, _ in MICROSOFT] == [1, 617, 11982, 32000, 32001, 1000000, 2**31 - 1]
    assert [n for n, _ in PYSOL] == [1, 24, 617, 32000, 32001, 2**31, 10**20]


@pytest.mark.parametrize(
    ("deal", "number"),
    [
        *[(freecell, number) for number in (0, -1, -(2**31), 2**31, 2**32 + 1, 10**30)],
        *[(klondike, number) for number in (0, -1, -(2**31), 10**20 + 1, 10**30)],
    ],
)
def test_numbers_that_are_no_deals(deal: Callable[[int], object], number: int) -> None:
    largest, shuffled = (
        (LARGEST_DEAL, shuffled_deck) if deal is freecell else (LARGEST_PYSOL, shuffled_pysol)
    )
    for dealt in (deal, shuffled):
        with pytest.raises(DealError, match=f"there is no deal {number}: .* 1 to {largest:,}$"):
            dealt(number)


# Microsoft's


def pysol_board(number: int) -> str:
    """The board as PySol FC's cards package writes it."""
    game = Game("freecell", number, RandomBase.DEALS_MS)
    return str(game.calc_layout_string(CardRenderer(True))).strip()


@pytest.mark.parametrize(("number", "text"), MICROSOFT)
def test_published_board_of_freecell(number: int, text: str) -> None:
    assert str(freecell(number)) == pysol_board(number) == text
    assert FreeCellBoard.from_text(text) == freecell(number)


@given(st.integers(1, LARGEST_DEAL), st.integers(4, 9), st.integers(0, 7))
def test_dealt_row_by_row_over_the_cascades(number: int, cascades: int, cells: int) -> None:
    board = freecell(number, cascades, cells)
    deck = shuffled_deck(number)
    assert sorted(deck) == list(DECK)
    assert (len(board.cascades), board.cell_count) == (cascades, cells)
    assert (board.cells, board.foundations) == ((), (0, 0, 0, 0))
    for place, one in enumerate(deck):
        assert board.cascades[place % cascades][place // cascades] == one


@pytest.mark.parametrize(
    ("cascades", "cells", "reason"),
    [
        *[(count, 4, f"4 to 9 cascades, got {count}") for count in (3, 10, 0)],
        *[(8, count, f"0 to 7 free cells, got {count}") for count in (-1, 8)],
    ],
)
def test_variants_there_are_not(cascades: int, cells: int, reason: str) -> None:
    with pytest.raises(DealError, match=reason):
        freecell(1, cascades, cells)


# PySol FC's


@pytest.mark.parametrize(("number", "text"), PYSOL)
def test_published_board_of_klondike(number: int, text: str) -> None:
    board = klondike(number)
    assert KlondikeBoard.from_text(text) == board
    assert str(board) == text.replace("Talon:", "Stock:")
    talon, *piles = text.splitlines()
    assert list(map(parse_card, talon.split()[1:])) == list(board.stock)
    for pile, hidden, line in zip(board.piles, board.face_down, piles, strict=True):
        assert [parse_card(word.strip("<>")) for word in line.split()] == list(pile)
        assert hidden == line.count("<")


@given(NUMBERS)
def test_any_deal_of_klondike_is_pysols(number: int) -> None:
    game = Game("klondike_by_threes", number, RandomBase.DEALS_PYSOLFC)
    text = game.calc_layout_string(CardRenderer(False))
    assert KlondikeBoard.from_text(text) == klondike(number)


@given(NUMBERS)
def test_a_shuffle_is_in_the_order_in_which_games_deal(number: int) -> None:
    game = Game("fan", number, RandomBase.DEALS_PYSOLFC)
    game.deal()
    dealt = [CardRenderer(True).to_s(card) for card in game.cards]
    assert list(map(parse_card, dealt)) == list(shuffled_pysol(number))
    assert sorted(shuffled_pysol(number)) == list(DECK)


@given(st.integers(1, 32000))
def test_low_numbers_are_microsofts_shuffle_and_higher_ones_are_not(number: int) -> None:
    assert shuffled_pysol(number) == shuffled_deck(number)
    assert shuffled_pysol(32001) != shuffled_deck(32001)


def test_the_limit_is_the_packages() -> None:
    assert LARGEST_PYSOL == RandomBase.MAX_SEED
    assert shuffled_pysol(LARGEST_PYSOL) != shuffled_pysol(LARGEST_PYSOL - 1)


def reason(board: FreeCellBoard | KlondikeBoard | PyramidDeck) -> str:
    assert number_of(board) is None
    with pytest.raises(NotNumbered) as fault:
        recognised(board)
    return str(fault.value)


@given(st.permutations(DECK))
def test_a_deck_that_nobody_dealt_has_no_number(deck: list[int]) -> None:
    assert number_of_deck(deck) is None


@given(st.integers(1, LARGEST_DEAL), st.integers(0, 51), st.integers(0, 51))
def test_two_cards_exchanged_make_another_deck(number: int, one: int, other: int) -> None:
    deck = list(shuffled_deck(number))
    deck[one], deck[other] = deck[other], deck[one]
    assert number_of_deck(deck) == (number if one == other else None)


def test_the_shuffle_of_number_0_has_none() -> None:
    state, left, deck = 0, list(DECK), []
    while left:
        state = state * 214013 + 2531011
        pick = (state >> 16) % 2**15 % len(left)
        left[pick], left[-1] = left[-1], left[pick]
        deck.append(left.pop())
    assert sorted(deck) == list(DECK)
    assert number_of_deck(deck) is None


def test_it_takes_milliseconds() -> None:
    number_of(freecell(1))
    began = time.process_time()
    for number in range(1, 11):
        assert number_of(freecell(number)) == number
    assert time.process_time() - began < 1.0


# FreeCell


@given(st.integers(1, 32000) | st.integers(1, LARGEST_DEAL), st.integers(4, 9), st.integers(0, 7))
@example(1, 8, 4)
@example(LARGEST_DEAL, 8, 4)
@example(LARGEST_DEAL - 1, 8, 4)
@example(2**30, 8, 4)
def test_deals_of_freecell_with_any_cascades_and_cells(n: int, cascades: int, cells: int) -> None:
    assert number_of(freecell(n, cascades, cells)) == n


@given(boards())
def test_other_boards_of_freecell(board: FreeCellBoard) -> None:
    assert reason(board)


def test_why_a_board_of_freecell_has_no_number() -> None:
    board = freecell(617)
    moved = FreeCellBoard((board.cascades[0][:-1], *board.cascades[1:]), (board.cascades[0][-1],))
    assert reason(moved) == "expected a deal, got a position with cards in the cells or home"
    uneven = (board.cascades[0][:-1], (*board.cascades[1], board.cascades[0][-1]))
    uneven = FreeCellBoard((*uneven, *board.cascades[2:]))
    assert reason(uneven) == "expected a deal, got cascades of lengths that no deal has"
    first, second, *others = board.cascades
    exchanged = FreeCellBoard((second, first, *others))
    assert reason(exchanged) == "no Microsoft deal has these cards in this order"
    assert number_of(FreeCellBoard.from_text(str(freecell(617, 6)))) == 617
    wide = FreeCellBoard.from_text(str(freecell(617, 6)), cascades=8)
    assert reason(wide) == "this is deal 617 over 6 cascades, not 8: say --cascades 6"
    apart = FreeCellBoard((*freecell(617, 6).cascades[:3], (), (), *freecell(617, 6).cascades[3:]))
    assert reason(apart).endswith("of lengths that no deal has")


# Klondike and Pyramid


@given(st.integers(1, LARGEST_MICROSOFT))
@example(LARGEST_MICROSOFT)
def test_low_deals_of_klondike_and_pyramid(number: int) -> None:
    assert number_of(klondike(number)) == number
    assert number_of(pyramid(number)) == number


@given(st.integers(LARGEST_MICROSOFT + 1, 10**20))
def test_higher_deals_of_klondike_and_pyramid_cannot_be_recognised(number: int) -> None:
    for board in (klondike(number), pyramid(number)):
        assert reason(board) == (
            "not one of the deals 1 to 32,000; larger numbers cannot be found from the cards"
        )


@given(st.integers(LARGEST_MICROSOFT + 1, 10**20))
def test_the_higher_ones_come_from_python_s_twister(number: int) -> None:
    """The number itself is its seed, so that there is no way back but to try them all."""
    generator, deck = Random(number), [card(r, s) for s in (0, 3, 2, 1) for r in range(1, 14)]
    for last in range(51, 0, -1):
        pick = int(generator.random() * (last + 1))
        deck[last], deck[pick] = deck[pick], deck[last]
    assert shuffled_pysol(number) == tuple(reversed(deck))


@pytest.mark.parametrize("number", [32001, 1_000_000, LARGEST_DEAL])
def test_a_higher_shuffle_of_microsoft_s_is_named_as_pysol_names_it(number: int) -> None:
    assert reason(PyramidDeck(shuffled_deck(number))) == (
        f"not one of the deals 1 to 32,000, but Microsoft's shuffle {number}, which PySol FC calls "
        f"ms{number}"
    )


def test_positions_of_klondike_have_no_number() -> None:
    deal = klondike(5)
    hidden = replace(hide(deal), stock=deal.stock)
    turned = replace(deal, stock=deal.stock[3:], waste=deal.stock[:3])
    for board in (hidden, turned):
        assert reason(board) == "expected a deal with all cards known, got a different position"
    assert issubclass(NotNumbered, DealError)
