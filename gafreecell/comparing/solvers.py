"""Solvers on the same deals, and their comparison: ``evaluate`` in Python.

A deal is one observation. ``jobs`` measures runs in the same way.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeAlias

from deals.errors import BadInput
from deals.words import plural
from gafreecell.comparing.held_out import used_of
from gafreecell.comparing.pairs import compare_solvers, ranks_of, summarise
from gafreecell.comparing.solver_comparison import SolverComparison
from gafreecell.runs.folder import BEST, JOB
from gafreecell.runs.record import Run
from gafreecell.runs.run import load
from gafreecell.service.inputs import (
    GivenDeal,
    GivenDeals,
    InputError,
    board_of,
    check_deals,
    variants_in,
)
from gafreecell.service.interface import Options, deals_of, game_given, parameters_given, varied
from gafreecell.service.solvers import (
    game_for,
    game_of,
    labelled,
    named_solver,
    run_checked,
    with_parameters,
)
from gafreecell.solitaire.abilities import Numbered
from gafreecell.solitaire.game import AnyGame, Game, deals_named, full_title, presets_of
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.outcome import Limits, Outcome
from gafreecell.solving.weights import Weights
from gafreecell.terminal.progress import Bar, shown
from gafreecell.workers.chosen import Workers

Solver: TypeAlias = str | os.PathLike[str] | Weights | Run
"""A preset's name, the path of a weights file or a run folder, weights, or a run."""
USED = ("trained", "validated", "met")
"""The keys of provenance that name the deals which made weights, in a text or a list of texts."""
Watch = Callable[[str, int], AbstractContextManager[Callable[[int, bool], None]]]
"""Shows how far a solver is: takes its name and the number of deals. What it yields is called
with 1 and whether the deal was decided, for each deal."""


def evaluate(
    solvers: Solver | Iterable[Solver] | Mapping[str, Solver],
    deals: Any,
    game: AnyGame | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    jobs: Workers | int = -1,
    *,
    variant: Options | None = None,
    parameters: Options | None = None,
    progress: bool = False,
) -> SolverComparison:
    """Compare solvers on the same deals, as the command ``gafreecell evaluate`` does.

    One observation is a deal, so the result holds for these weights, not for the jobs that made
    them: ``gafreecell.compare`` compares jobs. Tests and intervals are those of
    ``comparing.pairs``: Wilcoxon's signed-rank test on log nodes, McNemar's exact test on
    the deals solved, Holm's correction, paired bootstrap (Hesterberg 2015).

    Args:
        solvers: presets' names, paths of weights files or run folders, or runs; or a mapping of
            names to any of these or to weights: ``{"mine": weights, "theirs": "hsdh"}``.
        deals: distinct deals as ``gafreecell.solve_many`` takes them (a ``range``, an iterable, a
            text such as ``"1-100"``, a ``Path``), or the name of a set of deals.
        game: the name of a registered game, or a game in the variant to play; the solvers' own
            by default.
        nodes: node budget of each deal, instead of the solvers' own.
        seconds: limit of processor time of each deal; not reproducible.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        variant: options of the game, such as ``{"cells": 3}``.
        parameters: parameters of every solver's search, such as ``{"shorten": 20000}``.
        progress: whether to show progress on stderr, as ``gafreecell.solve_many`` does.

    Returns:
        The comparison. The game's verifier has replayed every solution.

    Raises:
        BadInput: if there is no such solver, game or deal, solvers are for different games, a
            name or a deal is given twice, or an argument has the wrong type.
    """
    jobs = Workers.of(jobs)
    origins = _named(solvers)
    named = {name: _solver(one) for name, one in origins.items()}
    base = game_given(game, None) if game is not None else _game_of(named.values())
    found = {
        name: one if isinstance(one, Weights) else named_solver(one, base)
        for name, one in named.items()
    }
    chosen = base
    if game is None or isinstance(game, str):
        # By the preset's name: a preset plays any variant, whatever it is called here.
        names = [one if isinstance(one, str) else name for name, one in named.items()]
        chosen = game_of(dict(zip(names, found.values(), strict=True)), base)
    chosen = varied(chosen, variant)
    changes = parameters_given(parameters)
    found = {
        name: with_parameters(weights, changes, chosen, name) for name, weights in found.items()
    }
    taken, words = deals_and_names(deals, chosen)
    limits = {name: weights.limits.unless(nodes, seconds) for name, weights in found.items()}
    told = [f"{key}={value}" for key, value in changes.items()]
    with watched(progress, len(taken) * len(found)) as watch:
        return solvers_compared(found, origins, taken, words, chosen, limits, told, jobs, watch)


def solvers_compared(
    solvers: Mapping[str, Weights],
    origins: Mapping[str, Solver],
    deals: GivenDeals,
    words: Sequence[str],
    game: Game,
    limits: Mapping[str, Limits],
    changes: Sequence[str],
    jobs: Workers,
    watch: Watch,
) -> SolverComparison:
    """Run solvers on deals and compare them.

    Args:
        solvers: weights by the solver's name.
        origins: what gave these weights, by the solver's name.
        deals: the deals.
        words: their names.
        game: the game in its variant.
        limits: the limits of each deal, by the solver's name.
        changes: the parameters of search that were set for all solvers, as ``name=value``.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        watch: shows progress.

    Raises:
        InputError: if a deal is given twice, or there is none.
    """
    outcomes = outcomes_of(solvers, deals, game, limits, jobs, watch)
    variants = variants_in(deals, game)
    alike = len(variants) == 1
    shared = variants[0] if alike else game.variant
    return SolverComparison(
        game=game.name,
        variant=dict(shared),
        title=full_title(game, shared) if alike else f"{game.title} under several rules",
        deals=tuple(words),
        count=len(deals),
        solvers=solvers,
        limits=limits,
        changes=tuple(changes),
        outcomes=outcomes,
        summaries={name: summarise(found) for name, found in outcomes.items()},
        pairs=tuple(compare_solvers(outcomes)),
        ranks=ranks_of(outcomes),
        seen=_deals_seen(solvers, origins, deals, game),
    )


def _deals_seen(
    solvers: Mapping[str, Weights], origins: Mapping[str, Solver], deals: GivenDeals, game: Game
) -> dict[str, int]:
    """How many of the deals each solver trained or validated on, if it used some.

    Weights say it themselves; those of older versions do not, but may lie in the folder of a run.

    Args:
        solvers: weights by the solver's name.
        origins: what gave these weights, by the solver's name.
        deals: the deals; boards count as unused.
        game: the game, whose presets are no runs.
    """
    numbers = [deal.board for deal in deals if isinstance(deal.board, int)]
    found = {}
    for name, weights in solvers.items():
        told = weights.provenance
        lists = [one if isinstance(one, list) else [one] for one in map(told.get, USED)]
        named = [one for texts in lists for one in texts if isinstance(one, str)]
        if not named:
            named = _of_run(origins[name], game)
        readable = [one for one in named if _are_deals(one, game)] if numbers else []
        found[name] = used_of(numbers, readable, game) if readable else 0
    return {name: seen for name, seen in found.items() if seen}


def _are_deals(named: str, game: Game) -> bool:
    """Whether a word names deals; provenance is free, so it may be anything."""
    with suppress(BadInput):
        return bool(deals_named(game, named))
    return False


def _of_run(origin: Solver, game: Game) -> list[str]:
    """The deals that the run used in whose folder a weights file lies; none if it is not there."""
    if not isinstance(origin, str | os.PathLike) or origin in presets_of(game):
        return []
    folder = _run_folder(Path(origin))
    if folder is None:
        return []
    deals = load(folder).job.deals
    return [deals.train, deals.validation]


def _run_folder(path: Path) -> Path | None:
    """The run that a solver comes from: the folder itself, or that of a file in its ``weights``."""
    if path.is_dir():
        return path
    folder = path.resolve().parents[1] if path.parent.name == Path(BEST).parent.name else None
    return folder if folder and (folder / JOB).is_file() else None


def outcomes_of(
    solvers: Mapping[str, Weights],
    deals: GivenDeals,
    game: Game,
    limits: Mapping[str, Limits],
    jobs: Workers,
    watch: Watch,
) -> dict[str, tuple[Outcome, ...]]:
    """The outcomes of each solver on the deals, without moves; every solution is replayed.

    Raises:
        InputError: if a deal is given twice, or there is none.
    """
    _check_distinct(deals, game)
    check_deals(deals, game)
    results = {}
    for name, weights in solvers.items():
        outcomes = []
        with watch(name, len(deals)) as advance:
            for _, outcome in run_checked(deals, weights, game, limits[name], jobs, moves=False):
                outcomes.append(outcome)
                advance(1, outcome.status.decided)
        results[name] = tuple(outcomes)
    return results


def deals_and_names(given: Any, game: Game) -> tuple[GivenDeals, tuple[str, ...]]:
    """The deals that a caller gives, and the words that name them in reports.

    Raises:
        BadInput: if there are no such deals.
    """
    if isinstance(given, str):
        word = given.strip()
        if isinstance(game, Numbered) and re.fullmatch(r"[A-Za-z][\w.-]*", word):
            return GivenDeals([game.deal_set(word)]), (word,)
        deals = deals_of(given, game)
        return deals, (word if "\n" not in word and not any(deals.boards()) else "as given",)
    deals = deals_of(given, game)
    if isinstance(given, os.PathLike):
        return deals, (os.fspath(given),)
    return deals, (_range_of([deal.board for deal in deals]) or "as given",)


@contextmanager
def watched(progress: bool, total: int) -> Iterator[Watch]:
    """Show one bar for all solvers on stderr in the ``with`` block, if ``progress``.

    Args:
        progress: whether to show it.
        total: the number of deals times the number of solvers.
    """
    done = 0
    with shown(eager=True) if progress else nullcontext() as display:

        @contextmanager
        def watch(name: str, _: int) -> Iterator[Callable[[int, bool], None]]:
            def advance(more: int, _: bool) -> None:
                nonlocal done
                done += more
                if display:
                    display.show([Bar("deals", done, total, name)])

            yield advance

        if display:
            display.show([Bar("deals", 0, total)])
        yield watch


def _range_of(boards: Sequence[Any]) -> str:
    """A row of deal numbers as a range; empty for anything else."""
    if not boards or not all(isinstance(one, int) for one in boards):
        return ""
    first, last = boards[0], boards[-1]
    if boards != [*range(first, first + len(boards))]:
        return ""
    return f"{first}-{last}" if last > first else f"{first}"


def _check_distinct(deals: GivenDeals, game: Game) -> None:
    """Refuse deals given twice: intervals and tests assume independent deals."""
    if not len(deals):
        raise InputError("there are no deals to compare on: give at least one")
    pasted = isinstance(game, Numbered) and any(deals.boards())

    def key(deal: GivenDeal) -> Hashable:
        if isinstance(deal.board, int) and not pasted:
            return deal.board
        return game.write_board(board_of(deal, game)) if isinstance(game, Numbered) else id(deal)

    times: dict[Hashable, list[GivenDeal]] = {}
    for deal in deals:
        times.setdefault(key(deal), []).append(deal)
    twice = [found[0] for found in times.values() if len(found) > 1]
    if twice:
        first = twice[0].source or f"deal {twice[0].name}"
        raise InputError(
            f"{first} is given more than once ({plural(len(twice), 'repeated deal')} in all): a "
            "comparison needs distinct deals"
        )


def _named(given: Any) -> dict[str, Solver]:
    """The solvers that a caller gives, by the names to show."""
    if isinstance(given, Mapping):
        if not all(isinstance(name, str) for name in given):
            raise InputError(f"names of solvers must be strings, got {list(given)!r:.60}")
        found = dict(given)
    else:
        several = isinstance(given, Iterable) and not isinstance(given, str | bytes)
        items = list(given) if several else [given]
        paths = [_path_of(one) for one in items]
        place = dict(zip(paths, items, strict=True))
        found = {label: place[path] for label, path in labelled(paths).items()}
    if not found:
        raise InputError("there is no solver to evaluate: give at least one")
    return found


def _path_of(one: Any) -> str:
    """What names a solver in a list: its path or its preset's name."""
    if isinstance(one, Weights):
        raise InputError('weights need a name: give a mapping such as {"mine": weights}')
    return _text_of(one.folder if isinstance(one, Run) else one)


def _solver(one: Any) -> str | Weights:
    if isinstance(one, Run):
        return one.weights
    return one if isinstance(one, Weights) else _text_of(one)


def _text_of(one: Any) -> str:
    if not isinstance(one, str | os.PathLike):
        raise InputError(
            "a solver must be a preset's name, a path, a gafreecell.Run or, in a mapping, "
            f"gafreecell.Weights, got {one!r:.60}"
        )
    return os.fspath(one)


def _game_of(solvers: Iterable[str | Weights]) -> Game:
    """The game of solvers that leave it open."""
    solvers = list(solvers)
    games = [one.game for one in solvers if isinstance(one, Weights)]
    if games:
        return find_game(games[0])
    return game_for(one for one in solvers if isinstance(one, str))
