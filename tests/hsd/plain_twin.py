"""A slow, plain twin of FreeCell's state space, with which jitted code is compared.

It uses lists, loops and the rules as they are written; it computes everything from scratch
each time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perft import by_depth

from deals.cards import card_name, is_red, rank_of, suit_of
from deals.freecell_board import FreeCellBoard

Place = int | str | tuple[str, int]
Move = tuple[Place, Place, int]
Key = tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]

HSDH_DIVISOR = 96


@dataclass
class Twin:
    """A position and its moves.

    A move is (source, target, count). A cascade is its index from 0; as a target
    ``"cell"`` is any free cell and ``"home"`` the card's foundation; as a source
    a cell is ``("cell", card)``.

    Attributes:
        cascades: columns of cards, each from its deepest card to its exposed one.
        cells: the cards held.
        foundations: the highest rank home of clubs, diamonds, hearts, spades.
        cell_count: how many cells the game has.
        at_once: whether a run moves at once, by the rule that people know.
    """

    cascades: list[list[int]]
    cells: list[int]
    foundations: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    cell_count: int = 4
    at_once: bool = False

    @classmethod
    def from_board(cls, board: FreeCellBoard) -> Twin:
        """The position of a board."""
        columns = [list(column) for column in board.cascades]
        return cls(columns, list(board.cells), list(board.foundations), board.cell_count)

    def as_board(self) -> FreeCellBoard:
        """The position as a board."""
        clubs, diamonds, hearts, spades = self.foundations
        columns = tuple(map(tuple, self.cascades))
        home = (clubs, diamonds, hearts, spades)
        return FreeCellBoard(columns, tuple(self.cells), home, self.cell_count)

    def copy(self) -> Twin:
        """The same position, sharing no list."""
        columns = [list(column) for column in self.cascades]
        cells, foundations = list(self.cells), list(self.foundations)
        return Twin(columns, cells, foundations, self.cell_count, self.at_once)

    def key(self) -> Key:
        """The state without the order of cells and of cascades."""
        columns = sorted(tuple(column) for column in self.cascades)
        return tuple(sorted(self.cells)), tuple(self.foundations), tuple(columns)

    def free_cells(self) -> int:
        """How many cells are empty."""
        return self.cell_count - len(self.cells)

    def empty_cascades(self) -> list[int]:
        """Indices of the empty cascades, leftmost first."""
        return [i for i, column in enumerate(self.cascades) if not column]

    def moves(self) -> list[Move]:
        """The engine's actions.

        Home moves of exposed and held cards; an exposed card to a free cell; the
        run that fits to a cascade with cards; runs of every length, but no whole
        column, to the leftmost empty cascade; held cards to cascades they fit on
        and to the leftmost empty one. A run has at most as many cards as there
        are free cells and empty cascades besides its target, and one more. If runs move
        at once, each empty cascade besides the target doubles what the free cells carry.
        """
        found: list[Move] = []
        for source, column in enumerate(self.cascades):
            if column:
                found += self._moves_from_cascade(source)
        for card in self.cells:
            found += self._moves_from_cell(card)
        return found

    def _moves_from_cascade(self, source: int) -> list[Move]:
        column = self.cascades[source]
        empty, run = self.empty_cascades(), cards_in_run(column)
        found: list[Move] = []
        if self._goes_home(column[-1]):
            found.append((source, "home", 1))
        if self.free_cells() > 0:
            found.append((source, "cell", 1))
        for target, other in enumerate(self.cascades):
            if target == source or not other:
                continue
            for count in range(1, min(run, self._most_carried(len(empty))) + 1):
                if fits(column[-count], other[-1]):
                    found.append((source, target, count))
        if empty:
            most = min(run, self._most_carried(len(empty) - 1), len(column) - 1)
            found += [(source, empty[0], count) for count in range(1, most + 1)]
        return found

    def _most_carried(self, empty: int) -> int:
        """The most cards of a run, given the empty cascades besides its target."""
        if self.at_once:
            return int((self.free_cells() + 1) * 2**empty)
        return self.free_cells() + empty + 1

    def _moves_from_cell(self, card: int) -> list[Move]:
        empty = self.empty_cascades()
        found: list[Move] = []
        if self._goes_home(card):
            found.append((("cell", card), "home", 1))
        for target, column in enumerate(self.cascades):
            if column and fits(card, column[-1]):
                found.append((("cell", card), target, 1))
        if empty:
            found.append((("cell", card), empty[0], 1))
        return found

    def _goes_home(self, card: int) -> bool:
        return self.foundations[suit_of(card)] == rank_of(card) - 1

    def after(self, move: Move, forced: bool = False) -> Twin:
        """The position after one of ``moves()``, and home moves forced after it if so told."""
        twin = self.copy()
        twin.play(move)
        if forced:
            twin.safe_home_moves()
        return twin

    def play(self, move: Move) -> None:
        """Play one of ``moves()``."""
        source, target, count = move
        if isinstance(source, int):
            cards = self.cascades[source][-count:]
            del self.cascades[source][-count:]
        else:
            cards = [int(source[1])]
            self.cells.remove(cards[0])
        if isinstance(target, int):
            self.cascades[target] += cards
        elif target == "cell":
            self.cells += cards
        else:
            self.foundations[suit_of(cards[0])] += 1

    def safe_home_moves(self) -> list[Move]:
        """Play safe home moves until there is none left; the moves played, in order."""
        played: list[Move] = []
        while True:
            exposed = [(i, column[-1]) for i, column in enumerate(self.cascades) if column]
            cards: list[tuple[Place, int]] = [*exposed, *((("cell", c), c) for c in self.cells)]
            safe = [place for place, c in cards if self._goes_home(c) and self._is_safe(c)]
            if not safe:
                return played
            self.play((safe[0], "home", 1))
            played.append((safe[0], "home", 1))

    def _is_safe(self, card: int) -> bool:
        """Whether no card still in play can need this one, which can go home."""
        rank = rank_of(card)
        suits = [suit for suit in range(4) if suit != suit_of(card)]
        others = [self.foundations[suit] for suit in suits if is_red(suit) != is_red(card)]
        twin = [self.foundations[suit] for suit in suits if is_red(suit) == is_red(card)]
        if min(others) >= rank - 1:
            return True
        return min(others) >= rank - 2 and twin[0] >= rank - 3

    def heuristics(self) -> dict[str, float]:
        """The nine features by name: distances, 0 at the goal, HSDH clipped at 1."""
        in_columns = sum(len(column) for column in self.cascades)
        columns = [column for column in self.cascades if column]
        lowest, highest = min(self.foundations), max(self.foundations)
        vacant = self.free_cells() + len(self.empty_cascades())
        places = self.cell_count + len(self.cascades)
        exposed = [rank_of(column[-1]) for column in columns]
        mean_exposed = sum(exposed) / len(exposed) if exposed else 0.0
        bottoms = [rank_of(column[0]) for column in columns]
        return {
            "HSDH": min(1.0, self._cards_above_next() / HSDH_DIVISOR),
            "NumberWellPlaced": (in_columns - self._well_placed()) / 52,
            "NumCardsNotAtFoundations": (52 - sum(self.foundations)) / 52,
            "FreeCells": 1 - vacant / places,
            "DifferenceFromTop": (13 + mean_exposed - sum(self.foundations) / 4) / 26,
            "LowestHomeCard": (13 - lowest) / 13,
            "HighestHomeCard": 1 - highest / 13,
            "DifferenceHome": (highest - lowest) / 13,
            "SumOfBottomCards": (best_bottom_sum(len(columns)) - sum(bottoms)) / 100,
        }

    def _cards_above_next(self) -> int:
        """Cards above the next card of each suit, doubled if no cell and no cascade is empty."""
        above = 0
        for column in self.cascades:
            for depth, card in enumerate(column):
                if self._goes_home(card):
                    above += len(column) - depth - 1
        return above if self.free_cells() or self.empty_cascades() else 2 * above

    def _well_placed(self) -> int:
        """Cards of the columns that are sorted throughout."""
        return sum(len(column) for column in self.cascades if is_run(column))

    def __str__(self) -> str:
        lines = [f"foundations {self.foundations}", f"cells {[card_name(c) for c in self.cells]}"]
        return "\n".join([*lines, *(" ".join(map(card_name, c)) or ":" for c in self.cascades)])


def fits(card: int, beneath: int) -> bool:
    """Whether a card may lie on another in a cascade."""
    return rank_of(card) == rank_of(beneath) - 1 and is_red(card) != is_red(beneath)


def is_run(cards: list[int]) -> bool:
    """Whether each card fits on the one before it."""
    return all(fits(cards[i + 1], cards[i]) for i in range(len(cards) - 1))


def cards_in_run(column: list[int]) -> int:
    """How many of a column's last cards are a run."""
    count = min(1, len(column))
    while count < len(column) and fits(column[-count], column[-count - 1]):
        count += 1
    return count


def best_bottom_sum(columns: int) -> int:
    """The largest sum of ranks that so many deepest cards can have."""
    ranks = [rank for rank in range(13, 0, -1) for _ in range(4)]
    return sum(ranks[:columns])


def count_by_depth(board: FreeCellBoard, depth: int, safe: bool) -> list[int]:
    """How many distinct states are first reached at each depth from 0, breadth first.

    Args:
        board: the root.
        depth: the last depth counted.
        safe: force safe home moves, at the root and after every move.
    """
    root = Twin.from_board(board)
    if safe:
        root.safe_home_moves()
    return by_depth(root, lambda t: (t.after(move, safe) for move in t.moves()), depth, Twin.key)
