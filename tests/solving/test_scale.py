"""Scales of grades: tenths of a sample, their file, their words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gafreecell.solving.rating import GRADES, RatingError, Scale, parse_scale, word

SCALE = Scale((1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0), {"deals": "1-10"})


def test_a_score_that_reaches_a_threshold_has_the_grade_above_it() -> None:
    assert [SCALE.grade(score) for score in (-5.0, 0.99, 1.0, 1.5, 8.9, 9.0, 100.0)] == [
        1, 1, 2, 2, 9, 10, 10,
    ]  # fmt: skip


@given(st.lists(st.floats(-1e6, 1e6), min_size=30, unique=True))
def test_each_grade_has_a_tenth_of_the_sample(scores: list[float]) -> None:
    scale = Scale.of(scores, {})
    grades = [scale.grade(score) for score in scores]
    counts = np.bincount(grades, minlength=GRADES + 1)
    assert counts[0] == 0
    assert np.abs(counts[1:] - len(scores) / GRADES).max() <= 1
    pairs = sorted(zip(scores, grades, strict=True))
    assert [grade for _, grade in pairs] == sorted(grades), "harder deals have higher grades"


def test_a_scale_comes_back_from_its_file() -> None:
    assert parse_scale(SCALE.to_text()) == SCALE


@pytest.mark.parametrize("thresholds", [(), (1.0,) * 8, (9.0, *SCALE.thresholds[1:])])
def test_a_scale_has_nine_ascending_thresholds(thresholds: tuple[float, ...]) -> None:
    with pytest.raises(RatingError, match="9 ascending thresholds"):
        Scale(thresholds, {})


def test_another_file_is_refused() -> None:
    with pytest.raises(RatingError, match="not a scale of grades"):
        parse_scale('{"format": {"name": "gafreecell-weights", "version": 2}}')


def test_words_follow_grades() -> None:
    words = [word(grade) for grade in range(1, GRADES + 1)]
    assert (words[0], words[-1]) == ("very easy", "very hard")
    assert len(dict.fromkeys(words)) == 5
