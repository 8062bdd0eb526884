"""The move generators against a table of how many positions there are by depth."""

from __future__ import annotations

from collections.abc import Iterator

import klondike_perft
import numpy as np
import pytest
from klondike_kernels import Engine
from klondike_perft import COUNTS, DEALS, OTHERS, by_events
from perft import by_depth, check_table, fewer, read_counts
from plain_klondike import USUAL

from deals import klondike
from gafreecell.jit import uint64
from gafreecell.solitaire.klondike.complete.kernels import states
from gafreecell.solitaire.klondike.complete.kernels.layout import new_unpacked, unpack
from gafreecell.solitaire.klondike.complete.kernels.search import new_work
from gafreecell.solitaire.klondike.kernels.board import Board
from gafreecell.solitaire.klondike.man_machine.kernels import block_game
from gafreecell.solitaire.klondike.packed import pack_board

TABLE = read_counts(klondike_perft.TABLE)


@pytest.mark.parametrize("name", COUNTS)
def test_the_table_is_what_the_plain_rules_give(name: str) -> None:
    check_table(TABLE, name, COUNTS[name], DEALS, most=500)


@pytest.mark.parametrize("number", DEALS)
def test_moves_of_2005(number: int) -> None:
    start, listed = block_game.empty_block_game(), np.zeros(block_game.MOST_MOVES, np.int64)
    block_game.load(start, pack_board(klondike(number)))

    def moves(game: block_game.BlockGame) -> Iterator[block_game.BlockGame]:
        for move in listed[: block_game.list_moves(game, listed, 0)].tolist():
            reached = block_game.BlockGame(*(array.copy() for array in game))
            block_game.make(reached, move)
            yield reached

    counts = TABLE["moves", number]
    assert by_depth(start, moves, len(counts) - 1, lambda game: int(game.key[0])) == counts


@pytest.mark.parametrize("number", DEALS)
def test_actions_of_2007(number: int) -> None:
    engine = Engine(klondike(number))

    def moves(board: Board) -> Iterator[Board]:
        engine.board = board
        for action in engine.actions():
            engine.board = Board(*(array.copy() for array in board))
            engine.make(action)
            yield engine.board

    counts = TABLE["actions", number]
    start = engine.board
    assert by_depth(start, moves, len(counts) - 1, lambda board: int(board.key[0])) == counts


@pytest.mark.parametrize("number", DEALS)
@pytest.mark.parametrize("name", ["events", *OTHERS])
def test_moves_between_classes(number: int, name: str) -> None:
    """What events leave unchanged is a state but for the cards home."""
    unpacked, work = new_unpacked(), new_work()
    deal = unpacked.deal
    board = klondike(number, *OTHERS.get(name, USUAL))
    root = states.settled(deal, uint64(unpack(unpacked, pack_board(board))))

    def moves(node: tuple[int, int, int]) -> list[tuple[int, int, int]]:
        words = [uint64(word) for word in node]
        end = states.list_moves(deal, *words, 0, work.moves, 0, work.found)
        return [states.after_move(deal, *words, move) for move in work.moves[:end].tolist()]

    def but_home(node: tuple[int, int, int]) -> int:
        return int(node[0]) & ~(0xFFFF << states.HOME_SHIFT)

    counts = fewer(TABLE[name, number], 1_500)
    assert by_events(root, moves, but_home, len(counts) - 1) == counts
