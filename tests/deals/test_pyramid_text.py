"""Pyramid decks as text: what is read, what is refused and with which message."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals import DealError, PyramidDeck, pyramid, read_pyramid_boards
from deals.cards import DECK, parse_card
from deals.numbers import number_of

EXAMPLE = (
    "6d 5h Ah Jd 4s Ks 6s 8c 2h 4d 9s Kd 6c Ad 8s Ac 5c 9d 7h 3h 8d 5s 4c Qc Jh Kc Kh 3c 3s 9c As "
    "5d Qh Ts 4h 7s Td 9h Th 7c 8h 2c 7d Tc 2d 6h 2s Js Qd 3d Qs Jc"
)
WORDS = EXAMPLE.split()
DECKS = st.permutations(DECK).map(lambda cards: PyramidDeck(tuple(cards)))


def refused(text: str) -> str:
    with pytest.raises(DealError) as fault:
        read_pyramid_boards(text)
    return str(fault.value)


@given(DECKS)
def test_text_round_trips(deck: PyramidDeck) -> None:
    assert PyramidDeck.from_text(deck.deck_text()) == deck
    assert PyramidDeck.from_text(str(deck)) == deck
    assert read_pyramid_boards(str(deck)) == [deck]


@given(st.lists(DECKS, min_size=2, max_size=4), st.booleans())
def test_many_decks_in_a_text(decks: list[PyramidDeck], drawn: bool) -> None:
    text = "\n\n".join(map(str, decks)) if drawn else "\n".join(d.deck_text() for d in decks)
    assert read_pyramid_boards(text) == decks


def test_a_deck_as_it_is_drawn() -> None:
    assert str(PyramidDeck.from_text(EXAMPLE)).splitlines() == [
        "            6d",
        "          5h  Ah",
        "        Jd  4s  Ks",
        "      6s  8c  2h  4d",
        "    9s  Kd  6c  Ad  8s",
        "  Ac  5c  9d  7h  3h  8d",
        "5s  4c  Qc  Jh  Kc  Kh  3c",
        "3s 9c As 5d Qh Ts 4h 7s Td 9h Th 7c 8h 2c 7d Tc 2d 6h 2s Js Qd 3d Qs Jc",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "".join(WORDS),
        ", ".join(WORDS).lower(),
        EXAMPLE.replace("T", "10").upper(),
        "My deck: " + " | ".join(f"[{word}]" for word in WORDS),
        "Deal #617: " + EXAMPLE,
        "\n".join(f"{i}: {word}" for i, word in enumerate(WORDS, start=1)),
        " - ".join(WORDS),
        "\ufeff" + EXAMPLE + "\n\n",
        "The deck of my aunt\n" + EXAMPLE + "\nIt can be cleared.\n",
        "# dealt 1.1., the stock's last\n" + EXAMPLE,
        " ".join(WORDS[:28]) + "\n\n" + " ".join(WORDS[28:]),
        "\n".join(" ".join(WORDS[i : i + 11]) for i in range(0, 52, 11)),
    ],
)
def test_separators_and_headings_that_say_nothing(text: str) -> None:
    assert read_pyramid_boards(text) == [PyramidDeck.from_text(EXAMPLE)]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        *[(line, line) for line in ("recycles 2", "recycles = 2", "passes 3")],
        ("redeals: 2", "redeals:"),
        *[(line, line) for line in ("Talon, top last:", "Deck (bottom first):", "three passes")],
        *[(line, line) for line in ("Turn three", "Klondike", "Golf", "17")],
        ("x".join(WORDS), "6dx5hx"),
        ("As I dealt it", "dealt"),
        ("Author: Joe", "Author: Joe"),
    ],
)
def test_whatever_is_not_understood_is_refused_with_its_line(line: str, word: str) -> None:
    for text, number in ((f"{line}\n{EXAMPLE}", 1), (f"{EXAMPLE}\n\n{line}", 3)):
        fault = refused(text)
        assert f"line {number}" in fault and word in fault, fault
    # A comment says that a line does not matter.
    assert read_pyramid_boards(f"# {line}\n{EXAMPLE}") == [PyramidDeck.from_text(EXAMPLE)]


def test_lines_of_another_game_s_layout_are_no_deck() -> None:
    golf = "\n".join(" ".join(WORDS[i : i + 7]) for i in range(0, 35, 7))
    for rest in (" ".join(WORDS[35:]), f"Stock: {' '.join(WORDS[35:])}"):
        assert "17" in refused(f"{golf}\n{rest}")
    assert "'Talon:' is not understood" in refused(f"{golf}\nTalon: {' '.join(WORDS[35:])}")


def test_bad_decks_say_all_that_is_wrong_at_once() -> None:
    assert refused(" ".join(WORDS[:-1])) == "expected 52 cards, got 51; missing: Jc"
    assert refused(EXAMPLE + " 6d") == "expected 52 cards, got 53; doubled: 6d"
    assert refused(EXAMPLE.replace("Ah", "1h").replace("5h", "5s")) == (
        "expected 52 cards, got 51; missing: Ah 5h; doubled: 5s; malformed: 1h"
    )
    assert refused(EXAMPLE.replace("Kd", "Xd").replace("Js", "Jx")) == (
        "expected 52 cards, got 50; missing: Js Kd; malformed: Xd Jx"
    )
    assert refused("") == "expected 52 cards, got none"
    assert refused("nothing at all\n") == "expected 52 cards, got none"
    noise = random.Random(1).randbytes(4000).decode("latin-1")
    assert refused(noise).startswith("line 1: ")
    assert refused(" ".join(WORDS[:2])).startswith(
        "expected 52 cards, got 2; missing: Ac Ad Ah As 2c"
    )


def test_a_bad_deck_among_many_is_named() -> None:
    bad = " ".join(WORDS[1:])
    text = f"{EXAMPLE}\n# the next is short\n{bad}\n{EXAMPLE}"
    assert refused(text) == "board 2 (line 3): expected 52 cards, got 51; missing: 6d"
    assert refused(f"{EXAMPLE}\n\n{EXAMPLE} 7h\n") == (
        "board 2 (line 3): expected 52 cards, got 53; doubled: 7h"
    )


def test_a_deck_is_one_full_deck() -> None:
    with pytest.raises(DealError, match="expected 52 cards, got 51; missing: Ks"):
        PyramidDeck(DECK[:-1])
    with pytest.raises(DealError, match="malformed: 99"):
        PyramidDeck((*DECK[:-1], 99))


def test_deal_numbers_are_those_of_pysol() -> None:
    # The first cards of PySol FC's deal 1 in the order they are dealt: Microsoft's game 1.
    assert pyramid(1).deck_text().split()[:8] == ["Jd", "2d", "9h", "Jc", "5d", "7h", "7c", "5h"]
    assert len({pyramid(number) for number in (1, 2, 32_000, 32_001, 10**20)}) == 5
    for number in (0, -1, 10**20 + 1):
        with pytest.raises(DealError):
            pyramid(number)


# Labels

LABELS = ["Stock:", "stock, top first:", "Stock (top first):", "stock, top last:"]


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("above", [False, True])
@pytest.mark.parametrize("wrapped", [False, True])
def test_labels_of_the_stock_count(label: str, above: bool, wrapped: bool) -> None:
    decks = [pyramid(7), pyramid(8)]
    texts = []
    for deck in decks:
        *rows, last = str(deck).splitlines()
        words = last.split()[:: -1 if "last" in label else 1]
        stock = [f"{label} {' '.join(words[:10])}", " ".join(words[10:])]
        stock = stock if wrapped else [" ".join(stock)]
        texts.append("\n".join([*stock, *rows] if above else [*rows, *stock]))
    assert PyramidDeck.from_text(texts[0]) == decks[0]
    assert read_pyramid_boards("\n\n".join(texts)) == decks
    assert read_pyramid_boards("\n\n".join(texts)) == decks
    assert number_of(PyramidDeck.from_text(texts[0])) == 7


def test_labels_that_cannot_be_of_a_deck() -> None:
    *rows, last = str(pyramid(7)).splitlines()
    two = refused("\n".join([*rows, f"stock: {last[:30]}", f"stock: {last[30:]}"]))
    assert two.startswith("line 9: the stock again: line 8 already has it")
    words = last.split()
    short = refused(
        "\n".join([*rows[:6], f"{rows[6]} {words[0]}", f"stock: {' '.join(words[1:])}"])
    )
    assert short == "line 8: expected the 24 cards of the stock after its label, got 23"
    waste = refused("\n".join([*rows, f"stock: {last[:30]}", f"waste: {last[30:]}"]))
    assert waste.startswith("line 9: this waste can be read in two ways")
    drawn = "\n".join([*rows, f"stock: {last[:30]}", f"waste, top last: {last[30:]}"])
    with pytest.raises(DealError, match="expected a deck, got a position"):
        PyramidDeck.from_text(drawn)
    wrong = "\n".join([*rows, f"stock, bottom first: {last}"])
    assert refused(f"{EXAMPLE}\n\n{wrong}") == (
        "board 2 (line 3): line 10: expected 'stock, top first:' or 'stock, top last:', "
        "got 'stock, bottom first:'"
    )


def test_a_stock_above_the_pyramid_without_a_label_is_refused() -> None:
    *rows, last = str(pyramid(7)).splitlines()
    said = "24 cards above rows of 1 to 7 can be read in two ways: card after card, with Jc at the "
    said += "tip, or as the stock, with 3d at the tip: write 'stock:' before the stock"
    for stock in (last, f"{last[:35]}\n{last[35:]}"):
        assert refused("\n".join([stock, *rows])).startswith(said)
    labelled = "\n".join([f"stock: {last}", *rows])
    assert PyramidDeck.from_text(labelled) == pyramid(7)
    assert PyramidDeck.from_text(" ".join([last, *rows])).cards[0] == parse_card("Jc")
