"""Messages name the fault that a text has, not another one that follows from it, and its game."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from board_texts import CARDS, LINES, READERS, ROWS, Reader, refused_by
from hypothesis import given
from hypothesis import strategies as st

from deals import (
    FreeCellBoard,
    KlondikeBoard,
    freecell,
    klondike,
    other_games,
    parse_range,
    pyramid,
)
from deals.cards import DealError
from deals.pyramid_position import PyramidPosition
from deals.sets import split_numbers
from deals.signs import KLONDIKE as KLONDIKE_SIGNS
from deals.signs import Signs, marked

*PILES, STOCK = LINES
*TRIANGLE, TALON = str(pyramid(7)).splitlines()
TEXT = str(freecell(164))
READS = {
    **READERS,
    "by rows": partial(READERS["freecell"], layout="rows"),
    "range": parse_range,
    "numbers": split_numbers,
}


def lines_of(*lengths: int) -> str:
    left = iter(CARDS)
    return "\n".join(" ".join(next(left) for _ in range(length)) for length in lengths)


MIDDLE = "Foundations: S-A\n{}\n{}: " + STOCK + "\n" + "\n".join(PILES[:2]) + "\n"
GOLF, YUKON = (*[5] * 7, 17), (1, *range(6, 12))


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        # A card too many does not split a board in two.
        ("klondike", "\n".join([*PILES, "", f"{STOCK} TD"]), "TD appears twice"),
        ("klondike", "\n".join([*PILES, f"{STOCK} TD"]), "TD appears twice"),
        ("pyramid", "\n".join([*TRIANGLE, "", f"{TALON} 3d"]), "got 53; doubled"),
        ("pyramid", "\n".join([*TRIANGLE, "", TALON[3:]]), "got 51; missing: "),
        ("freecell", f"{TEXT} TD", "TD appears twice"),
        # Rows of a screen are no piles, and piles no rows.
        ("klondike", "\n".join([f"Stock: {STOCK}", *ROWS]), "are the rows of a screen"),
        ("by rows", "\n".join([*PILES, STOCK]), "a deal of Klondike or Pyramid, or as cascades"),
        # Digits.
        ("range", "123" * 31, "no deal with 93 digits: deals are numbered 1 to 2,147,483,647"),
        ("pyramid", "012" * 52, "156 digits are a Klondike deal: say --game klondike"),
        ("freecell", "012" * 52, "156 digits are a Klondike deal: say --game klondike"),
        # Cards whose ranks are numbers.
        ("freecell", "0D 2C", "'0D' is not a card"),
        ("freecell", "0D 2C", "(TD?)"),
        ("freecell", "H11 2C", "(JH?)"),
        ("pyramid", '{"tableau piles": []}', "got JSON, as of another game"),
        # The cards of the cells on the line below their label.
        ("freecell", f"Freecells:\n{TEXT[:8]}\n{TEXT[9:]}", "can be read in two ways"),
        # Games that are not known here, and a card on the wrong line.
        ("freecell", lines_of(*GOLF), "a deal of Golf, which is no game here"),
        ("freecell", lines_of(*YUKON), "a deal of Yukon, which is no game here"),
        ("klondike", lines_of(*GOLF), "5-5-5-5-5-5-5-17 cards are not the piles of"),
        ("klondike", lines_of(*YUKON), "1-6-7-8-9-10-11 cards are not the piles of"),
        ("klondike", lines_of(2, *range(2, 8), 23), "2-2-3-4-5-6-7-23 cards are not"),
        # Labels that a reader does not know, within a board and in the middle of a line.
        ("klondike", MIDDLE.format("Waste (3): AC 6D", "Stock"), "line 2: 'Waste (3):' is"),
        ("klondike", MIDDLE.format("Waste pile: AC", "Stock"), "line 2: 'Waste pile:' is"),
        ("klondike", MIDDLE.format("Waste: AC", "Draw pile"), "line 3: 'Draw pile:' is"),
        ("klondike", MIDDLE.format("Waste: AC", "Deck"), "line 3: expected one board, got"),
        ("klondike", "\n".join([*PILES, f"Stock pile: {STOCK}"]), "line 8: 'Stock pile:'"),
        ("klondike", f"1: {CARDS[0]} Stock: {STOCK}", "card 2: 'Stock:' is not a card"),
        # Cards face down that are not marked.
        ("klondike", "\n".join([f"Talon: {STOCK}", *PILES]), "brackets, <8H>"),
        # A stock without its label.
        (
            "pyramid",
            "\n".join(["recycles: 2", *TRIANGLE, TALON]),
            "line 9: expected 7 rows, got one more: write 'stock, top first:'",
        ),
        # Numbers of piles count from 1.
        ("freecell", f"0: {TEXT}", "line 1: expected cascade 1, got 0"),
        ("klondike", f"0: {PILES[0]}\n1: {PILES[1]}", "line 1: expected pile 1, got 0"),
        # Labels alone.
        ("freecell", f"Foundations: S-A\n\n{TEXT}", "cascade; an empty line ends a board"),
        ("freecell", "Foundations: C-K D-K H-K\nFreecells: KS", "missing AS 2S 3S 4S"),
        ("range", "1,0000", "'1,0000' has a comma that may stand within a number"),
        # A long word ends with dots.
        ("freecell", "Q" * 80, "QQQ...' is not a card"),
        ("freecell", "deal 617", "no board: expected a line of cards for each cascade"),
    ],
)
def test_the_fault_is_named(read: str, text: str, said: str) -> None:
    assert said in refused_by(READS[read], text)


@pytest.mark.parametrize(
    "read",
    [FreeCellBoard.from_text, KlondikeBoard.from_text, *READERS.values(), READS["by rows"]],
)
@pytest.mark.parametrize(
    "texts",
    [
        st.text(alphabet="A2TKcdhs10-: \nFoundations", max_size=80) | st.text(max_size=40),
        st.text(alphabet="A2TKcdhs10-<>?: \nFoundationsStock", max_size=80),
        st.text(alphabet="A2TKcdhs10-: \n|,;♦♠\ufe0fFC", max_size=80),
        st.lists(st.sampled_from(["KS", "♦Q", "|", ";", ",", "--", "\n", "FC:", ":"])).map(
            " ".join
        ),
        st.text(alphabet='{}[]":, tableau pilesAC2d\n', max_size=60).map(
            '{"tableau piles": ['.__add__
        ),
    ],
    ids=["foundations", "stock", "separators", "words", "json"],
)
@given(st.data())
def test_text_is_a_board_or_refused_in_words(
    read: Reader, texts: st.SearchStrategy[str], data: st.DataObject
) -> None:
    assert refused_by(read, data.draw(texts))


POSITION = "Foundations: H-0 C-0 D-0 S-0\nFreecells: 6S\n" + TEXT.replace(" 6S", "")
DECK = str(pyramid(3))
ENDED = "stock, top first: empty\nwaste, top first: empty\nrecycles: 1"
GONE = "\n".join(["Ks", *(" ".join("." * row) for row in range(2, 8)), ENDED])
KLONDIKE = str(klondike(3))


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("freecell", KLONDIKE, "'Stock:' belongs to a board of Klondike: say --game klondike"),
        ("freecell", "<8H> JD", "'<8H>' belongs to a board of Klondike"),
        ("freecell", "?? JD", "'??' belongs to a board of Klondike"),
        ("freecell", GONE, "'.' belongs to a board of Pyramid: say --game pyramid"),
        ("freecell", ENDED, "'stock, top first:' belongs to a board of"),
        ("klondike", GONE, "'.' belongs to a board of Pyramid: say --game pyramid"),
        ("klondike", f"stock, bottom first: {KLONDIKE}", "'stock, bottom first:' belongs to a"),
        ("klondike", POSITION, "'Freecells:' belongs to a board of FreeCell"),
        ("klondike", f"Freecells:\n{TEXT}", "'Freecells:' belongs to a board of FreeCell"),
        ("pyramid", f"Freecells:\n{TEXT}", "'Freecells:' belongs to a board of FreeCell"),
        ("pyramid", f"FreeCells (2):\n{TEXT}", "'FreeCells (2):' belongs to a board of"),
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
    words = TEXT.split()
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
    assert reason in refused_by(READERS["freecell"], DECK)
    board = FreeCellBoard.from_text(DECK, layout="columns")
    assert [len(cascade) for cascade in board.cascades] == [1, 2, 3, 4, 5, 6, 7, 24]


def test_each_game_reads_its_own() -> None:
    assert READERS["freecell"](POSITION)
    assert READERS["klondike"](KLONDIKE) == [klondike(3)]
    assert READERS["pyramid"](DECK) == [pyramid(3)]
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
