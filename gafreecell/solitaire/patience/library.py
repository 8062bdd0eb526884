"""The games that come along as files of rules, and files of a user's own."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path

from deals.errors import BadInput, did_you_mean
from gafreecell.solitaire.patience.rules import Rules
from gafreecell.solving.settings import SettingError, build

SUFFIX = ".toml"


@cache
def names() -> tuple[str, ...]:
    """Names of the games, each that of its file."""
    return tuple(sorted(name.removesuffix(SUFFIX) for name in _files()))


def _files() -> dict[str, str]:
    folder = resources.files("gafreecell.solitaire.patience") / "games"
    files = (file for file in folder.iterdir() if file.name.endswith(SUFFIX))
    return {file.name: file.read_text(encoding="utf-8") for file in files}


@cache
def _known() -> dict[str, Rules]:
    return {name.removesuffix(SUFFIX): parse_rules(text, name) for name, text in _files().items()}


@cache
def _other_names() -> dict[str, str]:
    return {other: name for name, rules in _known().items() for other in rules.names}


def proper_name(name: str) -> str:
    """The name of a game that may be called by another of its names."""
    return _other_names().get(name, name)


def rules(name: str) -> Rules:
    """The rules of a game by name, or those in a file whose name ends with ``.toml``.

    Raises:
        BadInput: if there is no such game or file, or the file has no rules.
    """
    if name.endswith(SUFFIX):
        return read_rules(name)
    known = _known()
    if proper_name(name) not in known:
        raise BadInput(f"there is no game {name!r} given as rules" + did_you_mean(name, [*known]))
    return known[proper_name(name)]


def read_rules(path: str | Path) -> Rules:
    """The rules in a file; ``BadInput`` naming the file and what is wrong with it."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: is not text in UTF-8") from None
    return parse_rules(text, str(path))


def parse_rules(text: str, where: str) -> Rules:
    """Rules in TOML; ``BadInput`` naming the text and what is wrong with it."""
    try:
        return build(Rules, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{where}: is not TOML: {error}") from None
    except SettingError as error:
        raise BadInput(f"{where}: {error}") from None
