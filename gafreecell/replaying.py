"""Solutions replayed by a game's verifier, which shares nothing with its solvers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gafreecell.abilities import Numbered, Verifies, VerifiesMany
from gafreecell.game import Game, GameError
from solving.contract import blaming, breach, called
from solving.outcome import Outcome, Search
from solving.parameters import NO_GOAL, Value


class WrongSolution(GameError):
    """A solver returned moves that do not solve the deal: a fault of the game's code."""


def check_moves(
    deal: Any, moves: Sequence[str] | None, search: Search, game: Game, name: str = ""
) -> None:
    """Replay what a search returned, if these are moves and the game has a verifier.

    Args:
        deal: a board, a deal number or the name of another problem, which cannot be replayed.
        moves: None without a solution.
        search: returned them.
        game: the game.
        name: what messages call the deal.

    Raises:
        WrongSolution: if they do not solve the deal.
    """
    if moves is None or isinstance(deal, str) or not isinstance(game, Verifies):
        return
    name = name or called(deal)
    with blaming(game.name, deal, "verify"):
        board = deal
        if isinstance(deal, int) and isinstance(game, Numbered):
            board = game.read_deal(deal)
        fault = refutation(game, board, list(moves), search.parameters)
    if fault:
        raise WrongSolution(
            f"{name}: {game.title}'s search {search.name} returned moves that its verifier "
            f"refuses: {fault}; one of the two is wrong"
        )


def check_all(
    deals: Sequence[tuple[str, Any]], outcomes: Sequence[Outcome], search: Search, game: Game
) -> None:
    """As ``check_moves`` for the outcomes of many deals, all at once if the game can.

    Args:
        deals: boards and deal numbers, each behind what messages call it.
        outcomes: one for each.
        search: returned them.
        game: the game.

    Raises:
        WrongSolution: if a solution does not solve its deal.
    """
    solved = [
        (name, deal, outcome.moves)
        for (name, deal), outcome in zip(deals, outcomes, strict=True)
        if outcome.moves is not None
    ]
    if isinstance(game, VerifiesMany) and not any(isinstance(deal, str) for _, deal, _ in solved):
        boards, solutions = [deal for _, deal, _ in solved], [moves for _, _, moves in solved]
        with blaming(game.name, None, "verify_many"):
            faults = game.verify_many(boards, solutions, search.parameters)
        if len(faults) == len(solved) and not any(faults):
            return
    for name, deal, moves in solved:
        check_moves(deal, moves, search, game, name)


def refutation(
    game: Verifies, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL
) -> str:
    """What a game's verifier finds wrong with moves, empty if they solve the board.

    Raises:
        GameError: if it returns no text.
    """
    fault: object = game.verify(board, moves, goal)
    if isinstance(fault, str):
        return fault
    asked = "verify must return a text"
    came = f"{fault!r:.40}, which is of the type {type(fault).__name__}"
    mend = 'return what is wrong with the moves in a sentence, or "" if they solve the board'
    raise GameError(breach(asked, came, mend))
