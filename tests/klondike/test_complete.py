"""The complete search: wins replayed by the verifier, losses against an exhaustive search."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from klondike_flood import can_be_won
from klondike_kernels import Engine
from plain_klondike import PlainTable
from random_klondike import tables

from deals import KlondikeBoard, klondike
from gafreecell.solitaire.klondike.complete.search import Complete
from gafreecell.solitaire.klondike.features import FEATURES
from gafreecell.solitaire.klondike.moves import token
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solitaire.klondike.verifier import verify
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.parameters import Value, read_parameters
from gafreecell.solving.search import Found

SEARCH = Complete()
NO_WEIGHTS = np.zeros(len(FEATURES))
WAYS = [
    {"safe-home": safe, "still-bottoms": still, "dead-ends": tests}
    for safe in ("yes", "no")
    for still in ("yes", "no")
    for tests in ("yes", "no")
]


def solve(board: KlondikeBoard, nodes: int = 100_000, **given: Value) -> Found:
    values = read_parameters("complete", SEARCH.parameters, given)
    found = SEARCH.run(pack_board(board), NO_WEIGHTS, values, Limits(nodes=nodes))
    assert (found.moves is not None) == (found.status is Status.SOLVED)
    if found.moves is not None:
        verdict = verify(board, [token(int(move)) for move in found.moves])
        assert verdict.reason == ""
        assert verdict.solved
    return found


def endgame(generator: random.Random, least: int, most: int, piles: int) -> KlondikeBoard:
    """The cards left when some are home, at random in the talon and in few, deep piles."""
    home = [generator.randint(least, most) for _ in range(4)]
    cards = [4 * rank + suit for suit in range(4) for rank in range(home[suit] + 1, 14)]
    generator.shuffle(cards)
    many = generator.randint(0, min(20, len(cards) // 2))
    talon, rest = cards[:many], cards[many:]
    columns: list[list[int]] = [[] for _ in range(7)]
    for card in rest:
        open_ones = [p for p in (6, 5, 4, 3, 2, 1, 0) if len(columns[p]) <= p][:piles]
        columns[generator.choice(open_ones)].append(card)
    drawn = min(3 * generator.randint(0, 7), many)
    return KlondikeBoard(
        tuple(map(tuple, columns)), tuple(max(len(column) - 1, 0) for column in columns),
        tuple(talon[drawn:]), tuple(talon[:drawn]), (home[0], home[1], home[2], home[3]),
    )  # fmt: skip


def test_lost_endgames_against_the_flood() -> None:
    generator = random.Random(7)
    lost = 0
    while lost < 10:
        board = endgame(generator, 7, 10, generator.choice([1, 2]))
        flooded = can_be_won(board, 1000)
        if flooded is None:
            continue
        lost += not flooded[0]
        for way in WAYS:
            found = solve(board, **way)
            assert found.status is (Status.SOLVED if flooded[0] else Status.UNSOLVABLE)
            assert found.nodes.generated <= flooded[1]
        assert not (flooded[0] and is_told(board))


def is_told(board: KlondikeBoard) -> bool:
    return Engine(board).is_lost()


@settings(max_examples=40, deadline=None)
@given(tables())
def test_positions_of_games(table: PlainTable) -> None:
    board = KlondikeBoard.from_text(table.text())
    statuses = {solve(board, 30_000, **way).status for way in (WAYS[0], WAYS[-1])}
    assert not {Status.SOLVED, Status.UNSOLVABLE} <= statuses
    if is_told(board):
        assert Status.SOLVED not in statuses


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
def test_deals(way: dict[str, str]) -> None:
    for number in range(1, 41):
        board = klondike(number)
        found, other = solve(board, 20_000, **way), solve(board, 20_000)
        assert not {Status.SOLVED, Status.UNSOLVABLE} <= {found.status, other.status}


def test_no_test_fires_along_solutions() -> None:
    for number in range(1, 31):
        board = klondike(number)
        found = solve(board, 20_000, **{"dead-ends": "no"})
        if found.moves is None:
            continue
        generator = random.Random(number)
        table = _laid_out(board)
        for move in found.moves:
            if generator.random() < 0.1:
                assert not is_told(KlondikeBoard.from_text(table.text()))
            table.play(token(int(move)))


def _laid_out(board: KlondikeBoard) -> PlainTable:
    words = board.deal_text().split(":")[-1].split()
    return PlainTable(words)


def test_limits() -> None:
    assert solve(klondike(1), nodes=1).status in (Status.NODE_LIMIT, Status.SOLVED)
    hard = next(n for n in range(1, 200) if solve(klondike(n), 5000).status is Status.NODE_LIMIT)
    found = solve(klondike(hard), 5000)
    assert 5000 <= found.nodes.generated <= 5001
    values = read_parameters("complete", SEARCH.parameters, {})
    small = SEARCH.run(
        pack_board(klondike(hard)), np.zeros(len(FEATURES)), values, Limits(memory=200_000)
    )
    assert small.status is Status.MEMORY_LIMIT
    timed = Limits(nodes=10**9, seconds=1e-6)
    quick = SEARCH.run(pack_board(klondike(hard)), NO_WEIGHTS, values, timed)
    assert quick.status is Status.TIME_LIMIT
