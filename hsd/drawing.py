"""FreeCell drawn move by move, as the verifier plays it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deals.cards import SUITS, card_name
from deals.freecell_board import FreeCellBoard
from deals.signs import FREECELL
from gafreecell.solving.drawing import (
    Drawing,
    Line,
    Pile,
    columns,
    foundation_piles,
    foundations,
    foundations_line,
    in_words,
    shown,
    side_by_side,
)
from hsd.verifier import CELL_LETTERS, Position

LEGEND = FREECELL.legend
_WIDTH = 5
_GAP = 4
"""The least number of characters between the cells and the foundations."""


def positions(board: FreeCellBoard, moves: Iterable[str]) -> Iterator[Drawing]:
    """Yield the position before each move, then the final position.

    Raises:
        IllegalMove: at a move that is illegal in its position.
    """
    position = Position.from_board(board)
    for move in moves:
        lines, table = drawn(position), piles(position)
        before, onto = [*_cards_at(position, move[:1])], [*_cards_at(position, move[1:2])]
        position.play(move)
        # How many cards `26` takes is known only once it is played.
        taken = before[len(_cards_at(position, move[0])) :]
        yield Drawing(lines, move, _words(move, taken, onto), frozenset(taken), table)
    yield Drawing(drawn(position), piles=piles(position))


def drawn(position: Position) -> list[Line]:
    """Cells and foundations above the cascades, as on a screen; ``deals.drawn`` reads it."""
    cells = [shown(held) if held else "--" for held in position.cells]
    home = foundations(position.foundations)
    gap = " " * (_GAP + _WIDTH * max(0, len(position.cascades) - len(cells) - len(home)))
    numbers = [str(number) for number in range(1, len(position.cascades) + 1)]
    return [
        [*side_by_side(CELL_LETTERS[: len(cells)], _WIDTH), gap, " home"],
        [*side_by_side(cells, _WIDTH), gap, *side_by_side(home, _WIDTH)],
        "",
        side_by_side(numbers, _WIDTH),
        *columns([[*map(shown, cascade)] for cascade in position.cascades], _WIDTH),
    ]


def piles(position: Position) -> list[Pile]:
    """Cells and foundations in a row above the cascades, as on a screen."""
    return _piles(position.cells, position.foundations, position.cascades)


def empty_table(cells: int, cascades: int) -> list[Pile]:
    """The piles of ``piles`` without a card."""
    return _piles([None] * cells, [0] * len(SUITS), [[]] * cascades)


def as_text(places: Sequence[Sequence[str]], cells: int) -> str:
    """A board as ``deals`` reads it, from the cards of each pile of ``piles``."""
    held, home, cascades = places[:cells], places[cells : cells + len(SUITS)], places[cells + 4 :]
    return "\n".join(
        [
            foundations_line(home),
            f"Freecells ({cells}): " + " ".join("".join(cell) or "--" for cell in held),
            *(" ".join(cascade) or "--" for cascade in cascades),
            "",
        ]
    )


def _piles(
    cells: Sequence[int | None], home: Sequence[int], cascades: Sequence[Sequence[int]]
) -> list[Pile]:
    wide = max(len(cascades), len(cells) + len(home))
    letters = CELL_LETTERS[: len(cells)]
    left = (wide - len(cascades)) / 2
    return [
        *[
            Pile(f"cell {letter}", place, 0, (held,) if held else (), label=letter)
            for place, (letter, held) in enumerate(zip(letters, cells, strict=True))
        ],
        *foundation_piles(home, wide - len(home)),
        *[
            Pile(f"cascade {n}", left + n - 1, 1, tuple(cards), spread="down", label=str(n))
            for n, cards in enumerate(cascades, start=1)
        ],
    ]


def _cards_at(position: Position, place: str) -> list[int]:
    """The cards of a cascade or a cell; an empty list for home or an invalid place."""
    if place.isdigit() and 0 < int(place) <= len(position.cascades):
        return position.cascades[int(place) - 1]
    index = CELL_LETTERS.find(place) if place else -1
    held = position.cells[index] if 0 <= index < len(position.cells) else None
    return [held] if held else []


def _words(move: str, taken: list[int], onto: list[int]) -> str:
    """Describe a move in words.

    Args:
        move: in standard notation.
        taken: the cards that it took.
        onto: the cards that its target held before.
    """
    what = in_words(taken)
    source, target = (f"cascade {p}" if p.isdigit() else f"cell {p}" for p in move[:2])
    if move[1] == "h":
        return f"{what} from {source} home"
    if move[1].isdigit():
        there = f"onto the {card_name(onto[-1])} of {target}" if onto else f"to the empty {target}"
    else:
        there = f"to {target}"
    return f"{what} from {source} {there}"
