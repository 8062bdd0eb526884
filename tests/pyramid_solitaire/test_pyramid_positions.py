"""Solving from positions in the middle of a game, against every position that can be reached."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_pyramid import Endgame, distances, random_endgame, successors

from deals import DealError, PyramidPosition, pyramid
from deals.pyramid_position import GONE
from pyramid_solitaire import solve, verify
from pyramid_solitaire.position import filled_in, pack, pack_deck, pack_position, waste_kings
from pyramid_solitaire.verifier import Position
from solving.outcome import Status

MOST = 800
"""The most positions for the slow search."""


def board_of(endgame: Endgame, generator: random.Random) -> PyramidPosition:
    """An endgame with suits: which of them a card has is nobody's concern."""
    suits = {rank: generator.sample(range(4), 4) for rank in range(1, 14)}
    cards = [4 * rank + suits[rank].pop() for rank in endgame.ranks]
    position = endgame.position
    return PyramidPosition(
        tuple(cards[c] if c in position.pyramid else GONE for c in range(28)),
        tuple(cards[c] for c in position.stock),
        tuple(cards[c] for c in position.waste),
        position.recycles,
    )


@st.composite
def cases(draw: st.DrawFn) -> tuple[PyramidPosition, int | None]:
    """Positions, also with kings in the waste, and the fewest steps that clear their pyramid."""
    generator = random.Random(draw(st.integers(0, 2**32)))
    while True:
        size = generator.choice([(4, 6), (8, 8), (14, 9), (20, 6), (28, 2)])
        endgame = random_endgame(generator, *size)
        for _ in range(generator.choice([0, 0, 2, 4])):
            draws = [p for step, p in successors(endgame.ranks, endgame.position) if step == "draw"]
            endgame = Endgame(endgame.ranks, draws[0] if draws else endgame.position)
        reached = distances(endgame, MOST)
        if reached is not None:
            ends = [steps for position, steps in reached.items() if not position.pyramid]
            return board_of(endgame, generator), min(ends, default=None)


@settings(max_examples=150)
@given(cases())
def test_positions_are_cleared_with_the_fewest_steps(
    case: tuple[PyramidPosition, int | None],
) -> None:
    board, best = case
    outcome = solve(board)
    if best is None:
        assert outcome.status is Status.UNSOLVABLE
        return
    assert outcome.status is Status.SOLVED and outcome.moves is not None
    assert verify(board, outcome.moves).cleared
    assert outcome.lengths == {"steps": len(outcome.moves)}
    # Each king that lies in the waste may cost a step.
    assert best <= len(outcome.moves) <= best + len(waste_kings(board))


def test_a_game_goes_on_from_anywhere() -> None:
    """The rest of a shortest solution is a shortest solution of where it begins."""
    solved = [(number, steps) for number in range(1, 12) if (steps := solve(number).moves)]
    assert len(solved) > 3
    for number, steps in solved:
        game = Position(pyramid(number))
        for played in range(0, len(steps), 5):
            rest = solve(game.board)
            assert rest.moves is not None and len(rest.moves) == len(steps) - played
            for step in steps[played : played + 5]:
                game.play(step)
        assert solve(game.board).moves == ()


def test_challenges_count_from_the_start_of_the_game() -> None:
    for goal in ("score", "score:500", "cards:Q"):
        whole = solve(7, goal=goal)
        assert whole.moves is not None and whole.lengths is not None
        game = Position(pyramid(7))
        for step in whole.moves[: len(whole.moves) // 2]:
            game.play(step)
        rest = solve(game.board, goal=goal)
        kind = goal.partition(":")[0]
        assert rest.moves is not None and rest.lengths is not None
        assert rest.lengths[kind] >= min(whole.lengths[kind], 500)
        verdict = verify(game.board, rest.moves)
        assert rest.lengths[kind] == (verdict.score if kind == "score" else verdict.count(12))


def test_a_challenge_with_a_king_in_the_waste_is_refused() -> None:
    deck = pyramid(2)
    game = Position(deck)
    while not waste_kings(game.board):
        game.play("Draw")
    assert solve(game.board).status.decided
    with pytest.raises(DealError, match="a king lies in the waste"):
        solve(game.board, goal="score")


def test_a_whole_deck_as_a_position_is_that_deck() -> None:
    deck = pyramid(5)
    whole = PyramidPosition.of_deck(deck)
    assert filled_in(whole) == deck
    for one, other in zip(pack_position(whole), pack_deck(deck), strict=True):
        assert (one == other) is True or (one == other).all()
    assert solve(whole).moves == solve(deck).moves
    assert pack_position(whole).at == pack([1] * 52).at == 0
