"""Searches of all games, and engine numbers: these stand for the searches as they are, and all of
each game plays a part.
"""

from __future__ import annotations

import runpy
import sys
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from late_kernels import late_kernels
from probes import NOTICE

from gafreecell.solving import engine
from gafreecell.solving.engine import DIGITS, digest, weighing
from gafreecell.solving.outcome import Evaluator, Nodes, Outcome, Search, Status, Task
from gafreecell.solving.parameters import ParameterError
from gafreecell.solving.rules import AT_MOST, OVER

PYRAMID = "gafreecell.solitaire.pyramid"
PACKAGES = ("hsd", "gafreecell.solitaire.klondike", PYRAMID)
each_game = pytest.mark.parametrize("package", PACKAGES)


def game_of(package: str) -> Any:
    return import_module(f"{package}.game").GAME


@cache
def tasks_of(package: str) -> list[Task]:
    tasks: list[Task] = import_module(f"{package}.engine").tasks()
    return tasks


@cache
def outcomes_of(package: str) -> list[Outcome]:
    """What the searches return on all tasks."""
    outcomes: list[Outcome] = game_of(package).run(tasks_of(package))
    return outcomes


Ran = tuple[Task, Outcome]


@cache
def all_ran(package: str) -> list[Ran]:
    """Each task with what its search returns, the quickest first."""
    ran = zip(tasks_of(package), outcomes_of(package), strict=True)
    return sorted(ran, key=lambda one: one[1].nodes.generated)


@each_game
def test_compiling_is_no_time_of_a_deal(package: str) -> None:
    assert late_kernels(package) == {name: [] for name in game_of(package).solver.searches}


@each_game
def test_the_number_is_the_digest_of_the_tasks(package: str) -> None:
    game, found = game_of(package), digest(outcomes_of(package))
    assert game.engine == import_module(f"{package}.engine").ENGINE
    assert found == game.engine, (
        f"\n{game.title}: searches return other counts or moves than those of engine {game.engine}."
        f'\nIf they are meant to, write ENGINE = "{found}" in {package}/engine.py: baselines are '
        "then\ncomputed anew, and runs made before are resumed only with --force."
    )


@each_game
def test_earlier_engines_returned_the_same(package: str) -> None:
    earlier = getattr(import_module(f"{package}.engine"), "EARLIER", {})
    assert tuple(earlier) == game_of(package).earlier_engines
    for number, count in earlier.items():
        assert digest(outcomes_of(package)[:count]) == number


@each_game
def test_every_feature_matters_in_every_search_that_weighs_it(package: str) -> None:
    game = game_of(package)
    for feature in (feature.name for feature in game.features):
        searches = [search for search in game.searches if weighs(game, search, feature)]
        assert searches
        for search in searches:
            weighed = [
                (task, outcome)
                for task, outcome in all_ran(package)
                if task.search.name == search and task.evaluator
                if task.evaluator.kind == "linear" and feature in task.evaluator.features
            ]
            assert any(
                differ(game, ran, evaluator=without(ran[0].evaluator, feature)) for ran in weighed
            ), f"{package}/engine.py: give {search} a task in which weighing {feature} matters"


def test_every_comparison_matters_in_every_search_that_takes_rules() -> None:
    game = game_of("hsd")
    for search in (search for search, kind in game.solver.searches.items() if kind.rules):
        own = [ran for ran in all_ran("hsd") if ran[0].search.name == search]
        ruled = [ran for ran in own if ran[0].evaluator and ran[0].evaluator.rules]
        for feature in (feature.name for feature in game.features):
            if not weighs(game, search, feature):
                continue
            assert any(differ(game, ran, evaluator=turned(ran[0], feature)) for ran in ruled), (
                f"hsd/engine.py: give {search} a task in which comparing {feature} matters"
            )


def turned(task: Task, feature: str) -> Evaluator:
    """The task's evaluator with the other sign wherever it compares a feature."""
    assert task.evaluator
    signs = {OVER: AT_MOST, AT_MOST: OVER}
    rules = []
    for rule in task.evaluator.rules:
        comparisons = tuple(
            replace(one, sign=signs[one.sign]) if one.feature == feature else one
            for one in rule.comparisons
        )
        rules.append(replace(rule, comparisons=comparisons))
    return replace(task.evaluator, rules=tuple(rules))


@each_game
def test_every_search_has_its_defaults_and_every_parameter_matters(package: str) -> None:
    game = game_of(package)
    for search in game.searches:
        runs = [ran for ran in all_ran(package) if ran[0].search.name == search]
        assert any(not task.search.parameters for task, _ in runs), (
            f"{package}/engine.py: give {search} a task with all its parameters left out"
        )
        for parameter in game.parameters(search):
            given = [ran for ran in runs if parameter.name in ran[0].search.parameters]
            words = {task.search.parameters[parameter.name] for task, _ in given}
            missing = set(parameter.choices) - words - {parameter.default}
            assert not missing, (
                f"{package}/engine.py: give {search} tasks with {parameter.name} {missing}"
            )
            assert any(
                differ(game, ran, search=left_out(ran[0].search, parameter.name)) for ran in given
            ), f"{package}/engine.py: give {search} a task in which {parameter.name} matters"


def weighs(game: Any, search: str, feature: str) -> bool:
    """Whether a search can take a feature's weight."""
    kind = game.solver.searches[search]
    if not kind.guided:
        return feature in kind.weighs
    try:
        game.check(Search(search), [feature])
    except ParameterError:
        return False
    return True


def without(evaluator: Evaluator, feature: str) -> Evaluator:
    weights = dict(zip(evaluator.features, evaluator.weights, strict=True))
    return weighing({name: weight for name, weight in weights.items() if name != feature})


def left_out(search: Search, parameter: str) -> Search:
    return Search(search.name, {k: v for k, v in search.parameters.items() if k != parameter})


def differ(game: Any, ran: Ran, **changes: Any) -> bool:
    """Whether a game returns something else on a task with these changes."""
    task, outcome = ran
    changed = replace(task, **changes)
    return changed != task and digest([outcome]) != digest(game.run([changed]))


LENGTHS = {"single": 7, "column": 3}
SOLVED = Outcome(Status.SOLVED, ("6a", "26v3", "6h"), LENGTHS, Nodes(20, 50), 0.5)
FAILED = Outcome(Status.NODE_LIMIT, None, None, Nodes(30, 50), 0.5)


@pytest.mark.parametrize(
    "other",
    [
        *[
            {"moves": moves}
            for moves in (("6b", "26v3", "6h"), ("26v3", "6a", "6h"), ("6a",), None)
        ],
        *[{"lengths": LENGTHS | more} for more in ({"column": 4}, {"bound": 3})],
        *[{"nodes": Nodes(21, 50)}, {"nodes": Nodes(20, 51)}, {"status": Status.EXHAUSTED}],
    ],
    ids=str,
)
def test_every_count_and_every_move_shows(other: dict[str, Any]) -> None:
    changed = replace(SOLVED, **other)
    pairs = [FAILED, SOLVED], [SOLVED, FAILED], [FAILED, changed], [changed, FAILED]
    assert len(set(map(digest, pairs))) == 4


def test_seconds_the_order_of_units_and_a_derived_one_do_not_show() -> None:
    same = replace(SOLVED, seconds=99.0, lengths={"column": 3, "manual": 2, "single": 7})
    assert digest([FAILED, same]) == digest([FAILED, SOLVED])


def test_a_digest_is_short_and_the_same_on_every_machine() -> None:
    found = digest([SOLVED, FAILED])
    assert len(found) == DIGITS and int(found, 16) >= 0
    # The SHA-256 sum of what the outcomes are as JSON.
    assert found == "0c3532d83fbc705e"


def test_the_command_prints_what_the_number_is_now(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tasks_of(PYRAMID)[::40]
    monkeypatch.setattr(import_module(f"{PYRAMID}.engine"), "tasks", lambda: few)
    monkeypatch.setattr(sys, "argv", ["engine", PYRAMID])
    monkeypatch.delitem(sys.modules, engine.__name__)
    runpy.run_module(engine.__name__, run_name="__main__")
    done = capsys.readouterr()
    assert done.out == f"{PYRAMID} {digest(game_of(PYRAMID).run(few))}\n"
    assert NOTICE.sub("", done.err) == ""
