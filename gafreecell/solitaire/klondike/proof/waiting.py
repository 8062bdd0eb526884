"""Cards that wait for one another: why something never happens in the relaxed game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from deals.cards import card_name, rank_of
from deals.klondike_board import KlondikeBoard
from gafreecell.solitaire.klondike.cards import PILES
from gafreecell.solitaire.klondike.proof.relaxation import KING, Relaxed, takers, talon_of


class Fact(NamedTuple):
    """What a card never does in the relaxed game.

    Attributes:
        never: what never happens. ``move``: it comes free of what lies on it, or comes up in the
            stock; ``home``: it goes home; ``lie``: it is laid on a pile; ``open``: it lies where it
            can be built on.
        card: the card.
    """

    never: str
    card: int


@dataclass(frozen=True)
class Waiting:
    """Explains why facts hold at the end of the relaxed game.

    Attributes:
        board: where the game began.
        end: where it ended.
        kept: a card that never leaves its pile; 0 for none.
    """

    board: KlondikeBoard
    end: Relaxed
    kept: int = 0

    def lines(self, roots: Iterable[Fact]) -> Iterator[str]:
        """A line for each card that takes part in the reasons, with what it waits for."""
        facts = dict.fromkeys(roots)
        left = list(facts)
        while left:
            more = [fact for fact in self._because(left.pop(0)) if fact not in facts]
            facts |= dict.fromkeys(more)
            left += more
        for never, card in facts:
            if never == "lie" and card in self.end.free:
                yield f"  {self._all_it_could_do(card, Fact('home', card) in facts)}"
            elif never == "move" and card in talon_of(self.board):
                yield f"  {self._comes_up(card)}"

    def _because(self, fact: Fact) -> list[Fact]:
        """The facts from which a fact follows."""
        never, card = fact
        if never != "move" and card not in self.end.free:
            return [Fact("move", card)]
        if never == "home":
            return [Fact("home", card - 4)]
        if never == "open":
            return [Fact("lie", card)]
        if never == "lie":
            if rank_of(card) == KING:
                return self._never_leave(map(self._on_top, range(PILES)))
            return [Fact("open", taker) for taker in takers(card)]
        if card in talon_of(self.board):
            # Without a redeal, the cards before it no longer matter.
            before = self._before(card) if self.board.redeals != 0 else []
            return self._never_leave(self._behind(card) + before)
        return self._never_leave([self._on_top(self.pile(card))])

    def _never_leave(self, cards: Iterable[int]) -> list[Fact]:
        """The facts that cards neither go home nor to a pile."""
        return [Fact(n, card) for card in cards if card != self.kept for n in ("home", "lie")]

    def _behind(self, card: int) -> list[int]:
        """The card of the stock after one, if there is one."""
        after = talon_of(self.board).index(card) + 1
        return [*talon_of(self.board)[after : after + 1]]

    def _before(self, card: int) -> list[int]:
        """The cards of the stock before one that are never played."""
        talon = talon_of(self.board)
        return [other for other in talon[: talon.index(card)] if other not in self.end.gone]

    def _on_top(self, pile: int) -> int:
        """The card of a pile that comes free and never leaves it."""
        return self.board.piles[pile][self.end.at[pile]]

    def _all_it_could_do(self, card: int, home: bool) -> str:
        """The places where a card could go that is free but finds none of them open."""
        places = " or ".join(self.named(taker, card) for taker in takers(card))
        places = f"onto {places}" if places else "to an empty pile"
        more = f"; home after {self.named(self.lowest(card), card)}" if home else ""
        return f"{card_name(card)} in {self._where(card)}: {places}{more}"

    def _comes_up(self, card: int) -> str:
        """What would bring up a card of the stock that never comes up."""
        before = self._before(card)
        index = talon_of(self.board).index(card)
        more = (index + 1) % self.board.draw - (index - len(before))
        after = [f"{card_name(other)} behind it is played" for other in self._behind(card)]
        if self.board.redeals != 0 and more <= len(before):
            count = f"{more} of " if more < len(before) else ""
            after.append(f"{count}{names(before)} before it")
        return f"{card_name(card)} in the stock: comes up once {', or '.join(after)}"

    def lowest(self, card: int) -> int:
        """The card that keeps a card from home: the first down its suit that never comes free."""
        while card in self.end.free:
            card -= 4
        return card

    def pile(self, card: int) -> int:
        """The index of a card's pile."""
        return next(p for p, pile in enumerate(self.board.piles) if card in pile)

    def named(self, card: int, beside: int = 0) -> str:
        """A card that never comes free or is never laid down, and where it is.

        Args:
            card: the card.
            beside: the card whose line names it, and whose pile the reader knows; 0 for no card.
        """
        where = self._where(card)
        if where.startswith("pile"):
            top = self._on_top(self.pile(card))
            lies = f"under {card_name(top)}" + (f" in {where}" if top != beside else "")
        else:
            lies = f"in {where}" if where == "the stock" else f"on {where}"
        return f"{card_name(card)} ({lies})"

    def _where(self, card: int) -> str:
        if card in talon_of(self.board):
            return "the stock"
        if any(card in pile for pile in self.board.piles):
            return f"pile {self.pile(card) + 1}"
        return "its foundation"


def names(cards: Iterable[int]) -> str:
    """Cards in words."""
    return " ".join(map(card_name, cards)) or "none"
