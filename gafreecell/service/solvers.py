"""Finds solvers by name, and runs one on many deals."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, product
from pathlib import Path
from typing import TypeVar

from deals.errors import BadInput, did_you_mean
from gafreecell.installed import shipped
from gafreecell.service.inputs import GivenDeal, InputError
from gafreecell.solitaire.abilities import (
    HasOptions,
    HasPresets,
    HiddenPlay,
    MeasuresBoards,
    Searches,
)
from gafreecell.solitaire.game import (
    DEFAULT,
    Game,
    able,
    check_kind,
    games_where,
    presets_of,
    rules_text,
)
from gafreecell.solitaire.game import game as find_game
from gafreecell.solitaire.replaying import check_all
from gafreecell.solving.games import solved_by
from gafreecell.solving.outcome import Limits, Outcome, Search, Task
from gafreecell.solving.parameters import Value
from gafreecell.solving.stopping import interruptible
from gafreecell.solving.weights import Weights, check_game, read_weights
from gafreecell.workers.chosen import Workers

FURTHER = ("short", "depth-first")
"""The presets that go on where another solver gives up, if only the verdict matters: one finds
solutions that others miss, one meets many more positions in the same memory."""
GROWTH = 6
"""Their memory grows by this factor, so that all rounds but the last take a fifth of its time."""


def named_solver(name: str, game: Game, others: Collection[str] = ()) -> Weights:
    """The weights of a preset, a weights file or a run folder.

    Args:
        name: of the preset, the file or the folder.
        game: the game that should use them.
        others: names of further games whose weights are welcome.

    Raises:
        InputError: if the name is none of these.
        BadInput: if the file is for another game, or names what the game does not have.
    """
    if isinstance(game, HasPresets) and name in game.presets:
        return game.preset(name)
    if not os.path.exists(name):
        presets = ", ".join(presets_of(game)) or "none"
        guess = shipped.hint(name) or did_you_mean(name, presets_of(game))
        raise InputError(
            f"{name!r} is neither a file nor a preset; {game.title} has {presets}{guess}"
        )
    weights = weights_at(name)
    if weights.game not in others:
        check_solver(weights, game, name)
    return weights


def player_weights(name: str, game: Game) -> Weights:
    """The weights that a player of hidden cards is to use: a solver's, or another game's.

    The other games are its player's ``other_games``.

    Raises:
        BadInput: as ``named_solver`` does.
    """
    others = game.player.other_games if isinstance(game, HiddenPlay) else ()
    return named_solver(name, game, others)


def weights_at(path: str) -> Weights:
    """The weights in a file, or the best of a run folder, for any game.

    Raises:
        BadInput: if they cannot be read.
    """
    if Path(path).is_dir():
        # Imported here, because solving a deal does not need the code of evolution.
        from gafreecell.runs.run import load

        return load(path).weights
    return read_weights(path)


def named_solvers(names: Iterable[str], game: Game) -> dict[str, Weights]:
    """Solvers by their labels in tables and figures: short names, or the given ones if ambiguous.

    Raises:
        InputError: if a name is not a solver's, or is given twice.
    """
    return {label: named_solver(name, game) for label, name in labelled(names).items()}


def labelled(names: Iterable[str]) -> dict[str, str]:
    """Names of solvers by their labels: short names, or the given ones if these are ambiguous.

    Raises:
        InputError: if a name is given twice.
    """
    given = list(names)
    short = Counter(map(_label, given))
    found: dict[str, str] = {}
    for name in given:
        label = name if short[_label(name)] > 1 else _label(name)
        if label in found:
            raise InputError(f"{name!r} is given twice: name each solver once")
        found[label] = name
    return found


def _label(name: str) -> str:
    """The short name of a preset, a run or a file, without folders."""
    path = Path(name)
    return path.stem if path.suffix == ".json" else path.name or name


def game_for(names: Iterable[str], wanted: str | None = None) -> Game:
    """The game of all the named solvers.

    Args:
        names: presets, weights files, run folders. Other names are ignored.
        wanted: the game's name, if a user gave it.

    Returns:
        The game; the default one if the names leave it open.

    Raises:
        InputError: if the solvers are for different games.
    """
    if wanted is not None:
        return find_game(wanted)
    games = {name: found for name in names if (found := _games_of(name))}
    common = sorted(set.intersection(*map(set, games.values()))) if games else [DEFAULT]
    if not common:
        first, *others = games.items()
        # Each solver may share a game with the first although all of them share none.
        second = next((one for one in others if not set(one[1]) & set(first[1])), others[-1])
        raise InputError(
            f"{first[0]} is a solver for {' or '.join(first[1])}, {second[0]} for "
            f"{' or '.join(second[1])}: compare solvers for one game"
        )
    return find_game(DEFAULT if DEFAULT in common else common[0])


def _games_of(name: str) -> list[str]:
    """Names of the games that a solver may be for: those with such a preset, else the file's."""
    found = games_where(lambda game: name in presets_of(game))
    return found or ([weights_at(name).game] if os.path.exists(name) else [])


def game_of(solvers: Mapping[str, Weights], game: Game) -> Game:
    """The game in the variant that the solvers were made for; presets play any variant.

    Args:
        solvers: weights by their names in messages.
        game: the game.

    Raises:
        InputError: if two were made for different variants, or one for a variant
            that the game does not have.
    """
    first, wanted = "", game.variant
    for name, weights in solvers.items():
        if _is_preset(name, weights, game):
            continue
        check_game(weights, game.name, name)
        variant = {**game.variant, **weights.variant}
        if first and variant != wanted:
            raise InputError(
                f"{first} was made for {rules_of(game, wanted)}, {name} for "
                f"{rules_of(game, variant)}: compare solvers for one variant"
            )
        first, wanted = name, variant
    # The usual options are not asked for, so that boards may name others.
    declared = game.options if isinstance(game, HasOptions) else ()
    usual = {**{option.name: option.default for option in declared}, **game.variant}
    options = {key: value for key, value in wanted.items() if value != usual.get(key)}
    try:
        return game.vary(**options)
    except BadInput as error:
        raise InputError(f"{first}: {error}") from None


def made_for_others(solvers: Mapping[str, Weights], game: Game) -> Iterator[str]:
    """A sentence for each solver that was made for another variant.

    Presets play any variant, so those that were made for the usual one are not told.

    Args:
        solvers: weights by their names in the sentences.
        game: the registered game in the variant that they are used in.
    """
    usual = find_game(game.name)
    for name, weights in solvers.items():
        made_for = usual.vary(**weights.variant).variant
        if made_for == usual.variant and _is_preset(name, weights, game):
            continue
        if made_for != game.variant:
            words = f"not for {rules_of(game, game.variant)}"
            yield f"{name} was made for {rules_of(game, made_for)}, {words}"


def _is_preset(name: str, weights: Weights, game: Game) -> bool:
    """Whether weights are a preset of this name, whatever the search and the limits."""
    if not isinstance(game, HasPresets) or name not in game.presets:
        return False
    preset = game.preset(name)
    return weights == replace(preset, search=weights.search, limits=weights.limits)


def rules_of(game: Game, variant: Mapping[str, Value]) -> str:
    """A game's options for people; the usual rules have no words of their own."""
    return rules_text(game, variant) or "the usual rules"


def check_solver(weights: Weights, game: Game, name: str = "") -> None:
    """Refuse weights that the game's solvers cannot use.

    Args:
        weights: what to check.
        game: the game.
        name: the name of the weights in messages.

    Raises:
        InputError: saying what does not fit.
    """
    prefix = f"{name}: " if name else ""
    check_game(weights, game.name, name)
    known = [feature.name for feature in game.features]
    weighed = weights.evaluator.features if weights.evaluator else ()
    unknown = [feature for feature in weighed if feature not in known]
    if unknown:
        raise InputError(
            f"{prefix}unknown features {', '.join(unknown)}; {game.title} has {', '.join(known)}"
        )
    try:
        game.check(weights.search)
        check_kind(game, weights.search.name, weights.evaluator)
        game.check(weights.search, weighed)
    except BadInput as error:
        raise InputError(f"{prefix}{error}") from None
    unguided = game.unguided if isinstance(game, Searches) else ()
    if weights.evaluator is None and weights.search.name not in unguided:
        raise InputError(f"{prefix}the search {weights.search.name} needs weights, got none")


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


def measuring(game: Game) -> MeasuresBoards:
    """The game, typed as one that tells the features of a position; ``GameError`` for others."""
    return able(game, MeasuresBoards, "does not tell the features of a position")


def default_solver(game: Game) -> str:
    """The default preset; ``GameError`` for a game without presets."""
    return able(game, HasPresets, "cannot be solved with presets: give --weights").default_preset


def further_solvers(game: Game) -> list[Weights]:
    """The game's presets that ``pursued`` asks, in order; none if it has none of these names."""
    if not isinstance(game, HasPresets):
        return []
    return [game.preset(name) for name in FURTHER if name in game.presets]


def pursued(outcome: Outcome, game: Game, limits: Limits, deal: GivenDeal) -> Outcome:
    """What further solvers make of a deal that another has given up.

    They take turns in rounds, each round with ``GROWTH`` times the memory of the one before, and
    the last with all that is allowed. So a deal that one of them decides soon does not wait until
    the others have filled the memory.

    Args:
        outcome: what came of the deal so far; returned as it is if it is decided.
        game: in its variant.
        limits: of each search.
        deal: the deal.

    Returns:
        The last outcome, with the nodes and the seconds of all.

    Raises:
        WrongSolution: if the replay of a solution fails.
    """
    if outcome.status.decided:
        return outcome
    rounds = [limits]
    while rounds[0].memory > Limits().memory:
        rounds.insert(0, replace(limits, memory=rounds[0].memory // GROWTH))
    nodes, seconds = outcome.nodes, outcome.seconds
    for most, weights in product(rounds, further_solvers(game)):
        (outcome,) = solved(weights, game, most, [deal])
        nodes, seconds = nodes + outcome.nodes, seconds + outcome.seconds
        if outcome.status.decided:
            break
    return replace(outcome, nodes=nodes, seconds=seconds)


def run_checked(
    deals: Iterable[GivenDeal],
    weights: Weights,
    game: Game,
    limits: Limits,
    jobs: Workers | int,
    moves: bool = True,
) -> Iterator[tuple[GivenDeal, Outcome]]:
    """Solve deals on several workers; yields each with its outcome, in order.

    Args:
        deals, weights, game, limits: what to solve, and how.
        jobs: who solves, or how many threads; -1 for one per core.
        moves: whether to keep the moves.

    Raises:
        WrongSolution: if the replay of a solution by the game's verifier, if any, fails.
    """

    def work(first: int, piece: list[GivenDeal]) -> list[Outcome]:
        return solved(weights, game, limits, piece, moves)

    return spread(deals, work, game, Workers.of(jobs))


def solved(
    weights: Weights, game: Game, limits: Limits, piece: Sequence[GivenDeal], moves: bool = True
) -> list[Outcome]:
    """The outcome of each of a few deals; the game's verifier, if any, replays each solution.

    Args:
        weights, game, limits: what solves the deals.
        piece: the deals.
        moves: whether to keep the moves.

    Raises:
        WrongSolution: if the replay fails.
    """
    boards = [deal.board for deal in piece]
    tasks = [Task(board, weights.evaluator, weights.search, limits) for board in boards]
    outcomes = solved_by(game, tasks)
    named = [(f"deal {deal.name}", deal.board) for deal in piece]
    check_all(named, outcomes, weights.search, game)
    return outcomes if moves else [outcome.without_moves() for outcome in outcomes]


Found = TypeVar("Found")


def spread(
    deals: Iterable[GivenDeal],
    work: Callable[[int, list[GivenDeal]], list[Found]],
    game: Game,
    workers: Workers,
    first: int = 0,
) -> Iterator[tuple[GivenDeal, Found]]:
    """``service.spreading.spread``; threads are not needed for a single deal."""
    left = iter(deals)
    begun = list(islice(left, 2))
    if not begun or (len(begun) == 1 and workers.backend == "threading"):
        with interruptible() as call:
            yield from zip(begun, call.run(work, first, begun) if begun else (), strict=True)
        return
    # joblib takes a tenth of a second to import.
    from gafreecell.service import spreading

    yield from spreading.spread(chain(begun, left), work, game, workers, first)
