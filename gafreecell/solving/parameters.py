"""Named parameters of searches and games: their defaults, their ranges and the given values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deals.checks import plain, shown
from deals.errors import BadInput, did_you_mean

Value = int | float | str | bool
_ENDLESS = 1e15
"""A range that reaches this value is shown to people as having no upper end."""
NO_GOAL: Mapping[str, Value] = {}
"""The goal of a game that has only one."""


class ParameterError(BadInput):
    """An unknown parameter, or a value that a parameter does not allow."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a search.

    Attributes:
        name: as written after ``--set``, in jobs and in weights files.
        default: its value if none is given. Its type is the parameter's type: a whole
            number, a number or a word.
        meaning: one line for people.
        low, high: the range of a number.
        choices: the values that a word may have, if they can be listed.
        pattern: otherwise a regular expression for these values.
        label: what a form calls it; by default its meaning.
    """

    name: str
    default: Value
    meaning: str
    low: float = 0
    high: float = float("inf")
    choices: tuple[Value, ...] = ()
    pattern: str = ""
    label: str = ""

    def read(self, given: Value) -> Value:
        """Check a value and convert it to this parameter's type; True means yes.

        Raises:
            ParameterError: if it is of the wrong type or out of range.
        """
        given = plain(given)
        if self.choices:
            if isinstance(given, bool) and "yes" in self.choices:
                given = "yes" if given else "no"
            for choice in self.choices:
                alike = isinstance(given, bool) == isinstance(choice, bool)
                if alike and isinstance(given, type(choice)) and given == choice:
                    return choice
            choices = " or ".join(map(str, self.choices))
            raise ParameterError(f"{self.name} must be {choices}, got {shown(given)}")
        if self.pattern:
            # The command line and files turn a word of digits into a number.
            word = str(given)
            if isinstance(given, bool) or not re.fullmatch(self.pattern, word):
                raise ParameterError(
                    f"{self.name} must be like {self.default}, got {shown(given, 40)}"
                )
            return word
        whole = isinstance(self.default, int)
        if isinstance(given, bool | str) or not isinstance(given, int if whole else int | float):
            expected = "a whole number" if whole else "a number"
            raise ParameterError(f"{self.name} must be {expected}, got {shown(given, 40)}")
        if not self.low <= given <= self.high:
            raise ParameterError(f"{self.name} must be {self.range}, got {given}")
        return given if whole else float(given)

    @property
    def values(self) -> Sequence[Value]:
        """The values that it may have; none if they cannot be listed."""
        if self.choices or not isinstance(self.default, int) or self.high == float("inf"):
            return self.choices
        return range(int(self.low), int(self.high) + 1)

    @property
    def range(self) -> str:
        """The range of a number, for people."""
        low, high = (
            f"{int(end):,}" if abs(end) < _ENDLESS and end == int(end) else f"{end:g}"
            for end in (self.low, self.high)
        )
        return f"{low} to {high}" if self.high < _ENDLESS else f"{low} or more"


def parse_value(text: str) -> Value:
    """The value of a word on the command line: a whole number, a number or the word itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def read_assignment(word: str, option: str) -> tuple[str, Value]:
    """The name and the parsed value in a command line word such as ``cells=3``.

    Raises:
        ParameterError: if it has no ``=``, or nothing before the ``=``.
    """
    key, value = split_assignment(word, option)
    return key, parse_value(value)


def split_assignment(word: str, option: str) -> tuple[str, str]:
    """The name and the value in a command line word, both as strings.

    Raises:
        ParameterError: if it has no ``=``, or nothing before the ``=``.
    """
    key, equals, value = word.partition("=")
    if not equals or not key.strip():
        raise ParameterError(f"{option} takes KEY=VALUE, got {word!r}")
    return key.strip(), value.strip()


def read_parameters(
    owner: str, known: tuple[Parameter, ...], given: Mapping[str, Value], what: str = "parameter"
) -> dict[str, Value]:
    """Every parameter with its given value, or else its default.

    Args:
        owner: whose parameters they are, for messages.
        known: the parameters.
        given: values by name.
        what: what messages call a parameter.

    Raises:
        ParameterError: if a value is not allowed or a parameter is unknown.
    """
    names = [parameter.name for parameter in known]
    for name in given:
        if name not in names:
            raise ParameterError(
                f"{owner} has no {what} {name!r}; it has {', '.join(names) or 'none'}"
                + did_you_mean(name, names)
            )
    return {p.name: p.read(given[p.name]) if p.name in given else p.default for p in known}
