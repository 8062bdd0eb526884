"""Removes what stands around a board copied from a message, a page or our own drawings.

These are ``>`` marks, comments, headings, and what ``solve --draw`` prints around its drawings.
"""

from __future__ import annotations

import re

from deals.cards import DealError
from deals.signs import GAMES, RULES_LEGEND

_QUOTED = re.compile(r"\s*+>+ ?")
LONGEST_LINE = 10_000
"""Characters of a line of a board; a whole deal in JSON on one line has some 500."""
# Not a number after a word that is no card.
_COMMENT = re.compile(r"(?<!\S)#(?!(?<=[A-Za-z.,:]{3}\s#)\s*+\d).*")
HEADING = re.compile(
    r"\s*+(?:(?:ms|microsoft|windows)\s+)?(?:free\s?cell\s+)?(?:solitaire\s+)?(?:game|deal)\b"
    r"(?:\s+(?:no\.?|number))?[\s#:.]*+(?:\d{1,3}(?:,\d{3})++|\d++)?(?![\w-])",
    re.IGNORECASE,
)
"""The beginning of a heading like ``FreeCell game #164``."""
_FENCE = re.compile(r"\s*+```\w*\s*+")

_LEGEND_LINES = {
    *RULES_LEGEND,
    *(line for game in GAMES for line in (*game.legend, *game.earlier)),
}
_SOLVED = re.compile(r".*: solved, length .*")
# The line above it that says which rules were played.
_RULES = re.compile("|".join(game.rules for game in GAMES if game.rules))
_RULED = re.compile(r"^[>\s]*+rules:", re.IGNORECASE | re.MULTILINE)
# A number, a move in its game's notation and its words. Names of boards, which a colon ends, may
# begin alike.
_MOVE = re.compile(
    rf"(?!.*:\s*$)\s*\d+\.\s+(?:{'|'.join(game.move for game in GAMES)})\s*", re.IGNORECASE
)
# If the empty line after a move is lost, the head of a drawing follows it.
_HEADS = "|".join(game.head for game in GAMES if game.head)
_MOVE_GOES_ON = re.compile(rf"\s++(?!{_HEADS}).*(?:[a-z]{{4}}|\bup\b).*")


def unquoted(text: str) -> str:
    """The text without the ``>`` at the beginning of its lines, if every line has one."""
    lines = text.splitlines()
    marks = [_QUOTED.match(line) for line in lines]
    if not all(mark or not line.strip() for mark, line in zip(marks, lines, strict=True)):
        return text
    return "\n".join(
        line[mark.end() :] if mark else line for mark, line in zip(marks, lines, strict=True)
    )


def without_comments(text: str) -> str:
    """The text without comments: ``#`` at the beginning of a line or after a blank, and the rest.

    The ``#`` of ``FreeCell game #164 (3 cells)`` stands for "number", and remains.
    """
    return "\n".join(
        _COMMENT.sub("", line, count=1) if "#" in line else line for line in text.splitlines()
    )


def heading(line: str) -> re.Match[str] | None:
    """A line that is a heading such as ``FreeCell game #164``; None for others.

    The word "deal" alone is none: it is a move of games given as rules.
    """
    found = HEADING.match(line)
    is_heading = found and not line[found.end() :].strip(" :.") and line.strip().lower() != "deal"
    return found if is_heading else None


def is_told(line: str) -> bool:
    """Whether a line is of a legend, names the rules, or says ``solved``, as ``solve`` prints."""
    line = line.strip()
    return bool(line in _LEGEND_LINES or _SOLVED.fullmatch(line) or _RULES.fullmatch(line))


def without_headings(text: str) -> str:
    """The text with empty lines in place of headings like ``FreeCell game #164``."""
    return "\n".join("" if heading(line) else line for line in text.splitlines())


def without_moves(text: str) -> str:
    """The text with empty lines in place of what ``solve --draw`` prints around its drawings.

    Lines quoted with ``>`` are unquoted first, and comments go. So do the legend, the lines that
    name the rules and say ``solved``, and the numbered moves with their words, such as
    `` 1. 17     the 6S from cascade 1 onto the 7D of cascade 7``.

    Raises:
        DealError: naming a line that is longer than any line of a board.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            raise DealError(
                f"line {number}: expected a line of a board, of at most {LONGEST_LINE:,} "
                f"characters, got {len(line):,}"
            )
    kept: list[str] = []
    in_move = False
    ruled = _RULED.search(text) is not None
    # Windows editors may start a text with a byte-order mark.
    for line in without_comments(unquoted(text.removeprefix("\ufeff"))).splitlines():
        in_move = bool(_MOVE.fullmatch(line) or (in_move and _MOVE_GOES_ON.fullmatch(line)))
        rules = _RULES.fullmatch(line.strip())
        # What it says of the rules, the boards below it must say, too.
        known = rules is not None and (ruled or not rules.lastindex)
        said = _SOLVED.fullmatch(line) or _FENCE.fullmatch(line)
        around = in_move or line.strip() in _LEGEND_LINES or said or known
        kept.append("" if around else line)
    return "\n".join(kept)
