"""Answers those who play: the position, what can be played there, and a coach's word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from deals.cards import card_name
from gafreecell.pages.replay import HIDDEN, cards_of, piles_of
from gafreecell.service import table_moves, wording
from gafreecell.service.inputs import GivenDeal, InputError, board_of
from gafreecell.service.solvers import default_solver, named_solver, run_checked
from gafreecell.service.table_moves import TableMove
from gafreecell.solitaire.abilities import HiddenPlay, ListsMoves
from gafreecell.solitaire.game import Game
from gafreecell.solving.drawing import Pile
from gafreecell.solving.notations import IllegalMove
from gafreecell.solving.outcome import Outcome, Status
from gafreecell.web import playing

MOST_MOVES = 5_000
"""The longest game."""
QUICK_NODES = 200_000
"""The node limit of a coach's first answer, which comes while one plays."""
SAMPLES = 100
"""Determinizations of a coach's answer where cards are hidden."""
_CARD = re.compile(r"\b(?:[A2-9TJQK][CDHS])\b")


@dataclass(frozen=True)
class Seat:
    """A game in progress, as a request tells it.

    Attributes:
        game: under the rules by which a person plays.
        deal: the deal.
        start: its board.
        moves: those made.
        board: the position after them.
        open: whether the player asked to see all cards.
    """

    game: Game
    deal: GivenDeal
    start: Any
    moves: Sequence[str]
    board: Any
    open: bool

    def hides(self, pile: Pile) -> bool:
        """Whether the player does not know the cards of a pile that lie face down."""
        return not self.open and pile.name not in self._known

    @property
    def _known(self) -> set[str]:
        """The piles whose cards a player knows from the start, although they lie face down."""
        if not isinstance(self.game, HiddenPlay):
            return set()
        first = table_moves.drawing_of(self.game, self.start).piles
        return {pile.name for pile in first if pile.known}

    @property
    def unknown(self) -> set[int]:
        """The cards that the player has to be kept from seeing."""
        piles = table_moves.drawing_of(self.game, self.board).piles
        return {card for pile in piles if self.hides(pile) for card in pile.cards[: pile.face_down]}


def seated(asked: Mapping[str, Any]) -> Seat:
    """The game that a request is about.

    Args:
        asked: ``game``, ``text``, ``layout``, ``variant`` as for a solution; ``moves``; and
            whether all cards are ``open``.

    Raises:
        BadInput: saying what is wrong with the question.
    """
    rules = playing.people_play(asked.get("game"))
    variant = asked.get("variant") or {}
    if isinstance(variant, Mapping):
        asked = {**asked, "variant": {**rules, **variant}}
    game = playing.asked_game(asked)
    if not isinstance(game, ListsMoves):
        raise InputError(f"{game.title} cannot be played here: it does not list its moves")
    deal = playing.asked_deal(asked, game)
    start = board_of(deal, game)
    if isinstance(game, HiddenPlay):
        game.player.check_start(start)
    moves = asked.get("moves") or []
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise InputError(f"moves must be a list of texts, got {moves!r:.40}")
    if len(moves) > MOST_MOVES:
        raise InputError(f"a game may have {MOST_MOVES:,} moves, got {len(moves):,}")
    try:
        board = table_moves.position_after(game, start, moves)
    except IllegalMove as fault:
        raise InputError(str(fault)) from None
    return Seat(game, deal, start, moves, board, bool(asked.get("open")))


def position(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The position after the moves of a game, and what can be played.

    Returns:
        The ``title`` of the deal and the ``rules``; the ``piles`` and their ``cards``; the
        ``state`` in words; whether the game is ``won``; whether cards are ``hidden``; and the
        ``moves``, each with what it ``changes``. Cards that the player must not know are unknown.

    Raises:
        BadInput: as ``seated`` does.
    """
    at = seated(asked)
    drawing, unknown = table_moves.drawing_of(at.game, at.board), at.unknown
    piles = drawing.piles
    if not piles:
        raise InputError(f"{at.game.title} cannot be played here: it is drawn without piles")
    cards = [_seen(pile, unknown) for pile in piles]
    won = table_moves.is_won(at.game, at.board)
    legal = [] if won else table_moves.table_moves(at.game, at.board)
    return {
        "title": playing.title_of(at.deal),
        "rules": wording.told_game(at.game, at.start),
        "piles": piles_of(piles),
        "cards": cards,
        "state": drawing.state,
        "won": won,
        "hidden": any(pile.face_down and pile.cards for pile in piles) or at.open,
        "moves": [_told(one, cards, unknown) for one in legal],
    }


def _seen(pile: Pile, unknown: set[int]) -> list[int]:
    """The cards of a pile as their player sees them, as the data of a page have them."""
    shown = cards_of(pile)
    return [
        HIDDEN if card in unknown else number
        for card, number in zip(pile.cards, shown, strict=True)
    ]


def _told(one: TableMove, before: Sequence[list[int]], unknown: set[int]) -> dict[str, Any]:
    """A move as data, in which cards that it turns up are still unknown."""
    names = {card_name(card) for card in unknown}
    after = [_seen(pile, unknown) for pile in one.piles]
    told: dict[str, Any] = {
        "move": one.move,
        "words": _CARD.sub(lambda name: "??" if name[0] in names else name[0], one.words),
        "takes": one.takes,
        "to": one.to,
        "changes": {i: now for i, now in enumerate(after) if now != before[i]},
    }
    return told if one.tap is None else {**told, "tap": one.tap}


def coach(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Whether the position after the moves of a game can still be won.

    Args:
        asked: as for ``position``; with ``longer`` the search may take as long as one for a
            solution, otherwise only as long as a player does not wait.

    Returns:
        The ``status``: ``won`` or ``lost`` if that is proved, ``open`` if not; or ``chance`` where
        cards are hidden. For a won position the ``moves`` that win. For chances ``rows``, the best
        move first, as ``playing.hint`` has them.

    Raises:
        BadInput: as ``seated`` does.
    """
    at = seated(asked)
    if table_moves.is_won(at.game, at.board):
        return {"status": "won", "moves": []}
    if isinstance(at.game, HiddenPlay) and not at.open:
        return _chances(at.game, at.board)
    outcome = _searched(at, bool(asked.get("longer")))
    if outcome.moves is not None:
        return {"status": "won", "moves": list(outcome.moves)}
    return {"status": "lost" if outcome.status is Status.UNSOLVABLE else "open"}


def _searched(at: Seat, longer: bool) -> Outcome:
    weights = named_solver(default_solver(at.game), at.game)
    limits = playing.limited(weights.limits)
    if not longer:
        limits = replace(limits, nodes=min(limits.nodes, QUICK_NODES))
    ((_, outcome),) = run_checked([GivenDeal(0, at.board)], weights, at.game, limits, 1)
    return outcome


def _chances(game: Any, board: Any) -> dict[str, Any]:
    """What each move is worth to a player who does not know the hidden cards."""
    found = game.player.advise(board, playing.POLICY, {"samples": SAMPLES}, 0, None, None)
    if not found:
        return {"status": "lost"}
    if found[0].low == 1:
        return {"status": "won", "moves": list(found[0].moves)}
    return {"status": "chance", "rows": [playing.told_chance(game, board, one) for one in found]}
