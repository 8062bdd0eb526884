"""The command ``verify``: which solutions it calls right, and which files it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Command, File, records, refused, written

import gafreecell

RAW = ROOT / "tests" / "hsd" / "data" / "fc_solve_raw"
MOVES = (
    "17 15 17 1h 13 1h 1h 5h 6h 6h 3h 41 46 4a 4b 4c 4d 4h b4 14 7b 7h 76 21 81 81 26 28 2h 5h dh "
    "bh 24 24 a4 35 7a 26 32 72 82v2 72 7h 3h 7b 37 3h 8d 8h bh 1h 6h 5h 84 62v3 6b 6h 1h 1h 2h "
    "2h 4h 5h 6h ah ch 2h 2h 4h 4h 5h 5h bh 2h 2h 4h 5h 5h 6h dh 2h 2h 3h 3h 4h 4h 7h"
)
"""A solution of deal 164."""
OTHERS = "4h 8h 1a 1b 1h 86 8h 7c 7h 6h 57 3d 37 62 6h 53 57 a5 1a 25"
"""The beginning of one of deal 165."""


def json_line(**changes: Any) -> str:
    """The solution of deal 164 as a line of JSON."""
    line = {"game": "freecell", "deal": 164, "status": "solved", "moves": MOVES.split()}
    return json.dumps({**line, **changes})


def listed(moves: str) -> str:
    return f"[{', '.join(moves.split())}]"


def test_verify_tells_right_from_wrong(file: File, command: Command) -> None:
    line = command("solve", 617, "--format", "jsonl").out
    moves = records(line)[0]["moves"]
    right = command("verify", 617, file(" ".join(moves)))
    assert (right.status, right.err) == (0, "")
    assert right.out.startswith(f"right: {len(moves)} moves")
    assert command("verify", "-", file(line), stdin=command("deal", 617).out).status == 0
    assert command("verify", 617, "-", stdin="\n".join(moves)).status == 0
    assert command("verify", 617, file(command("solve", 617).out)).status == 0
    for wrong in (moves[:-1], moves[1:], [*moves[:5], "6h", *moves[5:]]):
        done = command("verify", 617, file(" ".join(wrong)))
        assert (done.status, done.err) == (1, "")
        assert done.out.startswith("wrong: ")
        assert len(done.out.splitlines()) == 1
    assert command("verify", 618, file(" ".join(moves))).status == 1
    said = f"the first {len(moves)} moves solve the deal: expected no moves after them"
    refused(command("verify", 617, file(" ".join([*moves, "1a"]))), said)
    damaged = file("\n".join([*moves[:5], "zz", *moves[5:]]))
    refused(command("verify", 617, damaged), str(damaged), "line 6", "'zz'")
    refused(command("verify", "-", "-"), "cannot both come from standard input")


def test_verify_takes_the_rules_that_a_text_names(file: File, command: Command) -> None:
    solved = command("solve", 164, "--cells", 5, "--cascades", 7).out
    assert solved.startswith("FreeCell with 7 cascades, 5 cells\nDeal 164: solved, length single")
    right = command("verify", 164, file(solved))
    # The replay counts what the search counted.
    lengths = solved.splitlines()[1].partition(", ")[2].partition(";")[0]
    assert right.status == 0 and right.out.endswith(f", {lengths}\n")
    assert command("verify", 164, file(solved), "--cells", 4).status == 1


def test_verify_says_how_it_read_a_solution(file: File, command: Command) -> None:
    published = "26 76 72 72 5a 27 57 67 1b 61 41 4h 4h 41 45 34 3c 6d 5b"
    done = command("verify", 10913, file(published))
    how = "with 50 automatic home moves by Microsoft's rule"
    counts = "length single 85, column 69, manual 17"
    assert (done.status, done.out) == (0, f"right: 69 moves solve the deal, {counts} ({how})\n")
    read = gafreecell.verify(10913, published)
    assert read and (read.reason, read.how) == ("", how)
    wrong = command("verify", 10913, file(published.replace("34", "35")))
    assert (wrong.status, wrong.err) == (1, "") and wrong.out.startswith("wrong: move 16 '35': ")
    assert gafreecell.verify(10913, published.split()[:9]).reason.startswith("after move 9: ")


def test_verify_takes_the_raw_output_of_fc_solve(file: File, command: Command) -> None:
    raw = RAW / "1_m.txt"
    assert command("verify", 1, raw).status == 0
    assert command("verify", 1, "-", stdin=raw.read_text()).status == 0
    assert command("verify", 617, raw).status == 1
    refused(command("verify", 11982, RAW / "11982_m.txt"), "I could not solve this game.")


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
    tmp_path: Path, file: File, command: Command, name: str, change: Callable[[str], str]
) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    board = written(tmp_path / name, change(command("deal", 164).out))
    drawn = command("solve", board, "--draw").out
    assert "played with" in drawn.replace("\n", " ")
    for text in (
        drawn,
        drawn.replace("\n", "\n\n"),
        command("solve", board).out,
        drawn.replace("home\n\n", "home   # a comment\n\n", 3),
    ):
        done = command("verify", board, file(text))
        assert (done.status, done.err) == (0, ""), done
    for wrong in ("1a 2b", "change it", "x: played with 1a 2b", "Won: 1a 2b", "Stock: 1a 2b"):
        inside = drawn.replace("\n", f"\n{wrong}\n", 3)
        for text in (f"{wrong}\n{drawn}", f"{drawn}{wrong}\n", inside):
            refused(command("verify", board, file(text)), "line ")


# What is refused


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" \n", "is empty"),
        ("{", "file"),
        ('{"moves": 5}', "file"),
        (json_line(status="node-limit", moves=None), "file"),
        ("[]", "file"),
        (b"\xff\xfe", "file"),
        ("Deal 164: unsolvable after 65,343 nodes, 9 s", "expected a solution, got"),
        ("Deal 164: not decided within 10 nodes; 10 nodes, 9 s", "'Deal 164: not decided"),
        # Other deals and games
        (f"Deal 164\n{MOVES}\n\nDeal 165\n{OTHERS}", "lines 1 and 4"),
        (f"{listed(MOVES)}\n{listed(OTHERS)}", "one list of moves"),
        (f"Deal 165\n{MOVES}", "expected a solution of deal 164, got one of 165"),
        (f"Game #165: \n{MOVES}", "got one of 165"),
        (f"Deal {10**20}\n{MOVES}", f"one of {10**20}"),
        (f"Deal 165\n{json_line()}", "deal 164, got one of 165"),
        (json_line(deal=165), "got one of 165"),
        *((json_line(deal=deal), "165") for deal in ("#165", " 165", "Deal 165")),
        *((json_line(deal=deal), 'expected "deal"') for deal in (165.0, [165], True)),
        *((json_line(deal=deal), f"one of {deal}") for deal in (10**20, -164, 0)),
        (json_line(game="klondike"), "got one of 'klondike'"),
        (json_line(game=5), 'expected "game" to be a name, got 5'),
        (json_line(variant=[5]), 'expected "variant" to be an object, got [5]'),
        (json_line().replace("{", '{"moves": ["1a"], ', 1), "'moves' comes twice"),
        (f"{json_line()} 1a", "Extra data"),
        (f"1a\n{json_line()}", "line 2"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_text_that_is_no_solution_is_refused(
    file: File, command: Command, text: str | bytes, said: str
) -> None:
    refused(command("verify", 164, file(text)), "file", said)


@pytest.mark.parametrize(
    "text",
    [
        f"Deal 164:\n{json_line()}",
        f"# mine\n\n{json_line()}\n# end",
        f"{json_line()}  # good",
        f"FreeCell game #164\n{json_line()}",
        f"```json\n{json_line()}\n```\n",
    ],
)
def test_what_stands_around_a_line_of_json_may_stay(
    file: File, command: Command, text: str
) -> None:
    assert command("verify", 164, file(text)).status == 0
    refused(command("verify", 165, file(text)), "deal 165, got one of 164")
    with pytest.raises(gafreecell.BadInput, match="deal 165, got one of 164"):
        gafreecell.verify(165, text)


def test_the_game_in_a_heading_counts(file: File, command: Command) -> None:
    done = command("verify", 3, file("FreeCell game #3\ndraw"), "--game", "klondike")
    refused(done, "klondike, got one of 'freecell'")


def test_verify_refuses_what_stands_beside_a_drawn_solution(file: File, command: Command) -> None:
    drawn = command("solve", 164, "--draw").out
    assert command("verify", 164, file(drawn)).status == 0
    for line in ("1h 2h", "2H 3H", "6z 7q prose", "nonsense", "7H", " 88."):
        refused(command("verify", 164, file(drawn + line)), line.strip())
    refused(command("verify", 164, file("nonsense\n" + drawn)), "line 1: ")
    told = " 1. 17     the 6S from cascade 1"
    for text in (f"{MOVES}\n{told}", f"{told}\n{MOVES}"):
        refused(command("verify", 164, file(text)), "numbered move")


@pytest.mark.parametrize(
    "number", ["11,982", "\uff11\uff11\uff19\uff18\uff12", "11.982", "11 982", "#11982", "9" * 20]
)
def test_verify_heeds_the_number_in_a_head_however_it_is_written(
    file: File, command: Command, number: str
) -> None:
    text = command("solve", 164).out.replace("Deal 164", f"Deal {number}")
    other = "9" * 20 if number[0] == "9" else "11982"
    refused(command("verify", 164, file(text)), f"got one of {other}")
