"""What the built-in games can do, stated by type: mypy checks this module, nothing runs it."""

from __future__ import annotations

import gafreecell
from gafreecell.solitaire import abilities
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
    list[abilities.Searches],
    list[abilities.HasOptions],
    list[abilities.HasPresets],
    list[abilities.Numbered],
    list[abilities.WritesSolutions],
]:
    """What evolution and the commands need of all games, the base class included."""
    games = [base, freecell, klondike, pyramid]
    return [*games], [*games], [*games], [*games], [*games], [*games]


def some_games_are(
    freecell: FreeCell, klondike: Klondike, pyramid: Pyramid
) -> tuple[
    list[abilities.ReadsBoards],
    list[abilities.Verifies],
    list[abilities.HasGoals],
    list[abilities.Draws],
    list[abilities.HiddenPlay],
    list[abilities.Rates],
    list[abilities.Recognises],
    list[abilities.ProvesUnsolvable],
    list[abilities.ListsMoves],
    list[abilities.LaysTable],
    list[abilities.NamesRules],
    list[abilities.Interprets],
]:
    """What some games can do besides."""
    reads: list[abilities.ReadsBoards] = [freecell, klondike, pyramid]
    verifies: list[abilities.Verifies] = [freecell, klondike, pyramid]
    draws: list[abilities.Draws] = [freecell, klondike, pyramid]
    rates: list[abilities.Rates] = [freecell, pyramid]
    recognises: list[abilities.Recognises] = [freecell, klondike, pyramid]
    proves: list[abilities.ProvesUnsolvable] = [freecell, klondike, pyramid]
    goals: list[abilities.HasGoals] = [pyramid]
    lists: list[abilities.ListsMoves] = [freecell, klondike, pyramid]
    tables: list[abilities.LaysTable] = [freecell, klondike, pyramid]
    hidden: list[abilities.HiddenPlay] = [klondike]
    rules: list[abilities.NamesRules] = [klondike]
    more = recognises, proves, lists, tables
    interprets: list[abilities.Interprets] = [freecell, klondike]
    return reads, verifies, goals, draws, hidden, rates, *more, rules, interprets


def a_class_will_do(kind: type[BaseGame]) -> None:
    """Where a game can be handed in, so can its class."""
    gafreecell.solve(1, game=kind)
    gafreecell.solve_many([1], game=kind)
    gafreecell.resume("run", game=kind)
    gafreecell.evolve("job.toml", game=kind)
    check_game(kind)
