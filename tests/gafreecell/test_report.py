"""Reports of runs: what a page says, that it is sound HTML, and that its values are the data."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, TOY_PATHS, Command, job_table, refused
from handed_in import Countdown, EasyFirst
from own_cache import own_cache
from pages_read import Page, text
from run_folders import ONE

import gafreecell
from gafreecell import evolve, figures, load
from gafreecell.comparing.solvers import watched
from gafreecell.evolution.job import Job
from gafreecell.evolution.job_reading import make_job
from gafreecell.figures import FigureError
from gafreecell.installed import plugins
from gafreecell.pages import learnt, results
from gafreecell.pages.picture import Picture, Value
from gafreecell.pages.report import Report, report, report_page
from gafreecell.pages.trial import Trial, named, trial
from gafreecell.runs.record import Run
from gafreecell.terminal.tables import Table

Make = Callable[..., Path]
UNSEEN = range(121, 151)
"""Deals that no run of ``job_table`` uses."""
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def table(page: Page, caption: str) -> list[list[str]]:
    """The cells of a page's table with that caption."""
    (found,) = [one for one in page.of("table") if one.findtext("caption") == caption]
    return [[*map(text, row)] for row in found.iter("tr")]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """Makes a small run of the toy game in a folder of that name, which is returned."""
    with pytest.MonkeyPatch.context() as patch:
        # As the fixture toy does, but for all the tests of this file.
        for path in reversed(TOY_PATHS):
            patch.syspath_prepend(path)
        inherited = [path for path in [os.environ.get("PYTHONPATH")] if path]
        patch.setenv("PYTHONPATH", os.pathsep.join([*TOY_PATHS, *inherited]))
        patch.chdir(tmp_path_factory.mktemp("here"))
        cache = own_cache(tmp_path_factory.mktemp("cache"))

        def made(folder: str, **changes: Any) -> Path:
            job = job_table(**{"generations": 4, **changes})
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("GAFREECELL_CACHE", cache)
                return Path(evolve(job, folder, ONE).folder)

        yield made


@pytest.fixture(scope="module")
def mine(make: Make) -> Run:
    """A run of a coevolution."""
    return load(make("mine"))


@pytest.fixture(scope="module")
def told(mine: Run) -> Report:
    """Its report."""
    return report(mine, jobs=1)


@pytest.fixture(scope="module")
def page(told: Report) -> Page:
    """Its page."""
    return Page(report_page(told))


def tried(*runs: Run, deals: Any = None, **options: Any) -> Trial:
    """Runs measured, without any picture."""
    with watched(False, 0) as watch:
        return trial(runs, deals, 1, watch, **options)


def check(page: Page) -> None:
    """What holds for every page."""
    levels = [int(one.tag[1]) for one in page.of(*HEADINGS)]
    assert levels[0] == 1 and levels.count(1) == 1
    for before, after in pairwise(levels):
        assert after <= before + 1, page.texts(*HEADINGS)
    assert all(said.strip() for said in page.texts(*HEADINGS))
    ids = [one.get("id") for one in page.root.iter() if one.get("id")]
    assert len(set(ids)) == len(ids)
    places = {f"#{name}" for name in ids}
    for one in page.root.iter():
        for link in (one.get(name) for name in ("href", "xlink:href", "src", "action")):
            assert link is None or link.startswith("data:") or link in places, link
        assert not [name for name in one.attrib if name.startswith("on")], one.attrib
        assert one.tag != "th" or one.get("scope") in ("row", "col")
    for one in page.of("table"):
        assert one.findtext("caption", "").strip()
        assert len({len(row) for row in one.iter("tr")}) == 1, one.findtext("caption")


def test_a_run_is_reported(
    mine: Run, told: Report, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    Path("out").mkdir()
    # A page is replaced by a page.
    Path("out/mine.html").write_text(report_page(told), encoding="utf-8")
    words = "report", mine.folder, "-o", "out/mine.html", "--no-progress", "--jobs", 2
    done = command(*words)
    assert done.status == 0 and done.err == "wrote out/mine.html: open it in a browser\n"
    source = Path("out/mine.html").read_text(encoding="utf-8")
    # Equal runs give equal pages, whatever the workers and the window.
    again = "gafreecell report mine -o out/mine.html --no-progress --jobs 2"
    assert source == report_page(replace(told, command=again)) and len(source) < 400_000
    page = Page(source)
    check(page)
    assert "default-src 'none'" in source and "<script src" not in source
    assert page.texts("h2") == [
        "In short", "What evolved, and how", "Progress", "Populations", "Weights",
        "Deals that taught", "Evaluation", "Hardest deals", "How to reproduce it",
    ]  # fmt: skip
    for said in (
        "8 solvers of Toy with slow 1 evolve for 4 generations.",
        "They evolve against 6 problems of 3 deals each, from the deals 1-60.",
        "200 deals (121-320) that no run trained or validated on",
        f"gafreecell evolve {mine.folder}/job.toml --out out/again",
        again,
        # The whole job.
        'scheme = "coevolution"',
        "a deal that no solver solved counts 1,000,000,000 nodes",
    ):
        assert said in page.words
    weights = table(page, "Weights of the champion")
    assert weights[1] == ["near", f"{mine.best.weights[0]:.3f}", "the first weight"]
    facts = {row[0]: row[1] for row in table(page, "Where the figures come from")[1:]}
    assert (facts["seed"], facts["digest of the job"]) == ("5", mine.job.digest)
    assert facts["engine that made the run"] == "toy-1"
    found = results.facts(tried(mine, deals=UNSEEN))
    (about,) = (fact.about for fact in found if fact.value.startswith("×"))
    assert re.match(r"over the \d+ deals that both solved", about)


def test_the_evaluation_is_that_of_evaluate(mine: Run, told: Report) -> None:
    found = gafreecell.evaluate(
        {"mine": mine, "guess": "guess"}, range(121, 321), nodes=mine.job.trained.nodes, jobs=1
    )
    rows = {row[0]: row for row in told.evaluated.rows}
    for name, summary in found.summaries.items():
        assert rows[name][1:4:2] == [f"{summary.solved}", f"{summary.nodes_mean:,.0f}"]
    (pair,), (against,) = found.pairs, told.against
    low, high = pair.nodes_typical.interval
    assert against.rows[0][1:3] == [f"{pair.nodes_typical.value:.2f}", f"[{low:.2f}, {high:.2f}]"]
    assert "ms" not in told.evaluated.header, "the time differs from machine to machine"
    assert told.facts[0].value == f"{found.summaries['mine'].solved} of 200"


def test_the_hardest_deals_have_their_replays(page: Page) -> None:
    rows = table(page, "The hardest deals, and what each solver made of them")
    assert rows[0] == ["deal", "mine", "guess"] and len(rows) == 11
    # The toy game's hardness of a deal decides how many nodes any weights need.
    assert {int(row[0].removeprefix("Deal ")) * 7 % 10 for row in rows[1:]} == {9}
    links = [one.get("href") for one in page.of("a")]
    for row, data in zip(rows[1:], page.data, strict=True):
        assert "#deal-" + row[0].removeprefix("Deal ") in links
        assert [one["name"] for one in data["solutions"]] == ["mine", "guess"]
        assert len(data["solutions"][0]["moves"]) == 10
        assert data["heading"] == "h4"
        assert row[1].endswith("nodes, length 10 (steps)")


def values(drawn: Picture, panel: int, column: str) -> dict[str, str]:
    """A line's values by place."""
    found = drawn.tables[panel]
    at = found.columns.index(column)
    return {place: value.text for place, row in found.rows if (value := row[at])}


def number(value: float) -> str:
    """A value as pages write it."""
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.4g}"


def numbers(places: Sequence[int], scores: Sequence[Any]) -> dict[str, str]:
    """Scores as ``values`` has them, by generation."""
    found = zip(places, scores, strict=True)
    return {str(place): number(score.typical) for place, score in found}


def test_the_values_of_every_figure_are_its_data(mine: Run, told: Report) -> None:
    data = figures.progress_data(mine, jobs=ONE)
    (course,), (level,) = data.courses, data.levels
    best = numbers(course.generations, course.best)
    assert values(told.progress, 0, "each generation's best") == best
    last = numbers(course.generations[-1:], course.champions[-1:])
    kept = {**last, **numbers(course.changes, course.champions)}
    assert values(told.progress, 0, "champion so far") == kept
    assert values(told.progress, 0, "guess") == {"throughout": number(level.score.typical)}
    fitness = figures.fitness_data(mine)
    assert fitness.problems
    for panel, curves in enumerate((fitness.solvers, fitness.problems)):
        assert [*values(told.fitness, panel, "best").values()] == [*map(number, curves.best)]
        assert [*values(told.fitness, panel, "mean").values()] == [*map(number, curves.mean)]
    heat, (drawn,) = figures.weights_data(mine), told.weight_pictures
    for name, row in zip(heat.features, heat.weights, strict=True):
        assert [*values(drawn, 0, name).values()] == [f"{weight:.3f}" for weight in row]
    met = figures.deals_data(mine)
    assert told.deals
    for panel, trend in enumerate((met.hardness, met.price)):
        found = values(told.deals, panel, "each generation")
        assert [*found.values()] == [*map(number, trend.mean)]


def test_values_stand_where_they_are_drawn(told: Report, page: Page) -> None:
    for drawn in (told.progress, told.fitness):
        for found in drawn.tables:
            for place, column in enumerate(found.columns):
                first = next(value for _, row in found.rows if (value := row[place]))
                assert starts_there(drawn.svg, first), column
    (nodes,) = [one for one in page.of("table") if "Nodes of a typical" in text(one[0])]
    # What the script reads: the place of each value in the picture.
    places = [at for cell in nodes.iter("td") if (at := cell.get("data-at"))]
    assert len(places) >= 4 + 1 + 1
    for at in places:
        x, y = map(float, at.split())
        assert 0 < x < told.progress.width and 0 < y < told.progress.height


def starts_there(svg: str, value: Value) -> bool:
    """Whether a line of a picture begins at a value, or is level with it."""
    places = re.findall(r'd="M ([\d.]+) ([\d.]+) L ([\d.]+) ([\d.]+)', svg)
    return any(
        abs(float(y) - value.y) < 0.02 and (abs(float(x) - value.x) < 0.02 or y == end)
        for x, y, _, end in places
    )


def test_pictures_have_the_colours_of_the_page(told: Report) -> None:
    drawn = [told.progress, told.fitness, *told.weight_pictures, told.deals]
    for one in drawn:
        assert one and not re.findall(r"#[0-9a-f]{6}\b", one.svg)
        assert " width=" not in one.svg.partition(">")[0]


def test_runs_are_compared_and_their_names_stay_texts(make: Make) -> None:
    name = """<img src=x onerror=alert(1)>&"'$x_1$"""
    trainers = {name: "genetic", "$y^2": "nsga-ii", "cma-es": "cma-es"}
    runs = [
        load(make(folder, trainer=trainer, fitness={"measure": "log-nodes"}))
        for folder, trainer in trainers.items()
    ]
    told = report(runs, UNSEEN, 1, command="</script><b>")
    page = Page(report_page(told))
    check(page)
    assert not [*page.of("img", "b")]
    assert page.texts("h1") == [f"3 runs side by side: {name}, $y^2, cma-es"]
    assert [row[0] for row in table(page, "The runs side by side")] == ["run", *trainers]
    # No mathematics, in pictures either.
    assert "$y^2: mean" in told.fitness.tables[0].columns
    assert "&lt;img src=x" in told.fitness.svg and ">$y^2<" in told.fitness.svg
    assert ["trainer", *trainers.values()] in table(page, "What differs between the jobs")
    assert page.words.count("They evolve against 6 problems") == 1, "what all have in common"
    assert "The trainer cma-es draws each generation from a normal distribution" in page.words
    found = gafreecell.compare(runs, UNSEEN, jobs=1)
    for shown, pair in zip(told.pairs, found.pairs_by_deal, strict=True):
        assert shown.rows[0][1] == f"{pair.nodes_typical.value:.2f}"
    assert "nothing can be concluded about the jobs" in told.pairs_note
    assert [row[:2] for row in told.against[0].rows] == [[run, "guess"] for run in trainers]
    assert [*told.hard[0].outcomes] == [*trainers, "guess"]
    assert "gafreecell evolve cma-es/job.toml --out out/again-3" in page.words
    ((drawn, front),) = told.fronts
    assert len(front.rows) == len(runs[1].front)
    assert drawn.tables[0].columns[-1].startswith("generation 4: ")


def test_jobs_are_compared_over_their_seeds(make: Make) -> None:
    runs = [
        load(make(f"{trainer}-{seed}", trainer=trainer, seed=seed, generations=2))
        for trainer in ("genetic", "random")
        for seed in (1, 2)
    ]
    found = tried(*runs, deals=UNSEEN)
    over, pair = results.pairs(found)
    assert over.caption == "Jobs over their seeds" and [row[1] for row in over.rows] == ["2", "2"]
    assert pair.caption.endswith("seed by seed")
    labels = [line.get_label() for line in figures.draw_progress(found.progress).get_lines()]
    assert "small (trainer=genetic): champion so far, mean of the runs" in labels
    # Compare's warning of jobs with a single run is here, too.
    alone = results.pairs_note(tried(*runs[:3], deals=UNSEEN))
    assert alone.endswith("(trainer=random): one seed, so nothing can be concluded about the job.")
    assert "one seed" not in results.pairs_note(found)


def test_runs_of_different_budgets_are_not_compared_over_seeds(make: Make) -> None:
    runs = [load(make(f"budget-{seed}", generations=2, seed=seed)) for seed in (1, 2)]
    richer = load(make("richer", generations=2, trained={"nodes": 30_000}))
    found = tried(*runs, richer, deals=UNSEEN)
    assert not [*results.pairs(found)] and "--nodes N" in results.pairs_note(found)
    assert "different node budgets" in next(results.cautions(found))
    alike = tried(*runs, richer, deals=UNSEEN, nodes=25_000)
    assert [*results.pairs(alike)] and not [*results.cautions(alike)]
    assert {solver[2].nodes for solver in alike.solvers.values()} == {25_000}
    # Runs of one budget share the baseline in it, also if the budget is not the first run's.
    found = tried(richer, *runs, deals=UNSEEN)
    names = ["richer", "budget-1", "budget-2", "guess", "guess, within 20,000 nodes"]
    assert [row[0] for row in results.evaluated(found).rows] == names


def test_runs_in_folders_of_one_name_have_their_paths(make: Make) -> None:
    runs = [load(make(f"{folder}/r", seed=1, generations=1)) for folder in "ab"]
    assert [*named(runs)] == ["a/r", "b/r"] and [*named(runs[:1])] == ["r"]


@pytest.mark.parametrize("scheme", ["fixed", "resampled", "informative"])
def test_every_scheme_is_told(make: Make, scheme: str) -> None:
    changes = {"informative": {"population": 20}} if scheme == "informative" else {}
    run = load(make(scheme, scheme=scheme, generations=2, sample={"deals": 4}, **changes))
    runs = named([run])
    shared, _ = learnt.stories(runs)
    assert "In e" in shared[2] and "all solvers meet" in shared[2]
    captions = [one.caption for one in learnt.last_deals(scheme, runs[scheme])]
    assert [said[:9] for said in captions] == ["The deals"] * (scheme == "informative")


@pytest.mark.usefixtures("toy")
def test_a_scheme_of_ones_own_says_what_it_does_and_remembers(tmp_path: Path) -> None:
    class Told(EasyFirst):
        name = "told"

        @classmethod
        def words(cls, job: Job) -> str:
            return f"Deals of {job.deals.train} come in turn."

        @classmethod
        def remembered(cls, state: Mapping[str, Any], job: Job, run: str) -> Iterator[Table]:
            yield Table(f"What {run} knows", ["kept"], [[str(state)]])

    runs = named([evolve(job_table(generations=1), tmp_path / "r", ONE, scheme=Told)])
    assert learnt.stories(runs)[0][2] == "Deals of 1-60 come in turn."
    (kept,) = learnt.last_deals("r", runs["r"])
    assert (kept.caption, kept.rows, kept.notes) == ("What r knows", [["{}"]], ())
    plugins._handed.clear()
    assert learnt.stories(runs)[0][2] == "The scheme is told."
    assert not [*learnt.last_deals("r", runs["r"])]


def test_a_game_of_ones_own_has_a_report(tmp_path: Path) -> None:
    class Matches(Countdown):
        """At most nine matches at a time."""

        def solve(self, deal: int, weights: Any, nodes: int) -> Any:
            return super().solve(deal, [min(weights[0], 9)], nodes)

    job = {"name": "count", "generations": 2, "trained": {"search": "solve"}}
    deals = {"train": "1-20", "validation": "21-30"}
    run = evolve(job, tmp_path / "count", ONE, game=Matches, trainer="cma-es", deals=deals)
    told = report(run, range(201, 211), jobs=1)
    page = Page(report_page(told))
    check(page)
    assert [row[0] for row in told.evaluated.rows] == ["count", "baseline"]
    # The baseline takes one match at a time.
    shown, other = page.data[0]["solutions"]
    assert shown["found"] and not other["found"] and not other["moves"]
    assert other["notes"] == ["Its 2,100 moves are too many to show here."]


def test_an_old_run_of_freecell_has_a_report(tmp_path: Path) -> None:
    """Its log does not describe the deals that taught, and its folder's name is no text."""
    old, folder = ROOT / "runs" / "freecell-fast", tmp_path / os.fsdecode(b"r\xff")
    try:
        shutil.copytree(old, folder)
    except OSError:
        pytest.skip("this file system takes only names that are text")
    told = report(load(folder), [50001, 50002, 50003], jobs=1)
    source = report_page(told)
    page = Page(source)
    check(page)
    assert page.texts("h1") == [r"r\udcff"]
    assert "r\\udcff" in source.encode("utf-8").decode()
    assert told.deals is None and "does not describe the deals" in told.deals_note
    assert len(told.hard) == 3 and all(one.replay for one in told.hard)
    first = page.data[0]["solutions"][0]
    assert first["name"] == r"r\udcff" and len(first["piles"]) == 16
    assert not told.cautions
    # The summary does not stop at the baseline, whom everyone beats.
    assert "The nearest rival (weights of well-placed) solves 3 and needs" in text(page.root)


def test_rules_and_schedules_are_told_as_text() -> None:
    trained = {"search": "best-first", "features": ("NotPlaced",)}
    job = make_job(Job("r", 3, trained, scheme="resampled", rules={"count": 2}))
    words = learnt.in_words(job, job.load_game())
    assert "a policy of 2 rules: the first rule whose condition holds" in words[0]
    runs = named([load(ROOT / "runs" / "freecell-fast-b")])
    shared, _ = learnt.stories(runs)
    assert "the last phase of a schedule" in shared[0]


def test_cautions_say_what_is_not_fair_or_final(mine: Run, broken: Path) -> None:
    found = tried(mine, deals=range(51, 71))
    assert [*results.cautions(found)] == [
        "Runs trained or validated on 10 of the 20 deals, so the figures of these runs are too "
        "good: choose deals that they did not use."
    ]
    assert "that no run trained" not in next(results.findings(found))
    (unfinished,) = results.cautions(tried(load(broken)))
    assert unfinished == f"The run is not finished: {broken} has done 3 of 6 generations."


def test_faults_are_told_in_a_sentence(
    make: Make, mine: Run, command: Command, tmp_path: Path
) -> None:
    folder, out = mine.folder, tmp_path / "page.html"
    refused(command("report", folder), "-o")
    refused(command("report", "nowhere", "-o", out), "nowhere is not a run folder")
    board, old = tmp_path / "board.txt", ROOT / "runs" / "freecell-nine"
    board.write_text(str(gafreecell.deal(1)))
    refused(command("report", old, "-o", out, "--deals", board), "deal numbers, not boards")
    refused(command("report", folder, "-o", tmp_path), str(tmp_path))
    refused(command("report", folder, "-o", "-"), "a page needs the name of a file")
    # Nothing but an earlier page is replaced.
    state = folder / "state.json"
    before = state.read_bytes()
    refused(command("report", folder, "-o", state), "is no page of gafreecell")
    assert state.read_bytes() == before
    refused(command("report", folder, old, "-o", out), "runs of one game")
    refused(command("report", folder, make("twin"), "-o", out), "one job with one seed")
    assert not out.exists()
    with pytest.raises(gafreecell.BadInput, match="at least one run"):
        report([])
    with pytest.raises(FigureError, match="at least one deal"):
        report(mine, [])
