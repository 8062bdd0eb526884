"""Registers: named numbers that a kernel keeps between slices.

A search declares them as a class with annotations::

    class Registers(jit.Registers):
        generated: int
        depth: int

``new_registers`` makes a numpy record with these fields, each int64 or float64. In a kernel a
field can be read and written like a local variable, at the same cost. A field can also be an array
of fixed shape::

    class State(jit.Registers):
        size: np.ndarray = jit.nested(np.int64, 24)

A kernel takes a record as one pointer, but a tuple of arrays as seven numbers an array.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import get_annotations
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

_TYPES = {"int": np.int64, "float": np.float64, int: np.int64, float: np.float64}


class Registers:
    """The base class of declarations. Instances are numpy records, with only numpy's methods."""

    if TYPE_CHECKING:

        @property
        def nbytes(self) -> int:
            """Size in bytes."""


@dataclass(frozen=True)
class _Nested:
    kind: Any
    shape: tuple[int, ...]


def nested(kind: Any, *shape: int) -> Any:
    """A field of a declaration that is an array of numbers of some type and shape."""
    return _Nested(kind, shape)


Declared = TypeVar("Declared", bound=Registers)


def new_registers(declared: type[Declared]) -> Declared:
    """A record with the fields that a class declares, all zero.

    Args:
        declared: a class whose annotations are ``int`` or ``float``; fields of its bases come
            first.

    Raises:
        TypeError: if a field has another type and is no ``nested`` array; the message names it.
    """
    kind: Any = declared
    record: Declared = np.zeros(1, _record_of(kind))[0]
    return record


@cache
def _record_of(declared: type[Registers]) -> np.dtype[np.void]:
    """The numpy type of a class's records; their fields are attributes.

    Numpy's own ``record`` offers attributes, too, but looks them up in Python, which takes a
    microsecond each.
    """
    fields: list[tuple[str, Any, tuple[int, ...]]] = []
    for kind in reversed(declared.__mro__):
        for name, annotation in get_annotations(kind).items():
            array = vars(kind).get(name)
            if isinstance(array, _Nested):
                fields.append((name, array.kind, array.shape))
                continue
            if annotation not in _TYPES:
                raise TypeError(f"{kind.__name__}.{name} must be int or float, got {annotation!r}")
            fields.append((name, _TYPES[annotation], ()))
    attributes = {name: property(itemgetter(name), _setter(name)) for name, *_ in fields}
    place = {
        "__module__": declared.__module__,
        "__slots__": (),
        "__repr__": _written,
        "__str__": _written,
    }
    record = type(declared.__name__, (np.void,), {**attributes, **place})
    return np.dtype((record, np.dtype(fields, align=True)))


def _setter(name: str) -> Callable[[Any, float], None]:
    def write(record: Any, value: float) -> None:
        record[name] = value

    return write


def _written(record: Any) -> str:
    values = ", ".join(f"{name}={record[name]}" for name in record.dtype.names)
    return f"{type(record).__name__}({values})"


def clear(registers: Registers) -> None:
    """Set all fields to zero at once, a microsecond faster than one by one."""
    record: Any = registers
    # The base is the array from which ``new_registers`` took the record.
    record.base.view(np.uint8).fill(0)
