"""Checks of arguments. Their messages say what was expected and what came."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from math import inf
from numbers import Real
from typing import Any, TypeGuard, TypeVar

from deals.errors import BadInput

Kind = TypeVar("Kind")
BYTES = bytes | bytearray | memoryview
"""Data of any meaning, not numbers."""
_MOST_JOBS = 1000
"""More workers than machines have cores; joblib fails if it is asked for a million threads."""
LARGEST_NUMBER = 1e60
"""The largest number to calculate with: sums of its fourth powers are finite."""


def expected(value: object, kind: type[Kind], what: str, error: type[BadInput] = BadInput) -> Kind:
    """The value itself, if it is an instance of a class.

    Args:
        value: the argument to check.
        kind: the class.
        what: what was expected; the message begins with it.
        error: the class of error to raise.

    Raises:
        BadInput: as ``error``, if the value is not an instance of the class.
    """
    if not isinstance(value, kind):
        raise error(f"{what}, got {shown(value)}")
    return value


def text_of(value: object, what: str, error: type[BadInput] = BadInput) -> str:
    """The value itself, if it is a string.

    Raises:
        BadInput: as ``error``, if it is not.
    """
    return expected(value, str, f"{what} must be a string", error)


def words(value: object, what: str, error: type[BadInput] = BadInput) -> list[str]:
    """A list of the words of any iterable except a string.

    Raises:
        BadInput: as ``error``, if the value is anything else.
    """
    given = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else None
    if given is None or not all(isinstance(word, str) for word in given):
        raise error(f"{what} must be a list of words, got {shown(value)}")
    return given


def check_numbers(value: object, what: str, error: type[BadInput] = BadInput) -> None:
    """Raise an error unless the value is a list of whole numbers.

    Args:
        value: the argument to check.
        what: what the numbers are, in the plural.
        error: the class of error to raise.

    Raises:
        BadInput: as ``error``.
    """
    if not _is_list(value) or any(whole(number) is None for number in value):
        raise error(f"{what} must be a list of whole numbers, got {shown(value)}")


def check_lists(value: object, what: str, error: type[BadInput] = BadInput) -> None:
    """As ``check_numbers``, for a list of lists of whole numbers."""
    if not _is_list(value):
        raise error(f"{what} must be a list of lists of whole numbers, got {shown(value)}")
    for numbers in value:
        check_numbers(numbers, f"the cards of each of {what}", error)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | BYTES)


def plain(value: Any) -> Any:
    """A numpy scalar as a Python number; anything else unchanged.

    A float of other than 64 bits becomes the number that was written: 0.2, not 0.20000000298.
    A masked number stays what it is, because it has no value; so does a time or a duration.
    """
    if getattr(value, "shape", None) != () or not hasattr(value, "item"):
        return value
    if _is_masked(value) or _is_time(value):
        return value
    other = type(value).__module__ == "numpy" and value.dtype.kind == "f" and value.itemsize != 8
    return float(str(value)) if other else value.item()


def finite(value: object, most: float = LARGEST_NUMBER) -> float | None:
    """A real number, also numpy's, as a float; None for anything else.

    Args:
        value: what to read; text, complex numbers, NaN and infinities are not real numbers.
        most: its largest size.
    """
    number = plain(value)
    if not isinstance(number, Real) or _is_time(number):
        return None
    try:
        found = float(number)
    except OverflowError:
        return None
    return found if abs(found) <= most else None


def too_large(value: object) -> str:
    """What a message adds to "a finite number" if a number is finite, but too large for ``finite``.

    Empty for anything else.
    """
    number = plain(value)
    large = isinstance(number, Real) and not _is_time(number) and finite(value) is None
    return ", at most 1e60 in size" if large and abs(number) < inf else ""


def shown(value: object, most: int = 60) -> str:
    """A value in a message, with dots for what is too long, and even if it cannot be printed."""
    try:
        text = repr(value)
    except Exception:
        # Such as a number of more digits than Python prints.
        return f"a value of the type {type(value).__name__}"
    end = f"...{text[0] if isinstance(value, str) else ''}"
    return text if len(text) <= most else text[: most - len(end)] + end


def whole(value: object) -> int | None:
    """A whole number, also numpy's, as an int; None for anything else, True and False included."""
    if isinstance(value, bool) or _is_masked(value):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def _is_masked(value: object) -> bool:
    """Whether this is a number of numpy's that is masked."""
    return getattr(value, "shape", None) == () and bool(getattr(value, "mask", False))


def _is_time(value: object) -> bool:
    """Whether this is a time, a duration or a record of numpy's."""
    return getattr(getattr(value, "dtype", None), "kind", None) in ("M", "m", "V")


def whole_number(value: object, name: str, error: type[BadInput] = BadInput) -> int:
    """A whole number, also numpy's, as an int.

    Raises:
        BadInput: as ``error``, if the value is anything else.
    """
    number = whole(value)
    if number is None:
        raise error(f"{name} must be a whole number, got {shown(value)}")
    return number


def number_of_jobs(value: object, error: type[BadInput] = BadInput) -> int:
    """A number of workers: positive, or -1 for one per core.

    Raises:
        BadInput: as ``error``, if the value is anything else.
    """
    jobs = whole(value)
    if jobs is None or (jobs < 1 and jobs != -1):
        raise error(f"jobs must be positive, or -1 for all cores, got {shown(value)}")
    return min(jobs, _MOST_JOBS)


def deal_number(
    value: object, largest: int, error: type[BadInput] = BadInput, board: str = ""
) -> int:
    """A deal number from 1 to the largest.

    Args:
        value: the argument to check.
        largest: the game's largest number.
        error: the class of error to raise.
        board: what a deal may be besides a number, for messages.

    Raises:
        BadInput: as ``error``, if the value is anything else.
    """
    number = whole(value)
    if number is None:
        what = f"a deal is {board} or a number" if board else "a deal number must be a whole number"
        raise error(f"{what} from 1 to {largest:,}, got {shown(value)}")
    if not 1 <= number <= largest:
        raise error(f"there is no deal {number}: deals are numbered 1 to {largest:,}")
    return number
