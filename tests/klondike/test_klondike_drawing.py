"""Klondike drawn: whoever follows the words alone comes to each position as it is drawn."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from klondike_kernels import Engine, plain
from plain_klondike import RULES, PlainTable, play_at_random
from plain_kplus import State
from random_klondike import tables
from spoken_moves import Table, carry
from test_klondike_verifier import UNSEEN, WON

from deals import KlondikeBoard, klondike
from deals.cards import DealError, card_name
from gafreecell.solitaire.klondike.drawing import LEGEND, positions
from gafreecell.solitaire.klondike.verifier import IllegalMove
from gafreecell.solving.drawing import Drawing

DRAW = re.compile(r"turn (one|two|three) cards? of the stock onto the waste: (.*)")


def table_of(game: PlainTable) -> Table:
    """The cards of a game by place; the stock's top is its first card."""
    piles = {f"pile {number}": [*pile] for number, pile in enumerate(game.piles, start=1)}
    return piles | {"the waste": [*game.waste], "the stock": [*game.stock]}


def follow(words: str, table: Table, home: set[str], draw: int) -> None:
    """Play a move by what is said of it."""
    drawn = DRAW.fullmatch(words)
    if drawn:
        count = ["one", "two", "three"].index(drawn[1]) + 1
        assert count == min(draw, len(table["the stock"]))
        assert drawn[2].split() == table["the stock"][:count]
        table["the waste"] += table["the stock"][:count]
        del table["the stock"][:count]
    elif words == "turn the waste over: it is the stock again":
        assert not table["the stock"]
        table["the stock"], table["the waste"] = table["the waste"], []
    else:
        carry(words, table, home)
        turned = re.search(r"turn the (..) up", words)
        down = [pile for place, pile in table.items() if pile and pile[-1][0] == "<"]
        assert len(down) == (1 if turned else 0)
        for pile in down:
            pile[-1] = pile[-1].strip("<>")
            assert turned and pile[-1] == turned[1]


def read(drawing: Drawing) -> tuple[Table, set[str]]:
    """The cards of a drawing by place, and the last ones of the foundations."""
    lines = str(drawing).splitlines()
    tops, waste, stock, _, numbers, *rows = lines[lines[0].startswith("rules:") :]
    table: Table = {}
    for sign in re.finditer(r"\d", numbers):
        column = [row[sign.start() - 2 : sign.end() + 3].strip() for row in rows]
        table[f"pile {sign[0]}"] = [card for card in column if card]
    for line, place in ((waste, "the waste"), (stock, "the stock")):
        assert line.strip().startswith(place.removeprefix("the "))
        table[place] = line.partition(":")[2].split()
    home = tops.partition("home:")[2].split()
    assert [top[1] for top in home] == [*"CDHS"]
    return table, {top for top in home if top[0] != "-"}


def last_ones(home: set[str]) -> set[str]:
    """The highest card of each suit that is home."""
    suits = {card[1]: [c for c in home if c[1] == card[1]] for card in home}
    return {max(cards, key=lambda card: "A23456789TJQK".index(card[0])) for cards in suits.values()}


def check(game: PlainTable, moves: list[str]) -> None:
    table, home = table_of(game), {card for cards in game.home.values() for card in cards}
    *drawn, last = positions(KlondikeBoard.from_text(game.text()), moves)
    assert [drawing.move for drawing in drawn] == moves
    for drawing in drawn:
        assert read(drawing) == (table, last_ones(home))
        assert KlondikeBoard.from_text(str(drawing)) == KlondikeBoard.from_text(game.text())
        assert max(map(len, str(drawing).splitlines())) < 80
        follow(drawing.words, table, home, game.draw)
        game.play(drawing.move)
        assert table_of(game) == table
        assert home == {card for cards in game.home.values() for card in cards}
    assert read(last) == (table, last_ones(home))
    assert (last.move, last.words) == ("", "")


@given(tables(most_steps=60, rules=RULES))
@settings(max_examples=7)
def test_the_words_alone_lead_from_position_to_position(game: PlainTable) -> None:
    moves = play_at_random(game.copy(), random.Random(len(game.stock)), 80)
    check(game, moves)


def test_a_won_game_ends_at_home() -> None:
    board = klondike(3)
    game = PlainTable(board.deal_text().split())
    check(game, list(WON))
    assert game.won


def test_the_cards_of_a_move_are_told() -> None:
    drawings = list(positions(klondike(3), WON))
    for before, after in pairwise(drawings):
        if before.move == "draw":
            assert 1 <= len(before.cards) <= 3
        elif before.move == "redeal":
            assert not before.cards
        else:
            count = int(before.move[3:] or "1", 16)
            assert len(before.cards) == count
        assert str(before) != str(after)


@settings(max_examples=40)
@given(st.booleans().flatmap(lambda unseen: tables(rules=RULES, unseen=unseen)))
def test_the_row_marks_the_cards_that_actions_take(game: PlainTable) -> None:
    board, state = KlondikeBoard.from_text(game.text()), State.of(game)
    (drawing,) = positions(board, [])
    assert drawing.row is not None
    waste, stock = drawing.row.piles
    assert [*map(card_name, (*waste.cards, *stock.cards))] == list(state.talon)
    marked = set(drawing.row.marked)
    assert marked == set(state.reached())
    wanted = {
        place
        for place, card in enumerate(state.talon)
        if state.next_home(card) or state.takers(card)
    }
    actions = [plain(action) for action in Engine(board, sees=False).actions()]
    assert {one[0][1] for one in actions if one[0][0][0] == "t"} == wanted & marked
    assert {move[1] for one in actions for move in one if move[0][0] == "t"} <= marked


def test_unknown_cards_are_drawn_as_such() -> None:
    (drawing,) = positions(KlondikeBoard.from_text(UNSEEN), [])
    text = str(drawing)
    assert text.count("??") == 4
    assert "stock: ?? ??" in text
    assert KlondikeBoard.from_text(text) == KlondikeBoard.from_text(UNSEEN)


def test_a_drawing_whose_piles_are_out_of_line_is_refused() -> None:
    (drawing,) = positions(klondike(3), [])
    crooked = str(drawing).replace("      4H ", "   4H    ")
    with pytest.raises(DealError, match="'4H' is not below one of the numbers of line 5"):
        KlondikeBoard.from_text(crooked)


def test_unknown_cards_that_come_up_are_not_named() -> None:
    piles = zip(klondike(3).piles, klondike(3).face_down, strict=True)
    seen = replace(klondike(3), piles=tuple((0,) * down + pile[down:] for pile, down in piles))
    moved, _ = positions(seen, ["61"])
    assert moved.words == "the 7C from pile 6 onto the 8D of pile 1, and turn a card up"
    drawn, _ = positions(replace(seen, stock=(0,) * 24), ["draw"])
    assert drawn.words == "turn three cards of the stock onto the waste: ?? ?? ??"


def test_an_illegal_move_is_not_drawn() -> None:
    for move in ("redeal", "", "x", "11", "9h", "hh", "w8"):
        with pytest.raises(IllegalMove):
            list(positions(klondike(3), [move]))


def test_four_lines_explain_the_notation() -> None:
    assert len(LEGEND) == 4 and max(map(len, LEGEND)) < 80
