"""Moves and outcomes in words, as commands, hints and pages tell them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from deals.words import plural
from gafreecell.solitaire.abilities import Draws, HasPresets, ProvesUnsolvable
from gafreecell.solitaire.game import Game, full_title, usual_variant, variant_played
from gafreecell.solving.outcome import Limits, Outcome, Search, Status
from gafreecell.terminal.tables import rounded


def in_words(game: Game, board: Any, moves: Sequence[str]) -> list[str]:
    """Each of some legal moves in words; empty if the game cannot draw positions."""
    if not isinstance(game, Draws):
        return []
    return [one.words for one in game.positions(board, moves) if one.move]


def told_rules(game: Game, board: Any) -> str:
    """The game with the rules by which a deal is played; empty for the usual rules.

    Args:
        game: the game in its variant.
        board: the deal's board or number.
    """
    variant = variant_played(game, board)
    return full_title(game, variant) if variant != usual_variant(game.name) else ""


def told_game(game: Game, board: Any) -> str:
    """The game with the rules by which a deal is played, the usual ones, too (``usual_rules``)."""
    usual = getattr(game, "usual_rules", "")
    title = full_title(game, variant_played(game, board))
    return f"{title} with {usual}" if usual and title == game.title else title


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


def summary(outcome: Outcome, limits: Limits, game: Game, search: Search) -> str:
    """An outcome in a line: its status, the lengths of its solution, and its cost.

    Args:
        outcome: the outcome.
        limits: those of the search.
        game: the game in its variant.
        search: the search that returned it.
    """
    cost = f"{plural(outcome.nodes.generated, 'node')}, {_time(outcome.seconds)}"
    if outcome.moves is not None:
        return f"solved, {lengths_text(outcome.lengths or {})}; {cost}"
    if outcome.status.decided:
        return f"unsolvable after {cost}"
    return f"{undecided(outcome.status, limits, game, search)}; {cost}"


def result(outcome: Outcome) -> str:
    """An outcome in a player's words, without what the search counted."""
    if outcome.moves is not None:
        return solved_in(outcome.moves)
    return "This deal cannot be won" if outcome.status.decided else "Not solved"


def solved_in(moves: Sequence[str]) -> str:
    """A solution in a player's words."""
    return f"Solved in {plural(len(moves), 'move')}"


def proof(game: Game, board: Any, outcome: Outcome, search: Search) -> list[str]:
    """What proved a board unsolvable, in paragraphs; none if nothing did or the game cannot say.

    Args:
        game: the game in its variant.
        board: the position.
        outcome: its outcome.
        search: the search that returned it.
    """
    if outcome.status is not Status.UNSOLVABLE or not isinstance(game, ProvesUnsolvable):
        return []
    first, *rest = game.why_unsolvable(board, outcome, search.parameters)
    return [f"Proof: {first}", *rest]


def lengths_text(lengths: Mapping[str, int]) -> str:
    """A solution's lengths by unit: ``length single 88, column 84``."""
    return f"length {', '.join(f'{unit} {count}' for unit, count in lengths.items())}"


def undecided(status: Status, limits: Limits, game: Game, search: Search) -> str:
    """An undecided status, in words."""
    if status is Status.EXHAUSTED:
        other = ""
        if isinstance(game, HasPresets) and game.preset(game.default_preset).search != search:
            other = f"; try the preset {game.default_preset}"
        return (
            f"not decided: the search {search.name} leaves out some positions, so it can miss a "
            f"solution{other}"
        )
    within = {
        Status.NODE_LIMIT: plural(limits.nodes, "node"),
        Status.TIME_LIMIT: f"{limits.seconds or 0:g} s",
        Status.MEMORY_LIMIT: f"{limits.memory / 1e6:,.0f} MB of memory",
    }
    return f"not decided within {within[status]}"


def _time(seconds: float) -> str:
    """A duration: in milliseconds below one second, in seconds above."""
    return f"{rounded(seconds)} s" if seconds >= 1 else f"{rounded(1000 * seconds)} ms"
