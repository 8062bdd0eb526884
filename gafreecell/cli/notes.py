"""Assumptions about boards whose text leaves something open, printed with every answer.

Such a board has ``notes``: sentences such as ``played with 2 free cells, ...``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from textwrap import fill

from gafreecell.cli.telling import WIDTH
from gafreecell.game import Game
from gafreecell.inputs import Deal
from gafreecell.solvers import made_for_others
from solving.weights import Weights


def notes(deal: Deal) -> list[str]:
    """What was assumed about a deal, as lines."""
    return [
        fill(f"{deal.title}: {note}", WIDTH, break_long_words=False, break_on_hyphens=False)
        for note in getattr(deal.board, "notes", ())
    ]


def warn(deals: Iterable[Deal]) -> None:
    """Print assumptions on stderr, for output that programs read or that goes to a file."""
    told: dict[str, list[str]] = {}
    for deal in deals:
        for note in getattr(deal.board, "notes", ()):
            told.setdefault(note, []).append(deal.title)
    for note, (first, *others) in told.items():
        more = f" and {len(others):,} more" if others else ""
        print(f"gafreecell: {first}{more}: {note}", file=sys.stderr)


def warn_of_others(solvers: Mapping[str, Weights], game: Game) -> None:
    """Say on stderr which solvers are used in another variant than the one they were made for."""
    for line in made_for_others(solvers, game):
        print(f"gafreecell: {line}", file=sys.stderr)
