"""Klondike drawn move by move, as the verifier plays it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deals.cards import SUITS, card, card_name
from deals.klondike_board import KlondikeBoard, reachable
from deals.klondike_rules import rules_text
from deals.signs import KLONDIKE
from deals.words import plural
from gafreecell.solitaire.klondike.cards import PILES
from gafreecell.solitaire.klondike.verifier import Position
from gafreecell.solving.drawing import (
    Drawing,
    Line,
    Pile,
    Row,
    Shown,
    columns,
    counted,
    foundation_piles,
    foundations,
    foundations_line,
    in_words,
    name,
    shown,
    side_by_side,
)

LEGEND = KLONDIKE.legend
_WIDTH = 6
_NOTE = (
    "All cards of waste and stock in the order of draws (K+). A raised card can be reached "
    "next, after draws and redeals if need be."
)
_UNSEEN_NOTE = (
    "All cards of waste and stock in the order of draws. A raised card can be reached next; until "
    "the stock has been seen, that is only the top card of the waste."
)
_PILES = [str(number) for number in range(1, PILES + 1)]


def positions(board: KlondikeBoard, moves: Iterable[str]) -> Iterator[Drawing]:
    """Yield the position before each move, then the last one.

    Raises:
        IllegalMove: at a move that the position does not allow.
    """
    position = Position.from_board(board)
    note = _UNSEEN_NOTE if position.unseen else _NOTE
    for move in moves:
        lines, table, state = drawn(position), piles(position), _state(position)
        talon = row(position, note)
        before, onto = [*_cards_at(position, move[:1])], [*_cards_at(position, move[1:2])]
        hidden, turned = sum(position.face_down), len(position.waste)
        position.play(move)
        if move == "draw":
            taken = position.waste[turned:]
            names = " ".join(map(name, taken))
            words = f"turn {counted(taken)} of the stock onto the waste: {names}"
        elif move == "redeal":
            taken, words = [], "turn the waste over: it is the stock again"
        else:
            taken = before[len(_cards_at(position, move[0])) :]
            words = _words(move, taken, onto)
            if sum(position.face_down) < hidden:
                up = _cards_at(position, move[0])[-1]
                words += f", and turn {f'the {card_name(up)}' if up else 'a card'} up"
        yield Drawing(lines, move, words, frozenset(taken), table, state, talon)
    yield Drawing(
        drawn(position), piles=piles(position), state=_state(position), row=row(position, note)
    )


def drawn(position: Position) -> list[Line]:
    """Foundations, waste and stock above the piles, as ``deals.klondike_board`` can read them back.

    Above them are the rules, unless they are the usual ones, with the redeals that are left.
    """
    rules = rules_text(position.draw, position.redeals)
    home = foundations(position.foundations)
    piles = [
        [shown(card, face_down=index < down) for index, card in enumerate(pile)]
        for pile, down in zip(position.piles, position.face_down, strict=True)
    ]
    return [
        *([f"rules: {rules}"] if rules else []),
        _row("home", home),
        _row("waste", [shown(card) for card in position.waste]),
        _row("stock", [Shown(card, name(card), True) for card in position.stock]),
        "",
        side_by_side(_PILES, _WIDTH),
        *columns(piles, _WIDTH),
    ]


def piles(position: Position) -> list[Pile]:
    """Stock, waste and foundations in a row above the piles, as on a screen."""
    stock = tuple(position.stock[::-1])
    columns = zip(position.piles, position.face_down, strict=True)
    return [
        Pile("stock", 0, 0, stock, len(stock), label="stock", known=not position.unseen),
        Pile("waste", 1, 0, tuple(position.waste), spread="right", label="w"),
        *foundation_piles(position.foundations, PILES - len(SUITS)),
        *[
            Pile(f"pile {n}", n - 1, 1, tuple(cards), down, "down", str(n))
            for n, (cards, down) in enumerate(columns, start=1)
        ],
    ]


def row(position: Position, note: str = _NOTE) -> Row:
    """The talon as one list, as in Figure 3 of Bjarnason, Tadepalli and Fern (2007).

    The cards that actions of K+ can take are marked.
    """
    turned, stock = len(position.waste), tuple(position.stock)
    if position.unseen and stock:
        marked = (turned - 1,) * bool(turned)
    else:
        marked = reachable(turned, turned + len(stock), position.draw, position.redeals)
    hidden = len(stock) if position.unseen else 0
    return Row(
        (Pile("waste", 0, 0, tuple(position.waste)), Pile("stock", 1, 0, stock, hidden)),
        marked,
        note,
    )


def _state(position: Position) -> str:
    """The redeals that are left, if they are limited."""
    left = position.redeals
    return "" if left is None else f"{plural(left, 'redeal') if left else 'no redeals'} left"


def empty_table() -> list[Pile]:
    """The piles of ``piles`` without a card."""
    return piles(Position([[] for _ in range(PILES)], [0] * PILES, [], [], [0] * len(SUITS)))


def as_text(places: Sequence[Sequence[str]]) -> str:
    """A position as ``deals`` reads it, from the cards of each pile of ``piles``."""
    stock, waste, *rest = places
    return "\n".join(
        [
            foundations_line(rest[: len(SUITS)]),
            f"Waste: {' '.join(waste)}",
            f"Stock: {' '.join(reversed(stock))}",
            *(" ".join(pile) or ":" for pile in rest[len(SUITS) :]),
            "",
        ]
    )


def _row(label: str, cards: Sequence[str | Shown]) -> Line:
    """Cards after the name of their place."""
    separated: list[str | Shown] = [f"{label:>5}:"]
    for one in cards:
        separated += [" ", one]
    return separated


def _cards_at(position: Position, place: str) -> list[int]:
    """The cards of the waste, of a pile or of a foundation by its suit."""
    if place == "w":
        return position.waste
    if place and place in SUITS:
        suit = SUITS.index(place)
        return [card(rank, suit) for rank in range(1, position.foundations[suit] + 1)]
    return position.piles[int(place) - 1] if place in _PILES else []


def _words(move: str, taken: list[int], onto: list[int]) -> str:
    """Describe a move of the cards ``taken`` to a place that held the cards ``onto``."""
    places = {"w": "the waste"} | dict.fromkeys(SUITS, "its foundation")
    source, target = (places.get(place, f"pile {place}") for place in move[:2])
    if move[1] == "h":
        return f"{in_words(taken)} from {source} home"
    there = f"onto the {card_name(onto[-1])} of {target}" if onto else f"to the empty {target}"
    return f"{in_words(taken)} from {source} {there}"
