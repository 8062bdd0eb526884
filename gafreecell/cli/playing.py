"""``play``: plays games with hidden cards, or advises a person who plays one."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from deals.errors import BadInput
from deals.words import plural
from gafreecell.cli.drawing import shows_colours
from gafreecell.cli.hinting import advice
from gafreecell.cli.notes import Rules, played_variant, warn_of_others
from gafreecell.cli.options import assigned, varied
from gafreecell.cli.outputs import JSON_LINES, check_resume, source_of
from gafreecell.cli.pages import check_page, played_by, write_page
from gafreecell.cli.series import Marker, Series
from gafreecell.cli.statuses import DONE
from gafreecell.cli.telling import briefly, draw, folded, tell
from gafreecell.comparing.statistics import wilson
from gafreecell.service.inputs import GivenDeal, GivenDeals, InputError, board_of, read_deals
from gafreecell.service.solvers import game_of, player_weights
from gafreecell.service.wording import told_rules
from gafreecell.solitaire.abilities import HiddenPlay
from gafreecell.solitaire.game import Game, able, variant_played
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.parameters import Value
from gafreecell.solving.playing import Played
from gafreecell.solving.saying import say
from gafreecell.solving.stopping import interruptible
from gafreecell.solving.weights import Weights
from gafreecell.terminal.tables import rounded

Kept = tuple[bool, int, float]
"""Of a game: whether it was won, its decisions, its seconds."""
PARAMETERS = ("samples", "level", "trees", "trajectories", "width")
"""Parameters of policies that have options of their own, besides ``--set``."""


def play(given: Namespace) -> int:
    """Play games, print each in order as soon as it is done, then a summary."""
    usual = chosen = find_game(given.game)
    able(chosen, HiddenPlay, "cannot be played with hidden cards")
    weights = player_weights(given.weights, chosen) if given.weights else None
    # Weights of another game tell nothing of the rules.
    named = {given.weights: weights} if weights and weights.game == chosen.name else {}
    chosen = varied(game_of(named, chosen), given)
    game = able(chosen, HiddenPlay, "cannot be played with hidden cards")
    timed = given.seconds is not None
    parameters = game.player.check(given.policy, _parameters(given), timed, weights)
    if timed:
        budgets = {policy.name: policy.budget for policy in game.player.policies}
        del parameters[budgets[given.policy]]
    _check_format(given)
    deals = read_deals(given.deals, chosen)
    warn_of_others(named, chosen, deals)
    check_page(given, deals)
    if given.hint:
        return _hint(given, chosen, game, parameters, weights, deals)
    for deal in deals.boards():
        try:
            game.player.check_start(deal.board)
        except BadInput as error:
            raise InputError(
                f"board {deal.name}: {error} (for advice on such a board add --hint)"
            ) from None
        if weights is None:
            continue
        # A board may have rules of its own, under which the weights are of no use.
        own = usual.vary(**variant_played(chosen, deal.board))
        try:
            able(own, HiddenPlay, "").player.check(given.policy, {}, False, weights)
        except BadInput as error:
            raise InputError(f"board {deal.name}: {error}") from None

    go = partial(game.player.play, watched=given.html is not None)
    player = _player(given, parameters)

    def work(first: int, piece: list[GivenDeal]) -> list[Played]:
        return [
            go(
                board_of(deal, chosen),
                given.policy,
                parameters,
                given.seed,
                place,
                given.seconds,
                weights,
            )
            for place, deal in enumerate(piece, start=first)
        ]

    def page(deal: GivenDeal, played: Played) -> None:
        if given.html is not None:
            course = played_by(player, given.policy, game, board_of(deal, chosen), played)
            write_page(given, chosen, deal, [course], hidden=True)

    def summary(games: Sequence[Kept]) -> str:
        return _summary(player, _rules_of(chosen, deals), games)

    games = Series(
        given,
        chosen,
        deals,
        work=work,
        lines=_writer(given, chosen, len(deals), player),
        keep=lambda played: (played.won, played.decisions, played.seconds),
        read=_read_line,
        well=lambda kept: kept[0],
        marker=_marker(given, chosen, deals, parameters, weights),
        unit="game",
        good="won",
        summary=lambda games: folded(summary(games)),
        after=page,
    ).run()
    if given.format == JSON_LINES:
        say(summary(games))
    return DONE


def _hint(
    given: Namespace,
    chosen: Game,
    game: HiddenPlay,
    parameters: dict[str, Value],
    weights: Weights | None,
    deals: GivenDeals,
) -> int:
    """Print what each move of a position is worth."""
    if len(deals) != 1:
        raise InputError(f"--hint takes one position, got {len(deals)}")
    if given.output or given.resume:
        raise InputError("--hint only prints its answer: leave out -o and --resume")
    deal = next(iter(deals))
    board = board_of(deal, chosen)
    with interruptible() as call:
        found = call.run(
            game.player.advise, board, given.policy, parameters, given.seed, given.seconds, weights
        )
    print("\n".join([*Rules(chosen).lines(deal), *advice(chosen, board, found, given.policy)]))
    return DONE


def _check_format(given: Namespace) -> None:
    check_resume(given, grows=True)
    if given.output and given.format == "text":
        raise InputError("-o writes a line of JSON for each game: leave out --format text")
    if given.hint and given.html is not None:
        raise InputError("--html shows a game, and --hint plays none: leave out one of them")
    given.format = JSON_LINES if given.output else given.format or "text"
    if given.draw and given.format == JSON_LINES:
        raise InputError("--draw needs the text format: leave out -o and --format jsonl")


def _writer(
    given: Namespace, game: Game, deals: int, player: str
) -> Callable[[GivenDeal, Played], Iterable[str]]:
    if given.format == JSON_LINES:
        return lambda deal, played: [_line(game, deal, given.policy, played)]
    rules = Rules(game)
    if deals > 1 and not given.draw:
        return lambda deal, played: [*rules.lines(deal), briefly(deal, played)]
    colours = shows_colours(None)

    def lines(deal: GivenDeal, played: Played) -> Iterator[str]:
        yield from rules.lines(deal)
        title = f"{deal.title}, played by {player}, which cannot see the cards ??"
        board = board_of(deal, game)
        if given.draw:
            yield from draw(game, title, board, played, colours)
        else:
            yield from tell(game, title, board, played)

    return lines


def _parameters(given: Namespace) -> dict[str, Value]:
    short = {name: getattr(given, name) for name in PARAMETERS}
    return assigned(given) | {name: value for name, value in short.items() if value is not None}


def _line(game: Game, deal: GivenDeal, policy: str, played: Played) -> str:
    return json.dumps(
        {
            "game": game.name,
            "deal": deal.name,
            "policy": policy,
            "won": played.won,
            "moves": list(played.moves),
            "decisions": played.decisions,
            "seconds": played.seconds,
            **played_variant(game, deal),
            **source_of(deal),
        }
    )


def _read_line(entry: Any) -> Kept:
    """What to keep of a line that was written earlier."""
    if not isinstance(entry["won"], bool):
        raise ValueError
    return entry["won"], int(entry["decisions"]), float(entry["seconds"])


def _marker(
    given: Namespace,
    game: Game,
    deals: GivenDeals,
    parameters: dict[str, Value],
    weights: Weights | None,
) -> Marker:
    command = {
        "variant": dict(game.variant),
        "policy": given.policy,
        "parameters": parameters,
        "seed": given.seed,
        "seconds": given.seconds,
        "weights": weights.evaluator.weights if weights and weights.evaluator else None,
    }
    return Marker(given.output, command, deals, "boards, rules, policy, seed or parameters")


def _rules_of(game: Game, deals: GivenDeals) -> str:
    """The rules of all games, if they share some that must be told."""
    boards = [deal.board for deal in deals.boards()]
    numbered = [0] if len(boards) < len(deals) else []
    rules = {told_rules(game, board) for board in (*boards, *numbered)}
    return rules.pop() if len(rules) == 1 else "under several rules"


def _player(given: Namespace, parameters: dict[str, Value]) -> str:
    """The policy with its parameters."""
    settings = {**parameters, **({"seconds": given.seconds} if given.seconds else {})}
    told = ", ".join(f"{name} {value}" for name, value in settings.items())
    return f"{given.policy} ({told})" if told else given.policy


def _summary(player: str, rules: str, played: Sequence[Kept]) -> str:
    """The counts of a series of games."""
    games, (won, decisions, seconds) = len(played), map(sum, zip(*played, strict=True))
    # One more digit for each factor of 100 in the number of games.
    digits = min(2, (len(str(games)) - 1) // 2)
    shares = (won / games, *wilson(won, games, 0.99))
    share, low, high = (f"{100 * one:.{digits}f}" for one in shares)
    return (
        f"{player}: {won:,} of {plural(games, 'game')} won, "
        f"{share} % (99 % interval {low} to {high}), "
        f"{decisions / games:.1f} decisions and "
        f"{rounded(seconds / games)} s a game; the face-down cards of the piles "
        f"were hidden{f'; {rules}' if rules else ''}"
    )
