"""What is said with every answer: unusual rules, and assumptions about boards.

A board whose text leaves something open has ``notes``: sentences such as ``played with 2 free
cells, ...``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gafreecell.cli.telling import folded
from gafreecell.service.inputs import GivenDeal, GivenDeals, variants_in
from gafreecell.service.solvers import made_for_others
from gafreecell.service.wording import told_rules
from gafreecell.solitaire.game import Game, usual_variant, variant_played
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.saying import say
from gafreecell.solving.weights import Weights


class Rules:
    """Says which deals are played by unusual rules: once for all in a row that share them.

    Args:
        game: the game in its variant.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._last = ""

    def lines(self, deal: GivenDeal) -> list[str]:
        """What is to be said before a deal's answer, as lines."""
        rules = told_rules(self._game, deal.board)
        if rules == self._last:
            return []
        self._last = rules
        return [rules or f"{self._game.title} with the usual rules"]


def played_variant(game: Game, deal: GivenDeal) -> dict[str, Any]:
    """The key of a JSON line that has a deal's options; none if they are the usual ones."""
    variant = variant_played(game, deal.board)
    return {"variant": dict(variant)} if variant != usual_variant(game.name) else {}


def notes(deal: GivenDeal) -> list[str]:
    """What was assumed about a deal, as lines."""
    return [folded(f"{deal.title}: {note}") for note in getattr(deal.board, "notes", ())]


def warn(deals: Iterable[GivenDeal]) -> None:
    """Print assumptions on stderr, for output that programs read or that goes to a file."""
    told: dict[str, list[str]] = {}
    for deal in deals:
        for note in getattr(deal.board, "notes", ()):
            told.setdefault(note, []).append(deal.title)
    for note, (first, *others) in told.items():
        more = f" and {len(others):,} more" if others else ""
        say(f"gafreecell: {first}{more}: {note}")


def warn_of_others(solvers: Mapping[str, Weights], game: Game, deals: GivenDeals) -> None:
    """Say on stderr which solvers are used in another variant than the one they were made for.

    Boards may have rules of their own, which need not be those of the command.
    """
    for variant in variants_in(deals, game):
        for line in made_for_others(solvers, find_game(game.name).vary(**variant)):
            say(f"gafreecell: {line}")
