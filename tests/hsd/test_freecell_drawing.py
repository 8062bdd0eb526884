"""FreeCell drawn: whoever follows the words alone comes to each position as it is drawn."""

from __future__ import annotations

import re

import pytest
from spoken_moves import Table, carry

import hsd
from deals import FreeCellBoard, card_name, freecell, read_freecell_boards
from deals.cards import DealError
from gafreecell.solving.drawing import Drawing
from hsd.drawing import LEGEND, positions
from hsd.verifier import IllegalMove, Position

LATE = """\
Foundations: C-T D-T H-T S-T
Freecells: JC QD -
KC
JD KS QH JS
KD QC JH
:
QS KH
"""
DRAWN = """\
  a    b    c            home
 JC   QD   --            TC   TD   TH   TS

  1    2    3    4    5    6    7    8
 KC   JD   KD        QS
      KS   QC        KH
      QH   JH
      JS"""


def table_of(board: FreeCellBoard) -> Table:
    """A board's cards by place."""
    columns = enumerate(board.cascades, start=1)
    table = {f"cascade {number}": [*map(card_name, column)] for number, column in columns}
    for letter, card in zip("abcdefg", board.cell_row, strict=False):
        table[f"cell {letter}"] = [] if card is None else [card_name(card)]
    return table


def read(drawing: Drawing) -> tuple[Table, set[str]]:
    """The cards of a drawing by the signs over them, and the last ones of the foundations."""
    letters, cells, _, numbers, *rows = str(drawing).splitlines()
    table: Table = {}
    for sign in re.finditer(r"\d", numbers):
        column = [row[sign.start() - 1 : sign.end()].strip() for row in rows]
        table[f"cascade {sign[0]}"] = [card for card in column if card]
    for sign in re.finditer(r"\b[a-g]\b", letters):
        held = cells[sign.start() - 1 : sign.end()].strip()
        table[f"cell {sign[0]}"] = [] if held == "--" else [held]
    tops = cells[letters.index("home") :].split()
    assert [top[1] for top in tops] == [*"CDHS"]
    return table, {top for top in tops if top[0] != "-"}


def last_ones(home: set[str]) -> set[str]:
    """The highest card of each suit that is home."""
    ranks = "A23456789TJQK"
    suits = [[card for card in home if card[1] == suit] for suit in "CDHS"]
    return {max(cards, key=lambda card: ranks.index(card[0])) for cards in suits if cards}


SIZES = (617, 8, 4), (3, 8, 4), (7, 9, 2), (5, 6, 6), (8, 8, 7)
each_board = pytest.mark.parametrize("board", [freecell(*size) for size in SIZES], ids=range(5))


@each_board
def test_the_words_alone_lead_from_position_to_position(board: FreeCellBoard) -> None:
    moves = hsd.solve(board, "short").moves
    table, home = table_of(board), set[str]()
    *drawn, last = positions(board, moves)
    assert [drawing.move for drawing in drawn] == list(moves)
    for drawing in drawn:
        assert read(drawing) == (table, last_ones(home))
        before = {card for cards in table.values() for card in cards[-13:]}
        carry(drawing.words, table, home)
        assert {card_name(card) for card in drawing.cards} <= before
        assert any(card_name(card) in drawing.words for card in drawing.cards)
    assert read(last) == (table, last_ones(home))
    assert len(home) == 52 and (last.move, last.words) == ("", "")


@each_board
def test_every_drawing_is_read_as_the_position(board: FreeCellBoard) -> None:
    moves = hsd.solve(board, "short").moves
    position = Position.from_board(board)
    for drawing, move in zip(positions(board, moves), [*moves, ""], strict=True):
        read = FreeCellBoard.from_text(str(drawing))
        assert read.cascades == tuple(map(tuple, position.cascades))
        assert read.cell_row == tuple(position.cells)
        assert read.foundations == tuple(position.foundations)
        assert read.cell_count == board.cell_count
        # Blanks before all lines, and between several boards an empty line, do no harm.
        shifted = "\n".join(f"   {line}" for line in str(drawing).splitlines())
        assert read_freecell_boards(f"{shifted}\n\n{drawing}") == [read, read]
        if move:
            position.play(move)


def test_a_drawing_whose_columns_are_out_of_line_is_refused() -> None:
    crooked = DRAWN.replace("        KH", "     KH")
    with pytest.raises(DealError, match="line 6: 'KH' is not below one of the numbers of line 4"):
        FreeCellBoard.from_text(crooked)


def test_a_position_late_in_a_game() -> None:
    first, second, third, _ = positions(FreeCellBoard.from_text(LATE), ["21", "24", "b4"])
    assert str(first) == DRAWN
    # Without a count it is the run that fits.
    assert first.words == "two cards, QH to JS, from cascade 2 onto the KC of cascade 1"
    assert second.words == "the KS from cascade 2 to the empty cascade 4"
    assert third.words == "the QD from cell b onto the KS of cascade 4"


def test_an_illegal_move_is_not_drawn() -> None:
    for nonsense in ("1h", "", "0", "x", "99v2", "h1"):
        with pytest.raises(IllegalMove):
            list(positions(freecell(1), [nonsense]))


def test_four_lines_explain_the_notation() -> None:
    assert len(LEGEND) == 4 and max(map(len, LEGEND)) < 80
