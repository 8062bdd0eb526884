"""What a game can do besides being evolved on: a protocol for each ability.

The commands that need one ask for it by type (``gafreecell.game.able``). A game has an ability
by having its members; nothing is declared.

What they are given and return is exported by ``gafreecell``: ``Drawing`` (with ``Shown`` cards),
``Outcome``, ``Parameter``, ``Part`` (of what is compiled: not the part of a run in
``gafreecell.generation``), ``Rating`` and ``Weights``. ``Policy``, ``Played`` and ``Alternative``
are in ``solving.playing``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from solving.drawing import Drawing
from solving.loading import Part
from solving.outcome import Outcome
from solving.parameters import NO_GOAL, Parameter, Value
from solving.playing import Alternative, Played, Policy
from solving.rating import Rating
from solving.weights import Weights


@runtime_checkable
class Searches(Protocol):
    """A game whose searches can be listed and chosen."""

    @property
    def searches(self) -> tuple[str, ...]:
        """Names of its searches."""
        ...

    @property
    def unguided(self) -> tuple[str, ...]:
        """Those that need no evaluator."""
        ...

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        """The parameters of one of its searches."""
        ...


@runtime_checkable
class HasOptions(Protocol):
    """A game that describes its options, whose values ``Game.variant`` tells."""

    @property
    def options(self) -> tuple[Parameter, ...]:
        """Each with its default, meaning and range."""
        ...


@runtime_checkable
class HasPresets(Protocol):
    """A game that brings solvers along."""

    @property
    def presets(self) -> tuple[str, ...]:
        """Their names."""
        ...

    @property
    def default_preset(self) -> str:
        """The one used where none is named."""
        ...

    @property
    def comparison_presets(self) -> tuple[str, ...]:
        """Those that figures compare evolved solvers with."""
        ...

    def preset(self, name: str) -> Weights:
        """A preset; ``BadInput`` naming those there are."""
        ...


@runtime_checkable
class HoldsOut(Protocol):
    """A game that names problems which no job should train or validate on."""

    @property
    def held_out(self) -> str:
        """Their set, for figures of progress; empty for the deals that follow a job's."""
        ...


@runtime_checkable
class Numbered(Protocol):
    """A game whose deals have numbers and can be written."""

    def deal_set(self, name: str) -> Sequence[int]:
        """The deals of a named set or a range; ``BadInput`` naming the sets there are."""
        ...

    def read_deal(self, number: int) -> Any:
        """The board of a deal number; ``BadInput`` if there is none."""
        ...

    def write_board(self, board: Any) -> str:
        """A board as text, which ``read_boards`` reads if the game has it."""
        ...


@runtime_checkable
class ReadsBoards(Protocol):
    """A game whose boards can be given as text."""

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[Any]:
        """The boards written in a text, in order; ``BadInput`` naming the line.

        Args:
            text: what to read.
            faults: receives what is wrong with each board that cannot be read, in whose place
                the list then has None; without it that is the error.
        """
        ...


@runtime_checkable
class Recognises(Protocol):
    """A game that knows the number of a board that is a numbered deal."""

    def recognised(self, board: Any) -> int:
        """The number of a board; ``BadInput`` saying why it has none, or none can be found."""
        ...


@runtime_checkable
class BoardsVary(Protocol):
    """A game whose boards themselves tell its options, such as the number of cells."""

    def variant_of(self, board: Any) -> Mapping[str, Value]:
        """The value of each option in the game that a board is of."""
        ...


@runtime_checkable
class LaysOut(Protocol):
    """A game whose boards are written in rows or in columns."""

    def laid_out(self, layout: str) -> Any:
        """The same game, whose boards are read as ``rows`` or as ``columns``."""
        ...


@runtime_checkable
class WritesSolutions(Protocol):
    """A game whose solutions can be written and read."""

    def write_solution(self, board: Any, outcome: Outcome) -> Iterable[str]:
        """A solution as lines for people to play."""
        ...

    def read_moves(self, text: str) -> list[str]:
        """The moves in a solution's text; ``ValueError`` if it holds none."""
        ...


@runtime_checkable
class Verifies(Protocol):
    """A game that can replay moves by its rules."""

    def verify(self, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL) -> str:
        """What is wrong with moves, empty if they solve the board.

        Args:
            board: where the game stands.
            moves: tokens.
            goal: search parameters, those of ``HasGoals.goal`` among them.
        """
        ...


@runtime_checkable
class VerifiesMany(Verifies, Protocol):
    """A game that has a quicker way to replay the solutions of many deals."""

    def verify_many(
        self,
        boards: Sequence[Any],
        solutions: Sequence[Sequence[str]],
        goal: Mapping[str, Value] = NO_GOAL,
    ) -> Sequence[str]:
        """What ``verify`` says of each.

        Args:
            boards: where each game stands: boards and deal numbers.
            solutions: tokens, of each game.
            goal: as ``verify`` takes it.
        """
        ...


@runtime_checkable
class ListsMoves(Protocol):
    """A game whose legal moves can be listed in any position, so that hints can be given.

    The list is complete by the rules of the game and comes from code apart from its solvers.
    """

    @property
    def adviser(self) -> tuple[str, Mapping[str, Value]]:
        """The preset whose solutions people like, and parameters of its search to change.

        An empty name stands for the default preset.
        """
        ...

    def legal_moves(self, board: Any) -> list[str]:
        """Every legal move; of moves that are alike by symmetry, one stands for all.

        Hints list moves that are equally good in this order, so moves that bring cards home come
        first.
        """
        ...

    def listed(self, board: Any, move: str) -> str:
        """The one of ``legal_moves`` that a legal move, as a solver writes it, is alike."""
        ...

    def after(self, board: Any, move: str) -> Any:
        """The board after a legal move; ``ValueError`` for another."""
        ...


@runtime_checkable
class HasGoals(Protocol):
    """A game that can be played for more than one goal."""

    def goal(self, text: str) -> Mapping[str, Value]:
        """The search parameters of a goal; ``BadInput`` naming the goals there are."""
        ...


@runtime_checkable
class ProvesUnsolvable(Protocol):
    """A game that can say why a deal cannot be solved."""

    def why_unsolvable(
        self, board: Any, outcome: Outcome, goal: Mapping[str, Value] = NO_GOAL
    ) -> Sequence[str]:
        """What proved a deal unsolvable: a sentence, then lines by which a player can check it.

        It is worked out anew, so only for people who ask.

        Args:
            board: where the game stands.
            outcome: ``unsolvable``.
            goal: search parameters, those of ``HasGoals.goal`` among them.
        """
        ...


@runtime_checkable
class Draws(Protocol):
    """A game whose positions can be drawn."""

    @property
    def legend(self) -> Sequence[str]:
        """The notation of its moves and drawings in four lines."""
        ...

    def positions(self, board: Any, moves: Sequence[str]) -> Iterator[Drawing]:
        """The position before each move, with the move in words, and the last one after it.

        Args:
            board: where the game stands.
            moves: legal ones, as the verifier plays them.
        """
        ...


@runtime_checkable
class MarksReachable(Protocol):
    """A game with a talon, of whose cards some can be played now."""

    def write_reachable(self, board: Any) -> str:
        """A board as text, those cards marked."""
        ...


@runtime_checkable
class Rates(Protocol):
    """A game that can say how hard a deal is."""

    def check_rating(self, deal: Any) -> None:
        """Raise ``BadInput`` unless a deal, a board or a number, can have a grade."""
        ...

    def rate(self, deal: Any) -> Rating:
        """How hard a deal is; may be called from several threads at once."""
        ...

    def describe_rating(self, found: Rating) -> str:
        """The measures behind a grade, in words."""
        ...


@runtime_checkable
class HiddenPlay(Protocol):
    """A game that can also be played with some of its cards hidden from the player."""

    @property
    def policies(self) -> tuple[Policy, ...]:
        """What plays it."""
        ...

    def check_policy(
        self, policy: str, parameters: Mapping[str, Value], timed: bool, weights: Weights | None
    ) -> dict[str, Value]:
        """Every parameter of a policy with its value.

        ``BadInput`` unless there is such a policy with such parameters that takes the weights.

        Args:
            policy: its name.
            parameters: those given.
            timed: whether it is to play to a clock.
            weights: of the policy's search; None for its own.
        """
        ...

    def check_start(self, board: Any) -> None:
        """Raise ``BadInput`` unless a game can be played from a board: all its cards are known."""
        ...

    def seen(self, board: Any) -> Any:
        """A board as its player sees it, hidden cards unknown."""
        ...

    def play(
        self,
        board: Any,
        policy: str,
        parameters: Mapping[str, Value],
        seed: int,
        place: int,
        seconds: float | None,
        weights: Weights | None,
    ) -> Played:
        """Play one game; may be called from several threads at once.

        Args:
            board: all its cards known; the policy is shown what a player would see.
            policy: its name.
            parameters: those that are not to have their defaults.
            seed: of the series.
            place: of the game in the series, from 0.
            seconds: processor time for the game, in place of the counted budget.
            weights: of the policy's search; None for its own.
        """
        ...

    def advise(
        self,
        board: Any,
        policy: str,
        parameters: Mapping[str, Value],
        seed: int,
        seconds: float | None,
        weights: Weights | None,
    ) -> list[Alternative]:
        """What each move in a position is worth, the best first; cards may be unknown.

        One without moves if the game is won, none if it is proved to be lost. ``BadInput`` if
        the policy gives no hints.
        """
        ...

    def about_advice(self, board: Any) -> Sequence[str]:
        """What a person has to know of such advice, in paragraphs."""
        ...


@runtime_checkable
class Compiles(Protocol):
    """A game with kernels, which are compiled when they are first used on a machine."""

    @property
    def parts(self) -> Sequence[Part]:
        """What is compiled as a whole, in a good order."""
        ...

    def load(self, part: Part) -> None:
        """Compile a part, or load it where that was done before."""
        ...
