"""Presets: weights files that come with a game's package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from deals.errors import did_you_mean
from gafreecell.solving.weights import Weights, WeightsError, parse_weights


@dataclass(frozen=True)
class Presets:
    """The presets of a game.

    Attributes:
        title: the game's name for people.
        package: the package whose folder ``presets_data`` has them.
        names: their names.
        default: the preset used if none is named.
        meanings: what each is for, in a few words, by its name.
    """

    title: str
    package: str
    names: tuple[str, ...]
    default: str
    meanings: Mapping[str, str] = field(default_factory=dict)

    def read(self, name: str) -> Weights:
        """A preset by name.

        Raises:
            WeightsError: if there is no preset of this name; the message lists them.
        """
        if not isinstance(name, str) or name not in self.names:
            raise WeightsError(
                f"there is no preset {name!r}; {self.title} has {', '.join(self.names)}"
                + did_you_mean(str(name), self.names)
            )
        return _read(self.package, name)


@cache
def _read(package: str, name: str) -> Weights:
    file = resources.files(package) / "presets_data" / f"{name}.json"
    return parse_weights(file.read_text(encoding="utf-8"), f"preset {name}")
