"""Tells headings that say nothing of a board from those that may say how it is played or laid out.

A reader passes over the first kind, such as ``My deck:`` or ``Deal #617``. It refuses the second,
such as ``passes: 3``, ``three cells`` or ``Hand, top last:``, since it does not understand them.
"""

from __future__ import annotations

import re
from functools import cache

from deals.cards import DealError

# The number by which a board is known is no rule.
_NUMBER_OF_BOARD = re.compile(
    r"(?:\b(?:games?|deals?|decks?|boards?|positions?|puzzles?|seeds?|number|no\.?|nr\.?)[\s#:.]*"
    r"|#\s*)(?:\d{1,3}(?:,\d{3})++|\d++)(?![\w.-])[.:]?",
    re.IGNORECASE,
)
_TELLING = (
    # Places of cards, and how they are laid out.
    "stocks?|talons?|wastes?|reserves?|hands?|discards?|foundations?|home|cells?|free-?cells"
    "|cascades?|columns?|rows?|piles?|stacks?|tableaus?|tableaux|suits?|decks|jokers?"
    "|top|tops|bottom|bottoms|down|up|upside|reversed?|backwards?|hidden|facing"
    # Rules.
    "|rules?|variants?|variations?|draws?|drawn|drawing|turns?|turned|turning|flips?|flipped"
    "|re-?deals?|re-?dealing|re-?cycle[sd]?|re-?cycling|pass|passes|rounds?|cycles?|through|times"
    "|by (?:one|two|three|ones|twos|threes)|twice|thrice|unlimited|limit(?:s|ed)?|allow(?:s|ed)?"
    "|relaxed|easy mode|vegas|wrap(?:s|ped|ping)?|empty|spaces?|kings?"
    # Games that are dealt or drawn like those here.
    "|eight off|baker'?s(?: dozen)?|seahaven|penguin|forecell|sea towers|yukon|spider|scorpion"
    "|canfield|agnes|golf|tri-?peaks|black hole|forty thieves|easthaven|westcliff|whitehead"
    "|gargantua|giza|tut(?:'s|s)? ?tomb|king tut|apophis|elevator|double|triple"
)
_SIGN = re.compile(r"\d|=|:\s*+\S")
_LABEL_WORD = re.compile(r"\b(?:first|last|next|left|remaining|rest|order|undealt)\b.*:", re.I)

FREECELL, KLONDIKE, PYRAMID = GAMES = "freecell", "klondike", "pyramid"


@cache
def _word() -> re.Pattern[str]:
    # Compiled at its first use, as it takes some milliseconds.
    return re.compile(rf"\b(?:{_TELLING})\b", re.IGNORECASE)


def telling(line: str, game: str, numbers: bool = False) -> str:
    """What a heading may say of the board below it; empty if it says nothing.

    Args:
        line: a line without cards.
        game: one of ``GAMES``, as which the board is read.
        numbers: whether the heading may have any numbers.
    """
    rest = _NUMBER_OF_BOARD.sub(" ", line)
    signs = () if numbers else (_SIGN,)
    for pattern in (_word(), _LABEL_WORD, *signs):
        if found := pattern.search(rest):
            return str(found[0])
    others = [name for name in GAMES if name != game and name in rest.lower().replace(" ", "")]
    return others[0] if others else ""


def check_heading(line: str, number: int, game: str, expected: str) -> None:
    """Refuse a line that is neither cards nor a heading that says nothing.

    Args:
        line: its text.
        number: its number, for the message.
        game: as in ``telling``.
        expected: what a board of the game has, for the message.

    Raises:
        DealError: naming the line.
    """
    if telling(line, game):
        raise DealError(
            f"line {number}: {line.strip()!r:.60} is not understood: expected {expected}; "
            "put # before a line that is no part of the board"
        )
