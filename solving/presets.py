"""Presets: weights files that come with a game's package."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from deals.errors import did_you_mean
from solving.weights import Weights, WeightsError, parse_weights


@dataclass(frozen=True)
class Presets:
    """The presets of a game.

    Attributes:
        title: the game's name for people.
        package: the package in whose folder ``presets_data`` they lie.
        names: their names.
        default: the one used where none is named.
    """

    title: str
    package: str
    names: tuple[str, ...]
    default: str

    def read(self, name: str) -> Weights:
        """A preset by name.

        Raises:
            WeightsError: naming the presets there are if there is none of this name.
        """
        if not isinstance(name, str) or name not in self.names:
            raise WeightsError(
                f"there is no preset {name!r}; {self.title} has {', '.join(self.names)}"
                + did_you_mean(str(name), self.names)
            )
        return _read(self.package, name)


@cache
def _read(package: str, name: str) -> Weights:
    file = resources.files(package).joinpath("presets_data", f"{name}.json")
    return parse_weights(file.read_text(encoding="utf-8"), f"preset {name}")
