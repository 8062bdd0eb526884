"""The dealer against fc-solve's and PySol FC's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random import RandomBase

from deals import DealError, FreeCellBoard, freecell
from deals.cards import DECK
from deals.microsoft import LARGEST_DEAL, shuffled_deck

DATA = Path(__file__).parent / "data" / "microsoft_boards.txt"


def published_boards() -> list[tuple[int, str]]:
    """Number and text of the boards in the data file."""
    lines = [line for line in DATA.read_text().splitlines() if not line.startswith("#")]
    blocks = "\n".join(lines).strip().split("\n\n")
    parts = [block.partition("\n") for block in blocks]
    return [(int(title.removeprefix("deal ")), text) for title, _, text in parts]


def pysol_board(number: int) -> str:
    """The board as PySol FC's cards package writes it."""
    game = Game("freecell", number, RandomBase.DEALS_MS)
    return str(game.calc_layout_string(CardRenderer(True))).strip()


def test_the_data_file_holds_what_it_should() -> None:
    numbers = [number for number, _ in published_boards()]
    assert numbers == [1, 617, 11982, 32000, 32001, 1000000, 2**31 - 1]


@pytest.mark.parametrize(("number", "text"), published_boards())
def test_published_board(number: int, text: str) -> None:
    assert str(freecell(number)) == text
    assert FreeCellBoard.from_text(text) == freecell(number)
    assert pysol_board(number) == text


# From 2^31 on pysol-cards sets a bit of the generator's output: other deals, not ours.
@given(st.integers(1, 32000) | st.integers(32001, LARGEST_DEAL))
@example(LARGEST_DEAL)
@example(LARGEST_DEAL - 1)
def test_any_deal_is_pysols(number: int) -> None:
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


@pytest.mark.parametrize("number", [0, -1, -(2**31), 2**31, 2**32 + 1, 10**30])
def test_numbers_that_are_no_deals(number: int) -> None:
    with pytest.raises(DealError, match=f"there is no deal {number}: .* 1 to 2,147,483,647"):
        freecell(number)
    with pytest.raises(DealError):
        shuffled_deck(number)


@pytest.mark.parametrize(
    ("cascades", "cells", "reason"),
    [
        (3, 4, "4 to 9 cascades, got 3"),
        (10, 4, "4 to 9 cascades, got 10"),
        (0, 4, "4 to 9 cascades, got 0"),
        (8, -1, "0 to 7 free cells, got -1"),
        (8, 8, "0 to 7 free cells, got 8"),
    ],
)
def test_variants_there_are_not(cascades: int, cells: int, reason: str) -> None:
    with pytest.raises(DealError, match=reason):
        freecell(1, cascades, cells)
