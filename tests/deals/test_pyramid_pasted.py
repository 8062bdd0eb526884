"""Decks of Pyramid with symbols for suits and with suits first, also among other text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spellings import SYMBOLS

from deals import DealError, PyramidDeck, pyramid, read_pyramid_decks
from deals.cards import DECK, RANKS, SUITS
from deals.pyramid import PYRAMID

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
KIND = {usual: 0, symbol: 1, emoji: 1, outlined_first: 2, suit_first: 3, suit_first_small: 3}
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
    assert read_pyramid_decks(text) == [deck]
    assert PyramidDeck.from_text(f"A deck (6 of 9): {text}\nThat is all.") == deck
    assert read_pyramid_decks(drawn(deck, style)) == [deck]


@pytest.mark.parametrize("style", STYLES)
def test_many_decks_of_a_style(style: Style) -> None:
    decks = [pyramid(number) for number in range(1, 6)]
    lines = [" ".join(words(deck, style)) for deck in decks]
    assert read_pyramid_decks("\n".join(lines)) == decks
    assert read_pyramid_decks("\n\n".join(drawn(deck, style) for deck in decks)) == decks
    remarks = "\n\nthe next one, which begins with A♠ or S7:\n"
    assert read_pyramid_decks(remarks.join(lines)) == decks


def test_decks_of_several_styles_in_one_text() -> None:
    first, last = pyramid(1), pyramid(2)
    others = [pyramid(number) for number in (3, 4)]
    for one, other in product(STYLES, STYLES):
        parts = [str(first), drawn(others[0], one), drawn(others[1], other), str(last)]
        assert read_pyramid_decks("\n\n".join(parts)) == [first, *others, last]


@pytest.mark.parametrize("style", [usual, *STYLES])
def test_names_of_rows_never_stand_in_for_a_missing_card(style: Style) -> None:
    names = words(pyramid(7), style)
    for other in (usual, *STYLES):
        label = words(pyramid(7), other)[30]
        if KIND[other] != KIND[style]:
            text = f"{label}: " + " ".join(names[:30] + names[31:])
            with pytest.raises(DealError, match=r"expected 52 cards, got 51; missing: .[cdhs]"):
                read_pyramid_decks(text)


@pytest.mark.parametrize("style", STYLES)
def test_a_bad_deck_is_named_in_any_style(style: Style) -> None:
    names = words(pyramid(7), style)
    text = " ".join(names[1:])
    with pytest.raises(DealError, match=r"expected 52 cards, got 51; missing: .[cdhs]"):
        read_pyramid_decks(text)
    good = " ".join(names)
    faults: list[str] = []
    decks = read_pyramid_decks(f"{good}\n{text}\n{pyramid(1).deck_text()}\n{good}", faults)
    assert decks == [pyramid(7), None, pyramid(1), pyramid(7)]
    assert faults[0].startswith("deck 2 (line 2): expected 52 cards, got 51; missing: ")


def test_a_deck_in_the_usual_style_is_read_though_another_stands_beside_it() -> None:
    """What is in parentheses is text between the cards, as ever."""
    pairs = zip(words(pyramid(7), usual), words(pyramid(8), symbol), strict=True)
    text = " ".join(f"{word} ({other})" for word, other in pairs)
    assert read_pyramid_decks(text) == [pyramid(7)]
