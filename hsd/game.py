"""FreeCell as a game of the framework (see ``solitaire.game.Game``)."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, ClassVar

from deals import UNSOLVABLE, FreeCellBoard, freecell, named, parse_range, read_freecell_boards
from deals.freecell_board import LAYOUTS, MAX_CASCADES, MAX_CELLS, MIN_CASCADES, MIN_CELLS
from deals.microsoft import LARGEST_DEAL
from deals.numbers import recognised
from deals.sets import NAMES
from gafreecell.solving.drawing import Drawing, Pile
from gafreecell.solving.features import Scales
from gafreecell.solving.games import SearchedGame
from gafreecell.solving.loading import Part, loading
from gafreecell.solving.notations import Interpretation
from gafreecell.solving.outcome import Outcome
from gafreecell.solving.parameters import NO_GOAL, Parameter, ParameterError, Value
from gafreecell.solving.rating import Rating
from gafreecell.solving.solutions import bare, read_moves, without_remarks
from hsd import fc_solve, rating
from hsd.drawing import LEGEND, as_text, empty_table, positions
from hsd.engine import EARLIER, ENGINE
from hsd.interpreting import NOTATIONS, code_of, interpret, with_counts
from hsd.kernels.features import FEATURES, NINE
from hsd.legal_moves import after, legal_moves, listed
from hsd.scoring import feature_values
from hsd.solver import SOLVER
from hsd.verifier import Verdict, verify

_VERIFIER = Part("FreeCell's verifier", 2.0)
_FEATURES = Part("FreeCell's features", 4.0)


class FreeCell(SearchedGame):
    """FreeCell with a given number of cascades and cells.

    Options that the caller set (``given``) also apply to boards read from text. Such a board
    determines the other options itself.

    Attributes:
        layout: how the lines of a board are read, as ``rows`` or as ``columns``; None to read
            them as columns unless the text is ambiguous.
    """

    name = "freecell"
    solver = SOLVER
    engine = ENGINE
    earlier_engines = tuple(EARLIER)
    features = FEATURES
    default_features = tuple(feature.name for feature in NINE)
    comparison_presets = ("hsdh-same-search", "heineman-2009", "ga-freecell-2011", "well-placed")
    adviser = ("short", {})
    length_meanings: ClassVar[Mapping[str, str]] = {
        "single": "cards moved one at a time",
        "column": "moves as printed, a run of cards in one",
        "manual": "those of them that bring no card home",
        "bound": "no solution has fewer moves, in the unit named first",
    }
    options = (
        Parameter("cascades", 8, "cascades of the tableau", MIN_CASCADES, MAX_CASCADES),
        Parameter("cells", 4, "free cells", MIN_CELLS, MAX_CELLS),
    )
    scales = Scales(nodes=300, moves=200)
    largest = LARGEST_DEAL
    sets = NAMES
    how_to_play = (
        "All cards are open: bring them to the foundations, up in suit from the ace. Build the "
        "cascades down in alternating colours. Any card goes to an empty cascade, and each free "
        "cell holds any one card. Several cards move at once if the free cells and the empty "
        "cascades have room for them on the way."
    )
    training, validation, held_out = "ms32k-train", "ms32k-validation", "ms-progress"
    layout: str | None = None

    @property
    def cascades(self) -> int:
        """Columns of the tableau."""
        return int(self.variant["cascades"])

    @property
    def cells(self) -> int:
        """Free cells."""
        return int(self.variant["cells"])

    def laid_out(self, layout: str) -> FreeCell:
        """The same game, whose boards are read as ``rows`` or as ``columns``."""
        if layout not in LAYOUTS:
            raise ParameterError(f"boards are laid out in {' or '.join(LAYOUTS)}, got {layout!r}")
        other = copy.copy(self)
        other.layout = layout
        return other

    def variant_of(self, board: FreeCellBoard) -> Mapping[str, Value]:
        """The numbers of cascades and cells that a board has."""
        return {"cascades": len(board.cascades), "cells": board.cell_count}

    def deal_set(self, name: str) -> Sequence[int]:
        numbers = parse_range(name)
        return numbers if numbers is not None else named(name)

    def unsolvable(self) -> frozenset[int]:
        return UNSOLVABLE if self._is_usual else frozenset()

    def deal(self, number: int) -> FreeCellBoard:
        return freecell(number, self.cascades, self.cells)

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[FreeCellBoard | None]:
        cells = self.cells if "cells" in self.given else None
        cascades = self.cascades if "cascades" in self.given else None
        return read_freecell_boards(text, cells, cascades, self.layout, faults)

    def feature_values(self, board: FreeCellBoard) -> Mapping[str, float]:
        with loading(_FEATURES):
            return feature_values(board)

    def recognised(self, board: FreeCellBoard) -> int:
        return recognised(board)

    def read_moves(self, text: str) -> list[str]:
        """The moves in a text, which other programs may have written.

        Raises:
            ValueError: if it has none, or if a word is no move.
        """
        output = without_remarks(bare(text, NOTATIONS))
        if fc_solve.is_output(output):
            return fc_solve.read_moves(output)
        return code_of(output) or read_moves(text, NOTATIONS)

    def interpret(self, board: FreeCellBoard, moves: Sequence[str]) -> Interpretation:
        return interpret(board, moves)

    @property
    def legend(self) -> Sequence[str]:
        return LEGEND

    def positions(self, board: FreeCellBoard, moves: Sequence[str]) -> Iterator[Drawing]:
        return positions(board, moves)

    def empty_table(self) -> Sequence[Pile]:
        return empty_table(self.cells, self.cascades)

    def text_of_table(self, places: Sequence[Sequence[str]]) -> str:
        return as_text(places, self.cells)

    def why_unsolvable(
        self, board: FreeCellBoard, outcome: Outcome, goal: Mapping[str, Value] = NO_GOAL
    ) -> Sequence[str]:
        forced = goal.get("automatic", "safe") == "safe"
        return (
            f"every position that can be reached was searched, with {outcome.nodes.generated:,} "
            "states generated (those that differ only in the order of cascades or cells count once"
            + (", and home moves that can do no harm are made at once)" if forced else ")"),
        )

    def legal_moves(self, board: FreeCellBoard) -> list[str]:
        return legal_moves(board)

    def listed(self, board: FreeCellBoard, move: str) -> str:
        return listed(board, move)

    def after(self, board: FreeCellBoard, move: str) -> FreeCellBoard:
        return after(board, move)

    def verify(self, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL) -> str:
        return _replayed(board, moves).reason

    def lengths_of(self, board: FreeCellBoard, moves: Sequence[str]) -> Mapping[str, int]:
        """The lengths of a solution by unit, as its replay counts them."""
        replay = _replayed(board, moves)
        return {"single": replay.single, "column": replay.column, "manual": replay.manual}

    def verify_many(
        self,
        boards: Sequence[Any],
        solutions: Sequence[Sequence[str]],
        goal: Mapping[str, Value] = NO_GOAL,
    ) -> list[str]:
        """``verify`` for many solutions.

        The jitted verifier replays those of deal numbers; the plain one replays the others and
        those that the first does not accept.
        """
        from hsd.kernels.verifier import which_solve

        # A derived game may have its own rules.
        own = type(self).verify is FreeCell.verify
        deals = [i for i, board in enumerate(boards) if own and isinstance(board, int)]
        numbers, moves = [boards[i] for i in deals], [solutions[i] for i in deals]
        with loading(_VERIFIER):
            found = which_solve(numbers, moves, self.cascades, self.cells)
        solved = set(compress(deals, found))
        return [
            "" if i in solved else self.verify(self._board(board), solution)
            for i, (board, solution) in enumerate(zip(boards, solutions, strict=True))
        ]

    def _board(self, board: FreeCellBoard | int) -> FreeCellBoard:
        return self.read_deal(board) if isinstance(board, int) else board

    def check_rating(self, deal: Any) -> None:
        rating.check(deal, self.variant)

    def rate(self, deal: Any) -> Rating:
        return rating.rate(deal)

    def describe_rating(self, found: Rating) -> str:
        return rating.describe(found.measures)


def _replayed(board: FreeCellBoard, moves: Sequence[str]) -> Verdict:
    """The verdict on moves. Other programs omit the counts of runs: `26` means the run that fits.

    If the moves solve the board neither way, it is the verdict on them as they are written.
    """
    strict = verify(board, moves)
    if strict.solved:
        return strict
    counted = verify(board, with_counts(board, moves))
    return counted if counted.solved else strict


GAME = FreeCell()
