"""``gafreecell hint``: its line of JSON, its text, what it takes and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, refused, rows_of, written

from deals import freecell, klondike, pyramid
from gafreecell.cli.hinting import advice
from gafreecell.solitaire.game import game
from gafreecell.solitaire.pyramid.legal_moves import after
from gafreecell.solving.playing import Alternative
from hsd.legal_moves import legal_moves

RECORD = ["game", "deal", "source", "status", "best", "moves", "seconds"]


def told(command: Command, *words: object, status: int = 0) -> dict[str, Any]:
    """The line of JSON."""
    done = command("hint", *words, "--format", "jsonl")
    assert done.status == status, done.err
    record: dict[str, Any] = json.loads(done.out)
    assert list(record) == RECORD + ["variant"] * ("variant" in record)
    for move in record["moves"]:
        assert list(move) == ["move", "keeps_win", "chance", "samples"]
    return record


def test_a_line_of_json(command: Command) -> None:
    record = told(command, 617)
    assert (record["game"], record["deal"], record["source"]) == ("freecell", 617, None)
    assert record["status"] == "solved" and record["best"] == record["moves"][0]["move"]
    keeps = {one["move"]: one["keeps_win"] for one in record["moves"]}
    assert sorted(keeps) == sorted(legal_moves(freecell(617)))
    # The king of clubs in a cell is one too many.
    assert {move for move, kept in keeps.items() if kept == "no"} == {"3a"}
    assert all(one["chance"] is one["samples"] is None for one in record["moves"])
    assert record["seconds"] > 0 and "variant" not in record


def test_a_table_for_people(command: Command) -> None:
    done = command("hint", 617)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "Best: 83 - the QH from cascade 8 onto the KC of cascade 3"
    assert lines[1].startswith("This position is won: ") and lines[1].endswith("moves to the end.")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    assert rows[0] == ["move", "keeps win", "to go", "what it does"]
    assert rows[2][:2] == ["83", "yes"]
    assert int(lines[1].split()[4]) == int(rows[2][2]) + 1
    assert all(row[:3] == ["3a", "no", ""] for row in rows if row[1] == "no")
    assert "the preset short" in done.out and "proved lost" in done.out
    assert max(map(len, lines)) < 80


def test_positions_of_every_game(command: Command, tmp_path: Path) -> None:
    board: Any = pyramid(7)
    for step in ("Remove Ks", "Draw"):
        board = after(board, step)
    for name, text in (
        ("freecell", str(freecell(5, cells=3))),
        ("klondike", str(klondike(3))),
        ("pyramid", str(board)),
    ):
        file = written(tmp_path / f"{name}.txt", text)
        record = told(command, file, "--game", name)
        assert (record["deal"], record["source"]) == (1, f"{file}:1")
        lister: Any = game(name)
        [read] = lister.read_boards(text)
        assert {one["move"] for one in record["moves"]} == {*lister.legal_moves(read)}
        assert record["status"] == "solved"


def test_the_variant_counts(command: Command, tmp_path: Path) -> None:
    record = told(command, 5, "--cells", 0, status=0)
    assert all("a" not in one["move"] for one in record["moves"])
    assert record["variant"] == {"cascades": 8, "cells": 0}


def test_lost_won_and_open_positions(command: Command, tmp_path: Path) -> None:
    done = command("hint", 11982)
    assert done.status == 0
    assert done.out.startswith(
        "This position is lost: no move keeps the win.\n"
        "  Proof: every position that can be reached was searched, with 61,643"
    )
    record = told(command, 11982)
    assert (record["status"], record["best"]) == ("unsolvable", None)
    assert {one["keeps_win"] for one in record["moves"]} == {"no"}
    won = written(tmp_path / "won.txt", "Foundations: C-K D-K H-K S-K\n" + ":\n" * 8)
    done = command("hint", won)
    assert (done.status, done.out) == (0, "The game is won: there is nothing left to play.\n")
    assert told(command, won)["moves"] == []
    stuck = "Foundations: C-J D-J H-J S-J\nQC KC\nQD KD\nQH KH\nQS KS"
    done = command("hint", written(tmp_path / "s.txt", stuck), "--cells", 0, "--cascades", 4)
    assert (done.status, done.out) == (0, "This position is lost: there is no legal move.\n")
    record = told(command, 1, "--nodes", 1, status=1)
    assert (record["status"], record["best"]) == ("node-limit", None)
    assert {one["keeps_win"] for one in record["moves"]} == {"unknown"}
    done = command("hint", 1, "--nodes", 1)
    assert done.status == 1
    assert done.out.startswith("No best move: it is undecided whether this position can be won.\n")
    assert "unknown: not decided within 1 node;" in done.out


def test_another_solver(command: Command) -> None:
    assert "that fast found" in command("hint", 1, "--preset", "fast").out
    assert "that fast found" in command("hint", 1, "--weights", "fast").out
    one, two = (told(command, 3, "--preset", "fast", "--jobs", jobs) for jobs in (1, 2))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}


def hidden(tmp_path: Path, number: int) -> Path:
    """A deal of Klondike as its player sees it."""
    lister: Any = game("klondike")
    return written(tmp_path / "hidden.txt", str(lister.player.seen(klondike(number))))


def test_chances_where_cards_are_hidden(command: Command, tmp_path: Path) -> None:
    file = hidden(tmp_path, 5)
    words = (file, "--game", "klondike", "--samples", 40)
    record = told(command, *words, status=1)
    assert record["status"] is None and record["best"] == record["moves"][0]["move"]
    for move in record["moves"]:
        assert move["keeps_win"] == "unknown"
        low, chance, high = move["chance"]
        assert 0 <= low <= chance <= high <= 1 <= move["samples"]
    done = command("hint", *words)
    assert done.status == 1, "chances decide nothing"
    assert done.out == command("play", file, "--hint", "--samples", 40).out
    assert done.out.startswith(f"Best: {record['best'].split()[0]}")
    assert max(map(len, done.out.splitlines())) < 80
    other = told(command, *words, "--seed", 1, status=1)
    assert other["moves"] != record["moves"]


def test_where_hidden_cards_do_not_matter(command: Command, tmp_path: Path) -> None:
    lost = hidden(tmp_path, 10)
    record = told(command, lost, "--game", "klondike")
    assert (record["status"], record["best"]) == ("unsolvable", None)
    assert record["moves"] and all(
        one == {**one, "keeps_win": "no", "chance": [0, 0, 0]} for one in record["moves"]
    )
    text = "Foundations: C-13 D-13 H-13 S-11\nWaste:\nStock:\n:\n?? QS\n" + ":\n" * 5
    record = told(command, written(tmp_path / "last.txt", text), "--game", "klondike")
    assert (record["status"], record["best"]) == ("solved", "2h")
    won = {"move": "2h", "keeps_win": "yes", "chance": [1, 1, 1], "samples": None}
    assert record["moves"] == [won]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["1", "--policy", "best"], ["--policy is for hidden cards"]),
        (["1", "--samples", "3"], ["--samples is for hidden cards"]),
        (["1", "--seed", "0"], ["--seed is for hidden cards"]),
        (["1-2"], ["hint takes one position, but 1-2 holds 2"]),
        (["1", "--preset", "slow"], ["neither a file nor a preset", "FreeCell has fast"]),
        (["1", "--preset", "fast", "--weights", "fast"], ["not both"]),
        (["1", "--weights", "optimal", "--game", "klondike"], ["neither a file nor a preset"]),
        (["0"], ["there is no deal 0"]),
        (["nowhere.txt"], ["nowhere.txt"]),
        (["1", "--nodes", "0"], ["whole number, 1 or more"]),
        (["1", "--variant", "colour=red"], ["no option 'colour'"]),
    ],
)
def test_what_is_refused(words: list[str], said: list[str], command: Command) -> None:
    refused(command("hint", *words), *said)


def test_a_game_that_lists_no_moves(toy: Any, command: Command) -> None:
    refused(command("hint", 1, "--game", "toy"), "Toy cannot list its moves; freecell")


def test_cells_are_named_as_the_board_has_them(command: Command, tmp_path: Path) -> None:
    deal = str(freecell(164)).replace(" 2S", "").replace(" QD", "").replace("QD ", "")
    file = written(tmp_path / "board.txt", f"Freecells: - 2S - QD\n{deal}")
    moves = [one["move"] for one in told(command, file)["moves"]]
    assert {move[0] for move in moves if move[0].isalpha()} == {"b"}
    assert {move[1] for move in moves if move[1].isalpha()} == {"a"}
    done = command("hint", file)
    assert "b5   | yes       |" in done.out and "the 2S from cell b onto the 3H" in done.out
    for form in ("text", "jsonl", "moves"):
        solution = written(tmp_path / form, command("solve", file, "--format", form).out)
        assert command("verify", file, solution).status == 0
    drawn = command("solve", file, "--draw").out
    assert drawn.partition(" home\n")[2].split()[:4] == ["--", "2S", "--", "QD"]
    assert command("deal", file).out.startswith("Freecells: - 2S - QD\n")


def test_of_equal_moves_one_that_brings_a_card_home_comes_first(command: Command) -> None:
    done = command("hint", 1, "--game", "klondike")
    rows = [[cell.strip() for cell in line.split("|")] for line in done.out.splitlines()[5:]]
    least = [row[1] for row in rows if row[3:4] == rows[0][3:4]]
    assert least == ["6h", "7h", "draw"]
    assert done.out.startswith("Best: 6h - the AH from pile 6 home")
    assert "To go: moves, as solve prints them, that are left after this one" in done.out


def test_moves_are_in_words_where_cards_are_hidden(command: Command, tmp_path: Path) -> None:
    done = command("hint", hidden(tmp_path, 5), "--game", "klondike", "--samples", 40)
    rows = rows_of(done.out)
    assert rows[0] == ["move", "chance", "99 % interval", "samples", "what it does"]
    said = " ".join(row[-1] for row in rows[1:])
    assert "the 7S from pile 3 onto the 8D of pile 5, and turn a card up" in said
    # The draws before a move, and then the move.
    assert "draw 4 times, then the AC from the waste home" in said
    assert "wh" in [row[0] for row in rows]


@pytest.mark.parametrize(
    ("chances", "said"),
    [
        ([(0.9, 0.01)], "Best: draw - turn three cards of the stock onto the waste: "),
        ([(0.9, 0.01), (0.8, 0.05)], "Best: draw - turn three cards of the stock onto the waste: "),
        ([(0.9, 0.1), (0.89, 0.1)], "Within the error of sampling 1 other move is as good.\n"),
        (
            [(0.76, 0.03), (0.758, 0.03), (0.757, 0.03), (0.5, 0.1)],
            "Within the error of sampling 2 other moves are as good.\n",
        ),
    ],
)
def test_a_best_move_by_chance_is_called_so(chances: list[tuple[float, float]], said: str) -> None:
    found = [
        Alternative(("draw",), chance, chance - error, chance + error, 9)
        for chance, error in chances
    ]
    said_of_best, _, table = "\n".join(advice(game("klondike"), klondike(3), found)).partition(
        "\n\n"
    )
    assert said_of_best.startswith("Best: draw - turn three cards of the stock onto the waste: ")
    assert ("as good" in said_of_best) == ("as good" in said)
    assert said.strip() in said_of_best and "as good" not in table


def test_pyramid_counts_steps(command: Command) -> None:
    done = command("hint", 3, "--game", "pyramid")
    assert " 34 steps to the end.\n" in done.out and "To go: steps, as solve" in done.out
    assert " moves" not in done.out


def test_the_help_says_what_samples_count(command: Command) -> None:
    said = " ".join(command("help", "hint").out.split())
    assert "that can be won, the same for each move; four times as many are drawn at most" in said
