"""Texts of one game given to the reader of another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from board_texts import READERS, refused_by

from deals import FreeCellBoard, freecell, klondike, other_games, pyramid
from deals.cards import DealError
from deals.klondike_signs import KLONDIKE as KLONDIKE_SIGNS
from deals.pyramid_position import PyramidPosition
from deals.signs import Signs, marked

FREECELL = str(freecell(164))
POSITION = "Foundations: H-0 C-0 D-0 S-0\nFreecells: 6S\n" + FREECELL.replace(" 6S", "")
TRIANGLE = str(pyramid(3))
TALON = "stock, top first: empty\nwaste, top first: empty\nrecycles: 1"
GONE = "\n".join(["Ks", *(" ".join("." * row) for row in range(2, 8)), TALON])
KLONDIKE = str(klondike(3))


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("freecell", KLONDIKE, "'Stock:' belongs to a board of Klondike: say --game klondike"),
        ("freecell", "<8H> JD", "'<8H>' belongs to a board of Klondike"),
        ("freecell", "?? JD", "'??' belongs to a board of Klondike"),
        ("freecell", GONE, "'.' belongs to a board of Pyramid: say --game pyramid"),
        ("freecell", TALON, "'stock, top first:' belongs to a board of"),
        ("klondike", GONE, "'.' belongs to a board of Pyramid: say --game pyramid"),
        ("klondike", f"stock, bottom first: {KLONDIKE}", "'stock, bottom first:' belongs to a"),
        ("klondike", POSITION, "'Freecells:' belongs to a board of FreeCell"),
        ("klondike", f"Freecells:\n{FREECELL}", "'Freecells:' belongs to a board of FreeCell"),
        ("pyramid", f"Freecells:\n{FREECELL}", "'Freecells:' belongs to a board of FreeCell"),
        ("pyramid", f"FreeCells (2):\n{FREECELL}", "'FreeCells (2):' belongs to a board of"),
        ("pyramid", KLONDIKE, "'<8H>' belongs to a board of Klondike"),
    ],
)
def test_a_board_of_another_game_is_named(game: str, text: str, reason: str) -> None:
    assert reason in refused_by(READERS[game], text)


both = pytest.mark.parametrize("game", ["klondike", "pyramid"])


@pytest.mark.parametrize("cascades", range(5, 10))
@both
def test_a_deal_of_freecell_is_no_deck(game: str, cascades: int) -> None:
    said = refused_by(READERS[game], str(freecell(164, cascades)))
    assert "two ways: as a deal of FreeCell, or as a deck of " in said
    assert ": say --game freecell, or write" in said


@both
def test_neither_are_its_rows(game: str) -> None:
    words = FREECELL.split()
    one_line, by_8, by_13 = (
        "\n".join(" ".join(words[i : i + width]) for i in range(0, 52, width))
        for width in (52, 8, 13)
    )
    said = refused_by(READERS[game], by_8)
    assert "8-8-8-8-8-8-4 cards can be read in two ways" in said
    # Its cards on one line are a deck like any other, as are lines of 13.
    assert len(READERS[game](one_line)) == len(READERS[game](by_13)) == 1


def test_a_triangle_with_its_stock_is_no_deal_of_freecell() -> None:
    reason = "1-2-3-4-5-6-7-24 cards can be read in two ways: as a deal of Klondike or Pyramid"
    assert reason in refused_by(READERS["freecell"], TRIANGLE)
    board = FreeCellBoard.from_text(TRIANGLE, layout="columns")
    assert [len(cascade) for cascade in board.cascades] == [1, 2, 3, 4, 5, 6, 7, 24]


def test_each_game_reads_its_own() -> None:
    assert READERS["freecell"](POSITION)
    assert READERS["klondike"](KLONDIKE) == [klondike(3)]
    assert READERS["pyramid"](TRIANGLE) == [pyramid(3)]
    assert isinstance(READERS["pyramid"](GONE)[0], PyramidPosition)


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
