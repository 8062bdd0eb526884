"""What can be brought, handed in or registered under a name, and what games can do besides."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest
from conftest import ROOT, Command, as_toml, job_table, package, refused, without_seconds
from handed_in import Countdown, EasyFirst, HillClimb, Positions, Share
from operators_brought import any_of_the_best, halfway, step
from run_folders import ONE, same, snapshot

import gafreecell
import hsd
from deals.errors import BadInput
from gafreecell.evolution.generation import Learnt, Moment, Result
from gafreecell.evolution.job import Export, JobError, job_text
from gafreecell.evolution.job_reading import make_job, parse_job
from gafreecell.installed import plugins
from gafreecell.runs.folder import RunError
from gafreecell.runs.run import evolve, load, resume
from gafreecell.solitaire.game import Game, game
from gafreecell.solving.parameters import Parameter, ParameterError
from gafreecell.solving.settings import Between, Word

pytestmark = pytest.mark.usefixtures("toy")

# Parts

OWN = {"crossover": halfway, "mutation": step, "selection": any_of_the_best}


PARTS: dict[str, Any] = {"trainer": HillClimb, "scheme": EasyFirst, "measure": Share}


def brought(**changes: Any) -> dict[str, Any]:
    return {**job_table(), "options": {"hill-climb": {"step": 0.05}}, **changes}


def test_parts_can_be_handed_in_and_are_asked_for_again_by_name(tmp_path: Path) -> None:
    whole = evolve(brought(), tmp_path / "whole", ONE, **PARTS)
    assert (whole.job.trainer, whole.job.scheme) == ("hill-climb", "in-turn")
    assert whole.job.fitness.measure == "share"
    assert all(line["spread"] > 0 for line in whole.lines)
    folder = tmp_path / "r"
    evolve(brought(), folder, ONE, [lambda run, record: True], **PARTS)
    plugins._handed.clear()
    with pytest.raises(RunError, match=r"'hill-climb', .*'in-turn', the .*'share' are not i"):
        resume(folder, jobs=ONE)
    with pytest.raises(RunError, match=r"no fitness measure 'share'.*measure=\.\.\."):
        resume(folder, jobs=ONE, trainer=HillClimb, scheme=EasyFirst)
    plugins._handed.clear()
    gone = r"job\.toml: trainer: there is no trainer 'hill-climb'.*trainer=\.\.\."
    for total in (None, 9):
        with pytest.raises(RunError, match=gone):
            resume(folder, total, ONE, measure=Share, scheme=EasyFirst)
    assert resume(folder, jobs=ONE, **PARTS).finished
    same(whole.folder, folder)


def test_a_part_that_is_not_the_runs_is_refused(broken: Path) -> None:
    before = snapshot(broken)
    for kind, part, said in [
        ("game", "freecell", "the game 'toy', not with 'freecell': leave out game="),
        ("game", Countdown, "the game 'toy', not with 'countdown'"),
        ("trainer", HillClimb, "the trainer 'genetic', not with 'hill-climb'"),
        ("trainer", "cma-es", "the trainer 'genetic', not with 'cma-es'"),
        ("scheme", EasyFirst, "the scheme 'coevolution', not with 'in-turn'"),
        ("measure", Share, "the measure 'node-reduction', not with 'share'"),
        ("mutation", step, "no mutation of its own, not with 'step'"),
        ("selection", "selBest", "no selection of its own, not with 'selBest'"),
    ]:
        for use in (resume, load):
            with pytest.raises(RunError) as fault:
                use(broken, **{kind: part})  # type: ignore[operator]
            assert said in str(fault.value)
    assert snapshot(broken) == before
    assert resume(broken, jobs=ONE, trainer="genetic", measure="node-reduction").finished


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
        ({"genetic": {"step": 0.1}}, "nothing in this job is called 'genetic'"),
    ],
)
def test_options_are_checked(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(JobError) as fault:
        evolve(brought(options=options), tmp_path / "r", ONE, trainer=HillClimb)
    assert said in str(fault.value)


@dataclass(frozen=True)
class Climb:
    step: Annotated[float, Between(0, 1)] = 0.1
    ways: tuple[str, ...] = ()
    up: bool = True


class Climber(HillClimb):
    name = "climber"
    tables: ClassVar = {"climber": Climb}

    def tell(self, moment: Moment, results: Sequence[Result]) -> Learnt:
        self.values["step"] = self.setting.job.table(Climb).step
        return super().tell(moment, results)


def test_a_part_has_a_table_of_its_own_in_a_job() -> None:
    plugins.hand_in("trainer", Climber)
    text = as_toml(job_table(trainer="climber", climber={"step": 0.05}))
    job = parse_job(text, "j.toml")
    assert job.climber == job.table(Climb) == Climb(0.05)
    assert "\n[climber]\nstep = 0.05\nways = []\nup = true\n" in job_text(job)
    assert parse_job(job_text(job), "again") == job == make_job(job)
    assert "[climber]\nstep = 0.1\n" in job_text(make_job(job_table(trainer="climber")))
    assert "climber" not in job_text(make_job(job_table()))
    words = {"step": Word("0.2"), "ways": Word("a,b"), "up": Word("false")}
    set_by_hand = parse_job(text, "j.toml", {"climber": words})
    assert set_by_hand.table(Climb) == Climb(0.2, ("a", "b"), False)
    assert len({job.digest, set_by_hand.digest, make_job(job, climber={"step": 0.1}).digest}) == 3
    plain = make_job(job_table(trainer="climber", climber={"step": 0.1}))
    default = make_job(job_table(trainer="climber"))
    assert plain.digest == default.digest, "a default changes nothing"
    stride = r"line \d+: climber.stride .*; \[climber\] has step, ways, up"
    table = "climbers is not a key .*nsga, climber, operators.* 'climber'"
    for wrong, said in [
        ({"climber": {"step": 2.0}}, r"line \d+: climber.step must be 0 to 1, got 2.0"),
        ({"climber": {"stride": 1}}, stride),
        ({"climber": {"up": 1}}, "climber.up must be true or false, got 1"),
        ({"trainer": "random"}, "climber.step: the trainer random does .*use the trainer climber"),
        ({"climbers": {"step": 1.0}}, table),
    ]:
        bad = job_table(**{"trainer": "climber", "climber": {"step": 0.05}, **wrong})
        with pytest.raises(JobError, match=said):
            parse_job(as_toml(bad), "j.toml")


def test_tables_of_parts_are_mappings_of_dataclasses_with_names_of_their_own() -> None:
    mapping = "must have a mapping of names to frozen dataclasses with a default"
    for tables, said in [
        ({"cma": Climb}, r"the trainer 'climber' cannot have a table \[cma\]"),
        ({"stop": Climb}, r"the trainer 'climber' cannot have a table \[stop\]"),
        *((tables, mapping) for tables in ({"climber": int}, {"climber": Export}, Climb)),
    ]:
        plugins.hand_in("trainer", type("Climber", (Climber,), {"tables": tables}))
        with pytest.raises(JobError, match=said):
            make_job(job_table(trainer="climber"))


def test_a_run_with_a_table_of_a_part_is_read_without_it(tmp_path: Path) -> None:
    table = job_table(trainer="climber", climber={"step": 0.05})
    whole = evolve(table, tmp_path / "whole", ONE, trainer=Climber)
    evolve(table, tmp_path / "r", ONE, [lambda *_: True], trainer=Climber)
    plugins._handed.clear()
    assert load(tmp_path / "whole").job.tables["climber"] == {"step": 0.05, "ways": [], "up": True}
    assert resume(tmp_path / "whole", jobs=ONE).finished, "there is nothing to do"
    with pytest.raises(RunError, match="there is no trainer 'climber'"):
        resume(tmp_path / "r", 9, ONE)
    assert resume(tmp_path / "r", jobs=ONE, trainer=Climber).finished
    same(whole.folder, tmp_path / "r")


def test_a_run_is_read_without_what_it_was_made_with(tmp_path: Path, command: Command) -> None:
    made = evolve(brought(generations=2), tmp_path / "r", ONE, **PARTS)
    evolve(job_table(generations=2), tmp_path / "mutation", ONE, mutation=step)
    evolve(job_table(generations=2), tmp_path / "some", ONE, measure=Share, **OWN)
    plugins._handed.clear()
    assert load(tmp_path / "r").lines == made.lines
    assert resume(tmp_path / "r", jobs=ONE).finished, "there is nothing to do"
    for name in ("r", "some"):
        folder = tmp_path / name
        for words in (
            ["show", folder],
            ["export", folder, "-o", tmp_path / f"{name}.json"],
            ["compare", folder, "--deals", "201-202"],
            ["plot", folder, "--kind", "fitness", "-o", tmp_path / f"{name}.svg"],
        ):
            assert command(*words).status == 0
    refused(command("resume", tmp_path / "mutation", "--generations", 3), "no mutation 'step'")
    refused(
        command("resume", tmp_path / "some", "--generations", 3),
        *("the measure 'share'", "the crossover 'halfway'", "the mutation 'step'"),
        *("the selection 'any_of_the_best'", "mutation=..., selection=... from Python"),
    )


@pytest.mark.parametrize(
    ("trainer", "said"),
    [
        (type("Half", (gafreecell.Trainer,), {"name": "half"}), "must define ask, found, restore"),
        (type("Bare", (), {"name": "bare"}), "must be a subclass of gafreecell.Trainer"),
        (EasyFirst, "must be a subclass of gafreecell.Trainer"),
        (3, "trainer= takes a registered name, or a subclass of"),
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


# Games

FEW: dict[str, Any] = {
    "solvers": {"population": 8},
    "problems": {"population": 4},
    "deals": {"validation": "2001-2010"},
}


def test_a_game_of_ten_lines_is_handed_in_evolved_and_solved(tmp_path: Path) -> None:
    job = {"name": "count", "generations": 4, "trained": {"search": "solve", "nodes": 5000}, **FEW}
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
    """Deals need not be cards: here they are named positions, their cost is regret."""
    job = {"name": "regret", "generations": 3, "trained": {"search": "solve"}}
    job["solvers"] = FEW["solvers"]
    job["problems"] = {"population": 6, "deals": 3}
    for number, scheme in enumerate(("coevolution", "resampled")):
        folder = tmp_path / str(number)
        run = evolve(job, folder, ONE, game=Positions, scheme=scheme)
        first, second = run.best.weights
        regrets = [place / 20 if first > second else 1 - place / 20 for place in range(1, 21)]
        assert run.best.value == pytest.approx(sum(regrets) / 20)
        evolve(job, tmp_path / f"{number}b", ONE, [lambda *_: True], game=Positions, scheme=scheme)
        resume(tmp_path / f"{number}b", jobs=ONE)
        same(folder, tmp_path / f"{number}b")


def test_a_variant_that_is_handed_in_is_the_jobs(tmp_path: Path) -> None:
    class Sized(Countdown):
        name = "sized"
        options = (Parameter("size", 1, "how many matches are worth a deal", 1, 9),)

        def deal(self, number: int) -> int:
            return super().deal(number) * int(self.variant["size"])

    job = {"name": "s", "generations": 2, "trained": {"search": "solve", "nodes": 5000}, **FEW}
    run = evolve(job, tmp_path / "r", ONE, [lambda *_: True], game=Sized(size=5))
    assert run.job.variant == run.weights.variant == {"size": 5}
    with pytest.raises(RunError, match=r"made with Sized with size 5, not with size 9: hand in"):
        resume(run.folder, jobs=ONE, game=Sized(size=9))
    assert resume(run.folder, jobs=ONE, game=Sized(size=5)).weights.variant == {"size": 5}
    usual = evolve(job, tmp_path / "usual", ONE, [lambda *_: True], game=Sized)
    with pytest.raises(RunError, match=r"with size 1, not with size 9"):
        resume(usual.folder, jobs=ONE, game=Sized(size=9))
    assert resume(usual.folder, jobs=ONE, game=Sized()).finished
    assert gafreecell.solve(1, run.weights, "sized").lengths is not None
    small = gafreecell.solve(9, None, Sized(size=2)).nodes.generated
    assert small == gafreecell.solve(18, None, Sized()).nodes.generated


def test_a_registered_game_can_be_handed_in_in_a_variant(tmp_path: Path) -> None:
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
        env = {"PYTHONPATH": str(ROOT), "GAFREECELL_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, "-"]
        engines.add(subprocess.check_output(command, input=code, text=True, cwd=folder, env=env))
    assert len(engines) == 2
    assert not list((tmp_path / "cache").glob("baselines/*"))


def test_a_game_is_looked_up_and_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = gafreecell.solve(164)

    def never(*_: object, **__: object) -> None:
        pytest.fail("it looks again")

    monkeypatch.setattr("gafreecell.installed.plugins.entry_points", never)
    monkeypatch.setattr("gafreecell.solitaire.game.check_declared", never)
    assert gafreecell.solve(164).moves == expected.moves


def test_a_package_that_is_installed_later_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "later" not in plugins.names("game")
    package(tmp_path, "later", "[gafreecell.games]\nlater = hsd.game:GAME\n")
    assert "later" in plugins.names("game")


# What games can do besides, and the options they take


def test_what_a_game_cannot_do_is_said_with_those_that_can(command: Command) -> None:
    for words, said in (
        ("play 1 --game freecell --policy best", "FreeCell cannot be played with hidden cards"),
        ("solve 1 --goal score", "another goal: leave out --goal; pyramid can"),
        ("deal 1 --reachable", "FreeCell cannot mark the reachable cards of a talon"),
        ("solve 1 --game klondike --rows", "leave out --rows; freecell can"),
        ("solve 1 --draw --game toy", "Toy cannot draw solutions; freecell, klondike, pyramid can"),
    ):
        refused(command(*words.split()), said)


def test_any_option_of_a_game_is_a_variant(command: Command) -> None:
    def solved(*words: object) -> list[dict[str, Any]]:
        return without_seconds(command("solve", "1-3", *words, "--format", "jsonl").out)

    assert "180 nodes" in command("solve", 5, "--game", "toy", "--variant", "slow=3").out
    assert solved("--variant", "cells=3") == solved("--cells", 3) != solved("--cells", 2)
    last_word = solved("--variant", "cells=3", "--cells", 2)
    assert last_word == solved("--cells", 2), "the short form has it"
    refused(command("solve", 1, "--variant", "cells=9"), "cells must be 0 to 7, got 9")
    refused(command("solve", 1, "--variant", "colour=red"), "no option 'colour'; it has cascades")
    refused(command("solve", 1, "--variant", "cells"), "--variant takes KEY=VALUE")


def test_any_parameter_of_a_policy_can_be_set(command: Command) -> None:
    def played(*words: object) -> list[dict[str, Any]]:
        return without_seconds(command("play", "1-2", "--format", "jsonl", *words).out)

    assert played("--set", "samples=20") == played("--samples", 20) != played("--samples", 5)
    refused(command("play", 1, "--policy", "best", "--set", "width=3"), "no parameter 'width'")


def test_weights_are_played_in_the_variant_they_were_made_for() -> None:
    weights = hsd.preset("fast")
    two = gafreecell.Weights("freecell", {"cascades": 8, "cells": 2}, weights.evaluator,
                             weights.search, weights.limits)  # fmt: skip
    own = gafreecell.solve(1, two)
    assert own.nodes == gafreecell.solve(1, "fast", hsd.FreeCell(cells=2)).nodes
    assert own.nodes != gafreecell.solve(1, two, hsd.FreeCell(cells=4)).nodes


def test_the_built_in_games_can_do_what_mypy_was_told() -> None:
    """``protocols.py`` states it by type, and the configuration has mypy read that module."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    assert "tests/gafreecell/protocols.py" in settings["files"]
    for name in ("freecell", "klondike", "pyramid"):
        assert not plugins.missing(game(name), Game)
