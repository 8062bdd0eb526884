"""Says something on stderr."""

from __future__ import annotations

import sys
from contextlib import suppress


def say(text: str) -> None:
    """Print a text on stderr; nothing fails because nobody reads it any more."""
    # A pipe may be closed, and a terminal, too.
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)
