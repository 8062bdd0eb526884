"""The rules of a game in sentences, for those who do not know it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from deals.cards import RANKS
from deals.words import plural
from gafreecell.solitaire.patience import rules as words
from gafreecell.solitaire.patience.rules import Rules

_BUILT = {words.SUIT: "in suit", words.COLOUR: "in alternating colours", words.ANY: "in any suit"}
_FILLED = {
    words.RESERVE: "The reserve fills an empty pile at once",
    words.RESERVE_WASTE: "The reserve fills an empty pile at once, and later only the waste does",
    words.WASTE: "The waste, or else the stock, fills an empty pile at once",
}
_SPACES = {
    words.ANY: "Any card goes to an empty pile",
    words.KING: "Only a {king} goes to an empty pile",
    words.NONE: "Empty piles stay empty",
}
_NAMES = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}


def told(rules: Rules) -> str:
    """How a game is played, in some sentences: the goal, the piles, and the other places."""
    sentences = chain(_goal(rules), _piles(rules), _others(rules))
    return " ".join(f"{sentence}." for sentence in sentences)


def _goal(rules: Rules) -> Iterator[str]:
    homes, base = rules.foundations, rules.foundations.base
    cards = "all cards of two decks" if rules.decks == 2 else "all cards"
    if rules.hole.base:
        yield (
            f"Bring {cards} to the hole: one goes there if it is a rank above or below the last, "
            "whatever its suit"
        )
        yield f"Ace and king are {'' if rules.hole.wraps else 'not '}neighbours"
        return
    if homes.runs:
        yield (
            "Build whole runs in suit, from the "
            f"{_last(rules)} down to the {_name(base)}, and bring all of them to the foundations"
        )
        return
    first = "rank of the first card there" if base == words.FIRST else _name(base)
    goes_on = "" if base == "A" else f"; the ace follows the {_name(RANKS[rules.ranks - 1])}"
    yield f"Bring {cards} to the foundations, up in suit from the {first}{goes_on}"
    if homes.back:
        yield "A foundation's top card may come back"


def _piles(rules: Rules) -> Iterator[str]:
    piles, build = rules.piles, rules.piles.build
    if build != words.NONE:
        yield f"Build the piles down {_BUILT[build]}"
        if piles.move == words.CARD:
            yield "Move one card at a time"
        elif piles.move == words.LOOSE:
            yield "Any face-up card moves with all that lie on it, in order or not"
        elif piles.move == words.PILE:
            yield f"Only a whole pile that is a run {_BUILT[rules.run]} moves to another pile"
        else:
            yield f"Runs {_BUILT[rules.run]} move together"
    if any(rules.down):
        yield "A card that lies face down turns up when nothing lies on it"
    if piles.fill:
        yield _FILLED[piles.fill]
    elif build != words.NONE or piles.space != words.NONE:
        yield _SPACES[piles.space].format(king=_last(rules))


def _others(rules: Rules) -> Iterator[str]:
    cells, reserve, stock = rules.cells, rules.reserve, rules.stock
    if cells.count:
        yield (
            "The free cell holds any one card"
            if cells.count == 1
            else f"Each of {cells.count} free cells holds any one card"
        )
    if reserve.count:
        ones = "top card" if reserve.stacked else "cards"
        yield f"The reserve's {ones} can be played, but nothing goes there"
    if not stock.count:
        return
    if stock.to == words.TO_HOLE:
        yield "The stock deals its next card to the hole when you like"
    elif stock.to == words.TO_PILES:
        when = "when you like" if stock.spaces else "when no pile is empty"
        yield f"The stock deals a card to each pile {when}"
    else:
        yield f"The stock turns {plural(stock.draw, 'card')} at a time to the waste"
        named = {0: "only once", 1: "twice", words.UNLIMITED: "as often as you like"}
        again = named.get(stock.redeals)
        yield f"You go through it {again or f'{stock.redeals + 1} times'}"


def _last(rules: Rules) -> str:
    """The name of the rank that is the last on a foundation."""
    base = rules.foundations.base
    if base == words.FIRST:
        return "card of the foundations' last rank"
    return _name(RANKS[(RANKS.index(base) - 1) % rules.ranks])


def _name(rank: str) -> str:
    return _NAMES.get(rank, rank)
