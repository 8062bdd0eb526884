"""Translates solutions that other programs wrote into our notation.

It plays them as it goes, because their moves say less than ours, or other things: which card
moves, where ours say how many. It knows the rules by the verifier alone and shares nothing with the
searches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from deals.cards import (
    SUITS,
    DealError,
    card_name,
    fits,
    is_card,
    parse_card,
    rank_of,
    suit_of,
    suits_as_letters,
)
from deals.checks import shown
from deals.klondike_board import UNKNOWN, KlondikeBoard
from gafreecell.solitaire.klondike.verifier import NOTATION, Position
from gafreecell.solving.notations import IllegalMove, Interpretation, Notation, notation_of

_CARD = r"(?:10|[2-9atjqk])[♥♦♣♠cdhs]"
KLONDIKE_SOLVER = Notation(
    "a move such as DR2, NEW, F3, W5, WC, 3C, C3, 35 or 35-4",
    r"dr[1-9]\d?|new|f[1-7]|(?:[w1-7cdhs][1-7]|[w1-7][cdhs])(?:-[1-9]\d?)?",
    str.upper,
    "Klondike-Solver",
)
"""``DR2`` is two draws, ``NEW`` a redeal, ``F3`` turns a card up, ``WC`` is waste to clubs."""
MINIMAL_KLONDIKE = Notation(
    "a move such as @@AK, KL or LC", "@*[a-l][a-l]", str.upper, "MinimalKlondike", "@"
)
"""A draw is an @, A the waste, B to E the foundations, F to L the piles.

Without any draw, moves are not told from words such as "he".
"""
LONELYBOT = Notation(
    "a move such as =, A♦:4▸♦ or 9♠:D▸3",
    rf"=|{_CARD}:[d1-7♥♦♣♠]▸[1-7♥♦♣♠]",
    str,
    "lonelybot",
)
"""Card, source and target; D is the waste. ``=`` is a draw, or a redeal if the stock is empty."""
NOTATIONS = (NOTATION, KLONDIKE_SOLVER, MINIMAL_KLONDIKE, LONELYBOT)

_SOLVED = re.compile(
    r"(?:Minimal solution|Solved) in \d+ moves\..*|Solvable in \d+ moves|Moves: @*[A-L].*"
)
_LOST = re.compile(r"Impossible.*|Unknown\. Max cards.*|Terminated|Crashed|.*State: (?!Solved).*")
_RULE = re.compile("-{20,}")
_END = re.compile(r"\(Deal State: Solved\b[^()]*\)|Done [\d:.]+")
"""What MinimalKlondike prints below its moves."""
_LETTERS = dict(zip("D♥♦♣♠1234567", "ABCDEFGHIJKL", strict=True))
_OWN_LINE = re.compile(r"(?:(?:DP|DS|PS|SP|R) (?:10|[2-9AJQK])[♥♦♣♠],\s*)+")
"""lonelybot's notation for itself, which does not say where cards go."""

Translation = Callable[[Position, str], Iterator[str]]
"""Our moves for another program's move; each is played before the next is asked for."""


def moves_in(text: str) -> str:
    """The output of one of these programs without the lines that hold no moves; other texts as is.

    Lines below the result that none of them prints remain, to be refused with their numbers.

    Raises:
        ValueError: if the output says that there is no solution, or holds several.
    """
    lines = [line.strip() for line in text.splitlines()]
    found = [place for place, line in enumerate(lines) if _SOLVED.fullmatch(line)]
    if len(found) > 1:
        raise ValueError(f"expected the solution of one deal, got those of {len(found):,}")
    for place in found:
        _, label, moves = lines[place].partition("Moves: ")
        above = ["" if _holds_no_move(line) else line for line in lines[:place]]
        lines = [*above, moves if label else "", *_below(lines[place + 1 :])]
    lost = next(filter(_LOST.fullmatch, lines[found[0] :] if found else lines), "")
    if lost:
        raise ValueError(f"expected a solution, got {shown(lost)}")
    own = next((place for place, line in enumerate(lines, start=1) if _OWN_LINE.fullmatch(line)), 0)
    if own:
        raise ValueError(
            f"line {own}: lonelybot's moves such as 'DP 9♠' do not say where cards go: give the "
            "line with moves such as 9♠:D▸3"
        )
    return "\n".join(lines) if found else text


def _are_moves(line: str, *notations: Notation) -> bool:
    """Whether a line has moves of one of some notations, and nothing else."""
    words = line.split()
    return bool(words) and any(all(map(one.pattern.fullmatch, words)) for one in notations)


def _holds_no_move(line: str) -> bool:
    """Whether a line above a result is not taken for moves; cards in a row may look like some."""
    return not _are_moves(line, *NOTATIONS[1:]) or all(map(is_card, line.split()))


def _below(lines: list[str]) -> list[str]:
    """The lines below a result, empty in place of those that only tell the moves again.

    Klondike-Solver may replay the game between lines of hyphens, above its moves. lonelybot also
    prints its moves in a notation for itself and in MinimalKlondike's letters.
    """
    rules = [place for place, line in enumerate(lines) if _RULE.fullmatch(line)]
    if rules and not any(lines[: rules[0]]):
        lines = [*[""] * (rules[-1] + 1), *lines[rules[-1] + 1 :]]
    lines = ["" if _OWN_LINE.fullmatch(line) or _END.fullmatch(line) else line for line in lines]
    moves = [w for line in lines if _are_moves(line, LONELYBOT) for w in line.split()]
    again = [place for place, line in enumerate(lines) if _are_moves(line, MINIMAL_KLONDIKE)]
    if moves and "".join(map(_in_letters, moves)) == re.sub(
        r"\s", "", "".join(lines[place] for place in again)
    ):
        lines = ["" if place in again else line for place, line in enumerate(lines)]
    return lines


def _in_letters(move: str) -> str:
    """A move of lonelybot in the letters that it prints as well."""
    if move == "=":
        return "@"
    source, _, target = move.upper().partition(":")[2].partition("▸")
    return _LETTERS[source] + _LETTERS[target]


def interpret(board: KlondikeBoard, moves: Sequence[str]) -> Interpretation:
    """Moves in our notation for moves in one of ``NOTATIONS``.

    Raises:
        DealError: if a word is no move.
    """
    notation, tokens = notation_of(moves, NOTATIONS, DealError)
    if notation is NOTATION:
        return Interpretation(tokens)
    found = [_translated(board, tokens, notation, one) for one in _TRANSLATIONS[notation.name]]
    return max(found, key=lambda one: (not one.fault, len(one.moves)))


def _translated(
    board: KlondikeBoard, tokens: Sequence[str], notation: Notation, translation: Translation
) -> Interpretation:
    """Moves in our notation, up to the first that the rules refuse."""
    how = f"read in the notation of {notation.name}"
    position = Position.from_board(board)
    moves: list[str] = []
    for number, token in enumerate(tokens, start=1):
        try:
            for move in translation(position, token):
                position.play(move)
                moves.append(move)
        except IllegalMove as fault:
            return Interpretation(moves, how, f"move {number} {token!r}: {fault} ({how})")
    home = sum(position.foundations)
    end = f"after move {len(tokens)}: expected 52 cards home, got {home} ({how})"
    return Interpretation(moves, how, "" if position.is_solved else end)


def _klondike_solver(position: Position, move: str) -> Iterator[str]:
    if move.startswith("DR"):
        yield from ["draw"] * int(move[2:])
    elif move == "NEW":
        yield "redeal"
    elif move[0] != "F":
        # Our notation turns cards up by itself.
        places, _, count = move.replace("W", "w").partition("-")
        source, target = places[0], places[1]
        if target in SUITS:
            for _ in range(int(count or 1)):
                yield _home(position, source, target)
        else:
            yield _to_pile(source, target, int(count or 1))


def _minimal_klondike(
    position: Position, move: str, suits: str = "CDSH", draws_at_once: bool = True
) -> Iterator[str]:
    """Moves of MinimalKlondike, or in the same letters of lonelybot.

    Args:
        position: where they are made.
        move: one of the notation.
        suits: of the foundations B to E.
        draws_at_once: whether an ``@`` on an empty stock turns the waste over and draws.
    """
    places = dict(zip("ABCDEFGHIJKL", f"w{suits}1234567", strict=True))
    for _ in move[:-2]:
        turns = not position.stock
        if turns:
            yield "redeal"
        if not turns or draws_at_once:
            yield "draw"
    source, target = places[move[-2]], places[move[-1]]
    if target == "w":
        raise IllegalMove("expected a card to go to a pile or home, got the waste")
    if target in SUITS:
        yield _home(position, source, target)
    else:
        yield _to_pile(source, target, _count_that_fits(position, source, target))


def _lonelybot(position: Position, move: str) -> Iterator[str]:
    if move == "=":
        yield "draw" if position.stock else "redeal"
        return
    name, _, places = move.partition(":")
    source, _, target = places.partition("▸")
    source = "w" if source in "dD" else suits_as_letters(source)
    card = parse_card(name)
    cards = _cards(position, source)
    if card not in cards:
        raise IllegalMove(f"the {card_name(card)} is not there")
    if target.isdigit():
        yield _to_pile(source, target, len(cards) - cards.index(card))
    elif card == cards[-1]:
        yield _home(position, source, suits_as_letters(target))
    else:
        raise IllegalMove(f"the {card_name(card)} is not on top")


_TRANSLATIONS: dict[str, tuple[Translation, ...]] = {
    KLONDIKE_SOLVER.name: (_klondike_solver,),
    MINIMAL_KLONDIKE.name: (
        _minimal_klondike,
        partial(_minimal_klondike, suits="HDCS", draws_at_once=False),
    ),
    LONELYBOT.name: (_lonelybot,),
}
"""The ways to translate a notation, by its name."""


def _cards(position: Position, place: str) -> list[int]:
    """The known cards of a place, from the bottom up; of a foundation, the one on top."""
    if place in SUITS:
        rank = position.foundations[SUITS.index(place)]
        return [4 * rank + SUITS.index(place)] if rank else []
    if place == "w":
        return position.waste
    pile = position.piles[int(place) - 1]
    return pile[position.face_down[int(place) - 1] :]


def _home(position: Position, source: str, suit: str) -> str:
    """The move home from a place to the foundation of a suit.

    Raises:
        IllegalMove: if the card is of another suit.
    """
    cards = _cards(position, source)
    if cards and cards[-1] != UNKNOWN and SUITS[suit_of(cards[-1])] != suit:
        raise IllegalMove(f"expected a card of the suit {suit}, got the {card_name(cards[-1])}")
    return f"{source}h"


def _to_pile(source: str, target: str, count: int) -> str:
    """The move of some cards to a pile."""
    return f"{source}{target}" + (f"v{count:x}" if count > 1 else "")


def _count_that_fits(position: Position, source: str, target: str) -> int:
    """How many cards of a place must move so that they fit; 1 if no number fits."""
    goal = position.piles[int(target) - 1]
    if not source.isdigit():
        return 1
    cards = _cards(position, source)
    fit = (
        count
        for count in range(1, len(cards) + 1)
        if (fits(cards[-count], goal[-1]) if goal else rank_of(cards[-count]) == 13)
    )
    return next(fit, 1)
