"""``gafreecell-fc-solve`` called as PySol FC calls fc-solve, and read as PySol FC reads it."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence

import pytest

from deals.cards import card_name
from gafreecell.solitaire.game import game
from gafreecell.solitaire.patience.fc_solve import PRESETS, REFUSED, VERSION, main
from gafreecell.solitaire.patience.library import rules
from gafreecell.solitaire.patience.moves import CELLS
from gafreecell.solitaire.patience.position import Position

USUAL = ("-m", "-p", "-opt", "-sel", "-hoi", "--max-iters", "200000")
# As ``FreeCellSolver_Hint.computeHints`` of PySol FC writes them, and a game of ours for each.
GAMES = {
    "free-cell": (),
    "bakers-game": ("--sequences-are-built-by", "suit"),
    "fore-cell": ("--empty-stacks-filled-by", "kings"),
    "streets-and-alleys": ("--preset", "streets_and_alleys"),
    "bakers-dozen": ("--preset", "bakers_dozen"),
    "simple-simon": ("--preset", "simple_simon"),
    "relaxed-freecell": ("--sequence-move", "unlimited"),
}

DEAL = {"streets-and-alleys": 4}
"""Others than 2, which cannot be won there."""


def as_pysol(board: Position) -> str:
    """A board as ``calcBoardString`` of PySol FC writes it."""
    founds = "".join(f" {card_name(card)[1]}-{card_name(card)[0]}" for card in board.tops if card)
    cells = "".join(f" {card_name(card) if card else '-'}" for card in board.cells)
    lines = [f"Founds:{founds}"] * bool(founds) + [f"FC:{cells}"] * bool(cells)
    lines += [" ".join(map(card_name, pile)) for pile in board.piles]
    return "".join(f"{line}\n" for line in lines)


def answer(
    words: Sequence[str],
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> list[str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert main(words) == 0
    return capsys.readouterr().out.splitlines()


def tokens(lines: Sequence[str]) -> list[str]:
    """The moves in our notation, read from the lines by the forms that PySol FC knows."""
    found = []
    for line in lines:
        if run := re.match(r"Move the sequence on top of Stack (\d+) to the foundations", line):
            found.append(f"{int(run[1]) + 1}-h")
        elif move := re.match(
            r"Move (?:a card|(\d+) cards) from (stack|freecell) (\d+) to "
            r"(?:the foundations|(freecell|stack) (\d+))\s*$",
            line,
        ):
            number, source, place, target, to = move.groups()
            ends = name(target, int(to)) if target else "h"
            found.append(f"{name(source, int(place))}-{ends}" + (f"v{number}" if number else ""))
    return found


def name(kind: str, place: int) -> str:
    return str(place + 1) if kind == "stack" else CELLS[place]


@pytest.mark.parametrize("named", GAMES)
def test_what_pysol_reads_wins_the_game(
    named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played = game(named)
    own = rules(named)
    board = played.deal(DEAL.get(named, 2))
    numbers = ("--decks-num", own.decks, "--stacks-num", own.piles.count)
    words = [*USUAL, *map(str, numbers), "--freecells-num", str(own.cells.count), *GAMES[named]]
    lines = answer(words, as_pysol(board), monkeypatch, capsys)
    assert lines[0].startswith("-=-=") and "This game is solveable." in lines
    assert not played.verify(board, tokens(lines))
    states = [line for line in lines if re.match(r"Total number of states checked is \d+\.", line)]
    assert len(states) == 1 and re.match(r"This scan generated \d+ states\.", lines[-1])


def test_a_position_in_the_middle(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played = game("free-cell")
    board = played.deal(2)
    lines = answer([*USUAL], as_pysol(board), monkeypatch, capsys)
    moves = tokens(lines)
    for token in moves[: len(moves) * 2 // 3]:
        board = played.after(board, token)
    assert (any(board.home) and any(not pile for pile in board.piles)) or any(board.cells)
    lines = answer([*USUAL], as_pysol(board), monkeypatch, capsys)
    assert not played.verify(board, tokens(lines))


def test_opt_asks_for_fewer_moves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = as_pysol(game("free-cell").deal(617))
    few, many = (tokens(answer(words, board, monkeypatch, capsys)) for words in (["-opt"], []))
    assert 2 * len(few) < len(many)


def test_verdicts_without_moves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hard = as_pysol(game("free-cell").deal(617))
    assert answer(["--max-iters", "5"], hard, monkeypatch, capsys)[0].startswith(
        "Iterations count exceeded"
    )
    lost = as_pysol(game("streets-and-alleys").deal(1))
    words = ["--preset", "streets_and_alleys", "--max-iters", "100000"]
    assert answer(words, lost, monkeypatch, capsys)[0].startswith("I could not solve this game")


def test_cards_face_down_are_known_and_a_preset_comes_before_what_stands_before_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = game("free-cell").deal(2)
    covered = [" ".join([*(f"<{card_name(card)}>" for card in pile[:-1]), card_name(pile[-1])])
               for pile in board.piles]  # fmt: skip
    words = ["--freecells-num", "0", "--preset", "freecell", "--max-iters", "-1"]
    lines = answer(words, "\n".join(covered), monkeypatch, capsys)
    assert not game("free-cell").verify(board, tokens(lines))


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        (["--preset", "yukon"], "", "invalid choice: 'yukon'"),
        (["--stacks-num", "77"], "", "--stacks-num: expected 1 to 24, got 77"),
        (["--no-such"], "", "--no-such"),
        (["--decks-num", "0"], "", "--decks-num: expected 1 to 2, got 0"),
        (["--max-iters", "0"], "AS\n", ""),
        ([], "garbage\n", "garbage"),
        ([], "FC: AS\n2H\n", "missing"),
    ],
)
def test_what_it_cannot_answer_is_refused_with_its_own_status(
    words: Sequence[str],
    text: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    try:
        status = main(words)
    except SystemExit as left:
        status = left.code
    assert status == REFUSED and said in capsys.readouterr().err


def test_a_reader_that_goes_away_ends_it_without_a_word() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "gafreecell.solitaire.patience.fc_solve", "--version"],
        stdout=write, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(write)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


def test_presets_are_the_games_of_the_library() -> None:
    for preset, named in {
        "eight_off": "eight-off",
        "seahaven_towers": "seahaven-towers",
        "fan": "fan",
        "bakers_dozen": "bakers-dozen",
        "simple_simon": "simple-simon",
    }.items():
        ours, theirs = PRESETS[preset], rules(named)
        assert ours.cells.count == theirs.cells.count and ours.decks == theirs.decks
        for key in ("count", "build", "move", "space"):
            assert getattr(ours.piles, key) == getattr(theirs.piles, key), (preset, key)


def test_pysol_takes_it_for_a_solver(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert not left.value.code and capsys.readouterr().out.startswith("fc-solve")
    assert main(["--version"]) == 0
    told = re.search(r"version ([0-9]+\.[0-9]+\.[0-9]+)", capsys.readouterr().out)
    assert told and told[1] == VERSION
