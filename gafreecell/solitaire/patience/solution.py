"""Writes a search's moves as the tokens of ``moves``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from deals.cards import card_name
from gafreecell.solitaire.patience.kernels.solution import COLUMNS, write_steps
from gafreecell.solitaire.patience.kernels.state import (
    DEAL,
    DRAW,
    FROM_CELL,
    FROM_PILE,
    FROM_RESERVE,
    FROM_TALON,
    TO_CELL,
    TO_HOME,
    new_state,
    unpack,
)
from gafreecell.solitaire.patience.moves import CELLS, HOME, REDEAL, RESERVE, WASTE
from gafreecell.solitaire.patience.moves import DEAL as DEALS
from gafreecell.solitaire.patience.moves import DRAW as DRAWS
from gafreecell.solitaire.patience.position import Position
from gafreecell.solitaire.patience.rules import ANY, CARD
from gafreecell.solitaire.patience.search import code_of, row_of

ROOM = 2_048
"""Steps for which there is room at first."""


def tokens(position: Position, moves: np.ndarray) -> tuple[str, ...]:
    """A solution as a player makes it, draws included.

    Args:
        position: the first.
        moves: int64, the moves of a search.
    """
    return tuple(_written(position, moves))


def _written(position: Position, moves: np.ndarray) -> Iterator[str]:
    rules = position.rules
    cells, reserve = [*position.cells], [*position.reserve]
    for source, target, place, to, number, order, spaces in _steps(position, moves):
        if source == DRAW:
            yield REDEAL if to else DRAWS
            continue
        if source == DEAL:
            yield DEALS
            continue
        card = position.at(order >> 2, order & 3)
        if source == FROM_PILE:
            begins = str(place + 1)
        elif source == FROM_CELL:
            index = cells.index(card)
            cells[index], begins = 0, CELLS[index]
        elif source == FROM_RESERVE and rules.reserve.stacked:
            begins = RESERVE
        elif source == FROM_RESERVE:
            index = reserve.index(card)
            reserve[index], begins = 0, f"{RESERVE}{index + 1}"
        elif source == FROM_TALON:
            begins = WASTE
        else:
            begins = card_name(card)
        if target == TO_HOME:
            yield f"{begins}-{HOME}"
        elif target == TO_CELL:
            # Several cards are a run in suit, of which the top one goes first.
            for one in range(order - 4 * (number - 1), order + 1, 4):
                index = cells.index(0)
                cells[index] = position.at(one >> 2, one & 3)
                yield f"{begins}-{CELLS[index]}"
        elif number > 1 and rules.piles.move == CARD:
            empty = [pile for pile in range(rules.piles.count) if spaces >> pile & 1]
            helpful = [pile for pile in empty if pile != to] if rules.piles.space == ANY else []
            free = [name for name, held in zip(CELLS, cells, strict=False) if not held]
            yield from _one_by_one(place, to, number, free, helpful)
        else:
            yield f"{begins}-{to + 1}" + (f"v{number}" if number > 1 else "")


def _one_by_one(
    place: int, to: int, number: int, free: Sequence[str], spaces: Sequence[int]
) -> Iterator[str]:
    """Move cards from pile to pile through free cells and empty piles."""
    through = number - 1
    if through > len(free):
        *others, space = spaces
        half = min(through, (len(free) + 1) << len(others))
        yield from _one_by_one(place, space, half, free, others)
        yield from _one_by_one(place, to, number - half, free, others)
        yield from _one_by_one(space, to, half, free, others)
        return
    yield from (f"{place + 1}-{cell}" for cell in free[:through])
    yield f"{place + 1}-{to + 1}"
    yield from (f"{cell}-{to + 1}" for cell in free[:through][::-1])


def _steps(position: Position, moves: np.ndarray, room: int = ROOM) -> list[list[int]]:
    code, state = code_of(position.rules), new_state()
    unpack(code, state, row_of(position))
    steps = np.zeros((room, COLUMNS), np.int64)
    number = int(write_steps(code, state, moves, steps))
    return steps[:number].tolist() if number <= room else _steps(position, moves, number)
