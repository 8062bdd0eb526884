"""The command line as a whole: help, completion, output, presets, a game of someone else's.

Commands run in this process where nothing depends on it, which saves loading numba anew.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from conftest import COMMAND, ROOT, Command, File, refused, rows_of, shell, without_seconds
from handed_in import Countdown

import gafreecell
import hsd
from gafreecell.cli.arguments import parser
from gafreecell.evolution.job import job_text
from gafreecell.evolution.job_reading import read_job
from gafreecell.evolution.key_list import keys_of, tables
from gafreecell.installed import plugins

COMMANDS: dict[str, argparse.ArgumentParser] = next(
    dict(action.choices)
    for action in parser()._actions
    if isinstance(action, argparse._SubParsersAction)
)


# Help


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; from gafreecell.cli.main import run\n"
        "try: run(['--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('numba', 'numpy', 'joblib', 'deap', 'matplotlib', 'scipy', 'rich')"
        " if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert shell("--help").status == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # Processor time, and the best of several: the machine may be busy with something else.
    assert min(seconds() for _ in range(5)) < 0.3


def test_the_command_alone_shows_its_help(command: Command) -> None:
    done = command()
    assert (done.status, done.out) == (2, "")
    assert done.err == command("--help").out == command("help").out
    assert all(f"\n  {name:<12}" in done.err for name in COMMANDS)
    assert "  play        watch the computer play Klondike with hidden cards\n" in done.err


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_examples_that_parse_and_its_statuses(
    command: Command, name: str
) -> None:
    done = command("help", name)
    assert (done.status, done.err) == (0, "")
    assert done.out == command(name, "--help").out
    assert done.out.startswith(f"usage: gafreecell {name} ")
    assert "--no-progress" in done.out and "docs/" not in done.out
    examples, statuses = done.out.partition("examples:\n")[2].split("\n\nexit status:\n")
    assert f"gafreecell {name}" in examples
    for line in examples.replace('eval "$(', "").replace(')"', "").splitlines():
        for one in line.split("|"):
            words = shlex.split(one, comments=True)
            if words[0] == "gafreecell":
                parser().parse_args(words[1 : words.index(">") if ">" in words else None])
    assert {int(line.split()[0]) for line in statuses.splitlines()} >= {0, 2, 130}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("solve", "three cards a draw, redeals without limit"),
        ("solve", "counted in single moves"),
        ("solve", "--game G freecell, klondike, pyramid"),
        ("play", "can be won alone and lost in a list"),
        ("play", "does not see the face-down cards of the piles. It knows the cards of the stock"),
        ("rate", "each line has the score in its measures"),
        ("hint", "can be won, the same for each move; four times as many are drawn at most"),
    ],
)
def test_rules_units_and_seeds_are_explained(command: Command, name: str, said: str) -> None:
    assert said in command("help", name).said


# Completion

EACH = """
import os, sys
# Each of the processes would load them.
import deap.tools, hsd.solver
from gafreecell.cli.main import main
for line in sys.argv[1:]:
    print("\\n" + line, flush=True)
    if not os.fork():
        os.environ |= {"COMP_LINE": line, "COMP_POINT": str(len(line))}
        main([])
    _, status = os.wait()
    assert status == 0, line
"""
FOLLOWING = {
    "gafreecell so": {"solve"},
    "gafreecell solve 1 --pre": {"--preset"},
    "gafreecell solve 1 --preset sh": {"short", "shortest"},
    "gafreecell solve 1 --game kl": {"klondike"},
    "gafreecell solve 1 --game klondike --preset co": {"complete"},
    "gafreecell solve 1 --search bea": {"beam"},
    "gafreecell evaluate fas": {"fast", "fastest"},
    "gafreecell play 1 --policy ho": {"hop", "hop-uct"},
    "gafreecell plot runs/freecell-nine --kind fr": {"front"},
    "gafreecell solve 1 --format json": {"jsonl"},
    "gafreecell help com": {"compare", "completion"},
    "gafreecell solve ms32k-te": {"ms32k-test"},
    "gafreecell evaluate fast --deals ms32k-te": {"ms32k-test"},
    "gafreecell solve 1 --search staged --set dep": {"depth="},
    "gafreecell evaluate fast --set dep": {"depth="},
    "gafreecell evolve job.toml --set validation.fail": {"validation.failure="},
    "gafreecell list keys val": {"validation"},
    "gafreecell list tr": {"trainers"},
}


@pytest.fixture(scope="module")
def completed() -> Mapping[str, set[str]]:
    """What a shell is told that may follow each line: a process for each, as it exits."""
    settings = {"": "1", "_IFS": "\n", "_STDOUT_FILENAME": "/dev/stdout"}
    done = subprocess.run(
        [sys.executable, "-c", EACH, *FOLLOWING],
        env={**os.environ, **{f"_ARGCOMPLETE{name}": value for name, value in settings.items()}},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, set[str]] = {}
    for word in filter(None, done.stdout.splitlines()):
        if word in FOLLOWING:
            found[word] = following = set()
        else:
            following.add(word.strip())
    return found


def test_parts_and_keys_are_listed(command: Command, toy: Any) -> None:
    every = command("list")
    assert every.status == 0
    rows = {row[0]: row[1] for row in rows_of(every.out)}
    for kind in ("trainer", "scheme", "measure", "figure"):
        for name in plugins.names(kind):
            assert rows[name] and "cannot be loaded" not in rows[name]
    assert "log(nodes + 300)" in rows["log-nodes"]
    assert rows["cxBlend"] == "crossover of deap.tools; options: alpha"
    alone = command("list", "trainers")
    assert alone.out in every.out and "genetic" in alone.out and "resampled" not in alone.out

    # Every key of a job that is written out is listed, and no other.
    written, section = set(), "job"
    for line in job_text(read_job(ROOT / "runs/demo.toml")).splitlines():
        section = line[1:-1] if line.startswith("[") else section
        written |= {f"{section}.{line.partition(' = ')[0]}"} if " = " in line else set()
    listed = {
        f"{name}.{key.name}"
        for name, kind in tables().items()
        for key in keys_of(kind)
        if name not in ("exports", "phases")
    }
    assert written == listed
    overview = " ".join(command("list", "keys").out.split())
    for name in (*tables(), "study", "study.test"):
        shown = {row[0]: row[1:] for row in rows_of(command("list", "keys", name).out) if row[0]}
        assert {key for key in listed if key.partition(".")[0] == name} <= {
            f"{name}.{key}" for key in shown
        }
        assert f"| {name} " in overview and all(key in overview for key in [*shown][2:])
        assert "..." not in command("list", "keys", name).out
    assert {"cactus", "phases", "ranks", "selTournamentDCD"} <= rows.keys()
    one = command("list", "keys", "stop")
    assert [row[0] for row in rows_of(one.out)][2:] == ["patience", "target", "evaluations"]
    refused(command("list", "keys", "solver"), "no table 'solver'", "did you mean 'solvers'")
    refused(command("list", "trainers", "solvers"), "only keys are listed by table")
    assert command("list", "problems").status == 2


@pytest.mark.parametrize("line", FOLLOWING)
def test_a_shell_is_told_what_may_follow(line: str, completed: Mapping[str, set[str]]) -> None:
    assert completed[line] == FOLLOWING[line]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_code_that_names_the_command(command: Command, shell: str) -> None:
    done = command("completion", shell)
    assert (done.status, done.err) == (0, "")
    assert "gafreecell" in done.out


# Output


def test_a_word_like_no_other_gets_no_guess(command: Command) -> None:
    assert "did you mean" not in command("solve", "1", "--preset", "xyzzy").err


def test_a_reader_that_goes_away_is_no_error() -> None:
    pipe = 'set -o pipefail; "$@" | head -n 2; exit "${PIPESTATUS[0]}"'
    line = ["bash", "-c", pipe, "bash", *COMMAND, "deal", "1-5000"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 2


def test_a_dash_is_standard_output(command: Command) -> None:
    line = command("solve", 1, "--format", "jsonl", "-o", "-").out
    assert without_seconds(line) == [{**command.records("solve", 1)[0], "seconds": None}]
    reference = ROOT / "runs" / "freecell-nine"
    weights = json.loads(command("export", reference, "-o", "-").out)
    committed = json.loads((reference / "weights" / "best.json").read_text(encoding="utf-8"))
    assert weights["evaluator"] == committed["evaluator"]
    assert weights["provenance"]["package"] == gafreecell.__version__
    assert command("--version").out == f"gafreecell {gafreecell.__version__}\n"


def test_ctrl_c_while_modules_load_leaves_no_traceback(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a second passes before a command's code is there, and that is no time to misbehave."""

    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("importlib.import_module", interrupted)
    assert command("solve", 1).status == 130


# Presets


def test_presets_are_listed_with_features_searches_and_options(command: Command) -> None:
    done = command("presets")
    assert (done.status, done.err) == (0, "")
    names = [line for line in done.out.partition("\n\n")[0].splitlines() if line[0] != " "]
    default = hsd.GAME.default_preset
    assert names == [f"{n} (default)" if n == default else n for n in hsd.GAME.presets]
    rows = rows_of(done.out)
    assert all([feature.name, feature.meaning] in rows for feature in hsd.GAME.features)
    for name, search in hsd.solver.SOLVER.searches.items():
        for parameter in search.parameters:
            known = [name, parameter.name, str(parameter.default)]
            (meaning,) = [row[3] for row in rows if row[:3] == known]
            assert meaning.startswith(f"{parameter.meaning}; ")
    weighed = "all but HSDH, DifferenceFromTop, LeastAboveNext, DeadlockBound"
    assert ["schedule", weighed] in rows
    assert [row[:2] for row in rows if row[0] in hsd.GAME.variant] == [
        [name, str(value)] for name, value in hsd.GAME.variant.items()
    ]
    assert "None" not in done.out
    assert max(map(len, done.out.splitlines())) < 80


def test_presets_list_nothing_that_a_game_lacks(command: Command) -> None:
    pyramid = command("presets", "--game", "pyramid").out
    assert pyramid.startswith("optimal (default)\n  a-star\n  a search without weights, optimal by")
    assert not re.search("evolved|features|options of the game", pyramid)
    plugins.hand_in("game", Countdown)
    rows = rows_of(command("presets", "--game", "countdown").out)
    assert ["solve", "none", "", ""] in rows


def test_a_preset_is_told_with_its_phases_and_weights(command: Command) -> None:
    rows = rows_of(command("presets", "fast").out)
    evaluator = hsd.GAME.preset("fast").evaluator
    assert evaluator is not None
    assert [row[2] for row in rows if row[0] == "1"] == ["800"]
    weights = {row[0]: row[1:] for row in rows if len(row) == 6 and row[0] in evaluator.features}
    for name, *row in zip(evaluator.features, *evaluator.rows, strict=True):
        assert [float(cell) for cell in weights[name]] == pytest.approx(row, abs=5.1e-4)
    linear = rows_of(command("presets", "hsdh").out)
    assert ["HSDH", "1.000"] in linear and not any(row[0] == "phase" for row in linear)


# A game of someone else's


@pytest.mark.usefixtures("toy")
def test_a_registered_game_has_the_whole_command_line(file: File, command: Command) -> None:
    solved = command.records("solve", "--game", "toy", "1-3")
    assert [record["moves"] for record in solved] == [["go"] * n for n in (8, 5, 2)]
    assert command("deal", "--game", "toy", "4-5").out == "toy 4\n\ntoy 5\n"
    moves = file("go go")
    assert command("verify", "--game", "toy", "3", moves).status == 0
    assert command("verify", "--game", "toy", "1", moves).status == 1
    assert "guess" in command("presets", "--game", "toy").out
    assert "toy 1" in shell("deal", "--game", "toy", "1").out
    assert "30 deals" in command("evaluate", "--game", "toy", "guess", "--deals", "few").out
    refused(command("solve", "--game", "toy", "1", "--cells", "3"), "cells", "slow")
    refused(command("solve", "--game", "chess", "1"), "chess", "freecell", "toy")
    refused(command("hint", 1, "--game", "toy"), "Toy cannot list its moves; freecell")


@pytest.mark.usefixtures("toy")
def test_a_solution_that_does_not_replay_is_never_printed(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    import toy_game

    monkeypatch.setattr(toy_game.Toy, "verify", lambda *_: "they do not fit")
    done = command("solve", "--game", "toy", "3", "--format", "jsonl")
    refused(done, "deal 3: Toy's search", "its verifier refuses: they do not fit")
