"""Which moves keep the win, against every position that can be reached."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from deals import FreeCellBoard, freecell, pyramid
from deals.cards import DECK, rank_of, suit_of
from gafreecell.service.hints import Hint, adviser, judge
from gafreecell.solitaire.game import game
from gafreecell.solitaire.pyramid import solve as solve_pyramid
from gafreecell.solitaire.pyramid.verifier import Position
from gafreecell.solving.outcome import Limits, Status

MOST = 600
"""The most positions for the slow search."""
FREECELL: Any = game("freecell")
PYRAMID: Any = game("pyramid")


def winnable(lister: Any, start: Any, name: Callable[[Any], object]) -> dict[object, bool]:
    """Whether each position that can be reached can be won; empty if there are too many."""
    before: dict[object, list[object]] = {name(start): []}
    won, coming = [], [start]
    while coming:
        board = coming.pop()
        if len(before) > MOST:
            return {}
        if lister.verify(board, []) == "":
            won.append(name(board))
            continue
        for move in lister.legal_moves(board):
            reached = lister.after(board, move)
            if name(reached) not in before:
                before[name(reached)] = []
                coming.append(reached)
            before[name(reached)].append(name(board))
    good = set(won)
    while won:
        for one in before[won.pop()]:
            if one not in good:
                good.add(one)
                won.append(one)
    return {one: one in good for one in before}


def hint_of(lister: Any, board: Any, **limits: int) -> Hint:
    return judge(board, lister, adviser(lister), Limits(**limits), jobs=1)


def check(lister: Any, board: Any, name: Callable[[Any], object]) -> set[bool | None]:
    """The hint says what the slow search says; returns what it says of the moves."""
    known = winnable(lister, board, name)
    if not known:
        return set()
    found = hint_of(lister, board)
    assert found.status is (Status.SOLVED if known[name(board)] else Status.UNSOLVABLE)
    assert found.decided
    said = {one.move: one.keeps_win for one in found.moves}
    assert said == {
        move: known[name(lister.after(board, move))] for move in lister.legal_moves(board)
    }
    ranks = [(not one.keeps_win, one.left or 0) for one in found.moves]
    assert ranks == sorted(ranks)
    assert found.best == (found.moves[0].move if known[name(board)] else None)
    return {*said.values()}


def same(board: FreeCellBoard) -> object:
    """A board up to the order of its cascades."""
    return tuple(sorted(board.cascades)), board.foundations


def cramped(seed: int) -> FreeCellBoard:
    """The end of a FreeCell game without cells, in four cascades."""
    generator = random.Random(seed)
    c, d, h, s = (generator.randint(7, 11) for _ in range(4))
    left = [card for card in DECK if rank_of(card) > (c, d, h, s)[suit_of(card)]]
    generator.shuffle(left)
    columns: list[list[int]] = [[] for _ in range(4)]
    for card in left:
        generator.choice(columns).append(card)
    return FreeCellBoard(tuple(map(tuple, columns)), (), (c, d, h, s), 0)


def test_freecell() -> None:
    answers = [check(FREECELL, cramped(seed), same) for seed in (3, 4, 5, 126, 131, 139)]
    assert {True} in answers and {False} in answers and answers.count({True, False}) >= 4


@pytest.mark.parametrize(("number", "left"), [(8, 9), (65, 12), (76, 11), (7, 5)])
def test_pyramid(number: int, left: int) -> None:
    steps = solve_pyramid(number).moves
    assert steps is not None
    game = Position(pyramid(number))
    for step in steps[:-left]:
        game.play(step)
    assert check(PYRAMID, game.board, str) == ({True} if number == 7 else {True, False})


def test_what_the_limits_leave_open_is_unknown() -> None:
    found = hint_of(FREECELL, freecell(1), nodes=1)
    assert found.status is Status.NODE_LIMIT and not found.decided and found.best is None
    assert {one.keeps_win for one in found.moves} == {None}
    assert sorted(one.move for one in found.moves) == sorted(FREECELL.legal_moves(freecell(1)))


def test_the_best_move_is_part_of_a_solution_of_that_length() -> None:
    for number in (1, 2, 3):
        board = freecell(number)
        whole = FREECELL.solver.solve(board, adviser(FREECELL), None)
        found = hint_of(FREECELL, board)
        assert found.moves[0].left is not None
        assert found.moves[0].left <= len(whole.moves) - 1
        assert found.solution and len(found.solution) == found.moves[0].left + 1
        # Every solution begins with its move, and wins.
        for one in found.moves:
            assert one.solution and not FREECELL.verify(board, one.solution)
            assert FREECELL.listed(board, one.solution[0]) == one.move
        assert judge(board, FREECELL, adviser(FREECELL), Limits(), jobs=2).moves == found.moves
