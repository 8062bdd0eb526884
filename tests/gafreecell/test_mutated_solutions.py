"""Right solutions of the built-in games, changed in ways whose verdicts are known.

The same moves in other words are right. A word that is no move is bad input, and its line is named.
A move left out or changed into another leaves a solution that is judged by the rules alone.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

import gafreecell
from deals.errors import BadInput
from gafreecell.solitaire.klondike.game import GAME as KLONDIKE
from gafreecell.solitaire.pyramid.game import GAME as PYRAMID
from hsd.game import GAME as FREECELL

NO_MOVES = {
    "freecell": ("zz", "6", "6a6", "06", "h6", "26v0", "6av2", "draw", "Here", "KH", "10D", "->"),
    "klondike": ("zz", "3", "W", "hh", "38v", "w3v2", "undo", "6a", "so", "AS", "10D", "->"),
    "pyramid": ("zz", "Remove", "Remove Xd", "Remove 6d and", "Undo", "6a", "Qd", "10D", "->"),
}


@dataclass(frozen=True)
class Solved:
    """A deal of a game and a solution of it."""

    game: Any
    deal: int
    moves: tuple[str, ...]

    def verdict(self, text: str | list[str]) -> gafreecell.Verdict:
        return gafreecell.verify(self.deal, text, game=self.game)


@cache
def solved(name: str) -> Solved:
    game, deal = {"freecell": (FREECELL, 1), "klondike": (KLONDIKE, 3), "pyramid": (PYRAMID, 7)}[
        name
    ]
    return Solved(game, deal, tuple(gafreecell.solve(deal, game=name).moves or ()))


SAME: dict[str, Callable[[Sequence[str]], str]] = {
    "lines": "\n".join,
    "commas": ", ".join,
    "semicolons": "; ".join,
    "capitals": lambda moves: "\n".join(moves).upper(),
    "small letters": lambda moves: " ".join(moves).lower(),
    "quoted": lambda moves: "\n".join(f"> {move}" for move in moves),
    "JSON": lambda moves: json.dumps({"moves": [*moves]}),
    "JSON list": lambda moves: json.dumps([*moves], indent=1),
    "Python list": lambda moves: repr([*moves]),
    "Python tuple": lambda moves: repr(tuple(moves)),
    "numbers": lambda moves: "\n".join(f"{i}. {move}" for i, move in enumerate(moves, 1)),
    "numbers in a row": lambda moves: "  ".join(f"{i}. {move}" for i, move in enumerate(moves, 1)),
    "other numbers": lambda moves: "\r\n".join(f"{i}) {move}." for i, move in enumerate(moves, 1)),
    "numbers from 0 on": lambda moves: "\n".join(f"{i}: {move}" for i, move in enumerate(moves, 0)),
    "rows with numbers": lambda moves: "\n".join(
        f"{row}. {' '.join(moves[at : at + 7])}"
        for row, at in enumerate(range(0, len(moves), 7), 1)
    ),
    "sentences": ". ".join,
    "bullets": lambda moves: "\n".join(f"  - {move}" for move in moves),
    "stars": lambda moves: "\n".join(f"* {move}" for move in moves),
    "code": lambda moves: "```\n" + "\n".join(moves) + "\n```\n",
    "comments": lambda moves: "# mine\n" + "\n".join(f"{move}  # good" for move in moves),
    "JSON below remarks": lambda moves: (
        "Game:\n# mine\n" + json.dumps({"moves": [*moves]}, indent=1) + "\n# end\n"
    ),
    "heading": lambda moves: "Game\n\n" + " ".join(moves),
}


@pytest.mark.parametrize("name", NO_MOVES)
@pytest.mark.parametrize("way", SAME)
def test_the_same_moves_in_other_words_are_right(name: str, way: str) -> None:
    one = solved(name)
    assert one.verdict(SAME[way](one.moves)).reason == ""


@pytest.mark.parametrize("name", NO_MOVES)
@pytest.mark.parametrize("way", [way for way in SAME if way != "heading"])
def test_a_word_that_is_no_move_is_bad_input(name: str, way: str) -> None:
    one, rng = solved(name), random.Random(f"{name} {way}")
    for word in NO_MOVES[name]:
        moves, at = list(one.moves), rng.randrange(len(one.moves))
        if rng.random() < 0.5:
            moves[at] = word
        else:
            moves.insert(at, word)
        text = SAME[way](moves)
        with pytest.raises(BadInput, match="expected") as fault:
            one.verdict(text)
        if way not in ("JSON", "JSON below remarks"):
            places = re.finditer(re.escape(word), text, re.IGNORECASE)
            lines = {text.count("\n", 0, place.start()) + 1 for place in places}
            assert any(f"line {line}:" in str(fault.value) for line in lines)
        with pytest.raises(BadInput, match=rf"move {at + 1} '"):
            one.verdict(moves)


@pytest.mark.parametrize("name", NO_MOVES)
@pytest.mark.parametrize("way", ["numbers", "other numbers", "numbers from 0 on"])
def test_a_list_lacks_no_line(name: str, way: str) -> None:
    one = solved(name)
    lines = SAME[way](one.moves).splitlines()
    for lost in (8, 9, 20, 24, 30):
        with pytest.raises(BadInput, match=rf"line {lost + 1}: expected .*, got "):
            one.verdict("\n".join(lines[:lost] + lines[lost + 1 :]))


@pytest.mark.parametrize("name", NO_MOVES)
@pytest.mark.parametrize("way", ["numbers", "other numbers"])
def test_a_list_begins_with_its_first_line(name: str, way: str) -> None:
    one = solved(name)
    lines = SAME[way](one.moves).splitlines()
    for lost in (1, 11, 20):
        with pytest.raises(BadInput, match=r"line 1: expected a list from number 1 on"):
            one.verdict("\n".join(lines[lost:]))


@pytest.mark.parametrize("name", NO_MOVES)
@pytest.mark.parametrize("line", ["```{}", "$ {}", "``` {} ```", "{} zz", "~~~{}", "Solution: {}"])
def test_no_mark_around_code_hides_a_move(name: str, line: str) -> None:
    one = solved(name)
    line, moves = line.format(one.moves[0]), "\n".join(one.moves[1:])
    head = f"Deal {one.deal}: solved, length 1; 2 nodes\n"
    for text in (f"{line}\n{moves}", f"{line}\n{head}{moves}", f"{head}{line}\n{moves}"):
        try:
            assert one.verdict(text).solved, "a move is lost"
        except BadInput as error:
            assert "line " in str(error)
    command = f"$ gafreecell solve {one.deal}\n```text\n{head}{one.moves[0]}\n{moves}\n```"
    assert one.verdict(command).solved


@pytest.mark.parametrize("name", NO_MOVES)
def test_letters_that_only_look_like_ours_are_no_moves(name: str) -> None:
    for word in (
        "\u212ah",
        "\u212a\u212a",
        "1\u017f",
        "\u0661\u0662",
        "Remove K\u017f",
        "D\u0131aw",
    ):
        with pytest.raises(BadInput, match="expected"):
            solved(name).verdict(word)
    moves = "\u00a0".join(solved(name).moves)
    assert solved(name).verdict(moves).solved


@pytest.mark.parametrize("name", NO_MOVES)
def test_a_move_left_out_or_changed_is_judged_by_the_rules(name: str) -> None:
    one, rng = solved(name), random.Random(name)
    wrong = 0
    for at in range(0, len(one.moves), 4):
        for other in ([], [rng.choice(one.moves)]):
            moves = [*one.moves[:at], *other, *one.moves[at + 1 :]]
            fault = one.game.verify(one.game.read_deal(one.deal), moves)
            verdict = one.verdict(" ".join(moves))
            assert verdict.solved == (fault == "") or "automatic" in verdict.how
            assert verdict.solved == (verdict.reason == "")
            wrong += not verdict.solved
    assert wrong > 10


@pytest.mark.parametrize("name", NO_MOVES)
def test_what_stands_around_the_moves_is_known_or_refused(name: str) -> None:
    one = solved(name)
    moves = "\n".join(one.moves)
    board = one.game.write_board(one.game.read_deal(one.deal))
    for text in (board, f"{board}\n{moves}", f"{moves}\n{board}", f"I won!\n{moves}", "", "# none"):
        with pytest.raises(BadInput, match="expected"):
            one.verdict(text)
    head = f"Deal {one.deal}: solved, length 1; 2 nodes"
    assert one.verdict(f"$ gafreecell solve\nWith a note.\n{head}\n{moves}\n").solved
    # Moves above it are not lost.
    assert not one.verdict(f"{one.moves[0]}\n{head}\n{moves}").solved
    with pytest.raises(BadInput, match="expected one solution, got 2"):
        one.verdict(f"{head}\n{moves}\n{head}\n{moves}")
    line = json.dumps({"moves": one.moves})
    with pytest.raises(BadInput, match="one deal, got those of 2"):
        one.verdict(f"{line}\n{line}")
    with pytest.raises(BadInput, match="expected a solution, got"):
        one.verdict(f"Deal {one.deal}: unsolvable after 9 nodes")


@pytest.mark.parametrize("name", NO_MOVES)
def test_drawings_lose_no_move(name: str) -> None:
    one = solved(name)
    drawings = one.game.positions(one.game.read_deal(one.deal), one.moves)
    shown = [
        f"{drawing}\n\n{number:3}. {drawing.move:9}  {drawing.words}\n"
        for number, drawing in enumerate(drawings, 1)
        if drawing.move
    ]
    assert one.verdict("\n".join(shown)).solved
    assert one.verdict("\n".join(shown).replace("\n", "\n\n")).solved
    with pytest.raises(BadInput, match=r"line \d+: expected move 3, got a move with number 4"):
        one.verdict("\n".join(shown[:2] + shown[3:]))
    with pytest.raises(BadInput, match=r"expected .*got 'zz'"):
        one.verdict("\n".join([*shown[:-1], f"{len(shown):3}. zz  take from"]))
    with pytest.raises(BadInput, match=r"expected .*got '6a"):
        one.verdict("\n".join([*shown[:-1], f"{len(shown):3}. {one.moves[-1]}  6a 6b"]))
