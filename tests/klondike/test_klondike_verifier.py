"""The verifier against hand-made positions, a plain twin and a game that is won."""

from __future__ import annotations

import copy
import json

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

FORM = "expected draw, redeal or a move such as w3, wh, 3h, 35, 35v4 or S3"


def at(text: str, partial: bool = True) -> Position:
    return Position.from_board(KlondikeBoard.from_text(text), partial)


def shown(position: Position) -> str:
    """The position as text, which also checks that a game could reach it."""
    home = position.foundations
    return str(
        KlondikeBoard(
            tuple(map(tuple, position.piles)),
            tuple(position.face_down),
            tuple(position.stock),
            tuple(position.waste),
            (home[0], home[1], home[2], home[3]),
            draw=position.draw,
            redeals=position.redeals,
        )
    )


def refused(position: Position, token: str) -> str:
    before = copy.deepcopy(vars(position))
    with pytest.raises(IllegalMove) as fault:
        position.play(token)
    assert vars(position) == before
    return str(fault.value)


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
    ("token", "reason"),
    [
        ("draw", "expected cards in the stock, got none"),
        ("Dh", FORM),
        ("C2", "expected a black Q on the KH of pile 2, got the 9C"),
        ("S3", "expected a red Q on the KS of pile 3, got the QS"),
    ],
)
def test_illegal_move_late_in_a_game(token: str, reason: str) -> None:
    assert refused(at(LATE), token) == reason


def test_nothing_goes_on_an_ace() -> None:
    text = "Foundations: C-0 D-2 H-K S-K\nStock: 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC\nAC\n"
    rest = " ".join(f"{rank}D" for rank in "3456789TJQK")
    position = at(text.replace("Stock:", "Stock: " + rest))
    assert refused(position, "D1") == "expected nothing on the AC of pile 1, got the 2D"


def test_neither_stock_nor_waste_to_draw_or_turn_over() -> None:
    position = at("Foundations: C-K D-K H-K S-Q\nStock:\nKS")
    assert refused(position, "draw") == "expected cards in the stock, got none"
    assert refused(position, "redeal") == "expected cards in the waste, got none"
    assert refused(position, "w2") == "the waste is empty"
    assert refused(position, "wh") == "the waste is empty"


@pytest.mark.parametrize(
    ("text", "token", "lines"),
    [
        (
            MIDDLE,
            "draw",
            ["Waste: AH 3H 4C 7D 8C 9D 6H", "Stock: JC 3D 8D TD QD KD 4H 5H 7H 9H QH 6C"],
        ),
        (MIDDLE, "61", ["QC JH TC", "<2H> JD"]),
        (MIDDLE, "61v1", ["QC JH TC", "<2H> JD"]),
        (MIDDLE, "13v2", [":", "KH QC JH"]),
        (MIDDLE, "37", [":", "KH"]),
        (MIDDLE, "45v4", ["<4D> <TH> KC", "9C 8H 7C 6D 5C"]),
        (MIDDLE, "S7", ["Foundations: C-3 D-2 H-0 S-Q", "KS"]),
        (LATE, "redeal", ["Stock: KD QH TC JC"]),
        (LATE, "21", ["KH", "QC"]),
        (LATE, "3h", ["Foundations: C-9 D-Q H-J S-K", "KC"]),
        (LATE, "S2", ["Foundations: C-9 D-Q H-J S-J", "<QC> KH QS"]),
        (LATE, "D3", ["Foundations: C-9 D-J H-J S-Q", "<KC> KS QD"]),
        (LATE.replace("TC JC", "JC TC"), "wh", ["Foundations: C-T D-Q H-J S-Q", "Waste: KD QH JC"]),
        (LATE.replace("KD QH TC JC", "QH TC JC KD"), "w4", ["Waste: QH TC JC", "KD"]),
        (LATE.replace("KD QH TC JC", "KD TC JC QH"), "w3", ["Waste: KD TC JC", "<KC> KS QH"]),
    ],
)
def test_legal_move(text: str, token: str, lines: list[str]) -> None:
    position = at(text)
    position.play(token)
    before, after = text.splitlines(), shown(position).splitlines()
    assert [line for line in after if line not in before] == [
        line for line in lines if line not in before
    ]
    assert set(lines) <= set(after)


def test_draws_and_redeals_go_round() -> None:
    position = at(LATE)
    seen = []
    for token in ["redeal", "draw", "draw", "redeal", "draw"]:
        position.play(token)
        waste, stock = (" ".join(map(card_name, c)) for c in (position.waste, position.stock))
        seen.append(f"{waste} | {stock}")
    assert seen == [
        " | KD QH TC JC",
        "KD QH TC | JC",
        "KD QH TC JC | ",
        " | KD QH TC JC",
        "KD QH TC | JC",
    ]


@pytest.mark.parametrize("redeals", [0, 1, 2, 3])
def test_a_redeal_too_many_is_refused(redeals: int) -> None:
    position = at(f"Rules: redeals={redeals}\n{LATE}")
    for left in range(redeals, 0, -1):
        assert position.redeals == left
        for token in ("redeal", "draw", "draw"):
            position.play(token)
    assert refused(position, "draw") == "expected cards in the stock, got none"
    assert refused(position, "redeal") == "the rules allow no more redeals"


def test_a_redeal_that_is_not_possible_costs_none() -> None:
    position = at("Rules: redeals=1\nFoundations: C-K D-K H-K S-Q\nStock:\nKS")
    assert refused(position, "redeal") == "expected cards in the waste, got none"
    position = at(f"Rules: redeals=1\n{MIDDLE}")
    assert refused(position, "redeal") == "expected an empty stock, got 15 cards in it"


def test_draws_of_one() -> None:
    position = at(f"Rules: draw=1 redeals=1\n{LATE}")
    tops = []
    for token in ["redeal", *["draw"] * 4]:
        position.play(token)
        tops += [card_name(position.waste[-1])] if position.waste else []
    assert tops == ["KD", "QH", "TC", "JC"]
    assert refused(position, "draw") == "expected cards in the stock, got none"
    assert refused(position, "redeal") == "the rules allow no more redeals"
    board = KlondikeBoard.from_text(f"Rules: draw=1 redeals=0\n{LATE}")
    assert verify(board, ["redeal"]).reason == ("move 1 'redeal': the rules allow no more redeals")


def test_a_game_that_is_won_needs_its_rules() -> None:
    def reason(draw: int, redeals: int | None) -> str:
        return verify(klondike(3, draw, redeals), WON).reason

    many = WON.count("redeal")
    assert many == 4
    last = [place for place, token in enumerate(WON, start=1) if token == "redeal"]
    assert [reason(3, redeals) for redeals in range(4)] == [
        f"move {last[redeals]} 'redeal': the rules allow no more redeals" for redeals in range(4)
    ]
    assert reason(3, None) == ""
    assert reason(1, None).startswith("move 12 'w4': ")


def test_a_pile_of_thirteen_cards_moves() -> None:
    run = "KC QH JC TH 9C 8H 7C 6H 5C 4H 3C 2H AC"
    rest = "AH 2C 3H 4C 5H 6C 7H 8C 9H TC JH QC KH"
    position = at(f"Foundations: C-0 D-K H-0 S-K\nStock: {rest}\n{run}\n")
    position.play("12vd")
    assert shown(position).splitlines()[2:4] == [":", run]
    assert refused(position, "21vE") == "expected at most 13 face-up cards of pile 2, got 14"


def test_parts_of_piles_stay_where_only_whole_ones_move() -> None:
    parts = "parts of piles may not move"
    position = at(MIDDLE, partial=False)
    assert refused(position, "61") == f"expected all 2 face-up cards of pile 6, got 1: {parts}"
    assert refused(position, "45v3") == f"expected all 4 face-up cards of pile 4, got 3: {parts}"
    position.play("45v4")
    position.play("47")
    position.play("13v2")
    late = at("Foundations: C-K D-J H-K S-J\nStock:\nKS QD\nKD QS\n", partial=False)
    late.play("1h")
    late.play("2h")
    board = KlondikeBoard.from_text(MIDDLE)
    assert verify(board, ["draw", "61"], partial=False) == Verdict(
        False, f"move 2 '61': expected all 2 face-up cards of pile 6, got 1: {parts}", 1
    )


def test_cards_that_nobody_knows_cannot_be_played() -> None:
    position = at(UNSEEN)
    position.play("wh")
    assert refused(position, "wh") == "expected a known card in the waste, got ??"
    assert refused(position, "w1") == "expected a known card in the waste, got ??"
    position.play("draw")
    assert refused(position, "wh") == "expected a known card in the waste, got ??"
    position.play("21")
    assert refused(position, "2h") == "expected a known card in pile 2, got ??"
    assert refused(position, "24") == "expected a known card in pile 2, got ??"
    assert refused(position, "D2") == "expected a known card in pile 2, got ??"
    assert refused(position, "32") == "expected a known card in pile 2, got ??"


def test_a_game_that_is_won() -> None:
    for partial in (True, False):
        assert verify(klondike(3), WON, partial) == Verdict(True, "", 111)
    twin = PlainTable(klondike(3).deal_text().split())
    for token in WON:
        assert token in twin.moves()
        twin.play(token)
    assert twin.won


def test_every_lost_move_spoils_it() -> None:
    for lost in range(len(WON)):
        verdict = verify(klondike(3), WON[:lost] + WON[lost + 1 :])
        assert not verdict.solved
        assert verdict.reason


def test_verdict_names_the_move_that_fails() -> None:
    short = verify(klondike(3), WON[:-1])
    assert short == Verdict(False, "after move 110: expected 52 cards home, got 51", 110)
    more = verify(klondike(3), [*WON, "draw"])
    reason = "move 112 'draw': expected cards in the stock, got none"
    assert more == Verdict(False, reason, 111)
    none = verify(klondike(3), [])
    assert none == Verdict(False, "after move 0: expected 52 cards home, got 0", 0)


def test_nothing_to_do_is_solved() -> None:
    board = KlondikeBoard(((),) * 7, (0,) * 7, foundations=(13, 13, 13, 13))
    assert verify(board, []) == Verdict(True, "", 0)


def test_verifying_leaves_the_board_alone() -> None:
    board = klondike(3)
    verify(board, WON)
    assert board == klondike(3)


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
        assert shown(after) == shown(at(twin.text()))


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
            assert "parts of piles may not move" in refused(after, token)


def test_moves_are_read_from_text_and_from_what_solve_prints() -> None:
    assert read_moves("draw w3\n35v4\tS3\n") == ["draw", "w3", "35v4", "S3"]
    line = json.dumps({"game": "klondike", "deal": 3, "status": "solved", "moves": WON})
    assert verify(klondike(3), read_moves(line)).solved
    with pytest.raises(ValueError, match="got null: the deal's status is 'unsolvable'"):
        read_moves('{"moves": null, "status": "unsolvable"}')
