"""Players, which choose moves from what they see, and the loop that plays a game with one."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from deals import KlondikeBoard
from gafreecell.jit.kernels.draws import new_draws
from gafreecell.solitaire.klondike.hidden.view import View, check_known
from gafreecell.solitaire.klondike.moves import tokens
from gafreecell.solitaire.klondike.verifier import Position
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.playing import Alternative, Decision, Played
from gafreecell.solving.weights import Weights


@dataclass(frozen=True, slots=True)
class Turn:
    """What a player does until it sees something new.

    Attributes:
        moves: moves on the table (``klondike.moves``); none to give up. Only the last of them
            may show an unseen card, except on a trip through a hidden stock: draws and a redeal
            that are the same whatever they show.
        choices: how often there were two or more actions to choose from.
        weighed: the actions with their chances, the chosen one first; empty if the player weighed
            none or is not watched.
    """

    moves: np.ndarray
    choices: int
    weighed: tuple[Alternative, ...] = ()


class Clock:
    """The processor time of one game.

    Args:
        seconds: the game's time limit; None for no limit.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._began = time.thread_time()
        self._until = 0.0

    def spent(self) -> float:
        """Seconds so far."""
        return time.thread_time() - self._began

    @property
    def runs(self) -> bool:
        """Whether there is a limit."""
        return self.seconds is not None

    def share(self, part: float) -> None:
        """Allow the current choice this share of the remaining time."""
        if self.seconds is not None:
            now = time.thread_time()
            self._until = now + part * max(0.0, self._began + self.seconds - now)

    @property
    def is_up(self) -> bool:
        """Whether the current choice has used its share."""
        return self.seconds is not None and time.thread_time() >= self._until


class Player(ABC):
    """A policy: one instance serves one thread and keeps its arrays from game to game."""

    name: ClassVar[str]
    meaning: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    budget: ClassVar[str] = ""
    """The parameter that a time limit can replace; empty if more time changes nothing."""
    search: ClassVar[str] = ""
    """The search whose weights the player takes; empty if it takes none."""

    compiling: ClassVar[float] = 0.0
    """Seconds that its kernels take to compile on a slow machine, roughly; 0 if unknown."""

    watched = False
    """Whether turns tell what the player thought; that changes no move."""

    @abstractmethod
    def start(self, draws: np.ndarray, values: Mapping[str, Value], clock: Clock) -> None:
        """Begin a game.

        Args:
            draws: uint64[1], the player's random number generator (``jit.kernels.draws``).
            values: a value for each of the player's parameters.
            clock: the game's clock.
        """

    def weigh(self, weights: Weights | None) -> None:  # noqa: B027
        """Use weights that ``policies.check`` accepts; None stands for the player's own."""

    def warm_up(self) -> None:  # noqa: B027
        """Load the kernels that a short game does not need; called after such a game."""

    @abstractmethod
    def turn(self, view: View) -> Turn:
        """The player's next moves.

        Args:
            view: what is seen, after the moves of the last turn.

        Raises:
            Interrupted: if the call is stopped meanwhile (``solving.stopping``).
        """


class Adviser(Player):
    """A player that can tell what it thinks of each action of a position."""

    judges: ClassVar[str]
    """What its chances are worth, in a paragraph; empty where that depends on the position."""

    @abstractmethod
    def advise(self, view: View) -> list[Alternative]:
        """Estimate the chance to win after each move, the best first, after ``start``.

        Args:
            view: what is seen.

        Returns:
            The moves; one alternative without moves if the game is won, none if it is proved lost.

        Raises:
            ParameterError: if the player cannot say anything of such a position.
            Interrupted: if the call is stopped meanwhile (``solving.stopping``).
        """


def play_game(
    player: Player,
    board: KlondikeBoard,
    values: Mapping[str, Value],
    seed: int = 0,
    place: int = 0,
    seconds: float | None = None,
    watched: bool = False,
) -> Played:
    """Play a game to its end.

    Args:
        player: who plays.
        board: the deal, or a position with all cards known.
        values: values of the player's parameters.
        seed, place: the seed of a series of games, and the place of this game in it, from 0. The
            player's random numbers depend on these alone.
        seconds: processor time for the game; None for the player's counted budget.
        watched: whether to keep what the player thought at each decision.

    Raises:
        DealError: if a card is unknown.
        IllegalMove: if a move breaks a rule, which is a bug of the player.
    """
    check_known(board)
    clock = Clock(seconds)
    # Only this table knows the deal; it plays by the verifier's rules.
    table = Position.from_board(board)
    player.watched = watched
    player.start(new_draws(seed, place), values, clock)
    decisions = 0
    made: list[str] = []
    weighed = []
    while not table.is_solved:
        turn = player.turn(View.of_position(table))
        decisions += turn.choices
        if turn.weighed:
            weighed.append(Decision(len(made), turn.weighed))
        if turn.moves.size == 0:
            break
        for token in tokens(turn.moves):
            made.append(token)
            table.play(token)
    return Played(table.is_solved, tuple(made), decisions, clock.spent(), tuple(weighed))
