"""Games given as rules on the command line and in Python: by name, and by a file of one's own."""

from __future__ import annotations

import json
import pickle
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import gafreecell
from deals.errors import BadInput
from gafreecell.cli.main import run as command
from gafreecell.runs import portfolio
from gafreecell.solitaire.game import game
from gafreecell.testing import check_game

RULES = """\
title = "My Game"

[piles]
count = 9
build = "suit"
space = "king"

[cells]
count = 3
"""
JOB: dict[str, Any] = {
    "name": "mine",
    "trainer": "cma-es",
    "scheme": "resampled",
    "generations": 2,
    "trained": {"search": "portfolio", "nodes": 2_000},
    "fitness": {"measure": "log-nodes"},
    "sample": {"deals": 2},
    "deals": {"train": "1001-1020", "validation": "3001-3010"},
}


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a file of rules in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("my-game.toml").write_text(RULES)
    return "my-game.toml"


def test_games_are_listed_by_family(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["with an engine of their own", "  freecell  FreeCell"]
    assert lines.index("spider") < lines.index("yukon")
    assert any(
        line.split() == ["eight-off", "Eight", "Off", "(also", "eightoff)"] for line in lines
    )


def test_the_rules_of_a_game_are_told(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["games", "seahaven"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Seahaven Towers (--game seahaven-towers, seahaven")
    assert "Build the piles down in suit." in told
    assert command(["games", rules]) == 0
    assert "Each of 3 free cells" in capsys.readouterr().out
    assert command(["games", "my-game"]) == 2
    assert "give the file of its rules, my-game.toml" in capsys.readouterr().err


def test_the_familys_weights_keep_a_name(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(rules).write_text('family = "freecell"\n' + RULES)
    mine, named = game(rules), ("evolved", "family", "baseline")
    assert mine.presets == named
    assert mine.preset("evolved").evaluator == mine.preset("family").evaluator
    text = mine.preset("baseline").to_text()
    Path("my-game-weights.json").write_text(text)
    beside = game(f"./{rules}")
    assert beside.preset("evolved").evaluator == mine.preset("baseline").evaluator
    assert beside.preset("family").evaluator == mine.preset("family").evaluator
    assert game("free-cell").presets == ("evolved", "baseline")
    assert command(["presets", "--game", rules]) == 0
    assert "evolved for free-cell: run " in capsys.readouterr().out
    Path(rules).write_text('family = "frecell"\n' + RULES)
    assert command(["solve", "1", "--game", rules]) == 2
    assert "family must be canfield or castle" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["yukon-cells", "double-canfield", "golf", "fortunes-favor"])
def test_drawn_solutions_are_verified(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["solve", "2", "--game", name, "--draw", "--no-progress"]) == 0
    drawn = capsys.readouterr().out
    file = tmp_path / "drawn.txt"
    file.write_text(drawn)
    assert command(["verify", "2", str(file), "--game", name]) == 0
    lines = drawn.splitlines()
    last = max(place for place, line in enumerate(lines) if re.match(r" *[0-9]+\. ", line))
    file.write_text("\n".join([*lines[:last], *lines[last + 1 :]]))
    assert command(["verify", "2", str(file), "--game", name]) == 1
    file.write_text("\n".join([*lines[:last], "and so on", *lines[last:]]))
    assert command(["verify", "2", str(file), "--game", name]) == 2
    assert f"line {last + 1}: expected a numbered move" in capsys.readouterr().err


def test_deal_is_a_move_on_a_line_of_its_own() -> None:
    east = game("easthaven")
    solved = gafreecell.solve(1, game="easthaven")
    assert solved.moves is not None and "deal" in solved.moves
    assert east.read_moves("\n".join(solved.moves)) == [*solved.moves]  # type: ignore[attr-defined]


def test_a_game_goes_by_any_of_its_names() -> None:
    assert game("seahaven") is game("seahaven-towers")
    assert game("seahaven").name == "seahaven-towers"
    with pytest.raises(BadInput, match="there is no game 'bakers-gam'"):
        game("bakers-gam")


def test_a_file_of_rules_is_a_game(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["solve", "1-3", "--game", rules, "--format", "jsonl", "--no-progress"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["game"] for one in told] == [rules] * 3
    mine = game(rules)
    assert {one["status"] for one in told} == {"solved", "unsolvable"}
    for one in told:
        if one["moves"]:
            assert not mine.verify(mine.deal(one["deal"]), one["moves"])  # type: ignore[attr-defined]
    assert command(["deal", "1", "--game", rules]) == 0
    Path("board.txt").write_text(capsys.readouterr().out)
    assert (
        command(["solve", "board.txt", "--game", rules, "--format", "jsonl", "--no-progress"]) == 0
    )
    assert json.loads(capsys.readouterr().out)["moves"] == told[0]["moves"]


def test_a_fault_in_a_file_of_rules_names_file_and_key(
    rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(rules).write_text(RULES + "filld = 1\n")
    assert command(["solve", "1", "--game", rules]) == 2
    message = capsys.readouterr().err
    assert "my-game.toml: cells.filld is not a key" in message
    assert "did you mean 'filled'" in message
    assert command(["solve", "1", "--game", "no-game.toml"]) == 2
    assert "there is no file no-game.toml in" in capsys.readouterr().err
    for name in ("x" * 300, f"{'x' * 300}.toml"):
        assert command(["solve", "1", "--game", name]) == 2
        assert "there is no " in capsys.readouterr().err


def test_weights_are_evolved_for_a_file_of_rules(rules: str) -> None:
    run = gafreecell.evolve({**JOB, "game": rules}, out="run", jobs=2, progress=False)
    assert run.job.game == rules
    again = gafreecell.evolve({**JOB, "game": rules}, out="again", jobs=1, progress=False)
    assert again.best == run.best
    assert pickle.loads(pickle.dumps(game(rules))) is game(rules)


@pytest.mark.parametrize("name", ["bakers-game", "klondike-deal-1"])
def test_a_game_of_the_library_keeps_the_contract(name: str) -> None:
    made = {*check_game(name, nodes=500)}
    assert made >= {"verifier", "boards", "presets", "weights", "evolution"}


SHORT = ["--generations", "2", "--jobs", "1", "--set", "deals.train=1001-1100"]
SHORT += ["--set", "deals.validation=3001-3040", "--set", "sample.deals=4"]


def test_a_game_alone_is_trained_in_phases_and_the_command_goes_on(
    rules: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portfolio, "PHASES", {"a": 2, "b": 2})
    monkeypatch.setattr(portfolio, "MOST", 250)
    evolve = ["evolve", "--game", rules, *SHORT]
    assert command(evolve) == 0
    assert "--game my-game.toml --weights out/my-game/b" in capsys.readouterr().out
    run = gafreecell.load("out/my-game/b")
    evaluator = run.weights.evaluator
    assert evaluator is not None
    assert [phase.nodes for phase in evaluator.phases] == [250, None]
    # As if it had been killed before the second phase began.
    shutil.rmtree(run.folder)
    assert command(evolve) == 0
    assert gafreecell.load("out/my-game/b").weights == run.weights
    assert (
        "out/my-game/b: phase b, 2 generations with 1,000 nodes a deal" in capsys.readouterr().err
    )
    # By another path, and beside the rules, where the game takes them by itself.
    other = Path.cwd() / rules
    solve = ["solve", "1", "--game", str(other), "--no-progress"]
    assert command([*solve, "--weights", "out/my-game/b"]) == 0
    assert game(f"./{rules}").default_preset == "baseline"  # type: ignore[attr-defined]
    assert command(["export", "out/my-game/b", "-o", "my-game-weights.json"]) == 0
    beside = game(f"../{other.parent.name}/{rules}")
    assert beside.preset("evolved").evaluator == evaluator  # type: ignore[attr-defined]
    assert command([*evolve, "--seed", "2"]) == 2
    assert "out/my-game/a holds a run of another job" in capsys.readouterr().err


def test_a_game_that_cannot_be_won_is_not_trained(tmp_path: Path) -> None:
    # Each pile has 13 cards, and none may move.
    file = tmp_path / "lost.toml"
    file.write_text('title = "Lost"\npiles = { count = 4, build = "none", space = "none" }')
    with pytest.raises(gafreecell.BadInput, match="Lost has nothing to learn"):
        gafreecell.evolve_game(str(file), tmp_path / "out", 1)


def test_the_portfolio_ends_where_few_deals_are_left(tmp_path: Path) -> None:
    changes = {"deals": {"train": "1001-1100", "validation": "3001-3010"}, "generations": 1}
    run = gafreecell.evolve_game("eight-off", tmp_path, 1, **changes)
    assert run.folder == tmp_path / "a"
    assert not (tmp_path / "b").exists()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "notes.txt").write_text("mine")
    gafreecell.evolve_game("eight-off", tmp_path, 1, **changes)
    assert (tmp_path / "b" / "notes.txt").exists()
    with pytest.raises(gafreecell.BadInput, match=f"name one of the runs in it: {tmp_path}/a"):
        gafreecell.load(tmp_path)


def test_evolve_takes_a_job_or_a_game(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["job.toml", "--game", rules]):
        assert command(["evolve", *words]) == 2
        assert "expected a job file, or --game and the name of a game" in capsys.readouterr().err
    assert command(["evolve", rules]) == 2
    assert "my-game.toml is a game, not a job" in capsys.readouterr().err
    assert command(["serve", "--game", rules, "--game", f"./{rules}"]) == 2
    assert "/play/my-game would belong to two games" in capsys.readouterr().err
