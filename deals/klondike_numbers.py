"""Klondike deals by the numbers of other programs.

Each *numbering* turns a number into a deck. What is known of them comes from the programs' sources;
that of Microsoft's collection was worked out by the author of MinimalKlondike, and lonelybot's
source has it (src/shuffler.rs of github.com/vuonghy2442/lonelybot).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import factorial

from deals.cards import SUITS, DealError, card
from deals.checks import shown, whole
from deals.errors import did_you_mean
from deals.klondike_board import KlondikeBoard
from deals.klondike_rules import DRAW
from deals.klondike_text import PILES

_DECKS = factorial(52)


@dataclass(frozen=True)
class Numbering:
    """How a program numbers its deals.

    Attributes:
        meaning: whose numbers they are, in a few words.
        largest: its largest number.
        deck: the cards of a number in the order in which that program deals them.
        rightmost_first: whether it deals each row from the rightmost pile.
        counts_decks: whether the numbers count the decks in order, so that neighbouring ones deal
            almost the same cards.
    """

    meaning: str
    largest: int
    deck: Callable[[int], Sequence[int]]
    rightmost_first: bool = False
    counts_decks: bool = False


def numbered_klondike(
    kind: str, number: int, draw: int = DRAW, redeals: int | None = None, unseen: bool = False
) -> KlondikeBoard:
    """The deal that a program deals for a number.

    Args:
        kind: one of ``NUMBERINGS``.
        number: the deal's number there, 0 or more.
        draw, redeals, unseen: as in ``KlondikeBoard``.

    Raises:
        DealError: if there is no such numbering, or no such number.
    """
    found = numbering(kind)
    given = whole(number)
    if given is None or not 0 <= given <= found.largest:
        raise DealError(
            f"there is no deal {shown(number, 70)}: {found.meaning} numbers 0 to {found.largest:,}"
        )
    cards = iter(found.deck(given))
    piles: list[list[int]] = [[] for _ in range(PILES)]
    for row in range(PILES):
        left = piles[row:]
        for pile in reversed(left) if found.rightmost_first else left:
            pile.append(next(cards))
    return KlondikeBoard(
        tuple(map(tuple, piles)),
        tuple(range(PILES)),
        stock=tuple(cards),
        name=f"{kind}-{given}",
        draw=draw,
        redeals=redeals,
        unseen=unseen,
    )


def numbering(kind: str) -> Numbering:
    """A numbering by name; ``DealError``, listing them, for an unknown one."""
    if kind not in NUMBERINGS:
        guess = did_you_mean(str(kind), NUMBERINGS)
        raise DealError(
            f"numbers of other programs are {', '.join(NUMBERINGS)}, got {shown(kind)}{guess}"
        )
    return NUMBERINGS[kind]


def _suits(order: str) -> list[int]:
    """A new deck, suit by suit from ace to king."""
    return [card(rank, SUITS.index(suit)) for suit in order for rank in range(1, 14)]


def _ranks(order: str) -> list[int]:
    """A new deck, rank by rank, the suits in this order."""
    return [card(rank, SUITS.index(suit)) for rank in range(1, 14) for suit in order]


def _swapped(deck: list[int], swaps: Iterable[tuple[int, int]]) -> list[int]:
    for one, other in swaps:
        deck[one], deck[other] = deck[other], deck[one]
    return deck


def _klondike_solver(number: int) -> list[int]:
    """269 swaps of two random cards; the generator is the author's own."""
    draw = _words(number)
    return _swapped(_suits("CDSH"), ((next(draw) % 52, next(draw) % 52) for _ in range(269)))


def _words(seed: int) -> Iterator[int]:
    """Klondike-Solver's random numbers: its state is three words of 32 bits, shifted with sign."""
    mask = 0xFFFFFFFF
    value, mix, twist = seed, 51651237, 895213268

    def following(value: int, mix: int, twist: int) -> tuple[int, int, int]:
        # C++ subtracts before it combines bits.
        other = (value ^ (twist - mix) ^ value ^ twist ^ value ^ mix) & mask
        mix ^= twist ^ value
        value ^= (twist - mix) & mask
        twist ^= value ^ other
        value ^= ((twist << 7) ^ (_signed(mix) >> 16) ^ (other << 8)) & mask
        return value, mix, twist

    for _ in range(50):
        value, mix, twist = following(value, mix, twist)
    value = (0x9417B3AF ^ seed ^ (_signed(seed) >> 15)) & mask
    for _ in range(950):
        value, mix, twist = following(value, mix, twist)
    while True:
        value, mix, twist = following(value, mix, twist)
        yield value & 0x7FFFFFFF


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def _green_felt(number: int) -> list[int]:
    """Seven rounds over a deck, each card swapped with a random one; dealt from the end."""
    state = number

    def places() -> Iterator[tuple[int, int]]:
        nonlocal state
        for place in (*range(52),) * 7:
            # Park and Miller's generator of 1988.
            state = state * 16807 % 0x7FFFFFFF
            yield place, state % 52

    return _swapped(_suits("CDHS"), places())[::-1]


def _solvitaire(number: int) -> list[int]:
    """Fisher and Yates from the end, by the Mersenne twister; the piles are dealt from card 28."""
    import numpy as np

    twister = np.random.RandomState(number)

    def upto(most: int) -> int:
        """A number from 0 to ``most``, as boost's uniform_int_distribution draws it."""
        bucket = 2**32 // (most + 1)
        while True:
            drawn = int(twister.randint(0, 2**32, dtype=np.uint32)) // bucket
            if drawn <= most:
                return drawn

    deck = _swapped(_ranks("CHSD"), ((place, upto(place)) for place in range(51, 0, -1)))
    return deck[27::-1] + deck[28:]


def _exact(number: int) -> list[int]:
    """Every deck has one number: its remainders by 2, 3 .. 52 say which cards are swapped."""
    return _pile_by_pile(_swapped(_ranks("HDCS"), _digits(number, range(1, 52))))


def _microsoft(number: int) -> list[int]:
    """As ``_exact``, but from the last card to the first, and dealt from the end."""
    return _swapped(_suits("SHCD"), _digits(number, range(51, 0, -1)))[::-1]


def _digits(number: int, places: Iterable[int]) -> Iterator[tuple[int, int]]:
    for place in places:
        number, other = divmod(number, place + 1)
        yield place, other


def _pile_by_pile(deck: list[int]) -> list[int]:
    """A deck whose first 28 cards are piles 1 to 7, each bottom to top, in the order of rows."""
    rows = [pile * (pile + 1) // 2 + row for row in range(PILES) for pile in range(row, PILES)]
    return [deck[place] for place in rows] + deck[28:]


NUMBERINGS = {
    "green-felt": Numbering("Green Felt", 2**31 - 2, _green_felt),
    "microsoft": Numbering(
        "Microsoft Solitaire Collection", _DECKS - 1, _microsoft, counts_decks=True
    ),
    "solvitaire": Numbering("Solvitaire", 2**31 - 1, _solvitaire, rightmost_first=True),
    "klondike-solver": Numbering("Klondike-Solver", 2**31 - 1, _klondike_solver),
    "exact": Numbering("lonelybot's exact", _DECKS - 1, _exact, counts_decks=True),
}
"""By name, the programs whose numbers are known here."""
