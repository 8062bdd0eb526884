"""What the built-in games can do, stated by type: mypy checks this module, nothing runs it."""

from __future__ import annotations

import gafreecell
from gafreecell.solitaire.abilities import (
    Draws,
    HasGoals,
    HasOptions,
    HasPresets,
    HiddenPlay,
    Interprets,
    LaysTable,
    ListsMoves,
    NamesRules,
    Numbered,
    ProvesUnsolvable,
    Rates,
    ReadsBoards,
    Recognises,
    Searches,
    Verifies,
    WritesSolutions,
)
from gafreecell.solitaire.game import Game
from gafreecell.solitaire.klondike.game import Klondike
from gafreecell.solitaire.pyramid.game import Pyramid
from gafreecell.solving.games import BaseGame
from gafreecell.testing import check_game
from hsd.game import FreeCell


def every_game_is(
    base: BaseGame, freecell: FreeCell, klondike: Klondike, pyramid: Pyramid
) -> tuple[
    list[Game],
    list[Searches],
    list[HasOptions],
    list[HasPresets],
    list[Numbered],
    list[WritesSolutions],
]:
    """What evolution and the commands need of all games, the base class included."""
    games = [base, freecell, klondike, pyramid]
    return [*games], [*games], [*games], [*games], [*games], [*games]


def some_games_are(
    freecell: FreeCell, klondike: Klondike, pyramid: Pyramid
) -> tuple[
    list[ReadsBoards],
    list[Verifies],
    list[HasGoals],
    list[Draws],
    list[HiddenPlay],
    list[Rates],
    list[Recognises],
    list[ProvesUnsolvable],
    list[ListsMoves],
    list[LaysTable],
    list[NamesRules],
    list[Interprets],
]:
    """What some games can do besides."""
    reads: list[ReadsBoards] = [freecell, klondike, pyramid]
    verifies: list[Verifies] = [freecell, klondike, pyramid]
    draws: list[Draws] = [freecell, klondike, pyramid]
    rates: list[Rates] = [freecell, pyramid]
    recognises: list[Recognises] = [freecell, klondike, pyramid]
    proves: list[ProvesUnsolvable] = [freecell, klondike, pyramid]
    goals: list[HasGoals] = [pyramid]
    lists: list[ListsMoves] = [freecell, klondike, pyramid]
    tables: list[LaysTable] = [freecell, klondike, pyramid]
    hidden: list[HiddenPlay] = [klondike]
    rules: list[NamesRules] = [klondike]
    more = recognises, proves, lists, tables
    interprets: list[Interprets] = [freecell, klondike]
    return reads, verifies, goals, draws, hidden, rates, *more, rules, interprets


def a_class_will_do(kind: type[BaseGame]) -> None:
    """Where a game can be handed in, so can its class."""
    gafreecell.solve(1, game=kind)
    gafreecell.solve_many([1], game=kind)
    gafreecell.resume("run", game=kind)
    gafreecell.evolve("job.toml", game=kind)
    check_game(kind)
