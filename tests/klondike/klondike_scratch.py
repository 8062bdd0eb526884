"""Kernels in the smallest arrays; ``test_klondike_jitted`` runs it with the JIT off.

Plain Python refuses an index beyond the end of an array. Prints ``plain`` if the kernels are plain
Python, then the name of each check.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import numpy as np
from late_positions import late_position
from plain_klondike import RULES, USUAL

from deals import KlondikeBoard, klondike
from deals.cards import parse_card
from gafreecell.jit import DISABLED, new_registers, uint64
from gafreecell.jit.kernels.draws import new_draws
from gafreecell.jit.slices import EXHAUSTED, GROW, RUNNING
from gafreecell.solitaire.klondike.complete import search as driver
from gafreecell.solitaire.klondike.complete.kernels import layout, states
from gafreecell.solitaire.klondike.complete.kernels import search as complete
from gafreecell.solitaire.klondike.complete.kernels.batch import new_batch
from gafreecell.solitaire.klondike.complete.search import Complete
from gafreecell.solitaire.klondike.features import FEATURES
from gafreecell.solitaire.klondike.hidden import best
from gafreecell.solitaire.klondike.hidden.kernels import foresight, seat, trees, uct
from gafreecell.solitaire.klondike.hidden.planners import show, sit
from gafreecell.solitaire.klondike.hidden.players import Clock
from gafreecell.solitaire.klondike.hidden.view import View
from gafreecell.solitaire.klondike.man_machine.kernels import search as man_machine
from gafreecell.solitaire.klondike.man_machine.search import ManMachine
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solitaire.klondike.rollouts.kernels import search as rollouts
from gafreecell.solitaire.klondike.rollouts.search import Rollouts
from gafreecell.solitaire.klondike.rollouts.values import PUBLISHED
from gafreecell.solving.outcome import Limits
from gafreecell.solving.parameters import Value, read_parameters
from gafreecell.solving.search import Found

NO_WEIGHTS = np.zeros(len(FEATURES))


def the_complete_search_grows() -> None:
    expected = searched(complete.new_work(), 1)
    for sizes in {"slots": 4}, {"deep": 2}, {"slots": 2 * complete.CACHED}:
        assert searched(complete.new_work(**sizes), 1) == expected
    # No state of this search has so many moves.
    kept, complete.MOST_MOVES = complete.MOST_MOVES, 40
    assert searched(complete.new_work(moves=40), 1) == expected
    complete.MOST_MOVES = kept


def searched(work: complete.Work, number: int) -> tuple[int, ...]:
    """How a search ends, its counts, and the moves on its path."""
    unpacked = layout.new_unpacked()
    root = uint64(layout.unpack(unpacked, pack_board(klondike(number))))
    while (code := complete.advance(unpacked.deal, work, root, 3, 150, 10**9)) == GROW:
        work = complete.enlarge(work)
    registers = work.registers
    made = work.made[: registers.depth].tolist()
    return code, registers.generated, registers.expanded, *made


def told(found: list[Found]) -> list[tuple[object, ...]]:
    """All that does not depend on a clock."""
    return [
        (one.status, one.nodes, None if one.moves is None else one.moves.tolist()) for one in found
    ]


def a_batch_grows() -> None:
    """Every index of a batch, with the JIT off."""
    values = read_parameters("", Complete.parameters, {})
    found = []
    for sizes, moves in (({}, 256), ({"slots": 4}, 1), ({"deep": 2}, 1)):
        driver.new_batch = partial(new_batch, moves=moves)
        search = Complete()
        search._small = complete.new_work(**sizes)
        outcomes = search.run_batch((1, 10, 40_000), NO_WEIGHTS, (), values, Limits(150))
        found.append(told(outcomes))
    assert found == found[:1] * 3
    assert any(moves for _, _, moves in found[0])


def moves_on_the_table_fit() -> None:
    """Along random walks that bring cards back whenever they can."""
    generator, back = random.Random(5), 0
    for number, rules in enumerate([USUAL] * 8 + RULES[1:], start=1):
        unpacked = layout.new_unpacked()
        deal, table = unpacked
        packed = pack_board(klondike(number, *rules))
        state, up, bases = states.settled(deal, uint64(layout.unpack(unpacked, packed)))
        path, made = [(up, bases)], list[int]()
        layout.settle_layout(table, up, bases, np.zeros(layout.MOST_SETTLED, np.int64), 0)
        work = complete.new_work()
        while len(made) < 40:
            end = states.list_moves(deal, state, up, bases, 0, work.moves, 0, work.found)
            moves = work.moves[:end].tolist()
            if not moves:
                break
            coming = [move for move in moves if move >> 16 & 0xFFFF != states.home_of(state)]
            # As ``MOST_MOVES`` has it.
            assert len(moves) - len(coming) <= 39
            move = generator.choice(coming or moves)
            back += bool(coming)
            layout.make_move(table, move, np.zeros(layout.MOST_MADE, np.int64), 0)
            state, up, bases = states.after_move(deal, state, up, bases, move)
            layout.settle_layout(table, up, bases, np.zeros(layout.MOST_SETTLED, np.int64), 0)
            path, made = [*path, (up, bases)], [*made, move]
        depth = len(made)
        layout.unpack(unpacked, packed)
        sets = np.array(path, np.uint64).T.copy()
        written = layout.new_written(depth)
        assert layout.play_back(table, *sets, np.array(made), depth, written) >= depth
    assert back > 10


def sets_that_come_back_fit() -> None:
    """With all cards face up there are 44 sets that make room on a pair of twos."""
    up, bases, home, pair = uint64((1 << 52) - 1), uint64(0), 0xCDDD, 6
    assert states.come_back(up, bases, home, pair, np.zeros(128, np.int64)) == 44
    for size in (0, 2, 30, 86):
        assert states.come_back(up, bases, home, pair, np.zeros(size, np.int64)) <= size // 2


def found_from(search: Rollouts | ManMachine, nesting: Value) -> list[tuple[object, ...]]:
    """What a search finds from a deal and late in a game, which it wins."""
    values = read_parameters("", search.parameters, {"nesting": nesting})
    boards = klondike(21), late_position(random.Random(22))
    found = [search.run(pack_board(b), PUBLISHED, values, Limits(60)) for b in boards]
    assert found[-1].moves is not None
    return told(found)


def the_rollouts_of_2007_grow() -> None:
    expected = found_from(Rollouts(), "1")
    rollouts.FIRST_TRAIL = 1
    assert found_from(Rollouts(), "1") == expected


def the_rollouts_of_2005_grow() -> None:
    expected = found_from(ManMachine(), 1)
    kept = man_machine.FIRST_TRAIL
    man_machine.FIRST_TRAIL = 1
    assert found_from(ManMachine(), 1) == expected
    man_machine.FIRST_TRAIL, man_machine.FIRST_SLOTS = kept, 4
    assert found_from(ManMachine(), 1) == expected


def open_board() -> KlondikeBoard:
    """Kings to sevens in four piles, all other cards in the stock."""
    piles = []
    for suits in ("SH", "HS", "CD", "DC"):
        names = [rank + suits[i % 2] for i, rank in enumerate("KQJT987")]
        piles.append(tuple(map(parse_card, names)))
    stock = tuple(parse_card(rank + suit) for rank in "65432A" for suit in "CDHS")
    return KlondikeBoard((*piles, (), (), ()), (0,) * 7, stock=stock)


def seated(board: KlondikeBoard, path: int, passed: int) -> seat.Seat:
    """A seat after so many states."""
    one = seat.new_seat(path)
    sit(one, new_draws(0, 0))
    show(one, View.of_board(board))
    one.registers.passed = passed
    return one


def a_path_without_room_ends_a_game() -> None:
    room = seat.LONGEST + 52
    assert seat.open_turn(seated(klondike(3), room + 60, 60)) > 0
    assert seat.open_turn(seated(klondike(3), room + 59, 60)) == 0


def the_greedy_search_stops_where_the_path_ends() -> None:
    for path, wins in ((500, True), (58, False)):
        one = seated(open_board(), path, 0)
        seat.determinize(one)
        assert (seat.finish(one, 0, 5) >= 0) == wins


def a_turn_stops_where_the_path_ends() -> None:
    kept, seat.LONGEST = seat.LONGEST, 0
    assert seat.play_turn(seated(open_board(), 58, 6), False) == (0, 0)
    seat.LONGEST = kept


def a_tree_grows() -> None:
    # Without a width, then with one, where draws lay their outcomes.
    for board, width in ((klondike(3), 0), (klondike(3, unseen=True), 1)):
        found = []
        for sizes in {}, {"nodes": 1}, {"edges": 1}, {"outcomes": 1}:
            one, registers, grown = seated(board, seat.PATH, 0), new_registers(uct.Registers), 0
            tree = trees.new_tree(**sizes)
            seat.open_turn(one)
            while (code := uct.advance(one, tree, registers, width, 6, 6)) != EXHAUSTED:
                assert code in (GROW, RUNNING)
                tree, grown = trees.enlarge(tree), grown + 1
            edges = slice(0, tree.size[0])
            found.append((tree.action[edges].tolist(), tree.runs[edges].tolist()))
            assert grown == 0 or len(found) > 1
        assert found == found[:1] * 4


def thinking(**sizes: int) -> best.Best:
    """The player ``best`` at the start of a game, its arrays of these sizes."""
    player = best.Best()
    player._mind = foresight.new_mind(**sizes)
    player.start(new_draws(0, 0), {"samples": 4}, Clock(None))
    return player


def late() -> View:
    """A game with few hidden cards, of which samples take little time."""
    return View.of_board(late_position(random.Random(5)))


def the_path_of_best_grows() -> None:
    turns = []
    for sizes in ({}, {"path": 1}):
        player = thinking(**sizes)
        turns.append(player.turn(late()).moves.tolist())
        player._mind.registers.passed = 70
        turns.append(player.turn(late()).moves.tolist())
    assert turns[:2] == turns[2:]


def samples_leave_the_states_of_the_game_on_the_path() -> None:
    player = thinking()
    player._mind.registers.passed = 3
    player._mind.path[:3] = 1, 2, 3
    player.turn(late())
    assert player._mind.registers.drawn > 0
    assert player._mind.path[:3].tolist() == [1, 2, 3]


def a_solver_without_room_wins_nothing() -> None:
    player = thinking(deep=2, moves=states.MOST_MOVES)
    assert player.turn(View.of_board(klondike(6))).moves.size
    assert player._mind.registers.drawn > player._mind.registers.won == 0


def the_tree_of_best_grows() -> None:
    turns = []
    for sizes in {}, {"nodes": 1}, {"edges": states.MOST_MOVES}, {"outcomes": 1}:
        player = thinking()
        player._tree = trees.new_tree(**sizes)
        turns.append(player.turn(late()).moves.tolist())
        assert player._mind.registers.won > 0
    assert turns == turns[:1] * 4


CHECKS: tuple[Callable[[], None], ...] = (
    the_complete_search_grows,
    a_batch_grows,
    moves_on_the_table_fit,
    sets_that_come_back_fit,
    the_rollouts_of_2007_grow,
    the_rollouts_of_2005_grow,
    a_path_without_room_ends_a_game,
    the_greedy_search_stops_where_the_path_ends,
    a_turn_stops_where_the_path_ends,
    a_tree_grows,
    the_path_of_best_grows,
    samples_leave_the_states_of_the_game_on_the_path,
    a_solver_without_room_wins_nothing,
    the_tree_of_best_grows,
)

if __name__ == "__main__":
    print("plain" if DISABLED else "jitted")
    for check in CHECKS:
        check()
        print(check.__name__)
