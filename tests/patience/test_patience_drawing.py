"""Drawings of games given as rules: the text, the places of a page, and moves in words."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from gafreecell.cli.main import run as command
from gafreecell.solitaire.patience import drawing, library
from gafreecell.solitaire.patience.dealing import deck_of
from gafreecell.solitaire.patience.moves import REDEAL, after, legal_moves, taken
from gafreecell.solitaire.patience.position import Position, dealt
from gafreecell.solving.drawing import COPY, Drawing


def first(name: str, number: int = 1) -> Position:
    rules = library.rules(name)
    return dealt(rules, deck_of(rules, number))


@pytest.mark.parametrize(
    ("name", "moves", "words"),
    [
        ("bakers-game", ["1-h", "7-a"], "the KH from pile 7 to cell a"),
        ("golf", ["deal"], "turn the 3S from the stock to the hole"),
        ("canfield", ["draw"], "turn three cards of the stock onto the waste: 8C 6C 8S"),
        ("canfield", ["draw", "draw", "w-h"], "the QH from the waste home"),
        ("spider", ["deal"], "turn 10 cards of the stock, one to each pile"),
        ("king-albert", ["6-h", "r4-h"], "the AS from the reserve home"),
    ],
)
def test_moves_are_told_in_words(name: str, moves: list[str], words: str) -> None:
    *_, last, end = drawing.positions(first(name, 2), moves)
    assert (last.words, end.words) == (words, "")


@pytest.mark.parametrize("name", library.names())
def test_each_card_lies_in_one_place(name: str) -> None:
    position = first(name)
    [drawn] = drawing.positions(position, ())
    piles = drawn.piles
    cards = [card for pile in piles for card in pile.cards]
    rules = position.rules
    assert sorted(card % COPY for card in cards) == sorted(
        [*range(4, 4 * rules.ranks + 4)] * rules.decks
    )
    assert len({*cards}) == len(cards) == rules.cards
    assert len({pile.name for pile in piles}) == len(piles)
    assert len({(pile.x, pile.y) for pile in piles}) == len(piles)
    # A waste that is spread reaches into the next column.
    taken = {(pile.x + 1, pile.y) for pile in piles if pile.spread == "right"}
    assert not taken & {(pile.x, pile.y) for pile in piles}
    assert all(f"{number}" in str(drawn) for number in range(1, len(position.piles) + 1))


TWO_DECKS = [name for name in library.names() if library.rules(name).decks > 1]


@pytest.mark.parametrize("name", TWO_DECKS)
def test_cards_of_two_decks_are_followed(name: str) -> None:
    generator = random.Random(name)
    boards, moves = [first(name)], list[str]()
    for _ in range(25):
        if found := legal_moves(boards[-1]):
            home = [move for move in found if move.endswith("-h")]
            moves.append(generator.choice(home or [*found, found[-1]]))
            boards.append(after(boards[-1], moves[-1]))
    drawings = list(drawing.positions(boards[0], moves))
    for board, drawn in zip(boards, drawings, strict=True):
        seen = {pile.name: tuple(card % COPY for card in pile.cards) for pile in drawn.piles}
        piles = [seen[f"pile {number}"] for number in range(1, len(board.piles) + 1)]
        assert piles == [*board.piles]
        assert seen.get("stock", ())[::-1] == board.stock
        assert seen.get("waste", ()) == board.waste
        homes = [len(cards) for name, cards in seen.items() if name.startswith("foundation")]
        assert homes == [*board.home] or board.hole == seen["hole"][-1]
    rules = boards[0].rules
    for board, move, (one, then) in zip(boards, moves, pairwise(drawings), strict=False):
        assert sorted(card % COPY for card in one.cards) == sorted(taken(board, move))
        places, now = places_of(one), places_of(then)
        assert places.keys() == now.keys()
        assert not [card for card in one.cards if places[card][0] == now[card][0]]
        # Cards that are turned come to lie in the other order, and so does a run that goes home.
        order = sorted(one.cards, key=now.__getitem__)
        keeps = "-" in move and not move.endswith("-h")
        assert order == sorted(one.cards, key=lambda card: places[card][1], reverse=not keeps)
        # What lies beneath the hole's top card is in no order.
        others = [] if board.hole else [card for card in places if card not in one.cards]
        by_itself = [card for card in others if places[card] != now[card]]
        assert len(by_itself) <= bool(rules.piles.fill) or move == REDEAL


def places_of(drawn: Drawing) -> dict[int, tuple[int, int]]:
    """For each card the number of its pile, and its place there."""
    return {
        card: (number, place)
        for number, pile in enumerate(drawn.piles)
        for place, card in enumerate(pile.cards)
    }


def test_no_card_tells_that_its_copy_lies_face_down() -> None:
    [drawn] = drawing.positions(first("spider"), ())
    down = {card for pile in drawn.piles for card in pile.cards[: pile.face_down]}
    up = [card for pile in drawn.piles for card in pile.cards[pile.face_down :]]
    alone = [card for card in up if card ^ COPY in down]
    assert alone and max(alone) < COPY


def test_solutions_are_drawn_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["solve", "2", "--game", "bakers-game", "--draw"]) == 0
    drawn = capsys.readouterr().out
    assert "   home: -C -D -H -S\n  cells: - - - -\n" in drawn
    assert " 1. 1-h   the AS from pile 1 home" in drawn
