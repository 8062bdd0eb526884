"""Shows runs in notebooks, as one compact HTML table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from deals.words import plural
from gafreecell.evolution.earlier_phases import validated
from gafreecell.solitaire.game import full_title

if TYPE_CHECKING:
    from gafreecell.runs.record import Run

WIDTH, HEIGHT = 240, 36
"""Size of the curve, in pixels."""
_LEFT = ' style="text-align: left"'


def run_html(run: Run) -> str:
    """A run as a table: its job, its progress, its best weights, and how their value fell."""
    job, champion = run.job, run.state.champion
    title = f"{full_title(job.load_game())}; {job.trainer}, {job.scheme}, seed {job.seed}"
    done = f"{run.generation} of {plural(job.generations, 'generation')} done"
    if run.finished and run.generation < job.generations:
        done += f"; finished: {run.ending}"
    rows = [("job", escape(f"{job.name}: {title}")), ("run", escape(f"{run.folder}: {done}"))]
    if champion is not None:
        nodes = (
            f", {plural(champion.nodes, 'node', digits=',.0f')} on average"
            if champion.solved
            else ""
        )
        best = f"generation {champion.generation}, {validated(job, champion.solved)}{nodes}"
        rows.append(("best weights", escape(best)))
        values = [line["validation"]["value"] for line in run.lines]
        fall = f"{curve_svg(values)} {_from_to(values)}, smaller is better"
        rows.append(("validation value", fall))
        pairs = zip(run.features, champion.weights, strict=True)
        rows.append(("weights", escape(", ".join(f"{name} {w:.3f}" for name, w in pairs))))
    return _table(rows)


def curve_svg(values: Sequence[float]) -> str:
    """A curve without axes, from the first value to the last, as an inline picture.

    Args:
        values: finite numbers, at least one; the largest is drawn at the top.
    """
    low, high = min(values), max(values)
    across, up = (WIDTH - 4) / max(len(values) - 1, 1), (HEIGHT - 4) / ((high - low) or 1)
    points = " ".join(
        f"{2 + place * across:.1f},{HEIGHT - 2 - (value - low) * up:.1f}"
        for place, value in enumerate(values)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" role="img">'
        f"<title>{_from_to(values)}</title>"
        f'<polyline points="{points}" fill="none" stroke="#0072B2" stroke-width="1.5"/></svg>'
    )


def _from_to(values: Sequence[float]) -> str:
    first, last = (
        f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
        for value in (values[0], values[-1])
    )
    return f"from {first} to {last}"


def _table(rows: Iterable[tuple[str, str]]) -> str:
    cells = "".join(
        f'<tr><th scope="row"{_LEFT}>{name}</th><td{_LEFT}>{text}</td></tr>' for name, text in rows
    )
    return f"<table><tbody>{cells}</tbody></table>"
