"""The command line with ``--game klondike``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import ROOT, Command, records, refused, written

from deals import klondike
from gafreecell.solitaire.klondike.verifier import verify

GAME = ("--game", "klondike")


def test_solve_verify_and_deal_fit_together(tmp_path: Path, command: Command) -> None:
    done = command("solve", "1-8", *GAME, "--format", "jsonl")
    assert done.status == 0
    lines = records(done.out)
    assert [line["deal"] for line in lines] == list(range(1, 9))
    assert {line["status"] for line in lines} == {"solved", "unsolvable"}
    won = next(line for line in lines if line["status"] == "solved")
    assert won["game"] == "klondike"
    assert won["lengths"] == {"moves": len(won["moves"])}
    board = written(tmp_path / "board", command("deal", won["deal"], *GAME).out)
    right = command("verify", board, written(tmp_path / "line", json.dumps(won)), *GAME)
    assert (right.status, right.out) == (0, f"right: {len(won['moves'])} moves solve the deal\n")
    short = written(tmp_path / "short", " ".join(won["moves"][:-1]))
    wrong = command("verify", won["deal"], short, *GAME)
    assert wrong.status == 1
    assert "expected 52 cards home, got 51" in wrong.out


def test_shorter_solutions(command: Command) -> None:
    totals = []
    for budget in (0, 20_000):
        words = ("solve", "1-6", *GAME, "--format", "jsonl", "--set", f"shorten={budget}")
        lines = records(command(*words).out)
        for line in lines:
            assert verify(klondike(line["deal"]), line["moves"]).solved
        totals.append(sum(line["lengths"]["moves"] for line in lines))
    assert totals[1] < 0.95 * totals[0]


def test_reachable_cards_are_marked_and_read_again(tmp_path: Path, command: Command) -> None:
    plain = command("deal", 3, *GAME).out
    marked = command("deal", 3, *GAME, "--reachable").out
    stock = next(line for line in marked.splitlines() if line.startswith("Stock:")).split()[1:]
    assert [k for k, card in enumerate(stock) if card.startswith("(")] == list(range(2, 24, 3))
    assert command("deal", written(tmp_path / "marked", marked), *GAME).out == plain
    refused(
        command("deal", 3, "--reachable"), "FreeCell cannot mark the reachable cards of a talon"
    )


def test_solvers_side_by_side(command: Command) -> None:
    names = ["rollouts-2007", "man-machine-2005-n1", "complete"]
    done = command("evaluate", *names, *GAME, "--deals", "1-30", "--nodes", 20_000, "--jobs", 1)
    assert done.status == 0
    first_cells = [line.split("|")[1].strip() for line in done.out.splitlines() if "|" in line]
    assert first_cells[2:5] == names


def test_an_evolution_of_klondike(tmp_path: Path, command: Command) -> None:
    text = (ROOT / "runs" / "klondike-order.toml").read_text()
    text = text.replace("deals = 200", "deals = 8").replace("= 16", "= 4")
    job = written(tmp_path / "job.toml", text.replace("1900001-1901000", "1900001-1900008"))
    run = tmp_path / "run"
    assert command("evolve", job, "--out", run, "--generations", 2).status == 0
    assert command("plot", run, "-o", tmp_path / "f.png").status == 0
    weights = run / "weights" / "best.json"
    assert command("solve", 3, *GAME, "--weights", weights).status == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("KD " * 52, "KD"),
        (klondike(3).deal_text().rsplit(maxsplit=1)[0], "51"),
        (klondike(3).deal_text().replace("TD", "1D"), "1D"),
    ],
    ids=["doubled", "51 cards", "malformed"],
)
def test_impossible_deals_are_refused(
    tmp_path: Path, command: Command, text: str, words: str
) -> None:
    refused(command("solve", written(tmp_path / "deal", text), *GAME), words)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--nodes", "0"), "--nodes"),
        (("--seconds", "-1"), "--seconds"),
        (("--set", "nesting=3,1"), "complete"),
        (("--preset", "fast"), "rollouts-2007"),
        (("--cells", "3"), "Klondike has no option 'cells'"),
    ],
)
def test_wrong_options_are_refused(command: Command, more: tuple[str, ...], words: str) -> None:
    refused(command("solve", 3, *GAME, *more), words)


def test_an_unknown_card_is_refused(tmp_path: Path, command: Command) -> None:
    text = str(klondike(3))
    hidden = text[text.index("<") :][:4]
    file = written(tmp_path / "position", text.replace(hidden, "??"))
    refused(command("solve", file, *GAME), "??")
