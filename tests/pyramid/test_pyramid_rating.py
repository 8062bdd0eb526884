"""Grades of Pyramid decks: random games against the verifier's rules, and the committed scale."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest

from deals.cards import rank_of
from deals.pyramid_deck import PyramidDeck, pyramid, pyramid_card_name
from gafreecell.jit.kernels.draws import below, new_draws
from gafreecell.solitaire.pyramid.kernels.random_games import REMOVAL_ODDS
from gafreecell.solitaire.pyramid.rating import GAMES, SCORE, SEED, random_games_won, rate
from gafreecell.solitaire.pyramid.solver import solve
from gafreecell.solitaire.pyramid.verifier import RECYCLES, Position
from gafreecell.solving.outcome import Status
from gafreecell.solving.rating import read_scale

TABLE = Path(__file__).parents[2] / "docs/rating-pyramid.csv"
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))


def removals(position: Position) -> list[tuple[int, ...]]:
    """The cards that can go now, in the kernel's order: the pyramid's from the tip, the stock's
    top, the waste's top."""
    uncovered = position.playable()
    inside = [position.pyramid[place] for place in sorted(position.pyramid)]
    outside = position.stock[:1] + position.waste[-1:]
    cards = [card for card in inside if card in uncovered] + outside
    found = []
    for one, other in combinations_with_replacement(cards, 2):
        if one == other and rank_of(one) == 13:
            found.append((one,))
        elif one != other and rank_of(one) + rank_of(other) == 13:
            found.append((one, other))
    return found


def won_by_the_rules(deck: PyramidDeck, games: int) -> int:
    """``random_games_won`` by the verifier's rules."""
    draws, won = new_draws(SEED, 0), 0
    for _ in range(games):
        position = Position(deck)
        while position.pyramid:
            options = removals(position)
            draw = bool(position.stock) or (bool(position.waste) and position.recycles < RECYCLES)
            if not options and not draw:
                break
            chosen = below(draws, REMOVAL_ODDS * len(options) + draw) // REMOVAL_ODDS
            if chosen < len(options):
                position.play("Remove " + " and ".join(map(pyramid_card_name, options[chosen])))
            else:
                position.play("Draw" if position.stock else "Recycle")
        won += not position.pyramid
    return won


@pytest.mark.parametrize("deal", [2, 3, 5, 8, 20])
def test_random_games_go_by_the_rules(deal: int) -> None:
    deck = pyramid(deal)
    assert random_games_won(deck, 60) == won_by_the_rules(deck, 60)


def test_measures_and_the_shortest_solution() -> None:
    found = rate(2)
    outcome = solve(2)
    assert outcome.lengths is not None
    assert found.status is Status.SOLVED
    won = random_games_won(pyramid(2), GAMES)
    assert 0 < won < GAMES
    assert found.measures == {
        "won": won, "games": GAMES, "steps": outcome.lengths["steps"], SCORE: (GAMES - won) / GAMES,
    }  # fmt: skip
    assert replace(rate(pyramid(2)), seconds=0) == replace(found, seconds=0)


def test_a_deck_that_cannot_be_cleared_has_no_grade() -> None:
    deal = next(n for n in range(1, 50) if solve(n).status is Status.UNSOLVABLE)
    found = rate(deal)
    assert (found.status, found.grade) == (Status.UNSOLVABLE, None)
    assert set(found.measures.values()) == {None}
    assert random_games_won(pyramid(deal), GAMES) == 0


@pytest.mark.parametrize("row", ROWS[::60], ids=lambda row: row["deal"])
def test_committed_ratings_come_out_again(row: dict[str, str]) -> None:
    found = rate(int(row["deal"]))
    assert found.grade == int(row["grade"])
    for name, value in found.measures.items():
        assert value is not None
        assert float(row[name]) == pytest.approx(value)


def test_the_scale_parts_decks_that_did_not_make_it_into_tenths_too() -> None:
    first, last = map(
        int, read_scale("gafreecell.solitaire.pyramid").provenance["deals"].split("-")
    )
    assert not any(first <= int(row["deal"]) <= last for row in ROWS)
    counts = np.bincount([int(row["grade"]) for row in ROWS], minlength=11)[1:]
    shares = counts / len(ROWS)
    assert len(ROWS) > 600
    assert shares.min() > 0.04 and shares.max() < 0.16, "five standard deviations"


def test_weak_players_lose_more_on_every_higher_pair_of_grades() -> None:
    measures = ("deal", "grade", "won", "games", "steps", SCORE)
    for name in [column for column in ROWS[0] if column not in measures]:
        lost = [
            np.mean([float(r[name]) for r in ROWS if (int(r["grade"]) - 1) // 2 == pair])
            for pair in range(5)
        ]
        assert lost == sorted(lost), name
