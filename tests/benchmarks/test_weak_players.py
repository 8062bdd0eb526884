"""Weak players keep the rules, as verifiers that share nothing with them know them."""

from __future__ import annotations

import players_probe
import pytest
from plain_kernels import plain_lines_of
from players import freecell, pyramid
from players.kernels.freecell import MOST_TURNS

from deals import freecell as deal_freecell
from deals.pyramid_deck import pyramid as deal_pyramid
from gafreecell.solitaire.pyramid.steps import token as step_of
from gafreecell.solitaire.pyramid.verifier import RECYCLES
from gafreecell.solitaire.pyramid.verifier import Position as PyramidPosition
from hsd.notation import token
from hsd.verifier import Position as FreeCellPosition


@pytest.mark.parametrize("name", freecell.PLAYERS)
def test_games_of_freecell_replay(name: str) -> None:
    results = []
    for deal in range(1, 6):
        for moves, won in freecell.games(freecell.PLAYERS[name], deal, 3):
            position = FreeCellPosition.from_board(deal_freecell(deal))
            for move in moves.tolist():
                position.play(token(move))
            assert position.is_solved == won
            assert len(moves) <= MOST_TURNS + 52
            results.append(won)
    assert any(results) and not all(results), "a weak player"


@pytest.mark.parametrize("name", pyramid.PLAYERS)
def test_games_of_pyramid_replay(name: str) -> None:
    results = []
    for deal in range(1, 11):
        deck = deal_pyramid(deal)
        for steps, won in pyramid.games(pyramid.PLAYERS[name], deal, 4):
            position = PyramidPosition(deck)
            for step in steps.tolist():
                position.play(step_of(step, deck))
            assert (not position.pyramid) == won
            if not won:
                assert not position.stock, "it plays to the end"
                assert position.recycles == RECYCLES or not position.waste
            results.append(won)
    assert any(results) and not all(results)


def test_a_game_depends_on_the_seed_and_the_deal_alone() -> None:
    for module in (freecell, pyramid):
        player = module.PLAYERS["tidy"]
        first, again, other = (
            [moves.tolist() for moves, _ in module.games(player, 3, 5, seed)] for seed in (0, 0, 1)
        )
        assert first == again != other
        assert len(set(map(tuple, first))) > 1


def test_taking_back_wins_games() -> None:
    """The player with second thoughts differs from the other in nothing else."""
    shares = [
        sum(freecell.share_lost(freecell.PLAYERS[name], deal, 10) for deal in range(1, 41))
        for name in ("digger", "digger with second thoughts")
    ]
    assert shares[1] < 0.8 * shares[0]


def test_the_kernels_are_plain_python_too() -> None:
    assert plain_lines_of(players_probe) == players_probe.results()
