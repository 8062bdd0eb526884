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
from itertools import pairwise
from typing import NamedTuple, TypeVar

from deals.cards import RANKS, SUITS, card_name, is_red, parse_card, rank_of, suit_of
from deals.checks import shown
from deals.errors import BadInput
from deals.words import plural
from gafreecell.solitaire.patience.position import Cards, Position, arranged, settled
from gafreecell.solitaire.patience.rules import (
    ANY,
    CARD,
    COLOUR,
    KING,
    LOOSE,
    NONE,
    PILE,
    RESERVE_WASTE,
    SUIT,
    TO_HOLE,
    TO_PILES,
    TO_WASTE,
)
from gafreecell.solving.notations import IllegalMove, Notation

__all__ = ["CELLS", "NOTATION", "IllegalMove", "after", "is_won", "legal_moves"]

CELLS = "abcdefgijklm"
"""The letters of cells; ``h`` is home."""
HOME, WASTE, RESERVE = "h", "w", "r"
DRAW, REDEAL, DEAL = "draw", "redeal", "deal"

_PILE = "(?:[1-9]|1[0-9]|2[0-4])"
_NAMED = f"[{RANKS}][{SUITS}]"
_PLACES = f"{_PILE}|[{CELLS}]|{WASTE}|{RESERVE}(?:[1-9][0-9]?)?"
_MOVE = re.compile(rf"({_PLACES}|{_NAMED})-({_PILE}|[{CELLS}{HOME}])(?:v([0-9]+))?")

Item = TypeVar("Item")


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
    if not isinstance(token, str) or not NOTATION.pattern.fullmatch(token):
        raise BadInput(f"{shown(token)} is no move: expected {NOTATION.expected}")
    match = _MOVE.fullmatch(_written(token))
    move = _Move(match[1], match[2], int(match[3] or 1)) if match else _Move(_written(token))
    cards = _check(position, move)
    if match:
        return settled(_put(_take(position, move.source, cards), move.target, cards))
    return settled(_of_stock(position, move.source))


def _candidates(position: Position) -> Iterator[_Move]:
    """Moves among which are all that are legal and not equal by symmetry to an earlier one."""
    rules = position.rules
    piles = {str(number): pile for number, pile in enumerate(position.piles, start=1)}
    cells = dict(zip(CELLS, position.cells, strict=False))
    spaces = [name for name, pile in piles.items() if not pile]
    alike = rules.stock.to != TO_PILES or not position.stock
    goals = [name for name, pile in piles.items() if pile or name in spaces[: 1 if alike else None]]
    sources = [*piles, *[cell for cell, card in cells.items() if card]]
    if rules.reserve.stacked:
        sources.append(RESERVE)
    else:
        sources += [f"{RESERVE}{i}" for i, card in enumerate(position.reserve, start=1) if card]
    sources.append(WASTE)
    yield from (_Move(source, HOME) for source in sources)
    # The same card may lie on two foundations.
    sources += dict.fromkeys(card_name(card) for card in position.tops if card)
    free = next((cell for cell, card in cells.items() if not card), "")
    for source in sources:
        counts = _movable(position, source) if source in piles else range(1, 2)
        for goal in goals:
            for count in counts:
                if not (alike and goal in spaces and count == len(piles.get(source, ()))):
                    yield _Move(source, goal, count)
        if free and source not in cells:
            yield _Move(source, free)
    yield from map(_Move, (DRAW, REDEAL, DEAL))


def _check(position: Position, move: _Move) -> Cards:
    """The cards that a legal move takes, the deepest first.

    Raises:
        IllegalMove: if the position does not allow the move.
    """
    source, target, number = move
    if not target:
        _check_stock(position, source)
        return ()
    if target == HOME and position.rules.foundations.runs:
        return _run_home(position, source)
    cards = _cards(position, source, number)
    if target == HOME:
        _check_home(position, cards[0])
    elif target in CELLS:
        _check_cell(position, source, target)
    else:
        _check_pile(position, move, cards)
    return cards


def _cards(position: Position, source: str, count: int) -> Cards:
    """The top cards of a place."""
    if source.isdigit():
        cards = position.piles[_index(source, len(position.piles), "pile")]
        if not cards:
            raise IllegalMove(f"pile {source} is empty")
        return cards[-count:]
    if source == WASTE:
        cards = position.waste[-1:]
    elif source in CELLS:
        cards = (position.cells[_index(source, len(position.cells), "cell")],)
    elif source[0] != RESERVE:
        return _named(position, source)
    elif position.rules.reserve.stacked != (source == RESERVE):
        raise IllegalMove(f"the game has no place {source}")
    elif source == RESERVE:
        cards = position.reserve[-1:]
    else:
        cards = (position.reserve[_index(source, len(position.reserve), "place")],)
    if not any(cards):
        raise IllegalMove(f"expected a card in {source}, got none")
    return cards


def _named(position: Position, name: str) -> Cards:
    """A card that may be played back from its foundation."""
    card = parse_card(name)
    if not position.rules.foundations.back:
        raise IllegalMove("cards that are home stay there")
    if card not in position.tops:
        raise IllegalMove(f"the {name} is not on top of a foundation")
    return (card,)


def _index(name: str, count: int, kind: str) -> int:
    """The index of a place, from 0."""
    index = CELLS.index(name) if name in CELLS else int(name.removeprefix(RESERVE)) - 1
    if index >= count:
        raise IllegalMove(f"there is no {kind} {name}: the game has {count}")
    return index


def _movable(position: Position, source: str) -> range:
    """How many cards of a pile may move to another one, apart from whether they fit there."""
    place = int(source) - 1
    pile, how = position.piles[place], position.rules.piles.move
    face_up = pile[position.down[place] :]
    if how == CARD or not pile:
        return range(1, min(len(pile), 1) + 1)
    if how == LOOSE:
        return range(1, len(face_up) + 1)
    run = 1
    build = position.rules.run
    while run < len(face_up) and _lies(position, face_up[-run - 1], face_up[-run], build):
        run += 1
    if how == PILE:
        return range(run, run + (run == len(pile)))
    return range(1, run + 1)


def _lies(position: Position, beneath: int, above: int, build: str) -> bool:
    """Whether a card may lie on another if piles are built as ``build`` says."""
    suits = {
        NONE: False,
        SUIT: suit_of(above) == suit_of(beneath),
        COLOUR: is_red(above) != is_red(beneath),
        ANY: True,
    }
    return suits[build] and position.order(above) + 1 == position.order(beneath)


def _check_pile(position: Position, move: _Move, cards: Cards) -> None:
    rules = position.rules
    goal = position.piles[_index(move.target, len(position.piles), "pile")]
    if move.source == move.target:
        raise IllegalMove("expected two different piles")
    if move.source.isdigit():
        counts = _movable(position, move.source)
        if move.number not in counts:
            bounds = dict.fromkeys((counts[0], counts[-1])) if counts else ("none",)
            raise IllegalMove(
                f"expected as many cards as may move at once from pile {move.source} "
                f"({' to '.join(map(str, bounds))}), got {move.number}"
            )
    card = card_name(cards[0])
    if goal:
        if not _lies(position, goal[-1], cards[0], rules.piles.build):
            raise IllegalMove(f"the {card} does not go on the {card_name(goal[-1])}")
    elif rules.piles.space == NONE:
        raise IllegalMove("no card may be played to an empty pile")
    elif rules.piles.space == KING and position.order(cards[0]) != rules.ranks - 1:
        king = RANKS[rank_of(position.at(rules.ranks - 1, 0)) - 1]
        raise IllegalMove(f"expected a card of rank {king} for an empty pile, got the {card}")
    elif rules.piles.fill == RESERVE_WASTE and move.source != WASTE:
        raise IllegalMove("only the waste's top card may be played to an empty pile")


def _check_cell(position: Position, source: str, target: str) -> None:
    index = _index(target, len(position.cells), "cell")
    if source in CELLS:
        raise IllegalMove("a card does not move from cell to cell")
    if position.cells[index]:
        raise IllegalMove(f"cell {target} holds the {card_name(position.cells[index])}")


def _check_home(position: Position, card: int) -> None:
    rules = position.rules
    if position.hole:
        apart = abs(rank_of(card) - rank_of(position.hole))
        if apart != 1 and not (rules.hole.wraps and apart == rules.ranks - 1):
            raise IllegalMove(
                f"the {card_name(card)} does not go on the {card_name(position.hole)} in the hole"
            )
    elif position.order(card) not in position.home[suit_of(card) :: 4]:
        raise IllegalMove(f"the {card_name(card)} does not go home yet")


def _run_home(position: Position, source: str) -> Cards:
    """The whole run in suit on top of a pile."""
    ranks = position.rules.ranks
    if not source.isdigit():
        raise IllegalMove("only a whole run on top of a pile goes home")
    place = _index(source, len(position.piles), "pile")
    run = position.piles[place][position.down[place] :][-ranks:]
    if len(run) < ranks or not all(_lies(position, low, high, SUIT) for low, high in pairwise(run)):
        raise IllegalMove(f"pile {source} does not end in a whole run in suit")
    return run


def _check_stock(position: Position, verb: str) -> None:
    stock = position.rules.stock
    if (verb == DEAL) == (stock.to == TO_WASTE):
        raise IllegalMove(f"there is no {verb} in this game")
    if verb == REDEAL:
        if position.stock:
            raise IllegalMove(
                f"expected an empty stock, got {plural(len(position.stock), 'card')} in it"
            )
        if not position.waste:
            raise IllegalMove("expected cards in the waste, got none")
        if not position.redeals:
            raise IllegalMove("the rules allow no more redeals")
    elif not position.stock:
        raise IllegalMove("expected cards in the stock, got none")
    elif stock.to == TO_PILES and not stock.spaces and not all(position.piles):
        raise IllegalMove("expected a card on every pile before a deal")


def _of_stock(position: Position, verb: str) -> Position:
    """The position after a move of the stock."""
    rules, stock, piles = position.rules, position.stock, position.piles
    if verb == REDEAL:
        left = position.redeals - (position.redeals > 0)
        return replace(position, stock=position.waste, waste=(), redeals=left)
    if verb == DRAW:
        count = rules.stock.draw
        return replace(position, stock=stock[count:], waste=position.waste + stock[:count])
    if rules.stock.to == TO_HOLE:
        return replace(position, stock=stock[1:], hole=stock[0])
    grown = tuple(pile + stock[i : i + 1] for i, pile in enumerate(piles))
    return replace(position, stock=stock[len(piles) :], piles=grown)


def _take(position: Position, source: str, cards: Cards) -> Position:
    """The position without cards of a place."""
    if source.isdigit():
        index = int(source) - 1
        left = position.piles[index][: -len(cards)]
        return replace(position, piles=_with(position.piles, index, left))
    if source == WASTE:
        return replace(position, waste=position.waste[:-1])
    if source == RESERVE:
        return replace(position, reserve=position.reserve[:-1])
    if source in CELLS:
        return replace(position, cells=_with(position.cells, CELLS.index(source), 0))
    if source[0] == RESERVE:
        return replace(position, reserve=_with(position.reserve, int(source[1:]) - 1, 0))
    return _grown(position, position.tops.index(cards[0]), -1)


def _put(position: Position, target: str, cards: Cards) -> Position:
    """The position with cards on a place."""
    if target in CELLS:
        return replace(position, cells=_with(position.cells, CELLS.index(target), cards[0]))
    if target != HOME:
        index = int(target) - 1
        piles = _with(position.piles, index, position.piles[index] + cards)
        return replace(position, piles=piles)
    if position.hole:
        return replace(position, hole=cards[0])
    first, suit = position.order(cards[-1]), suit_of(cards[-1])
    places = range(suit, len(position.home), 4)
    return _grown(position, next(i for i in places if position.home[i] == first), len(cards))


def _grown(position: Position, place: int, by: int) -> Position:
    """The position with more cards on a foundation, or fewer."""
    home = _with(position.home, place, position.home[place] + by)
    return replace(position, home=arranged(home))


def _with(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    return (*items[:index], item, *items[index + 1 :])
