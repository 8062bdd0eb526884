"""Reads solutions as people write them, and as ``solve`` and ``play`` print them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from deals.cards import is_card
from deals.errors import BadInput
from deals.pasted import heading, is_told, unquoted, without_headings

HEAD = r"Deal \S+, solved.*|.*: solved, length .*"
"""What ``solve`` prints above a solution, as a regular expression."""
_HEAD = re.compile(HEAD)
_RESULT = re.compile(
    r"\S.*: played (?:with|as if) .*|.*, played by .*|(?:Won|Lost|Stopped): .*|It ended here:",
    re.ASCII,
)
"""Other lines: what was assumed of a board, and what stands around a game that ``play`` played."""
_WITHOUT = re.compile(r"\S.*: (?:unsolvable after|not decided within) ")
"""What it prints for a deal without a solution."""
_NUMBERED = re.compile(r" *([0-9]{1,6})\. (\S+(?: \S+)*)((?:  .*)?)")
"""A move below a drawing: its number, the move itself and, farther right, the move in words."""
_TOLD = re.compile(r"\b(?:from|turn|take)\b")
"""What the words that tell a move contain."""
_SILENT = re.compile(r"\s*(?:```([a-zA-Z]*)|\$ gafreecell\b.*|--draw shows each position)\s*")
"""Lines without moves: marks around code, a command, the end of ``solve``'s answer."""
_BLANK = re.compile(r"[^\S\x00-\x7f]")
"""Blanks of other alphabets than ASCII, such as pages have between words."""
_NAMED = re.compile(r"(?:Deal |(?:\S*[?&]deal=)?(?=[0-9]+:\S{20}))([0-9]{1,15})(?:, solved|:).*")
"""A line that names its deal: a head, or a line of macroxue's solver."""
_GROUP = re.compile(r"\[[^\[\]]*\]")
_CARD = re.compile(r"(?:[A2-9TJQK][CDHScdhs]|\?\?)")
_SHOWN = rf"(?:<?{_CARD.pattern}>?|-[CDHS]|[CDHS]-(?:10|[0-9ATJQK])|--|\.|:|empty)"
_LABELLED = re.compile(
    r"\s*(?:(?:home|waste|stock|Waste|Stock|Foundations)|(?:stock|waste), top first):"
)
_ROW = re.compile(
    rf"(?:{_LABELLED.pattern})?(?:\s*{_SHOWN}(?=\s|$))*"
    r"|\s*(?:recycles: [0-9]+|rules:(?: [a-z]+=[0-9]+)+)"
)
"""Cards of a drawing, with what stands for empty places."""
_TABLE = re.compile(r"\s*(?:1(?:\s+[2-9])*|(?:a(?:\s+[b-g])*\s+)?home|Stock:.*)")
"""What stands over the columns of a drawing."""
_WORDS = re.compile(
    r"(?:\s*(?:[A2-9TJQK][CDHScdhs]|[1-9a-g]|1[0-3](?= card)|the|from|onto|of|on|cascade|cell|pile"
    r"|pyramid|home|waste|stock|and|turn|up|take|to|cards?|one|two|three|four|five|six|seven|eight|nine|over|it|is"
    r"|again|foundation)[,:]?(?=\s|$))+"
)
"""The words of a move that go on in the next line, as letters break them."""
_COUNTED = re.compile(r"\b1[0-3] cards\b")
_DIGITS = 15
_NUMBER = re.compile(rf"[0-9]{{1,{_DIGITS}}}")
_AROUND = r"\s,;()\[\]{}'\"`"
_BETWEEN = re.compile(rf"(?:[{_AROUND}]|\.(?=\s|$)|(?<!\S)(?:[-*•–—](?=\s)|#.*))+")
"""What may stand between moves: blanks, comments, the punctuation and the bullets of lists."""
_INDENT = 40
"""At least the widest indent of a list, so that a long line is not searched for its beginning."""
_LABEL = re.compile(r"(?<!\S)([0-9]{1,6})[.):](?=\s)")
"""The number of a move or of a line of moves. It may look like a move that ends a sentence."""
_STARTS = re.compile(r"[^\W_]+")
_WORD, _LINE = re.compile(r"[^\s,;]{1,60}"), re.compile(r".{1,60}")


_FLAGS = re.IGNORECASE | re.ASCII
"""Letters are those of ASCII: a Kelvin sign is no k."""


class IllegalMove(ValueError):
    """A move that the position does not allow; the message says what was expected."""


@dataclass(frozen=True)
class Notation:
    """A way to write moves.

    Attributes:
        expected: what a move looks like, for messages.
        move: a regular expression for one move, in small letters or capitals.
        written: gives a move the letters that its game's verifier reads.
        name: the program that writes so; empty for the game's own notation.
        sign: what no solution lacks, if its moves alone may be words of a language.
    """

    expected: str
    move: str
    written: Callable[[str], str] = str.lower
    name: str = ""
    sign: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """One move and nothing that goes on with it."""
        return re.compile(rf"(?:{self.move})(?=[{_AROUND}]|\.?(?:\s|$))", _FLAGS)

    def tokens(self, words: Iterable[str], error: type[BadInput] = BadInput) -> list[str]:
        """The moves, one a word, as the game's verifier reads them.

        Raises:
            BadInput: as ``error``, naming the first word that is no move.
        """
        tokens = []
        for number, word in enumerate(words, start=1):
            if not self.pattern.fullmatch(word):
                raise error(f"move {number} {word!r:.60}: expected {self.expected}")
            tokens.append(self.written(word))
        return tokens


@dataclass(frozen=True)
class Interpretation:
    """A solution as a game understood it.

    Attributes:
        moves: the moves in the game's own notation, none left out, up to the first fault.
        how: what was added or translated, in words; empty if nothing was.
        fault: why the moves do not solve the deal; empty if they do.
    """

    moves: Sequence[str]
    how: str = ""
    fault: str = ""


def notation_of(
    words: Sequence[str], notations: Sequence[Notation], error: type[BadInput] = BadInput
) -> tuple[Notation, list[str]]:
    """The first notation in which all words are moves, and the moves.

    Raises:
        BadInput: as ``error``, if there is none: what the first notation says.
    """
    for notation in notations:
        fits = not notation.sign or any(notation.sign in word for word in words)
        if fits and all(map(notation.pattern.fullmatch, words)):
            return notation, notation.tokens(words)
    return notations[0], notations[0].tokens(words, error)


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
    if text.lstrip().startswith("{"):
        return _checked(_of_json(text), notations)
    without = next((line for line in lines if _WITHOUT.match(line)), "")
    if without:
        raise ValueError(f"expected a solution, got {without.strip()!r:.60}")
    heads = [number for number, line in enumerate(lines) if head.fullmatch(line)]
    _refuse_several(heads)
    if not notations:
        return _numbered(lines) or _of_list(_below(lines, heads)) or _below(lines, heads).split()
    if any(_tells(line) for line in lines):
        return _drawn(lines, notations[0], head)
    with_moves = [number for number, line in enumerate(lines) if _moves_in(line, notations[0])]
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


def named_deals(text: str) -> set[int]:
    """The numbers of the deals that a solution's head, headings or JSON name."""
    record = as_record(text)
    if record is not None:
        found = _NUMBER.fullmatch(str(record.get("deal")))
        return {int(found[0])} if found else set()
    numbers = map(_number_of, bare(text).splitlines())
    return {number for number in numbers if number is not None}


def as_record(text: str) -> dict[str, Any] | None:
    """A solution's JSON object; None if it is anything else."""
    try:
        record = json.loads(bare(text))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _number_of(line: str) -> int | None:
    """The number of the deal in a heading; None if it has none."""
    found = _NAMED.fullmatch(line.strip())
    if found:
        return int(found[1])
    digits = re.sub("[^0-9]", "", known[0]) if (known := heading(line)) else ""
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
    """The moves in a JSON object."""
    try:
        record = json.loads(text)
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
        moves = json.loads(text)
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
        if step := _NUMBERED.fullmatch(line.rstrip()):
            _check_number(step, len(moves) + 1, place)
            moves.append(step[2])
    return moves


def _check_number(step: re.Match[str], number: int, place: int) -> None:
    if int(step[1]) != number:
        raise ValueError(
            f"line {place}: expected move {number}, got a move with number {int(step[1])}"
        )


def _tells(line: str) -> bool:
    """Whether a line is a numbered move with words that tell it."""
    step = _NUMBERED.fullmatch(line.rstrip())
    return step is not None and _TOLD.search(step[3]) is not None


def _drawn(lines: Sequence[str], notation: Notation, head: re.Pattern[str]) -> list[str]:
    """The numbered moves that ``solve --draw`` and ``play`` print, with words behind them.

    Raises:
        ValueError: naming a line that is none of those printed, or a number that is missing.
    """
    moves: list[str] = []
    # What the lines before say of the next one: which table it may go on, and what was told.
    table, above = None, ""
    for place, line in enumerate(map(str.rstrip, lines), start=1):
        if step := _NUMBERED.fullmatch(line):
            _check_number(step, len(moves) + 1, place)
            told = step[3].strip()
            # Words tell the move again; other moves there would be lost.
            if told and not (_TOLD.search(told) and _is_prose(told, notation)):
                raise ValueError(_no_move(place, told, notation))
            if not notation.pattern.fullmatch(step[2]):
                raise ValueError(_no_move(place, step[2], notation))
            moves.append(notation.written(step[2]))
            table, above = None, "move"
        elif not line.strip() or line.startswith("#"):
            table, above = None, ""
        elif _TABLE.fullmatch(line):
            table, above = line[0].isspace(), ""
        elif _is_row(line, notation, table):
            above = ""
        elif head.fullmatch(line) or _is_note(line):
            table, above = None, "note"
        elif not _goes_on(line, above, notation):
            raise ValueError(
                f"line {place}: expected a numbered move, a part of a drawing or a note, as solve "
                f"--draw prints them, got {line.strip()!r:.60}"
            )
    return moves


def _is_note(line: str) -> bool:
    return _is_said(line) or heading(line) is not None


def _is_said(line: str) -> bool:
    return is_told(line) or _RESULT.fullmatch(line) is not None


def _goes_on(line: str, above: str, notation: Notation) -> bool:
    """Whether a line goes on with the words of a move or of an indented note above it."""
    if above == "move":
        return bool(_WORDS.fullmatch(line)) and not _moves_in(line, notation, only=True)
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
    return all(
        word.isalpha()
        or not word.strip("-")
        or (word.isdecimal() and len(word) != 2)
        or (_CARD.fullmatch(word) and (word.isupper() or not notation.pattern.fullmatch(word)))
        for word in words
    )


def _all_moves(text: str, notations: Sequence[Notation]) -> list[str]:
    """The moves of a text that holds nothing else, in the first notation that fits."""
    ends = []
    groups = [group for group in _GROUP.findall(text) if len(group.split()) > 1]
    if len(groups) > 1:
        raise ValueError(f"expected one list of moves, got {len(groups)}: they are in brackets")
    notations = [one for one in notations if not one.sign or one.sign in text]
    for notation in notations:
        moves, end = _parts(text, notation)
        if end == len(text):
            if not moves:
                raise ValueError(f"expected {notations[0].expected}, got none")
            return moves
        ends.append(end)
    end = max(ends)
    place = text.count("\n", 0, end) + 1
    reader = notations[ends.index(end)]
    # A move of several words may be wrong in any of them.
    word = (_LINE if r"\s" in reader.move else _WORD).match(text, end)
    raise ValueError(_no_move(place, word[0] if word else "", reader))


def _parts(text: str, notation: Notation) -> tuple[list[str], int]:
    """The moves at the beginning of a text, and the place of the first word that is none."""
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
    return moves, at


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
        if number != self._first + self.used or not (of_move or of_line):
            return False
        self.used += 1
        return True


def _moves_in(line: str, notation: Notation, only: bool = False) -> bool:
    """Whether a line that is no known note holds moves."""
    if _is_note(line):
        return False
    found = [notation.pattern.match(line, word.start()) for word in _STARTS.finditer(line)]
    return all(found) if only else any(found)


def _no_move(line: int, word: str, notation: Notation) -> str:
    """What is wrong with a word that is no move."""
    how = f", as {notation.name} writes it" if notation.name else ""
    card = " (that is a card: give the moves alone, without boards)" if is_card(word) else ""
    return f"line {line}: expected {notation.expected}{how}, got {word!r}{card}"
