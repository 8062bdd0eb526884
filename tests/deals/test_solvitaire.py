"""Boards in Solvitaire's JSON: FreeCell's and Klondike's, right and nearly right."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from board_texts import READERS, refused_by
from hypothesis import given
from hypothesis import strategies as st
from plain_klondike import PlainTable
from random_boards import boards
from random_klondike import tables

from deals import FreeCellBoard, KlondikeBoard, freecell, klondike
from deals.cards import RANKS, SUITS, card_name

BOTH = FreeCellBoard.from_text, KlondikeBoard.from_text


def solvitaire_card(card: int, small: bool = False) -> str:
    """``10D`` or, face down, ``10d``."""
    rank, suit = RANKS[(card >> 2) - 1], SUITS[card & 3]
    return rank.replace("T", "10") + (suit.lower() if small else suit)


def solvitaire(
    piles: Iterable[Sequence[int]],
    face_down: Sequence[int] = (),
    stock: Sequence[int] | None = None,
    waste: Sequence[int] = (),
    foundations: Sequence[int] = (),
    cells: Sequence[int | None] = (),
) -> dict[str, Any]:
    """An object by Solvitaire's rules alone; the stock is given first turned first."""
    columns = [list(pile) for pile in piles]
    hidden = face_down or [0] * len(columns)
    record: dict[str, Any] = {
        "tableau piles": [
            [solvitaire_card(card, place < down) for place, card in enumerate(column)]
            for column, down in zip(columns, hidden, strict=True)
        ]
    }
    if stock is not None:
        record["stock"] = list(map(solvitaire_card, reversed(stock)))
    if waste:
        record["waste"] = list(map(solvitaire_card, waste))
    if any(foundations):
        record["foundations"] = [
            solvitaire_card(4 * rank + suit)
            for suit, home in enumerate(foundations)
            for rank in range(1, home + 1)
        ]
    if cells:
        record["cells"] = [solvitaire_card(card) if card else "" for card in cells]
    return record


def pretty(record: dict[str, Any]) -> str:
    """As its files are usually laid out, a pile a line."""
    parts = []
    for key, value in record.items():
        nested = value and isinstance(value[0], list)
        text = "[\n" + ",\n".join(map(json.dumps, value)) + "\n]" if nested else json.dumps(value)
        parts.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


LAYOUTS = st.sampled_from(
    [json.dumps, pretty, lambda record: "\n\n " + json.dumps(record, indent=4)]
)


def in_json(board: KlondikeBoard) -> dict[str, Any]:
    return solvitaire(board.piles, board.face_down, board.stock, board.waste, board.foundations)


# FreeCell


@given(boards(), LAYOUTS, st.booleans(), st.booleans())
def test_any_board_of_freecell(
    board: FreeCellBoard, layout: Callable[[Any], str], lower: bool, named: bool
) -> None:
    empty = [None] * (board.cell_count - len(board.cells))
    cells = [*board.cells, *empty] if named else board.cells
    text = layout(solvitaire(board.cascades, foundations=board.foundations, cells=cells))
    text = text.lower() if lower else text
    read = FreeCellBoard.from_text(text, board.cell_count, len(board.cascades))
    assert read == board
    if named and board.cell_count:
        assert FreeCellBoard.from_text(text, cascades=len(board.cascades)) == board


def test_a_deal_of_freecell_as_its_presets_are() -> None:
    text = pretty(solvitaire(freecell(11982).cascades))
    assert text.splitlines()[2] == '["AH", "3D", "KD", "JC", "6C", "JD", "KC"],'
    assert FreeCellBoard.from_text(text) == freecell(11982)
    assert FreeCellBoard.from_text(text, cells=1, layout="rows") == freecell(11982, cells=1)


def test_only_the_top_of_a_foundation_may_be_given() -> None:
    record = solvitaire([[53], [54], [55]], foundations=(13, 12, 12, 12))
    board = FreeCellBoard.from_text(json.dumps(record))
    record["foundations"] = ["KC", "QD", "QH", "QS"]
    assert FreeCellBoard.from_text(json.dumps(record)) == board
    record["foundations"] = [["AC", "KC"], ["QD"], ["QH"], ["QS"], []]
    assert FreeCellBoard.from_text(json.dumps(record)) == board
    assert board.foundations == (13, 12, 12, 12)


# Klondike


@given(tables(), LAYOUTS)
def test_any_position_of_klondike(table: PlainTable, layout: Callable[[Any], str]) -> None:
    board = KlondikeBoard.from_text(table.text())
    text = layout(in_json(board))
    assert KlondikeBoard.from_text(text) == board
    assert READERS["klondike"](text) == [board]


def test_a_deal_of_klondike() -> None:
    board = klondike(3)
    record = in_json(board)
    assert record["stock"][-1].replace("10", "T") == str(board).split()[1], "turned first"
    assert KlondikeBoard.from_text(json.dumps(record)) == board
    empty = record | {"waste": [], "foundations": [[], [], [], []]}
    assert KlondikeBoard.from_text(json.dumps(empty)) == board


def test_a_deal_whose_suits_are_all_capital_lies_face_up() -> None:
    """That is what a capital suit means there; people write deals so, and mean another board."""
    record = in_json(klondike(3))
    record["tableau piles"] = [[word.upper() for word in pile] for pile in record["tableau piles"]]
    reason = refused_by(KlondikeBoard.from_text, json.dumps(record))
    assert reason.startswith("line 1, pile 2: ")
    assert "can be read in two ways: as a position with all cards face up" in reason
    assert "or as a deal: then write the suits of cards face down as small letters" in reason


def test_suits_that_are_all_small_lie_face_down() -> None:
    small = json.dumps(in_json(klondike(3))).lower()
    assert refused_by(KlondikeBoard.from_text, small) == (
        "line 1: expected a capital suit letter for each card face up, got small letters only, "
        "which stand for cards face down"
    )


def at(pile: int, place: int, value: object) -> Callable[[dict[str, Any]], object]:
    """Puts another value in the place of a card."""
    return lambda record: record["tableau piles"][pile].__setitem__(place, value)


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda r: r["tableau piles"].pop(), "line 1: expected seven tableau piles, got 6"),
        (
            lambda r: r["tableau piles"][2].reverse(),
            "line 1, pile 3: expected a card face up, with a capital suit letter, on the ",
        ),
        (at(1, 1, "XX"), "line 1, pile 2: 'XX' is not a card"),
        (at(1, 0, 5), "line 1, pile 2: 5 is not a card"),
        (at(1, 0, "HA"), "pile 2: 'HA' is not a card"),
        (at(1, 0, "14H"), "pile 2: '14H' is not a card"),
        (at(3, 3, "4h"), "pile 4: expected at most 3 cards face down, got 4: 4H is one too many"),
        (lambda r: r["tableau piles"].__setitem__(1, "KD"), "line 1, pile 2: expected a list, got"),
        (lambda r: r["stock"].append(r["stock"][0]), "appears twice, also in stock"),
        (lambda r: r["stock"].pop(), "not one full deck: missing "),
        (lambda r: r.update({"hole": "AS"}), "with tableau piles, stock, waste, foundations, got"),
        (lambda r: r.pop("tableau piles"), "expected a board of Klondike in Solvitaire's JSON"),
        (lambda r: r.update({"stock": {}}), "line 1, stock: expected a list, got {}"),
    ],
)
def test_klondike_refused(edit: Callable[[dict[str, Any]], object], reason: str) -> None:
    record = in_json(klondike(3))
    edit(record)
    assert reason in refused_by(KlondikeBoard.from_text, json.dumps(record))


def test_the_boards_of_one_game_are_refused_by_another() -> None:
    said = refused_by(FreeCellBoard.from_text, json.dumps(in_json(klondike(3))))
    assert "got 'stock' (is it a board of another game?)" in said
    said = refused_by(KlondikeBoard.from_text, json.dumps(solvitaire(freecell(3).cascades)))
    assert said == "line 1: expected seven tableau piles, got 8"
    solved = '{"game": "freecell", "deal": 617, "status": "solved"}'
    assert "expected a board of FreeCell" in refused_by(FreeCellBoard.from_text, solved)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"tableau piles": [\n["AC",\n}', "line 3: malformed JSON"),
        ('{"tableau piles": [], "tableau piles": []}', "line 1: 'tableau piles' comes twice"),
        ('{"tableau piles": ' + "[" * 5_000, "malformed JSON"),
        ('{"tableau piles": [' + "9" * 5_000 + "]}", "malformed JSON"),
        ('\n{"tableau piles": []} x', "line 2: malformed JSON: Extra data"),
        ('{"tableau piles": [[["AC"]]]}', "pile 1: ['AC'] is not a card"),
    ],
)
def test_malformed_json(text: str, reason: str) -> None:
    for read in BOTH:
        assert reason in refused_by(read, text)


# Many boards


def test_objects_among_other_boards() -> None:
    deals = [freecell(number) for number in range(1, 5)]
    objects = [solvitaire(deal.cascades) for deal in deals]
    for layout in (json.dumps, pretty, lambda record: json.dumps(record, indent=2)):
        alike = list(map(layout, objects))
        for parts in (alike, [str(deals[0]), *alike[1:3], str(deals[3])]):
            assert READERS["freecell"]("\n\n".join(parts)) == deals
            assert READERS["freecell"]("\n".join(parts)) == deals
    games = [klondike(number) for number in range(1, 4)]
    parts = ["game: " + games[0].deal_text(), pretty(in_json(games[1])), str(games[2])]
    assert READERS["klondike"]("\n".join(parts)) == games


def test_the_wrong_object_among_many_is_named() -> None:
    objects = [pretty(solvitaire(freecell(number).cascades)) for number in range(1, 4)]
    objects[1] = objects[1].replace('"KD"', '"K"')
    text = "\n".join(objects)
    faults: list[str] = []
    read = READERS["freecell"](text, faults=faults)
    assert read == [freecell(1), None, freecell(3)]
    assert faults[0].startswith("board 2, line 14, pile ") and "'K' is not a card" in faults[0]
    broken = "\n".join([objects[0], objects[2][:60], objects[2]])
    faults.clear()
    assert READERS["freecell"](broken, faults=faults) == [freecell(1), None, freecell(3)]
    assert "malformed JSON" in faults[0]


def test_lonelybots_objects() -> None:
    """Its key is ``foundation``, and it does not print the waste."""
    board = klondike(3)
    piles = [[card_name(card) for card in pile] for pile in board.piles]
    lonelybot = {
        "tableau piles": [[*(n[0] + n[1].lower() for n in pile[:-1]), pile[-1]] for pile in piles],
        "stock": [card_name(card) for card in reversed(board.stock)],
        "foundation": [[], [], [], []],
    }
    assert KlondikeBoard.from_text(json.dumps(lonelybot)) == board
    lonelybot["foundation"] = [["AH"], [], [], []]
    said = refused_by(KlondikeBoard.from_text, json.dumps(lonelybot))
    assert "does not say which cards of the stock have been turned" in said
