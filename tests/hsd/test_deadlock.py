"""The deadlock bound against its definition, by brute force."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from engine import Engine
from hypothesis import assume, given
from linked_boards import board_of, bound_of, rooted
from positions import root_of
from random_boards import boards
from searching import run

from deals import FreeCellBoard, freecell
from deals.cards import fits, rank_of, suit_of
from hsd.kernels.deadlock import ASSUMED, NO_CUTOFF, new_graph
from hsd.kernels.moves import ANY, AT_ONCE
from hsd.searches import tree
from hsd.searches.kernels.bounds import bound_after, node_bound, settle
from hsd.searches.kernels.foundations import next_cards
from hsd.searches.kernels.linked import OTHERS, homes_of, make
from hsd.searches.kernels.tree import without_inversions

GRAPH = new_graph()
MOST_CARDS = 14
"""The most cards in cycles for which brute force is quick."""

Waits = dict[int, set[int]]
Groups = dict[int, set[int]]


def bound(board: FreeCellBoard, most: int = 255) -> int:
    return bound_of(board, GRAPH, most)


def waits(board: FreeCellBoard) -> Waits:
    """For each card of a cascade the cards that must leave before it can go home."""
    cards = [card for column in board.cascades for card in column]
    found: Waits = {card: set() for card in cards}
    for column in board.cascades:
        for height, lower in enumerate(column):
            for card in cards:
                if suit_of(card) == suit_of(lower) and rank_of(card) > rank_of(lower):
                    found[card] |= set(column[height + 1 :])
    return found


def in_cycles(graph: Waits, cards: set[int]) -> set[int]:
    """The cards that remain once those that wait for none, or none waits for, are removed."""
    while True:
        waited = {other for card in cards for other in graph[card]}
        kept = {card for card in cards if graph[card] & cards and card in waited}
        if kept == cards:
            return cards
        cards = kept


def in_loops(graph: Waits) -> set[int]:
    """The cards that wait for themselves."""
    return {card for card in graph if card in graph[card]}


def runs_of(board: FreeCellBoard) -> Groups:
    """For each card of a cascade the cards of its run: one group of cards that may move at once."""
    found: Groups = {}
    for column in board.cascades:
        run: set[int] = set()
        for height, card in enumerate(column):
            if height == 0 or not fits(card, column[height - 1]):
                run = set()
            run.add(card)
            found[card] = run
    return found


def alone(graph: Waits) -> Groups:
    """Each card as a group of its own."""
    return {card: {card} for card in graph}


def least_breaking(graph: Waits, groups: Groups) -> int:
    """The least number of groups whose cards break all cycles."""
    looped = {min(groups[card]) for card in in_loops(graph)}
    core = in_cycles(graph, set(graph) - {card for one in looped for card in groups[one]})
    others = sorted({min(groups[card]) for card in core})
    for count in range(len(others) + 1):
        for chosen in combinations(others, count):
            if not in_cycles(graph, core - {card for one in chosen for card in groups[one]}):
                return len(looped) + count
    raise AssertionError("without any card there is no cycle")


@given(boards())
def test_it_is_the_size_of_a_minimum_feedback_vertex_set(board: FreeCellBoard) -> None:
    graph = waits(board)
    assume(len(in_cycles(graph, set(graph) - in_loops(graph))) <= MOST_CARDS)
    least = least_breaking(graph, alone(graph))
    assert bound(board) == least
    for most in (1, max(least - 1, 1), max(least, 1), least + 1):
        assert bound(board, most) == min(least, most)


@given(boards())
def test_it_is_the_least_number_of_runs_that_break_all_cycles(board: FreeCellBoard) -> None:
    graph = waits(board)
    assume(len(in_cycles(graph, set(graph) - in_loops(graph))) <= MOST_CARDS)
    assert bound_of(board, GRAPH, at_once=True) == least_breaking(graph, runs_of(board))


@given(boards())
def test_without_inversions_it_is_nought(board: FreeCellBoard) -> None:
    if without_inversions(int(Engine(board).arrays.numbers.sums)):
        assert bound(board) == 0


@pytest.mark.parametrize(
    ("columns", "least"),
    [
        ("KS QC\nKC QS", 0),  # Both columns come off in order.
        ("QS KC\nQC KS", 1),  # KC waits for KS to leave QC, KS for KC.
        ("QC KC\nQS KS", 2),  # Each lies on the lower one of its suit.
    ],
)
def test_two_cards_that_wait_for_each_other(columns: str, least: int) -> None:
    board = FreeCellBoard.from_text(f"Foundations: C-J D-K H-K S-J\n{columns}\n")
    assert bound(board) == least


@pytest.mark.parametrize(("deal", "most"), [(1, 85), (2, 75), (3, 73), (4, 85), (17, 75)])
def test_it_never_exceeds_what_a_solution_needs(deal: int, most: int) -> None:
    """Lengths of solutions that the verifier has replayed: 52 home moves and others."""
    assert 0 < bound(freecell(deal)) <= most - 52


@given(boards())
def test_a_move_lowers_it_by_one_at_most(board: FreeCellBoard) -> None:
    """Consistency: one card moves, and a home move changes nothing."""
    engine = Engine(board)
    before = bound(board)
    for move in engine.moves():
        if move >> 10 > 1:
            continue
        with engine.made(move):
            after = bound(engine.as_board())
        if (move >> 5) & 31 == 16:
            assert after == before
        else:
            assert before - 1 <= after <= before + 1


@given(boards())
def test_a_move_of_a_run_lowers_it_by_one_at_most(board: FreeCellBoard) -> None:
    """Consistency in the units column and manual."""
    engine = Engine(board)
    before = bound_of(board, GRAPH, at_once=True)
    for move in engine.moves(AT_ONCE):
        with engine.made(move):
            after = bound_of(engine.as_board(), GRAPH, at_once=True)
        if (move >> 5) & 31 == 16:
            assert after == before
        else:
            assert before - 1 <= after <= before + 1


@pytest.mark.parametrize(("at_once", "longest"), [(False, ANY), (True, AT_ONCE)])
@given(board=boards())
def test_both_sets_tell_what_each_move_does(
    board: FreeCellBoard, at_once: bool, longest: int
) -> None:
    root, moves = root_of(board), Engine(board).moves(longest)
    linked = rooted(root)
    before = int(node_bound(linked, 0, root, GRAPH, at_once, NO_CUTOFF))
    feedback_set, cycle_cards = GRAPH.feedback_set[0], GRAPH.cycle_cards[0]
    assert before == bound_of(board, GRAPH, at_once=at_once)
    check_sets(board, int(feedback_set), int(cycle_cards), before, at_once)
    others, following = int(linked.nodes[OTHERS]), next_cards(homes_of(linked, 0))[0]
    for move in moves:
        told = int(
            bound_after(
                linked, 0, others, following, move, before, feedback_set, cycle_cards, at_once
            )
        )
        make(linked, 0, move, root)
        settled = int(settle(linked, GRAPH, root, move, told, feedback_set, cycle_cards, at_once))
        again, still = GRAPH.feedback_set[0], GRAPH.cycle_cards[0]
        after = board_of(linked, 1, root.cascades, root.cells)
        exact = bound_of(after, GRAPH, at_once=at_once)
        assert settled == exact
        assert told & ~ASSUMED <= exact
        assert told & ASSUMED or told == exact
        check_sets(after, int(again), int(still), exact, at_once)


def check_sets(
    board: FreeCellBoard, feedback_set: int, cycle_cards: int, bound: int, at_once: bool
) -> None:
    """Both sets keep to their definitions; the second one if brute force can tell."""
    graph = waits(board)
    groups = alone(graph) if not at_once else runs_of(board)
    chosen = {card for card in graph if feedback_set >> card & 1}
    assert len({min(groups[card]) for card in chosen}) == bound
    assert not in_cycles(graph, set(graph) - chosen)
    held = {card for card in graph if cycle_cards >> card & 1}
    if len(in_cycles(graph, held)) <= MOST_CARDS and cycle_cards != 2**64 - 1:
        inner = {card: graph[card] & held for card in held}
        assert least_breaking(inner, {card: groups[card] & held for card in held}) == bound


@pytest.mark.parametrize("automatic", ["safe", "none"])
@pytest.mark.parametrize("deal", [1, 11982])
@pytest.mark.parametrize("name", ["a-star", "beam"])
@pytest.mark.parametrize("unit", ["single", "manual"])
def test_searches_know_the_bound_of_what_they_expand(
    unit: str, name: str, deal: int, automatic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However late they computed it, and with the two sets of that very position."""
    kept: list[Any] = []
    drive: Any = tree.drive

    def keep(*args: Any, **more: Any) -> Any:
        status, work = drive(*args, **more)
        kept.append(work)
        return status, work

    monkeypatch.setattr(tree, "drive", keep)
    run(deal, name, {"DeadlockBound": 1.0}, {"automatic": automatic, "unit": unit}, nodes=800)
    at_once = unit == "manual"
    work = kept[-1]
    bounds = work.bounds
    for node in range(int(work.tree.registers.expanded)):
        board = board_of(work.tree, node, 8, 4)
        told = int(bounds.entry_h[work.tree.closed_entry[node]])
        assert told == bound_of(board, GRAPH, at_once=at_once)
        feedback_set = int(bounds.closed_feedback[node])
        cycle_cards = int(bounds.closed_cycles[node])
        if node % 20 == 0:
            check_sets(board, feedback_set, cycle_cards, told, at_once)
