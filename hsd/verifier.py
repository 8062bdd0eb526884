"""Replays solutions of FreeCell in plain Python, sharing nothing with the solver.

It knows the rules and standard notation, but no searches, jitted boards or hashes, so it
cannot repeat their mistakes. It accepts every legal move, even those that the solver
never makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from deals.cards import DealError, card_name, fits, is_red, rank_of, suit_of
from deals.checks import expected, words
from deals.freecell_board import FreeCellBoard
from deals.words import plural
from gafreecell.solving.notations import IllegalMove, Notation

CELL_LETTERS = "abcdefg"
_TOKEN = re.compile(r"([1-9a-g])([1-9a-h])(?:v([1-9a-fA-F]))?")
_IMPOSSIBLE = 10**9
NOTATION = Notation(
    "a move such as 6a, a6, 6h, ah, 26 or 26v3", "[1-9][1-9](?:v[1-9a-f])?|[1-9a-g][1-9a-h]"
)
"""Standard notation."""


@dataclass(frozen=True)
class Verdict:
    """The result of a replay.

    Attributes:
        solved: whether every move was legal and all 52 cards are home.
        reason: why not solved; empty if solved.
        single: single-card moves played, including every home move and every card of a
            longer move (see ``single_moves``).
        column: moves played as written, home moves included.
        manual: moves played as written, home moves excluded.
        moves_played: how many tokens were played before the end or the first fault.
    """

    solved: bool
    reason: str
    single: int
    column: int
    manual: int
    moves_played: int


def verify(board: FreeCellBoard, moves: Iterable[str]) -> Verdict:
    """Replay moves in standard notation from a board and say whether they solve it.

    Raises:
        DealError: if ``board`` is not a ``FreeCellBoard``, or ``moves`` is not a list of words
            that are moves of the notation.
    """
    expected(board, FreeCellBoard, "a board is a deals.FreeCellBoard", DealError)
    position = Position.from_board(board)
    at_first = sum(position.foundations)
    single = played = 0
    reason = ""
    for token in NOTATION.tokens(words(moves, "moves", DealError), DealError):
        try:
            single += position.play(token)
        except IllegalMove as fault:
            reason = f"move {played + 1} {token!r}: {fault}"
            break
        played += 1
    home = sum(position.foundations)
    if not reason and not position.is_solved:
        reason = f"after move {played}: expected 52 cards home, got {home}"
    # A home move brings one card home, and no card comes back.
    manual = played - (home - at_first)
    return Verdict(not reason, reason, single, played, manual, played)


class Position:
    """A position that changes as moves are played.

    Attributes:
        cascades: columns of cards, each from its deepest card to its exposed one.
        cells: the card of each free cell, None for an empty one.
        foundations: the highest rank home of clubs, diamonds, hearts, spades.
    """

    def __init__(
        self, cascades: list[list[int]], cells: list[int | None], foundations: list[int]
    ) -> None:
        self.cascades = cascades
        self.cells = cells
        self.foundations = foundations

    @classmethod
    def from_board(cls, board: FreeCellBoard) -> Position:
        """The position of a board."""
        columns = [list(column) for column in board.cascades]
        return cls(columns, list(board.cell_row), list(board.foundations))

    @property
    def is_solved(self) -> bool:
        """Whether all 52 cards are home."""
        return self.foundations == [13, 13, 13, 13]

    @property
    def free_cells(self) -> int:
        """How many cells are empty."""
        return self.cells.count(None)

    def play(self, token: str) -> int:
        """Play one move of standard notation; an illegal one leaves the position unchanged.

        ``6a`` is cascade 6 to cell a, ``a6`` back, ``6h`` and ``ah`` home, ``26v3``
        three cards from cascade 2 to cascade 6 (hexadecimal). ``26`` is one card
        if that fits or cascade 6 is empty, else the run that fits.

        Returns:
            The fewest single-card moves that carry the move out.

        Raises:
            IllegalMove: if the token is malformed or the move is illegal here.
        """
        match = _TOKEN.fullmatch(token)
        if match is None:
            raise IllegalMove("expected a move such as 6a, a6, 6h, ah, 26 or 26v3")
        source, target, count = match.groups()
        if source.isdigit() and target.isdigit():
            return self._between_cascades(source, target, int(count, 16) if count else None)
        if count:
            raise IllegalMove("expected a count only between two cascades")
        if source in CELL_LETTERS and target in CELL_LETTERS:
            raise IllegalMove("expected a cell's card to go to a cascade or home, got a cell")
        card = self._card_at(source)
        self._put(card, target)
        self._take(source)
        return 1

    def most_to_empty(self, token: str) -> int:
        """The most cards that an uncounted move to an empty cascade may mean; 1 for other tokens.

        Raises:
            IllegalMove: if the token names a cascade that does not exist.
        """
        if re.fullmatch("[1-9]{2}", token) is None:
            return 1
        origin, goal = self._cascade(token[0]), self._cascade(token[1])
        return 1 if goal else min(_run_length(origin), self._most_carried(goal))

    def _empty_besides(self, goal: list[int]) -> int:
        return sum(not column for column in self.cascades) - (not goal)

    def _most_carried(self, goal: list[int]) -> int:
        return most_carried(self.free_cells, self._empty_besides(goal))

    def _cascade(self, name: str) -> list[int]:
        if int(name) > len(self.cascades):
            raise IllegalMove(f"there is no cascade {name}: the board has {len(self.cascades)}")
        return self.cascades[int(name) - 1]

    def _cell(self, name: str) -> int:
        index = CELL_LETTERS.index(name)
        if index >= len(self.cells):
            raise IllegalMove(f"there is no cell {name}: the board has {len(self.cells)}")
        return index

    def _card_at(self, place: str) -> int:
        """The card that a single-card move from a cascade or a cell takes."""
        if place.isdigit():
            column = self._cascade(place)
            if not column:
                raise IllegalMove(f"cascade {place} is empty")
            return column[-1]
        card = self.cells[self._cell(place)]
        if card is None:
            raise IllegalMove(f"cell {place} is empty")
        return card

    def _put(self, card: int, place: str) -> None:
        if place == "h":
            self._put_home(card)
        elif place.isdigit():
            column = self._cascade(place)
            if column and not fits(card, column[-1]):
                raise IllegalMove(_misfit(place, column[-1], card))
            column.append(card)
        else:
            index = self._cell(place)
            held = self.cells[index]
            if held is not None:
                raise IllegalMove(f"cell {place} holds the {card_name(held)}")
            self.cells[index] = card

    def _put_home(self, card: int) -> None:
        suit, top = suit_of(card), self.foundations[suit_of(card)]
        if rank_of(card) != top + 1:
            needed = card_name(4 * (top + 1) + suit)
            raise IllegalMove(f"expected the {needed} to go home, got the {card_name(card)}")
        self.foundations[suit] = top + 1

    def _take(self, place: str) -> None:
        if place.isdigit():
            self._cascade(place).pop()
        else:
            self.cells[self._cell(place)] = None

    def _between_cascades(self, source: str, target: str, count: int | None) -> int:
        origin, goal = self._cascade(source), self._cascade(target)
        if source == target:
            raise IllegalMove("expected two different cascades")
        self._card_at(source)
        if count is None:
            count = self._count_that_fits(source, target)
        self._check_run(source, target, count)
        empty = self._empty_besides(goal)
        if count > self._most_carried(goal):
            raise IllegalMove(
                f"expected at most {plural(self._most_carried(goal), 'card')} (free cells "
                f"{self.free_cells}, other empty cascades {empty}), got {count}"
            )
        cost = single_moves(count, self.free_cells, empty, not goal, count == len(origin))
        goal += origin[-count:]
        del origin[-count:]
        return cost

    def _count_that_fits(self, source: str, target: str) -> int:
        """The number of cards that a move without a count means; 1 if no number fits."""
        origin, goal = self._cascade(source), self._cascade(target)
        if not goal or fits(origin[-1], goal[-1]):
            return 1
        for count in range(2, _run_length(origin) + 1):
            if fits(origin[-count], goal[-1]):
                return count
        return 1

    def _check_run(self, source: str, target: str, count: int) -> None:
        origin, goal = self._cascade(source), self._cascade(target)
        if count > len(origin):
            raise IllegalMove(
                f"expected at most {plural(len(origin), 'card')} of cascade {source}, got {count}"
            )
        cards = origin[-count:]
        for beneath, above in pairwise(cards):
            if not fits(above, beneath):
                raise IllegalMove(
                    f"expected a sorted run of {count} in cascade {source}, "
                    f"got the {card_name(above)} on the {card_name(beneath)}"
                )
        if goal and not fits(cards[0], goal[-1]):
            raise IllegalMove(_misfit(target, goal[-1], cards[0]))


def _run_length(column: list[int]) -> int:
    """The length of the sorted run that ends with the exposed card."""
    length = min(1, len(column))
    while 0 < length < len(column) and fits(column[-length], column[-length - 1]):
        length += 1
    return length


def _misfit(place: str, exposed: int, card: int) -> str:
    if rank_of(exposed) == 1:
        expected = "nothing"
    else:
        colour = "black" if is_red(exposed) else "red"
        expected = f"a {colour} {card_name(exposed - 4)[0]}"
    return (
        f"expected {expected} on the {card_name(exposed)} of cascade {place}, "
        f"got the {card_name(card)}"
    )


def most_carried(cells: int, columns: int) -> int:
    """The longest run that a move may carry, given free cells and other empty cascades.

    This is the usual rule. A whole cascade could move to an empty one even if it is longer,
    as both cascades offer room on the way, but such a move changes nothing.
    """
    return (cells + 1) << columns


@cache
def single_moves(
    count: int, cells: int, columns: int, target_empty: bool = False, source_emptied: bool = False
) -> int:
    """The fewest single-card moves that carry a sorted run from one cascade to another.

    Just before the run's deepest card moves, the others lie in piles: runs in empty
    cascades, and single cards in the remaining cells and cascades. The pile of the topmost
    cards is built first and taken apart last, when there is most room. Building a pile is a
    move to an empty cascade; taking it apart is a move that empties its source. An empty
    target offers additional room until the deepest card moves. A source that falls empty
    does so afterwards.

    Args:
        count: cards of the run.
        cells: free cells.
        columns: empty cascades other than the target.
        target_empty: whether the target is an empty cascade.
        source_emptied: whether the run is the whole of its cascade.

    Raises:
        ValueError: if the run is empty or longer than ``most_carried``.
    """
    if not 1 <= count <= most_carried(cells, columns):
        raise ValueError(
            f"expected 1 to {plural(most_carried(cells, columns), 'card')} with "
            f"{plural(cells, 'free cell')} and {plural(columns, 'empty cascade')}, got {count}"
        )
    return _deepest_card_and_piles(count, cells, columns, target_empty, source_emptied)


def _deepest_card_and_piles(
    count: int, cells: int, columns: int, room_before: bool, room_after: bool
) -> int:
    return 1 + _piles(count - 1, cells, columns, room_before, room_after)


@cache
def _piles(cards: int, cells: int, columns: int, room_before: bool, room_after: bool) -> int:
    """The fewest moves that spread cards over piles and later gather them again.

    Args:
        cards: how many are still to be spread.
        cells: free cells.
        columns: empty cascades that may hold a pile meanwhile.
        room_before: whether another empty cascade may be used while spreading.
        room_after: the same while gathering.
    """
    if cards <= cells + columns:
        return 2 * cards
    best = _IMPOSSIBLE
    for pile in range(1, cards + 1 if columns else 0):
        spread = _deepest_card_and_piles(pile, cells, columns - 1 + room_before, True, False)
        gather = _deepest_card_and_piles(pile, cells, columns - 1 + room_after, False, True)
        rest = _piles(cards - pile, cells, columns - 1, room_before, room_after)
        best = min(best, spread + gather + rest)
    return best
