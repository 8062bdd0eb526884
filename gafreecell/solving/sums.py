"""Sums of floats whose last digits do not depend on Python's version."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def left_to_right(values: Iterable[float]) -> float:
    """The sum of floats, each rounded addition after the other; 0.0 for none.

    Since Python 3.12 the built-in ``sum`` compensates rounding errors, before it did not. A run
    whose fitness it added up would depend on Python's version in its last digits.
    """
    return reduce(add, values, 0.0)
