"""Klondike's deals and positions as text, both ways: what is read and how it is printed."""

from __future__ import annotations

import pickle
from functools import partial

import pytest
from board_texts import CARDS, DEAL, HEAD, LINES, MIDDLE, PILES, hide, names, refused_by
from hypothesis import given
from hypothesis import strategies as st
from plain_klondike import PlainTable
from random_klondike import tables

from deals import KlondikeBoard, card_name, klondike, parse_card, read_klondike_boards
from deals.cards import DECK, DealError
from deals.klondike_board import UNKNOWN

refused = partial(refused_by, KlondikeBoard.from_text)

# Deals and positions


def test_a_deal_is_piles_then_stock() -> None:
    board = KlondikeBoard.from_text(DEAL)
    assert board == klondike(3)
    assert [*map(names, board.piles), names(board.stock)] == LINES
    assert board.face_down == (0, 1, 2, 3, 4, 5, 6)
    assert (board.waste, board.foundations, board.name) == ((), (0, 0, 0, 0), "")
    assert board == KlondikeBoard.deal(map(parse_card, CARDS))


@pytest.mark.parametrize(
    "text",
    [
        DEAL.lower(),
        DEAL.replace("T", "10"),
        DEAL.replace(" ", ""),
        DEAL.replace(" ", "").replace("T", "10").lower(),
        DEAL.replace(" ", "\t \n"),
        "\n".join(LINES),
        "\n\n".join(LINES) + "\n\n",
        "\n".join(LINES[:7]) + "\n\n" + LINES[7],
        "\r\n".join(LINES),
        "game 3: " + DEAL,
        "game 3:" + DEAL.replace(" ", ""),
        "game 3:\n" + "\n".join(LINES),
        "game: 3: " + "\n".join(LINES),
        ": " + DEAL,
        str(klondike(3)),
        str(klondike(3)).replace("Stock:", "Talon:"),
    ],
)
def test_a_deal_in_many_shapes(text: str) -> None:
    assert KlondikeBoard.from_text(text) == klondike(3)
    assert read_klondike_boards(text) == [klondike(3)]


def test_a_position() -> None:
    board = KlondikeBoard.from_text(MIDDLE)
    assert board.foundations == (2, 1, 3, 1)
    assert (names(board.waste), names(board.stock[:2])) == ("KH 6C TD", "2S 3C")
    assert [len(pile) for pile in board.piles] == [2, 6, 0, 7, 10, 4, 4]
    assert board.face_down == (0, 0, 0, 2, 0, 3, 3)
    assert names(board.piles[3]) == "7H JH 9C 8D 7C 6H 5S"
    assert str(board) == MIDDLE.strip()


@pytest.mark.parametrize(
    "text",
    [
        MIDDLE.replace("\n:\n", "\n\n"),
        MIDDLE.replace("\n:\n", "\n  \n"),
        MIDDLE.replace("\n:\n", "\n: \n"),
        "\n\n" + MIDDLE + "\n \n",
        MIDDLE.lower(),
        MIDDLE.replace("T", "10"),
        HEAD.lower() + "\n".join(line.replace(" ", "") for line in PILES),
        HEAD.replace("Foundations", "founds").replace("Stock", "TALON") + "\n".join(PILES),
        "".join(reversed(HEAD.splitlines(keepends=True))) + "\n".join(PILES),
        HEAD + "\n" + "\n".join(PILES),
        HEAD + "\n\n".join(PILES),
        HEAD + "\n".join(": " + pile.removeprefix(":") for pile in PILES),
        HEAD.replace("-1", "-A") + "\n".join(PILES),
        HEAD.replace("\n", "\n\n") + "\n".join(PILES),
    ],
)
def test_a_position_in_many_shapes(text: str) -> None:
    assert KlondikeBoard.from_text(text) == KlondikeBoard.from_text(MIDDLE)
    assert read_klondike_boards(text) == [KlondikeBoard.from_text(MIDDLE)]


def test_piles_that_are_not_written_are_empty() -> None:
    text = "Foundations: C-K D-K H-K S-J\nStock:\nKS\n\nQS"
    board = KlondikeBoard.from_text(text)
    assert [len(pile) for pile in board.piles] == [1, 0, 1, 0, 0, 0, 0]
    assert str(board).splitlines()[1:] == ["Stock:", "KS", ":", "QS", ":", ":", ":", ":"]
    won = KlondikeBoard.from_text("Foundations: C-K D-K H-K S-K")
    assert won.piles == ((),) * 7
    assert KlondikeBoard.from_text(str(won)) == won


def test_cards_that_are_not_known() -> None:
    text = MIDDLE.replace("<JH>", "??").replace("KH 6C", "?? 6C").replace("2S 3C", "?? <??>")
    board = KlondikeBoard.from_text(text)
    assert board.piles[3][:2] == (parse_card("7H"), UNKNOWN)
    assert board.waste == (UNKNOWN, parse_card("6C"), parse_card("TD"))
    assert board.stock[:3] == (UNKNOWN, UNKNOWN, parse_card("9H"))
    assert str(board) == text.replace("<??>", "??").strip()


@given(tables())
def test_any_position_of_a_game_is_read_and_printed(table: PlainTable) -> None:
    board = KlondikeBoard.from_text(table.text())
    for pile, hidden, written in zip(board.piles, board.face_down, table.piles, strict=True):
        marked = [f"<{card_name(card)}>" for card in pile[:hidden]]
        assert [*marked, *map(card_name, pile[hidden:])] == written
    assert names(board.stock).split() == table.stock
    assert names(board.waste).split() == table.waste
    assert list(board.foundations) == [len(table.home[suit]) for suit in "CDHS"]
    blind = hide(board)
    for shown in (board, blind):
        assert KlondikeBoard.from_text(str(shown)) == shown
        assert KlondikeBoard.from_text(str(shown).lower() + "\n\n") == shown
        assert KlondikeBoard.from_text(str(shown).replace("\n:", "\n")) == shown
        assert read_klondike_boards(str(shown)) == [shown]
    both = [board, blind, board]
    assert read_klondike_boards("\n\n".join(map(str, both))) == both


@given(st.permutations(DECK))
def test_any_deal_is_read_and_printed(deck: list[int]) -> None:
    board = KlondikeBoard.deal(deck, name="a deal")
    assert KlondikeBoard.from_text(board.deal_text()) == board
    assert KlondikeBoard.from_text(str(board)) == board
    assert board.deal_text() == "a deal: " + names(deck)
    assert pickle.loads(pickle.dumps(board)) == board


# Names


def test_names_are_kept_and_boards_are_equal_without_them() -> None:
    for text in ("game 3: " + DEAL, "game 3:\n" + MIDDLE, "\n game 3 : \n\n" + MIDDLE):
        board = KlondikeBoard.from_text(text)
        assert board.name == "game 3"
        assert board == KlondikeBoard.from_text(text.partition(":")[2])
        assert KlondikeBoard.from_text(str(board)).name == "game 3"
    assert KlondikeBoard.from_text("a: 12:30: " + DEAL).name == "a: 12:30"


@pytest.mark.parametrize(
    "name", ["Stock", "a: waste", "FOUND: x", "a\nb", " a", "a:", "\x1b[31mred"]
)
def test_names_that_could_not_be_read_back(name: str) -> None:
    assert repr(name) in refused_by(partial(KlondikeBoard.deal, DECK), name)


def test_a_name_stands_before_its_board() -> None:
    assert refused("a: Stock: " + LINES[7]) == (
        "line 1: expected a name on a line of its own, got a: Stock:"
    )
    assert refused("\na:\n") == "line 2: expected 52 cards after the name 'a', got none"
    assert refused(DEAL + "\nb: " + DEAL) == (
        "line 2: expected one board, got the name of another: 'b'; places are 'Foundations:', "
        "'Waste:' and 'Stock:'"
    )


# Many boards


def test_many_boards_in_a_text() -> None:
    deals = [klondike(number) for number in range(1, 6)]
    middle = KlondikeBoard.from_text(MIDDLE)
    lines = [deal.deal_text() for deal in deals]
    assert read_klondike_boards("\n".join(lines)) == deals
    assert read_klondike_boards("\n\n".join(lines) + "\n") == deals
    named = "\n".join(f"game {i}: {line}" for i, line in enumerate(lines))
    assert [board.name for board in read_klondike_boards(named)] == [f"game {i}" for i in range(5)]
    spread = "\n".join(LINES)
    parts = [lines[0], MIDDLE, lines[1], spread, str(deals[4]), "x:\n" + MIDDLE, "y:", spread]
    boards = read_klondike_boards("\n\n".join(parts))
    assert boards == [deals[0], middle, deals[1], deals[2], deals[4], middle, deals[2]]
    assert [board.name for board in boards] == [""] * 5 + ["x", "y"]


def test_boards_with_empty_lines_in_them() -> None:
    gaps = MIDDLE.replace("\n:\n", "\n\n")
    early = "Foundations: C-K D-K H-K S-J\n\nQS\n\n\nKS"
    boards = read_klondike_boards(
        "\n".join([gaps, DEAL, early, "", gaps, gaps, *LINES[:7], "", LINES[7]])
    )
    middle, late = KlondikeBoard.from_text(MIDDLE), KlondikeBoard.from_text(early)
    assert boards == [middle, klondike(3), late, middle, middle, klondike(3)]
    assert [len(pile) for pile in late.piles] == [0, 1, 0, 0, 1, 0, 0]


def test_rules_above_deals_of_one_line_hold_for_all_of_them() -> None:
    three, four = (klondike(number).deal_text() for number in (3, 4))
    for text, found in (
        (f"{three}\n{four}", [3, 3]),
        (f"Rules: draw=1\n{three}\n{four}", [1, 1]),
        (f"Rules: draw=1\na: {three}\nb: {four}", [1, 1]),
        (f"a:\nRules: draw=1\n{three}\n{four}", [1, 1]),
        (f"{three}\nRules: draw=1\n{four}", [3, 1]),
        (f"Rules: draw=1\n{three}\nRules: draw=3\n{four}", [1, 3]),
        # They end with the paragraph.
        (f"Rules: draw=1\n\n{three}\n\n{four}", [1, 3]),
        (f"Rules: draw=1\n{klondike(3)}\n{four}\n{three}", [1, 3, 3]),
    ):
        boards = read_klondike_boards(text)
        assert [board.draw for board in boards if board] == found, text
    (named,) = read_klondike_boards(f"Rules: draw=1\na: {three}")
    assert named and (named.name, named.draw) == ("a", 1)
    with pytest.raises(DealError, match=r"^board 2: line 2: expected the cards .* below its rules"):
        read_klondike_boards(f"{three}\nRules: draw=1")
