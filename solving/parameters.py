"""Named parameters of a search: their names, defaults and ranges, and the values given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from deals.checks import plain
from deals.errors import BadInput, did_you_mean

Value = int | float | str | bool
_ENDLESS = 1e15
"""A highest value from this on is a limit of the machine's and says nothing to people."""
NO_GOAL: Mapping[str, Value] = {}
"""The goal of a game that has only one: it takes no parameters."""


class ParameterError(BadInput):
    """An unknown parameter, or a value that a parameter does not allow."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a search.

    Attributes:
        name: as ``--set``, jobs and weights files write it.
        default: its value if none is given. Its type is the parameter's: a whole
            number, a number or a word.
        meaning: one line for people.
        low, high: the range of a number.
        choices: the possible values of a word, if they can be listed.
        pattern: a regular expression for the values of a word, otherwise.
    """

    name: str
    default: Value
    meaning: str
    low: float = 0
    high: float = float("inf")
    choices: tuple[str, ...] = ()
    pattern: str = ""

    def read(self, given: Value) -> Value:
        """Check a value and convert it to this parameter's type.

        Raises:
            ParameterError: if it is of the wrong type or out of range.
        """
        given = plain(given)
        if self.choices:
            if not isinstance(given, str) or given not in self.choices:
                raise ParameterError(
                    f"{self.name} must be {' or '.join(self.choices)}, got {given!r}"
                )
            return given
        if self.pattern:
            # Command lines and files deliver a word of digits as a number.
            word = str(given)
            if isinstance(given, bool) or not re.fullmatch(self.pattern, word):
                raise ParameterError(f"{self.name} must be like {self.default}, got {given!r:.40}")
            return word
        whole = isinstance(self.default, int)
        if isinstance(given, bool | str) or not isinstance(given, int if whole else int | float):
            expected = "a whole number" if whole else "a number"
            raise ParameterError(f"{self.name} must be {expected}, got {given!r:.40}")
        if not self.low <= given <= self.high:
            raise ParameterError(f"{self.name} must be {self.range}, got {given}")
        return given if whole else float(given)

    @property
    def range(self) -> str:
        """The range of a number, for people."""
        low, high = (
            f"{int(end):,}" if abs(end) < _ENDLESS and end == int(end) else f"{end:g}"
            for end in (self.low, self.high)
        )
        return f"{low} to {high}" if self.high < _ENDLESS else f"{low} or more"


def parse_value(text: str) -> Value:
    """The value that a command line word stands for: a whole number, a number or a word."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def read_assignment(word: str, option: str) -> tuple[str, Value]:
    """The name and the value in a command line word such as ``cells=3``.

    Raises:
        ParameterError: if there is no ``=`` in it, or nothing before it.
    """
    key, value = split_assignment(word, option)
    return key, parse_value(value)


def split_assignment(word: str, option: str) -> tuple[str, str]:
    """The name and the value in a command line word, the value as it stands there.

    Raises:
        ParameterError: if there is no ``=`` in it, or nothing before it.
    """
    key, equals, value = word.partition("=")
    if not equals or not key.strip():
        raise ParameterError(f"{option} takes KEY=VALUE, got {word!r}")
    return key.strip(), value.strip()


def read_parameters(
    owner: str, known: tuple[Parameter, ...], given: Mapping[str, Value], what: str = "parameter"
) -> dict[str, Value]:
    """Every parameter with the value given, or else its default.

    Args:
        owner: whose parameters they are, for messages.
        known: those there are.
        given: values by name.
        what: messages call them.

    Raises:
        ParameterError: if a value is not allowed, or a parameter is unknown, naming those known.
    """
    names = [parameter.name for parameter in known]
    for name in given:
        if name not in names:
            raise ParameterError(
                f"{owner} has no {what} {name!r}; it has {', '.join(names) or 'none'}"
                + did_you_mean(name, names)
            )
    return {p.name: p.read(given[p.name]) if p.name in given else p.default for p in known}
