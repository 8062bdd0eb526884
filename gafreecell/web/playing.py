"""Answers what a player asks: a solution, a hint, the board that was put together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from deals.cards import DECK
from deals.errors import BadInput, did_you_mean
from deals.freecell_board import LAYOUTS
from deals.readings import OtherReading
from deals.words import plural
from gafreecell.installed import plugins
from gafreecell.pages import Course, Replay, drawings, piles_of, replay, solved
from gafreecell.service import hints, wording
from gafreecell.service.inputs import GivenDeal, InputError, board_of, deals_in
from gafreecell.service.solvers import default_solver, made_for_others, run_checked
from gafreecell.solitaire.abilities import (
    HasOptions,
    HasPresets,
    HiddenPlay,
    LaysTable,
    ListsMoves,
    Numbered,
)
from gafreecell.solitaire.game import Game, able, games, presets_of, variant_played
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.outcome import Limits
from gafreecell.solving.parameters import Value
from gafreecell.solving.playing import Alternative
from gafreecell.solving.weights import Weights
from gafreecell.web.desk import Refused

NODES = 5_000_000
"""The most nodes of a search."""
SECONDS = 30.0
"""The most processor time of a search, in seconds."""
MEMORY = 1_000_000_000
"""The most memory of a search, in bytes."""
POLICY = "best"
"""What gives hints where cards are hidden."""
SAMPLES = 1_000
"""Determinizations of a hint where cards are hidden."""
MOST_TEXT = 20_000
"""The longest text of a board, in characters."""
_NUMBER = re.compile(
    r"\s*+(?:[A-Za-z]++\s++){0,3}(?:no\.?|nr\.?)?\s*+(?:#\s*+)?(\d[\d,]*+)\s*+", re.IGNORECASE
)
"""A deal's number as programs write it, such as ``Game 164`` or ``#164``."""
_CARD = re.compile(r"<?[A-Za-z0-9]{2,3}>?|\?\?")


def solution(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A solution as a replay, with what is to be said about it.

    Args:
        asked: ``game``, ``text`` of the board or its number, ``layout`` of its lines, ``variant``,
            ``preset``.

    Raises:
        BadInput: saying what is wrong with the question.
    """
    game = asked_game(asked)
    name = str(asked.get("preset") or default_solver(game))
    if name not in presets_of(game):
        known = ", ".join(presets_of(game)) or "none"
        raise InputError(f"there is no preset {name!r:.40}; {game.title} has {known}")
    weights = able(game, HasPresets, "has no presets").preset(name)
    deal = asked_deal(asked, game)
    board = board_of(deal, game)
    if isinstance(game, HiddenPlay) and hints.hides_cards(game, board):
        raise InputError(
            "some cards are unknown or hidden, so no solution can be found: ask for a hint"
        )
    limits = limited(weights.limits)
    ((_, outcome),) = run_checked([deal], weights, game, limits, 1)
    shown = solved(name, game, board, outcome, limits, weights.search)
    answer = _answer(replay(game, board, title_of(deal), [shown], deal=deal), deal, game)
    if isinstance(deal.board, int):
        answer["assumed"] += made_for_others({name: weights}, game)
    return answer


def hint(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What each move of a position is worth, the best first, each with the position after it.

    Args:
        asked: as for ``solution``, without the preset.

    Raises:
        BadInput: saying what is wrong with the question.
    """
    game = asked_game(asked)
    deal = asked_deal(asked, game)
    board = board_of(deal, game)
    hidden = isinstance(game, HiddenPlay) and hints.hides_cards(game, board)
    if hidden:
        return _advice(game, deal, board)
    weights = hints.adviser(game)
    found = judged(game, board, weights)
    notes = [
        f"Each move was judged by a search with the solver {hints.adviser_name(game)}.",
        *[line.strip() for line in hints.why_lost(game, board, found, weights.search)],
    ]
    rows = [told_judged(game, board, one) for one in found.moves]
    return _hints(game, deal, board, hints.told(found), notes, rows)


def judged(game: Game, board: Any, weights: Weights) -> hints.Hint:
    """What a solver makes of each move of a position, within the limits of a request."""
    limits = limited(replace(weights.limits, nodes=min(hints.NODES, weights.limits.nodes)))
    return hints.judge(board, game, weights, limits, 1)


def table(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The empty table on which a board can be put together, and the size of each pile of a deal."""
    game = asked_game(asked)
    piles = able(game, LaysTable, "has no boards to put together").empty_table()
    return {"piles": piles_of(piles), "sizes": _sizes(game)}


def board(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The board in a text, or put together in ``places``.

    Returns:
        Its ``text``; its piles (``board``); the sizes of a deal's; and the value of each option
        under which it is played (``variant``), as its text may name some.

    Raises:
        BadInput: saying what is wrong with it.
    """
    game = asked_game(asked)
    text = asked.get("text")
    if "places" in asked:
        lays = able(game, LaysTable, "has no boards to put together")
        places = _places(asked["places"], lays)
        lacking = len(DECK) - sum(map(len, places))
        if lacking > 0 and isinstance(game, HiddenPlay):
            raise InputError(
                f"{plural(lacking, 'card')} {'is' if lacking == 1 else 'are'} missing: put them "
                "where they lie, such as in the stock, and take 'Unknown card' for each that you "
                "do not see"
            )
        text = lays.text_of_table(places)
    deal = asked_deal({**asked, "text": text}, game)
    read = board_of(deal, game)
    shown = replay(game, read, title_of(deal), [Course("", "")])
    written = game.write_board(read) if isinstance(game, Numbered) else str(text)
    played = {**_defaults(game), **variant_played(game, read)}
    told = {"text": written, "board": shown.data["solutions"][0], "variant": played}
    return {**told, "sizes": _sizes(game)}


def _sizes(game: Game) -> list[int]:
    """How many cards a deal puts on each pile."""
    first = next(drawings(game, board_of(GivenDeal(1, 1), game), ()))
    return [len(pile.cards) for pile in first.piles]


def fault(error: BadInput) -> tuple[str, list[dict[str, str]]]:
    """A message about wrong input for people who have no command line, and what they may choose.

    Returns:
        The message, and the ways to read the text: each with its ``label``, the ``setting`` to
        change, and its ``value``.
    """
    # The message of the board's reader is put into those of its callers.
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, OtherReading):
        cause = cause.__cause__
    if cause is None:
        return str(error), []
    titled = titles()
    ways = [
        {
            "label": f"Read it as a board of {titled[value]}"
            if setting == "game"
            else f"Read its lines as {value}",
            "setting": setting,
            "value": value,
        }
        for setting, value in cause.ways
        if setting == "layout" or value in titled
    ]
    return f"{cause.fault}: choose how to read it{cause.more}", ways


def asked_game(asked: Mapping[str, Any]) -> Game:
    game = offered(asked.get("game"))
    variant = asked.get("variant") or {}
    known = {one.name for one in game.options} if isinstance(game, HasOptions) else set()
    if not isinstance(variant, Mapping) or not set(variant) <= known:
        raise InputError(f"{game.title} has the options {', '.join(sorted(known)) or 'none'}")
    options: dict[str, Value] = {}
    for key, value in variant.items():
        if not isinstance(value, int | float | str) or len(str(value)) > 20:
            raise InputError(f"{key} must be a number or a word, got {value!r:.40}")
        options[key] = value
    game = game.vary(**options) if options else game
    layout = asked.get("layout")
    if not layout:
        return game
    if not hasattr(game, "laid_out") or layout not in LAYOUTS:
        raise InputError(f"{game.title} has no layout {layout!r:.40}")
    arranged: Game = game.laid_out(layout)
    return arranged


def asked_deal(asked: Mapping[str, Any], game: Game) -> GivenDeal:
    text = asked.get("text")
    if not isinstance(text, str) or not text.strip():
        raise InputError("type a deal's number, or paste a board")
    if len(text) > MOST_TEXT:
        raise InputError(f"a board's text may have {MOST_TEXT:,} characters, got {len(text):,}")
    number = _NUMBER.fullmatch(text)
    deals = deals_in(number[1] if number else text, "the board", game)
    if len(deals) != 1:
        raise InputError(f"give one deal, got {len(deals):,}: the command line takes many")
    return next(iter(deals))


def title_of(deal: GivenDeal) -> str:
    """A deal's name for the player who gave it."""
    if not deal.source:
        return deal.title
    return deal.name if isinstance(deal.name, str) else "Your board"


def _places(given: Any, game: LaysTable) -> list[list[str]]:
    many = len(game.empty_table())
    if (
        not isinstance(given, list)
        or len(given) != many
        or not all(isinstance(place, list) for place in given)
    ):
        raise InputError(
            f"places must be a list of cards for each of {many} piles, got {given!r:.40}"
        )
    cards = sum(map(len, given))
    if cards > 52:
        raise InputError(f"a table holds 52 cards, got {cards:,}")
    for card in (card for place in given for card in place):
        if not isinstance(card, str) or not _CARD.fullmatch(card):
            raise InputError(f"expected cards such as 9H, <9H> or ??, got {card!r:.20}")
    known = Counter(card.strip("<>").upper() for place in given for card in place if card != "??")
    for card, times in known.items():
        if times > 1:
            raise InputError(f"{card} lies on the table {times} times: take all but one back")
    return given


def limited(limits: Limits) -> Limits:
    """Limits within those of a request."""
    return limits.within(Limits(NODES, SECONDS, MEMORY))


def _advice(game: Any, deal: GivenDeal, board: Any) -> dict[str, Any]:
    """A hint where cards are hidden."""
    seen = game.player.seen(board)

    found = game.player.advise(board, POLICY, {"samples": SAMPLES}, 0, None, None)
    said = hints.told_chances(found)
    if not found or found[0].low == 1:
        rows = [
            _row(one.moves, _described(game, seen, one.moves), "wins", "good")
            for one in found[:1]
            if one.moves
        ]
        return _hints(game, deal, seen, said, [], rows)
    rows = [told_chance(game, board, one) for one in found]
    said = " ".join(["The best move is the first one.", *filter(None, [said])])
    notes = [
        f"The chances come from the policy {POLICY}.",
        *game.player.about_advice(board, POLICY),
    ]
    return _hints(game, deal, seen, said, notes, rows)


def told_judged(game: Game, board: Any, one: hints.Judged) -> dict[str, Any]:
    """What a move is worth where all cards are known, as the row of a list."""
    verdicts = {True: "good", False: "bad", None: "open"}
    more = "" if one.left is None else f", {one.left} more to the end"
    said = " ".join(wording.in_words(game, board, [one.move]))
    return _row([one.move], said, one.worth + more, verdicts[one.keeps_win])


def told_chance(game: Any, board: Any, one: Alternative) -> dict[str, Any]:
    """What a move is worth where cards are hidden, as the row of a list."""
    worth, interval = one.told
    row = _row(one.moves, _described(game, game.player.seen(board), one.moves), worth, "chance")
    sure = f"{interval} %, {plural(one.samples, 'sample')}"
    return {**row, "sure": sure, "chance": [one.low, one.chance, one.high]}


def _described(game: Game, seen: Any, moves: Sequence[str]) -> str:
    return wording.described(wording.in_words(game, seen, moves), moves)


def _row(moves: Sequence[str], words: str, worth: str, verdict: str) -> dict[str, Any]:
    return {
        "move": wording.in_short(moves),
        "words": words,
        "worth": worth,
        "verdict": verdict,
        "moves": list(moves),
    }


def _hints(
    game: Game,
    deal: GivenDeal,
    start: Any,
    said: str,
    notes: Sequence[str],
    rows: list[dict[str, Any]],
) -> dict[str, Any]:
    shown = [Course("Position", said, (), True, notes)]
    for row in rows:
        shown.append(Course(row["move"], row["words"], row.pop("moves")))
    found = replay(game, start, title_of(deal), shown, deal=deal)
    first, *after = found.data["solutions"]
    for row, one in zip(rows, after, strict=True):
        row["replay"] = {**found.data, "solutions": [one]}
    data = {**found.data, "solutions": [first]}
    return {**_answer(Replay(found.title, data), deal, game), "said": said, "hints": rows}


def _answer(found: Replay, deal: GivenDeal, game: Game) -> dict[str, Any]:
    assumed = list(getattr(deal.board, "notes", ()))
    told = wording.told_game if getattr(game, "usual_rules", "") else wording.told_rules
    rules = told(game, deal.board)
    title = f"{found.title}, {rules}" if rules else found.title
    return {"title": title, "replay": found.data, "assumed": assumed}


def _defaults(game: Game) -> dict[str, Value]:
    """The default of each of a game's options."""
    return {one.name: one.default for one in game.options} if isinstance(game, HasOptions) else {}


@cache
def _games() -> dict[str, Game]:
    """The games that can be played in the app, by name; looking them up takes its time."""
    found: dict[str, Game] = {}
    for name in games():
        try:
            game = find_game(name)
        except BadInput:
            # A game that cannot be loaded is named by the command line.
            continue
        if presets_of(game) and isinstance(game, Numbered):
            found[name] = game
    return found


def offer(name: str, game: Game) -> None:
    """Give a game of one's own a page.

    Args:
        name: in the page's address.
        game: the game.
    """
    _games()[name] = game


@cache
def families() -> Mapping[str, Mapping[str, str]]:
    """The titles of the games given as rules that can be played in the app, by family and name."""
    return plugins.drawn()


@cache
def sentences() -> Mapping[str, str]:
    """The rules of those games by name, as far as their libraries tell them."""
    found = [plugins.find("library", library) for library in plugins.names("library")]
    return {
        name: one.how_to_play(name)
        for one in found
        if hasattr(one, "how_to_play")
        for family in one.drawn().values()
        for name in family
    }


def offered(name: object) -> Game:
    found = _games()
    # Not every value of JSON can be looked up.
    if isinstance(name, str) and name in found:
        return found[name]
    if isinstance(name, str) and any(name in family for family in families().values()):
        return find_game(name)
    guess = did_you_mean(name, all_titles()) if isinstance(name, str) else ""
    raise Refused(
        f"there is no game {name!r:.40}; there are {', '.join(found)} and those of /games{guess}",
        404,
    )


def people_play(name: object) -> Mapping[str, Value]:
    """The options with which people play a game unless they choose others."""
    found: Mapping[str, Value] = getattr(offered(name), "people_play", {})
    return found


def how_to_play(name: str) -> str:
    """The rules of a game in sentences; empty if it does not tell them."""
    return str(getattr(offered(name), "how_to_play", ""))


def titles() -> dict[str, str]:
    """The games that can be played in the app, by name."""
    return {name: game.title for name, game in _games().items()}


def all_titles() -> dict[str, str]:
    """The games by name, those given as rules, too."""
    return {**titles(), **{n: title for one in families().values() for n, title in one.items()}}


def described(name: str) -> dict[str, Any]:
    """What the page of a game offers.

    Raises:
        Refused: if there is no such game.
    """
    game = offered(name)
    options = game.options if isinstance(game, HasOptions) else ()
    return {
        "name": name,
        "title": game.title,
        "presets": list(presets_of(game)),
        "preset": default_solver(game),
        "how_to_play": how_to_play(name),
        "meanings": getattr(game, "preset_meanings", {}),
        "options": options,
        "layouts": LAYOUTS if hasattr(game, "laid_out") else (),
        "lays": isinstance(game, LaysTable),
        "hints": isinstance(game, ListsMoves | HiddenPlay),
    }
