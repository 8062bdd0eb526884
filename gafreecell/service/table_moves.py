"""The legal moves of a position as a person makes them at a table: which cards go to which pile.

Nothing here knows any rules: a game lists its moves, and the drawings before and after a move tell
what it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from gafreecell.solitaire.abilities import Draws, ListsMoves, Verifies
from gafreecell.solitaire.game import Game, able
from gafreecell.solitaire.replaying import refutation
from gafreecell.solving.drawing import Drawing, Pile
from gafreecell.solving.notations import IllegalMove

STOCK = "stock"
"""The pile on which one taps to draw, deal or turn the waste over."""


@dataclass(frozen=True)
class TableMove:
    """A legal move on the table.

    Attributes:
        move: its token.
        words: what it does.
        takes: the pile of the cards that it takes, and the place in it of the deepest of them; of
            a pair of cards from two piles both.
        to: the pile to which they go.
        tap: the pile on which one taps to make it, without choosing cards; None for other moves.
        piles: the position after it.
    """

    move: str
    words: str
    takes: tuple[tuple[int, int], ...]
    to: int
    tap: int | None
    piles: tuple[Pile, ...]


def boards_of(game: Game, board: Any, moves: Sequence[str]) -> list[Any]:
    """The board before the first move and after each.

    Raises:
        IllegalMove: naming the first move that is illegal.
        GameError: if the game does not list its moves.
    """
    lister = able(game, ListsMoves, "cannot list its moves")
    boards = [board]
    for number, move in enumerate(moves, start=1):
        try:
            boards.append(lister.after(boards[-1], move))
        except IllegalMove as fault:
            raise IllegalMove(f"move {number} {move!r:.40}: {fault}") from None
    return boards


def is_won(game: Game, board: Any) -> bool:
    """Whether nothing is left to play."""
    return isinstance(game, Verifies) and not refutation(game, board, ())


def drawing_of(game: Game, board: Any) -> Drawing:
    """The position as it is drawn.

    Raises:
        GameError: if the game draws no positions.
    """
    return next(iter(able(game, Draws, "draws no positions").positions(board, ())))


def table_moves(game: Game, board: Any) -> list[TableMove]:
    """The legal moves of a position, in the game's order: those that bring cards home first.

    A game lists one move for all that are equal by symmetry. Here each empty place has its own.
    """
    lister = able(game, ListsMoves, "cannot list its moves")
    drawer = able(game, Draws, "draws no positions")
    found = []
    for token in lister.legal_moves(board):
        first, last = drawer.positions(board, [token])
        made = _made(first, last.piles)
        found.append(made)
        for other in _alike(first.piles, made):
            with suppress(IllegalMove):
                lister.after(board, other.move)
                found.append(other)
    return found


def _made(first: Drawing, after: Sequence[Pile]) -> TableMove:
    """What a move does, from the drawings before and after it."""
    lay, lies = _places(first.piles), _places(after)
    moved = [card for card in first.cards if lay[card][0] != lies[card][0]]
    # A redeal takes no cards of its own.
    moved = moved or [card for card, (pile, _) in lay.items() if pile != lies[card][0]]
    takes: dict[int, int] = {}
    for card in moved:
        pile, place = lay[card]
        takes[pile] = min(place, takes.get(pile, place))
    to = lies[moved[0]][0]
    named = {first.piles[pile].name: pile for pile in (*takes, to)}
    is_word = first.move.isalpha() and len(first.move) > 2
    tap = named.get(STOCK, to) if is_word else None
    return TableMove(first.move, first.words, tuple(takes.items()), to, tap, tuple(after))


def _places(piles: Sequence[Pile]) -> dict[int, tuple[int, int]]:
    """The pile of each card, and its place there."""
    return {
        card: (index, place)
        for index, pile in enumerate(piles)
        for place, card in enumerate(pile.cards)
    }


def _alike(before: Sequence[Pile], made: TableMove) -> Iterator[TableMove]:
    """The same move to each other empty place of the same kind."""
    target, base, many = before[made.to], *_counted(made.move)
    if target.cards or target.home or not target.label or not base.endswith(target.label):
        return
    for index, other in enumerate(before):
        if index == made.to or other.cards or _kind(other) != _kind(target):
            continue
        after = list(made.piles)
        after[index], after[made.to] = replace(other, cards=after[made.to].cards), target
        move = base.removesuffix(target.label) + other.label + many
        words = made.words.replace(target.name, other.name)
        yield replace(made, move=move, words=words, to=index, piles=tuple(after))


def _counted(move: str) -> tuple[str, str]:
    """A move without the number of its cards, and that number as it is written: ``v3``."""
    base, letter, number = move.partition("v")
    return base, letter + number


def _kind(pile: Pile) -> str:
    """What piles of one kind have in common: ``cascade`` of ``cascade 3``."""
    return pile.name.rpartition(" ")[0]
