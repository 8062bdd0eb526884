"""Figures: their data against logs made by hand, and what a drawing must carry."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import Command, as_toml, job_table, refused, written
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.stats import t

import gafreecell
from gafreecell import figures
from gafreecell.comparing.held_out import HeldOut
from gafreecell.evolution.job import Fitness, Job, Trained
from gafreecell.evolution.rule_genes import Policies
from gafreecell.figures import (
    FigureError,
    Front,
    FrontData,
    cactus_data,
    deals_data,
    draw_front,
    fitness_data,
    front_data,
    phases_data,
    plot_cactus,
    plot_deals,
    plot_fitness,
    plot_front,
    plot_phases,
    plot_validation,
    plot_weights,
    save,
    validation_data,
    weights_data,
)
from gafreecell.figures.fitness import Curves, _panel, fitness_panels
from gafreecell.figures.panels import Curve, Panel
from gafreecell.figures.style import figure_of
from gafreecell.figures.validation import validation_panels
from gafreecell.installed import plugins
from gafreecell.solving.outcome import DEPTH_IN_TURN, Phase

FEATURES = ("Wells", "FreeCells", "Buried")
RUNS = Path(__file__).parents[2] / "runs"


@dataclass(frozen=True)
class Log:
    """A run that is nothing but a log."""

    label: str
    lines: Sequence[Mapping[str, Any]]
    features: Sequence[str] = FEATURES


@dataclass(frozen=True)
class Run(Log):
    """A log of a run whose job says what its fitness measures."""

    measure: str = "node-reduction"
    scheme: str = "coevolution"
    clip: float = 0.5

    @property
    def job(self) -> Any:
        fitness = Fitness(measure=self.measure, clip=self.clip)
        return SimpleNamespace(fitness=fitness, scheme=self.scheme)


def population(best: float) -> dict[str, Any]:
    return {"best": best, "mean": best / 2, "quantiles": [best * k / 10 for k in (1, 3, 5, 7, 9)]}


def log(label: str = "run-s1", generations: int = 4, problems: float | None = 0.5) -> Log:
    """Fitness rises by 0.1 a generation; the champion is of generation 2, or 1 if alone."""
    lines = []
    for generation in range(1, generations + 1):
        lines.append(
            {
                "generation": generation,
                "solvers": population(generation / 10),
                "problems": problems and {**population(problems), "distinct_deals": 6},
                "best_weights": [0.5, 0.25 * generation, 0.0],
                "validation": {"generation": min(generation, 2), "value": 8.0},
            }
        )
    return Log(label, lines)


def texts(axes: Axes) -> list[str]:
    legend = axes.get_legend()
    return [text.get_text() for text in legend.get_texts()] if legend else []


def assert_labelled(axes: Axes, who: str = "") -> None:
    assert who in axes.get_title(loc="left") and axes.get_title(loc="left")
    assert axes.get_ylabel()


def laid_out(axes: Axes) -> Figure:
    """The figure of a panel, with everything where it will be."""
    figure = figure_of(axes)
    figure.draw_without_rendering()
    return figure


def test_fitness_data_copies_the_log() -> None:
    data = fitness_data(log())
    assert data.label == "run-s1"
    assert data.solvers.generations.tolist() == [1, 2, 3, 4]
    assert data.solvers.best == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert data.solvers.mean == pytest.approx([0.05, 0.1, 0.15, 0.2])
    assert data.solvers.quantiles.shape == (4, 5)
    assert data.solvers.quantiles[3] == pytest.approx([0.04, 0.12, 0.2, 0.28, 0.36])
    assert data.problems is not None and data.problems.best.tolist() == [0.5] * 4
    assert fitness_data(log(problems=None)).problems is None


def test_fitness_of_one_run_has_a_panel_for_each_population() -> None:
    solvers, problems = plot_fitness(log())
    for axes in (solvers, problems):
        assert_labelled(axes, "run-s1")
    assert "problems, the sets of deals" in problems.get_title(loc="left")
    assert problems.get_xlabel() == "generation"
    assert texts(solvers)[:2] == ["best", "mean"]
    assert problems.get_yscale() == "linear"
    best = solvers.lines[-1]
    assert best.get_ydata() == pytest.approx([0.1, 0.2, 0.3, 0.4])


def test_the_red_queen_is_explained_where_deals_evolve_too() -> None:
    solvers, problems = plot_fitness([log(), log("single", problems=None)])
    (note,) = (text.get_text() for text in solvers.texts)
    assert "a curve may fall while the solvers get better" in note and not problems.texts
    (solvers,) = plot_fitness(log(problems=None))
    assert not solvers.texts


def test_the_axis_says_what_fitness_measures() -> None:
    reduction = Run("a", log().lines)
    logarithm = Run("b", log().lines, measure="log-nodes")
    share = "node reduction: share of the baseline's nodes saved"
    for runs, label in (
        (reduction, share),
        (logarithm, "nodes of a deal, log scale: 1 is none, 0 if all failed"),
        ([reduction, reduction], share),
        ([reduction, logarithm], "fitness"),
        (Run("c", log().lines, measure="gone"), "fitness"),
        (log(), "fitness"),
    ):
        shown = plot_fitness(runs)[0].get_ylabel().replace("\n", " ")
        assert shown == f"{label} (higher is better)"


def test_the_axis_says_what_makes_problems_fit() -> None:
    for scheme, label, notes in (
        ("coevolution", "nodes / baseline's nodes (higher is harder)", 1),
        ("informative", "how well a deal ranks the solvers, less its price (higher is better)", 0),
        ("gone", "fitness", 0),
    ):
        alone = Run("a", log().lines, scheme=scheme)
        for runs in (alone, [alone, Run("b", log(problems=None).lines, scheme="fixed")]):
            solvers, problems = plot_fitness(runs)
            assert problems.get_ylabel().replace("\n", " ") == label
            assert len(solvers.texts) == notes


def test_relative_fitness_has_a_line_at_the_median() -> None:
    def at(clip: float) -> Any:
        return Run("a", log().lines, measure="relative", clip=clip)

    solvers, _ = plot_fitness(at(0.3))
    level = solvers.lines[-1]
    assert list(level.get_ydata()) == [0.3, 0.3] and level.get_linestyle() == ":"
    assert texts(solvers)[-1] == "a solver at the median of\nevery deal (fitness.clip, 0.3)"
    assert solvers.get_ylabel().startswith("log nodes saved against the\nmedian, plus fitness.clip")
    assert len(plot_fitness([at(0.3), at(0.3)])[0].lines) == 5
    for runs in ([at(0.3), at(0.5)], [at(0.3), log()], Run("b", log().lines, measure="log-nodes")):
        assert not any("median" in text for text in texts(plot_fitness(runs)[0]))


def test_problems_that_span_magnitudes_get_a_log_scale() -> None:
    wide = log()
    wide.lines[1]["problems"]["best"] = 4000.0
    wide.lines[0]["problems"]["quantiles"][0] = 0.0  # A problem that no solver met.
    _, problems = plot_fitness(wide)
    assert problems.get_yscale() == "log"
    assert "log scale" in problems.get_ylabel()
    assert problems.get_ylim()[0] > 0
    paths = [path for band in problems.collections for path in band.get_paths()]
    lowest = np.vstack([np.asarray(path.vertices) for path in paths])[:, 1].min()
    assert lowest == pytest.approx(0.05), "0 is drawn at the smallest fitness above it"


def test_a_run_without_problems_has_no_empty_panel() -> None:
    (solvers,) = plot_fitness(log(problems=None))
    assert_labelled(solvers)
    assert solvers.get_xlabel() == "generation"
    assert len(figure_of(solvers).axes) == 1


def test_what_a_scheme_tells_beside_fitness_is_no_panel() -> None:
    told = log(problems=None)
    for line in told.lines:
        line["problems"] = {"window": 3}
    assert fitness_data(told).problems is None
    assert len(plot_fitness(told)) == 1
    # Generations that tell it are drawn alone.
    # Generations that tell it are drawn alone.
    told.lines[2]["problems"] = population(0.5)
    assert fitness_data(told).problems.generations.tolist() == [3]


def test_several_runs_of_different_lengths_share_axes() -> None:
    third = log("third", 1, problems=None)
    solvers, problems = plot_fitness([log("first", 4), log("second", 9), third])
    assert texts(solvers)[:3] == ["first", "second", "third"]
    assert len(solvers.lines) == 6 and len(problems.lines) == 4
    assert len({line.get_color() for line in solvers.lines}) == 3
    assert "none in third" in problems.get_title(loc="left")
    assert solvers.get_xlim()[1] >= 9
    _, problems = plot_fitness(run for run in (log(), third, third))
    assert "none in 2 of the runs" in problems.get_title(loc="left")


def test_seeds_of_a_job_are_drawn_as_their_mean(toy: Any, tmp_path: Path) -> None:
    runs = [
        gafreecell.evolve(
            job_table(seed=seed, generations=3), tmp_path / f"run-{seed}", gafreecell.Workers(1)
        )
        for seed in (1, 2, 3)
    ]
    runs[0] = replace(runs[0], lines=runs[0].lines[:2])
    (panel, *_) = plot_fitness(runs)
    best = np.array([[line["solvers"]["best"] for line in run.lines[:2]] for run in runs])
    assert [line.get_label() for line in panel.lines] == ["mean", "best"]
    assert panel.lines[1].get_xdata().tolist() == [1, 2], "as long as all have run"
    assert panel.lines[1].get_ydata() == pytest.approx(best.mean(axis=0))
    half = t.ppf(0.975, 2) * best.std(axis=0, ddof=1) / np.sqrt(3)
    (band,) = fitness_panels(runs)[0].bands
    assert band.high - band.low == pytest.approx(2 * half)
    # A run beside them is another job.
    other = job_table(trainer="random", generations=2)
    runs.append(gafreecell.evolve(other, tmp_path / "other", gafreecell.Workers(1)))
    assert texts(plot_fitness(runs)[0])[0].endswith("3 runs")
    champions = np.array([[line["validation"]["value"] for line in run.lines[:2]] for run in runs])
    several, alone = plot_validation(runs).lines
    assert several.get_ydata() == pytest.approx(champions[:3].mean(axis=0))
    assert alone.get_ydata() == pytest.approx(champions[3])
    single = validation_data(runs[0])
    assert single.candidates.tolist() == [line["value"] for line in runs[0].validated[:2]]
    assert len(plot_validation(runs[0]).lines) == 2
    assert not validation_panels(runs)[0].note
    # What was validated on other deals is not comparable.
    deals = replace(runs[3].job.deals, validation="1-2")
    runs[3] = replace(runs[3], job=replace(runs[3].job, deals=deals))
    assert "cannot be compared" in validation_panels(runs)[0].note
    # A single bad candidate does not squeeze the champion's curve.
    worst = {**runs[1].validated[0], "value": 1e9}
    bad = replace(runs[1], validated=[worst, *runs[1].validated[1:]])
    assert plot_validation(bad).get_yscale() == "log"


def test_no_interval_reaches_below_a_ratio_of_nothing() -> None:
    few = [np.full((2, 5), value) for value in (0.1, 0.1, 9.0)]
    curves = [Curves(np.arange(1, 3), one[:, 0], one[:, 0], one) for one in few]
    for least, lowest in ((0.0, 0.0), (-np.inf, -9.7)):
        (band,) = _panel("", "", ["jobs"], [curves], least=least).bands
        assert band.low == pytest.approx([lowest, lowest], abs=0.1)


def test_what_is_no_number_is_null_in_a_document() -> None:
    at, values = np.array([1, 2]), np.array([np.nan, 1 / 3])
    panel = Panel("title", "label", (Curve("best", 0, "main", at, values),))
    (curve,) = panel.document()["curves"]
    assert curve["values"] == [None, 0.333333]
    assert panel.known and not replace(panel, curves=()).known


def test_nine_runs_still_have_nine_colours() -> None:
    solvers, _ = plot_fitness([log(str(i)) for i in range(9)])
    assert len({line.get_color() for line in solvers.lines}) == 9


@pytest.mark.parametrize("names", [["alone"], ["first", "second"]])
def test_the_legend_lies_right_of_the_data(names: list[str]) -> None:
    solvers, _ = plot_fitness([log(name) for name in names])
    figure, legend = laid_out(solvers), solvers.get_legend()
    assert legend.get_window_extent().x0 > solvers.get_window_extent().x1
    assert legend.get_window_extent().x1 <= figure.bbox.x1
    assert solvers.get_window_extent().width > 0.65 * figure.bbox.width, "the data have most room"


def test_one_generation_is_visible() -> None:
    solvers, problems = plot_fitness(log(generations=1))
    for axes in (solvers, problems):
        at = np.asarray(axes.lines[0].get_xdata())
        assert at[0] < 1 < at[-1]
    assert plot_weights(log(generations=1)).get_xlim() == (0.5, 1.5)


def test_fitness_draws_on_given_axes() -> None:
    grid = Figure().subplots(2)
    assert plot_fitness(log(), grid) == tuple(grid)
    alone = Figure().subplots()
    assert plot_fitness(log(problems=None), alone) == (alone,)
    with pytest.raises(FigureError, match="needs 2 axes, got 1"):
        plot_fitness(log(), Figure().subplots())


def test_weights_data_scales_each_generation_by_its_largest() -> None:
    data = weights_data(log())
    assert data.features == FEATURES
    assert data.generations.tolist() == [1, 2, 3, 4]
    assert data.weights.shape == (3, 4)
    assert data.weights[:, 0] == pytest.approx([1, 0.5, 0])
    assert data.weights[:, 3] == pytest.approx([0.5, 1, 0])
    assert data.champion == 2


def test_weights_data_keeps_signs_and_zeros() -> None:
    run = log(generations=2)
    run.lines[0]["best_weights"][:] = [-2.0, 1.0, 0.0]
    run.lines[1]["best_weights"][:] = [0.0, 0.0, 0.0]
    assert weights_data(run).weights.T.tolist() == [[-1, 0.5, 0], [0, 0, 0]]
    assert plot_weights(run).collections[0].get_clim() == (-1, 1)


def test_weights_names_features_scale_and_champion() -> None:
    axes = plot_weights(log())
    assert "run-s1" in axes.get_title(loc="left")
    assert axes.get_xlabel() == "generation"
    assert [label.get_text() for label in axes.get_yticklabels()] == list(FEATURES)
    assert axes.yaxis_inverted(), "the first feature is on top"
    (note,) = axes.texts
    assert note.get_text().endswith("generation 2")
    (bar,) = {*figure_of(axes).axes} - {axes}
    label = bar.get_ylabel().replace("\n", " ")
    assert label == "weight, scaled so that the generation's largest is 1"


@pytest.mark.parametrize("structure", ["drawn", "evolved"])
@pytest.mark.parametrize("comparisons", [1, 2])
def test_weights_of_rules_are_drawn_without_the_rest(structure: str, comparisons: int) -> None:
    rules = Policies(2, comparisons, structure)
    job = Job("rules", 1, Trained("think", FEATURES), rules=rules)
    names = [f"{rule}{feature}" for rule in ("", "rule1.", "rule2.") for feature in FEATURES]
    weights = [0.2 if name in names else 7.0 for name in job.genes]
    weights[job.genes.index(names[4])] = 0.4
    lines = [{**log(generations=1).lines[0], "best_weights": weights}]
    run = SimpleNamespace(label="run-s1", lines=lines, features=job.genes, job=job)
    data, title = weights_data(run), plot_weights(run).get_title(loc="left").replace("\n", " ")
    assert list(data.features) == names
    assert data.weights.T.tolist() == [[0.5] * 4 + [1.0] + [0.5] * 4]
    assert "without the conditions and offsets of its rules" in title


def test_weights_refuses_features_that_do_not_fit() -> None:
    with pytest.raises(FigureError, match="generation 1 has 3 weights for 2 features"):
        weights_data(Log("run", log().lines, FEATURES[:2]))


def fronts(generations: int = 5, name: str = "two-costs") -> FrontData:
    """Generation g has two solvers on its front: (100 g nodes, 80 moves) and (200 g, 70)."""
    held = HeldOut("1-9", range(1, 10))
    found = tuple(
        Front(g, np.array([[100.0 * g, 80], [200 * g, 70]]), 1 / g)
        for g in range(1, generations + 1)
    )
    return FrontData(name, found, held, "best-first up to 9 nodes a deal")


@pytest.mark.parametrize("generations", [1, 5, 50])
def test_front_has_a_line_a_generation_and_numbers_on_its_axis(generations: int) -> None:
    axes = draw_front(fronts(generations))
    assert_labelled(axes, "two-costs")
    assert axes.get_xscale() == "log" and "log scale" in axes.get_xlabel()
    assert len(axes.lines) == generations
    assert texts(axes)[0] == "generation 1: 1.00"
    assert "same 9 deals (1-9), which the run did not use" in axes.texts[0].get_text()
    low, high = axes.get_xlim()
    shown = [tick.get_text() for tick in axes.get_xticklabels()]
    within = [text for text in shown if low <= float(text.replace(",", "")) <= high]
    assert 2 <= len(within) <= 12, "one decade or three, the axis can be read"


def test_fronts_are_measured_on_the_same_deals(toy: Any, tmp_path: Path, command: Command) -> None:
    fitness = {"measure": "log-nodes"}
    job = job_table(trainer="nsga-ii", scheme="resampled", fitness=fitness, generations=7)
    run = gafreecell.evolve(job, tmp_path / "trade-off", gafreecell.Workers(1))
    data = front_data(run, "201-206", gafreecell.Workers(1))
    assert [one.generation for one in data.fronts] == [1, 3, 4, 5, 7]
    # The comparison of runs measures the last front in the same way.
    (points,) = gafreecell.compare_fronts(run, deals="201-206").points.values()
    assert data.fronts[-1].costs == pytest.approx(np.array(points))
    # The hypervolume is a sum of rectangles, in the logarithms that the trainer weighs.
    shift = run.job.load_game().scales.nodes
    costs = [
        np.column_stack((np.log(one.costs[:, 0] + shift), one.costs[:, 1])) for one in data.fronts
    ]
    best, worst = np.min(np.vstack(costs), axis=0), np.max(np.vstack(costs), axis=0)
    sides = np.maximum(1.05 * (worst - best), 1e-12)
    for one, found in zip(data.fronts, costs, strict=True):
        scaled = [*((found - best) / sides).tolist(), [1.0, 0.0]]
        strips = [(nx[0] - at[0]) * (1 - at[1]) for at, nx in pairwise(scaled)]
        assert one.hypervolume == pytest.approx(sum(strips))
    picture = tmp_path / "front.svg"
    asked = ("plot", run.folder, "--kind", "front", "--deals", "201-206", "-o", picture)
    assert command(*asked).status == 0
    assert "Pareto fronts" in picture.read_text()


def test_names_are_drawn_as_they_are(tmp_path: Path) -> None:
    """Matplotlib would read the first as mathematics, fail on the second, and leave it out."""
    name, bad = "$x_1^2$ of $y$", r"_bad $\frac{$"
    run = replace(log(name), features=(bad, "Wells", "Buried"))
    deals = Phase(90, DEPTH_IN_TURN), Phase(None, DEPTH_IN_TURN)
    for names, drawn in (
        ((name, bad), plot_fitness([run, log(bad)])),
        ((name, bad), plot_weights(run)),
        ((name,), draw_front(fronts(name=name))),
        ((name, bad), plot_cactus({name: [5, 7], bad: [6, 8]}, 3)),
        ((bad,), plot_phases([10, 100], deals, 5, name=bad)),
    ):
        with rc_context({"svg.fonttype": "none"}):
            save(drawn, tmp_path / "figure.svg")
        found = unescape((tmp_path / "figure.svg").read_text())
        assert all(one in found for one in names)
    # Powers of ten at the ticks are still set as such.
    (axis,) = {ax.yaxis for ax in plot_fitness([log(name, problems=5000), log(problems=1)])[1:]}
    assert all(label.get_parse_math() for label in axis.get_ticklabels())


def test_figures_of_one_run_take_a_list_of_one() -> None:
    run = log()
    (alone,) = {axes.get_title(loc="left") for axes in (plot_weights(run), plot_weights([run]))}
    assert "run-s1" in alone
    for figure in (plot_weights, plot_front):
        with pytest.raises(FigureError, match="one run at a time, got run-s1, run-s1"):
            figure([run, log()])
    with pytest.raises(FigureError, match="run-s1: only runs of the trainer nsga-ii"):
        front_data(run)


FIGURES = [plot_fitness, plot_weights, plot_front, plot_deals]


@pytest.mark.parametrize("figure", FIGURES)
def test_no_run_is_refused(figure: Any) -> None:
    with pytest.raises(FigureError, match="at least one run"):
        figure([])


@pytest.mark.parametrize("figure", [*FIGURES, fitness_data, weights_data, front_data, deals_data])
def test_an_empty_log_is_refused(figure: Any) -> None:
    with pytest.raises(ValueError, match="started: the log is empty"):
        figure(Log("started", []))


def test_cactus_data_sorts_deals_and_solvers() -> None:
    data = cactus_data({"weak": [70], "strong": [30, 10, 20], "none": []}, 4)
    assert [curve.label for curve in data.curves] == ["strong", "weak", "none"]
    assert [curve.solved for curve in data.curves] == [3, 1, 0]
    assert data.curves[0].nodes.tolist() == [10, 20, 30]
    assert data.curves[0].share.tolist() == [0.25, 0.5, 0.75]


def test_cactus_counts_in_its_legend_and_draws_the_limit() -> None:
    axes = plot_cactus({"weak": [700], "strong": [300, 100, 200]}, 4, limit=5000)
    assert_labelled(axes)
    assert "nodes" in axes.get_xlabel() and axes.get_xscale() == "log"
    assert texts(axes) == [
        "strong\nsolved 3 of 4 (75.00 %)",
        "weak\nsolved 1 of 4 (25.00 %)",
        "limit: 5,000 nodes a deal",
    ]
    strong, weak, limit = (np.transpose(line.get_xydata()).tolist() for line in axes.lines)
    assert strong == [[100, 100, 200, 300, 5000], [0, 0.25, 0.5, 0.75, 0.75]]
    assert weak[0] == [100, 700, 5000]
    assert limit[0] == [5000, 5000] and axes.lines[2].get_linestyle() == "--"


def test_cactus_tells_good_solvers_apart() -> None:
    """99.9 % lies as far above 99 % as 99 % above 90 %, and all deals above that."""
    axes = plot_cactus({"all": range(1, 2001), "most": range(1, 1999)}, 2000)
    height = axes.transData.transform([(1, share) for share in (0.9, 0.99, 0.999)])[:, 1]
    assert height[2] - height[1] == pytest.approx(height[1] - height[0])
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[-1] == "100 %" and "99.9 %" in labels
    top = [np.asarray(line.get_ydata()).max() for line in axes.lines]
    assert top[0] > top[1] == pytest.approx(0.999)
    assert axes.get_ylim()[1] > top[0]
    assert texts(axes)[1] == "most\nsolved 1,998 of 2,000 (99.90 %)"


def test_cactus_never_rounds_up_to_all() -> None:
    axes = plot_cactus({"nearly": range(1, 32_000)}, 32_000)
    assert texts(axes) == ["nearly\nsolved 31,999 of 32,000 (99.99 %)"]
    # Other shares are rounded as in tables.
    assert texts(plot_cactus({"most": range(1, 297)}, 300)) == ["most\nsolved 296 of 300 (98.67 %)"]


def test_a_cactus_plot_of_several_searches_names_them(
    toy: Any, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[list[str]] = []

    def spy(results: Mapping[str, Sequence[int]], *further: Any) -> Axes:
        drawn.append([*results])
        return plot_cactus(results, *further)

    monkeypatch.setattr(figures, "plot_cactus", spy)
    for name, effort in (("usual", 1000), ("quick", 500)):
        job = job_table(trained={"parameters": {"effort": effort}})
        gafreecell.evolve(job, tmp_path / name, 1, generations=1)
    words = ("--kind", "cactus", "--deals", "1-9", "-o", tmp_path / "x.svg")
    assert command("plot", tmp_path / "quick", tmp_path / "usual", *words).status == 0
    quick, usual, *guess = drawn[0]
    assert (quick, usual) == ("quick (think: effort\N{NO-BREAK SPACE}500)", "usual (think)")
    assert guess == ["guess (think)"], "1000 is the default"
    assert command("plot", tmp_path / "usual", *words).status == 0
    assert drawn[1] == ["usual", "guess"], "a preset need not name the default"


def test_a_long_legend_of_a_cactus_plot_makes_it_higher() -> None:
    axes = plot_cactus({f"{i} {6 * 'long name '}": [i + 1] for i in range(12)}, 4, limit=50)
    figure = laid_out(axes)
    assert axes.get_legend().get_window_extent().y0 >= 0
    assert axes.get_window_extent().height > 0.75 * figure.bbox.height


@pytest.mark.parametrize(
    ("results", "deals", "limit"),
    [
        ({"none": []}, 1, None),
        ({"trivial": [0]}, 3, 50),
        ({"none": [], "one": [9]}, 40, None),
        ({"none": []}, 3, 50),
    ],
)
def test_cactus_of_next_to_nothing(results: Any, deals: int, limit: int | None) -> None:
    axes = plot_cactus(results, deals, limit)
    low, high = axes.get_ylim()
    assert low <= 0 < high
    figure = laid_out(axes)
    # What solves nothing has no line, which would say that it could not do it.
    said = figure.get_supxlabel()
    assert ("none solves none" in said) == ("none" in results)
    assert not any(text.startswith("none") for text in texts(axes))


PHASES = (Phase(100), Phase(50, DEPTH_IN_TURN), Phase())


def test_phases_data_tells_which_phase_solved_a_deal() -> None:
    """A phase's last state still counts as its own."""
    data = phases_data([900, 10, 150, 100, 101, 151], PHASES, 8, alone=[400, 10])
    assert [nodes.tolist() for nodes in data.nodes] == [[10, 100], [101, 150], [151, 900]]
    assert data.alone.tolist() == [10, 400]


def test_phases_are_drawn_one_behind_the_other() -> None:
    axes = plot_phases([10, 100, 120, 900], PHASES, 5, alone=[10, 100, 3000])
    assert_labelled(axes)
    assert texts(axes) == [
        "phase 1: best first, 100 nodes\nsolved 2 of 5 (40.00 %)",
        "phase 2: depths in turn, 50 nodes\nsolved 1 of 5 (20.00 %)",
        "phase 3: best first, no limit\nsolved 1 of 5 (20.00 %)",
        "phase 1 without a limit\nsolved 3 of 5",
    ]
    lines = [np.asarray(line.get_xydata()).tolist() for line in axes.lines]
    assert lines == [
        [[10, 0.2], [100, 0.4]],
        [[100, 0.4], [120, pytest.approx(0.6)]],
        [[120, pytest.approx(0.6)], [900, pytest.approx(0.8)]],
        [[10, 0.2], [100, 0.4], [3000, pytest.approx(0.6)]],
    ]


def test_a_figure_of_phases_says_whose_they_are_and_which_deals() -> None:
    axes = plot_phases([10], PHASES, 3, name="fast", chosen="1-3")
    assert axes.get_title(loc="left") == "fast: what its phases solve of 3 deals (1-3)"


@pytest.mark.parametrize("results", [[0], [170]])
def test_phases_that_solve_next_to_nothing(results: list[int]) -> None:
    laid_out(plot_phases(results, PHASES, 3))


@pytest.mark.parametrize(
    ("figure", "given", "message"),
    [
        (plot_cactus, ({}, 4), "at least one solver"),
        (plot_cactus, ({"a": []}, 0), "at least one deal, got 0"),
        (plot_cactus, ({"a": [1, 2, 3]}, 2), "a solved 3 deals of only 2"),
        (plot_phases, ([1], (), 4), "needs a schedule"),
        (plot_phases, ([], PHASES, 0), "at least one deal, got 0"),
        (plot_phases, ([], PHASES, 3), "solved none of 3 deals, so there is nothing to draw"),
        (plot_phases, ([1, 2, 3], PHASES, 2), "3 deals solved of only 2"),
    ],
)
def test_figures_of_solvers_refuse(figure: Any, given: Any, message: str) -> None:
    with pytest.raises(FigureError, match=message):
        figure(*given)


@pytest.mark.parametrize(
    ("figure", "given", "extension"),
    [
        (plot_fitness, (log(),), "svg"),
        (plot_weights, (log(),), "png"),
        (plot_cactus, ({"a": [10, 20]}, 3, 100), "pdf"),
    ],
)
def test_equal_figures_are_equal_files(
    figure: Any, given: Any, extension: str, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{name}.{extension}" for name in "ab"]
    for path in paths:
        save(figure(*given), path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert first.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[extension])


def test_save_takes_extensions_in_either_case(tmp_path: Path) -> None:
    save(plot_cactus({"a": [10, 20]}, 3), tmp_path / "figure.PNG")
    assert (tmp_path / "figure.PNG").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("axes", "name", "said"),
    [
        *[(plot_fitness(log()), name, r"\.png, \.svg, \.pdf") for name in ("a.gif", "a", "svg")],
        (None, "a.png", "expected axes.*got None"),
        ([], "a.png", "expected axes.*got none"),
        ("x", "a.png", "expected axes.*got 'x'"),
    ],
)
def test_save_refuses_other_formats_and_what_is_no_axes(
    axes: Any, name: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(FigureError, match=said):
        save(axes, tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name",
    [
        *("cactus", "deals", "fitness", "front", "importance", "interactions", "progress"),
        *("validation", "weights"),
    ],
)
def test_functions_leave_their_modules_in_reach(name: str) -> None:
    module = getattr(figures, name)
    assert isinstance(module, ModuleType)
    assert getattr(module, f"plot_{name}") is getattr(figures, f"plot_{name}")


# Figures that packages bring, and ``gafreecell plot``


@pytest.fixture
def runs(toy: Any, tmp_path: Path) -> list[Path]:
    """Two runs of the toy game."""
    folders = [tmp_path / "first", tmp_path / "second"]
    for seed, folder in enumerate(folders, start=1):
        job = written(tmp_path / f"{seed}.toml", as_toml(job_table(seed=seed, generations=3)))
        gafreecell.evolve(job, folder, gafreecell.Workers(1))
    return folders


def test_the_built_in_figures_are_registered() -> None:
    assert plugins.find("figure", "weights") is plot_weights
    with pytest.raises(plugins.PluginError, match=r"no figure 'spread'; .*fitness, front,"):
        plugins.find("figure", "spread")


def test_plot_draws_what_a_package_brings(
    runs: list[Path], tmp_path: Path, command: Command
) -> None:
    picture = tmp_path / "nodes.svg"
    done = command("plot", *runs, "--kind", "nodes", "-o", picture)
    assert (done.status, done.err) == (0, f"wrote {picture}\n")
    # Letters are drawn as shapes; what they spell stands in comments.
    assert all(f"<!-- {run.name} -->" in picture.read_text() for run in runs)


def test_plot_says_what_is_wrong(runs: list[Path], tmp_path: Path, command: Command) -> None:
    output = ("-o", tmp_path / "x.png")
    kinds = ", ".join(sorted({"cactus", "phases", "ranks", "nodes", *plugins.names("figure")}))
    refused(command("plot", "absent", "--kind", "spread", *output), "no figure 'spread'", kinds)
    refused(command("plot", *runs, "--kind", "weights", *output), "one run at a time", "second")
    refused(command("plot", runs[0], "--kind", "front", *output), "nsga-ii")
    refused(command("plot", runs[0], "--kind", "nothing", *output), "expected axes", "None")
    assert not (tmp_path / "x.png").exists()


def test_matplotlib_waits_until_something_is_drawn() -> None:
    """Neither importing nor computing loads it, and drawing needs no pyplot."""
    code = """
import sys
import gafreecell, gafreecell.figures as figures
from gafreecell.installed import plugins
plugins.find("figure", "fitness")
figures.cactus_data({"a": [1]}, 1)
assert "matplotlib" not in sys.modules
figures.plot_cactus({"a": [1]}, 1)
assert "matplotlib" in sys.modules and "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
