"""Replays solutions with a game's verifier, which shares nothing with its solvers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from deals.checks import shown
from deals.errors import BadInput
from deals.words import plural
from gafreecell.solitaire.abilities import Interprets, Numbered, Verifies
from gafreecell.solitaire.game import Game, GameError
from gafreecell.solving.contract import blaming, breach, called
from gafreecell.solving.notations import Interpretation
from gafreecell.solving.outcome import Outcome, Search
from gafreecell.solving.parameters import NO_GOAL, Value

_ILLEGAL = re.compile(r"(?:move|step) ([0-9]{1,9}) ")
"""How the fault of an illegal move begins."""


class WrongSolution(GameError):
    """A solver returned moves that do not solve the deal: a bug in the game's code."""


def check_moves(
    deal: Any, moves: Sequence[str] | None, search: Search, game: Game, name: str = ""
) -> None:
    """Replay a search's solution, if there is one and the game has a verifier.

    Args:
        deal: a board or a deal number; solutions of deals with names are not replayed.
        moves: the solution; None if there is none.
        search: the search that returned it.
        game: the game.
        name: the deal's name in messages.

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
        try:
            fault = refutation(game, board, list(moves), search.parameters)
        except BadInput as error:
            fault = str(error)
    if fault:
        raise WrongSolution(
            f"{name}: {game.title}'s search {search.name} returned moves that its verifier "
            f"refuses: {fault}; either the search or the verifier is wrong"
        )


def check_all(
    deals: Sequence[tuple[str, Any]], outcomes: Sequence[Outcome], search: Search, game: Game
) -> None:
    """Like ``check_moves``, for the outcomes of many deals; all at once if the game can.

    Args:
        deals: pairs of a name for messages, and a board or deal number.
        outcomes: one for each deal.
        search: the search that returned them.
        game: the game.

    Raises:
        WrongSolution: if a solution does not solve its deal.
    """
    solved = [
        (name, deal, outcome.moves)
        for (name, deal), outcome in zip(deals, outcomes, strict=True)
        if outcome.moves is not None
    ]
    verify_many = getattr(game, "verify_many", None)
    if verify_many and not any(isinstance(deal, str) for _, deal, _ in solved):
        boards, solutions = [deal for _, deal, _ in solved], [moves for _, _, moves in solved]
        # Moves that are none are bad input to the verifier; here they are the search's fault.
        with blaming(game.name, None, "verify_many"), suppress(BadInput):
            faults = verify_many(boards, solutions, search.parameters)
            if len(faults) == len(solved) and not any(faults):
                return
    for name, deal, moves in solved:
        check_moves(deal, moves, search, game, name)


def judged(
    game: Verifies, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL
) -> Interpretation:
    """How moves that a person hands in are understood, and what is wrong with them.

    Raises:
        BadInput: if a word is no move, or the deal is solved before an illegal move; or if the goal
            asks for the most, and there may be more than the moves reach.
        GameError: if the verifier does not return text.
    """
    read = Interpretation(moves)
    if isinstance(game, Interprets):
        read = game.interpret(board, moves)
    given = not read.fault
    if given:
        read = replace(read, fault=refutation(game, board, read.moves, goal))
    illegal = _ILLEGAL.match(read.fault)
    number = int(illegal[1]) - 1 if illegal else 0
    # Such a text holds several solutions, or something else besides one.
    before = read.moves[:number] if given else read.moves
    if number and not refutation(game, board, before, goal):
        raise BadInput(
            f"the first {plural(number, 'move')} solve the deal: expected no moves after them"
        )
    closed_goal = getattr(game, "closed_goal", None)
    if not read.fault and closed_goal:
        reached = closed_goal(board, read.moves, goal)
        if reached:
            raise BadInput(
                "a replay cannot tell whether there is more than these moves reach: ask for a goal "
                f"that says how much suffices, as in {reached}"
            )
    return read


def refutation(
    game: Verifies, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL
) -> str:
    """What a game's verifier finds wrong with moves; empty if they solve the board.

    Raises:
        GameError: if the verifier does not return text.
    """
    fault: object = game.verify(board, moves, goal)
    if isinstance(fault, str):
        return fault
    asked = "verify must return a text"
    came = f"{shown(fault, 40)}, which is of the type {type(fault).__name__}"
    mend = 'return what is wrong with the moves in a sentence, or "" if they solve the board'
    raise GameError(breach(asked, came, mend))
