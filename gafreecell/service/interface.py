"""The Python functions that solve, deal and verify: deals in, outcomes and verdicts out.

A deal is a number, a board, the text of a board, or a ``Path`` to a file with that text. A string
is always read as text, in the forms that ``gafreecell solve`` reads, and never as a file name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from deals.checks import plain, whole
from deals.checks import shown as brief
from deals.errors import BadInput
from gafreecell.service.inputs import (
    GivenDeal,
    GivenDeals,
    InputError,
    as_range,
    board_of,
    check_deals,
    deals_in,
    moves_in,
    named_options,
)
from gafreecell.service.solvers import (
    default_solver,
    game_of,
    measuring,
    named_solver,
    run_checked,
    with_parameters,
)
from gafreecell.solitaire.abilities import (
    ChecksDeals,
    HasGoals,
    HasPresets,
    Numbered,
    Verifies,
)
from gafreecell.solitaire.game import DEFAULT, AnyGame, Game, able, checked
from gafreecell.solitaire.game import game as find_game
from gafreecell.solitaire.replaying import check_moves, judged
from gafreecell.solving.files import read_text
from gafreecell.solving.games import solved_by
from gafreecell.solving.outcome import Limits, Outcome, Task
from gafreecell.solving.parameters import NO_GOAL, Value
from gafreecell.solving.scoring import score_of
from gafreecell.solving.stopping import interruptible
from gafreecell.solving.weights import Weights
from gafreecell.terminal.progress import counted
from gafreecell.workers.chosen import Workers

Options = Mapping[str, Value]


@dataclass(frozen=True)
class Verdict:
    """The result of replaying a solution by the rules; true if it solves the deal.

    Attributes:
        solved: whether every move is legal and the last one solves the deal.
        reason: what is wrong; empty if the solution is right.
        how: how the solution was read if not as written, such as ``with 50 automatic home moves by
            Microsoft's rule``; else empty.
    """

    solved: bool
    reason: str = ""
    how: str = ""

    def __bool__(self) -> bool:
        return self.solved


def solve(
    deal: Any,
    weights: str | os.PathLike[str] | Weights | None = None,
    game: AnyGame = DEFAULT,
    nodes: int | None = None,
    seconds: float | None = None,
    *,
    variant: Options | None = None,
    parameters: Options | None = None,
    goal: str | None = None,
) -> Outcome:
    """Solve a deal of any game.

    Args:
        deal: a deal number, a board (``gafreecell.deal``, ``gafreecell.read_boards``), the text
            of a board, or a ``Path`` to a file with one.
        weights: a preset's name, the path of a weights file or a run folder, or weights such as
            ``run.weights``; the game's default preset if None.
        game: the name of a registered game, which is played in the variant that the weights were
            made for; or a game in the variant to play: ``hsd.FreeCell(cells=3)``; or a class
            that makes a game without arguments.
        nodes: node budget, instead of the weights' own.
        seconds: limit of processor time; not reproducible.
        variant: options of the game, such as ``{"cells": 3}``, for deal numbers and texts; a board
            keeps the options that it has.
        parameters: parameters of the weights' search, such as ``{"shorten": 20000}``;
            ``gafreecell presets`` lists them.
        goal: a goal of Pyramid, such as ``"score"``; by default, to clear the pyramid.

    Returns:
        The outcome: its ``status``, and if that is solved, its ``moves`` and ``lengths``. The
        game's verifier has replayed the moves.

    Raises:
        BadInput: if there is no such game, preset, file or deal, or an argument has the wrong
            type.
    """
    solver, played, limits = _solver(weights, game, nodes, seconds, variant, parameters, goal)
    chosen = _one(deal, played)
    board = board_of(chosen, played)
    with interruptible() as call:
        task = Task(chosen.board, solver.evaluator, solver.search, limits)
        (outcome,) = call.run(solved_by, played, [task])
    # A board that is a number would be taken for a deal's.
    shown = chosen.board if isinstance(board, int) else board
    check_moves(shown, outcome.moves, solver.search, played, f"deal {chosen.name}")
    return outcome


def solve_many(
    deals: Any,
    weights: str | os.PathLike[str] | Weights | None = None,
    game: AnyGame = DEFAULT,
    nodes: int | None = None,
    seconds: float | None = None,
    jobs: Workers | int = -1,
    *,
    variant: Options | None = None,
    parameters: Options | None = None,
    goal: str | None = None,
    progress: bool = False,
) -> list[Outcome]:
    """Solve many deals of any game on several cores.

    Args:
        deals: a ``range``, or any iterable of deals as ``solve`` takes them; also one text or
            ``Path`` with numbers, ranges or boards.
        weights, game, nodes, seconds, variant, parameters, goal: as for ``solve``; the limits
            apply to each deal.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        progress: whether to show progress on stderr: a bar in a terminal or a notebook, elsewhere
            a plain line now and then.

    Returns:
        The outcomes, in the order of the deals.

    Raises:
        BadInput: as ``solve`` does.
    """
    workers = Workers.of(jobs)
    solver, played, limits = _solver(weights, game, nodes, seconds, variant, parameters, goal)
    chosen = deals_of(deals, played)
    check_deals(chosen, played)
    outcomes: list[Outcome] = []
    with counted(len(chosen), progress, good="decided", eager=True) as advance:
        for _, outcome in run_checked(chosen, solver, played, limits, workers):
            outcomes.append(outcome)
            advance(1, outcome.status.decided)
    return outcomes


def features(
    board: Any, game: AnyGame = DEFAULT, *, variant: Options | None = None
) -> dict[str, float]:
    """The features of a position, as searches weigh them at their start.

    Args:
        board: a deal as ``solve`` takes it.
        game, variant: as for ``solve``.

    Returns:
        The values by name, in the game's order.

    Raises:
        BadInput: if there is no such game or deal, or the game does not tell its features.
    """
    chosen = varied(game_given(game, None), variant)
    return _feature_values(board, chosen)


def score(
    board: Any,
    weights: str | os.PathLike[str] | Weights | None = None,
    game: AnyGame = DEFAULT,
    *,
    variant: Options | None = None,
    phase: int = 1,
) -> float:
    """What weights make of a position; searches try what has a lower score first.

    The searches that score in whole numbers round each coefficient to 24 binary places, so their
    scores may differ from this one in the last digits.

    Args:
        board, weights, game, variant: as for ``solve``.
        phase: of a schedule, counted from 1.

    Raises:
        BadInput: as ``features`` does, or if the weights do not score positions.
    """
    solver, played, _ = _solver(weights, game, None, None, variant, None, None)
    if solver.evaluator is None:
        raise InputError(f"the search {solver.search.name} has no weights, so it scores nothing")
    return score_of(solver.evaluator, _feature_values(board, played), phase)


def _feature_values(board: Any, game: Game) -> dict[str, float]:
    return dict(measuring(game).feature_values(board_of(_one(board, game), game)))


def deal(number: int, game: AnyGame = DEFAULT, *, variant: Options | None = None) -> Any:
    """The board of a deal number; ``str`` gives its text.

    Args:
        number: the deal number.
        game: the name of a registered game, or a game in the variant to play.
        variant: options of the game, such as ``{"cells": 3}``.

    Raises:
        BadInput: if there is no such game or deal.
    """
    chosen = game_given(game, variant)
    known = whole(number)
    if known is None:
        raise InputError(f"deal takes a deal number, got {brief(number)}")
    return board_of(GivenDeal(known, known), chosen)


def read_boards(
    source: str | os.PathLike[str], game: AnyGame = DEFAULT, *, variant: Options | None = None
) -> list[Any]:
    """The boards in a text or a file.

    Args:
        source: a text in any of the forms that ``gafreecell solve`` reads, or a ``Path`` to a
            file with one. Deal numbers in it stand for their boards.
        game: the name of a registered game, or a game in the variant to play.
        variant: options of the game, such as ``{"cells": 3}``.

    Raises:
        BadInput: naming the line that cannot be read.
    """
    chosen = game_given(game, variant)
    return [board_of(one, chosen) for one in _written(source, chosen)]


def presets(game: AnyGame = DEFAULT) -> dict[str, Weights]:
    """The solvers that come with a game, by name; empty for a game without presets.

    Args:
        game: the name of a registered game, or a game.

    Raises:
        BadInput: if there is no such game.
    """
    chosen = game_given(game, None)
    if not isinstance(chosen, HasPresets):
        return {}
    return {name: chosen.preset(name) for name in chosen.presets}


def verify(
    deal: Any,
    moves: Outcome | str | Iterable[str],
    game: AnyGame = DEFAULT,
    *,
    variant: Options | None = None,
    goal: str | None = None,
) -> Verdict:
    """Replay a solution by the rules alone, in code that shares nothing with the solvers.

    Args:
        deal: as for ``solve``.
        moves: a solved outcome, its moves, or a text of moves. Those of other programs are
            understood as the command ``verify`` does.
        game: the name of a registered game, or a game in the variant to play.
        variant: options of the game, such as ``{"cells": 3}``; by default, a deal number is
            played with those that a line of JSON or of rules in ``moves`` names.
        goal: as for ``solve``; one that asks for the most has to say how much suffices.

    Returns:
        The verdict: true if the moves solve the deal, otherwise false with a ``reason``.

    Raises:
        BadInput: if there is no such game or deal, the outcome has no moves, a word is no move,
            moves follow those that solve the deal, a text names another game or number, or the goal
            asks for the most and there may be more than the moves reach.
    """
    if not variant and isinstance(game, str) and isinstance(moves, str) and whole(deal) is not None:
        variant = named_options(moves, find_game(game))
    chosen = game_given(game, variant)
    verifier = able(chosen, Verifies, "cannot verify solutions")
    board = board_of(_one(deal, chosen), chosen)
    read = judged(verifier, board, _moves(moves, chosen, whole(deal)), _goal(goal, chosen))
    return Verdict(not read.fault, read.fault, read.how)


def game_given(given: AnyGame, variant: Options | None) -> Game:
    """The game that a caller names or hands in, with the options of ``variant``."""
    if isinstance(given, str):
        return varied(find_game(given), variant)
    if not hasattr(given, "run"):
        raise InputError(f"game must be a name, a game or its class, got {brief(given)}")
    return varied(checked(given), variant)


def varied(game: Game, variant: Options | None) -> Game:
    """The game with other options, if there are any."""
    options = _named_values(variant, 'variant must be a mapping such as {"cells": 3}')
    return game.vary(**options) if options else game


def _goal(goal: str | None, game: Game) -> Options:
    if goal is None or goal == "":
        return NO_GOAL
    return able(game, HasGoals, "cannot be played for another goal: leave out goal").goal(goal)


def _solver(
    weights: str | os.PathLike[str] | Weights | None,
    game: AnyGame,
    nodes: int | None,
    seconds: float | None,
    variant: Options | None,
    parameters: Options | None,
    goal: str | None,
) -> tuple[Weights, Game, Limits]:
    """The solver that the arguments describe, checked, its game and the limits for each deal."""
    chosen = game_given(game, None)
    if isinstance(weights, os.PathLike):
        weights = os.fspath(weights)
    if not isinstance(weights, str | Weights | None):
        raise InputError(
            f"weights must be a name, a path or gafreecell.Weights, got {brief(weights)}"
        )
    name = "these weights"
    if not isinstance(weights, Weights):
        name = default_solver(chosen) if weights is None else weights
        weights = named_solver(name, chosen)
    if isinstance(game, str):
        chosen = game_of({name: weights}, chosen)
    chosen = varied(chosen, variant)
    changes = {**_goal(goal, chosen), **parameters_given(parameters)}
    weights = with_parameters(weights, changes, chosen)
    return weights, chosen, weights.limits.unless(nodes, seconds)


def parameters_given(parameters: Options | None) -> Options:
    """The parameters of search that a caller gives, checked to be a mapping."""
    return _named_values(parameters, "parameters must be a mapping of names to values")


def _named_values(given: Any, what: str) -> Options:
    """Values by name, numpy's as Python's; none for None."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise InputError(f"{what}, got {brief(given)}")
    return {key: plain(value) for key, value in given.items()}


def _one(given: Any, game: Game) -> GivenDeal:
    """A single deal; a number is not checked yet."""
    number = whole(given)
    if number is not None:
        return GivenDeal(number, number)
    if isinstance(given, str | os.PathLike):
        deals = _written(given, game)
        if len(deals) != 1:
            raise InputError(f"expected one deal, got {len(deals):,}: use solve_many for many")
        return next(iter(deals))
    kind = type(game.read_deal(1)) if isinstance(game, Numbered) else object
    if given is None or isinstance(given, bool) or not _is_board(given, kind, game):
        raise InputError(
            f"a deal of {game.title} must be a number, a board ({kind.__name__}), its text or a "
            f"Path, got {brief(given)}"
        )
    return GivenDeal(getattr(given, "name", None) or 1, given)


def _is_board(given: Any, kind: type[Any], game: Game) -> bool:
    """Whether something is a board of a game: of the kind that it deals, or another it takes."""
    if isinstance(given, kind) or not isinstance(game, ChecksDeals):
        return isinstance(given, kind)
    try:
        game.check_deal(given)
    except BadInput:
        return False
    return True


def deals_of(given: Any, game: Game) -> GivenDeals:
    """The deals that a caller of ``solve_many`` gives."""
    if isinstance(given, str | os.PathLike):
        return _written(given, game)
    if isinstance(given, range):
        return GivenDeals([as_range(given, game)] if given else [])
    if not isinstance(given, Iterable) or isinstance(given, bytes) or whole(given) is not None:
        raise InputError(
            f"deals must be a range, a list of deals, a text or a Path, got {brief(given)}: use "
            "solve for a single deal"
        )
    items = [(item, whole(item)) for item in given]
    numbers = [number for _, number in items if number is not None]
    if numbers:
        # All at once: checking a single number would deal its board.
        as_range([min(numbers), max(numbers)], game)
    return GivenDeals([[_one(item, game).board if n is None else n for item, n in items]])


def _written(source: str | os.PathLike[str], game: Game) -> GivenDeals:
    """The deals in a text, or in a file."""
    if isinstance(source, os.PathLike):
        path = os.fspath(source)
        return deals_in(read_text(path, "a file of deals", InputError), path, game)
    if not isinstance(source, str):
        raise InputError(f"boards must be a text or a pathlib.Path to a file, got {brief(source)}")
    try:
        return deals_in(source, "the text", game)
    except BadInput as error:
        if os.path.isfile(source):
            raise InputError(
                f"{source!r} is read as the text of a board, but is not one: for the file of that "
                f"name give pathlib.Path({source!r})"
            ) from None
        raise error


def _moves(moves: Outcome | str | Iterable[str], game: Game, deal: int | None) -> list[str]:
    if isinstance(moves, Outcome):
        if moves.moves is None:
            raise InputError(f"the outcome has no moves to verify, its status is {moves.status}")
        return list(moves.moves)
    if isinstance(moves, str):
        return moves_in(moves, "the moves", game, deal)
    tokens = list(moves) if isinstance(moves, Iterable) else [moves]
    if not all(isinstance(token, str) for token in tokens):
        raise InputError(f"moves must be an outcome, a text or a list of words, got {brief(moves)}")
    return tokens
