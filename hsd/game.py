"""FreeCell as a game of the framework (see ``gafreecell.game.Game``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from deals import UNSOLVABLE, DealError, FreeCellBoard, freecell, named, parse_range
from deals.freecell import MAX_CASCADES, MAX_CELLS, MIN_CASCADES, MIN_CELLS
from hsd.heuristics import FEATURES, NINE
from hsd.presets import DEFAULT
from hsd.presets import NAMES as PRESETS
from hsd.solver import SOLVER
from hsd.verifier import verify, with_counts
from solving.games import SearchedGame
from solving.parameters import NO_GOAL, ParameterError, Value

ENGINE = "1"
"""Raised whenever a search returns other counts or moves than before."""


_OPTIONS = {"cascades": (MIN_CASCADES, MAX_CASCADES), "cells": (MIN_CELLS, MAX_CELLS)}


@dataclass(frozen=True)
class FreeCell(SearchedGame):
    """FreeCell with so many cascades and cells."""

    cascades: int = 8
    cells: int = 4
    chosen: frozenset[str] = field(default=frozenset(), compare=False)
    """Options that were asked for; boards read from text tell the others themselves."""
    name = "freecell"
    title = "FreeCell"
    solver = SOLVER
    engine = ENGINE
    features = FEATURES
    default_features = tuple(feature.name for feature in NINE)
    searches = tuple(SOLVER.searches)
    unguided = tuple(name for name, search in SOLVER.searches.items() if not search.guided)
    presets = PRESETS
    default_preset = DEFAULT
    comparison_presets = ("hsdh", "hsdh-same-search", "ga-freecell-2011")
    draws = False

    @property
    def variant(self) -> Mapping[str, int]:
        return {"cascades": self.cascades, "cells": self.cells}

    def vary(self, **options: int) -> FreeCell:
        unknown = set(options) - set(self.variant)
        if unknown:
            raise ParameterError(
                f"FreeCell has no option {', '.join(sorted(unknown))}; it has cascades, cells"
            )
        for name, value in options.items():
            low, high = _OPTIONS[name]
            if type(value) is not int or not low <= value <= high:
                raise ParameterError(f"{name} must be {low} to {high}, got {value!r}")
        return replace(self, chosen=self.chosen | set(options), **options)

    def deal_set(self, name: str) -> Sequence[int]:
        numbers = parse_range(name)
        return numbers if numbers is not None else named(name)

    def unsolvable(self) -> frozenset[int]:
        return UNSOLVABLE if self.variant == FreeCell().variant else frozenset()

    def read_deal(self, number: int) -> FreeCellBoard:
        return freecell(number, self.cascades, self.cells)

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[FreeCellBoard | None]:
        cells = self.cells if "cells" in self.chosen else None
        cascades = self.cascades if "cascades" in self.chosen else None
        blocks = _blocks(text)
        boards: list[FreeCellBoard | None] = []
        for first, block in blocks:
            try:
                # Blank lines ahead keep the line numbers of messages those of the whole text.
                padded = "\n" * (first - 1) + block
                boards.append(FreeCellBoard.from_text(padded, cells, cascades))
            except DealError as error:
                which = f"board {len(boards) + 1}, " if len(blocks) > 1 else ""
                if faults is None:
                    raise DealError(f"{which}{error}") from None
                faults.append(f"{which}{error}")
                boards.append(None)
        return boards

    def write_board(self, board: Any, mark_reachable: bool = False) -> str:
        if mark_reachable:
            raise ParameterError("FreeCell has no talon: all its cards can be seen")
        return str(board)

    def verify(self, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL) -> str:
        strict = verify(board, moves)
        if strict.solved:
            return ""
        # Other programs leave out the counts of runs: `26` is then the run that fits.
        return "" if verify(board, with_counts(board, moves)).solved else strict.reason


def _blocks(text: str) -> list[tuple[int, str]]:
    """The parts of a text between blank lines, each with the number of its first line."""
    blocks: list[tuple[int, list[str]]] = []
    open_block = False
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            open_block = False
            continue
        if not open_block:
            blocks.append((number, []))
            open_block = True
        blocks[-1][1].append(line)
    return [(first, "\n".join(lines)) for first, lines in blocks]


GAME = FreeCell()
