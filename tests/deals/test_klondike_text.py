"""Klondike's deals and positions as text, both ways, and the messages for other text."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_klondike import PlainTable
from random_klondike import tables

from deals import DealError, KlondikeBoard, card_name, klondike, parse_card, read_klondike_boards
from deals.cards import DECK
from deals.klondike import UNKNOWN, reachable

DEAL = klondike(3).deal_text()
CARDS = DEAL.split()
# Piles 1 to 7, then the stock.
LINES = [" ".join(CARDS[i * (i + 1) // 2 :][: i + 1]) for i in range(7)] + [" ".join(CARDS[28:])]

# The same deal after 45 moves.
MIDDLE = """\
Foundations: C-2 D-1 H-3 S-1
Waste: KH 6C TD
Stock: 2S 3C 9H KD 9S JC 5H 8C 4S
KS QH
8H 7S 6D 5C 4H 3S
:
<7H> <JH> 9C 8D 7C 6H 5S
QC JD TS 9D 8S 7D 6S 5D 4C 3D
<2D> <4D> <QS> TC
<KC> <TH> <JS> QD
"""
HEAD = "".join(MIDDLE.splitlines(keepends=True)[:3])
PILES = MIDDLE.splitlines()[3:]


def middle_with(pile: int, line: str, text: str = MIDDLE) -> str:
    """The position with another line for a pile."""
    lines = text.splitlines()
    lines[2 + pile] = line
    return "\n".join(lines)


def refused(text: str, read: Callable[[str], object] = KlondikeBoard.from_text) -> str:
    with pytest.raises(DealError) as fault:
        read(text)
    return str(fault.value)


def hide(board: KlondikeBoard) -> KlondikeBoard:
    """The board as a player who remembers nothing sees it."""
    piles = [
        (UNKNOWN,) * hidden + pile[hidden:]
        for pile, hidden in zip(board.piles, board.face_down, strict=True)
    ]
    stock = (UNKNOWN,) * len(board.stock)
    waste = (UNKNOWN,) * (len(board.waste) - 1) + board.waste[-1:]
    return KlondikeBoard(tuple(piles), board.face_down, stock, waste, board.foundations)


# What is read


def test_a_deal_is_piles_then_stock() -> None:
    board = KlondikeBoard.from_text(DEAL)
    assert board == klondike(3)
    assert [" ".join(map(card_name, pile)) for pile in board.piles] == LINES[:7]
    assert " ".join(map(card_name, board.stock)) == LINES[7]
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
    assert list(map(card_name, board.waste)) == ["KH", "6C", "TD"]
    assert list(map(card_name, board.stock))[:2] == ["2S", "3C"]
    assert [len(pile) for pile in board.piles] == [2, 6, 0, 7, 10, 4, 4]
    assert board.face_down == (0, 0, 0, 2, 0, 3, 3)
    assert list(map(card_name, board.piles[3])) == ["7H", "JH", "9C", "8D", "7C", "6H", "5S"]
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
    for pile, hidden, names in zip(board.piles, board.face_down, table.piles, strict=True):
        marked = [f"<{card_name(card)}>" for card in pile[:hidden]]
        assert marked + list(map(card_name, pile[hidden:])) == names
    assert list(map(card_name, board.stock)) == table.stock
    assert list(map(card_name, board.waste)) == table.waste
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
    assert board.deal_text() == "a deal: " + " ".join(map(card_name, deck))
    assert pickle.loads(pickle.dumps(board)) == board


# Names


def test_names_are_kept_and_boards_are_equal_without_them() -> None:
    for text in ("game 3: " + DEAL, "game 3:\n" + MIDDLE, "\n game 3 : \n\n" + MIDDLE):
        board = KlondikeBoard.from_text(text)
        assert board.name == "game 3"
        assert board == KlondikeBoard.from_text(text.partition(":")[2])
        assert KlondikeBoard.from_text(str(board)).name == "game 3"
    assert KlondikeBoard.from_text("a: 12:30: " + DEAL).name == "a: 12:30"


@pytest.mark.parametrize("name", ["Stock", "a: waste", "FOUND: x", "a\nb", " a", "a:"])
def test_names_that_could_not_be_read_back(name: str) -> None:
    assert repr(name) in refused(name, lambda name: KlondikeBoard.deal(DECK, name))


def test_a_name_stands_before_its_board() -> None:
    assert refused("a: Stock: " + LINES[7]) == (
        "line 1: expected a name on a line of its own, got a: Stock:"
    )
    assert refused("\na:\n") == "line 2: expected 52 cards after the name 'a', got none"
    assert refused(DEAL + "\nb: " + DEAL) == (
        "line 2: expected one board, got the name of another: b"
    )


# Deals refused


@pytest.mark.parametrize("text", ["", " \n\n", "\r\n"])
def test_no_board(text: str) -> None:
    for read in (KlondikeBoard.from_text, read_klondike_boards):
        assert refused(text, read) == "no board: expected 52 cards, or a stock and seven piles"


@pytest.mark.parametrize("count", [0, 1, 28, 51])
def test_too_few_cards(count: int) -> None:
    text = " ".join(CARDS[:count]) or ":"
    reason = refused(text)
    assert reason.startswith(f"line 1: expected 52 cards, got {count}: missing ")
    assert count < 51 or reason.endswith(f"missing {CARDS[51]}")
    assert refused("\n".join(LINES[:-1])).startswith("line 7: expected 52 cards, got 28")


def test_doubled_card_is_named_with_both_places() -> None:
    assert refused(DEAL + " " + CARDS[9].lower()) == (
        f"line 1, card 53: {CARDS[9]} is doubled, it is also card 10 (line 1)"
    )
    lines = [LINES[0], LINES[0].lower(), *LINES[1:]]
    assert refused("\n" + "\n".join(lines)) == (
        f"line 3, card 2: {CARDS[0]} is doubled, it is also card 1 (line 2)"
    )


@given(st.data())
def test_one_wrong_card_is_never_taken(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, 51))
    wrong = data.draw(st.sampled_from([card for card in CARDS if card != CARDS[place]]))
    cards = [*CARDS[:place], wrong, *CARDS[place + 1 :]]
    first, second = sorted([place + 1, CARDS.index(wrong) + 1])
    assert refused(" ".join(cards)) == (
        f"line 1, card {second}: {wrong} is doubled, it is also card {first} (line 1)"
    )
    with pytest.raises(DealError, match=f"(pile .|stock): {wrong} is doubled, it is also in"):
        KlondikeBoard.deal(map(parse_card, cards))


@pytest.mark.parametrize("word", ["6X", "1S", "66", "-", "Ω", "1", "10", "ſ", "<6S", "6S>", "2ſ"])
def test_malformed_card_is_named_with_its_place(word: str) -> None:
    lines = [*LINES[:2], f"{CARDS[3]} {word} {CARDS[5]}", *LINES[3:]]
    reason = refused("\n".join(lines))
    got = word.removeprefix("6S") or word
    assert reason.startswith("line 3, card ") and f": {got!r} is not a card: a card is" in reason
    assert reason.endswith("as in TD")


def test_malformed_card_among_cards_without_spaces() -> None:
    assert refused("ACTD10H1Hab" + "AC" * 10).startswith("line 1, card 4: '1HabACAC...' is not")


def test_a_deck_of_another_size_is_no_deal() -> None:
    for size in (0, 51, 53):
        with pytest.raises(DealError, match=f"expected 52 cards, got {size}"):
            KlondikeBoard.deal((*DECK, 4)[:size])


def test_only_a_known_deal_has_a_deals_text() -> None:
    deal = KlondikeBoard.from_text(DEAL)
    drawn = KlondikeBoard(deal.piles, deal.face_down, deal.stock[3:], deal.stock[:3])
    sorted_deck = KlondikeBoard.deal(DECK)
    first, second, third, *others = sorted_deck.piles
    moved = KlondikeBoard(
        ((), second, third + first, *others), sorted_deck.face_down, sorted_deck.stock
    )
    for board in (KlondikeBoard.from_text(MIDDLE), hide(deal), drawn, moved):
        with pytest.raises(DealError, match="expected a deal with all cards known"):
            board.deal_text()


# Positions refused


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        # Lines that are not what they should be.
        (MIDDLE + "AC\n", "line 11: expected seven piles, got an eighth"),
        (MIDDLE + "Waste:\n", "line 4: expected the piles after foundations, waste and stock, "),
        (HEAD + MIDDLE, "line 4: foundations again, line 1 has it"),
        (HEAD + "talon: AC", "line 4: stock again, line 3 has it"),
        (MIDDLE.replace("S-1", "S-"), "line 1: 'S-' is not a foundation: write suit, hyphen"),
        (MIDDLE.replace("S-1", "C-A"), "line 1: two foundations of suit C"),
        (MIDDLE.replace("KH 6C", "KH 6X"), "line 2, card 2: '6X' is not a card"),
        (MIDDLE.replace("<7H> <JH>", "<7H> <J>"), "line 7, card 2: '<J>' is not a card"),
        (MIDDLE.replace("<7H> <JH>", "<7H> <JH"), "line 7, card 2: '<JH' is not a card"),
        (MIDDLE.replace("6C TD", "<6C> TD"), "line 2: expected brackets only in piles, got <6C>"),
        # Cards of the deck.
        (MIDDLE.replace("KH 6C", "KH 9H"), "line 3, stock: 9H is doubled, it is also in waste"),
        (
            middle_with(1, "KS QD"),
            "line 10, pile 7: QD is doubled, it is also in pile 1",
        ),
        (
            MIDDLE.replace("KH 6C", "KH AC"),
            "line 2, waste: AC cannot be here, it is on its foundation",
        ),
        (MIDDLE.replace(" TC\n", "\n"), "line 9, pile 6: expected its top card face up, got QS"),
        (MIDDLE.replace(" 4S", ""), "line 1: not one full deck: missing 4S"),
        (
            MIDDLE.replace(" 4S", "").replace("2S 3C", "?? ??"),
            "line 1: not one full deck: expected ?? for each missing card, got 2: missing 2S 3C 4S",
        ),
        (
            MIDDLE.replace(" 4S", " 4S ??"),
            "line 1: not one full deck: expected ?? for each missing card, got 1: none missing",
        ),
        # Piles.
        (
            middle_with(4, "<7H> <JH> 9C 8D 7C 6H <5S>"),
            "line 7, pile 4: expected a card face up on the 6H, got <5S>",
        ),
        (
            middle_with(4, "<7H> JH ?? 9C 8D 7C 6H 5S"),
            "line 7, pile 4: expected a card face up on the JH, got ??",
        ),
        (
            middle_with(2, "<8H> <7S> 6D 5C 4H 3S"),
            "line 5, pile 2: expected at most 1 cards face down, got 2: 7S is one too many",
        ),
        (
            middle_with(1, "?? KS QH"),
            "line 4, pile 1: expected at most 0 cards face down, got 1: ?? is one too many",
        ),
        (middle_with(6, "<2D> <4D> <QS>"), "pile 6: expected its top card face up, got QS"),
        (middle_with(6, "<2D> <4D> ??"), "line 9, pile 6: expected its top card face up, got ??"),
        (
            middle_with(4, "<7H> <JH> 9C 8D 7C 5S"),
            "line 7, pile 4: expected a red 6 on the 7C, got 5S",
        ),
        (middle_with(1, "KS QC"), "line 4, pile 1: expected a red Q on the KS, got QC"),
        (middle_with(1, "QH KS"), "line 4, pile 1: expected a black J on the QH, got KS"),
        (
            "Foundations: C-0 D-0 H-K S-K\nStock:\nAC 2D\n",
            "line 3, pile 1: expected nothing on the AC, got 2D",
        ),
        # Stock and waste.
        (MIDDLE.replace("6C TD", "TD ??"), "line 2, waste: expected its top card to be known"),
    ],
)
def test_position_refused(text: str, reason: str) -> None:
    assert reason in refused(text)


@pytest.mark.parametrize("turned", range(26))
def test_too_many_cards_in_stock_and_waste(turned: int) -> None:
    # A card of pile 7 goes to the stock or the waste, too.
    talon = [*CARDS[28:], CARDS[27]]
    waste, stock = talon[:turned], talon[turned:]
    piles = ["", *LINES[1:6], " ".join(CARDS[21:27])]
    lines = ["Waste: " + " ".join(waste), "Stock: " + " ".join(stock), CARDS[0], *piles[1:]]
    marked = [
        " ".join([f"<{card}>" for card in line.split()[:-1]] + line.split()[-1:])
        for line in lines[2:]
    ]
    line, place = (2, "stock") if stock else (1, "waste")
    assert refused("\n".join([*lines[:2], *marked])) == (
        f"line {line}, {place}: expected at most 24 cards in stock and waste together, got 25: "
        f"{talon[-1]} is one too many"
    )


def talon_board(stock: int, waste: int) -> KlondikeBoard:
    """A board with so many cards in stock and waste; the others, from aces up, are home."""
    at_home, talon = DECK[: 52 - stock - waste], DECK[52 - stock - waste :]
    tops = [sum(card % 4 == suit for card in at_home) for suit in range(4)]
    home = (tops[0], tops[1], tops[2], tops[3])
    return KlondikeBoard(((),) * 7, (0,) * 7, talon[:stock], talon[stock:], home)


def test_numbers_of_stock_and_waste_are_those_that_draws_leave() -> None:
    reached = set()
    # Every game is: redeal what is left, then draw and play from the waste at will.
    for left in range(25):
        pairs = {(left, 0)}
        while pairs:
            reached |= pairs
            drawn = {(stock - min(3, stock), waste + min(3, stock)) for stock, waste in pairs}
            played = {(stock, waste - 1) for stock, waste in pairs if waste}
            pairs = (drawn | played) - reached
    for stock in range(25):
        for waste in range(25 - stock):
            if (stock, waste) in reached:
                assert talon_board(stock, waste).stock == talon_board(stock, waste).stock
            else:
                with pytest.raises(DealError, match=r"stock: draws of three .* \d[CDHS] cannot be"):
                    talon_board(stock, waste)
    assert (21, 3) in reached and (23, 1) not in reached


@given(tables(), st.data())
def test_a_position_with_one_wrong_card_is_never_taken(
    table: PlainTable, data: st.DataObject
) -> None:
    words = table.text().split()
    cards = [i for i, word in enumerate(words) if parse_card_or_none(word)]
    if not cards:
        return
    place = data.draw(st.sampled_from(cards))
    wrong = data.draw(st.sampled_from(DECK).map(card_name))
    right = words[place].strip("<>")
    if wrong == right:
        return
    lines = [line.split() for line in table.text().splitlines()]
    for line in lines:
        line[:] = [word.replace(right, wrong) for word in line]
    reason = refused("\n".join(" ".join(line) for line in lines))
    assert reason.startswith("line ")
    assert wrong in reason or right in reason


def parse_card_or_none(word: str) -> int | None:
    try:
        return parse_card(word.strip("<>"))
    except DealError:
        return None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"piles": ((),) * 6}, "a board has 7 piles, got 6 and 7 face-down counts"),
        ({"face_down": (0,) * 8}, "a board has 7 piles, got 7 and 8 face-down counts"),
        ({"foundations": (14, 0, 0, 0)}, "four ranks from 0 to 13"),
        ({"foundations": (0, 0, 0)}, "four ranks from 0 to 13"),
        ({"foundations": (0, 0, 0, -1)}, "four ranks from 0 to 13"),
        ({"stock": (3,)}, "stock: expected cards from 4 to 55, got 3"),
        ({"waste": (56,)}, "waste: expected cards from 4 to 55, got 56"),
        ({"piles": ((-1,), *klondike(3).piles[1:])}, "pile 1: expected cards from 4 to 55, got -1"),
        ({"face_down": (0, 1, 2, 3, 4, 5, 8)}, "pile 7: expected 0 to 7 of its cards face down"),
        ({"face_down": (0, 1, -1, 3, 4, 5, 6)}, "pile 3: expected 0 to 3 of its cards face down"),
        ({"face_down": (0, 1, 2, 4, 4, 5, 6)}, "pile 4: expected at most 3 cards face down, got 4"),
        ({"waste": (0,)}, "stock and waste together, got 25"),
        (
            {"piles": ((0,), *klondike(3).piles[1:])},
            "pile 1: expected a known card face up, got ??",
        ),
    ],
)
def test_boards_there_are_not(change: dict[str, tuple[int, ...]], reason: str) -> None:
    deal = klondike(3)
    parts = {"piles": deal.piles, "face_down": deal.face_down, "stock": deal.stock, **change}
    with pytest.raises(DealError) as fault:
        KlondikeBoard(**parts)  # type: ignore[arg-type]
    assert reason in str(fault.value)


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


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([DEAL, DEAL[:-3], DEAL], "board 2: line 2: expected 52 cards, got 51: missing"),
        ([DEAL, "", DEAL[:-3], "", DEAL], "board 2: line 3: expected 52 cards, got 51: missing"),
        ([MIDDLE, *LINES[:7], "", DEAL], "board 2: line 18: expected 52 cards, got 28: missing"),
        ([MIDDLE, MIDDLE.replace("KH", "KX")], "board 2: line 13, card 1: 'KX' is not a card"),
        ([MIDDLE.replace(" 4S", ""), MIDDLE], "board 1: line 1: not one full deck: missing 4S"),
        ([DEAL, DEAL + " AC"], "board 2: line 2, card 53: AC is doubled, it is also card "),
        ([DEAL, "617"], "board 2: line 2, card 1: '617' is not a card"),
        (["a: " + DEAL, "b:", "c: " + DEAL], "board 2: line 2: expected 52 cards after the name"),
    ],
)
def test_the_wrong_board_is_named(parts: list[str], reason: str) -> None:
    assert refused("\n".join(parts), read_klondike_boards).startswith(reason)


@given(st.text(alphabet="A2TKcdhs10-<>?: \nFoundationsStock", max_size=80) | st.text(max_size=40))
def test_text_is_a_board_or_refused_in_words(text: str) -> None:
    for read in (KlondikeBoard.from_text, read_klondike_boards):
        with pytest.raises(DealError):
            read(text)


# The talon


def test_reachable_cards_are_those_that_draws_and_redeals_bring_up() -> None:
    for count in range(25):
        for turned in range(count + 1):
            talon = list(range(count))
            stock, waste = talon[turned:], talon[:turned]
            brought_up = set()
            # Twice round, whatever the cursor.
            for _ in range(40):
                brought_up |= set(waste[-1:])
                if stock:
                    stock, waste = stock[3:], waste + stock[:3]
                else:
                    stock, waste = waste, []
            expected = tuple(sorted(brought_up))
            assert reachable(talon[turned:], talon[:turned]) == expected
