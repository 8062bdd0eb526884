"""Rollouts of 2005: moves, strategy and games against plain Python, limits, slices, win rates."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_klondike import RULES, PlainTable, Rules
from plain_kplus import State
from plain_kplus import token as plain_token
from plain_man_machine import ManMachine as Plain
from plain_man_machine import TooMany, legal_moves
from random_klondike import tables

from deals import KlondikeBoard
from deals import klondike as deal
from gafreecell.solitaire import klondike
from gafreecell.solitaire.klondike.man_machine import search as driver
from gafreecell.solitaire.klondike.man_machine.kernels import block_game
from gafreecell.solitaire.klondike.man_machine.kernels import search as kernels
from gafreecell.solitaire.klondike.man_machine.search import ManMachine
from gafreecell.solitaire.klondike.moves import token
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solitaire.klondike.presets import NAMES
from gafreecell.solitaire.klondike.verifier import verify
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.parameters import ParameterError, Value, read_parameters
from gafreecell.solving.search import Found

SEARCH = ManMachine()
READINGS = st.fixed_dictionaries(
    {
        "first": st.sampled_from(["points", "priority"]),
        "waste-home": st.sampled_from([0, 5, 10]),
        "piles": st.sampled_from([0, 5]),
        "queens": st.sampled_from(["suit", "colour", "other-colour"]),
        "ties": st.sampled_from(["first", "last"]),
        "avoid": st.sampled_from(["nowhere", "game", "everywhere"]),
        "seed": st.integers(0, 2**62),
    }
)


def board_of(table: PlainTable) -> KlondikeBoard:
    return KlondikeBoard.from_text(table.text())


def search(
    board: KlondikeBoard, nodes: int = 10**6, seconds: float | None = None, **given: Value
) -> Found:
    values = read_parameters("man-machine", ManMachine.parameters, given)
    found = SEARCH.run(pack_board(board), np.zeros(0), values, Limits(nodes, seconds))
    assert (found.moves is None) == (found.status is not Status.SOLVED)
    if found.moves is not None:
        assert verify(board, map(token, found.moves.tolist()), partial=False).solved
    return found


def plain(nesting: int, readings: dict[str, Value], **options: int) -> Plain:
    words = {name.replace("-", "_"): value for name, value in readings.items()}
    return Plain(nesting, **words, **options)  # type: ignore[arg-type]


def content(game: block_game.BlockGame) -> list[list[int]]:
    """The whole content of a game; the talon as its cards, waste and stock apart."""
    piles = [game.pile[32 * p : 32 * p + game.height[p]].tolist() for p in range(7)]
    left, waste = int(game.left[0]), int(game.waste[0])
    talon = [[int(game.talon[j]) for j in range(24) if side >> j & 1] for side in (waste, left)]
    rest = (game.down, game.home, game.hidden, game.key)
    return [*piles, *talon, *(array.tolist() for array in rest)]


def loaded(table: PlainTable) -> block_game.BlockGame:
    game = block_game.empty_block_game()
    block_game.load(game, pack_board(board_of(table)))
    return game


@settings(max_examples=40)
@given(tables(300))
def test_moves_are_listed_made_and_taken_back(table: PlainTable) -> None:
    game = loaded(table)
    before = content(game)
    listed = np.zeros(kernels.MOST_MOVES, np.int64)
    moves = listed[: block_game.list_moves(game, listed, 0)].tolist()
    assert len(moves) <= 30  # As ``MOST_MOVES`` has it.
    tokens = [token(move & block_game.TABLE_BITS) for move in moves]
    assert tokens == [plain_token(move) for move in legal_moves(State.of(table))]
    assert set(tokens) <= set(table.moves())
    left, waste, key = game.left[0], game.waste[0], game.key[0]
    for move, written in zip(moves, tokens, strict=True):
        block_game.make(game, move)
        played = table.copy()
        played.play(written)
        assert content(game) == content(loaded(played))
        block_game.unmake(game, move, left, waste, key)
        assert content(game) == before


@settings(max_examples=40)
@given(tables(200), st.integers(0, 2), READINGS, st.sampled_from([1, 50, 700]))
def test_every_game_is_the_plain_one(
    table: PlainTable, nesting: int, readings: dict[str, Value], nodes: int
) -> None:
    twin = plain(nesting, readings, most=nodes)
    found = search(board_of(table), nodes, nesting=nesting, **readings)
    try:
        expected = twin.run(State.of(table))
    except TooMany:
        assert found.status is Status.NODE_LIMIT
        return
    if found.status is Status.NODE_LIMIT:
        # The search looks at its limit between two steps, the twin before it passes it.
        assert twin.entered == nodes
        return
    assert found.status is (Status.EXHAUSTED if expected is None else Status.SOLVED)
    moves = None if found.moves is None else [token(move) for move in found.moves.tolist()]
    assert moves == expected
    assert (found.nodes.expanded, found.nodes.generated) == (twin.listed, twin.entered)


@pytest.mark.parametrize(
    ("nesting", "avoid"), [(0, "nowhere"), (0, "game"), (1, "nowhere"), (1, "game"), (2, "game")]
)
def test_what_is_remembered_changes_no_result(nesting: int, avoid: str) -> None:
    generator = random.Random(nesting)
    compared = won = 0
    for _ in range(8 if nesting else 40):
        table = PlainTable.shuffled(generator)
        # Two nestings from the deal on take plain Python minutes.
        for _ in range((0, 60, 150)[nesting]):
            moves = [move for move in table.moves() if "v" not in move]
            homeward = [move for move in moves if move[1] == "h"]
            table.play(generator.choice(homeward or moves))
        try:
            anew = Plain(nesting, avoid=avoid, remembers=False, most=1500).run(State.of(table))
        except TooMany:
            continue
        found = search(board_of(table), nesting=nesting, avoid=avoid)
        assert (found.status is Status.SOLVED) == (anew is not None)
        compared += 1
        won += anew is not None
    assert compared > 3 and 0 < won < compared


def test_more_nestings_win_more_and_lose_none() -> None:
    results = [
        [search(deal(number), nesting=n).status is Status.SOLVED for number in range(1, 61)]
        for n in range(4)
    ]
    for fewer, more in pairwise(results):
        assert all(b or not a for a, b in zip(fewer, more, strict=True))
    assert sum(results[3]) > sum(results[1]) > sum(results[0])


def test_chance_decides_moves_and_not_results() -> None:
    played = set()
    for seed in (0, 1, 2**62):
        found = [search(deal(number), nesting=2, seed=seed) for number in range(1, 31)]
        played.add(tuple(tuple(f.moves.tolist()) for f in found if f.moves is not None))
        again = [search(deal(number), nesting=2, seed=seed) for number in range(1, 31)]
        assert [f.nodes for f in again] == [f.nodes for f in found]
        assert [f.status for f in found] == [
            search(deal(number), nesting=2).status for number in range(1, 31)
        ]
    assert len(played) == 3


def test_ties_left_to_chance_depend_on_the_seed_alone() -> None:
    def nodes(seed: int) -> list[int]:
        found = [search(deal(i), nesting=0, ties="chance", seed=seed) for i in range(1, 31)]
        return [f.nodes.generated for f in found]

    assert nodes(1) == nodes(1) != nodes(2)


@pytest.mark.parametrize("nesting", [0, 1, 3])
@pytest.mark.parametrize("avoid", ["game", "everywhere"])
def test_neither_slices_nor_room_change_anything(
    nesting: int, avoid: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 7):
        expected = search(deal(number), nesting=nesting, avoid=avoid)
        for pause, trail, places in ((1, 1 << 10, 1 << 12), (37, 70, 4)):
            with monkeypatch.context() as patch:
                patch.setattr(driver, "SLICE_STATES", pause)
                patch.setattr(kernels, "FIRST_TRAIL", trail)
                patch.setattr(kernels, "FIRST_SLOTS", places)
                patch.setattr(SEARCH, "_work", kernels.new_work())
                again = search(deal(number), nesting=nesting, avoid=avoid)
            assert (again.status, again.nodes) == (expected.status, expected.nodes)
            assert np.array_equal(again.moves, expected.moves)  # type: ignore[arg-type]


def test_limits() -> None:
    lost = next(n for n in range(1, 50) if search(deal(n)).status is Status.EXHAUSTED)
    assert search(deal(lost), nodes=1).status is Status.NODE_LIMIT
    found = search(deal(lost), nodes=300)
    assert (found.status, found.nodes.generated) == (Status.NODE_LIMIT, 300)
    values = read_parameters("man-machine", ManMachine.parameters, {"nesting": 5})
    packed = pack_board(deal(lost))
    few = SEARCH.run(packed, np.zeros(0), values, Limits(10**7, memory=10**5))
    assert few.status is Status.MEMORY_LIMIT
    assert search(deal(lost), 10**7, 1e-9, nesting=5).status is Status.TIME_LIMIT


@pytest.mark.parametrize("rules", RULES[1:])
def test_other_rules_than_those_of_2005_are_refused(rules: Rules) -> None:
    draw, left = rules[0], "unlimited" if rules[1] is None else rules[1]
    with pytest.raises(ParameterError, match=f"only, got draw={draw} redeals={left}: take another"):
        search(deal(1, *rules))


def test_shares_won() -> None:
    """The poster's rates, loosely: 13.05, 31.20, 47.60 and 56.83 %."""
    for nesting, games, low, high in (
        (0, 2000, 10, 15),
        (1, 1000, 27, 37),
        (2, 500, 41, 54),
        (3, 300, 48, 66),
    ):
        numbers = range(1, 1 + games)
        outcomes = klondike.solve_many(numbers, f"man-machine-2005-n{nesting}", jobs=1)
        solved = sum(outcome.status is Status.SOLVED for outcome in outcomes)
        assert low < 100 * solved / games < high
        assert solved + sum(o.status is Status.EXHAUSTED for o in outcomes) == games


def test_presets_name_all_nestings() -> None:
    presets = [name for name in NAMES if name.startswith("man-machine")]
    assert presets == [f"man-machine-2005-n{n}" for n in range(6)]
    for name in presets:
        outcome = klondike.solve(deal(1), name)
        assert outcome.status in (Status.SOLVED, Status.EXHAUSTED)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("nesting", 6, "nesting must be 0 to 5"),
        ("ties", "leftmost", "ties must be first or last or chance"),
        ("avoid", "never", "avoid must be nowhere or game or everywhere"),
        ("piles", 11, "piles must be 0 to 10"),
    ],
)
def test_wrong_parameters_are_refused(name: str, value: Value, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        read_parameters("man-machine", ManMachine.parameters, {name: value})
