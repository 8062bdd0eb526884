"""Reads the moves in fc-solve's output, in words or in standard notation.

Lines of positions, counts of states and commands are passed over; a line that fc-solve does not
print is refused.

``fc-solve -m`` writes a sentence for each move and counts stacks and free cells from 0. With
``-snx`` or ``-sn`` it writes standard notation; with ``-sam``, the positions between the moves as
well. This holds for versions 3 to 6 and the options of Debian's freecell-solver-bin.
"""

from __future__ import annotations

import re

from deals.freecell_board import MAX_CASCADES, MAX_CELLS
from gafreecell.solving.solutions import PROMPT

_UNSOLVED = "I could not solve this game."
_SAID = re.compile(rf"This game is solveable\.|{re.escape(_UNSOLVED)}")
_BEGIN = re.compile(r"(?:-=)+-")
_SENTENCE = re.compile(
    r"Move (?:a card|(?P<count>[0-9]{1,3}) cards) from (?P<source>stack|freecell) "
    r"(?P<from>[0-9]{1,3}) to (?:the foundations|(?P<target>stack|freecell) (?P<to>[0-9]{1,3}))\.?"
)
_TOKEN = r"[1-9a-g][1-9a-h](?:v[0-9a-fA-F])?"
_TOKENS = re.compile(rf"(?P<named>Move: )?(?P<tokens>{_TOKEN}(?:\s+{_TOKEN})*)")
_CARD, _HOME = r"(?:10|[2-9ATJQK])[CDHS]", r"[CDHS]-(?:10|[0-9ATJQK])"
# The lines that hold no moves: frames, counts of states, and positions in both of its layouts.
# Cards are in capitals, moves in small letters.
_OTHER = re.compile(
    rf"|={{20,}}|-{{3,}}|(?:(?:Parent )?Iteration|Depth|Stored-States|Scan): [0-9]+"
    r"|Total number of states checked is [0-9]+\.|This scan generated [0-9]+ states\."
    rf"|Foundations:(?:\s+{_HOME})*|Freecells:(?:\s+(?:{_CARD}|--))*|:(?:\s+{_CARD})*"
    rf"|(?:{_CARD}|-{{2,3}}|{_HOME})(?:\s+(?:{_CARD}|-{{2,3}}|{_HOME}))*"
    rf"|{PROMPT}(?:[^\s|]{{3,}}[^|]*\| *)*(?:pi-make-microsoft-freecell-board|fc-solve)\b.*"
)
_CELLS = "abcdefg"


def is_output(text: str) -> bool:
    """Whether a text is fc-solve's output, or an excerpt with moves in words.

    A line of ``=`` alone is not enough: anyone may draw one.
    """
    return any(map(_is_of_fc_solve, _stripped(text)))


def read_moves(text: str) -> list[str]:
    """The moves that fc-solve printed, in standard notation, with counts if it gave them.

    Raises:
        ValueError: if a line is nothing that fc-solve prints (the message names the line), or
            if there are no moves or those of several deals.
    """
    lines = _stripped(text)
    for pattern in (_BEGIN, _SAID):
        begins = sum(pattern.fullmatch(line) is not None for line in lines)
        if begins > 1:
            raise ValueError(f"expected the solution of one deal, got those of {begins:,}")
    moves: list[str] = []
    for number, line in enumerate(lines, start=1):
        if sentence := _SENTENCE.fullmatch(line):
            moves.append(_token(sentence, number))
        elif tokens := _TOKENS.fullmatch(line):
            moves += tokens["tokens"].split()
        elif not any(one.fullmatch(line) for one in (_OTHER, _BEGIN, _SAID)):
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


def _is_of_fc_solve(line: str) -> bool:
    """Whether a line shows that a text is fc-solve's output."""
    if _BEGIN.fullmatch(line) or _SAID.fullmatch(line) or _SENTENCE.match(line):
        return True
    tokens = _TOKENS.fullmatch(line)
    return tokens is not None and tokens["named"] is not None


def _stripped(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


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
