"""Which moves of a position keep the win, by a search from the position after each move.

The sentences about a hint are made here, too, those for hidden cards included; commands and pages
only lay them out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from deals.errors import BadInput
from deals.words import plural
from gafreecell.service import wording
from gafreecell.service.inputs import GivenDeal
from gafreecell.service.solvers import default_solver, named_solver, run_checked
from gafreecell.solitaire.abilities import HiddenPlay, ListsMoves
from gafreecell.solitaire.game import Game, able
from gafreecell.solving.outcome import Limits, Outcome, Search, Status
from gafreecell.solving.playing import Alternative
from gafreecell.solving.weights import Weights

_CANNOT = "cannot list its moves"
NODES = 1_000_000
"""Default node budget of each position: some tenths of a second."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A legal move and what is known about the position after it.

    Attributes:
        move: its token.
        keeps_win: whether that position can be won: True if a solution was found, False if it is
            proved that there is none, None if neither.
        solution: the shortest one found that begins with this move, or one equal by symmetry; None
            without one.
    """

    move: str
    keeps_win: bool | None
    solution: tuple[str, ...] | None = None

    @property
    def left(self) -> int | None:
        """The moves of the solution that follow this one; None without one."""
        return None if self.solution is None else len(self.solution) - 1

    @property
    def worth(self) -> str:
        """What is known, in words."""
        return {True: "keeps the win", False: "loses", None: "undecided"}[self.keeps_win]


@dataclass(frozen=True, slots=True)
class Hint:
    """What a position is worth.

    Attributes:
        status: the position's: solved, unsolvable, or why it is undecided.
        moves: its legal moves: first those that keep the win, by moves left, then the undecided
            ones, then the losing ones; empty if the game is won or stuck.
        seconds: processor time of the searches.
        whole: the outcome of the search from the position itself.
    """

    status: Status
    moves: tuple[Judged, ...]
    seconds: float
    whole: Outcome

    @property
    def best(self) -> str | None:
        """The first move if it keeps the win."""
        return self.moves[0].move if self.moves and self.moves[0].keeps_win else None

    @property
    def solution(self) -> tuple[str, ...] | None:
        """The solution that begins with the best move; None if none was found."""
        return self.moves[0].solution if self.moves else self.whole.moves

    @property
    def unit(self) -> str:
        """What the game calls the moves of a solution, in the singular, if its lengths tell."""
        counts = self.whole.lengths or {}
        steps = len(counts) == 1 and counts.get("steps") == len(self.whole.moves or ())
        return "step" if steps else "move"

    @property
    def decided(self) -> bool:
        """Whether the position and every move are decided."""
        return self.status.decided and all(one.keeps_win is not None for one in self.moves)


def adviser_name(game: Game) -> str:
    """The preset that gives hints by default.

    Raises:
        GameError: if the game does not list its moves, or has no presets.
    """
    return able(game, ListsMoves, _CANNOT).adviser[0] or default_solver(game)


def adviser(game: Game) -> Weights:
    """The solver that gives hints by default: its solutions are short.

    Raises:
        GameError: if the game does not list its moves, or has no presets.
    """
    weights = named_solver(adviser_name(game), game)
    _, parameters = able(game, ListsMoves, _CANNOT).adviser
    search = Search(weights.search.name, {**weights.search.parameters, **parameters})
    return replace(weights, search=search)


def judge(
    board: Any,
    game: Game,
    weights: Weights,
    limits: Limits,
    jobs: int = -1,
    judged_one: Callable[[Judged], object] = lambda judged: None,
) -> Hint:
    """Judge every legal move of a position.

    A move keeps the win if a solution is found after it, and each solution is replayed by the
    game's rules if it has a verifier. It loses the win only by proof: the search says that the
    position after it, or the position itself, is unsolvable.

    Args:
        board: the position, all its cards known.
        game: what is played; it must list its moves.
        weights: the solver.
        limits: of each search.
        jobs: threads; -1 for one per core.
        judged_one: called with each move as soon as it is judged.

    Raises:
        GameError: if the game does not list its moves.
    """
    lister = able(game, ListsMoves, _CANNOT)
    ((_, whole),) = run_checked([GivenDeal(0, board)], weights, game, limits, 1)
    if whole.moves is not None and not whole.moves:
        return Hint(Status.SOLVED, (), whole.seconds, whole)
    tokens = lister.legal_moves(board)
    if whole.status is Status.UNSOLVABLE:
        lost = tuple(Judged(one, False) for one in tokens)
        return Hint(whole.status, lost, whole.seconds, whole)
    following = [GivenDeal(token, lister.after(board, token)) for token in tokens]
    judged, seconds = [], whole.seconds
    first = lister.listed(board, whole.moves[0]) if whole.moves else ""
    for deal, outcome in run_checked(following, weights, game, limits, jobs):
        seconds += outcome.seconds
        token = str(deal.name)
        known = [] if outcome.moves is None else [(token, *outcome.moves)]
        if token == first and whole.moves:
            known.append(whole.moves)
        keeps = True if known else False if outcome.status is Status.UNSOLVABLE else None
        judged.append(Judged(token, keeps, min(known, key=len, default=None)))
        judged_one(judged[-1])
    # Of moves that are as good the game lists the best first.
    judged.sort(key=lambda one: (_ORDER[one.keeps_win], one.left or 0))
    return Hint(_status(judged, whole), tuple(judged), seconds, whole)


_ORDER = {True: 0, None: 1, False: 2}


def _status(judged: Sequence[Judged], whole: Outcome) -> Status:
    """A position's status, from its moves and its own search."""
    if any(one.keeps_win for one in judged):
        return Status.SOLVED
    if all(one.keeps_win is False for one in judged):
        return Status.UNSOLVABLE
    return whole.status


def told(found: Hint) -> str:
    """What a position is worth, in a sentence."""
    if not found.moves and found.status is Status.SOLVED:
        return "The game is won: there is nothing left to play."
    if not found.moves:
        return "This position is lost: there is no legal move."
    if found.status is Status.UNSOLVABLE:
        return "This position is lost: no move keeps the win."
    if found.best:
        left = 1 + (found.moves[0].left or 0)
        return f"This position is won: {plural(left, found.unit)} to the end."
    return "It is undecided whether this position can be won."


def why_lost(game: Game, board: Any, found: Hint, search: Search) -> list[str]:
    """What proved a position lost, in paragraphs; none if nothing did or the game cannot say."""
    if found.moves and found.status is Status.UNSOLVABLE is not found.whole.status:
        return ["Proof: after each of its moves, a search proved the position lost."]
    return wording.proof(game, board, found.whole, search)


def told_chances(found: Sequence[Alternative]) -> str:
    """What a position with hidden cards is worth, or which moves may be as good as the first.

    Args:
        found: what ``HiddenPlay.advise`` returned for it.

    Returns:
        A sentence; empty if the first move is the best beyond the error of sampling.
    """
    if not found:
        return "The game is lost: whatever is played, it cannot be won."
    if found[0].low == 1:
        return "The game can be won." if found[0].moves else "The game is won."
    equals = sum(one.high >= found[0].chance for one in found[1:])
    others = "1 other move is" if equals == 1 else f"{equals} other moves are"
    return f"Within the error of sampling {others} as good." if equals else ""


def hides_cards(game: HiddenPlay, board: Any) -> bool:
    """Whether only a player can say what the moves of a board are worth.

    That is so if some of its cards are unknown, or if it says that they are to stay hidden.
    """
    if game.player.keeps_secrets(board):
        return True
    try:
        game.player.check_start(board)
    except BadInput:
        return True
    return False
