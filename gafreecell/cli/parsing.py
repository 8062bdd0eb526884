"""The parser of the command line, its errors and its help."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from deals.checks import number_of_jobs
from deals.errors import did_you_mean
from gafreecell.cli.statuses import BAD_INPUT, complain

WIDTH = 96
"""Maximum width of the help, in columns."""
GAMES = "{games}"
"""Placeholder in help texts for the names of the games, looked up when the help is printed."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and a hint."""

    def error(self, message: str) -> NoReturn:
        if "--game: expected" in message:
            from gafreecell.solitaire.game import games

            message += f"; the games are {', '.join(games())}"
        complain(f"{message}\ntry '{self.prog} --help'")
        sys.exit(BAD_INPUT)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse known arguments; refuse an unknown option before the command first of all."""
        words = sys.argv[1:] if args is None else list(args)
        first = words[0] if words else ""
        known = _options(self)
        if self._subparsers and first.startswith("-") and first.partition("=")[0] not in known:
            self.error(f"there is no option {first!r}{did_you_mean(first, known)}")
        self._given: dict[str, Any] = {}
        return super().parse_known_args(words, namespace)

    def parse_args(self, words: Any = None, namespace: Any = None) -> Any:
        """Parse all words; any left over are an error of their command."""
        given, left = self.parse_known_args(words, namespace)
        if left:
            parser = getattr(given, "parser", self)
            guess = self._pointer(left[0].partition("=")[0], parser, *left[1:2])
            parser.error(f"unknown option or unexpected argument {' '.join(left)!r}{guess}")
        return given

    def _pointer(self, word: str, command: argparse.ArgumentParser, value: str = "") -> str:
        """The end of a message about a word that a command does not take, and what follows it."""
        known = _options(command)
        if len(word) == 2 and word[0] == "-":
            long = [f"'{name}'" for name in known if name.startswith(f"-{word}")]
            if value and "'--game'" in long:
                from gafreecell.solitaire.game import games

                long = [f"'--game {value}'"] if value in games() else long
            return f"; did you mean {' or '.join(long)}?" if long else ""
        commands: Any = self._subparsers._group_actions[0].choices if self._subparsers else {}
        others = [name for name, one in commands.items() if word in _options(one)]
        return f"; it is an option of {', '.join(others)}" if others else did_you_mean(word, known)

    def _get_values(self, action: argparse.Action, words: list[str]) -> Any:
        """The value of an option, which is refused if it comes twice: one value would be lost."""
        value = super()._get_values(action, words)
        if type(action) is argparse._StoreAction and action.option_strings:
            if action.dest in self._given:
                both = f"{self._given[action.dest]} and {' '.join(words)}"
                self.error(f"{action.option_strings[0]} comes twice, with {both}: give it once")
            self._given[action.dest] = " ".join(words)
        return value

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        names = [str(name) for name in action.choices]
        guess = did_you_mean(str(value), names)
        if isinstance(action, argparse._SubParsersAction):
            option = f"--{value}"
            guess = f"; did you mean {option!r}?" if option in _options(self) else guess
            self.error(f"there is no command {value!r}{guess}")
        what = "/".join(action.option_strings) or action.dest
        self.error(f"{what} must be one of {', '.join(names)}, got {value!r}{guess}")


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [name for action in parser._actions for name in action.option_strings]


class Help(argparse.RawDescriptionHelpFormatter):
    """Help that looks up the names of games and keeps the line breaks of examples."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=WIDTH)

    def _expand_help(self, action: argparse.Action) -> str:
        text = super()._expand_help(action)
        if GAMES in text:
            from gafreecell.solitaire.game import games

            text = text.replace(GAMES, ", ".join(games()))
        return text


def whole(least: int) -> Callable[[str], int]:
    """A reader of whole numbers, ``least`` or more."""

    def read(text: str) -> int:
        if not text.strip().isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(
                f"expected a whole number, {least} or more, got {text!r}"
            )
        return int(text)

    return read


def grades(text: str) -> range:
    """Read a grade, 1 to 10, or a range of grades."""
    found = re.fullmatch(r"\s*(\d{1,2})(?:-(\d{1,2}))?\s*", text)
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= low <= high <= 10:
        raise argparse.ArgumentTypeError(f"expected a grade 1 to 10, or grades 1-3, got {text!r}")
    return range(low, high + 1)


def size(text: str) -> int:
    """Read a number of bytes, with K, M or G for thousands, millions and milliards of them."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMG]?)B?\s*", text.upper())
    bytes_ = round(float(found[1]) * 1000 ** " KMG".index(found[2] or " ")) if found else 0
    if bytes_ < 1:
        raise argparse.ArgumentTypeError(f"expected a size such as 500M or 2G, got {text!r}")
    return bytes_


def workers(text: str) -> int:
    """Read a number of workers."""
    if text.strip() == "-1":
        return -1
    if not text.strip().isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"expected a positive number, or -1 for all cores, got {text!r}"
        )
    return number_of_jobs(int(text))


def positive(unit: str) -> Callable[[str], float]:
    """A reader of positive numbers of a unit, such as seconds."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not 0 < value < float("inf"):
            raise argparse.ArgumentTypeError(f"expected a positive number of {unit}, got {text!r}")
        return value

    return read
