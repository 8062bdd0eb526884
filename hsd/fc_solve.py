"""Reads the moves in fc-solve's output, in words or in standard notation, and skips other lines.

``fc-solve -m`` writes a sentence for each move and counts stacks and free cells from 0. With
``-snx`` or ``-sn`` it writes standard notation; with ``-sam``, the positions between the moves as
well. This holds for versions 3 to 6 and the options of Debian's freecell-solver-bin.
"""

from __future__ import annotations

import re

from deals.freecell import MAX_CASCADES, MAX_CELLS

_UNSOLVED = "I could not solve this game."
_BEGIN = re.compile(r"(?:-=)+-")
_FRAME = re.compile(rf"(-=)+-|={{20,}}|This game is solveable\.|{re.escape(_UNSOLVED)}")
_SENTENCE = re.compile(
    r"Move (?:a card|(?P<count>\d+) cards) from (?P<source>stack|freecell) (?P<from>\d+) "
    r"to (?:the foundations|(?P<target>stack|freecell) (?P<to>\d+))"
)
_TOKEN = re.compile(r"[1-9a-g][1-9a-h](?:v[0-9a-fA-F])?")
_TOKENS = re.compile(rf"(?:Move: )?(?P<tokens>{_TOKEN.pattern}(?:\s+{_TOKEN.pattern})*)")
# Lines that count states, and lines of positions.
_OTHER = re.compile(
    r"(?:Iteration|Depth|Stored-States|Scan|Foundations|Freecells)?:"
    r"|Total number of states checked is \d|This scan generated \d"
)
_CELLS = "abcdefg"


def is_output(text: str) -> bool:
    """Whether a text is fc-solve's output, or an excerpt with moves in words."""
    return any(_FRAME.fullmatch(line) or _SENTENCE.match(line) for line in _stripped(text))


def read_moves(text: str) -> list[str]:
    """The moves that fc-solve printed, in standard notation, with counts if it gave them.

    Raises:
        ValueError: if a line looks like a move but is malformed (the message names the line), or
            if there are no moves or those of several deals.
    """
    begins = sum(_BEGIN.fullmatch(line) is not None for line in _stripped(text))
    if begins > 1:
        raise ValueError(f"expected the solution of one deal, got those of {begins:,}")
    moves: list[str] = []
    for number, line in enumerate(_stripped(text), start=1):
        if sentence := _SENTENCE.fullmatch(line):
            moves.append(_token(sentence, number))
        elif tokens := _TOKENS.fullmatch(line):
            moves += tokens["tokens"].split()
        elif line.startswith("Move") or _has_tokens(line):
            raise ValueError(
                f"line {number}: expected a move such as 'Move a card from stack 3 to freecell 0' "
                f"or '4a', as fc-solve writes them, got {line!r:.60}"
            )
    if not moves:
        if _UNSOLVED in text:
            raise ValueError(f"expected moves, got fc-solve's message {_UNSOLVED!r}")
        raise ValueError(
            "expected moves, got fc-solve's output without moves: run it with -m, or -m -snx"
        )
    return moves


def _stripped(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def _has_tokens(line: str) -> bool:
    return _OTHER.match(line) is None and any(map(_TOKEN.fullmatch, line.split()))


def _token(sentence: re.Match[str], number: int) -> str:
    source = _place(sentence["source"], sentence["from"], number)
    target = _place(sentence["target"], sentence["to"], number) if sentence["target"] else "h"
    count = int(sentence["count"] or 1)
    if count > 15:
        raise ValueError(f"line {number}: expected a run of at most 15 cards, got {count}")
    return f"{source}{target}" + (f"v{count:x}" if count > 1 else "")


def _place(kind: str, index: str, number: int) -> str:
    places = "123456789"[:MAX_CASCADES] if kind == "stack" else _CELLS[:MAX_CELLS]
    if int(index) >= len(places):
        raise ValueError(
            f"line {number}: expected a {kind} from 0 to {len(places) - 1}, got {index}"
        )
    return places[int(index)]
