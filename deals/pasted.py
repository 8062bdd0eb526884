"""Removes what stands around a board copied from a message or a page: ``>`` marks, headings."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"\s*>+ ?")
# The number is optional: in files of deals # begins a comment, and what follows it is cut off.
_HEADING = re.compile(
    r"\s*(?:(?:ms|microsoft|windows)\s+)?(?:free\s?cell\s+)?(?:solitaire\s+)?(?:game|deal)"
    r"(?:\s+(?:no\.?|number))?[\s#:.\d]*",
    re.IGNORECASE,
)


def unquoted(text: str) -> str:
    """The text without the ``>`` at the beginning of its lines, if every line has one."""
    lines = text.splitlines()
    if not all(_QUOTED.match(line) for line in lines if line.strip()):
        return text
    return "\n".join(_QUOTED.sub("", line, count=1) for line in lines)


def without_headings(text: str) -> str:
    """The text with empty lines in place of headings like ``FreeCell game #164``."""
    return "\n".join("" if _HEADING.fullmatch(line) else line for line in text.splitlines())
