"""A search on the blocks of ``gafreecell.jit``, as a game of one's own would write it.

It goes through a graph that is given as a table. A plain twin with ``heapq`` and a dict does the
same.
"""

from __future__ import annotations

import heapq
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gafreecell import jit
from gafreecell.jit.slices import size_in_bytes
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.stopping import Interrupted, interruptible

MOST_MOVES = 4
NO_NODE = -1


@jit.kernel
def hash_of(node: int) -> tuple[int, int]:
    """Many nodes share their first words, among them 0."""
    return jit.uint64(node % 3), jit.uint64(node)


@jit.kernel
def advance(
    tree: jit.Tree, edges: np.ndarray, scores: np.ndarray, goal: int, limit: int, pause: int
) -> int:
    while True:
        entry, code = jit.choose(tree, limit, pause)
        if entry < 0:
            return code
        if entry > 0:
            tree.state[0] = edges[jit.int64(tree.state[0]), jit.int64(tree.entry_move[entry])]
        jit.close(tree, entry)
        for move in range(MOST_MOVES):
            node = edges[jit.int64(tree.state[0]), move]
            if node != NO_NODE:
                key, second = hash_of(node)
                entry = jit.add(tree, key, second, move)
                if entry >= 0:
                    tree.state[0] = node
                    jit.queue(tree, entry, scores[jit.int64(tree.state[0])])
                    jit.take_back(tree)
                    if node == goal:
                        tree.registers.goal = entry
                        return jit.SOLVED


def searched(
    edges: np.ndarray, scores: np.ndarray, goal: int, limits: Limits, slice_length: int = 100
) -> tuple[Status, jit.Tree]:
    """The search from node 0, with arrays that are as small as can be at first."""

    def advance_slice(tree: jit.Tree) -> int:
        assert size_in_bytes(tree) <= limits.memory
        return advance(
            tree, edges, scores, goal, limits.nodes, registers_of(tree)[1] + slice_length
        )

    tree = jit.new_tree(np.zeros(1, np.int32), *hash_of(0), MOST_MOVES, entries=8)
    return jit.drive(tree, advance_slice, jit.enlarge_tree, limits)


def registers_of(tree: jit.Tree) -> tuple[int, int]:
    return int(tree.registers.generated), int(tree.registers.expanded)


def plain(edges: np.ndarray, scores: np.ndarray, goal: int, limit: int) -> tuple[Any, ...]:
    """How it ends, the nodes generated and expanded, and the path."""
    came: dict[int, tuple[int, int]] = {0: (0, NO_NODE)}
    expanded, queue = list[int](), [(0, 0, 0)]
    while queue and len(came) < limit and goal not in came:
        node = heapq.heappop(queue)[2]
        expanded.append(node)
        for move, successor in enumerate(edges[node].tolist()):
            known = successor == NO_NODE or successor in came
            if not known and len(came) < limit and goal not in came:
                # Of equal scores the latest comes first.
                heapq.heappush(queue, (int(scores[successor]), -len(came), successor))
                came[successor] = node, move
    if goal not in came:
        status = Status.NODE_LIMIT if len(came) >= limit else Status.UNSOLVABLE
        return status, list(came), expanded, None
    path, node = list[int](), goal
    while node != 0:
        node, move = came[node]
        path.append(move)
    return Status.SOLVED, list(came), expanded, path[::-1]


def found(status: Status, tree: jit.Tree, edges: np.ndarray) -> tuple[Any, ...]:
    """The same of a tree."""

    def node_of(entry: int) -> int:
        node = 0
        for move in jit.path_to(tree, entry):
            node = int(edges[node, move])
        return node

    generated, expanded = registers_of(tree)
    entries = tree.closed_entry[:expanded].tolist()
    # What is kept of closed states is what their paths lead to.
    assert tree.closed_state[:expanded, 0].tolist() == [node_of(entry) for entry in entries]
    path = jit.path_to(tree, tree.registers.goal) if status is Status.SOLVED else None
    return status, [*map(node_of, range(generated))], [*map(node_of, entries)], path


@st.composite
def graphs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    size = draw(st.integers(1, 60))
    node = st.integers(NO_NODE, size - 1)
    edges = draw(st.lists(node, min_size=size * MOST_MOVES, max_size=size * MOST_MOVES))
    score = st.integers(-3, 3) | st.sampled_from([-(2**31), 2**31 - 1])
    scores = draw(st.lists(score, min_size=size, max_size=size))
    goal = draw(st.integers(1, size))
    return np.array(edges).reshape(size, MOST_MOVES), np.array(scores), goal


@given(graphs(), st.integers(1, 70), st.integers(1, 9))
def test_it_does_what_its_plain_twin_does(
    graph: tuple[np.ndarray, np.ndarray, int], limit: int, slice_length: int
) -> None:
    status, tree = searched(*graph, Limits(nodes=limit), slice_length)
    assert found(status, tree, graph[0]) == plain(*graph, limit)


def grid(size: int) -> tuple[np.ndarray, np.ndarray, int]:
    """A graph without a goal, in which the search has many states open."""
    numbers = np.random.default_rng(1)
    edges = numbers.integers(0, size, (size, MOST_MOVES))
    edges[:, 0] = (np.arange(size) + 1) % size
    return edges, numbers.integers(-(2**31), 2**31, size), size


def test_a_large_graph_in_slices_of_any_length() -> None:
    graph = grid(5_000)
    expected = plain(*graph, 10**6)
    assert expected[0] is Status.UNSOLVABLE and len(expected[1]) == 5_000
    for slice_length in (1, 97, 10**6):
        status, tree = searched(*graph, Limits(), slice_length)
        # All paths would take long to follow, so only the order of the closed states is compared.
        assert (status, tree.closed_state[:5_000, 0].tolist()) == (expected[0], expected[2])


@pytest.mark.parametrize("limit", [1, 2, 3, 100, 101, 102, 103, 104])
def test_the_node_limit_is_kept_to_the_node(limit: int) -> None:
    status, tree = searched(*grid(500), Limits(nodes=limit))
    assert (status, registers_of(tree)[0]) == (Status.NODE_LIMIT, limit)


@pytest.mark.parametrize("memory", [10_000, 100_000, 300_000])
def test_the_memory_limit_is_kept_and_named(memory: int) -> None:
    """``searched`` looks at the size of the arrays before each slice."""
    status, tree = searched(*grid(20_000), Limits(memory=memory))
    assert status is Status.MEMORY_LIMIT
    assert memory // 4 < size_in_bytes(tree) <= memory


def endless() -> tuple[np.ndarray, np.ndarray, int]:
    """Half a million states; with slices of one expansion they take seconds."""
    return grid(500_000)


def test_a_deadline_ends_it() -> None:
    status, tree = searched(*endless(), Limits(seconds=0.05), slice_length=1)
    assert status is Status.TIME_LIMIT
    assert 1 < registers_of(tree)[1] < 500_000


def test_ctrl_c_ends_it() -> None:
    graph = endless()
    for pressed in (False, True):
        with pytest.raises(KeyboardInterrupt if pressed else Interrupted), interruptible() as call:
            signals = (signal.raise_signal, signal.SIGINT) if pressed else (call.set,)
            timer = threading.Timer(0.1, *signals[:1], signals[1:])
            timer.start()
            began = time.perf_counter()
            try:
                call.run(searched, *graph, Limits(), 1)
            finally:
                timer.join()
                assert time.perf_counter() - began < 1


@pytest.mark.parametrize("entries", [4, 12])
def test_room_for_fewer_states_than_a_state_has_moves_is_refused(entries: int) -> None:
    with pytest.raises(
        ValueError, match=rf"power of two greater than most_moves \(4\), got {entries}"
    ):
        jit.new_tree(np.zeros(1), 1, 1, 4, entries=entries)


def test_a_hash_of_signed_words_is_known_again() -> None:
    tree = jit.new_tree(np.zeros(1, np.int64), -3, -5, MOST_MOVES)
    jit.choose(tree, 100, 100)
    jit.close(tree, 0)
    found = [jit.add(tree, *words, 0) for words in ((5, -7), (5, -7), (-3, -5))]
    assert found == [1, -1, -1]


def closed(entries: int = 8) -> jit.Tree:
    """A tree whose root is closed."""
    tree = jit.new_tree(np.zeros(1, np.int64), 1, 1, MOST_MOVES, entries=entries)
    jit.choose(tree, 100, 100)
    jit.close(tree, 0)
    return tree


@pytest.mark.parametrize("score", [-(2**31), 2**31 - 1])
def test_scores_at_the_ends_are_taken(score: int) -> None:
    tree = closed()
    for entry, other in ((jit.add(tree, 2, 2, 0), 0), (jit.add(tree, 3, 3, 2**31 - 1), score)):
        jit.queue(tree, entry, other)
    assert jit.choose(tree, 100, 100) == ((2, 0) if score < 0 else (1, 0))


def test_what_does_not_fit_is_refused() -> None:
    tree = closed()
    entry = jit.add(tree, 2, 2, 0)
    for score in (-(2**31) - 1, 2**31, 2**40):
        with pytest.raises(ValueError, match="scores from -2"):
            jit.queue(tree, entry, score)
    for wrong in (-1, entry + 1):
        with pytest.raises(ValueError, match=r"takes what jit\.add returned"):
            jit.queue(tree, wrong, 0)
    for move in (-1, 2**31):
        with pytest.raises(ValueError, match="moves from 0 to"):
            jit.add(tree, 3, 3, move)
    with pytest.raises(ValueError, match="each entry once"):
        for _ in range(tree.heap.size):
            jit.queue(tree, entry, 0)
    assert int(tree.registers.open) == registers_of(tree)[0] == 2
    with pytest.raises(ValueError, match=r"most_moves of jit\.new_tree"):
        for key in range(3, 12):
            jit.add(tree, key, 0, 0)
    assert registers_of(tree)[0] == tree.entry_parent.size
    with pytest.raises(ValueError, match=r"jit\.close takes what"):
        for _ in range(tree.closed_entry.size):
            jit.close(tree, entry)
    assert registers_of(tree)[1] == tree.closed_entry.size


def test_the_least_room_suffices() -> None:
    tree = jit.new_tree(np.zeros(1, np.int64), 1, 1, 1, entries=2)
    assert tree.closed_entry.size == 1
