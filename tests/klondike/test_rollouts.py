"""Multistage nested rollouts against figure 9 by plain recursion, and their limits."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from late_positions import late_position
from plain_klondike import RULES, PlainTable
from plain_kplus import Rollout, State
from random_klondike import tables

from deals import KlondikeBoard, klondike
from gafreecell.solitaire.klondike.moves import token
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solitaire.klondike.rollouts import search as driver
from gafreecell.solitaire.klondike.rollouts.kernels.values import KINDS
from gafreecell.solitaire.klondike.rollouts.search import Rollouts
from gafreecell.solitaire.klondike.rollouts.values import HEURISTICS, NAMES, PUBLISHED
from gafreecell.solitaire.klondike.solver import solve_many
from gafreecell.solitaire.klondike.verifier import verify
from gafreecell.solving.engine import weighing
from gafreecell.solving.outcome import Limits, Nodes, Search, Status
from gafreecell.solving.parameters import ParameterError, read_parameters
from gafreecell.solving.search import Found
from gafreecell.solving.weights import Weights, parse_weights

SEARCH = Rollouts()


def search(
    board: KlondikeBoard,
    nesting: str | int = "1",
    nodes: int = 10**6,
    weights: np.ndarray = PUBLISHED,
    seconds: float | None = None,
) -> Found:
    values = read_parameters("rollouts", Rollouts.parameters, {"nesting": nesting})
    found = SEARCH.run(pack_board(board), weights, values, Limits(nodes, seconds))
    assert (found.moves is None) == (found.status is not Status.SOLVED)
    if found.moves is not None:
        assert verify(board, map(token, found.moves.tolist())).solved
    return found


def compare(table: PlainTable, nesting: str, nodes: int, weights: np.ndarray) -> None:
    """Compare a search with the plain twin, which gets a list of weights for each stage."""
    board = KlondikeBoard.from_text(table.text())
    found = search(board, nesting, nodes, weights)
    levels = [int(level) for level in nesting.split(",")]
    heuristics = weights.reshape(HEURISTICS, KINDS).tolist()
    stages = heuristics[: len(levels)] if len(levels) > 1 else heuristics[1:2]
    for stage in range(2, len(stages)):
        if not any(stages[stage]):
            stages[stage] = stages[stage - 1]
    plain = Rollout(stages, levels, nodes)
    status, _ = plain.run(State.of(table))
    assert found.status == status
    assert (found.nodes.expanded, found.nodes.generated) == (plain.listed, plain.entered)


NESTINGS = st.sampled_from(["0", "1", "2", "0,0", "1,1", "2,0", "0,1,1"])
STAGES = st.sampled_from(["0,0,0", "1,0,1", "0,1,0", "1,1,1", "0,0,0,0,0,0,0,0"])


def weight_lists(heuristics: int) -> st.SearchStrategy[list[int]]:
    """Weights of the first heuristics."""
    size = heuristics * KINDS
    return st.lists(st.integers(-8, 8), min_size=size, max_size=size)


def padded(weights: list[int]) -> np.ndarray:
    """Weights of the first heuristics; the others have none."""
    return np.pad(np.array(weights, float), (0, HEURISTICS * KINDS - len(weights)))


@settings(max_examples=6)
@given(tables(rules=RULES), NESTINGS, st.sampled_from([1, 40, 80]))
def test_positions_against_figure_9(table: PlainTable, nesting: str, nodes: int) -> None:
    compare(table, nesting, nodes, PUBLISHED)


@settings(max_examples=4)
@given(tables(300, RULES), NESTINGS, weight_lists(2))
def test_any_weights_against_figure_9(table: PlainTable, nesting: str, weights: list[int]) -> None:
    compare(table, nesting, 80, padded(weights))


@settings(max_examples=4)
@given(tables(300, RULES), STAGES, weight_lists(3))
def test_three_heuristics_against_figure_9(
    table: PlainTable, nesting: str, weights: list[int]
) -> None:
    """Stages after the third have the weights of the third, as they have none of their own."""
    compare(table, nesting, 80, padded(weights))


@settings(max_examples=2)
@given(tables(300, RULES), weight_lists(HEURISTICS))
def test_eight_heuristics_against_figure_9(table: PlainTable, weights: list[int]) -> None:
    compare(table, "0,0,0,0,0,0,0,0", 120, padded(weights))


THREE = {
    **{name: float(weight) for name, weight in zip(NAMES, PUBLISHED, strict=True) if weight},
    "H3Foundation": 9.0,
    "H3BlocksBuild": -3.0,
    "H3TalonInReach": 2.0,
}


def test_a_third_heuristic_makes_a_difference_and_may_be_left_out() -> None:
    """Through a weights file, as commands and jobs give it."""
    two = {name: weight for name, weight in THREE.items() if not name.startswith("H3")}
    as_second = {name.replace("H2", "H3"): weight for name, weight in two.items()}

    def nodes(weights: dict[str, float], nesting: str) -> list[Nodes]:
        kept = Weights(
            "klondike", {}, weighing(weights), Search("rollouts", {"nesting": nesting}),
            Limits(2_000),
        )  # fmt: skip
        read = parse_weights(kept.to_text(), "")
        return [one.nodes for one in solve_many(range(1, 11), read, jobs=1)]

    assert nodes(THREE, "0,0,0") != nodes(two, "0,0,0")
    assert nodes(THREE, "0,0") == nodes(two, "0,0")
    assert nodes(two | as_second, "1,0,1") == nodes(two, "1,0,1")


@pytest.mark.parametrize("nesting", ["0", "0,0", "1", "1,1"])
def test_deals_against_figure_9(nesting: str) -> None:
    generator = random.Random(3)
    compare(PlainTable.shuffled(generator), nesting, 60, PUBLISHED)


@pytest.mark.parametrize("nesting", ["1", "2", "1,1", "3,1"])
def test_where_slices_end_changes_nothing(nesting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(1, 6):
        expected = search(klondike(number), nesting, 20_000)
        for pause in (1, 37):
            monkeypatch.setattr(driver, "SLICE_STATES", pause)
            again = search(klondike(number), nesting, 20_000)
            assert (again.status, again.nodes) == (expected.status, expected.nodes)
            assert np.array_equal(again.moves, expected.moves)  # type: ignore[arg-type]


def test_wins_are_played_out_from_any_position() -> None:
    solved = 0
    generator = random.Random(11)
    for number in range(1, 61):
        solved += search(klondike(number), "1").status is Status.SOLVED
    assert 25 <= solved <= 50
    for _ in range(40):
        table = PlainTable.shuffled(generator)
        for _ in range(60):
            table.play(generator.choice(table.moves()))
        search(KlondikeBoard.from_text(table.text()), "1")


@pytest.mark.parametrize(("draw", "redeals"), RULES)
def test_wins_are_played_out_under_the_rules(draw: int, redeals: int | None) -> None:
    """``search`` replays each of them."""
    generator = random.Random(5)
    late = [late_position(generator, draw, redeals) for _ in range(40)]
    assert sum(search(board, "1").status is Status.SOLVED for board in late) > 5
    found = [search(klondike(n, draw, redeals), "1", 20_000) for n in range(1, 41)]
    # Hardly any deal is won with one pass.
    assert redeals == 0 or any(one.status is Status.SOLVED for one in found)


def test_limits() -> None:
    lost = next(n for n in range(1, 50) if search(klondike(n)).status is Status.EXHAUSTED)
    assert search(klondike(lost), nodes=1).status is Status.NODE_LIMIT
    assert search(klondike(lost), "9,9", seconds=0.05).status is Status.TIME_LIMIT


def test_a_dead_deal_is_proved_lost() -> None:
    dead = [n for n in range(1, 60) if search(klondike(n), nodes=1).status is Status.UNSOLVABLE]
    assert dead
    assert search(klondike(dead[0])).nodes.generated == 1


@pytest.mark.parametrize("nesting", ["", "1,", "a", "1.5", 1.5, True, "10", -1])
def test_a_wrong_nesting_is_refused(nesting: str | float) -> None:
    with pytest.raises(ParameterError, match="nesting must be like 3,1, got"):
        read_parameters("rollouts", Rollouts.parameters, {"nesting": nesting})


def test_a_single_number_may_come_as_one() -> None:
    assert search(klondike(1), 1).nodes == search(klondike(1), "1").nodes
