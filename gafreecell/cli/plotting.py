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
from gafreecell.comparing.fairness import incomplete
from gafreecell.comparing.held_out import whole_search
from gafreecell.comparing.jobs import run_at
from gafreecell.comparing.solver_comparison import KEPT
from gafreecell.installed import plugins
from gafreecell.runs.study import Selection, selected
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
    figures.check_format(given.output)
    check_writable(given.output)
    axes: Panels
    if given.kind == CACTUS:
        axes = _cactus(given)
    elif given.kind == PHASES:
        axes = _phases(given)
    elif given.kind == RANKS:
        axes = figures.plot_ranks(compared(given, given.nodes))
    else:
        axes = _of_runs(given, selected(given.runs))
    figures.save(axes, given.output)
    say(f"wrote {given.output}")
    return DONE


def _of_runs(given: Namespace, found: Selection) -> Panels:
    """Runs, or those of a study; some figures solve deals that the runs did not use."""
    from gafreecell import figures
    from gafreecell.workers.evaluation import Workers

    runs = found.runs
    for run in runs:
        if not run.lines:
            raise InputError(f"{run.folder}: no generation is done yet, nothing to draw")
    axes: Panels
    if given.kind in (PROGRESS, IMPORTANCE, INTERACTIONS):
        deals, nodes = _measuring(given, found, f"the figure {given.kind}")
        workers = Workers(given.jobs)
        with followed(not given.no_progress, given.kind) as on_progress:
            asked = runs, deals, workers, on_progress
            if given.kind == PROGRESS:
                progress = figures.progress_data(
                    *asked, given.generations, nodes=nodes, gaps=found.gaps
                )
                return figures.draw_progress(progress)
            if given.kind == IMPORTANCE:
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
