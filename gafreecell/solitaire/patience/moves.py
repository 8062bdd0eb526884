"""Lists and plays the legal moves of any game in plain Python, sharing nothing with the solver.

A move is written ``SOURCE-TARGET``. Piles are ``1`` to ``24``; cells ``a`` to ``m`` without ``h``;
``w`` is the waste, ``r`` a stacked reserve, ``r1``, ``r2``, ... are the places of another one. A
card played back from a foundation is named: ``QS-3``. The target ``h`` is home, a foundation or the
hole. ``3-5v4`` moves four cards from pile 3 to pile 5. A whole run that goes home is ``3-h``.

``draw`` turns cards from the stock to the waste, ``redeal`` turns the waste over, ``deal`` deals a
card to each pile, or one to the hole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from deals.cards import DECK, RANKS, SUITS, card_name, is_red, rank_of, suit_of
from deals.checks import shown
from deals.errors import BadInput
from deals.words import plural
from gafreecell.solitaire.patience import rules as words
from gafreecell.solitaire.patience.position import Cards, Position, arranged, settled
from gafreecell.solving.notations import IllegalMove, Notation

CELLS = "abcdefgijklm"
"""The letters of cells; ``h`` is home."""
HOME, WASTE, RESERVE = "h", "w", "r"
DRAW, REDEAL, DEAL = "draw", "redeal", "deal"
_NAMES = {card: card_name(card) for card in DECK}

_PILE = "(?:[1-9]|1[0-9]|2[0-4])"
_NAMED = f"[{RANKS}][{SUITS}]"
_PLACES = f"{_PILE}|[{CELLS}]|{WASTE}|{RESERVE}(?:[1-9][0-9]?)?"
_MOVE = re.compile(rf"({_PLACES}|{_NAMED})-({_PILE}|[{CELLS}{HOME}])(?:v([0-9]+))?")


@lru_cache(maxsize=10_000)
def _written(token: str) -> str:
    """A move in the usual letters: only the names of cards are capitals."""
    source, hyphen, target = token.lower().partition("-")
    return (source.upper() if re.fullmatch(_NAMED, source.upper()) else source) + hyphen + target


NOTATION = Notation(
    "draw, redeal, deal or a move such as w-3, 3-h, 3-5, 3-5v4, 3-a or QS-3",
    f"{DRAW}|{REDEAL}|{DEAL}|{_PILE}-{_PILE}v(?:[2-9]|[1-9][0-9]{{1,2}})"
    f"|(?:{_PLACES})-(?:{_PILE}|[{CELLS}{HOME}])|{_NAMED}-(?:{_PILE}|[{CELLS}])",
    _written,
)
"""Our notation of moves."""


class _Move(NamedTuple):
    """A move by its places; one of the stock has no target."""

    source: str
    target: str = ""
    number: int = 1

    def __str__(self) -> str:
        many = f"v{self.number}" if self.number > 1 else ""
        return f"{self.source}-{self.target}{many}" if self.target else self.source


def _read(token: str) -> _Move:
    """The move that a token names."""
    if not isinstance(token, str) or not NOTATION.pattern.fullmatch(token):
        raise BadInput(f"{shown(token)} is no move: expected {NOTATION.expected}")
    match = _MOVE.fullmatch(_written(token))
    return _Move(match[1], match[2], int(match[3] or 1)) if match else _Move(_written(token))


def is_won(position: Position) -> bool:
    """Whether all cards are home, on the foundations or in the hole."""
    return not position.unplayed


def legal_moves(position: Position) -> list[str]:
    """Every legal move: those home first, then by source, those of the stock last.

    One move stands for those that are equal by symmetry: the first empty cell for all of them, and
    the first empty pile unless the stock still deals to piles. A whole pile moves to an empty one
    only in that case, as nothing else tells piles apart.
    """
    found = []
    for move in _candidates(position):
        with suppress(IllegalMove):
            _check(position, move)
            found.append(str(move))
    return found


def after(position: Position, token: str) -> Position:
    """The position after a legal move, any of those that are equal by symmetry.

    Raises:
        IllegalMove: saying what was expected, if the position does not allow the move.
        BadInput: if the token is no move of the game, in any position.
    """
    return settled(played(position, token))


def played(position: Position, token: str) -> Position:
    """As ``after``, but before spaces are filled and cards turn up by themselves."""
    move = _read(token)
    cards = _check(position, move)
    return _moved(position, move, cards) if cards else _turned(position, move.source)


def taken(position: Position, token: str) -> Cards:
    """The cards that a legal move takes or turns, the deepest first; none for a redeal."""
    stock = position.rules.stock
    if token.lower() in (DRAW, DEAL):
        count = {words.TO_WASTE: stock.draw, words.TO_PILES: len(position.piles), words.TO_HOLE: 1}[
            stock.to
        ]
        return position.stock[:count]
    return _check(position, _read(token))


def _names(position: Position) -> list[str]:
    """The names of all places from which cards can move, but for the stock."""
    rules = position.rules
    reserve = [f"{RESERVE}{place + 1}" for place in range(len(position.reserve))]
    return [
        *(str(place + 1) for place in range(len(position.piles))),
        *CELLS[: len(position.cells)],
        *([RESERVE] if rules.reserve.stacked else reserve),
        WASTE,
        *(_NAMES[card] for card in position.tops if card and rules.foundations.back),
    ]


def _held(position: Position, name: str) -> Cards | None:
    """The cards of a place, the deepest first; None if there is no such place."""
    if _is_card(name):
        tops = position.tops if position.rules.foundations.back else ()
        return next(((card,) for card in tops if card and _NAMES[card] == name), None)
    part, place = _part(name)
    held = getattr(position, part)
    stacked = part == "waste" or (part == "reserve" and position.rules.reserve.stacked)
    if stacked or place < 0:
        return held if stacked and place < 0 else None
    if place >= len(held):
        return None
    return held[place] if part == "piles" else _one(held[place])


@lru_cache(maxsize=1000)
def _part(name: str) -> tuple[str, int]:
    """The part of a position that a place belongs to, and its index there; -1 for all of it."""
    if name.isdigit():
        return "piles", int(name) - 1
    if name in CELLS:
        return "cells", CELLS.index(name)
    return "waste" if name == WASTE else "reserve", int(name[1:] or 0) - 1


def _is_card(source: str) -> bool:
    """Whether the name of a place is a card, on top of a foundation."""
    return source[-1] in SUITS


def _one(card: int) -> Cards:
    return (card,) if card else ()


def _candidates(position: Position) -> Iterator[_Move]:
    """Moves among which are all that are legal and not equal by symmetry to an earlier one."""
    places = {name: _held(position, name) or () for name in _names(position)}
    stock, filled = position.rules.stock, [name for name, cards in places.items() if cards]
    piles = [name for name in places if name.isdigit()]
    spaces = [pile for pile in piles if not places[pile]]
    alike = stock.to != words.TO_PILES or not position.stock
    goals = [pile for pile in piles if pile not in spaces[1:] or not alike]
    free = [cell for cell in CELLS if places.get(cell) == ()][:1]
    yield from (_Move(source, HOME) for source in filled if not _is_card(source))
    for source in filled:
        for number in _movable(position, source) if source in piles else (1,):
            same = alike and source in piles and number == len(places[source])
            for goal in goals:
                if not (same and goal in spaces):
                    yield _Move(source, goal, number)
        yield from (_Move(source, cell) for cell in free)
    yield from map(_Move, (DRAW, REDEAL, DEAL))


def _check(position: Position, move: _Move) -> Cards:
    """The cards that a legal move takes, the deepest first; none if it is one of the stock.

    Raises:
        IllegalMove: if the position does not allow the move.
    """
    source, target, number = move
    if not target:
        _check_stock(position, source)
        return ()
    held = _held(position, source)
    there = () if target == HOME else _held(position, target)
    for place, found in ((source, held), (target, there)):
        if found is None:
            raise IllegalMove(
                f"the {place} cannot be played back from a foundation"
                if _is_card(place)
                else f"there is no place {place}"
            )
    if not held:
        raise IllegalMove(f"expected a card in {source}, got none")
    if target == HOME:
        return _going_home(position, source, held)
    cards = held[-number:]
    if target in CELLS:
        if source in CELLS:
            raise IllegalMove("a card does not move from cell to cell")
        if there:
            raise IllegalMove(f"cell {target} holds the {_NAMES[there[0]]}")
    else:
        _check_pile(position, move, cards)
    return cards


def _going_home(position: Position, source: str, cards: Cards) -> Cards:
    """The cards of a place that may go home at once."""
    rules, card = position.rules, cards[-1]
    name = _NAMES[card]
    if position.hole:
        apart = abs(rank_of(card) - rank_of(position.hole))
        if apart != 1 and not (rules.hole.wraps and apart == rules.ranks - 1):
            raise IllegalMove(f"the {name} does not go on the {_NAMES[position.hole]}")
    elif rules.foundations.runs:
        if not source.isdigit():
            raise IllegalMove("only a whole run on top of a pile goes home")
        run = cards[position.down[int(source) - 1] :][-rules.ranks :]
        if len(run) < rules.ranks or not all(
            _lies(position, low, high, words.SUIT) for low, high in pairwise(run)
        ):
            raise IllegalMove(f"pile {source} does not end in a whole run in suit")
        return run
    elif _foundation(position, card) is None:
        raise IllegalMove(f"the {name} does not go home yet")
    return cards[-1:]


def _foundation(position: Position, card: int) -> int | None:
    """The index of the foundation that a card goes to, if it may go home now."""
    order = position.order(card)
    places = range(suit_of(card), len(position.home), 4)
    return next((i for i in places if position.home[i] == order), None)


def _movable(position: Position, source: str) -> range:
    """How many cards of a pile may move to another one, apart from whether they fit there."""
    place = int(source) - 1
    pile, how = position.piles[place], position.rules.piles.move
    face_up = pile[position.down[place] :]
    if how == words.CARD:
        return range(1, 2)
    if how == words.LOOSE:
        return range(1, len(face_up) + 1)
    run, build = 1, position.rules.run
    while run < len(face_up) and _lies(position, face_up[-run - 1], face_up[-run], build):
        run += 1
    if how == words.PILE:
        return range(run, run + (run == len(pile)))
    return range(1, run + 1)


def _lies(position: Position, beneath: int, above: int, build: str) -> bool:
    """Whether a card may lie on another if piles are built as ``build`` says."""
    if build == words.NONE or position.order(above) + 1 != position.order(beneath):
        return False
    if build == words.COLOUR:
        return is_red(above) != is_red(beneath)
    return build == words.ANY or suit_of(above) == suit_of(beneath)


def _check_pile(position: Position, move: _Move, cards: Cards) -> None:
    """Refuse a move to a pile."""
    rules, goal = position.rules, position.piles[int(move.target) - 1]
    if move.source == move.target:
        raise IllegalMove("expected two different piles")
    if move.source.isdigit() and move.number not in (counts := _movable(position, move.source)):
        bounds = dict.fromkeys((counts[0], counts[-1])) if counts else ("none",)
        raise IllegalMove(
            f"expected as many cards as may move at once from pile {move.source} "
            f"({' to '.join(map(str, bounds))}), got {move.number}"
        )
    name = _NAMES[cards[0]]
    if goal:
        if not _lies(position, goal[-1], cards[0], rules.piles.build):
            raise IllegalMove(f"the {name} does not go on the {_NAMES[goal[-1]]}")
    elif rules.piles.space == words.NONE:
        raise IllegalMove("no card may be played to an empty pile")
    elif rules.piles.space == words.KING and position.order(cards[0]) != rules.ranks - 1:
        king = _NAMES[position.at(rules.ranks - 1, 0)][0]
        raise IllegalMove(f"expected a card of rank {king} for an empty pile, got the {name}")
    elif rules.piles.fill == words.RESERVE_WASTE and move.source != WASTE:
        raise IllegalMove("only the waste's top card may be played to an empty pile")


def _check_stock(position: Position, verb: str) -> None:
    """Refuse a move of the stock."""
    stock, left = position.rules.stock, len(position.stock)
    if (verb == DEAL) == (stock.to == words.TO_WASTE):
        raise IllegalMove(f"there is no {verb} in this game")
    if verb == REDEAL:
        if left:
            raise IllegalMove(f"expected an empty stock, got {plural(left, 'card')} in it")
        if not position.waste:
            raise IllegalMove("expected cards in the waste, got none")
        if not position.redeals:
            raise IllegalMove("the rules allow no more redeals")
    elif not left:
        raise IllegalMove("expected cards in the stock, got none")
    elif stock.to == words.TO_PILES and not stock.spaces and not all(position.piles):
        raise IllegalMove("expected a card on every pile before a deal")


def _moved(position: Position, move: _Move, cards: Cards) -> Position:
    """The position after cards moved from a place to another one."""
    source, target = move.source, move.target
    parts = dict(vars(position))
    if _is_card(source):
        place = position.tops.index(cards[0])
        parts["home"] = _with(position.home, place, position.home[place] - 1)
    else:
        held = _held(position, source) or ()
        _put(parts, source, held[: -len(cards)])
    if target != HOME:
        _put(parts, target, (_held(position, target) or ()) + cards)
    elif position.hole:
        parts["hole"] = cards[0]
    elif (free := _foundation(position, cards[-1])) is not None:
        parts["home"] = _with(position.home, free, position.home[free] + len(cards))
    parts["home"] = arranged(parts["home"])
    return Position(**parts)


def _put(parts: dict[str, Any], name: str, cards: Cards) -> None:
    """Let a place of a position, given by its attributes, hold these cards."""
    part, place = _part(name)
    if place < 0:
        parts[part] = cards
    else:
        parts[part] = _with(parts[part], place, cards if part == "piles" else sum(cards))


def _with(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    return (*items[:place], item, *items[place + 1 :])


def _turned(position: Position, verb: str) -> Position:
    """The position after a move of the stock."""
    rules, stock, piles = position.rules, position.stock, position.piles
    if verb == REDEAL:
        left = position.redeals - (position.redeals > 0)
        return replace(position, stock=position.waste, waste=(), redeals=left)
    if verb == DRAW:
        count = rules.stock.draw
        return replace(position, stock=stock[count:], waste=position.waste + stock[:count])
    if rules.stock.to == words.TO_HOLE:
        return replace(position, stock=stock[1:], hole=stock[0])
    grown = tuple(pile + stock[i : i + 1] for i, pile in enumerate(piles))
    return replace(position, stock=stock[len(piles) :], piles=grown)
