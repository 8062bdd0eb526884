"""The figure of progress: its data against the toy game worked out by hand, and the drawing."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import exp, log
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import handed_in
import numpy as np
import pytest
from conftest import Command, job_table, refused
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from toy_game import nodes_needed

import deals
import gafreecell
import hsd
from gafreecell.figures import FigureError, Score, draw_progress, plot_progress, progress_data
from gafreecell.figures.courses import LEAST
from gafreecell.figures.labels import spread
from gafreecell.figures.progress import LEVEL
from gafreecell.figures.style import figure_of
from gafreecell.runs.record import Run
from gafreecell.solving.outcome import Evaluator, Nodes, Outcome, Status
from gafreecell.solving.weights import Weights

ONE = gafreecell.Workers(1)
BUDGET = 20_000
UNSEEN = range(121, 321)
"""The deals after those of ``job_table``."""
SOME = UNSEEN[:20]
Make = Callable[..., Run]


def typical(deals: Sequence[int], weights: Sequence[float], budget: int = BUDGET) -> float:
    """The geometric mean of the nodes that the toy game needs."""
    nodes = [min(nodes_needed(deal, weights), budget) for deal in deals]
    return exp(sum(log(count) for count in nodes) / len(nodes))


@pytest.fixture(scope="module")
def evolved() -> dict[str, Run]:
    """The runs of this file, which tests only read."""
    return {}


@pytest.fixture
def make(toy: Any, evolved: dict[str, Run], tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Makes a run of the toy game in a folder of that name, each once."""

    def made(folder: str, **changes: Any) -> Run:
        key = repr((folder, changes))
        if key not in evolved:
            place = tmp_path_factory.mktemp("runs") / folder
            evolved[key] = gafreecell.evolve(job_table(**changes), place, ONE)
        return evolved[key]

    return made


@pytest.fixture
def run(make: Make) -> Run:
    """A run of the toy game, six generations."""
    return make("small")


def words(axes: Axes) -> str:
    """All that is written on the axes."""
    drawn = [axes.get_title(loc="left"), axes.get_xlabel(), axes.get_ylabel()]
    drawn.append(figure_of(axes).get_supxlabel())
    return "\n".join([*drawn, *(text.get_text() for text in axes.texts)])


def thick(axes: Axes) -> list[Any]:
    """The lines of champions."""
    return [line for line in axes.lines if line.get_linewidth() > 2]


def dashed(axes: Axes) -> list[Any]:
    return [line for line in axes.lines if line.get_linestyle() == "--"]


def test_the_data_are_what_the_logs_weights_need(run: Run) -> None:
    data = progress_data(run, jobs=ONE)
    (course,) = data.courses
    assert (data.held.name, data.held.seen) == ("121-320", 0)
    assert course.generations == (1, 2, 3, 4, 5, 6) and course.length == 6
    for line, score in zip(run.lines, course.best, strict=True):
        assert score.typical == pytest.approx(typical(UNSEEN, line["best_weights"]))
        assert score.deals == 200


def test_the_champions_are_those_that_the_log_tells(run: Run) -> None:
    (course,) = progress_data(run, jobs=ONE).courses
    told = sorted({line["validation"]["generation"] for line in run.lines})
    assert course.changes == tuple(told) and told[-1] == run.best.generation
    assert course.champions[-1].typical == pytest.approx(typical(UNSEEN, run.best.weights))
    for generation, champion in zip(course.changes, course.champions, strict=True):
        assert champion == course.best[course.generations.index(generation)]


def test_a_deal_left_unsolved_counts_the_budget(make: Make) -> None:
    data = progress_data(make("poor", trained={"nodes": 2000}), jobs=ONE)
    (level,) = data.levels
    weights = level.rival.evaluator.weights
    assert level.score.typical == pytest.approx(typical(UNSEEN, weights, 2000))
    unsolved = sum(nodes_needed(deal, weights) > 2000 for deal in UNSEEN)
    assert 0 < unsolved == level.score.deals - level.score.decided
    assert f", {unsolved} unsolved" in words(draw_progress(data))


def test_levels_are_what_evaluate_counts(run: Run, tmp_path: Path, command: Command) -> None:
    (level,) = progress_data(run, "121-140", ONE).levels
    rows = tmp_path / "rows.csv"
    done = command("evaluate", "guess", "--game", "toy", "--deals", "121-140", "-o", rows)
    assert done.status == 0
    with rows.open(newline="") as file:
        nodes = [int(row["generated"]) for row in csv.DictReader(file)]
    assert np.exp(level.score.values) == pytest.approx(nodes)


def test_freecell_is_solved_as_the_solver_solves_it() -> None:
    run = gafreecell.load("runs/freecell-nine")
    short = replace(run, lines=run.lines[:2])
    data = progress_data(short, [50_001, 50_002, 50_003], ONE)
    hsdh = data.levels[0]
    assert hsdh.rival.name == "hsdh-same-search"
    direct = hsd.solve_many(range(50_001, 50_004), "hsdh-same-search", jobs=1)
    assert [o.status is Status.SOLVED for o in direct] == [False, True, False]
    # What ran dry without a solution counts the budget, too.
    counted = [o.nodes.generated if o.status is Status.SOLVED else 2_000_000 for o in direct]
    assert np.exp(hsdh.score.values) == pytest.approx(counted)
    first = Evaluator(run.features, tuple(run.lines[0]["best_weights"]))
    direct = hsd.solve_many(range(50_001, 50_004), replace(run.weights, evaluator=first), jobs=1)
    best = data.courses[0].best[0]
    assert np.exp(best.values) == pytest.approx([o.nodes.generated for o in direct])


def test_ratios_pair_the_deals() -> None:
    outcomes = [
        [Outcome(Status.SOLVED, (), {}, Nodes(1, nodes), 0.0) for nodes in row]
        for row in ([100, 10_000, 1_000_000], [50, 5_000, 500_000])
    ]
    slow, fast = (Score.of(row, 2_000_000) for row in outcomes)
    assert slow.times(fast) == pytest.approx((2, 2, 2)), "each deal takes twice as much"
    assert slow.typical == pytest.approx(10_000)
    times, low, high = Score.of(outcomes[0][:2], 9).times(Score.of(outcomes[1][1:], 9))
    assert low < times < high
    (_, low, high) = Score.of(outcomes[0][:1], 9).times(Score.of(outcomes[1][:1], 9))
    assert (low, high) == (0, np.inf), "one deal tells nothing of others"


def test_proofs_count_what_they_took_and_are_no_failures() -> None:
    proof = Outcome(Status.UNSOLVABLE, None, None, Nodes(10, 100), 0.0)
    given_up = Outcome(Status.EXHAUSTED, None, None, Nodes(10, 100), 0.0)
    score = Score.of([proof, given_up], 10_000)
    assert np.exp(score.values) == pytest.approx([100, 10_000])
    assert (score.solved, score.decided) == (0, 1)


def test_long_runs_are_sampled_with_all_their_champions(run: Run) -> None:
    told = [{"generation": 7 if generation >= 7 else 1} for generation in range(1, 101)]
    lines = [
        {**run.lines[place % 6], "generation": place, "validation": one}
        for place, one in enumerate(told, start=1)
    ]
    long = replace(run, lines=lines)
    (course,) = progress_data(long, "121-122", ONE, most=20).courses
    assert course.length == 100
    assert {1, 7, 100} <= {*course.generations} and 20 <= len(course.generations) <= 21
    long = replace(long, job=replace(run.job, generations=100))
    said = words(draw_progress(progress_data([long, run], "121-122", ONE, most=20)))
    assert f"({LEAST + 1} of 100 generations measured)" in said


def test_every_vector_is_solved_once(run: Run) -> None:
    lines = [{**run.lines[0], "generation": generation} for generation in range(1, 6)]
    told: list[tuple[int, int]] = []
    progress_data(replace(run, lines=lines), "121-130", ONE, lambda *counts: told.append(counts))
    solved = told[-1][1] - told[0][0]
    assert told[-1][0] == told[-1][1] and solved == 20, "one vector and one level, ten deals each"


def test_the_figure_says_what_a_stranger_asks(run: Run) -> None:
    axes = plot_progress(run, jobs=ONE)
    said = words(axes)
    for word in (
        "small: nodes on deals it never trained on (lower is better)",
        "200 deals (121-320), search think up to 20,000 nodes a deal",
        "geometric mean, log scale",
        "thick line: the champion so far",
        "each generation's best",
        "champion: the weights kept",
        "guess",
        "× champion's (95 %",
    ):
        assert word in said, word
    assert axes.get_yscale() == "log" and axes.get_xlabel() == "generation"
    (champion,), (level,) = thick(axes), dashed(axes)
    assert champion.get_ydata()[-1] == pytest.approx(typical(UNSEEN, run.best.weights))
    assert level.get_ydata()[0] == pytest.approx(typical(UNSEEN, (1.0, 0.0, 0.0)))


def test_runs_in_the_same_search_share_levels(run: Run, make: Make) -> None:
    axes = plot_progress([run, make("other", seed=6, generations=3)], deals=SOME, jobs=ONE)
    said = words(axes)
    assert axes.get_title(loc="left") == "Nodes on deals no run trained on (lower is better)"
    assert len(dashed(axes)) == 1 and "\nguess\n" in said
    assert len({line.get_color() for line in thick(axes)}) == 2
    assert "small\n" in said and "other\n" in said


def test_runs_in_different_budgets_have_levels_of_their_own(run: Run, make: Make) -> None:
    runs = [run, make("poor", trained={"nodes": 500})]
    axes = plot_progress(runs, deals=SOME, jobs=ONE)
    said = words(axes).replace("\n", " ")
    assert "guess, within 20,000 nodes" in said and "guess, within 500 nodes" in said
    assert "up to 20,000 nodes a deal, think up to 500 nodes a deal" in said
    tints = [line.get_color() for line in dashed(axes)]
    assert tints == [line.get_color() for line in thick(axes)]
    # A budget that two jobs share has levels in the colour of neither.
    axes = plot_progress([*runs, make("other", trainer="random")], deals=SOME, jobs=ONE)
    assert [line.get_color() for line in dashed(axes)] == [LEVEL, thick(axes)[1].get_color()]


def test_curves_that_end_before_others_say_so(make: Make) -> None:
    long = [make(f"long-{seed}", seed=seed) for seed in (5, 6)]
    short = [make(f"short-{seed}", seed=seed, trainer="random") for seed in (5, 6)]
    short[1] = replace(short[1], lines=short[1].lines[:3])
    data = progress_data([*long, *short], "121-130", ONE)
    assert data.cautions[0] == (
        "the curve of small (trainer=random) ends with its shortest run, short-6, at generation 3; "
        "the longest has 6"
    )
    axes = draw_progress(data)
    said = words(axes).replace("\n", " ")
    assert data.cautions[0] in said and "upright bar: a curve ends before others" in said
    assert "after generation 3, 2 runs: " in said and "after generation 6, 2 runs: " in said
    curve = thick(axes)[1]
    (bar,) = [line for line in axes.lines if line.get_marker() == "|"]
    (lead,) = [line for line in axes.lines if line.get_linestyle() == ":"]
    (x,), (y,) = bar.get_data()
    assert (x, y) == (3.5, curve.get_ydata()[-1]) and curve.get_xdata()[-1] == x
    assert (*lead.get_xdata(),) == (3.5, 6.5) and {*lead.get_ydata()} == {y}
    # Of two with one beginning, the shorter lies above.
    assert curve.get_zorder() > thick(axes)[0].get_zorder()
    axes = draw_progress(progress_data(long, "121-130", ONE))
    assert "after generation" not in words(axes) and "upright bar" not in words(axes)


def test_intervals_are_within_the_axes(make: Make) -> None:
    runs = [make(f"r-{seed}", seed=seed, generations=2) for seed in (5, 6, 7)]
    axes = plot_progress(runs, deals=range(121, 126), jobs=ONE)
    (band,) = axes.collections
    low, high = band.get_datalim(axes.transData).intervaly
    lowest = min(float(np.min(line.get_ydata())) for line in thick(axes))
    bottom, top = axes.get_ylim()
    assert bottom <= max(low, lowest / 2) and (top >= high or top > 2 * lowest)


def test_budgets_that_differ_are_told_and_can_be_made_the_same(run: Run, make: Make) -> None:
    poor = make("poor", trained={"nodes": 500})
    told = "the runs have different node budgets, so one with a larger budget may solve more deals"
    data = progress_data([run, poor], SOME, ONE)
    assert len(data.cautions) == 1 and told in words(draw_progress(data)).replace("\n", " ")
    data = progress_data([run, poor], SOME, ONE, nodes=900)
    assert data.cautions == () and len(data.levels) == 1
    for course, one in zip(data.courses, (run, poor), strict=True):
        assert course.best[-1].typical == pytest.approx(
            typical(SOME, one.lines[-1]["best_weights"], 900)
        )
    assert "search think up to 900 nodes a deal;" in words(draw_progress(data))


@pytest.mark.parametrize("seeds", [[5], [5, 6]])
def test_jobs_whose_generations_cost_more_are_drawn_by_evaluations(
    make: Make, seeds: list[int]
) -> None:
    def runs(deals: int) -> list[Run]:
        changes = {"scheme": "resampled", "sample": {"deals": deals}}
        return [make(f"{deals}-{seed}", name=f"of-{deals}", seed=seed, **changes) for seed in seeds]

    few, many = runs(3), runs(6)
    data = progress_data([*few, *many], "121-130", ONE)
    axes = draw_progress(data)
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [line.get_xdata()[-1] for line in dots] == [6 * 8 * 3, 6 * 8 * 6]
    assert [line.get_xdata()[-1] for line in thick(axes)] == [6.5 * 8 * 3, 6.5 * 8 * 6]
    assert axes.get_xlabel().startswith("evaluations in training")
    (told,) = data.cautions
    low, high = (
        np.mean([sum(one.evaluations for one in run.costs.values()) for run in group if run.costs])
        for group in (few, many)
    )
    names = [name for name, _ in data.groups]
    assert told == (
        f"the effort was not the same: a run of {names[1]} took {high:,.0f} evaluations on "
        f"average, one of {names[0]} {low:,.0f}"
    )
    assert draw_progress(progress_data(few, "121-130", ONE)).get_xlabel() == "generation"


def test_runs_that_are_missing_or_not_finished_are_told(run: Run, make: Make) -> None:
    cut = replace(run, job=replace(run.job, generations=9))
    data = progress_data([cut, make("other", trainer="random")], "121-130", ONE, gaps=["one lacks"])
    said = " ".join(words(draw_progress(data)).split())
    assert " one lacks 1 of 2 runs is not finished: " in said and "has done 6 of 9" in said


def test_runs_of_one_job_are_drawn_as_their_mean(run: Run, make: Make) -> None:
    others = [make(f"small-s{seed}", seed=seed) for seed in (6, 7)]
    data = progress_data([run, *others], SOME, ONE)
    ((name, courses),) = data.groups
    assert name == "small" and len(courses) == 3
    axes = draw_progress(data)
    (champion,), (level,) = thick(axes), dashed(axes)
    ends = [typical(SOME, one.best.weights) for one in (run, *others)]
    mean = exp(sum(map(log, ends)) / 3)
    assert champion.get_ydata()[-1] == pytest.approx(mean)
    (band,) = axes.collections
    low, high = band.get_datalim(axes.transData).intervaly
    assert low < mean < high
    said = words(axes).replace("\n", " ")
    assert axes.get_title(loc="left") == "small: nodes on deals no run trained on (lower is better)"
    assert f"small 3 runs: {mean:,.0f} nodes, " in said
    assert "means over the runs of a job, band: 95 % interval of the champions' mean" in said
    assert level.get_color() == "0.35"
    # Two runs have no interval, and another job stands beside them.
    poor = make("poor", trained={"nodes": 9000})
    axes = plot_progress([run, poor, others[0]], deals=SOME, jobs=ONE)
    assert len(thick(axes)) == 2 and not axes.collections
    assert "band" not in words(axes)


@pytest.mark.parametrize(
    ("changes", "standing"),
    [
        ({}, "best"),
        ({"trainer": "cma-es"}, "centre"),
        ({"trainer": "cma-es", "validation": {"candidate": "fittest"}}, "best"),
        ({"validation": {"candidate": "centroid"}}, "centre of the fitter half"),
    ],
)
def test_what_stands_for_a_generation_is_named(
    make: Make, changes: dict[str, Any], standing: str
) -> None:
    said = words(plot_progress(make("made", generations=2, **changes), deals=SOME, jobs=ONE))
    assert f"dots: each generation's {standing};" in said
    assert f"each generation's {standing} at first" in said.replace("\n", " ")


def test_weights_in_another_search_than_their_presets_are_called_so(run: Run, make: Make) -> None:
    moved = make("moved", trained={"parameters": {"effort": 500}}, generations=1)
    for one, called in ((run, False), (moved, True)):
        said = words(plot_progress(one, deals=SOME, jobs=ONE))
        assert ("weights of guess" in said) == called


def test_one_generation_is_visible(run: Run) -> None:
    axes = plot_progress(replace(run, lines=run.lines[:1]), deals=SOME, jobs=ONE)
    at = thick(axes)[0].get_xdata()
    assert axes.get_xlim() == (0.5, 1.5) and at[0] == 1 and at[-1] == 1.5
    assert "at first" not in words(axes)


def test_a_log_that_tells_no_champion_is_drawn_without(run: Run) -> None:
    lines = [{key: line[key] for key in line if key != "validation"} for line in run.lines]
    axes = plot_progress(replace(run, lines=lines), deals=SOME, jobs=ONE)
    assert not thick(axes) and "champion" not in words(axes)
    last = typical(SOME, run.lines[-1]["best_weights"])
    assert f"small\n{last:,.0f} nodes, " in words(axes)


def test_deals_that_a_run_used_are_owned_up_to(run: Run) -> None:
    axes = plot_progress(run, deals="51-70", jobs=ONE)
    assert "nodes on deals of which 10 were used in training" in axes.get_title(loc="left")


def test_deals_with_a_cost_of_their_own_are_drawn_by_cost(tmp_path: Path) -> None:
    job = {"name": "regret", "generations": 3, "trained": {"search": "solve"}}
    job |= {"fitness": {"measure": "log-nodes"}, "scheme": "resampled", "sample": {"deals": 5}}
    job["solvers"] = {"population": 4}
    run = gafreecell.evolve(job, tmp_path / "regret", ONE, game=handed_in.Positions)
    axes = plot_progress(run, jobs=ONE)
    first, second = run.best.weights
    chosen = [number / 20 if first > second else 1 - number / 20 for number in range(1, 21)]
    assert thick(axes)[0].get_ydata()[-1] == pytest.approx(sum(chosen) / 20)
    assert axes.get_yscale() == "linear" and "mean cost" in axes.get_ylabel()


def test_a_game_in_ten_lines_is_drawn_without_a_word_of_its_author(tmp_path: Path) -> None:
    job = {"name": "count", "generations": 2, "trained": {"search": "solve", "nodes": 2000}}
    job["solvers"] = {"population": 4}
    run = gafreecell.evolve(job, tmp_path / "count", ONE, game=handed_in.Countdown)
    said = words(plot_progress(run, jobs=ONE))
    assert "200 deals (1201-1400)" in said and "\nbaseline\n" in said


def test_what_cannot_be_drawn_is_refused(run: Run) -> None:
    bare = SimpleNamespace(label="bare", lines=run.lines, features=run.features)
    slow = replace(run, job=replace(run.job, variant={"slow": 2}))
    for runs, chosen, said in (
        (replace(run, lines=[]), None, "small: the log is empty"),
        ([], None, "expected at least one run"),
        (run, [], "expected at least one deal"),
        (run, "many", "no set of deals 'many'"),
        ([run, slow], None, "runs of one game, got Toy with slow 1 and Toy with slow 2"),
        ([run, replace(run)], None, "runs of one job with one seed"),
        (bare, None, r"bare: a log alone does not say how .* gafreecell\.load"),
    ):
        with pytest.raises(gafreecell.BadInput, match=said) as caught:
            plot_progress(runs, deals=chosen)
        assert isinstance(caught.value, FigureError) or chosen == "many"


def test_plot_draws_progress_first(run: Run, tmp_path: Path, command: Command) -> None:
    picture, same = tmp_path / "a.svg", tmp_path / "b.svg"
    done = command("plot", run.folder, "-o", picture)
    assert (done.status, done.out, done.err) == (0, "", f"wrote {picture}\n")
    assert "it never trained on (lower is better)" in picture.read_text()
    command("plot", run.folder, "--kind", "progress", "--jobs", "2", "-o", same)
    assert same.read_bytes() == picture.read_bytes(), "whatever the number of threads"


def test_plot_takes_deals_by_number(run: Run, tmp_path: Path, command: Command) -> None:
    picture = tmp_path / "a.svg"
    numbers = ("--deals", "201-210", "--deals", "300")
    assert command("plot", run.folder, *numbers, "-o", picture).status == 0
    assert "11 deals (as given)" in picture.read_text()
    board = tmp_path / "board.txt"
    board.write_text(str(deals.freecell(1)))
    boards = command("plot", "runs/freecell-nine", "--deals", board, "-o", tmp_path / "b.svg")
    refused(boards, "progress", "deal numbers, not boards")
    assert not (tmp_path / "b.svg").exists()


def test_given_axes_are_drawn_on(run: Run) -> None:
    axes = Figure().subplots()
    assert plot_progress(run, axes, [121, 122], 1) is axes


@pytest.mark.parametrize("runs", [1, 7])
def test_labels_do_not_overlap(run: Run, runs: int) -> None:
    data = progress_data(run, "121-130", ONE)
    course = data.courses[0]
    many = tuple(replace(course, label=f"a-rather-long-name-of-run-{k}") for k in range(runs))
    axes = draw_progress(replace(data, courses=many))
    figure = figure_of(axes)
    figure.draw_without_rendering()
    beside = [text for text in axes.texts if text.xycoords == "axes fraction" and text.xy[0] > 1]  # type: ignore[attr-defined]
    boxes = sorted((text.get_window_extent() for text in beside), key=lambda box: box.y0)
    assert len(boxes) == (3 if runs == 1 else 8)
    assert all(above.y0 >= below.y1 for below, above in pairwise(boxes))
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 for box in boxes)


heights = st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 0.2)), min_size=1, max_size=8)


@given(heights)
def test_spread_keeps_labels_apart_in_order_and_inside(labels: list[tuple[float, float]]) -> None:
    wanted, sizes = np.array(labels).T
    places = spread(wanted, sizes)
    order = np.argsort(wanted, kind="stable")
    bottoms, tops = (places - sizes / 2)[order], (places + sizes / 2)[order]
    assert (bottoms[1:] >= tops[:-1] - 1e-9).all()
    assert tops[-1] <= 1 + 1e-9
    if sizes.sum() <= 1:
        assert bottoms[0] >= -1e-9


def test_labels_with_room_stay_where_they_are() -> None:
    wanted = np.array([0.8, 0.2, 0.5])
    assert spread(wanted, np.full(3, 0.1)) == pytest.approx(wanted)
    assert spread(np.array([0.5, 0.5]), np.full(2, 0.2)) == pytest.approx([0.4, 0.6])


def test_the_weights_of_a_generation_are_solved_as_exported(run: Run) -> None:
    assert isinstance(run.weights, Weights)
    (course,) = progress_data(run, [500], ONE).courses
    outcome = gafreecell.solve(500, run.weights, "toy", nodes=BUDGET)
    assert np.exp(course.champions[-1].values) == pytest.approx([outcome.nodes.generated])
