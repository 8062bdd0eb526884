"""Pyramid's engine number and the tasks whose results it digests (see ``solving.engine``)."""

from __future__ import annotations

from deals.cards import RANKS
from gafreecell.solving.outcome import Limits, Search, Task

ENGINE = "ba0cc0d69884826b"
"""The digest of the tasks' results."""

_SEARCHES = (
    Search("a-star"),
    Search("a-star", {"goal": "score"}),
    Search("a-star", {"goal": "score", "least": 500}),
    *(Search("a-star", {"goal": "cards", "rank": rank}) for rank in RANKS),
    Search("a-star", {"goal": "cards", "least": 2}),
    Search("a-star", {"goal": "cards", "clearing": "yes"}),
    Search("a-star", {"goal": "cards", "rank": "8", "least": 3, "clearing": "yes"}),
)


def tasks() -> list[Task]:
    """Every goal, on decks with every kind of outcome."""
    tried = [(deal, Limits(20_000)) for deal in range(1, 17)]
    tried.append((6, Limits(100_000, memory=1_000_000)))
    return [Task(deal, None, search, limits) for search in _SEARCHES for deal, limits in tried]
