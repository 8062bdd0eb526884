"""Texts of one game given to the reader of another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from deals import (
    FreeCellBoard,
    freecell,
    klondike,
    other_games,
    pyramid,
    read_freecell_boards,
    read_klondike_boards,
    read_pyramid_boards,
)
from deals.cards import DealError, card_name
from deals.klondike_signs import KLONDIKE as KLONDIKE_SIGNS
from deals.pyramid_position import PyramidPosition
from deals.signs import Signs, marked

FREECELL = str(freecell(164))
POSITION = "Foundations: H-0 C-0 D-0 S-0\nFreecells: 6S\n" + FREECELL.replace(" 6S", "")
ROWS = "\n".join(" ".join(map(card_name, freecell(164).cascades[i])) for i in range(8))
TRIANGLE = str(pyramid(3))
GONE = """Ks
. .
. . .
. . . .
. . . . .
. . . . . .
. . . . . . .
stock, top first: empty
waste, top first: empty
recycles: 1"""
KLONDIKE = str(klondike(3))

Reader = Callable[[str], Any]


@pytest.mark.parametrize(
    ("read", "text", "reason"),
    [
        (
            read_freecell_boards,
            KLONDIKE,
            "'Stock:' belongs to a board of Klondike: say --game klondike",
        ),
        (read_freecell_boards, "<8H> JD", "'<8H>' belongs to a board of Klondike"),
        (read_freecell_boards, "?? JD", "'\\?\\?' belongs to a board of Klondike"),
        (read_freecell_boards, GONE, "'.' belongs to a board of Pyramid: say --game pyramid"),
        (
            read_freecell_boards,
            GONE[GONE.index("stock") :],
            "'stock, top first:' belongs to a board of",
        ),
        (read_klondike_boards, GONE, "'.' belongs to a board of Pyramid: say --game pyramid"),
        (
            read_klondike_boards,
            f"stock, bottom first: {KLONDIKE}",
            "'stock, bottom first:' belongs to a",
        ),
        (read_klondike_boards, POSITION, "'Freecells:' belongs to a board of FreeCell"),
        (
            read_klondike_boards,
            f"Freecells:\n{FREECELL}",
            "'Freecells:' belongs to a board of FreeCell",
        ),
        (
            read_pyramid_boards,
            f"Freecells:\n{FREECELL}",
            "'Freecells:' belongs to a board of FreeCell",
        ),
        (
            read_pyramid_boards,
            f"FreeCells (2):\n{FREECELL}",
            "'FreeCells \\(2\\):' belongs to a board of",
        ),
        (read_pyramid_boards, KLONDIKE, "'<8H>' belongs to a board of Klondike"),
    ],
)
def test_a_board_of_another_game_is_named(read: Reader, text: str, reason: str) -> None:
    with pytest.raises(DealError, match=reason):
        read(text)


@pytest.mark.parametrize("cascades", range(5, 10))
@pytest.mark.parametrize("read", [read_klondike_boards, read_pyramid_boards])
def test_a_deal_of_freecell_is_no_deck(read: Reader, cascades: int) -> None:
    with pytest.raises(
        DealError,
        match=r"two ways: as a deal of FreeCell, or as a deck of .*: say --game freecell, or write",
    ):
        read(str(freecell(164, cascades)))


@pytest.mark.parametrize("read", [read_klondike_boards, read_pyramid_boards])
def test_neither_are_its_rows(read: Reader) -> None:
    words = FREECELL.split()
    rows = "\n".join(" ".join(words[i : i + 8]) for i in range(0, 52, 8))
    with pytest.raises(DealError, match="8-8-8-8-8-8-4 cards can be read in two ways"):
        read(rows)
    # Its cards on one line are a deck like any other, as are lines of 13.
    assert len(read(" ".join(words))) == 1
    assert len(read("\n".join(" ".join(words[i : i + 13]) for i in range(0, 52, 13)))) == 1


def test_a_triangle_with_its_stock_is_no_deal_of_freecell() -> None:
    reason = "1-2-3-4-5-6-7-24 cards can be read in two ways: as a deal of Klondike or Pyramid"
    with pytest.raises(DealError, match=reason):
        read_freecell_boards(TRIANGLE)
    board = FreeCellBoard.from_text(TRIANGLE, layout="columns")
    assert [len(cascade) for cascade in board.cascades] == [1, 2, 3, 4, 5, 6, 7, 24]


def test_each_game_reads_its_own() -> None:
    assert read_freecell_boards(POSITION)
    assert read_klondike_boards(KLONDIKE) == [klondike(3)]
    assert read_pyramid_boards(TRIANGLE) == [pyramid(3)]
    assert isinstance(read_pyramid_boards(GONE)[0], PyramidPosition)


def test_a_new_game_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other game's reader then refuses its boards, by marks and by lines."""
    spider = Signs(
        name="spider",
        title="Spider",
        marks=(KLONDIKE_SIGNS.marks[0], marked(r"(reserve:)")),
        shape=lambda lengths: [*lengths] == [13] * 4,
        whole="a deck of Spider",
        legend=("s: spin",),
        move="spin",
    )
    monkeypatch.setattr(other_games, "GAMES", (*other_games.GAMES, spider))
    # Which marks are whose is found once for each game.
    klondikes = replace(KLONDIKE_SIGNS)
    with pytest.raises(DealError, match="line 7: 'Reserve:' belongs to a board of Spider: say --"):
        other_games.check_signs([(7, "Reserve: AS")], klondikes)
    other_games.check_signs([(7, "Stock: AS")], klondikes)
    with pytest.raises(DealError, match="as a deal of Spider, or as a deck of Klondike: say --gam"):
        other_games.check_shape([13] * 4, klondikes)
    with pytest.raises(DealError, match="a deal of FreeCell, or as a deck of Spider: say --game f"):
        other_games.check_shape([8] * 6 + [4], spider)
