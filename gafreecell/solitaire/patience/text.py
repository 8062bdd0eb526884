"""Positions of any game as text, and back.

Labelled lines come first, those of empty places left out, then a line for each pile, the deepest
card first, ``-`` for an empty one. Cards face down are in angle brackets ::

    Foundations: C-0 D-2 H-A S-K
    Cells: AS - 4D -
    Reserve: 3C 9D
    Waste: 4H AC
    Stock: 7S 3S TD
    <2C> QH
    -
    ...

The deepest card of the waste and of a stacked reserve, and the card of the stock that is turned
first, come first. Two decks have two foundations for each suit. ``Base: 5`` is written unless the
foundations begin with aces, ``Redeals: 1`` if some were used, ``Hole: AS`` for the hole's top card.

A name that ends with a colon may precede a position. Solvitaire's JSON can be read, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from deals.cards import (
    RANKS,
    SEPARATORS,
    SUITS,
    DealError,
    card_name,
    parse_card,
    rank_of,
    suit_of,
    suits_as_letters,
)
from deals.checks import shown, text_of
from deals.foundations import EMPTY, NOTHING, foundations_text, read_foundations
from deals.solvitaire import TABLEAU, NumberedLine, parted, read_board
from deals.words import plural
from gafreecell.solitaire.patience.position import Cards, Position, arranged, check, fixed_base
from gafreecell.solitaire.patience.rules import FIRST, TO_WASTE, Rules

BASE, HOME, CELLS, RESERVE, WASTE, STOCK, REDEALS, HOLE = _LABELS = (
    "base",
    "foundations",
    "cells",
    "reserve",
    "waste",
    "stock",
    "redeals",
    "hole",
)
_LABEL = re.compile(rf"\s*({'|'.join(_LABELS)})\s*:(.*)", re.IGNORECASE)
_WORD = re.compile(rf"[^\s{SEPARATORS}]+")
_KEYS = (TABLEAU, HOME, CELLS, RESERVE, STOCK, WASTE, HOLE)


def write_board(position: Position) -> str:
    """A position as ``read_boards`` reads it."""
    ranks = [rank_of(card) for card in position.tops]
    halves = [foundations_text(ranks[i : i + 4]) for i in range(0, len(ranks), 4)]
    used = position.redeals != position.rules.stock.redeals
    values = {
        BASE: RANKS[position.base - 1] if position.base > 1 else "",
        HOME: " ".join(halves) if any(ranks) else "",
        CELLS: _names(position.cells),
        RESERVE: _names(position.reserve),
        WASTE: _names(position.waste),
        STOCK: _names(position.stock),
        REDEALS: str(position.redeals) if used else "",
        HOLE: _names((position.hole,)),
    }
    piles = (
        _pile_text((card, place < down) for place, card in enumerate(pile))
        for pile, down in zip(position.piles, position.down, strict=True)
    )
    return "\n".join(_lines(values, piles))


def read_boards(rules: Rules, text: str, faults: list[str] | None = None) -> list[Position | None]:
    """The positions in a text, an empty line apart or as objects in JSON, in order.

    Args:
        rules: of the game.
        text: what to read; lines that begin with ``#`` are no part of it.
        faults: if given, receives a message for each position that cannot be read, and the list
            has None in its place.

    Raises:
        DealError: naming the line, the place or the cards that are at fault, if ``faults`` is not
            given or the text is empty.
    """
    parts = [*_parts(text_of(text, "a board", DealError))]
    if not parts:
        raise DealError("expected a board, got an empty text")
    found: list[Position | None] = []
    for count, (is_json, lines) in enumerate(parts, start=1):
        try:
            position = _read(rules, _of_json(rules, lines) if is_json else lines)
            check(position)
            found.append(position)
        except DealError as error:
            where = f"board {count} (line {lines[0][0]}): " if len(parts) > 1 else ""
            if faults is None:
                raise DealError(f"{where}{error}") from error
            faults.append(f"{where}{error}")
            found.append(None)
    return found


def _lines(values: Mapping[str, str], piles: Iterable[str]) -> list[str]:
    """The lines of a position from the texts of its places."""
    return [f"{label.capitalize()}: {value}" for label, value in values.items() if value] + [*piles]


def _names(cards: Iterable[int]) -> str:
    """The cards of a line, ``-`` for an empty place; nothing if there is no card."""
    names = [card_name(card) if card else "-" for card in cards]
    return " ".join(names) if {*names} - {"-"} else ""


def _pile_text(pile: Iterable[tuple[int, bool]]) -> str:
    """A pile of cards and whether they lie face down."""
    names = (f"<{card_name(card)}>" if down else card_name(card) for card, down in pile)
    return " ".join(names) or "-"


def _parts(text: str) -> Iterator[tuple[bool, list[NumberedLine]]]:
    """Whether each position is in JSON, and its lines."""
    for is_json, lines in parted(text):
        block: list[NumberedLine] = []
        for line in lines:
            if line[1].strip() or is_json:
                block += [line] * (is_json or not line[1].lstrip().startswith("#"))
            elif block:
                yield False, block
                block = []
        if block:
            yield is_json, block


def _read(rules: Rules, lines: Sequence[NumberedLine]) -> Position:
    """The position in the lines of one; its cards are not counted."""
    label = _Labelled()
    rows: list[NumberedLine] = []
    for number, line in lines:
        if match := _LABEL.match(line):
            label.add(match[1].lower(), number, match[2])
        elif number != lines[0][0] or not line.rstrip().endswith(":"):
            rows.append((number, line))
    count, left = rules.piles.count, rules.stock.redeals
    if len(rows) != count:
        more = f", and one too many in line {rows[count][0]}" if len(rows) > count else ""
        raise DealError(
            f"expected {plural(count, 'pile')}, each on a line, with - for an empty one, "
            f"got {len(rows)}{more}"
        )
    piles = [_pile(*row) for row in rows]
    base = RANKS[fixed_base(rules) - 1]
    bases = [*RANKS[: rules.ranks]] if rules.foundations.base == FIRST else [base]
    reserve, stock = rules.reserve.count, rules.stock.count
    position = Position(
        rules=rules,
        piles=tuple(pile for pile, _ in piles),
        down=tuple(hidden for _, hidden in piles),
        cells=label.places(CELLS, rules.cells.count),
        home=(0,) * (4 * rules.decks),
        base=1 + RANKS.index(label.choice(BASE, bases, base)),
        reserve=(label.stack if rules.reserve.stacked else label.places)(RESERVE, reserve),
        stock=label.stack(STOCK, stock),
        waste=label.stack(WASTE, stock if rules.stock.to == TO_WASTE else 0),
        hole=sum(label.places(HOLE, int(bool(rules.hole.base)))),
        redeals=int(label.choice(REDEALS, [*map(str, range(left + 1))] or [str(left)], str(left))),
    )
    return replace(position, home=label.foundations(position))


def _pile(number: int, line: str) -> tuple[Cards, int]:
    """The cards of a pile, and how many of them lie face down."""
    words = [] if line.strip().lower() in EMPTY else _WORD.findall(line)
    covered = [word.startswith("<") and word.endswith(">") for word in words]
    if covered != sorted(covered, reverse=True):
        raise DealError(f"line {number}: expected the cards that lie face down before the others")
    hidden = sum(covered)
    names = [*[word[1:-1] for word in words[:hidden]], *words[hidden:]]
    return tuple(_card(number, name) for name in names), hidden


def _card(number: int, word: str) -> int:
    try:
        return parse_card(word)
    except DealError as error:
        raise DealError(f"line {number}: {error}") from None


class _Labelled:
    """The labelled lines of a position."""

    def __init__(self) -> None:
        self._lines: dict[str, NumberedLine] = {}

    def add(self, label: str, number: int, value: str) -> None:
        if label in self._lines:
            raise DealError(f"line {number}: line {self._lines[label][0]} has the {label} already")
        self._lines[label] = number, value.strip()

    def _words(self, label: str) -> tuple[int, list[str]]:
        number, value = self._lines.get(label, (0, ""))
        return number, _WORD.findall(value)

    def places(self, label: str, count: int) -> Cards:
        """The card of each place, or 0."""
        number, words = self._words(label)
        if len(words) > count:
            raise DealError(
                f"line {number}, {label}: expected at most {plural(count, 'card')}, "
                f"got {len(words)}"
            )
        cards = [0 if word in NOTHING else _card(number, word) for word in words]
        return (*cards, *[0] * (count - len(cards)))

    def stack(self, label: str, count: int) -> Cards:
        """Cards that lie on one another."""
        number, words = self._words(label)
        cards = self.places(label, count)
        if 0 in cards[: len(words)] and len(words) > 1:
            raise DealError(f"line {number}, {label}: expected no empty place between cards")
        return tuple(filter(None, cards))

    def choice(self, label: str, allowed: Sequence[str], default: str) -> str:
        """One of several words."""
        number, value = self._lines.get(label, (0, default))
        if value.upper() not in allowed:
            raise DealError(
                f"line {number}, {label}: expected {' or '.join(allowed)}, got {shown(value)}"
            )
        return value.upper()

    def foundations(self, position: Position) -> tuple[int, ...]:
        """How many cards lie on each foundation."""
        number, words = self._words(HOME)
        rules, home = position.rules, [0] * len(position.home)
        most = 0 if rules.hole.base else rules.decks
        named = Counter(sign for word in words for sign in suits_as_letters(word).upper())
        for sign in SUITS:
            if named[sign] > most:
                raise DealError(
                    f"line {number}, foundations: expected at most {most} of the suit {sign}, "
                    f"got {named[sign]}"
                )
        for word in words:
            for suit, rank in enumerate(read_foundations(word, number)):
                if rank > rules.ranks:
                    raise DealError(f"line {number}: {shown(word)} is not in the game")
                if rank:
                    place = next(i for i in range(suit, len(home), 4) if not home[i])
                    home[place] = position.order(4 * rank + suit) + 1
        return arranged(home)


def _of_json(rules: Rules, lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """The lines of a position that is an object of Solvitaire's."""
    board = read_board(lines, _KEYS, rules.title, rules.decks)
    base, filled = fixed_base(rules), rules.foundations.filled
    home = [[one.card for one in cards] for cards in board.home if cards]
    if rules.foundations.base == FIRST and home:
        base = rank_of(home[0][0])
    elif not home and rules.foundations.base != FIRST:
        home = [[4 * base + place % 4] for place in range(filled)]

    def order(card: int) -> int:
        return (rank_of(card) - base) % rules.ranks

    tops = sorted((max(cards, key=order) for cards in home), key=order)
    if rules.decks == 1:
        tops = [*{suit_of(card): card for card in tops}.values()]
    values = {
        BASE: RANKS[base - 1],
        HOME: _names(tops),
        CELLS: _names(one.card if one else 0 for one in board.cells),
        RESERVE: _names(one.card if one else 0 for one in board.reserve),
        WASTE: _names(one.card for one in board.waste),
        STOCK: _names(one.card for one in reversed(board.stock)),
        HOLE: card_name(board.hole.card) if board.hole else rules.hole.base.replace(FIRST, ""),
    }
    has_down = any(rules.down)
    piles = (_pile_text((one.card, has_down and one.small) for one in pile) for pile in board.piles)
    return [(board.line, text) for text in _lines(values, piles)]
