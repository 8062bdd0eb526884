"""``plot`` and ``report``: figures of runs and solvers, and a page about runs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from deals.errors import did_you_mean
from gafreecell.cli.measuring import compared, watch
from gafreecell.cli.notes import warn
from gafreecell.cli.outputs import check_writable
from gafreecell.cli.pages import check_page_file, save_page
from gafreecell.cli.statuses import DONE
from gafreecell.comparing.fairness import incomplete
from gafreecell.comparing.held_out import whole_search
from gafreecell.comparing.jobs import run_at
from gafreecell.comparing.solver_comparison import KEPT
from gafreecell.installed import plugins
from gafreecell.runs.study import Selection, is_study, load_study, selected
from gafreecell.service.inputs import GivenDeals, InputError, laid_out, read_deals
from gafreecell.service.solvers import game_for, game_of, named_solvers, run_checked
from gafreecell.solitaire.abilities import HasPresets
from gafreecell.solitaire.game import Game
from gafreecell.solving.outcome import Evaluator, Limits, Search, Status
from gafreecell.solving.saying import say
from gafreecell.solving.weights import Weights
from gafreecell.terminal.progress import counted, followed
from gafreecell.workers.chosen import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gafreecell.figures.style import Panels

CACTUS, FRONT, IMPORTANCE, INTERACTIONS = "cactus", "front", "importance", "interactions"
PHASES, PROGRESS, RANKS = "phases", "progress", "ranks"
"""The figures that solve deals."""
NOT_OF_STUDIES = (CACTUS, FRONT, IMPORTANCE, INTERACTIONS, "lineage", PHASES, "weights")
"""The figures that draw single runs, or solvers."""
_CHAMPIONS = (
    "the study's plan submits what stood for the last generations (submit = last), but these "
    "figures are of the champions; 'gafreecell compare' measures the others"
)


def plot(given: Namespace) -> int:
    """Draw a figure into a file."""
    from gafreecell import figures

    ours = {CACTUS, IMPORTANCE, INTERACTIONS, PHASES, PROGRESS, RANKS}
    kinds = sorted({*ours, *plugins.names("figure")})
    if given.kind not in kinds:
        guess = did_you_mean(given.kind, kinds)
        raise InputError(f"there is no figure {given.kind!r}; there are {', '.join(kinds)}{guess}")
    if given.kind in NOT_OF_STUDIES:
        _refuse_studies(given)
    figures.check_format(given.output)
    check_writable(given.output)
    axes: Panels
    if given.kind == CACTUS:
        axes = _cactus(given)
    elif given.kind == PHASES:
        axes = _phases(given)
    elif given.kind == RANKS:
        axes = figures.plot_ranks(compared(given, Workers(given.jobs), given.nodes))
    else:
        axes = _of_runs(given, selected(given.runs))
    figures.save(axes, given.output)
    say(f"wrote {given.output}")
    return DONE


def _refuse_studies(given: Namespace) -> None:
    for name in given.runs:
        if is_study(Path(name)):
            study = load_study(name)
            run = study.run_folder(*study.places[0])
            raise InputError(
                f"{name} holds a study, and the figure {given.kind} draws runs: name one in it, "
                f"such as {run}; progress, validation, fitness, deals and ranks draw studies"
            )


def _of_runs(given: Namespace, found: Selection) -> Panels:
    """Runs, or those of a study; some figures solve deals that the runs did not use."""
    from gafreecell import figures

    runs = found.runs
    for run in runs:
        if not run.lines:
            raise InputError(f"{run.folder}: no generation is done yet, nothing to draw")
    axes: Panels
    if given.kind in (PROGRESS, FRONT, IMPORTANCE, INTERACTIONS):
        deals, nodes = _measuring(given, found, f"the figure {given.kind}")
        workers = Workers(given.jobs)
        with followed(not given.no_progress, given.kind) as on_progress:
            asked = runs, deals, workers, on_progress
            if given.kind == PROGRESS:
                progress = figures.progress_data(
                    *asked, given.generations, nodes=nodes, gaps=found.gaps
                )
                return figures.draw_progress(progress)
            if given.kind == FRONT:
                axes = figures.draw_front(figures.front_data(*asked))
            elif given.kind == IMPORTANCE:
                axes = figures.draw_importance(figures.importance_data(*asked))
            else:
                drawn = figures.interactions_data(*asked, given.vectors, nodes=nodes)
                for one in drawn.cautions:
                    say(f"gafreecell: {one}")
                axes = figures.draw_interactions(drawn)
    else:
        axes = plugins.find("figure", given.kind)(runs)
    figures.caption(axes, incomplete(runs, found.gaps))
    return axes


def _measuring(
    given: Namespace, found: Selection, what: str
) -> tuple[list[int] | None, int | None]:
    """The deals, which must be numbers, and the node budget: as asked for, or as a plan says."""
    nodes = given.nodes or found.test.nodes or None
    words = given.deals or ([found.test.deals] if found.test.deals else [])
    if not words:
        return None, nodes
    deals = read_deals(words, found.runs[0].job.load_game())
    if any(True for _ in deals.boards()):
        raise InputError(f"{what} takes deal numbers, not boards")
    return [deal.board for deal in deals], nodes


def _nodes(
    label: str, solver: Weights, deals: GivenDeals, game: Game, limits: Limits, given: Namespace
) -> list[int]:
    """The nodes of each deal that a solver solves."""
    found = []
    with counted(len(deals), not given.no_progress, label, good="decided") as advance:
        for _, outcome in run_checked(deals, solver, game, limits, given.jobs):
            advance(1, outcome.status.decided)
            if outcome.status is Status.SOLVED:
                found.append(outcome.nodes.generated)
    return found


def _cactus(given: Namespace) -> Axes:
    """Runs, presets and weights files on the same deals, with the game's baselines."""
    from gafreecell import figures

    game = game_for(given.runs, given.game)
    baselines: tuple[str, ...] = ()
    if isinstance(game, HasPresets) and not given.no_baselines:
        baselines = game.comparison_presets
    names = list(dict.fromkeys([*given.runs, *baselines]))
    solvers = named_solvers(names, game)
    game = laid_out(game_of(solvers, game), given.layout)
    deals = read_deals(given.deals or [game.validation], game)
    warn(deals.boards())
    limit = next(iter(solvers.values())).limits.unless(given.nodes, None)
    labels = _labels({name: weights.search for name, weights in solvers.items()}, game)
    nodes = {
        label: _nodes(name, weights, deals, game, limit, given)
        for (name, weights), label in zip(solvers.items(), labels, strict=True)
    }
    return figures.plot_cactus(nodes, len(deals), limit.nodes)


def _labels(searches: Mapping[str, Search], game: Game) -> list[str]:
    """Names of solvers, each with its search if there are several.

    The same weights in two searches are two solvers. Of the parameters it names those in which
    solvers with the same search differ, unless they have the default.
    """
    whole = [whole_search(search, game) for search in searches.values()]
    if all(search == whole[0] for search in whole):
        return [*searches]
    labels = []
    for name, search in zip(searches, whole, strict=True):
        others = [other.parameters for other in whole if other.name == search.name]
        defaults = whole_search(Search(search.name), game).parameters
        told = ", ".join(
            f"{key}{KEPT}{value}"  # On one line of a legend.
            for key, value in search.parameters.items()
            if defaults.get(key) != value and any(other.get(key) != value for other in others)
        )
        labels.append(f"{name} ({search.name}{': ' if told else ''}{told})")
    return labels


def _phases(given: Namespace) -> Axes:
    """A schedule, and its first phase alone, on the same deals."""
    from gafreecell import figures

    game = game_for(given.runs, given.game)
    solvers = named_solvers(given.runs, game)
    game = laid_out(game_of(solvers, game), given.layout)
    if len(solvers) > 1:
        raise InputError(f"the figure phases takes one solver, got {', '.join(solvers)}")
    ((name, weights),) = solvers.items()
    evaluator = weights.evaluator
    if evaluator is None or not evaluator.phases:
        raise InputError(
            f"the figure phases needs a schedule of several phases, but {name} has one: a job with "
            "[phases.NAME] trains a further phase behind it"
        )
    first = replace(
        weights,
        evaluator=Evaluator(evaluator.features, evaluator.rows[0]),
        search=replace(
            weights.search,
            parameters={**weights.search.parameters, "rule": evaluator.phases[0].rule},
        ),
    )
    words = given.deals or [game.validation]
    deals = read_deals(words, game)
    warn(deals.boards())
    nodes, alone = (
        _nodes(label, solver, deals, game, weights.limits, given)
        for label, solver in ((name, weights), (f"{name}, phase 1 alone", first))
    )
    return figures.plot_phases(
        nodes, evaluator.phases, len(deals), alone, name=name, chosen=", ".join(words)
    )


def report(given: Namespace) -> int:
    """Measure runs on deals that they never used, and write the page."""
    from gafreecell.pages.report import report, report_page

    found = selected(dict.fromkeys(given.runs), run_at)
    deals, nodes = _measuring(given, found, "report")
    check_page_file(given.output)
    with followed(not given.no_progress, "progress") as on_progress:
        told = report(
            found.runs,
            deals,
            given.jobs,
            nodes=nodes,
            gaps=[*found.gaps, *[_CHAMPIONS] * (found.test.submit == "last")],
            command=given.command_line,
            watch=watch(given),
            on_progress=on_progress,
        )
    save_page(given.output, report_page(told))
    return DONE
