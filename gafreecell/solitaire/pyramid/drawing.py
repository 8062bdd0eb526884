"""Pyramid drawn step by step, as the verifier plays it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from deals.pyramid_deck import ROWS, pyramid_card_name
from deals.pyramid_position import PyramidBoard
from deals.signs import PYRAMID
from gafreecell.solitaire.pyramid.verifier import PLACES, Position
from gafreecell.solving.drawing import Drawing, Line, Pile, Shown

LEGEND = PYRAMID.legend


def positions(board: PyramidBoard, steps: Iterable[str]) -> Iterator[Drawing]:
    """Yield the position before each step, then the final position.

    Raises:
        IllegalStep: at a step that is illegal in its position.
    """
    position = Position(board)
    for step in steps:
        lines, table, places = drawn(position), piles(position), _places(position)
        position.play(step)
        taken = [card for card, place in places.items() if place != _places(position).get(card)]
        match step.split()[0].lower():
            case "draw":
                words = f"turn the {pyramid_card_name(taken[0])} of the stock onto the waste"
            case "recycle":
                taken, words = [], "turn the waste over: it is the stock again"
            case _:
                words = f"take {_taken(taken, places)}"
        yield Drawing(lines, step, words, frozenset(taken), table)
    yield Drawing(drawn(position), piles=piles(position))


def drawn(position: Position) -> list[Line]:
    """The pyramid, with a dot where a card is gone, and stock, waste and recycles below it.

    ``deals.pyramid_position`` writes and reads positions in this form.
    """
    lines: list[Line] = []
    for row in range(ROWS):
        line: list[str | Shown] = ["  " * (ROWS - 1 - row)]
        for place in range(row + 1):
            card = position.pyramid.get((row, place))
            line += [_shown(card) if card else " .", "  "]
        lines.append(line)
    return [
        *lines,
        _row("stock, top first", position.stock),
        _row("waste, top first", position.waste[::-1]),
        *[[f"recycles: {position.recycles}"]] * bool(position.recycles),
    ]


def piles(position: Position) -> list[Pile]:
    """The pyramid, with stock and waste beside its top on the left and the cards gone on the right.

    Rows overlap by half a card. The three piles stand in the corners that the pyramid leaves free.
    """
    stock, waste = tuple(position.stock[::-1]), tuple(position.waste)
    return _piles(stock, waste, tuple(position.removed), position.pyramid)


def empty_table() -> list[Pile]:
    """The piles of ``piles`` without a card."""
    return _piles((), (), (), {})


def as_text(places: Sequence[Sequence[str]]) -> str:
    """A position as ``deals`` reads it, from the cards of each pile of ``piles``."""
    stock, waste, _, *pyramid = ([one.strip("<>") for one in place] for place in places)
    cards = iter(place[0] if place else "." for place in pyramid)
    rows = [" ".join(next(cards) for _ in range(row + 1)) for row in range(ROWS)]
    return "\n".join(
        [
            *rows,
            f"stock, top first: {' '.join(stock[::-1])}",
            f"waste, top first: {' '.join(waste[::-1])}",
            "",
        ]
    )


def _piles(
    stock: tuple[int, ...],
    waste: tuple[int, ...],
    removed: tuple[int, ...],
    pyramid: Mapping[tuple[int, int], int],
) -> list[Pile]:
    return [
        # The top card of the stock can be played, so it is seen.
        Pile("stock", 0, 0, stock, max(0, len(stock) - 1), label="stock", known=True),
        Pile("waste", 1, 0, waste, label="waste"),
        Pile("removed", ROWS - 1, 0, removed, label="removed", home=True),
        *[
            Pile(
                f"row {row + 1}, place {place + 1}",
                (ROWS - 1 - row) / 2 + place,
                row / 2,
                (pyramid[row, place],) if (row, place) in pyramid else (),
                outlined=False,
            )
            for row, place in PLACES
        ],
    ]


def _shown(card: int) -> Shown:
    return Shown(card, pyramid_card_name(card))


def _row(label: str, cards: Sequence[int]) -> Line:
    row: list[str | Shown] = [f"{label}:", *([] if cards else [" empty"])]
    for card in cards:
        row += [" ", _shown(card)]
    return row


def _places(position: Position) -> dict[int, str]:
    """Where each card lies."""
    places = dict.fromkeys(position.pyramid.values(), "the pyramid")
    return (
        places
        | dict.fromkeys(position.stock, "the stock")
        | dict.fromkeys(position.waste, "the waste")
    )


def _taken(cards: Sequence[int], places: Mapping[int, str]) -> str:
    """One or two cards in words, and where they come from."""
    names = [f"the {pyramid_card_name(card)}" for card in cards]
    if len({places[card] for card in cards}) == 1:
        return f"{' and '.join(names)} from {places[cards[0]]}"
    pairs = zip(names, cards, strict=True)
    return " and ".join(f"{name} from {places[card]}" for name, card in pairs)
