"""Solvitaire's JSON: the boards of many games as lists of cards.

An object has ``tableau piles``, each from its deepest card to its exposed one, ``stock`` and
``waste``, both with the top card last, and ``foundations``, ``cells`` and ``reserve``; a missing
list is empty. ``hole`` is a card. lonelybot writes ``foundation``, and no ``waste``. A rank is a
letter or a number from 1 to 13. In games that deal cards face down, a card of a pile is face down
if its suit is a small letter, and face up if it is a capital letter.
Source: src/main/input-output/input/json-parsing and src/main/game of
github.com/thecharlieblake/Solvitaire.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from deals.cards import RANKS, SUITS, DealError, card, card_name, rank_of, suit_of
from deals.checks import shown
from deals.foundations import Foundations

TABLEAU, STOCK, WASTE, FOUNDATIONS, CELLS, RESERVE, HOLE = (
    "tableau piles",
    "stock",
    "waste",
    "foundations",
    "cells",
    "reserve",
    "hole",
)

_LONELYBOT = "foundation"
_FAR = 5
"""In so many lines we look for the first key of an object."""
_BEGINNING = re.compile(r'\s*\{\s*"[^"\n]*"\s*:\s*[\["{]')
_NO_CARD = None, "", "-", "--"
_CARD = re.compile(r"(1[0-3]|[1-9]|[ATJQK])([CDHS])", re.IGNORECASE | re.ASCII)

NumberedLine = tuple[int, str]
"""The number of a line of text, counted from 1, and its text."""


class Card(NamedTuple):
    """A card, and whether its suit is a small letter."""

    card: int
    small: bool


class Board(NamedTuple):
    """The board that a JSON object describes.

    Attributes:
        line: the number of the object's first line.
        piles: of the tableau, each from its deepest card to its exposed one.
        stock, waste: the top card last.
        cells: None for an empty one.
        foundations: the highest rank on the foundation of clubs, diamonds, hearts, spades.
        home: the cards given for each foundation, or for each card if they are in one list.
        reserve: None for a place without a card; the top card last.
        hole: its top card; None if it is not given.
    """

    line: int
    piles: list[list[Card]]
    stock: list[Card]
    waste: list[Card]
    cells: list[Card | None]
    foundations: Foundations
    home: list[list[Card]]
    reserve: list[Card | None]
    hole: Card | None


def begins_json(lines: Sequence[NumberedLine]) -> bool:
    """Whether the lines begin like a JSON object."""
    return _BEGINNING.match("\n".join(text for _, text in lines)) is not None


def parted(text: str) -> Iterator[tuple[bool, list[NumberedLine]]]:
    """Split a text into JSON objects and the parts between them.

    An object begins at the start of a line and ends at the end of one, with its first closing
    brace: boards have no objects in them. One that is not closed ends where the next one begins.

    Yields:
        Whether the part is an object, and its lines.
    """
    part: list[NumberedLine] = []
    inside = False
    lines = text.splitlines()
    for place, line in enumerate(lines):
        opens = line.lstrip().startswith("{")
        begins = opens and _BEGINNING.match("\n".join(lines[place : place + _FAR])) is not None
        if begins and part:
            yield inside, part
            part = []
        inside = inside or begins
        part.append((place + 1, line))
        if inside and "}" in line:
            yield inside, part
            inside, part = False, []
    if part:
        yield inside, part


def read_board(
    lines: Sequence[NumberedLine], keys: Collection[str], game: str, decks: int = 1
) -> Board:
    """Read the lines of one object.

    Args:
        lines: all of its lines; empty ones around it are ignored.
        keys: the keys that boards of the game have.
        game: its name, for messages.
        decks: how often a card may appear.

    Raises:
        DealError: naming the line in which the object begins, the place, and what is wrong.
    """
    first = next(number for number, text in lines if text.strip())
    record = _object("\n".join(text for _, text in lines), lines[0][0])
    if _LONELYBOT in record and FOUNDATIONS not in record:
        record[FOUNDATIONS] = record.pop(_LONELYBOT)
        if WASTE not in record and any(record[FOUNDATIONS]):
            raise DealError(
                f"line {first}: lonelybot's JSON does not say which cards of the stock have been "
                f"turned: move them to a list {WASTE!r}, the top card last, which may be empty"
            )
    unknown = [key for key in record if key not in keys]
    if TABLEAU not in record or unknown:
        got = ", ".join(map(repr, unknown or record)) or "none"
        known = ", ".join(keys)
        raise DealError(
            f"line {first}: expected a board of {game} in Solvitaire's JSON, with {known}, "
            f"got {got:.60} (is it a board of another game?)"
        )
    reader = _Reader(first, decks)
    piles = [
        reader.cards(pile, f"pile {place}")
        for place, pile in enumerate(reader.items(record[TABLEAU], TABLEAU), start=1)
    ]
    stock = reader.cards(record.get(STOCK, []), STOCK)
    waste = reader.cards(record.get(WASTE, []), WASTE)
    cells = reader.places(record.get(CELLS, []), CELLS)
    home = [
        reader.cards(item if isinstance(item, list) else [item], FOUNDATIONS)
        for item in reader.items(record.get(FOUNDATIONS, []), FOUNDATIONS)
    ]
    reserve = reader.places(record.get(RESERVE, []), RESERVE)
    hole = reader.card(record[HOLE], HOLE) if HOLE in record else None
    return Board(first, piles, stock, waste, cells, _highest(home), home, reserve, hole)


def _highest(home: Iterable[Iterable[Card]]) -> Foundations:
    """The highest rank of each suit."""
    ranks = [0, 0, 0, 0]
    for one, _ in chain.from_iterable(home):
        ranks[suit_of(one)] = max(ranks[suit_of(one)], rank_of(one))
    return (ranks[0], ranks[1], ranks[2], ranks[3])


def _object(text: str, first: int) -> dict[str, Any]:
    def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        count = Counter(key for key, _ in pairs)
        for key, times in count.items():
            if times > 1:
                raise DealError(f"line {first}: {shown(key)} comes twice in the JSON")
        return dict(pairs)

    try:
        record = json.loads(text, object_pairs_hook=without_doubles)
    except json.JSONDecodeError as error:
        raise DealError(
            f"line {first + error.lineno - 1}: malformed JSON: {error.msg}, column {error.colno}"
        ) from None
    except RecursionError:
        raise DealError(f"line {first}: malformed JSON: too deeply nested") from None
    except DealError:
        raise
    except ValueError as error:
        raise DealError(f"line {first}: malformed JSON: {error}") from None
    assert isinstance(record, dict), "it begins with a brace"
    return record


class _Reader:
    """Reads the values of one object; its errors name the object's first line."""

    def __init__(self, line: int, decks: int) -> None:
        self._line, self._decks = line, decks
        self._places: dict[int, list[str]] = {}

    def items(self, value: Any, place: str) -> list[Any]:
        if not isinstance(value, list):
            raise DealError(f"line {self._line}, {place}: expected a list, got {shown(value, 40)}")
        return value

    def cards(self, value: Any, place: str) -> list[Card]:
        return [self.card(word, place) for word in self.items(value, place)]

    def places(self, value: Any, place: str) -> list[Card | None]:
        words = self.items(value, place)
        return [None if word in _NO_CARD else self.card(word, place) for word in words]

    def card(self, word: Any, place: str) -> Card:
        match = _CARD.fullmatch(word) if isinstance(word, str) else None
        if match is None:
            raise DealError(
                f"line {self._line}, {place}: {shown(word, 40)} is not a card: a card is a rank of "
                f"{RANKS} or 1 to 13 and a suit of {SUITS}, as in 10D"
            )
        rank = match[1].upper()
        value = int(rank) if rank.isdecimal() else 1 + RANKS.index(rank)
        one = card(value, SUITS.index(match[2].upper()))
        found = self._places.setdefault(one, [])
        if len(found) == self._decks:
            often = "twice" if self._decks == 1 else "too often"
            raise DealError(
                f"line {self._line}, {place}: {card_name(one)} appears {often}, also in "
                f"{' and '.join(found)}"
            )
        found.append(place)
        return Card(one, match[2].islower())
