"""Klondike's numbered deals against PySol FC's own package."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random_base import RandomBase

from deals import DealError, KlondikeBoard, klondike, parse_card
from deals.cards import DECK
from deals.microsoft import shuffled_deck
from deals.pysol import LARGEST_PYSOL, shuffled_pysol

DATA = Path(__file__).parent / "data" / "pysol_klondike_boards.txt"

NUMBERS = st.integers(1, 40000) | st.integers(1, LARGEST_PYSOL)


def published_boards() -> list[tuple[int, str]]:
    """Number and text of the boards in the data file."""
    lines = [line for line in DATA.read_text().splitlines() if not line.startswith("#")]
    blocks = "\n".join(lines).strip().split("\n\n")
    parts = [block.partition("\n") for block in blocks]
    return [(int(title.removeprefix("deal ")), text) for title, _, text in parts]


def test_the_data_file_holds_what_it_should() -> None:
    numbers = [number for number, _ in published_boards()]
    assert numbers == [1, 24, 617, 32000, 32001, 2**31, 10**20]


@pytest.mark.parametrize(("number", "text"), published_boards())
def test_published_board(number: int, text: str) -> None:
    board = klondike(number)
    assert KlondikeBoard.from_text(text) == board
    assert str(board) == text.replace("Talon:", "Stock:")
    talon, *piles = text.splitlines()
    assert list(map(parse_card, talon.split()[1:])) == list(board.stock)
    for pile, hidden, line in zip(board.piles, board.face_down, piles, strict=True):
        assert [parse_card(word.strip("<>")) for word in line.split()] == list(pile)
        assert hidden == line.count("<")


@given(NUMBERS)
def test_any_deal_is_pysols(number: int) -> None:
    game = Game("klondike_by_threes", number, RandomBase.DEALS_PYSOLFC)
    text = game.calc_layout_string(CardRenderer(False))
    assert KlondikeBoard.from_text(text) == klondike(number)


@given(NUMBERS)
def test_a_shuffle_is_in_the_order_in_which_games_deal(number: int) -> None:
    game = Game("fan", number, RandomBase.DEALS_PYSOLFC)
    game.deal()
    dealt = [CardRenderer(True).to_s(card) for card in game.cards]
    assert list(map(parse_card, dealt)) == list(shuffled_pysol(number))


@given(st.integers(1, 32000))
def test_low_numbers_are_microsofts_shuffle(number: int) -> None:
    assert shuffled_pysol(number) == shuffled_deck(number)


def test_from_32001_on_they_are_not() -> None:
    assert shuffled_pysol(32001) != shuffled_deck(32001)


@given(NUMBERS)
def test_a_shuffle_is_a_deck_and_comes_again(number: int) -> None:
    assert sorted(shuffled_pysol(number)) == list(DECK)
    assert shuffled_pysol(number) == shuffled_pysol(number)


def test_the_limit_is_the_packages() -> None:
    assert LARGEST_PYSOL == RandomBase.MAX_SEED
    assert shuffled_pysol(LARGEST_PYSOL) != shuffled_pysol(LARGEST_PYSOL - 1)


@pytest.mark.parametrize("number", [0, -1, -(2**31), 10**20 + 1, 10**30])
def test_numbers_that_are_no_deals(number: int) -> None:
    for dealt in (klondike, shuffled_pysol):
        with pytest.raises(DealError, match=f"there is no deal {number}: .* 1 to {10**20:,}$"):
            dealt(number)
