"""Reads solutions as people write them, and as ``solve`` and ``play`` print them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from deals.cards import is_card
from deals.errors import BadInput
from deals.pasted import unquoted, without_headings

HEAD = r"Deal \S+, solved.*|.*: solved, length .*"
"""What ``solve`` prints above a solution, as a regular expression."""
_HEAD = re.compile(HEAD)
_WITHOUT = re.compile(r"\S.*: (?:unsolvable after|not decided within) ")
"""What it prints for a deal without a solution."""
_NUMBERED = re.compile(r" *(\d+)\. (\S+(?: \S+)*)((?:  .*)?)")
"""A move below a drawing: its number, the move itself and, farther right, the move in words."""
_TOLD = re.compile(r"\b(?:from|turn|take)\b")
"""What the words that tell a move contain."""
_SILENT = re.compile(r"\s*(?:```.*|\$ .*|--draw shows each position)\s*")
"""Lines without moves: marks around code, a command, the end of ``solve``'s answer."""
_AROUND = r"\s,;()\[\]{}'\"`"
_BETWEEN = re.compile(rf"(?:[{_AROUND}]|\.(?=\s|$)|(?<!\S)(?:[-*•–—](?=\s)|#.*))+")
"""What may stand between moves: blanks, comments, the punctuation and the bullets of lists."""
_INDENT = 40
"""At least the widest indent of a list, so that a long line is not searched for its beginning."""
_LABEL = re.compile(r"(?<!\S)(\d{1,6})[.):](?=\s)")
"""The number of a move or of a line of moves. It may look like a move that ends a sentence."""
_WORD, _LINE = re.compile(r"[^\s,;]{1,60}"), re.compile(r".{1,60}")


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
    """

    expected: str
    move: str
    written: Callable[[str], str] = str.lower
    name: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """One move and nothing that goes on with it."""
        return re.compile(rf"(?:{self.move})(?=[{_AROUND}]|\.?(?:\s|$))", re.IGNORECASE)

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
        if all(map(notation.pattern.fullmatch, words)):
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
    text = unquoted(text)
    if text.lstrip().startswith("{"):
        return _checked(_of_json(text), notations)
    lines = text.splitlines()
    without = next((line for line in lines if _WITHOUT.match(line)), "")
    if without:
        raise ValueError(f"expected a solution, got {without.strip()!r:.60}")
    heads = [number for number, line in enumerate(lines) if head.fullmatch(line)]
    if len(heads) > 1:
        places = " and ".join(str(number + 1) for number in heads[:2])
        raise ValueError(
            f"expected one solution, got {len(heads)}: they begin below lines {places}"
            + (", ..." if len(heads) > 2 else "")
        )
    numbered = _drawn(lines, notations)
    if numbered:
        return numbered
    for number in range(heads[0] + 1 if heads else 0):
        # Notes and rules may stand above a head, but moves there would be lost.
        if number == heads[0] or not (notations and _holds_only_moves(lines[number], notations[0])):
            lines[number] = ""
    text = "\n".join("" if _SILENT.fullmatch(line) else line for line in lines)
    if not notations:
        return _of_list(text) or text.split()
    return _all_moves(without_headings(text), notations)


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


def _drawn(lines: Sequence[str], notations: Sequence[Notation]) -> list[str]:
    """The numbered moves between drawings, or with words behind them; empty if there are none.

    Raises:
        ValueError: if a number is missing, or what it numbers is no move.
    """
    found = ((place, _NUMBERED.fullmatch(line)) for place, line in enumerate(lines, start=1))
    steps = [(place, step) for place, step in found if step]
    if notations and not any(_TOLD.search(step[3]) for _, step in steps):
        return []
    moves: list[str] = []
    for place, step in steps:
        number, move = int(step[1]), step[2]
        first = int(steps[0][1][1])
        if number != first + len(moves):
            raise ValueError(
                f"line {place}: expected move {first + len(moves)}, got a move with number {number}"
            )
        if notations:
            # Behind a move, words tell it again; other moves there would be lost.
            rest = "" if _TOLD.search(step[3]) else step[3].strip()
            if rest or not notations[0].pattern.fullmatch(move):
                raise ValueError(_no_move(place, rest or move, notations[0]))
            move = notations[0].written(move)
        moves.append(move)
    return moves


def _all_moves(text: str, notations: Sequence[Notation]) -> list[str]:
    """The moves of a text that holds nothing else, in the first notation that fits."""
    ends = []
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

    def counts(self, label: re.Match[str], moves: int) -> bool:
        """Whether a number counts on, after so many moves."""
        number, begins = int(label[1]), self.begins_line(label)
        if begins and not self.used and not moves:
            # An excerpt may begin with any number.
            following = re.search(rf"^[-*•–— \t]*{number + 1}[.):]\s", self._text, re.MULTILINE)
            self._first = number if following else 1
        of_move, of_line = self.used == moves, begins and (self.used > 0 or moves == 0)
        if number != self._first + self.used or not (of_move or of_line):
            return False
        self.used += 1
        return True


def _holds_only_moves(line: str, notation: Notation) -> bool:
    moves, end = _parts(line, notation)
    return bool(moves) and end == len(line)


def _no_move(line: int, word: str, notation: Notation) -> str:
    """What is wrong with a word that is no move."""
    how = f", as {notation.name} writes it" if notation.name else ""
    card = " (that is a card: give the moves alone, without boards)" if is_card(word) else ""
    return f"line {line}: expected {notation.expected}{how}, got {word!r}{card}"
