"""Options that several commands have in common."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Mapping

from deals.checks import shown
from gafreecell.service.inputs import InputError, laid_out, numbered_as
from gafreecell.solitaire.abilities import HasGoals
from gafreecell.solitaire.game import Game, able
from gafreecell.solving.parameters import Value, read_assignment
from gafreecell.workers.chosen import Workers

SHORT_FORMS = ("cells", "cascades")
"""Options of FreeCell that need no ``--variant``."""


def varied(game: Game, given: Namespace) -> Game:
    """The game with the command line's options: ``--variant``, ``--cells``, ``--rows``, ..."""
    options = _options(given)
    game = laid_out(game.vary(**options) if options else game, getattr(given, "layout", None))
    return numbered_as(game, getattr(given, "numbers", None))


def asks_for_rules(given: Namespace) -> bool:
    """Whether the command line has options of the game."""
    return bool(_options(given))


def _options(given: Namespace) -> dict[str, Value]:
    options = dict(_option(word) for word in given.variant)
    for name in SHORT_FORMS:
        value = getattr(given, name, None)
        if value is not None:
            options[name] = value
    return options


def _option(word: str) -> tuple[str, Value]:
    """The name and the value in a word after ``--variant``; several in one word are refused."""
    several = re.split(r"[\s,;]+(?=[\w.]+=)", word)
    if len(several) > 1:
        mend = " ".join(f"--variant {one}" for one in several)
        raise InputError(f"--variant takes one KEY=VALUE, got {shown(word)}: write {mend}")
    return read_assignment(word, "--variant")


def assigned(given: Namespace) -> dict[str, Value]:
    """The parameters that ``--set`` gives."""
    return dict(read_assignment(word, "--set") for word in given.set)


def goal_of(game: Game, text: str) -> Mapping[str, Value]:
    """The search parameters of a ``--goal``; ``BadInput`` if the game has one goal only."""
    return able(game, HasGoals, "cannot be played for another goal: leave out --goal").goal(text)


def workers_of(given: Namespace) -> Workers:
    """Who solves.

    Raises:
        WorkersError: for options that contradict one another.
    """
    return Workers(given.jobs, given.backend, given.scheduler, given.wait)
