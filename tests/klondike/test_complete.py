"""The complete search: wins replayed by the verifier, losses against slow and plain searches.

Its dominance rules must not rest on what only holds for a deal, such as that the cards home lie
there for good.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings
from klondike_flood import Position, can_be_won, nearest
from klondike_kernels import Engine
from klondike_perft import held_in
from late_positions import late_position, wastes
from plain_klondike import RULES, USUAL, PlainTable, Rules
from random_klondike import tables

from deals import BadInput, DealError, KlondikeBoard, klondike
from gafreecell.jit import uint64
from gafreecell.solitaire.klondike import GAME, solver, verifier
from gafreecell.solitaire.klondike.complete.kernels import layout, states
from gafreecell.solitaire.klondike.complete.kernels.search import new_work
from gafreecell.solitaire.klondike.complete.search import Complete
from gafreecell.solitaire.klondike.features import FEATURES
from gafreecell.solitaire.klondike.hidden import advise
from gafreecell.solitaire.klondike.legal_moves import after, legal_moves
from gafreecell.solitaire.klondike.moves import token
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solving.outcome import Limits, Search, Status, Task
from gafreecell.solving.parameters import ParameterError, Value, read_parameters
from gafreecell.solving.search import Found
from gafreecell.solving.weights import Weights

SEARCH = Complete()
NO_WEIGHTS = np.zeros(len(FEATURES))
SWITCHES = "safe-home", "still-bottoms", "dead-ends"
WAYS = [dict(zip(SWITCHES, way, strict=True)) for way in product(("yes", "no"), repeat=3)]
ALL_ON, ALL_OFF = WAYS[0], WAYS[-1]
EVERY = pytest.mark.parametrize("rules", RULES, ids=str)
EACH_WAY = pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))


def solve(board: KlondikeBoard, nodes: int = 100_000, **given: Value) -> Found:
    values = read_parameters("complete", SEARCH.parameters, given)
    found = SEARCH.run(pack_board(board), NO_WEIGHTS, values, Limits(nodes=nodes))
    assert (found.moves is not None) == (found.status is Status.SOLVED)
    if found.moves is not None:
        verdict = verifier.verify(board, [token(int(move)) for move in found.moves])
        assert verdict.solved, verdict.reason
    return found


def endgame(generator: random.Random, draw: int, redeals: int | None) -> KlondikeBoard:
    """The cards left when some are home, at random in the talon and in one or two deep piles."""
    piles = generator.choice([1, 2])
    home = [generator.randint(7, 10) for _ in range(4)]
    cards = [4 * rank + suit for suit in range(4) for rank in range(home[suit] + 1, 14)]
    generator.shuffle(cards)
    many = generator.randint(0, min(20, len(cards) // 2))
    columns: list[list[int]] = [[] for _ in range(7)]
    for card in cards[many:]:
        open_ones = [p for p in (6, 5, 4, 3, 2, 1, 0) if len(columns[p]) <= p][:piles]
        columns[generator.choice(open_ones)].append(card)
    drawn = generator.choice(wastes(many, draw))
    return KlondikeBoard(
        tuple(map(tuple, columns)), tuple(max(len(column) - 1, 0) for column in columns),
        tuple(cards[drawn:many]), tuple(cards[:drawn]), (home[0], home[1], home[2], home[3]),
        draw=draw, redeals=redeals,
    )  # fmt: skip


def endgames(generator: random.Random, rules: Rules) -> Iterator[KlondikeBoard]:
    """Positions that a slow search can decide: some with few cards, some with most cards in runs.

    Of the redeals, some may have been used up.
    """
    draw, redeals = rules
    while True:
        left = None if redeals is None else generator.randint(0, redeals)
        yield late_position(generator, draw, left)
        yield endgame(generator, draw, left)


def both(board: KlondikeBoard, nodes: int) -> list[Found]:
    """With all that prunes and without; the verdicts do not contradict each other."""
    found = [solve(board, nodes, **way) for way in (ALL_ON, ALL_OFF)]
    assert not {Status.SOLVED, Status.UNSOLVABLE} <= {one.status for one in found}, board
    return found


def is_lost(board: KlondikeBoard) -> bool:
    """Whether the search calls it unsolvable, which it must then without its rules as well."""
    if solve(board, 5_000, **ALL_ON).status is not Status.UNSOLVABLE:
        return False
    # What is solved would be replayed by the verifier.
    assert solve(board, 100_000, **ALL_OFF).status is not Status.SOLVED, board
    return True


# ------------------------------------------------------------------ verdicts


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
    check_against_the_flood(rules, 17, 6, 300)


@pytest.mark.long
@EVERY
def test_many_endgames_against_the_flood(rules: Rules) -> None:
    check_against_the_flood(rules, 18, 100, 3_000)


@settings(max_examples=60)
@given(tables(250, RULES) | tables())
def test_positions_of_games(table: PlainTable) -> None:
    board = KlondikeBoard.from_text(table.text())
    solved = any(one.moves is not None for one in both(board, 30_000))
    assert not (solved and Engine(board).is_lost())


@EACH_WAY
def test_deals(way: dict[str, str]) -> None:
    for number in range(1, 21):
        board = klondike(number)
        found, other = solve(board, 20_000, **way), solve(board, 20_000)
        assert not {Status.SOLVED, Status.UNSOLVABLE} <= {found.status, other.status}


def check_deals(rules: Rules, deals: range, nodes: int) -> None:
    """Compare the verdicts with all that prunes and without; no win becomes a loss on its way."""
    decided = set()
    for number in deals:
        board = klondike(number, *rules)
        found = both(board, nodes)
        decided |= {one.status for one in found}
        if found[-1].moves is not None:
            check_line(board, found[-1].moves, random.Random(number))
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
def test_late_positions_with_the_rules_and_without(rules: Rules) -> None:
    generator = random.Random(1)
    many, least = (800, 40) if rules == USUAL else (100, 0)
    lost = sum(is_lost(late_position(generator, *rules)) for _ in range(many))
    assert lost > least


# ------------------------------------------------------------------ cards that come back

KING_HOME = """Foundations: C-9 D-K H-5 S-T
Waste: 6H JC
Stock:
KC
KS QH JS TH
KH
QS JH TC 9H
8H
QC
7H
"""
"""All four kings have a pile or are home, and the king of diamonds has to come back."""

FIVE_STAYS = """Foundations: C-4 D-A H-4 S-4
Waste:
Stock:
5H
KC QD JC TD 9C 8D 7C 6D 5C 4D
KD QC JD TC 9D 8C 7D
KH QS JH TS 9H 8S 7H
KS QH JS TH 9S 8H 7S 6H 5S
:
<6C> <6S> <5D> <2D> 3D
"""
"""Both black fours are home, and one has to come back to the five of hearts for the three."""

NOTHING_ELSE = """Foundations: C-J D-T H-K S-4
Waste: 9S JD TS
Stock:
JS
<7S> 6S
KS QD
KD QC
KC
<5S> 8S
QS
"""
"""What is left is to empty a pile, to which the king of hearts comes back for a queen."""


@EACH_WAY
@pytest.mark.parametrize("text", [KING_HOME, FIVE_STAYS], ids=["king", "five"])
def test_what_cards_that_come_back_can_win(text: str, way: dict[str, str]) -> None:
    assert solve(KlondikeBoard.from_text(text), **way).status is Status.SOLVED


@pytest.mark.parametrize("text", [KING_HOME, NOTHING_ELSE], ids=["king", "nothing else"])
def test_hints_with_hidden_cards_call_nothing_lost_that_can_be_won(text: str) -> None:
    board = KlondikeBoard.from_text(text)
    assert solve(board).status is Status.SOLVED
    assert advise(board, "best", {"samples": 20})


def test_positions_on_a_way_to_a_win_and_beside_it() -> None:
    generator = random.Random(3)
    tried = back = 0
    for number in range(101, 107):
        way = generator.choice(WAYS)
        found = solve(klondike(number), 5_000, **way)
        position = klondike(number)
        for move in () if found.moves is None else found.moves:
            assert solve(position, 1_000).status is not Status.UNSOLVABLE
            beside = position
            for _ in range(generator.choice((0, 0, 1, 3))):
                moves = legal_moves(beside)
                returns = [move for move in moves if move[0] in "CDHS"]
                back += bool(returns)
                beside = after(beside, generator.choice(returns or moves))
                tried += 1
                if is_lost(beside):
                    break
            position = after(position, token(int(move)))
    assert tried > 200 and back > 50


# ------------------------------------------------------------------ states


def state_of(deal: states.Deal, board: KlondikeBoard, position: Position) -> int:
    """The state of a position that is reached from a board, which is unpacked in ``deal``."""
    dealt = [*board.waste, *board.stock]
    places = [dealt.index(card) for card in position.talon]
    talon = sum(1 << place for place in places)
    waste = places[position.waste - 1] + 1 if position.waste else 0
    state = sum(
        held << int(states.PILE_SHIFT[p]) for p, held in enumerate(held_in(board, position))
    )
    clubs, diamonds, hearts, spades = position.home
    home = clubs | spades << 4 | diamonds << 8 | hearts << 12
    state |= home << states.HOME_SHIFT | talon << states.TALON_SHIFT
    state |= int(states.turned(deal.rules, talon, waste)) << states.WASTE_SHIFT
    state |= (position.redeals or 0) << states.REDEALS_SHIFT
    return int(states.settled(deal, uint64(state))[0])


@EVERY
def test_positions_of_one_state_have_one_verdict(rules: Rules) -> None:
    """Each is searched on its own, from a state and with bases of its own."""
    generator, pairs = random.Random(6), dict.fromkeys(Status, 0)
    for board in islice(endgames(generator, rules), 60):
        unpacked = layout.new_unpacked()
        layout.unpack(unpacked, pack_board(board))
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
        unpacked = layout.new_unpacked()
        deal, table = unpacked
        dealt = [*board.stock]
        position = verifier.Position.from_board(board)
        root = states.settled(deal, uint64(layout.unpack(unpacked, pack_board(board))))
        state, up, bases = map(uint64, root)
        written = np.zeros(layout.MOST_MADE + layout.MOST_SETTLED, np.int64)
        end = layout.settle_layout(table, up, bases, written, 0)
        while True:
            for move in written[:end]:
                position.play(token(int(move)))
            talon = [*position.waste, *position.stock]
            reached = {dealt.index(talon[j]) for j in position.board.reachable}
            assert int(states.reachable(deal.rules, state)) == sum(1 << place for place in reached)
            left = int(states.redeals_of(state))
            assert left == (position.redeals or 0)
            met.add(left)
            last = states.list_moves(deal, state, up, bases, 0, work.moves, 0, work.found)
            if last == 0:
                break
            move = generator.choice(work.moves[:last].tolist())
            state, up, bases = map(uint64, states.after_move(deal, state, up, bases, move))
            end = layout.make_move(table, move, written, 0)
            end = layout.settle_layout(table, up, bases, written, end)
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


# ------------------------------------------------------------------ limits


def test_the_limit_of_nodes_is_kept() -> None:
    """``test_complete_batch`` has the other limits."""
    for nodes in 1, 5_000:
        ends = [solve(klondike(number), nodes) for number in range(1, 30)]
        cut = [one for one in ends if one.status is Status.NODE_LIMIT]
        assert cut and all(nodes <= one.nodes.generated <= nodes + 1 for one in cut)
