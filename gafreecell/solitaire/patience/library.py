"""The games that come along as files of rules, and files of a user's own."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from deals.errors import BadInput, did_you_mean
from gafreecell.solitaire.patience.rules import FAMILIES, Rules
from gafreecell.solitaire.patience.solvitaire_rules import parse_solvitaire_rules
from gafreecell.solving.files import read_text
from gafreecell.solving.settings import SettingError, build

SUFFIX, SOLVITAIRE_SUFFIX = ".toml", ".json"

_ROOM = resources.files("gafreecell.solitaire.patience")
_FOLDER, _WEIGHTS = _ROOM / "games", _ROOM / "weights"
PASSING = {"canfield": "american-toad", "klondike": "westcliff", "yukon": "wasp"}
"""The game whose weights stand for those of a family whose stock passes for good, in families where
the others have a stock without end or none: there, a used card of the stock is a chance less."""


@cache
def names() -> tuple[str, ...]:
    """Names of the games, each that of its file."""
    files = (file.name for file in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX)))


@cache
def _tables() -> dict[str, Mapping[str, Any]]:
    """The files as tables: reading all of them takes a tenth of the time of checking them."""
    return {name: tomllib.loads(_text(name)) for name in names()}


def _text(name: str) -> str:
    return (_FOLDER / f"{name}{SUFFIX}").read_text(encoding="utf-8")


@cache
def other_names() -> dict[str, str]:
    """The names of the games by their other names."""
    return {other: name for name, table in _tables().items() for other in table.get("names", ())}


def proper_name(name: str) -> str:
    """The name of a game that may be called by another of its names."""
    return name if name in names() else other_names().get(name, name)


def rules(name: str) -> Rules:
    """The rules of a game by name, or those in a file.

    Args:
        name: of a game; or of a file that ends with ``.toml``, or ``.json`` if it is Solvitaire's.

    Raises:
        BadInput: if there is no such game or file, or the file has no rules.
    """
    if is_file(name):
        return read_rules(name)
    proper = proper_name(name)
    if proper not in names():
        known = (*names(), *other_names())
        raise BadInput(f"there is no game {name!r} given as rules" + did_you_mean(name, known))
    return _rules(proper)


def is_file(name: str) -> bool:
    """Whether a name is that of a file of rules."""
    return name.endswith((SUFFIX, SOLVITAIRE_SUFFIX))


@cache
def _rules(name: str) -> Rules:
    return parse_rules(_text(name), f"{name}{SUFFIX}")


def weights(name: str, rules: Rules) -> dict[str, str]:
    """Weights evolved for a game, then those for its family, if there are any.

    Those of a file of rules, ``my-game.toml``, are beside it, ``my-game-weights.json``.

    Returns:
        Weights files, by the game that they are of.
    """
    found = {}
    if is_file(name):
        beside = Path(name).with_name(f"{Path(name).stem}-weights.json")
        if beside.is_file():
            found[name] = read_text(beside, "a weights file (JSON)", BadInput)
    stand_ins = {**FAMILIES, **(PASSING if rules.stock.passes else {})}
    for one in (name, stand_ins.get(rules.family, name)):
        file = _WEIGHTS / f"{one}.json"
        if one in names() and file.is_file():
            found[one] = file.read_text(encoding="utf-8")
    return found


def read_rules(path: str | Path) -> Rules:
    """The rules in a file; ``BadInput`` naming the file and what is wrong with it."""
    if not os.path.exists(path):
        raise BadInput(
            f"there is no file {path} in {Path.cwd()}: runs and weights of a game of your own need "
            "the file of its rules where it was"
        )
    text = read_text(path, "a file of rules", BadInput)
    solvitaire = str(path).endswith(SOLVITAIRE_SUFFIX)
    return (parse_solvitaire_rules if solvitaire else parse_rules)(text, str(path))


def parse_rules(text: str, where: str) -> Rules:
    """Rules in TOML; ``BadInput`` naming the text and what is wrong with it."""
    try:
        return build(Rules, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{where}: is not TOML: {error}") from None
    except SettingError as error:
        raise BadInput(f"{where}: {error}") from None


def listing() -> list[str]:
    """All games by family: a line with its name, then for each game name, title, other names."""
    tables, lines = _tables(), []
    width = max(map(len, tables))
    for family, titles in families().items():
        lines.append(family)
        for name, title in titles.items():
            also = ", ".join(tables[name].get("names", ()))
            lines.append(f"  {name:{width}}  {title}" + (f" (also {also})" if also else ""))
    return lines


def families() -> dict[str, dict[str, str]]:
    """The titles of the games by name, of each family."""
    found: dict[str, dict[str, str]] = {}
    for name, table in _tables().items():
        found.setdefault(table["family"], {})[name] = table["title"]
    return dict(sorted(found.items()))
