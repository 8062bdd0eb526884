"""Klondike as a game of the framework (see ``solitaire.game.Game``)."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from deals import KlondikeBoard, klondike, numbered_klondike, numbers, read_klondike_boards
from deals.klondike_numbers import numbering
from deals.klondike_rules import DRAW, DRAWS, REDEALS, UNLIMITED, limit_of
from deals.pasted import unquoted
from deals.pysol import LARGEST_PYSOL
from gafreecell.solitaire.klondike import drawing, interpreting, rating
from gafreecell.solitaire.klondike import legal_moves as legal
from gafreecell.solitaire.klondike.engine import EARLIER, ENGINE
from gafreecell.solitaire.klondike.features import FEATURES
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solitaire.klondike.proof import why_lost
from gafreecell.solitaire.klondike.rollouts.values import USUAL_NAMES
from gafreecell.solitaire.klondike.shorten import SHORTENING, load_kernels
from gafreecell.solitaire.klondike.solver import SOLVER
from gafreecell.solitaire.klondike.verifier import verify
from gafreecell.solving.features import Scales
from gafreecell.solving.games import SearchedGame
from gafreecell.solving.loading import Part
from gafreecell.solving.outcome import Outcome
from gafreecell.solving.parameters import NO_GOAL, Parameter, Value
from gafreecell.solving.playing import HiddenPlayer
from gafreecell.solving.rating import Rating
from gafreecell.solving.solutions import read_moves

_COUNTS: Mapping[Value, str] = {0: "no", 1: "one", 2: "two", 3: "three"}
_NEEDLESS = {
    "safe-home": "any other move, when a card can go home that no card will ever need to lie on",
    "still-bottoms": "emptying a pile by moving its bottom card to another pile, while every king "
    "already lies at the bottom of a pile, as only a king could use the space",
}
"""The moves that the complete search prunes by each of these parameters, and why it may."""


class Klondike(SearchedGame):
    """Klondike; parts of piles may move.

    By default a draw turns three cards, the waste may be turned over without limit, and the cards
    of the stock are known to whoever plays with hidden cards.
    """

    name = "klondike"
    solver = SOLVER
    engine = ENGINE
    earlier_engines = tuple(EARLIER)
    features = FEATURES
    default_features = USUAL_NAMES
    comparison_presets = ("rollouts-2007",)
    adviser = ("complete", {"shorten": 20_000})
    length_meanings: ClassVar[Mapping[str, str]] = {"moves": "all moves, with draws and redeals"}
    scales = Scales(nodes=300, moves=200)
    options = (
        Parameter(
            "draw", DRAW, "cards that a draw turns", choices=DRAWS, label="Cards a draw turns"
        ),
        Parameter(
            "redeals",
            UNLIMITED,
            "how often the waste may be turned over",
            choices=(*REDEALS, UNLIMITED),
            label="Redeals",
        ),
        Parameter(
            "stock",
            "known",
            "known: a player with hidden cards knows the stock from the start; hidden: each card "
            "once it has been turned",
            choices=("known", "hidden"),
            label="Stock",
        ),
    )
    largest = LARGEST_PYSOL
    numbers_of: str | None = None
    """Whose numbers ``deal`` knows; PySol FC's, which solvers take as they are, if None."""
    counts_decks = False
    """Whether neighbouring numbers deal almost the same cards."""
    training, validation = "1000001-1001000", "1900001-1900200"
    held_out = "2000000001-2000000200"
    usual_rules = "draws of three cards and unlimited redeals"
    how_to_play = (
        "Uncover the hidden cards, and bring all to the foundations, up in suit from the ace. "
        "Build the piles down in alternating colours; runs move together, and only a king goes to "
        "an empty pile. A card that lies face down turns up when nothing lies on it. The stock "
        "turns its cards, as many at once as a draw has, to the waste, whose top card can be "
        "played. A foundation's top card may come back."
    )
    people_play: ClassVar[Mapping[str, Value]] = {"stock": "hidden"}
    legend = drawing.LEGEND
    positions = staticmethod(drawing.positions)
    empty_table = staticmethod(drawing.empty_table)
    text_of_table = staticmethod(drawing.as_text)
    legal_moves = staticmethod(legal.legal_moves)
    listed = staticmethod(legal.listed)
    after = staticmethod(legal.after)
    interpret = staticmethod(interpreting.interpret)

    @property
    def parts(self) -> tuple[Part, ...]:
        from gafreecell.solitaire.klondike.hidden.policies import COMPILED_APART, part_of

        careless = rating.CARELESS_GAMES
        return (*super().parts, SHORTENING, careless, *map(part_of, COMPILED_APART))

    def load(self, part: Part) -> None:
        from gafreecell.solitaire.klondike.hidden.policies import COMPILED_APART, load, part_of

        if part == rating.CARELESS_GAMES:
            rating.load_careless_games()
        elif part in super().parts:
            super().load(part)
        elif part == SHORTENING:
            load_kernels(pack_board(klondike(1)))
        else:
            load(next(name for name in COMPILED_APART if part_of(name) == part))

    @property
    def variant(self) -> Mapping[str, Value]:
        """The rules; empty for the usual ones, which earlier runs and weights files never named."""
        return {} if self._is_usual else super().variant

    @property
    def draw(self) -> int:
        """How many cards a draw turns."""
        return int(self.given.get("draw", DRAW))

    @property
    def redeals(self) -> int | None:
        """How often the waste may be turned over; None for no limit."""
        return limit_of(self.given.get("redeals"))

    @property
    def hides_stock(self) -> bool:
        """Whether a player with hidden cards does not know the stock."""
        return self.given.get("stock") == "hidden"

    def rules_in_words(self, variant: Mapping[str, Value]) -> str:
        """Rules in words: ``draws of one card and no redeals``; empty for the usual ones."""
        draw, redeals = variant.get("draw", DRAW), variant.get("redeals", UNLIMITED)
        draws = f"draws of {_COUNTS[draw]} card{'' if draw == 1 else 's'}"
        passes = f"{_COUNTS.get(redeals, redeals)} redeal{'' if redeals == 1 else 's'}"
        if variant.get("stock") == "hidden":
            return f"{draws}, {passes} and a hidden stock"
        words = f"{draws} and {passes}"
        return "" if words == self.usual_rules else words

    def variant_of(self, board: KlondikeBoard) -> Mapping[str, Value]:
        """The rules of a board, with the redeals that it has left."""
        redeals = UNLIMITED if board.redeals is None else board.redeals
        stock = "hidden" if board.unseen else "known"
        return self.vary(draw=board.draw, redeals=redeals, stock=stock).variant

    def numbered_as(self, kind: str) -> Klondike:
        """The same game, which deals by another program's numbers; solvers take its boards."""
        other = copy.copy(self)
        other.numbers_of = kind
        found = numbering(kind)
        other.smallest, other.largest = 0, found.largest  # type: ignore[misc]
        other.counts_decks = found.counts_decks
        return other

    def recognised(self, board: KlondikeBoard) -> int:
        # The boards of another program's numbers are named by them.
        kind, _, number = board.name.rpartition("-")
        if self.numbers_of and kind == self.numbers_of and number.isdecimal():
            return int(number)
        return numbers.recognised(board)

    def deal(self, number: int) -> KlondikeBoard:
        rules = self.draw, self.redeals, self.hides_stock
        if self.numbers_of:
            return numbered_klondike(self.numbers_of, number, *rules)
        return klondike(number, *rules)

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[KlondikeBoard | None]:
        # Rules that were not asked for may be named by a board.
        draw: Any = self.given.get("draw")
        redeals: Any = self.given.get("redeals")
        unseen = self.hides_stock if "stock" in self.given else None
        return read_klondike_boards(text, faults, draw, redeals, unseen)

    def write_board(self, board: KlondikeBoard) -> str:
        return board.to_text()

    def write_reachable(self, board: KlondikeBoard) -> str:
        """A board as text, with the talon cards that can be played now in parentheses."""
        return board.to_text(mark_reachable=True)

    def why_unsolvable(
        self, board: KlondikeBoard, outcome: Outcome, goal: Mapping[str, Value] = NO_GOAL
    ) -> Sequence[str]:
        # With more than one node, the search itself is the proof, not a dead-end test.
        tested = why_lost(board) if outcome.nodes.generated <= 1 else ()
        if tested:
            return tested
        needless = [moves for rule, moves in _NEEDLESS.items() if goal.get(rule, "yes") == "yes"]
        searched = (
            "Every position that can be reached "
            + ("by the moves that a win may need " if needless else "")
            + f"was searched, {outcome.nodes.generated:,} in all "
            "(positions that can be turned into one another count once)."
        )
        match needless:
            case []:
                return (searched,)
            case [moves]:
                return (searched, f"  The search left out moves that no win needs: {moves}.")
        left_out = "  The search left out two kinds of moves, which no win needs:"
        return (
            searched,
            left_out,
            *(f"  ({i}) {moves}" for i, moves in enumerate(needless, start=1)),
        )

    def read_moves(self, text: str) -> list[str]:
        """The moves in a text, which other programs may have written.

        Raises:
            ValueError: if it has none, or if a word is no move.
        """
        return read_moves(interpreting.moves_in(unquoted(text)), interpreting.NOTATIONS)

    def verify(self, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL) -> str:
        verdict = verify(board, moves)
        return "" if verdict.solved else verdict.reason

    def check_rating(self, deal: KlondikeBoard | int) -> None:
        """Only boards whose cards are all known have grades."""
        if not isinstance(deal, int):
            rating.check(deal)

    def rate(self, deal: KlondikeBoard | int) -> Rating:
        return rating.rate(self.deal(deal) if isinstance(deal, int) else deal)

    def grade_winnable(self, deal: KlondikeBoard | int) -> int:
        """The grade of a deal that can be won, which ``rate`` would have to find out."""
        return rating.grade_winnable(self.deal(deal) if isinstance(deal, int) else deal)

    def describe_rating(self, found: Rating) -> str:
        return rating.describe(found.measures)

    @property
    def player(self) -> HiddenPlayer:
        from gafreecell.solitaire.klondike.hidden.policies import KlondikePlayer

        return KlondikePlayer(self.redeals)


GAME = Klondike()
