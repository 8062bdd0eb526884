"""What a game can do beyond what evolution needs: one protocol for each ability.

Commands that need an ability check for it by type (``solitaire.game.able``). A game has an
ability if it has its members; it declares nothing. What one place asks for has no protocol
(``solitaire.game.method``): ``held_out``, ``numbered_as``, ``people_play``, ``how_to_play``,
``laid_out``, ``verify_many``, ``closed_goal`` and ``write_reachable``, described in
docs/extend/game.md.

``gafreecell`` exports the types that these methods take and return: ``Drawing`` (with its ``Shown``
cards and ``Pile`` places), ``Outcome``, ``Parameter``, ``Part`` (a unit of compilation, not the
part of a run in ``evolution.generation``), ``Rating`` and ``Weights``. ``HiddenPlayer`` is in
``solving.playing``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from gafreecell.solving.drawing import Drawing, Pile
from gafreecell.solving.loading import Part
from gafreecell.solving.notations import Interpretation
from gafreecell.solving.outcome import Outcome
from gafreecell.solving.parameters import NO_GOAL, Parameter, Value
from gafreecell.solving.playing import HiddenPlayer
from gafreecell.solving.rating import Rating
from gafreecell.solving.weights import Weights


@runtime_checkable
class Searches(Protocol):
    """A game whose searches can be listed and chosen."""

    @property
    def searches(self) -> tuple[str, ...]:
        """Names of its searches."""

    @property
    def unguided(self) -> tuple[str, ...]:
        """Those that need no evaluator."""

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        """The parameters of one of its searches."""


@runtime_checkable
class HasOptions(Protocol):
    """A game that describes its options; ``Game.variant`` holds their values.

    ``Game.variant`` may be empty where every option has its default. So a game can get options
    later, and its older runs and weights files stay as they are.
    """

    @property
    def options(self) -> tuple[Parameter, ...]:
        """Each with its default, meaning and range."""


@runtime_checkable
class HasPresets(Protocol):
    """A game that comes with solvers."""

    @property
    def presets(self) -> tuple[str, ...]:
        """Their names."""

    @property
    def default_preset(self) -> str:
        """The one used where none is named."""

    @property
    def comparison_presets(self) -> tuple[str, ...]:
        """Those that figures compare evolved solvers with."""

    def preset(self, name: str) -> Weights:
        """A preset by name; an unknown name raises ``BadInput``, which lists the presets."""


@runtime_checkable
class Numbered(Protocol):
    """A game whose deals have numbers and whose boards can be written as text."""

    def deal_set(self, name: str) -> Sequence[int]:
        """The deals of a named set or a range; an unknown one raises ``BadInput`` with the sets."""

    def read_deal(self, number: int) -> Any:
        """The board of a deal number; ``BadInput`` if no deal has this number."""

    def write_board(self, board: Any) -> str:
        """A board as text, which ``read_boards`` reads if the game has it."""


@runtime_checkable
class ReadsBoards(Protocol):
    """A game whose boards can be given as text."""

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[Any]:
        """The boards in a text, in order; ``BadInput`` naming the line that cannot be read.

        Args:
            text: what to read.
            faults: if given, receives a message for each board that cannot be read, and the list
                has None in its place. If None, such a board raises ``BadInput``.
        """


@runtime_checkable
class Recognises(Protocol):
    """A game that can find the deal number of a board."""

    def recognised(self, board: Any) -> int:
        """The number of a board; ``BadInput`` saying why it has none or none was found."""


@runtime_checkable
class BoardsVary(Protocol):
    """A game whose boards imply some of its options, such as the number of cells."""

    def variant_of(self, board: Any) -> Mapping[str, Value]:
        """The value of each option for a board."""


@runtime_checkable
class ChecksDeals(Protocol):
    """A game whose solvers cannot take every deal that can be read."""

    def check_deal(self, deal: Any) -> None:
        """Raise ``BadInput`` unless solvers can take a deal, a board or a number."""


@runtime_checkable
class WritesSolutions(Protocol):
    """A game whose solutions can be written and read."""

    def write_solution(self, board: Any, outcome: Outcome) -> Iterable[str]:
        """A solution as lines for people to play."""

    def read_moves(self, text: str) -> list[str]:
        """The moves in a solution's text; ``ValueError`` if it holds none."""


@runtime_checkable
class Verifies(Protocol):
    """A game that can replay moves by its rules."""

    def verify(self, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL) -> str:
        """What is wrong with moves; empty if they solve the board.

        Args:
            board: the position to start from.
            moves: the tokens of the moves.
            goal: search parameters, including those of ``HasGoals.goal``.

        Raises:
            BadInput: if a token is no move of the game, in any position.
        """


@runtime_checkable
class Interprets(Protocol):
    """A game that reads solutions which leave moves out, or are in other programs' notations."""

    def interpret(self, board: Any, moves: Sequence[str]) -> Interpretation:
        """The moves in the game's own notation, none left out, for the verifier to replay.

        Args:
            board: the position to start from.
            moves: what ``read_moves`` returned, or a person wrote.

        Raises:
            BadInput: if a token is no move of the game, in any position.
        """


@runtime_checkable
class ListsMoves(Protocol):
    """A game that lists the legal moves of any position, so that hints can be given.

    The list is complete by the rules of the game and comes from code independent of its solvers.
    """

    @property
    def adviser(self) -> tuple[str, Mapping[str, Value]]:
        """The preset that gives hints, and parameters of its search to change.

        Its solutions should suit people. An empty name stands for the default preset.
        """

    def legal_moves(self, board: Any) -> list[str]:
        """All legal moves; one move stands for all moves that are equal by symmetry.

        Hints list equally good moves in this order, so moves that bring cards home come first.
        """

    def listed(self, board: Any, move: str) -> str:
        """The move of ``legal_moves`` that equals a solver's move, up to symmetry."""

    def after(self, board: Any, move: str) -> Any:
        """The board after a legal move; ``ValueError`` if the move is not legal."""


@runtime_checkable
class NamesRules(Protocol):
    """A game whose options are rules that have names of their own."""

    def rules_in_words(self, variant: Mapping[str, Value]) -> str:
        """Options in words that follow "with": ``draws of one card and no redeals``.

        Args:
            variant: values of its options; missing ones have their defaults.

        Returns:
            The words; empty for the usual rules, which answers need not name.
        """


@runtime_checkable
class HasGoals(Protocol):
    """A game with more than one goal."""

    def goal(self, text: str) -> Mapping[str, Value]:
        """The search parameters of a goal; an unknown one raises ``BadInput`` with the goals."""


@runtime_checkable
class ProvesUnsolvable(Protocol):
    """A game that can say why a deal cannot be solved."""

    def why_unsolvable(
        self, board: Any, outcome: Outcome, goal: Mapping[str, Value] = NO_GOAL
    ) -> Sequence[str]:
        """What proved a deal unsolvable: a sentence, then lines by which a player can check it.

        This computes the proof again, so call it only when someone asks.

        Args:
            board: the position to start from.
            outcome: the outcome, with status ``unsolvable``.
            goal: search parameters, including those of ``HasGoals.goal``.
        """


@runtime_checkable
class MeasuresBoards(Protocol):
    """A game that computes its features from a position."""

    def feature_values(self, board: Any) -> Mapping[str, float]:
        """The features of a position, by name; those that only moves have are left out."""


@runtime_checkable
class Draws(Protocol):
    """A game whose positions can be drawn."""

    @property
    def legend(self) -> Sequence[str]:
        """The notation of its moves and drawings in four lines."""

    def positions(self, board: Any, moves: Sequence[str]) -> Iterator[Drawing]:
        """The position before each move, with the move in words, and the final position.

        Args:
            board: the position to start from.
            moves: legal moves, as the verifier reads them.
        """


@runtime_checkable
class LaysTable(Protocol):
    """A game whose positions can be put together card by card."""

    def empty_table(self) -> Sequence[Pile]:
        """The piles of its drawings, without a card."""

    def text_of_table(self, places: Sequence[Sequence[str]]) -> str:
        """The text of a board for ``ReadsBoards``; whether it is one, that tells.

        Args:
            places: the cards of each pile of ``empty_table``, from the deepest, as text: ``TD``,
                ``<TD>`` face down unless the pile's cards are ``known``, ``??`` unknown.
        """


@runtime_checkable
class Rates(Protocol):
    """A game that can say how hard a deal is."""

    def check_rating(self, deal: Any) -> None:
        """Raise ``BadInput`` unless a deal (a board or a number) can be graded."""

    def rate(self, deal: Any) -> Rating:
        """How hard a deal is; may be called from several threads at once."""

    def describe_rating(self, found: Rating) -> str:
        """The measures behind a grade, in words."""


@runtime_checkable
class HiddenPlay(Protocol):
    """A game that can also be played with some of its cards hidden from the player."""

    @property
    def player(self) -> HiddenPlayer:
        """Plays it under the rules of ``Game.variant``."""


@runtime_checkable
class Compiles(Protocol):
    """A game with kernels, which are compiled at their first use on a machine."""

    @property
    def parts(self) -> Sequence[Part]:
        """The units of compilation, in a good order."""

    def load(self, part: Part) -> None:
        """Compile a part, or load it if it was compiled before."""
