"""Writes solutions out in full whose authors leave moves or counts to the reader's program.

Many programs send cards home by themselves, and solutions made with them do not mention these
moves: Microsoft's FreeCell, FreeCell Pro, NetCELL, macroxue's solver. Many write ``26`` for any
number of cards, and macroxue's solver ``6r`` for a move to any free cell. What comes out is
standard notation, which ``hsd.verifier`` judges. Like it, this module shares nothing with the
searches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from deals.cards import DealError, is_red, rank_of, suit_of
from deals.freecell_board import FreeCellBoard
from deals.words import plural
from gafreecell.solving.notations import IllegalMove, Interpretation, Notation, notation_of
from hsd.verifier import CELL_LETTERS, NOTATION, Position

MACROXUE = Notation(
    "a move such as 6r, a6, 6h, ah or 26",
    "[1-9][1-9r]|[1-9a-g]h|[a-g][1-9]",
    name="macroxue's solver",
)
"""Here a free cell's letter is its card's place in the row of cards held, oldest first."""
NOTATIONS = (NOTATION, MACROXUE)

# Real solutions need a few dozen; the limit bounds the time that a wrong one takes.
_MOST_DEAD_ENDS = 500
_CODE = re.compile(r"(?:\S*[?&]deal=)?(?P<deal>\d+:)?(?P<moves>(?:[1-9][1-9rh]|[a-g][1-9h]){3,})")
_TOLD = re.compile(r"\s*(?:Moves: \d+ .*|upperbound \d+)?")

Automatic = Callable[[int, Sequence[int]], bool]
"""Whether a program sends a card home, given the highest ranks home; the card is the next one."""


def _ranks_beside(card: int, home: Sequence[int]) -> tuple[int, int]:
    """The lower of the other colour's ranks home, and that of the other suit of the same colour."""
    suits = [suit for suit in range(4) if suit != suit_of(card)]
    others = [home[suit] for suit in suits if is_red(suit) != is_red(card)]
    (twin,) = (home[suit] for suit in suits if is_red(suit) == is_red(card))
    return min(others), twin


def _microsoft(card: int, home: Sequence[int]) -> bool:
    """Aces and twos, and cards that no card left could lie on (known as Horne's rule)."""
    return rank_of(card) <= 2 or _ranks_beside(card, home)[0] >= rank_of(card) - 1


def _netcell(card: int, home: Sequence[int]) -> bool:
    """Also cards on which only cards could lie that can go home themselves (Raymond's rule)."""
    lower, twin = _ranks_beside(card, home)
    rank = rank_of(card)
    return lower >= rank - 1 or (lower >= rank - 2 and twin >= rank - 3)


RULES: dict[str, Automatic] = {
    "Microsoft's rule": _microsoft,
    "NetCELL's rule": _netcell,
    "the rule that every card goes home as soon as it can": lambda card, home: True,
}
"""By name, when programs send cards home by themselves."""


def code_of(text: str) -> list[str] | None:
    """The moves of a line such as ``617:4r462r2772...``, as macroxue's solver writes it.

    Returns:
        The moves, or None if the text is anything else.

    Raises:
        ValueError: if there are lines of several deals.
    """
    lines = [line.strip() for line in text.splitlines() if not _TOLD.fullmatch(line)]
    codes = list(map(_CODE.fullmatch, lines))
    if not all(codes) or not codes:
        return None
    if len(codes) > 1:
        if not all(code and code["deal"] for code in codes):
            return None
        raise ValueError(f"expected the solution of one deal, got those of {len(codes):,}")
    (code,) = codes
    moves = code["moves"] if code else ""
    return [moves[at : at + 2] for at in range(0, len(moves), 2)]


def interpret(board: FreeCellBoard, moves: Sequence[str]) -> Interpretation:
    """What moves mean whose author may have left out counts, cells and automatic home moves.

    First they are taken as written. If they do not solve the board so, and do not bring every card
    home themselves, the rules for automatic home moves are tried. Where blanks alone tell which
    cells are empty, the held cards may also lie in the first cells: fc-solve prints such blanks,
    but reads them so.

    Args:
        board: where the game stands.
        moves: in one of ``NOTATIONS``.

    Returns:
        What solves the board, or else what leads farthest.

    Raises:
        DealError: if a word is no move.
    """
    found = _interpret(board, moves)
    if found.fault and board.places_by_blanks:
        first = _interpret(replace(board, places=(), places_by_blanks=False), moves)
        if not first.fault:
            others = [cell for cell in range(board.cell_count) if cell not in board.places]
            letters = [CELL_LETTERS[cell] for cell in (*board.places, *others)]
            names = str.maketrans(CELL_LETTERS[: len(letters)], "".join(letters))
            how = ", ".join([*filter(None, [first.how]), "with the held cards in the first cells"])
            # The letters are the two places alone: a count of cards may look like one.
            return Interpretation([m[:2].translate(names) + m[2:] for m in first.moves], how)
    return found


def _interpret(board: FreeCellBoard, moves: Sequence[str]) -> Interpretation:
    notation, tokens = notation_of(moves, NOTATIONS, DealError)
    packed = notation is MACROXUE
    attempts = [_attempt(_Line.on(board), tokens, packed)]
    missing = 52 - sum(board.foundations) - sum(token[1] == "h" for token in tokens)
    # Microsoft's program waits for the first move, macroxue's does not.
    for rule, waits in product(RULES if missing > 0 else (), (True, False)):
        if attempts[-1].solved:
            break
        line = _Line.on(board, rule)
        if waits or line.send_home():
            attempts.append(_attempt(line, tokens, packed))
    best = max(attempts, key=lambda line: (line.solved, line.at))
    how = best.how(notation)
    return Interpretation(best.moves, how, best.fault and best.fault + (how and f" ({how})"))


def with_counts(board: FreeCellBoard, moves: Sequence[str]) -> Sequence[str]:
    """Moves of standard notation with the counts of runs that solve the board.

    Fewer cards come first. If no counts solve it, the moves come back as they are.
    """
    line = _attempt(_Line.on(board), moves, packed=False)
    return line.moves if line.solved else moves


@dataclass
class _Line:
    """A line of play.

    Attributes:
        position: where it leads.
        rule: the name of the rule for automatic home moves; empty if there are none.
        held: the letters of the cells in use, the card that came first first.
        at: how many of the given moves it plays.
        moves: all its moves in standard notation.
        fault: why it does not go on, or does not solve the board; empty before its end.
    """

    position: Position
    rule: str
    held: list[str]
    at: int = 0
    moves: list[str] = field(default_factory=list)
    fault: str = ""

    @classmethod
    def on(cls, board: FreeCellBoard, rule: str = "") -> _Line:
        """The line without moves."""
        position = Position.from_board(board)
        held = [name for name, card in zip(CELL_LETTERS, position.cells, strict=False) if card]
        return cls(position, rule, held)

    @property
    def solved(self) -> bool:
        """Whether it solves the board."""
        return self.position.is_solved and not self.fault

    def copy(self) -> _Line:
        """The same line, to go on in another way."""
        old = self.position
        position = Position([*map(list, old.cascades)], [*old.cells], [*old.foundations])
        return _Line(position, self.rule, [*self.held], self.at, [*self.moves])

    def send_home(self) -> bool:
        """Make all automatic home moves; returns whether there are any."""
        before = len(self.moves)
        while home := next(self._automatic(), ""):
            self._play(home)
        return len(self.moves) > before

    def after(self, token: str, packed: bool) -> list[_Line]:
        """The lines that a given move may lead to, one for each count it may mean, the likely last.

        Raises:
            IllegalMove: if the move is illegal here.
        """
        token = self._with_cells(token) if packed else token
        most = max(1, self.position.most_to_empty(token))
        # Where cards go home by themselves, programs move as many cards as they can.
        counts = range(most, 0, -1) if self.rule else range(1, most + 1)
        lines = [*(self.copy() for _ in counts[1:]), self]
        for line, count in zip(reversed(lines), counts, strict=True):
            line._play(f"{token}v{count:x}" if count > 1 else token)
            line.at += 1
            line.send_home()
        return lines

    def how(self, notation: Notation) -> str:
        """What was added to the moves given, in words; empty if nothing was."""
        added = len(self.moves) - self.at
        parts = [f"read in the notation of {notation.name}"] if notation.name else []
        if added:
            parts.append(f"with {plural(added, 'automatic home move')} by {self.rule}")
        return ", ".join(parts)

    def _play(self, token: str) -> None:
        self.position.play(token)
        self.moves.append(token)
        if token[0] in CELL_LETTERS:
            self.held.remove(token[0])
        if token[1] in CELL_LETTERS:
            self.held.append(token[1])

    def _automatic(self) -> Iterator[str]:
        if not self.rule:
            return
        home = self.position.foundations
        columns = enumerate((column[-1:] for column in self.position.cascades), start=1)
        exposed = [(str(number), card) for number, column in columns for card in column]
        cells = zip(CELL_LETTERS, self.position.cells, strict=False)
        for place, card in (*exposed, *((name, card) for name, card in cells if card)):
            if rank_of(card) == home[suit_of(card)] + 1 and RULES[self.rule](card, home):
                yield place + "h"

    def _with_cells(self, token: str) -> str:
        """A move of macroxue's solver with our names of cells."""
        source, target = token[0], token[1]
        if source in CELL_LETTERS:
            index = CELL_LETTERS.index(source)
            if index >= len(self.held):
                raise IllegalMove(
                    f"expected at least {plural(index + 1, 'card')} in the free cells"
                )
            source = self.held[index]
        if target == "r":
            if None not in self.position.cells:
                raise IllegalMove("expected an empty free cell, got none")
            target = CELL_LETTERS[self.position.cells.index(None)]
        return source + target


def _attempt(first: _Line, tokens: Sequence[str], packed: bool) -> _Line:
    """The line of the given moves that solves the board, or else the one that leads farthest."""
    best, lines, dead_ends = first, [first], 0
    while lines and dead_ends < _MOST_DEAD_ENDS:
        line = lines.pop()
        if line.at < len(tokens):
            token = tokens[line.at]
            try:
                lines += line.after(token, packed)
                continue
            except IllegalMove as fault:
                line.fault = f"move {line.at + 1} {token!r}: {fault}"
        elif line.solved:
            return line
        else:
            home = sum(line.position.foundations)
            line.fault = f"after move {line.at}: expected 52 cards home, got {home}"
        dead_ends += 1
        if not best.fault or line.at > best.at:
            best = line
    return best
