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
from gafreecell.solitaire.game import game

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
    deal = {"freecell": 1, "klondike": 3, "pyramid": 7}[name]
    return Solved(game(name), deal, tuple(gafreecell.solve(deal, game=name).moves or ()))


@pytest.fixture(params=NO_MOVES)
def one(request: pytest.FixtureRequest) -> Solved:
    """A solved deal of each game."""
    return solved(request.param)


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


@pytest.mark.parametrize("way", SAME)
def test_the_same_moves_in_other_words_are_right(one: Solved, way: str) -> None:
    assert one.verdict(SAME[way](one.moves)).reason == ""


@pytest.mark.parametrize("way", [way for way in SAME if way != "heading"])
def test_a_word_that_is_no_move_is_bad_input(one: Solved, way: str) -> None:
    rng = random.Random(f"{one.game.name} {way}")
    for number, word in enumerate(NO_MOVES[one.game.name]):
        moves, at = list(one.moves), rng.randrange(len(one.moves))
        if rng.random() < 0.5:
            moves[at] = word
        else:
            moves.insert(at, word)
        # A third of the words for each way is enough.
        if (number + len(way)) % 3:
            continue
        text = SAME[way](moves)
        with pytest.raises(BadInput, match="expected") as fault:
            one.verdict(text)
        if way not in ("JSON", "JSON below remarks"):
            places = re.finditer(re.escape(word), text, re.IGNORECASE)
            lines = {text.count("\n", 0, place.start()) + 1 for place in places}
            assert any(f"line {line}:" in str(fault.value) for line in lines)
        with pytest.raises(BadInput, match=rf"move {at + 1} '"):
            one.verdict(moves)


@pytest.mark.parametrize("way", ["numbers", "other numbers", "numbers from 0 on"])
def test_a_list_lacks_no_line(one: Solved, way: str) -> None:
    lines = SAME[way](one.moves).splitlines()
    for lost in (8, 9, 20, 24, 30):
        with pytest.raises(BadInput, match=rf"line {lost + 1}: expected .*, got "):
            one.verdict("\n".join(lines[:lost] + lines[lost + 1 :]))
    for lost in (1, 11, 20) if way != "numbers from 0 on" else ():
        with pytest.raises(BadInput, match=r"line 1: expected a list from number 1 on"):
            one.verdict("\n".join(lines[lost:]))


@pytest.mark.parametrize("line", ["```{}", "$ {}", "``` {} ```", "{} zz", "~~~{}", "Solution: {}"])
def test_no_mark_around_code_hides_a_move(one: Solved, line: str) -> None:
    line, moves = line.format(one.moves[0]), "\n".join(one.moves[1:])
    head = f"Deal {one.deal}: solved, length 1; 2 nodes\n"
    for text in (f"{line}\n{moves}", f"{line}\n{head}{moves}", f"{head}{line}\n{moves}"):
        try:
            assert one.verdict(text).solved, "a move is lost"
        except BadInput as error:
            assert "line " in str(error)
    command = f"$ gafreecell solve {one.deal}\n```text\n{head}{one.moves[0]}\n{moves}\n```"
    assert one.verdict(command).solved


def test_letters_that_only_look_like_ours_are_no_moves(one: Solved) -> None:
    alike = "\u212ah", "\u212a\u212a", "1\u017f", "\u0661\u0662", "Remove K\u017f", "D\u0131aw"
    for word in alike:
        with pytest.raises(BadInput, match="expected"):
            one.verdict(word)
    assert one.verdict("\u00a0".join(one.moves)).solved


def test_a_move_left_out_or_changed_is_judged_by_the_rules(one: Solved) -> None:
    rng, wrong = random.Random(one.game.name), 0
    for at in range(0, len(one.moves), 4):
        for other in ([], [rng.choice(one.moves)]):
            moves = [*one.moves[:at], *other, *one.moves[at + 1 :]]
            fault = one.game.verify(one.game.read_deal(one.deal), moves)
            verdict = one.verdict(" ".join(moves))
            assert verdict.solved == (fault == "") or "automatic" in verdict.how
            assert verdict.solved == (verdict.reason == "")
            wrong += not verdict.solved
    assert wrong > 10


def test_what_stands_around_the_moves_is_known_or_refused(one: Solved) -> None:
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


def test_drawings_lose_no_move(one: Solved) -> None:
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
