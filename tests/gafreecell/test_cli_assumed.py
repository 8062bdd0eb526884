"""What commands say of boards whose text leaves open which game they are of."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest
from conftest import COMMAND, Command, records, refused, written

from deals import freecell, klondike, pyramid

TWO_CELLS = f"Freecells: -- --\n{freecell(1)}"
TOLD = "played with 2 free cells, as its text says"


def test_none_in_the_cells_is_the_usual_game(tmp_path: Path, command: Command) -> None:
    board = written(tmp_path / "none", f"Freecells: none\n{freecell(1)}")
    (line,) = records(command("hint", board, "--format", "jsonl").out)
    assert line["status"] == "solved"


def test_an_answer_tells_the_cells_it_assumed(tmp_path: Path, command: Command) -> None:
    board = written(tmp_path / "two", TWO_CELLS)
    for words in (("solve", board), ("hint", board)):
        done = command(*words)
        assert done.out.replace("\n", " ").startswith(f"{board}:1: {TOLD}")
        assert (done.status, done.err) == (0, "")
    assert "unsolvable" in command("solve", board).out
    for words in (
        ("solve", board, "--format", "jsonl"),
        ("solve", board, "--format", "moves"),
        ("hint", board, "--format", "jsonl"),
        ("deal", board),
    ):
        done = command(*words)
        assert done.lines == [f"gafreecell: {board}:1: {TOLD}: ask for another number to change it"]
        assert TOLD not in done.out
    assert TOLD not in command("solve", board, "--cells", 2).out


def test_a_solution_below_what_was_assumed_is_read(tmp_path: Path, command: Command) -> None:
    board = written(tmp_path / "five", f"Freecells: - - - - -\n{freecell(1)}")
    done = command("solve", board)
    assert done.out.replace("\n", " ").startswith(f"{board}:1: played with 5 free cells")
    verified = command("verify", board, "-", stdin=done.out)
    assert verified.status == 0, verified
    assert "played with 5 free cells" in verified.out.replace("\n", " ")
    assert "right: " in verified.out


def test_many_boards_are_told_of_once(tmp_path: Path, command: Command) -> None:
    boards = written(tmp_path / "many", "\n\n".join([TWO_CELLS] * 3))
    (line,) = command("deal", boards).lines
    assert line.startswith(f"gafreecell: {boards}:1 and 2 more: {TOLD}")


def test_cascades_are_those_that_a_deal_shows(tmp_path: Path, command: Command) -> None:
    board = written(tmp_path / "six", command("deal", 164, "--cascades", 6).out)
    (line,) = records(command("solve", board, "--format", "jsonl").out)
    assert line["variant"]["cascades"] == 6
    shown = command("solve", board).out.replace("\n", " ")
    assert f"{board}:1: played with 6 cascades, as its text shows" in shown


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        (("hint", "-"), str(pyramid(3)), ["two ways", "Klondike or Pyramid", "--columns"]),
        (("solve", "-"), str(klondike(3)), ["of Klondike: say --game klondike"]),
        (("solve", "-", "--game", "klondike"), str(freecell(164)), ["two ways", "FreeCell"]),
        (("solve", "-", "--game", "pyramid"), str(freecell(164)), ["two ways", "FreeCell"]),
        (("play", "-"), str(freecell(164)), ["two ways", "FreeCell"]),
    ],
)
def test_another_game_s_board_is_refused_by_its_name(
    command: Command, words: tuple[str, ...], text: str, said: list[str]
) -> None:
    refused(command(*words, stdin=text), "standard input", *said)


@pytest.mark.parametrize(("name", "number"), [("klondike", 10), ("pyramid", 12)])
def test_a_hint_gives_the_proof_that_solve_gives(command: Command, name: str, number: int) -> None:
    solved = command("solve", number, "--game", name).out.splitlines()
    hint = command("hint", number, "--game", name).out.splitlines()
    assert hint == ["This position is lost: no move keeps the win.", *solved[1:-1]]
    assert hint[1].startswith("  Proof: ") and "searched" not in hint[1]


def test_undecided_deals_are_told_in_words(command: Command) -> None:
    done = command("solve", 164, "--nodes", 10)
    assert done.status == 1
    assert done.out.startswith("Deal 164: not decided within 10 nodes; 10 nodes, ")
    done = command("solve", 11982, "--seconds", "0.000001")
    assert done.out.startswith("Deal 11982: not decided within 1e-06 s; ")


def test_text_without_a_solution_is_no_wrong_one(command: Command) -> None:
    for words, said in (
        ((11982,), "got 'Deal 11982: unsolvable after 65,343"),
        ((164, "--nodes", 10), "got 'Deal 164: not decided within 10"),
    ):
        text = command("solve", *words).out
        refused(command("verify", words[0], "-", stdin=text), "expected a solution", said)


def test_who_types_at_a_terminal_is_told_how_to_end(command: Command) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "deal", "-"], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        os.write(ours, b"164\n\x04")
        out, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert err == b"gafreecell: paste the text and end it with Ctrl-D\n"
    assert out.decode() == f"{freecell(164)}\n"
    assert not command("deal", "-", stdin="164").err
