"""What can be brought: found by name, handed in, and shown as its author's where it fails."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Command, job_table, refused, shell, written
from conftest import as_toml as toml
from run_folders import ONE, same

import gafreecell
from deals.errors import BadInput
from gafreecell import plugins
from gafreecell.game import Game, game
from gafreecell.generation import Encounter, Genome, Learnt, Moment, Result
from gafreecell.job import JobError
from gafreecell.run import evolve, load, resume
from gafreecell.run_folder import RunError
from solving.features import Feature
from solving.outcome import Nodes, Outcome, Status, Task
from solving.parameters import Parameter, ParameterError

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What a test hands in is not known to the next."""
    yield
    plugins._handed.clear()


class HillClimb(gafreecell.Trainer):
    """Keeps the fittest and puts copies with small steps around it."""

    name = "hill-climb"
    parameters = (Parameter("step", 0.1, "share of a weight's range", 0.0, 1.0),)

    def found(self, moment: Moment) -> None:
        self._solvers = self.setting.uniform(self.setting.job.solvers.population, moment.rng(100))

    def ask(self) -> list[Genome]:
        return self._solvers

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        best = max(results, key=lambda result: result.fitness).solver
        spread = float(self.values["step"]) * moment.rng(101).normal(size=(len(results), len(best)))
        low, high = np.array([(f.low, f.high) for f in self.setting.features]).T
        steps = np.clip(np.array(best) + spread * (high - low), low, high)
        self._solvers = [best, *map(tuple, steps[1:].tolist())]
        return Learnt(best, {"spread": float(np.ptp(steps))})

    def state(self) -> dict[str, Any]:
        return {"solvers": self._solvers}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._solvers = [tuple(solver) for solver in state["solvers"]]


class EasyFirst(gafreecell.Scheme):
    """The pool's deals in turn, three a generation."""

    name = "in-turn"

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        first = 3 * (moment.generation - 1) % (len(self.setting.pool) - 3)
        return [Encounter(tuple(self.setting.pool[first : first + 3]))] * solvers


class Share(gafreecell.Measure):
    """The share of problems solved within a thousand nodes."""

    name = "share"

    def fitness(self, results: Sequence[Result]) -> list[float]:
        return [
            sum(o.status is Status.SOLVED and o.spent < 1000 for o in r.outcomes) / len(r.outcomes)
            for r in results
        ]


class Positions(gafreecell.BaseGame):
    """Stored positions with the regret of the move that the weights choose, and no deals."""

    name = "positions"
    features = (Feature("first", "the first move's worth"), Feature("second", "the second's"))
    training, validation = "training", "validation"

    def problems(self, name: str) -> list[str]:
        if name not in ("training", "validation"):
            raise ParameterError(f"there is no set {name!r}; there are training, validation")
        return [f"{name}-{number}" for number in range(1, 21)]

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        return [self._regret(task) for task in tasks]

    def _regret(self, task: Task) -> Outcome:
        assert task.evaluator is not None
        place = int(str(task.deal).partition("-")[2]) / 20
        weights = dict(zip(task.evaluator.features, task.evaluator.weights, strict=True))
        chosen = weights.get("first", 0) > weights.get("second", 0)
        regret = place if chosen else 1 - place
        return Outcome(Status.SOLVED, (), {"moves": 1}, Nodes(1, 1), 0.0, cost=regret)


class Countdown(gafreecell.BaseGame):
    name = "countdown"
    features = (Feature("stride", "how far a step goes", 0.0, 10.0, baseline=1.0),)

    def deal(self, number: int) -> int:
        return 10 * number

    def solve(self, deal: int, weights: np.ndarray, nodes: int) -> tuple[list[str] | None, int]:
        steps = -(-deal // max(1, round(weights[0])))
        return (["step"] * steps, steps) if steps <= nodes else (None, nodes)


# Handed in


def brought(tmp_path: Path, **changes: Any) -> dict[str, Any]:
    return {
        **job_table(),
        "options": {"hill-climb": {"step": 0.05}},
        "solvers": {"population": 8},
        **changes,
    }


@pytest.mark.usefixtures("toy")
def test_parts_can_be_handed_in_and_are_asked_for_again_by_name(tmp_path: Path) -> None:
    parts = {"trainer": HillClimb, "scheme": EasyFirst, "measure": Share}
    whole = evolve(brought(tmp_path), tmp_path / "whole", ONE, **parts)
    assert (whole.job.trainer, whole.job.scheme) == ("hill-climb", "in-turn")
    assert whole.job.fitness.measure == "share"
    assert all(line["spread"] > 0 for line in whole.lines)
    folder = tmp_path / "r"
    evolve(brought(tmp_path), folder, ONE, [lambda run, record: True], **parts)
    plugins._handed.clear()
    with pytest.raises(RunError, match=r"no fitness measure 'share'.*measure=\.\.\."):
        resume(folder, workers=ONE)
    with pytest.raises(RunError, match=r"no trainer 'hill-climb'.*trainer=\.\.\."):
        resume(folder, workers=ONE, measure=Share)
    assert resume(folder, workers=ONE, **parts).finished
    same(whole.folder, folder)


@pytest.mark.usefixtures("toy")
def test_a_class_of_ones_own_can_be_made_again_but_takes_no_registered_name() -> None:
    again = type("HillClimb", (HillClimb,), {})
    plugins.hand_in("trainer", HillClimb)
    plugins.hand_in("trainer", again)
    assert plugins.find("trainer", "hill-climb") is again
    taken = type("Mine", (HillClimb,), {"name": "genetic"})
    with pytest.raises(plugins.PluginError, match="registered as the trainer 'genetic'"):
        plugins.hand_in("trainer", taken)
    with pytest.raises(plugins.PluginError, match="with a name of its own"):
        plugins.hand_in("trainer", object())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"hill-climb": {"step": 3.0}}, "options.hill-climb: step must be 0 to 1"),
        ({"hill-climb": {"stride": 1}}, "hill-climb has no option 'stride'; it has step"),
        ({"hill-climb": 3}, "options.hill-climb must be a table"),
        ({"genetic": {"step": 0.1}}, "none called 'genetic'"),
    ],
)
@pytest.mark.usefixtures("toy")
def test_options_are_checked(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(JobError) as fault:
        evolve(brought(tmp_path, options=options), tmp_path / "r", ONE, trainer=HillClimb)
    assert said in str(fault.value)


def test_a_game_of_ten_lines_is_handed_in_evolved_and_solved(tmp_path: Path) -> None:
    job = {"name": "count", "generations": 4, "trained": {"search": "solve", "nodes": 5000}}
    for number, made in enumerate((Countdown, Countdown())):
        run = evolve(job, tmp_path / str(number), ONE, game=made, trainer="cma-es")
        assert run.job.deals.train == "1-1000", "the game's own"
        assert run.best.weights[0] > 1.0, "a longer stride than the baseline's"
        fewer, baseline = (
            gafreecell.solve(2000, weights, "countdown") for weights in (run.weights, None)
        )
        assert fewer.nodes.generated < baseline.nodes.generated == 20_000
        assert baseline.lengths == {"moves": 20_000}
    assert isinstance(Countdown(), Game)
    with pytest.raises(ParameterError, match="Countdown has no option 'cells'; it has none"):
        Countdown(cells=3)


def test_positions_whose_cost_is_not_nodes_are_trained_on(tmp_path: Path) -> None:
    """Problems need not be deals: here they are named positions, their cost is regret."""
    job = {"name": "regret", "generations": 3, "trained": {"search": "solve"}}
    job["problems"] = {"population": 6, "deals": 3}
    for number, scheme in enumerate(("coevolution", "resampled")):
        folder = tmp_path / str(number)
        run = evolve(job, folder, ONE, game=Positions, scheme=scheme)
        first, second = run.best.weights
        regrets = [place / 20 if first > second else 1 - place / 20 for place in range(1, 21)]
        assert run.best.value == pytest.approx(sum(regrets) / 20)
        evolve(job, tmp_path / f"{number}b", ONE, [lambda *_: True], game=Positions, scheme=scheme)
        resume(tmp_path / f"{number}b", workers=ONE)
        same(folder, tmp_path / f"{number}b")


# At fault

BROKEN = """
from gafreecell import BaseGame, Feature

class Broken(BaseGame):
    name = "broken"
    features = (Feature("one", "the first"),)
    def deal(self, number):
        return number
    def solve(self, deal, weights, nodes):
        return 1 / 0

class Lame:
    name = "lame"
    def run(self, tasks):
        return []

GAME, LAME = Broken(), Lame()
"""


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which a package with two games that do not work is installed."""
    site = tmp_path / "site"
    (site / "broken_games-1.0.dist-info").mkdir(parents=True)
    written(site / "broken_games.py", BROKEN)
    written(site / "broken_games-1.0.dist-info" / "METADATA", "Name: broken-games\nVersion: 1.0\n")
    written(
        site / "broken_games-1.0.dist-info" / "entry_points.txt",
        "[gafreecell.games]\nbroken = broken_games:GAME\nlame = broken_games:LAME\n"
        "gone = no_such_module:GAME\n",
    )
    return {"PYTHONPATH": str(site), "GAFREECELL_CACHE": str(tmp_path / "cache")}


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_a_plug_ins_own_exception_is_shown_as_its_fault(
    installed: dict[str, str], tmp_path: Path, backend: str
) -> None:
    job = {"name": "b", "generations": 1, "game": "broken", "trained": {"search": "solve"}}
    path = written(tmp_path / "b.toml", toml(job))
    words = ["evolve", path, "--out", tmp_path / "r", "--jobs", 2, "--backend", backend]
    done = shell(*words, env=installed, cwd=ROOT)
    assert done.status == 1
    assert "ZeroDivisionError" in done.err, "with its traceback"
    assert done.lines[-1].startswith("gafreecell: this is a fault of the game 'broken'")
    assert "broken_games.py" in done.lines[-1]


def test_a_missing_member_is_named(installed: dict[str, str]) -> None:
    done = shell("solve", 1, "--game", "lame", env=installed, cwd=ROOT)
    refused(done, "the game 'lame' lacks check, default_features", "scales", "gafreecell.BaseGame")
    assert "name" not in done.err.partition("lacks ")[2].split(":")[0].split(", ")


@pytest.mark.parametrize("lacking", ["deal", "solve"])
def test_what_a_base_game_has_to_define_is_named(lacking: str) -> None:
    methods = {"deal": lambda self, number: number, "solve": lambda *_: ([], 1)}
    kept = {name: method for name, method in methods.items() if name != lacking}
    bare = type("Bare", (gafreecell.BaseGame,), {"name": "bare", "features": (), **kept})
    with pytest.raises(BadInput, match=rf"the game 'bare' has no {lacking}\("):
        gafreecell.solve(1, None, bare())


def test_a_plug_in_that_cannot_be_loaded_is_named(installed: dict[str, str]) -> None:
    done = shell("solve", 1, "--game", "gone", env=installed, cwd=ROOT)
    refused(done, "the game 'gone' (no_such_module:GAME) cannot be loaded", "no_such_module")


def test_other_games_are_not_hurt_by_one_that_cannot_be_loaded(installed: dict[str, str]) -> None:
    done = shell("verify", 1, "-", "--game", "broken", stdin="a b", env=installed, cwd=ROOT)
    refused(done, "Broken has no verifier; freecell, klondike, pyramid can")


# Asked for by type


def test_what_a_game_cannot_do_is_said_with_those_that_can(command: Command) -> None:
    for words, said in (
        (["play", 1, "--game", "freecell", "--policy", "best"], "FreeCell has no hidden cards"),
        (["solve", 1, "--draw"], "FreeCell has no drawing of solutions; pyramid can"),
        (["solve", 1, "--goal", "score"], "FreeCell has one goal only: all cards home; pyramid"),
        (["deal", 1, "--reachable"], "FreeCell has no talon"),
        (["solve", 1, "--game", "klondike", "--rows"], "Klondike writes its boards in one way"),
    ):
        refused(command(*words), said)


@pytest.mark.usefixtures("toy")
def test_options_of_a_game_of_someone_elses_are_variants_too(command: Command) -> None:
    assert "180 nodes" in command("solve", 5, "--game", "toy", "--variant", "slow=3").out


def test_any_option_of_a_game_is_a_variant(command: Command) -> None:
    three = command("solve", "1-3", "--cells", 3, "--format", "jsonl")
    words = ["solve", "1-3", "--variant", "cells=3", "--format", "jsonl"]
    both = [line.partition('"seconds"')[0] for line in command(*words).out.splitlines()]
    assert both == [line.partition('"seconds"')[0] for line in three.out.splitlines()]
    refused(command("solve", 1, "--variant", "cells=9"), "cells must be 0 to 7, got 9")
    refused(command("solve", 1, "--variant", "colour=red"), "no option 'colour'; it has cascades")
    refused(command("solve", 1, "--variant", "cells"), "--variant takes KEY=VALUE")
    both = command("solve", 1, "--variant", "cells=3", "--cells", 2, "--format", "jsonl")
    assert both.status == 0, "the short form has the last word"


def test_any_parameter_of_a_policy_can_be_set(command: Command) -> None:
    short = command("play", "1-2", "--policy", "best", "--samples", 20)
    words = ["play", "1-2", "--policy", "best", "--set", "samples=20"]
    cut = [line.partition('"seconds"')[0] for line in command(*words).out.splitlines()]
    assert cut == [line.partition('"seconds"')[0] for line in short.out.splitlines()]
    refused(command("play", 1, "--policy", "best", "--set", "width=3"), "no parameter 'width'")


def test_the_built_in_games_can_do_what_mypy_was_told() -> None:
    """``protocols.py`` states it by type, and the configuration has mypy read that module."""
    import tomllib

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    assert "tests/gafreecell/protocols.py" in settings["files"]
    for name in ("freecell", "klondike", "pyramid"):
        assert not plugins.missing(game(name), Game)


def test_help_loads_no_game() -> None:
    code = "import sys\nfrom gafreecell.cli.main import run\n"
    code += "try: run(['--help'])\nexcept SystemExit: pass\n"
    code += "assert not {'numba', 'numpy', 'matplotlib'} & set(sys.modules), sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=ROOT)


def test_a_run_says_which_of_its_parts_is_gone(toy: Any, tmp_path: Path) -> None:
    evolve(brought(tmp_path), tmp_path / "r", ONE, [lambda *_: True], trainer=HillClimb)
    plugins._handed.clear()
    with pytest.raises(RunError, match="trainer: there is no trainer 'hill-climb'"):
        load(tmp_path / "r")


# Where a part keeps to its contract only by halves


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: evolve([1]), "a job is a gafreecell.Job, a mapping or the path"),  # type: ignore
        (lambda: evolve(None), "a job is a gafreecell.Job"),  # type: ignore[arg-type]
        (lambda: gafreecell.Workers("2"), "jobs must be positive"),  # type: ignore[arg-type]
        (lambda: gafreecell.solve("164"), "a deal is a number or a board"),
        (lambda: gafreecell.solve(7, [1, 2]), "weights are a name, a path or"),  # type: ignore
        (lambda: gafreecell.solve(7, game=3), "game is a name or a game"),  # type: ignore
        (lambda: gafreecell.solve(7, "fast", nodes=-1), "nodes must be positive"),
    ],
)
def test_a_wrong_type_gets_a_sentence(call: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        call()


@pytest.mark.usefixtures("toy")
def test_a_number_of_workers_and_a_single_callback_will_do(tmp_path: Path) -> None:
    seen: list[int] = []
    evolve(job_table(), tmp_path / "r", 2, lambda run, record: seen.append(run.generation))
    assert seen == [1, 2, 3, 4, 5, 6]


def test_two_of_a_name_are_refused(installed: dict[str, str], tmp_path: Path) -> None:
    """Else the order of installation would decide what a job means."""
    other = tmp_path / "site" / "other-1.0.dist-info"
    other.mkdir()
    written(other / "METADATA", "Name: other\nVersion: 1.0\n")
    written(other / "entry_points.txt", "[gafreecell.games]\nfreecell = broken_games:GAME\n")
    done = shell("solve", 1, env=installed, cwd=ROOT)
    refused(done, "more than one game 'freecell', broken_games:GAME and hsd.game:GAME")


def test_the_name_that_is_registered_is_the_games_own(
    installed: dict[str, str], tmp_path: Path
) -> None:
    entries = tmp_path / "site" / "broken_games-1.0.dist-info" / "entry_points.txt"
    written(entries, "[gafreecell.games]\nother = broken_games:GAME\n")
    done = shell("solve", 1, "--game", "other", env=installed, cwd=ROOT)
    refused(done, "the game 'other' calls itself 'broken'")


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


@pytest.mark.usefixtures("toy")
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
        assert resume(tmp_path / "r", workers=ONE, trainer=Stubborn).finished


@pytest.mark.usefixtures("toy")
def test_numbers_of_numpys_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stubborn, "wrong", "numpy")
    run = evolve(job_table(), tmp_path / "r", ONE, trainer=Stubborn, seed=np.int64(5))
    assert load(run.folder).lines == run.lines


@pytest.mark.usefixtures("toy")
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
    resume(tmp_path / "r", workers=ONE)
    same(whole.folder, tmp_path / "r")


@pytest.mark.usefixtures("toy")
def test_no_fitness_depends_on_what_the_cache_held(tmp_path: Path) -> None:
    class Known(gafreecell.Measure):
        name = "known"

        def fitness(self, results: Sequence[Result]) -> list[float]:
            found = self.setting.baseline(results[0].encounter.problems)
            assert all(one.lengths is None and one.moves is None for one in found)
            return [float(sum(one.nodes.generated for one in found))] * len(results)

    for folder in ("first", "second"):
        evolve(job_table(generations=2), tmp_path / folder, ONE, measure=Known)
    same(tmp_path / "first", tmp_path / "second")


def test_a_variant_that_is_handed_in_is_the_jobs(tmp_path: Path) -> None:
    class Sized(Countdown):
        name = "sized"
        options = (Parameter("size", 1, "how many matches are worth a deal", 1, 9),)

        def deal(self, number: int) -> int:
            return super().deal(number) * int(self.variant["size"])

    job = {"name": "s", "generations": 2, "trained": {"search": "solve", "nodes": 5000}}
    run = evolve(job, tmp_path / "r", ONE, [lambda *_: True], game=Sized(size=5))
    assert run.job.variant == run.weights.variant == {"size": 5}
    assert resume(run.folder, workers=ONE, game=Sized(size=9)).job.load_game().variant == {
        "size": 5
    }
    assert gafreecell.solve(1, run.weights, "sized").lengths is not None
    small = gafreecell.solve(9, None, Sized(size=2)).nodes.generated
    assert small == gafreecell.solve(18, None, Sized()).nodes.generated


def test_weights_are_played_in_the_variant_they_were_made_for() -> None:
    import hsd

    weights = hsd.preset("fast")
    two = gafreecell.Weights("freecell", {"cascades": 8, "cells": 2}, weights.evaluator,
                             weights.search, weights.limits)  # fmt: skip
    own = gafreecell.solve(1, two)
    assert own.nodes == gafreecell.solve(1, "fast", hsd.FreeCell(cells=2)).nodes
    assert own.nodes != gafreecell.solve(1, two, hsd.FreeCell(cells=4)).nodes


def test_a_registered_game_can_be_handed_in_in_a_variant(tmp_path: Path) -> None:
    import hsd

    job = {
        "name": "three",
        "generations": 1,
        "trained": {"search": "best-first", "nodes": 500},
        "solvers": {"population": 2},
        "scheme": "fixed",
        "sample": {"deals": 2},
        "deals": {"validation": "1-2"},
    }
    run = evolve(job, tmp_path / "r", ONE, game=hsd.FreeCell(cells=3))
    assert run.job.variant == {"cascades": 8, "cells": 3}


def test_a_class_without_source_keeps_nothing_on_disk(tmp_path: Path) -> None:
    code = """
import gafreecell
class Made(gafreecell.BaseGame):
    name = "made"
    features = (gafreecell.Feature("one", "the first", baseline=1.0),)
    def deal(self, number): return number
    def solve(self, deal, weights, nodes): return [], 1 + deal
job = {"name": "m", "generations": 1, "trained": {"search": "solve"}, "solvers": {"population": 2}}
gafreecell.evolve(job, "r", gafreecell.Workers(1), game=Made)
print(Made().engine)
"""
    engines = set()
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, "-"],
            input=code,
            capture_output=True,
            text=True,
            cwd=folder,
            env={"PYTHONPATH": str(ROOT), "GAFREECELL_CACHE": str(tmp_path / "cache")},
            check=True,
        )
        engines.add(done.stdout)
    assert len(engines) == 2
    assert not list((tmp_path / "cache").glob("baselines/*"))


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("trainer", "said"),
    [
        (type("Half", (gafreecell.Trainer,), {"name": "half"}), "lacks ask, found, restore"),
        (type("Bare", (), {"name": "bare"}), "no subclass of gafreecell.Trainer"),
        (EasyFirst, "no subclass of gafreecell.Trainer"),
        (3, "trainer= takes the name of one that is registered, or a subclass of"),
    ],
)
def test_what_is_no_trainer_is_refused(trainer: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as fault:
        evolve(job_table(), tmp_path / "r", ONE, trainer=trainer)
    assert said in str(fault.value)
    assert not (tmp_path / "r").exists()


def test_streams_of_trainer_and_scheme_are_their_own() -> None:
    moment = Moment(5, 3)
    streams = [moment.of_part(part).rng(100).random() for part in (1, 2)]
    assert len(set(streams)) == 2
    shared = [moment.of_part(part).rng(0) for part in (1, 2)]
    assert shared[0] is shared[1], "founders are drawn from one stream"
