"""Tables against their definitions, and bounds, which must be admissible and consistent."""

from __future__ import annotations

import random

import pytest
from plain_pyramid import (
    ROW_POINTS,
    Endgame,
    Plain,
    distances,
    gain,
    is_uncovered,
    points,
    row_and_place,
    small_endgame,
)
from pyramid_searching import packed, prepared, values_of
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from deals import pyramid
from gafreecell.solitaire.pyramid.goals import Goal, read_goal
from gafreecell.solitaire.pyramid.kernels.bounds import DEAD, LEVEL, estimate
from gafreecell.solitaire.pyramid.kernels.successors import (
    DEPTH,
    GOES_ON,
    expand,
    new_states,
    state_at,
)
from gafreecell.solitaire.pyramid.position import pack_board
from gafreecell.solitaire.pyramid.shapes import shapes

GOALS = ("clear", "score", "score:400", "cards:Q", "cards:6:2", "cards:K")


def test_shapes_are_what_can_be_left() -> None:
    tables = shapes()
    assert len(set(tables.cards.tolist())) == 1430
    for shape, cards in enumerate(tables.cards.tolist()):
        left = frozenset(card for card in range(28) if cards >> card & 1)
        opens = {card for card in left if is_uncovered(card, left)}
        assert opens == {card for card in range(28) if tables.open[shape] >> card & 1}
        for card in opens:
            after = tables.cards[tables.without[28 * shape + card]]
            assert after == cards & ~(1 << card)
        rows = {row_and_place(card)[0] for card in left}
        paid = sum(pay for row, pay in ROW_POINTS.items() if row not in rows)
        assert 5 * tables.paid[shape] == paid


def test_matchings_against_scipy() -> None:
    matched = shapes().matched
    for graph in random.Random(1).sample(range(1 << 16), 1000):
        edges = [[graph >> (4 * row + column) & 1 for column in range(4)] for row in range(4)]
        found = maximum_bipartite_matching(csr_array(edges), perm_type="column")
        assert matched[graph] == sum(found >= 0)


def at_start(endgame: Endgame, goal: Goal) -> int:
    deal, state = prepared(packed(endgame))
    return int(estimate(deal, goal, state))


@pytest.mark.parametrize("text", GOALS)
@pytest.mark.parametrize("clearing", ["no", "yes"])
def test_bounds_are_admissible(text: str, clearing: str) -> None:
    goal = read_goal(values_of(text, clearing))
    clears = (clearing == "yes" and text.startswith("cards")) or text == "clear"
    generator = random.Random(5)
    for _ in range(30):
        endgame, reached = small_endgame(generator, 400)
        gained = {p: gain(endgame, p, text) for p in reached if not (clears and p.pyramid)}
        units = 5 if text.startswith("score") else 1
        least = int(text.split(":")[-1]) if text[-1].isdigit() else None
        ends = [p for p in gained if least is None or gained[p] >= least]
        bound = at_start(endgame, goal)
        if not ends:
            continue
        assert bound != DEAD
        gain_bound, steps = units * (goal.top - (bound >> LEVEL)), bound % (1 << LEVEL)
        wanted = max(gained.values()) if least is None else least
        if least is None:
            assert gain_bound >= wanted
        if least is not None or gain_bound == wanted:
            assert steps <= min(reached[p] for p in ends if gained[p] >= wanted)


def test_cards_of_higher_rows_are_partners_when_not_all_rows_can_be_cleared() -> None:
    """The sixes and sevens go together; without the other pyramid cards, seven costs a draw."""
    pyramid = {0: 12, 1: 12, 2: 12, 3: 6, 4: 10, 5: 1, 6: 1, 7: 1, 9: 7, 10: 6}
    left = pyramid | {28: 3, 29: 7}
    gone = [rank for rank in range(1, 14) for _ in range(4 - list(left.values()).count(rank))]
    ranks = tuple(left[card] if card in left else gone.pop() for card in range(52))
    position = Plain(frozenset(pyramid), (28, 29), (), 2)
    reached = distances(Endgame(ranks, position), 10_000)
    assert reached is not None
    most = max(points(ranks, p) for p in reached)
    goal = read_goal(values_of("score"))
    bound = at_start(Endgame(ranks, position), goal)
    assert 5 * (goal.top - (bound >> LEVEL)) == most
    assert bound % (1 << LEVEL) <= min(n for p, n in reached.items() if points(ranks, p) == most)


@pytest.mark.parametrize("text", GOALS)
def test_bounds_never_fall(text: str) -> None:
    """From a state to its successors, neither the least loss nor, with it, the steps in all."""
    goal = read_goal(values_of(text))
    stack, found = new_states(DEPTH), new_states(1 << 12)
    for number in range(1, 7):
        generator = random.Random(number)
        deal, state = prepared(pack_board(pyramid(number)))
        bound = int(estimate(deal, goal, state))
        while bound != DEAD:
            before = bound >> LEVEL, state.steps + bound % (1 << LEVEL)
            going = []
            for i in range(expand(deal, goal, stack, found, state)):
                after = state_at(found, i)
                bound = int(estimate(deal, goal, after))
                if found.value[i] == GOES_ON and bound != DEAD:
                    assert before <= (bound >> LEVEL, after.steps + bound % (1 << LEVEL))
                    going.append((bound, after))
            bound, state = generator.choice(going or [(DEAD, state)])
