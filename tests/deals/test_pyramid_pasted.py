"""Decks of Pyramid with symbols for suits and with suits first, also among other text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spellings import SYMBOLS

from deals import DealError, PyramidDeck, pyramid, read_pyramid_boards
from deals.cards import DECK, RANKS, SUITS
from deals.pyramid_deck import PYRAMID

DECKS = st.permutations(DECK).map(lambda cards: PyramidDeck(tuple(cards)))


def symbol(suit: str, rank: str) -> str:
    return rank + SYMBOLS[suit][0]


def emoji(suit: str, rank: str) -> str:
    return rank.replace("T", "10") + SYMBOLS[suit][2 if suit in "CDH" else 1]


def outlined_first(suit: str, rank: str) -> str:
    return SYMBOLS[suit][1] + rank


def suit_first(suit: str, rank: str) -> str:
    return suit + rank


def suit_first_small(suit: str, rank: str) -> str:
    return suit.lower() + rank.lower().replace("t", "10")


def usual(suit: str, rank: str) -> str:
    return rank + suit.lower()


STYLES = [symbol, emoji, outlined_first, suit_first, suit_first_small]
Style = Callable[[str, str], str]


def words(deck: PyramidDeck, style: Style) -> list[str]:
    return [style(SUITS[card & 3], RANKS[(card >> 2) - 1]) for card in deck.cards]


def drawn(deck: PyramidDeck, style: Style) -> str:
    """Seven rows, and the stock after an empty line."""
    names = words(deck, style)
    rows = [names[i * (i + 1) // 2 :][: i + 1] for i in range(7)]
    lines = ["  " * (6 - i) + "  ".join(row) for i, row in enumerate(rows)]
    return "\n".join([*lines, "", " ".join(names[PYRAMID:])])


@given(DECKS, st.sampled_from(STYLES), st.sampled_from([" ", ", ", "\n", " | ", "", "] ["]))
def test_a_deck_in_any_style(deck: PyramidDeck, style: Style, between: str) -> None:
    text = between.join(words(deck, style))
    assert read_pyramid_boards(text) == [deck]
    assert PyramidDeck.from_text(f"A deck: {text}\nThat is all.") == deck
    assert read_pyramid_boards(drawn(deck, style)) == [deck]


@pytest.mark.parametrize("style", STYLES)
def test_many_decks_of_a_style(style: Style) -> None:
    decks = [pyramid(number) for number in range(1, 6)]
    lines = [" ".join(words(deck, style)) for deck in decks]
    assert read_pyramid_boards("\n".join(lines)) == decks
    assert read_pyramid_boards("\n\n".join(drawn(deck, style) for deck in decks)) == decks
    remarks = "\n\nan other one:\n"
    assert read_pyramid_boards(remarks.join(lines)) == decks


def test_decks_of_several_styles_in_one_text() -> None:
    first, last = pyramid(1), pyramid(2)
    others = [pyramid(number) for number in (3, 4)]
    for one, other in product(STYLES, STYLES):
        parts = [str(first), drawn(others[0], one), drawn(others[1], other), str(last)]
        assert read_pyramid_boards("\n\n".join(parts)) == [first, *others, last]


@pytest.mark.parametrize("style", STYLES)
def test_a_bad_deck_is_named_in_any_style(style: Style) -> None:
    names = words(pyramid(7), style)
    text = " ".join(names[1:])
    with pytest.raises(DealError, match=r"expected 52 cards, got 51; missing: .[cdhs]"):
        read_pyramid_boards(text)
    good = " ".join(names)
    faults: list[str] = []
    decks = read_pyramid_boards(f"{good}\n{text}\n{pyramid(1).deck_text()}\n{good}", faults)
    assert decks == [pyramid(7), None, pyramid(1), pyramid(7)]
    assert faults[0].startswith("board 2 (line 2): expected 52 cards, got 51; missing: ")


def test_cards_of_another_deck_beside_a_deck_are_not_passed_over() -> None:
    pairs = zip(words(pyramid(7), usual), words(pyramid(8), symbol), strict=True)
    text = " ".join(f"{word} ({other})" for word, other in pairs)
    with pytest.raises(DealError, match="expected 52 cards, got 104"):
        read_pyramid_boards(text)
