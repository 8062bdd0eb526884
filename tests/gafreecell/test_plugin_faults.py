"""Plug-ins that fail or break their contract are named, and nothing is lost."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Command, job_table, package, refused, shell, written
from conftest import as_toml as toml
from handed_in import EasyFirst, HillClimb, Share
from own_cache import own_cache
from run_folders import ONE, same
from toy_game import Toy

import gafreecell
from deals.errors import BadInput
from gafreecell.cli.main import _is_unread
from gafreecell.evolution.generation import Genome, Learnt, Moment, Result
from gafreecell.installed import plugins
from gafreecell.runs.run import evolve, load, resume

pytestmark = pytest.mark.usefixtures("toy")

# Packages at fault

BROKEN = """
import os
from gafreecell import BaseGame, Feature

class Broken(BaseGame):
    name = "broken"
    features = (Feature("one", "the first"),)
    def deal(self, number):
        return number
    def solve(self, deal, weights, nodes):
        return 1 / 0

class Fault(BaseException):
    pass

class Other(Broken):
    name = "other"
    def write_board(self, board):
        raise {"pipe": BrokenPipeError, "exit": SystemExit, "base": Fault}[os.environ["FAULT"]]

class Lame:
    name = "lame"
    def run(self, tasks):
        return []

GAME, LAME, OTHER = Broken(), Lame(), Other()
"""
ENTRIES = """[gafreecell.games]
broken = broken_games:GAME
lame = broken_games:LAME
gone = no_such_module:GAME
other = broken_games:OTHER
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a package with games that do not work is installed, for processes, too."""
    site = package(tmp_path / "site", "broken-games", ENTRIES, broken_games=BROKEN)
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setenv("GAFREECELL_CACHE", own_cache(tmp_path / "cache"))
    return site


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_a_plug_ins_own_exception_is_shown_as_its_fault(
    installed: Path, tmp_path: Path, backend: str, command: Command
) -> None:
    job = {"name": "b", "generations": 1, "game": "broken", "trained": {"search": "solve"}}
    path = written(tmp_path / "b.toml", toml(job))
    words = ["evolve", path, "--out", tmp_path / "r", "--jobs", 2, "--backend", backend]
    done = (command if backend == "threading" else shell)(*words)
    assert done.status == 1
    assert "ZeroDivisionError" in done.err, "with its traceback"
    assert done.lines[-1].startswith("gafreecell: this is a bug in the game 'broken'")
    assert "broken_games.py" in done.lines[-1]
    assert "'lame'" not in done.lines[-1], "of the same package"
    assert re.search(r"raised by the game 'broken', deal \d+: solve", done.err)


@pytest.mark.parametrize("fault", ["pipe", "exit", "base"])
def test_whatever_a_plug_in_raises_it_does_not_end_the_command_without_a_word(
    installed: Path, fault: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAULT", fault)
    done = command("deal", 1, "--game", "other")
    assert done.status == 1
    assert {"pipe": "BrokenPipeError", "exit": "SystemExit", "base": "Fault"}[fault] in done.err
    assert done.lines[-1].startswith("gafreecell: this is a bug in the game 'broken'")


def test_a_stream_that_nobody_reads_is_known(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as pipe, (tmp_path / "file").open("w") as file:
        assert not _is_unread(pipe) and not _is_unread(file)
        os.close(reading)
        assert _is_unread(pipe)


@pytest.mark.parametrize("lacking", ["deal", "solve"])
def test_what_a_base_game_has_to_define_is_named(lacking: str) -> None:
    methods = {"deal": lambda self, number: number, "solve": lambda *_: ([], 1)}
    kept = {name: method for name, method in methods.items() if name != lacking}
    bare = type("Bare", (gafreecell.BaseGame,), {"name": "bare", "features": (), **kept})
    with pytest.raises(BadInput, match=rf"the game 'bare' has no {lacking}\("):
        gafreecell.solve(1, None, bare())


MEMBERS = (
    "check, deals, default_features, engine, features, scales, title, training, validation, "
    "variant, vary: gafreecell.BaseGame has"
)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("lame", f"the game 'lame' lacks {MEMBERS}"),
        ("gone", "the game 'gone' (no_such_module:GAME) cannot be loaded"),
        ("renamed", "the game 'renamed' calls itself 'broken'"),
        # The order of installation would decide what a job means.
        ("freecell", "more than one game 'freecell', broken_games:GAME and hsd.game:GAME"),
    ],
)
def test_a_game_at_fault_is_named(installed: Path, game: str, said: str, command: Command) -> None:
    if game in ("renamed", "freecell"):
        package(installed, "others", f"[gafreecell.games]\n{game} = broken_games:GAME\n")
    refused(command("solve", 1, "--game", game), said)


def test_other_games_are_not_hurt_by_one_that_cannot_be_loaded(
    installed: Path, command: Command
) -> None:
    done = command("verify", 1, "-", "--game", "broken", stdin="a b")
    refused(done, "Broken cannot verify solutions; freecell, klondike, pyramid, toy can")


# Parts that keep to their contract only by halves


class Stubborn(HillClimb):
    """What a part may do wrong; each test chooses."""

    name = "stubborn"
    wrong = ""

    def __init__(self, setting: Any) -> None:
        super().__init__(setting)
        if self.wrong == "baseline":
            setting.baseline([1])

    def ask(self) -> list[Genome]:
        solvers = super().ask()
        return solvers[:3] if self.wrong == "few" else solvers

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        learnt = super().tell(moment, results)
        if self.wrong == "wide":
            self._solvers = [tuple(2 * weight + 3 for weight in one) for one in self._solvers]
        if self.wrong == "taken":
            return Learnt(learnt.best, {"generation": 0})
        if self.wrong == "numpy":
            return Learnt(np.array(learnt.best), {"spread": np.float64(1)})  # type: ignore[arg-type]
        if self.wrong == "set":
            return Learnt(learnt.best, {"seen": {1, 2}})
        return learnt

    def state(self) -> dict[str, Any]:
        state = super().state()
        return {**state, "seen": {1, 2}} if self.wrong == "state" else state


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("few", "the trainer 'stubborn' must ask for 8 solvers of 3 weights, got 3"),
        ("baseline", "asks for the baseline while it is made"),
        ("taken", "must tell the log keys of its own, not generation"),
        ("wide", "must ask for weights in their ranges, got"),
        ("set", "what the trainer 'stubborn' tells the log must be plain"),
        ("state", "the state of the trainer 'stubborn' must be plain"),
    ],
)
def test_a_part_that_breaks_its_contract_is_named_before_anything_is_lost(
    wrong: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stubborn, "wrong", wrong)
    with pytest.raises(plugins.PluginError) as fault:
        evolve(job_table(), tmp_path / "r", ONE, trainer=Stubborn)
    assert said in str(fault.value)
    monkeypatch.setattr(Stubborn, "wrong", "")
    if (tmp_path / "r" / "state.json").exists():
        assert resume(tmp_path / "r", jobs=ONE, trainer=Stubborn).finished


@pytest.mark.parametrize(
    ("base", "method"),
    [
        (HillClimb, "__init__"),
        (HillClimb, "found"),
        (HillClimb, "tell"),
        (EasyFirst, "ask"),
        (Share, "fitness"),
        (Share, "check"),
    ],
)
def test_a_part_that_leaves_is_named_and_so_is_one_that_fails(
    base: Any, method: str, tmp_path: Path
) -> None:
    kind = {HillClimb: "trainer", EasyFirst: "scheme", Share: "measure"}[base]

    def leave(*_: object) -> Any:
        raise error

    error: BaseException = SystemExit(0)
    left = type("Left", (base,), {method: leave})
    what = "Left.check" if method == "check" else rf"the .*{kind} {base.name!r}: {method}"
    with pytest.raises(BadInput, match=rf"{what} called sys.exit\(0\): return, or raise"):
        evolve(job_table(), tmp_path / "r", ONE, **{kind: left})
    error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError) as fault:
        evolve(job_table(), tmp_path / "s", ONE, **{kind: left})
    assert re.fullmatch(f"raised by {what}", fault.value.__notes__[0])


def test_a_part_is_not_blamed_for_what_its_baseline_meets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(self: Toy, tasks: Any) -> Any:
        raise ZeroDivisionError

    class Asking(gafreecell.Measure):
        name = "asking"

        def fitness(self, results: Sequence[Result]) -> list[float]:
            monkeypatch.setattr(Toy, "run", run)
            return [one.spent for one in self.setting.baseline([3])]

    with pytest.raises(ZeroDivisionError) as fault:
        evolve(job_table(), tmp_path / "r", ONE, measure=Asking)
    assert [note for note in fault.value.__notes__ if note.startswith("raised")] == [
        "raised by the game 'toy', deal 3: run"
    ]


@pytest.mark.parametrize("given", [(3,), 3, ("step",), None])
def test_parameters_of_another_type_are_named(
    given: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stubborn, "parameters", given)
    said = "the trainer 'stubborn' must have a tuple of gafreecell.Parameter as parameters, got"
    with pytest.raises(gafreecell.BadInput, match=said):
        evolve(job_table(), tmp_path / "r", ONE, trainer=Stubborn)
    with pytest.raises(gafreecell.BadInput, match=said):
        evolve(job_table(), tmp_path / "r", ONE, trainer=Stubborn, options={"stubborn": {"a": 1}})


def test_numbers_of_numpys_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stubborn, "wrong", "numpy")
    run = evolve(job_table(), tmp_path / "r", ONE, trainer=Stubborn, seed=np.int64(5))
    assert load(run.folder).lines == run.lines


def test_a_state_is_what_a_run_folder_keeps_of_it(tmp_path: Path) -> None:
    """Tuples become lists and keys words, whether a run is interrupted or not."""

    class Keyed(HillClimb):
        name = "keyed"

        def state(self) -> dict[str, Any]:
            return {**super().state(), "seen": {len(self._solvers): (1, 2)}}

        def restore(self, state: Mapping[str, Any]) -> None:
            super().restore(state)
            assert state["seen"] == {"8": [1, 2]}

    whole = evolve(job_table(), tmp_path / "whole", ONE, trainer=Keyed)
    evolve(job_table(), tmp_path / "r", ONE, [lambda *_: True], trainer=Keyed)
    resume(tmp_path / "r", jobs=ONE)
    same(whole.folder, tmp_path / "r")


def test_no_fitness_depends_on_what_the_cache_held(tmp_path: Path) -> None:
    class Known(gafreecell.Measure):
        name = "known"

        def fitness(self, results: Sequence[Result]) -> list[float]:
            found = self.setting.baseline(results[0].encounter.deals)
            assert all(one.lengths is None and one.moves is None for one in found)
            return [float(sum(one.nodes.generated for one in found))] * len(results)

    for folder in ("first", "second"):
        evolve(job_table(generations=2), tmp_path / folder, ONE, measure=Known)
    same(tmp_path / "first", tmp_path / "second")
