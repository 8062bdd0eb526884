"""Plain readers of the texts that boards print, which share nothing with the readers of ``deals``.

Each returns where every card lies and the rules that the text names, or None if the text is not of
that form.
"""

from __future__ import annotations

import re

RANKS, SUITS = "A23456789TJQK", "CDHS"
NOTHING = {"-", "--", "---"}
ORDERS = "", "top first", "top last"
SEPARATORS = str.maketrans(",;|", "   ")
Said = dict[str, object]


def plain(text: str) -> list[str]:
    """The lines of a text without separators and comments."""
    return [
        re.sub(r"(^|\s)#.*", "", line)
        for line in text.strip("\n").translate(SEPARATORS).splitlines()
    ]


def card(word: str) -> str | None:
    """``TD`` for ``TD``, ``10d``, ``dt``; None for anything else."""
    word = word.upper().replace("10", "T")
    if len(word) == 2:
        for rank, suit in (word, word[::-1]):
            if rank in RANKS and suit in SUITS:
                return rank + suit
    return None


def cards(words: list[str]) -> list[str]:
    """The cards of words; raises if one is no card."""
    found = [card(word) for word in words]
    if None in found:
        raise ValueError(words)
    return [one for one in found if one]


def homes(words: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in words:
        suit, rank = word.upper().replace("-", "")[:1], word.upper().replace("-", "")[1:]
        value = int(rank) if rank.isdigit() and rank not in ("0" * 2,) else RANKS.index(rank) + 1
        if suit in found or suit not in SUITS or not 0 <= value <= 13:
            raise ValueError(word)
        found[suit] = value
    return {suit: found.get(suit, 0) for suit in SUITS}


def freecell(text: str) -> Said | None:
    said: Said = {"home": homes([]), "cells": [], "cell_count": 4, "count": None}
    cascades: list[list[str]] = []
    seen: set[str] = set()
    try:
        for line in plain(text):
            # The colon may be missing.
            if line.strip().lower().startswith(("foundations ", "freecells ")) and ":" not in line:
                line = line.strip().replace(" ", ": ", 1)
            label, colon, rest = line.partition(":")
            label = label.strip().lower()
            if colon and label and label in seen:
                return None
            seen.add(label)
            if colon and label == "foundations":
                said["home"] = homes(rest.split())
            elif colon and label == "cascades":
                said["count"] = int(rest)
            elif colon and label.startswith("freecells"):
                words = rest.split()
                count = len(words) if NOTHING & {*words} else 4
                if words == ["0"]:
                    words, count = [], 0
                if "(" in label:
                    count = int(label.split("(")[1].rstrip(") "))
                held = [None if word in NOTHING else cards([word])[0] for word in words]
                while held and held[-1] is None:
                    held.pop()
                said["cells"] = held
                said["cell_count"] = count
            elif line.strip() in ("-", "--"):
                cascades.append([])
            elif colon and label:
                return None
            else:
                cascades.append(cards((rest if colon else line).split()))
    except (ValueError, IndexError):
        return None
    count = said.pop("count")
    lengths = [len(cascade) for cascade in cascades]
    dealt = lengths == [len(range(i, 52, len(lengths))) for i in range(len(lengths))]
    wanted = count or (len(cascades) if dealt else max(8, len(cascades)))
    assert isinstance(wanted, int)
    said["cascades"] = cascades + [[]] * (wanted - len(cascades))
    return said


def klondike(text: str) -> Said | None:
    said: Said = {"name": "", "draw": 3, "redeals": None, "home": homes([])}
    places: dict[str, list[str]] = {"waste": [], "stock": []}
    piles: list[list[str]] = []
    seen: set[str] = set()
    try:
        for line in plain(text):
            label, colon, rest = line.partition(":")
            label = label.strip().lower()
            if colon and label and (label in seen or piles):
                return None
            seen.add(label)
            if label == "foundations":
                said["home"] = homes(rest.split())
            elif label in places:
                places[label] = hidden(rest.split())
            elif label == "rules":
                for setting in rest.split():
                    name, _, value = setting.partition("=")
                    if name not in said or name in seen:
                        return None
                    seen.add(name)
                    said[name] = int(value)
            elif colon and label:
                return None
            else:
                line = "" if line.strip() in ("-", "--") else line
                piles.append(hidden((rest if colon else line).split()))
    except (ValueError, IndexError):
        return None
    # An empty line is an empty pile, unless there are seven others.
    filled = [pile for pile in piles if pile]
    piles = filled if len(filled) == 7 else piles
    said["piles"] = piles + [[]] * (7 - len(piles))
    return said | places


def hidden(words: list[str]) -> list[str]:
    """Cards, ``<TD>`` for one that lies face down."""
    return [
        f"<{cards([word[1:-1]])[0]}>" if word[:1] == "<" else cards([word])[0] for word in words
    ]


def pyramid(text: str) -> Said | None:
    rows: list[list[str]] = []
    said: Said = {"stock": [], "waste": [], "recycles": 0}
    seen: set[str] = set()
    try:
        for line in plain(text):
            label, colon, rest = line.partition(":")
            place, *order = label.lower().split() or [""]
            words = [] if rest.strip() in ("empty", "-", "--", ".") else rest.split()
            if not colon:
                rows.append([word if word in ".--" else cards([word])[0] for word in line.split()])
            elif (
                place in seen
                or place not in said
                or order not in ([], ["top", "first"], ["top", "last"])
            ):
                return None
            elif place == "recycles":
                said[place] = int(rest)
            else:
                found = cards(words)
                said[place] = found[::-1] if order == ["top", "last"] else found
            seen.add(place if colon else "")
    except (ValueError, IndexError):
        return None
    rows = [["." if word in ".--" else word for word in row] for row in rows if row]
    return said | {"rows": rows + [["."] * (i + 1) for i in range(len(rows), 7)]}
