"""The base class of errors in the user's input, and suggestions for misspelt names."""

from __future__ import annotations

from collections.abc import Iterable


class BadInput(ValueError):
    """Invalid input.

    The message says what was expected, what came and how to mend it. The command line
    prints it without a traceback and exits with status 2.
    """


def closest(word: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """The name that an unknown word is most like; empty if it is like none of them.

    Args:
        word: in small letters or capitals.
        names: in small letters.
        cutoff: how like it must be, 0 to 1 (``difflib``'s ratio).
    """
    from difflib import get_close_matches

    return next(iter(get_close_matches(word.lower(), names, 1, cutoff)), "")


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown word: the closest name, if one is close."""
    close = closest(word, names)
    return f"; did you mean {close!r}?" if close else ""
