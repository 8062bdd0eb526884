"""The rules of a solitaire game as data: frozen dataclasses, and their form in TOML.

What each key means:

- Ranks go round: a foundation goes up in suit from its *base*, and the card before the base is its
  last. Piles are built down to the base, on which nothing may be played. So with a base of 5 the
  order is 5 6 ... K A 2 3 4, and a 4 plays the king's part.
- A card may lie on another of a pile if it is the next lower one and ``piles.build`` allows their
  suits. Only the top card of a pile, or several at once as ``piles.move`` says, may move.
- A card that is face down is known, but does not move, and turns up when nothing lies on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from deals.cards import RANKS, SUITS
from gafreecell.solving.settings import Between, OneOf, SettingError

NONE, SUIT, COLOUR, ANY = BUILDS = ("none", "suit", "colour", "any")
ROWS, TRIANGLE = "rows", "triangle"
COVERED = "covered"
CARD, RUN, PILE, LOOSE = MOVES = ("card", "run", "pile", "loose")
KING = "king"
FIRST = "first"
RESERVE, RESERVE_WASTE, WASTE = FILLS = ("reserve", "reserve, waste", "waste")
TO_WASTE, TO_PILES, TO_HOLE = TARGETS = ("waste", "piles", "hole")
UNLIMITED = -1
MICROSOFT, PYSOL = "microsoft", "pysol"
BASE, PILES, CELLS = "base", "piles", "cells"
DOWN, UP, TOPS = PILE_PARTS = ("down", "up", "tops")
USUAL = (BASE, PILES, CELLS, RESERVE, "stock")
LEFTWARDS = "leftwards"

FAMILIES = {
    "canfield": "canfield",
    "castle": "beleaguered-castle",
    "fan": "fan",
    "forty-thieves": "forty-thieves",
    "freecell": "free-cell",
    "golf": "golf",
    "klondike": "klondike-deal-1",
    "spider": "spider",
    "yukon": "yukon",
}
"""The game whose weights stand for a family."""


@dataclass(frozen=True)
class Piles:
    """The piles of the tableau.

    Attributes:
        count: how many.
        dealt: ``rows``: a card to each pile in turn, until no card is left. ``triangle``: first a
            row over all piles, then a row that leaves out the first pile, then the first two, and
            so on; further cards in rows over all piles. Or the sizes of the piles as numbers: rows,
            in which full piles are left out.
        face_down: cards that lie face down: ``none``, ``covered`` (all but the top card of each
            pile), or for each pile a number of its deepest cards.
        build: what a card may lie on, if that is one rank higher: a card of its ``suit``, of the
            other ``colour``, ``any``, or ``none``.
        move: what may move at once: a ``card``; a ``run``, any number of top cards that are built
            as ``run`` says; a whole ``pile``, if it is a run, and nothing less; or ``loose``: any
            face-up card with all that lie on it, in whatever order. Only the top card of a pile may
            go to a cell, a foundation or the hole.
        run: how the cards of a run are built; empty as in ``build``.
        space: what may be played to an empty pile: ``any`` card, a ``king`` (the last card before
            the base), ``none``.
        fill: what fills an empty pile at once and by itself; empty for nothing. ``reserve``: the
            top card of a stacked reserve, as long as there is one. ``reserve, waste``: the same,
            and once the reserve is empty only the waste's top card may be played to an empty pile.
            ``waste``: the waste's top card, and if there is none, the stock's.
    """

    count: Annotated[int, Between(1, 24)] = 8
    dealt: str = ROWS
    face_down: str = NONE
    build: Annotated[str, OneOf(BUILDS)] = COLOUR
    move: Annotated[str, OneOf(MOVES)] = CARD
    run: Annotated[str, OneOf(("", *BUILDS[1:]))] = ""
    space: Annotated[str, OneOf((ANY, KING, NONE))] = ANY
    fill: Annotated[str, OneOf(("", *FILLS))] = ""


@dataclass(frozen=True)
class Cells:
    """Cells, each with room for a card.

    Attributes:
        count: how many.
        filled: how many have a card at first.
    """

    count: Annotated[int, Between(0, 12)] = 0
    filled: Annotated[int, Between(0, 12)] = 0


@dataclass(frozen=True)
class Foundations:
    """Foundations, one for each suit of each deck; the goal is that all cards are on them.

    Attributes:
        base: the rank of their first cards, or ``first``: that of the first card dealt.
        filled: how many have their first card before the others are dealt.
        back: whether their top cards may be played to piles and cells.
        runs: whether only a whole run in suit, from the last card down to the base, may go there,
            at once from the top of a pile, when the player likes.
    """

    base: Annotated[str, OneOf((*RANKS, FIRST))] = "A"
    filled: Annotated[int, Between(0, 8)] = 0
    back: bool = False
    runs: bool = False


@dataclass(frozen=True)
class Reserve:
    """Cards that can be played, but not played to.

    Attributes:
        count: how many.
        stacked: whether they lie on one another, so that only the top one can be played.
    """

    count: Annotated[int, Between(0, 60)] = 0
    stacked: bool = False


@dataclass(frozen=True)
class Stock:
    """The stock.

    Attributes:
        count: how many cards it has.
        to: ``waste``: the cards are turned to the waste, whose top card can be played. ``piles``: a
            card to each pile, from the first on, until none is left. ``hole``: one to the hole.
        draw: how many are turned to the waste at once; in the end, what is left.
        redeals: how often the waste is turned over to be the stock again; -1 for without end.
        spaces: whether cards may be dealt to piles while some pile is empty.
    """

    count: Annotated[int, Between(0, 100)] = 0
    to: Annotated[str, OneOf(TARGETS)] = TO_WASTE
    draw: Annotated[int, Between(1, 5)] = 1
    redeals: Annotated[int, Between(-1, 9)] = 0
    spaces: bool = True

    @property
    def passes(self) -> bool:
        """Whether there is a stock, and its cards do not come back without end."""
        return self.count > 0 and self.redeals >= 0


@dataclass(frozen=True)
class Hole:
    """A pile that is built up or down by one rank in any suit, until all cards are on it.

    Attributes:
        base: its first card, ``AS`` or another one, or ``first``: the first card dealt. Empty:
            there is no hole, but foundations.
        wraps: whether ace and king are neighbours.
    """

    base: str = ""
    wraps: bool = True


@dataclass(frozen=True)
class Rules:
    """The rules of a game, and what people know it by.

    Attributes:
        title: its name for people.
        family: under which it is listed; a game without weights of its own takes its family's.
        names: other names that ``--game`` takes.
        source: where the rules are described.
        numbers: whose deal numbers it takes. ``microsoft``: as FreeCell's, up to 2^31 - 1.
            ``pysol``: PySol FC's shuffle, up to 10^20.
        order: in which order the cards of a number are dealt, where it is not ``base, piles, cells,
            reserve, stock``: some of these, and what is left out follows in that order. ``down``,
            ``up`` and ``tops`` are the piles' face-down cards, their top cards and those between,
            each row by row. A row is dealt from left to right, or the other way with a word more:
            ``tops leftwards``.
        kings_under: whether kings are put under the other cards of their piles before the game.
            The numbers of such a game deal from the other end of the deck, as in PySol FC.
        decks: one or two.
        ranks: ranks of a suit, from the ace.
    """

    title: str
    family: Annotated[str, OneOf((*FAMILIES, "others"))] = "others"
    names: tuple[str, ...] = ()
    source: str = ""
    numbers: Annotated[str, OneOf((MICROSOFT, PYSOL))] = PYSOL
    order: str = ""
    kings_under: bool = False
    decks: Annotated[int, Between(1, 2)] = 1
    ranks: Annotated[int, Between(1, 13)] = 13
    piles: Piles = field(default_factory=Piles)
    cells: Cells = field(default_factory=Cells)
    foundations: Foundations = field(default_factory=Foundations)
    reserve: Reserve = field(default_factory=Reserve)
    stock: Stock = field(default_factory=Stock)
    hole: Hole = field(default_factory=Hole)

    def __post_init__(self) -> None:
        self.sizes  # noqa: B018
        self.down  # noqa: B018
        self.steps  # noqa: B018
        for key, wrong, allowed in self._faults():
            if wrong:
                raise SettingError.at(key, f" must be {allowed}")

    @property
    def cards(self) -> int:
        """How many cards there are."""
        return 4 * self.ranks * self.decks

    @property
    def run(self) -> str:
        """How the cards of a run are built."""
        return self.piles.run or self.piles.build

    @property
    def in_piles(self) -> int:
        """How many cards are dealt to the piles."""
        first = bool(self.hole.base) or self.foundations.filled
        rest = self.cells.filled + self.reserve.count + self.stock.count
        return self.cards - int(first) - rest

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cards each pile has at first."""
        count, left = self.piles.count, self.in_piles
        if left < 0:
            raise SettingError(
                f"cells, reserve and stock take more than the {self.cards} cards there are", "stock"
            )
        if self.piles.dealt not in (ROWS, TRIANGLE):
            sizes = _numbers("piles.dealt", self.piles.dealt, count, f"{ROWS}, {TRIANGLE}")
            if sum(sizes) != left:
                raise SettingError.at(
                    "piles.dealt",
                    f" deals {sum(sizes)} cards, but {left} of {self.cards} are left for the piles",
                )
            return sizes
        found = Counter(self._dealt([left] * count))
        return tuple(found[pile] for pile in range(count))

    @property
    def rows(self) -> tuple[int, ...]:
        """The pile that each card of the piles is dealt to, card by card."""
        return tuple(self._dealt([*self.sizes]))

    def _dealt(self, room: list[int]) -> Iterator[int]:
        """The pile that each card is dealt to if so many cards at most fit each pile."""
        left, row = self.in_piles, 0
        while left:
            begins = row if self.piles.dealt == TRIANGLE and row < len(room) else 0
            for pile in range(begins, len(room)):
                if left and room[pile]:
                    yield pile
                    room[pile], left = room[pile] - 1, left - 1
            row += 1

    @property
    def steps(self) -> tuple[tuple[str, bool], ...]:
        """The steps of dealing: what is dealt, and whether its rows are dealt leftwards."""
        forms = {name: (name, False) for name in (*USUAL, *PILE_PARTS)}
        forms |= {f"{name} {LEFTWARDS}": (name, True) for name in (PILES, *PILE_PARTS)}
        words = [" ".join(part.split()) for part in self.order.split(",")] if self.order else []
        given = [forms[word] for word in words if word in forms]
        if len(dict(given)) < len(words):
            raise SettingError.at(
                "order", f" must be some of {', '.join(forms)}, each once, got {self.order!r}"
            )
        return (*given, *((name, False) for name in USUAL if name not in dict(given)))

    @property
    def down(self) -> tuple[int, ...]:
        """How many cards of each pile lie face down at first."""
        given = self.piles.face_down
        if given == NONE:
            return (0,) * self.piles.count
        if given == COVERED:
            return tuple(max(size - 1, 0) for size in self.sizes)
        down = _numbers("piles.face_down", given, self.piles.count, f"{NONE}, {COVERED}")
        for place, (hidden, size) in enumerate(zip(down, self.sizes, strict=True), start=1):
            if hidden > max(size - 1, 0):
                raise SettingError.at(
                    "piles.face_down",
                    f": pile {place} has {size} cards, of which at most {max(size - 1, 0)} can lie "
                    f"face down, got {hidden}",
                )
        return down

    def _faults(self) -> Iterator[tuple[str, bool, str]]:
        """Keys, whether they contradict others, and what they must be instead."""
        piles, stock, homes, base = self.piles, self.stock, self.foundations, self.hole.base
        named = len(base) == 2 and base[0] in RANKS[: self.ranks] and base[1] in SUITS
        reserve = self.reserve.stacked and self.reserve.count > 0
        waste = stock.to == TO_WASTE and stock.count > 0
        yield "hole.base", base not in ("", FIRST) and not named, f"a card such as AS, or {FIRST}"
        yield (
            "numbers",
            self.numbers == MICROSOFT and self.cards != 52,
            f"{PYSOL} unless there are 52 cards",
        )
        yield (
            "cells.filled",
            self.cells.filled > self.cells.count,
            f"at most cells.count, {self.cells.count}",
        )
        yield "foundations", bool(base) and homes != Foundations(), "left out where there is a hole"
        yield (
            "foundations.base",
            homes.base != FIRST and RANKS.index(homes.base) >= self.ranks,
            f"one of the {self.ranks} ranks",
        )
        first = homes.base == FIRST
        yield (
            "foundations.filled",
            homes.filled > 4 * self.decks or (first and homes.filled != 1),
            f"1 if the base is the {FIRST} card" if first else f"at most {4 * self.decks}",
        )
        yield (
            "foundations.runs",
            homes.runs and (homes.filled > 0 or homes.back),
            "false where foundations have cards at first, or cards may come back",
        )
        yield (
            "stock.to",
            stock.to == TO_HOLE and stock.count > 0 and not base,
            "waste or piles where there is no hole",
        )
        yield "stock.redeals", stock.redeals != 0 and not waste, "0 where there is no waste"
        yield "stock.draw", stock.draw != 1 and not waste, "1 where there is no waste"
        yield (
            "stock.spaces",
            not stock.spaces and (stock.to != TO_PILES or not stock.count),
            "true unless the stock is dealt to the piles",
        )
        yield "reserve.stacked", self.reserve.stacked and not reserve, "false without a reserve"
        yield (
            "piles.run",
            bool(piles.run) and piles.move == CARD,
            "left out where only single cards move",
        )
        yield (
            "piles.fill",
            (piles.fill in (RESERVE, RESERVE_WASTE) and not reserve)
            or (piles.fill in (RESERVE_WASTE, WASTE) and not waste),
            "empty without the stacked reserve or the waste that it names",
        )


def _numbers(key: str, text: str, count: int, words: str) -> tuple[int, ...]:
    parts = text.split()
    if not all(part.isdecimal() for part in parts) or len(parts) != count:
        raise SettingError.at(
            key, f" must be {words}, or a number for each of the {count} piles, got {text!r}"
        )
    return tuple(map(int, parts))
