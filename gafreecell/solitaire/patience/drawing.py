"""Positions of any game drawn move by move, as the plain player plays them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile
from typing import Any

from deals.cards import SUITS
from deals.words import plural
from gafreecell.solitaire.patience import moves as player
from gafreecell.solitaire.patience.position import Position, settled
from gafreecell.solitaire.patience.rules import TO_WASTE
from gafreecell.solving.drawing import (
    COPY,
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

_WIDTH, _WIDEST = 6, 13
"""Columns of text a pile; piles in a row of a page."""


def positions(board: Position, moves: Iterable[str]) -> Iterator[Drawing]:
    """Yield the position before each move, then the last one.

    Raises:
        IllegalMove: at a move that the position does not allow.
    """
    position, table = board, _told_apart(piles(board))
    for move in moves:
        cards = player.taken(position, move)
        words = _words(position, move, cards)
        made = player.played(position, move)
        after = settled(made)
        words += ", and turn a card up" if sum(position.down) > sum(after.down) else ""
        # Cards of the stock are turned one by one, so they come to lie in the other order.
        now = _followed(table, piles(made), turned="-" not in move)
        moved = _moved(table, now) if cards else frozenset[int]()
        yield Drawing(drawn(table), move, words, moved, table, _state(position))
        position, table = after, now if after is made else _followed(now, piles(after), turned=True)
    yield Drawing(drawn(table), piles=table, state=_state(position))


def drawn(table: Iterable[Pile]) -> list[Line]:
    """The places above the piles, each in a line, and the piles as columns."""
    kinds = defaultdict[str, list[Pile]](list)
    for place in table:
        kinds[place.name.split()[0]].append(place)
    rows: dict[str, list[str | Shown]] = {
        "home": [_top(place) for place in kinds["foundation"]],
        "hole": [_top(place) for place in kinds["hole"]],
        "cells": [_top(place) for place in kinds["cell"]],
        "reserve": [
            part
            for place in kinds["reserve"]
            for part in (
                map(shown, place.cards) if place.label == player.RESERVE else [_top(place)]
            )
        ],
        "waste": [shown(card) for place in kinds["waste"] for card in place.cards],
        "stock": [
            Shown(card, name(card), True) for place in kinds["stock"] for card in place.cards[::-1]
        ],
    }
    cards = [
        [shown(card, face_down=depth < pile.face_down) for depth, card in enumerate(pile.cards)]
        for pile in kinds["pile"]
    ]
    labelled = [_row(label, row) for label, row in rows.items() if row]
    numbers = [pile.label for pile in kinds["pile"]]
    return [*labelled, "", side_by_side(numbers, _WIDTH), *columns(cards, _WIDTH)]


def _top(place: Pile) -> str | Shown:
    """The top card of a place; ``-`` if there is none, with the suit of a foundation."""
    if place.cards:
        return shown(place.cards[-1])
    return "-" if place.suit is None else f"-{SUITS[place.suit]}"


def piles(position: Position) -> list[Pile]:
    """The places of a page: those above, then the piles, in two rows if there are many."""
    above = _above(position)
    count = len(position.piles)
    wide = count if count <= _WIDEST else (count + 1) // 2
    first = above[-1].y + 1
    return [
        *above,
        *(
            Pile(
                f"pile {number + 1}",
                number % wide,
                first + 2 * (number // wide),
                cards,
                down,
                "down",
                str(number + 1),
            )
            for number, (cards, down) in enumerate(zip(position.piles, position.down, strict=True))
        ),
    ]


def _above(position: Position) -> list[Pile]:
    """Stock, waste, cells, reserve, and foundations or the hole, side by side.

    If they are too many for a row, the foundations are in one of their own.
    """
    rules, found = position.rules, list[dict[str, Any]]()

    def add(name: str, cards: Iterable[int], label: str, **more: Any) -> None:
        found.append({"name": name, "cards": tuple(cards), "label": label, **more})

    has_waste = rules.stock.count > 0 and rules.stock.to == TO_WASTE
    fans = has_waste and rules.stock.draw > 1
    if rules.stock.count:
        stock = position.stock[::-1]
        add("stock", stock, "stock", face_down=len(stock), known=True)
    if has_waste:
        add("waste", position.waste, "w", spread="right" if fans else "")
    for label, card in zip(player.CELLS, position.cells, strict=False):
        add(f"cell {label}", [card] * bool(card), label)
    if rules.reserve.stacked and rules.reserve.count:
        add("reserve", position.reserve, "r")
    else:
        for number, card in enumerate(position.reserve, start=1):
            add(f"reserve {number}", [card] * bool(card), f"r{number}")
    others = len(found)
    if rules.hole.base:
        add("hole", _in_hole(position), "h", home=True)
    else:
        for place, (name, count) in enumerate(zip(_homes(rules.decks), position.home, strict=True)):
            cards = [position.at(order, place % 4) for order in range(count)]
            add(name, cards, "h", suit=place % 4, home=True)
    # Three cards of a waste that is spread take the room of two.
    room = [at + (fans and at > 1) for at in range(len(found))]
    if room[-1] >= _WIDEST and others:
        first = _WIDEST * (room[others - 1] // _WIDEST + 1)
        room[others:] = range(first, first + len(found) - others)
    return [
        Pile(x=at % _WIDEST, y=at // _WIDEST, **one) for one, at in zip(found, room, strict=True)
    ]


@cache
def _homes(decks: int) -> list[str]:
    """The name of each foundation."""
    names = [pile.name for pile in foundation_piles([0] * 4, 0)]
    return [name + more for more in ("", " 2")[:decks] for name in names]


def _in_hole(position: Position) -> list[int]:
    """The cards of the hole: in some order, but for the top one."""
    rules = position.rules
    deck = Counter(dict.fromkeys(range(4, 4 * rules.ranks + 4), rules.decks))
    covered = deck - Counter([*position.unplayed, position.hole])
    return [*covered.elements(), position.hole]


def _told_apart(table: Sequence[Pile]) -> list[Pile]:
    """The piles of a first position, one of two cards that are alike with ``COPY`` added.

    That is never the one that lies face up while the other does not: it would tell a player who
    does not see the other one where that lies.
    """
    found, seen = [[*place.cards] for place in table], set[int]()
    for face_down in (False, True):
        for place, cards in zip(table, found, strict=True):
            for depth, card in enumerate(cards):
                if (depth < place.face_down) == face_down:
                    cards[depth] += COPY * (card in seen)
                    seen.add(card)
    return [replace(place, cards=tuple(cards)) for place, cards in zip(table, found, strict=True)]


def _followed(before: Sequence[Pile], after: Sequence[Pile], turned: bool) -> list[Pile]:
    """The piles after a move, with the cards of those before it.

    Args:
        before: with the two copies of a card told apart.
        after: without.
        turned: whether cards that leave a pile come to lie in the other order.
    """
    left, stay = defaultdict[int, list[int]](list), []
    for old, new in zip(before, after, strict=True):
        pairs = zip(old.cards, new.cards, strict=False)
        stay.append(sum(1 for _ in takewhile(lambda pair: pair[0] % COPY == pair[1], pairs)))
        for card in old.cards[stay[-1] :]:
            left[card % COPY].append(card)
    place, found = -1 if turned else 0, []
    for old, new, same in zip(before, after, stay, strict=True):
        come = tuple(left[card].pop(place) for card in new.cards[same:])
        cards = old.cards[:same] + come
        found.append(new if cards == new.cards else replace(new, cards=cards))
    return found


def _moved(before: Sequence[Pile], after: Sequence[Pile]) -> frozenset[int]:
    """The cards that lie in another pile than before."""
    return frozenset(
        card
        for old, new in zip(before, after, strict=True)
        if old != new
        for card in {*new.cards} - {*old.cards}
    )


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
            return f"turn the {name(cards[0])} from the stock to the hole"
        return f"turn {counted(cards)} of the stock, one to each pile"
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
