"""The command ``verify``: which solutions it calls right, and which files it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Command, records, refused, shell, written

import gafreecell

DATA = ROOT / "tests" / "hsd" / "data" / "fc_solve_solutions.txt"
RAW = DATA.parent / "fc_solve_raw"


def test_verify_tells_right_from_wrong(tmp_path: Path, command: Command) -> None:
    line = command("solve", 617, "--format", "jsonl").out
    moves = records(line)[0]["moves"]
    right = command("verify", 617, written(tmp_path / "right", " ".join(moves)))
    assert (right.status, right.err) == (0, "")
    assert right.out.startswith(f"right: {len(moves)} moves")
    assert command("verify", 617, written(tmp_path / "line", line)).status == 0
    assert shell("verify", 617, "-", stdin="\n".join(moves)).status == 0
    assert command("verify", "-", tmp_path / "line", stdin=command("deal", 617).out).status == 0

    for wrong in (
        moves[:-1],
        moves[1:],
        [*moves[:5], "6h", *moves[5:]],
    ):
        done = command("verify", 617, written(tmp_path / "wrong", " ".join(wrong)))
        assert (done.status, done.err) == (1, "")
        assert done.out.startswith("wrong: ")
        assert len(done.out.splitlines()) == 1
    assert command("verify", 618, tmp_path / "right").status == 1
    more = written(tmp_path / "more", " ".join([*moves, "1a"]))
    said = f"the first {len(moves)} moves solve the deal: expected no moves after them"
    refused(command("verify", 617, more), said)
    text = written(tmp_path / "text", command("solve", 617).out)
    assert command("verify", 617, text).status == 0, "what solve prints for people is read too"
    refused(command("verify", 617, written(tmp_path / "empty", " \n")), "empty")
    damaged = written(tmp_path / "damaged", "\n".join([*moves[:5], "zz", *moves[5:]]))
    refused(command("verify", 617, damaged), str(damaged), "line 6", "'zz'")


def test_verify_says_how_it_read_a_solution(tmp_path: Path, command: Command) -> None:
    published = "26 76 72 72 5a 27 57 67 1b 61 41 4h 4h 41 45 34 3c 6d 5b"
    done = command("verify", 10913, written(tmp_path / "published", published))
    assert done.status == 0 and done.out == (
        "right: 69 moves solve the deal (with 50 automatic home moves by Microsoft's rule)\n"
    )
    read = gafreecell.verify(10913, published)
    assert read and (read.reason, read.how) == ("", done.out.partition("(")[2][:-2])
    wrong = command("verify", 10913, written(tmp_path / "wrong", published.replace("34", "35")))
    assert (wrong.status, wrong.err) == (1, "") and wrong.out.startswith("wrong: move 16 '35': ")
    assert gafreecell.verify(10913, published.split()[:9]).reason.startswith("after move 9: ")


def test_verify_reads_what_fc_solve_writes(tmp_path: Path, command: Command) -> None:
    rows = [line.split() for line in DATA.read_text().splitlines() if not line.startswith("#")]
    assert {row[1] for row in rows} >= {"-snx"}
    for number, _, _, *moves in rows[:12]:
        done = command("verify", number, written(tmp_path / "moves", " ".join(moves)))
        assert done.status == 0, (number, done)


def test_verify_takes_the_raw_output_of_fc_solve(tmp_path: Path, command: Command) -> None:
    for file in sorted(RAW.glob("*.txt")):
        number = file.name.partition("_")[0]
        if number != "11982":
            done = command("verify", number, file)
            assert (done.status, done.out[:7], done.err) == (0, "right: ", ""), file.name
            assert command("verify", 617, file).status == 1
    refused(command("verify", 11982, RAW / "11982_m.txt"), "I could not solve this game.")
    text = (RAW / "1_m.txt").read_text()
    assert command("verify", 1, "-", stdin=text).status == 0
    late = text.replace("Move a card from stack 4 to freecell 0", "Move a card", 1)
    refused(command("verify", 1, written(tmp_path / "damaged", late)), "line 3", "'Move a card'")


@pytest.mark.parametrize(
    "content",
    ["{", '{"moves": 5}', '{"status": "node-limit", "moves": null}', "[]", b"\xff\xfe"],
)
def test_verify_refuses_what_holds_no_moves(
    tmp_path: Path, command: Command, content: str | bytes
) -> None:
    path = written(tmp_path / "solution", content)
    refused(command("verify", 1, path), str(path))


def test_verify_refuses_files_that_are_not_there_and_several_deals(
    tmp_path: Path, command: Command
) -> None:
    refused(command("verify", 1, tmp_path / "absent"), "absent")
    refused(command("verify", 1, tmp_path), "directory")
    refused(command("verify", "1-2", written(tmp_path / "moves", "1a")), "one deal")
    refused(shell("verify", "-", "-"), "standard input")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("board", lambda text: "Freecells: -- -- --\n" + text),
        ("b" * 70, lambda text: "Freecells: -- -- -- -- --\n" + text),
        ("a folder of boards with a long name/" * 4 + "board", lambda text: text + "--\n"),
        ("my 1a 2b # board", lambda text: "Freecells: none\n" + text + "--\n"),
    ],
    ids=["note", "long", "long with blanks", "like moves"],
)
def test_verify_reads_what_solve_prints_of_boards_with_notes(
    tmp_path: Path, command: Command, name: str, change: Callable[[str], str]
) -> None:
    board = tmp_path / name
    board.parent.mkdir(parents=True, exist_ok=True)
    written(board, change(command("deal", 164).out))
    drawn = command("solve", board, "--draw").out
    assert "played with" in drawn.replace("\n", " ")
    for text in (
        drawn,
        drawn.replace("\n", "\n\n"),
        command("solve", board).out,
        drawn.replace("home\n\n", "home   # a comment\n\n", 3),
    ):
        done = command("verify", board, written(tmp_path / "solution", text))
        assert (done.status, done.err) == (0, ""), done
    for wrong in ("1a 2b", "change it", "x: played with 1a 2b", "Won: 1a 2b", "Stock: 1a 2b"):
        for text in (
            f"{wrong}\n{drawn}",
            f"{drawn}{wrong}\n",
            drawn.replace("\n", f"\n{wrong}\n", 3),
        ):
            refused(command("verify", board, written(tmp_path / "solution", text)), "line ")


def test_verify_refuses_what_stands_beside_a_drawn_solution(
    tmp_path: Path, command: Command
) -> None:
    drawn = command("solve", 164, "--draw").out
    assert command("verify", 164, written(tmp_path / "drawn", drawn)).status == 0
    for line in ("1h 2h", "2H 3H", "6z 7q prose", "nonsense", "7H", " 88."):
        refused(command("verify", 164, written(tmp_path / "below", drawn + line)), line.strip())
    refused(command("verify", 164, written(tmp_path / "above", "nonsense\n" + drawn)), "line 1: ")
    plain = command("solve", 164, "--format", "moves").out
    told = " 1. 17     the 6S from cascade 1"
    for text in (plain + told, f"{told}\n{plain}"):
        refused(command("verify", 164, written(tmp_path / "told", text)), "numbered move")


def test_verify_refuses_solutions_of_several_or_other_deals(
    tmp_path: Path, command: Command
) -> None:
    both = command("solve", "164-165", "--format", "moves").out
    refused(command("verify", 164, written(tmp_path / "both", both)), "the first 87 moves solve")
    moves, others = both.splitlines()
    for text, said in (
        (f"Deal 164\n{moves}\n\nDeal 165\n{others}", "lines 1 and 4"),
        (f"{moves}\n\nDeal 165\n{others}", "one solution"),
        (f"[{', '.join(moves.split())}]\n[{', '.join(others.split())}]", "one list of moves"),
        (f"```\n{moves}\n```\n```\n{others}\n```", "one solution"),
        (f"Deal 165\n{moves}", "expected a solution of deal 164, got one of 165"),
        (f"Game #165: \n{moves}", "got one of 165"),
    ):
        refused(command("verify", 164, written(tmp_path / "text", text)), said)
    line = records(command("solve", 164, "--format", "jsonl").out)[0]
    for key, other in (("deal", 165), ("game", "klondike")):
        file = written(tmp_path / key, json.dumps({**line, key: other}))
        refused(command("verify", 164, file), f"got one of {other!r}")
    fenced = f"```json\n{json.dumps(line)}\n```\n"
    assert command("verify", 164, written(tmp_path / "fenced", fenced)).status == 0
    refused(command("verify", 165, tmp_path / "fenced"), "deal 165, got one of 164")
    plain = json.dumps(line)
    for right in (f"Deal 164:\n{plain}", f"# mine\n\n{plain}\n# end", f"{plain}  # good"):
        assert command("verify", 164, written(tmp_path / "right", right)).status == 0
    for text, said in (
        (f"Deal 165\n{plain}", "deal 164, got one of 165"),
        (f"FreeCell game #164\n{plain}", ""),
        *((json.dumps({**line, "deal": deal}), "165") for deal in ("#165", " 165", "Deal 165")),
        *((json.dumps({**line, "deal": deal}), 'expected "deal"') for deal in (165.0, [165], True)),
        *((json.dumps({**line, "deal": deal}), f"one of {deal}") for deal in (10**20, -164, 0)),
        (f"Deal {10**20}\n{moves}", f"one of {10**20}"),
        (json.dumps({**line, "game": 5}), 'expected "game" to be a name, got 5'),
        (json.dumps({**line, "variant": [5]}), 'expected "variant" to be an object, got [5]'),
        (plain.replace("{", '{"moves": ["1a"], ', 1), "'moves' comes twice"),
        (f"{plain} 1a", "Extra data"),
        (f"1a\n{plain}", "line 2"),
    ):
        done = command("verify", 164, written(tmp_path / "text", text))
        assert done.status == 0 if not said else refused(done, said) is None
    named = written(tmp_path / "named", "FreeCell game #3\ndraw")
    refused(command("verify", 3, named, "--game", "klondike"), "klondike, got one of 'freecell'")
    with pytest.raises(gafreecell.BadInput, match="deal 165, got one of 164"):
        gafreecell.verify(165, fenced)


@pytest.mark.parametrize(
    "number", ["11,982", "\uff11\uff11\uff19\uff18\uff12", "11.982", "11 982", "#11982", "9" * 20]
)
def test_verify_heeds_the_number_in_a_head_however_it_is_written(
    tmp_path: Path, command: Command, number: str
) -> None:
    text = command("solve", 164).out.replace("Deal 164", f"Deal {number}")
    other = "got one of " + ("9" * 20 if number[0] == "9" else "11982")
    refused(command("verify", 164, written(tmp_path / "other", text)), other)


@pytest.mark.parametrize("between", [" ", "\n"])
def test_verify_names_the_number_that_a_list_lacks(
    tmp_path: Path, command: Command, between: str
) -> None:
    moves = command("solve", 164, "--format", "moves").out.split()
    listed = [f"{place}. {move}" for place, move in enumerate(moves, start=1)]
    whole = written(tmp_path / "whole", between.join(listed))
    assert command("verify", 164, whole).status == 0
    part = written(tmp_path / "part", between.join(listed[:5] + listed[6:]))
    refused(command("verify", 164, part), "expected number 6 of a list, got '7.'")
