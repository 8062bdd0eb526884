"""Positions of any game drawn move by move, as the plain player plays them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deals.cards import SUITS
from deals.words import plural
from gafreecell.solitaire.patience import moves as player
from gafreecell.solitaire.patience.position import Position
from gafreecell.solitaire.patience.rules import TO_WASTE
from gafreecell.solving.drawing import (
    Drawing,
    Line,
    Pile,
    Shown,
    columns,
    counted,
    foundation_piles,
    in_words,
    name,
    shown,
    side_by_side,
)

LEGEND = (
    "A move 3-5 takes the top card of pile 3 to pile 5, and 3-5v4 the top four cards. a, b, ...",
    "are cells, h is home (a foundation or the hole), w the waste, r the reserve (r2 its second",
    "card). QS-3 takes a card back from its foundation. draw turns cards to the waste, redeal",
    "turns the waste over, deal deals from the stock. <KD> lies face down.",
)
_WIDTH, _WIDEST = 6, 12
"""Columns of text a pile; piles in a row of a page."""


def positions(board: Position, moves: Iterable[str]) -> Iterator[Drawing]:
    """Yield the position before each move, then the last one.

    Raises:
        IllegalMove: at a move that the position does not allow.
    """
    position = board
    for move in moves:
        cards = player.taken(position, move)
        after = player.after(position, move)
        words = _words(position, move, cards)
        turned = sum(position.down) > sum(after.down)
        words += ", and turn a card up" if turned else ""
        yield Drawing(
            drawn(position), move, words, frozenset(cards), piles(position), _state(position)
        )
        position = after
    yield Drawing(drawn(position), piles=piles(position), state=_state(position))


def drawn(position: Position) -> list[Line]:
    """The places above the piles, each in a line, and the piles as columns."""
    home = [shown(card) if card else f"-{SUITS[i % 4]}" for i, card in enumerate(position.tops)]
    rows: dict[str, list[str | Shown]] = {
        "home": [] if position.hole else home,
        "hole": [shown(position.hole)] if position.hole else [],
        "cells": [shown(card) if card else "-" for card in position.cells],
        "reserve": [shown(card) if card else "-" for card in position.reserve],
        "waste": [shown(card) for card in position.waste],
        "stock": [Shown(card, name(card), True) for card in position.stock],
    }
    cards = [
        [shown(card, face_down=depth < down) for depth, card in enumerate(pile)]
        for pile, down in zip(position.piles, position.down, strict=True)
    ]
    labelled = [_row(label, row) for label, row in rows.items() if row]
    numbers = [str(number) for number in range(1, len(cards) + 1)]
    return [*labelled, "", side_by_side(numbers, _WIDTH), *columns(cards, _WIDTH)]


def piles(position: Position) -> list[Pile]:
    """The places of a page: those above, then the piles, in two rows if there are many.

    None of a game with two decks, whose cards have no numbers of their own.
    """
    rules = position.rules
    if rules.decks > 1:
        return []
    above = _above(position)
    count = len(position.piles)
    wide = count if count <= _WIDEST else (count + 1) // 2
    return [
        *above,
        *(
            Pile(
                f"pile {number + 1}",
                number % wide,
                1 + 2 * (number // wide),
                cards,
                down,
                "down",
                str(number + 1),
            )
            for number, (cards, down) in enumerate(zip(position.piles, position.down, strict=True))
        ),
    ]


def _above(position: Position) -> list[Pile]:
    """Stock, waste, cells, reserve, and foundations or the hole, side by side."""
    rules, found = position.rules, list[Pile]()

    def add(name: str, cards: Iterable[int], label: str, spread: bool = False) -> None:
        right = "right" if spread else ""
        found.append(Pile(name, len(found), 0, tuple(cards), 0, right, label))  # type: ignore[arg-type]

    if rules.stock.count:
        stock = tuple(position.stock[::-1])
        found.append(Pile("stock", 0, 0, stock, len(stock), label="stock", known=True))
    if rules.stock.count and rules.stock.to == TO_WASTE:
        add("waste", position.waste, "w")
    for label, card in zip(player.CELLS, position.cells, strict=False):
        add(f"cell {label}", [card] * bool(card), label)
    if rules.reserve.stacked and rules.reserve.count:
        add("reserve", position.reserve, "r")
    else:
        for number, card in enumerate(position.reserve, start=1):
            add(f"reserve {number}", [card] * bool(card), f"r{number}")
    if rules.hole.base:
        hole = (position.hole,) * bool(position.hole)
        return [*found, Pile("hole", len(found), 0, hole, label="h", home=True)]
    homes = foundation_piles([0] * 4, len(found))
    for suit, home in enumerate(homes):
        cards = tuple(position.at(order, suit) for order in range(position.home[suit]))
        found.append(replace(home, cards=cards))
    return found


def _row(label: str, cards: Sequence[str | Shown]) -> Line:
    """Cards after the name of their place."""
    separated: list[str | Shown] = [f"{label:>7}:"]
    for one in cards:
        separated += [" ", one]
    return separated


def _state(position: Position) -> str:
    """The redeals that are left, if they are limited."""
    rules = position.rules
    if rules.stock.redeals <= 0:
        return ""
    left = position.redeals
    return f"{plural(left, 'redeal') if left else 'no redeals'} left"


def _words(position: Position, move: str, cards: Sequence[int]) -> str:
    """A move in words."""
    source, _, target = move.lower().partition("-")
    target = target.partition("v")[0]
    if move.lower() == player.REDEAL:
        return "turn the waste over: it is the stock again"
    if move.lower() == player.DRAW:
        names = " ".join(map(name, cards))
        return f"turn {counted(cards)} of the stock onto the waste: {names}"
    if move.lower() == player.DEAL:
        if position.hole:
            return f"deal the {name(cards[0])} to the hole"
        return f"deal {counted(cards)}, one to each pile"
    begin = f"{in_words(cards)} from {_place(source)}"
    if target == player.HOME:
        return f"{begin} {'to the hole' if position.hole else 'home'}"
    if target in player.CELLS:
        return f"{begin} to cell {target}"
    pile = position.piles[int(target) - 1]
    onto = f"onto the {name(pile[-1])} of pile {target}" if pile else f"to the empty pile {target}"
    return f"{begin} {onto}"


def _place(source: str) -> str:
    """A place in words."""
    if source.isdigit():
        return f"pile {source}"
    if source == player.WASTE:
        return "the waste"
    if source[0] == player.RESERVE:
        return "the reserve"
    return f"cell {source}" if source in player.CELLS else "its foundation"
