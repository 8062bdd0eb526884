"""The base class of errors in the user's input, and suggestions for misspelt names."""

from __future__ import annotations

from collections.abc import Iterable


class BadInput(ValueError):
    """Invalid input.

    The message says what was expected, what came and how to mend it. The command line
    prints it without a traceback and exits with status 2.
    """


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown word: the closest name, if one is close."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), names, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
