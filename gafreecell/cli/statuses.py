"""Exit statuses, and what commands say on stderr when something is wrong."""

from __future__ import annotations

import sys

DONE, UNDECIDED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def complain(message: str) -> None:
    """Say what is wrong on stderr, in at most three lines."""
    lines = message.splitlines()[:3]
    print("gafreecell: " + "\n  ".join(lines), file=sys.stderr)
