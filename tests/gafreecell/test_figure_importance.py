"""The figure of importances: its data against the toy game worked out by hand, and the drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, log
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import handed_in
import numpy as np
import pytest
from conftest import Command, job_table, refused
from matplotlib.axes import Axes
from toy_game import nodes_needed

import gafreecell
from gafreecell.figures import (
    FigureError,
    draw_importance,
    importance,
    importance_data,
    plot_importance,
)
from gafreecell.figures.importance import LESS, MARKS, MORE, ZERO, _ticks
from gafreecell.figures.style import figure_of
from gafreecell.runs.record import Run
from gafreecell.solving.outcome import Nodes, Outcome, Status

ONE = gafreecell.Workers(1)
BEST = (0.2, 0.8, 0.5)
"""The toy game's hidden vector is (0.2, 0.9, 0.5), so these are 0.1 away from it."""
UNSEEN = range(121, 321)
"""The deals after those of ``job_table``."""
Make = Callable[..., Run]


@pytest.fixture(scope="module")
def evolved() -> dict[str, Run]:
    """The runs of this file, which tests only read."""
    return {}


@pytest.fixture
def make(toy: Any, evolved: dict[str, Run], tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Makes a run of the toy game with given weights as its champion."""

    def made(best: Sequence[float] = BEST, **changes: Any) -> Run:
        key, table = repr(changes), job_table(generations=1, **changes)
        if key not in evolved:
            evolved[key] = gafreecell.evolve(table, tmp_path_factory.mktemp("runs") / "small", ONE)
        run = evolved[key]
        champion = replace(run.best, weights=tuple(best))
        return replace(run, state=replace(run.state, champion=champion))

    return made


def effects(run: Run, deals: Any = None) -> dict[str, dict[str, Any]]:
    """The changes of each feature's weight by kind."""
    data = importance_data(run, deals, ONE)
    return {one.feature: {change.kind: change for change in one.changes} for one in data.weights}


def words(axes: Axes) -> str:
    """All that is written on the axes."""
    drawn = [axes.get_title(loc="left"), axes.get_xlabel(), axes.get_ylabel()]
    ticks = [*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts]
    return "\n".join([*drawn, *(text.get_text() for text in ticks)])


def test_the_effects_are_those_worked_out_by_hand(make: Make) -> None:
    found = effects(make())
    # A deal of hardness 1 takes 10 nodes, and 1000 for a unit of distance: 110 for the champion.
    middle = found["middle"]
    assert middle[LESS].weight == pytest.approx(0.55) and middle[MORE].weight == 1
    assert middle[LESS].effect == pytest.approx(360 / 110, rel=0.01), "0.35 away"
    assert middle[ZERO].effect == pytest.approx(910 / 110, rel=0.01), "0.9 away"
    assert middle[MORE].effect == pytest.approx(1, rel=0.01), "0.1 away again, beyond"
    assert found["near"][ZERO].effect == pytest.approx(234 / 110, rel=0.01), "the root of 0.05"
    # The range of this one is -1 to 2.
    far = [found["far"][kind].weight for kind in MARKS]
    assert far == pytest.approx([0, -0.25, 1.25])


def test_the_weights_come_in_the_order_of_their_importance(make: Make) -> None:
    data = importance_data(make(), jobs=ONE)
    assert [one.feature for one in data.weights] == ["middle", "far", "near"]
    assert [one.weight for one in data.weights] == [0.8, 0.5, 0.2]
    assert (data.held.name, data.held.seen, data.champion.deals) == ("121-320", 0, 200)


def test_effects_pair_the_deals_and_the_budget_counts_for_what_is_unsolved(make: Make) -> None:
    budget = 2_000
    change = effects(make(trained={"nodes": budget}))["middle"][LESS]
    pairs = [
        [min(nodes_needed(deal, weights), budget) for weights in ((0.2, change.weight, 0.5), BEST)]
        for deal in UNSEEN
    ]
    logs = np.array([log(changed / kept) for changed, kept in pairs])
    assert change.effect == pytest.approx(exp(logs.mean()))
    assert change.score.solved == sum(changed < budget for changed, _ in pairs) < 200
    half = 1.96 * logs.std(ddof=1) / np.sqrt(200)
    assert np.log(change.interval) == pytest.approx([logs.mean() - half, logs.mean() + half], 0.02)


def test_a_weight_that_would_not_move_is_left_out(make: Make) -> None:
    data = importance_data(make((0.0, 1.0, 0.5)), jobs=ONE)
    assert [(one.feature, *(change.kind for change in one.changes)) for one in data.weights] == [
        ("middle", ZERO, LESS),
        ("far", ZERO, LESS, MORE),
        ("near", MORE),
    ]
    assert data.weights[-1].without is None


def test_few_deals_have_no_intervals(make: Make) -> None:
    change = effects(make(), [131, 132, 133])["middle"][LESS]
    assert np.isnan(change.interval).all() and change.effect > 3
    assert plot_importance(make(), deals=[131, 132, 133], jobs=ONE).get_xlim()[1] < 20


def test_the_figure_says_what_a_stranger_asks(make: Make) -> None:
    axes = plot_importance(make(), jobs=ONE)
    said = words(axes).replace("\n", " ")
    for word in (
        "small: what it costs to change one weight of the champion",
        "champion of generation 1 on 200 deals (121-320, not used in training), search think up",
        "an unsolved deal counts the whole budget",
        "95 % intervals; where one crosses 1 ×, no effect is shown",
        "as a multiple of the champion's, log scale",
        "middle  0.80",
    ):
        assert word in said, word
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text().split("\n")[0] for text in legend.get_texts()] == [
        "set to 0", "lowered by a quarter of its", "raised by a quarter of its",
    ]  # fmt: skip
    dots = next(line for line in axes.lines if line.get_label() == ZERO)
    data = importance_data(make(), jobs=ONE)
    assert [*dots.get_xdata()] == [one.without.effect for one in data.weights if one.without]
    assert [*dots.get_ydata()] == [-0.24, 0.76, 1.76] and axes.get_xscale() == "log"
    figure_of(axes).draw_without_rendering()


def test_used_deals_are_owned_up_to(make: Make) -> None:
    said = words(plot_importance(make(), deals="51-70", jobs=ONE))
    assert "(51-70, 10 of them used in training)" in said.replace("\n", " ")


def test_rules_have_a_row_for_each_weight_of_each_rule(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    solvers: list[Any] = []

    def outcomes_of(asked: Any, deals: Any, *_: Any) -> dict[Any, list[Outcome]]:
        solvers.extend(asked)
        outcome = Outcome(Status.SOLVED, (), {}, Nodes(1, 1))
        return {solver: [outcome] * len(deals) for solver in asked}

    monkeypatch.setattr(importance, "outcomes_of", outcomes_of)
    run = make()
    job = replace(run.job, rules=replace(run.job.rules, count=1))
    champion = replace(run.best, weights=tuple(0.5 for _ in job.genes))
    run = replace(run, job=job, state=replace(run.state, champion=champion))
    data = importance_data(run, jobs=ONE)
    rule = ["rule1.near", "rule1.middle", "rule1.far"]
    assert sorted(one.feature for one in data.weights) == sorted(["near", "middle", "far", *rule])
    # A weight of a rule or of the default changes, but no condition and no offset.
    first, *others = [evaluator for evaluator, *_ in solvers]
    assert len(others) == 18
    for other in others:
        assert (other.rules, other.offsets) == (first.rules, first.offsets)
        assert sum(a != b for a, b in zip(other.weights, first.weights, strict=True)) == 1


def test_deals_with_a_cost_of_their_own_are_compared_by_cost(tmp_path: Path) -> None:
    job = {"name": "regret", "generations": 1, "trained": {"search": "solve"}}
    job |= {"fitness": {"measure": "log-nodes"}, "scheme": "resampled", "sample": {"deals": 5}}
    job["solvers"] = {"population": 4}
    run = gafreecell.evolve(job, tmp_path / "regret", ONE, game=handed_in.Positions)
    champion = replace(run.best, weights=(0.9, 0.8))
    data = importance_data(replace(run, state=replace(run.state, champion=champion)), jobs=ONE)
    first = next(one for one in data.weights if one.weight == 0.9)
    # With the larger weight gone, the other choice is made.
    kept = sum(number / 20 for number in range(1, 21)) / 20
    assert first.without is not None
    assert first.without.effect == pytest.approx(1 - kept - kept)
    axes = draw_importance(data)
    assert axes.get_xscale() == "linear" and "mean cost" in axes.get_xlabel()
    assert "crosses 0" in words(axes)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.76, 2.3, [0.8, 1, 1.2, 1.5, 1.7, 2, 2.3]),
        (0.5, 100, [0.5, 1, 2, 5, 10, 20, 50, 100]),
        (0.98, 1.02, [0.98, 0.99, 1, 1.01, 1.02]),
    ],
)
def test_ticks_are_round_and_apart(low: float, high: float, ticks: list[float]) -> None:
    assert sorted(_ticks(low, high)) == ticks


def test_what_cannot_be_drawn_is_refused(make: Make) -> None:
    run = make()
    bare = SimpleNamespace(label="bare", lines=run.lines, features=run.features)
    for runs, chosen, said in (
        (replace(run, lines=[]), None, "small: the log is empty"),
        ([], None, "expected at least one run"),
        ([run, run], None, "importances of weights are drawn for one run at a time"),
        (run, [], "expected at least one deal"),
        (bare, None, r"bare: a log alone does not say how"),
    ):
        with pytest.raises(FigureError, match=said):
            plot_importance(runs, deals=chosen, jobs=ONE)
    nothing = importance_data(run, [131], ONE)
    with pytest.raises(FigureError, match="no weight can be changed"):
        draw_importance(replace(nothing, weights=()))


def test_plot_draws_importances(make: Make, tmp_path: Path, command: Command) -> None:
    run, picture, same = make(), tmp_path / "a.svg", tmp_path / "b.svg"
    words = ("plot", run.folder, "--kind", "importance", "--deals", "131-140")
    done = command(*words, "-o", picture)
    assert (done.status, done.out, done.err) == (0, "", f"wrote {picture}\n")
    assert "to change one weight of the champion" in picture.read_text()
    command(*words, "--jobs", "2", "-o", same)
    assert same.read_bytes() == picture.read_bytes(), "whatever the number of threads"
    refused(command("plot", run.folder, run.folder, *words[2:], "-o", same), "one run at a time")
