"""What FreeCell's boards and drawings look like."""

from __future__ import annotations

from collections.abc import Sequence

from deals.cards import DECK
from deals.readings import COLUMNS
from deals.signs import Signs, marked

_DEALS = [
    # Not four lines of 13 cards: a deck of any game may be typed so.
    *([len(range(i, len(DECK), count)) for i in range(count)] for count in range(5, 10)),
    [8] * 6 + [4],
]


def _is_deal(lengths: Sequence[int]) -> bool:
    return [*lengths] in _DEALS


FREECELL = Signs(
    name="freecell",
    title="FreeCell",
    marks=(marked(r"\s*(free[\s-]?cells?\s*(?:\(\d+\)\s*)?:)"),),
    shape=_is_deal,
    whole="cascades of FreeCell",
    ways=(COLUMNS,),
    legend=(
        "TD is the ten of diamonds. Cascades are 1, 2, ..., cells a, b, ...; h is home.",
        "6a: the last card of cascade 6 to cell a. a6: the card in cell a to cascade 6.",
        "6h: the last card of cascade 6 home, to the foundation of its suit.",
        "26: one card from cascade 2 to 6. 26v3: three cards (va: ten cards).",
    ),
    move=r"[\da-g][\da-h](?:v\w+)?\s.*\bfrom\b.*",
    head=r"(?:[a-g]\s+)+home\s*$",
    strangers={"Golf": [*[5] * 7, 17], "Yukon": [1, *range(6, 12)]},
)
