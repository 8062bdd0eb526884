"""The dealers against fc-solve's and PySol FC's own boards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from board_texts import published
from hypothesis import example, given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random_base import RandomBase

from deals import DealError, FreeCellBoard, KlondikeBoard, freecell, klondike, parse_card
from deals.cards import DECK
from deals.microsoft import LARGEST_DEAL, shuffled_deck
from deals.pysol import LARGEST_PYSOL, shuffled_pysol

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


# From 2^31 on pysol-cards sets a bit of the generator's output: other deals, not ours.
@given(st.integers(1, 32000) | st.integers(32001, LARGEST_DEAL))
@example(LARGEST_DEAL)
@example(LARGEST_DEAL - 1)
def test_any_deal_of_freecell_is_pysols(number: int) -> None:
    assert str(freecell(number)) == pysol_board(number)


@given(st.integers(1, LARGEST_DEAL), st.integers(4, 9), st.integers(0, 7))
def test_dealt_row_by_row_over_the_cascades(number: int, cascades: int, cells: int) -> None:
    board = freecell(number, cascades, cells)
    deck = shuffled_deck(number)
    assert sorted(deck) == list(DECK)
    assert (len(board.cascades), board.cell_count) == (cascades, cells)
    assert (board.cells, board.foundations) == ((), (0, 0, 0, 0))
    for place, card in enumerate(deck):
        assert board.cascades[place % cascades][place // cascades] == card


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
