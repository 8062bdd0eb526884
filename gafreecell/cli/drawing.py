"""Draws solutions: each position and the move to make, in colours if a terminal shows them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from deals.cards import is_red
from gafreecell.solitaire.abilities import Draws
from gafreecell.solving.drawing import Drawing, Shown

RED, DIM, MOVED = "31", "2", "7"
"""Parameters of the terminal's sequence that sets colours: ECMA-48, Select Graphic Rendition."""


def is_terminal(path: str | None) -> bool:
    """Whether output is seen in a terminal.

    Args:
        path: of the output file; None or ``-`` for standard output.
    """
    return path in (None, "-") and sys.stdout.isatty()


def shows_colours(path: str | None) -> bool:
    """Whether output goes to a terminal with colours that are not turned off (no-color.org)."""
    silenced = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return is_terminal(path) and not silenced


def drawn(game: Draws, board: Any, moves: Sequence[str], colours: bool) -> Iterator[str]:
    """The lines of a solution, position by position.

    Args:
        game: draws its positions.
        board: the position to start from.
        moves: the solution.
        colours: whether to colour the cards.
    """
    wide = len(str(len(moves))), max(map(len, moves), default=0)
    for number, drawing in enumerate(game.positions(board, moves), start=1):
        yield from lines_of(drawing, colours)
        yield ""
        if drawing.move:
            yield f"{number:{wide[0]}}. {drawing.move:{wide[1]}}   {drawing.words}".rstrip()
            yield ""


def lines_of(drawing: Drawing, colours: bool) -> Iterator[str]:
    """The lines of a position, with or without colours."""
    if not colours:
        yield from str(drawing).splitlines()
        return
    for line in drawing.lines:
        yield "".join(_coloured(part, drawing.cards) for part in line).rstrip()


def _coloured(part: str | Shown, moved: frozenset[int]) -> str:
    """A card in the colour of its suit, dim if it lies face down, marked if it moves."""
    if isinstance(part, str):
        return part
    codes = [RED] if part.card and is_red(part.card) else []
    codes += [DIM] if part.face_down else []
    codes += [MOVED] if part.card in moved else []
    return f"\033[{';'.join(codes)}m{part}\033[0m" if codes else str(part)
