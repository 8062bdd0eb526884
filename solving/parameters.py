"""Named parameters of a search: what there is, what is allowed, what was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from deals.errors import BadInput

Value = int | float | str | bool


class ParameterError(BadInput):
    """A parameter that a search does not have, or a value it does not allow."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a search.

    Attributes:
        name: as ``--set``, jobs and weights files write it.
        default: its value where none is given; the type of the default is the
            type of the parameter.
        meaning: one line for people.
        low, high: the range of a number.
        choices: the values of a word.
    """

    name: str
    default: Value
    meaning: str
    low: float = 0
    high: float = float("inf")
    choices: tuple[str, ...] = ()

    def read(self, given: Value) -> Value:
        """The value as this parameter takes it; text is converted.

        Raises:
            ParameterError: if it is of the wrong type or out of range.
        """
        if self.choices:
            if given not in self.choices:
                raise ParameterError(
                    f"{self.name} must be {' or '.join(self.choices)}, got {given!r}"
                )
            return given
        kind = type(self.default)
        try:
            if not isinstance(given, int | float | str) or isinstance(given, bool):
                raise ValueError
            if kind is int and isinstance(given, float):
                raise ValueError
            value = kind(given)
        except (ValueError, TypeError):
            expected = "a whole number" if kind is int else "a number"
            raise ParameterError(f"{self.name} must be {expected}, got {given!r}") from None
        if isinstance(value, int | float) and not self.low <= value <= self.high:
            raise ParameterError(f"{self.name} must be {self.low:g} to {self.high:g}, got {given}")
        return value


def read_parameters(
    owner: str, known: tuple[Parameter, ...], given: Mapping[str, Value]
) -> dict[str, Value]:
    """Every parameter with its value: as given, else its default.

    Raises:
        ParameterError: naming the parameters there are if one given is unknown.
    """
    names = [parameter.name for parameter in known]
    for name in given:
        if name not in names:
            raise ParameterError(
                f"{owner} has no parameter {name!r}; it has {', '.join(names) or 'none'}"
            )
    return {p.name: p.read(given[p.name]) if p.name in given else p.default for p in known}
