"""Klondike's deals and positions as text, both ways, and the messages for text that is none."""

from __future__ import annotations

import pickle
from functools import partial

import pytest
from board_texts import CARDS, DEAL, HEAD, LINES, MIDDLE, PILES, hide, names, refused_by
from hypothesis import given
from hypothesis import strategies as st
from plain_klondike import PlainTable
from random_klondike import tables

from deals import DealError, KlondikeBoard, card_name, klondike, parse_card, read_klondike_boards
from deals.cards import DECK, is_card
from deals.klondike_board import UNKNOWN

refused = partial(refused_by, KlondikeBoard.from_text)
refused_in_many = partial(refused_by, read_klondike_boards)

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


# What is refused: deals


@pytest.mark.parametrize("text", ["", " \n\n", "\r\n"])
def test_no_board(text: str) -> None:
    for said in (refused(text), refused_in_many(text)):
        assert said == "no board: expected 52 cards, or a stock and seven piles"


@pytest.mark.parametrize("count", [1, 28, 51])
def test_too_few_cards(count: int) -> None:
    text = " ".join(CARDS[:count])
    reason = refused(text)
    assert reason.startswith(f"line 1: expected 52 cards, got {count}: missing ")
    assert count < 51 or reason.endswith(f"missing {CARDS[51]}")
    assert refused("\n".join(LINES[:-1])).startswith("line 7: expected 52 cards, got 28")


def test_doubled_card_is_named_with_both_places() -> None:
    assert refused(DEAL + " " + CARDS[9].lower()) == (
        f"line 1, card 53: {CARDS[9]} appears twice, also card 10 (line 1)"
    )
    lines = [LINES[0], LINES[0].lower(), *LINES[1:]]
    assert refused("\n" + "\n".join(lines)) == (
        f"line 3, card 2: {CARDS[0]} appears twice, also card 1 (line 2)"
    )


@given(st.data())
def test_one_wrong_card_is_never_taken(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, 51))
    wrong = data.draw(st.sampled_from([card for card in CARDS if card != CARDS[place]]))
    cards = [*CARDS[:place], wrong, *CARDS[place + 1 :]]
    first, second = sorted([place + 1, CARDS.index(wrong) + 1])
    assert refused(" ".join(cards)) == (
        f"line 1, card {second}: {wrong} appears twice, also card {first} (line 1)"
    )
    with pytest.raises(DealError, match=f"(pile .|stock): {wrong} appears twice, also in"):
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


# What is refused: positions

UNSHOWN = (
    "line 1: not one full deck: expected {} ??, one for each card that is not shown, got {}: {}"
)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        # Lines that are not what they should be.
        ("JS> QD", "JS> QD\nAC", "line 11: expected seven piles, got an eighth"),
        ("Fou", "Fo", "line 1: unknown label 'Fondations'; did you mean 'Foundations'?"),
        ("Waste", "WAST", "line 2: unknown label 'WAST'; did you mean 'Waste'?"),
        ("Stock", "Stok", "line 3: unknown label 'Stok'; did you mean 'Stock'?"),
        ("Fou", "Rule: draw=1\nFou", "'Rules'? If it is the board's name, give "),
        ("QD", "QD\nWaste:", "line 4: expected the piles after foundations, waste and stock, "),
        ("Fou", f"{HEAD}Fou", "line 4: foundations again: line 1 already has it"),
        ("KS", "talon: AC\nKS", "line 4: stock again: line 3 already has it"),
        ("S-1", "S-", "line 1: 'S-' is not a foundation: write suit, hyphen"),
        ("S-1", "C-A", "line 1: two foundations of suit C"),
        ("KH 6C", "KH 6X", "line 2, card 2: '6X' is not a card"),
        ("<7H> <JH>", "<7H> <J>", "line 7, card 2: '<J>' is not a card"),
        ("<7H> <JH>", "<7H> <JH", "line 7, card 2: '<JH' is not a card"),
        ("6C TD", "<6C> TD", "line 2: expected brackets only in piles and stock"),
        # Cards of the deck.
        ("KH 6C", "KH 9H", "line 3, stock: 9H appears twice, also in waste"),
        ("KS QH", "KS QD", "line 10, pile 7: QD appears twice, also in pile 1"),
        ("KH 6C", "KH AC", "line 2, waste: AC cannot be here: it is on its foundation"),
        (" TC\n", "\n", "line 9, pile 6: expected its top card face up, got QS"),
        (" 4S", "", "line 1: not one full deck: missing 4S"),
        ("2S 3C", "??", UNSHOWN.format(2, 1, "a ?? or a card left out")),
        (" 4S", " 4S ??", UNSHOWN.format(0, 1, "a ?? too many")),
        # Piles.
        ("5S\n", "<5S>\n", "line 7, pile 4: expected a card face up on the 6H, got <5S>"),
        ("<JH>", "JH ??", "line 7, pile 4: expected a card face up on the JH, got ??"),
        ("8H 7S", "<8H> <7S>", "line 5, pile 2: expected at most 1 card face down, got 2: 7S is"),
        ("KS QH", "?? KS QH", "line 4, pile 1: expected at most 0 cards face down, got 1: ?? is"),
        ("<QS> TC", "??", "line 9, pile 6: expected its top card face up, got ??"),
        ("6H 5S", "5S", "line 7, pile 4: expected a red 6 on the 7C, got 5S"),
        ("KS QH", "KS QC", "line 4, pile 1: expected a red Q on the KS, got QC"),
        ("KS QH", "QH KS", "line 4, pile 1: expected a black J on the QH, got KS"),
        # Stock and waste.
        ("6C TD", "TD ??", "line 2, waste: expected its top card to be known"),
    ],
)
def test_position_refused(old: str, new: str, reason: str) -> None:
    assert reason in refused(MIDDLE.replace(old, new))


def test_nothing_lies_on_an_ace() -> None:
    said = refused("Foundations: C-0 D-0 H-K S-K\nStock:\nAC 2D\n")
    assert said == "line 3, pile 1: expected nothing on the AC, got 2D"


@pytest.mark.parametrize("turned", range(26))
def test_too_many_cards_in_stock_and_waste(turned: int) -> None:
    # A card of pile 7 goes to the stock or the waste, too.
    talon = [*CARDS[28:], CARDS[27]]
    waste, stock = talon[:turned], talon[turned:]
    piles = [*LINES[:6], " ".join(CARDS[21:27])]
    marked = [" ".join(f"<{card}>" for card in pile.split()) for pile in piles]
    marked = ["".join(line.rsplit("<", 1))[:-1] for line in marked]
    lines = ["Waste: " + " ".join(waste), "Stock: " + " ".join(stock), *marked]
    line, place = (2, "stock") if stock else (1, "waste")
    assert refused("\n".join(lines)) == (
        f"line {line}, {place}: expected at most 24 cards in stock and waste together, got 25: "
        f"{talon[-1]} is one too many"
    )


@given(tables(), st.data())
def test_a_position_with_one_wrong_card_is_never_taken(
    table: PlainTable, data: st.DataObject
) -> None:
    words = table.text().split()
    cards = [i for i, word in enumerate(words) if is_card(word.strip("<>"))]
    if not cards:
        return
    place = data.draw(st.sampled_from(cards))
    wrong = data.draw(st.sampled_from(DECK).map(card_name))
    right = words[place].strip("<>")
    if wrong == right:
        return
    lines = [
        " ".join(word.replace(right, wrong) for word in line.split())
        for line in table.text().splitlines()
    ]
    reason = refused("\n".join(lines))
    assert reason.startswith("line ")
    assert wrong in reason or right in reason


# Many boards


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([DEAL, DEAL[:-3], DEAL], "board 2: line 2: expected 52 cards, got 51: missing"),
        ([DEAL, "", DEAL[:-3], "", DEAL], "board 2: line 3: expected 52 cards, got 51: missing"),
        ([MIDDLE, *LINES[:7], "", DEAL], "board 2: line 18: expected 52 cards, got 28: missing"),
        ([MIDDLE, MIDDLE.replace("KH", "KX")], "board 2: line 13, card 1: 'KX' is not a card"),
        ([MIDDLE.replace(" 4S", ""), MIDDLE], "board 1: line 1: not one full deck: missing 4S"),
        ([DEAL, DEAL + " AC"], "board 2: line 2, card 53: AC appears twice, also card "),
        ([DEAL, "617"], "board 2: line 2, card 1: '617' is not a card"),
        (["a: " + DEAL, "b:", "c: " + DEAL], "board 2: line 2: expected 52 cards after the name"),
    ],
)
def test_the_wrong_board_is_named(parts: list[str], reason: str) -> None:
    assert refused_in_many("\n".join(parts)).startswith(reason)


HIDDEN = "8D\n?? JD\n?? ?? AS\n?? ?? ?? 4H\n?? ?? ?? ?? AD\n?? ?? ?? ?? ?? 7C\n?? ?? ?? ?? ?? ?? KS"


def test_a_board_without_its_stock_is_told_what_to_add() -> None:
    assert refused(HIDDEN) == (
        "line 1: not one full deck: 24 cards missing: if the stock has them, add a line 'Stock:' "
        "above the piles with ?? for each, or for short 'Stock: 24 ??'"
    )


@pytest.mark.parametrize("short", ["24 ??", "24x??", "24 x ??", "?? 23 ??", "20*?? 4 ??"])
def test_a_number_of_unknown_cards(short: str) -> None:
    whole = KlondikeBoard.from_text(f"Stock: {'?? ' * 24}\n{HIDDEN}")
    for text in (f"Stock: {short}\n{HIDDEN}", f"A:\nStock: {short}\n{HIDDEN}"):
        assert KlondikeBoard.from_text(text) == whole
    two = f"Stock: {short}\n{HIDDEN}\n\nStock: {short}\n{HIDDEN}\n"
    assert read_klondike_boards(two) == [whole, whole]


def test_too_large_a_number_of_unknown_cards() -> None:
    said = refused(f"Stock: 25 ??\n{HIDDEN}")
    assert "expected at most 24 cards in stock and waste together, got 25" in said
