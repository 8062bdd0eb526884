"""Replays of solutions of any game."""

from __future__ import annotations

import random

import pytest
from patience_games import BLACK_HOLE, FREECELL, GAMES, SPIDER
from random_positions import shortened, shuffled

from deals.cards import DealError
from gafreecell.solitaire.patience.moves import after, is_won, legal_moves
from gafreecell.solitaire.patience.position import Position
from gafreecell.solitaire.patience.rules import Rules
from gafreecell.solitaire.patience.text import read_boards
from gafreecell.solitaire.patience.verifier import verify

LATE = "Foundations: C-K D-K H-K S-T\nCells: KS\nJS QS\n" + "-\n" * 7


def read(rules: Rules, text: str) -> Position:
    position = read_boards(rules, text)[0]
    assert position is not None
    return position


def test_a_solution() -> None:
    position = read(FREECELL, LATE)
    assert verify(position, ["1-b", "1-h", "b-h", "a-h"]) == ""
    # Any of the empty cells will do.
    assert verify(position, ["1-D", "1-h", "D-h", "A-h"]) == ""


@pytest.mark.parametrize(
    ("moves", "fault"),
    [
        ([], "after move 0: expected 52 cards home, got 49"),
        (["1-b", "1-h"], "after move 2: expected 52 cards home, got 50"),
        (["1-b", "a-h"], "move 2 'a-h': the KS does not go home yet"),
        (["1-b", "9-h", "b-h"], "move 2 '9-h': there is no place 9"),
        (["1-b", "1-h", "b-h", "a-h", "a-h"], "move 5 'a-h': expected a card in a, got none"),
    ],
)
def test_what_is_wrong_with_moves(moves: list[str], fault: str) -> None:
    assert verify(read(FREECELL, LATE), moves) == fault


def test_the_hole() -> None:
    position = read(BLACK_HOLE, "Hole: 9S\nTS\n" + "-\n" * 16)
    assert verify(position, ["1-h"]) == ""
    assert verify(position, []) == "after move 0: expected 52 cards in the hole, got 51"


def test_what_are_no_moves() -> None:
    position = read(FREECELL, LATE)
    with pytest.raises(DealError, match=r"^move 2 '1h': expected draw, redeal, deal or a"):
        verify(position, ["1-b", "1h"])
    with pytest.raises(DealError, match="moves must be a list of words, got '1-b'"):
        verify(position, "1-b")
    with pytest.raises(DealError, match="a board is a Position of patience, got 5"):
        verify(5, [])  # type: ignore[arg-type]


def test_runs_count_as_their_cards() -> None:
    run = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
    home = "Foundations: C-K D-K H-K S-K C-K D-K H-K S-0"
    position = read(SPIDER, f"{home}\n{run}\n" + "-\n" * 9)
    assert verify(position, []) == "after move 0: expected 104 cards home, got 91"
    assert verify(position, ["1-h"]) == ""


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.title)
def test_random_play_is_judged_by_where_it_ends(rules: Rules) -> None:
    generator = random.Random(1)
    ends = set()
    for _ in range(5):
        start = position = shuffled(shortened(rules, 2), generator)
        moves: list[str] = []
        while len(moves) < 60 and not is_won(position) and (found := legal_moves(position)):
            home = [move for move in found if move.endswith("-h")]
            moves.append(generator.choice(home or found))
            position = after(position, moves[-1])
        ends.add(is_won(position))
        assert (verify(start, moves) == "") == is_won(position)
        assert verify(start, moves[:-1]) or not moves
    # Two ranks do not fill the piles of Spider, and then its stock does not deal.
    assert (True in ends) == (rules is not SPIDER)
