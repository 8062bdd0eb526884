"""Lists and makes the legal moves of Klondike in plain Python.

The rules are those of the verifier. Nothing is shared with the solvers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deals import KlondikeBoard
from deals.cards import SUITS
from gafreecell.solitaire.klondike.verifier import Position
from gafreecell.solving.legal_moves import first_empty, legal_among


def legal_moves(board: KlondikeBoard) -> list[str]:
    """Every legal move: moves home first, then by source (waste, piles, foundations), draws last.

    Moves of parts of piles and from foundations are included. Of several empty piles only the
    first one is a target, as they are equivalent.
    """
    return legal_among(_tokens(board), lambda: Position.from_board(board))


def listed(board: KlondikeBoard, move: str) -> str:
    """The equivalent move of ``legal_moves``, where a king goes to the first empty pile."""
    move = move.removesuffix("v1")
    target = move[1:2]
    if not target.isdigit() or board.piles[int(target) - 1]:
        return move
    return move[0] + first_empty(board.piles) + move[2:]


def after(board: KlondikeBoard, move: str) -> KlondikeBoard:
    """The board after a move.

    Raises:
        IllegalMove: if the token is not a move, or the move is not legal here.
        DealError: if the move turns up an unknown card.
    """
    position = Position.from_board(board)
    position.play(move)
    return replace(position.board, name=board.name)


def _tokens(board: KlondikeBoard) -> Iterator[str]:
    """Candidates for legal moves."""
    piles = {str(number): pile for number, pile in enumerate(board.piles, start=1)}
    empty = first_empty(board.piles)
    goals = [name for name, pile in piles.items() if pile or name == empty]
    yield from (source + "h" for source in ("w", *piles))
    yield from ("w" + goal for goal in goals)
    for source, pile in piles.items():
        face_up = len(pile) - board.face_down[int(source) - 1]
        for count in range(1, face_up + 1):
            run = f"v{count:x}" if count > 1 else ""
            yield from (source + goal + run for goal in goals if goal != source)
    yield from (suit + goal for suit in SUITS for goal in goals)
    yield from ("draw", "redeal")
