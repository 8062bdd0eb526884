"""Pyramid decks as text: what is read, what is refused and with which message."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import product

import pytest
from board_texts import SYMBOLS, refused_by
from hypothesis import given
from hypothesis import strategies as st

from deals import DealError, PyramidDeck, pyramid, read_pyramid_boards
from deals.cards import DECK, RANKS, SUITS, parse_card
from deals.numbers import number_of
from deals.pyramid_deck import PYRAMID

EXAMPLE = (
    "6d 5h Ah Jd 4s Ks 6s 8c 2h 4d 9s Kd 6c Ad 8s Ac 5c 9d 7h 3h 8d 5s 4c Qc Jh Kc Kh 3c 3s 9c As "
    "5d Qh Ts 4h 7s Td 9h Th 7c 8h 2c 7d Tc 2d 6h 2s Js Qd 3d Qs Jc"
)
WORDS = EXAMPLE.split()
DECKS = st.permutations(DECK).map(lambda cards: PyramidDeck(tuple(cards)))
refused = partial(refused_by, read_pyramid_boards)


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
        *[(line, line) for line in ("recycles 2", "recycles = 2", "passes 3", "three passes")],
        *[(line, line) for line in ("Talon, top last:", "Deck (bottom first):", "Author: Joe")],
        *[(line, line) for line in ("Turn three", "Klondike", "Golf", "17")],
        *[("redeals: 2", "redeals:"), ("x".join(WORDS), "6dx5hx"), ("As I dealt it", "dealt")],
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
    rest = " ".join(WORDS[35:])
    for stock in (rest, f"Stock: {rest}"):
        assert "17" in refused(f"{golf}\n{stock}")
    assert "'Talon:' is not understood" in refused(f"{golf}\nTalon: {rest}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" ".join(WORDS[:-1]), "expected 52 cards, got 51; missing: Jc"),
        (EXAMPLE + " 6d", "expected 52 cards, got 53; doubled: 6d"),
        (
            EXAMPLE.replace("Ah", "1h").replace("5h", "5s"),
            "expected 52 cards, got 51; missing: Ah 5h; doubled: 5s; malformed: 1h",
        ),
        (
            EXAMPLE.replace("Kd", "Xd").replace("Js", "Jx"),
            "expected 52 cards, got 50; missing: Js Kd; malformed: Xd Jx",
        ),
        ("", "expected 52 cards, got none"),
        ("nothing at all\n", "expected 52 cards, got none"),
        # Among many decks.
        (
            f"{EXAMPLE}\n# the next is short\n{' '.join(WORDS[1:])}\n{EXAMPLE}",
            "board 2 (line 3): expected 52 cards, got 51; missing: 6d",
        ),
        (
            f"{EXAMPLE}\n\n{EXAMPLE} 7h\n",
            "board 2 (line 3): expected 52 cards, got 53; doubled: 7h",
        ),
    ],
)
def test_bad_decks_say_all_that_is_wrong_at_once(text: str, reason: str) -> None:
    assert refused(text) == reason


def test_other_texts_are_no_decks() -> None:
    noise = random.Random(1).randbytes(4000).decode("latin-1")
    assert refused(noise).startswith("line 1: ")
    some = refused(" ".join(WORDS[:2]))
    assert some.startswith("expected 52 cards, got 2; missing: Ac Ad Ah As 2c")


def test_a_deck_is_one_full_deck() -> None:
    with pytest.raises(DealError, match="expected 52 cards, got 51; missing: Ks"):
        PyramidDeck(DECK[:-1])
    with pytest.raises(DealError, match="malformed: 99"):
        PyramidDeck((*DECK[:-1], 99))


# Labels


@pytest.mark.parametrize(
    "label", ["Stock:", "stock, top first:", "Stock (top first):", "stock, top last:"]
)
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
    assert number_of(PyramidDeck.from_text(texts[0])) == 7


*ROWS, LAST = str(pyramid(7)).splitlines()


@pytest.mark.parametrize(
    ("stock", "reason"),
    [
        (
            f"stock: {LAST[:30]}\nstock: {LAST[30:]}",
            "line 9: the stock again: line 8 already has it",
        ),
        (
            f"{LAST[:2]} stock: {LAST[2:]}".replace(" stock", "\nstock"),
            "line 9: expected the 24 cards of the stock after its label, got 23",
        ),
        (
            f"stock: {LAST[:30]}\nwaste: {LAST[30:]}",
            "line 9: this waste can be read in two ways",
        ),
    ],
)
def test_labels_that_cannot_be_of_a_deck(stock: str, reason: str) -> None:
    assert refused("\n".join([*ROWS, stock])).startswith(reason)


def test_a_label_in_a_deck_among_many_is_named_with_its_line() -> None:
    wrong = "\n".join([*ROWS, f"stock, bottom first: {LAST}"])
    assert refused(f"{EXAMPLE}\n\n{wrong}") == (
        "board 2 (line 3): line 10: expected 'stock, top first:' or 'stock, top last:', "
        "got 'stock, bottom first:'"
    )


def test_a_position_is_no_deck() -> None:
    drawn = "\n".join([*ROWS, f"stock: {LAST[:30]}", f"waste, top last: {LAST[30:]}"])
    with pytest.raises(DealError, match="expected a deck, got a position"):
        PyramidDeck.from_text(drawn)


def test_a_stock_above_the_pyramid_without_a_label_is_refused() -> None:
    said = "24 cards above rows of 1 to 7 can be read in two ways: card after card, with Jc at the "
    said += "tip, or as the stock, with 3d at the tip: write 'stock:' before the stock"
    for stock in (LAST, f"{LAST[:35]}\n{LAST[35:]}"):
        assert refused("\n".join([stock, *ROWS])).startswith(said)
    assert PyramidDeck.from_text("\n".join([f"stock: {LAST}", *ROWS])) == pyramid(7)
    assert PyramidDeck.from_text(" ".join([LAST, *ROWS])).cards[0] == parse_card("Jc")


# Cards with symbols for suits and with suits first

Style = Callable[[str, str], str]
STYLES: dict[str, Style] = {
    "symbol": lambda suit, rank: rank + SYMBOLS[suit][0],
    "emoji": lambda suit, rank: rank.replace("T", "10") + SYMBOLS[suit][2 if suit in "CDH" else 1],
    "outlined first": lambda suit, rank: SYMBOLS[suit][1] + rank,
    "suit first": lambda suit, rank: suit + rank,
    "suit first, small": lambda suit, rank: suit.lower() + rank.lower().replace("t", "10"),
}
any_style = pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)


def words(deck: PyramidDeck, style: Style) -> list[str]:
    return [style(SUITS[card & 3], RANKS[(card >> 2) - 1]) for card in deck.cards]


def drawn(deck: PyramidDeck, style: Style) -> str:
    """Seven rows, and the stock after an empty line."""
    names = words(deck, style)
    rows = [names[i * (i + 1) // 2 :][: i + 1] for i in range(7)]
    lines = ["  " * (6 - i) + "  ".join(row) for i, row in enumerate(rows)]
    return "\n".join([*lines, "", " ".join(names[PYRAMID:])])


@given(
    DECKS,
    st.sampled_from([*STYLES.values()]),
    st.sampled_from([" ", ", ", "\n", " | ", "", "] ["]),
)
def test_a_deck_in_any_style(deck: PyramidDeck, style: Style, between: str) -> None:
    text = between.join(words(deck, style))
    assert read_pyramid_boards(text) == [deck]
    assert PyramidDeck.from_text(f"A deck: {text}\nThat is all.") == deck
    assert read_pyramid_boards(drawn(deck, style)) == [deck]


@any_style
def test_many_decks_of_a_style(style: Style) -> None:
    decks = [pyramid(number) for number in range(1, 6)]
    lines = [" ".join(words(deck, style)) for deck in decks]
    for text in (
        "\n".join(lines),
        "\n\n".join(drawn(deck, style) for deck in decks),
        "\n\nan other one:\n".join(lines),
    ):
        assert read_pyramid_boards(text) == decks


def test_decks_of_several_styles_in_one_text() -> None:
    first, last, *others = (pyramid(number) for number in range(1, 5))
    for styles in product(STYLES.values(), repeat=2):
        parts = [str(first), *map(drawn, others, styles), str(last)]
        assert read_pyramid_boards("\n\n".join(parts)) == [first, *others, last]


@any_style
def test_a_bad_deck_is_named_in_any_style(style: Style) -> None:
    first, *others = words(pyramid(7), style)
    short, good = " ".join(others), " ".join([first, *others])
    with pytest.raises(DealError, match=r"expected 52 cards, got 51; missing: .[cdhs]"):
        read_pyramid_boards(short)
    faults: list[str] = []
    decks = read_pyramid_boards(f"{good}\n{short}\n{pyramid(1).deck_text()}\n{good}", faults)
    assert decks == [pyramid(7), None, pyramid(1), pyramid(7)]
    assert faults[0].startswith("board 2 (line 2): expected 52 cards, got 51; missing: ")


def test_cards_of_another_deck_beside_a_deck_are_not_passed_over() -> None:
    usual = pyramid(7).deck_text().split()
    pairs = zip(usual, words(pyramid(8), STYLES["symbol"]), strict=True)
    text = " ".join(f"{word} ({other})" for word, other in pairs)
    assert "expected 52 cards, got 104" in refused(text)
