"""Batches of the complete search: each deal as if it were searched alone, in new arrays."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from deals import klondike
from gafreecell.jit import batches
from gafreecell.solitaire.klondike.complete import search as driver
from gafreecell.solitaire.klondike.complete.kernels.batch import Batch, new_batch
from gafreecell.solitaire.klondike.complete.kernels.search import new_work
from gafreecell.solitaire.klondike.complete.search import Complete
from gafreecell.solitaire.klondike.features import FEATURES
from gafreecell.solitaire.klondike.packed import Position, pack_board
from gafreecell.solitaire.klondike.presets import PRESETS
from gafreecell.solitaire.klondike.solver import SOLVER
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.parameters import read_parameters
from gafreecell.solving.search import Found
from gafreecell.solving.stopping import Interrupted, StopToken

NO_WEIGHTS = np.zeros(len(FEATURES))
WEIGHTS = SOLVER.weight_vector(PRESETS.read("complete").evaluator)
NUMBERS = [*range(500_002, 500_032), 1, 32_000, 32_001, 2**63 - 1, 2**63, 10**20]
LIMITS = Limits(3000)
HARD = 500_001
"""A deal that takes millions of states."""


def positions() -> list[Position]:
    """Numbers and boards, whole deals and others, in turn."""
    boards = [pack_board(klondike(number)) for number in range(41, 61)]
    mixed: list[Position] = []
    for i, number in enumerate(NUMBERS):
        mixed += [number, boards[i]] if i < len(boards) else [number]
    return mixed


def run(
    search: Complete,
    some: Sequence[Position],
    limits: Limits = LIMITS,
    weights: np.ndarray = WEIGHTS,
    **given: Any,
) -> list[Found]:
    values = read_parameters("complete", Complete.parameters, given)
    return search.run_batch(some, weights, (), values, limits)


def told(found: Sequence[Found]) -> list[tuple[Any, ...]]:
    """All that does not depend on a clock."""
    return [
        (one.status, one.nodes, None if one.moves is None else one.moves.tolist()) for one in found
    ]


def one_by_one(some: Sequence[Position], **given: Any) -> list[tuple[Any, ...]]:
    return [row for one in some for row in told(run(Complete(), [one], **given))]


@pytest.mark.parametrize(
    "given", [{}, {"weights": NO_WEIGHTS}, {"dead-ends": "no"}, {"shorten": 500}], ids=str
)
def test_a_batch_is_its_deals_one_by_one(given: dict[str, Any]) -> None:
    some = positions()
    expected = one_by_one(some, **given)
    assert {row[0] for row in expected} == {Status.SOLVED, Status.UNSOLVABLE, Status.NODE_LIMIT}
    search = Complete()
    assert told(run(search, some, **given)) == expected
    # Searches leave nothing behind for later ones.
    assert told(run(search, some[::-1], **given)) == expected[::-1]


def test_a_number_is_its_board() -> None:
    boards = [pack_board(klondike(number)) for number in NUMBERS]
    assert told(run(Complete(), NUMBERS)) == told(run(Complete(), boards))


def test_no_deals() -> None:
    assert run(Complete(), []) == []


@pytest.mark.parametrize("tries", [1, 7, 100])
def test_results_do_not_depend_on_slices(tries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    some = positions()[:20]
    expected = one_by_one(some, limits=Limits(300))
    monkeypatch.setattr(driver, "SLICE_TRIES", tries)
    assert told(run(Complete(), some, Limits(300))) == expected


@pytest.mark.parametrize("sizes", [{"slots": 4}, {"slots": 64}, {"deep": 2}, {"moves": 1024}])
def test_results_do_not_depend_on_room(
    sizes: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = positions()
    expected = one_by_one(some)
    monkeypatch.setattr(driver, "new_work", lambda: new_work(**sizes))
    monkeypatch.setattr(driver, "new_batch", lambda deals: new_batch(deals, moves=1))
    assert told(run(Complete(), some)) == expected


def test_one_deal_reaches_a_limit_the_others_do_not() -> None:
    some = [500_002, HARD, 500_003]
    easy = one_by_one([500_002, 500_003])
    for limits, status in (
        (Limits(10**9, memory=200_000), Status.MEMORY_LIMIT),
        (Limits(10**9, seconds=0.05), Status.TIME_LIMIT),
        (Limits(10**5), Status.NODE_LIMIT),
    ):
        found = run(Complete(), some, limits)
        assert found[1].status is status
        assert found[1].nodes.generated > 3000
        assert told([found[0], found[2]]) == easy


def test_more_memory_changes_no_deal_that_less_decided() -> None:
    some: list[Position] = [*range(500_002, 500_032)]
    found = [run(Complete(), some, Limits(10**5, memory=size)) for size in (10**5, 10**6)]
    few, many = ({i for i, one in enumerate(f) if one.status.decided} for f in found)
    assert few < many
    assert told([found[0][i] for i in few]) == told([found[1][i] for i in few])


def test_seconds_are_those_of_each_deal() -> None:
    search = Complete()
    run(search, [1])
    began = time.thread_time()
    found = run(search, [500_002, HARD, 500_003], Limits(100_000))
    elapsed = time.thread_time() - began
    seconds = [one.seconds for one in found]
    assert min(seconds) > 0
    assert 20 * max(seconds[0], seconds[2]) < seconds[1]
    assert 0.8 * elapsed < sum(seconds) <= elapsed


def test_without_a_clock_in_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the system has none: each deal is a batch, timed around it."""
    some = positions()[:10]
    expected, sizes = one_by_one(some), []

    def noted(deals: int) -> Batch:
        sizes.append(deals)
        return new_batch(deals)

    monkeypatch.setattr(batches, "CLOCK", None)
    monkeypatch.setattr(driver, "new_batch", noted)
    began = time.thread_time()
    found = run(Complete(), some)
    assert told(found) == expected
    assert sizes == [1] * len(some)
    assert 0 < sum(one.seconds for one in found) <= time.thread_time() - began


def test_a_stopped_batch() -> None:
    search, token = Complete(), StopToken()
    expected = one_by_one(positions())
    token.set()
    with pytest.raises(Interrupted):
        token.run(run, search, [500_002, HARD], Limits(10**9))
    # What it left half done does not matter.
    assert told(run(search, positions())) == expected
