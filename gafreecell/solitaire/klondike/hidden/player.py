"""The player of Klondike's hidden cards, as the framework knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from deals import KlondikeBoard
from deals.klondike_board import UNKNOWN
from gafreecell.solitaire.klondike.hidden.calibration import PLAYER, calibration_for
from gafreecell.solitaire.klondike.hidden.policies import (
    POLICIES,
    advise,
    check,
    check_judged,
    play,
)
from gafreecell.solitaire.klondike.hidden.view import View, check_known, seen
from gafreecell.solitaire.klondike.presets import CHOICES
from gafreecell.solving.parameters import Value
from gafreecell.solving.playing import HiddenPlayer
from gafreecell.solving.weights import Weights


@dataclass(frozen=True)
class KlondikePlayer(HiddenPlayer):
    """Plays Klondike.

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

    def about_advice(self, board: KlondikeBoard) -> tuple[str, ...]:
        view = View.of_board(board)
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
        listed = (
            "Moves that can be undone at once are not listed, as they change nothing by "
            "themselves. If a card can go home with hardly any risk, only that move is listed."
        )
        if free:
            trip = (
                "Turning through the whole stock once costs nothing under these rules and shows "
                "all its cards, so it comes first. Its chance is the mean over stocks that it may "
                "show."
            )
            return chances, trip
        return chances, listed
