"""Plays a drawn solution by its words alone, as a person would who does not know the notation."""

from __future__ import annotations

import re

_MOVE = re.compile(
    r"(?:the (?P<one>..)|(?P<count>\w+) cards, (?P<first>..) to (?P<last>..),) from "
    r"(?P<source>[\w ]+?) (?:(?P<home>home)|to (?P<empty>the empty )?(?P<target>[\w ]+)|"
    r"onto the (?P<under>..) of (?P<onto>[\w ]+))(?:, and turn the (?P<turned>..) up)?"
)
_COUNTS = "zero one two three four five six seven eight nine 10 11 12 13".split()  # noqa: SIM905
Table = dict[str, list[str]]
"""The cards of each place by what the words call it, the last one free."""


def carry(words: str, table: Table, home: set[str]) -> None:
    """Move cards from place to place.

    Args:
        words: what is said of the move.
        table: changed.
        home: the cards on the foundations; changed.

    Raises:
        AssertionError: if the words do not fit the table.
    """
    said = _MOVE.fullmatch(words)
    assert said, words
    first, last = (said["one"],) * 2 if said["one"] else (said["first"], said["last"])
    count = _COUNTS.index(said["count"] or "one")
    if said["source"] == "its foundation":
        home.remove(first)
        taken = [first]
    else:
        place = table[said["source"]]
        taken = place[-count:]
        del place[-count:]
    assert len(taken) == count and (taken[0], taken[-1]) == (first, last)
    if said["home"]:
        assert count == 1
        home.add(first)
        return
    goal = table[said["target"] or said["onto"]]
    # A cell is always empty when a card goes there.
    assert goal[-1:] == ([said["under"]] if said["onto"] else [])
    goal += taken
