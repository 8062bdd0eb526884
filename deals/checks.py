"""What callers give, of the kind it should be, or a sentence that says what was expected."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard, TypeVar

from deals.errors import BadInput

Kind = TypeVar("Kind")


def expected(value: object, kind: type[Kind], what: str, error: type[BadInput] = BadInput) -> Kind:
    """The value itself, which must be of a kind.

    Args:
        value: what a caller gave.
        kind: its class.
        what: is expected, in the words that begin the message.
        error: the error to raise.

    Raises:
        BadInput: of the kind given, if it is of another kind.
    """
    if not isinstance(value, kind):
        raise error(f"{what}, got {value!r:.60}")
    return value


def text_of(value: object, what: str, error: type[BadInput] = BadInput) -> str:
    """A text.

    Raises:
        BadInput: of the kind given, if it is anything else.
    """
    return expected(value, str, f"{what} is a text", error)


def words(value: object, what: str, error: type[BadInput] = BadInput) -> list[str]:
    """A list of words, from any iterable of them that is not a text.

    Raises:
        BadInput: of the kind given, if it is anything else.
    """
    given = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else None
    if given is None or not all(isinstance(word, str) for word in given):
        raise error(f"{what} are a list of words, got {value!r:.60}")
    return given


def check_numbers(value: object, what: str, error: type[BadInput] = BadInput) -> None:
    """Refuse what is no list of whole numbers.

    Args:
        value: what a caller gave.
        what: the numbers are, in the plural.
        error: the error to raise.

    Raises:
        BadInput: of the kind given.
    """
    if not _is_list(value) or any(whole(number) is None for number in value):
        raise error(f"{what} are a list of whole numbers, got {value!r:.60}")


def check_lists(value: object, what: str, error: type[BadInput] = BadInput) -> None:
    """Refuse what is no list of lists of whole numbers; the arguments are ``check_numbers``'s."""
    if not _is_list(value):
        raise error(f"{what} are lists of whole numbers, got {value!r:.60}")
    for numbers in value:
        check_numbers(numbers, f"{what} are lists, whose cards", error)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def plain(value: Any) -> Any:
    """A number of numpy's as Python's; anything else as it is."""
    is_scalar = getattr(value, "shape", None) == () and hasattr(value, "item")
    return value.item() if is_scalar else value


def whole(value: object) -> int | None:
    """A whole number, numpy's too; None for whatever else, True and False among them."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def whole_number(value: object, name: str, error: type[BadInput] = BadInput) -> int:
    """A whole number, numpy's too.

    Raises:
        BadInput: of the kind given, if it is anything else.
    """
    number = whole(value)
    if number is None:
        raise error(f"{name} must be a whole number, got {value!r:.60}")
    return number


def deal_number(
    value: object, largest: int, error: type[BadInput] = BadInput, board: str = ""
) -> int:
    """A deal number from 1 to the largest.

    Args:
        value: what a caller gave.
        largest: the game's largest number.
        error: the error to raise.
        board: what else a deal could be, for messages.

    Raises:
        BadInput: of the kind given, if it is anything else.
    """
    number = whole(value)
    if number is None:
        what = f"a deal is {board} or a number" if board else "a deal number is a whole number"
        raise error(f"{what} from 1 to {largest:,}, got {value!r:.60}")
    if not 1 <= number <= largest:
        raise error(f"there is no deal {number}: deals are numbered 1 to {largest:,}")
    return number
