"""``plot`` and ``report``: figures of runs and solvers, and a page about runs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from deals.errors import did_you_mean
from gafreecell.cli.measuring import compared, watch
from gafreecell.cli.notes import warn
from gafreecell.cli.outputs import check_writable
from gafreecell.cli.pages import check_page_file, save_page
from gafreecell.cli.statuses import DONE
from gafreecell.comparing.held_out import whole_search
from gafreecell.comparing.jobs import run_at
from gafreecell.comparing.solver_comparison import KEPT
from gafreecell.installed import plugins
from gafreecell.runs.record import Run
from gafreecell.runs.study import runs_in
from gafreecell.service.inputs import GivenDeals, InputError, laid_out, read_deals
from gafreecell.service.solvers import game_for, game_of, named_solvers, run_checked
from gafreecell.solitaire.abilities import HasPresets
from gafreecell.solitaire.game import Game
from gafreecell.solving.outcome import Evaluator, Limits, Search, Status
from gafreecell.solving.saying import say
from gafreecell.solving.weights import Weights
from gafreecell.terminal.progress import counted, followed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gafreecell.figures.style import Panels

CACTUS, IMPORTANCE, INTERACTIONS = "cactus", "importance", "interactions"
PHASES, PROGRESS, RANKS = "phases", "progress", "ranks"
"""The figures that solve deals."""


def plot(given: Namespace) -> int:
    """Draw a figure into a file."""
    from gafreecell import figures

    ours = {CACTUS, IMPORTANCE, INTERACTIONS, PHASES, PROGRESS, RANKS}
    kinds = sorted({*ours, *plugins.names("figure")})
    if given.kind not in kinds:
        guess = did_you_mean(given.kind, kinds)
        raise InputError(f"there is no figure {given.kind!r}; there are {', '.join(kinds)}{guess}")
    figures.check_format(given.output)
    check_writable(given.output)
    axes: Panels
    if given.kind == CACTUS:
        axes = _cactus(given)
    elif given.kind == PHASES:
        axes = _phases(given)
    elif given.kind == PROGRESS:
        axes = _progress(given)
    elif given.kind == IMPORTANCE:
        axes = _importance(given)
    elif given.kind == INTERACTIONS:
        axes = _interactions(given)
    elif given.kind == RANKS:
        axes = _ranks(given)
    else:
        axes = plugins.find("figure", given.kind)(_runs(given))
    figures.save(axes, given.output)
    say(f"wrote {given.output}")
    return DONE


def _runs(given: Namespace) -> list[Run]:
    runs = runs_in(given.runs)
    for run in runs:
        if not run.lines:
            raise InputError(f"{run.folder}: no generation is done yet, nothing to draw")
    return runs


def _progress(given: Namespace) -> Axes:
    """Runs measured on deals that they did not use; the game's held-out deals by default."""
    from gafreecell import figures
    from gafreecell.workers.evaluation import Workers

    runs = _runs(given)
    deals = _numbers(given, runs[0], "the figure progress")
    with followed(not given.no_progress, "progress") as on_progress:
        data = figures.progress_data(
            runs, deals, Workers(given.jobs), on_progress, given.generations
        )
    return figures.draw_progress(data)


def _importance(given: Namespace) -> Axes:
    """A run's champion and its changed weights on deals that the run did not use."""
    from gafreecell import figures
    from gafreecell.workers.evaluation import Workers

    runs = _runs(given)
    deals = _numbers(given, runs[0], "the figure importance")
    with followed(not given.no_progress, "importance") as on_progress:
        data = figures.importance_data(runs, deals, Workers(given.jobs), on_progress)
    return figures.draw_importance(data)


def _interactions(given: Namespace) -> Panels:
    """Weights drawn from their ranges on deals that the run did not use."""
    from gafreecell import figures
    from gafreecell.workers.evaluation import Workers

    runs = _runs(given)
    deals = _numbers(given, runs[0], "the figure interactions")
    with followed(not given.no_progress, "interactions") as on_progress:
        data = figures.interactions_data(
            runs, deals, Workers(given.jobs), on_progress, given.vectors, nodes=given.nodes
        )
    for one in data.cautions:
        say(f"gafreecell: {one}")
    return figures.draw_interactions(data)


def _ranks(given: Namespace) -> Axes:
    """The jobs of runs, or the arms of a study, ranked over the seeds."""
    from gafreecell import figures

    return figures.plot_ranks(compared(given))


def _numbers(given: Namespace, run: Run, what: str) -> list[int] | None:
    """The deals of ``--deals``, which must be numbers; None without them."""
    if not given.deals:
        return None
    deals = read_deals(given.deals, run.job.load_game())
    if any(True for _ in deals.boards()):
        raise InputError(f"{what} takes deal numbers, not boards")
    return [deal.board for deal in deals]


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
    baselines = game.comparison_presets if isinstance(game, HasPresets) else ()
    names = list(dict.fromkeys([*given.runs, *baselines]))
    solvers = named_solvers(names, game)
    game = laid_out(game_of(solvers, game), given.layout)
    deals = read_deals(given.deals or [game.validation], game)
    warn(deals.boards())
    limit = next(iter(solvers.values())).limits
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

    runs = runs_in(dict.fromkeys(given.runs), run_at)
    deals = _numbers(given, runs[0], "report")
    check_page_file(given.output)
    with followed(not given.no_progress, "progress") as on_progress:
        told = report(
            runs,
            deals,
            given.jobs,
            command=given.command_line,
            watch=watch(given),
            on_progress=on_progress,
        )
    save_page(given.output, report_page(told))
    return DONE
