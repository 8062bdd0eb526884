"""Klondike solutions in the notations of other programs, translated and replayed."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

import pytest
from test_klondike_verifier import WON

import gafreecell
from deals import BadInput, DealError, card_name, read_klondike_boards
from deals import klondike as deal
from gafreecell.solitaire import klondike
from gafreecell.solitaire.klondike.interpreting import (
    KLONDIKE_SOLVER,
    LONELYBOT,
    MINIMAL_KLONDIKE,
    NOTATIONS,
)
from gafreecell.solitaire.klondike.verifier import Position, verify
from gafreecell.solving.notations import notation_of

UNSHUFFLED = """\
Stock: 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH
AC
<2C> 8C
<3C> <9C> AD
<4C> <TC> <2D> 6D
<5C> <JC> <3D> <7D> TD
<6C> <QC> <4D> <8D> <JD> KD
<7C> <KC> <5D> <9D> <QD> <AS> 2S
"""
# What Klondike-Solver (ShootMe, 2.0) prints with /DRAW 3 /FAST /MOVES for its unshuffled deck.
PRINTED = """\
Solved in 128 moves. Took 278751 ms.
1C 3D F3 DR1 W4 DR3 WH W1 W6 35 F3 DR2 W2 DR2 NEW DR1 W2 DR2 WH DR1 W2 W4 WH 34 63-2 F6 63 F6 \
DR3 NEW DR1 W6 W2 46-4 F4 4D F4 43 F4 H2 72 F7 7S F7 2S WS 2H 2S 71 F7 73 F7 23-4 F2 2C 6C 6H 6S \
4C 3H 3S DR2 W5 WH 3H 5H W1 65-3 F6 51-5 F5 53 F5 5D F5 6D F6 7D F7 1D 3D 1S 1D 72 F7 DR1 W6 W5 \
WH 5H 6H DR1 W4 64 F6 W2 52 F5 5C 6C 7C 3C 3D 1C 3C 2C 4C 2H 4H 2C W3 W1 WS 1S 1D 3S 1S 3D 1D 3S \
1S 3D
"""


def minimal(moves: list[str], suits: str, redeals: bool) -> Iterator[str]:
    """Our moves in MinimalKlondike's letters, or in lonelybot's, which writes redeals."""
    letters = dict(zip(f"w{suits}1234567", "ABCDEFGHIJKL", strict=True))
    position, draws = Position.from_board(deal(3)), ""
    for move in moves:
        if move in ("draw", "redeal"):
            draws += "@" if move == "draw" or redeals else ""
        else:
            target = move[1] if move[1] != "h" else suit_of_top(position, move[0])
            yield draws + letters[move[0]] + letters[target]
            draws = ""
        position.play(move)


def lonelybot(moves: list[str]) -> Iterator[str]:
    """Our moves in lonelybot's notation."""
    symbols = dict(zip("CDHS", "♣♦♥♠", strict=True))
    position = Position.from_board(deal(3))
    for move in moves:
        if move in ("draw", "redeal"):
            yield "="
        else:
            count = int(move[3:] or "1", 16)
            cards = position.waste if move[0] == "w" else position.piles[int(move[0]) - 1]
            name = card_name(cards[-count]).replace("T", "10")
            target = symbols[name[-1]] if move[1] == "h" else move[1]
            yield f"{name[:-1]}{symbols[name[-1]]}:{move[0].replace('w', 'D')}▸{target}"
        position.play(move)


def suit_of_top(position: Position, place: str) -> str:
    cards = position.waste if place == "w" else position.piles[int(place) - 1]
    return card_name(cards[-1])[1]


MINIMAL = " ".join(minimal(WON, "CDSH", redeals=False))
LETTERS = [*minimal(WON, "HDCS", redeals=True)]
OUTPUT = f"Solvable in 92 moves\n\nDP 3♦, R 5♠, \n\n{'  '.join(lonelybot(WON))}\n\n"
"""lonelybot's, without the letters that follow."""


def test_what_klondike_solver_prints() -> None:
    (board,) = read_klondike_boards(UNSHUFFLED)
    assert board is not None
    moves = klondike.GAME.read_moves(PRINTED)
    read = klondike.GAME.interpret(board, moves)
    assert (read.fault, read.how) == ("", "read in the notation of Klondike-Solver")
    assert verify(board, read.moves).solved
    # Draws are counted; turning a card up is no move of ours.
    assert read.moves.count("draw") == sum(int(m[2:]) for m in moves if m.startswith("DR"))
    assert read.moves.count("redeal") == moves.count("NEW")
    assert "46v4" in read.moves and "H2" in read.moves
    for lost, move in enumerate(moves):
        if not move.startswith("F"):
            fault = klondike.GAME.interpret(board, moves[:lost] + moves[lost + 1 :]).fault
            assert "move " in fault and "Klondike-Solver" in fault
    other_suit = ["1D", *moves[1:]]
    fault = klondike.GAME.interpret(board, other_suit).fault
    assert fault.startswith("move 1 '1D': expected a card of the suit D, got the AC")


def test_all_lines_of_an_output_are_read() -> None:
    said, moves = PRINTED.splitlines()
    wrapped = "\n".join(wrap(moves, 76))
    replay = "\n".join(["-" * 40, "Move 1C", "", "Waste: KH", "-" * 40])
    right = [
        f"{said}\n{wrapped}\n\n",
        f"Stock: 3S 4S\n 5H 3C\n{said}\n{moves}  # nice",
        f"{said}\n{replay}\n{moves}\n",
        f"> {said}\n> {moves}",
        f"```\n{said}\n{moves}\n```",
    ]
    for text in right:
        assert klondike.GAME.read_moves(text) == klondike.GAME.read_moves(PRINTED)
    (board,) = read_klondike_boards(UNSHUFFLED)
    for text in (PRINTED + moves, f"{moves}\n{PRINTED}", f"{said}\n{replay}\n{moves}\n{moves}"):
        with pytest.raises(BadInput, match="the first 122 moves solve"):
            gafreecell.verify(board, text, game="klondike")
    for line in ("hello there", "DR1 and more", "6a", "Waste: KH"):
        for text in (f"{PRINTED}{line}", f"{said}\n{line}\n{moves}"):
            with pytest.raises(ValueError, match=r"^line [23]: expected "):
                klondike.GAME.read_moves(text)


def test_lonelybots_notations_must_say_the_same() -> None:
    same = klondike.GAME.read_moves(OUTPUT)
    assert klondike.GAME.read_moves(OUTPUT + "\n".join(LETTERS)) == same
    for other in (LETTERS[:-1], [*LETTERS, LETTERS[0]], LETTERS[::-1], LETTERS * 2):
        with pytest.raises(ValueError, match=r"^line 7: "):
            klondike.GAME.read_moves(OUTPUT + " ".join(other))


def test_what_minimal_klondike_prints_below_its_moves() -> None:
    text = f"Moves: {MINIMAL}"
    moves = klondike.GAME.read_moves(text)
    end = "\n\n(Deal State: Solved Foundation: 52 Moves: 92 Rounds: 3 Took: 00:00:01.5)\n"
    assert klondike.GAME.read_moves(f"{text}{end}Done 00:00:01.6\n") == moves
    with pytest.raises(ValueError, match=r"line 3: .*got 'Deal'"):
        klondike.GAME.read_moves(f"{text}\n\n(Deal State: Solved KL) KL")
    with pytest.raises(ValueError, match=r"expected a solution, got '\(Deal State: Unknown"):
        klondike.GAME.read_moves(text + end.replace("Solved", "Unknown"))


@pytest.mark.parametrize(
    "text",
    [
        MINIMAL,
        f"Moves: {MINIMAL}\n\n(Deal State: Solved)",
        " ".join(LETTERS),
        "  ".join(lonelybot(WON)),
        f"Statistic\n{OUTPUT}{' '.join(LETTERS)}",
    ],
    ids=["minimal", "minimal printed", "minimal by lonelybot", "lonelybot", "lonelybot printed"],
)
def test_our_own_solution_in_other_words(text: str) -> None:
    board = deal(3)
    moves = klondike.GAME.read_moves(text)
    read = klondike.GAME.interpret(board, moves)
    assert read.fault == "" and read.how.startswith("read in the notation of ")
    assert list(read.moves) == WON
    assert klondike.GAME.interpret(board, moves[:-1]).fault
    assert klondike.GAME.interpret(deal(4), moves).fault
    with pytest.raises(ValueError, match=r"line \d+: expected .*'zz'"):
        klondike.GAME.read_moves(text.replace(moves[5], "zz", 1))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("DP 9♠, R 5♦, \n", "line 1: lonelybot's moves such as 'DP 9♠' do not say where"),
        ("Impossible. Max cards in foundation 12 at 50 moves. Took 3 ms.", "got 'Impossible. Max"),
        (PRINTED + PRINTED, "one deal, got those of 2"),
        ("DR1 WQ", "line 1: expected a move such as DR2, NEW, .* as Klondike-Solver writes it"),
        ("he if al", "line 1: expected draw, redeal or a move such as w3, .* got 'he'"),
        ("@@AK\nKM", "line 2: expected a move such as @@AK, .* as MinimalKlondike writes it"),
        ("draw DR1", "line 1: expected draw, redeal or a move such as w3, .* got 'DR1'"),
        ("Solved in 9 moves.\n\nDR1 @@AB", "line 3: expected a move such as DR2, .* got '@@AB'"),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        klondike.GAME.read_moves(text)


def test_capitals_change_nothing_and_a_word_is_a_move_or_bad_input() -> None:
    small = ["draw", "redeal", "w3", "wh", "3h", "35", "35v4", "S3"]
    assert klondike.GAME.read_moves(" ".join(small).upper()) == small
    assert klondike.GAME.read_moves(" ".join(small).lower()) == small
    for notation, move in zip(NOTATIONS, ("S3", "WC", "@AK", "="), strict=True):
        assert notation_of([move], NOTATIONS)[0] is notation
    for words in (["zz"], ["draw", "NEW"], ["3"], [""], ["w3v2"], ["Sh"]):
        for ask in (verify, klondike.GAME.interpret):
            with pytest.raises(DealError, match="expected draw, redeal or a move such as w3"):
                ask(deal(3), words)
    assert KLONDIKE_SOLVER.tokens(["dr2", "w3"]) == ["DR2", "W3"]
    assert LONELYBOT.name != MINIMAL_KLONDIKE.name
