"""Grades of FreeCell deals: what they are made from, what has none, and the committed scale."""

from __future__ import annotations

import csv
from dataclasses import replace
from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from deals import FreeCellBoard, freecell
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.rating import RatingError, read_scale
from hsd import GAME, preset
from hsd.legal_moves import after
from hsd.rating import CELLS, MEASURES, NODES, PATIENT, SCORE, describe, rate, score_of
from hsd.solver import run

TABLE = Path(__file__).parents[2] / "docs/rating-freecell.csv"
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))
FEWER, MORE = 60, 145
"""Of 1,000 deals, those in a tenth: five standard deviations to either side."""


@pytest.mark.parametrize("deal", [1, 164, 617])
def test_measures_are_what_the_search_expands_with_fewer_and_fewer_cells(deal: int) -> None:
    weights, found = preset("best-first"), rate(deal)
    for cells in CELLS:
        outcome = run(deal, weights.evaluator, weights.search, Limits(NODES), cells=cells)
        solved = outcome.status is Status.SOLVED
        assert found.measures[MEASURES[cells]] == (outcome.nodes.expanded if solved else None)
    assert replace(rate(freecell(deal)), seconds=0) == replace(found, seconds=0)


def test_the_score_is_a_mean_of_logarithms() -> None:
    assert score_of([100, 100, 100]) == pytest.approx(log(100))
    assert exp(score_of([10, 100, 1000])) == pytest.approx(100)
    assert score_of([100, None, None]) == score_of([100, NODES, NODES])
    assert score_of([0, 1, 1]) == 0


def test_a_deal_that_cannot_be_won_has_no_grade() -> None:
    found = rate(11982)
    assert (found.status, found.grade) == (Status.UNSOLVABLE, None)
    assert set(found.measures) == {*MEASURES.values(), SCORE}
    assert set(found.measures.values()) == {None}


def test_what_no_search_decides_has_no_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    from hsd import rating

    weights = {name: replace(preset(name), limits=Limits(50)) for name in PATIENT}
    monkeypatch.setattr(rating.SOLVER, "weights", weights.__getitem__)
    monkeypatch.setattr(rating, "NODES", 50)
    found = rate(617)
    assert (found.status, found.grade) == (Status.NODE_LIMIT, None)


@pytest.mark.parametrize(
    ("board", "words"),
    [
        (freecell(1, cells=3), "8 cascades and 4 cells has grades; this game has 8 and 3"),
        (freecell(1, cascades=9), "this game has 9 and 4"),
        # One card moved: into a cell, and onto another cascade.
        (after(freecell(1), "1a"), "only a whole deal"),
        (after(freecell(5), "53"), "only a whole deal"),
    ],
)
def test_other_games_and_positions_have_no_grades(board: FreeCellBoard, words: str) -> None:
    with pytest.raises(RatingError, match=words):
        GAME.check_rating(board)


def test_any_order_of_the_cascades_is_a_whole_deal() -> None:
    GAME.check_rating(replace(freecell(5), cascades=freecell(5).cascades[::-1]))


def test_numbers_have_grades_in_the_usual_game_alone() -> None:
    GAME.check_rating(5)
    with pytest.raises(RatingError, match="this game has 8 and 2"):
        GAME.vary(cells=2).check_rating(5)


@pytest.mark.parametrize("row", ROWS[::100], ids=lambda row: row["deal"])
def test_committed_ratings_come_out_again(row: dict[str, str]) -> None:
    """A change of the solver that changes grades asks for ``make rating``."""
    found = rate(int(row["deal"]))
    assert found.grade == int(row["grade"])
    for name, value in found.measures.items():
        assert row[name] == ("" if value is None else str(round(value, 4)))


def test_the_scale_parts_deals_that_did_not_make_it_into_tenths_too() -> None:
    first, last = map(int, read_scale("hsd").provenance["deals"].split("-"))
    deals = [int(row["deal"]) for row in ROWS]
    assert len(set(deals)) == 1000
    assert not any(first <= deal <= last for deal in deals)
    counts = np.bincount([int(row["grade"]) for row in ROWS], minlength=11)[1:]
    assert counts.min() > FEWER and counts.max() < MORE


def test_weak_players_lose_more_on_every_higher_pair_of_grades() -> None:
    players = [name for name in ROWS[0] if name not in ("deal", "grade", *MEASURES.values(), SCORE)]
    assert len(players) >= 5
    for name in players:
        lost = [
            np.mean([float(r[name]) for r in ROWS if (int(r["grade"]) - 1) // 2 == pair])
            for pair in range(5)
        ]
        assert lost == sorted(lost), name


def test_budgets_that_the_solver_used_up_are_told_together() -> None:
    said = describe(dict.fromkeys(MEASURES.values()))
    assert said == "the solver gives up after 20,000 positions with 4, 3 and 2 cells"
