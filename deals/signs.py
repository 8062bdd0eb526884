"""What tells the boards and drawings of a game from those of others: each game's own signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from deals.cards import DECK, is_card
from deals.digits import DIGITS
from deals.readings import COLUMNS, Way

Mark = Callable[[str], str]
"""Finds what only boards of some game have in a line; returns it, or an empty text."""
Shape = Callable[[Sequence[int]], bool]
"""Whether lines of a whole deck, with so many cards each, are those of a game's deal."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Signs:
    """What a game's boards and drawings look like.

    Games that share a mark or a shape name the same one: it tells neither from the other.

    Attributes:
        name, title: the game, as written after ``--game`` and for people.
        marks: labels and signs of its boards.
        shape: the lines of its deal.
        whole: what a whole deck in lines is to its reader: "a deck of Klondike".
        ways: the settings with which such a deck is read in any lines, and ``more`` as in
            ``OtherReading``.
        legend: the lines that explain the drawings of a solution; they come above the first one.
        move: a pattern of its moves with their words, as ``solve --draw`` numbers them.
        head: a pattern of the first line of its drawings; empty if none is like a move's words.
        rules: a pattern of the line that tells the rules played; the group is what a board below
            must say of them, too.
        earlier: lines of earlier legends.
        strangers: the lines of deals of games that are unknown here, by title.
    """

    name: str
    title: str
    marks: tuple[Mark, ...]
    shape: Shape
    whole: str
    ways: tuple[Way, ...] = ()
    more: str = ""
    legend: tuple[str, ...]
    move: str
    head: str = ""
    rules: str = ""
    earlier: tuple[str, ...] = ()
    strangers: Mapping[str, Sequence[int]] = field(default_factory=dict)


def marked(pattern: str) -> Mark:
    """The mark that a pattern's group is at the beginning of a line."""
    compiled = re.compile(pattern, re.IGNORECASE)

    def found(line: str) -> str:
        match = compiled.match(line)
        return match[1] if match else ""

    return found


def dealt_over(count: int) -> list[int]:
    """How many cards each column has if a deck is dealt row by row over so many."""
    return [len(range(i, len(DECK), count)) for i in range(count)]


# Not four lines of 13 cards: a deck of any game may be typed so.
_CASCADES = [*map(dealt_over, range(5, 10)), [8] * 6 + [4]]

FREECELL = Signs(
    name="freecell",
    title="FreeCell",
    marks=(marked(r"\s*(free[\s-]?cells?\s*(?:\(\d+\)\s*)?:)"),),
    shape=lambda lengths: [*lengths] in _CASCADES,
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
    rules=r"FreeCell with (?:[4-9] cascades, (?:1 cell|[02-7] cells)|the usual rules)",
    strangers={"Golf": [*[5] * 7, 17], "Yukon": [1, *range(6, 12)]},
)

_TALON = marked(r"\s*((?:waste|stock|talon)\s*:)")
TRIANGLE = [*range(1, 8)]


def _has_triangle(lengths: Sequence[int]) -> bool:
    """Whether lines are a deal with piles or rows of 1 to 7 cards above the stock."""
    return [*lengths[: len(TRIANGLE)]] == TRIANGLE


KLONDIKE = Signs(
    name="klondike",
    title="Klondike",
    marks=(
        _TALON,
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


def _gap(line: str) -> str:
    """A dot, if a line is a row of a pyramid in which some cards are gone."""
    words = line.split()
    return "." if "." in words and all(word == "." or is_card(word) for word in words) else ""


PYRAMID = Signs(
    name="pyramid",
    title="Pyramid",
    marks=(_TALON, marked(r"\s*((?:stock|waste)\W+(?:top|bottom)\b[^:]*:|recycles\s*:)"), _gap),
    shape=_has_triangle,
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

RULES_LEGEND = (
    "A move 3-5 takes the top card of pile 3 to pile 5, and 3-5v4 the top four cards. a, b, ...",
    "are cells, h is home (a foundation or the hole), w the waste, r the stacked reserve, r2 the",
    "second place of an open one. QS-3 takes a card back from its foundation. draw turns cards",
    "to the waste, redeal turns the waste over, deal deals from the stock. <KD> lies face down.",
)
"""The lines that explain the drawings of games given as rules."""

GAMES = FREECELL, KLONDIKE, PYRAMID
"""The games whose boards can be read."""
