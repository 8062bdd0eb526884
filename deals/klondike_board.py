"""Klondike boards: PySol FC's deals, and boards read from text and written as text.

A board carries its rules: how many cards a draw turns, how often the waste may still be turned
over, and whether the stock has been seen. By default a draw turns three cards, the waste may be
turned over without limit, and the stock is known.

A deal in text is 52 cards, with or without white space between them: piles 1 to 7, each bottom
to top, then the stock, first turned first. A position is written as ::

    Foundations: C-0 D-2 H-0 S-1
    Waste: 4H AC 4D
    Stock: 7S 3S TD
    <2C> QH
    ...

with the waste bottom to top, the stock first turned first, and a line for each pile,
bottom to top. Face-down cards are in angle brackets, unknown cards are ``??``, an
empty pile is ``:`` or an empty line. PySol FC's cards package prints deals in this
form (``<7H> TS``), but calls the stock ``Talon:``; it, too, has the first card turned
first. A name that ends with a colon may precede a deal or a position. Parentheses
around cards of the talon mark those that can be reached. Cards of the stock that nobody has seen
yet are in angle brackets, too, or ``??``. Rules other than the default have a line of their own,
in the words of the game's options: ``Rules: draw=1 redeals=2``, where the waste may be turned over
twice more.

Other forms can be read: ``|``, commas or semicolons between cards, or between the piles and the
stock of a deal; a deal in the digits of Klondike-Solver (``deals.digits``); Solvitaire's JSON
(``deals.solvitaire``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from deals.cards import DECK, RANKS, DealError, card_name, deck_faults, fits, is_red, rank_of
from deals.checks import check_lists, check_numbers, text_of
from deals.foundations import Foundations, foundations_text
from deals.headings import check_heading
from deals.klondike_rules import DEFAULT, DRAW, UNLIMITED, Rules, check_rules, rules_text
from deals.klondike_text import (
    PILES,
    TALON,
    UNKNOWN,
    Piles,
    check_name,
    deal_piles,
    read_board,
    split_boards,
    with_each_unknown,
)
from deals.pasted import heading, without_moves
from deals.pysol import shuffled_pysol
from deals.signs import KLONDIKE
from deals.solvitaire import NumberedLine
from deals.words import plural

__all__ = ["UNKNOWN", "KlondikeBoard", "klondike", "read_klondike_boards"]

_CARDS = frozenset({UNKNOWN, *DECK})
PILES_DEALT = tuple(
    pile for leftmost in (*range(1, PILES), 0) for pile in reversed(range(leftmost, PILES))
)
"""The pile of each card in the order in which PySol FC deals them: six rows face down, each a
pile shorter, then one card face up on every pile."""


@dataclass(frozen=True)
class KlondikeBoard:
    """A Klondike position.

    Attributes:
        piles: the cards of the seven piles, each bottom to top.
        face_down: how many cards at the bottom of each pile lie face down.
        stock: the cards not yet turned, first turned first.
        waste: the cards turned, bottom to top.
        foundations: the highest rank on the foundation of clubs, diamonds, hearts, spades; 0 for
            none.
        name: of the board; equality ignores it.

    The rules of the game are a part of the position:

    Attributes:
        draw: how many cards a draw turns, 3 or 1.
        redeals: how often the waste may still be turned over; None for no limit.
        unseen: whether nobody has seen the cards of the stock, as none of them has been turned
            since the deal; always so if all of them are unknown, and never if there are none.

    An unknown card is 0 (``UNKNOWN``). It may lie face down in a pile, in the
    stock, or in the waste below its top card.

    Raises:
        DealError: naming the place and the card, if the 52 cards are not each in
            exactly one place, or if no game can reach the position: more cards lie
            face down, or in stock and waste, than are dealt there; the face-up cards
            of a pile are not a run; draws of three cannot leave these numbers of
            cards in stock and waste.
    """

    piles: Piles
    face_down: tuple[int, ...]
    stock: tuple[int, ...] = ()
    waste: tuple[int, ...] = ()
    foundations: Foundations = (0, 0, 0, 0)
    name: str = field(default="", compare=False)
    draw: int = DRAW
    redeals: int | None = None
    unseen: bool = False

    def __post_init__(self) -> None:
        check_rules(self.draw, self.redeals)
        check_name(text_of(self.name, "a name", DealError))
        check_lists(self.piles, "the piles", DealError)
        check_numbers(self.face_down, "the numbers of cards face down", DealError)
        check_numbers(self.stock, "the cards of the stock", DealError)
        check_numbers(self.waste, "the cards of the waste", DealError)
        check_numbers(self.foundations, "the foundations", DealError)
        parts = self.piles, self.face_down, self.stock, self.waste, self.foundations
        for place, fault in _faults(*parts, self.draw):
            raise DealError(f"{place}: {fault}" if place else fault)
        # A stock without a known card has not been seen, and an empty one has nothing to see.
        unseen = bool(self.stock) and (self.unseen or not any(self.stock))
        object.__setattr__(self, "unseen", unseen)

    @classmethod
    def deal(cls, deck: Iterable[int], name: str = "") -> KlondikeBoard:
        """The first position of a game.

        Args:
            deck: 52 cards: piles 1 to 7, each bottom to top, then the stock, first
                turned first.
            name: of the deal.

        Raises:
            DealError: if the cards are not one full deck.
        """
        cards = tuple(deck) if isinstance(deck, Iterable) else deck
        check_numbers(cards, "the cards of a deck", DealError)
        if len(cards) != len(DECK):
            raise DealError(f"expected 52 cards, got {len(cards)}")
        return cls(deal_piles(cards), tuple(range(PILES)), stock=cards[-TALON:], name=name)

    @classmethod
    def from_text(cls, text: str) -> KlondikeBoard:
        """Read one board: a deal, a position, or another program's text of one.

        Lines are a position if they have foundations, waste, stock (talon) or face-down cards, and
        a deal otherwise.

        Raises:
            DealError: naming the line, the place and the card that is wrong, or both ways to read
                the lines of a deal.
        """
        lines = _board_lines(text).splitlines()
        return _board(list(enumerate(lines, start=1)))

    def deck(self) -> tuple[int, ...]:
        """The 52 cards of a deal as ``deal`` takes them.

        Raises:
            DealError: if the board is not the first position of a game, or a card is unknown.
        """
        cards = (*(card for pile in self.piles for card in pile), *self.stock)
        dealt = self.face_down == tuple(range(PILES)) and len(self.stock) == TALON
        if not dealt or not all(self.piles) or UNKNOWN in cards:
            raise DealError("expected a deal with all cards known, got a different position")
        return cards

    def deal_text(self) -> str:
        """The 52 cards of a deal on one line, after its name if any, as ``from_text`` reads them.

        Raises:
            DealError: if the board is not the first position of a game, or a card is unknown.
        """
        return " ".join([f"{self.name}:"] * bool(self.name) + list(map(card_name, self.deck())))

    def __str__(self) -> str:
        return self.to_text()

    @property
    def reachable(self) -> tuple[int, ...]:
        """The cards that can be played now, or after draws and redeals alone.

        Returns:
            Their indices, ascending, in one list: the waste bottom to top, then the stock, first
            turned first.
        """
        turned, count = len(self.waste), len(self.waste) + len(self.stock)
        return reachable(turned, count, self.draw, self.redeals)

    def to_text(self, mark_reachable: bool = False) -> str:
        """The position as ``from_text`` reads it.

        Args:
            mark_reachable: whether to put those cards of the talon in parentheses that can
                be played now, or after draws and redeals alone.
        """
        talon = [_name(card) for card in (*self.waste, *self.stock)]
        for place in self.reachable if mark_reachable else ():
            talon[place] = f"({talon[place]})"
        if self.unseen:
            stock = [f"<{_name(card)}>" if card else "??" for card in self.stock]
            talon[len(self.waste) :] = stock
        lines = [f"{self.name}:"] if self.name else []
        if rules := rules_text(self.draw, self.redeals):
            lines.append(f"Rules: {rules}")
        if any(self.foundations):
            lines.append("Foundations: " + foundations_text(self.foundations, ace="1"))
        if self.waste:
            lines.append(" ".join(["Waste:", *talon[: len(self.waste)]]))
        # Always written, as a text without any of these lines is a deal.
        lines.append(" ".join(["Stock:", *talon[len(self.waste) :]]))
        for pile, hidden in zip(self.piles, self.face_down, strict=True):
            names = [f"<{_name(card)}>" if card else "??" for card in pile[:hidden]]
            lines.append(" ".join([*names, *map(_name, pile[hidden:])]) or ":")
        return "\n".join(lines)


def reachable(turned: int, count: int, draw: int, redeals: int | None) -> tuple[int, ...]:
    """The places of the cards of waste and stock that draws and redeals alone bring up.

    Args:
        turned: cards in the waste.
        count: cards in waste and stock together.
        draw, redeals: as in ``KlondikeBoard``.

    Returns:
        As ``KlondikeBoard.reachable``.
    """
    # The waste's top, every card that ends a draw from here on, and the last one.
    tops = {turned - 1, *range(turned + draw - 1, count, draw), count - 1}
    if redeals != 0:
        tops |= {*range(draw - 1, count, draw)}
    return tuple(sorted(tops - {-1}))


def klondike(
    number: int, draw: int = DRAW, redeals: int | None = None, unseen: bool = False
) -> KlondikeBoard:
    """PySol FC's deal with this number, dealt row by row, each row from pile 7 leftwards.

    Args:
        number: 1 to 10^20.
        draw, redeals, unseen: as in ``KlondikeBoard``.

    Raises:
        DealError: if the number is out of range.
    """
    piles: list[list[int]] = [[] for _ in range(PILES)]
    deck = iter(shuffled_pysol(number))
    for pile in PILES_DEALT:
        piles[pile].append(next(deck))
    return KlondikeBoard(
        tuple(map(tuple, piles)),
        tuple(range(PILES)),
        stock=tuple(deck),
        draw=draw,
        redeals=redeals,
        unseen=unseen,
    )


def shuffled_klondike(board: KlondikeBoard) -> tuple[int, ...]:
    """The 52 cards of a deal in the order in which PySol FC deals them.

    Raises:
        DealError: if the board is not the first position of a game, or a card is unknown.
    """
    deck = board.deck()
    piles = list(map(iter, deal_piles(deck)))
    return (*(next(piles[pile]) for pile in PILES_DEALT), *board.stock)


def read_klondike_boards(
    text: str,
    faults: list[str] | None = None,
    draw: int | None = None,
    redeals: int | str | None = None,
    unseen: bool | None = None,
) -> list[KlondikeBoard | None]:
    """Read one or many boards, with their names.

    A board is one line with all its 52 cards, or several lines. The next board begins with
    a name, or after an empty line. An empty line does not end a board that lacks the cards
    which follow; in a position it is an empty pile.

    Args:
        text: the boards.
        faults: if given, gets a message for each board that cannot be read; the result has None
            in the place of that board.
        draw, redeals: the rules of the game, for boards that do not name their own: how many cards
            a draw turns, and how often the waste may still be turned over (``"unlimited"`` for no
            limit). None for the default rules, and for any rules that a board names.
        unseen: True to hide the stock of each board whose 24 cards of the talon all lie there; any
            other stock is unseen only if its cards are in angle brackets or given as ``??``. False
            to refuse boards that show such a stock. None to go by what they show.

    Raises:
        DealError: if a board cannot be read and ``faults`` is not given; the message names the
            line, the place, the card that is wrong, and the board if there are several. Also if
            no game has such rules.
    """
    check_rules(DRAW if draw is None else draw, None if redeals == UNLIMITED else redeals)
    asked = Rules(draw, redeals)
    whole = _board_lines(text)
    parts = split_boards(whole)
    if len(parts) < 2:
        parts = [list(enumerate(whole.splitlines(), start=1))]
    boards: list[KlondikeBoard | None] = []
    for count, lines in enumerate(parts, start=1):
        try:
            boards.append(_board(lines, asked, unseen))
        except DealError as error:
            fault = f"board {count}: {error}" if len(parts) > 1 else str(error)
            if faults is None:
                raise DealError(fault) from error
            faults.append(fault)
            boards.append(None)
    return boards


def _board_lines(text: str) -> str:
    """A text without moves between drawings, and with a ?? for each unknown card of the stock.

    Headings like ``Deal #617`` go, too; with a colon at its end, a heading is a name.

    Raises:
        DealError: naming a heading of another game.
    """
    lines = without_moves(text_of(text, "a board", DealError)).splitlines()
    for place, line in enumerate(lines):
        if ":" not in line and heading(line):
            check_heading(line, place + 1, KLONDIKE, "a board of Klondike")
            lines[place] = ""
    return with_each_unknown("\n".join(lines))


def _board(
    lines: list[NumberedLine], asked: Rules = DEFAULT, unseen: bool | None = None
) -> KlondikeBoard:
    text = read_board(lines)
    parts = text.piles, text.face_down, text.stock, text.waste, text.foundations
    draw, redeals = text.rules.under(asked, f"line {text.lines.get('rules', text.first_line)}")
    # KlondikeBoard would find the same faults, but it cannot name their lines.
    for place, fault in _faults(*parts, draw):
        where = f"line {text.lines.get(place, text.first_line)}"
        raise DealError(f"{where}, {place}: {fault}" if place else f"{where}: {fault}")
    if text.unseen and unseen is False:
        raise DealError(
            f"line {text.lines.get('stock', text.first_line)}: expected stock=known, as was asked "
            "for, got a stock that nobody has seen: write its cards without angle brackets, or ask "
            "for stock=hidden"
        )
    # Once cards have been turned, only the brackets tell whether the others have been seen.
    untouched = len(text.stock) == TALON
    return KlondikeBoard(
        *parts, text.name, draw, redeals, text.unseen or (untouched and unseen is True)
    )


def _name(card: int) -> str:
    return card_name(card) if card else "??"


def _faults(
    piles: Piles,
    face_down: tuple[int, ...],
    stock: tuple[int, ...],
    waste: tuple[int, ...],
    home: Foundations,
    draw: int,
) -> Iterator[tuple[str, str]]:
    """Why no game can reach a position: the place of each fault, if it has one, and the fault."""
    if len(piles) != PILES or len(face_down) != PILES:
        yield "", f"a board has 7 piles, got {len(piles)} and {len(face_down)} face-down counts"
    if len(home) != 4 or any(not 0 <= rank <= 13 for rank in home):
        yield "", f"foundations are four ranks from 0 to 13, got {home}"
    places = {f"pile {i}": pile for i, pile in enumerate(piles, start=1)}
    places |= {"waste": waste, "stock": stock}
    for place, cards in places.items():
        for card in cards:
            if card not in _CARDS:
                yield place, f"expected cards from {DECK[0]} to {DECK[-1]}, got {card}"
    for i, (pile, hidden) in enumerate(zip(piles, face_down, strict=True)):
        for fault in _pile_faults(i, pile, hidden):
            yield f"pile {i + 1}", fault
    yield from _talon_faults(stock, waste, draw)
    yield from _deck_faults(places, home)


def _pile_faults(index: int, pile: tuple[int, ...], hidden: int) -> Iterator[str]:
    if not 0 <= hidden <= len(pile):
        yield f"expected 0 to {len(pile)} of its cards face down, got {hidden}"
    if hidden > index:
        extra = _name(pile[index])
        most = plural(index, "card")
        yield f"expected at most {most} face down, got {hidden}: {extra} is one too many"
    if pile and hidden == len(pile):
        yield f"expected its top card face up, got {_name(pile[-1])} face down"
    # Any card can be the lowest face-up card: it may have been dealt there.
    for beneath, above in pairwise(pile[hidden:]):
        if above and beneath and not fits(above, beneath):
            yield f"expected {_fitting(beneath)} on the {card_name(beneath)}, got {_name(above)}"
    if UNKNOWN in pile[hidden:]:
        yield "expected a known card face up, got ??"


def _fitting(beneath: int) -> str:
    """The cards that may lie on a card, in words."""
    if rank_of(beneath) == 1:
        return "nothing"
    return f"a {'black' if is_red(beneath) else 'red'} {RANKS[rank_of(beneath) - 2]}"


def _talon_faults(
    stock: tuple[int, ...], waste: tuple[int, ...], draw: int
) -> Iterator[tuple[str, str]]:
    if len(stock) + len(waste) > TALON:
        place, extra = ("stock", stock[-1]) if stock else ("waste", waste[-1])
        yield (
            place,
            f"expected at most {TALON} cards in stock and waste together, "
            f"got {len(stock) + len(waste)}: {_name(extra)} is one too many",
        )
    if waste and waste[-1] == UNKNOWN:
        yield "waste", "expected its top card to be known, got ??"
    # The waste holds what draws turned since the last redeal, less what was played. Only the last
    # draw, which leaves no stock, may have turned fewer cards than the others.
    drawn = draw * -(-len(waste) // draw)
    if stock and len(stock) + drawn > TALON:
        yield (
            "stock",
            f"draws of three from {TALON} cards or fewer never leave {len(stock)} in the stock "
            f"and {len(waste)} in the waste: {_name(stock[0])} cannot be next",
        )


def _deck_faults(
    places: dict[str, tuple[int, ...]], home: Foundations
) -> Iterator[tuple[str, str]]:
    seen: dict[int, str] = {}
    unknown = 0
    for place, cards in places.items():
        for card in cards:
            if card == UNKNOWN:
                unknown += 1
            elif card in seen:
                yield place, f"{card_name(card)} appears twice, also in {seen[card]}"
            elif rank_of(card) <= home[card & 3]:
                yield place, f"{card_name(card)} cannot be here: it is on its foundation"
            else:
                seen[card] = place
    missing = len(DECK) - len(seen) - sum(home)
    if unknown != missing:
        lacking = missing - unknown
        if not (places["stock"] or places["waste"]) and 0 < lacking <= TALON and unknown:
            yield (
                "",
                f"not one full deck: {plural(lacking, 'card')} missing: if the stock has "
                f"{'them' if lacking > 1 else 'it'}, add a line 'Stock:' above the piles with ?? "
                f"for each, or for short 'Stock: {lacking} ??'",
            )
            return
        if unknown:
            one = abs(lacking) == 1
            if lacking > 0:
                wrong = f"{'a ?? or a card' if one else f'{lacking} ?? or cards'} left out"
            else:
                wrong = f"{'a' if one else -lacking} ?? too many"
            yield (
                "",
                f"not one full deck: expected {missing} ??, one for each card that is not shown, "
                f"got {unknown}: {wrong}",
            )
            return
        at_home = [card for card in DECK if rank_of(card) <= home[card & 3]]
        yield "", f"not one full deck: {deck_faults([*seen, *at_home]) or 'none missing'}"
