"""Labels of Pyramid's text: ``stock, top first:``, ``waste, top last:``, ``recycles: 1``."""

from __future__ import annotations

import re
from typing import NamedTuple

from deals.cards import DealError

STOCK, WASTE, RECYCLES = "stock", "waste", "recycles"
_LABEL = re.compile(rf"\s*(({STOCK}|{WASTE}|{RECYCLES})\b([^:]*):)(.*)", re.IGNORECASE)
_ORDERS = {(): None, ("top", "first"): True, ("top", "last"): False}


class Label(NamedTuple):
    """The label of a line, and what follows it.

    Attributes:
        place: ``STOCK``, ``WASTE`` or ``RECYCLES``.
        top_first: whether the top card comes first; None if the label does not say.
        content: the rest of the line.
    """

    place: str
    top_first: bool | None
    content: str


def has_label(line: str) -> bool:
    """Whether a line begins with a label, right or wrong."""
    return _LABEL.match(line) is not None


def label_of(line: str, number: int) -> Label | None:
    """The label at the beginning of a line; None if there is none.

    Args:
        line: of a text.
        number: its number, for messages.

    Raises:
        DealError: if the label says anything but which end of the cards is the top.
    """
    match = _LABEL.match(line)
    if match is None:
        return None
    place = match[2].lower()
    order = tuple(re.findall(r"\w+", match[3].lower()))
    if order not in _ORDERS or (order and place == RECYCLES):
        expected = f"{place}: 1" if place == RECYCLES else f"{place}, top first:"
        other = "" if place == RECYCLES else f" or '{place}, top last:'"
        raise DealError(f"line {number}: expected '{expected}'{other}, got {match[1]!r}")
    return Label(place, _ORDERS[order], match[4])
