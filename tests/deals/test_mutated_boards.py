"""Readers pass nothing over: a changed text is the same board, or what it says, or is refused."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import plain_readers
import pytest
from board_texts import READERS, names, refused_by
from hypothesis import given
from hypothesis import strategies as st
from random_boards import boards
from random_klondike import tables
from test_pyramid_position_text import positions

from deals import (
    DealError,
    FreeCellBoard,
    KlondikeBoard,
    PyramidDeck,
    PyramidPosition,
    freecell,
    klondike,
    pyramid,
)
from deals.cards import card_name
from gafreecell.solitaire.game import game

BOARDS: dict[str, st.SearchStrategy[Any]] = {
    "freecell": st.one_of(boards(), st.integers(1, 32_000).map(freecell)),
    "klondike": st.one_of(
        tables().map(lambda table: KlondikeBoard.from_text(table.text())),
        st.integers(1, 32_000).map(lambda number: klondike(number, draw=1, redeals=2)),
    ),
    "pyramid": st.one_of(positions(), st.integers(1, 32_000).map(pyramid)),
}

TELLING = [
    *["passes: 3", "rounds: 3", "Redeals left: 0", "redeals: 2", "recycle: 2", "recycles 2"],
    *["recycles = 2", "redeal=1", "no redeals:", "Draw one", "turn 3", "draw three:", "3 passes"],
    *["three free cells", "3 cells", "Cells: three", "cells = 3", "Freecells: 3", "two decks"],
    *["Game #164 (3 cells)", "Deal 164 with 2 redeals", "FreeCell, 5 cascades", "unlimited passes"],
    *["Talon, top last:", "Deck (bottom first):", "Hand:", "Reserve:", "Stock upside down:"],
    *["stock, bottom first:", "Waste (reversed):", "Discards:", "Pile, next card last:"],
    *["Eight Off", "Baker's Game", "Golf", "Relaxed", "Vegas rules", "kings only on spaces"],
    *["Draw1:", "redeals_2:", "passes3:", "top_last:", "Stockpile:", "FaceUp:", "by 1:"],
    *["Only once", "last card first", "right to left", "mirrored", "waste_turned_twice"],
    *["NoRecycles", "The rest", "X X X X", "? ? ?", "** **", "K Q J", "II", "two"],
    *["\U0001f0a1 \U0001f0ab", "½", "Game: 3 free"],
    *["17", "1.", "x = 3", "Recycled twice", "through the deck twice", "Rows:", "3x3"],
]
"""Lines that say something of rules, of places or of their order, in words no reader knows."""


def understood(game: str, text: str) -> Sequence[Any] | None:
    """The boards of a text; None if it is refused."""
    try:
        return READERS[game](text)
    except DealError:
        return None


@pytest.mark.parametrize("game", READERS)
@given(st.data())
def test_a_line_that_is_not_understood_is_never_passed_over(game: str, data: st.DataObject) -> None:
    text = str(data.draw(BOARDS[game]))
    line = data.draw(st.sampled_from(TELLING))
    lines = text.splitlines()
    place = data.draw(st.integers(0, len(lines)))
    within = "\n".join([*lines[:place], line, *lines[place:]])
    assert understood(game, within) is None, within
    for changed in (f"{line}\n\n{text}", f"{text}\n\n{line}"):
        assert understood(game, changed) is None, changed
        # A comment says that it does not matter.
        assert understood(game, changed.replace(line, f"# {line}")) is not None, changed


@pytest.mark.parametrize("game", ["klondike", "pyramid"])
@pytest.mark.parametrize(
    "heading", ["FreeCell game #164", "free cell deal 3", "Microsoft FreeCell game 9"]
)
def test_a_heading_of_another_game_is_never_passed_over(game: str, heading: str) -> None:
    deal = {"klondike": klondike, "pyramid": pyramid}[game]
    for text in (str(deal(3)), " ".join(str(freecell(164)).split())):
        assert understood(game, f"Deal 3\n{text}") is not None
        for headed in (f"{heading}\n{text}", f"\n{heading}:\n{text}", f"{text}\n\n{heading}"):
            assert understood(game, headed) is None, headed
        assert "line 2: '" in refused_by(READERS[game], f"\n{heading}\n{text}")


@given(st.integers(1, 32_000), st.sampled_from(["-", "]-["]), st.booleans())
def test_hyphens_join_cards_of_a_deck(number: int, hyphen: str, in_rows: bool) -> None:
    deck = pyramid(number)
    rows = [line.split() for line in str(deck).splitlines()]
    cards = [card for row in rows for card in row]
    text = "\n".join(map(hyphen.join, rows)) if in_rows else hyphen.join(cards)
    brackets = "[{}]" if hyphen == "]-[" else "{}"
    text = "\n".join(brackets.format(line) for line in text.splitlines())
    assert understood("pyramid", text) == [deck]
    for wrong in ("Xd", "1", "", "half"):
        assert understood("pyramid", text.replace(cards[9], wrong, 1)) is None


def test_positions_without_an_empty_line_between_them_are_told_so() -> None:
    whole = PyramidPosition.of_deck(pyramid(7))
    # The 5h of the last row and the 8c make 13.
    rows = tuple(0 if card_name(card) == "5H" else card for card in whole.pyramid)
    stock = tuple(card for card in whole.stock if card_name(card) != "8C")
    text = str(replace(whole, pyramid=rows, stock=stock))
    assert len(READERS["pyramid"](f"{text}\n\n{text}")) == 2
    turned = f"{text}\nrecycles: 1"
    for several in (f"{text}\n{text}", f"{turned}\n{turned}", "\n".join([text] * 3)):
        assert "put an empty line between them" in refused_by(READERS["pyramid"], several)


@pytest.mark.parametrize("game", READERS)
@given(st.data())
def test_a_changed_text_is_what_it_says_or_refused(game: str, data: st.DataObject) -> None:
    board = data.draw(BOARDS[game])
    text = str(PyramidPosition.of_deck(board) if isinstance(board, PyramidDeck) else board)
    generator = random.Random(data.draw(st.integers(0, 2**32)))
    text = generator.choice(CHANGES)(text, generator)
    found = understood(game, text)
    if found is not None and [shown(one) for one in found] != [shown(board)]:
        assert [shown(one) for one in found] == [getattr(plain_readers, game)(text)], text


@pytest.mark.parametrize("name", ["freecell", "klondike"])
@given(st.data())
def test_a_drawing_with_other_blanks_is_the_same_board_or_refused(
    name: str, data: st.DataObject
) -> None:
    board = data.draw(BOARDS[name])
    played: Any = game(name)
    (drawing,) = played.positions(board, ())
    generator = random.Random(data.draw(st.integers(0, 2**32)))
    text = generator.choice(BLANKS)(str(drawing), generator)
    assert understood(name, text) in (None, [board]), text


def shown(board: Any) -> dict[str, Any]:
    """A board in the words of the plain readers."""
    if isinstance(board, FreeCellBoard):
        row = [None if card is None else card_name(card) for card in board.cell_row]
        return {
            "home": dict(zip("CDHS", board.foundations, strict=True)),
            "cells": row[: max((i + 1 for i, card in enumerate(row) if card), default=0)],
            "cell_count": board.cell_count,
            "cascades": [names(cascade).split() for cascade in board.cascades],
        }
    if isinstance(board, KlondikeBoard):
        hidden = [
            [f"<{name}>" for name in names(pile[:count]).split()] + names(pile[count:]).split()
            for pile, count in zip(board.piles, board.face_down, strict=True)
        ]
        return {
            "name": board.name,
            "draw": board.draw,
            "redeals": board.redeals,
            "home": dict(zip("CDHS", board.foundations, strict=True)),
            "piles": hidden,
            "waste": names(board.waste).split(),
            "stock": [f"<{name}>" if board.unseen else name for name in names(board.stock).split()],
        }
    if isinstance(board, PyramidDeck):
        return shown(PyramidPosition.of_deck(board))
    rows = [board.pyramid[i * (i + 1) // 2 :][: i + 1] for i in range(7)]
    return {
        "rows": [[card_name(card) if card else "." for card in row] for row in rows],
        "stock": names(board.stock).split(),
        "waste": names(board.waste[::-1]).split(),
        "recycles": board.recycles,
    }


# Changes


Change = Callable[[list[str], int, int], None]


def swap(parts: list[str], one: int, other: int) -> None:
    parts[one], parts[other] = parts[other], parts[one]


def drop(parts: list[str], one: int, _: int) -> None:
    parts.pop(one)


def double(parts: list[str], one: int, other: int) -> None:
    parts.insert(other, parts[one])


def strip(parts: list[str], one: int, _: int) -> None:
    parts[one] = parts[one].strip()


def strip_all(parts: list[str], *_: int) -> None:
    parts[:] = map(str.strip, parts)


def of_words(change: Change) -> Callable[[str, random.Random], str]:
    """Changes one or two words of a text in place."""

    def changed(text: str, generator: random.Random) -> str:
        words = [word for line in text.split("\n") for word in (*line.split(" "), "\n")]
        change(words, generator.randrange(len(words)), generator.randrange(len(words)))
        return " ".join(words).replace(" \n ", "\n").replace(" \n", "\n").removesuffix("\n")

    return changed


def of_lines(change: Change) -> Callable[[str, random.Random], str]:
    def changed(text: str, generator: random.Random) -> str:
        lines = text.split("\n")
        change(lines, generator.randrange(len(lines)), generator.randrange(len(lines)))
        return "\n".join(lines)

    return changed


def change_character(text: str, generator: random.Random) -> str:
    place = generator.randrange(max(1, len(text)))
    letter = generator.choice("A23456789TJQKCDHScdhs0 1\n:.,-|<>?#=()x")
    return text[:place] + letter + text[place + generator.randint(0, 1) :]


def change_blanks(text: str, generator: random.Random) -> str:
    place = generator.choice([0, *(i for i, letter in enumerate(text) if letter == " ")])
    blanks = generator.choice([" ", "\t", " \t", "\t ", " " * generator.randint(2, 4)])
    return text[:place] + blanks + text[place + generator.randint(0, 1) :]


def other_label(text: str, generator: random.Random) -> str:
    labels = ["stock", "waste", "Stock", "Waste"]
    old = generator.choice(["top first", *labels, "Freecells", "Cascades"])
    new = generator.choice(["top last", *labels, "Cells", "Rules", "top"])
    return text.replace(old, new, 1)


CHANGES = [
    *[of_words(swap), of_words(drop), of_words(double), change_character, change_character],
    *[of_lines(swap), of_lines(drop), of_lines(double), other_label],
]
BLANKS = [of_lines(strip_all), of_lines(strip), change_blanks]
