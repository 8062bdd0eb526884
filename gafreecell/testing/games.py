"""Checks that a game keeps the contract of ``solitaire.game.Game``."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

from joblib.externals.loky.backend.reduction import dumps

from gafreecell.installed import plugins
from gafreecell.runs.folder import BEST
from gafreecell.runs.run import evolve, load, resume
from gafreecell.service.solvers import named_solver
from gafreecell.solitaire.abilities import Searches
from gafreecell.solitaire.declarations import check_declared, check_word
from gafreecell.solitaire.game import Deal, Game, made, members_missing
from gafreecell.solving.contract import check_budget, check_outcome
from gafreecell.solving.features import Scales
from gafreecell.solving.outcome import Evaluator, Outcome, Search, Status, Task
from gafreecell.testing.abilities import ABILITIES
from gafreecell.testing.contract import (
    UNKNOWN,
    require,
    require_acceptance,
    require_refusal,
    told_as_breaches,
)
from gafreecell.testing.subject import Subject, brief, require_same_outcomes
from gafreecell.workers.chosen import Workers

FURTHER = 40
"""Training deals on which a feature may show that it matters."""
NODES = 20_000


def check_game(
    game: Game | type[Game] | str,
    deals: Sequence[Deal] = (),
    search: Search | None = None,
    nodes: int = NODES,
) -> list[str]:
    """Check that a game keeps the contract, including that of its abilities beyond ``Game``.

    An ability is checked only if the game has its protocol. Weights and evolution are checked only
    if the game has features, as nothing can evolve without them.

    Args:
        game: the game, its class if that can be called without arguments, or its registered name.
        deals: a few deals, none of them trivial, of which the search solves at least one; by
            default the first of the training deals.
        search: the search to run; by default the first that can weigh the default features.
        nodes: budget of each deal: the smaller, the faster the check.

    Returns:
        The names of the checks that were made.

    Raises:
        AssertionError: if the contract is broken, saying what was expected, what came and how to
            mend it.
    """
    found = plugins.find("game", game) if isinstance(game, str) else game
    with told_as_breaches("made from its class"):
        subject = Subject(made(found), deals, search, nodes)
    for name, check in _CHECKS.items():
        with told_as_breaches(name):
            check(subject)
    further = {
        name: check
        for name, (ability, check) in ABILITIES.items()
        if (
            hasattr(subject.game, ability)
            if isinstance(ability, str)
            else isinstance(subject.game, ability)
        )
    }
    # Evolution builds on everything else, so it comes last.
    further |= _OF_FEATURES if subject.features else {}
    for name, check in further.items():
        with told_as_breaches(name):
            check(subject)
    return [*_CHECKS, *further]


def _check_members(subject: Subject) -> None:
    game = subject.game
    lacking = ", ".join(members_missing(game))
    mend = "add them, or derive it from gafreecell.BaseGame, which has a default for most"
    require(not lacking, "a game must have every member of Game", f"one without {lacking}", mend)
    check_word(game.name, "name")
    kinds: dict[str, type[Any]] = {
        **dict.fromkeys(("title", "engine", "training", "validation"), str),
        **dict.fromkeys(("features", "default_features"), tuple),
        "variant": Mapping,
        "scales": Scales,
    }
    for member, kind in kinds.items():
        value = getattr(game, member)
        fine = isinstance(value, kind) and (value or kind is not str)
        require(fine, f"{member} must be a {kind.__name__}", repr(value), "change it")
    for member in ("vary", "check", "deals", "run"):
        value = getattr(game, member)
        require(callable(value), f"{member} must be a method", repr(value), "define it")
    fine, mend = min(game.scales.nodes, game.scales.moves) >= 1, "their logarithms are taken"
    require(fine, "scales must be positive", game.scales, mend)


def _check_variants(subject: Subject) -> None:
    game, variant = subject.game, dict(subject.game.variant)
    for name, value in variant.items():
        asked = f"the option {name} in variant must be a whole number or a word"
        require(type(value) in (int, str), asked, repr(value), "weights files keep no others")
    require_refusal(lambda: game.vary(**{UNKNOWN: 1}), "an unknown option in vary(...)")
    varied = dict(game.vary(**variant).variant)
    mend = "return a game with the options given, the others as they were"
    require(varied == variant, f"vary(**variant) must keep the variant {variant}", varied, mend)


def _check_deals(subject: Subject) -> None:
    game, sets = subject.game, []
    for name in (game.training, game.validation):
        deals, again = list(game.deals(name)), list(game.deals(name))
        asked = f"deals({name!r})"
        require(deals, f"{asked} must hold something", "nothing", "name another set")
        mend = "if they are drawn, draw them with a seed of their own"
        require(deals == again, f"{asked} must be the same each time", "others", mend)
        odd = [one for one in deals if type(one) not in (int, str)]
        mend = "runs keep deals in JSON: turn numpy's numbers into int"
        require(not odd, f"{asked} must hold numbers or names", repr(odd[:1]), mend)
        sets.append(set(deals))
    both = len(sets[0] & sets[1])
    mend = "deals that choose the best weights must not train them: change either set"
    require(not both, "training and validation must be disjoint", f"{both} in both", mend)
    require_refusal(lambda: game.deals(UNKNOWN), "an unknown set in deals(...)")


def _check_search(subject: Subject) -> None:
    game = subject.game
    require_refusal(lambda: game.check(Search(UNKNOWN)), "an unknown search in check(...)")
    names = tuple(feature.name for feature in subject.features)
    asked = f"the search {subject.search.name} with the features {', '.join(names) or 'none'}"
    require_acceptance(lambda: game.check(subject.search, names), f"check(...) of {asked}")


def _check_outcomes(subject: Subject) -> None:
    for task, outcome in zip(subject.tasks, subject.outcomes, strict=True):
        check_outcome(outcome, f"the outcome of {task.deal!r}")
    _, task, outcome = subject.solved
    bare = outcome.without_moves()
    fine = bare.moves is None and bare.lengths == outcome.lengths
    mend = "do not override Outcome.without_moves"
    require(fine, f"{task.deal!r} without its moves must keep its lengths", bare.lengths, mend)


def _check_repeats(subject: Subject) -> None:
    game, tasks = subject.game, subject.tasks
    try:
        copy: Any = pickle.loads(dumps(game))
    except Exception as error:
        mend = "keep no locks, files or searches in it: it is sent to worker processes"
        require(False, "a game must be picklable", repr(error), mend)
    ways: dict[str, Callable[[], Sequence[Outcome]]] = {
        "one by one once more": lambda: [subject.run(task) for task in tasks],
        "in one batch": lambda: game.run(tasks),
        "in reverse order": lambda: game.run(tasks[::-1])[::-1],
        "by a pickled copy": lambda: copy.run(tasks),
        "by vary(**variant)": lambda: game.vary(**game.variant).run(tasks),
    }
    mend = "let an outcome depend on its task alone: keep nothing from one task to the next"
    for way, run in ways.items():
        require_same_outcomes(tasks, run(), subject.outcomes, f"tasks run {way}", mend)
    mend = "let threads share nothing that changes: the threading backend runs several at once"
    for found in _in_two_threads(game, tasks):
        how = "tasks run in two threads at once"
        require_same_outcomes(tasks, found, subject.outcomes, how, mend)


def _in_two_threads(game: Game, tasks: list[Task]) -> list[list[Outcome]]:
    start = Barrier(2)

    def run(step: int) -> list[Outcome]:
        start.wait()
        return [outcome for task in tasks[::step] for outcome in game.run([task])][::step]

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(run, (1, -1)))


def _check_budgets(subject: Subject) -> None:
    first = zip(subject.deals, subject.outcomes, strict=False)
    needed = {deal: one.nodes.generated for deal, one in first if one.status is Status.SOLVED}
    for deal in subject.deals:
        short = needed.get(deal, 0)
        budgets = {1, 10, 100, short // 2, short - 1, subject.nodes}
        for nodes in sorted(one for one in budgets if one > 0):
            outcome = subject.run(subject.task(deal, subject.evaluators[0], nodes))
            proof = f"{deal!r}, which can be solved, must not be proved unsolvable"
            mend = "say unsolvable only where nothing is left to try, and node-limit at the limit"
            fine = not short or outcome.status is not Status.UNSOLVABLE
            require(fine, proof, f"{brief(outcome)} with a limit of {nodes}", mend)
            check_budget(outcome, nodes)
            fine = outcome.status.decided or outcome.status is Status.NODE_LIMIT or nodes > 1
            mend = "return the status node-limit when the limit ends a search"
            require(fine, "a search with a limit of 1 must end in node-limit", brief(outcome), mend)


def _check_weights(subject: Subject) -> None:
    deals, outcomes = subject.deals, list(map(brief, subject.outcomes))
    counts = {tuple(outcomes[i : i + len(deals)]) for i in range(0, len(outcomes), len(deals))}
    mend = "have the search use its evaluator, or check the game on harder deals with deals="
    came = f"{outcomes[0]} with each of {len(subject.evaluators)} weight vectors"
    unguided = subject.game.unguided if isinstance(subject.game, Searches) else ()
    fine = len(counts) > 1 or subject.search.name in unguided
    require(fine, "different weights must lead to different outcomes", came, mend)
    names = tuple(feature.name for feature in subject.features)
    weights = tuple(feature.high for feature in subject.features)
    alone = (weights[0], *(0.0 for _ in names[1:]))
    ways = {
        "features named in another order": ((names[::-1], weights[::-1]), (names, weights)),
        "features that are not named": ((names[:1], weights[:1]), (names, alone)),
    }
    for how, (one, other) in ways.items():
        first = [subject.run(subject.task(deal, Evaluator(*other))) for deal in deals]
        tasks = [subject.task(deal, Evaluator(*one)) for deal in deals]
        mend = "look up each weight by its feature's name; a feature not named has the weight 0"
        subject.require_same(tasks, first, how, mend)
    # Other features may matter for other parameters of the search alone. Another search may ignore
    # some by its nature: all that a beam chooses between has the same depth.
    usual = getattr(subject.game, "searches", (subject.search.name,))[0]
    for name in subject.game.default_features if subject.search.name == usual else ():
        ignored = f"the search must use the default feature {name}"
        mend = "have it weigh the feature, or check the game on other deals with deals="
        matters = name not in names or _matters(subject, names.index(name))
        require(matters, ignored, "the same outcomes whatever its weight", mend)
    wrong = subject.task(deals[0], Evaluator((UNKNOWN,), (1.0,)))
    require_refusal(lambda: subject.game.run([wrong]), "an unknown feature in run(...)")


def _matters(subject: Subject, place: int) -> bool:
    """Whether some outcome changes with the weight of a feature, alone or beside others.

    Features that seldom matter get further deals, unless the user chose them.
    """
    game, features = subject.game, subject.features
    if subject.search.name in getattr(game, "unguided", ()):
        return True
    low, high = ([getattr(feature, end) for feature in features] for end in ("low", "high"))
    further = () if subject.given else game.deals(game.training)[len(subject.deals) : FURTHER]
    for deal in (*subject.deals, *further):
        for others in ([0.0] * len(features), high, [f.baseline for f in features]):
            found = []
            for weight in (others[place], low[place], high[place]):
                weights = [*others[:place], weight, *others[place + 1 :]]
                found.append(brief(subject.run(subject.task(deal, subject.evaluator(weights)))))
            if found[1:] != [found[0]] * 2:
                return True
    return False


class _Few:
    """A game with only a few deals, whichever set is asked for."""

    def __init__(self, game: Game, few: Sequence[Deal]) -> None:
        self._game, self._few = game, few

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def vary(self, **options: Any) -> _Few:
        return _Few(self._game.vary(**options), self._few)

    def deals(self, name: str) -> Sequence[Deal]:
        return self._few


def _check_evolution(subject: Subject) -> None:
    game, search, deals, one = subject.game, subject.search, subject.deals, Workers(1)
    trained = {"search": search.name, "parameters": dict(search.parameters)}
    features = [feature.name for feature in subject.features]
    job = {
        "name": "check", "generations": 2, "game": game.name, "variant": dict(game.variant),
        "trained": {**trained, "features": features, "nodes": subject.nodes},
        "solvers": {"population": 3},
        "scheme": "resampled", "sample": {"deals": min(2, len(deals))},
        # This measure needs no baseline, whose counts would be left in the user's cache.
        "fitness": {"measure": "log-nodes"},
        # The few deals both train and validate.
        "deals": {"overlap": "allowed"},
    }  # fmt: skip
    with (
        plugins.standing_in("game", _Few(game, deals)),
        tempfile.TemporaryDirectory() as folder,
    ):
        whole, parted = Path(folder, "whole"), Path(folder, "parted")
        evolve(job, whole, one)
        evolve(job, parted, one, generations=1)
        resume(parted, 2, one)
        left, right = load(whole), load(parted)
        logs = [[{**line, "machine": None} for line in run.lines] for run in (left, right)]
        asked = f"a run that is resumed must equal one that was never interrupted, {logs[0]},"
        mend = "let an outcome depend on its task alone"
        require(left.state == right.state and logs[0] == logs[1], asked, logs[1], mend)
        named_solver(str(whole / BEST), game)


_CHECKS: dict[str, Callable[[Subject], None]] = {
    "members": _check_members,
    "features": lambda subject: check_declared(subject.game),
    "variants": _check_variants,
    "deals": _check_deals,
    "search": _check_search,
    "outcomes": _check_outcomes,
    "repeats": _check_repeats,
    "budgets": _check_budgets,
}
_OF_FEATURES: dict[str, Callable[[Subject], None]] = {
    "weights": _check_weights,
    "evolution": _check_evolution,
}
