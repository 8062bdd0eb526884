"""Positions of Pyramid as text: what is read, what is refused and with which message."""

from __future__ import annotations

import random
import re
from functools import partial
from typing import Any

import pytest
from board_texts import refused_by
from hypothesis import given
from hypothesis import strategies as st

from deals import DealError, PyramidDeck, PyramidPosition, pyramid, read_pyramid_boards
from deals.cards import card_name, parse_card
from deals.numbers import number_of
from deals.pyramid_position import GONE, PyramidBoard
from gafreecell.solitaire.pyramid.legal_moves import after, legal_moves

TEXT = """\
            3d
          8s  4s
        9d  5d  8h
      6h  2c  2s  2d
    Qh  Td   .   .  9h
   .  7s   .   .   .  6c
 .   .   .   .   .   .   .
stock, top first: 6s 5s
waste, top first: Js 3c 4d Th 7c 9s Jd 4h 7h Ad Jc"""
WASTE = TEXT.splitlines()[-1]
refused = partial(refused_by, read_pyramid_boards)


@st.composite
def positions(draw: st.DrawFn) -> PyramidPosition:
    """Positions that removals, draws and recycles at random lead to."""
    generator = random.Random(draw(st.integers(0, 2**32)))
    position = PyramidPosition.of_deck(pyramid(generator.randint(1, 10**9)))
    for _ in range(generator.randint(0, 60)):
        moves = legal_moves(position)
        removals = [move for move in moves if move.startswith("Remove")]
        others = [move for move in moves if move not in removals]
        if choices := (removals if generator.random() < 0.8 else others) or moves:
            position = after(position, generator.choice(choices))
    return position


@given(st.lists(positions(), min_size=1, max_size=4), st.booleans())
def test_text_round_trips(boards: list[PyramidPosition], far_apart: bool) -> None:
    def as_read(board: PyramidPosition) -> PyramidBoard:
        whole = len(board.stock) == 24 and all(board.pyramid) and not board.recycles
        return PyramidDeck((*board.pyramid, *board.stock)) if whole else board

    text = ("\n\n\n" if far_apart else "\n\n").join(map(str, boards))
    assert read_pyramid_boards(text) == [as_read(board) for board in boards]
    # Empty lines within a position are nothing new for decks.
    alone = str(boards[0]).replace("stock,", "\n\nstock,")
    assert read_pyramid_boards(alone) == [as_read(boards[0])]


def test_a_position_as_it_is_drawn() -> None:
    [position] = read_pyramid_boards(TEXT)
    assert isinstance(position, PyramidPosition)
    assert str(position) == TEXT
    assert [card_name(card) for card in position.stock] == ["6S", "5S"]
    assert [card_name(card) for card in position.waste[-2:]] == ["3C", "JS"]
    assert position.pyramid[:3] == tuple(map(parse_card, ("3d", "8s", "4s")))
    assert position.pyramid[-7:] == (GONE,) * 7 and position.recycles == 0
    again = TEXT + "\nRecycles: 2"
    [other] = read_pyramid_boards(again)
    assert isinstance(other, PyramidPosition) and other.recycles == 2
    assert str(other) == again.replace("R", "r")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n .   .   .   .   .   .   .", ""),
        ("   .   .  9h", "  - --  10s".replace("10s", "9h")),
        ("stock, top first: 6s 5s", "STOCK: 6S 5S"),
        ("stock, top first: 6s 5s", "stock, top last: 5s 6s"),
        ("stock", "\n\nstock"),
        ("stock, top first", "stock - top first "),
        (" 3d", "late in the game\n\n 3d"),
        (WASTE, "Waste (top last): jc ad 7h 4h jd 9s 7c 10h 4d 3c js\nrecycles: none"),
    ],
)
def test_other_ways_to_write_it(old: str, new: str) -> None:
    assert old in TEXT
    assert read_pyramid_boards(TEXT.replace(old, new)) == read_pyramid_boards(TEXT)


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("count", [1, 2])
def test_labels_may_stand_above_the_rows_of_one_position(between: str, count: int) -> None:
    lines = TEXT.splitlines()
    above = [*lines[-count:], *lines[:-count]]
    text = "\n".join(above[:count]) + between + "\n".join(above[count:])
    assert read_pyramid_boards(text) == read_pyramid_boards(TEXT)
    again = above[0].split(",")[0]
    fault = refused(f"{text}\n\n{text}")
    assert f"the {again} again: line 1 already has it; if a text has several positions" in fault


@pytest.mark.parametrize(
    "label",
    [
        *["stock, bottom first", "stock bottom to top", "stock, top", "stock (next first)"],
        *["waste, bottom to top", "waste, bottom first", "waste, top to bottom", "waste 11 cards"],
    ],
)
def test_labels_that_say_anything_else_are_refused(label: str) -> None:
    place = label[:5]
    reason = refused(TEXT.replace(f"{place}, top first", label))
    number = 8 if place == "stock" else 9
    assert reason == (
        f"line {number}: expected '{place}, top first:' or '{place}, top last:', got '{label}:'"
    )
    whole = PyramidPosition.of_deck(pyramid(3))
    assert f"got '{label}:'" in refused(str(whole).replace(f"{place}, top first", label))


def test_recycles_that_are_left_are_refused() -> None:
    assert "expected 'recycles: 1', got 'recycles left:'" in refused(TEXT + "\nrecycles left: 1")


def test_suits_may_be_symbols() -> None:
    cards = re.sub("([0-9AJQKT])([cdhs])\\b", lambda m: m[1] + "♣♦♥♠"["cdhs".index(m[2])], TEXT)
    assert "4♠" in cards and "4s" not in cards
    assert read_pyramid_boards(cards) == read_pyramid_boards(TEXT)


def test_a_position_is_no_numbered_deal() -> None:
    [position] = read_pyramid_boards(TEXT)
    assert position is not None and number_of(position) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("9d  5d  8h", "9d  5d", "line 3: expected 3 places in row 3, got 2: write a dot"),
        ("6s 5s", "6s 5x", "line 8: '5x' is not a card"),
        ("6s 5s", "6s 5s Js", "doubled: Js"),
        ("6s 5s", "6s", "3 of rank 5 and 2 of rank 8 are gone: 5c 5h 5s 8c 8d"),
        ("  4s", "   .", "the 5d of row 3 covers a card that is gone"),
        ("waste, top first", "waste", "line 9: this waste can be read in two ways"),
        ("waste", "stock", "line 9: the stock again"),
        ("Jc", "Jc\nrecycles: 3", "line 10: expected 0 to 2 recycles, got '3'"),
        ("stock", "3h 4h\nstock", "line 8: expected 7 rows, got one more"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, said: str) -> None:
    assert said in refused(TEXT.replace(old, new, 1))


def test_a_king_goes_alone() -> None:
    assert len(read_pyramid_boards(TEXT.replace("6s 5s", "6s 5s Kc"))) == 1


def test_a_text_with_all_cards_is_a_deck_unless_cards_were_drawn() -> None:
    deck = pyramid(3)
    whole = PyramidPosition.of_deck(deck)
    assert read_pyramid_boards(str(whole)) == [deck]
    assert "beside them" in refused(f"{deck}\n. Kc and a dot")
    *rows, stock = str(deck).splitlines()
    wrapped = "\n".join([*rows, f"Stock: {stock[:30]}", stock[30:]])
    assert read_pyramid_boards(f"{wrapped}\n\n{wrapped}") == [deck, deck]
    drawn = PyramidPosition(whole.pyramid, whole.stock[2:], whole.stock[:2])
    assert read_pyramid_boards(str(drawn)) == [drawn]
    turned = f"{whole}\nrecycles: 1"
    assert read_pyramid_boards(turned) == [PyramidPosition(whole.pyramid, whole.stock, (), 1)]
    assert "expected 52 cards, got 51" in refused(deck.deck_text()[3:])


def test_positions_and_decks_in_one_text() -> None:
    deck, [late] = pyramid(3), read_pyramid_boards(TEXT)
    text = f"{deck}\n\n{TEXT}\n\n{deck.deck_text()}\n{TEXT}"
    assert read_pyramid_boards(text) == [deck, late, deck, late]
    faults: list[str] = []
    wrong = TEXT.replace("6s", "6x")
    assert read_pyramid_boards(f"{TEXT}\n\n{wrong}\n\n{deck}", faults) == [late, None, deck]
    assert len(faults) == 1 and "board 2 (line 11): line 18: '6x' is not a card" in faults[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"pyramid": (GONE,) * 27}, "expected 28 places in the pyramid, got 27"),
        ({"recycles": 3}, "expected 0 to 2 recycles, got 3"),
        ({"stock": (1,)}, "expected cards from 4 to 55"),
        ({"stock": tuple(range(4, 56))[:25]}, "expected at most 24 cards in stock and waste"),
    ],
)
def test_positions_that_are_none(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(DealError, match=said):
        PyramidPosition(**{"pyramid": (GONE,) * 28, **changes})
