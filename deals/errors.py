"""The one kind of error that is the user's to mend, and a guess at what was meant."""

from __future__ import annotations

from collections.abc import Iterable


class BadInput(ValueError):
    """Something that was given cannot be used.

    The message is for people: what was expected, what came, how to mend it. The
    command line prints it without a traceback and exits with status 2.
    """


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown word: the name most like it, if one is."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), names, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
