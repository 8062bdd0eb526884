"""Reads the text of one or many Klondike boards: deals, positions and other programs' boards.

``deals.klondike_board`` describes the forms. This module finds the cards and their places;
``KlondikeBoard`` checks whether they are a position of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import NamedTuple
from unicodedata import category

from deals.cards import (
    CARD,
    DECK,
    RANKS,
    SEPARATORS,
    SUITS,
    DealError,
    card_name,
    deck_faults,
    fits,
    parse_card,
)
from deals.checks import shown
from deals.digits import is_deck, read_deck
from deals.drawn import below, is_numbers
from deals.errors import closest
from deals.foundations import EMPTY, Foundations, read_foundations
from deals.headings import telling
from deals.klondike_rules import DEFAULT, Rules, read_rules
from deals.other_games import are_laid_out, check_shape, check_signs
from deals.signs import KLONDIKE, TRIANGLE
from deals.solvitaire import (
    FOUNDATIONS,
    STOCK,
    TABLEAU,
    WASTE,
    NumberedLine,
    begins_json,
    parted,
)
from deals.solvitaire import read_board as read_object

PILES = 7
TALON = 24
"""Cards in the stock at first: stock and waste never hold more."""
UNKNOWN = 0
"""In place of a card that the player has not seen."""

Piles = tuple[tuple[int, ...], ...]
"""The cards of the piles, each bottom to top."""

_LABEL = re.compile(
    r"\s*(foundations?|founds?|home|waste|stock|talon|rules)\s*:(.*)", re.IGNORECASE
)
_LABELS = "foundations", "waste", "stock", "talon", "rules"
_RULES = "rules"
_HOME = ("f", "h")
"""How the labels of foundations begin."""
_NUMBERED = re.compile(r"\s*+(?:pile\s*+)?([0-9])\s*+:(.*)", re.IGNORECASE)
_MARKED = re.compile(r"\(([^()\s]*)\)")
_CARD = re.compile(rf"(?P<open><)?(?P<card>\?\?|{CARD})(?(open)>)", re.IGNORECASE | re.ASCII)


_MANY = re.compile(r"(?<!\S)(\d{1,2})\s*[x*]?\s*\?\?")
"""A number of unknown cards: ``24 ??``, ``24x??``."""
_SEPARATOR = re.compile(f"[{SEPARATORS}]")
_MOST_LINES = 200
"""A board with so many lines does not go on after an empty one."""
_TOO_MANY = 4
"""So many cards too many, or fewer, are taken for a mistake in one board."""
_ROWS = TRIANGLE[::-1]
"""Cards in the rows of a deal on a screen."""


@dataclass(frozen=True)
class BoardText:
    """A board as read from a text, with line numbers.

    Attributes:
        piles, face_down, stock, waste, foundations, name: as in ``KlondikeBoard``.
        lines: the line number of each place: ``pile 1`` to ``pile 7``, ``stock``, ...
        first_line: the number of the board's first line.
        rules: those that it names.
        unseen: whether it shows that cards of the stock have not been seen.
    """

    piles: Piles
    face_down: tuple[int, ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...]
    foundations: Foundations
    name: str
    lines: dict[str, int]
    first_line: int
    rules: Rules = DEFAULT
    unseen: bool = False


class _Written(NamedTuple):
    """A card, 0 if it is unknown, and whether the text marks it as face down."""

    card: int
    face_down: bool

    def __str__(self) -> str:
        if self.card == UNKNOWN:
            return "??"
        return f"<{card_name(self.card)}>" if self.face_down else card_name(self.card)


def deal_piles(deck: tuple[int, ...]) -> Piles:
    """The seven piles, of one to seven cards, from the front of a deck; each bottom to top."""
    ends = list(accumulate(range(PILES + 1)))
    return tuple(deck[start:end] for start, end in pairwise(ends))


def check_name(name: str) -> None:
    """Refuse a board's name that could not be read back.

    Raises:
        DealError: if it has several lines, spaces around it, control characters, a colon at its
            beginning or end, or is like the label of a line of a position.
    """
    if name.strip() != name or len(name.splitlines()) > 1 or name.strip(":") != name:
        raise DealError(f"expected a name on one line, without a colon at its ends, got {name!r}")
    # Escape sequences could change what a terminal shows; no-break spaces of web pages are fine.
    if any(category(letter) == "Cc" for letter in name.replace("\t", " ")):
        raise DealError(f"expected a name without control characters, got {name!r}")
    if _has_label(name) or _meant(name):
        raise DealError(
            f"expected a name that does not begin with the label of a line, got {name!r}"
        )
    if word := telling(name, KLONDIKE, named=True):
        raise DealError(f"expected a name that says nothing of rules, got {word!r} in {name!r}")


def read_board(lines: list[NumberedLine]) -> BoardText:
    """Read the lines of one board; empty lines around it are ignored.

    Raises:
        DealError: naming the line and the card that is wrong.
    """
    if begins_json(lines):
        return _read_json(lines)
    lines = _without_empty_ends(_without_numbers(lines))
    check_signs(lines, KLONDIKE)
    if not lines:
        raise DealError("no board: expected 52 cards, or a stock and seven piles")
    rules, line_of, lines = _take_rules(lines)
    if not lines:
        raise DealError(
            f"line {line_of[_RULES]}: expected the cards of a board below its rules, got none: "
            "write rules above the cards for which they hold"
        )
    first = lines[0][0]
    name, rest = _split_name(lines[0])
    _check_name(first, name)
    lines = lines[1:] if name and not rest.strip() else [(first, rest), *lines[1:]]
    if not lines:
        raise DealError(f"line {first}: expected 52 cards after the name {name!r}, got none")
    for line in lines[1:]:
        if other := _split_name(line)[0]:
            _check_name(line[0], other)
            raise DealError(
                f"line {line[0]}: expected one board, got the name of another: {shown(other)}; "
                "places are 'Foundations:', 'Waste:' and 'Stock:'"
            )
    is_deal = not any(
        _LABEL.match(line) or _shows_a_back(line) or line.strip() == ":" for _, line in lines
    )
    after_name = bool(name) and lines[0][0] == first
    board = _read_deal(lines, name, after_name) if is_deal else _read_position(lines, name)
    return replace(board, rules=rules, lines=line_of | board.lines)


def _take_rules(lines: list[NumberedLine]) -> tuple[Rules, dict[str, int], list[NumberedLine]]:
    """The rules that a board names, the number of their line, and the other lines."""
    found: dict[str, int] = {}
    rules, others = DEFAULT, []
    for number, line in lines:
        if not _is_rules((number, line)):
            others.append((number, line))
            continue
        if found:
            raise DealError(f"line {number}: rules again: line {found[_RULES]} already has them")
        found[_RULES], rules = number, read_rules(line.partition(":")[2], number)
    return rules, found, others


def _read_json(lines: list[NumberedLine]) -> BoardText:
    board = read_object(lines, (TABLEAU, STOCK, WASTE, FOUNDATIONS), "Klondike")
    first = board.line
    if len(board.piles) != PILES:
        raise DealError(f"line {first}: expected seven tableau piles, got {len(board.piles)}")
    small = {card.small for pile in board.piles for card in pile}
    if small == {True}:
        raise DealError(
            f"line {first}: expected a capital suit letter for each card face up, got small "
            "letters only, which stand for cards face down"
        )
    for place, pile in enumerate(board.piles, start=1):
        for beneath, above in pairwise(pile):
            if above.small and not beneath.small:
                raise DealError(
                    f"line {first}, pile {place}: expected a card face up, with a capital suit "
                    f"letter, on the {card_name(beneath.card)}, got {card_name(above.card)} face "
                    "down"
                )
            if small == {False} and not fits(above.card, beneath.card):
                names = f"{card_name(above.card)} on the {card_name(beneath.card)}"
                raise DealError(
                    f"line {first}, pile {place}: {names} can be read in two ways: as a position "
                    "with all cards face up, since all suits are capital letters, which no game "
                    "can reach; or as a deal: then write the suits of cards face down as small "
                    "letters"
                )
    return BoardText(
        tuple(tuple(card.card for card in pile) for pile in board.piles),
        tuple(sum(card.small for card in pile) for pile in board.piles),
        # Solvitaire's stock has its top card, which is turned first, at the end.
        tuple(card.card for card in reversed(board.stock)),
        tuple(card.card for card in board.waste),
        board.foundations,
        "",
        {},
        first,
    )


def _without_numbers(lines: list[NumberedLine]) -> list[NumberedLine]:
    """Lines of piles with ``:`` in place of numbers like ``4:`` and of words for an empty pile.

    A number that is not followed by the next ones is the name of a board.

    Raises:
        DealError: if a number is not that of its pile.
    """
    found: list[NumberedLine] = []
    numbers = [_NUMBERED.fullmatch(line) for _, line in lines if line.strip()]
    following = iter([*numbers[1:], None])
    pile = 0
    for number, line in lines:
        numbered, after = _NUMBERED.fullmatch(line), next(following) if line.strip() else None
        is_pile = numbered is not None and _count((number, numbered[2])) < len(DECK)
        if numbered and is_pile and (pile or after or numbered[2].strip()):
            if int(numbered[1]) != pile + 1 or pile == PILES:
                expected = f"pile {pile + 1}" if pile < PILES else f"{PILES} piles"
                raise DealError(
                    f"line {number}: expected {expected}, got {numbered[1]}: write -- on the line "
                    "of an empty pile, and number them from 1 on"
                )
            pile, line = pile + 1, f":{numbered[2]}"
        elif line.strip():
            pile = 0
        is_empty = line.strip().removeprefix(":").strip().lower() in EMPTY
        found.append((number, ":" if is_empty else line))
    return found


def _shows_a_back(line: str) -> bool:
    return any(match["open"] or match["card"] == "??" for match in _CARD.finditer(line))


def _without_empty_ends(lines: list[NumberedLine]) -> list[NumberedLine]:
    filled = [place for place, (_, line) in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _is_rules(line: NumberedLine) -> bool:
    label = _LABEL.match(line[1])
    return label is not None and label[1].lower() == _RULES


def _has_label(name: str) -> bool:
    return any(_LABEL.match(part + ":") for part in name.split(":"))


def _meant(name: str) -> str:
    """The label that a name was probably meant to be; empty if it is like none of them."""
    return closest(name, _LABELS, 0.8).capitalize() if name.isalpha() else ""


def _split_name(line: NumberedLine) -> tuple[str, str]:
    """The name at the beginning of a line, empty if there is none, and the rest of the line."""
    text = line[1]
    name, _, rest = text.rpartition(":")
    # A line that begins with a colon is a pile.
    if not name.strip() or text.lstrip().startswith(":") or _LABEL.match(text):
        return "", text
    return name.strip().rstrip(": "), rest


def _check_name(number: int, name: str) -> None:
    """Refuse a name that may be meant for a label, or may say how the board is played."""
    if _has_label(name):
        raise DealError(f"line {number}: expected a name on a line of its own, got {name}:")
    if label := _meant(name):
        raise DealError(
            f"line {number}: unknown label {name!r}; did you mean {label!r}? If it is the board's "
            "name, give it one that is less like a label"
        )
    if word := telling(name, KLONDIKE, named=True):
        raise DealError(
            f"line {number}: {shown(name + ':')} is not understood, as {word!r} may say how the "
            "board is played: write rules as in 'Rules: draw=1 redeals=2' and places as "
            "'Foundations:', 'Waste:' and 'Stock:', or give the board another name"
        )


def _read_deal(lines: list[NumberedLine], name: str, after_name: bool) -> BoardText:
    number, line = lines[0]
    digits = len(lines) == 1 and is_deck(line.strip())
    cards = read_deck(line.strip(), number) if digits else _read_deck(lines, after_name)
    face_down, stock = tuple(range(PILES)), cards[-TALON:]
    piles = deal_piles(cards)
    return BoardText(piles, face_down, stock, (), (0, 0, 0, 0), name, {}, number)


def _read_deck(lines: list[NumberedLine], after_name: bool) -> tuple[int, ...]:
    deck: list[int] = []
    line_of: dict[int, int] = {}
    _check_groups(lines)
    check_shape([count for line in lines if (count := len(_CARD.findall(line[1])))], KLONDIKE)
    for number, line in lines:
        for written in _cards(number, line.strip().removeprefix(":"), len(deck)):
            card = written.card
            deck.append(card)
            if card in line_of:
                raise DealError(
                    f"line {number}, card {len(deck)}: {card_name(card)} appears twice, also "
                    f"card {deck.index(card) + 1} (line {line_of[card]})"
                )
            line_of[card] = number
    if len(deck) != len(DECK):
        raise DealError(
            f"line {lines[-1][0]}: expected 52 cards, got {len(deck)}: {deck_faults(deck)}"
        )
    _check_lines(lines, tuple(deck), after_name)
    return tuple(deck)


def _check_lines(lines: list[NumberedLine], deck: tuple[int, ...], after_name: bool) -> None:
    """Refuse lines that look like the rows of a screen or like the stock above the piles.

    So are lines that are neither piles and stock nor the cards in their order, filled alike. The
    stock may take several lines.

    Args:
        lines: of a deal.
        deck: their cards.
        after_name: whether the first line has less room, as a name begins it.
    """
    counts = [count for _, line in lines if (count := len(_CARD.findall(line)))]
    marked = len(counts) > 1 and any(line.lstrip().startswith(":") for _, line in lines)
    if marked and counts[:PILES] != TRIANGLE:
        raise DealError(
            f"line {lines[0][0]}: expected piles of 1 to {PILES} cards and the stock, as the lines "
            f"are marked as piles, got lines of {'-'.join(map(str, counts))} cards"
        )
    stock_first = deck[TALON:] + deck[:TALON]
    if counts[:PILES] == _ROWS:
        other, how = _by_rows(deck), "as the rows of a screen"
    elif counts[-PILES:] == _ROWS:
        other, how = _by_rows(stock_first), "as the rows of a screen below the stock"
    elif counts[-PILES:] == TRIANGLE:
        other, how = deal_piles(stock_first), "with the stock above the piles"
    elif are_laid_out(counts) or (after_name and are_laid_out(counts[1:])):
        return
    else:
        raise DealError(
            f"line {lines[0][0]}: lines of {'-'.join(map(str, counts))} cards are not the piles of "
            f"Klondike, 1 to {PILES}, and the stock: write them so, or all cards on one line"
        )
    one, two = (
        ", ".join(" ".join(map(card_name, pile)) for pile in piles[:2])
        for piles in (deal_piles(deck), other)
    )
    raise DealError(
        f"line {lines[0][0]}: lines of {'-'.join(map(str, counts))} cards can be read in two ways: "
        f"card after card, with {one} in piles 1 and 2, or {how}, with {two}: write a line for "
        "each pile, 1 to 7, and the stock below them, or all cards on one line"
    )


def _by_rows(cards: tuple[int, ...]) -> Piles:
    """The piles of a deal written row by row; each row begins one pile further to the right."""
    rows = [iter(cards[start:end]) for start, end in pairwise(accumulate(_ROWS, initial=0))]
    return tuple(tuple(next(row) for row in rows[: pile + 1]) for pile in range(PILES))


def _check_groups(lines: list[NumberedLine]) -> None:
    """Refuse separators between groups of cards other than the piles and the stock of a deal."""
    groups = [
        (number, len(_CARD.findall(group)))
        for number, line in lines
        for group in _SEPARATOR.split(line)
    ]
    sizes = [size for _, size in groups if size]
    separated = {number for number, line in lines if _SEPARATOR.search(line)}
    grouped = any(number in separated and size > 1 for number, size in groups)
    if grouped and sizes != [*TRIANGLE, TALON]:
        raise DealError(
            f"line {min(separated)}: expected separators between piles of 1 to {PILES} cards and "
            f"the stock of {TALON}, or between all cards, got groups of "
            f"{'-'.join(map(str, sizes))} cards"
        )


def _read_position(lines: list[NumberedLine], name: str) -> BoardText:
    head = max((i for i, (_, line) in enumerate(lines) if _LABEL.match(line)), default=-1) + 1
    labelled, line_of = _read_labels(lines[:head])
    piles, face_down = _read_piles(lines[head:], line_of)
    stock, waste = (_talon_cards(line_of.get(at, 0), labelled[at]) for at in ("stock", "waste"))
    _check_backs(line_of, stock, waste)
    return BoardText(
        piles,
        face_down,
        tuple(card.card for card in stock),
        tuple(card.card for card in waste),
        read_foundations(labelled["foundations"], line_of.get("foundations", 0)),
        name,
        line_of,
        lines[0][0],
        unseen=bool(stock) and all(card.face_down for card in stock),
    )


def _check_backs(line_of: dict[str, int], stock: list[_Written], waste: list[_Written]) -> None:
    """Refuse brackets around cards of the waste, and around some cards of the stock alone."""
    for card in waste:
        if card.face_down and card.card != UNKNOWN:
            raise DealError(
                f"line {line_of['waste']}: expected brackets only in piles and stock, got {card}"
            )
    marked = [card for card in stock if card.face_down and card.card != UNKNOWN]
    plain = [card for card in stock if not card.face_down]
    if marked and plain:
        raise DealError(
            f"line {line_of['stock']}: expected brackets around all cards of the stock, if nobody "
            f"has seen them, or around none, got {marked[0]} and {plain[0]}"
        )


def _read_labels(lines: list[NumberedLine]) -> tuple[dict[str, str], dict[str, int]]:
    """The content of the lines of foundations, waste and stock, and their line numbers."""
    labelled = {"foundations": "", "waste": "", "stock": ""}
    line_of: dict[str, int] = {}
    for number, line in lines:
        match = _LABEL.match(line)
        if match is None:
            if line.strip():
                raise DealError(
                    f"line {number}: expected the piles after foundations, waste and stock, "
                    f"got {line.strip()!r} before"
                )
            continue
        word = match.group(1).lower()
        place = "foundations" if word.startswith(_HOME) else word.replace("talon", "stock")
        if place in line_of:
            raise DealError(f"line {number}: {place} again: line {line_of[place]} already has it")
        labelled[place], line_of[place] = match.group(2), number
    return labelled, line_of


def _read_piles(
    lines: list[NumberedLine], line_of: dict[str, int]
) -> tuple[Piles, tuple[int, ...]]:
    """The piles and their numbers of cards face down; adds their line numbers to ``line_of``."""
    filled = [(number, line) for number, line in lines if line.strip()]
    if filled and is_numbers(filled[0][1]):
        lines = filled = _piles_below(filled[0], filled[1:])
    # An empty line is an empty pile, unless the other lines are all seven piles.
    lines = filled if len(filled) == PILES else lines
    if len(lines) > PILES:
        raise DealError(f"line {lines[PILES][0]}: expected seven piles, got an eighth")
    piles: list[tuple[int, ...]] = [()] * PILES
    face_down = [0] * PILES
    for index, (number, line) in enumerate(lines):
        place = f"pile {index + 1}"
        line_of[place] = number
        cards = _cards(number, line.strip().removeprefix(":"))
        for beneath, above in pairwise(cards):
            if above.face_down and not beneath.face_down:
                raise DealError(
                    f"line {number}, {place}: expected a card face up on the {beneath}, got {above}"
                )
        piles[index] = tuple(card.card for card in cards)
        face_down[index] = sum(card.face_down for card in cards)
    beside = [
        (f"line {lines[place][0]}, pile {place + 1}", low, high)
        for place, pile in enumerate(piles)
        for low, high in pairwise(pile)
        if low and high and not fits(high, low)
    ]
    if beside and [*map(len, piles)] == _ROWS:
        raise DealError(
            f"line {lines[0][0]}: lines of 7 to 1 cards are the rows of a screen: write a line for "
            "each pile, from its bottom card to its top card"
        )
    if len(beside) > 1 and not any(face_down):
        where, low, high = beside[0]
        raise DealError(
            f"{where}: {card_name(high)} on the {card_name(low)} can be read in two ways: as "
            "a position with all cards face up, which no game can reach; or as one whose cards "
            f"face down are not marked: then write these in angle brackets, <{card_name(low)}>"
        )
    return tuple(piles), tuple(face_down)


def _piles_below(numbers: NumberedLine, rows: list[NumberedLine]) -> list[NumberedLine]:
    """A line for each pile of a drawing, whose lines are rows below the piles' numbers."""
    words = below(numbers, rows)
    count = len(numbers[1].split())
    return [(numbers[0], " ".join(row[i] for row in words)) for i in range(count)]


def _talon_cards(number: int, text: str) -> list[_Written]:
    return _cards(number, _MARKED.sub(r"\1", text))


def _cards(number: int, text: str, before: int = 0) -> list[_Written]:
    """The cards of a line, with or without white space between them.

    Args:
        number: of the line.
        text: its cards.
        before: how many cards the lines above have, for messages.
    """
    found: list[_Written] = []
    start = 0
    while start < len(text):
        if text[start].isspace() or text[start] in SEPARATORS:
            start += 1
            continue
        match = _CARD.match(text, start)
        if match is None:
            word = re.split(rf"[\s{SEPARATORS}]", text[start:])[0]
            led = re.split(rf"[\s{SEPARATORS}]", text[:start])[-1]
            if len(led) == 2 and f"{led}{word[:1]}".isalpha():
                # A word such as 'Stock:', whose first letters are a card.
                word = f"{led}{word}"
                found.pop()
            word = word if len(word) <= 8 else word[:8] + "..."
            raise DealError(
                f"line {number}, card {before + len(found) + 1}: {word!r} is not a card: "
                f"a card is a rank of {RANKS} and a suit of {SUITS}, as in TD"
            )
        unknown = match["card"] == "??"
        card = UNKNOWN if unknown else parse_card(match["card"])
        found.append(_Written(card, unknown or match["open"] is not None))
        start = match.end()
    return found


def with_each_unknown(text: str) -> str:
    """A text with ``?? ?? ??`` in place of ``3 ??`` in the lines of stock and waste."""

    def written_out(line: str) -> str:
        label = _LABEL.match(line)
        is_talon = label is not None and not label[1].lower().startswith(_HOME)
        return _MANY.sub(lambda many: " ".join(["??"] * int(many[1])), line) if is_talon else line

    return "\n".join(map(written_out, text.splitlines()))


def split_boards(text: str) -> list[list[NumberedLine]]:
    """The lines of each board of a text that holds one or many.

    A line with all 52 cards is a board. Otherwise a new board begins with a name, or after
    an empty line, unless the board before it lacks the cards that follow.

    Raises:
        DealError: if a line belongs to another game.
    """
    # A label of another game would pass for the name of a board.
    check_signs([*enumerate(text.splitlines(), start=1)], KLONDIKE)
    boards: list[list[NumberedLine]] = []
    for is_json, lines in parted(text):
        boards += [lines] if is_json else _boards_in(lines)
    return boards


def _boards_in(lines: list[NumberedLine]) -> list[list[NumberedLine]]:
    boards: list[list[NumberedLine]] = []
    missing = 0
    for block in _blocks(_without_numbers(lines)):
        count = sum(map(_count, block))
        if boards and _continues(boards[-1], missing, block, count):
            between = range(boards[-1][-1][0] + 1, block[0][0])
            boards[-1] += [(number, "") for number in between] + block
            missing -= count
        else:
            boards.append(block)
            missing = len(DECK) - count
    return boards


def _blocks(lines: list[NumberedLine]) -> Iterator[list[NumberedLine]]:
    """Blocks of lines between empty ones; a name begins a block, a line of 52 cards is one.

    A line of rules holds for all lines of 52 cards that follow it up to an empty one.
    """
    block: list[NumberedLine] = []
    rules: list[NumberedLine] = []
    has_rules = False
    for line in lines:
        alone = _LABEL.match(line[1]) is None and _count(line) >= len(DECK)
        if alone and has_rules and len(block) == 1:
            # Its own block gets them.
            block, has_rules = [], False
        # The block of a name and rules goes on with the line.
        own = [] if has_rules else rules
        if block and (alone or not line[1].strip() or _begins_board(line, block)):
            yield block
            block, has_rules = [], False
        if alone:
            yield [line, *own]
            continue
        if line[1].strip():
            block.append(line)
        if _is_rules(line):
            rules, has_rules = [line], True
        elif not line[1].strip() or _count(line):
            rules = []
    if block:
        yield block


def _begins_board(line: NumberedLine, block: list[NumberedLine]) -> bool:
    """Whether a line has the name of another board, and no label that is not known."""
    name, cards = _split_name(line)
    try:
        _check_name(line[0], name)
    except DealError:
        return sum(map(_count, block)) >= len(DECK)
    # Below labels alone, a name before cards stands for a place.
    return bool(name) and not (cards.strip() and all(_LABEL.match(text) for _, text in block))


def _continues(
    board: list[NumberedLine], missing: int, block: list[NumberedLine], count: int
) -> bool:
    """Whether lines continue the board before them: it lacks their cards.

    Args:
        board: its lines so far.
        missing: how many cards it lacks.
        block: the next lines.
        count: how many cards these have.
    """
    if len(board) > _MOST_LINES:
        return False
    if is_numbers(block[0][1]):
        return all(_LABEL.match(line) for _, line in board if line.strip())
    # A board with a card too many had better be told so than be split.
    most = missing + _TOO_MANY if _count(block[0]) > 1 else missing
    if missing == 0 or count > most or _split_name(block[0])[0]:
        return False
    # Foundations, waste and stock come before the piles.
    has_piles = any(
        line[1].strip() and not _LABEL.match(line[1]) and not _split_name(line)[0] for line in board
    )
    return not (has_piles and _LABEL.match(block[0][1]))


def _count(line: NumberedLine) -> int:
    """How many cards a line accounts for; a line of foundations counts all cards on them."""
    label = _LABEL.match(line[1])
    if label is None:
        cards = _split_name(line)[1]
        return len(DECK) if is_deck(cards.strip()) else len(_CARD.findall(cards))
    if label.group(1).lower() == _RULES:
        return 0
    if not label.group(1).lower().startswith(_HOME):
        return len(_CARD.findall(label.group(2)))
    try:
        return sum(read_foundations(label.group(2), line[0]))
    except DealError:
        return 0
