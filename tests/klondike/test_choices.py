"""Choices with reference values, and the correction of chances."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from deals import klondike
from gafreecell.solitaire.klondike.hidden import advise
from gafreecell.solitaire.klondike.hidden.best import Best, price_of
from gafreecell.solitaire.klondike.hidden.calibration import (
    BY_DRAW,
    MOST_HIDDEN,
    Calibration,
    calibration_for,
)
from gafreecell.solitaire.klondike.hidden.choices import Chooser, read, write
from gafreecell.solitaire.klondike.hidden.view import View
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.playing import Alternative


def test_choices_are_collected_kept_and_made(tmp_path: Path) -> None:
    chooser, choices, deals = Chooser(), [], []
    for deal in range(1_000_001, 1_000_004):
        found = chooser.collect(klondike(deal), samples=10, kept=4, deep=60, seed=deal)
        # The same again, whatever was collected before.
        again = Chooser().collect(klondike(deal), samples=10, kept=4, deep=60, seed=deal)
        assert [one.values.tolist() for one in found] == [one.values.tolist() for one in again]
        choices += found
        deals += [deal] * len(found)
    assert all(one.values.size > 1 and 0 < one.values.max() < 1 for one in choices)
    write(tmp_path / "choices.npz", choices, deals)
    kept, numbers = read(tmp_path / "choices.npz")
    assert numbers == deals
    for one, other in zip(choices, kept, strict=True):
        assert np.array_equal(one.view.packed, other.view.packed)
        assert np.array_equal(one.view.unseen, other.view.unseen)
        assert np.allclose(one.values, other.values, atol=1e-6)
        unjudged = Evaluator((), ())
        regret, states = chooser.decide(other, unjudged, 5, seed=1)
        assert (regret, states) == chooser.decide(other, unjudged, 5, seed=1)
        assert 0 <= regret <= np.ptp(other.values) and states > 0
    # More samples choose better, and cost more.
    few, many = (
        [chooser.decide(one, None, samples, seed) for seed, one in enumerate(kept)]
        for samples in (1, 100)
    )
    assert np.mean([regret for regret, _ in few]) >= np.mean([regret for regret, _ in many])
    assert sum(states for _, states in few) < sum(states for _, states in many)
    assert price_of(10) == pytest.approx(100 * price_of(100))


def test_a_correction_keeps_the_order_and_the_ends() -> None:
    for one, hidden in product(BY_DRAW.values(), range(MOST_HIDDEN + 1)):
        chances = [one.corrected(chance, hidden) for chance in np.linspace(0, 1, 50)]
        assert chances == sorted(set(chances))
        assert (chances[0], chances[-1]) == (0, 1)
    one = Calibration(a=-0.5, b=0.4, c=-0.2, d=0.1, e=-0.4, f=0.2)
    # By hand: log odds 0 - 0.5 + 0.4 - 0.2 at the deal, and 2 - 0.3 + (0.1 - 0.4 + 0.2) * 2.
    assert one.corrected(0.5, 21) == pytest.approx(1 / (1 + np.exp(0.3)))
    odds = 1 / (1 + np.exp(-2))
    assert one.corrected(odds, 21) == pytest.approx(1 / (1 + np.exp(-1.5)))
    # A third of the cards: 2 + (-0.5 + 0.4 / 3 - 0.2 / 9 + (0.1 - 0.4 / 3 + 0.2 / 9) * 2) / 3.
    assert one.corrected(odds, 7) == pytest.approx(1 / (1 + np.exp(-2 + 3.7 / 27)))
    # With all cards known nothing is corrected.
    assert one.corrected(0.3, 0) == pytest.approx(0.3)
    stated = Alternative(("12",), 0.5, 0.4, 0.6, 100)
    found = one.of(stated, 10)
    assert found.low < found.chance < found.high and found.samples == 100


def test_chances_are_corrected_where_that_was_measured() -> None:
    measured = klondike(5), klondike(5, 1)
    assert all(calibration_for(View.of_board(board)) for board in measured)
    others = klondike(5, 3, 2), klondike(5, 1, 0), klondike(5, unseen=True)
    assert not any(calibration_for(View.of_board(board)) for board in others)


def test_a_hint_is_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    board, samples = klondike(5), {"samples": 20}
    found = advise(board, "best", samples)
    monkeypatch.setattr(Best, "calibrates", False)
    stated = advise(board, "best", samples)
    calibration = calibration_for(View.of_board(board))
    assert calibration is not None
    assert found == [calibration.of(one, 21) for one in stated] != stated
    # A card that goes home at no risk is the only move, and has its chance, too.
    (alone,) = advise(klondike(3), "best", samples)
    assert alone.moves == ("3h",) and 20 <= alone.samples <= 80
    assert alone.low < alone.chance < alone.high and alone.chance > 0.5
    # All moves have the same samples, so the best has the highest chance.
    assert len({one.samples for one in found}) == 1
    assert found[0].chance == max(one.chance for one in found)
