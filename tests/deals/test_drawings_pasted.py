"""Positions are read from our own drawings with the legend and the numbered moves around them."""

from __future__ import annotations

import pytest

from deals import DealError, freecell, klondike, pyramid, read_freecell_boards
from deals.klondike_board import KlondikeBoard, read_klondike_boards
from deals.pasted import without_moves
from deals.pyramid_position import PyramidPosition
from deals.signs import GAMES
from gafreecell.solitaire.game import game

LEGEND = {game.name: "\n".join(game.legend) for game in GAMES}
FREECELL = """
  a    b    c    d       home
 --   --   --   --       -C   -D   -H   -S

  1    2    3    4    5    6    7    8
 AH   5D   JH   AC   QD   QS   3D   8D
 AS   TD   KC   4H   TH   8S   2C   2D
 5S   JS   7S   8H   TS   4C   9D   JC
 AD   2H   KH   KS   9S   9H   QC   JD
 5H   TC   3C   9C   7C   4S   7H   4D
 2S   6C   KD   8C   3H   3S   7D   5C
 6S   6H   6D   QH
"""
KLONDIKE = """
 home: -C -D -H -S
waste:
stock: AC 6D 3D KH 6C TD 2S 3C 9H KD 7S 3S 9S 2C 3H 4C AH 2H JC 5H 8C 4S 5S 5C

  1     2     3     4     5     6     7
  8D   <8H>  <6S>  <7H>  <QC>  <2D>  <KC>
        JD   <9D>  <JH>  <7D>  <4D>  <TH>
              AS   <9C>  <8S>  <QS>  <JS>
                    4H   <QH>  <TC>  <QD>
                          AD   <5D>  <TS>
                                7C   <6H>
                                      KS
"""
PYRAMID = str(PyramidPosition.of_deck(pyramid(3)))
DRAWN = {
    "freecell": (FREECELL, freecell(164), "17", "the 6S from cascade 1 onto the 7D of cascade 7"),
    "klondike": (KLONDIKE, klondike(3), "3h", "the AS from pile 3 home,\n   and turn the 9D up"),
    "pyramid": (PYRAMID, pyramid(3), "Remove Ks", "take the Ks from the pyramid"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_drawing_with_what_is_printed_around_it(name: str) -> None:
    drawing, board, move, words = DRAWN[name]
    head = "Deal 3: solved, length moves 149; 60 nodes, 0.0425 ms"
    spaced, single = f" 1. {move}     {words}", f"1. {move} {words}"
    for text in (
        f"{drawing}\n{spaced}\n",
        f"{spaced}\n{drawing}",
        f"{single}\n\n{drawing}\n{single}",
        "\n".join(filter(str.strip, f"{spaced}\n{drawing}".splitlines())),
        f"{LEGEND[name]}\n\n{drawing}",
        f"{LEGEND[name].splitlines()[-1]}\n{drawing}\n{spaced}",
        f"{LEGEND[name]}\n\n{head}\n\n{drawing}\n{spaced}",
        "".join(f"> {line}\n" for line in f"{drawing}\n{spaced}".splitlines()),
    ):
        assert game(name).read_boards(text) == [board]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["2. drama", "3. Puzzle from the paper", "4. Remove me"])
def test_boards_with_names_like_moves_are_not_dropped(name: str) -> None:
    named = KlondikeBoard.deal(klondike(2).deck(), name=name)
    text = f"{klondike(1).deal_text()}\n{named.deal_text()}\n"
    found = read_klondike_boards(text)
    assert found == [klondike(1), named]
    assert found[1] and found[1].name == name


def test_lines_of_cards_with_numbers_are_no_moves() -> None:
    for line in ("1. 2h 3c 4d", "2. 6S 6H 6D QH", "10. AS", "1. turn:"):
        assert without_moves(line) == line


BARED = {
    "freecell": """
      1    2    3    4    5    6    7    8
          5D   JH   AC   QD   QS   3D   8D
          TD   KC   4H   TH   8S   2C   2D
""",
    "klondike": """
      1     2     3     4     5     6     7
           <8H>  <6S>  <7H>  <QC>  <2D>  <KC>
            JD   <9D>  <JH>  <7D>  <4D>  <TH>
""",
}


def test_a_drawing_without_the_blanks_at_the_left_is_refused_if_a_row_may_have_moved() -> None:
    for name, text in BARED.items():
        bare = "\n".join(map(str.strip, text.splitlines()))
        with pytest.raises(DealError, match=r"line [34].*: keep cards and numbers aligned"):
            game(name).read_boards(bare)  # type: ignore[attr-defined]
    # Rows up to the last number can stand nowhere else.
    full = "\n".join(map(str.strip, FREECELL.splitlines()[:-1]))
    with pytest.raises(DealError, match="missing"):
        read_freecell_boards(full)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1    2    3", "1    2\t    3", "line 5: expected numbers that are equally far apart"),
        ("1    2    3", "1    2     3", "line 5: expected numbers that are equally far apart"),
        (" 2S   6C", "\t6C", "line 11: expected blanks, got a tab"),
        (" 2S   6C   KD", " 2S   6C    KD", "line 11: 'KD' is not below one of the numbers"),
        (" 2S   6C", "      6C", "line 12: '6S' has no card above it"),
    ],
)
def test_a_drawing_out_of_line_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(DealError, match=said):
        read_freecell_boards(FREECELL.replace(old, new))


def test_a_drawing_in_columns_of_a_spreadsheet_is_read() -> None:
    tabbed = "\n".join("\t".join(line.split()) for line in FREECELL.strip().splitlines()[3:-1])
    with pytest.raises(DealError, match="missing 6D 6H 6S QH"):
        read_freecell_boards(tabbed)
