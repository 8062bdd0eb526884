"""Replays solutions of Klondike in plain Python, sharing nothing with any solver.

It knows the rules and the notation, but no searches, packed boards or hashes. So it does
not repeat their mistakes. It accepts every legal move, even those that no solver makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from deals.cards import RANKS, SUITS, DealError, card_name, fits, is_red, rank_of, suit_of
from deals.checks import expected, words
from deals.klondike_board import UNKNOWN, KlondikeBoard
from deals.words import plural
from gafreecell.solving.notations import IllegalMove, Notation

__all__ = ["NOTATION", "IllegalMove", "Position", "Verdict", "verify"]

_MOVE = re.compile(r"([w1-9CDHS])([h1-9])(?:v([1-9a-fA-F]))?")
_SUIT_WORDS = ("club", "diamond", "heart", "spade")


def _written(move: str) -> str:
    """A move in the usual letters: only the suit of a foundation is a capital."""
    return move.upper() if move[0] in "cdhsCDHS" and len(move) == 2 else move.lower()


NOTATION = Notation(
    "draw, redeal or a move such as w3, wh, 3h, 35, 35v4 or S3",
    "draw|redeal|[w1-9]h|[w1-9cdhs][1-9]|[1-9][1-9]v[1-9a-f]",
    _written,
)
"""Our notation of moves."""


@dataclass(frozen=True)
class Verdict:
    """The result of a replay.

    Attributes:
        solved: whether every move was legal and all 52 cards are home.
        reason: why not solved; empty if solved.
        moves_played: how many tokens were played before the end or the first fault.
    """

    solved: bool
    reason: str
    moves_played: int


def verify(board: KlondikeBoard, moves: Iterable[str], partial: bool = True) -> Verdict:
    """Replay moves from a board and say whether they solve it.

    Args:
        board: where the game stands.
        moves: tokens, as ``Position.play`` takes them.
        partial: whether a part of a pile's face-up cards may move to another pile;
            the game of Yan, Diaconis, Rusmevichientong and Van Roy (2005) moves all or none.

    Raises:
        DealError: if ``board`` is not a board, or ``moves`` is not a list of words that are moves.
    """
    expected(board, KlondikeBoard, "a board is a deals.KlondikeBoard", DealError)
    position = Position.from_board(board, partial)
    played = 0
    for token in NOTATION.tokens(words(moves, "moves", DealError), DealError):
        try:
            position.play(token)
        except IllegalMove as fault:
            return Verdict(False, f"move {played + 1} {token!r}: {fault}", played)
        played += 1
    if position.is_solved:
        return Verdict(True, "", played)
    home = sum(position.foundations)
    return Verdict(False, f"after move {played}: expected 52 cards home, got {home}", played)


@dataclass(eq=False)
class Position:
    """A position that changes as moves are played.

    Attributes:
        piles: seven piles of cards, each bottom to top; 0 is an unknown card.
        face_down: how many cards at the bottom of each pile lie face down.
        stock: the cards not yet turned, in the order in which draws turn them.
        waste: the cards turned, bottom to top.
        foundations: the highest rank home of clubs, diamonds, hearts, spades.
        partial: whether a part of a pile's face-up cards may move to another pile.
        draw: how many cards a draw turns.
        redeals: how often the waste may still be turned over; None for no limit.
        unseen: whether nobody has seen the cards of the stock yet.
    """

    piles: list[list[int]]
    face_down: list[int]
    stock: list[int]
    waste: list[int]
    foundations: list[int]
    partial: bool = True
    draw: int = 3
    redeals: int | None = None
    unseen: bool = False

    @classmethod
    def from_board(cls, board: KlondikeBoard, partial: bool = True) -> Position:
        """The position of a board, under its rules and the rule for parts of piles."""
        return cls(
            [list(pile) for pile in board.piles],
            list(board.face_down),
            list(board.stock),
            list(board.waste),
            list(board.foundations),
            partial,
            board.draw,
            board.redeals,
            board.unseen,
        )

    @property
    def board(self) -> KlondikeBoard:
        """The position as a board.

        Raises:
            DealError: if an unknown card lies where it must be known.
        """
        clubs, diamonds, hearts, spades = self.foundations
        return KlondikeBoard(
            tuple(map(tuple, self.piles)),
            tuple(self.face_down),
            tuple(self.stock),
            tuple(self.waste),
            (clubs, diamonds, hearts, spades),
            draw=self.draw,
            redeals=self.redeals,
            unseen=self.unseen,
        )

    @property
    def is_solved(self) -> bool:
        """Whether all 52 cards are home."""
        return self.foundations == [13, 13, 13, 13]

    def play(self, token: str) -> None:
        """Play one move; an illegal one leaves the position unchanged.

        ``draw`` turns as many cards of the stock as the rules say, or the rest of it;
        ``redeal`` turns the waste over. ``w3`` is waste to pile 3, ``wh`` waste home, ``3h`` pile 3
        home, ``35`` one card from pile 3 to pile 5, ``35v4`` four cards
        (hexadecimal), ``S3`` the top spade from its foundation to pile 3. A
        face-down card that comes to the top of its pile turns up by itself.

        Raises:
            IllegalMove: if the token is not a move, or the move is not legal here.
        """
        if token == "draw":
            self._draw()
            return
        if token == "redeal":
            self._redeal()
            return
        match = _MOVE.fullmatch(token)
        if match is None or (match[1] in SUITS and match[2] == "h"):
            raise IllegalMove(f"expected {NOTATION.expected}")
        source, target, count = match.groups()
        if source.isdigit() and target.isdigit():
            self._between_piles(source, target, int(count or "1", 16))
        elif count:
            raise IllegalMove("expected a count only between two piles")
        else:
            self._put(self._card_at(source), target)
            self._take(source)

    def _draw(self) -> None:
        if not self.stock:
            raise IllegalMove("expected cards in the stock, got none")
        self.waste += self.stock[: self.draw]
        del self.stock[: self.draw]
        self.unseen = self.unseen and bool(self.stock)

    def _redeal(self) -> None:
        if self.stock:
            raise IllegalMove(
                f"expected an empty stock, got {plural(len(self.stock), 'card')} in it"
            )
        if not self.waste:
            raise IllegalMove("expected cards in the waste, got none")
        if self.redeals is not None:
            if self.redeals == 0:
                raise IllegalMove("the rules allow no more redeals")
            self.redeals -= 1
        # When the waste is turned over, its bottom card becomes the first to be drawn.
        self.stock, self.waste = self.waste, []

    def _pile(self, name: str) -> list[int]:
        if int(name) > len(self.piles):
            raise IllegalMove(f"there is no pile {name}: the board has {len(self.piles)}")
        return self.piles[int(name) - 1]

    def _card_at(self, place: str) -> int:
        """The card that a one-card move takes from the waste, a pile or a foundation."""
        if place in SUITS:
            suit = SUITS.index(place)
            if self.foundations[suit] == 0:
                raise IllegalMove(f"expected a {_SUIT_WORDS[suit]} on its foundation, got none")
            return 4 * self.foundations[suit] + suit
        cards = self.waste if place == "w" else self._pile(place)
        where = _where(place)
        if not cards:
            raise IllegalMove(f"{where} is empty")
        return _known(cards[-1], where)

    def _put(self, card: int, place: str) -> None:
        if place == "h":
            self._put_home(card)
        else:
            self._check_fit(card, place)
            self._pile(place).append(card)

    def _put_home(self, card: int) -> None:
        suit, top = suit_of(card), self.foundations[suit_of(card)]
        if rank_of(card) != top + 1:
            needed = card_name(4 * (top + 1) + suit)
            raise IllegalMove(f"expected the {needed} to go home, got the {card_name(card)}")
        self.foundations[suit] = top + 1

    def _take(self, place: str) -> None:
        if place in SUITS:
            self.foundations[SUITS.index(place)] -= 1
        elif place == "w":
            self.waste.pop()
        else:
            self._take_from_pile(place, 1)

    def _take_from_pile(self, name: str, count: int) -> None:
        pile = self._pile(name)
        del pile[-count:]
        index = int(name) - 1
        if pile and self.face_down[index] == len(pile):
            self.face_down[index] -= 1

    def _between_piles(self, source: str, target: str, count: int) -> None:
        origin, goal = self._pile(source), self._pile(target)
        if source == target:
            raise IllegalMove("expected two different piles")
        self._card_at(source)
        face_up = len(origin) - self.face_down[int(source) - 1]
        if count > face_up:
            raise IllegalMove(
                f"expected at most {face_up} face-up cards of pile {source}, got {count}"
            )
        if count < face_up and not self.partial:
            raise IllegalMove(
                f"expected all {face_up} face-up cards of pile {source}, got {count}: "
                "parts of piles may not move"
            )
        self._check_fit(_known(origin[-count], _where(source)), target)
        goal += origin[-count:]
        self._take_from_pile(source, count)

    def _check_fit(self, card: int, name: str) -> None:
        """Refuse a card that may not lie on a pile."""
        pile, where = self._pile(name), _where(name)
        if not pile:
            if rank_of(card) != 13:
                raise IllegalMove(
                    f"expected a king on {where}, which is empty, got the {card_name(card)}"
                )
            return
        top = _known(pile[-1], where)
        if fits(card, top):
            return
        colour = "black" if is_red(top) else "red"
        expected = f"a {colour} {RANKS[rank_of(top) - 2]}" if rank_of(top) > 1 else "nothing"
        raise IllegalMove(
            f"expected {expected} on the {card_name(top)} of {where}, got the {card_name(card)}"
        )


def _where(place: str) -> str:
    return "the waste" if place == "w" else f"pile {place}"


def _known(card: int, where: str) -> int:
    """Return a card, or refuse it if it is unknown: an unknown card cannot be played."""
    if card == UNKNOWN:
        raise IllegalMove(f"expected a known card in {where}, got ??")
    return card
