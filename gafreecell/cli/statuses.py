"""Exit statuses, and error messages on stderr."""

from __future__ import annotations

import sys
from contextlib import suppress

DONE, UNDECIDED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def complain(message: str) -> None:
    """Print an error message on stderr, in at most three lines."""
    lines = message.splitlines()[:3]
    # A terminal that was closed cannot be written to.
    with suppress(OSError):
        print("gafreecell: " + "\n  ".join(lines), file=sys.stderr)
