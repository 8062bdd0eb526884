"""Weights files on the command line: they bring their variant and limits, rules and schedules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, Command, File, records, refused

import gafreecell
import hsd
from deals.errors import BadInput
from gafreecell.service.solvers import check_solver
from gafreecell.solitaire import klondike
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import DEPTH_IN_TURN, Evaluator, Limits, Phase, Search, Task
from gafreecell.solving.parameters import ParameterError, Value
from gafreecell.solving.policy import Policy
from gafreecell.solving.rules import parse_rule
from gafreecell.solving.weights import Weights
from hsd import solver

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes weights, changed by keywords, to a file called ``name``."""

    def written(weights: Weights, name: str = "mine.json", **changes: Any) -> Path:
        replace(weights, **changes).write(tmp_path / name)
        return tmp_path / name

    return written


# Variants and limits


def test_weights_play_the_variant_they_were_made_for(write: Write, command: Command) -> None:
    base = hsd.preset("hsd-evolved")
    two, four = write(base, "two.json", variant={"cascades": 8, "cells": 2}), write(base)
    own, usual, as_two, as_four = (
        [(line["status"], line["nodes"]) for line in command.records("solve", "1-5", *words)]
        for words in (
            ["--weights", two],
            ["--weights", four],
            ["--weights", four, "--cells", "2"],
            ["--weights", two, "--cells", "4"],
        )
    )
    assert own == as_two != usual == as_four
    in_python = [hsd.solve(n, replace(base, variant={"cells": 2})).nodes for n in range(1, 6)]
    counts = [{"expanded": n.expanded, "generated": n.generated} for n in in_python]
    assert counts == [nodes for _, nodes in own]
    compared = command("evaluate", two, "hsd-evolved", "--deals", "1-5", "--format", "json")
    assert compared.status == 0
    refused(command("evaluate", two, four, "--deals", "1-5"), "2 cells", "4 cells")


@pytest.mark.parametrize("variant", [{"colour": 1}, {"cells": 8}, {"cells": "two"}], ids=str)
def test_variants_that_cannot_be(write: Write, command: Command, variant: dict[str, Value]) -> None:
    odd = write(hsd.preset("hsdh"), variant=variant)
    refused(command("solve", "1", "--weights", odd), "mine.json", *variant)


def test_weights_say_which_rules_they_were_made_for(write: Write, command: Command) -> None:
    three = write(hsd.preset("hsdh-same-search"), "three.json", variant={"cells": 3})
    made_for = f"gafreecell: {three} was made for 8 cascades, 3 cells, not for 8 cascades, 4 cells"
    assert made_for in command("solve", 1, "--weights", three, "--cells", 4).lines
    assert "made for" not in command("solve", 1, "--weights", three, "--cells", 3).err
    assert "made for" not in command("solve", 1, "--weights", three).err
    assert "made for" not in command("solve", 1, "--preset", "hsdh-same-search", "--cells", 3).err
    done = command("evaluate", three, "hsd-evolved", "--deals", "1-2", "--cells", 4)
    assert made_for.replace(str(three), "three") in done.lines


def test_weights_of_klondike_bring_their_rules(write: Write, file: File, command: Command) -> None:
    base = klondike.preset("rollouts-evolved")
    rules: dict[str, Value] = {"draw": 1, "redeals": 2, "stock": "known"}
    usual, ones = write(base, "usual.json"), write(base, variant=rules)
    words = "draws of one card and two redeals"
    limits = "--nodes", "300"

    def said(*given: object) -> list[str]:
        done = command(*given, *limits, "--game", "klondike")
        return [line for line in done.lines if "made for" in line]

    assert said("solve", "1", "--weights", ones) == []
    asked = "--variant", "draw=3", "--variant", "redeals=unlimited"
    assert said("solve", "1", "--weights", ones, *asked) == [
        f"gafreecell: {ones} was made for {words}, not for the usual rules"
    ]
    other = f"was made for the usual rules, not for {words}"
    asked = "--variant", "draw=1", "--variant", "redeals=2"
    for name in ("solve", "hint"):
        assert said(name, "1", "--weights", usual, *asked) == [f"gafreecell: {usual} {other}"]
    compared = said("evaluate", usual, "--deals", "1-2", *asked)
    assert compared == [f"gafreecell: usual {other}"]
    assert said("solve", "1", "--preset", "rollouts-evolved", *asked) == []
    # Nor does a preset become another solver's weights by a parameter of its search.
    assert said("solve", "1", "--set", "shorten=9", *asked) == []
    for more in ((), ("--set", "shorten=9")):
        [line] = said("solve", "1", "--preset", "vegas-1", *more)
        assert "draws of one card and no redeals, not for the usual rules" in line
    # A board names its own rules, and the answer does.
    board = file(str(klondike.GAME.vary(draw=1, redeals=0).deal(1)))
    assert said("solve", board, "--preset", "vegas-1") == []
    board = file(str(klondike.GAME.vary(draw=1, redeals=2).deal(1)))
    assert said("solve", board, "--weights", usual) == [f"gafreecell: {usual} {other}"]
    assert said("evaluate", usual, "--deals", board) == [f"gafreecell: usual {other}"]
    game = "--game", "klondike", *limits
    none = write(base, "none.json", variant={**rules, "redeals": 0})
    fault = "expected at most redeals=0, as the options or the weights say, got redeals=2"
    refused(command("solve", board, "--weights", none, *game), fault)
    [line] = command.records("solve", "1", "--weights", ones, *game)
    assert line["variant"] == rules
    vegas = ROOT / "runs" / "klondike-vegas-1"
    played = command("play", 1, "--weights", vegas, "--samples", 3, "--format", "jsonl")
    assert records(played.out)[0]["variant"] == {"draw": 1, "redeals": 0, "stock": "known"}
    assert "made for" not in played.err
    refused(command("evaluate", usual, ones, "--deals", "1-2", *game), "the usual rules", words)


def test_the_memory_of_the_weights_is_the_limit(
    write: Write, command: Command, tmp_path: Path
) -> None:
    path = write(
        hsd.preset("hsdh-same-search"),
        search=Search("best-first", {"automatic": "none"}),
        limits=Limits(nodes=3_000_000, memory=2_000_000),
    )
    [line] = command.records("solve", 11982, "--weights", path)
    assert line["status"] == "memory-limit"
    command("evaluate", path, "--deals", "11982", "-o", tmp_path / "deals.csv")
    assert "memory-limit" in (tmp_path / "deals.csv").read_text()


# What is refused

HSDH = hsd.preset("hsdh-same-search")


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (HSDH.to_text().replace('"freecell"', '"klondike"'), ["klondike", "freecell"]),
        (HSDH.to_text().replace('"HSDH"', '"Luck"'), ["Luck", "HSDH"]),
        (replace(HSDH, evaluator=None).to_text(), ["weights"]),
        (replace(HSDH, search=Search("guess")).to_text(), ["guess", "staged"]),
        (replace(HSDH, search=Search("staged", {"width": 1})).to_text(), ["width", "depth"]),
        (replace(HSDH, search=Search("staged", {"depth": 99})).to_text(), ["depth", "1 to"]),
        (HSDH.to_text()[:200], ["line ", "JSON"]),
        (b"\xff\xff", ["not text"]),
    ],
    ids=["game", "feature", "evaluator", "search", "parameter", "range", "truncated", "binary"],
)
def test_weights_files_that_cannot_be(
    file: File, command: Command, content: str | bytes, named: list[str]
) -> None:
    path = file(content, "weights.json")
    evaluate = ["evaluate", path, "--deals", "1", "--game", "freecell"]
    for words in (["solve", "1", "--weights", path], evaluate):
        refused(command(*words), "weights.json", *named)


@pytest.mark.parametrize("place", [".", "weights/best.json"])
def test_weights_of_another_game_are_named_as_such(
    command: Command, tmp_path: Path, place: str
) -> None:
    """Whatever else would be wrong with them in the game that is to take them."""
    order = ROOT / "runs" / "klondike-order" / place
    fast = ROOT / "runs" / "freecell-fast" / place
    figure = tmp_path / "x.png"
    for words in (
        ["solve", "164", "--weights", order],
        ["solve", "164", "--weights", order, "--search", "beam", "--cells", 2],
        ["evaluate", order, "--game", "freecell", "--deals", "1"],
        ["plot", order, "hsdh", "--kind", "cactus", "-o", figure, "--deals", "1"],
    ):
        refused(command(*words), str(order), "klondike", "freecell")
    for words in (
        ["play", "1", "--policy", "best", "--weights", fast],
        ["play", "1", "--policy", "random", "--weights", fast],
        ["solve", "1", "--game", "klondike", "--weights", fast],
    ):
        refused(command(*words), str(fast), "freecell", "klondike")
    assert not figure.exists()


# Rules and schedules

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
SCHEDULE = replace(
    RULES,
    evaluator=Evaluator(
        ("NotPlaced", "AboveNext", "BreaksRun"),
        (1.0, 0.5, 0.5, 0.5, 1.0, 0.0),
        (Phase(50, DEPTH_IN_TURN), Phase()),
    ),
    search=Search("schedule"),
)
OF_BOARD = Evaluator(("NotPlaced",), (1.0, 0.5), (Phase(50), Phase()))
"""A schedule of what all searches weigh."""


@pytest.mark.parametrize("weights", [RULES, SCHEDULE], ids=["rules", "schedule"])
def test_rules_and_schedules_are_followed(write: Write, command: Command, weights: Weights) -> None:
    lines = command.records("solve", "1-20", "--weights", write(weights))
    outcomes = hsd.solve_many(range(1, 21), weights, jobs=1)
    assert [line["moves"] for line in lines] == [list(o.moves or ()) or None for o in outcomes]
    counts = [(o.nodes.expanded, o.nodes.generated, o.nodes.scored) for o in outcomes]
    told = [line["nodes"] for line in lines]
    assert [(n["expanded"], n["generated"], n.get("scored")) for n in told] == counts
    assert all(("scored" in nodes) is (weights is SCHEDULE) for nodes in told)
    # Some need the second phase.
    assert max(generated for _, generated, _ in counts) > 50
    assert outcomes[0] == replace(gafreecell.solve(1, weights), seconds=outcomes[0].seconds)
    by_default = replace(RULES, evaluator=Evaluator(FEATURES, (0.5, 1.0, 0.0)))
    assert hsd.solve(1, by_default).nodes != outcomes[0].nodes


def test_rules_are_evaluated_beside_others(write: Write, command: Command) -> None:
    done = command("evaluate", write(RULES), "best-first", "--deals", "1-20")
    assert done.status == 0 and "mine" in done.out and "best-first" in done.out


def test_another_search_may_follow_rules(write: Write, command: Command) -> None:
    [line] = command.records("solve", "1", "--weights", write(RULES), "--search", "staged")
    outcome = hsd.solve(1, replace(RULES, search=Search("staged")))
    assert line["nodes"]["generated"] == outcome.nodes.generated


@pytest.mark.parametrize(
    ("weights", "search", "said"),
    [
        *(
            (RULES, search, f"1 rule: the search {search} takes no rules; staged, best-first")
            for search in ("schedule", "beam", "a-star", "iterative-deepening")
        ),
        *(
            (
                replace(SCHEDULE, evaluator=OF_BOARD),
                search,
                f"a schedule of 2 phases: the search {search} takes no schedules",
            )
            for search in solver.SOLVER.searches
            if search != "schedule"
        ),
    ],
)
def test_other_searches_refuse_rules_and_schedules(
    weights: Weights, search: str, said: str, write: Write, command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Before anything is compiled."""
    monkeypatch.setattr(solver.SOLVER, "instance", None)
    refused(command("solve", "1", "--weights", write(weights), "--search", search), said)
    path = write(weights, search=Search(search))
    refused(command("solve", "1", "--weights", path), "mine.json", said)
    refused(command("evaluate", path, "--deals", "1-5"), "mine.json", said)
    if weights.evaluator == OF_BOARD:
        with pytest.raises(ParameterError, match="takes one weighted sum, not a schedule"):
            solver.run(1, OF_BOARD, Search(search), Limits(10))


def test_a_figure_of_the_phases_of_a_schedule(write: Write, command: Command) -> None:
    path = write(SCHEDULE)
    figure = path.with_suffix(".svg")
    words = ("plot", path, "--kind", "phases", "--deals", "1-3", "-o", figure)
    assert command(*words).status == 0
    title = "mine: what its phases solve of 3 deals (1-3)"
    assert title in figure.read_text().replace("\n", "")


def test_faults_of_rules_are_told(file: File, command: Command) -> None:
    path = file(RULES.to_text().replace("CellsUsed > 0.3", "CellsUse > 0.3"))
    refused(command("solve", "1", "--weights", path), str(path), "rule 1", "'CellsUse'")


@pytest.mark.parametrize("game", ["klondike", "pyramid"])
def test_games_without_rules_refuse_them(game: str) -> None:
    chosen: Any = find_game(game)
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
    linear = Evaluator(names, (1.0, 2.0))
    found = game.run(
        [Task(deal, one, search, limits) for deal, one in ((2, policy), (3, policy), (2, linear))]
    )
    assert [len(outcome.moves or ()) for outcome in found] == [6, 5, 5]
    assert Flat().ruled == ()
    with pytest.raises(BadInput, match="the search solve takes one weighted sum, no rules"):
        Flat().run([Task(2, policy, search, limits)])
