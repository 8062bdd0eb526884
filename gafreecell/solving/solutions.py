"""Reads solutions as people write them, and as ``solve`` and ``play`` print them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Sequence
from typing import Any

from deals.checks import shown
from deals.pasted import heading, unquoted, without_headings
from gafreecell.solving.drawn import (
    NUMBERED,
    check_number,
    holds_moves,
    read_drawn,
    tells,
    unfolded,
)
from gafreecell.solving.notations import AROUND, COMMENT, Notation, no_move, notation_of

HEAD = r"Deal \S+, solved.*|.*: solved, length .*"
"""What ``solve`` prints above a solution, as a regular expression."""
_HEAD = re.compile(HEAD)
_WITHOUT = re.compile(r"\S.*: (?:unsolvable after|not decided within) ")
"""What it prints for a deal without a solution."""
PROMPT = r"(?:\(\S+\) ?)?\S*[$%] "
"""What stands before a command, as a regular expression."""
_SILENT = re.compile(rf"\s*(?:```([a-zA-Z]*)|{PROMPT}gafreecell\b.*|--draw shows each position)\s*")
"""Lines without moves: marks around code, a command, the end of ``solve``'s answer."""
_BLANK = re.compile(r"[^\S\x00-\x7f]")
"""Blanks of other alphabets than ASCII, such as pages have between words."""
_DIGITS = 1000
"""The most digits of a number of a deal; Python refuses to read numbers of several thousand."""
_NAMED = re.compile(
    r"(?:(?i:deal|game)\b[^\d:]{0,12}(?=\d)|(?:\S*[?&]deal=)?(?=[0-9]+:\S{20}))"
    rf"(\d[\d,.'’_\s]{{0,{_DIGITS}}}?)(?:, solved|:).*"
)
"""A line that names its deal: a head, or a line of macroxue's solver."""
_GROUP = re.compile(r"\[[^\[\]]*\]")
_NUMBER = re.compile(rf"#?(\d[\d,]{{0,{_DIGITS}}})")
_KINDS: dict[str, tuple[Any, str]] = {
    "deal": ((int, str), "a number or a name"),
    "game": (str, "a name"),
    "variant": (dict, "an object"),
}
"""What the keys of a JSON object that say what was solved hold, if they are not null."""
_FREECELL = re.compile(r"free\s?cell", re.IGNORECASE)
_BETWEEN = re.compile(rf"(?:[{AROUND}]|\.(?=\s|$)|(?<!\S)[-*•–—](?=\s)|{COMMENT})+")
"""What may stand between moves: blanks, comments, the punctuation and the bullets of lists."""
_INDENT = 40
"""At least the widest indent of a list, so that a long line is not searched for its beginning."""
_LABEL = re.compile(r"(?<!\S)([0-9]{1,6})[.):](?=\s)")
"""The number of a move or of a line of moves. It may look like a move that ends a sentence."""
_COMMENT = re.compile(COMMENT)
_WORD, _LINE = re.compile(r"[^\s,;]{1,99}"), re.compile(r".{1,99}")


def read_moves(
    text: str, notations: Sequence[Notation] = (), head: re.Pattern[str] = _HEAD
) -> list[str]:
    """The moves of a text: moves alone, a list of them, or the output of ``solve``.

    This output is a line of JSON, or moves below a line that names the deal, or numbered moves
    between drawings. Between moves there may be blanks, commas, and the marks, numbers and bullets
    of lists; quoted lines are unquoted. Everything else is refused.

    Args:
        text: a solution.
        notations: those that the game reads, its own first; without any, every word is a move.
        head: lines that begin a solution; what stands above them is left out.

    Raises:
        ValueError: if the text says that there is no solution, holds those of several deals, is
            malformed JSON, or if a word is no move: the message names its line.
    """
    fences = [line.strip().startswith("```") for line in unquoted(text).splitlines()]
    lines = bare(text, notations).splitlines()
    text = "\n".join(lines)
    if without_remarks(text).lstrip().startswith("{"):
        return _checked(_of_json(text), notations)
    without = next((line for line in lines if _WITHOUT.match(line)), "")
    if without:
        raise ValueError(f"expected a solution, got {shown(without.strip())}")
    heads = [number for number, line in enumerate(lines) if head.fullmatch(line)]
    _refuse_several(heads)
    if not notations:
        return _numbered(lines) or _of_list(_below(lines, heads)) or _below(lines, heads).split()
    lines = unfolded(lines, notations[0], head)
    if any(tells(line) for line in lines):
        return read_drawn(lines, notations[0], head)
    with_moves = [number for number, line in enumerate(lines) if holds_moves(line, notations[0])]
    _refuse_several(_beginnings(lines, fences, with_moves, heads))
    return _all_moves(without_headings(_below(lines, heads, with_moves)), notations)


def bare(text: str, notations: Sequence[Notation] = ()) -> str:
    """The text unquoted, with empty lines in place of those around code and of commands."""
    lines = (_BLANK.sub(" ", line) for line in unquoted(text).splitlines())
    return "\n".join("" if _is_silent(line, notations) else line for line in lines)


def _is_silent(line: str, notations: Sequence[Notation]) -> bool:
    silent = _SILENT.fullmatch(line)
    word = (silent and silent[1]) or ""
    return silent is not None and not any(one.pattern.fullmatch(word) for one in notations)


def without_remarks(text: str) -> str:
    """The text without headings and without comments; the numbers of its lines remain."""
    return _COMMENT.sub("", without_headings(text))


def named_deals(text: str) -> set[int]:
    """The numbers of the deals that a solution's head, headings and JSON name."""
    numbers = [_number_of(line) for line in bare(text).splitlines()]
    named = (as_record(text) or {}).get("deal")
    if isinstance(named, str):
        found = _NUMBER.fullmatch(named.strip())
        named = _whole(found[1]) if found else _number_of(named)
    numbers.append(named)
    return {number for number in numbers if number is not None}


def named_game(text: str) -> str:
    """The game that a solution's JSON or heading names; empty if none does."""
    lines = bare(text).splitlines()
    headed = any(heading(line) and _FREECELL.search(line) for line in lines)
    return (as_record(text) or {}).get("game") or ("freecell" if headed else "")


def as_record(text: str) -> dict[str, Any] | None:
    """A solution's JSON object; None if it is anything else."""
    try:
        record = _json(bare(text))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _json(text: str) -> Any:
    """The JSON value of a text; headings and comments may stand above and below it.

    Raises:
        ValueError, RecursionError: if the text is anything else.
    """
    lines = text.splitlines()
    first = next((n for n, line in enumerate(lines) if without_remarks(line).strip()), 0)
    text = "\n".join([*[""] * first, *lines[first:]])
    start = len(text) - len(text.lstrip())
    value, end = json.JSONDecoder(object_pairs_hook=_table).raw_decode(text, start)
    if rest := without_remarks(text[end:]).strip():
        raise json.JSONDecodeError("Extra data", text, text.index(rest[0], end))
    return value


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's keys and values, if no key comes twice."""
    for key, times in Counter(key for key, _ in pairs).items():
        if times > 1:
            raise ValueError(f"{key!r:.60} comes twice")
    return dict(pairs)


def _number_of(line: str) -> int | None:
    """The number of the deal in a heading; None if it has none."""
    found = _NAMED.fullmatch(line.strip())
    if found:
        return _whole(found[1])
    return _whole(known[0]) if (known := heading(line)) else None


def _whole(text: str) -> int | None:
    """The number in a text, whatever stands between its digits; None if it is none."""
    digits = re.sub(r"\D", "", text)
    return int(digits) if 0 < len(digits) <= _DIGITS else None


def _below(lines: Sequence[str], heads: Sequence[int], kept: Container[int] = ()) -> str:
    """The text below its head. Notes and rules may stand above, but moves there are kept."""
    first = heads[0] + 1 if heads else 0
    return "\n".join(
        "" if number < first and (number in heads or number not in kept) else line
        for number, line in enumerate(lines)
    )


def _beginnings(
    lines: Sequence[str], fences: Sequence[bool], with_moves: Sequence[int], heads: Sequence[int]
) -> list[int]:
    """The lines at which solutions begin: with headings, or in blocks of code of their own.

    A heading begins another solution if it names another deal, or if moves stand above and below.
    """
    if not with_moves:
        return []
    first, last = with_moves[0], with_moves[-1]
    parts = [number for number, fence in enumerate(fences) if fence and first < number < last]
    if parts:
        return [first, *parts[:1]]
    named = {n: _number_of(lines[n]) for n, line in enumerate(lines) if n in heads or heading(line)}
    numbers = [n for n, number in named.items() if number is not None]
    if len({named[n] for n in numbers}) > 1:
        return numbers
    return (
        [first, n]
        if (n := next((n for n in named if first < n < last and n not in heads), 0))
        else []
    )


def _refuse_several(places: Sequence[int]) -> None:
    """Refuse a text in which several solutions begin, at these lines from 0 on."""
    if len(places) > 1:
        told = " and ".join(str(number + 1) for number in places[:2])
        raise ValueError(
            f"expected one solution, got {len(places)}: they begin at lines {told}"
            + (", ..." if len(places) > 2 else "")
        )


def _checked(moves: list[str], notations: Sequence[Notation]) -> list[str]:
    return notation_of(moves, notations)[1] if notations else moves


def _of_json(text: str) -> list[str]:
    try:
        record = _json(text)
    except (ValueError, RecursionError) as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > 1 and all(map(_is_object, lines)):
            raise ValueError(
                f"expected the solution of one deal, got those of {len(lines):,}: give one line"
            ) from None
        raise ValueError(
            f"expected one JSON object with moves, got malformed JSON: {error}"
        ) from None
    if not isinstance(record, dict) or "moves" not in record:
        raise ValueError('expected a JSON object with "moves", got none')
    for key, (kind, what) in _KINDS.items():
        value = record.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, kind)):
            raise ValueError(f'expected "{key}" to be {what}, got {shown(value)}')
    moves = record["moves"]
    if moves is None:
        raise ValueError(f"expected moves, got null: the deal's status is {record.get('status')!r}")
    if not isinstance(moves, list) or not all(isinstance(token, str) for token in moves):
        raise ValueError('expected "moves" to be a list of strings')
    return list(moves)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _of_list(text: str) -> list[str] | None:
    """The moves in a JSON list; None if the text is none."""
    try:
        moves = _json(text)
    except (ValueError, RecursionError):
        return None
    fine = isinstance(moves, list) and all(isinstance(token, str) for token in moves)
    return moves if fine else None


def _numbered(lines: Sequence[str]) -> list[str]:
    """The numbered moves of a game whose notation is not known; empty if there are none.

    Raises:
        ValueError: if a number is missing.
    """
    moves: list[str] = []
    for place, line in enumerate(lines, start=1):
        if step := NUMBERED.fullmatch(line.rstrip()):
            check_number(step, len(moves) + 1, place)
            moves.append(step[2])
    return moves


def _all_moves(text: str, notations: Sequence[Notation]) -> list[str]:
    """The moves of a text that holds nothing else, in the first notation that fits."""
    ends = []
    groups = [group for group in _GROUP.findall(text) if len(group.split()) > 1]
    if len(groups) > 1:
        raise ValueError(f"expected one list of moves, got {len(groups)}: they are in brackets")
    notations = [one for one in notations if not one.sign or one.sign in text]
    for notation in notations:
        moves, end, due = _parts(text, notation)
        if end == len(text):
            if not moves:
                raise ValueError(f"expected {notations[0].expected}, got none")
            return moves
        ends.append((end, due))
    end, due = max(ends)
    place = text.count("\n", 0, end) + 1
    if due and (label := _LABEL.match(text, end)):
        raise ValueError(f"line {place}: expected number {due} of a list, got {label[0]!r}")
    reader = notations[ends.index((end, due))]
    # A move of several words may be wrong in any of them.
    word = (_LINE if r"\s" in reader.move else _WORD).match(text, end)
    raise ValueError(no_move(place, word[0] if word else "", reader))


def _parts(text: str, notation: Notation) -> tuple[list[str], int, int]:
    """The moves at the beginning of a text, and the place of the first word that is none.

    The last number is the one that comes next in a list; 0 if the moves are not numbered.
    """
    moves: list[str] = []
    at, labels = 0, _Labels(text)
    while at < len(text):
        label = _LABEL.match(text, at)
        if label and not moves and labels.lack_first(label):
            line = text.count("\n", 0, at) + 1
            raise ValueError(f"line {line}: expected a list from number 1 on, got {label[0]!r}")
        if label and labels.counts(label, len(moves)):
            at = label.end()
        elif between := _BETWEEN.match(text, at):
            at = between.end()
        elif label and labels.used and labels.begins_line(label):
            # A line of the list is missing.
            break
        elif move := notation.pattern.match(text, at):
            moves.append(notation.written(move[0]))
            at = move.end()
        else:
            break
    return moves, at, labels.used and labels.due


class _Labels:
    """Tells the numbers of a list from moves that look like numbers.

    The numbers count all moves, or the lines with moves.

    Attributes:
        used: how many there were.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._first = 1
        self.used = 0

    @property
    def due(self) -> int:
        """The number that comes next."""
        return self._first + self.used

    def begins_line(self, label: re.Match[str]) -> bool:
        """Whether nothing but a bullet stands before a number in its line."""
        before = self._text[max(0, label.start() - _INDENT) : label.start()]
        before = before.rpartition("\n")[2]
        return len(before) < _INDENT and not before.strip("-*•–— \t")

    def lack_first(self, label: re.Match[str]) -> bool:
        """Whether a list begins with this number, and it is not the first one of a list."""
        number = int(label[1])
        if self.used or not self.begins_line(label):
            return False
        following = rf"^[-*•–— \t]*{number + 1}[.):]\s"
        if number == 1 or not re.search(following, self._text[label.end() :], re.MULTILINE):
            return False
        self._first = 0
        return number > 0

    def counts(self, label: re.Match[str], moves: int) -> bool:
        """Whether a number counts on, after so many moves."""
        number, begins = int(label[1]), self.begins_line(label)
        of_move, of_line = self.used == moves, begins and (self.used > 0 or moves == 0)
        if number != self.due or not (of_move or of_line):
            return False
        self.used += 1
        return True
