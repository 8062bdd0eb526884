"""A search's result depends on its position, evaluator, parameters and limits alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
from positions import endgame
from searching import ASTRAY, BOUNDED, EVOLVED, HSDH, QUICK, evaluator, found, run

from deals import FreeCellBoard, freecell
from gafreecell.solving.outcome import DEPTH_IN_TURN, Limits, Search, Status
from gafreecell.solving.weights import Weights
from hsd import solver
from hsd.searches import deepening, depth_first, schedule, staged
from hsd.searches.a_star import AStar
from hsd.searches.beam import Beam
from hsd.searches.best_first import BestFirst
from hsd.searches.kernels import a_star, beam, best_first
from hsd.searches.kernels import depth_first as deep
from hsd.searches.search import FreeCellSearch, Position

Parameters = Mapping[str, int | str]
Guided = tuple[Mapping[str, float], Parameters]


class Kind(NamedTuple):
    """A search and the cases it is tried on.

    Attributes:
        ways: evaluators and parameters.
        deals: deals for the first way, the second and so on, and again from the first.
        slices: the modules or classes and constants that hold the lengths of its slices.
        astray: weights that lead it astray.
    """

    name: str
    ways: list[Guided]
    deals: list[int | FreeCellBoard]
    slices: list[tuple[object, str]]
    astray: Mapping[str, float] = ASTRAY


SMALL = endgame(0, 5, 0, home=9)
DEALS = [1, 617, 31465, 1941, 11982, 25450, 2, 178, 9993, 14292, 26693, 30000]
NONE, ONE_BY_ONE, RUNS = {"automatic": "none"}, {"supermoves": "no"}, {"supermoves": "yes"}
KINDS = [
    Kind(
        "staged",
        [
            (EVOLVED, {"depth": 1}),
            (EVOLVED, {"depth": 2}),
            (EVOLVED, NONE | {"depth": 3, "table": 2000}),
            (EVOLVED, {"depth": 4}),
            (HSDH, {"depth": 2, "table": 2000}),
            (HSDH, {"depth": 3}),
        ],
        DEALS,
        [(staged, "SLICE")],
    ),
    *(
        Kind(name, ways, [SMALL, 617, 11982, 2], [(deepening, "SLICE_MOVES")])
        for name, ways in (
            ("iterative-deepening", [({}, {}), ({}, NONE)]),
            ("ida-star", [(EVOLVED, {}), (EVOLVED, {"bound": "f"}), (HSDH, NONE)]),
        )
    ),
    Kind(
        "best-first",
        [
            (QUICK, {}),
            (QUICK, NONE | {"patience": 100}),
            (QUICK, ONE_BY_ONE),
            (QUICK | {"MovesMade": 0.1}, NONE | ONE_BY_ONE),
            (EVOLVED, {"patience": 1000}),
            ({"HSDH": 1.0, "NotPlaced": 1.0}, {"patience": 1}),
        ],
        DEALS,
        [(BestFirst, "slice_looks")],
    ),
    Kind(
        "schedule",
        [
            (QUICK, {}),
            (QUICK, NONE),
            (QUICK, {"rule": DEPTH_IN_TURN}),
            (QUICK | {"MovesMade": 0.1, "BreaksRun": 0.5}, NONE | {"rule": DEPTH_IN_TURN}),
        ],
        DEALS,
        [(schedule, "SLICE")],
        astray={"NumCardsNotAtFoundations": -1.0},
    ),
    Kind(
        "depth-first",
        [(QUICK, {}), (EVOLVED, NONE), (QUICK | {"MovesMade": 0.1}, {"shorten": "no"})],
        DEALS,
        [(depth_first, "SLICE_MOVES")],
    ),
    Kind(
        "beam",
        [
            (QUICK, {"width": 5}),
            (BOUNDED, {"width": 30}),
            (BOUNDED, NONE | {"width": 3, "wider": 40}),
            (EVOLVED, RUNS | {"width": 100, "wider": 5}),
            (BOUNDED, NONE | RUNS | {"width": 1}),
        ],
        DEALS[:10],
        [(Beam, "slice_looks")],
    ),
    Kind(
        "a-star",
        [({}, {}), ({}, NONE), (QUICK, {"width": 20}), (BOUNDED, NONE | {"width": 5, "wider": 30})],
        [2, 1941, 617, 1, 11982, 3],
        [(AStar, "slice_looks"), (Beam, "slice_looks")],
    ),
]
NEW_WORK: Mapping[str, Callable[[int, int], object]] = {
    "best-first": best_first.new_work,
    "beam": beam.new_work,
    "a-star": a_star.new_work,
    "depth-first": lambda _, entries: deep.new_work(entries),
}
TREES = [kind for kind in KINDS if kind.name in NEW_WORK]

NODES = 6_000

Case = tuple[str, int | FreeCellBoard, Mapping[str, float], Parameters]


def cases(kind: Kind) -> list[Case]:
    ways = [kind.ways[i % len(kind.ways)] for i in range(len(kind.deals))]
    return [(kind.name, deal, *way) for deal, way in zip(kind.deals, ways, strict=True)]


def results(them: Iterable[Case]) -> list[object]:
    return [
        found(run(deal, name, weights, parameters, nodes=NODES))
        for name, deal, weights, parameters in them
    ]


by_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name, scope="module")


@pytest.fixture(scope="module")
def expected(kind: Kind) -> list[object]:
    return results(cases(kind))


@by_kind
@pytest.mark.parametrize("size", [1, 97])
def test_slices_do_not_matter(
    kind: Kind, size: int, expected: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in kind.slices:
        monkeypatch.setattr(module, name, size)
    tried = cases(kind)[:3] if size == 1 else cases(kind)
    assert results(tried) == expected[: len(tried)]


@by_kind
@pytest.mark.parametrize("seed", range(2))
def test_deals_solved_before_do_not_matter(kind: Kind, seed: int, expected: list[object]) -> None:
    tried = cases(kind)
    order = random.Random(seed).sample(range(len(tried)), len(tried))
    # Another variant in between leaves other things behind.
    for board in (freecell(seed + 1, 9, 7), freecell(seed + 1, 4, 0)):
        run(board, kind.name, kind.astray, {}, nodes=2 * NODES)
    for place in order:
        assert results([tried[place]]) == [expected[place]]


@by_kind
def test_threads_do_not_matter(kind: Kind, expected: list[object]) -> None:
    tried = cases(kind)
    with ThreadPoolExecutor(2) as pool:
        forwards = pool.submit(results, tried)
        backwards = pool.submit(results, tried[::-1])
        assert forwards.result() == expected
        assert backwards.result()[::-1] == expected


@by_kind
def test_the_evaluators_order_of_features_does_not_matter(kind: Kind) -> None:
    tried = [case for case in cases(kind) if len(case[2]) > 1][:3]
    turned = [
        (name, deal, dict(reversed(list(weights.items()))), parameters)
        for name, deal, weights, parameters in tried
    ]
    assert results(turned) == results(tried)


@by_kind
def test_solving_many_is_solving_each(kind: Kind) -> None:
    guide, parameters = kind.ways[-1]
    search, limits = Search(kind.name, parameters), Limits(nodes=5000)
    weights = Weights("freecell", {}, evaluator(guide), search, limits)
    deals = [*range(1, 8), freecell(9, 9, 3), 11982, 31465]
    alone = [found(solver.solve(deal, weights)) for deal in deals]
    for jobs in (1, 2):
        many = solver.solve_many(deals, weights, jobs=jobs)
        assert [found(outcome) for outcome in many] == alone


# ------------------------------------------------------------------ instances of their own


def run_alone(search: FreeCellSearch, deal: int, way: Guided, limits: Limits) -> tuple[Any, ...]:
    """Run this instance; returns all its results but the seconds."""
    weights, parameters = way
    values = solver.SOLVER.check(Search(search.name, parameters))
    vector = solver.SOLVER.weight_vector(evaluator(weights))
    result = search.run(Position(None, 8, 4, deal), vector, values, limits)
    moves = None if result.moves is None else result.moves.tolist()
    return result.status, result.nodes, result.bound, moves


@by_kind
@pytest.mark.parametrize("memory", [1_000_000, 30_000_000])
def test_arrays_that_grew_for_other_deals_do_not_matter(kind: Kind, memory: int) -> None:
    small = Limits(nodes=20_000, memory=memory)
    used = solver.SOLVER.searches[kind.name]()
    run_alone(used, 11982, kind.ways[0], Limits(nodes=40_000))
    run_alone(used, 1941, (kind.astray, kind.ways[-1][1]), Limits(nodes=40_000))
    for deal, way in zip((617, 31465, 1941, 11982), kind.ways, strict=False):
        fresh = run_alone(solver.SOLVER.searches[kind.name](), deal, way, small)
        assert run_alone(used, deal, way, small) == fresh


@pytest.mark.parametrize("kind", TREES, ids=lambda kind: kind.name)
@pytest.mark.parametrize("deal", [617, 11982, 1941])
def test_growing_does_not_matter(kind: Kind, deal: int) -> None:
    """The smallest possible arrays against arrays that never have to grow."""
    for way in kind.ways[:2]:
        outcomes = []
        for nodes, entries in ((1, 512), (1 << 15, 1 << 15)):
            search: Any = solver.SOLVER.searches[kind.name]()
            search._small = NEW_WORK[kind.name](nodes, entries)
            outcomes.append(run_alone(search, deal, way, Limits(nodes=20_000)))
        assert outcomes[0] == outcomes[1]
        assert outcomes[0][0] is not Status.MEMORY_LIMIT
