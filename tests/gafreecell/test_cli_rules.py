"""Rules on the command line and in Python: they are followed, or refused by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Command, records, refused

import gafreecell
import hsd
from deals.errors import BadInput
from gafreecell.service.solvers import check_solver
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Evaluator, Limits, Search, Task
from gafreecell.solving.policy import Policy
from gafreecell.solving.rules import parse_rule
from gafreecell.solving.weights import Weights

FEATURES = ("NotPlaced", "AboveNext", "CellsUsed")
RULES = Weights(
    game="freecell",
    variant={"cascades": 8, "cells": 4},
    evaluator=Evaluator(
        FEATURES,
        (1.0, 0.5, 0.5, 0.5, 1.0, 0.0),
        rules=(parse_rule("CellsUsed > 0.3 and NotPlaced > 0.4", FEATURES),),
        offsets=(0.2, 0.0),
    ),
    search=Search("best-first"),
    limits=Limits(20_000),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    RULES.write(tmp_path / "mine.json")
    return tmp_path / "mine.json"


def test_rules_are_followed(path: Path, command: Command) -> None:
    done = command("solve", "1-6", "--weights", path, "--format", "jsonl")
    outcomes = hsd.solve_many(range(1, 7), RULES, jobs=1)
    assert [line["moves"] for line in records(done.out)] == [
        list(outcome.moves or ()) or None for outcome in outcomes
    ]
    by_default = replace(RULES, evaluator=Evaluator(FEATURES, (0.5, 1.0, 0.0)))
    assert hsd.solve(1, by_default).nodes != outcomes[0].nodes
    assert outcomes[0] == replace(gafreecell.solve(1, RULES), seconds=outcomes[0].seconds)


def test_they_are_evaluated_beside_others(path: Path, command: Command) -> None:
    done = command("evaluate", path, "best-first", "--deals", "1-20", "--format", "json")
    assert done.status == 0 and "mine" in done.out
    done = command("evaluate", path, "best-first", "--deals", "1-20")
    assert done.status == 0 and "mine" in done.out and "best-first" in done.out


def test_another_search_may_follow_them(path: Path, command: Command) -> None:
    done = command("solve", "1", "--weights", path, "--search", "staged", "--format", "jsonl")
    outcome = hsd.solve(1, replace(RULES, search=Search("staged")))
    assert records(done.out)[0]["nodes"]["generated"] == outcome.nodes.generated


@pytest.mark.parametrize("search", ["schedule", "beam", "a-star", "iterative-deepening"])
def test_other_searches_refuse_them(search: str, path: Path, command: Command) -> None:
    message = f"a policy of 1 rule: the search {search} takes no rules; staged, best-first"
    refused(command("solve", "1", "--weights", path, "--search", search), message)
    replace(RULES, search=Search(search)).write(path)
    refused(command("solve", "1", "--weights", path), "mine.json", message)
    refused(command("evaluate", path, "--deals", "1-5"), "mine.json", message)


def test_weights_of_another_game_are_refused_as_such(path: Path, command: Command) -> None:
    replace(RULES, game="klondike").write(path)
    refused(command("solve", "1", "--weights", path), "klondike", "freecell")


def test_faults_of_a_file_are_told(path: Path, command: Command) -> None:
    path.write_text(path.read_text().replace("CellsUsed > 0.3", "CellsUse > 0.3"))
    refused(command("solve", "1", "--weights", path), "mine.json", "rule 1", "'CellsUse'")


@pytest.mark.parametrize("game", ["klondike", "pyramid"])
def test_games_without_rules_refuse_them(game: str) -> None:
    chosen = gafreecell.solitaire.game.game(game)
    for search in chosen.searches:
        names = tuple(feature.name for feature in chosen.features)[:1] or ("none",)
        policy = Evaluator(names, (0.0, 0.0), (), (parse_rule(f"{names[0]} > 0", names),), (0, 0))
        weights = Weights(game, chosen.variant, policy, Search(search))
        with pytest.raises(BadInput, match=r"no rules|unknown features"):
            check_solver(weights, chosen)
        with pytest.raises(BadInput, match=r"no rules|unknown features"):
            chosen.run([Task(1, policy, Search(search), Limits(10))])


class Slopes(gafreecell.BaseGame):
    """A game of one's own whose search is plain Python."""

    name = "slopes"
    features = (Feature("height", "how high"), Feature("width", "how wide"))

    def deal(self, number: int) -> list[float]:
        return [number, 1.0]

    def solve(
        self, deal: Sequence[float], weights: np.ndarray, nodes: int, policy: Policy | None = None
    ) -> tuple[list[str] | None, int]:
        value = weights @ deal if policy is None else policy.value(deal)
        return ["down"] * int(value), int(value) + 1


class Flat(Slopes):
    name = "flat"

    def solve(  # type: ignore[override]
        self, deal: Sequence[float], weights: np.ndarray, nodes: int, **further: Any
    ) -> tuple[list[str] | None, int]:
        return ["down"], 1


def test_a_game_of_ones_own_takes_rules_by_an_argument() -> None:
    names = ("width", "height")
    rule = parse_rule("height > 2", names)
    policy = Evaluator(names, (1.0, 0.0, 0.0, 3.0), (), (rule,), (4.0, 0.0))
    search, limits = Search("solve"), Limits(100)
    game = Slopes()
    assert game.ruled == ("solve",)
    found = game.run([Task(deal, policy, search, limits) for deal in (2, 3)])
    assert [len(outcome.moves or ()) for outcome in found] == [6, 5]
    linear = Evaluator(names, (1.0, 2.0))
    [outcome] = game.run([Task(2, linear, search, limits)])
    assert len(outcome.moves or ()) == 5
    assert Flat().ruled == ()
    with pytest.raises(BadInput, match="the search solve takes one weighted sum, no rules"):
        Flat().run([Task(2, policy, search, limits)])
