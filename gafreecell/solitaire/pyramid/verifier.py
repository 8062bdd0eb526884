"""Replays solutions of Pyramid in plain Python, sharing nothing with any solver.

It knows the rules and the words of the steps, but no searches, packed states or matchings, so it
cannot repeat their mistakes. It accepts every legal step, even those that no solver takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from deals.cards import DealError, parse_card, rank_of
from deals.checks import shown, words
from deals.pyramid_deck import ROWS, PyramidDeck, pyramid_card_name
from deals.pyramid_position import GONE, RECYCLES, PyramidBoard, PyramidPosition
from deals.words import plural
from gafreecell.solving.notations import IllegalMove, Notation

__all__ = ["IllegalStep", "Position", "Verdict", "verify"]

ROW_POINTS = (25, 50, 75, 100, 150, 250, 500)
"""The points for clearing a row, the bottom row first."""
REMOVAL_POINTS = 5
PLACES = [(row, i) for row in range(ROWS) for i in range(row + 1)]
"""Row and place of each card of a whole pyramid; both count from 0, at the tip and on the left."""
_REMOVE = re.compile(r"remove\s+(\w+)(?:\s+and\s+(\w+))?", re.IGNORECASE)
_CARD = r"(?:(?:10|[a2-9tjqk])[cdhs♣♦♥♠]|[cdhs♣♦♥♠](?:10|[a2-9tjqk]))"
_CARDS = re.compile(_CARD, re.IGNORECASE)


def _written(step: str) -> str:
    """A step in the usual letters."""
    verb, *rest = step.split(maxsplit=1)
    if verb.lower() != "remove":
        return verb.capitalize()
    # In a second list, solitaire-player says where the cards lie.
    names = _CARDS.findall(rest[0].partition("(")[0])
    return "Remove " + " and ".join(pyramid_card_name(parse_card(name)) for name in names)


NOTATION = Notation(
    "Draw, Recycle, Remove Kd or Remove 6d and 7h",
    "draw(?: a card)?|recycle(?: the waste pile)?"
    rf"|remove\s+(?:{_CARD}(?:(?:\s+and\s+|\s*[,&+]\s*|\s+){_CARD})?"
    rf"|\[{_CARD}(?:, {_CARD})?\] \(\[[^\]\n]*\]\))",
    _written,
)
"""Our words for steps, and those of pyramid-solver and solitaire-player."""


class IllegalStep(IllegalMove):
    """A step that is illegal in its position; the message says what was expected."""


@dataclass(frozen=True)
class Verdict:
    """The result of a replay.

    Attributes:
        legal: whether every step was legal.
        cleared: whether the pyramid is empty.
        reason: what is wrong; empty if all steps were legal and the pyramid is empty.
        steps: how many steps were played before the end or the first fault.
        score: points of the score challenge: 5 for each removal, and those for cleared rows.
        removed: the cards gone at the start, then those removed, in order.
    """

    legal: bool
    cleared: bool
    reason: str
    steps: int
    score: int
    removed: tuple[int, ...]

    def count(self, rank: int) -> int:
        """How many cards of a rank (1 to 13) were removed."""
        return sum(rank_of(card) == rank for card in self.removed)


def verify(board: PyramidBoard, steps: Iterable[str]) -> Verdict:
    """Replay steps from a deck or a position and say whether they clear the pyramid.

    Args:
        board: where the game stands. The cards and rows already gone count in the score.
        steps: as ``Position.play`` takes them. The game ends when the pyramid is empty.

    Raises:
        DealError: if ``board`` is neither a deck nor a position, or ``steps`` is not a list of
            words that are steps.
    """
    if not isinstance(board, PyramidBoard):
        what = "a board is a deals.PyramidDeck or a deals.PyramidPosition"
        raise DealError(f"{what}, got {shown(board)}")
    position = Position(board)
    played, reason = 0, ""
    for step in NOTATION.tokens(words(steps, "steps", DealError), DealError):
        try:
            position.play(step)
        except IllegalStep as fault:
            reason = f"step {played + 1} {step!r}: {fault}"
            break
        played += 1
    legal = not reason
    if legal and position.pyramid:
        left = " ".join(pyramid_card_name(c) for _, c in sorted(position.pyramid.items()))
        reason = f"after step {played}: expected an empty pyramid, but these are left: {left}"
    return Verdict(
        legal, not position.pyramid, reason, played, position.score, tuple(position.removed)
    )


class Position:
    """A game that changes as steps are played.

    Attributes:
        pyramid: the cards left in the pyramid by (row, place); rows count from 0 at the tip,
            places from 0 on the left.
        stock: the cards not yet drawn, the top one first.
        waste: the cards drawn, the top one last.
        recycles: how many times the waste was turned over.
        removed: the cards gone at the start, then those removed, in order.
        score: points of the score challenge.
    """

    def __init__(self, board: PyramidBoard) -> None:
        if isinstance(board, PyramidDeck):
            board = PyramidPosition.of_deck(board)
        self._name = board.name
        cards = zip(PLACES, board.pyramid, strict=True)
        self.pyramid = {place: card for place, card in cards if card != GONE}
        self.stock = list(board.stock)
        self.waste = list(board.waste)
        self.recycles = board.recycles
        self.removed = list(board.gone)
        kings = sum(rank_of(card) == 13 for card in self.removed)
        self.score = REMOVAL_POINTS * ((len(self.removed) + kings) // 2)
        for row in range(ROWS):
            self._pay_row(row)

    @property
    def board(self) -> PyramidPosition:
        """The position as a board."""
        cards = [self.pyramid.get(place, GONE) for place in PLACES]
        return PyramidPosition(
            tuple(cards), tuple(self.stock), tuple(self.waste), self.recycles, self._name
        )

    def playable(self) -> list[int]:
        """The cards that are free: uncovered in the pyramid, or on top of stock or waste."""
        open_cards = [
            card
            for (row, i), card in self.pyramid.items()
            if (row + 1, i) not in self.pyramid and (row + 1, i + 1) not in self.pyramid
        ]
        return open_cards + self.stock[:1] + self.waste[-1:]

    def play(self, step: str) -> None:
        """Play one step; an illegal one leaves the position unchanged.

        ``Draw`` turns the stock's top card onto the waste. ``Recycle`` turns the waste over,
        at most twice and only when the stock is empty. ``Remove Kd`` takes a king,
        ``Remove 6d and 7h`` two cards whose ranks make 13.

        Raises:
            IllegalStep: if the step is malformed or illegal here.
        """
        if not self.pyramid:
            raise IllegalStep("the pyramid is empty: the game is over")
        words = step.strip()
        match = _REMOVE.fullmatch(words)
        if words.lower() == "draw":
            if not self.stock:
                raise IllegalStep("expected cards in the stock, got none")
            self.waste.append(self.stock.pop(0))
        elif words.lower() == "recycle":
            self._recycle()
        elif match is not None:
            self._remove([word for word in match.groups() if word])
        else:
            raise IllegalStep(f"expected {NOTATION.expected}")

    def _recycle(self) -> None:
        if self.stock:
            raise IllegalStep(
                f"expected an empty stock, got {plural(len(self.stock), 'card')} in it"
            )
        if not self.waste:
            raise IllegalStep("expected cards in the waste, got none")
        if self.recycles == RECYCLES:
            raise IllegalStep(f"the waste can be turned over only {RECYCLES} times")
        self.recycles += 1
        self.stock, self.waste = self.waste, []

    def _remove(self, names: list[str]) -> None:
        try:
            cards = [parse_card(name) for name in names]
        except DealError as error:
            raise IllegalStep(str(error)) from None
        ranks = [rank_of(card) for card in cards]
        if sum(ranks) != 13:
            if len(cards) == 1:
                raise IllegalStep("expected a king, or two cards whose ranks make 13")
            raise IllegalStep(f"expected two ranks that make 13, got {ranks[0]} and {ranks[1]}")
        playable = self.playable()
        for card in cards:
            if card not in playable:
                self._refuse(card)
        for card in cards:
            self._take(card)
        self.removed += cards
        self.score += REMOVAL_POINTS

    def _refuse(self, card: int) -> None:
        name = pyramid_card_name(card)
        if card in self.removed:
            raise IllegalStep(f"the {name} is gone")
        if card in self.pyramid.values():
            raise IllegalStep(f"the {name} is covered")
        place = "stock" if card in self.stock else "waste"
        raise IllegalStep(f"the {name} is not on top of the {place}")

    def _take(self, card: int) -> None:
        if card in self.stock:
            self.stock.remove(card)
        elif card in self.waste:
            self.waste.remove(card)
        else:
            row, place = next(at for at, other in self.pyramid.items() if other == card)
            del self.pyramid[row, place]
            self._pay_row(row)

    def _pay_row(self, row: int) -> None:
        """Add the points for a row if it is cleared."""
        if not any(at[0] == row for at in self.pyramid):
            self.score += ROW_POINTS[ROWS - 1 - row]
