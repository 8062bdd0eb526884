"""Klondike deals by other programs' numbers, against boards and solutions that were published."""

from __future__ import annotations

import pytest

from deals import DealError, KlondikeBoard, numbered_klondike
from deals.klondike_numbers import NUMBERINGS
from gafreecell.solitaire.klondike.game import GAME

# The same decks by two numbers: tests and README of github.com/vuonghy2442/lonelybot.
AS_EXACT = [
    ("solvitaire", 0, 12954810653509400169295621394006691876957783508183809583464865425989),
    ("solvitaire", 22, 75815935119064350470717521029623259780400326814603147288883495865917),
    ("klondike-solver", 0, 35511235380175238168226668580770214465574563740067205469369780560069),
    ("green-felt", 0, 70781775317263119030027683441491840945148374294523658484644048341783),
    (
        "microsoft",
        37529377358585594134454298882350599254635682470701937210952436445911,
        6555618124709432518914756628087920429793617258659043425228908599455,
    ),
]
# Green Felt's deal 1492773577, drawing one: github.com/ShootMe/MinimalKlondike, issue 4.
SOLVED = """
HG @AD @AG @@AG @AL @@@@@@AL @AL @@@@@AG @AG AG @@@@@AJ @@@@@AJ HJ @AH FH @@@AF @@AF @@@@@AF KF KD
KB KH KI LH HL JH LJ LH LK LC LB LE GE GB IE GE IB @AB @@@@AC JC @AD JD GD JE JB JI JL @AC JC GC IC
AL AD GD GC AE @AC @AE GE IG IB GB GE FE HB GB FB HC GC GB ID JD KD KE FE FB HD HC GC LD LE HD"""


@pytest.mark.parametrize(("kind", "number", "exact"), AS_EXACT)
def test_other_programs_deal_these_decks(kind: str, number: int, exact: int) -> None:
    assert numbered_klondike(kind, number) == numbered_klondike("exact", exact)


def test_a_published_solution_of_green_felt_s_deal_solves_ours() -> None:
    board = numbered_klondike("green-felt", 1492773577, draw=1)
    read = GAME.interpret(board, GAME.read_moves(SOLVED))
    assert not read.fault and GAME.verify(board, read.moves) == ""
    assert GAME.verify(numbered_klondike("green-felt", 1492773578, draw=1), read.moves)


@pytest.mark.parametrize("kind", NUMBERINGS)
def test_a_board_keeps_its_number_as_its_name(kind: str) -> None:
    board = numbered_klondike(kind, 617, draw=1)
    again = KlondikeBoard.from_text(str(board))
    assert (again, again.name) == (board, f"{kind}-617")


def test_what_is_refused() -> None:
    with pytest.raises(DealError, match=r"are green-felt, microsoft, .* got 'greenfelt'"):
        numbered_klondike("greenfelt", 1)
    with pytest.raises(DealError, match="Green Felt numbers 0 to 2,147,483,646"):
        numbered_klondike("green-felt", 2**31)
