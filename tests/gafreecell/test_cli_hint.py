"""``gafreecell hint``: its line of JSON, its text, what it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Command, File, records, rows_of

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
    (record,) = records(done.out)
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
    header, _, best, *others = rows_of(done.out)
    assert header == ["move", "keeps win", "to go", "what it does"]
    assert best[:2] == ["83", "yes"]
    assert int(lines[1].split()[4]) == int(best[2]) + 1
    assert [row[:3] for row in others if row[1] == "no"] == [["3a", "no", ""]]
    assert "the preset short" in done.out and "proved lost" in done.out
    assert max(map(len, lines)) < 80


@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("freecell", freecell(5, cells=3)),
        ("klondike", klondike(3)),
        ("pyramid", after(after(pyramid(7), "Remove Ks"), "Draw")),
    ],
)
def test_positions_of_every_game(command: Command, file: File, name: str, board: Any) -> None:
    position = file(str(board))
    record = told(command, position, "--game", name)
    assert (record["deal"], record["source"]) == (1, f"{position}:1")
    lister: Any = game(name)
    [read] = lister.read_boards(str(board))
    assert {one["move"] for one in record["moves"]} == {*lister.legal_moves(read)}
    assert record["status"] == "solved"


def test_the_variant_counts(command: Command) -> None:
    record = told(command, 5, "--cells", 0)
    assert all("a" not in one["move"] for one in record["moves"])
    assert record["variant"] == {"cascades": 8, "cells": 0}


WON = "Foundations: C-K D-K H-K S-K\n" + ":\n" * 8
STUCK = "Foundations: C-J D-J H-J S-J\nFreecells: 0\nCascades: 4\nQC KC\nQD KD\nQH KH\nQS KS"


@pytest.mark.parametrize(
    ("words", "text", "status", "said", "found", "keeps"),
    [
        (
            (11982,),
            "",
            0,
            "This position is lost: no move keeps the win.\n"
            "  Proof: every position that can be reached was searched, with 61,643",
            "unsolvable",
            {"no"},
        ),
        (("-",), WON, 0, "The game is won: there is nothing left to play.\n", "solved", set()),
        (("-",), STUCK, 0, "This position is lost: there is no legal move.\n", "unsolvable", set()),
        (
            (1, "--nodes", 1),
            "",
            1,
            "No best move: it is undecided whether this position can be won.\n",
            "node-limit",
            {"unknown"},
        ),
    ],
    ids=["lost", "won", "stuck", "open"],
)
def test_lost_won_and_open_positions(
    command: Command, words: tuple[object, ...], text: str, status: int, said: str, found: str,
    keeps: set[str],
) -> None:  # fmt: skip
    done = command("hint", *words, stdin=text)
    assert done.status == status
    assert said in done.out
    assert ("unknown: not decided within 1 node;" in done.out) is bool(status)
    (record,) = records(command("hint", *words, "--format", "jsonl", stdin=text).out)
    assert (record["status"], record["best"]) == (found, None)
    assert {one["keeps_win"] for one in record["moves"]} == keeps


@pytest.mark.parametrize(("name", "number"), [("klondike", 10), ("pyramid", 12)])
def test_a_hint_gives_the_proof_that_solve_gives(command: Command, name: str, number: int) -> None:
    solved = command("solve", number, "--game", name).out.splitlines()
    hint = command("hint", number, "--game", name).out.splitlines()
    assert hint == ["This position is lost: no move keeps the win.", *solved[1:-1]]
    assert hint[1].startswith("  Proof: ") and "searched" not in hint[1]


def test_another_solver(command: Command) -> None:
    assert "that fast found" in command("hint", 1, "--preset", "fast").out
    assert "that fast found" in command("hint", 1, "--weights", "fast").out
    one, two = (told(command, 3, "--preset", "fast", "--jobs", jobs) for jobs in (1, 2))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}


def test_cells_are_named_as_the_board_has_them(command: Command, file: File) -> None:
    deal = str(freecell(164)).replace(" 2S", "").replace(" QD", "").replace("QD ", "")
    board = file(f"Freecells: - 2S - QD\n{deal}", "board")
    moves = [one["move"] for one in told(command, board)["moves"]]
    assert {move[0] for move in moves if move[0].isalpha()} == {"b"}
    assert {move[1] for move in moves if move[1].isalpha()} == {"a"}
    done = command("hint", board)
    assert "b5   | yes       |" in done.out and "the 2S from cell b onto the 3H" in done.out
    for form in ("text", "jsonl", "moves"):
        solution = file(command("solve", board, "--format", form).out)
        assert command("verify", board, solution).status == 0
    drawn = command("solve", board, "--draw").out
    assert drawn.partition(" home\n")[2].split()[:4] == ["--", "2S", "--", "QD"]
    assert command("deal", board).out.startswith("Freecells: - 2S - QD\n")


def test_of_equal_moves_one_that_brings_a_card_home_comes_first(command: Command) -> None:
    done = command("hint", 1, "--game", "klondike")
    _, _, *rows = rows_of(done.out)
    assert [row[0] for row in rows if row[2] == rows[0][2]] == ["6h", "7h", "draw"]
    assert done.out.startswith("Best: 6h - the AH from pile 6 home")
    assert "To go: moves, as solve prints them, that are left after this one" in done.out


def test_pyramid_counts_steps(command: Command) -> None:
    done = command("hint", 3, "--game", "pyramid")
    assert " 34 steps to the end.\n" in done.out and "To go: steps, as solve" in done.out
    assert " moves" not in done.out


# Hidden cards


@pytest.fixture
def hidden(file: File) -> Any:
    """Writes a deal of Klondike as its player sees it."""
    lister: Any = game("klondike")
    return lambda number: file(str(lister.player.seen(klondike(number))))


def test_chances_where_cards_are_hidden(command: Command, hidden: Any) -> None:
    position: Path = hidden(5)
    words = (position, "--game", "klondike", "--samples", 40)
    record = told(command, *words, status=1)
    assert record["status"] is None and record["best"] == record["moves"][0]["move"]
    for move in record["moves"]:
        assert move["keeps_win"] == "unknown"
        low, chance, high = move["chance"]
        assert 0 <= low <= chance <= high <= 1 <= move["samples"]
    done = command("hint", *words)
    assert done.status == 1, "chances decide nothing"
    assert done.out == command("play", position, "--hint", "--samples", 40).out
    assert done.out.startswith(f"Best: {record['best'].split()[0]}")
    assert max(map(len, done.out.splitlines())) < 80
    other = told(command, *words, "--seed", 1, status=1)
    assert other["moves"] != record["moves"]

    rows = rows_of(done.out)
    assert rows[0] == ["move", "chance", "99 % interval", "samples", "what it does"]
    said = " ".join(row[-1] for row in rows[1:])
    assert "the 7S from pile 3 onto the 8D of pile 5, and turn a card up" in said
    # The draws before a move, and then the move.
    assert "draw 4 times, then the AC from the waste home" in said
    assert "wh" in [row[0] for row in rows]


def test_where_hidden_cards_do_not_matter(command: Command, file: File, hidden: Any) -> None:
    record = told(command, hidden(10), "--game", "klondike")
    assert (record["status"], record["best"]) == ("unsolvable", None)
    lost = {"keeps_win": "no", "chance": [0, 0, 0], "samples": None}
    assert record["moves"] == [{"move": one["move"], **lost} for one in record["moves"]] != []
    text = "Foundations: C-13 D-13 H-13 S-11\nWaste:\nStock:\n:\n?? QS\n" + ":\n" * 5
    record = told(command, file(text), "--game", "klondike")
    assert (record["status"], record["best"]) == ("solved", "2h")
    won = {"move": "2h", "keeps_win": "yes", "chance": [1, 1, 1], "samples": None}
    assert record["moves"] == [won]


@pytest.mark.parametrize(
    ("chances", "said"),
    [
        ([(0.9, 0.01)], ""),
        ([(0.9, 0.01), (0.8, 0.05)], ""),
        ([(0.9, 0.1), (0.89, 0.1)], "Within the error of sampling 1 other move is as good."),
        (
            [(0.76, 0.03), (0.758, 0.03), (0.757, 0.03), (0.5, 0.1)],
            "Within the error of sampling 2 other moves are as good.",
        ),
    ],
)
def test_a_best_move_by_chance_is_called_so(chances: list[tuple[float, float]], said: str) -> None:
    found = [Alternative(("draw",), p, p - error, p + error, 9) for p, error in chances]
    told = "\n".join(advice(game("klondike"), klondike(3), found, "best"))
    best, _, table = told.partition("\n\n")
    assert best.startswith("Best: draw - turn three cards of the stock onto the waste: ")
    assert said in best and ("as good" in best) == bool(said)
    assert "as good" not in table
