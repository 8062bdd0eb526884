"""Sliding tiles: bring the tiles of the 15-puzzle, or the 8-puzzle, into order, the gap last.

A board is a square array of whole numbers, 0 for the gap; a move is the number of the tile
that slides. The search is best-first: it expands the state with the least weighted sum of
features, and generates no state twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numba import njit

from gafreecell import BadInput, BaseGame, Feature, Parameter, Scales


@njit(cache=True, nogil=True)
def score(state: int, side: int, moves: int, weights: np.ndarray) -> float:
    """The weighted sum of a state's features, in the order of ``Tiles.features``.

    Args:
        state: four bits for each field; the first field has the lowest ones.
        side: fields along each side.
        moves: how many moves led to the state.
        weights: float64, one for each feature.
    """
    distance = conflicts = misplaced = 0
    for place in range(side * side):
        tile = (state >> 4 * place) & 15
        if tile == 0:
            continue
        row, column = place // side, place % side
        home_row, home_column = (tile - 1) // side, (tile - 1) % side
        distance += abs(row - home_row) + abs(column - home_column)
        misplaced += tile != place + 1
        if row == home_row:
            for after in range(place + 1, (row + 1) * side):
                other = (state >> 4 * after) & 15
                conflicts += 0 < other < tile and (other - 1) // side == row
        if column == home_column:
            for after in range(place + side, side * side, side):
                other = (state >> 4 * after) & 15
                conflicts += 0 < other < tile and (other - 1) % side == column
    return float(
        weights[0] * distance + weights[1] * conflicts + weights[2] * misplaced + weights[3] * moves
    )


@njit(cache=True, nogil=True)
def best_first(board: np.ndarray, weights: np.ndarray, limit: int) -> tuple[bool, list[int], int]:
    """Search a board; returns whether it is solved, the tiles to slide, the states generated."""
    side = board.shape[0]
    state = goal = gap = 0
    for place, tile in enumerate(board.ravel()):
        state |= tile << 4 * place
        goal |= (place + 1) % (side * side) << 4 * place
        if tile == 0:
            gap = place
    states, gaps, parents, depths = [state], [gap], [-1], [0]
    seen, queue = {state}, [(0.0, 0)]
    while queue and states[-1] != goal and len(states) < limit:
        parent = heappop(queue)[1]
        gap = gaps[parent]
        for place in (gap - side, gap - 1, gap + 1, gap + side):
            inside = 0 <= place < side * side
            if not inside or (place // side != gap // side and place % side != gap % side):
                continue
            tile = (states[parent] >> 4 * place) & 15
            state = states[parent] ^ (tile << 4 * place) ^ (tile << 4 * gap)
            if state in seen or states[-1] == goal or len(states) >= limit:
                continue
            depth = depths[parent] + 1
            heappush(queue, (score(state, side, depth, weights), len(states)))
            seen.add(state)
            states.append(state)
            gaps.append(place)
            parents.append(parent)
            depths.append(depth)
    tiles = [0 for _ in range(0)]  # an empty list whose type numba can infer
    last = len(states) - 1
    while states[-1] == goal and parents[last] >= 0:
        tiles.append((states[last] >> 4 * gaps[parents[last]]) & 15)
        last = parents[last]
    return states[-1] == goal, tiles[::-1], len(states)


class Tiles(BaseGame):
    """The puzzle; the option ``columns`` sets the number of columns and of rows."""

    name = "tiles"
    title = "Sliding tiles"
    features = (
        Feature("distance", "steps between the tiles and their places, summed", baseline=1.0),
        Feature("conflicts", "pairs of tiles in their goal line that must pass each other"),
        Feature("misplaced", "tiles that are not in their place"),
        Feature("moves", "moves made so far"),
    )
    options = (Parameter("columns", 4, "columns, and as many rows", 3, 4),)
    searches = ("best-first",)
    scales = Scales(nodes=200, moves=300)

    def deal(self, number: int) -> np.ndarray:
        side = int(self.variant["columns"])
        tiles = 1 + np.random.default_rng(number).permutation(side * side - 1)
        inversions = sum(int((tiles[place:] < tile).sum()) for place, tile in enumerate(tiles))
        if inversions % 2:
            # Half of all orders cannot be solved; swapping two tiles makes them solvable.
            tiles[:2] = tiles[1::-1]
        return np.append(tiles, 0).reshape(side, side)

    def solve(
        self, deal: np.ndarray, weights: np.ndarray, nodes: int
    ) -> tuple[list[str] | None, int]:
        solved, tiles, count = best_first(deal, weights, nodes)
        return (list(map(str, tiles)) if solved else None), count

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[Any]:
        """Read boards as ``write_board`` writes them, with blank lines between them."""
        boards: list[Any] = []
        for block in re.split(r"\n\s*\n", text.strip()):
            tiles = np.array(re.findall(r"\d+", block), np.int64)
            side = int(self.variant["columns"])
            if sorted(tiles) == list(range(side * side)):
                boards.append(tiles.reshape(side, side))
                continue
            fault = f"board {len(boards) + 1}: expected 0 to {side * side - 1} once each"
            if faults is None:
                raise BadInput(f"{fault}, got {block!r:.60}")
            faults.append(fault)
            boards.append(None)
        return boards

    def verify(self, board: np.ndarray, moves: Sequence[str], goal: object = None) -> str:
        fields = {int(tile): divmod(place, len(board)) for place, tile in enumerate(board.flat)}
        for number, move in enumerate(moves, start=1):
            tile = int(move) if move.isdecimal() else 0
            if not tile or tile not in fields:
                return f"move {number}: there is no tile {move}"
            (row, column), (gap_row, gap_column) = fields[tile], fields[0]
            if abs(row - gap_row) + abs(column - gap_column) != 1:
                return f"move {number}: the tile {move} is not beside the gap"
            fields[tile], fields[0] = fields[0], fields[tile]
        order = sorted(fields, key=fields.__getitem__)
        return "" if order == [*range(1, len(order)), 0] else "the tiles are not in order"

    def legal_moves(self, board: np.ndarray) -> list[str]:
        """The tiles beside the gap; ``gafreecell hint`` needs this method and ``after``."""
        row, column = map(int, np.argwhere(board == 0)[0])
        around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        return [str(board[r, c]) for r, c in around if 0 <= min(r, c) <= max(r, c) < len(board)]

    def after(self, board: np.ndarray, move: str) -> np.ndarray:
        """The board after a tile slid into the gap."""
        if move not in self.legal_moves(board):
            raise ValueError(f"the tile {move} is not beside the gap")
        return np.select([board == 0, board == int(move)], [int(move), 0], board)
