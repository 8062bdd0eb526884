"""Interactions of weights: the decomposition against functions by hand, and the figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Command, job_table

import gafreecell
from gafreecell.comparing.decomposition import Decomposition, decomposition, terms
from gafreecell.figures import (
    FigureError,
    draw_interactions,
    interactions_data,
    plot_interactions,
)
from gafreecell.runs.record import Run

ONE = gafreecell.Workers(1)
FEW: Any = {"vectors": 40, "deals": range(121, 141)}


def decomposed(
    values: Callable[[np.ndarray], np.ndarray],
    noise: float = 0.0,
    seed: int = 1,
    vectors: int = 300,
    uneven: float = 0.0,
) -> Decomposition:
    """The decomposition of a function of three inputs, on 20 deals with noise of their own.

    Effects differ from deal to deal by ``uneven`` times their size.
    """
    rng = np.random.default_rng(seed)
    unit = rng.uniform(-1, 1, (vectors, 3))
    deals = values(unit)[:, None] * rng.normal(1, uneven, 20)
    return decomposition(unit, deals + rng.normal(0, noise, (vectors, 20)) + rng.normal(size=20))


def shares(found: Decomposition) -> dict[tuple[int, ...], float]:
    return {part.places: part.share for part in (*found.singles, *found.pairs)}


def test_the_parts_are_those_worked_out_by_hand() -> None:
    # The variances of u, u², uv are 1/3, 4/45 and 1/9.
    found = decomposed(lambda u: 3 * u[:, 0] + 2 * u[:, 1] ** 2 - 6 * u[:, 0] * u[:, 2])
    whole = 3 + 16 / 45 + 4
    expected = {(0,): 3 / whole, (1,): 16 / 45 / whole, (2,): 0.0}
    expected |= {(0, 1): 0.0, (0, 2): 4 / whole, (1, 2): 0.0}
    assert shares(found) == pytest.approx(expected, abs=1e-9)
    assert found.deviation == pytest.approx(np.sqrt(whole))
    assert (found.rest.share, found.together.share) == pytest.approx((0, 4 / whole), abs=1e-9)
    assert [part.slope for part in found.singles] == pytest.approx([6, 0, 0], abs=1e-9)
    # At both high ends the product adds -6.
    assert [part.slope for part in found.pairs] == pytest.approx([0, -6, 0], abs=1e-9)


def test_a_product_of_all_three_is_rest() -> None:
    found = decomposed(lambda u: u[:, 0] + 3 * u.prod(axis=1), vectors=3000)
    assert found.rest.share == pytest.approx(1 / 2, abs=0.05)
    assert found.together.share == pytest.approx(0, abs=0.02)


@pytest.fixture(scope="module")
def few() -> tuple[np.ndarray, np.ndarray]:
    """Each part's truth, and its shares and intervals for 100 draws of the fewest vectors."""
    square, product = 1 / 3, 1 / 9
    whole = (square + product) * (1 + 0.4**2 / 20) + 3.0**2 / 20
    truth = np.array([square, 0, 0, product, 0, 0, product, whole - square - product]) / whole
    found = []
    for seed in range(100):
        one = decomposed(lambda u: u[:, 0] + u[:, 0] * u[:, 1], 3.0, seed, 40, uneven=0.4)
        parts = (*one.singles, *one.pairs, one.together, one.rest)
        found.append([(part.share, *part.interval) for part in parts])
    return truth, np.array(found)


def test_shares_have_no_bias_with_few_vectors(few: tuple[np.ndarray, np.ndarray]) -> None:
    truth, found = few
    shares = found[:, :, 0]
    error = shares.std(axis=0, ddof=1) / np.sqrt(len(shares))
    assert (np.abs(shares.mean(axis=0) - truth) < 3 * error).all()


def test_intervals_miss_as_often_as_they_say(few: tuple[np.ndarray, np.ndarray]) -> None:
    truth, found = few
    above, below = truth < found[:, :, 1], found[:, :, 2] < truth
    assert 0.02 < (above | below).mean() < 0.08


def test_an_outlier_leaves_a_variance_and_intervals_within_it() -> None:
    # The only vector with a value lies where the error of the fit seems larger than the effect.
    unit = np.random.default_rng(644).uniform(-1, 1, (12, 1))
    found = decomposition(unit, np.tile(np.eye(12)[:, :1], 5))
    assert found.deviation > 0
    for part in (*found.singles, found.rest):
        low, high = part.interval
        assert 0 <= low <= high <= 1


def test_too_few_vectors_are_refused() -> None:
    assert terms(3) == 10
    with pytest.raises(ValueError, match="3 inputs need at least 40 vectors and 2 deals, got 39"):
        decomposed(lambda u: u[:, 0], vectors=39)


@pytest.fixture
def run(toy: Any, tmp_path: Path) -> Run:
    return gafreecell.evolve(job_table(generations=1), tmp_path / "small", ONE)


def test_the_data_are_the_same_for_any_number_of_workers(run: Run) -> None:
    first, second = (interactions_data(run, jobs=jobs, **FEW) for jobs in (1, 2))
    assert first == second
    assert not first.cautions
    other = interactions_data(run, jobs=1, rng=np.random.default_rng(5), **FEW)
    assert other.singles != first.singles
    assert {one.features for one in first.singles} == {("near",), ("middle",), ("far",)}
    # The toy game's nodes follow the distance to a hidden vector, above all in the widest range.
    assert first.singles[0].features == ("far",)
    total = sum(one.share for one in first.singles) + first.together.share + first.rest.share
    assert total == pytest.approx(1) and len(first.pairs) == 3
    assert (first.held.name, first.held.seen, first.by_cost) == ("121-140", 0, False)


def test_a_smaller_reach_draws_around_the_champion(run: Run) -> None:
    wide, near = (interactions_data(run, jobs=1, reach=reach, **FEW) for reach in (1.0, 0.1))
    assert near.deviation < wide.deviation


def test_the_figure_says_what_a_stranger_asks(run: Run) -> None:
    data = interactions_data(run, jobs=ONE, **FEW)
    upper, lower = draw_interactions(data)
    assert upper.get_title(loc="left").startswith("small: which weights matter")
    said = " ".join(text.get_text() for text in upper.texts).replace("\n", " ")
    for words in (
        "40 weight vectors, each weight drawn from its whole range, on 20 deals (121-140, not used",
        "95 % intervals; marks: unbiased estimates, which can be below 0",
    ):
        assert words in said
    rows = [text.get_text() for text in upper.get_yticklabels()]
    further = ["all 3 pairs", "the rest: chance, finer effects"]
    assert rows == [*(one.features[0] for one in data.singles), *further]
    marks = [line.get_xdata() for line in upper.lines if line.get_marker() == "o"]
    effects = [*data.singles, data.together, data.rest]
    assert [mark[0] for mark in marks if len(mark)] == [100 * e.share for e in effects]
    assert [text.get_text() for text in lower.get_yticklabels()] == [
        " × ".join(one.features) for one in data.pairs
    ]
    said = " ".join(
        text.get_text() for text in draw_interactions(replace(data, reach=0.1))[0].texts
    )
    assert "10 % of its range to either side" in said.replace("\n", " ")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"vectors": 39},
            "of 3 weights need at least 40 vectors, four for each of 10 coefficients, got 39: draw "
            "more with --vectors N",
        ),
        ({"deals": range(121, 125)}, "need at least 5 deals, got 4: give more with --deals"),
        ({"reach": 0.0}, "reach must be above 0 and at most 1"),
        ({"deals": []}, "expected at least one deal"),
    ],
)
def test_what_cannot_be_decomposed_is_refused(run: Run, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(FigureError, match=said):
        interactions_data(run, jobs=ONE, **{**FEW, **changes})
    with pytest.raises(FigureError, match="drawn for one run at a time"):
        plot_interactions([run, run])


def test_plot_draws_interactions(run: Run, tmp_path: Path, command: Command) -> None:
    picture = tmp_path / "a.svg"
    words = ("plot", run.folder, "--kind", "interactions", "--deals", "131-140", "--vectors", "40")
    done = command(*words, "--nodes", "500", "-o", picture)
    warned, wrote = done.err.splitlines()
    assert (done.status, done.out, wrote) == (0, "", f"wrote {picture}")
    assert warned.startswith("gafreecell: only 0 % of the searches decided their deal, so the node")
    assert "up to 500 nodes a deal" in picture.read_text()
