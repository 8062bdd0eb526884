"""Explains why a deal that the dead-end tests call lost cannot be won, in words people can check.

The tests (``klondike.kernels.dead_ends``) play a relaxed game, in which whatever becomes possible
stays possible. A card that could be moved once can always be moved, and it can be built on wherever
it has been. If even that game cannot be won, the deal is lost. This module plays the relaxed game
in plain Python, sharing nothing with the kernels, and says where it ends: which cards wait for one
another or, if that is shorter, which few cards ever move.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from deals.cards import DECK, SUITS, card_name, is_red, rank_of
from deals.klondike_board import KlondikeBoard
from gafreecell.solitaire.klondike.cards import PILES

KING = 13
WIDTH = 96
FEW = 3
"""With fewer steps of the relaxed game than this, no proof is shorter than the list of them."""


def why_lost(board: KlondikeBoard) -> tuple[str, ...]:
    """Why the dead-end tests call a position lost: a sentence, then the lines that prove it.

    Empty if they do not call it lost.

    Args:
        board: all its cards known.
    """
    end = relaxed(board)
    if len(end.home) < len(DECK):
        return _shortest(board, end, _Claim(0, _is_lost, _never_home))[1]
    for lower, upper in _pairs(board):
        end = relaxed(board, kept=lower)
        if _is_locked(end, lower, upper):
            return _pair(board, end, lower, upper)
    return ()


def _what_moves(board: KlondikeBoard, end: Relaxed, kept: int) -> tuple[str, ...]:
    """Everything that happens in the relaxed game while ``kept`` stays in its pile (0: no card)."""
    talon = talon_of(board)
    waiting = [card for card in DECK if card in end.free - end.gone and card != kept]
    homewards = (next((c for c in DECK[s::4] if c not in end.home), 0) for s in range(len(SUITS)))
    left = (
        f"in reach on the piles: {names(card for card in waiting if card not in talon)}",
        f"in reach in the stock: {names(card for card in waiting if card in talon)}",
        f"to be built on: {names(sorted(end.onto))}",
        f"next to go home: {names(filter(None, homewards))}",
    )
    if not end.steps:
        return ("No card can be moved, as none of those in reach fits:", *_wrapped(left))
    return (
        "Suppose that every card, once free, stayed free to move and to build on. Even then only "
        "these moves would be possible:",
        *_wrapped([", ".join(end.steps), *left]),
        "  None of those in reach fits.",
    )


def _wrapped(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


@dataclass(frozen=True)
class _Claim:
    """A claim about the relaxed game, which is to be proved.

    Attributes:
        kept: a card that never leaves its pile; 0 for none.
        holds: whether the claim holds at an end of the game.
        roots: the facts of such an end that prove the claim; each list alone is enough.
    """

    kept: int
    holds: Callable[[Relaxed], bool]
    roots: Callable[[Relaxed], list[list[Fact]]]


def _shortest(board: KlondikeBoard, end: Relaxed, claim: _Claim) -> tuple[Waiting, tuple[str, ...]]:
    """The shorter of two proofs of a claim, after the end of the game that it explains.

    Args:
        board: where the relaxed game begins.
        end: where it ends.
        claim: what is to be proved.
    """
    moved = Waiting(board, end, claim.kept), _what_moves(board, end, claim.kept)
    if len(end.steps) < FEW:
        # The circle of cards that wait for one another would hold nearly all cards.
        return moved
    end = _least(board, end, claim)
    waiting = Waiting(board, end, claim.kept)
    lines = min((tuple(waiting.lines(roots)) for roots in claim.roots(end)), key=_letters)
    circle = (
        "These cards wait for one another; none can do any of this before another of them does:",
        *lines,
    )
    shorter = (waiting, circle if lines else ())
    return min(shorter, moved, key=lambda proof: _letters(proof[1]))


def _letters(lines: Iterable[str]) -> int:
    return sum(map(len, lines))


def _least(board: KlondikeBoard, end: Relaxed, claim: _Claim) -> Relaxed:
    """The end of the relaxed game after granting all cards that the claim holds without.

    Args:
        board: where the game begins.
        end: where it ends if no card is granted.
        claim: the claim that is still to hold.
    """
    for card in DECK:
        # A card that is home and open by what was granted before need not be tried.
        granted = end.home & end.onto
        if card not in granted and card != claim.kept:
            more = relaxed(board, granted | {card}, claim.kept)
            end = more if claim.holds(more) else end
    return end


def _is_lost(end: Relaxed) -> bool:
    return len(end.home) < len(DECK)


def _never_home(end: Relaxed) -> list[list[Fact]]:
    """For each card that never comes free: the fact that it never goes home."""
    return [[Fact("home", card)] for card in DECK if card not in end.home | end.free]


def _pairs(board: KlondikeBoard) -> Iterator[tuple[int, int]]:
    """Yield two cards of a rank and colour in one pile, first the lower one, which is face down."""
    for pile, down in zip(board.piles, board.face_down, strict=True):
        for index, lower in enumerate(pile[:down]):
            # The suits are C D H S: this is the other one of the colour.
            upper = lower ^ 3
            if upper in pile[index + 1 :] and 1 < rank_of(lower) < KING:
                yield lower, upper


def _is_locked(end: Relaxed, lower: int, upper: int) -> bool:
    """Whether neither of two cards goes home and one of their two takers never lies open."""
    goes_home = lower - 4 in end.home or upper - 4 in end.home
    return not goes_home and any(taker not in end.onto for taker in takers(lower))


def _pair(board: KlondikeBoard, end: Relaxed, lower: int, upper: int) -> tuple[str, ...]:
    """The proof that of two cards in a pile only one finds a place."""

    def holds(end: Relaxed) -> bool:
        return _is_locked(end, lower, upper)

    def shut(end: Relaxed) -> int:
        return next(taker for taker in takers(lower) if taker not in end.onto)

    def roots(end: Relaxed) -> list[list[Fact]]:
        homes = [Fact("home", lower - 4), Fact("home", upper - 4)]
        return [[*homes, Fact("open", shut(end))]]

    waiting, proof = _shortest(board, end, _Claim(lower, holds, roots))
    never = shut(waiting.end)
    (place,) = (card_name(taker) for taker in takers(lower) if taker != never)
    before = (waiting.named(waiting.lowest(card - 4), lower) for card in (lower, upper))
    deeper = card_name(lower)
    return (
        f"{deeper} and {card_name(upper)} lie in pile {waiting.pile(lower) + 1}, {deeper} deeper, "
        f"and both must leave. As long as {deeper} is there:",
        f"  {waiting.named(never, lower)} cannot be built on, so only {place} can take one of "
        "them;",
        f"  neither can go home, as {' and '.join(before)} never come free.",
        *(f"  {line}" for line in proof),
    )


# ------------------------------------------------------------------ cards that wait for one another


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


# ------------------------------------------------------------------ the relaxed game


@dataclass
class Relaxed:
    """Where the relaxed game ends.

    Attributes:
        free: the cards that can be moved.
        onto: those that lie where they can be built on.
        home: those that get home.
        gone: those that can leave their first place.
        at: for each pile the index of the lowest card that was uncovered, -1 if the pile is
            emptied.
        steps: what was moved, in order and in words.
    """

    free: set[int]
    onto: set[int]
    home: set[int]
    gone: set[int]
    at: list[int]
    steps: list[str] = field(default_factory=list)


def relaxed(board: KlondikeBoard, granted: Collection[int] = frozenset(), kept: int = 0) -> Relaxed:
    """Play the relaxed game to its end.

    Args:
        board: where it begins.
        granted: cards that are home from the start and can be built on as well.
        kept: a card that never leaves its pile; 0 for none.
    """
    talon = talon_of(board)
    home = {4 * rank + suit for suit in range(4) for rank in range(1, board.foundations[suit] + 1)}
    home.update(granted)
    onto = {c for pile, d in zip(board.piles, board.face_down, strict=True) for c in pile[d:]}
    onto.update(granted)
    free = home | onto | {talon[j] for j in board.reachable}
    at = [d if pile else -1 for pile, d in zip(board.piles, board.face_down, strict=True)]
    end = Relaxed(free, onto, home, set(home), at)
    laid = set(granted)
    before = (-1, -1)
    while before != (len(end.steps), len(free)):
        before = (len(end.steps), len(free))
        for card in sorted(free - (home & laid) - {kept}):
            if card not in home and (rank_of(card) == 1 or card - 4 in home):
                home.add(card)
                end.steps.append(f"{card_name(card)} home")
            if card not in laid:
                taker = next((taker for taker in takers(card) if taker in onto), 0)
                if taker or (rank_of(card) == KING and min(at) < 0):
                    laid.add(card)
                    onto.add(card)
                    place = f"onto {card_name(taker)}" if taker else "to an empty pile"
                    end.steps.append(f"{card_name(card)} {place}")
        end.gone |= home | laid
        for p, pile in enumerate(board.piles):
            while at[p] >= 0 and pile[at[p]] in end.gone and pile[at[p]] != kept:
                at[p] -= 1
                if at[p] >= 0:
                    free.add(pile[at[p]])
                    onto.add(pile[at[p]])
        played = 0
        for j, card in enumerate(talon):
            comes_up = board.redeals != 0 and played >= (j + 1) % board.draw
            if comes_up or (j + 1 < len(talon) and talon[j + 1] in end.gone):
                free.add(card)
            played += card in end.gone
    return end


def takers(card: int) -> tuple[int, ...]:
    """The two cards that a card may be laid on; none for a king."""
    if rank_of(card) == KING:
        return ()
    return tuple(4 * (rank_of(card) + 1) + suit for suit in ((0, 3) if is_red(card) else (1, 2)))


def talon_of(board: KlondikeBoard) -> tuple[int, ...]:
    """The waste from bottom to top, then the stock in the order of draws."""
    return (*board.waste, *board.stock)
