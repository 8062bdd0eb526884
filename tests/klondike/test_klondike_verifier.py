"""The verifier against hand-made positions, a plain twin and a game that is won."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from plain_klondike import RULES, PlainTable
from random_klondike import tables

from deals import KlondikeBoard, card_name, klondike
from gafreecell.solitaire.klondike.verifier import IllegalMove, Position, Verdict, verify
from gafreecell.solving.solutions import read_moves

MIDDLE = """\
Foundations: C-3 D-2 H-0 S-K
Waste: AH 3H 4C 7D
Stock: 8C 9D 6H JC 3D 8D TD QD KD 4H 5H 7H 9H QH 6C
QC JH
5D
KH
<4D> <TH> <KC> 8H 7C 6D 5C
9C
<2H> JD TC
:"""
LATE = """\
Foundations: C-9 D-Q H-J S-Q
Waste: KD QH TC JC
Stock:
:
<QC> KH
<KC> KS
:
:
:
:"""
UNSEEN = """\
Foundations: C-Q D-Q H-9 S-Q
Waste: ?? KD
Stock: ?? ??
:
?? KS
KH
:
:
:
:"""

# Found by playing the twin at random; no part of a pile moves.
WON = read_moves("""
3h 5h 61 57 53 53 25 draw draw draw draw w4 w2 draw draw w4 wh 4h w6 wh draw draw redeal draw w6 w2
wh draw draw draw wh draw draw w2 42v2 14v2 71v2 74 75 35v3 63v3 w4 35v4 redeal draw draw w6 wh wh
2h 2h draw w7 draw wh 4h w6 wh 4h redeal draw w7 47v3 64v3 46v4 4h draw redeal draw w4 64v5 62 6h
5h 5h 2h 2h wh 5h 2h 7h 5h 5h 4h 2h 7h 2h 5h 5h 7h 4h 7h 4h 7h w6 56v3 draw wh 6h 6h 7h 7h 7h 6h 7h
4h 4h 4h 1h 6h 1h
""")

DEAL = klondike(3)
FORM = "expected draw, redeal or a move such as w3, wh, 3h, 35, 35v4 or S3"


def at(text: str, partial: bool = True) -> Position:
    return Position.from_board(KlondikeBoard.from_text(text), partial)


def refused(position: Position, token: str) -> str:
    before = copy.deepcopy(vars(position))
    with pytest.raises(IllegalMove) as fault:
        position.play(token)
    assert vars(position) == before
    return str(fault.value)


ONE_LEFT = "Foundations: C-K D-K H-K S-Q\nStock:\nKS"
ON_AN_ACE = (
    "Foundations: C-0 D-2 H-K S-K\n"
    "Stock: 3D 4D 5D 6D 7D 8D 9D TD JD QD KD 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC\nAC"
)
RUN = (
    "Foundations: C-0 D-K H-0 S-K\nStock: AH 2C 3H 4C 5H 6C 7H 8C 9H TC JH QC KH\n"
    "KC QH JC TH 9C 8H 7C 6H 5C 4H 3C 2H AC" + 6 * "\n:"
)
PARTS = "parts of piles may not move"
NO_REDEAL = "the rules allow no more redeals"


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        *[(token, FORM) for token in ["", "3", "x3", "hh", "h3", "3w", "ww", "Sh", "SS", "3S"]],
        *[(token, FORM) for token in ["s7", "W7", "Draw", "draw ", "35v0", "35v10", "35v", "0h"]],
        ("redeal", "expected an empty stock, got 15 cards in it"),
        ("w8", "there is no pile 8: the board has 7"),
        ("S9", "there is no pile 9: the board has 7"),
        ("81", "there is no pile 8: the board has 7"),
        ("18v2", "there is no pile 8: the board has 7"),
        ("9h", "there is no pile 9: the board has 7"),
        ("w3v1", "expected a count only between two piles"),
        ("whv2", "expected a count only between two piles"),
        ("3hv1", "expected a count only between two piles"),
        ("S7v1", "expected a count only between two piles"),
        ("44", "expected two different piles"),
        ("44v4", "expected two different piles"),
        ("7h", "pile 7 is empty"),
        ("71", "pile 7 is empty"),
        ("71v2", "pile 7 is empty"),
        ("H7", "expected a heart on its foundation, got none"),
        ("wh", "expected the 3D to go home, got the 7D"),
        ("4h", "expected the 4C to go home, got the 5C"),
        ("1h", "expected the AH to go home, got the JH"),
        ("w1", "expected a black T on the JH of pile 1, got the 7D"),
        ("w2", "expected a black 4 on the 5D of pile 2, got the 7D"),
        ("w7", "expected a king on pile 7, which is empty, got the 7D"),
        ("C1", "expected a black T on the JH of pile 1, got the 3C"),
        ("C2", "expected a black 4 on the 5D of pile 2, got the 3C"),
        ("D4", "expected a red 4 on the 5C of pile 4, got the 2D"),
        ("D7", "expected a king on pile 7, which is empty, got the 2D"),
        ("S3", "expected a black Q on the KH of pile 3, got the KS"),
        ("17", "expected a king on pile 7, which is empty, got the JH"),
        ("17v2", "expected a king on pile 7, which is empty, got the QC"),
        ("13", "expected a black Q on the KH of pile 3, got the JH"),
        ("61v2", "expected a black T on the JH of pile 1, got the JD"),
        ("45", "expected a red 8 on the 9C of pile 5, got the 5C"),
        ("45v3", "expected a red 8 on the 9C of pile 5, got the 7C"),
        ("45v5", "expected at most 4 face-up cards of pile 4, got 5"),
        ("47v5", "expected at most 4 face-up cards of pile 4, got 5"),
        ("45vF", "expected at most 4 face-up cards of pile 4, got 15"),
        ("54", "expected a red 4 on the 5C of pile 4, got the 9C"),
    ],
)
def test_illegal_move_gives_its_reason_and_changes_nothing(token: str, reason: str) -> None:
    assert refused(at(MIDDLE), token) == reason


@pytest.mark.parametrize(
    ("text", "token", "reason"),
    [
        (LATE, "draw", "expected cards in the stock, got none"),
        (LATE, "Dh", FORM),
        (LATE, "C2", "expected a black Q on the KH of pile 2, got the 9C"),
        (LATE, "S3", "expected a red Q on the KS of pile 3, got the QS"),
        (ON_AN_ACE, "D1", "expected nothing on the AC of pile 1, got the 2D"),
        (ONE_LEFT, "draw", "expected cards in the stock, got none"),
        (ONE_LEFT, "redeal", "expected cards in the waste, got none"),
        (f"Rules: redeals=1\n{ONE_LEFT}", "redeal", "expected cards in the waste, got none"),
        (f"Rules: redeals=1\n{MIDDLE}", "redeal", "expected an empty stock, got 15 cards in it"),
        (f"Rules: draw=1 redeals=0\n{LATE}", "redeal", NO_REDEAL),
        (ONE_LEFT, "w2", "the waste is empty"),
        (ONE_LEFT, "wh", "the waste is empty"),
        (RUN, "12vE", "expected at most 13 face-up cards of pile 1, got 14"),
    ],
)
def test_illegal_move_elsewhere(text: str, token: str, reason: str) -> None:
    assert refused(at(text), token) == reason


@pytest.mark.parametrize(
    ("text", "token", "lines"),
    [
        (MIDDLE, "61v1", ["QC JH TC", "<2H> JD"]),
        (MIDDLE, "45v4", ["<4D> <TH> KC", "9C 8H 7C 6D 5C"]),
        (LATE, "D3", ["Foundations: C-9 D-J H-J S-Q", "<KC> KS QD"]),
        (RUN, "12vd", [":", "KC QH JC TH 9C 8H 7C 6H 5C 4H 3C 2H AC"]),
    ],
)
def test_legal_move(text: str, token: str, lines: list[str]) -> None:
    position = at(text)
    position.play(token)
    before, after = text.splitlines(), str(position.board).splitlines()
    assert [line for line in after if line not in before] == [
        line for line in lines if line not in before
    ]
    assert set(lines) <= set(after)


@pytest.mark.parametrize(
    ("draw", "redeals", "tops"),
    [(3, redeals, ["TC", "JC"]) for redeals in range(4)] + [(1, 1, ["KD", "QH", "TC", "JC"])],
)
def test_draws_and_redeals_end(draw: int, redeals: int, tops: list[str]) -> None:
    position = at(f"Rules: draw={draw} redeals={redeals}\n{LATE}")
    for left in range(redeals, 0, -1):
        assert position.redeals == left
        position.play("redeal")
        for top in tops:
            position.play("draw")
            assert card_name(position.waste[-1]) == top
    assert refused(position, "draw") == "expected cards in the stock, got none"
    assert refused(position, "redeal") == NO_REDEAL


def test_a_game_that_is_won_needs_its_rules() -> None:
    def reason(draw: int, redeals: int | None) -> str:
        return verify(klondike(3, draw, redeals), WON).reason

    places = [place for place, token in enumerate(WON, start=1) if token == "redeal"]
    assert len(places) == 4
    for redeals, place in enumerate(places):
        assert reason(3, redeals) == f"move {place} 'redeal': {NO_REDEAL}"
    assert reason(3, None) == ""
    assert reason(1, None).startswith("move 12 'w4': ")


def test_parts_of_piles_stay_where_only_whole_ones_move() -> None:
    position = at(MIDDLE, partial=False)
    assert refused(position, "61") == f"expected all 2 face-up cards of pile 6, got 1: {PARTS}"
    assert refused(position, "45v3") == f"expected all 4 face-up cards of pile 4, got 3: {PARTS}"
    position.play("45v4")
    position.play("47")
    position.play("13v2")
    late = at("Foundations: C-K D-J H-K S-J\nStock:\nKS QD\nKD QS\n", partial=False)
    late.play("1h")
    late.play("2h")


def test_cards_that_nobody_knows_cannot_be_played() -> None:
    position = at(UNSEEN)
    for played, tokens, where in (
        ("wh", ["wh", "w1"], "the waste"),
        ("draw", ["wh"], "the waste"),
        ("21", ["2h", "24", "D2", "32"], "pile 2"),
    ):
        position.play(played)
        for token in tokens:
            assert refused(position, token) == f"expected a known card in {where}, got ??"


def test_every_lost_move_spoils_it() -> None:
    for lost in range(len(WON)):
        verdict = verify(DEAL, WON[:lost] + WON[lost + 1 :])
        assert verdict.reason and not verdict.solved


@pytest.mark.parametrize(
    ("board", "moves", "partial", "reason", "played"),
    [
        (DEAL, WON, True, "", 111),
        (DEAL, WON, False, "", 111),
        (DEAL, WON[:-1], True, "after move 110: expected 52 cards home, got 51", 110),
        (DEAL, [*WON, "draw"], True, "move 112 'draw': expected cards in the stock, got none", 111),
        (DEAL, [], True, "after move 0: expected 52 cards home, got 0", 0),
        (KlondikeBoard(((),) * 7, (0,) * 7, foundations=(13,) * 4), [], True, "", 0),
        (
            KlondikeBoard.from_text(MIDDLE),
            ["draw", "61"],
            False,
            f"move 2 '61': expected all 2 face-up cards of pile 6, got 1: {PARTS}",
            1,
        ),
    ],
)
def test_verdicts(
    board: KlondikeBoard, moves: list[str], partial: bool, reason: str, played: int
) -> None:
    kept = copy.deepcopy(board)
    assert verify(board, moves, partial) == Verdict(not reason, reason, played)
    assert board == kept


PLACES = "1234567"
TOKENS = ["draw", "redeal"] + [a + b for a in "wCDHS" + PLACES for b in PLACES + "h" if a != b]
TOKENS += [f"{a}{b}v{n:x}" for a in PLACES for b in PLACES for n in range(2, 14) if a != b]


@given(tables(rules=RULES))
def test_verifier_and_twin_allow_the_same_moves(table: PlainTable) -> None:
    position = at(table.text())
    legal = table.moves()
    assert set(legal) <= set(TOKENS)
    before = copy.deepcopy(vars(position))
    for token in TOKENS:
        if token not in legal:
            with pytest.raises(IllegalMove):
                position.play(token)
    assert vars(position) == before
    for token in legal:
        after, twin = copy.deepcopy(position), table.copy()
        after.play(token)
        twin.play(token)
        assert after.board == KlondikeBoard.from_text(twin.text())


@given(tables())
def test_without_parts_the_moves_are_those_of_whole_piles(table: PlainTable) -> None:
    position = at(table.text(), partial=False)
    for token in table.moves():
        whole = True
        if token[0] in PLACES and token[1] in PLACES:
            face_up = [card for card in table.piles[int(token[0]) - 1] if "<" not in card]
            whole = len(face_up) == (int(token[3], 16) if len(token) > 2 else 1)
        after = copy.deepcopy(position)
        if whole:
            after.play(token)
        else:
            assert PARTS in refused(after, token)
