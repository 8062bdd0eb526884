"""The Pyramid presets: files like weights files that come with the package."""

from __future__ import annotations

from functools import cache
from importlib import resources

from solving.weights import Weights, WeightsError, parse_weights

DEFAULT = "optimal"
NAMES = ("optimal",)


@cache
def preset(name: str) -> Weights:
    """A preset by name.

    Raises:
        WeightsError: naming the presets there are if there is none of this name.
    """
    if name not in NAMES:
        raise WeightsError(f"there is no preset {name!r}; Pyramid has {', '.join(NAMES)}")
    file = resources.files("pyramid_solitaire").joinpath("presets_data", f"{name}.json")
    return parse_weights(file.read_text(encoding="utf-8"), f"preset {name}")
