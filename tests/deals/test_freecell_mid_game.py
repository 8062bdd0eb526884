"""Positions in mid-game without marks of cascades: lines may be cascades, or rows of a screen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

import pytest
from board_texts import head, lengths, names, refused_by, rows

from deals import DealError, FreeCellBoard, freecell
from deals.cards import DECK
from hsd.legal_moves import after, legal_moves

ONE_MOVE = after(freecell(164), "8a")
refused = partial(refused_by, FreeCellBoard.from_text)


def by_columns(board: FreeCellBoard) -> str:
    return "\n".join([*head(board), *(names(cascade) or "--" for cascade in board.cascades)])


def by_rows(board: FreeCellBoard) -> str:
    """As it is typed from a screen, without a word where a cascade has ended."""
    return "\n".join([*head(board), *(" ".join(filter(None, row)) for row in rows(board))])


def games(count: int, seed: int) -> Iterator[FreeCellBoard]:
    """Positions of random games."""
    generator = random.Random(seed)
    for _ in range(count):
        board = freecell(generator.randint(1, 10**6))
        for _ in range(generator.randint(5, 30)):
            moves = legal_moves(board)
            if not moves:
                break
            home = [move for move in moves if move.endswith("h")]
            board = after(board, generator.choice(home or moves))
            yield board


def test_rows_after_a_single_move_are_noticed() -> None:
    text = by_rows(ONE_MOVE)
    assert refused(text) == (
        "lines 2 to 8 can be read in two ways: by columns, with 8-8-8-8-8-7-4 cards in the "
        "cascades, or by rows, with 7-7-7-7-6-6-6-5: say --columns or --rows (and write -- where "
        "a cascade has no card)"
    )
    as_columns = FreeCellBoard.from_text(text, layout="columns")
    assert lengths(as_columns) == [8, 8, 8, 8, 8, 7, 4, 0]
    text += " -- -- -- --"
    text = text.replace("7D\n6S", "7D --\n6S")
    assert FreeCellBoard.from_text(text, layout="rows") == ONE_MOVE
    assert FreeCellBoard.from_text(by_columns(ONE_MOVE)) == ONE_MOVE


def test_cascades_and_rows_in_mid_game_are_hardly_ever_taken_for_one_another() -> None:
    seen = asked = missed = 0
    for board in games(30, seed=1):
        seen += 1
        try:
            assert FreeCellBoard.from_text(by_columns(board)) == board
        except DealError as error:
            assert "can be read in two ways" in str(error)
            asked += 1
        # Rows of more than nine lines are no board by columns.
        try:
            FreeCellBoard.from_text(by_rows(board))
            missed += 1
        except DealError:
            pass
        assert FreeCellBoard.from_text(str(board)) == board
    assert seen > 400
    assert asked < seen / 200
    assert missed < seen / 200


@pytest.mark.parametrize(
    "counts",
    [
        *[(8, 8, 8, 8, 8, 7, 4), (8, 8, 8, 8, 7, 6, 4, 3), (7, 7, 7, 7, 6, 6, 5, 5)],
        *[(7, 7, 6, 5, 5, 4, 2), (4, 4, 4, 4), (6, 6, 6, 6, 6, 6, 6, 5, 1), (9, 9, 9, 9, 8, 4)],
    ],
)
@pytest.mark.parametrize("cascades", [None, 8, 9])
def test_what_is_printed_is_never_taken_for_rows(
    counts: tuple[int, ...], cascades: int | None
) -> None:
    """Its lines begin with ``:`` where they could be."""
    home = (52 - sum(counts)) // 4
    deck = iter([card for card in DECK if card >> 2 > home])
    columns = tuple(tuple(next(deck) for _ in range(length)) for length in counts)
    board = FreeCellBoard(columns, tuple(deck), (home, home, home, home))
    wanted = cascades and max(cascades, len(columns))
    read = FreeCellBoard.from_text(str(board), cascades=wanted)
    assert read.cascades[: len(columns)] == columns
    assert not any(read.cascades[len(columns) :])


def test_a_deck_that_lacks_cards_is_told_so() -> None:
    assert "missing 6D" in refused(by_rows(ONE_MOVE).replace(" 6D", ""))
