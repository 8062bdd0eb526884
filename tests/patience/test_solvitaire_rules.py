"""Solvitaire's rules, read into ours."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from deals.errors import BadInput
from gafreecell.solitaire.patience import library
from gafreecell.solitaire.patience.rules import Rules
from gafreecell.solitaire.patience.solvitaire_rules import parse_solvitaire_rules

PRESETS = """
alina: count 13, spaces no-build, back, cells 1
alpha-star: count 12, build same-suit, group yes, initial all
american-canister: build red-black, group yes
american-toad: build same-suit, group whole-pile, spaces auto-reserve-then-waste, initial one, base
    random, stock 75, reserve 20, stacked, decks 2
bakers-game: build same-suit, cells 4
beleaguered-castle: initial all
black-hole: count 17, build no-build, hole AS
british-canister: build red-black, spaces kings
canfield: count 4, build red-black, group partial, spaces auto-reserve-then-any, initial one, base
    random, stock 34, draw 3, redeal, reserve 13, stacked
canfield-auto-reserve-then-waste: count 4, build red-black, group partial, spaces
    auto-reserve-then-waste, initial one, base random, stock 34, draw 3, redeal, reserve 13,
    stacked
canfield-strict: count 4, build red-black, group whole-pile, spaces auto-reserve-then-waste,
    initial one, base random, stock 34, draw 3, redeal, reserve 13, stacked
castles-of-spain: count 13, build red-black, back
chameleon: count 3, group yes, reserve 13, stacked, stock 36
delta-star: count 12, build same-suit, initial all
duchess: count 4, build red-black, group yes, initial all, reserve 12, stock 36
east-haven: count 7, build red-black, group yes, up top, back, stock 31, to tableau piles
eight-off: build same-suit, spaces kings, cells 8, filled 4
eight-off-any-card-spaces: build same-suit, cells 8, filled 4
fan: count 18, build same-suit, spaces kings, back
flower-garden: count 6, reserve 16, back
fore-cell: build red-black, spaces kings, cells 4, filled 4
fore-cell-same-suit: build same-suit, spaces kings, cells 4, filled 4
fortunes-favor: count 12, build same-suit, spaces auto-waste-then-stock, initial all, stock 36
forty-thieves: count 10, build same-suit, stock 64, decks 2
free-cell: build red-black, cells 4
free-cell-0-cell: build red-black
free-cell-1-cell: build red-black, cells 1
free-cell-2-cell: build red-black, cells 2
free-cell-3-cell: build red-black, cells 3
free-cell-4-pile: count 4, build red-black, cells 4
free-cell-5-pile: count 5, build red-black, cells 4
free-cell-6-pile: count 6, build red-black, cells 4
free-cell-7-pile: count 7, build red-black, cells 4
gargantua: count 9, build red-black, spaces kings, group yes, diagonal, up top, back, stock 59,
    decks 2
gargantua-redeal: count 9, build red-black, spaces kings, group yes, diagonal, up top, back, stock
    59, redeal, decks 2
golf: count 7, build no-build, stock 16, to hole, hole random, loops no
king-albert: count 9, build red-black, diagonal, back, reserve 7
klondike: count 7, build red-black, spaces kings, group partial, diagonal, up top, back, stock 24,
    draw 3, redeal
klondike-deal-1: count 7, build red-black, spaces kings, group partial, diagonal, up top, back,
    stock 24, redeal
klondike-reserve: count 7, build red-black, spaces kings, group yes, diagonal, up top, back,
    reserve 24
klondike-two-deck-9: count 9, build red-black, spaces kings, group yes, diagonal, up top, back,
    stock 59, draw 3, redeal, decks 2
limited: count 12, build same-suit, stock 68, decks 2
lucas: count 13, build same-suit, stock 61, initial all, decks 2
maria: count 9, build red-black, stock 68, decks 2
mrs-mop: count 13, group yes, run same-suit, runs, decks 2
northwest-territory: build red-black, group partial, spaces kings, diagonal, up top, back, reserve
    16
one-cell: count 13, build red-black, initial all, back, cells 1
raglan: count 9, build red-black, diagonal, reserve 6, back, initial all
rank-and-file: count 10, build red-black, up top, group yes, stock 64, decks 2
scotch-patience: count 18, build red-black, spaces no-build, back
seahaven-towers: count 10, build same-suit, spaces kings, cells 4, filled 2
siegecraft: initial all, cells 1
simple-simon: count 10, diagonal, group yes, run same-suit, runs
somerset: count 10, build red-black, diagonal, back
spanish-patience: count 13, back
spider: count 10, group yes, run same-suit, up top, runs, stock 50, to tableau piles, decks 2
spiderette: count 7, group yes, run same-suit, diagonal, up top, runs, stock 24, to tableau piles
streets: count 10, build red-black, stock 64, decks 2
streets-and-alleys:
stronghold: cells 1
thirty: count 5, group yes, reserve 2, ranks 8
thirtysix: count 6, group yes, stock 16
trigon: count 7, build same-suit, spaces kings, group yes, diagonal, up top, stock 24, redeal
two-cell: count 13, build red-black, initial all, back, cells 2
ultra-klondike-2-deck: count 12, build red-black, spaces kings, group yes, diagonal, up top, back,
    stock 26, draw 3, redeal, decks 2
will-o-the-wisp: count 7, group yes, run same-suit, runs, stock 31, to tableau piles
worm-hole: count 17, build no-build, cells 1, hole AS
"""
"""Solvitaire's games: what differs from its defaults, with a word for each key as below. There are
others of the same rules, whose names go on with ``SAME``, and those that our rules cannot say.
Source: sol_preset_types.cpp."""
SAME = ("-partial-piles-restricted", "-arbitrary-built-moves")
KEYS = {
    "count": ("tableau piles", "count"),
    "build": ("tableau piles", "build policy"),
    "spaces": ("tableau piles", "spaces policy"),
    "diagonal": ("tableau piles", "diagonal deal"),
    "group": ("tableau piles", "move built group"),
    "run": ("tableau piles", "move built group policy"),
    "up": ("tableau piles", "face up cards"),
    "initial": ("foundations", "initial cards"),
    "base": ("foundations", "base card"),
    "back": ("foundations", "removable"),
    "runs": ("foundations", "only complete pile moves"),
    "hole": ("hole", "base card"),
    "loops": ("hole", "build loops"),
    "cells": ("cells", "count"),
    "filled": ("cells", "pre-filled"),
    "stock": ("stock", "size"),
    "to": ("stock", "deal type"),
    "draw": ("stock", "deal count"),
    "redeal": ("stock", "redeal"),
    "reserve": ("reserve", "size"),
    "stacked": ("reserve", "stacked"),
}
OURS = {"klondike": "klondike-deal-3"}
"""The games that have other names here."""
DIFFERENCES: dict[str, dict[str, Any]] = {
    # Complete runs go home in Solvitaire only if a file says ``complete piles``; it deals to piles
    # while some are empty.
    "spider": {"piles.dealt": "6 5 5 6 5 5 6 5 5 6", "stock.spaces": False},
    "spiderette": {"stock.spaces": False},
    "will-o-the-wisp": {"stock.spaces": False, "piles.face_down": "covered"},
    # The same piles in another order.
    "simple-simon": {"piles.dealt": "8 8 8 7 6 5 4 3 2 1"},
    "american-canister": {"piles.dealt": "6 6 7 7 7 7 6 6"},
    "british-canister": {"piles.dealt": "6 6 7 7 7 7 6 6"},
    # The written rules.
    "fan": {"piles.dealt": "3 " * 17 + "1"},
    "scotch-patience": {"piles.dealt": "3 " * 17 + "1"},
    "lucas": {"stock.count": 57},
    "american-toad": {"stock.redeals": 1},
    "gargantua": {"stock.redeals": 1},
    "chameleon": {
        "piles.fill": "reserve, waste",
        "foundations.base": "first",
        "foundations.filled": 1,
        "reserve.count": 12,
    },
}
"""What our files have instead of Solvitaire's rules."""


def presets() -> dict[str, dict[str, Any]]:
    lines = PRESETS.strip().replace("\n    ", " ").splitlines()
    return {name: preset(words) for name, words in (line.split(":") for line in lines)}


def preset(words: str) -> dict[str, Any]:
    """The JSON of a game."""
    found: dict[str, Any] = {}
    for word in filter(None, map(str.strip, words.split(","))):
        key, _, text = word.partition(" ")
        value: Any = int(text) if text.isdecimal() else text or True
        if text in ("no", "partial"):
            value = False if text == "no" else "partial-if-card-above-buildable"
        if key == "decks":
            found["two decks"] = True
        elif key == "ranks":
            found["max rank"] = value
        else:
            section, name = KEYS[key]
            found.setdefault(section, {})[name] = value
    if "hole" in found:
        found["hole"]["present"] = True
        found["foundations"] = {"present": False}
    return found


def flat(rules: Rules) -> dict[str, Any]:
    """What is the game of some rules."""
    told = ("title", "family", "names", "source", "numbers", "order", "kings_under")
    parts = {field.name: getattr(rules, field.name) for field in fields(rules)}
    found = {name: part for name, part in parts.items() if name not in told}
    for name, part in parts.items():
        if is_dataclass(part):
            del found[name]
            found |= {f"{name}.{field.name}": getattr(part, field.name) for field in fields(part)}
    return found


@pytest.mark.parametrize("name", presets())
def test_presets_are_our_files(name: str) -> None:
    rules = parse_solvitaire_rules(json.dumps(presets()[name]), name)
    ours = flat(library.rules(OURS.get(name, name)))
    expected = flat(rules) | DIFFERENCES.get(name, {})
    assert ours == expected
    assert name not in DIFFERENCES or ours != flat(rules)
    if name in ("simple-simon", "american-canister", "british-canister"):
        assert sorted(rules.sizes) == sorted(library.rules(name).sizes)


@pytest.mark.parametrize("key", ["complete piles", "only complete pile moves"])
def test_whole_runs_go_home(key: str) -> None:
    text = json.dumps({"foundations": {key: True}})
    assert parse_solvitaire_rules(text, "A game").foundations.runs


@pytest.mark.parametrize("how", ["yes", "partial-if-card-above-buildable"])
def test_words_for_the_same(how: str) -> None:
    text = json.dumps({"tableau piles": {"move built group": how}})
    rules = parse_solvitaire_rules(text, "A game")
    assert rules.piles.move == "run"
    group = {"move built group": how, "move built group policy": "no-build"}
    alone = parse_solvitaire_rules(json.dumps({"tableau piles": group}), "A game")
    assert alone.piles.move == "card"


def test_defaults_and_titles() -> None:
    rules = parse_solvitaire_rules("{}", "A game")
    streets = library.rules("streets-and-alleys")
    assert rules.title == "A game"
    assert flat(replace(rules, title="")) == flat(streets)


WRONG = {
    "[]": "the file must be a table",
    "{": "is not JSON",
    '{"tableau": {}}': r"\[tableau\] is not a key of Solvitaire's, which has tableau piles,",
    '{"stock": {"seize": 3}}': r"\[stock\]\[seize\] is not a key .* did you mean 'size'",
    '{"stock": 3}': r"\[stock\] must be a table with keys such as size, got 3",
    '{"stock": {"size": "3"}}': r"\[stock\]\[size\] must be a whole number, got",
    '{"stock": {"size": true}}': r"\[stock\]\[size\] must be a whole number, got",
    '{"two decks": 1}': r"\[two decks\] must be true or false, got 1",
    '{"tableau piles": {"build policy": "up"}}': r"\[build policy\] must be any-suit or red-black",
    '{"tableau piles": {"move built group": "maximal-group"}}': r"must be no or yes or",
    '{"accordion": {"size": 18}}': r"\[accordion\]\[size\]: our rules have no words",
    '{"sequences": {"count": 4}}': r"\[sequences\]\[count\]: our rules have no words",
    '{"hole": {"present": true}}': r"one of \[hole\]\[present\] and \[foundations\]",
    '{"foundations": {"base card": "random"}}': r"foundations\.filled must be 1 if the base is",
    '{"foundations": {"base card": "X"}}': r"foundations\.base must be A or 2",
    '{"cells": {"count": 40}}': r"cells\.count must be 0 to 12, got 40",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_files(text: str) -> None:
    with pytest.raises(BadInput, match="^some.json: .*" + WRONG[text]):
        parse_solvitaire_rules(text, "some.json")
