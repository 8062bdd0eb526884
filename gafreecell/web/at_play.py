"""Answers those who play: the position, what can be played there, and a coach's word."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from typing import Any

from deals.cards import DECK
from deals.errors import BadInput
from gafreecell.pages.replay import HIDDEN, cards_of, piles_of
from gafreecell.service import hints, table_moves, wording
from gafreecell.service.inputs import GivenDeal, InputError, board_of
from gafreecell.service.solvers import default_solver, named_solver, run_checked
from gafreecell.service.table_moves import TableMove
from gafreecell.solitaire.abilities import (
    Draws,
    HiddenPlay,
    ListsMoves,
    MeasuresBoards,
    Numbered,
    Rates,
)
from gafreecell.solitaire.game import Game, able
from gafreecell.solving import stopping
from gafreecell.solving.drawing import Pile, name
from gafreecell.solving.notations import IllegalMove
from gafreecell.solving.outcome import Outcome, Status
from gafreecell.solving.rating import GRADES, word
from gafreecell.solving.scoring import ScoreError, score_of
from gafreecell.solving.weights import Weights
from gafreecell.web import playing

MOST_MOVES = 5_000
"""The longest game."""
QUICK_NODES = 200_000
"""The node limit of a coach's first answer, which comes while one plays."""
SAMPLES = 300
"""Determinizations of a coach's answer where cards are hidden."""
WINNABLE = "winnable"
KINDS = {word(grade): (grade, grade + 1) for grade in range(1, GRADES, 2)}
"""The grades of each kind of deal."""
MOST_TRIED = 300
"""How many deals are looked at for one of a kind."""
DEAL_SECONDS = 10.0
"""The most processor time of the searches for a deal that can be won."""
GRADE_SECONDS = 30.0
"""The same of those for a deal of a grade."""
_CARD = re.compile(r"\b(?:[A2-9TJQK][CDHS])\b")


@dataclass(frozen=True)
class Seat:
    """A game in progress, as a request tells it.

    Attributes:
        game: under the rules by which a person plays.
        deal: the deal.
        moves: those made.
        boards: the deal's, and the one after each of them.
        open: whether the player asked to see all cards.
    """

    game: Game
    deal: GivenDeal
    moves: Sequence[str]
    boards: Sequence[Any]
    open: bool

    @property
    def board(self) -> Any:
        """The position at which one plays."""
        return self.boards[-1]

    def hides(self, pile: Pile) -> bool:
        """Whether the player does not know the cards of a pile that lie face down."""
        return not self.open and pile.name not in self._known

    @property
    def _known(self) -> set[str]:
        """The piles whose cards a player knows from the start, although they lie face down."""
        if not isinstance(self.game, HiddenPlay):
            return set()
        first = table_moves.drawing_of(self.game, self.boards[0]).piles
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
        boards = table_moves.boards_of(game, start, moves)
    except IllegalMove as fault:
        raise InputError(str(fault)) from None
    opened = bool(asked.get("open"))
    if opened and isinstance(game, HiddenPlay):
        boards[-1] = game.player.opened(boards[-1])
        # The board has its rules with it; the options of the game may hide its cards again.
        game = playing.offered(asked.get("game"))
    return Seat(game, deal, moves, boards, opened)


def position(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The position after the moves of a game, and what can be played.

    Returns:
        The ``title`` of the deal and the ``rules``; the ``piles`` and their ``cards``; the
        ``state`` in words; the last move in ``words``; whether the game is ``won``; whether cards
        are ``hidden``; and the ``moves``, each with what it ``changes``. Cards that the player must
        not know are unknown.

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
        "rules": wording.told_game(at.game, at.boards[0]),
        "piles": piles_of(piles),
        "cards": cards,
        "state": drawing.state,
        "words": _last_move(at, cards, unknown),
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


def _last_move(at: Seat, now: Sequence[list[int]], unknown: set[int]) -> str:
    """The last move in words, with the cards that it turned up; empty before the first."""
    if not at.moves:
        return ""
    names = {name(card) for card in unknown} - _seen_names(now)
    return "".join(
        _without(names, said) for said in wording.in_words(at.game, at.boards[-2], at.moves[-1:])
    )


def _seen_names(cards: Sequence[list[int]]) -> set[str]:
    return {name(card % HIDDEN) for pile in cards for card in pile if card != HIDDEN}


def _without(names: set[str], words: str) -> str:
    """A move in words that do not name these cards."""
    return _CARD.sub(lambda card: "??" if card[0] in names else card[0], words)


def _told(one: TableMove, before: Sequence[list[int]], unknown: set[int]) -> dict[str, Any]:
    """A move as data, in which cards that it turns up are still unknown."""
    names = {name(card) for card in unknown}
    if not any(HIDDEN in before[pile][place:] for pile, place in one.takes):
        # Of two decks, it may be the other copy that lies face down.
        names -= _seen_names(before)
    after = [_seen(pile, unknown) for pile in one.piles]
    told: dict[str, Any] = {
        "move": one.move,
        "words": _without(names, one.words),
        "takes": one.takes,
        "to": one.to,
        "changes": {i: now for i, now in enumerate(after) if now != before[i]},
    }
    return told if one.tap is None else {**told, "tap": one.tap}


def coach(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Whether the position after the moves of a game can still be won.

    Args:
        asked: as for ``position``; with ``longer`` the search may take as long as one for a
            solution, otherwise only as long as a player does not wait; with ``short`` the solution
            is the shortest that two solvers find; with ``every`` each move is judged.

    Returns:
        The ``status``: ``won`` or ``lost`` if that is proved, ``open`` if not; or ``chance`` where
        cards are hidden. For a won position the ``moves`` that win; for chances, and with
        ``every``, the ``rows`` of a list of moves, the best first. If a longer search leaves it
        open, the move that the solver would play is its ``guess``. ``sees`` says that the coach
        knows cards that the player does not.

    Raises:
        BadInput: as ``seated`` does.
    """
    at = seated(asked)
    game, board = at.game, at.board
    if table_moves.is_won(game, board):
        return {"status": "won", "moves": []}
    if isinstance(game, HiddenPlay) and not at.open:
        return _chances(game, board)
    if asked.get("every"):
        found = playing.judged(game, board, hints.adviser(game))
        rows = [playing.told_judged(game, board, one) for one in found.moves]
        return {**_verdict(at, found.status, found.solution), "rows": rows}
    quick, longer, short = _quick(game), asked.get("longer"), asked.get("short")
    outcomes = []
    for weights in (quick, hints.adviser(game)) if short else (quick,):
        limits = playing.limited(weights.limits)
        if not longer and not short:
            limits = replace(limits, nodes=min(limits.nodes, QUICK_NODES))
        ((_, outcome),) = run_checked([GivenDeal(0, board)], weights, game, limits, 1)
        outcomes.append(outcome)
    best = min(outcomes, key=lambda one: inf if one.moves is None else len(one.moves))
    verdict = _verdict(at, best.status, best.moves)
    if verdict["status"] == "open" and longer:
        verdict |= {"guess": _guess(at, quick)}
    return verdict


def _quick(game: Game) -> Weights:
    return named_solver(default_solver(game), game)


def _verdict(at: Seat, status: Status, moves: Sequence[str] | None) -> dict[str, Any]:
    sees = {"sees": True} if at.unknown else {}
    if moves is not None:
        return {"status": "won", "moves": list(moves), **sees}
    return {"status": "lost" if status is Status.UNSOLVABLE else "open", **sees}


def _guess(at: Seat, weights: Weights) -> str | None:
    """The move to the position of the best score that the game has not had; None without one."""
    game, evaluator = at.game, weights.evaluator
    if not (evaluator and isinstance(game, ListsMoves) and isinstance(game, MeasuresBoards)):
        return None
    scores = {}
    for move in game.legal_moves(at.board):
        board = game.after(at.board, move)
        if board not in at.boards:
            # Some weights rate moves alone.
            with suppress(ScoreError):
                scores[move] = score_of(evaluator, game.feature_values(board))
    return min(scores, key=scores.__getitem__, default=None)


def _chances(game: Any, board: Any) -> dict[str, Any]:
    """What each move is worth to a player who does not know the hidden cards."""
    found = game.player.advise(board, playing.POLICY, {"samples": SAMPLES}, 0, None, None)
    if not found:
        return {"status": "lost"}
    if found[0].low == 1:
        return {"status": "won", "moves": list(found[0].moves)}
    return {"status": "chance", "rows": [playing.told_chance(game, board, one) for one in found]}


def deal(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The number of the first deal of a kind.

    Args:
        asked: ``game`` and ``variant``; the number ``since`` which to look; the ``kind``: ``any``,
            ``winnable``, or a grade of ``KINDS``.

    Raises:
        BadInput: saying what is wrong with the question, or that there is none near by.
    """
    game = playing.asked_game(asked)
    numbered = able(game, Numbered, "cannot deal by number")
    kind, since = str(asked.get("kind", "any")), asked.get("since")
    if kind not in kinds(game):
        raise InputError(f"kind must be one of {', '.join(kinds(game))}, got {kind!r:.40}")
    if not isinstance(since, int) or isinstance(since, bool):
        raise InputError(f"since must be a deal's number, got {since!r:.40}")
    left = DEAL_SECONDS if kind == WINNABLE else GRADE_SECONDS
    for number in range(since, since + MOST_TRIED):
        stopping.check()
        if left <= 0:
            break
        board = numbered.read_deal(number)
        if kind == "any":
            return {"deal": number}
        if kind == WINNABLE:
            found = _searched(game, board, left)
            left -= found.seconds
            if found.moves is not None:
                return {"deal": number}
        elif isinstance(game, Rates):
            began = time.thread_time()
            if game.rate(number).grade in KINDS[kind]:
                return {"deal": number}
            # With the first deal kernels may have been compiled.
            left -= time.thread_time() - began if number > since else 0.0
    raise InputError(
        f"no deal that is {kind} was found from number {since:,} on: choose any deal instead"
    )


def kinds(game: Game) -> list[str]:
    """The kinds of deals that can be asked for."""
    graded = [*KINDS] if isinstance(game, Rates) else []
    return ["any", WINNABLE, *graded] if isinstance(game, Numbered) else []


def offered(name: str) -> dict[str, Any]:
    """What the page of a game offers, for those who play, too.

    Raises:
        Refused: if there is no such game.
    """
    game = playing.offered(name)
    plays = isinstance(game, ListsMoves) and isinstance(game, Draws)
    first = dealt(name)
    # With two decks the search for a deal that can be won often takes long.
    quick = first is not None and sum(map(len, first["cards"])) <= len(DECK)
    return {
        **playing.described(name),
        "plays": plays,
        "kinds": kinds(game),
        "kind": WINNABLE if quick else "any",
        "people": playing.people_play(name),
        "table": first,
    }


def home() -> dict[str, Any]:
    """What the start page tells of each game: a dealt table, and the first of its sentences."""
    names = playing.titles()
    told = {name: playing.how_to_play(name).partition(". ") for name in names}
    return {
        "tables": {name: dealt(name) for name in names},
        "sentences": {name: first + end.strip() for name, (first, end, _) in told.items()},
    }


@cache
def dealt(name: str) -> dict[str, Any] | None:
    """The table of a game's first deal as players see it; None if it cannot be played."""
    try:
        found = position({"game": name, "text": "1"})
    except BadInput:
        return None
    return {key: found[key] for key in ("piles", "cards")}


def _searched(game: Game, board: Any, seconds: float) -> Outcome:
    """What a quick search of so many seconds finds."""
    weights = _quick(game)
    limits = replace(playing.limited(weights.limits), nodes=QUICK_NODES, seconds=seconds)
    ((_, outcome),) = run_checked([GivenDeal(0, board)], weights, game, limits, 1)
    return outcome
