"""The complete search in mid-game: it calls nothing unsolvable that can be won.

Its dominance rules must not rest on what only holds for a deal, such as that the cards home lie
there for good.
"""

from __future__ import annotations

import random

import pytest
from late_positions import late_position
from test_complete import WAYS, solve

from deals import KlondikeBoard, klondike
from gafreecell.solitaire.klondike.hidden import advise
from gafreecell.solitaire.klondike.legal_moves import after, legal_moves
from gafreecell.solitaire.klondike.moves import token
from gafreecell.solitaire.klondike.verifier import verify
from gafreecell.solving.outcome import Status

THE_RULES, NO_RULE = WAYS[0], WAYS[-1]

KING_HOME = """Foundations: C-9 D-K H-5 S-T
Waste: 6H JC
Stock:
KC
KS QH JS TH
KH
QS JH TC 9H
8H
QC
7H
"""
"""All four kings have a pile or are home, and the king of diamonds has to come back."""
KING_COMES_BACK = "43v4 D4 D1 D6 S6 36 3h wh wh 7h 5h 6h 2h 3h 6h 2h 2h 3h 2h 3h 6h 1h 4h 6h 1h"

FIVE_STAYS = """Foundations: C-4 D-A H-4 S-4
Waste:
Stock:
5H
KC QD JC TD 9C 8D 7C 6D 5C 4D
KD QC JD TC 9D 8C 7D
KH QS JH TS 9H 8S 7H
KS QH JS TH 9S 8H 7S 6H 5S
:
<6C> <6S> <5D> <2D> 3D
"""
"""Both black fours are home, and one has to come back to the five of hearts for the three."""

NOTHING_ELSE = """Foundations: C-J D-T H-K S-4
Waste: 9S JD TS
Stock:
JS
<7S> 6S
KS QD
KD QC
KC
<5S> 8S
QS
"""
"""What is left is to empty a pile, to which the king of hearts comes back for a queen."""


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
@pytest.mark.parametrize("text", [KING_HOME, FIVE_STAYS], ids=["king", "five"])
def test_what_cards_that_come_back_can_win(text: str, way: dict[str, str]) -> None:
    assert solve(KlondikeBoard.from_text(text), **way).status is Status.SOLVED


def test_a_king_comes_back() -> None:
    board = KlondikeBoard.from_text(KING_HOME)
    assert verify(board, KING_COMES_BACK.split()).solved


@pytest.mark.parametrize("text", [KING_HOME, NOTHING_ELSE], ids=["king", "nothing else"])
def test_hints_with_hidden_cards_call_nothing_lost_that_can_be_won(text: str) -> None:
    board = KlondikeBoard.from_text(text)
    assert solve(board).status is Status.SOLVED
    assert advise(board, "best", {"samples": 20})


def test_late_positions_with_the_rules_and_without() -> None:
    generator = random.Random(1)
    lost = 0
    for _ in range(2000):
        lost += is_lost(late_position(generator))
    assert lost > 100


def is_lost(board: KlondikeBoard) -> bool:
    """Whether the search calls it unsolvable, which it must then without its rules as well."""
    if solve(board, 5_000, **THE_RULES).status is not Status.UNSOLVABLE:
        return False
    # What is solved would be replayed by the verifier.
    assert solve(board, 100_000, **NO_RULE).status is not Status.SOLVED, board
    return True


def test_positions_on_a_way_to_a_win_and_beside_it() -> None:
    generator = random.Random(3)
    tried = back = 0
    for number in range(101, 107):
        way = generator.choice(WAYS)
        found = solve(klondike(number), 5_000, **way)
        position = klondike(number)
        for move in () if found.moves is None else found.moves:
            assert solve(position, 1_000).status is not Status.UNSOLVABLE
            beside = position
            for _ in range(generator.choice((0, 0, 1, 3))):
                moves = legal_moves(beside)
                returns = [move for move in moves if move[0] in "CDHS"]
                back += bool(returns)
                beside = after(beside, generator.choice(returns or moves))
                tried += 1
                if is_lost(beside):
                    break
            position = after(position, token(int(move)))
    assert tried > 200 and back > 50
