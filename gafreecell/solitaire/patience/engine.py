"""The engine number of games given as rules (see ``solving.engine``)."""

from __future__ import annotations

from collections.abc import Iterator

from gafreecell.solitaire.patience import library
from gafreecell.solitaire.patience.game import RulesGame, game_of
from gafreecell.solving.outcome import Evaluator, Limits, Outcome, Phase, Search, Task

LIMITS = Limits(400)
DEALS = (1, 2)


def outcomes() -> Iterator[Outcome]:
    """Small tasks of every game of the library, each feature weighed, each phase reached."""
    for name in library.names():
        game = game_of(name, library.rules(name))
        yield from game.run([*_tasks(game)])


def _tasks(game: RulesGame) -> Iterator[Task]:
    baseline = game.preset("baseline").evaluator
    assert baseline is not None
    names = baseline.features
    turned = tuple(baseline.weights[::-1])
    weights, phases = (*baseline.weights, *turned), (Phase(100), Phase(None))
    schedule = Evaluator(names, weights, phases)
    for deal in DEALS:
        yield Task(deal, baseline, Search("portfolio"), LIMITS)
        yield Task(deal, baseline, Search("portfolio", {"dive": 0, "before": 0}), LIMITS)
        yield Task(deal, schedule, Search("portfolio", {"dive": 50, "before": 100}), LIMITS)
