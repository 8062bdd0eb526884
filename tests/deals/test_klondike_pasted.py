"""Klondike's boards as people paste them: symbols, separators, the digits of Klondike-Solver."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from board_texts import CARDS, DEAL, LINES, MIDDLE, ROWS, all_spelled, refused_by
from hypothesis import given
from hypothesis import strategies as st
from plain_klondike import PlainTable
from random_klondike import tables

from deals import KlondikeBoard, klondike, parse_card, read_klondike_boards
from deals.cards import DECK
from deals.digits import is_deck

refused = partial(refused_by, KlondikeBoard.from_text)

SEPARATORS = st.sampled_from([" ", "", ", ", ",", " | ", "|", ";", "\t|\t"])


@given(tables(), st.data())
def test_any_position_in_any_mixture_of_spellings(table: PlainTable, data: st.DataObject) -> None:
    board = KlondikeBoard.from_text(table.text())
    between = data.draw(SEPARATORS)

    def written(cards: str) -> str:
        names = cards.split()
        spelled = data.draw(all_spelled([parse_card(name.strip("<>")) for name in names]))
        words = [
            f"<{word}>" if name.startswith("<") else word
            for name, word in zip(names, spelled, strict=True)
        ]
        line = between.join(words)
        return f"| {line} |" if between.strip() == "|" and words else line

    lines = []
    for line in table.text().splitlines():
        label, colon, cards = line.rpartition(":")
        if label.startswith("Found"):
            cards = data.draw(st.sampled_from([" ", ", ", " | "])).join(cards.split())
            cards = cards.replace("-", data.draw(st.sampled_from(["-", ":", "", "="])))
            lines.append(f"{label}: {cards}")
        else:
            lines.append(label + colon + " " + written(cards))
    assert KlondikeBoard.from_text("\n".join(lines)) == board
    assert read_klondike_boards("\n".join(lines)) == [board]


@given(st.permutations(DECK), SEPARATORS, st.data())
def test_any_deal_in_any_mixture_of_spellings(
    deck: list[int], between: str, data: st.DataObject
) -> None:
    board = KlondikeBoard.deal(deck)
    words = data.draw(all_spelled(deck))
    assert KlondikeBoard.from_text(between.join(words)) == board
    piles = [between.join(words[i * (i + 1) // 2 :][: i + 1]) for i in range(7)]
    piles.append(between.join(words[28:]))
    assert KlondikeBoard.from_text("\n".join(piles)) == board
    for mark in (" | ", " ; ", ", "):
        assert KlondikeBoard.from_text(mark.join(pile.replace(between, " ") if between.strip()
            else pile for pile in piles)) == board  # fmt: skip


def test_groups_that_are_no_piles_of_a_deal_are_refused() -> None:
    stock_first = " | ".join([LINES[7], *LINES[:7]])
    assert refused(stock_first) == (
        "line 1: expected separators between piles of 1 to 7 cards and the stock of 24, or between "
        "all cards, got groups of 24-1-2-3-4-5-6-7 cards"
    )
    assert KlondikeBoard.from_text(" | ".join(LINES)) == klondike(3)
    assert "got groups of 26-26" in refused(" ".join(CARDS[:26]) + ", " + " ".join(CARDS[26:]))


STOCK = LINES[7].split()
WRAPPED = [" ".join(STOCK[:12]), " ".join(STOCK[12:])]


@pytest.mark.parametrize(
    ("lines", "counts", "how"),
    [
        ([*ROWS, LINES[7]], "7-6-5-4-3-2-1-24", "as the rows of a screen,"),
        ([*ROWS, *WRAPPED], "7-6-5-4-3-2-1-12-12", "as the rows of a screen,"),
        ([LINES[7], *ROWS], "24-7-6-5-4-3-2-1", "as the rows of a screen below the stock,"),
        ([LINES[7], *LINES[:7]], "24-1-2-3-4-5-6-7", "with the stock above the piles,"),
        ([*WRAPPED, *LINES[:7]], "12-12-1-2-3-4-5-6-7", "with the stock above the piles,"),
    ],
)
@pytest.mark.parametrize("between", [" ", ", "])
@pytest.mark.parametrize("name", ["", "game 3:\n"])
def test_lines_that_can_be_rows_or_have_the_stock_first(
    lines: list[str], counts: str, how: str, between: str, name: str
) -> None:
    text = name + "\n".join(lines).replace(" ", between)
    one, two, three = " ".join(lines).split()[:3]
    said = (
        f"line {2 if name else 1}: lines of {counts} cards can be read in two ways: card after "
        f"card, with {one}, {two} {three} in piles 1 and 2, or {how} with {LINES[0]}, {LINES[1]}:"
    )
    for read in (KlondikeBoard.from_text, read_klondike_boards):
        assert refused_by(read, text).startswith(said)
    assert KlondikeBoard.from_text(" ".join(lines)).deal_text() == " ".join(lines)
    assert KlondikeBoard.from_text("\n".join([*LINES[:7], *WRAPPED])) == klondike(3)


@pytest.mark.parametrize(
    "name", ["Deal\u00a07", "Deal\t7", "\u65e5\u672c\u3000\u8a9e", "a, b | H5 ♥"]
)
def test_a_name_may_hold_the_spaces_of_web_pages_and_separators(name: str) -> None:
    board = KlondikeBoard.from_text(f"{name}: {DEAL}")
    assert (board, board.name) == (klondike(3), name)


def test_a_name_has_no_control_characters() -> None:
    assert "without control characters" in refused(f"\033[2J7: {DEAL}")


def test_words_that_are_nearly_cards() -> None:
    for word in ("♥", "1♥", "♥1", "♥♥", "10", "HH", "<♥5", "(5♥"):
        lines = [*LINES[:2], f"{CARDS[3]} | {word} | {CARDS[5]}", *LINES[3:]]
        assert re.match("line 3, card [1-6]: .* is not a card", refused("\n".join(lines))), word


# Digits


DATA = (Path(__file__).parent / "data" / "klondike_solver_decks.txt").read_text()
DECKS = [(int(n), digits) for n, digits in re.findall(r"^([0-9]+) ([0-9]+)$", DATA, re.MULTILINE)]
DIGITS = DECKS[0][1]


def test_the_data_file_holds_what_it_should() -> None:
    assert len(DECKS) == 7


@pytest.mark.parametrize(("number", "digits"), DECKS)
def test_decks_of_klondike_solver(number: int, digits: str) -> None:
    assert KlondikeBoard.from_text(digits) == klondike(number)
    assert KlondikeBoard.from_text(f"\n  {digits}\n\n") == klondike(number)
    named = KlondikeBoard.from_text(f"deal {number}: {digits}")
    assert (named, named.name) == (klondike(number), f"deal {number}")


def digits_of(board: KlondikeBoard) -> str:
    """As its README says: the cards as they are dealt, a rank of two digits and a suit of one."""
    dealt = [pile[row] for row in range(7) for pile in board.piles[row:]] + list(board.stock)
    return "".join(f"{card >> 2:02}{1 + (card & 3)}" for card in dealt)


@given(st.permutations(DECK))
def test_any_deck_in_digits(deck: list[int]) -> None:
    board = KlondikeBoard.deal(deck)
    assert KlondikeBoard.from_text(digits_of(board)) == board


def test_many_decks_in_digits_among_other_boards() -> None:
    boards = [klondike(number) for number, _ in DECKS]
    first, second, third, *_ = decks = [digits for _, digits in DECKS]
    assert read_klondike_boards("\n".join(decks)) == boards
    text = "\n".join([DEAL, first, second, MIDDLE, "a:", third])
    middle = KlondikeBoard.from_text(MIDDLE)
    assert read_klondike_boards(text) == [klondike(3), *boards[:2], middle, boards[2]]


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda text: text[:-3], "line 1: expected 52 cards of three digits, got 51: missing 6H"),
        (lambda text: text[1:], "line 1: expected 156 digits, three for each of 52 cards, got 155"),
        (
            lambda text: text + "0",
            "line 1: expected 156 digits, three for each of 52 cards, got 157",
        ),
        (lambda text: text + text[:3], "line 1, card 53: 123 (QH) appears twice, also card 1"),
        (lambda text: "141" + text[3:], "line 1, card 1: '141' is not a card in digits"),
        (lambda text: "125" + text[3:], "line 1, card 1: '125' is not a card in digits"),
        (lambda text: "001" + text[3:], "01 to 13, and one of suit, 1 to 4 for CDHS, as in 102"),
        (lambda text: text[:78] + " " + text[78:], "line 1, card 1: '12307305...' is not a card"),
    ],
)
def test_digits_that_are_no_deck(edit: Callable[[str], str], reason: str) -> None:
    assert reason in refused(edit(DIGITS))


def test_numbers_are_no_decks() -> None:
    assert is_deck(DIGITS) and is_deck(DIGITS[:-3])
    for number in ("617", "9" * 30, str(10**20), "9" * 5000, DIGITS[:75], DIGITS + "x", ""):
        assert not is_deck(number)


NUMBERED = [f"{i}: {line}" for i, line in enumerate(LINES[:7], start=1)]


def test_piles_may_have_numbers() -> None:
    assert KlondikeBoard.from_text("\n".join([*NUMBERED, LINES[7]])) == klondike(3)
    assert KlondikeBoard.from_text("\n".join([f"Pile {line}" for line in NUMBERED] + LINES[7:]))
    text = "Foundations: C-K D-K H-K S-J\nStock:\n1: KS\n{}\n3: QS"
    for empty in ("2:", "2: --", "2: empty", "--", "-", "[]", "(empty)", ":"):
        board = KlondikeBoard.from_text(
            text.format(empty).replace("3:", "" if empty[0] != "2" else "3:")
        )
        assert [len(pile) for pile in board.piles] == [1, 0, 1, 0, 0, 0, 0], empty
    assert "expected pile 2, got 3" in refused(text.format("").replace("\n\n", "\n"))


@pytest.mark.parametrize("width", [52, 28, 26, 13, 10, 7, 1])
def test_lines_may_be_filled_alike(width: int) -> None:
    lines = [" ".join(CARDS[i : i + width]) for i in range(0, 52, width)]
    assert KlondikeBoard.from_text("\n".join(lines)) == klondike(3)
    # A name takes the room of some cards.
    named = f"my own deal: {' '.join(CARDS[:6])}\n" + "\n".join(
        " ".join(CARDS[i : i + 10]) for i in range(6, 52, 10)
    )
    assert KlondikeBoard.from_text(named) == klondike(3)
    assert "lines of 6-10-10-10-10-6 cards" in refused(named.replace(":", ":\n"))


def test_numbered_lines_that_are_no_piles() -> None:
    four = "\n".join(f"{i + 1}: {' '.join(CARDS[13 * i :][:13])}" for i in range(4))
    assert "marked as piles, got lines of 13-13-13-13 cards" in refused(four)
    assert "expected 7 piles, got 8" in refused("\n".join([*NUMBERED, f"8: {LINES[7]}"]))
    # They are names if a whole deck follows.
    named = read_klondike_boards(f"1: {DEAL}\n2: {DEAL}")
    assert [board.name for board in named if board] == ["1", "2"]


def test_a_name_at_fault_costs_its_own_board_alone() -> None:
    faults: list[str] = []
    boards = read_klondike_boards(f"{DEAL}\nDraw one:\n{DEAL}\nthree:\n{DEAL}", faults)
    assert [board is not None for board in boards] == [True, False, True] and len(faults) == 1
