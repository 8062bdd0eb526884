"""What is said of deals that the dead-end tests call lost, checked on the cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from klondike_kernels import Engine
from late_positions import late_position
from plain_klondike import RULES, USUAL, PlainTable, Rules
from plain_kplus import State, hold_each_other, won_when_relaxed
from proof_checker import check
from random_klondike import tables

from deals import KlondikeBoard
from deals import klondike as deal
from gafreecell.solitaire import klondike
from gafreecell.solitaire.klondike.proof import why_lost
from gafreecell.solving.outcome import Limits, Status


def table_of(number: int, rules: Rules = USUAL) -> PlainTable:
    board = deal(number)
    return PlainTable(board.deal_text().split(), *rules)


def is_lost(table: PlainTable) -> bool:
    """Whether the plain tests call a game lost."""
    state = State.of(table)
    return not won_when_relaxed(state) or hold_each_other(state, wide=True)


def check_needs_each_line(table: PlainTable, lines: Sequence[str]) -> None:
    """Nobody can follow a proof without one of its lines, the first one apart."""
    for dropped in range(1, len(lines)):
        with pytest.raises((AssertionError, ValueError)):
            check(table, [*lines[:dropped], *lines[dropped + 1 :]])


@cache
def lost() -> list[int]:
    """Of deals 1 to 100 those that the tests call lost."""
    return [number for number in range(1, 101) if why_lost(deal(number))]


def test_every_proof_of_a_lost_deal_can_be_followed() -> None:
    kinds = Counter(check(table_of(number), why_lost(deal(number))) for number in lost())
    # Cards in a circle, few that move, none that moves, two for one place.
    assert set(kinds) == {"These", "Suppose", "No", "pair"}
    share = sum(Engine(deal(number)).is_lost() for number in range(1, 901)) / 900
    assert 0.07 < share < 0.12, "8.6 % by the paper's tests, and some by the wider one"


@pytest.mark.parametrize("which", range(12))
def test_a_proof_needs_each_of_its_lines(which: int) -> None:
    number = lost()[which]
    check_needs_each_line(table_of(number), why_lost(deal(number)))


@pytest.mark.parametrize("rules", RULES[1:], ids=str)
def test_proofs_under_other_rules(rules: Rules) -> None:
    needed = 0
    for number in range(1, 121):
        if needed >= 30 and number > 30:
            break
        board = deal(number, *rules)
        lines = why_lost(board)
        assert bool(lines) == Engine(board).is_lost()
        if not lines:
            continue
        check(table_of(number, rules), lines)
        if needed < 30:
            needed += len(lines) - 1
            check_needs_each_line(table_of(number, rules), lines)
    assert needed >= 30


def test_a_proof_under_one_set_of_rules_is_none_under_others() -> None:
    only = [n for n in range(1, 81) if why_lost(deal(n, 3, 0)) and not why_lost(deal(n))]
    assert len(only) > 10
    for number in only:
        with pytest.raises(AssertionError):
            check(table_of(number), why_lost(deal(number, 3, 0)))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_late_positions_are_explained_if_the_kernels_call_them_lost(rules: Rules) -> None:
    generator, kinds = random.Random(9), set()
    for number in range(300):
        if "These" in kinds and number > 60:
            break
        board = late_position(generator, *rules)
        lines = why_lost(board)
        assert bool(lines) == Engine(board).is_lost()
        if not lines:
            continue
        kinds.add(check(PlainTable.of(board), lines))
        # The last words of a long list of moves may be no more than one more card in reach.
        if lines[0].startswith("These"):
            check_needs_each_line(PlainTable.of(board), lines)
    assert "These" in kinds


@pytest.mark.parametrize("which", range(12))
def test_a_proof_of_one_deal_is_none_of_another(which: int) -> None:
    number = lost()[which]
    with pytest.raises((AssertionError, ValueError, StopIteration)):
        check(table_of(number + 1), why_lost(deal(number)))


def test_what_the_search_does_not_even_begin_is_explained() -> None:
    outcomes = klondike.solve_many(range(1, 81), limits=Limits(nodes=10))
    for number, outcome in enumerate(outcomes, start=1):
        lines = why_lost(deal(number))
        assert bool(lines) == (outcome.status is Status.UNSOLVABLE)
        assert not lines or klondike.GAME.why_unsolvable(deal(number), outcome) == lines


def test_a_search_to_the_end_is_told_by_its_count() -> None:
    board = deal(14)
    outcome = klondike.solve(board)
    assert outcome.status is Status.UNSOLVABLE and outcome.nodes.generated > 1
    searched = f"by the moves that a win may need was searched, {outcome.nodes.generated:,} in all"
    emptying = "emptying a pile by moving its bottom card to another pile, while"
    first, left_out, one, other = klondike.GAME.why_unsolvable(board, outcome)
    assert f"Every position that can be reached {searched}" in first
    assert left_out == "  The search left out two kinds of moves, which no win needs:"
    assert one.startswith("  (1) any other move, when a card can go home that no card will ever")
    assert other.startswith(f"  (2) {emptying}")


def test_what_the_search_left_out_is_told_by_its_rules() -> None:
    board = deal(14)
    outcome = klondike.solve(board)
    rules = {"safe-home": "no", "still-bottoms": "yes", "dead-ends": "yes", "shorten": 0}
    first, left_out = klondike.GAME.why_unsolvable(board, outcome, rules)
    assert "a win may need" in first
    assert left_out.startswith("  The search left out moves that no win needs: emptying a pile by")
    (line,) = klondike.GAME.why_unsolvable(board, outcome, {**rules, "still-bottoms": "no"})
    assert line.startswith("Every position that can be reached was searched") and "win" not in line


@given(tables(rules=RULES))
@settings(max_examples=25)
def test_positions_are_explained_if_the_plain_tests_call_them_lost(table: PlainTable) -> None:
    lines = why_lost(KlondikeBoard.from_text(table.text()))
    assert bool(lines) == is_lost(table)
    if lines:
        check(table, lines)
