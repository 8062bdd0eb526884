"""Boards in Solvitaire's JSON, written by its rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from deals.cards import RANKS, SUITS


def solvitaire_card(card: int, small: bool = False) -> str:
    """``10D`` or, face down, ``10d``."""
    rank, suit = RANKS[(card >> 2) - 1], SUITS[card & 3]
    return rank.replace("T", "10") + (suit.lower() if small else suit)


def solvitaire(
    piles: Iterable[Sequence[int]],
    face_down: Iterable[int] | None = None,
    stock: Sequence[int] | None = None,
    waste: Sequence[int] | None = None,
    foundations: Sequence[int] = (),
    cells: Sequence[int | None] = (),
) -> dict[str, Any]:
    """An object; the stock is given first turned first, which Solvitaire has last."""
    columns = [list(pile) for pile in piles]
    hidden = list(face_down) if face_down is not None else [0] * len(columns)
    record: dict[str, Any] = {
        "tableau piles": [
            [solvitaire_card(card, place < down) for place, card in enumerate(column)]
            for column, down in zip(columns, hidden, strict=True)
        ]
    }
    if stock is not None:
        record["stock"] = [solvitaire_card(card) for card in reversed(stock)]
    if waste:
        record["waste"] = [solvitaire_card(card) for card in waste]
    if any(foundations):
        record["foundations"] = [
            solvitaire_card(4 * rank + suit)
            for suit, home in enumerate(foundations)
            for rank in range(1, home + 1)
        ]
    if cells:
        record["cells"] = [solvitaire_card(card) if card else "" for card in cells]
    return record


def pretty(record: dict[str, Any]) -> str:
    """As its files are usually laid out, a pile a line."""
    parts = []
    for key, value in record.items():
        nested = value and isinstance(value[0], list)
        text = "[\n" + ",\n".join(map(json.dumps, value)) + "\n]" if nested else json.dumps(value)
        parts.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"
