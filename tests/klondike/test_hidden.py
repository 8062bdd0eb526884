"""Klondike with hidden cards: what a player sees, the planners against plain twins, honesty."""

from __future__ import annotations

import csv
import json
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from klondike_kernels import Engine, plain
from late_kernels import late_kernels
from late_positions import late_position
from plain_hidden import PlainDraws, PlainUct, play_out, seen, shown
from plain_klondike import RULES, USUAL, PlainTable, Rules
from plain_kplus import Action, Rollout, State, actions, changed, result
from plain_kplus import token as plain_token
from random_klondike import tables

from deals import DealError, KlondikeBoard, klondike
from deals.klondike_board import UNKNOWN
from gafreecell.jit import new_registers
from gafreecell.jit.kernels.draws import below, new_draws, shuffle
from gafreecell.solitaire.klondike.hidden import POLICIES, advise, planners, play
from gafreecell.solitaire.klondike.hidden.kernels.seat import new_seat, open_turn
from gafreecell.solitaire.klondike.hidden.kernels.trees import new_tree
from gafreecell.solitaire.klondike.hidden.kernels.uct import Registers, advance
from gafreecell.solitaire.klondike.hidden.planners import show, sit
from gafreecell.solitaire.klondike.hidden.players import Clock
from gafreecell.solitaire.klondike.hidden.policies import check
from gafreecell.solitaire.klondike.hidden.view import UNSEEN, View
from gafreecell.solitaire.klondike.moves import token
from gafreecell.solitaire.klondike.packed import CARDS_AT, UNSEEN_AT, pack_board
from gafreecell.solitaire.klondike.rollouts.table_moves import table_moves
from gafreecell.solitaire.klondike.rollouts.values import PUBLISHED
from gafreecell.solitaire.klondike.verifier import Position, verify
from gafreecell.solving.parameters import ParameterError
from gafreecell.solving.playing import Alternative

SMALL: dict[str, dict[str, int]] = {
    "random": {},
    "greedy": {},
    "hop": {"samples": 2},
    "uct": {"trajectories": 30},
    "hop-uct": {"trajectories": 10, "trees": 3},
    "sparse-uct": {"trajectories": 30, "width": 2},
    "ensemble-uct": {"trajectories": 10, "trees": 3},
    "ensemble-sparse-uct": {"trajectories": 10, "trees": 3, "width": 2},
    "best": {"samples": 6},
}


VEGAS: list[Rules] = [(1, 0), (3, 2)]
KINDS: list[tuple[Rules, bool]] = [(USUAL, False), *((rules, True) for rules in (USUAL, *VEGAS))]
"""Kinds of games: the rules, and whether nobody has seen the stock."""


def board_of(table: PlainTable) -> KlondikeBoard:
    return KlondikeBoard.from_text(table.text())


def late_table(generator: random.Random, rules: Rules, unseen: bool) -> PlainTable:
    return PlainTable.of(replace(late_position(generator, *rules), unseen=unseen))


LATE = st.builds(
    lambda seed, rules: late_table(random.Random(seed), rules, unseen=True),
    st.integers(0, 2**32),
    st.sampled_from(RULES),
)
"""Games in which few cards are unseen, those of the stock among them."""


# ------------------------------------------------------------------ what is seen


BOTH = tables(300) | tables(60, RULES, unseen=True)
"""Games whose stock is known, and games in most of which it is not."""


@given(BOTH)
def test_a_view_holds_no_hidden_card(table: PlainTable) -> None:
    board = board_of(table)
    view = View.of_board(board)
    stock = table.stock if table.unseen else []
    hidden = {card.strip("<>") for pile in table.piles for card in pile if "<" in card} | {*stock}
    names = ["A23456789TJQK"[i >> 2] + "CSDH"[i & 3] for i in range(52)]
    assert {names[i] for i in view.unseen} == hidden
    heights, downs = view.packed[:7], view.packed[7:14]
    starts = CARDS_AT + np.cumsum(heights) - heights
    places = [s + k for s, d in zip(starts, downs, strict=True) for k in range(d)]
    first = CARDS_AT + int(heights.sum()) + len(table.waste)
    assert view.places.tolist() == [*places, *range(first, first + len(stock))]
    assert view.packed[UNSEEN_AT] == bool(stock)
    laid = [names[i] for i in view.packed[CARDS_AT:] if i != UNSEEN]
    assert not hidden & set(laid[: 52 - len(hidden) - sum(board.foundations)])


@given(BOTH, st.randoms(use_true_random=False))
def test_views_of_games_that_look_alike_are_alike(table: PlainTable, order: random.Random) -> None:
    board = board_of(table)
    other = View.of_board(shuffled_below(board, order))
    view = View.of_board(board)
    assert np.array_equal(view.packed, other.packed)
    assert np.array_equal(view.unseen, other.unseen)


def shuffled_below(board: KlondikeBoard, order: random.Random) -> KlondikeBoard:
    """The board with its unseen cards in another order."""
    laid = list(zip(board.piles, board.face_down, strict=True))
    stock = board.stock if board.unseen else ()
    cards = [*(card for pile, down in laid for card in pile[:down]), *stock]
    order.shuffle(cards)
    rest = iter(cards)
    piles = tuple((*[next(rest) for _ in range(down)], *pile[down:]) for pile, down in laid)
    return replace(board, piles=piles, stock=tuple(rest) if board.unseen else board.stock)


def test_unknown_cards_are_seen_as_such_and_no_game_begins_with_them() -> None:
    text = str(klondike(1)).splitlines()
    text[-1] = " ".join(["??", *text[-1].split()[1:]])
    board = KlondikeBoard.from_text("\n".join(text))
    assert np.array_equal(View.of_board(board).packed, View.of_board(klondike(1)).packed)
    with pytest.raises(DealError, match=r"a card is unknown \(\?\?\)"):
        play(board, "greedy")


# ------------------------------------------------------------------ random numbers


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(1, 2**20), min_size=1, max_size=20))
def test_draws_against_plain_numbers(seed: int, bounds: list[int]) -> None:
    draws, plainly = np.array([seed], np.uint64), PlainDraws(seed)
    assert [below(draws, n) for n in bounds] == [plainly.below(n) for n in bounds]


def test_shuffles_bring_every_order_about_equally_often() -> None:
    draws, places = new_draws(1, 0), np.array([5, 0, 3, 2])
    found: Counter[tuple[int, ...]] = Counter()
    values = np.arange(6)
    for _ in range(24_000):
        shuffle(values, places, 4, draws)
        found[tuple(values.tolist())] += 1
    assert len(found) == 24  # Values 1 and 4 stay where they are.
    # Each 1,000 times; five standard deviations.
    assert all(abs(count - 1_000) < 160 for count in found.values())


# ------------------------------------------------------------------ twins


def written(state: State, actions: list[Action]) -> tuple[str, ...]:
    """Moves on the table that make actions."""
    found = []
    for move in (move for action in actions for move in action):
        kind, source, *_ = move
        if kind[0] == "t":
            waste, cards = state.cursor, len(state.talon)
            while waste != source + 1:
                found.append("redeal" if waste == cards else "draw")
                waste = 0 if waste == cards else min(waste + state.draw, cards)
        found.append(plain_token(move))
        state = changed(state, move)
    return tuple(found)


@pytest.mark.parametrize(("rules", "unseen"), [*KINDS, ((1, None), True), ((1, 0), False)])
@pytest.mark.parametrize("policy", ["greedy", "random"])
def test_games_without_planning_against_the_plain_twin(
    policy: str, rules: Rules, unseen: bool
) -> None:
    generator = random.Random(7)
    deals = [PlainTable.shuffled(generator, *rules, unseen) for _ in range(6)]
    late = [late_table(generator, rules, unseen) for _ in range(8)]
    # Under other rules fewer, as plain Python takes long.
    tables = [*deals, *late] if rules == USUAL else [*deals[:3], *late]
    for place, table in enumerate(tables):
        played = play(board_of(table), policy, seed=3, place=place)
        draws = PlainDraws(int(new_draws(3, place)[0]))
        made, choices = play_out(table, draws.below if policy == "random" else lambda _: 0)
        assert played.moves == written(State.of(table), made)
        assert played.decisions == choices
        assert played.won == verify(board_of(table), played.moves).solved


@settings(max_examples=4)
@given(tables(60, RULES, unseen=True), st.randoms(use_true_random=False))
def test_walks_from_an_unseen_stock_against_the_plain_twin(
    table: PlainTable, order: random.Random
) -> None:
    state, trail, chosen = State.of(table), [], []
    engine = Engine(board_of(table), sees=False)
    keys = {seen(state): engine.key}
    assert engine.state() == state
    for _ in range(40):
        listed = engine.actions()
        assert [plain(action) for action in listed] == actions(state)
        if not listed:
            break
        kept = engine.content()
        for action in listed:
            made, after = engine.make(action), result(state, plain(action))
            assert engine.state() == after
            # One key for one information set, and for no other.
            assert keys.setdefault(seen(after), engine.key) == engine.key
            assert engine.won == after.won
            engine.unmake(made)
            assert engine.content() == kept
        # Draws often: they end the walk through an unseen stock.
        action = listed[-1] if order.random() < 0.2 else order.choice(listed)
        chosen.append(action)
        trail.append((kept, engine.make(action)))
        state = result(state, plain(action))
    moves = map(token, map(int, table_moves(pack_board(board_of(table)), chosen)))
    assert tuple(moves) == written(State.of(table), list(map(plain, chosen)))
    assert len(set(keys.values())) == len(keys)
    for kept, made in reversed(trail):
        engine.unmake(made)
        assert engine.content() == kept


@settings(max_examples=20)
@given(tables(60, RULES, unseen=True), st.randoms(use_true_random=False))
def test_a_key_does_not_tell_unseen_cards(table: PlainTable, order: random.Random) -> None:
    board = board_of(table)
    engine = Engine(board, sees=False)
    other = Engine(shuffled_below(board, order), sees=False)
    assert other.key == engine.key
    for _ in range(20):
        listed = engine.actions()
        assert other.actions() == listed
        state = engine.state()
        blind = [action for action in listed if not shown(state, plain(action))]
        if not blind:
            break
        action = order.choice(blind)
        engine.make(action)
        other.make(action)
        assert other.key == engine.key


@settings(max_examples=20)
@given(
    tables(120) | tables(60, RULES, unseen=True) | LATE,
    st.sampled_from([0, 1, 2]),
    st.integers(0, 2**32),
)
def test_trees_against_the_plain_twin(table: PlainTable, width: int, seed: int) -> None:
    seat = new_seat()
    sit(seat, np.array([seed], np.uint64))
    show(seat, View.of_board(board_of(table)))
    if open_turn(seat) < 1:
        return
    tree, registers = new_tree(), new_registers(Registers)
    twin = PlainUct(State.of(table), PlainDraws(seed), width)
    # Where slices end makes no difference.
    for pause in (5, 7, 12):
        advance(seat, tree, registers, width, 12, pause)
    for _ in range(12):
        twin.trajectory()
    assert twin.root is not None
    edges = slice(0, tree.size[0])
    assert [plain(action) for action in tree.action[edges]] == twin.root.actions
    assert tree.runs[edges].tolist() == twin.root.runs
    assert tree.wins[edges].tolist() == twin.root.wins
    assert int(seat.draws[0]) == twin.draws.state


@settings(max_examples=2)
@given(tables(60, RULES, unseen=True) | tables(120, RULES), st.integers(0, 2**32))
def test_hindsight_against_the_plain_twin(table: PlainTable, seed: int) -> None:
    player = planners.Hop()
    player.start(np.array([seed], np.uint64), {"samples": 1, "level": 0}, Clock(None))
    show(player._seat, View.of_board(board_of(table)))
    listed = player._seat.actions[: max(0, open_turn(player._seat))].copy()
    twin = PlainUct(State.of(table), PlainDraws(seed), 0)
    expected = []
    for action in listed:
        # Whoever knows the world has seen its stock.
        world = replace(result(twin.determinized(), plain(action)), unseen=False)
        expected.append(Rollout([PUBLISHED[8:16].tolist()], [0]).run(world)[0] == "solved")
    assert player.rate(listed)[0].tolist() == expected
    assert int(player._seat.draws[0]) == twin.draws.state


# ------------------------------------------------------------------ games


@pytest.mark.parametrize(("rules", "unseen"), KINDS)
@pytest.mark.parametrize("policy", SMALL)
def test_games_are_played_by_the_rules_and_repeat(policy: str, rules: Rules, unseen: bool) -> None:
    boards = [klondike(1_000_001 + place, *rules, unseen) for place in range(2)]
    for place, board in enumerate(boards):
        played = play(board, policy, SMALL[policy], seed=1, place=place)
        verdict = verify(board, played.moves)
        assert verdict.solved == played.won
        assert verdict.moves_played == len(played.moves)
    again = play(board, policy, SMALL[policy], seed=1, place=place)
    assert (again.moves, again.decisions) == (played.moves, played.decisions)
    # With few redeals, few samples may all be lost. Then the first action is as good as any.
    if policy != "greedy" and rules == USUAL:
        other = [play(boards[0], policy, SMALL[policy], seed=s).moves for s in range(2, 5)]
        assert any(moves != other[0] for moves in other[1:])


@pytest.mark.parametrize(("rules", "unseen"), KINDS)
@pytest.mark.parametrize("policy", SMALL)
def test_hidden_cards_change_nothing_before_they_turn_up(
    policy: str, rules: Rules, unseen: bool
) -> None:
    """The first k moves that turn cards up may reveal nothing of those still unseen."""
    board = klondike(1_000_007, *rules, unseen)
    order = random.Random(5)
    moves = play(board, policy, SMALL[policy], seed=4).moves
    ends = turning_moves(board, moves)
    assert len(ends) >= 3
    for k in (0, len(ends) // 2, len(ends) - 2):
        # Known are the cards that the first k turned up.
        other = reordered(board, moves[: ends[k - 1] + 1] if k else (), order)
        assert other != board
        again = play(other, policy, SMALL[policy], seed=4).moves
        assert again[: ends[k] + 1] == moves[: ends[k] + 1]
        assert turning_moves(other, again)[: k + 1] == ends[: k + 1]


def turning_moves(board: KlondikeBoard, moves: Sequence[str]) -> list[int]:
    """Which moves turned an unseen card up."""
    position, found = Position.from_board(board), []
    for i, word in enumerate(moves):
        before, shows = sum(position.face_down), position.unseen and word == "draw"
        position.play(word)
        if shows or sum(position.face_down) < before:
            found.append(i)
    return found


def reordered(board: KlondikeBoard, moves: Sequence[str], order: random.Random) -> KlondikeBoard:
    """The deal with the cards that are unseen after some moves in another order."""
    position = Position.from_board(board)
    for word in moves:
        position.play(word)
    downs = position.face_down
    piles, stock = [list(pile) for pile in board.piles], list(board.stock)
    # What is left of an unseen stock are its last cards.
    drawn = len(stock) - (len(position.stock) if position.unseen else 0)
    cards = [c for pile, d in zip(piles, downs, strict=True) for c in pile[:d]] + stock[drawn:]
    kept = list(cards)
    while cards == kept:
        order.shuffle(cards)
    rest = iter(cards)
    for pile, d in zip(piles, downs, strict=True):
        pile[:d] = [next(rest) for _ in range(d)]
    stock[drawn:] = rest
    return replace(board, piles=tuple(map(tuple, piles)), stock=tuple(stock))


@pytest.mark.parametrize("games", [250, pytest.param(2_000, marks=pytest.mark.long)])
def test_rates_are_about_as_published(games: int) -> None:
    # Section "Planning in Klondike"; ties are open, three deviations each way.
    for policy, share in (("greedy", 0.12992), ("random", 0.07135)):
        won = sum(play(klondike(40_000 + n), policy, place=n).won for n in range(1, games + 1))
        assert abs(won - games * share) < 3 * math.sqrt(games * share * (1 - share))


def test_hindsight_sees_no_risk_in_a_guess_and_others_do() -> None:
    # One of two jacks has to go to the only free queen, unless a red king frees the other one.
    # What lies below the wrong jack blocks the game; who sees both cards never moves that one.
    board = KlondikeBoard.from_text(Path("docs/clairvoyance.txt").read_text(encoding="utf-8"))
    red, guess = "draw w3", "draw draw draw draw w3"

    def chances(policy: str, **values: int) -> tuple[Alternative, Alternative]:
        found = {" ".join(one.moves): one for one in advise(board, policy, values)}
        return found[red], found[guess]

    safe, guessed = chances("hop", samples=100, level=1)
    assert safe.chance == guessed.chance == 1
    for policy, values in (("uct", {"trajectories": 10_000}), ("best", {"samples": 1000})):
        safe, guessed = chances(policy, **values)
        assert safe.low > 0.9 > 0.8 > guessed.high


ADVISERS = [policy.name for policy in POLICIES if policy.advises]


@pytest.mark.parametrize("policy", ADVISERS)
def test_hints_of_each_policy_are_its_thoughts_at_the_first_decision(policy: str) -> None:
    board = klondike(5)
    found = advise(board, policy, SMALL[policy])
    assert len(found) > 1
    assert found == advise(board, policy, SMALL[policy])
    for one in found:
        assert 0 <= one.low <= one.chance <= one.high <= 1
        assert verify(board, one.moves).moves_played == len(one.moves)
    # Best drops moves in a race when it plays; the others do not.
    if policy != "best":
        first = play(board, policy, SMALL[policy], watched=True).weighed[0]
        assert first.place == 0 and list(first.alternatives) == found


@pytest.mark.parametrize("policy", ADVISERS)
def test_hints_at_the_end_of_a_game(policy: str) -> None:
    won = KlondikeBoard(((),) * 7, (0,) * 7, (), (), (13,) * 4)
    assert [one.moves for one in advise(won, policy, SMALL[policy])] == [()]
    last = KlondikeBoard(((55,), *[()] * 6), (0,) * 7, (), (), (13, 13, 13, 12))
    (one,) = advise(last, policy, SMALL[policy])
    assert (one.moves, one.low) == (("1h",), 1)


def test_planners_say_where_they_give_no_hints() -> None:
    with pytest.raises(ParameterError, match="random gives no hints; these do: hop, uct, "):
        advise(klondike(1), "random")
    # Who plays has seen the stock, so a planner would play cards that it only guesses.
    stock = klondike(5).stock
    lacking = replace(klondike(5), waste=(UNKNOWN, UNKNOWN, stock[2]), stock=stock[3:])
    with pytest.raises(ParameterError, match="cards of the talon that a player would have seen"):
        advise(lacking, "hop")
    # Deal 10 has no action, which is no proof for a planner.
    with pytest.raises(ParameterError, match="nothing to play here; ask best"):
        advise(klondike(10), "uct")


@pytest.mark.parametrize("policy", ["uct", "best", "hop"])
def test_a_clock_ends_a_game(policy: str) -> None:
    # A sample of nested rollouts alone may take minutes.
    values = {"level": 5} if policy == "hop" else {}
    played = play(klondike(1_000_001), policy, values, seconds=0.3)
    assert played.seconds < 2
    assert verify(klondike(1_000_001), played.moves).moves_played == len(played.moves)


@pytest.mark.parametrize("stock", [True, False])
def test_a_hint_takes_the_time_it_is_given(stock: bool) -> None:
    board = klondike(7)
    if not stock:
        board = replace(board, stock=(UNKNOWN,) * len(board.stock))
    advise(board, "best", {"samples": 1})
    began = time.thread_time()
    found = advise(board, "best", seconds=0.5)
    assert 0.4 < time.thread_time() - began < 1
    assert sum(one.samples for one in found) > 200


def test_compiling_is_no_time_of_a_game() -> None:
    assert late_kernels("hidden", json.dumps(SMALL)) == {policy: [] for policy in SMALL}


def test_the_published_games_of_best_come_out_again() -> None:
    with Path("docs/hidden-best.csv").open(encoding="utf-8", newline="") as file:
        lines = [{key: int(value) for key, value in line.items()} for line in csv.DictReader(file)]
    counts = Counter(line["samples"] for line in lines)
    assert counts == dict.fromkeys((10, 30, 100, 300), 2_000)
    # A tenth of a second of each, or more.
    for line in lines:
        if line["deal"] % 2_000 < max(1, 60 // line["samples"]):
            deal, values = line["deal"], {"samples": line["samples"]}
            played = play(klondike(deal), "best", values, place=deal - 1)
            found = (played.won, played.decisions, len(played.moves))
            assert found == (line["won"], line["decisions"], line["moves"]), line


def test_where_slices_end_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = play(klondike(1_000_002), "ensemble-uct", SMALL["ensemble-uct"]).moves
    monkeypatch.setattr(planners, "SLICE_TRAJECTORIES", 3)
    assert play(klondike(1_000_002), "ensemble-uct", SMALL["ensemble-uct"]).moves == expected


# ------------------------------------------------------------------ what is refused


def test_policies_and_their_parameters() -> None:
    assert [policy.name for policy in POLICIES] == list(SMALL)
    for policy, parameters, timed, words in (
        ("usct", {}, False, r"no policy 'usct'; there are random, greedy, .*best"),
        ("uct", {"width": 3}, False, "uct has no parameter 'width'; it has trajectories"),
        ("hop", {"samples": 0}, False, "samples must be"),
        ("greedy", {}, True, "greedy does not plan ahead: it takes no seconds"),
    ):
        with pytest.raises(ParameterError, match=words):
            check(policy, parameters, timed)
