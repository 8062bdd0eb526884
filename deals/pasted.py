"""What stands around a board copied from a message or a page: quotation marks, headings."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"\s*>+ ?")
# After a # there may be nothing: in files of deals it begins a comment.
_HEADING = re.compile(
    r"\s*(?:(?:ms|microsoft|windows)\s+)?(?:free\s?cell\s+)?(?:solitaire\s+)?(?:game|deal)"
    r"(?:\s+(?:no\.?|number))?[\s#:.\d]*",
    re.IGNORECASE,
)


def unquoted(text: str) -> str:
    """A text without the ``>`` that begins each of its lines, if it begins every one of them."""
    lines = text.splitlines()
    if not all(_QUOTED.match(line) for line in lines if line.strip()):
        return text
    return "\n".join(_QUOTED.sub("", line, count=1) for line in lines)


def without_headings(text: str) -> str:
    """A text of FreeCell boards with empty lines for headings like ``FreeCell game #164``."""
    return "\n".join("" if _HEADING.fullmatch(line) else line for line in text.splitlines())
