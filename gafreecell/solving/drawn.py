"""Reads drawn solutions as ``solve --draw`` and ``play`` print them.

A numbered move with words stands below each drawing. Every line is known or refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deals.checks import shown
from deals.pasted import heading, is_told
from gafreecell.solving.notations import COMMENT, Notation, no_move

_RESULT = re.compile(
    r"\S.*: (played (?:with|as if) .*)|.*, played by .*|It ended here:"
    r"|(?:Won|Lost|Stopped): [\d,]+ moves?, [\d,]+ decisions?, [\d.,]+ s",
    re.ASCII,
)
"""Other lines: what was assumed of a board, and what stands around a game that ``play`` played."""
_WIDTH, _FOLDS = 79, 9
"""The commands fold such lines at this width; longer ones than so many lines are not unfolded."""
NUMBERED = re.compile(r" *([0-9]{1,6})\. (\S+(?: \S+)*)((?:  .*)?)")
"""A move below a drawing: its number, the move itself and, farther right, the move in words."""
_TOLD = re.compile(r"\b(?:from|turn|take)\b")
"""What the words that tell a move contain."""
_CARD = re.compile(r"(?:[A2-9TJQK][CDHScdhs]|\?\?)")
_SHOWN = rf"(?:<?{_CARD.pattern}>?|-[CDHS]|[CDHS]-(?:10|[0-9ATJQK])|--|\.|:|empty)"
_LABELLED = re.compile(
    r"\s*(?:(?:home|hole|cells|reserve|waste|stock|Waste|Stock|Foundations)"
    r"|(?:stock|waste), top first):"
)
_ROW = re.compile(
    rf"(?:\s*{_SHOWN}(?=\s|$))*|{_LABELLED.pattern}(?:\s*(?:{_SHOWN}|-)(?=\s|$))*"
    r"|\s*(?:recycles: [0-9]+|[Rr]ules:(?: [a-z]+=(?:[0-9]+|unlimited))+)"
)
"""Cards of a drawing, with what stands for empty places."""
_TABLE = re.compile(
    r"\s*(?:1(?:\s+[2-9])*|(?:a(?:\s+[b-g])*\s+)?home"
    rf"|Stock:(?: [0-9]+ \?\?|(?:\s*{_SHOWN}(?=\s|$))*))"
)
"""What stands over the columns of a drawing."""
_WORDS = re.compile(
    r"(?:\s*(?:[A2-9TJQK][CDHScdhs]|[1-9a-g]|1[0-3](?= card)|the|from|onto|of|on|cascade|cell|pile"
    r"|pyramid|home|waste|stock|and|turn|up|take|to|cards?|one|two|three|four|five|six|seven|eight|nine|over|it|is"
    r"|again|foundation)[,:]?(?=\s|$))+"
)
"""The words of a move that go on in the next line, as letters break them."""
_COUNTED = re.compile(r"\b1[0-3] cards\b")
_STARTS = re.compile(r"[^\W_]+")


def tells(line: str) -> bool:
    """Whether a line is a numbered move with words that tell it."""
    step = NUMBERED.fullmatch(line.rstrip())
    return step is not None and _TOLD.search(step[3]) is not None


def unfolded(lines: Sequence[str], notation: Notation, head: re.Pattern[str]) -> list[str]:
    """The lines of a solution with each folded note or title as one line.

    Notes begin with the title of the deal, as the head of the solution does. Empty lines take the
    places of the others that a note had, so the numbers of lines remain.
    """
    found = [line.rstrip() for line in lines]
    titles = tuple(line.partition("solved, length ")[0] for line in found if head.fullmatch(line))
    step = _distance(found)

    def begins(line: str) -> bool:
        return is_told(line) or any(
            title.startswith(line) or line.startswith(title) for title in titles
        )

    for place in range(0, len(found), step):
        whole, rest = found[place], range(place + step, place + _FOLDS * step, step)
        for below in rest:
            line = found[below] if below < len(found) else ""
            full = len(found[below - step]) + len(line.partition(" ")[0]) >= _WIDTH
            if not full or not line[:1].strip() or begins(line):
                break
            whole = f"{whole} {line}"
        else:
            continue
        is_ours = whole.startswith(titles) or ", played by " in whole
        if below > place + step and is_ours and _is_result(whole, notation):
            found[place:below] = [whole, *[""] * (below - place - 1)]
    return found


def _distance(lines: Sequence[str]) -> int:
    """2 if each line has an empty one below it, as copied from some pages; else 1."""
    return 1 if any(map(str.strip, lines[1::2])) else 2


def read_drawn(lines: Sequence[str], notation: Notation, head: re.Pattern[str]) -> list[str]:
    """The numbered moves that ``solve --draw`` and ``play`` print, with words behind them.

    Raises:
        ValueError: naming a line that is none of those printed, or a number that is missing.
    """
    moves: list[str] = []
    # What the lines before say of the next one: which table it may go on, and what was told.
    table, above = None, ""
    for place, line in [*enumerate(lines, start=1)][:: _distance(lines)]:
        if not (head.fullmatch(line) or _is_said(line, notation)):
            line = re.sub(COMMENT, "", line).rstrip()
        if step := NUMBERED.fullmatch(line):
            check_number(step, len(moves) + 1, place)
            told = step[3].strip()
            # Words tell the move again; other moves there would be lost.
            if told and not (_TOLD.search(told) and _is_prose(told, notation)):
                raise ValueError(no_move(place, told, notation))
            if not notation.pattern.fullmatch(step[2]):
                raise ValueError(no_move(place, step[2], notation))
            moves.append(notation.written(step[2]))
            table, above = None, "move"
        elif not line:
            table, above = None, ""
        elif _TABLE.fullmatch(line) or _counts(line):
            table, above = line[0].isspace(), ""
        elif _is_row(line, notation, table):
            above = ""
        elif head.fullmatch(line) or _is_note(line, notation):
            table, above = None, "note"
        elif not _goes_on(line, above, notation):
            raise ValueError(
                f"line {place}: expected a numbered move, a part of a drawing or a note, as solve "
                f"--draw prints them, got {shown(line.strip())}"
            )
    return moves


def _counts(line: str) -> bool:
    """Whether a line has the numbers of ten or more piles, from 1 on."""
    words = line.split()
    return len(words) > 9 and words == [str(number + 1) for number in range(len(words))]


def _is_note(line: str, notation: Notation) -> bool:
    return _is_said(line, notation) or heading(line) is not None


def _is_said(line: str, notation: Notation) -> bool:
    return is_told(line) or _is_result(line, notation)


def _is_result(line: str, notation: Notation) -> bool:
    found = _RESULT.fullmatch(line)
    return found is not None and _is_prose(found[1] or "", notation)


def _goes_on(line: str, above: str, notation: Notation) -> bool:
    """Whether a line goes on with the words of a move or of an indented note above it."""
    if above == "move":
        return bool(_WORDS.fullmatch(line)) and not holds_moves(line, notation, only=True)
    return above == "note" and line[0].isspace() and _is_prose(line, notation)


def _is_row(line: str, notation: Notation, table: bool | None) -> bool:
    """Whether a line is a row of cards.

    Args:
        line: any line.
        notation: of moves, some of which look like cards.
        table: whether a table's rows are indented; None outside of tables.
    """
    if not _ROW.fullmatch(line):
        return False
    if not any(map(notation.pattern.fullmatch, line.split())):
        return True
    label = _LABELLED.match(line)
    cards = line[label.end() :] if label else line
    return cards.upper() == cards and (label is not None or table == line[0].isspace())


def _is_prose(text: str, notation: Notation) -> bool:
    """Whether a text has words, cards and small numbers, but no moves."""
    words = (word.strip(",.:;()") for word in _COUNTED.sub("", text).split())
    # Where two digits may be a move, such as 26, no number of two digits passes, move or not.
    digits = notation.pattern.fullmatch("12") is not None
    return all(
        (word.isalpha() and not notation.pattern.fullmatch(word))
        or not word.strip("-")
        or (word.isdecimal() and not (digits and len(word) == 2))
        or (_CARD.fullmatch(word) and (word.isupper() or not notation.pattern.fullmatch(word)))
        for word in words
    )


def check_number(step: re.Match[str], number: int, place: int) -> None:
    if int(step[1]) != number:
        raise ValueError(
            f"line {place}: expected move {number}, got a move with number {int(step[1])}"
        )


def holds_moves(line: str, notation: Notation, only: bool = False) -> bool:
    """Whether a line that is no known note holds moves."""
    if _is_note(line, notation):
        return False
    found = [notation.pattern.match(line, word.start()) for word in _STARTS.finditer(line)]
    return all(found) if only else any(found)
