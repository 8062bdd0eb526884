"""The command line as a whole: help, usage, output, presets, and a game of someone else's.

Commands run in this process where nothing depends on it, which saves loading numba anew.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import (
    COMMAND,
    ROOT,
    Command,
    records,
    refused,
    rows_of,
    shell,
    without_seconds,
    written,
)
from handed_in import Countdown

import gafreecell
import hsd
from gafreecell.installed import plugins

COMMANDS = (
    "evolve", "resume", "show", "export", "plot", "evaluate", "solve", "deal", "verify", "presets",
    "play", "rate",
)  # fmt: skip


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; from gafreecell.cli.main import run\n"
        "try: run(['--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('numba', 'numpy', 'joblib', 'deap', 'matplotlib', 'scipy', 'rich')"
        " if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert all(name in done.stdout for name in COMMANDS)

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert shell("--help").status == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # Processor time, and the best of several: the machine may be busy with something else.
    assert min(seconds() for _ in range(5)) < 0.3


def test_the_version(command: Command) -> None:
    assert command("--version").out.startswith("gafreecell 0.")


@pytest.mark.parametrize("words", [["dance"], ["solve"], ["--loud"], ["solve", "1", "--loud"]])
def test_bad_usage_gets_a_line_and_a_hint(command: Command, words: list[str]) -> None:
    done = command(*words)
    refused(done, "--help")
    assert len(done.lines) == 2


def test_an_option_that_comes_twice_is_refused(command: Command) -> None:
    both = "--only comes twice, with 'solved' and 'unsolvable': give it once"
    refused(command("solve", 164, "--only", "solved", "--only", "unsolvable"), both)
    refused(command("solve", 164, "-o", "a.jsonl", "--output=b.jsonl"), "-o comes twice")
    again = ("--variant", "cells=5", "--variant", "cascades=8")
    assert command("deal", 164, *again).status == command("deal", 165, *again).status == 0


def test_a_reader_that_goes_away_is_no_error() -> None:
    pipe = 'set -o pipefail; "$@" | head -n 2; exit "${PIPESTATUS[0]}"'
    done = subprocess.run(
        ["bash", "-c", pipe, "bash", *COMMAND, "deal", "1-5000"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 2


def test_a_dash_is_standard_output(command: Command) -> None:
    plain = command("solve", 1, "--format", "jsonl").out
    assert without_seconds(command("solve", 1, "--format", "jsonl", "-o", "-").out) == (
        without_seconds(plain)
    )
    reference = ROOT / "runs" / "freecell-nine"
    exported = command("export", reference, "-o", "-")
    weights = json.loads(exported.out)
    committed = json.loads((reference / "weights" / "best.json").read_text(encoding="utf-8"))
    assert weights["evaluator"] == committed["evaluator"]
    assert weights["provenance"]["package"] == gafreecell.__version__


def test_an_export_leaves_other_weights_alone(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    for _ in range(2):
        assert command("export", ROOT / "runs" / "freecell-nine", "-o", file).status == 0
    kept = file.read_bytes()
    refused(command("export", ROOT / "runs" / "freecell-fast", "-o", file), str(file), "exists")
    assert file.read_bytes() == kept


def test_presets_are_listed_with_the_features(command: Command) -> None:
    done = command("presets")
    assert (done.status, done.err) == (0, "")
    names = [line for line in done.out.partition("\n\n")[0].splitlines() if line[0] != " "]
    default = hsd.GAME.default_preset
    assert names == [f"{n} (default)" if n == default else n for n in hsd.GAME.presets]
    rows = rows_of(done.out)
    assert all([feature.name, feature.meaning] in rows for feature in hsd.GAME.features)
    assert "None" not in done.out
    assert max(map(len, done.out.splitlines())) < 80


def test_a_preset_is_told_with_its_phases_and_weights(command: Command) -> None:
    rows = rows_of(command("presets", "fast").out)
    evaluator = hsd.GAME.preset("fast").evaluator
    assert evaluator is not None
    assert [row[2] for row in rows if row[0] == "1"] == ["800"]
    weights = {
        row[0]: [float(cell) for cell in row[1:]]
        for row in rows
        if len(row) == 6 and row[0] in evaluator.features
    }
    for name, *row in zip(evaluator.features, *evaluator.rows, strict=True):
        assert weights[name] == pytest.approx(row, abs=5.1e-4)
    linear = rows_of(command("presets", "hsdh").out)
    assert ["HSDH", "1.000"] in linear and not any(row[0] == "phase" for row in linear)
    refused(command("presets", "fsat"), "there is no preset 'fsat'", "fast")


def test_presets_say_which_features_a_search_weighs(command: Command) -> None:
    rows = rows_of(command("presets").out)
    told = "all but HSDH, DifferenceFromTop, LeastAboveNext, DeadlockBound"
    assert ["schedule", told] in rows


def test_presets_list_every_search_with_its_parameters(command: Command) -> None:
    rows = rows_of(command("presets").out)
    for name, search in hsd.solver.SOLVER.searches.items():
        for parameter in search.parameters:
            known = [name, parameter.name, str(parameter.default)]
            (meaning,) = [row[3] for row in rows if row[:3] == known]
            assert meaning.startswith(f"{parameter.meaning}; ")


def test_presets_list_what_a_game_has_and_nothing_else(command: Command) -> None:
    pyramid = command("presets", "--game", "pyramid").out
    assert pyramid.startswith("optimal (default)\n  a-star\n  a search without weights, optimal by")
    assert "evolved" not in pyramid
    assert "features" not in pyramid
    assert "options of the game" not in pyramid
    rows = rows_of(command("presets", "--game", "freecell").out)
    assert [row[:2] for row in rows if row[0] in hsd.GAME.variant] == [
        [name, str(value)] for name, value in hsd.GAME.variant.items()
    ]
    plugins.hand_in("game", Countdown)
    rows = rows_of(command("presets", "--game", "countdown").out)
    assert ["solve", "none", "", ""] in rows


@pytest.mark.usefixtures("toy")
def test_a_registered_game_has_the_whole_command_line(tmp_path: Path, command: Command) -> None:
    solved = command("solve", "--game", "toy", "1-3", "--format", "jsonl")
    assert [record["moves"] for record in records(solved.out)] == [["go"] * n for n in (8, 5, 2)]
    assert command("deal", "--game", "toy", "4-5").out == "toy 4\n\ntoy 5\n"
    moves = written(tmp_path / "moves", "go go")
    assert command("verify", "--game", "toy", "3", moves).status == 0
    assert command("verify", "--game", "toy", "1", moves).status == 1
    assert "guess" in command("presets", "--game", "toy").out
    assert "toy 1" in shell("deal", "--game", "toy", "1").out
    table = command("evaluate", "--game", "toy", "guess", "known", "--deals", "few")
    assert "30 deals" in table.out
    refused(command("solve", "--game", "toy", "1", "--cells", "3"), "cells", "slow")
    refused(command("solve", "--game", "chess", "1"), "chess", "freecell", "toy")


@pytest.mark.usefixtures("toy")
def test_a_solution_that_does_not_replay_is_never_printed(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    import toy_game

    monkeypatch.setattr(toy_game, "hardness", lambda deal: 3)
    real = toy_game.solution
    monkeypatch.setattr(toy_game.Toy, "verify", lambda *_: "they do not fit")
    assert real(1) == ("go",) * 3
    done = command("solve", "--game", "toy", "1", "--format", "jsonl")
    refused(done, "deal 1: Toy's search", "its verifier refuses: they do not fit")
    assert not done.out


def test_ctrl_c_while_modules_load_leaves_no_traceback(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a second passes before a command's code is there, and that is no time to misbehave."""

    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("importlib.import_module", interrupted)
    assert command("solve", 1).status == 130
