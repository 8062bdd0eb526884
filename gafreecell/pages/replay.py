"""Games as pages: the positions of one or several solutions of a deal, side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from deals.words import plural
from gafreecell.pages.page import render
from gafreecell.service.inputs import GivenDeal
from gafreecell.service.wording import (
    described,
    in_short,
    in_words,
    proof,
    result,
    summary,
    told_game,
)
from gafreecell.solitaire.abilities import Draws, HasOptions, HiddenPlay, ListsMoves, Numbered
from gafreecell.solitaire.game import Game, variant_played
from gafreecell.solving.drawing import Drawing, Pile
from gafreecell.solving.outcome import Limits, Outcome, Search, Status
from gafreecell.solving.playing import Alternative

APP = "http://127.0.0.1:8000"
"""Where ``gafreecell serve`` answers, unless it is told otherwise."""
HIDDEN = 128
"""Added to a card that lies face down, in the data of a page; alone it is an unknown card."""
KNOWN = 256
"""Added instead if a player knows the card nevertheless."""


@dataclass(frozen=True)
class Course:
    """A solution, or a game that was played.

    Attributes:
        name: who found it, such as a preset's name.
        summary: what else to say of it: its lengths and counts, or why there is none.
        moves: its tokens; none if there is no solution.
        found: whether there is a solution; without one the page shows the deal.
        notes: more paragraphs, such as a proof.
        thoughts: what the player gave each alternative, by the place of the move that follows.
        result: how it ended, in a player's words: ``Solved in 92 moves``.
        cards: how many single cards it moves, if the game counts them; else 0.
        hopeless: whether the deal is proved unsolvable.
    """

    name: str
    summary: str
    moves: Sequence[str] = ()
    found: bool = True
    notes: Sequence[str] = ()
    thoughts: Mapping[int, Sequence[Alternative]] | None = None
    result: str = ""
    cards: int = 0
    hopeless: bool = False


@dataclass(frozen=True)
class Replay:
    """What a page shows: plain data, which ``replay_page`` writes into it.

    Attributes:
        title: the deal's name.
        data: the solutions with all their positions, as ``static/replay.js`` reads them.
    """

    title: str
    data: Mapping[str, Any]


def solved(
    name: str, game: Game, board: Any, outcome: Outcome, limits: Limits, search: Search
) -> Course:
    """What a solver made of a board, with the proof if it is unsolvable.

    Args:
        name: the solver's.
        game: the game in its variant.
        board: the position.
        outcome: the outcome.
        limits: those of the search.
        search: the search that returned it.
    """
    return Course(
        name,
        summary(outcome, limits, game, search),
        outcome.moves or (),
        outcome.moves is not None,
        [line.strip() for line in proof(game, board, outcome, search)],
        result=result(outcome),
        cards=cards_moved(outcome),
        hopeless=outcome.status is Status.UNSOLVABLE,
    )


def cards_moved(outcome: Outcome) -> int:
    """How many single cards a solution moves; 0 if there is none, or its game does not say."""
    return (outcome.lengths or {}).get("single", 0)


def replay(
    game: Game,
    board: Any,
    title: str,
    solutions: Sequence[Course],
    hidden: bool = False,
    heading: str = "h2",
    deal: GivenDeal | None = None,
) -> Replay:
    """The positions of solutions, computed by the game's verifier.

    Args:
        game: the game.
        board: the position that all of them start from.
        title: the deal's name for people.
        solutions: at least one.
        hidden: whether the players did not see the cards that lie face down.
        heading: the element of the solutions' names, one level below the heading before them.
        deal: the deal, if one may play on from each position in the app.

    Raises:
        IllegalMove: if a move is illegal, which is a bug of the solver.
    """
    return Replay(
        title,
        {
            "game": told_game(game, board),
            "legend": [
                *(game.legend if isinstance(game, Draws) else ()),
                *(() if hidden else _counts(game)),
            ],
            "hidden": hidden,
            "knows": _knows(game, board) if hidden else "",
            "heading": heading,
            "deal": _asked(game, board, deal) if deal else {},
            "solutions": [_solution(game, board, shown, len(solutions) > 1) for shown in solutions],
        },
    )


def _asked(game: Game, board: Any, deal: GivenDeal) -> dict[str, Any]:
    """By what a game's page of the app knows a deal: its text and the rules that are not usual."""
    if not isinstance(game, ListsMoves) or not isinstance(game, Numbered):
        return {}
    rules = {}
    for one in game.options if isinstance(game, HasOptions) else ():
        value = variant_played(game, board).get(one.name, one.default)
        if value != one.default:
            rules[one.name] = json.dumps(value) if one.choices else str(value)
    number = isinstance(deal.board, int)
    text = str(deal.board) if number else game.write_board(board)
    # The app knows a game of one's own by the name of its file, without folders.
    return {"game": Path(game.name).stem, "state": {**rules, "text": text}}


def _counts(game: Game) -> Iterator[str]:
    """What the numbers of a solution's summary count."""
    meanings = getattr(game, "length_meanings", {})
    if meanings:
        told = "; ".join(f"{name}: {meaning}" for name, meaning in meanings.items())
        yield f"Lengths. {told}."
    yield "Nodes are the positions that the search generated."


def replay_page(shown: Replay, command: str = "") -> str:
    """The page of a replay: HTML that needs nothing else.

    Args:
        shown: the games.
        command: the command that makes the page again, if there is one.
    """
    data = {**shown.data, "app": APP}
    return render("replay.html", title=shown.title, replay=data, command=command)


def drawings(game: Game, board: Any, moves: Sequence[str]) -> Iterator[Drawing]:
    """The position before each move and the final one, drawn as well as the game can.

    A game that draws nothing has its boards as text, where it can play moves and write boards;
    otherwise its moves have no positions.
    """
    if isinstance(game, Draws):
        yield from game.positions(board, moves)
        return
    # Asked once, because solutions can be long.
    lister = game if isinstance(game, ListsMoves) else None
    for move in moves:
        yield Drawing(_text(game, board), move)
        board = lister.after(board, lister.listed(board, move)) if lister else None
    yield Drawing(_text(game, board))


def _text(game: Game, board: Any) -> list[str]:
    if board is None or not isinstance(game, Numbered):
        return []
    return game.write_board(board).splitlines()


def _solution(game: Game, board: Any, shown: Course, compared: bool) -> dict[str, Any]:
    # A move takes several cards at once only in some searches, so cards are the common measure.
    cards = f" ({plural(shown.cards, 'single card')})" if compared and shown.cards else ""
    frames = list(drawings(game, board, shown.moves))
    told = {
        "name": shown.name,
        "result": f"{shown.result}{cards}",
        "summary": shown.summary,
        "found": shown.found,
        "hopeless": shown.hopeless,
        "notes": list(shown.notes),
        "moves": [[frame.move, frame.words] for frame in frames[:-1]],
    }
    if any(frame.state for frame in frames):
        told["states"] = [frame.state for frame in frames]
    if shown.thoughts:
        told["thoughts"] = _thoughts(game, board, shown)
    if not frames[0].piles:
        return {**told, "texts": [str(frame) for frame in frames]}
    first = [cards_of(pile) for pile in frames[0].piles]
    changes, last = [], first
    for frame in frames[1:]:
        now = [cards_of(pile) for pile in frame.piles]
        changes.append({str(i): now[i] for i in range(len(now)) if now[i] != last[i]})
        last = now
    return {
        **told,
        "piles": piles_of(frames[0].piles),
        "first": first,
        "changes": changes,
        **(_rows(frames) if frames[0].row else {}),
    }


def _rows(frames: Sequence[Drawing]) -> dict[str, Any]:
    """The row of each position: the cards of its piles, then the marked places; 0 for no change."""
    first = frames[0].row
    assert first is not None
    rows = [
        [*map(cards_of, frame.row.piles), list(frame.row.marked)] for frame in frames if frame.row
    ]
    changes = [rows[0], *(now if now != last else 0 for last, now in pairwise(rows))]
    return {
        "row": {"names": [pile.name for pile in first.piles], "note": first.note},
        "rows": changes,
    }


def cards_of(pile: Pile) -> list[int]:
    """The cards of a pile as numbers; ``HIDDEN`` or ``KNOWN`` is added if they lie face down."""
    down = KNOWN if pile.known else HIDDEN
    return [
        card + (HIDDEN if not card else down if place < pile.face_down else 0)
        for place, card in enumerate(pile.cards)
    ]


def piles_of(piles: Sequence[Pile]) -> list[dict[str, Any]]:
    """Piles without their cards, as ``static/table.js`` reads them."""
    found = []
    for pile in piles:
        place: dict[str, Any] = {"name": pile.name, "x": pile.x, "y": pile.y}
        if pile.spread:
            place["spread"] = pile.spread
        if pile.label:
            place["label"] = pile.label
        if pile.suit is not None:
            place["suit"] = pile.suit
        if not pile.outlined:
            place["bare"] = True
        if pile.home:
            place["home"] = True
        found.append(place)
    return found


def _thoughts(game: Game, board: Any, shown: Course) -> dict[str, list[list[Any]]]:
    """What the player thought, by place: each move in short and in words, and its chance.

    A row begins with the number of moves that the alternative takes. Its chance is in thousandths,
    with both ends of its interval, and the size of the sample.
    """
    found: dict[str, list[list[Any]]] = {}
    at = 0
    for place, alternatives in sorted((shown.thoughts or {}).items()):
        if isinstance(game, ListsMoves):
            for move in shown.moves[at:place]:
                board = game.after(board, move)
            at = place
        found[str(place)] = [
            [
                len(one.moves),
                in_short(one.moves),
                described(in_words(game, _seen(game, board), one.moves), one.moves),
                *(round(1000 * share) for share in (one.chance, one.low, one.high)),
                one.samples,
            ]
            for one in alternatives
        ]
    return found


def _knows(game: Game, board: Any) -> str:
    """What the player of a game with hidden cards knows of them, in a sentence or two."""
    (first,) = drawings(game, board, ())
    text = "The player does not know the cards that show a question mark until they are turned up."
    for pile in first.piles:
        if pile.known and pile.face_down:
            text += (
                f" It knows those of the {pile.name} from the start, although they lie face down."
            )
    return text


def _seen(game: Game, board: Any) -> Any:
    return game.player.seen(board) if isinstance(game, HiddenPlay) else board
