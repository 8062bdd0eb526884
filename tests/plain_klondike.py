"""Klondike played with names of cards on plain lists, as a person would lay them out.

Slow and obviously right: an oracle for boards, verifier and solvers, and a source of
positions that a game really reaches.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable

from deals import KlondikeBoard, card_name

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
BLACK, RED = "CS", "DH"
Rules = tuple[int, int | None]
"""How many cards a draw turns, and how often the waste may be turned over (None: no limit)."""
USUAL: Rules = (3, None)
RULES: list[Rules] = [(draw, redeals) for draw in (3, 1) for redeals in (None, 0, 1, 2, 3)]


def fits(card: str, beneath: str) -> bool:
    """Whether a card may lie on a face-up one."""
    alternating = (card[1] in RED) != (beneath[1] in RED)
    return alternating and RANKS.index(card[0]) + 1 == RANKS.index(beneath[0])


class PlainTable:
    """A game in progress; face-down cards are written ``<KD>``.

    Args:
        deck: names of 52 cards: piles 1 to 7, each bottom to top, then the stock.
        draw: how many cards a draw turns.
        redeals: how often the waste may be turned over; None for no limit.
        unseen: whether nobody has seen the stock, until it was turned once.
    """

    def __init__(
        self,
        deck: Iterable[str],
        draw: int = 3,
        redeals: int | None = None,
        unseen: bool = False,
    ) -> None:
        cards = list(deck)
        self.draw, self.redeals, self.unseen = draw, redeals, unseen
        self.piles: list[list[str]] = []
        for size in range(1, 8):
            pile = [cards.pop(0) for _ in range(size)]
            self.piles.append([f"<{card}>" for card in pile[:-1]] + [pile[-1]])
        self.stock = cards
        self.waste: list[str] = []
        self.home: dict[str, list[str]] = {suit: [] for suit in "CDHS"}

    @classmethod
    def shuffled(
        cls,
        generator: random.Random,
        draw: int = 3,
        redeals: int | None = None,
        unseen: bool = False,
    ) -> PlainTable:
        deck = [rank + suit for suit in "CDHS" for rank in RANKS]
        generator.shuffle(deck)
        return cls(deck, draw, redeals, unseen)

    @classmethod
    def of(cls, board: KlondikeBoard) -> PlainTable:
        """The game in which a board stands."""
        table = cls(["??"] * 52, board.draw, board.redeals, board.unseen)
        table.piles = [
            [f"<{card_name(card)}>" if k < down else card_name(card) for k, card in enumerate(pile)]
            for pile, down in zip(board.piles, board.face_down, strict=True)
        ]
        table.stock = [*map(card_name, board.stock)]
        table.waste = [*map(card_name, board.waste)]
        table.home = {
            suit: [rank + suit for rank in RANKS[:many]]
            for suit, many in zip("CDHS", board.foundations, strict=True)
        }
        return table

    def copy(self) -> PlainTable:
        return copy.deepcopy(self)

    @property
    def won(self) -> bool:
        return all(len(pile) == 13 for pile in self.home.values())

    def goes_home(self, card: str) -> bool:
        return RANKS.index(card[0]) == len(self.home[card[1]])

    def goes_on(self, card: str, pile: list[str]) -> bool:
        return fits(card, pile[-1]) if pile else card[0] == "K"

    def moves(self) -> list[str]:
        """Every legal move, as a token; moves of one card without a count."""
        found = []
        if self.stock:
            found.append("draw")
        elif self.waste and self.redeals != 0:
            found.append("redeal")
        if self.waste:
            found += self._moves_of_card("w", self.waste[-1])
        for source, pile in enumerate(self.piles, start=1):
            if pile and self.goes_home(pile[-1]):
                found.append(f"{source}h")
            face_up = [card for card in pile if "<" not in card]
            for count in range(1, len(face_up) + 1):
                for target, goal in enumerate(self.piles, start=1):
                    if target != source and self.goes_on(face_up[-count], goal):
                        found.append(f"{source}{target}" + (f"v{count:x}" if count > 1 else ""))
        for suit, pile in self.home.items():
            if pile:
                found += [token for token in self._moves_of_card(suit, pile[-1]) if token[1] != "h"]
        return found

    def _moves_of_card(self, place: str, card: str) -> list[str]:
        found = [f"{place}h"] if self.goes_home(card) else []
        return found + [
            f"{place}{target}"
            for target, goal in enumerate(self.piles, start=1)
            if self.goes_on(card, goal)
        ]

    def play(self, token: str) -> None:
        """Play one of ``moves``."""
        if token == "draw":
            for _ in range(min(self.draw, len(self.stock))):
                self.waste.append(self.stock.pop(0))
            self.unseen = self.unseen and bool(self.stock)
            return
        if token == "redeal":
            # The waste is turned over as one packet: its top card becomes the lowest.
            packet = list(reversed(self.waste))
            self.waste = []
            self.stock = list(reversed(packet))
            if self.redeals is not None:
                self.redeals -= 1
            return
        source, target = token[0], token[1]
        count = int(token[3], 16) if len(token) > 2 else 1
        places = {"w": self.waste, **self.home}
        places |= {str(i): pile for i, pile in enumerate(self.piles, start=1)}
        moved = [places[source].pop() for _ in range(count)][::-1]
        if target == "h":
            self.home[moved[0][1]] += moved
        else:
            places[target] += moved
        for pile in self.piles:
            if pile and pile[-1].startswith("<"):
                pile[-1] = pile[-1].strip("<>")

    def text(self) -> str:
        """The position as text, with all lines written; the rules if they are not the usual."""
        tops = {suit: pile[-1][0] if pile else "0" for suit, pile in self.home.items()}
        lines = [
            "Foundations: " + " ".join(f"{suit}-{top}" for suit, top in tops.items()),
            "Waste: " + " ".join(self.waste),
            "Stock: " + " ".join(f"<{card}>" if self.unseen else card for card in self.stock),
        ]
        if (self.draw, self.redeals) != USUAL:
            redeals = "unlimited" if self.redeals is None else self.redeals
            lines.insert(0, f"Rules: draw={self.draw} redeals={redeals}")
        return "\n".join(lines + [" ".join(pile) for pile in self.piles])


def play_at_random(
    table: PlainTable, generator: random.Random, steps: int, home_first: float = 0.5
) -> list[str]:
    """Play up to so many random moves, home moves first in some share of the turns.

    Returns:
        The moves played.
    """
    played = []
    for _ in range(steps):
        moves = table.moves()
        if not moves:
            break
        homewards = [move for move in moves if move.endswith("h")]
        eager = homewards and generator.random() < home_first
        move = generator.choice(homewards if eager else moves)
        table.play(move)
        played.append(move)
    return played
