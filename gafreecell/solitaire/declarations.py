"""Checks what a game declares, when it is loaded and in ``check_game``.

A fault raises a ``GameError`` that says what was expected, what came and how to mend it.
"""

from __future__ import annotations

import inspect
import re
from pathlib import PurePath
from typing import Any

from deals.checks import finite, shown, whole
from gafreecell.solitaire.abilities import HasOptions, Searches
from gafreecell.solving.contract import GameError, check_parameters, require
from gafreecell.solving.features import Feature, Scales
from gafreecell.solving.games import FURTHER, BaseGame

_RANGE = re.compile(r"(?P<first>\d+)-(?P<last>\d+)")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_CALLED = {
    "verify": ("board", "moves", "goal"),
    "interpret": ("board", "moves"),
    "read_boards": ("text", "faults"),
    "write_board": ("board",),
    "write_solution": ("board", "outcome"),
    "legal_moves": ("board",),
    "after": ("board", "move"),
    "positions": ("board", "moves"),
}
"""Methods and the arguments they are called with."""
_OF_BASE_GAME = {"deal": ("number",), "solve": ("deal", "weights", "nodes")}


def check_declared(game: Any) -> None:
    """Check the features, searches and method signatures of a game that has all members.

    Raises:
        GameError: naming the game.
    """
    try:
        # A game of a library may be called by the path of the file that has its rules.
        check_word(PurePath(game.name).stem if getattr(game, "rules", None) else game.name, "name")
        check_features(game.features)
        names = [feature.name for feature in game.features]
        unknown = [name for name in game.default_features if name not in names]
        require(not unknown, f"default_features must be among {names}", unknown, "change either")
        scales = game.scales
        fine = isinstance(scales, Scales) and (finite(scales.nodes) or 0) > 0
        fine = fine and (-1 if finite(scales.moves) is None else scales.moves) >= 0
        asked = "scales must be gafreecell.Scales with nodes above 0 and moves of 0 or more"
        require(fine, asked, shown(scales), "give the usual numbers of an easy deal")
        # A property is computed when it is needed.
        engine = inspect.getattr_static(game, "engine", "")
        fine = isinstance(engine, str) or hasattr(engine, "__get__")
        require(fine, "engine must be a string", shown(engine), "write it in quotes")
        largest = getattr(game, "largest", 1)
        mend = "give the largest deal number as a plain int"
        require(whole(largest) is not None, "largest must be a whole number", shown(largest), mend)
        _check_sets(game.training, game.validation)
        if isinstance(game, HasOptions):
            check_parameters(game.options, "options")
        if isinstance(game, Searches):
            _check_searches(game)
        called = dict(_CALLED)
        if getattr(type(game), "run", None) is BaseGame.run:
            called |= _OF_BASE_GAME
        for method, arguments in called.items():
            if hasattr(game, method):
                _check_call(game, method, arguments)
    except GameError as error:
        raise GameError(f"the game {game.name!r}: {error}") from None


def _check_sets(*names: object) -> None:
    """Check that training and validation are names of sets; and disjoint, if they are ranges."""
    ranges = []
    for name in names:
        fine = isinstance(name, str) and name
        require(fine, "training and validation must name sets", shown(name), 'write "1-1000"')
        ranges.append(_RANGE.fullmatch(str(name)))
    first, last = (
        [int(found[end]) if found else 0 for found in ranges] for end in ("first", "last")
    )
    both = min(last) - max(first) + 1 if all(ranges) else 0
    mend = "deals that choose the best weights must not train them: change either set"
    require(both <= 0, "training and validation must be disjoint", f"{both} in both", mend)


def check_word(name: object, what: str) -> None:
    """Check that a name suits file names, TOML keys and the command line."""
    asked = f"{what} must be a word of letters, digits, '-' and '_'"
    mend = "choose one that can be typed on a command line and be part of a file's name"
    require(isinstance(name, str) and _WORD.fullmatch(name), asked, repr(name), mend)


def check_features(features: object) -> None:
    """Check that features have distinct names, finite ranges, and baselines within them."""
    fine = isinstance(features, tuple) and all(isinstance(one, Feature) for one in features)
    mend = "make it one; a tuple of one is written (Feature(...),), with a comma"
    require(fine, "features must be a tuple of Feature", repr(features), mend)
    names = [feature.name for feature in features]  # type: ignore[attr-defined]
    require(len(set(names)) == len(names), "features must have distinct names", names, "rename one")
    for feature in features:  # type: ignore[attr-defined]
        name, low, high = feature.name, feature.low, feature.high
        check_word(name, "a feature's name")
        numbers = all(isinstance(one, int | float) for one in (low, high, feature.baseline))
        asked = f"the feature {name} must have numbers as low, high and baseline"
        came = f"{shown(low)}, {shown(high)} and {shown(feature.baseline)}"
        require(numbers, asked, came, "change them")
        asked = f"the feature {name} must have a finite range with low below high"
        fine = finite(low) is not None and finite(high) is not None and low < high
        require(fine, asked, f"{shown(low)} to {shown(high)}", "change low or high")
        asked = f"the feature {name} must have its baseline in its range, {low} to {high}"
        mend = "change the range, or the baseline, which is 0 unless it is given"
        require(low <= feature.baseline <= high, asked, feature.baseline, mend)


def _check_searches(game: Searches) -> None:
    names = game.searches
    fine = isinstance(names, tuple) and names
    require(fine, "searches must be a tuple of names", repr(names), 'write it as ("solve",)')
    odd = [name for name in game.unguided if name not in names]
    require(not odd, f"unguided must be among {names}", odd, "change either")
    for name in names:
        check_word(name, "a search's name")
        check_parameters(game.parameters(name), f"parameters({name!r})")


def _check_call(game: Any, method: str, arguments: tuple[str, ...]) -> None:
    """Check that a method can be called with these arguments."""
    found = getattr(game, method)
    asked = f"{method} must be a method that takes ({', '.join(arguments)})"
    require(callable(found), asked, repr(found), f"define {method}(self, {', '.join(arguments)})")
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        # Compiled code may have no signature.
        return
    further = FURTHER if method == "solve" else ()
    try:
        signature.bind(*arguments, **{one: one for one in further if one in signature.parameters})
    except TypeError:
        mend = f"define {method}(self, {', '.join(arguments)})"
        require(False, asked, f"{method}{signature}", mend)
