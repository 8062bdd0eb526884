"""Grades of Klondike deals: careless games against a plain twin, and the committed scales."""

from __future__ import annotations

import csv
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from late_positions import late_position
from plain_hidden import PlainDraws, play_out
from plain_klondike import RULES, PlainTable, Rules
from plain_kplus import State, result

from deals import KlondikeBoard, klondike
from gafreecell.jit.kernels.draws import new_draws
from gafreecell.solitaire.klondike.game import GAME
from gafreecell.solitaire.klondike.hidden.kernels.careless import count_won
from gafreecell.solitaire.klondike.hidden.kernels.seat import new_seat
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solitaire.klondike.rating import GAMES, SCORE, SEED, careless_games_won
from gafreecell.solving.outcome import Status
from gafreecell.solving.rating import RatingError, read_scale

DOCS = Path(__file__).parents[2] / "docs"
DRAWS = (1, 3)
ROWS = {
    draw: list(csv.DictReader((DOCS / f"rating-klondike-draw-{draw}.csv").open(encoding="utf-8")))
    for draw in DRAWS
}
EACH = [(draw, row) for draw in DRAWS for row in ROWS[draw][::60]]


def games_of_the_twin(table: PlainTable, games: int) -> tuple[int, int]:
    """How many careless games are won in plain Python, and the last state of the random numbers."""
    draws = PlainDraws(int(new_draws(SEED, 0)[0]))

    def choose(many: int) -> int:
        place = 0
        while place < many - 1 and draws.below(2):
            place += 1
        return place

    won = 0
    for _ in range(games):
        made, _ = play_out(table, choose)
        state = State.of(table)
        for action in made:
            state = result(state, action)
        won += state.won
    return won, draws.state


@pytest.mark.parametrize("rules", RULES)
def test_careless_games_against_the_plain_twin(rules: Rules) -> None:
    generator = random.Random(5)
    late = [late_position(generator, *rules) for _ in range(3)]
    for board, games in ((klondike(1, *rules), 6), *((board, 4) for board in late)):
        seat = new_seat()
        seat.determinization[:], seat.draws[:] = pack_board(board), new_draws(SEED, 0)
        won = count_won(seat, games)
        assert (won, int(seat.draws[0])) == games_of_the_twin(PlainTable.of(board), games)
        assert careless_games_won(board, games) == won


def test_the_measures_and_their_grade() -> None:
    for draw in DRAWS:
        found = GAME.vary(draw=draw).rate(3)
        won = careless_games_won(klondike(3, draw), GAMES)
        assert 0 < won < GAMES and found.status is Status.SOLVED
        assert found.measures == {"won": won, "games": GAMES, SCORE: (GAMES - won) / GAMES}
        scale = read_scale("gafreecell.solitaire.klondike", f"rating-draw-{draw}.json")
        assert found.grade == scale.grade((GAMES - won) / GAMES)
        assert GAME.vary(draw=draw).grade_winnable(3) == found.grade
        assert f"wins {won} of 1,000 games" in GAME.describe_rating(found)


def test_lost_deals_and_boards_with_unknown_cards_have_no_grade() -> None:
    lost = GAME.rate(10)
    assert (lost.status.value, lost.grade, lost.measures["won"]) == ("unsolvable", None, None)
    assert careless_games_won(klondike(10), GAMES) == 0
    with pytest.raises(RatingError, match="gafreecell hint"):
        GAME.check_rating(replace(klondike(1), stock=(0,) * 24))
    GAME.check_rating(KlondikeBoard.from_text(str(klondike(3))))


@pytest.mark.parametrize(("draw", "row"), EACH, ids=lambda one: str(one)[:30])
def test_committed_ratings_come_out_again(draw: int, row: dict[str, str]) -> None:
    found = GAME.vary(draw=draw).rate(int(row["deal"]))
    assert found.grade == int(row["grade"])
    assert found.measures["won"] == int(row["won"])


@pytest.mark.parametrize("draw", DRAWS)
def test_the_scale_parts_deals_that_did_not_make_it_into_tenths_too(draw: int) -> None:
    scale = read_scale("gafreecell.solitaire.klondike", f"rating-draw-{draw}.json")
    first, last = map(int, scale.provenance["deals"].split("-"))
    assert not any(first <= int(row["deal"]) <= last for row in ROWS[draw])
    counts = np.bincount([int(row["grade"]) for row in ROWS[draw]], minlength=11)[1:]
    shares = counts / len(ROWS[draw])
    assert len(ROWS[draw]) > 300
    assert shares.min() > 0.03 and shares.max() < 0.18


@pytest.mark.parametrize("draw", DRAWS)
def test_players_lose_more_on_every_higher_pair_of_grades(draw: int) -> None:
    measures = ("deal", "grade", "won", "games", SCORE)
    for name in [column for column in ROWS[draw][0] if column not in measures]:
        lost = [
            np.mean([float(r[name]) for r in ROWS[draw] if (int(r["grade"]) - 1) // 2 == pair])
            for pair in range(5)
        ]
        assert lost == sorted(lost), name
