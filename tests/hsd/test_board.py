"""The jitted board and its moves against the plain twin."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from engine import Engine
from flood import count_states
from hypothesis import given
from hypothesis import strategies as st
from plain_twin import Key, Twin, count_by_depth, fits, is_run
from random_boards import boards

from deals import FreeCellBoard, freecell
from deals.cards import rank_of, suit_of
from hsd.kernels.board import CELL, HOME
from hsd.kernels.home import is_home
from hsd.kernels.moves import ANY, cost
from hsd.kernels.packed import PACKED, pack_board
from hsd.kernels.sums import (
    BOTTOMS,
    BREAKS,
    COLUMNS,
    DROPS,
    EXPOSED,
    INVERSIONS,
    KINGS,
    LOOPS,
    OUTSIDE,
    SORTED,
    WIDTHS,
)
from hsd.kernels.zobrist import zobrist
from jit import kernel

GOAL = FreeCellBoard(((),) * 8, (), (13, 13, 13, 13))
LEFT = 2**64 - 1
"""What lies around a packed board, and must stay."""


@st.composite
def starts(draw: st.DrawFn) -> FreeCellBoard:
    """Deals and mid-game positions of every variant."""
    if draw(st.booleans()):
        return draw(boards())
    number = draw(st.integers(1, 1_000_000))
    return freecell(number, draw(st.integers(4, 9)), draw(st.integers(0, 7)))


def choose(engine: Engine, moves: list[int], generator: random.Random) -> int:
    """A random move, more often one between cascades: they build runs and empty cascades."""
    between = [m for m in moves if m & 31 < CELL and (m >> 5) & 31 < CELL]
    home = [m for m in moves if (m >> 5) & 31 == HOME]
    lists = [moves, moves, between or moves, between or moves, home or moves]
    return generator.choice(generator.choice(lists))


def walk(board: FreeCellBoard, seed: int, length: int, safe: bool = False) -> Iterator[Engine]:
    """Positions of a random game, one and the same board changing; forced home moves if safe."""
    engine, generator = Engine(board), random.Random(seed)
    for _ in range(length):
        if safe:
            engine.play_safe_home()
        yield engine
        moves = engine.moves()
        if not moves:
            return
        engine.play(choose(engine, moves, generator))


SEEDS = st.integers(0, 10**6)


@given(starts(), SEEDS)
def test_the_moves_are_the_twins(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 25):
        translated = [engine.as_twins(move) for move in engine.moves()]
        assert len(set(translated)) == len(translated)
        assert set(translated) == set(engine.twin().moves())


@given(starts(), SEEDS)
def test_a_game_runs_as_the_twins(board: FreeCellBoard, seed: int) -> None:
    engine, twin = Engine(board), Twin.from_board(board)
    generator = random.Random(seed)
    for _ in range(60):
        assert engine.columns() == twin.cascades
        assert sorted(card for card in engine.cells() if card) == sorted(twin.cells)
        assert engine.arrays.numbers.used == len(twin.cells)
        assert engine.home() == twin.foundations
        assert bool(is_home(engine.arrays)) == (sum(twin.foundations) == 52)
        for c, column in enumerate(engine.columns()):
            assert [int(engine.arrays.where[card]) for card in column] == [
                64 * c + i for i in range(len(column))
            ]
        moves = engine.moves()
        if not moves:
            break
        move = choose(engine, moves, generator)
        twin.play(engine.as_twins(move))
        engine.play(move)


@given(starts(), SEEDS)
def test_the_incremental_hash_is_the_hash_from_scratch(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 40):
        assert engine.key() == engine.fresh_key()


@given(starts(), SEEDS)
def test_states_and_hashes_are_one_to_one(board: FreeCellBoard, seed: int) -> None:
    hashes: dict[Key, tuple[int, int]] = {}
    states: tuple[dict[int, Key], dict[int, Key]] = ({}, {})
    generator = random.Random(seed)
    for engine in walk(board, seed, 12):
        twin = engine.twin()
        generator.shuffle(twin.cascades)
        generator.shuffle(twin.cells)
        pairs = [(twin.key(), engine.key()), (twin.key(), Engine(twin.as_board()).key())]
        for move in engine.moves():
            suit = engine.suit_home(move)
            engine.play(move)
            pairs.append((engine.twin().key(), engine.key()))
            engine.unplay(move, suit)
        for state, key in pairs:
            assert hashes.setdefault(state, key) == key
            # Each word alone distinguishes the states.
            for word in (0, 1):
                assert states[word].setdefault(key[word], state) == state


@given(starts(), SEEDS)
def test_unmaking_moves_is_bit_identical(board: FreeCellBoard, seed: int) -> None:
    engine, generator = Engine(board), random.Random(seed)
    before = [engine.snapshot()]
    made: list[tuple[int, int, list[int]]] = []
    for _ in range(40):
        moves = engine.moves()
        if not moves:
            break
        for move in moves:
            suit = engine.suit_home(move)
            engine.play(move)
            engine.unplay(move, suit)
            assert engine.snapshot() == before[-1]
        move = choose(engine, moves, generator)
        suit = engine.suit_home(move)
        engine.play(move)
        made.append((move, suit, engine.play_safe_home()))
        before.append(engine.snapshot())
    while made:
        assert engine.snapshot() == before.pop()
        move, suit, trail = made.pop()
        engine.unplay_safe_home(trail)
        engine.unplay(move, suit)
    assert engine.snapshot() == before.pop()


@given(starts(), SEEDS)
def test_a_move_without_the_hash_is_the_move(board: FreeCellBoard, seed: int) -> None:
    hashed, other = Engine(board), Engine(board)
    for engine in walk(board, seed, 25):
        for move in engine.moves():
            hashed.load(engine.packed())
            hashed.play(move)
            other.load(engine.packed())
            other.play_unhashed(move)
            assert other.key() == engine.key()
            assert without_key(other) == without_key(hashed)


@given(starts(), SEEDS)
def test_the_last_move_is_undone_but_for_the_hash(board: FreeCellBoard, seed: int) -> None:
    """Made with or without the hash, and also with forced home moves after it."""
    for engine in walk(board, seed, 25):
        before, key = engine.snapshot(), engine.key()
        for move in engine.moves():
            suit = engine.suit_home(move)
            engine.play_unhashed(move)
            engine.undo(move, suit)
            assert engine.snapshot() == before
            engine.play_unhashed(move)
            trail = engine.play_safe_home()
            there = engine.key()
            engine.undo_safe_home(trail)
            engine.undo(move, suit)
            assert engine.key() == there
            engine.arrays.key[:] = key
            assert engine.snapshot() == before


def without_key(engine: Engine) -> tuple[object, ...]:
    """The whole position except the hash."""
    columns, cells, home, where, size, _, sums = engine.snapshot()
    return columns, cells, home, where, size, sums


@given(starts(), SEEDS)
def test_safe_home_moves_are_the_twins(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 40):
        twin, before = engine.twin(), engine.snapshot()
        played = twin.safe_home_moves()
        trail = engine.play_safe_home()
        assert len(trail) == len(played)
        assert engine.twin().key() == twin.key()
        assert engine.columns() == twin.cascades
        assert engine.key() == engine.fresh_key()
        assert engine.play_safe_home() == []
        engine.unplay_safe_home(trail)
        assert engine.snapshot() == before


@given(starts(), SEEDS)
def test_the_trail_says_which_cards_went_home(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 20):
        replayed = Engine(engine.as_board())
        replayed.load(engine.packed())
        for entry in engine.play_safe_home():
            source, suit = entry & 31, entry >> 10
            card = 4 * (replayed.home()[suit] + 1) + suit
            place = replayed.cells()[source - CELL] if source >= CELL else 0
            assert card == (place or replayed.columns()[source][-1])
            replayed.play((entry & 1023) | 1 << 10)
        assert replayed.snapshot() == engine.snapshot()


@pytest.mark.parametrize("safe", [False, True])
@given(starts(), SEEDS)
def test_what_is_known_of_a_move_before_it_is_made(
    safe: bool, board: FreeCellBoard, seed: int
) -> None:
    for engine in walk(board, seed, 25, safe=safe):
        for move in engine.moves():
            foretold, quiet = engine.key_after(move), engine.stays_quiet(move)
            suit = engine.suit_home(move)
            engine.play(move)
            assert engine.key() == foretold
            trail = engine.play_safe_home()
            # It applies to positions without safe home moves. For moves that do not go home
            # it is exact.
            if safe and quiet:
                assert trail == []
            if safe and not trail:
                assert quiet or (move >> 5) & 31 == HOME
            engine.unplay_safe_home(trail)
            engine.unplay(move, suit)


@given(starts(), SEEDS)
def test_a_position_is_stored_and_loaded(board: FreeCellBoard, seed: int) -> None:
    other = Engine(board)
    kept = np.full(3 * PACKED, LEFT, np.uint64)
    for engine in walk(board, seed, 25):
        kept[PACKED : 2 * PACKED] = engine.packed()
        other.load(kept, PACKED)
        assert other.snapshot() == engine.snapshot()
        assert (other.packed() == engine.packed()).all()
        assert (kept[:PACKED] == LEFT).all() and (kept[2 * PACKED :] == LEFT).all()


@given(boards())
def test_a_board_is_packed_as_the_kernels_store_it(board: FreeCellBoard) -> None:
    engine = Engine(board)
    assert (engine.packed() == pack_board(board)).all()
    assert engine.as_board() == board


def test_the_goal_has_no_moves() -> None:
    engine = Engine(GOAL)
    assert engine.moves() == []
    assert is_home(engine.arrays)
    assert engine.key() == (0, 0)
    assert not is_home(Engine(freecell(1)).arrays)


@pytest.mark.parametrize("safe", [False, True])
@pytest.mark.parametrize(
    ("board", "depth"),
    [
        (freecell(1), 3),
        (freecell(617), 3),
        (freecell(2, cascades=4, cells=7), 3),
        (freecell(3, cascades=9, cells=0), 4),
        (freecell(11982, cells=1), 4),
        (
            FreeCellBoard.from_text(
                "Foundations: C-9 D-8 H-9 S-9\nFreecells: KH\nKS QD JC TD\nQH KC JS TH\n"
                "JD TS 9D\nQC\n:\nKD QS JH TC",
                cells=2,
                cascades=6,
            ),
            4,
        ),
    ],
)
def test_positions_by_depth(board: FreeCellBoard, depth: int, safe: bool) -> None:
    """Perft: the states first reached at each depth, told apart by the hash alone."""
    root = Engine(board)
    if safe:
        root.play_safe_home()
    seen = {root.key()}
    level = [root.packed()]
    counts = [1]
    for _ in range(depth):
        reached = []
        for packed in level:
            root.load(packed)
            for move in root.moves():
                suit = root.suit_home(move)
                root.play(move)
                trail = root.play_safe_home() if safe else []
                if root.key() not in seen:
                    seen.add(root.key())
                    reached.append(root.packed())
                root.unplay_safe_home(trail)
                root.unplay(move, suit)
        level = reached
        counts.append(len(level))
    assert counts == count_by_depth(board, depth, safe)


@pytest.mark.parametrize("longest", [ANY, 1])
def test_an_unsolvable_deal_has_as_many_states_as_others_count(longest: int) -> None:
    # 83,239 under full symmetry, without automatic moves; other solvers count the same. Runs
    # reach no state that their cards, moved one by one, do not.
    assert count_states(freecell(11982), safe=False, longest=longest) == 83_239


def pair_keys() -> np.ndarray:
    """The Zobrist numbers of all pairs that occur, a row for each pair, a column for each word."""

    @kernel
    def fill(numbers):  # type: ignore[no-untyped-def]
        for card in range(4, 56):
            for beneath in range(56):
                for word in range(2):
                    numbers[card, beneath, word] = zobrist(np.uint8(card), np.uint8(beneath), word)

    numbers = np.zeros((64, 64, 2), np.uint64)
    fill(numbers)
    return numbers[4:56, :56].reshape(-1, 2)


def test_hashes_differ_for_every_pair_of_cards() -> None:
    drawn = pair_keys().ravel()
    assert np.unique(drawn).size == drawn.size
    assert (drawn != 0).all()


def test_no_bit_of_the_hash_follows_from_the_others() -> None:
    """The 128 bits are independent: no sum of some of them is the same for all pairs."""
    vectors = [(first << 64 | second) << 1 | 1 for first, second in pair_keys().tolist()]
    # Gauss's elimination over two elements; the last bit stands for a sum that is always one.
    reduced: dict[int, int] = {}
    for vector in vectors:
        while vector and vector.bit_length() in reduced:
            vector ^= reduced[vector.bit_length()]
        if vector:
            reduced[vector.bit_length()] = vector
    assert len(reduced) == 129


@pytest.mark.parametrize("word", [0, 1])
def test_each_word_takes_every_bit_as_often_as_not(word: int) -> None:
    drawn = pair_keys()[:, word]
    for bit in range(64):
        share = float(np.mean((drawn >> np.uint64(bit)) & np.uint64(1)))
        # Five standard deviations of a fair coin.
        assert abs(share - 0.5) < 2.5 / np.sqrt(drawn.size)


# ------------------------------------------------------------------ the sums


def plain_total(columns: list[list[int]]) -> dict[int, int]:
    """The fields of ``Board.total`` from their descriptions, computed from scratch."""
    fields = dict.fromkeys(WIDTHS, 0)
    for column in columns:
        ranks = [rank_of(card) for card in column]
        run = max((n for n in range(1, len(column) + 1) if is_run(column[:n])), default=0)
        fields[OUTSIDE] += len(column) - run
        fields[SORTED] += len(column) if is_run(column) else 0
        for i, card in enumerate(column):
            lowest = min(ranks[:i], default=99)
            mates = [rank_of(other) for other in column[:i] if suit_of(other) == suit_of(card)]
            fields[LOOPS] += any(rank < ranks[i] for rank in mates)
            fields[BREAKS] += i > 0 and not fits(card, column[i - 1])
            fields[INVERSIONS] += lowest < ranks[i]
            fields[DROPS] += max(ranks[i] - lowest, 0)
        if column:
            fields[EXPOSED] += ranks[-1]
            fields[BOTTOMS] += ranks[0]
            fields[KINGS] += ranks[0] == 13
            fields[COLUMNS] += 1
    return fields


@given(starts(), SEEDS)
def test_the_sums_are_those_counted_from_scratch(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 40):
        assert engine.total() == plain_total(engine.columns())


@given(starts(), SEEDS)
def test_the_incremental_sums_are_those_from_scratch(board: FreeCellBoard, seed: int) -> None:
    """Moves made and unmade in turns, with runs, cells and forced home moves."""
    engine, generator = Engine(board), random.Random(seed)
    made: list[tuple[int, int, list[int]]] = []
    for _ in range(60):
        moves = engine.moves()
        if made and (not moves or generator.random() < 0.4):
            move, suit, trail = made.pop()
            engine.unplay_safe_home(trail)
            engine.unplay(move, suit)
        elif moves:
            move = choose(engine, moves, generator)
            suit = engine.suit_home(move)
            engine.play(move)
            made.append((move, suit, engine.play_safe_home() if generator.random() < 0.5 else []))
        else:
            break
        fresh = Engine(engine.as_board())
        assert engine.sums() == fresh.sums()
        # To the features a negative place means that the card is in no cascade.
        assert engine.arrays.where.tolist() == fresh.arrays.where.tolist()
        assert engine.total() == plain_total(engine.columns())


@given(boards())
def test_under_is_the_set_of_the_cards_at_and_beneath_a_place(board: FreeCellBoard) -> None:
    engine = Engine(board)
    for c, column in enumerate(engine.columns()):
        for i in range(len(column)):
            cards = sum(1 << card for card in column[: i + 1])
            assert int(engine.arrays.under[64 * c + i]) == cards


def test_the_fields_of_the_total_lie_side_by_side() -> None:
    places = [(low, low + width) for low, width in sorted(WIDTHS.items())]
    assert places[0][0] == 0 and places[-1][1] < 63
    assert all(end <= start for (_, end), (start, _) in pairwise(places))


SUIT = ["".join(rank + suit + " " for rank in "A23456789TJQK") for suit in "CDHS"]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        # All in one cascade, aces deepest: the most that the first five can be.
        (
            " ".join(rank + suit for rank in "A23456789TJQK" for suit in "CDHS"),
            {OUTSIDE: 51, LOOPS: 48, BREAKS: 51, INVERSIONS: 48, DROPS: 4 * 78, SORTED: 0}
            | {EXPOSED: 13, BOTTOMS: 1, KINGS: 0, COLUMNS: 1},
        ),
        # A suit each, upwards.
        (
            "\n".join(SUIT),
            {OUTSIDE: 48, LOOPS: 48, BREAKS: 48, INVERSIONS: 48, DROPS: 4 * 78, SORTED: 0}
            | {EXPOSED: 52, BOTTOMS: 4, KINGS: 0, COLUMNS: 4},
        ),
        # Runs of thirteen, all sorted.
        (
            "KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC\nKD QC JD TC 9D 8C 7D 6C 5D 4C 3D 2C AD\n"
            "KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH\nKS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS",
            {OUTSIDE: 0, LOOPS: 0, BREAKS: 0, INVERSIONS: 0, DROPS: 0, SORTED: 52}
            | {EXPOSED: 4, BOTTOMS: 52, KINGS: 4, COLUMNS: 4},
        ),
        # Nine cascades of the highest cards: the most that the last four can be.
        (
            "Foundations: C-T D-T H-T S-T\nFreecells: JD JH JS\nKC\nKD\nKH\nKS\nQC\nQD\nQH\nQS\nJC",
            {OUTSIDE: 0, LOOPS: 0, BREAKS: 0, INVERSIONS: 0, DROPS: 0, SORTED: 9}
            | {EXPOSED: 111, BOTTOMS: 111, KINGS: 4, COLUMNS: 9},
        ),
        # A run, a break onto an equal rank, one onto a lower, and a run again upon it.
        (
            "Foundations: C-9 D-9 H-9 S-9\nFreecells: TC TS\nKC QD QS TD KH QC\nKD\nJC\n"
            "JS JD\nKS QH JH TH\n:",
            {
                OUTSIDE: 4 + 0 + 0 + 1 + 2,
                # No suit comes twice in a cascade but downwards.
                LOOPS: 0,
                # QS on QD, TD on QS, KH on TD; JD on JS; JH on QH, TH on JH.
                BREAKS: 3 + 1 + 2,
                # The KH and the QC are above the TD; an equal rank is not lower.
                INVERSIONS: 2,
                DROPS: 3 + 2,
                SORTED: 1 + 1,
                EXPOSED: 12 + 13 + 11 + 11 + 10,
                BOTTOMS: 13 + 13 + 11 + 11 + 13,
                KINGS: 3,
                COLUMNS: 5,
            },
        ),
    ],
)
def test_the_sums_by_hand(text: str, fields: dict[int, int]) -> None:
    board = FreeCellBoard.from_text(text, 4, 9)
    assert Engine(board).total() == fields


# ------------------------------------------------------------------ reload


@st.composite
def two_of_a_game(draw: st.DrawFn) -> tuple[FreeCellBoard, FreeCellBoard]:
    """Two positions with as many cascades and cells, near each other or unrelated."""
    board = draw(starts())
    if draw(st.booleans()):
        engine = list(walk(board, draw(SEEDS), draw(st.integers(1, 30))))[-1]
        return board, engine.as_board()
    cascades, cells = len(board.cascades), board.cell_count
    return board, draw(boards(cascades=cascades, cells=cells))


@given(two_of_a_game(), st.booleans())
def test_reload_is_load(two: tuple[FreeCellBoard, FreeCellBoard], back: bool) -> None:
    first, second = reversed(two) if back else two
    kept = np.full(3 * PACKED, LEFT, np.uint64)
    kept[PACKED : 2 * PACKED] = pack_board(second)
    loaded, reloaded = Engine(first), Engine(first)
    loaded.load(kept, PACKED)
    reloaded.reload(kept, PACKED)
    assert reloaded.snapshot() == loaded.snapshot() == Engine(second).snapshot()
    assert (kept[:PACKED] == LEFT).all() and (kept[2 * PACKED :] == LEFT).all()


@given(starts(), SEEDS)
def test_reload_goes_anywhere_in_a_game(board: FreeCellBoard, seed: int) -> None:
    """Cells with gaps between held cards, as play leaves them, and one reload upon another."""
    packed = [engine.packed() for engine in walk(board, seed, 25)]
    generator = random.Random(seed)
    loaded, reloaded = Engine(board), Engine(board)
    for _ in range(25):
        position = generator.choice(packed)
        loaded.load(position)
        reloaded.reload(position)
        assert reloaded.snapshot() == loaded.snapshot()
        moves = reloaded.moves()
        if moves and generator.random() < 0.5:
            reloaded.play(choose(reloaded, moves, generator))


# ------------------------------------------------------------------ moves of one card


@given(starts(), SEEDS)
def test_without_supermoves_the_moves_of_one_card_are_listed(
    board: FreeCellBoard, seed: int
) -> None:
    for engine in walk(board, seed, 25):
        assert engine.moves(longest=1) == [move for move in engine.moves() if move >> 10 == 1]


@given(starts(), SEEDS)
def test_a_move_costs_what_its_cards_moved_one_by_one_take(board: FreeCellBoard, seed: int) -> None:
    for engine in walk(board, seed, 25):
        for move in engine.moves():
            _, target, count = engine.as_twins(move)
            # All but the last go aside and come back.
            assert cost(move) == (0 if target == "home" else 2 * (count - 1) + 1)
