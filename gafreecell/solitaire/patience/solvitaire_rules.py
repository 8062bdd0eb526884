"""Solvitaire's files of rules, in JSON.

The keys are those of its own parser and of the schema that it checks files against. Where these
two differ, both are taken: ``complete piles`` and ``only complete pile moves`` mean that only whole
runs go home. ``partial-if-card-above-buildable``, which leaves out moves that never help, is the
same as ``yes``.
Source: src/main/input-output/input/json-parsing of github.com/thecharlieblake/Solvitaire, and
Blake and Gent, "The Winnability of Klondike Solitaire and Many Other Patience Games", JAIR 85:21
(2026).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from deals.checks import shown
from deals.errors import BadInput, did_you_mean
from gafreecell.solitaire.patience.rules import FIRST, NONE, UNLIMITED, Rules
from gafreecell.solving.settings import SettingError, build

Table = Mapping[str, Any]

PILES, FOUNDATIONS, HOLE = "tableau piles", "foundations", "hole"
DEFAULTS: Table = {
    PILES: {
        "count": 8,
        "build policy": "any-suit",
        "spaces policy": "any",
        "diagonal deal": False,
        "move built group": "no",
        "move built group policy": "same-as-build",
        "face up cards": "all",
    },
    FOUNDATIONS: {
        "present": True,
        "initial cards": "none",
        "base card": "A",
        "removable": False,
        "complete piles": False,
        "only complete pile moves": False,
    },
    HOLE: {"present": False, "base card": "AS", "build loops": True},
    "cells": {"count": 0, "pre-filled": 0},
    "stock": {"size": 0, "deal type": "waste", "deal count": 1, "redeal": False},
    "reserve": {"size": 0, "stacked": False},
    "accordion": {"size": 0, "moves": [], "build policies": []},
    "sequences": {"count": 0, "direction": "L", "build policy": "same-suit", "fixed suit": False},
    "max rank": 13,
    "two decks": False,
}
"""All keys, and the value of each where a file does not have it."""

_BUILDS = {"any-suit": "any", "red-black": "colour", "same-suit": "suit", "no-build": NONE}
_SPACES = {
    "any": ("any", ""),
    "no-build": (NONE, ""),
    "kings": ("king", ""),
    "auto-reserve-then-any": ("any", "reserve"),
    "auto-reserve-then-waste": ("any", "reserve, waste"),
    "auto-waste-then-stock": ("any", "waste"),
}
_MOVES = {
    "no": "card",
    "yes": "run",
    "partial-if-card-above-buildable": "run",
    "whole-pile": "pile",
}
_FACE_DOWN = {"all": NONE, "top": "covered"}
_FILLED = {"none": 0, "one": 1, "all": 4}
_TARGETS = {"waste": "waste", "tableau piles": "piles", "hole": "hole"}
_KINDS = {
    bool: "true or false",
    int: "a whole number",
    str: "text",
    list: "a list",
}


def parse_solvitaire_rules(text: str, title: str) -> Rules:
    """The rules in a text of JSON.

    Args:
        text: an object; keys that it does not have are as in ``DEFAULTS``.
        title: of the game; it begins messages.

    Raises:
        BadInput: naming the key that is unknown, has a wrong value, or means what our rules have
            no words for.
    """
    try:
        given = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadInput(f"{title}: is not JSON: {error}") from None
    try:
        return build(Rules, {"title": title, "source": "Solvitaire", **_table(_filled(given))})
    except SettingError as error:
        raise BadInput(f"{title}: {error}") from None


def _filled(given: Any, defaults: Table = DEFAULTS, where: str = "") -> dict[str, Any]:
    """A table with the defaults of the keys that it does not have."""
    if not isinstance(given, dict):
        raise SettingError(
            f"{where or 'the file'} must be a table with keys such as {next(iter(defaults))}, got "
            f"{shown(given)}"
        )
    for key in given:
        if key not in defaults:
            raise SettingError(
                f"{where}[{key}] is not a key of Solvitaire's, which has {', '.join(defaults)}"
                + did_you_mean(key, [*defaults])
            )
    found = {}
    for key, usual in defaults.items():
        value = given.get(key, usual)
        if isinstance(usual, dict):
            value = _filled(value, usual, f"{where}[{key}]")
        elif type(value) is not type(usual):
            kind = _KINDS[type(usual)]
            raise SettingError(f"{where}[{key}] must be {kind}, got {shown(value)}")
        found[key] = value
    return found


def _table(rules: Table) -> dict[str, Any]:
    """Solvitaire's rules in our words."""
    for key, size in (("accordion", "size"), ("sequences", "count")):
        if rules[key][size]:
            raise SettingError(
                f"[{key}][{size}]: our rules have no words for such a game, expected 0"
            )
    piles, foundations, stock = rules[PILES], rules[FOUNDATIONS], rules["stock"]
    decks = 2 if rules["two decks"] else 1
    if rules[HOLE]["present"] == foundations["present"]:
        raise SettingError("one of [hole][present] and [foundations][present] must be true")
    table: dict[str, Any] = {
        "decks": decks,
        "ranks": rules["max rank"],
        "piles": _piles(piles),
        "cells": {"count": rules["cells"]["count"], "filled": rules["cells"]["pre-filled"]},
        "reserve": {"count": rules["reserve"]["size"], "stacked": rules["reserve"]["stacked"]},
    }
    if stock["size"]:
        target = _word(stock, "stock", "deal type", _TARGETS)
        table["stock"] = {
            "count": stock["size"],
            "to": target,
            "draw": stock["deal count"],
            "redeals": UNLIMITED if stock["redeal"] and target == "waste" else 0,
        }
    if rules[HOLE]["present"]:
        base = _card(rules[HOLE]["base card"])
        table["hole"] = {"base": base, "wraps": rules[HOLE]["build loops"]}
    else:
        filled = _word(foundations, FOUNDATIONS, "initial cards", _FILLED)
        table["foundations"] = {
            "base": _card(foundations["base card"]),
            "filled": filled * decks if filled > 1 else filled,
            "back": foundations["removable"],
            "runs": foundations["complete piles"] or foundations["only complete pile moves"],
        }
    return table


def _piles(piles: Table) -> dict[str, Any]:
    built = _word(piles, PILES, "build policy", _BUILDS)
    groups = {**_BUILDS, "same-as-build": built}
    run = _word(piles, PILES, "move built group policy", groups)
    move = _word(piles, PILES, "move built group", _MOVES)
    space, fill = _word(piles, PILES, "spaces policy", _SPACES)
    return {
        "count": piles["count"],
        "dealt": "triangle" if piles["diagonal deal"] else "rows",
        "face_down": _word(piles, PILES, "face up cards", _FACE_DOWN),
        "build": built,
        "move": "card" if run == NONE else move,
        "run": "" if run in (built, NONE) else run,
        # Where there is no building, Solvitaire plays no cards to piles at all.
        "space": NONE if built == NONE else space,
        "fill": fill,
    }


def _word(table: Table, where: str, key: str, words: Mapping[str, Any]) -> Any:
    """What a word means; an error that names what is allowed if it means nothing here."""
    if table[key] not in words:
        raise SettingError(
            f"[{where}][{key}] must be {' or '.join(words)} to be one of our rules, "
            f"got {table[key]!r}"
        )
    return words[table[key]]


def _card(text: str) -> str:
    """A card or a rank in our letters."""
    return FIRST if text == "random" else text.upper().replace("10", "T")
