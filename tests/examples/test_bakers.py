"""Baker's Game of ``examples/bakers``: against a plain twin and FreeCell's search; its limits."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path

import bakers_probe
import numpy as np
import pytest
from bakers_probe import CASES, EXAMPLES, WEIGHTS, solved
from bounds_checked import lines_of
from own_game import FREECELL, code_lines, tasks
from plain_kernels import plain_lines_of

import gafreecell
from gafreecell import BadInput, Limits, Nodes, Search, Status, Task, jit
from gafreecell.solving.outcome import Outcome
from gafreecell.testing import check_game
from hsd.verifier import verify

from bakers import PLACES, Bakers, kernels, packed  # isort: skip


@pytest.mark.parametrize("build", ["suit", "colour"])
def test_it_keeps_the_contract(build: str) -> None:
    assert {*check_game(Bakers(build=build), nodes=2_000)} >= {
        "boards",
        "verifier",
        "solutions",
        "evolution",
    }


def test_the_page_names_every_block_and_the_lines() -> None:
    text = (EXAMPLES.parent / "docs/extend/compiled.md").read_text(encoding="utf-8")
    assert [name for name in jit.__all__ if not re.search(rf"`(jit\.)?{name}\b", text)] == []
    assert f"{code_lines(EXAMPLES / 'bakers/bakers/kernels.py')} lines of code" in text


# A plain twin. A position is a list of columns and cells, the foundations as a tuple.
Position = tuple[list[list[int]], tuple[int, ...]]


def fits(card: int, target: int, by_suit: bool) -> bool:
    red = [suit in (1, 2) for suit in (card % 4, target % 4)]
    alike = card % 4 == target % 4 if by_suit else red[0] != red[1]
    return alike and card // 4 + 1 == target // 4


def moves_of(position: Position, by_suit: bool) -> Iterator[tuple[int, int]]:
    piles, home = position
    order = [*range(8, 12), *range(8)]
    for source in order:
        if piles[source] and home[piles[source][-1] % 4] + 1 == piles[source][-1] // 4:
            yield source, 12
    empty = [place for place in range(8) if not piles[place]]
    free = [place for place in range(8, 12) if not piles[place]]
    for source in sorted(order):
        if not piles[source]:
            continue
        card = piles[source][-1]
        for target in range(8):
            if piles[target] and fits(card, piles[target][-1], by_suit):
                yield source, target
        if empty and (source >= 8 or len(piles[source]) > 1):
            yield source, empty[0]
        if free and source < 8:
            yield source, free[0]


def after(position: Position, move: tuple[int, int]) -> Position:
    piles, home = [list(pile) for pile in position[0]], list(position[1])
    card = piles[move[0]].pop()
    if move[1] == 12:
        home[card % 4] += 1
    else:
        piles[move[1]].append(card)
    return piles, tuple(home)


def key_of(position: Position) -> object:
    columns, cells = position[0][:8], position[0][8:]
    return frozenset(map(tuple, filter(None, columns))), frozenset(chain(*cells)), position[1]


def score(position: Position, weights: np.ndarray, by_suit: bool) -> int:
    piles, home = position
    inverted = sum(
        any(lower // 4 < card // 4 for lower in pile[:i])
        for pile in piles
        for i, card in enumerate(pile)
    )
    breaks = sum(not fits(card, lower, by_suit) for pile in piles for lower, card in pairwise(pile))
    return int(weights @ (52 - sum(home), inverted, breaks, sum(map(len, piles[8:]))))


def plain(number: int, by_suit: bool, weights: np.ndarray, limit: int) -> Outcome:
    deal = Bakers().deal(number)
    root: Position = [*map(list, deal.cascades), [], [], [], []], (0, 0, 0, 0)
    queue: list[tuple[int, int, Position, tuple[str, ...]]] = [(0, 0, root, ())]
    seen, expanded = {key_of(root)}, 0
    while queue and len(seen) < limit:
        position, path = heapq.heappop(queue)[2:]
        expanded += 1
        for move in moves_of(position, by_suit):
            child = after(position, move)
            if key_of(child) in seen or len(seen) >= limit:
                continue
            moves = (*path, PLACES[move[0]] + PLACES[move[1]])
            heapq.heappush(queue, (score(child, weights, by_suit), -len(seen), child, moves))
            seen.add(key_of(child))
            if sum(child[1]) == 52:
                lengths = {"moves": len(moves)}
                return Outcome(Status.SOLVED, moves, lengths, Nodes(expanded, len(seen)))
    status = Status.NODE_LIMIT if len(seen) >= limit else Status.UNSOLVABLE
    return Outcome(status, None, None, Nodes(expanded, len(seen)))


TWINS = [("suit", 22), ("suit", 181), ("colour", 3), ("colour", 33)]
"""A hopeless deal, one that is solved, one that reaches the limit, and another that is solved."""
MOST = 1_700
"""The limit: the nodes of each search."""


@pytest.mark.parametrize(("build", "number"), TWINS)
def test_it_does_what_its_plain_twin_does(build: str, number: int) -> None:
    for whole in ([2500, 2500, 1250, 10000], [3000, -100, 10000, 700]):
        weights = np.array(whole)
        found = solved(build, number, MOST, weights / 1e4)
        assert found == plain(number, build == "suit", weights, MOST)


def test_the_twin_meets_every_end() -> None:
    ends = {solved(build, number, MOST).status for build, number in TWINS}
    assert ends == {Status.SOLVED, Status.UNSOLVABLE, Status.NODE_LIMIT}


def test_with_colours_it_searches_as_freecells_own_search_does() -> None:
    """Node for node, until FreeCell's search stops: as soon as only home moves remain."""
    deals, game = range(1001, 1013), Bakers(build="colour")
    built_in = FREECELL.run(tasks(FREECELL, deals, 30_000))
    assert {outcome.status for outcome in built_in} == {Status.SOLVED, Status.NODE_LIMIT}
    for deal, outcome in zip(deals, built_in, strict=True):
        (same,) = game.run(tasks(game, [deal], outcome.nodes.generated))
        assert same.nodes == outcome.nodes


def test_freecells_verifier_accepts_its_solutions() -> None:
    """It shares nothing with the example."""
    game, deals = Bakers(build="colour"), range(1, 31)
    found = dict(zip(deals, game.run(tasks(game, deals, 30_000)), strict=True))
    moves = {number: one.moves for number, one in found.items() if one.moves is not None}
    assert len(moves) > 20
    assert all(verify(game.deal(number), path).solved for number, path in moves.items())


def test_solutions_are_the_same_with_any_number_of_workers() -> None:
    one, two = (
        gafreecell.solve_many(range(1, 21), game=Bakers, nodes=20_000, jobs=jobs) for jobs in (1, 2)
    )
    assert [(o.status, o.moves, o.nodes) for o in one] == [
        (o.status, o.moves, o.nodes) for o in two
    ]


def test_results_do_not_depend_on_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [solved(*case, 20_000) for case in CASES]
    monkeypatch.setattr("bakers.SLICE", 1)
    assert [solved(*case, 20_000) for case in CASES] == whole


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        (Limits(nodes=999), Status.NODE_LIMIT),
        (Limits(memory=1_000_000), Status.MEMORY_LIMIT),
        (Limits(seconds=0.001), Status.TIME_LIMIT),
    ],
)
def test_every_limit_is_kept_and_named(
    limits: Limits, status: Status, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bakers.SLICE", 10)
    game = Bakers(build="colour")
    evaluator = game.preset("baseline").evaluator
    (found,) = game.run([Task(11_982, evaluator, Search("best-first"), limits)])
    assert found.status is status
    assert found.nodes.generated <= limits.nodes


@pytest.mark.parametrize(
    ("moves", "fault"),
    [
        (["1h"], "1h: the card may not go there"),
        (["1a", "2a"], "2a: the card may not go there"),
        (["1a", "b1"], "b1: there is no card to move"),
        (["1a"], "52 cards are not home"),
    ],
)
def test_the_verifier_says_what_is_wrong(moves: list[str], fault: str) -> None:
    game = Bakers()
    assert fault in game.verify(game.deal(1), moves)
    for word in ("19", "h1", "1", "abc"):
        with pytest.raises(BadInput, match="expected a move such as"):
            game.verify(game.deal(1), [word])


def test_cards_at_home_and_in_cells_are_packed() -> None:
    text = "Foundations: C-0 D-K H-K S-K\nFreecells: KC QC\nJC TC 9C 8C 7C 6C 5C 4C 3C 2C AC\n"
    (board,) = Bakers().read_boards(text + ":\n" * 7)
    found = Bakers().solve(board, WEIGHTS, 1_000)
    assert found.moves is not None and Bakers().verify(board, found.moves) == ""
    assert packed(board)[kernels.HOME :].tolist() == [0, 13, 13, 13]


def test_the_kernels_are_plain_python_too() -> None:
    assert plain_lines_of(bakers_probe, "300") == bakers_probe.results(300)


@pytest.mark.long
def test_no_kernel_reaches_outside_its_arrays(tmp_path: Path) -> None:
    assert lines_of(bakers_probe, tmp_path, "30000") == bakers_probe.results(30_000)
