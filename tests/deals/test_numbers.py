"""Boards that are numbered deals are recognised, and no others."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

import pytest
from board_texts import hide
from hypothesis import example, given
from hypothesis import strategies as st
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
    pyramid,
)
from deals.cards import DECK, card
from deals.microsoft import LARGEST_DEAL, number_of_deck, shuffled_deck
from deals.numbers import recognised
from deals.pysol import LARGEST_MICROSOFT, shuffled_pysol


def reason(board: FreeCellBoard | KlondikeBoard | PyramidDeck) -> str:
    assert number_of(board) is None
    with pytest.raises(NotNumbered) as fault:
        recognised(board)
    return str(fault.value)


@given(st.integers(1, 32000) | st.integers(1, LARGEST_DEAL))
@example(1)
@example(LARGEST_DEAL)
@example(LARGEST_DEAL - 1)
@example(2**30)
def test_the_number_of_a_shuffled_deck(number: int) -> None:
    assert number_of_deck(shuffled_deck(number)) == number


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


@given(st.integers(1, LARGEST_DEAL), st.integers(4, 9), st.integers(0, 7))
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
