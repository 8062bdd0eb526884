"""Registers: the named numbers that a kernel keeps between slices.

A search declares them as a class with annotations::

    class Registers(jit.Registers):
        generated: int
        depth: int

``new_registers`` makes a numpy record with these fields, int64 or float64 each. In a kernel a
field reads and writes like a local variable and costs as little.
"""

from __future__ import annotations

from inspect import get_annotations
from typing import TypeVar

import numpy as np

_TYPES = {"int": np.int64, "float": np.float64, int: np.int64, float: np.float64}


class Registers:
    """The base of declarations: an instance is a numpy record, so no method can be added."""

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        raise NotImplementedError


Declared = TypeVar("Declared", bound=Registers)


def new_registers(declared: type[Declared]) -> Declared:
    """A record with the fields that a class declares, all zero.

    Args:
        declared: its annotations are ``int`` or ``float``; those of its bases come first.

    Raises:
        TypeError: naming a field of another type.
    """
    fields = []
    for kind in reversed(declared.__mro__):
        for name, annotation in get_annotations(kind).items():
            if annotation not in _TYPES:
                raise TypeError(f"{kind.__name__}.{name} must be int or float, got {annotation!r}")
            fields.append((name, _TYPES[annotation]))
    record: Declared = np.zeros(1, fields).view(np.recarray)[0]
    return record


def clear(registers: Registers) -> None:
    """Set every field to zero."""
    record: np.record = registers  # type: ignore[assignment]
    for name in record.dtype.names or ():
        record[name] = 0
