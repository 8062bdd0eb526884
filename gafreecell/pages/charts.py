"""The figures of runs as plain data, which a page's script draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from statistics import fmean
from typing import Any

import numpy as np

from gafreecell.evolution.generation import trained_features
from gafreecell.figures.deals import deals_panels
from gafreecell.figures.fitness import fitness_panels
from gafreecell.figures.panels import Panel
from gafreecell.figures.style import FigureError, LoggedRun, Runs, grouped, headed, titled
from gafreecell.figures.validation import validation_panels
from gafreecell.figures.weights import weights_data
from gafreecell.runs.record import Run

DRAWN: tuple[Callable[[Runs], list[Panel]], ...] = (
    validation_panels,
    fitness_panels,
    deals_panels,
)
SHARES = (0, 25, 50, 75, 100)
"""The quantiles of the weights of a population, in per cent."""


def charts(runs: Sequence[Run]) -> dict[str, Any]:
    """What the page of runs draws.

    Args:
        runs: one, or several to compare; each with a generation at least.

    Returns:
        ``groups``, what the colours stand for: the names of jobs with several runs, or of runs;
        ``panels`` of curves; ``notes``, why some lack; ``spent``, the ``evaluations`` and ``nodes``
        of each group's solvers up to each generation; and for one run its ``weights``.
    """
    try:
        chosen = grouped(runs)
    except FigureError as error:
        return {"groups": [], "panels": [], "notes": [str(error)], "spent": {}}
    panels, notes = list[dict[str, Any]](), list[str]()
    for drawn in DRAWN:
        try:
            known = [panel for panel in drawn(runs) if panel.known]
            panels += [panel.document() | {"title": headed(panel.title, [])} for panel in known]
        except FigureError as error:
            notes.append(str(error))
    found = {
        "groups": [titled(name, len(members)) for name, members in chosen],
        "panels": panels,
        "notes": notes,
        "spent": {
            what: [_spent(members, what) for _, members in chosen]
            for what in ("evaluations", "nodes")
        },
    }
    return found if len(runs) > 1 else {**found, "weights": _weights(runs[0])}


def _spent(runs: Sequence[LoggedRun], what: str) -> list[float]:
    """What the solvers of a group have cost up to each generation: 0, then the mean of its runs."""
    each = (accumulate(line[what] for line in run.lines) for run in runs)
    return [0, *map(fmean, zip(*each, strict=False))]


def _weights(run: Run) -> dict[str, Any]:
    """The best weights of each generation, scaled as in the figure; and those of all solvers now.

    ``spread`` has for each weight the champion's, and quantiles over the next solvers, from 0 to 1
    in the range of the weight; none if the trainer keeps no solvers.
    """
    data, places = weights_data(run), run.job.weight_places
    ranges = trained_features(run.job, run.job.load_game())
    low = np.array([ranges[place].low for place in places])
    high = np.array([ranges[place].high for place in places])
    kept = run.state.trainer.get("solvers") or ()
    spread: list[list[float]] = []
    if kept and run.state.champion:
        rows = np.array([run.state.champion.weights, *kept], np.float64)[:, places]
        champion, *others = (rows - low) / (high - low)
        quantiles = np.percentile(others, SHARES, axis=0)
        spread = np.clip(np.vstack((champion, quantiles)), 0, 1).T.round(4).tolist()
    return {
        "features": data.features,
        "generations": data.generations.tolist(),
        "rows": data.weights.round(3).tolist(),
        "champion": data.champion,
        "values": [run.best.weights[place] for place in places],
        "spread": spread,
    }
