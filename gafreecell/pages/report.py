"""Reports of runs: what evolved, how it went, and what the evolved weights can do.

``report`` computes all that a page says, as plain data and pictures; ``report_page`` writes the
page. Equal runs give equal pages: nothing in them comes from a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from gafreecell import figures
from gafreecell.comparing.solvers import Watch, watched
from gafreecell.figures import fitness_data
from gafreecell.installed import VERSION
from gafreecell.pages import learnt, results
from gafreecell.pages.learnt import Story
from gafreecell.pages.page import render
from gafreecell.pages.picture import Part, Picture, picture
from gafreecell.pages.results import Fact
from gafreecell.pages.trial import HardDeal, Trial, trial
from gafreecell.runs.environment import records
from gafreecell.runs.folder import engine_of, version_of
from gafreecell.runs.record import Run
from gafreecell.service.inputs import InputError
from gafreecell.solitaire.game import Deal, full_title
from gafreecell.terminal.tables import Table


@dataclass(frozen=True)
class Report:
    """What a page about runs says.

    Attributes:
        title: the runs.
        subtitle: the game, and what the page is.
        findings: what came out, in sentences; the first ones of the page.
        cautions: why figures may not be fair.
        facts: a few figures of a single run; none for several.
        overview: several runs side by side; None for a single run.
        differences: the keys in which the jobs differ; None for a single run.
        shared: what all the jobs do, in paragraphs.
        stories: each run in words, without what is shared.
        progress: the figure of progress.
        fitness: the figure of both populations.
        weights: the champions' weights.
        weight_pictures: how the weights changed, for each run.
        fronts: for each run with two objectives its front, as a figure and a table.
        deals: the figure of the deals that taught; None if no log describes them.
        deals_note: which runs it lacks; empty if none.
        taught: tables of each run's deals at its end, by its name.
        evaluated: every solver on the deals that no run used.
        against: the champions against their baselines.
        against_note: what the figures of comparisons mean.
        pairs: the runs in pairs; none for a single run.
        pairs_note: what can be concluded from these.
        hard: the hardest deals.
        hard_note: which deals these are.
        provenance: seeds, engines, versions and digests.
        command: makes the page again; empty if unknown.
    """

    title: str
    subtitle: str
    findings: Sequence[str]
    cautions: Sequence[str]
    facts: Sequence[Fact]
    overview: Table | None
    differences: Table | None
    shared: Sequence[str]
    stories: Sequence[Story]
    progress: Picture
    fitness: Picture
    weights: Sequence[Table]
    weight_pictures: Sequence[Picture]
    fronts: Sequence[tuple[Picture, Table]]
    deals: Picture | None
    deals_note: str
    taught: Sequence[tuple[str, Sequence[Table]]]
    evaluated: Table
    against: Sequence[Table]
    against_note: str
    pairs: Sequence[Table]
    pairs_note: str
    hard: Sequence[HardDeal]
    hard_note: str
    provenance: Table
    command: str


def report(
    runs: Run | Sequence[Run],
    deals: str | Sequence[Deal] | None = None,
    jobs: int = -1,
    *,
    nodes: int | None = None,
    gaps: Sequence[str] = (),
    command: str = "",
    watch: Watch | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Measure runs on deals that they never used, and say what there is to say of them.

    Args:
        runs: one, or several of one game to compare.
        deals: a set by name, or numbers; by default deals that no run trained or validated on.
        jobs: how many deals are solved at once, -1 for one per core.
        nodes: node budget of each deal; by default each run's own.
        gaps: further cautions: which runs of a study's plan are not among these.
        command: the command that makes the page.
        watch: shows how far each solver is on the deals; by default nothing does.
        on_progress: called while the solvers of all generations are measured, with the tasks done
            and in all.

    Raises:
        BadInput: if there is no run, a run has no generation yet, the runs are of different
            games, two have the same job and seed, or there are no such deals.
    """
    chosen = [runs] if isinstance(runs, Run) else list(runs)
    if not chosen:
        raise InputError("expected at least one run to report, got none")
    for run in chosen:
        # Raises RunError if there are no weights yet.
        assert run.best
    with watched(False, 0) as unwatched:
        found = trial(chosen, deals, jobs, watch or unwatched, on_progress, nodes, gaps)
        return _report(found, command, jobs)


def report_page(told: Report, links: Mapping[str, str] = MappingProxyType({})) -> str:
    """The page of a report: HTML that needs nothing else.

    Args:
        told: what it says.
        links: addresses that lead back from it, by their names; a file has none.
    """
    return render("report.html", report=told, links=links)


def _report(found: Trial, command: str, jobs: int) -> Report:
    runs, game = found.runs, full_title(found.game)
    one = len(runs) == 1
    shared, stories = learnt.stories(runs)
    drawn, missing = learnt.deals(runs)
    taught = [(name, list(learnt.last_deals(name, run))) for name, run in runs.items()]
    return Report(
        title=", ".join(runs) if one else f"{len(runs)} runs side by side: {', '.join(runs)}",
        subtitle=f"Solvers of {game}, evolved: what evolved, how it went, and what it is worth",
        findings=list(results.findings(found)),
        cautions=list(results.cautions(found)),
        facts=list(results.facts(found)) if one else (),
        overview=None if one else results.overview(found),
        differences=None if one else learnt.differences(runs),
        shared=shared,
        stories=stories,
        progress=_progress(found),
        fitness=_fitness(found),
        weights=list(learnt.weights(found)),
        weight_pictures=[learnt.weight_picture(name, run, one) for name, run in runs.items()],
        fronts=[
            learnt.front(name, run, found.held.deals, jobs)
            for name, run in runs.items()
            if run.has_front
        ],
        deals=drawn,
        deals_note=missing,
        taught=[(name, tables) for name, tables in taught if tables],
        evaluated=results.evaluated(found),
        against=list(results.against(found)),
        against_note=results.meaning(found.against),
        pairs=list(results.pairs(found)),
        pairs_note=results.pairs_note(found),
        hard=found.hardest,
        hard_note=results.hard_note(found),
        provenance=_provenance(found),
        command=command,
    )


def _progress(found: Trial) -> Picture:
    by_cost = found.progress.by_cost
    return picture(
        "Progress on deals that the runs never used",
        lambda: figures.draw_progress(found.progress),
        [Part("mean cost") if by_cost else Part("nodes of a typical deal", "nodes")],
    )


def _fitness(found: Trial) -> Picture:
    runs = [*found.runs.values()]
    both = any(fitness_data(run).problems for run in runs)
    return picture(
        "Fitness of both populations" if both else "Fitness of the solvers",
        lambda: figures.plot_fitness(runs),
        [Part("fitness of the solvers"), Part("fitness of the problems")],
    )


def _machine_of(run: Run) -> str:
    """With what the processes that worked on a run made it, each different one once."""
    told = [
        f"Python {one['python']}, "
        + ", ".join(f"{name} {version}" for name, version in one["libraries"].items())
        + f"; {one['processor']}, {one['system']}"
        for one in records(run.folder)
    ]
    return "; then ".join(dict.fromkeys(told)) or "not recorded"


def _provenance(found: Trial) -> Table:
    runs = found.runs.values()
    rows = {
        "run folder": [str(run.folder) for run in runs],
        "job": [run.job.name for run in runs],
        "seed": [str(run.job.seed) for run in runs],
        "game": [full_title(run.job.load_game()) for run in runs],
        "digest of the job": [run.job.digest for run in runs],
        "engine that made the run": [str(engine_of(run.folder)) for run in runs],
        "engine that solved the deals": [found.game.engine for _ in runs],
        "gafreecell that made the run": [version_of(run.folder) for run in runs],
        "gafreecell that made this page": [VERSION for _ in runs],
        "Python, libraries and machine that made the run": [_machine_of(run) for run in runs],
    }
    header = ["", *found.runs] if len(found.runs) > 1 else ["", "value"]
    return Table(
        "Where the figures come from", header, [[key, *cells] for key, cells in rows.items()]
    )
