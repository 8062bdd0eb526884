"""Notations of moves: what a move looks like, and how words are read as moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from deals.cards import is_card
from deals.checks import shown
from deals.errors import BadInput

AROUND = r"\s,;()\[\]{}'\"`"
"""What may stand around a move, as the inside of a regular expression's class of characters."""
_FLAGS = re.IGNORECASE | re.ASCII
"""Letters are those of ASCII: a Kelvin sign is no k."""

COMMENT = r"(?<!\S)#.*"
"""A comment, as a regular expression."""


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
        return re.compile(rf"(?:{self.move})(?=[{AROUND}]|\.?(?:\s|$))", _FLAGS)

    def tokens(self, words: Iterable[str], error: type[BadInput] = BadInput) -> list[str]:
        """The moves, one a word, as the game's verifier reads them.

        Raises:
            BadInput: as ``error``, naming the first word that is no move.
        """
        tokens = []
        for number, word in enumerate(words, start=1):
            if not self.pattern.fullmatch(word):
                raise error(f"move {number} {shown(word)}: expected {self.expected}")
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


def no_move(line: int, word: str, notation: Notation) -> str:
    """What is wrong with a word that is no move."""
    how = f", as {notation.name} writes it" if notation.name else ""
    card = " (that is a card: give the moves alone, without boards)" if is_card(word) else ""
    return f"line {line}: expected {notation.expected}{how}, got {shown(word)}{card}"
