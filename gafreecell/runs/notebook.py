"""What a notebook shows of a run: one compact HTML table with a curve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

WIDTH, HEIGHT = 240, 36
"""Size of the curve, in pixels."""
_LEFT = ' style="text-align: left"'


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
        f"<title>{from_to(values)}</title>"
        f'<polyline points="{points}" fill="none" stroke="#0072B2" stroke-width="1.5"/></svg>'
    )


def from_to(values: Sequence[float]) -> str:
    """The first and the last value in words."""
    first, last = (
        f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
        for value in (values[0], values[-1])
    )
    return f"from {first} to {last}"


def table_html(rows: Iterable[tuple[str, str]]) -> str:
    """A table of names and texts in HTML."""
    cells = "".join(
        f'<tr><th scope="row"{_LEFT}>{name}</th><td{_LEFT}>{text}</td></tr>' for name, text in rows
    )
    return f"<table><tbody>{cells}</tbody></table>"
