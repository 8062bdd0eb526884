"""The search from positions in the middle of a game, against all that can be reached from them."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_pyramid import (
    RANKS,
    Endgame,
    Plain,
    board_of,
    distances,
    gain,
    points,
    random_endgame,
    small_endgame,
    successors,
)
from pyramid_searching import played, search

from deals import PyramidPosition, pyramid
from gafreecell.service.hints import adviser, judge
from gafreecell.solitaire.pyramid import GAME, solve, verify
from gafreecell.solitaire.pyramid.position import filled_in, pack, pack_board
from gafreecell.solitaire.pyramid.proof import why_lost
from gafreecell.solitaire.pyramid.verifier import Position
from gafreecell.solving.outcome import Limits, Status

MOST = 800
"""The most positions for the slow search."""


Case = tuple[Endgame, dict[Plain, int]]


@st.composite
def endgames(draw: st.DrawFn) -> Case:
    """Endgames, each with the distances of all positions that can be reached from it."""
    return small_endgame(random.Random(draw(st.integers(0, 2**32))), MOST)


def check(case: Case, goal: str, least: int, clearing: str = "no") -> None:
    """The search finds the fewest steps to the most of a goal, and to at least so much."""
    endgame, reached = case
    gained = {
        position: gain(endgame, position, goal)
        for position in reached
        if not (clearing == "yes" and position.pyramid)
    }
    for text, enough in (goal, max(gained.values(), default=0)), (f"{goal}:{least}", least):
        best = min((reached[p] for p in gained if gained[p] >= enough), default=None)
        found = search(endgame, text, clearing)
        assert found.status is (Status.UNSOLVABLE if best is None else Status.SOLVED)
        if found.moves is not None:
            assert len(found.moves) == best and gained[played(endgame, found)] >= enough


def check_score(case: Case, number: int) -> None:
    """At least some points more than there are now."""
    endgame, reached = case
    scored = [points(endgame.ranks, position) for position in reached]
    now, most = scored[0], max(scored)
    check(case, "score", min(now + 1 + number % (most - now + 6), 1290))


@settings(max_examples=100)
@given(endgames(), st.integers(0, 10**6))
def test_score(case: Case, number: int) -> None:
    check_score(case, number)


@settings(max_examples=200)
@given(endgames(), st.sampled_from(RANKS), st.integers(1, 4), st.sampled_from(["no", "yes"]))
def test_cards(case: Case, rank: str, least: int, clearing: str) -> None:
    check(case, f"cards:{rank}", least, clearing)


@pytest.mark.long
def test_every_goal_from_many_endgames() -> None:
    generator = random.Random(4)
    for _ in range(20_000):
        case = small_endgame(generator, 2 * MOST)
        check_score(case, generator.randrange(10**6))
        for rank in ("K", generator.choice(RANKS[:-1])):
            for clearing in ("no", "yes"):
                check(case, f"cards:{rank}", generator.randint(1, 4), clearing)


@pytest.mark.parametrize("nodes", [1, 100])
def test_a_limit_is_no_verdict(nodes: int) -> None:
    generator = random.Random(3)
    statuses = set()
    for _ in range(50):
        endgame = random_endgame(generator, 28, 24)
        found = search(endgame, nodes=nodes)
        if found.status is Status.NODE_LIMIT:
            assert found.nodes.generated >= nodes
        else:
            assert found.status is search(endgame).status
        statuses.add(found.status)
    assert Status.NODE_LIMIT in statuses


def fewest(endgame: Endgame) -> int | None:
    """The fewest steps that clear the pyramid."""
    reached = distances(endgame, 10**6)
    assert reached is not None
    return min((n for position, n in reached.items() if not position.pyramid), default=None)


def check_hint(endgame: Endgame, generator: random.Random) -> None:
    """The solution, the proof and the worth of each step are what the slow search finds."""
    # Which suit a card has is nobody's concern.
    suits = {rank: generator.sample(range(4), 4) for rank in range(1, 14)}
    board = board_of(endgame.position, [4 * rank + suits[rank].pop() for rank in endgame.ranks])
    best = fewest(endgame)
    hint = judge(board, GAME, adviser(GAME), Limits(), jobs=1)
    found = hint.whole
    status = Status.UNSOLVABLE if best is None else Status.SOLVED
    assert found.status is hint.status is status
    assert hint.decided and (found.moves is None) == (best is None)
    assert best is None or not why_lost(board)
    if found.moves is not None:
        assert verify(board, found.moves).cleared
        assert found.lengths == {"steps": best} and len(found.moves) == best
    after = (reached for _, reached in successors(endgame.ranks, endgame.position))
    left = [fewest(Endgame(endgame.ranks, position)) for position in after]
    judged = [one.left for one in hint.moves]
    assert Counter(judged) == Counter(left)
    assert all(one.keeps_win is (one.left is not None) for one in hint.moves)
    assert hint.best is None or judged[0] == min(n for n in left if n is not None)


@settings(max_examples=80)
@given(st.integers(0, 2**32))
def test_positions_and_hints(seed: int) -> None:
    generator = random.Random(seed)
    check_hint(small_endgame(generator, MOST)[0], generator)


@pytest.mark.long
def test_many_positions_and_hints() -> None:
    generator = random.Random(5)
    for _ in range(10_000):
        check_hint(small_endgame(generator, MOST)[0], generator)


@pytest.mark.parametrize(
    ("rows", "stock", "waste", "recycles", "best"),
    [
        ("2s / Jc 5h / . . 5s / . . . Kd", "8d 7s", "Ks 6h 2h 7d 8h 6c Kc Js", 0, 11),
        # The king of the waste stays: drawn past, at the end, in the last cycle.
        ("Jc", "2h", "Ks 2c 2d Jh Kh Jd", 0, 1),
        ("7s", "", "Kc Kh 6s", 0, 2),
        ("Qd", "6h Ac Kd Ks", "Kc 7c", 1, 2),
        # It goes: to free the card beneath it, and that beneath both.
        ("7s", "", "Kc Kh 6s", 2, 3),
        ("7s", "Ks", "Kc Kh 6s", 2, 3),
        ("Kc", "Kd", "Kh Ks", 2, 1),
    ],
)
def test_kings_of_the_waste_go_if_that_saves_steps(
    rows: str, stock: str, waste: str, recycles: int, best: int
) -> None:
    text = f"{rows}\nstock: {stock}\nwaste, top first: {waste}\nrecycles: {recycles}"
    board = PyramidPosition.from_text(text.replace(" / ", "\n"))
    assert solve(board).lengths == {"steps": best}


def test_a_game_goes_on_from_anywhere() -> None:
    """The rest of a shortest solution is a shortest solution of where it begins."""
    solved = [(number, steps) for number in range(1, 12) if (steps := solve(number).moves)]
    assert len(solved) > 3
    for number, steps in solved:
        game = Position(pyramid(number))
        for place in range(0, len(steps), 5):
            rest = solve(game.board)
            assert rest.moves is not None and len(rest.moves) == len(steps) - place
            for step in steps[place : place + 5]:
                game.play(step)
        assert solve(game.board).moves == ()


def test_challenges_count_from_the_start_of_the_game() -> None:
    for goal in ("score", "score:500", "cards:Q"):
        whole = solve(7, goal=goal)
        assert whole.moves is not None and whole.lengths is not None
        game = Position(pyramid(7))
        for step in whole.moves[: len(whole.moves) // 2]:
            game.play(step)
        rest = solve(game.board, goal=goal)
        kind = goal.partition(":")[0]
        assert rest.moves is not None and rest.lengths is not None
        assert rest.lengths[kind] >= min(whole.lengths[kind], 500)
        verdict = verify(game.board, rest.moves)
        assert rest.lengths[kind] == (verdict.score if kind == "score" else verdict.count(12))


def test_a_whole_deck_as_a_position_is_that_deck() -> None:
    deck = pyramid(5)
    whole = PyramidPosition.of_deck(deck)
    assert filled_in(whole) == deck
    for one, other in zip(pack_board(whole), pack_board(deck), strict=True):
        assert (one == other) is True or (one == other).all()
    assert solve(whole).moves == solve(deck).moves
    assert pack_board(whole).at == pack([1] * 52).at == 0
