"""Solvers as users name them, and running one over many deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Protocol, TypeVar

from deals.errors import BadInput, did_you_mean
from gafreecell.abilities import HasPresets, Rates, Searches
from gafreecell.game import (
    DEFAULT,
    Game,
    able,
    check_kind,
    games_where,
    presets_of,
    variant_text,
)
from gafreecell.game import game as find_game
from gafreecell.inputs import Deal, InputError
from gafreecell.replaying import check_all, check_moves
from solving.outcome import Limits, Outcome, Search, Task
from solving.parameters import Value
from solving.rating import Rating
from solving.stopping import interruptible
from solving.weights import Weights, check_game, read_weights

PIECE = 64
"""Deals that a worker takes at once, at most."""
PIECE_SECONDS = 0.2
"""About how long they may take, so that slow solvers' answers come one by one."""


def named_solver(name: str, game: Game) -> Weights:
    """The weights of a preset, a weights file or a run folder.

    Raises:
        InputError: if the name is none of these.
        BadInput: if the file is of another game, or names what the game does not have.
    """
    if isinstance(game, HasPresets) and name in game.presets:
        return game.preset(name)
    if not Path(name).exists():
        presets = ", ".join(presets_of(game)) or "none"
        guess = did_you_mean(name, presets_of(game))
        raise InputError(f"{name!r} is no file and no preset; {game.title} has {presets}{guess}")
    weights = weights_at(name)
    check_solver(weights, game, name)
    return weights


def weights_at(path: str) -> Weights:
    """The weights in a file, or the best of a run folder, of whatever game they are.

    Raises:
        BadInput: if they cannot be read.
    """
    if Path(path).is_dir():
        # What evolves need not be loaded to solve a deal.
        from gafreecell.run import load

        return load(path).weights
    return read_weights(path)


def named_solvers(names: Iterable[str], game: Game) -> dict[str, Weights]:
    """Solvers by what tables and figures call them: in short, or as given where that is taken.

    Raises:
        InputError: if a name is no solver, or is given twice.
    """
    given = list(names)
    short = Counter(map(_label, given))
    solvers: dict[str, Weights] = {}
    for name in given:
        label = name if short[_label(name)] > 1 else _label(name)
        if label in solvers:
            raise InputError(f"{name!r} is given twice: name each solver once")
        solvers[label] = named_solver(name, game)
    return solvers


def _label(name: str) -> str:
    """A preset's name, a run's, or a file's without its folder."""
    path = Path(name)
    return path.stem if path.suffix == ".json" else path.name or name


def game_for(names: Iterable[str], wanted: str | None = None) -> Game:
    """The one game of which all the named solvers are.

    Args:
        names: presets, weights files, run folders. A name that is none of these says nothing.
        wanted: the game's name, where a user gave it.

    Returns:
        The game; the usual one where the names leave it open.

    Raises:
        InputError: if they are solvers of different games.
    """
    if wanted is not None:
        return find_game(wanted)
    games = {name: found for name in names if (found := _games_of(name))}
    common = sorted(set.intersection(*map(set, games.values()))) if games else [DEFAULT]
    if not common:
        first, *others = games.items()
        # Of several solvers each may share a game with the first, and all of them none.
        second = next((one for one in others if not set(one[1]) & set(first[1])), others[-1])
        raise InputError(
            f"{first[0]} is a solver of {' or '.join(first[1])}, {second[0]} of "
            f"{' or '.join(second[1])}: compare solvers of one game"
        )
    return find_game(DEFAULT if DEFAULT in common else common[0])


def _games_of(name: str) -> list[str]:
    """Names of the games that a solver can be of: those with such a preset, else the file's."""
    found = games_where(lambda game: name in presets_of(game))
    return found or ([weights_at(name).game] if Path(name).exists() else [])


def game_of(solvers: Mapping[str, Weights], game: Game) -> Game:
    """The game in the variant that the solvers were made for; presets play any.

    Args:
        solvers: weights by what messages call them.
        game: the game.

    Raises:
        InputError: if two were made for different variants, or one for a variant
            that the game does not have.
    """
    first, wanted = "", game.variant
    for name, weights in solvers.items():
        if isinstance(game, HasPresets) and name in game.presets and weights == game.preset(name):
            continue
        check_game(weights, game.name, name)
        variant = {**game.variant, **weights.variant}
        if first and variant != wanted:
            raise InputError(
                f"{first} was made for {variant_text(wanted) or 'no options'}, {name} for "
                f"{variant_text(variant) or 'no options'}: "
                "compare solvers of one game"
            )
        first, wanted = name, variant
    options = {key: value for key, value in wanted.items() if value != game.variant.get(key)}
    try:
        return game.vary(**options)
    except BadInput as error:
        raise InputError(f"{first}: {error}") from None


def check_solver(weights: Weights, game: Game, name: str = "") -> None:
    """Refuse weights that the game's solvers cannot take.

    Args:
        weights: what to check.
        game: the game.
        name: what messages call the weights.

    Raises:
        InputError: saying what does not fit.
    """
    prefix = f"{name}: " if name else ""
    check_game(weights, game.name, name)
    known = [feature.name for feature in game.features]
    unknown = [
        feature
        for feature in (weights.evaluator.features if weights.evaluator else ())
        if feature not in known
    ]
    if unknown:
        raise InputError(
            f"{prefix}unknown features {', '.join(unknown)}; {game.title} has {', '.join(known)}"
        )
    try:
        game.check(weights.search)
    except BadInput as error:
        raise InputError(f"{prefix}{error}") from None
    try:
        check_kind(game, weights.search.name, weights.evaluator)
        game.check(weights.search, weights.evaluator.features if weights.evaluator else ())
    except BadInput as error:
        raise InputError(f"{prefix}{error}") from None
    unguided = game.unguided if isinstance(game, Searches) else ()
    if weights.evaluator is None and weights.search.name not in unguided:
        raise InputError(f"{prefix}the search {weights.search.name} needs weights, here are none")


def with_parameters(
    weights: Weights, parameters: Mapping[str, Value], game: Game, name: str = ""
) -> Weights:
    """Weights whose search has other parameters.

    Args:
        weights: what to change.
        parameters: by name; the search keeps its others.
        game: the game.
        name: what messages call the weights.

    Raises:
        InputError: if the search has no such parameter, or not with such a value.
    """
    search = Search(weights.search.name, {**weights.search.parameters, **parameters})
    changed = replace(weights, search=search)
    check_solver(changed, game, name)
    return changed


def default_solver(game: Game) -> str:
    """The preset used where none is named; ``GameError`` for a game without presets."""
    return able(game, HasPresets, "has no presets: give --weights").default_preset


def run_all(
    deals: Iterable[Deal], weights: Weights, game: Game, limits: Limits, jobs: int
) -> Iterator[tuple[Deal, Outcome]]:
    """Solve deals on several threads; yields each with its outcome, in their order."""

    return spread(deals, partial(_solved, weights, game, limits, False), jobs)


def _solved(
    weights: Weights, game: Game, limits: Limits, checked: bool, piece: list[Deal]
) -> list[Outcome]:
    """Solve a few deals, and replay the solutions if they are to be checked."""
    boards = [deal.board for deal in piece]
    outcomes = game.run(
        [Task(board, weights.evaluator, weights.search, limits) for board in boards]
    )
    if checked:
        named = [(f"deal {deal.name}", deal.board) for deal in piece]
        check_all(named, outcomes, weights.search, game)
    return outcomes


def run_checked(
    deals: Iterable[Deal], weights: Weights, game: Game, limits: Limits, jobs: int
) -> Iterator[tuple[Deal, Outcome]]:
    """As ``run_all``, and each solution is replayed by the game's verifier if it has one.

    Raises:
        WrongSolution: if the replay fails.
    """
    return spread(deals, partial(_solved, weights, game, limits, True), jobs)


def check_solution(deal: Deal, outcome: Outcome, weights: Weights, game: Game) -> None:
    """Replay a solution if there is one and the game has a verifier.

    Raises:
        WrongSolution: if the moves do not solve the deal.
    """
    check_moves(deal.board, outcome.moves, weights.search, game, f"deal {deal.name}")


def rate_all(deals: Iterable[Deal], game: Rates, jobs: int) -> Iterator[tuple[Deal, Rating]]:
    """Grade deals on several threads; yields each with its rating, in their order."""
    return spread(deals, lambda piece: [game.rate(deal.board) for deal in piece], jobs)


class Timed(Protocol):
    """What was found of a deal, and how long it took."""

    @property
    def seconds(self) -> float:
        """Processor time."""
        ...


Found = TypeVar("Found", bound=Timed)


def spread(
    deals: Iterable[Deal], work: Callable[[list[Deal]], list[Found]], jobs: int
) -> Iterator[tuple[Deal, Found]]:
    """Do some work on deals on several threads; yields each with what was found, in their order.

    Args:
        deals: any number of them.
        work: finds something of each of a few deals.
        jobs: number of threads; -1 for one per core.
    """
    pace = [0.0]
    pieces = _pieces(iter(deals), pace)

    def found_of(piece: list[Deal]) -> list[tuple[Deal, Found]]:
        found = work(piece)
        pace[0] = sum(one.seconds for one in found) / len(found)
        return list(zip(piece, found, strict=True))

    with interruptible() as call:
        first, second = next(pieces, None), next(pieces, None)
        if second is None:
            # A single deal does not wait for a pool of threads.
            yield from call.run(found_of, first) if first else ()
            return
        from joblib import Parallel, delayed

        pool = Parallel(
            n_jobs=jobs,
            backend="threading",
            return_as="generator",
            batch_size=1,
            pre_dispatch="4*n_jobs",
        )
        everything = chain([first, second], pieces)
        for done in pool(delayed(call.run)(found_of, piece) for piece in everything):
            yield from done


def _pieces(deals: Iterator[Deal], pace: Sequence[float]) -> Iterator[list[Deal]]:
    """Deals in pieces that take about ``PIECE_SECONDS``; ``pace`` holds seconds a deal of late.

    Small pieces first: the first answers come at once, and few deals still share the cores.
    """
    size = 1
    while piece := list(islice(deals, size)):
        yield piece
        size = min(2 * size, PIECE, int(PIECE_SECONDS / max(pace[0], 1e-9)) + 1)
