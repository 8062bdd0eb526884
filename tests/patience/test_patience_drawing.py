"""Drawings of games given as rules: the text, the places of a page, and moves in words."""

from __future__ import annotations

import pytest

from gafreecell.cli.main import run as command
from gafreecell.solitaire.patience import drawing, library
from gafreecell.solitaire.patience.dealing import deck_of
from gafreecell.solitaire.patience.position import Position, dealt


def first(name: str, number: int = 1) -> Position:
    rules = library.rules(name)
    return dealt(rules, deck_of(rules, number))


@pytest.mark.parametrize(
    ("name", "moves", "words"),
    [
        ("bakers-game", ["1-h", "7-a"], "the KH from pile 7 to cell a"),
        ("golf", ["deal"], "deal the 3S to the hole"),
        ("canfield", ["draw"], "turn three cards of the stock onto the waste: 8C 6C 8S"),
        ("canfield", ["draw", "draw", "w-h"], "the QH from the waste home"),
        ("spider", ["deal"], "deal 10 cards, one to each pile"),
        ("king-albert", ["6-h", "r4-h"], "the AS from the reserve home"),
    ],
)
def test_moves_are_told_in_words(name: str, moves: list[str], words: str) -> None:
    *_, last, end = drawing.positions(first(name, 2), moves)
    assert (last.words, end.words) == (words, "")


@pytest.mark.parametrize("name", library.names())
def test_each_card_lies_in_one_place(name: str) -> None:
    position = first(name)
    piles = drawing.piles(position)
    if position.rules.decks > 1:
        assert not piles
        return
    cards = [card for pile in piles for card in pile.cards]
    assert sorted(cards) == sorted(position.cards)
    assert len({pile.name for pile in piles}) == len(piles)
    assert len({(pile.x, pile.y) for pile in piles}) == len(piles)
    text = str(drawing.drawn(position) and next(iter(drawing.positions(position, ()))))
    assert all(f"{number}" in text for number in range(1, len(position.piles) + 1))


def test_solutions_are_drawn_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["solve", "2", "--game", "bakers-game", "--draw"]) == 0
    drawn = capsys.readouterr().out
    assert "   home: -C -D -H -S\n  cells: - - - -\n" in drawn
    assert " 1. 1-h   the AS from pile 1 home" in drawn
