"""The figure of deals: its data against logs made by hand, its means, bands and refusals."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, nan, sqrt
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import numpy as np
import pytest
from conftest import job_table
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from scipy.stats import t

import gafreecell
from gafreecell.figures import FigureError, deals_data, draw_deals, plot_deals, save
from gafreecell.figures.style import figure_of


@dataclass(frozen=True)
class Log:
    """A run that is nothing but a log."""

    label: str
    lines: Sequence[dict[str, Any]]
    features: Sequence[str] = ()


def line(generation: int, hardness: float, price: int, told: float | None) -> dict[str, Any]:
    """A generation of 12 deals and 240 evaluations; hardness and price in nodes."""
    met = {"deals": 12, "hardness": log(hardness), "informativeness": told}
    return {"generation": generation, "nodes": 240 * price, "evaluations": 240, "met": met}


def logged(*hardness: float, label: str = "run-s1") -> Log:
    """A run whose deals cost twice their hardness and tell a tenth of their generation."""
    lines = [line(g, h, int(2 * h), g / 10) for g, h in enumerate(hardness, start=1)]
    return Log(label, lines)


def with_middles(run: Log) -> Log:
    """The same as later versions log it: half as much and twice as much around the mean."""
    for one in run.lines:
        met, price = one["met"], one["nodes"] / one["evaluations"]
        told = met["informativeness"]
        met["middle"] = {
            "hardness": [met["hardness"] - log(2), met["hardness"] + log(2)],
            "price": [price / 2, price * 2],
            "informativeness": None if told is None else [told / 2, told * 2],
        }
    return run


def curves(axes: Axes) -> list[list[float]]:
    """The thick curves of a panel."""
    return [list(one.get_ydata()) for one in axes.lines if one.get_linewidth() == 2]  # type: ignore


def bands(axes: Axes) -> list[np.ndarray]:
    """Lowest and highest value of each band of a panel."""
    found = []
    for one in axes.collections:
        assert isinstance(one, PolyCollection)
        heights = np.concatenate([np.asarray(path.vertices)[:, 1] for path in one.get_paths()])
        found.append(np.array([heights.min(), heights.max()]))
    return found


def texts(panels: Sequence[Axes]) -> list[str]:
    """The legend beside the panels of a new figure."""
    (legend,) = figure_of(panels[0]).legends
    return [text.get_text() for text in legend.get_texts()]


def test_data_is_what_the_log_says_in_nodes() -> None:
    run = with_middles(Log("run-s1", [line(1, 900, 1500, 0.5), line(2, 400, 700, None)]))
    run.lines[1]["met"]["deals"] = 11
    data = deals_data(run)
    assert (data.label, data.generations.tolist()) == ("run-s1", [1, 2])
    assert data.deals.tolist() == [12, 11]
    assert data.hardness.mean == pytest.approx([900, 400])
    assert data.hardness.middle == pytest.approx(np.array([[450, 200], [1800, 800]]))
    assert data.price.mean == pytest.approx([1500, 700])
    assert data.price.middle == pytest.approx(np.array([[750, 350], [3000, 1400]]))
    assert data.informativeness.mean == pytest.approx([0.5, nan], nan_ok=True)
    middle = np.array([[0.25, nan], [1.0, nan]])
    assert data.informativeness.middle == pytest.approx(middle, nan_ok=True)


def test_logs_without_the_middle_half_are_read() -> None:
    data = deals_data(logged(900, 400))
    for trend in (data.hardness, data.price, data.informativeness):
        assert trend.middle.shape == (2, 2) and np.isnan(trend.middle).all()
    assert not any(bands(axes) for axes in plot_deals(logged(900, 400)))


def test_logs_of_earlier_versions_are_refused_by_name() -> None:
    old = [{"generation": g, "nodes": 9, "evaluations": 3} for g in (1, 2)]
    said = r"early-s1: its log does not describe.*evolve its job again"
    with pytest.raises(FigureError, match=said):
        plot_deals([logged(900), Log("early-s1", old)])
    # Resumed by this version: what is known is drawn.
    data = deals_data(Log("early-s1", [*old, line(3, 900, 1500, 0.5)]))
    assert data.generations.tolist() == [3] and data.hardness.mean == pytest.approx([900])


def test_panels_say_what_they_show() -> None:
    panels = plot_deals(with_middles(logged(900, 400)))
    titles = ["run-s1: nodes of the median solver", "Price", "Informative"]
    for axes, title in zip(panels, titles, strict=True):
        assert axes.get_title(loc="left").startswith(title)
    assert [axes.get_yscale() for axes in panels] == ["log", "log", "linear"]
    for axes in panels[:2]:
        assert axes.get_ylabel().startswith("nodes") and "log scale" in axes.get_ylabel()
    assert "correlation" in panels[2].get_ylabel() and "(here 12)" in panels[2].texts[0].get_text()
    assert panels[2].get_xlabel() == "generation"
    assert "Below 0: it predicts their ranking worse than chance" in panels[2].texts[0].get_text()
    assert texts(panels) == ["middle half of the deals"], "there is one kind of line"


def test_a_run_is_drawn_as_its_running_median() -> None:
    """Of five generations for forty, fewer before near the start, and fewer after near the end."""
    nodes = [float(n) for n in np.random.default_rng(5).integers(300, 900, 40)]
    panels = plot_deals(with_middles(logged(*nodes)))
    smooth = [nodes[0], median(nodes[:3]), *(median(nodes[i : i + 5]) for i in range(38))]
    assert curves(panels[0]) == [pytest.approx(smooth)]
    assert curves(panels[1]) == [pytest.approx([2 * n for n in smooth], abs=2)]
    (raw,) = (one for one in panels[0].lines if one.get_linewidth() == 0.8)
    assert raw.get_ydata() == pytest.approx(nodes) and (raw.get_alpha() or 1) < 0.5
    (band,) = bands(panels[0])
    assert band == pytest.approx([min(smooth) / 2, max(smooth) * 2])
    assert texts(panels)[1] == "running median of\n5 generations"


def test_a_group_is_drawn_as_the_mean_of_its_runs() -> None:
    runs = [logged(900, 400, 300), logged(100, 500), logged(300, 640, 300, 20)]
    runs[1].lines[1]["met"]["informativeness"] = 0.5
    data = [deals_data(run) for run in runs]
    hardness, price, told = draw_deals({"one": data, "alone": data[2:]})
    group, alone = curves(hardness)
    assert group == pytest.approx([300, exp(mean(map(log, (400, 500, 640))))]), "geometric"
    assert len(alone) == 4, "each group is as long as it can be"
    assert curves(price)[0] == pytest.approx([2 * n for n in group])
    assert curves(told)[0] == pytest.approx([0.1, 0.3])
    (band,) = bands(told)
    half = t.ppf(0.975, 2) * stdev([0.2, 0.2, 0.5]) / sqrt(3)
    assert band == pytest.approx([0.3 - half, 0.3 + half])
    (band,) = bands(hardness)
    logs = [log(n) for n in (900, 100, 300)]
    half = t.ppf(0.975, 2) * stdev(logs) / sqrt(3)
    assert band == pytest.approx([exp(mean(logs) - half), exp(mean(logs) + half)])
    assert texts((hardness, price, told)) == [
        "one\n3 runs,\n12 deals per generation",
        "alone\n1 run,\n12 deals per generation",
        "mean of the runs",
        "95 % interval of the mean",
    ]


def test_groups_of_one_are_runs() -> None:
    runs = [with_middles(logged(900, 400, label=label)) for label in ("first", "second")]
    data = {run.label: [deals_data(run)] for run in runs}
    for ours, theirs in zip(draw_deals(data), plot_deals(runs), strict=True):
        assert curves(ours) == curves(theirs) and len(bands(ours)) == len(bands(theirs)) == 2
        assert ours.get_title(loc="left") == theirs.get_title(loc="left")


def test_two_runs_of_a_group_have_no_interval() -> None:
    data = deals_data(with_middles(logged(900, 400)))
    panels = draw_deals({"pair": [data, data]})
    assert not any(bands(axes) for axes in panels)
    assert curves(panels[0]) == [pytest.approx([900, 400])]


def test_an_interval_of_correlations_has_none_that_cannot_be() -> None:
    runs = [deals_data(Log("run", [line(1, 900, 900, told)])) for told in (1.0, 1.0, -0.5)]
    (band,) = bands(draw_deals({"wide": runs})[2])
    assert band.tolist() == [-1, 1]


def test_runs_in_different_folders_may_have_one_name() -> None:
    panels = plot_deals([logged(900, 400), logged(90, 40)])
    assert curves(panels[0]) == [pytest.approx([900, 400]), pytest.approx([90, 40])]


def test_generations_without_a_correlation_leave_a_gap() -> None:
    lines = [line(g, 500, 700, told) for g, told in enumerate((0.5, None, 0.7), start=1)]
    run = with_middles(Log("run", lines))
    (curve,) = curves(plot_deals(run)[2])
    assert curve == pytest.approx([0.5, nan, 0.7], nan_ok=True)
    nothing = with_middles(Log("own", [line(g, 500, 700, None) for g in (1, 2)]))
    hardness, _, told = plot_deals(nothing)
    assert np.isnan(curves(told)[0]).all() and len(bands(hardness)) == 1 and not bands(told)
    why = "fewer than three solvers met all deals of a generation"
    assert not any("none:" in text.get_text() for text in hardness.texts)
    assert f"none: {why}" in [text.get_text() for text in told.texts]
    *_, told = plot_deals([run, nothing])
    assert f"none in own: {why}" in [text.get_text() for text in told.texts]
    *_, told = plot_deals(run)
    assert not any(why in text.get_text() for text in told.texts)


def test_a_game_that_counts_no_nodes_has_a_linear_scale() -> None:
    run = with_middles(Log("free", [line(1, 5, 0, 0.5), line(2, 4, 0, 0.5)]))
    hardness, price, _ = plot_deals(run)
    assert (hardness.get_yscale(), price.get_yscale()) == ("log", "linear")
    assert "log scale" not in price.get_ylabel() and curves(price) == [[0, 0]]


@pytest.mark.parametrize(
    ("spread", "least"),
    [(1.0, 1170), (1.01, 100), (1.5, 3), (3.6, 1170), (7.0, 3), (30.0, 100), (4000.0, 3)],
)
def test_nodes_can_be_read_off_the_axis(spread: float, least: int) -> None:
    axes, *others = plot_deals(logged(least * spread, least))
    for other in others:
        other.remove()
    figure_of(axes).draw_without_rendering()
    low, high = axes.get_ylim()
    shown = [float(tick.get_text().replace(",", "")) for tick in axes.get_yticklabels()]
    within = [value for value in shown if low <= value <= high]
    assert len(within) == len(set(within)) and 2 <= len(within) <= 15
    widest = 2.6 if spread > 8 else 1.6
    assert within[0] < widest * low and high < widest * within[-1], "both ends have a label"


@pytest.mark.parametrize("count", [9, 30])
def test_many_runs_have_curves_alone_and_a_legend_beside_the_data(count: int) -> None:
    nodes = range(900, 870, -1)
    runs = [with_middles(logged(*nodes, label=f"{i}-{60 * 'x'}")) for i in range(count)]
    panels = plot_deals(runs)
    assert len({one.get_color() for one in panels[0].lines}) == len(panels[0].lines) == count
    assert not bands(panels[0])
    figure = figure_of(panels[0])
    figure.draw_without_rendering()
    (legend,), boxes = figure.legends, [axes.get_window_extent() for axes in panels]
    assert max(box.x1 for box in boxes) < legend.get_window_extent().x0
    assert legend.get_window_extent().x1 <= figure.bbox.x1
    assert legend.get_window_extent().y0 >= 0, "the figure is as high as its legend"
    assert min(box.height for box in boxes) > 0.2 * figure.bbox.height, "nothing is squeezed"


def test_one_generation_is_visible() -> None:
    for axes in plot_deals(with_middles(logged(900))):
        at = np.asarray(axes.lines[0].get_xdata())
        assert at[0] < 1 < at[-1] and len(bands(axes)) == 1


def test_it_draws_on_given_axes() -> None:
    grid = Figure().subplots(3)
    assert plot_deals(logged(900, 400), grid) == tuple(grid)
    figure, legend = figure_of(grid[0]), grid[0].get_legend()
    figure.draw_without_rendering()
    assert not figure.legends
    assert legend.get_window_extent().x0 > grid[0].get_window_extent().x1
    with pytest.raises(FigureError, match="need 3 axes, got 2"):
        plot_deals(logged(900), Figure().subplots(2))


APART = [deals_data(Log("run", [line(generation, 9, 9, 0.1)])) for generation in (1, 2)]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({}, "at least one group"),
        ({"none": []}, "none: expected at least one run"),
        ({"apart": APART}, "apart: its runs have no generation in common"),
    ],
)
def test_groups_with_nothing_to_draw_are_refused(groups: Any, message: str) -> None:
    with pytest.raises(FigureError, match=message):
        draw_deals(groups)


def test_equal_figures_are_equal_files(tmp_path: Path) -> None:
    path, kept = tmp_path / "figure.svg", []
    for _ in range(2):
        save(plot_deals(with_middles(logged(900, 400, 300))), path)
        kept.append(path.read_bytes())
    assert kept[0] == kept[1]


@pytest.mark.usefixtures("toy")
def test_runs_that_differ_in_the_seed_alone_are_a_group(tmp_path: Path) -> None:
    runs = [
        gafreecell.evolve(
            job_table(scheme=name.rstrip("123"), seed=int(name[-1]), generations=3),
            tmp_path / name,
            gafreecell.Workers(1),
        )
        for name in ("fixed1", "fixed2", "fixed3", "resampled1")
    ]
    data = [deals_data(run) for run in runs]
    wanted = {"small (scheme=fixed)": data[:3], "small (scheme=resampled)": data[3:]}
    for ours, theirs in zip(plot_deals(runs), draw_deals(wanted), strict=True):
        assert curves(ours) == curves(theirs) and len(curves(ours)) == 2
        assert len(bands(ours)) == len(bands(theirs)) == 1
    wanted = ["small (scheme=fixed)", "small (scheme=resampled)"]
    for drawn, names in ((runs, wanted), (runs[2:], ["fixed3", "resampled1"])):
        legend = texts(plot_deals(drawn))
        assert [text.partition("\n")[0] for text in legend[:2]] == names


@pytest.mark.usefixtures("toy")
def test_copies_of_a_run_are_refused(tmp_path: Path) -> None:
    gafreecell.evolve(job_table(seed=5, generations=2), tmp_path / "one", gafreecell.Workers(1))
    shutil.copytree(tmp_path / "one", tmp_path / "copy")
    runs = [gafreecell.load(tmp_path / name) for name in ("one", "copy")]
    with pytest.raises(FigureError, match=r"one and .*copy are runs of one job with one seed, 5"):
        plot_deals(runs)


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("scheme", ["coevolution", "resampled", "informative"])
def test_runs_of_any_scheme_are_drawn(scheme: str, tmp_path: Path) -> None:
    job = job_table(scheme=scheme, generations=3)
    run = gafreecell.evolve(job, tmp_path / "run", gafreecell.Workers(1))
    data, panels = deals_data(run), plot_deals(run)
    for axes, trend in zip(panels, (data.hardness, data.price, data.informativeness), strict=True):
        assert curves(axes) == [pytest.approx(trend.mean.tolist(), nan_ok=True)]
    assert data.generations.tolist() == [1, 2, 3]
