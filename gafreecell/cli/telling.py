"""Reports of games played with hidden cards, move by move, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any

from deals.words import plural
from gafreecell.cli.drawing import lines_of
from gafreecell.service.inputs import GivenDeal
from gafreecell.service.wording import in_words
from gafreecell.solitaire.abilities import Draws, HiddenPlay, ListsMoves, Numbered
from gafreecell.solitaire.game import Game, able
from gafreecell.solving.playing import Played
from gafreecell.terminal.tables import rounded

WIDTH = 79


def folded(text: str, indent: str = "", first: str = "") -> str:
    """A text wrapped to ``WIDTH`` columns, with the indents of its first and its other lines.

    Words stay whole, so that a path can be copied.
    """
    return fill(
        text, WIDTH, initial_indent=first, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def briefly(deal: GivenDeal, played: Played) -> str:
    """A game in one line."""
    ended = "won" if played.won else "lost"
    return f"{deal.title}: {ended}, {_counts(played)}"


def tell(game: Game, title: str, board: Any, played: Played) -> Iterator[str]:
    """A game as its player saw it: the deal, each move in words, and where it ended.

    Args:
        game: a game with ``HiddenPlay``.
        title: what was played, and who played it.
        board: where it began, all its cards known.
        played: the game.
    """
    yield from (folded(title), "", *_as_seen(game, board), "")
    yield from _steps(game, board, played.moves)
    if not played.won and isinstance(game, ListsMoves):
        for move in played.moves:
            board = game.after(board, move)
        yield from ("", "It ended here:", *_as_seen(game, board))
    yield from ("", ending(played))


def draw(game: Game, title: str, board: Any, played: Played, colours: bool) -> Iterator[str]:
    """Like ``tell``, but with the position drawn before each move; hidden cards are ``??``.

    Args:
        game: a game with ``HiddenPlay``.
        title: what was played, and who played it.
        board: where it began, all its cards known.
        played: the game.
        colours: whether to colour the cards.

    Raises:
        GameError: if its positions cannot be drawn.
    """
    draws = able(game, Draws, "cannot draw positions")
    player = able(game, HiddenPlay, "cannot be played with hidden cards").player
    lister = able(game, ListsMoves, "cannot list its moves")
    yield from (*draws.legend, "", folded(title), "")
    steps = _steps(game, board, played.moves)
    for move in (*played.moves, ""):
        (seen,) = draws.positions(player.seen(board), ())
        yield from (*lines_of(seen, colours), "")
        if move:
            yield from (next(steps), "")
            board = lister.after(board, move)
    yield ending(played)


def ending(played: Played) -> str:
    """How a game ended, with its counts."""
    return f"{'Won' if played.won else 'Lost'}: {_counts(played)}"


def _counts(played: Played) -> str:
    moves, decisions = plural(len(played.moves), "move"), plural(played.decisions, "decision")
    return f"{moves}, {decisions}, {rounded(played.seconds)} s"


def _as_seen(game: Game, board: Any) -> list[str]:
    """A board as text, with its hidden cards as unknown."""
    seen = able(game, HiddenPlay, "cannot be played with hidden cards").player.seen(board)
    return game.write_board(seen).splitlines() if isinstance(game, Numbered) else []


def _steps(game: Game, board: Any, moves: Sequence[str]) -> Iterator[str]:
    """Each move on a line: its number, the move, and the move in words."""
    wide = len(str(len(moves))), max(map(len, moves), default=0)
    words = in_words(game, board, moves) or [""] * len(moves)
    for number, (move, said) in enumerate(zip(moves, words, strict=True), start=1):
        start = f"{number:{wide[0]}}. {move:{wide[1]}}   "
        yield folded(start + said, " " * len(start)).rstrip()
