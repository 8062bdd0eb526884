"""DEALS as users write them: numbers, ranges, named sets, files, standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from typing import Any

from deals.checks import shown
from deals.digits import is_deck
from deals.errors import BadInput
from deals.pasted import unquoted, without_comments
from deals.sets import split_numbers
from gafreecell.solitaire.abilities import (
    ChecksDeals,
    HasOptions,
    Numbered,
    ReadsBoards,
    WritesSolutions,
)
from gafreecell.solitaire.game import (
    Game,
    able,
    full_title,
    games,
    method,
    rules_text,
    variant_played,
)
from gafreecell.solving.files import decoded, read_text
from gafreecell.solving.parameters import Value
from gafreecell.solving.saying import say
from gafreecell.solving.solutions import as_record, bare, named_deals, named_game


class InputError(BadInput):
    """Bad input from a user; the message says what is wrong and where."""


@dataclass(frozen=True)
class GivenDeal:
    """One deal to solve.

    Attributes:
        name: its number, its board's name, or its position in its file.
        board: a deal number or a board.
        source: where a board was read: the text's name and the board's position in it, as
            ``board.txt:1``; empty for a number.
    """

    name: int | str
    board: Any
    source: str = ""

    @property
    def title(self) -> str:
        """Its name for people."""
        if not self.source:
            return f"Deal {self.name}"
        return f"{self.source} ({self.name})" if isinstance(self.name, str) else self.source


class _Boards(list[Any]):
    """The boards of a text, with None for each that cannot be read.

    Attributes:
        source: the text's name in messages.
    """

    def __init__(self, boards: Iterable[Any], source: str) -> None:
        super().__init__(boards)
        self.source = source


_WORD = re.compile(r"\S++")
_NUMBERS = re.compile(r"\d++(?:-\d++)?(?:,++\d++(?:-\d++)?)*+")
_NUMBER_LIKE = re.compile(r"-?\d++(?:-\d++)?")
_FILE_LIKE = re.compile(r"[/\\]|\.[A-Za-z]\w*$")


class GivenDeals:
    """Deals in order; ranges of numbers are not expanded."""

    def __init__(self, parts: Sequence[Sequence[Any]]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        # A list of boards has None for each that could not be read. (``is not``, because arrays
        # compare element by element.)
        return sum(
            sum(item is not None for item in part) if isinstance(part, list) else len(part)
            for part in self._parts
        )

    def boards(self) -> Iterator[GivenDeal]:
        """The deals given as boards, not as numbers."""
        for part in self._parts:
            yield from _boards(part)

    def check(self, test: Callable[[Any], object], faults: list[str] | None) -> None:
        """Refuse deals that fail a test, before any of them is worked on.

        Args:
            test: raises ``BadInput`` for a board or a number that it refuses. Numbers of one part
                are all alike, so it gets the first of them.
            faults: if given, gets a message for each refused board of a text, which is left out.

        Raises:
            InputError: naming the deal.
        """
        for part in self._parts:
            for deal in chain(islice(_numbers(part), 1), _boards(part)):
                try:
                    test(deal.board)
                except BadInput as error:
                    fault = f"{deal.title}: {error}"
                    if faults is None or not isinstance(part, _Boards):
                        raise InputError(fault) from error
                    faults.append(fault)
                    part[:] = [None if item is deal.board else item for item in part]

    def __iter__(self) -> Iterator[GivenDeal]:
        for part in self._parts:
            yield from _deals(part)


def _deals(part: Sequence[Any]) -> Iterator[GivenDeal]:
    for place, item in enumerate(part, start=1):
        if isinstance(item, int):
            yield GivenDeal(item, item)
        elif item is not None:
            source = f"{part.source}:{place}" if isinstance(part, _Boards) else ""
            yield GivenDeal(getattr(item, "name", None) or place, item, source)


def _numbers(part: Sequence[Any]) -> Iterator[GivenDeal]:
    return (deal for deal in _deals(part) if isinstance(deal.board, int))


def _boards(part: Sequence[Any]) -> Iterator[GivenDeal]:
    if not isinstance(part, range):
        yield from (deal for deal in _deals(part) if not isinstance(deal.board, int))


def laid_out(game: Game, layout: str | None) -> Game:
    """The game, set to read boards as rows or as columns if a layout is given.

    Raises:
        GameError: if the game has no such layouts.
    """
    if layout is None:
        return game
    arrange = method(game, "laid_out", f"cannot tell rows from columns: leave out --{layout}")
    arranged: Game = arrange(layout)
    return arranged


def numbered_as(game: Game, kind: str | None) -> Game:
    """The game, set to deal by the numbers of another program if one is named.

    Raises:
        GameError: if the game has no such numbers.
    """
    if kind is None:
        return game
    missing = "has no numbers of other programs: leave out --numbers"
    other: Game = method(game, "numbered_as", missing)(kind)
    return other


def numbers_of(game: Game) -> str | None:
    """The program by whose numbers a game deals; None for the usual ones, which solvers know."""
    kind: str | None = getattr(game, "numbers_of", None)
    return kind


class _Dealt(Sequence[Any]):
    """The boards of a range of numbers, dealt as they are needed."""

    def __init__(self, numbers: Sequence[int], game: Numbered) -> None:
        self._numbers, self._game = numbers, game

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, place: Any) -> Any:
        return self._game.read_deal(self._numbers[place])


def read_deals(words: Sequence[str], game: Game, faults: list[str] | None = None) -> GivenDeals:
    """The deals that words of a command line name, all of them checked.

    Args:
        words: numbers, ranges, named sets, files, or ``-`` for standard input.
        game: the game.
        faults: if given, receives a message for each board of a file that cannot be read; if
            None, such a board is an error.

    Raises:
        InputError: naming the word, or the file and line, that cannot be read.
    """
    return GivenDeals([part for word in words for part in _word(word, game, faults)])


def _word(word: str, game: Game, faults: list[str] | None) -> list[Sequence[Any]]:
    if not word.strip():
        raise InputError("expected deals, got an empty word")
    if word == "-":
        return _text(_standard_input(), "standard input", game, faults)
    if is_deck(word):
        return _text(word, "the deal in digits", game, faults)
    if "," in word and _are_numbers(word):
        return _text(word, word, game, faults)
    if _NUMBER_LIKE.fullmatch(word) or not os.path.exists(word):
        numbered = _numbered(game)
        try:
            return [_part(word, game, numbered)]
        except BadInput as error:
            if _NUMBER_LIKE.fullmatch(word):
                raise InputError(str(error)) from None
            if _FILE_LIKE.search(word):
                where = "" if "/" in word or "\\" in word else " in this folder"
                raise InputError(f"there is no file {word!r}{where}") from None
            if word in games():
                raise InputError(f"{word!r} is a game, not a deal: write --game {word}") from None
            raise InputError(
                f"{word!r} is not a file, deal number, range or set of deals ({error})"
            ) from None
    return _text(read_text(word, "a file of deals", InputError), word, game, faults)


def deals_in(text: str, name: str, game: Game) -> GivenDeals:
    """The deals in a text, read like a file with that content.

    Args:
        text: numbers and ranges, or boards.
        name: the text's name in messages.
        game: the game.

    Raises:
        InputError: saying what cannot be read, and where.
    """
    return GivenDeals(_text(text, name, game, None))


def variants_in(deals: GivenDeals, game: Game) -> list[Mapping[str, Value]]:
    """The options under which deals are played, each once; numbers are played under the game's."""
    found: list[Mapping[str, Value]] = []
    boards = 0
    for deal in deals.boards():
        boards += 1
        variant = variant_played(game, deal.board)
        if variant not in found:
            found.append(variant)
    if boards < len(deals) and game.variant not in found:
        found.append(game.variant)
    return found


def check_deals(deals: GivenDeals, game: Game, faults: list[str] | None = None) -> None:
    """Refuse deals that no solver of a game can take; as ``GivenDeals.check``."""
    if isinstance(game, ChecksDeals):
        deals.check(game.check_deal, faults)


def _part(word: str, game: Game, numbered: Numbered) -> Sequence[Any]:
    """The deals of a range or a set: numbers, or boards if only the game knows these numbers."""
    numbers = as_range(numbered.deal_set(word), game)
    return _Dealt(numbers, numbered) if numbers_of(game) else numbers


def as_range(numbers: Sequence[int], game: Game) -> Sequence[int]:
    """Deal numbers in order, of which the first and the last are checked to be in range.

    Raises:
        BadInput: naming a number out of range, or if the game's deals have no numbers.
    """
    for number in {numbers[0], numbers[-1]}:
        _numbered(game).read_deal(number)
    return numbers


def board_of(deal: GivenDeal, game: Game) -> Any:
    """The board of a deal, dealt if it is given by number."""
    return _numbered(game).read_deal(deal.board) if isinstance(deal.board, int) else deal.board


def _numbered(game: Game) -> Numbered:
    """The game, typed as one whose deals have numbers."""
    return able(game, Numbered, "cannot deal by number")


def _standard_input() -> str:
    if sys.stdin.isatty():
        say("gafreecell: paste the text and end it with Ctrl-D")
    try:
        return decoded(sys.stdin.buffer.read())
    except UnicodeDecodeError:
        raise InputError("standard input is not text") from None


def _text(text: str, name: str, game: Game, faults: list[str] | None) -> list[Sequence[Any]]:
    """The deals in a text: numbers and ranges if it holds nothing else, otherwise boards."""
    plain = without_comments(unquoted(text))
    if not plain.strip():
        raise InputError(f"{name} is empty: expected deal numbers or boards")
    lines = plain.splitlines()
    if not all(map(_are_numbers, lines)):
        _refuse_mixture(lines, name)
        known = len(faults or ())
        reader = able(game, ReadsBoards, "cannot read boards, only deal numbers")
        try:
            boards = reader.read_boards(plain, faults)
        except BadInput as error:
            # The cause may offer other ways to read the text.
            raise InputError(f"{name}: {error}") from error
        for place in range(known, len(faults or ())):
            faults[place] = f"{name}: {faults[place]}"  # type: ignore[index]
        return [_Boards(boards, name)]
    parts: list[Sequence[Any]] = []
    numbered = _numbered(game)
    for number, line in enumerate(lines, start=1):
        try:
            words = [one for word in line.split() for one in split_numbers(word)]
            parts += [_part(word, game, numbered) for word in words]
        except BadInput as error:
            raise InputError(f"{name}, line {number}: {error}") from None
    return parts


def _are_numbers(line: str) -> bool:
    """Whether a line has numbers and ranges only. Digits as of a whole deck are a board."""
    words = (found[0].strip(",") for found in _WORD.finditer(line))
    return all(not word or (_NUMBERS.fullmatch(word) and not is_deck(word)) for word in words)


def _refuse_mixture(lines: Sequence[str], name: str) -> None:
    """Refuse a text that begins with a number and holds something else, too."""
    first = next(line for line in lines if line.strip())
    if not _are_numbers(first.split()[0]):
        return
    for number, line in enumerate(lines, start=1):
        if not _are_numbers(line):
            what = f"expected a deal number or a range like 1-32000, got {shown(line.strip(), 40)}"
            raise InputError(f"{name}, line {number}: {what}")


def read_solution(
    word: str, game: Game, deal: int | None = None
) -> tuple[list[str], dict[str, Value]]:
    """The moves in a solution's file, or on standard input for ``-``, and ``named_options``.

    Args:
        word: the file.
        game: the game that is played.
        deal: the number of the deal; None if it is asked for in another way.

    Raises:
        InputError: if there are none, or those of another game or deal.
    """
    name = "standard input" if word == "-" else word
    text = _standard_input() if word == "-" else read_text(word, "a solution", InputError)
    if not text.strip():
        raise InputError(f"{name} is empty: expected moves")
    return moves_in(text, name, game, deal), named_options(text, game)


def moves_in(text: str, name: str, game: Game, deal: int | None) -> list[str]:
    """The moves in the text of a solution.

    Args:
        text: the solution.
        name: what to call it in messages.
        game, deal: as for ``read_solution``.

    Raises:
        InputError: as ``read_solution``.
    """
    try:
        moves = able(game, WritesSolutions, "cannot read solutions").read_moves(text)
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None
    named = named_game(text)
    if named and named.lower() != game.name.lower():
        raise InputError(f"{name}: expected a solution of {game.name}, got one of {shown(named)}")
    others = named_deals(text) - {deal}
    if deal is not None and others:
        raise InputError(f"{name}: expected a solution of deal {deal}, got one of {min(others)}")
    return moves


def named_options(text: str, game: Game) -> dict[str, Value]:
    """The options of the game that a solution names, in JSON or in words; none if it names none."""
    variant = (as_record(text) or {}).get("variant")
    if isinstance(variant, dict):
        return variant
    if isinstance(game, HasOptions):
        lines = {line.strip() for line in bare(text).splitlines()}
        for values in product(*(option.values for option in game.options)):
            named = dict(zip((option.name for option in game.options), values, strict=True))
            if rules_text(game, named) and full_title(game, named) in lines:
                return named
    return {}
