"""What Pyramid's boards and drawings look like."""

from __future__ import annotations

from deals.cards import is_card
from deals.klondike_signs import KLONDIKE, TALON
from deals.signs import Signs, marked


def _gap(line: str) -> str:
    """A dot, if a line is a row of a pyramid in which some cards are gone."""
    words = line.split()
    return "." if "." in words and all(word == "." or is_card(word) for word in words) else ""


PYRAMID = Signs(
    name="pyramid",
    title="Pyramid",
    marks=(TALON, marked(r"\s*((?:stock|waste)\W+(?:top|bottom)\b[^:]*:|recycles\s*:)"), _gap),
    shape=KLONDIKE.shape,
    whole="a deck of Pyramid",
    more=KLONDIKE.more,
    legend=(
        "Td is the ten of diamonds. J counts 11, Q 12 and K 13.",
        "Draw: turn the stock's top card onto the waste. Recycle: turn the waste over.",
        "Remove Kd: take a king away. Remove 6d and 7h: take away two that make 13.",
        "Free cards: those that no card covers, and the top cards of stock and waste.",
    ),
    move=r"(?:draw|recycle)(?:\s+turn\b.*)?|remove\s+\w\w(?:\s+and\s+\w\w)?(?:\s+take\b.*)?",
)
