"""Lists and makes the legal moves of FreeCell in plain Python.

The module follows the rules of the verifier and shares nothing with the solver.
"""

from __future__ import annotations

from collections.abc import Iterator

from deals import FreeCellBoard
from gafreecell.solving.legal_moves import first_empty, legal_among
from hsd.verifier import CELL_LETTERS, Position


def legal_moves(board: FreeCellBoard) -> list[str]:
    """Every legal move in standard notation: moves home first, then by source, cells last.

    The first empty cell stands for all empty cells, and the first empty cascade for all empty
    cascades. Each possible length of a run to the empty cascade is a separate move.
    """
    found = legal_among(_tokens(board), lambda: Position.from_board(board))
    return [token.removesuffix("v1") for token in found]


def listed(board: FreeCellBoard, move: str) -> str:
    """The move in ``legal_moves`` that is equivalent to a given legal move.

    The two differ only if the given move goes to an empty cell or cascade other than the first,
    omits its count or writes it differently.
    """
    source, target = move[0], move[1]
    if target in CELL_LETTERS:
        return source + _first_cell(board)
    if target == "h":
        return move
    if not board.cascades[int(target) - 1]:
        target = first_empty(board.cascades)
    if source in CELL_LETTERS:
        return source + target
    height = len(board.cascades[int(source) - 1])
    count = height - len(after(board, move).cascades[int(source) - 1])
    return f"{source}{target}v{count:x}".removesuffix("v1")


def after(board: FreeCellBoard, move: str) -> FreeCellBoard:
    """The board after a move.

    Raises:
        IllegalMove: if the token is malformed or the move is illegal here.
    """
    position = Position.from_board(board)
    position.play(move)
    clubs, diamonds, hearts, spades = position.foundations
    held = {place: card for place, card in enumerate(position.cells) if card is not None}
    return FreeCellBoard(
        tuple(map(tuple, position.cascades)),
        tuple(held.values()),
        (clubs, diamonds, hearts, spades),
        board.cell_count,
        places=tuple(held),
    )


def _tokens(board: FreeCellBoard) -> Iterator[str]:
    """Candidates for legal moves; counts are written even for one card."""
    columns = {str(number): cards for number, cards in enumerate(board.cascades, start=1)}
    empty = first_empty(board.cascades)
    goals = [name for name, cards in columns.items() if cards or name == empty]
    cell = _first_cell(board)
    cells = [
        letter
        for letter, card in zip(CELL_LETTERS, board.cell_row, strict=False)
        if card is not None
    ]
    yield from (source + "h" for source in [*columns, *cells])
    for source, cards in columns.items():
        for goal in goals:
            if goal != source:
                yield from (f"{source}{goal}v{n:x}" for n in range(1, min(13, len(cards)) + 1))
        if cell:
            yield source + cell
    for source in cells:
        yield from (source + goal for goal in goals)


def _first_cell(board: FreeCellBoard) -> str:
    """The letter of the first empty cell; empty if there is none."""
    row = board.cell_row
    return CELL_LETTERS[row.index(None)] if None in row else ""
