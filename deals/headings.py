"""Tells headings that say nothing of a board from those that may say how it is played or laid out.

A reader passes over the first kind, such as ``My deck:`` or ``Deal #617``. It refuses the second,
such as ``passes: 3``, ``three cells`` or ``Hand, top last:``, since it does not understand them.
It goes by a list of words that tell something. In doubt it refuses a heading.
"""

from __future__ import annotations

import re
from functools import cache

from deals.cards import DealError
from deals.checks import shown
from deals.signs import GAMES, Signs

# The number by which a board is known is no rule.
_NUMBER_OF_BOARD = re.compile(
    r"(?:\b(?:games?|deals?|decks?|boards?|positions?|puzzles?|seeds?|number|no\.?|nr\.?)[\s#:.]*"
    r"|#\s*)(?:\d{1,3}(?:,\d{3})++|\d++)(?![\w.-])[.:]?",
    re.IGNORECASE,
)
_TITLES = re.compile(r"free\s?cell\b|py\s?sol(?:\s?fc)?\b", re.IGNORECASE)
# Words are run together: ``Draw1``, ``passes_left``, ``TurnedTwice``.
_SEAM = re.compile(r"_|(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z]{3})(?=\d)|(?<=\d)(?=[A-Za-z]{3})")
_PARTS = re.compile(
    "stock|talon|waste|reserve|redeal|recycl|foundation|cascade|tableau|unlimit|shuffl|discard"
    "|face-?(?:up|down)|upside|cells|turn-?over|turned|passes",
    re.IGNORECASE,
)
_COUNTS = "[ivx]{2,}|zero|twos?|threes?|fours?|five|six|seven|eight|nine|ten"
_WORDS = (
    # Places of cards, and how these are laid out.
    "hands?|home|cells?|columns?|rows?|piles?|stacks?|suits?|decks|jokers?|cards?|free|fc"
    "|tops?|bottoms?|tips?|bases?|down|up|first|last|next|left|right|front|back|rest|remaining"
    "|orders?|ordered|opposite|exposed|deepest|mirror(?:ed)?|invert(?:ed)?|reversed?|backwards?"
    "|extras?|leftovers?|hidden|undealt|dealt"
    # Rules.
    "|rules?|vari(?:ant|ation)s?|draws?|drawn|drawing|turns?|turning|flip(?:s|ped)?|re-?deals?"
    "|re-?deal(?:t|ing)|re-?cycl(?:es?|ed|ing)|pass|rounds?|cycles?|through|times?|goes|limit\\w*"
    "|allow\\w*|only|relaxed|easy mode|vegas|wrap\\w*|empty|spaces?|no more|one at a time"
    # Numbers and cards in words. One is a number only beside some words: not in "another one".
    "|one(?:s|-card)?(?= (?:at|cards?|pass|free|deal|go|only|draw|turn|left|more)\\b)"
    "|(?:by|of|deals?|draws?|turns?|only|just) ones?|once|twice|thrice|single|double|triple"
    "|second|third|both|aces?|kings?|queens?|jacks?|clubs?|diamonds?|hearts?|spades?"
    # Games that are dealt or drawn like those here.
    "|baker'?s(?: dozen)?|seahaven|penguin|forecell|towers|yukon|spider|scorpion|canfield|agnes"
    "|golf|tri-?peaks|black hole|thieves|easthaven|westcliff|whitehead|gargantua|giza|tut\\w*"
    "|apophis|elevator|duplex|challenge|stalactites|castle|streets?|alleys?"
)
_COUNT = re.compile(_COUNTS, re.IGNORECASE)
_SIGN = re.compile(r"=|:\s*+\S")
_FEW = re.compile(r"(?<![\w.:(-])[0-3](?![\w.:)-])")
"""A number that may say how many cards a draw turns, or how often the waste is turned over."""


@cache
def _words() -> re.Pattern[str]:
    # Compiled at its first use, as it takes some milliseconds.
    return re.compile(rf"\b(?:{_COUNTS}|{_WORDS})\b", re.IGNORECASE)


def telling(line: str, game: Signs, named: bool = False) -> str:
    """What a heading may say of the board below it; empty if it says nothing.

    Args:
        line: a line without cards.
        game: the game as which the board is read.
        named: whether it is the name of a board, which may have numbers.
    """
    rest = _SEAM.sub(" ", _TITLES.sub(" ", _NUMBER_OF_BOARD.sub(" ", line)))
    words = rest.split()
    if named:
        # "7:" and "Seven:" are names.
        if len(words) == 1 and (_has_number(words[0]) or _COUNT.fullmatch(words[0])):
            return ""
        sign = _FEW
    else:
        if len(words) > 1 and all(len(word) <= 2 for word in words):
            # A row of signs for cards.
            return line.strip()
        if number := next(filter(_has_number, words), ""):
            return number
        sign = _SIGN
    for pattern in (_PARTS, _words(), sign):
        if found := pattern.search(rest):
            return str(found[0])
    titles = re.sub(r"\s", "", line.lower())
    names = [other.name for other in GAMES if other is not game]
    return next((name for name in names if name in titles), "")


def _has_number(word: str) -> bool:
    """Whether a word has a digit, or a sign for a number or a card: ``½``, ``🂡``."""
    return any(sign.isnumeric() or "\U0001f0a0" <= sign <= "\U0001f0ff" for sign in word)


def check_heading(line: str, number: int, game: Signs, expected: str) -> None:
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
        raise not_understood(line, number, expected)


def not_understood(line: str, number: int, expected: str) -> DealError:
    """The error that names a line which says something that a reader does not understand."""
    return DealError(
        f"line {number}: {shown(line.strip())} is not understood: expected {expected}; put # "
        "before a line that is no part of the board"
    )
