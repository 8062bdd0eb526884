"""What tells the boards of a game from those of others; each game declares its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from deals.readings import Way

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
