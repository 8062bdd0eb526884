"""Partial expansion: every successor's score, and the state that is built from it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import numpy as np
from engine import Engine
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_twin import Move, Twin, fits
from positions import root_of
from random_games import SEEDS, starts

from deals import FreeCellBoard
from gafreecell.jit import kernel
from hsd.kernels.board import CELL, HOME, empty_board
from hsd.kernels.columns import INFO, RECORD, W_MADE, W_OFF, beneath, card_of, row_of
from hsd.kernels.features import BREAKS_RUN, DEADLOCK_BOUND, MOVES_MADE, NAMES
from hsd.searches.kernels.nodes import after_move, build, set_root
from hsd.searches.kernels.partial import CELLS, COUNTS, MADE, NODE, SOLUTION, Partial, new_partial
from hsd.searches.kernels.successors import expand
from hsd.searches.schedule import Schedule

WEIGHED = [name for name in NAMES if name not in {DEADLOCK_BOUND, *Schedule.cannot_weigh}]
WEIGHTS = st.lists(
    st.floats(-1, 1) | st.just(0.0), min_size=len(WEIGHED), max_size=len(WEIGHED)
).map(lambda w: dict(zip(WEIGHED, w, strict=True)))


@kernel
def _build(work, parent, move, root, w):  # type: ignore[no-untyped-def]
    """Build a successor; returns the card that must not move again, 0 for none."""
    first, second, card, quiet = after_move(work, parent, move, root)
    build(work, parent, move, root, w, first, second, card, quiet)
    work.registers.nodes += 1
    return card if quiet else 0


class Tree:
    """A search tree that grows as tests say.

    Attributes:
        work: its arrays.
        moved: by node, the card that must not move again, 0 for none.
    """

    def __init__(self, board: FreeCellBoard, weights: Mapping[str, float], safe: bool) -> None:
        self.size = len(board.cascades), board.cell_count
        self.work: Partial = new_partial(1 << 10)
        self.root = root_of(board, safe)
        self.row = row_of(Engine(board).compiled(weights)[0])
        # What an earlier search left behind must not matter.
        for array in (self.work.records, self.work.nodes, self.work.successors):
            array[:] = -1
        set_root(self.work, empty_board(), self.root, self.row)
        self.moved = [0]

    def build(self, parent: int, number: int) -> int:
        """The node of a successor, by its move's number."""
        self.moved.append(_build(self.work, parent, number, self.root, self.row))
        return int(self.work.registers.nodes) - 1

    def successors(self, node: int, moved: int) -> dict[int, int] | None:
        """Scores by the numbers of moves; None at the goal."""
        best = expand(self.work, node, self.root, self.row, moved)
        if best == SOLUTION:
            return None
        start, width = int(self.work.first[node]), int(self.work.width[node])
        words = self.work.successors[start : start + width].tolist()
        assert best == min(words, default=best)
        found = {word & 65535: word >> 16 for word in words}
        assert len(found) == width
        return found

    def key(self, node: int) -> tuple[int, int]:
        return tuple(self.work.keys[2 * node : 2 * node + 2].tolist())

    def made(self, node: int) -> int:
        return int(self.work.nodes[NODE * node + COUNTS]) >> MADE

    def twin(self, node: int) -> Twin:
        """The position of a node, card by card."""
        words, records = self.work.nodes[NODE * node :], self.work.records
        counts, in_cells = int(words[COUNTS]), int(words[CELLS])
        cells = [card for card in range(64) if (in_cells >> card) & 1]
        home = [(counts >> (4 * suit)) & 15 for suit in range(4)]
        cascades = []
        for c in range(self.size[0]):
            link, column = int(self.work.columns[16 * node + c]), []
            while link:
                column.append(int(card_of(records[RECORD * link + INFO])))
                link = int(beneath(records, RECORD * link))
            cascades.append(column[::-1])
        return Twin(cascades, cells, home, self.size[1])


def as_twins(number: int) -> Move:
    """A move in the twin's form."""
    source, target, what = number & 31, (number >> 5) & 31, number >> 10
    count = 1 if source == CELL else what
    origin = ("cell", what) if source == CELL else source
    return origin, {CELL: "cell", HOME: "home"}.get(target, target), count


def walk(tree: Tree, seed: int) -> Iterator[tuple[int, dict[int, int]]]:
    """Nodes of a random game with all their successors."""
    generator, node = random.Random(seed), 0
    for _ in range(12):
        successors = tree.successors(node, 0)
        if not successors:
            return
        yield node, successors
        node = tree.build(node, generator.choice(list(successors)))


@settings(max_examples=30)
@given(starts(), WEIGHTS, st.booleans(), SEEDS)
def test_a_successor_has_the_score_of_its_position(
    board: FreeCellBoard, weights: dict[str, float], safe: bool, seed: int
) -> None:
    """And its position is what the rules say, the cards and the hash."""
    tree = Tree(board, weights, safe)
    for node, successors in walk(tree, seed):
        before = tree.twin(node)
        for number, score in successors.items():
            source, target, count = move = as_twins(number)
            child = tree.build(node, number)
            after = before.after(move)
            forced = len(after.safe_home_moves()) if safe else 0
            twin = tree.twin(child)
            assert twin.key() == after.key()
            engine = Engine(twin.as_board())
            assert tree.key(child) == engine.key()
            if target == "home":
                assert tree.made(child) == tree.made(node)
                continue
            assert tree.made(child) == tree.made(node) + 2 * count - 1
            if forced:
                continue
            column = before.cascades[source] if isinstance(source, int) else []
            off = len(column) > count and fits(column[-count], column[-count - 1])
            expected = engine.linear_score(weights, tree.made(child))
            assert score == expected + (int(tree.row[W_OFF]) if off else 0)


@settings(max_examples=30)
@given(starts(), WEIGHTS, st.booleans(), SEEDS)
def test_a_node_is_what_a_root_of_its_position_is(
    board: FreeCellBoard, weights: dict[str, float], safe: bool, seed: int
) -> None:
    """The same hash, successors and scores, but for the moves made; cells in any order."""
    tree = Tree(board, weights, safe)
    for node, successors in walk(tree, seed):
        fresh = Tree(tree.twin(node).as_board(), weights, safe)
        assert fresh.key(0) == tree.key(node)
        so_far = tree.made(node) * int(tree.row[W_MADE])
        expected = fresh.successors(0, 0) or {}
        assert successors == {number: score + so_far for number, score in expected.items()}


@settings(max_examples=30)
@given(starts(), st.booleans(), SEEDS)
def test_the_moves_are_those_of_the_rules(board: FreeCellBoard, safe: bool, seed: int) -> None:
    """All of the twin's, each once; the last empty cascade stands for all."""
    tree = Tree(board, {"MovesMade": 1.0}, safe)
    for node, successors in walk(tree, seed):
        twin = tree.twin(node)
        first, *_, last = twin.empty_cascades() * 2 or (-1, -1)
        moves = [(s, last if t == first else t, count) for s, t, count in twin.moves()]
        assert sorted(map(str, map(as_twins, successors))) == sorted(map(str, moves))
        moved = tree.moved[node]
        again = tree.successors(node, moved) or {}
        left_out = successors.keys() - again.keys()
        assert {number: successors[number] for number in again} == again
        for number in left_out:
            source, target, count = as_twins(number)
            assert target != "home"
            cards = twin.cascades[source][-count:] if isinstance(source, int) else [source[1]]
            assert moved in cards


def test_the_row_has_every_coefficient_that_can_be_weighed() -> None:
    board = FreeCellBoard(((55,), *[()] * 7), foundations=(13, 13, 13, 12))
    for name in WEIGHED:
        row = row_of(Engine(board).compiled({name: 1.0})[0])
        assert row.dtype == np.int64 and row.any(), name
    assert {MOVES_MADE, BREAKS_RUN} <= set(WEIGHED)
