"""What Klondike's boards and drawings look like."""

from __future__ import annotations

from collections.abc import Sequence

from deals.digits import DIGITS
from deals.signs import Signs, marked

TALON = marked(r"\s*((?:waste|stock|talon)\s*:)")
TRIANGLE = [*range(1, 8)]


def _has_triangle(lengths: Sequence[int]) -> bool:
    """Whether lines are a deal with piles or rows of 1 to 7 cards above the stock."""
    return [*lengths[: len(TRIANGLE)]] == TRIANGLE


KLONDIKE = Signs(
    name="klondike",
    title="Klondike",
    marks=(
        TALON,
        marked(r"(?:[^<?]*+(?<!\S))?(\?\?|<[^<>\s]{2,3}>)(?=\s|$)"),
        marked(rf"\s*+({DIGITS})\s*+$"),
    ),
    shape=_has_triangle,
    whole="a deck of Klondike",
    more=", or write all cards on one line",
    legend=(
        "TD: the ten of diamonds, <TD>: face down. Waste: top last. Stock: top first.",
        "draw: turn three cards or one, by the rules. redeal: turn the waste over.",
        "w3: from the waste to pile 3. wh, 3h: home (h), to the foundation of the suit.",
        "35: a card from pile 3 to pile 5. 35v4: four cards. S3: a spade back to pile 3.",
    ),
    move=r"(?:draw|redeal)(?:\s+turn\b.*)?|[\dwcdhs][\da-h](?:v\w+)?\s.*\bfrom\b.*",
    head="home:",
    rules=r"Klondike with (?:(draws of .*)|the usual rules)",
    earlier=("draw: turn three cards of the stock, or the rest. redeal: turn the waste over.",),
)
