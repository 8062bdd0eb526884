"""``hint``: the best move of a position, and which moves keep the win."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from deals.words import plural
from gafreecell.cli.notes import Rules, notes, played_variant, warn, warn_of_others
from gafreecell.cli.options import varied
from gafreecell.cli.outcomes import wrapped
from gafreecell.cli.pages import check_page, write_page
from gafreecell.cli.statuses import DONE, UNDECIDED
from gafreecell.cli.telling import WIDTH, folded
from gafreecell.service import hints
from gafreecell.service.hints import Hint, Judged
from gafreecell.service.inputs import GivenDeal, InputError, board_of, read_deals
from gafreecell.service.solvers import game_of, player_weights
from gafreecell.service.wording import counted as counted_moves
from gafreecell.service.wording import described, in_short, in_words, result, solved_in
from gafreecell.solitaire.abilities import HiddenPlay, ListsMoves
from gafreecell.solitaire.game import Game, able, limits_text
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.outcome import Limits, Search, Status
from gafreecell.solving.parameters import Value
from gafreecell.solving.playing import Alternative
from gafreecell.solving.stopping import interruptible
from gafreecell.solving.weights import Weights
from gafreecell.terminal.progress import counted
from gafreecell.terminal.tables import table

if TYPE_CHECKING:
    from gafreecell.pages import Course

DEFAULT_POLICY = "best"
_SAID = {True: "yes", False: "no", None: "unknown"}


def hint(given: Namespace) -> int:
    """Print what each move of a position is worth, the best first."""
    game = find_game(given.game)
    if given.preset and given.weights:
        raise InputError("give --preset or --weights, not both: a preset has its own weights")
    name = given.preset or given.weights
    weights = player_weights(name, game) if name else hints.adviser(game)
    # Weights of another game tell nothing of the rules.
    named = {name: weights} if name and weights.game == game.name else {}
    game = varied(game_of(named, game), given)
    deals = read_deals([given.position], game)
    warn_of_others(named, game, deals)
    if len(deals) != 1:
        raise InputError(f"hint takes one position, but {given.position} holds {len(deals)}")
    check_page(given, deals)
    deal = next(iter(deals))
    board = board_of(deal, game)
    if isinstance(game, HiddenPlay) and hints.hides_cards(game, board):
        for option in ("nodes", "memory"):
            if getattr(given, option):
                raise InputError(
                    f"--{option} works only if all cards are known, but some are hidden here: "
                    "leave it out"
                )
        return _advise(given, game, deal, board, weights if name else None)
    for option in ("policy", "samples", "seed"):
        if getattr(given, option) is not None:
            raise InputError(
                f"--{option} is for hidden cards, but all cards are known here: leave it out"
            )
    if name and not named:
        raise InputError(
            f"{name}: weights for {weights.game} are for hidden cards, but all cards are known "
            "here: leave them out"
        )
    limits = weights.limits.unless(given.nodes, given.seconds, given.memory)
    if not given.nodes and not given.seconds:
        limits = replace(limits, nodes=min(hints.NODES, limits.nodes))
    if given.format == "jsonl":
        warn([deal])
    found = _judge(given, game, board, weights, limits)
    if given.format == "jsonl":
        moves = [_told_move(one.move, one.keeps_win) for one in found.moves]
        _print_line(game, deal, found.status, found.best, moves, found.seconds)
    else:
        solver = name or f"the preset {hints.adviser_name(game)}"
        report = _report(game, board, found, limits, solver, weights.search)
        print("\n".join([*Rules(game).lines(deal), *notes(deal), *report]))
    if given.html is not None:
        write_page(given, game, deal, [_course(game, board, found)])
    return DONE if found.decided else UNDECIDED


def _judge(given: Namespace, game: Game, board: Any, weights: Weights, limits: Limits) -> Hint:
    count = len(able(game, ListsMoves, "cannot list its moves").legal_moves(board))
    with counted(count, not given.no_progress, unit="moves", good="keep the win") as advance:

        def one_more(one: Judged) -> None:
            advance(1, one.keeps_win is True)

        return hints.judge(board, game, weights, limits, given.jobs, one_more)


def _report(
    game: Game, board: Any, found: Hint, limits: Limits, solver: str, search: Search
) -> list[str]:
    """A hint for people, when all cards are known."""
    said = hints.told(found)
    if not found.moves:
        return [said]
    if any(getattr(board, "down", ())):
        said += " The cards that lie face down count as known."
    if found.status is Status.UNSOLVABLE:
        return [said, *wrapped(hints.why_lost(game, board, found, search))]
    rows = [
        [
            one.move,
            _SAID[one.keeps_win],
            "" if one.left is None else str(one.left),
            *in_words(game, board, [one.move]),
        ]
        for one in found.moves
    ]
    if found.best:
        lines = [folded(" - ".join(["Best: " + found.best, *rows[0][3:]])), said]
    else:
        lines = [f"No best move: {said[0].lower()}{said[1:]}"]
    header = ["move", "keeps win", "to go", "what it does"][: len(rows[0])]
    lines += ["", table(header, rows, right=False, width=WIDTH), ""]
    remarks = []
    if found.best:
        remarks.append(
            f"To go: {found.unit}s, as solve prints them, that are left after this one in the "
            f"solution that {solver} found."
        )
    verdicts = {one.keeps_win for one in found.moves}
    if False in verdicts:
        remarks.append("no: the position after it is proved lost.")
    if None in verdicts:
        within = limits_text(limits)
        remarks.append(f"unknown: not decided within {within}; --nodes N searches further.")
    return lines + [folded(remark) for remark in remarks]


def _course(game: Game, board: Any, found: Hint) -> Course:
    """A hint as a page shows it: the solution from here, and what each move is worth."""
    from gafreecell.pages import Course

    rows = []
    for one in found.moves:
        left = "" if one.left is None else f", {plural(one.left, found.unit)} more to the end"
        words = "".join(f" \N{EN DASH} {told}" for told in in_words(game, board, [one.move]))
        rows.append(f"{one.move}: {one.worth}{left}{words}")
    moves = found.solution
    said = result(found.whole) if moves is None else solved_in(moves)
    return Course("Hint", hints.told(found), moves or (), moves is not None, rows, result=said)


def _advise(
    given: Namespace, game: Any, deal: GivenDeal, board: Any, weights: Weights | None
) -> int:
    """Print the chance to win after each move, when cards are hidden."""
    parameters: dict[str, Value] = {} if given.samples is None else {"samples": given.samples}
    policy = given.policy or DEFAULT_POLICY
    game.player.check(policy, parameters, given.seconds is not None, weights)
    began = time.process_time()
    with interruptible() as call:
        found = call.run(
            game.player.advise, board, policy, parameters, given.seed or 0, given.seconds, weights
        )
    seconds = time.process_time() - began
    if given.html is not None:
        shown = [_advised(game, board, found, policy)]
        write_page(given, game, deal, shown, board=game.player.seen(board))
    won = bool(found) and found[0].low == 1
    decided = DONE if won or not found else UNDECIDED
    if given.format == "text":
        print("\n".join([*Rules(game).lines(deal), *advice(game, board, found, policy)]))
        return decided
    status = Status.SOLVED if won else None
    moves = [
        _told_move(" ".join(one.moves), None, [one.low, one.chance, one.high], one.samples)
        for one in found
    ]
    if won:
        # The first alternative is a complete solution.
        moves = [_told_move(move, True, [1.0, 1.0, 1.0]) for move in found[0].moves[:1]]
    if not found:
        status = Status.UNSOLVABLE
        moves = [_told_move(move, False, [0.0, 0.0, 0.0]) for move in game.legal_moves(board)]
    best = moves[0]["move"] if found and moves else None
    _print_line(game, deal, status, best, moves, seconds)
    return decided


def _advised(game: Any, board: Any, found: Sequence[Alternative], policy: str) -> Course:
    """Advice as a page shows it: the best move, and the chance after each."""
    from gafreecell.pages import Course

    said = hints.told_chances(found)
    best, sure = found[0] if found else None, not found or found[0].low == 1
    return Course(
        f"Hint by {policy}",
        said,
        best.moves if best else (),
        best is not None,
        list(game.player.about_advice(board, policy)),
        None if sure else {0: found},
        said if sure else "",
    )


def advice(game: Any, board: Any, found: Sequence[Alternative], policy: str) -> list[str]:
    """The chances to win, as lines for people.

    Args:
        game: a game with ``HiddenPlay``.
        board: the position.
        found: what its player's ``advise`` returned for it.
        policy: who advised.
    """
    said = hints.told_chances(found)
    if not found or found[0].low == 1:
        moves = " ".join(found[0].moves) if found else ""
        return [f"{said[:-1]}; play:", folded(moves)] if moves else [said]
    seen = game.player.seen(board)
    rows = [
        [
            in_short(one.moves),
            *one.told,
            f"{one.samples:,}",
            *filter(None, [described(in_words(game, seen, one.moves), one.moves)]),
        ]
        for one in found
    ]
    words = rows[0][4:]
    moves = rows[0][0] if words else ", ".join(counted_moves(found[0].moves))
    header = ["move", "chance", "99 % interval", "samples", "what it does"][: len(rows[0])]
    lines = [folded(" - ".join([f"Best: {moves}", *words])), *filter(None, [said])]
    lines += ["", table(header, rows, right=False, width=WIDTH)]
    for paragraph in game.player.about_advice(board, policy):
        lines += ["", folded(paragraph)]
    return lines


def _told_move(
    move: str, keeps_win: bool | None, chance: list[float] | None = None, samples: int | None = None
) -> dict[str, Any]:
    return {"move": move, "keeps_win": _SAID[keeps_win], "chance": chance, "samples": samples}


def _print_line(
    game: Game,
    deal: GivenDeal,
    status: Status | None,
    best: str | None,
    moves: Sequence[dict[str, Any]],
    seconds: float,
) -> None:
    line = {
        "game": game.name,
        "deal": deal.name,
        "source": deal.source or None,
        "status": status.value if status else None,
        "best": best,
        "moves": list(moves),
        "seconds": seconds,
        **played_variant(game, deal),
    }
    print(json.dumps(line))
