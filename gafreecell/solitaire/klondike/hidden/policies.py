"""The policies by name, and how to play with them on any thread."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import ClassVar

from deals import KlondikeBoard, klondike
from deals.checks import shown
from deals.errors import did_you_mean
from deals.klondike_board import UNKNOWN
from gafreecell.jit.kernels.draws import new_draws
from gafreecell.solitaire.klondike.hidden.best import Best
from gafreecell.solitaire.klondike.hidden.calibration import PLAYER, calibration_for
from gafreecell.solitaire.klondike.hidden.judgement import FEATURES, SETTINGS
from gafreecell.solitaire.klondike.hidden.planners import (
    EnsembleSparseUct,
    EnsembleUct,
    Greedy,
    Hop,
    HopUct,
    Random,
    SparseUct,
    Uct,
)
from gafreecell.solitaire.klondike.hidden.players import Adviser, Clock, Player, play_game
from gafreecell.solitaire.klondike.hidden.view import View, check_known, seen
from gafreecell.solitaire.klondike.presets import CHOICES
from gafreecell.solving.loading import Part, loading
from gafreecell.solving.outcome import LINEAR
from gafreecell.solving.parameters import ParameterError, Value, read_parameters
from gafreecell.solving.playing import Alternative, HiddenPlayer, Played, Policy
from gafreecell.solving.weights import Weights, check_game

_PLAYERS: dict[str, type[Player]] = {
    player.name: player
    for player in (
        Random, Greedy, Hop, Uct, HopUct, SparseUct, EnsembleUct, EnsembleSparseUct, Best,
    )
}  # fmt: skip
POLICIES = tuple(
    Policy(p.name, p.meaning, p.parameters, p.budget, issubclass(p, Adviser))
    for p in _PLAYERS.values()
)

COMPILED_APART = (Greedy.name, Hop.name, Uct.name, Best.name)
"""Policies with kernels of their own; the other policies share theirs."""


_kept = threading.local()
"""The players of each thread by name, kept so that their arrays are reused."""


def check(
    policy: str,
    parameters: Mapping[str, Value],
    timed: bool = False,
    weights: Weights | None = None,
) -> dict[str, Value]:
    """Check what a policy is given, and return each of its parameters with its value.

    Args:
        policy: its name.
        parameters: the parameters given.
        timed: whether the policy plays with a time limit.
        weights: the weights that the policy is to use.

    Raises:
        ParameterError: if the policy or a parameter is unknown (the message lists the known
            ones); if a value is out of range; if the policy takes no time limit; if both a time
            limit and the parameter that it replaces are given; or if the weights are for another
            search than the policy's.
    """
    if policy not in _PLAYERS:
        guess = did_you_mean(policy, _PLAYERS)
        raise ParameterError(
            f"there is no policy {policy!r}; there are {', '.join(_PLAYERS)}{guess}"
        )
    player = _PLAYERS[policy]
    if timed and not player.budget:
        raise ParameterError(f"the policy {policy} does not plan ahead: it takes no seconds")
    if timed and player.budget in parameters:
        raise ParameterError(f"seconds replace {player.budget}: give only one of the two")
    if weights is not None:
        if not isinstance(weights, Weights):
            raise ParameterError(
                f"expected gafreecell.Weights, got {shown(weights)}: "
                "gafreecell.read_weights(path) reads a file"
            )
        judges = weights.game == CHOICES
        if not judges:
            check_game(weights, "klondike")
        if not player.search:
            raise ParameterError(f"the policy {policy} takes no weights; {Best.name} does")
        if judges:
            _check_judgement(weights)
        elif weights.search.name != player.search:
            raise ParameterError(
                f"the policy {policy} takes weights of the search {player.search}, got weights of "
                f"{weights.search.name}"
            )
    return read_parameters(f"the policy {policy}", player.parameters, parameters)


def check_judged(weights: Weights | None, redeals: int | None) -> None:
    """Refuse a judgement of moves under rules for which none can evolve.

    Args:
        weights: those of a policy.
        redeals: how often the waste may still be turned over; None for no limit.

    Raises:
        ParameterError: if a judgement meets a limit of redeals.
    """
    if weights is not None and weights.game == CHOICES and redeals is not None:
        left = f"{redeals} redeals are" if redeals > 1 else f"{redeals or 'no'} redeal is"
        raise ParameterError(
            f"a judgement of moves ({CHOICES}) is for games with unlimited redeals, but here "
            f"{left} left: leave its weights out"
        )


def _check_judgement(weights: Weights) -> None:
    """Raise ``ParameterError`` unless weights of the game of choices make a judgement."""
    evaluator = weights.evaluator
    if evaluator is None or evaluator.kind != LINEAR:
        raise ParameterError(f"weights for {CHOICES} must be one weighted sum, without phases")
    known = [feature.name for feature in FEATURES]
    limits = {setting.name: setting.high for setting in SETTINGS}
    for name, weight in zip(evaluator.features, evaluator.weights, strict=True):
        if name not in known:
            raise ParameterError(
                f"weights for {CHOICES} have the feature {name!r}, which a judgement does not know"
                f"{did_you_mean(name, known)}"
            )
        if not isfinite(weight) or (name in limits and not 0 <= weight <= limits[name]):
            allowed = f"from 0 to {limits[name]:g}" if name in limits else "a finite number"
            raise ParameterError(f"the weight of {name} must be {allowed}, got {weight:g}")


def play(
    board: KlondikeBoard,
    policy: str,
    parameters: Mapping[str, Value] | None = None,
    seed: int = 0,
    place: int = 0,
    seconds: float | None = None,
    weights: Weights | None = None,
    watched: bool = False,
) -> Played:
    """Play a game with hidden cards.

    The face-down cards of the piles are hidden, and those of the stock while the board says that
    nobody has seen them.

    Args:
        board: the deal, or a position. All its cards are known to the table; the policy does not
            see the hidden ones.
        policy: its name, one of ``POLICIES``.
        parameters: those that differ from their defaults.
        seed: the seed of a series of games, from 0.
        place: the place of this game in the series, from 0. The policy's random numbers come from
            both.
        seconds: processor time for the game, in place of the counted budget; not
            reproducible.
        weights: weights of the policy's search, if it has one; by default the policy's own.
        watched: whether to keep what the policy thought at each decision. That changes no move.

    Returns:
        The game as it was played.

    Raises:
        ParameterError: as ``check`` does, and if a judgement of moves meets a limit of redeals.
        DealError: if a card is unknown.
        Interrupted: if the call is stopped meanwhile (``solving.stopping``).
    """
    values = check(policy, parameters or {}, seconds is not None, weights)
    _check_board(board, weights)
    player = load(policy)
    player.weigh(weights)
    return play_game(player, board, values, seed, place, seconds, watched)


def advise(
    board: KlondikeBoard,
    policy: str = Best.name,
    parameters: Mapping[str, Value] | None = None,
    seed: int = 0,
    seconds: float | None = None,
    weights: Weights | None = None,
) -> list[Alternative]:
    """Estimate the chance to win after each move, for a player who does not know the hidden cards.

    Args:
        board: a position. Its face-down cards may be unknown, and are ignored if they are known.
            Cards of the stock, and of the waste below its top, may be unknown, too.
        policy: one that gives hints.
        parameters: those that differ from their defaults.
        seed: the seed of the policy's random numbers.
        seconds: processor time, in place of the counted budget.
        weights: as for ``play``.

    Returns:
        The moves, the best first. If the game is won, one alternative without moves; if it is
        proved lost, none.

    Raises:
        ParameterError: as ``play`` does, if the policy gives no hints, and if it cannot say
            anything of this position.
        Interrupted: if the call is stopped meanwhile (``solving.stopping``).
    """
    values = check(policy, parameters or {}, seconds is not None, weights)
    _check_board(board, weights)
    player = load(policy)
    if not isinstance(player, Adviser):
        able = ", ".join(one.name for one in POLICIES if one.advises)
        raise ParameterError(f"the policy {policy} gives no hints; these do: {able}")
    player.weigh(weights)
    player.start(new_draws(seed, 0), values, Clock(seconds))
    return player.advise(View.of_board(board))


def _check_board(board: KlondikeBoard, weights: Weights | None) -> None:
    """Refuse what is no board, and a judgement under the board's rules if none can evolve."""
    if not isinstance(board, KlondikeBoard):
        raise ParameterError(
            f"expected a KlondikeBoard, got {shown(board)}: deals.klondike(number) deals one"
        )
    check_judged(weights, board.redeals)


def load(policy: str) -> Player:
    """This thread's player, with its kernels loaded before the clock of a game starts."""
    kept: dict[str, Player] = vars(_kept)
    if policy not in kept:
        with loading(part_of(policy)):
            player = _PLAYERS[policy]()
            # With every parameter 1, each kernel is called and the game takes milliseconds.
            play_game(player, klondike(1), dict.fromkeys((p.name for p in player.parameters), 1))
            player.warm_up()
        kept[policy] = player
    return kept[policy]


def part_of(policy: str) -> Part:
    """A policy's name on the progress bar, and the seconds that it takes to compile."""
    return Part(f"Klondike's policy {policy}", _PLAYERS[policy].compiling)


_NOT_LISTED = (
    "Moves that can be undone at once are not listed, as they change nothing by themselves."
)
_SAFE = "If a card can go home with hardly any risk, only that move is listed."


@dataclass(frozen=True)
class KlondikePlayer(HiddenPlayer):
    """The player of Klondike's hidden cards, as the framework knows it.

    Attributes:
        redeals: how often the waste may be turned over; None for no limit.
    """

    redeals: int | None

    policies: ClassVar = POLICIES
    other_games: ClassVar = (CHOICES,)
    check_start = staticmethod(check_known)
    seen = staticmethod(seen)
    play = staticmethod(play)
    advise = staticmethod(advise)

    def check(
        self, policy: str, parameters: Mapping[str, Value], timed: bool, weights: Weights | None
    ) -> dict[str, Value]:
        values = check(policy, parameters, timed, weights)
        check_judged(weights, self.redeals)
        return values

    def keeps_secrets(self, board: KlondikeBoard) -> bool:
        """Whether nobody has seen the stock of a board."""
        return board.unseen

    def opened(self, board: KlondikeBoard) -> KlondikeBoard:
        return replace(board, unseen=False)

    def about_advice(self, board: KlondikeBoard, policy: str = Best.name) -> tuple[str, ...]:
        player, view = _PLAYERS[policy], View.of_board(board)
        if issubclass(player, Adviser) and player.judges:
            return player.judges, _NOT_LISTED
        free = bool(view.round_trip)
        if view.lacks_seen and not free:
            chances = (
                "The face-down cards of the piles and those given as ?? are hidden. As cards of "
                "the talon that a player would have seen are among them, the chances are those of "
                "a player who sees every card after the move. They are much too high: use them "
                "only to compare the moves. A draw shows cards, so it comes first among equals."
            )
        else:
            hidden = "of the piles"
            if UNKNOWN in (*board.stock, *board.waste):
                hidden += " and those given as ??"
            elif board.unseen:
                hidden += " and of the stock"
            about = (
                f"are corrected by the results of many games, so they are those of {PLAYER}"
                if free or calibration_for(view)
                else "are too high because cards that turn up much later count as known"
            )
            chances = (
                f"The face-down cards {hidden} are hidden. The chances {about}. The intervals show "
                "the error of sampling alone."
            )
        if free:
            trip = (
                "Turning through the whole stock once costs nothing under these rules and shows "
                "all its cards, so it comes first. Its chance is the mean over stocks that it may "
                "show."
            )
            return chances, trip
        return chances, f"{_NOT_LISTED} {_SAFE}"
