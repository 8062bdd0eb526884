"""Positions of any game as text and in Solvitaire's JSON."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from patience_games import (
    BELEAGUERED_CASTLE,
    BLACK_HOLE,
    CANFIELD,
    EIGHT_OFF,
    FREECELL,
    GAMES,
    GARGANTUA,
    GOLF,
    KING_ALBERT,
    KLONDIKE,
    SPIDER,
    YUKON,
)
from random_positions import played, scattered, shortened, shuffled

from deals import freecell
from deals.cards import RANKS, SUITS, DealError
from gafreecell.solitaire.patience.position import Position
from gafreecell.solitaire.patience.rules import Rules
from gafreecell.solitaire.patience.text import read_boards, write_board


def refused(rules: Rules, text: str) -> str:
    with pytest.raises(DealError) as error:
        read_boards(rules, text)
    return str(error.value)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.title)
def test_what_is_written_can_be_read(rules: Rules) -> None:
    generator = random.Random(rules.title)
    for one in (rules, shortened(rules, 5)):
        positions = [shuffled(one, generator)]
        positions += [played(positions[0], generator, steps) for steps in (5, 40)]
        positions += [scattered(one, generator, cards) for cards in (0, 1, 8, 30)]
        assert read_boards(one, "\n\n".join(map(write_board, positions))) == positions
        text = write_board(positions[2])
        assert read_boards(one, f"# no part of it\nGame 5:\n{text.lower()}\n") == [positions[2]]


def test_how_positions_are_written() -> None:
    home = "Foundations: C-7 D-6 H-K S-0"
    text = "Waste: 2C 9H\nStock: 2D 3D\n5S\n7D\n-\n6S"
    position = replace(
        shuffled(CANFIELD, random.Random(1)),
        base=6,
        home=(2, 1, 8, 0),
        reserve=(),
        stock=(9, 13),
        waste=(8, 38),
        piles=((23,), (29,), (), (27,)),
    )
    assert write_board(position) == f"Base: 6\n{home}\n{text}"
    assert write_board(replace(position, base=1, home=(0,) * 4)) == text
    cells = replace(shuffled(EIGHT_OFF, random.Random(1)), cells=(4, 0, 5, 0, 0, 0, 0, 0))
    assert write_board(cells).splitlines()[0] == "Cells: AC - AD - - - - -"
    two = replace(shuffled(GARGANTUA, random.Random(1)), home=(3, 0, 0, 0, 1, 0, 0, 0), redeals=0)
    assert write_board(two).splitlines()[0] == "Foundations: C-3 D-0 H-0 S-0 C-A D-0 H-0 S-0"
    assert "Redeals: 0" in write_board(two)
    yukon = write_board(shuffled(YUKON, random.Random(1))).splitlines()
    assert [line.count("<") for line in yukon] == [0, 1, 2, 3, 4, 5, 6]
    king_albert = replace(shuffled(KING_ALBERT, random.Random(1)), reserve=(4, 0, 0, 5, 0, 0, 0))
    assert write_board(king_albert).splitlines()[0] == "Reserve: AC - - AD - - -"


def test_several_boards_and_their_faults() -> None:
    texts = [write_board(shuffled(FREECELL, random.Random(seed))) for seed in range(3)]
    name, card = "Second:\n", texts[1].split()[0]
    texts[1] = name + texts[1].replace(card, "XX")
    faults: list[str] = []
    found = read_boards(FREECELL, "\n\n".join(texts), faults)
    assert [position is None for position in found] == [False, True, False]
    assert len(faults) == 1
    assert faults[0].startswith("board 2 (line 10): line 11: 'XX' is not a card")
    with pytest.raises(DealError, match=r"^board 2 \(line 10\): line 11: 'XX' is not a card"):
        read_boards(FREECELL, "\n\n".join(texts))
    assert refused(FREECELL, " \n") == "expected a board, got an empty text"


LATE = "Foundations: C-K D-K H-K S-J\nQS\nKS\n-\n-\n-\n-\n-\n-"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("KS", "KX", "line 3: 'KX' is not a card"),
        ("KS", "KS ;;x", "line 3: 'x' is not a card"),
        ("KS", "-", "missing KS"),
        ("KS", "KS QS", "doubled QS"),
        ("KS", "KS - QD", "line 3: '-' is not a card"),
        ("S-J", "S-T", "missing JS"),
        ("S-J", "S-J S-2", "line 1, foundations: expected at most 1 of the suit S, got 2"),
        ("S-J", "S-X", "line 1: 'S-X' is not a foundation"),
        ("S-J", "S-J x", "line 1: 'x' is not a foundation"),
        ("KS", "<KS>", "pile 2: expected at most 0 cards face down, got 1"),
        ("\nKS", "\nCells: KS KS - - -\n-", "line 3, cells: expected at most 4 cards, got 5"),
        ("\nKS", "\nWaste: KS\n-", "line 3, waste: expected at most 0 cards, got 1"),
        ("\nKS", "\nCells: KS\nCells: -\n-", "line 4: line 3 has the cells already"),
        ("\nKS", "\nHole: KS\n-", "line 3, hole: expected at most 0 cards, got 1"),
        ("\nKS", "\nBase: 2\nKS", "line 3, base: expected A, got '2'"),
        ("\nKS", "\nRedeals: 2\nKS", "line 3, redeals: expected 0, got '2'"),
        ("\nKS", "\nDiscard: KS\n-", "expected 8 piles, each on a line, with - for an empty one"),
        (
            "\nKS",
            "\nKS\n-",
            "expected 8 piles, each on a line, with - for an empty one, got 9, and",
        ),
        ("\n-\n-\n-", "\n-", "expected 8 piles, each on a line, with - for an empty one, got 6"),
        ("\n-\n-\n-", "\n-\nName:\n-", "line 5: 'Name:' is not a card"),
    ],
)
def test_boards_that_cannot_be_read(old: str, new: str, fault: str) -> None:
    assert old in LATE
    assert refused(FREECELL, LATE.replace(old, new, 1)).startswith(fault)


def test_faults_of_other_places() -> None:
    golf = write_board(shuffled(GOLF, random.Random(1)))
    without = "\n".join(line for line in golf.splitlines() if "Hole" not in line)
    assert refused(GOLF, without) == "expected the hole's top card, as in Hole: AS"
    assert refused(GOLF, f"Foundations: C-A\n{golf}").startswith("line 1, foundations: expected at")
    stock = golf.replace("Stock: ", "Stock: - ")
    assert refused(GOLF, stock).startswith("line 1, stock: expected at most 16 cards, got 17")
    assert refused(GOLF, golf.replace("Stock:", "Stock: AS AS")).startswith("line 1, stock: expec")
    spider = "Foundations: C-5\n" + "-\n" * 10
    assert refused(SPIDER, spider).startswith("missing AC AD")
    canfield = write_board(shuffled(CANFIELD, random.Random(1)))
    last = canfield.splitlines()[-1]
    moved = canfield.replace("Stock: ", f"Stock: {last} ").removesuffix(last) + "-"
    assert refused(CANFIELD, moved).endswith("expected at most 34 cards, got 35")
    klondike = write_board(shuffled(KLONDIKE, random.Random(1)))
    second = klondike.splitlines()[2]
    down, up = second.split()
    assert refused(KLONDIKE, klondike.replace(second, f"{down} <{up}>")).startswith(
        "pile 2: expected at most 1 card face down, got 2"
    )
    assert refused(KLONDIKE, klondike.replace(second, f"{up} {down}")) == (
        "line 3: expected the cards that lie face down before the others"
    )


def test_what_happens_by_itself_must_have_happened() -> None:
    start = shuffled(CANFIELD, random.Random(1))
    both = replace(start, piles=((), *start.piles[1:]), waste=start.piles[0])
    fault = "stock and waste: expected at most 34 cards, got 35"
    assert refused(CANFIELD, write_board(both)) == fault
    home = "Base: 5\nFoundations: C-4 D-4 H-4 S-3\nReserve: 4S\n-\n-\n-\n-"
    assert refused(CANFIELD, home) == "pile 1 is empty, but the rules fill it at once"
    down = "Foundations: C-K D-K H-K S-J\nQS\n<KS>\n-\n-\n-\n-\n-"
    assert refused(YUKON, down) == "pile 2: its top card lies face down, but turns up at once"


# Solvitaire's JSON


def solvitaire(position: Position, numbers: bool = False) -> dict[str, Any]:
    """An object, written by Solvitaire's rules alone."""
    small = any(position.rules.down)

    def name(card: int, down: bool = False) -> str:
        if not card:
            return ""
        rank = str(card // 4) if numbers else RANKS[card // 4 - 1].replace("T", "10")
        suit = SUITS[card % 4]
        return rank + (suit.lower() if small and down else suit)

    record: dict[str, Any] = {
        "tableau piles": [
            [name(card, place < down) for place, card in enumerate(pile)]
            for pile, down in zip(position.piles, position.down, strict=True)
        ]
    }
    if position.hole:
        record["hole"] = name(position.hole)
    if any(position.home):
        record["foundations"] = [name(card) for card in position.tops if card]
    if any(position.cells):
        record["cells"] = [name(card) for card in position.cells]
    if any(position.reserve):
        record["reserve"] = [name(card) for card in position.reserve]
    if position.stock:
        record["stock"] = [name(card) for card in reversed(position.stock)]
    if position.waste:
        record["waste"] = [name(card) for card in position.waste]
    return record


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.title)
def test_positions_in_json(rules: Rules) -> None:
    generator = random.Random(rules.title)
    positions = [shuffled(rules, generator)]
    if rules.foundations.base != "first":
        positions += [played(positions[0], generator, 30), scattered(rules, generator, 20)]
    positions = [
        replace(position, redeals=rules.stock.redeals)
        for position in positions
        if any(position.home) or not rules.foundations.filled
    ]
    for text in (
        "\n".join(json.dumps(solvitaire(position)) for position in positions),
        "\n\n".join(json.dumps(solvitaire(one, numbers=True), indent=1) for one in positions),
    ):
        assert read_boards(rules, text) == positions


def test_a_board_of_freecell_in_json_and_as_text() -> None:
    deal = freecell(11982)
    rows = [[RANKS[card // 4 - 1] + SUITS[card % 4] for card in pile] for pile in deal.cascades]
    text = json.dumps({"tableau piles": rows})
    found = read_boards(FREECELL, f"{text}\n{write_board_of(rows)}")
    assert [position.piles for position in found if position] == [deal.cascades] * 2


def write_board_of(rows: list[list[str]]) -> str:
    return "\n".join(map(" ".join, rows))


def test_foundations_in_json() -> None:
    position = scattered(FREECELL, random.Random(3), 20)
    record = solvitaire(position)
    record["foundations"] = [
        f"{RANKS[rank]}{SUITS[suit]}"
        for suit, count in enumerate(position.home)
        for rank in range(count)
    ]
    assert read_boards(FREECELL, json.dumps(record)) == [position]
    # Without foundations, those that have cards at first have these.
    start = shuffled(BELEAGUERED_CASTLE, random.Random(3))
    record = solvitaire(start)
    del record["foundations"]
    assert read_boards(BELEAGUERED_CASTLE, json.dumps(record)) == [start]
    hole = solvitaire(shuffled(BLACK_HOLE, random.Random(3)))
    del hole["hole"]
    assert read_boards(BLACK_HOLE, json.dumps(hole)) == [shuffled(BLACK_HOLE, random.Random(3))]
    lists = solvitaire(replace(start, home=(1, 1, 1, 1)))
    lists["foundations"] = [["AC"], ["AD"], ["AH"], ["AS"]]
    assert read_boards(BELEAGUERED_CASTLE, json.dumps(lists)) == [start]


def test_faults_in_json() -> None:
    start = shuffled(FREECELL, random.Random(3))
    record = solvitaire(start)
    record["tableau piles"].pop()
    assert refused(FREECELL, json.dumps(record)).startswith("expected 8 piles")
    record = solvitaire(start) | {"cells": ["AS"] * 5}
    assert "AS appears twice" in refused(FREECELL, json.dumps(record))
    record = solvitaire(start) | {"waste": []}
    assert read_boards(FREECELL, json.dumps(record)) == [start]
    record = solvitaire(start) | {"sequences": []}
    assert "'sequences'" in refused(FREECELL, json.dumps(record))
    two = solvitaire(shuffled(SPIDER, random.Random(3)))
    two["stock"][0] = two["stock"][1]
    assert refused(SPIDER, json.dumps(two)).startswith(("line 1", "missing", "more than"))
