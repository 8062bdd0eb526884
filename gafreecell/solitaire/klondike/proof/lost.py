"""Explains why a deal that the dead-end tests call lost cannot be won, in words people can check.

The tests (``klondike.kernels.dead_ends``) play a relaxed game, in which whatever becomes possible
stays possible. If even that game cannot be won, the deal is lost. This module plays the relaxed
game in plain Python, sharing nothing with the kernels, and says where it ends: which cards wait for
one another or, if that is shorter, which few cards ever move.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from deals.cards import DECK, SUITS, card_name, rank_of
from deals.klondike_board import KlondikeBoard
from gafreecell.solitaire.klondike.proof.relaxation import KING, Relaxed, relaxed, takers, talon_of
from gafreecell.solitaire.klondike.proof.waiting import Fact, Waiting, names

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
        *_wrapped([", ".join(map(str, end.steps)), *left]),
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
