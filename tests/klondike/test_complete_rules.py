"""The complete search under other rules of draws and redeals, against slow and plain searches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from klondike_flood import Position, can_be_won, nearest
from klondike_kernels import Engine
from klondike_perft import held_in
from late_positions import late_position, wastes
from plain_klondike import RULES, PlainTable, Rules
from random_klondike import tables
from test_complete import NO_WEIGHTS, SEARCH, WAYS, endgame, solve

from deals import BadInput, DealError, KlondikeBoard, klondike
from gafreecell.jit import uint64
from gafreecell.solitaire.klondike import GAME, solver, verifier
from gafreecell.solitaire.klondike.complete.kernels.playback import (
    MOST_MADE,
    MOST_SETTLED,
    make_move,
    settle_layout,
)
from gafreecell.solitaire.klondike.complete.kernels.search import new_work
from gafreecell.solitaire.klondike.complete.kernels.states import (
    HOME_SHIFT,
    PILE_SHIFT,
    REDEALS_SHIFT,
    TALON_SHIFT,
    WASTE_SHIFT,
    Deal,
    after_move,
    list_moves,
    reachable,
    redeals_of,
    settled,
    turned,
)
from gafreecell.solitaire.klondike.complete.kernels.unpacked import new_unpacked, unpack
from gafreecell.solitaire.klondike.moves import token
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solving.outcome import Limits, Search, Status, Task
from gafreecell.solving.parameters import ParameterError, read_parameters
from gafreecell.solving.weights import Weights

EVERY = pytest.mark.parametrize("rules", RULES, ids=str)
ALL_ON, ALL_OFF = WAYS[0], WAYS[-1]


def endgames(generator: random.Random, rules: Rules) -> Iterator[KlondikeBoard]:
    """Positions that a slow search can decide: some with few cards, some with most cards in runs.

    Of the redeals, some may have been used up.
    """
    draw, redeals = rules
    while True:
        left = None if redeals is None else generator.randint(0, redeals)
        yield late_position(generator, draw, left)
        board = endgame(generator, 7, 10, generator.choice([1, 2]))
        talon = board.waste + board.stock
        waste = generator.choice(wastes(len(talon), draw))
        yield KlondikeBoard(
            board.piles, board.face_down, talon[waste:], talon[:waste], board.foundations,
            draw=draw, redeals=left,
        )  # fmt: skip


def check_against_the_flood(rules: Rules, seed: int, losses: int, most: int) -> None:
    """Compare the verdicts until so many losses were confirmed; wins are replayed by ``solve``."""
    generator = random.Random(seed)
    confirmed = won = 0
    for board in endgames(generator, rules):
        found = [solve(board, 3_000, **way) for way in WAYS]
        statuses = {one.status for one in found}
        if Status.SOLVED in statuses:
            won += 1
            assert Status.UNSOLVABLE not in statuses and not Engine(board).is_lost(), board
        states = found[-1].nodes.generated
        # A state has many positions: with many states, the flood would take too long.
        if found[-1].status is not Status.UNSOLVABLE or states > most // 4:
            continue
        flooded = can_be_won(board, most)
        if flooded is None:
            continue
        assert statuses == {Status.UNSOLVABLE} and not flooded[0], board
        # No position is of two states.
        assert states <= flooded[1]
        confirmed += 1
        if confirmed == losses:
            break
    assert won > losses


@EVERY
def test_endgames_against_the_flood(rules: Rules) -> None:
    check_against_the_flood(rules, 17, 12, 500)


@pytest.mark.long
@EVERY
def test_many_endgames_against_the_flood(rules: Rules) -> None:
    check_against_the_flood(rules, 18, 100, 3_000)


@settings(max_examples=60)
@given(tables(250, RULES))
def test_positions_of_games(table: PlainTable) -> None:
    board = KlondikeBoard.from_text(table.text())
    statuses = {solve(board, 10_000, **way).status for way in (ALL_ON, ALL_OFF)}
    assert not {Status.SOLVED, Status.UNSOLVABLE} <= statuses
    if Engine(board).is_lost():
        assert Status.SOLVED not in statuses


def check_deals(rules: Rules, deals: range, nodes: int) -> None:
    """Compare the verdicts with all that prunes and without; no win becomes a loss on its way."""
    decided = set()
    for number in deals:
        board = klondike(number, *rules)
        found, other = solve(board, nodes, **ALL_ON), solve(board, nodes, **ALL_OFF)
        statuses = {found.status, other.status}
        assert not {Status.SOLVED, Status.UNSOLVABLE} <= statuses, number
        decided |= statuses
        if other.moves is not None:
            check_line(board, other.moves, random.Random(number))
    # With one pass of draws of three, hardly any deal can be won.
    assert decided >= {Status.UNSOLVABLE} | ({Status.SOLVED} if rules != (3, 0) else set())


def check_line(board: KlondikeBoard, moves: np.ndarray, generator: random.Random) -> None:
    """No test fires along a line that wins."""
    position = verifier.Position.from_board(board)
    for move in moves:
        if generator.random() < 0.1:
            assert not Engine(position.board).is_lost()
        position.play(token(int(move)))


@EVERY
def test_deals_with_the_tests_and_without(rules: Rules) -> None:
    check_deals(rules, range(1, 41), 2_000)


@pytest.mark.long
@EVERY
def test_many_deals_with_the_tests_and_without(rules: Rules) -> None:
    check_deals(rules, range(1_001, 1_501), 30_000)


@EVERY
def test_late_positions_with_the_tests_and_without(rules: Rules) -> None:
    generator = random.Random(4)
    for _ in range(100):
        board = late_position(generator, *rules)
        statuses = {solve(board, 3_000, **way).status for way in (ALL_ON, ALL_OFF)}
        assert not {Status.SOLVED, Status.UNSOLVABLE} <= statuses, board


# ------------------------------------------------------------------ states


def state_of(deal: Deal, board: KlondikeBoard, position: Position) -> int:
    """The state of a position that is reached from a board, which is unpacked in ``deal``."""
    dealt = [*board.waste, *board.stock]
    places = [dealt.index(card) for card in position.talon]
    talon = sum(1 << place for place in places)
    waste = places[position.waste - 1] + 1 if position.waste else 0
    state = sum(held << int(PILE_SHIFT[p]) for p, held in enumerate(held_in(board, position)))
    clubs, diamonds, hearts, spades = position.home
    home = clubs | spades << 4 | diamonds << 8 | hearts << 12
    state |= home << HOME_SHIFT | talon << TALON_SHIFT
    state |= int(turned(deal.rules, talon, waste)) << WASTE_SHIFT
    state |= (position.redeals or 0) << REDEALS_SHIFT
    return int(settled(deal, uint64(state))[0])


@EVERY
def test_positions_of_one_state_have_one_verdict(rules: Rules) -> None:
    """Each is searched on its own, from a state and with bases of its own."""
    generator, pairs = random.Random(6), dict.fromkeys(Status, 0)
    for board in islice(endgames(generator, rules), 60):
        unpacked = new_unpacked()
        unpack(unpacked, pack_board(board))
        by_state: dict[int, list[Position]] = {}
        for position in nearest(board, 60):
            by_state.setdefault(state_of(unpacked.deal, board, position), []).append(position)
        shared = [positions for positions in by_state.values() if len(positions) > 1]
        for positions in shared[:5]:
            one, other = (
                solve(position.board, 2_000, **ALL_OFF).status
                for position in generator.sample(positions, 2)
            )
            assert {one, other} != {Status.SOLVED, Status.UNSOLVABLE}, (board, positions)
            pairs[one] += one is other
    assert pairs[Status.SOLVED] > 10 and pairs[Status.UNSOLVABLE] > 10


@EVERY
def test_a_state_tells_the_redeals_and_what_draws_bring_up(rules: Rules) -> None:
    """Along random walks, played on the table by the verifier."""
    generator, met = random.Random(8), set()
    work = new_work()
    for number in range(1, 7):
        board = klondike(number, *rules)
        unpacked = new_unpacked()
        deal, layout = unpacked
        dealt = [*board.stock]
        position = verifier.Position.from_board(board)
        root = settled(deal, uint64(unpack(unpacked, pack_board(board))))
        state, up, bases = map(uint64, root)
        written = np.zeros(MOST_MADE + MOST_SETTLED, np.int64)
        end = settle_layout(layout, up, bases, written, 0)
        while True:
            for move in written[:end]:
                position.play(token(int(move)))
            talon = [*position.waste, *position.stock]
            reached = {dealt.index(talon[j]) for j in position.board.reachable}
            assert int(reachable(deal.rules, state)) == sum(1 << place for place in reached)
            left = int(redeals_of(state))
            assert left == (position.redeals or 0)
            met.add(left)
            last = list_moves(deal, state, up, bases, 0, work.moves, 0, work.found)
            if last == 0:
                break
            move = generator.choice(work.moves[:last].tolist())
            state, up, bases = map(uint64, after_move(deal, state, up, bases, move))
            end = make_move(layout, move, written, 0)
            end = settle_layout(layout, up, bases, written, end)
    assert met == {*range((rules[1] or 0) + 1)}


# ------------------------------------------------------------------ solutions and batches


@EVERY
def test_shortened_solutions_are_no_longer(rules: Rules) -> None:
    """``solve`` replays each of them."""
    generator, shorter = random.Random(2), 0
    boards = [klondike(number, *rules) for number in range(1, 41)]
    boards += [late_position(generator, *rules) for _ in range(10)]
    for board in boards:
        found = solve(board, 2_000)
        if found.moves is not None:
            less = solve(board, 2_000, shorten=2_000)
            assert less.moves is not None and len(less.moves) <= len(found.moves)
            shorter += len(less.moves) < len(found.moves)
    # The last positions of a game leave little to shorten.
    assert shorter or rules == (3, 0)


def test_a_batch_keeps_the_rules_of_its_boards_apart() -> None:
    generator = random.Random(1)
    deals = [(number, rules) for number in range(1, 9) for rules in RULES]
    generator.shuffle(deals)
    some = [
        number if rules == RULES[0] else pack_board(klondike(number, *rules))
        for number, rules in deals
    ]
    values = read_parameters("complete", SEARCH.parameters, {})
    batch = SEARCH.run_batch(some, NO_WEIGHTS, (), values, Limits(1_000))
    for (number, rules), found in zip(deals, batch, strict=True):
        alone = solve(klondike(number, *rules), 1_000)
        assert (found.status, found.nodes) == (alone.status, alone.nodes)
        assert np.array_equal(found.moves, alone.moves)  # type: ignore[arg-type]
    assert len({found.nodes for found in batch}) > 10


# ------------------------------------------------------------------ what is solved


@EVERY
def test_a_deal_number_is_dealt_by_the_rules(rules: Rules) -> None:
    draw, redeals = rules
    game = GAME.vary(draw=draw, redeals="unlimited" if redeals is None else redeals)
    search, limits = Search("complete"), Limits(2_000)
    tasks = [Task(deal, None, search, limits) for n in range(1, 6) for deal in (n, game.deal(n))]
    found = game.run(tasks)
    assert [one.nodes for one in found[::2]] == [one.nodes for one in found[1::2]]
    assert game.deal(1) == klondike(1, *rules)


def test_a_hidden_stock_is_refused_where_all_cards_are_known() -> None:
    hidden = "the stock is hidden"
    game = GAME.vary(stock="hidden")
    for deal in (7, game.deal(7)):
        with pytest.raises(BadInput, match=hidden):
            game.run([Task(deal, None, Search("complete"), Limits(100))])
    with pytest.raises(DealError, match=hidden):
        solver.solve(game.deal(7))
    with pytest.raises(ParameterError, match=hidden):
        solver.solve(7, Weights("klondike", game.variant, None, Search("complete")))
    with pytest.raises(DealError, match="a card is unknown"):
        solver.solve(replace(klondike(7), stock=(0,) * 24))
    # Once the waste was turned over, everybody has seen the stock.
    board = game.deal(7)
    for move in (*["draw"] * 8, "redeal"):
        board = game.after(board, move)
    assert solver.solve(board).status.decided
