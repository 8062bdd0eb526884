"""The weighted sum in whole numbers against that of the features."""

from __future__ import annotations

import inspect
import random

import numpy as np
import pytest
from engine import Engine
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_features import values_of
from positions import turned_about
from random_boards import boards
from random_games import SEEDS, starts, walk

from deals import FreeCellBoard, freecell
from deals.cards import rank_of
from deals.freecell_board import MAX_CASCADES, MAX_CELLS, MIN_CASCADES, MIN_CELLS
from hsd.kernels.features import BREAKS_RUN, DEADLOCK_BOUND, MOVES_MADE, NAMES
from hsd.kernels.linear import UNIT, Coefficients, compiled, halvings

MADE = st.integers(0, 3000)
Weights = dict[str, float]


def of_size(size: float) -> st.SearchStrategy[Weights]:
    """Weights of all features up to a size, none of some."""
    weight = st.floats(-size, size) | st.just(0.0)
    return st.lists(weight, min_size=len(NAMES), max_size=len(NAMES)).map(
        lambda w: dict(zip(NAMES, w, strict=True))
    )


def rounding(engine: Engine, made: int) -> float:
    """The largest possible error of the sum: half a unit for each time a coefficient is added."""
    twin = engine.twin()
    counts = values_of(twin)
    columns = [column for column in twin.cascades if column]
    times = (
        1  # What depends on cells and cascades in use.
        + made
        + 48 * (counts["AboveNext"] + counts["AboveSecond"] + counts["OwnSuitBelow"])
        + 18 * counts["LeastAboveNext"]
        + 51 * (counts["SequenceBreaks"] + counts["Inversions"])
        + 200 * counts["InversionDepth"]
        + 52 * counts["NotPlaced"]
        + 4 * counts["KingsBuried"]
        + 12 * twin.cell_count * counts["CellRanks"]
        + sum(map(len, columns))  # At most so many are sorted.
        + sum(rank_of(column[0]) + rank_of(column[-1]) for column in columns)
        + sum(twin.foundations)
        + min(twin.foundations)
        + max(twin.foundations)
    )
    return times / 2 + 1


def within_range(engine: Engine) -> bool:
    """Whether no feature is cut off at its largest value, and the position is not the goal."""
    counts = values_of(engine.twin())
    above = 48 * counts["AboveNext"]
    return 2 * above <= 96 and counts["LeastAboveNext"] <= 1 and sum(engine.home()) < 52


@given(starts(), of_size(1.0) | of_size(100.0), MADE, SEEDS)
def test_it_is_the_weighted_sum(
    board: FreeCellBoard, weights: Weights, made: int, seed: int
) -> None:
    unit = UNIT / 2 ** halvings(np.array([weights[name] for name in NAMES]))
    for engine in filter(within_range, walk(board, seed, 10)):
        values = engine.features() | {MOVES_MADE: made / 100, DEADLOCK_BOUND: 0.0, BREAKS_RUN: 0.0}
        expected = sum(weights[name] * values[name] for name in NAMES)
        found = engine.linear_score(weights, made)
        assert found == pytest.approx(expected * unit, abs=rounding(engine, made))


@pytest.mark.parametrize("cascades", range(MIN_CASCADES, MAX_CASCADES + 1))
@pytest.mark.parametrize("cells", range(MIN_CELLS, MAX_CELLS + 1))
@settings(max_examples=5)
@given(data=st.data(), made=MADE, number=SEEDS)
def test_each_feature_alone(
    cascades: int, cells: int, data: st.DataObject, made: int, number: int
) -> None:
    """Its kernel and its terms agree, in games of every size."""
    dealt = st.just(freecell(number + 1, cascades, cells))
    engine = Engine(data.draw(boards(cascades=cascades, cells=cells) | dealt))
    if not within_range(engine):
        return
    values = engine.features() | {MOVES_MADE: made / 100, BREAKS_RUN: 0.0}
    error = rounding(engine, made)
    for name in values:
        assert engine.linear_score({name: 1.0}, made) == pytest.approx(
            values[name] * UNIT, abs=error
        ), f"hsd/kernels/features.py: the kernel and the terms of {name} differ"


def test_the_bound_is_weighed_by_its_range() -> None:
    """Searches add it to the sum."""
    for cascades, cells in ((4, 0), (8, 4), (9, 7)):
        engine = Engine(freecell(1, cascades, cells))
        assert engine.linear_score({DEADLOCK_BOUND: 1.0}, 100) == 0
        assert engine.compiled({DEADLOCK_BOUND: 1.0})[0].of.bound == round(UNIT / 48)


@given(starts(), of_size(1.0), MADE, SEEDS)
def test_the_score_after_a_move_is_told_before_it(
    board: FreeCellBoard, weights: Weights, made: int, seed: int
) -> None:
    for engine in walk(board, seed, 8):
        engine.check_scores_after(weights, made)


@given(starts(), of_size(1.0), MADE, SEEDS, st.booleans())
def test_it_depends_on_the_state_alone(
    board: FreeCellBoard, weights: Weights, made: int, seed: int, safe: bool
) -> None:
    """Bit-identical whatever the order of places, and however the position came about."""
    generator = random.Random(seed)
    for engine in walk(board, seed, 20, safe):
        turned = Engine(turned_about(engine.as_board(), generator))
        assert engine.linear_score(weights, made) == turned.linear_score(weights, made)


@given(starts(), of_size(1.0), st.integers(0, 1000), st.integers(0, 1000))
def test_every_move_made_adds_the_same(
    board: FreeCellBoard, weights: Weights, made: int, more: int
) -> None:
    engine = Engine(board)
    each = round(weights[MOVES_MADE] / 100 * UNIT)
    gained = engine.linear_score(weights, made + more) - engine.linear_score(weights, made)
    assert gained == more * each


def test_the_unit_is_fine_enough_for_evolved_weights() -> None:
    # A weight of a thousandth still tells one card from two.
    near = FreeCellBoard.from_text("Foundations: C-K D-K H-K S-Q\nKS", 4, 8)
    far = FreeCellBoard.from_text("Foundations: C-K D-K H-K S-J\nKS QS", 4, 8)
    weights = {"NumCardsNotAtFoundations": 1e-3}
    one, two = Engine(near).linear_score(weights), Engine(far).linear_score(weights)
    assert 0 < one < two


@pytest.mark.parametrize(("cascades", "cells"), [(4, 0), (8, 4), (9, 7)])
def test_the_coefficients_are_whole_numbers_for_a_size_of_game(cascades: int, cells: int) -> None:
    weights = np.random.default_rng(1).random(len(NAMES))
    k = compiled(weights.tobytes(), cascades, cells)
    names = inspect.get_annotations(Coefficients)
    for array in k.exposed, k.room, np.array([getattr(k.of, name) for name in names]):
        assert array.dtype == np.int64 and array.any()
    none = compiled(np.zeros(len(NAMES)).tobytes(), cascades, cells)
    assert not none.exposed.any() and not none.room.any()
    assert not any(getattr(none.of, name) for name in names)
