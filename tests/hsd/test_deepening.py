"""Iterative deepening and IDA* against a breadth-first search over the plain twin."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from plain_twin import Twin, count_by_depth

from deals import FreeCellBoard, freecell
from deals.cards import DECK, rank_of, suit_of
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Search, Status
from gafreecell.solving.stopping import Interrupted, StopToken
from hsd.kernels.board import empty_board, play
from hsd.kernels.features import NAMES, score
from hsd.kernels.home import play_safe_home
from hsd.kernels.moves import ANY, list_moves
from hsd.kernels.packed import load, pack_board
from hsd.kernels.replay import Root
from hsd.searches import deepening
from hsd.searches.kernels import deepening as kernels
from hsd.searches.search import Position
from hsd.solver import SOLVER, run
from hsd.verifier import verify

EVALUATOR = Evaluator(NAMES[:9], (1.0, 0.3, 0.9, 0.1, 0.2, 0.4, 0.1, 0.2, 0.3))
ALL_HOME = FreeCellBoard(((),) * 8, (), (13, 13, 13, 13))

# The searches under test, as (name, parameters).
BLIND = ("iterative-deepening", {})
ORDERED = ("ida-star", {})
TEXTBOOK = ("ida-star", {"bound": "f"})
EVERY = (BLIND, ORDERED, TEXTBOOK)


def search(
    board: FreeCellBoard | int,
    which: tuple[str, dict[str, str]],
    limits: Limits | None = None,
    **more: int | str,
) -> Outcome:
    name, parameters = which
    return run(board, EVALUATOR, Search(name, parameters | more), limits or Limits())


def endgame(seed: int, least_home: int, cells: int, cascades: int) -> FreeCellBoard:
    """A random position whose suits are home up to the given rank or up to two more."""
    generator = random.Random(seed)
    home = [generator.randint(least_home, least_home + 2) for _ in range(4)]
    left = [card for card in DECK if rank_of(card) > home[suit_of(card)]]
    generator.shuffle(left)
    columns = tuple(tuple(left[i::cascades]) for i in range(cascades))
    return FreeCellBoard(columns, (), (home[0], home[1], home[2], home[3]), cells)


@cache
def breadth_first(board: FreeCellBoard) -> int | None:
    """Fewest moves of the engine that bring all cards home; None if nothing does."""
    level = [Twin.from_board(board)]
    seen = {level[0].key()}
    length = 0
    while level:
        if any(sum(twin.foundations) == 52 for twin in level):
            return length
        reached = []
        for twin in level:
            for move in twin.moves():
                child = twin.copy()
                child._carry_out(move)
                if child.key() not in seen:
                    seen.add(child.key())
                    reached.append(child)
        level = reached
        length += 1
    return None


# Without a cell and with one; solutions of 6 to 22 moves.
SOLVABLE = (
    *(endgame(seed, 10, 1, 4) for seed in range(8)),
    *(endgame(seed, 9, 0, 5) for seed in range(5)),
    endgame(5, 8, 1, 4),
)
STUCK = (
    *(endgame(seed, 7, 0, 4) for seed in range(4)),
    endgame(2, 8, 0, 6),
    freecell(7, cascades=8, cells=0),
)


@pytest.mark.parametrize("automatic", ["safe", "none"])
@pytest.mark.parametrize("board", SOLVABLE, ids=range(len(SOLVABLE)))
def test_textbook_ida_star_finds_the_shortest_solution(
    board: FreeCellBoard, automatic: str
) -> None:
    outcome = search(board, TEXTBOOK, automatic=automatic)
    assert outcome.status is Status.SOLVED
    assert outcome.lengths is not None and outcome.moves is not None
    assert outcome.lengths["column"] == len(outcome.moves) == breadth_first(board)
    verdict = verify(board, outcome.moves)
    assert verdict.reason == ""
    assert outcome.lengths == {
        "single": verdict.single, "column": verdict.column, "manual": verdict.manual,
    }  # fmt: skip


@pytest.mark.parametrize("which", [BLIND, ORDERED])
@pytest.mark.parametrize("board", SOLVABLE, ids=range(len(SOLVABLE)))
def test_bounded_depth_solves(board: FreeCellBoard, which: tuple[str, dict[str, str]]) -> None:
    shortest = breadth_first(board)
    assert shortest is not None
    for automatic in ("safe", "none"):
        outcome = search(board, which, automatic=automatic)
        assert outcome.moves is not None
        assert verify(board, outcome.moves).reason == ""
        if automatic == "none":
            assert len(outcome.moves) == shortest
        else:
            assert len(outcome.moves) >= shortest


def test_some_endgames_need_more_than_home_moves() -> None:
    left = [52 - sum(board.foundations) for board in SOLVABLE]
    beyond = [(breadth_first(b) or 0) - n for b, n in zip(SOLVABLE, left, strict=True)]
    assert min(beyond) == 0 and max(beyond) >= 4


@pytest.mark.parametrize("which", EVERY)
@pytest.mark.parametrize("board", STUCK, ids=range(len(STUCK)))
def test_dead_ends_are_exhausted(board: FreeCellBoard, which: tuple[str, dict[str, str]]) -> None:
    assert breadth_first(board) is None
    outcome = search(board, which)
    assert (outcome.status, outcome.moves, outcome.lengths) == (Status.EXHAUSTED, None, None)


@pytest.mark.parametrize("which", [BLIND, ORDERED])
@pytest.mark.parametrize("automatic", ["safe", "none"])
def test_an_iteration_meets_every_state_within_its_bound_once(
    which: tuple[str, dict[str, str]], automatic: str
) -> None:
    def generated(board: FreeCellBoard, depth: int) -> int:
        counts = count_by_depth(board, depth, automatic == "safe")
        return sum(sum(counts[: bound + 1]) for bound in range(1, depth + 1))

    for board, depth in ((freecell(617), 3), (freecell(3, 7, 2), 4), (freecell(7, 8, 0), 9)):
        outcome = search(board, which, depth=depth, automatic=automatic)
        assert outcome.status is Status.EXHAUSTED
        assert outcome.nodes.generated == generated(board, depth)
    for board in STUCK:
        # The last iteration is the first whose bound lies beyond the farthest state.
        counts = count_by_depth(board, 60, automatic == "safe")
        farthest = max(depth for depth, count in enumerate(counts) if count)
        outcome = search(board, which, automatic=automatic)
        assert outcome.nodes.generated == generated(board, farthest + 1)


@pytest.mark.parametrize("automatic", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_children_come_in_the_order_of_their_scores(seed: int, automatic: bool) -> None:
    root = Root(pack_board(endgame(seed, 2, 3, 7)), 7, 3, automatic)
    weights = SOLVER.weight_vector(EVALUATOR)
    board, work = empty_board(), kernels.new_work()
    kernels.begin(board, work, root, False)
    forced = play_safe_home(board, work.trail, 0) if automatic else 0
    work.next[0], work.suit[0], work.forced[0] = 0, 0, forced
    work.end[0] = list_moves(board, work.moves, 0, ANY)
    listed = work.moves[: work.end[0]].tolist()
    kernels._order_children(board, work, 0, root, False, weights, None)

    def value(move: int) -> float:
        load(board, root.packed, 0, root.cascades, root.cells)
        for step in (None, move):
            if step is not None:
                play(board, step)
            if automatic:
                play_safe_home(board, np.zeros(128, np.int64), 0)
        return float(score(board, weights, np.zeros(len(NAMES))))

    assert work.moves[: work.end[0]].tolist() == sorted(listed, key=value)


@pytest.mark.parametrize("which", EVERY)
@pytest.mark.parametrize("nodes", [1, 2, 7, 1_000, 54_321])
def test_node_limit_is_exact(which: tuple[str, dict[str, str]], nodes: int) -> None:
    outcome = search(617, which, Limits(nodes))
    assert (outcome.status, outcome.nodes.generated) == (Status.NODE_LIMIT, nodes)


@pytest.mark.parametrize("which", EVERY)
def test_memory_limit(which: tuple[str, dict[str, str]]) -> None:
    # Room for the second table of 2^17 places, but not for the third.
    outcome = search(617, which, Limits(memory=4_000_000))
    assert outcome.status is Status.MEMORY_LIMIT
    assert 1 << 16 <= outcome.nodes.generated < 1 << 20


@pytest.mark.parametrize("which", EVERY)
@pytest.mark.parametrize("moves", [1, 97])
def test_slices_do_not_change_the_outcome(
    which: tuple[str, dict[str, str]], moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = ((617, Limits(5_000)), (SOLVABLE[8], Limits()), (STUCK[5], Limits()))
    whole = [search(board, which, limits) for board, limits in boards]
    monkeypatch.setattr(deepening, "SLICE_MOVES", moves)
    for (board, limits), expected in zip(boards, whole, strict=True):
        outcome = search(board, which, limits)
        assert outcome.without_moves().nodes == expected.nodes
        assert (outcome.status, outcome.moves) == (expected.status, expected.moves)


@pytest.mark.parametrize("which", EVERY)
def test_growing_the_table_does_not_change_the_outcome(which: tuple[str, dict[str, str]]) -> None:
    kind = {"iterative-deepening": deepening.IterativeDeepening, "ida-star": deepening.IdaStar}
    values = {"depth": 200, "automatic": "safe", **which[1]}
    for board in SOLVABLE[8:10]:
        position = Position(pack_board(board), len(board.cascades), board.cell_count)
        found = []
        for places in (1 << 15, 1 << 2):
            instance = kind[which[0]]()
            instance._work = instance._work._replace(
                table=np.zeros(places, np.uint64), costs=np.zeros(places, np.uint8)
            )
            weights = SOLVER.weight_vector(EVALUATOR)
            found.append(instance.run(position, weights, values, Limits()))
        assert found[0].nodes == found[1].nodes
        assert found[0].moves is not None and found[1].moves is not None
        assert found[0].moves.tolist() == found[1].moves.tolist()


@pytest.mark.parametrize("which", EVERY)
def test_nothing_to_do_is_solved(which: tuple[str, dict[str, str]]) -> None:
    outcome = search(ALL_HOME, which)
    assert (outcome.status, outcome.moves) == (Status.SOLVED, ())
    assert outcome.nodes.generated == 1


def test_no_bound_on_f_below_the_cards_left() -> None:
    outcome = search(617, TEXTBOOK, depth=51)
    assert (outcome.status, outcome.nodes.generated) == (Status.EXHAUSTED, 0)


def test_a_stopped_call() -> None:
    token = StopToken()
    token.set()
    with pytest.raises(Interrupted):
        token.run(search, 617, BLIND)
    assert search(617, BLIND, Limits(10)).status is Status.NODE_LIMIT


def test_time_limit() -> None:
    assert search(617, TEXTBOOK, Limits(seconds=1e-9)).status is Status.TIME_LIMIT
