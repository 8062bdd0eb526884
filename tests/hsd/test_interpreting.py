"""Solutions of others, which leave out home moves, counts or cells, written out and replayed."""

from __future__ import annotations

import pytest

import gafreecell
import hsd
from deals import DealError, FreeCellBoard, freecell
from gafreecell.solving.notations import notation_of
from hsd.interpreting import MACROXUE, NOTATIONS, RULES, code_of

# The example of freecellgamesolutions.com for standard notation, deal 10913.
PUBLISHED_LINE = "26 76 72 72 5a 27 57 67 1b 61 41 4h 4h 41 45 34 3c 6d 5b"
PUBLISHED = PUBLISHED_LINE.split()
# From the README of macroxue's solver, deal 617: no home move left out, safe ones, all of them.
BY_MACROXUE = {
    0: "4r462r2772424r4r4h7hch4r74d41r161h767h838h83c874212rc282878h27282h4h4h6h4h323h3r343hahbh3r"
    "3h6h6h6h5r5h6h6h646h6hbh1h131h57565h121h4h5h6h8h7h7h7hch2h4h7h7hbh3h3h2h2h2h3h3h7hah",
    48: "2r4r4627724r4r42dh4r74d41r161h768383c874212rc28287272ra232383r3438585h57535h131812",
    52: "4r462r2772424r4r4r74d41r7174831683c8212rc2828727285254575r353r38136412",
}
MICROSOFT, NETCELL, ALL = RULES


def test_the_published_example_needs_microsofts_rule() -> None:
    board = freecell(10913)
    read = hsd.GAME.interpret(board, PUBLISHED)
    assert (read.fault, read.how) == ("", "with 50 automatic home moves by Microsoft's rule")
    assert hsd.verify(board, read.moves).solved
    # Every card goes home once, two of them by moves that are given.
    given = [move[:2] for move in read.moves if move[1] != "h"]
    assert given == [move for move in PUBLISHED if move[1] != "h"]
    assert sum(move[1] == "h" for move in read.moves) == 52
    assert not hsd.verify(board, PUBLISHED).solved
    for lost in range(len(PUBLISHED) - 1):
        assert hsd.GAME.interpret(board, PUBLISHED[:lost] + PUBLISHED[lost + 1 :]).fault
    # Without its last move it solves the deal by another rule, which the answer names.
    assert hsd.GAME.interpret(board, PUBLISHED[:-1]).how.endswith("by NetCELL's rule")


@pytest.mark.parametrize("added", BY_MACROXUE)
def test_macroxues_own_examples(added: int) -> None:
    board, code = freecell(617), BY_MACROXUE[added]
    for text in (code, f"617:{code}\n", f"https://x.io/freecell.html?deal=617:{code}"):
        moves = hsd.GAME.read_moves(text)
        assert "".join(moves) == code
        read = hsd.GAME.interpret(board, moves)
        assert read.fault == "" and len(read.moves) == len(moves) + added
        assert "macroxue's solver" in read.how and ("automatic" in read.how) == (added > 0)
        assert hsd.verify(board, read.moves).solved
    wrong = hsd.GAME.interpret(board, moves[:-1])
    assert f"after move {len(moves) - 1}: expected 52 cards home" in wrong.fault
    assert "macroxue's solver" in wrong.fault
    assert hsd.GAME.interpret(freecell(618), moves).fault.startswith("move ")


def test_headings_and_comments_may_stand_around_a_code() -> None:
    text = f"Deal 617:\n# mine\n617:{BY_MACROXUE[0]}  # good\n"
    assert "".join(hsd.GAME.read_moves(text)) == BY_MACROXUE[0]
    with pytest.raises(ValueError, match="line 1: "):
        hsd.GAME.read_moves(f"617:{BY_MACROXUE[0]}\nhello")


def test_a_file_of_many_solutions_is_refused() -> None:
    with pytest.raises(ValueError, match="one deal, got those of 3"):
        code_of("".join(f"617:{code}\n" for code in BY_MACROXUE.values()))
    assert code_of("") is None and code_of("6a 26") is None and code_of("1264") is None


@pytest.mark.parametrize(
    ("card", "home", "rules"),
    [
        # Clubs, diamonds, hearts, spades: the ace and the two of clubs go whatever is home.
        ((1, 0), (0, 0, 0, 0), {MICROSOFT, NETCELL, ALL}),
        ((2, 0), (1, 0, 0, 0), {MICROSOFT, NETCELL, ALL}),
        # The three: both red twos, or both red aces and the (spade) king before the ace.
        ((3, 0), (2, 2, 2, 0), {MICROSOFT, NETCELL, ALL}),
        ((3, 0), (2, 1, 1, 0), {NETCELL, ALL}),
        ((3, 0), (2, 0, 2, 3), {ALL}),
        ((9, 2), (7, 5, 8, 7), {ALL}),
        ((9, 2), (7, 6, 8, 7), {NETCELL, ALL}),
        ((9, 2), (8, 0, 8, 8), {MICROSOFT, NETCELL, ALL}),
    ],
)
def test_the_rules(card: tuple[int, int], home: tuple[int, ...], rules: set[str]) -> None:
    rank, suit = card
    assert {name for name, rule in RULES.items() if rule(4 * rank + suit, home)} == rules


def test_a_move_is_one_in_either_notation_or_in_none() -> None:
    assert notation_of(["6a", "26"], NOTATIONS)[0] is not MACROXUE
    assert notation_of(["6R", "A2"], NOTATIONS) == (MACROXUE, ["6r", "a2"])
    for words in (["6r", "6a"], ["6r", "26v2"], ["zz"], [""], ["6 a"]):
        with pytest.raises(DealError, match="expected a move such as 6a, a6, 6h"):
            hsd.GAME.interpret(freecell(1), words)
        with pytest.raises(DealError, match="expected a move such as 6a, a6, 6h"):
            hsd.verify(freecell(1), words)


def test_blank_cells_are_read_in_the_two_ways_of_fc_solve() -> None:
    """It prints an empty cell as blanks, but puts the held cards into the first cells."""
    cascades = "KC\nKD\nKH"
    board = FreeCellBoard.from_text(f"Foundations: C-J D-Q H-Q S-K\nFreecells:      QC\n{cascades}")
    assert (board.places, board.places_by_blanks) == ((1,), True)
    for moves, said in (
        (["bh", "1h", "2h", "3h"], ""),
        (["ah", "1h", "2h", "3h"], "with the held cards in the first cells"),
    ):
        verdict = gafreecell.verify(board, moves)
        assert (bool(verdict), verdict.how) == (True, said)
    assert not gafreecell.verify(board, ["ch", "1h", "2h", "3h"])
    told = FreeCellBoard.from_text(f"Foundations: C-J D-Q H-Q S-K\nFreecells: -- QC\n{cascades}")
    assert not gafreecell.verify(told, ["ah", "1h", "2h", "3h"])
