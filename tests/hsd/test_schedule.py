"""Schedules: proofs by their last phase, limits of phases, batches of deals."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from flood import count_states
from hypothesis import HealthCheck, given, settings
from plain_schedule import FEATURES, weights_of
from positions import endgame, endings
from searching import BOTH, RULES, Plan, check_solution, found, plan, plans, run

from deals import FreeCellBoard, freecell
from deals.errors import BadInput
from gafreecell.jit import batches
from gafreecell.jit.slices import size_in_bytes
from gafreecell.solving.outcome import (
    BEST_FIRST,
    DEPTH_IN_TURN,
    Evaluator,
    Limits,
    Nodes,
    Outcome,
    Phase,
    Search,
    Status,
)
from gafreecell.solving.stopping import Interrupted, interruptible
from hsd import solver
from hsd.searches import schedule
from hsd.searches.kernels.batch import Batch
from hsd.searches.kernels.schedule import ScheduleWork, enlarge, new_work

GOOD = {"NotPlaced": 8, "OwnSuitBelow": 6, "AboveNext": 5, "CellsUsed": 2, "MovesMade": 1}
SORT = {"SequenceBreaks": 7, "NumCardsNotAtFoundations": 9, "KingsBuried": 3, "BreaksRun": 4}
THREE = (100, BEST_FIRST, SORT), (300, DEPTH_IN_TURN, GOOD), (None, BEST_FIRST, GOOD)
ASTRAY = (None, BEST_FIRST, {"NumCardsNotAtFoundations": -9})
SMALLEST = 32
"""The fewest nodes that arrays have room for."""


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> schedule.Schedule:
    """This thread's instance, put back after the test."""
    instance = solver.SOLVER.instance("schedule")
    assert isinstance(instance, schedule.Schedule)
    monkeypatch.setattr(instance, "_small", instance._small)
    return instance


# ------------------------------------------------------------------ phases


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("safe", BOTH)
def test_the_last_phase_proves_as_best_first_does(rule: str, safe: bool) -> None:
    """Earlier phases add their limits; the last one meets every state."""
    parts = (50, DEPTH_IN_TURN, SORT), (300, BEST_FIRST, GOOD), (None, rule, GOOD)
    outcome = plan(*parts, safe=safe).solve(freecell(11982))
    parameters = {"automatic": "safe" if safe else "none"}
    best_first = run(11982, "best-first", {"AboveNext": 1.0}, parameters)
    assert outcome.status is best_first.status is Status.UNSOLVABLE
    assert outcome.nodes.generated == 350 + best_first.nodes.generated
    assert outcome.nodes.expanded == outcome.nodes.generated
    assert best_first.nodes.generated == (61_643 if safe else 83_239)


def test_unsolvable_endgames_have_as_many_states_whatever_the_phases() -> None:
    proved = 0
    for seed in range(40):
        board = endgame(seed, 4 + seed % 3, seed % 2, home=4 + seed % 5)
        safe, limit = seed % 2 > 0, 1 + seed % 7
        parts = (limit, BEST_FIRST, SORT), (2 * limit, DEPTH_IN_TURN, {}), (None, BEST_FIRST, GOOD)
        outcome = plan(*parts, safe=safe).solve(board)
        if outcome.status is Status.UNSOLVABLE:
            states = count_states(board, safe)
            # A phase that meets all states within its limit proves it, too.
            before = [0, limit, 3 * limit]
            assert outcome.nodes.generated - states in before
            proved += outcome.nodes.generated == states + 3 * limit
    assert proved >= 10


def test_a_phase_gives_way_at_its_limit() -> None:
    """What it is worth shows in the counts: each phase begins afresh."""
    first, _, last = THREE
    alone = plan(last).solve(freecell(3))
    for limit in (1, 2, 99):
        parts = plan((limit, *first[1:]), last).solve(freecell(3))
        assert parts.nodes.generated == limit + alone.nodes.generated
        assert parts.nodes.expanded == limit + alone.nodes.expanded
        assert parts.moves == alone.moves


@pytest.mark.parametrize("rule", RULES)
def test_one_phase_is_a_single_weighted_sum(rule: str) -> None:
    """A schedule of one phase, and the same weights with the rule as a parameter."""
    row = Evaluator(FEATURES, weights_of(GOOD, 8, 4))
    search = Search("schedule", {"rule": rule, "shorten": "no"})
    scheduled = plan((None, rule, GOOD)).solve(freecell(5))
    assert found(solver.run(5, row, search, Limits())) == found(scheduled)


@pytest.mark.parametrize("nodes", [1, 2, 99, 100, 101, 399, 400, 401, 5000])
def test_the_node_limit_is_of_all_phases_together(nodes: int) -> None:
    outcome = plan(*THREE[:2], ASTRAY).solve(freecell(1), nodes)
    assert outcome.status is Status.NODE_LIMIT
    assert outcome.nodes.generated == nodes


def test_scored_counts_more_than_is_built() -> None:
    nodes = plan(*THREE).solve(freecell(11982)).nodes
    assert nodes.scored is not None and nodes.scored > nodes.generated
    assert Nodes(1, 2, 3) + Nodes(1, 2) == Nodes(2, 4, 3)
    assert (Nodes(1, 2) + Nodes(1, 2)).scored is None


# ------------------------------------------------------------------ slices and arrays


def smallest() -> ScheduleWork:
    """Arrays that have to grow at once, the solution's too."""
    work = new_work(SMALLEST)
    return work._replace(tree=work.tree._replace(path=np.zeros(2, np.int64)))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(schedule=plans(), board=endings())
def test_arrays_that_grow_do_not_matter(
    search: schedule.Schedule, schedule: Plan, board: FreeCellBoard
) -> None:
    outcomes = []
    for small in (smallest(), new_work(1 << 12)):
        search._small = small
        outcomes.append(schedule.solve(board, 1500))
    assert found(outcomes[0]) == found(outcomes[1])


@pytest.mark.parametrize("deal", [617, 11982])
@pytest.mark.parametrize("last", RULES)
def test_large_trees_from_the_smallest_arrays(
    search: schedule.Schedule, deal: int, last: str
) -> None:
    schedule = plan(*THREE[:2], (None, last, GOOD), safe=False)
    expected = schedule.solve(freecell(deal))
    search._small = smallest()
    assert found(schedule.solve(freecell(deal))) == found(expected)
    search._small = new_work(1 << 17)
    assert found(schedule.solve(freecell(deal))) == found(expected)


def test_the_smallest_arrays_hold_the_root_of_every_game(search: schedule.Schedule) -> None:
    search._small = smallest()
    for cascades, cells in ((4, 0), (8, 4), (9, 7)):
        outcome = plan(THREE[2]).solve(freecell(1, cascades, cells), nodes=1)
        assert outcome.nodes == Nodes(1, 1, outcome.nodes.scored)


@pytest.mark.parametrize("shorten", ["yes", "no"])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_slices_do_not_matter_to_phases(size: int, shorten: str) -> None:
    deals = [1, 617, freecell(2, 9, 1), freecell(3, 5, 3)]
    for one in (plan(*THREE), plan(*THREE[:2], ASTRAY, safe=False)):
        with pytest.MonkeyPatch.context() as patch:
            expected = results(deals, one, shorten, 3000)
            patch.setattr(schedule, "SLICE", size)
            assert results(deals, one, shorten, 3000) == expected


# ------------------------------------------------------------------ batches


def many(
    deals: list[Any], schedule: Plan, shorten: str = "yes", nodes: int = 20_000, **more: float
) -> list[Outcome]:
    """All deals in one call; the evaluator is that of the usual game."""
    search = Search("schedule", {**schedule.search.parameters, "shorten": shorten})
    limits = Limits(nodes, **more)
    outcomes = solver.SOLVER.run_many(deals, schedule.evaluator(8, 4), search, limits, {})
    for deal, outcome in zip(deals, outcomes, strict=True):
        check_solution(freecell(deal) if isinstance(deal, int) else deal, outcome)
    return outcomes


def results(deals: list[Any], schedule: Plan, *how: Any) -> list[tuple[object, ...]]:
    """What ``many`` finds but for the seconds."""
    return list(map(found, many(deals, schedule, *how)))


def mixed() -> list[int | FreeCellBoard]:
    """Numbers and boards, of several sizes of game, which end in every way."""
    numbers: list[int | FreeCellBoard] = [1, 2, 11982, 617, 31465, 2**31 - 1]
    others = [
        *(freecell(1), freecell(9, 9, 7), freecell(3, 4, 0), freecell(11982), freecell(4, 9, 7)),
        *(endgame(seed, 4 + seed % 6, seed % 8, home=5) for seed in range(12)),
    ]
    order = np.random.default_rng(1).permutation(len(numbers) + len(others))
    return [(numbers + others)[i] for i in order]


@pytest.mark.parametrize("shorten", ["yes", "no"])
@pytest.mark.parametrize("memory", [500_000_000, 2_000_000])
def test_a_batch_is_one_deal_after_the_other(shorten: str, memory: int) -> None:
    ends: Counter[Status] = Counter()
    for one in (plan(*THREE), plan((30, *THREE[1][1:]), THREE[2], safe=False)):
        deals = mixed()
        limits = {"nodes": 10_000, "memory": memory}
        outcomes = many(deals, one, shorten, **limits)
        alone = [many([deal], one, shorten, **limits)[0] for deal in deals]
        assert list(map(found, outcomes)) == list(map(found, alone))
        assert all(outcome.seconds > 0 for outcome in outcomes)
        ends.update(outcome.status for outcome in outcomes)
    assert ends[Status.SOLVED] > 10
    assert ends[Status.MEMORY_LIMIT if memory == 2_000_000 else Status.NODE_LIMIT] > 2
    assert ends[Status.UNSOLVABLE] > 1


def test_a_number_is_its_board() -> None:
    deals = [1, 164, 617, 11982, 65_537]
    boards = [freecell(number) for number in deals]
    assert results(deals, plan(*THREE)) == results(boards, plan(*THREE))


def test_a_batch_has_room_for_all_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    deals, new_batch = [1, 2, 3, 617, 5], schedule.new_batch
    expected = results(deals, plan(*THREE))

    def without_room(size: int) -> Batch:
        return new_batch(size)._replace(moves=np.zeros(1, np.int64))

    monkeypatch.setattr(schedule, "new_batch", without_room)
    assert results(deals, plan(*THREE)) == expected


def test_the_memory_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def measured(work: ScheduleWork) -> ScheduleWork:
        larger = enlarge(work)
        sizes.append(size_in_bytes(larger))
        return larger

    monkeypatch.setattr(schedule, "enlarge", measured)
    for memory in (10_000_000, 40_000_000):
        sizes.clear()
        easy, hard, again = many([2, 1, 2], plan(ASTRAY), nodes=10**6, memory=memory)
        assert {easy.status, hard.status} == {Status.MEMORY_LIMIT}
        assert memory / 4 < max(sizes) <= memory
        assert found(easy) == found(again)


def test_the_time_limit_is_each_deals_own() -> None:
    """Deals before and behind one that takes for ever are solved."""
    solvable, hard = endgame(1, 8, 4, home=8), freecell(1)
    deals = [solvable, hard, solvable, hard, solvable]
    outcomes = many(deals, plan((100, BEST_FIRST, GOOD), ASTRAY), nodes=10**9, seconds=0.03)
    late, early = outcomes[1::2], outcomes[::2]
    assert {outcome.status for outcome in late} == {Status.TIME_LIMIT}
    assert {outcome.status for outcome in early} == {Status.SOLVED}
    assert all(outcome.seconds >= 0.03 > 0 for outcome in late)
    assert all(0 < outcome.nodes.generated < 10**9 for outcome in outcomes)
    assert len({found(outcome)[1] for outcome in early}) == 1


def test_seconds_are_each_deals_own() -> None:
    """Each at most what all take together."""
    began = time.thread_time()
    outcomes = many([1, 11982, 2, 11982], plan(*THREE), nodes=200_000)
    spent = time.thread_time() - began
    seconds = [outcome.seconds for outcome in outcomes]
    assert min(seconds) > 0 and sum(seconds) <= spent
    assert min(seconds[1::2]) > max(seconds[::2]), "61,643 states take longer than a solution"


# ------------------------------------------------------------------ stops and clocks


def after_slices(monkeypatch: pytest.MonkeyPatch, act: Callable[[int, Batch], object]) -> None:
    """Do something after each slice, told how many there were."""
    advance, count = schedule.advance_batch, 0

    def wrapped(board: Any, work: ScheduleWork, batch: Batch, *rest: Any) -> int:
        nonlocal count
        code = advance(board, work, batch, *rest)
        count += 1
        act(count, batch)
        return code

    monkeypatch.setattr(schedule, "advance_batch", wrapped)


def test_a_call_is_stopped_within_a_batch() -> None:
    """Nothing is left behind: the same instance solves the same deals as before."""
    deals = [1, 2, 11982, 617]
    expected = results(deals, plan(*THREE))
    with pytest.MonkeyPatch.context() as patch, interruptible() as call:
        patch.setattr(schedule, "SLICE", 500)
        reached = []

        def stop(count: int, batch: Batch) -> None:
            reached.append(int(batch.registers.deal))
            if reached[-1] == 2:
                call.set()

        after_slices(patch, stop)
        with pytest.raises(Interrupted):
            call.run(many, deals, plan(*THREE))
    assert max(reached) == 2, "it ends within the third of four deals"
    assert results(deals, plan(*THREE)) == expected


def test_without_a_clock_in_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the system has none: each deal is a batch, timed around it."""
    deals = [1, 2, freecell(3, 9, 1), 11982]
    expected = results(deals, plan(*THREE))
    monkeypatch.setattr(batches, "CLOCK", None)
    monkeypatch.setattr(schedule, "SLICE", 500)

    def stopped(count: int, batch: Batch) -> None:
        assert batch.codes.size == 1
        batch.registers.started = 0.0

    after_slices(monkeypatch, stopped)
    # The thread has run for longer than that, but no deal takes as long.
    limit = time.thread_time() / 2
    outcomes = many(deals, plan(*THREE), seconds=limit)
    assert list(map(found, outcomes)) == expected
    assert all(0 < outcome.seconds < limit for outcome in outcomes)
    late = many([1], plan(ASTRAY), nodes=10**9, seconds=0.03)[0]
    assert late.status is Status.TIME_LIMIT and 0.03 <= late.seconds < limit


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_given_once(rule: str) -> None:
    """The phases say it, and a parameter may only say the same of all of them."""
    search = Search("schedule", {"rule": DEPTH_IN_TURN, "shorten": "no"})
    other = {BEST_FIRST: DEPTH_IN_TURN, DEPTH_IN_TURN: BEST_FIRST}[rule]
    for mixed in (((50, rule, GOOD), (None, other, GOOD)), ((None, BEST_FIRST, GOOD),)):
        with pytest.raises(BadInput, match="drop the parameter rule=depth-in-turn"):
            solver.run(1, plan(*mixed).evaluator(8, 4), search, Limits(1000))
    same = plan((50, DEPTH_IN_TURN, SORT), (None, DEPTH_IN_TURN, GOOD))
    both = solver.run(1, same.evaluator(8, 4), search, Limits(10_000))
    assert found(both) == found(same.solve(freecell(1), nodes=10_000))
    named = Search("schedule", {"rule": BEST_FIRST, "shorten": "no"})
    with pytest.raises(BadInput, match="drop the parameter rule=best-first"):
        solver.run(1, same.evaluator(8, 4), named, Limits(10_000))


def test_an_evaluator_has_a_limit_in_every_phase_but_the_last() -> None:
    without = ((Phase(), Phase()), (Phase(0), Phase()), (Phase(-3), Phase()))
    for phases in (*without, (Phase(5),), (Phase(5), Phase(7)), (Phase(5), Phase(0))):
        with pytest.raises(ValueError, match="every phase but the last needs a limit"):
            Evaluator(("AboveNext",), (1.0,) * len(phases), phases)
    with pytest.raises(ValueError, match="1 feature but 3 weights for 2 phases"):
        Evaluator(("AboveNext",), (1.0,) * 3, (Phase(5), Phase()))
    with pytest.raises(ValueError, match="rule must be best-first or depth-in-turn, got 'any'"):
        Evaluator(("AboveNext",), (1.0,), (Phase(None, "any"),))
    three = Evaluator(("AboveNext", "CellsUsed"), (1.0, 2.0, 3.0, 4.0), (Phase(5), Phase()))
    assert three.rows == ((1.0, 2.0), (3.0, 4.0))
