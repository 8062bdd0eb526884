"""Cards and counts as words: every spelling of a card is read, nothing that is nearly one is."""

from __future__ import annotations

import re
from itertools import product

import pytest
from board_texts import spellings
from hypothesis import given
from hypothesis import strategies as st

from deals import DealError, card_name, parse_card
from deals.cards import CARD, DECK, RANKS, card, fits, is_red, rank_of, suit_of
from deals.words import plural

CARD_OF = {word: card for card in DECK for word in spellings(card)}


def test_the_deck_is_52_cards_that_read_and_print() -> None:
    assert sorted(map(card_name, DECK)) == sorted(r + s for r in "A23456789TJQK" for s in "CDHS")
    for number in DECK:
        assert parse_card(card_name(number)) == number
        assert parse_card(card_name(number).lower()) == number
        assert card(rank_of(number), suit_of(number)) == number
        assert is_red(number) == (card_name(number)[1] in "DH")


@pytest.mark.parametrize(
    "text", ["TD", "td", "10D", "10d", " Td ", "DT", "d10", "T♦", "♦10", "10♢", "♦\ufe0fT"]
)
def test_ten_of_diamonds(text: str) -> None:
    assert card_name(parse_card(text)) == "TD"


@pytest.mark.parametrize(
    "text",
    [
        *["", "T", "D", "1D", "11D", "0D", "TX", "TDD", "T D"],
        *["10", "D1", "D11", "♦", "♦♦", "T♦D", "TT"],
    ],
)
def test_no_card(text: str) -> None:
    with pytest.raises(DealError, match=re.escape(f"{text!r} is not a card")):
        parse_card(text)


def test_no_word_has_two_readings_or_one_that_is_not_meant() -> None:
    assert len(CARD_OF) == sum(len(spellings(card)) for card in DECK)
    for length in range(4):
        for letters in product("A120TKCdhS♦♡\ufe0f", repeat=length):
            word = "".join(letters)
            # Where the invisible sign stands, and how often, makes no difference to the word.
            plain = CARD_OF.get(word.replace("\ufe0f", ""))
            if plain is None:
                with pytest.raises(DealError):
                    parse_card(word)
            else:
                assert parse_card(word) == plain


@given(st.data())
def test_cards_without_blanks_can_be_split_in_one_way(data: st.DataObject) -> None:
    cards = data.draw(st.lists(st.sampled_from(DECK), max_size=12))
    text = "".join(data.draw(st.sampled_from(spellings(card))) for card in cards)
    words = re.findall(CARD, text, re.IGNORECASE)
    assert "".join(words) == text
    assert list(map(parse_card, words)) == cards


def test_cards_that_fit() -> None:
    assert fits(parse_card("QH"), parse_card("KS"))
    assert not fits(parse_card("QH"), parse_card("KD"))
    assert not fits(parse_card("KS"), parse_card("QH"))
    assert sum(fits(above, below) for above in DECK for below in DECK) == 12 * 4 * 2
    assert len(RANKS) == 13


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 deals"), (1, "1 deal"), (2, "2 deals"), (12_000, "12,000 deals")]
)
def test_one_is_one(count: int, text: str) -> None:
    assert plural(count, "deal") == text


def test_other_plurals_and_digits() -> None:
    assert plural(2, "proof of it", "proofs of it") == "2 proofs of it"
    # What is written as 1 is one, whatever it was before it was rounded.
    assert plural(1.4, "node", digits=",.0f") == "1 node"
    assert plural(1.4, "node", digits=".1f") == "1.4 nodes"
