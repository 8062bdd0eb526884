"""Boards in Solvitaire's JSON: FreeCell's and Klondike's, right and nearly right."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_klondike import PlainTable
from random_boards import boards
from random_klondike import tables
from solvitaire_texts import pretty, solvitaire

from deals import (
    DealError,
    FreeCellBoard,
    KlondikeBoard,
    freecell,
    klondike,
    read_freecell_boards,
    read_klondike_boards,
)
from deals.cards import card_name

LAYOUTS = st.sampled_from(
    [json.dumps, pretty, lambda record: "\n\n " + json.dumps(record, indent=4)]
)


def refused(text: str, read: Callable[[str], object]) -> str:
    with pytest.raises(DealError) as fault:
        read(text)
    return str(fault.value)


def in_json(board: KlondikeBoard) -> dict[str, Any]:
    return solvitaire(board.piles, board.face_down, board.stock, board.waste, board.foundations)


# FreeCell


@given(boards(), LAYOUTS, st.booleans(), st.booleans())
def test_any_board_of_freecell(
    board: FreeCellBoard, layout: Callable[[Any], str], lower: bool, named: bool
) -> None:
    cells = (
        [*board.cells, *[None] * (board.cell_count - len(board.cells))] if named else board.cells
    )
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
    assert read_klondike_boards(text) == [board]


def test_a_deal_of_klondike() -> None:
    board = klondike(3)
    record = in_json(board)
    assert record["stock"][-1].replace("10", "T") == str(board).split()[1], "turned first"
    assert KlondikeBoard.from_text(json.dumps(record)) == board
    empty = record | {"waste": [], "foundations": [[], [], [], []]}
    assert KlondikeBoard.from_text(json.dumps(empty)) == board


def test_a_deal_whose_suits_are_all_capital_lies_face_up() -> None:
    """That is what a capital suit means there; people write deals so, and mean another board."""
    reason = refused(json.dumps(in_json(klondike(3))).upper().replace('"TABLEAU PILES"',
        '"tableau piles"').replace('"STOCK"', '"stock"'), KlondikeBoard.from_text)  # fmt: skip
    assert reason.startswith("line 1, pile 2: ")
    assert "can be read in two ways: as a position with all cards face up" in reason
    assert "or as a deal: then write the suits of cards face down as small letters" in reason


def test_suits_that_are_all_small_lie_face_down() -> None:
    record = in_json(klondike(3))
    assert refused(json.dumps(record).lower(), KlondikeBoard.from_text) == (
        "line 1: expected a capital suit letter for each card face up, got small letters only, "
        "which stand for cards face down"
    )


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda r: r["tableau piles"].pop(), "line 1: expected seven tableau piles, got 6"),
        (
            lambda r: r["tableau piles"][2].reverse(),
            "line 1, pile 3: expected a card face up, with a capital suit letter, on the ",
        ),
        (
            lambda r: r["tableau piles"][1].__setitem__(1, "XX"),
            "line 1, pile 2: 'XX' is not a card",
        ),
        (lambda r: r["tableau piles"][1].__setitem__(0, 5), "line 1, pile 2: 5 is not a card"),
        (lambda r: r["tableau piles"][1].__setitem__(0, "HA"), "pile 2: 'HA' is not a card"),
        (lambda r: r["tableau piles"][1].__setitem__(0, "14H"), "pile 2: '14H' is not a card"),
        (lambda r: r["tableau piles"].__setitem__(1, "KD"), "line 1, pile 2: expected a list, got"),
        (lambda r: r["stock"].append(r["stock"][0]), "appears twice, also in stock"),
        (lambda r: r["stock"].pop(), "not one full deck: missing "),
        (lambda r: r.update({"hole": "AS"}), "with tableau piles, stock, waste, foundations, got"),
        (lambda r: r.pop("tableau piles"), "expected a board of Klondike in Solvitaire's JSON"),
        (lambda r: r.update({"stock": {}}), "line 1, stock: expected a list, got {}"),
        (
            lambda r: r["tableau piles"][3].__setitem__(3, r["tableau piles"][3][3].lower()),
            "line 1, pile 4: expected at most 3 cards face down, got 4: 4H is one too many",
        ),
    ],
)
def test_klondike_refused(edit: Callable[[dict[str, Any]], object], reason: str) -> None:
    record = in_json(klondike(3))
    edit(record)
    assert reason in refused(json.dumps(record), KlondikeBoard.from_text)


def test_the_boards_of_one_game_are_refused_by_another() -> None:
    assert "got 'stock' (is it a board of another game?)" in refused(
        json.dumps(in_json(klondike(3))), FreeCellBoard.from_text
    )
    assert refused(json.dumps(solvitaire(freecell(3).cascades)), KlondikeBoard.from_text) == (
        "line 1: expected seven tableau piles, got 8"
    )
    solved = '{"game": "freecell", "deal": 617, "status": "solved"}'
    assert "expected a board of FreeCell" in refused(solved, FreeCellBoard.from_text)


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
    for read in (FreeCellBoard.from_text, KlondikeBoard.from_text):
        assert reason in refused(text, read)


# Many boards


def test_objects_among_other_boards() -> None:
    deals = [freecell(number) for number in range(1, 5)]
    objects = [solvitaire(deal.cascades) for deal in deals]
    for layout in (json.dumps, pretty, lambda record: json.dumps(record, indent=2)):
        assert read_freecell_boards("\n".join(map(layout, objects))) == deals
        assert read_freecell_boards("\n\n".join(map(layout, objects))) == deals
        mixed = [str(deals[0]), layout(objects[1]), layout(objects[2]), str(deals[3])]
        assert read_freecell_boards("\n\n".join(mixed)) == deals
        assert read_freecell_boards("\n".join(mixed)) == deals
    games = [klondike(number) for number in range(1, 4)]
    parts = ["game: " + games[0].deal_text(), pretty(in_json(games[1])), str(games[2])]
    assert read_klondike_boards("\n".join(parts)) == games


def test_the_wrong_object_among_many_is_named() -> None:
    objects = [pretty(solvitaire(freecell(number).cascades)) for number in range(1, 4)]
    objects[1] = objects[1].replace('"KD"', '"K"')
    text = "\n".join(objects)
    faults: list[str] = []
    read = read_freecell_boards(text, faults=faults)
    assert read == [freecell(1), None, freecell(3)]
    assert faults[0].startswith("board 2, line 14, pile ") and "'K' is not a card" in faults[0]
    broken = "\n".join([objects[0], objects[2][:60], objects[2]])
    faults.clear()
    assert read_freecell_boards(broken, faults=faults) == [freecell(1), None, freecell(3)]
    assert "malformed JSON" in faults[0]


@given(st.text(alphabet='{}[]":, tableau pilesAC2d\n', max_size=60))
def test_what_begins_like_json_is_a_board_or_refused_in_words(text: str) -> None:
    for read in (FreeCellBoard.from_text, KlondikeBoard.from_text):
        assert refused('{"tableau piles": [' + text, read)


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
    with pytest.raises(DealError, match="does not say which cards of the stock have been turned"):
        KlondikeBoard.from_text(json.dumps(lonelybot))
