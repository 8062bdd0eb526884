"""The jitted K+ board, its actions, values and dead ends against a plain twin."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from klondike_kernels import Engine, plain
from plain_klondike import RULES, PlainTable
from plain_kplus import (
    State,
    actions,
    features,
    held_fast,
    hold_each_other,
    moves,
    result,
    won_when_relaxed,
)
from random_klondike import tables
from test_klondike_verifier import WON

from deals import DealError, KlondikeBoard, klondike
from gafreecell.solitaire.klondike.kernels.board import load
from gafreecell.solitaire.klondike.packed import CARDS_AT, pack_board
from gafreecell.solitaire.klondike.rollouts.values import NAMES, PUBLISHED, UNIT, VALUES
from gafreecell.solitaire.klondike.verifier import Position


def engine_of(table: PlainTable, weights: np.ndarray = PUBLISHED) -> Engine:
    return Engine(KlondikeBoard.from_text(table.text()), weights)


def walk(engine: Engine, state: State, generator: random.Random, steps: int) -> None:
    """Compare everything along a random walk, and undo it."""
    trail = []
    keys = {state.same: engine.key}
    for _ in range(steps):
        listed = engine.actions()
        assert [plain(action) for action in listed] == actions(state)
        if not listed:
            break
        before, kept = [engine.value(h) for h in range(2)], engine.content()
        for action in listed:
            expected = [v + engine.delta(h, action) for h, v in enumerate(before)]
            wins = engine.wins(action)
            made = engine.make(action)
            assert [engine.value(h) for h in range(2)] == expected
            assert engine.won == wins
            # One key for one state, and for no other.
            same = engine.state().same
            assert keys.setdefault(same, engine.key) == engine.key
            engine.unmake(made)
            assert engine.content() == kept
        action = generator.choice(listed)
        trail.append((engine.content(), engine.make(action)))
        state = result(state, plain(action))
        assert engine.state() == state
        check_position(engine, state)
    assert len(set(keys.values())) == len(keys)
    for content, made in reversed(trail):
        engine.unmake(made)
        assert engine.content() == content


def check_position(engine: Engine, state: State) -> None:
    counted = features(state)
    for h in range(2):
        weights = [feature.baseline for feature in VALUES[8 * h : 8 * h + 8]]
        assert engine.value(h) == UNIT * sum(w * f for w, f in zip(weights, counted, strict=True))
    assert engine.won == state.won
    assert engine.relaxed_dead == (not won_when_relaxed(state))
    assert engine.twins_dead == held_fast(state)
    # A game lost in the delete relaxation is lost whatever its pairs do.
    for wide in (False, True):
        assert engine.relaxed_dead or engine.pair_dead(wide) == hold_each_other(state, wide)


@settings(max_examples=5)
@given(tables(rules=RULES), st.integers(0, 2**32))
def test_walks_against_the_plain_twin(table: PlainTable, seed: int) -> None:
    engine, state = engine_of(table), State.of(table)
    assert engine.state() == state
    check_position(engine, state)
    walk(engine, state, random.Random(seed), 8)


@settings(max_examples=5)
@given(tables(0, RULES), st.integers(0, 2**32))
def test_long_walks_from_deals(table: PlainTable, seed: int) -> None:
    walk(engine_of(table), State.of(table), random.Random(seed), 20)


@given(tables(rules=RULES), st.permutations(range(7)))
def test_piles_in_another_order_are_the_same_state(table: PlainTable, order: list[int]) -> None:
    engine, other = engine_of(table), engine_of(table)
    board = KlondikeBoard.from_text(table.text())
    packed = pack_board(board)
    dealt, talon = np.split(packed[CARDS_AT:], [sum(map(len, board.piles))])
    piles = np.split(dealt, np.cumsum([len(pile) for pile in board.piles])[:-1])
    heights, downs, rest = packed[:7][order], packed[7:14][order], packed[14:CARDS_AT]
    packed = np.concatenate([heights, downs, rest, *(piles[p] for p in order), talon])
    load(other.board, packed)
    assert other.key == engine.key


def test_about_as_many_deals_are_dead_as_published() -> None:
    generator = random.Random(8)
    found = 0
    for number in range(150):
        table = PlainTable.shuffled(generator)
        engine = engine_of(table)
        if number < 30:
            check_position(engine, State.of(table))
        found += engine.is_lost(wide=False)
    assert 5 <= found <= 21  # 8.56 % of 10 million deals (section 4.1), four deviations each way.


# ------------------------------------------------------------------ dead ends are dead


def reaches_a_win(state: State, most: int) -> bool | None:
    """Whether any line of legal moves wins; None if there are too many states."""
    seen, stack = {state.same}, [state]
    while stack:
        state = stack.pop()
        if state.won:
            return True
        for move in moves(state):
            after = result(state, (move,))
            if after.same not in seen:
                if len(seen) >= most:
                    return None
                seen.add(after.same)
                stack.append(after)
    return False


@settings(max_examples=60)
@given(tables(400, RULES))
def test_no_endgame_that_is_called_dead_can_be_won(table: PlainTable) -> None:
    if engine_of(table).is_lost():
        assert not reaches_a_win(State.of(table), 5_000)


def test_no_state_on_the_path_of_a_win_is_called_dead() -> None:
    position = Position.from_board(klondike(3))
    for token in WON:
        engine = Engine(position.board)
        assert not engine.is_lost()
        position.play(token)
    assert position.is_solved


def test_an_unknown_card_is_refused() -> None:
    table = PlainTable.shuffled(random.Random(1))
    text = table.text().splitlines()
    text[-1] = " ".join(["??", *text[-1].split()[1:]])
    with pytest.raises(DealError, match=r"a card is unknown \(\?\?\)"):
        Engine(KlondikeBoard.from_text("\n".join(text)))


def test_the_published_weights() -> None:
    assert len(NAMES) == len(set(NAMES)) == 64
    by_name = dict(zip(NAMES, PUBLISHED, strict=True))
    # Table 1: a foundation card is worth 5 - its rank value to H1, 5 to H2.
    assert (by_name["H1Foundation"], by_name["H1FoundationRank"]) == (5, -1)
    assert (by_name["H2Foundation"], by_name["H2FoundationRank"]) == (5, 0)
    assert (by_name["H1BlocksBuild"], by_name["H2BlocksBuild"]) == (-10, -5)
