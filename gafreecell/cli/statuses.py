"""Exit statuses, and error messages on stderr."""

from __future__ import annotations

from gafreecell.solving.saying import say

DONE, UNDECIDED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class Stopped(KeyboardInterrupt):
    """A command was interrupted; the message says what is saved, and how to go on."""


def complain(message: str) -> None:
    """Print an error message on stderr, in at most three lines."""
    lines = message.splitlines()[:3]
    say("gafreecell: " + "\n  ".join(lines))
