"""``plot``: figures of runs and solvers."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from deals.errors import did_you_mean
from gafreecell.cli.notes import warn
from gafreecell.cli.outputs import check_writable
from gafreecell.cli.statuses import DONE
from gafreecell.comparing.held_out import whole_search
from gafreecell.comparing.solver_comparison import KEPT
from gafreecell.installed import plugins
from gafreecell.runs.record import Run
from gafreecell.runs.run import load
from gafreecell.service.inputs import InputError, laid_out, read_deals
from gafreecell.service.solvers import game_for, game_of, named_solvers, run_checked
from gafreecell.solitaire.abilities import HasPresets
from gafreecell.solitaire.game import Game
from gafreecell.solving.outcome import Evaluator, Search, Status
from gafreecell.solving.saying import say
from gafreecell.terminal.progress import counted, followed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gafreecell.figures.style import Panels


CACTUS, PHASES, PROGRESS = "cactus", "phases", "progress"
"""The figures that solve deals."""


def plot(given: Namespace) -> int:
    """Draw a figure into a file."""
    from gafreecell import figures

    kinds = sorted({CACTUS, PHASES, PROGRESS, *plugins.names("figure")})
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
    else:
        axes = plugins.find("figure", given.kind)(_runs(given))
    figures.save(axes, given.output)
    say(f"wrote {given.output}")
    return DONE


def _runs(given: Namespace) -> list[Run]:
    runs = [load(folder) for folder in given.runs]
    for run in runs:
        if not run.lines:
            raise InputError(f"{run.folder}: no generation is done yet, nothing to draw")
    return runs


def _progress(given: Namespace) -> Axes:
    """Runs measured on deals that they did not use; the game's held-out deals by default."""
    from gafreecell import figures
    from gafreecell.workers.evaluation import Workers

    runs = _runs(given)
    deals: list[int] | None = None
    if given.deals:
        chosen = read_deals(given.deals, runs[0].job.load_game())
        if any(True for _ in chosen.boards()):
            raise InputError("the figure progress takes deal numbers, not boards")
        deals = [deal.board for deal in chosen]
    with followed(not given.no_progress, "progress") as on_progress:
        data = figures.progress_data(
            runs, deals, Workers(given.jobs), on_progress, given.generations
        )
    return figures.draw_progress(data)


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
    nodes: dict[str, list[int]] = {}
    for (name, weights), label in zip(solvers.items(), labels, strict=True):
        with counted(len(deals), not given.no_progress, name, good="decided") as advance:
            found = nodes[label] = []
            for _, outcome in run_checked(deals, weights, game, limit, given.jobs):
                advance(1, outcome.status.decided)
                if outcome.status is Status.SOLVED:
                    found.append(outcome.nodes.generated)
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
    nodes: list[list[int]] = []
    for label, solver in ((name, weights), (f"{name}, phase 1 alone", first)):
        with counted(len(deals), not given.no_progress, label, good="decided") as advance:
            nodes.append([])
            for _, outcome in run_checked(deals, solver, game, weights.limits, given.jobs):
                advance(1, outcome.status.decided)
                if outcome.status is Status.SOLVED:
                    nodes[-1].append(outcome.nodes.generated)
    return figures.plot_phases(
        nodes[0], evaluator.phases, len(deals), nodes[1], name=name, chosen=", ".join(words)
    )
