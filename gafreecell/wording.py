"""Moves in words, as hints and pages tell them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from gafreecell.abilities import Draws
from gafreecell.game import Game


def in_words(game: Game, board: Any, moves: Sequence[str]) -> list[str]:
    """Each of some legal moves in words; empty if the game cannot draw positions."""
    if not isinstance(game, Draws):
        return []
    return [one.words for one in game.positions(board, moves) if one.move]


def in_short(moves: Sequence[str]) -> str:
    """A sequence of moves without those that are words, such as draws before a move.

    If all are words, they are counted: ``draw 3 times``.
    """
    return ", ".join(_telling(moves) or counted(moves))


def described(words: Sequence[str], moves: Sequence[str]) -> str:
    """A sequence of moves in words; empty if the game has no words for them.

    Moves before the last are told by their tokens where these are words: ``draw 2 times, then the
    4H from the waste onto the 5S of pile 2``.
    """
    if not words:
        return ""
    *before, last = zip(moves, words, strict=True)
    told = counted([word if _telling([move]) else move for move, word in before])
    return ", ".join([*told, f"{'then ' if told else ''}{last[1]}"])


def counted(items: Sequence[str]) -> list[str]:
    """The items, with runs of equal ones merged: ``draw 3 times``."""
    runs = [(item, len(list(same))) for item, same in groupby(items)]
    return [f"{item} {many} times" if many > 1 else item for item, many in runs]


def _telling(moves: Sequence[str]) -> list[str]:
    """Those of the moves whose tokens are not words, such as ``w2``; others, as ``draw``, are."""
    return [move for move in moves if not (move.isalpha() and len(move) > 2)]
