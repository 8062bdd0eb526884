"""The command line with ``--game klondike``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import ROOT

from deals import klondike
from gafreecell.cli.main import run as command
from klondike.verifier import verify

GAME = ("--game", "klondike", "--no-progress")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = command(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def test_solve_verify_and_deal_fit_together(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, _ = run(capsys, "solve", "1-8", *GAME, "--format", "jsonl")
    assert status == 0
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["deal"] for line in lines] == list(range(1, 9))
    assert {line["status"] for line in lines} == {"solved", "unsolvable"}
    won = next(line for line in lines if line["status"] == "solved")
    assert won["game"] == "klondike"
    assert won["lengths"] == {"moves": len(won["moves"])}
    solution, board = tmp_path / "solution", tmp_path / "board"
    solution.write_text(json.dumps(won))
    _, text, _ = run(capsys, "deal", str(won["deal"]), *GAME)
    board.write_text(text)
    status, out, _ = run(capsys, "verify", str(board), str(solution), *GAME)
    assert (status, out) == (0, f"right: {len(won['moves'])} moves solve the deal\n")
    solution.write_text(" ".join(won["moves"][:-1]))
    status, out, _ = run(capsys, "verify", str(won["deal"]), str(solution), *GAME)
    assert status == 1
    assert "expected 52 cards home, got 51" in out


def test_shorter_solutions(capsys: pytest.CaptureFixture[str]) -> None:
    totals = []
    for budget in ("0", "20000"):
        words = ("solve", "1-6", *GAME, "--format", "jsonl", "--set", f"shorten={budget}")
        lines = [json.loads(line) for line in run(capsys, *words)[1].splitlines()]
        for line in lines:
            assert verify(klondike(line["deal"]), line["moves"]).solved
        totals.append(sum(line["lengths"]["moves"] for line in lines))
    assert totals[1] < 0.95 * totals[0]


def test_reachable_cards_are_marked_and_read_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _, plain, _ = run(capsys, "deal", "3", *GAME)
    _, marked, _ = run(capsys, "deal", "3", *GAME, "--reachable")
    stock = next(line for line in marked.splitlines() if line.startswith("Stock:")).split()[1:]
    assert [k for k, card in enumerate(stock) if card.startswith("(")] == list(range(2, 24, 3))
    file = tmp_path / "marked"
    file.write_text(marked)
    assert run(capsys, "deal", str(file), *GAME)[1] == plain
    status, _, err = run(capsys, "deal", "3", "--reachable", "--no-progress")
    assert status == 2
    assert "FreeCell has no talon" in err


def test_solvers_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rollouts-2007", "man-machine-2005-n1", "complete", *GAME, "--deals", "1-30")
    status, out, _ = run(capsys, "evaluate", *words, "--nodes", "20000", "--jobs", "1")
    assert status == 0
    for name in ("rollouts-2007", "man-machine-2005-n1", "complete"):
        assert name in out


def test_an_evolution_of_klondike(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    job = ROOT / "runs" / "klondike-order.toml"
    text = job.read_text().replace("deals = 200", "deals = 8").replace("= 16", "= 4")
    text = text.replace("1900001-1901000", "1900001-1900008")
    (tmp_path / "job.toml").write_text(text)
    out = tmp_path / "run"
    words = ("evolve", str(tmp_path / "job.toml"), "--out", str(out), "--generations", "2")
    assert run(capsys, *words, "--no-progress")[0] == 0
    assert run(capsys, "plot", str(out), "-o", str(tmp_path / "f.png"), "--no-progress")[0] == 0
    weights = str(out / "weights" / "best.json")
    status, _, _ = run(capsys, "solve", "3", *GAME, "--weights", weights)
    assert status == 0


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
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str
) -> None:
    file = tmp_path / "deal"
    file.write_text(text)
    status, out, err = run(capsys, "solve", str(file), *GAME)
    assert (status, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


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
def test_wrong_options_are_refused(
    capsys: pytest.CaptureFixture[str], more: tuple[str, ...], words: str
) -> None:
    try:
        status, _, err = run(capsys, "solve", "3", *GAME, *more)
    except SystemExit as ended:
        status, err = int(str(ended.code)), capsys.readouterr().err
    assert status == 2
    assert words in err


def test_an_unknown_card_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, text = tmp_path / "position", str(klondike(3))
    hidden = text[text.index("<") :][:4]
    file.write_text(text.replace(hidden, "??"))
    status, _, err = run(capsys, "solve", str(file), *GAME)
    assert status == 2
    assert "??" in err
