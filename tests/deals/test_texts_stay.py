"""Texts that were read before readers took more forms are still read as the same boards.

Recorded anew are those with ``Freecells: none``, which was taken for no cells and says that they
are empty, and whole deals over fewer than eight cascades, which were taken for eight. Decks of
Pyramid among words that readers do not understand are no longer here: they are refused.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from deals import (
    FreeCellBoard,
    KlondikeBoard,
    PyramidDeck,
    read_klondike_boards,
    read_pyramid_boards,
)

DATA = Path(__file__).parent / "data" / "texts_read.jsonl"
"""Texts with the digests of their boards, recorded where only the oldest forms were known."""

RECORDS = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def read(game: str, text: str, options: dict[str, Any]) -> list[Any]:
    if game == "klondike boards":
        return read_klondike_boards(text)
    if game == "pyramid decks":
        return read_pyramid_boards(text)
    kinds: dict[str, Any] = {
        "freecell": FreeCellBoard,
        "klondike": KlondikeBoard,
        "pyramid": PyramidDeck,
    }
    return [kinds[game].from_text(text, **options)]


def shown(board: Any) -> str:
    """A board as text that tells all of it."""
    if isinstance(board, FreeCellBoard):
        # What a game without cells prints has changed since, one whose cells are all taken, and
        # one with fewer than eight cascades.
        text = str(board).replace("Freecells: 0", "Freecells: none")
        text = re.sub(r"Freecells \(\d\):", "Freecells:", text)
        text = re.sub(r"Cascades: \d\n", "", text)
        return f"{len(board.cascades)} {board.cell_count}\n{text}"
    return board.deck_text() if isinstance(board, PyramidDeck) else str(board)


def test_there_are_texts_of_every_kind() -> None:
    kinds = {record["game"] for record in RECORDS}
    assert kinds == {"freecell", "klondike", "klondike boards", "pyramid", "pyramid decks"}
    assert len(RECORDS) > 200


@pytest.mark.parametrize("record", RECORDS, ids=range(1, len(RECORDS) + 1))
def test_a_text_is_read_as_before(record: dict[str, Any]) -> None:
    boards = read(record["game"], record["text"], record["options"])
    digest = hashlib.sha256("\n\n".join(map(shown, boards)).encode()).hexdigest()
    assert digest[:16] == record["boards"]
