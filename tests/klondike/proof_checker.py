"""Reads what ``klondike.proof`` prints as a person would, and checks each step on the cards.

It knows the text and the rules, and nothing of how the lines were found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from plain_klondike import RANKS, PlainTable, fits
from plain_kplus import State, rank

NEEDED = "(.. \\([^)]*\\))"
WAITS = re.compile(
    r"(?P<card>..) in (?P<place>pile \d|the stock|its foundation): "
    rf"(?:onto {NEEDED} or {NEEDED}|to an empty pile)(?:; home after (?P<home>.. \([^)]*\)))?"
)
COMES_UP = re.compile(
    r"(?P<card>..) in the stock: comes up once (?P<next>..) behind it is played"
    r"(?:, or (?:(?P<count>\d) of )?(?P<before>(?:.. )+)before it)?"
)
PAIR = re.compile(
    r"(?P<low>..) and (?P<up>..) lie in pile (?P<pile>\d), (?P=low) deeper, and both must leave. "
    r"As long as (?P=low) is there: (?P<shut>.. \([^)]*\)) cannot be built on, so only "
    r"(?P<place>..) can take one of them; neither can go home, as (?P<one>.. \([^)]*\)) and "
    r"(?P<other>.. \([^)]*\)) never come free\."
)
CIRCLE = "These cards wait for one another; none can do any of this before another of them does:"
END = (
    "Suppose that every card, once free, stayed free to move and to build on. Even then only these "
    "moves would be possible:"
)
ENDED = "None of those in reach fits."
LABELS = (
    "in reach on the piles:", "in reach in the stock:", "to be built on:", "next to go home:",
)  # fmt: skip
STILL = "No card can be moved, as none of those in reach fits:"


def check(table: PlainTable, lines: Sequence[str]) -> str:
    """Follow a proof that a game is lost; returns which kind it is.

    Raises:
        AssertionError: if a step does not hold.
    """
    proof = Proof(table)
    first = " ".join([lines[0], *map(str.strip, lines[1:3])])
    pair = PAIR.fullmatch(first)
    if pair is None:
        proof.follow(lines)
        return lines[0].split()[0]
    proof.check_pair(pair, [line.removeprefix("  ") for line in lines[3:]])
    return "pair"


class Proof:
    """A proof about a game.

    Attributes:
        piles: the cards of each pile, deepest first.
        down: how many of them lie face down.
        talon: the waste bottom to top, then the stock, first turned first.
        home: the cards on the foundations.
        draw, redeals: the rules; None for no limit.
        reached: the places in the talon that draws and redeals alone bring up.
        kept: a card that is supposed to stay in its pile.
        stuck: cards that the proof says never leave their place.
        buried: cards of the stock that it says never come up.
        unplaced: cards that it says are never laid on a pile.
        free, laid, gone, open: cards that it says can ever be moved, laid on a pile, moved
            anywhere, and built on.
    """

    def __init__(self, table: PlainTable) -> None:
        self.piles = [[card.strip("<>") for card in pile] for pile in table.piles]
        self.down = [sum("<" in card for card in pile) for pile in table.piles]
        self.talon = [*table.waste, *table.stock]
        self.home = {card for cards in table.home.values() for card in cards}
        self.draw, self.redeals = table.draw, table.redeals
        self.kept = ""
        self.reached = State.of(table).reached()
        self.stuck, self.buried, self.unplaced = set[str](), set[str](), set[str]()
        self.free, self.laid, self.gone, self.open = (set[str]() for _ in range(4))

    def follow(self, lines: Sequence[str]) -> None:
        if lines and lines[0] == CIRCLE:
            self.check_circle(lines[1:])
            assert self.kept or self.stuck | self.buried, "nothing here keeps a card from home"
        else:
            self.check_end(lines)

    # What waits for one another

    def check_circle(self, lines: Sequence[str]) -> None:
        told: list[Any] = []
        for line in lines:
            assert line.startswith("  ")
            match = WAITS.fullmatch(line[2:]) or COMES_UP.fullmatch(line[2:])
            assert match, line
            told.append(match)
            if match.re is COMES_UP:
                self.buried.add(match["card"])
            else:
                self.unplaced.add(match["card"])
                if match["home"]:
                    self.stuck.add(match["card"])
        for match in told:
            if match.re is COMES_UP:
                self.check_stock(match)
            else:
                self.check_waiting(match)

    def check_waiting(self, match: Any) -> None:
        card = match["card"]
        if match["place"].startswith("pile"):
            p, index = self.place(card)
            assert p == int(match["place"][-1]) - 1
            # A card on other face-up cards leaves with them.
            assert index <= self.down[p]
        elif match["place"] == "the stock":
            assert card in self.talon
        else:
            assert card in self.home
        if match[3]:
            needed = [match[3], match[4]]
            assert {named[:2] for named in needed} == {
                other for pile in (*self.piles, self.talon, self.home) for other in pile
                if fits(card, other)
            }  # fmt: skip
            for named in needed:
                self.check_never_open(named, card)
        else:
            assert card[0] == "K" and all(self.piles)
            for pile, down in zip(self.piles, self.down, strict=True):
                assert {*pile[: down + 1]} & (self.stuck | {self.kept})
        if match["home"]:
            self.check_needed_home(match["home"], card, card)

    def check_needed_home(self, named: str, card: str, beside: str) -> None:
        """A card that has to go home before another never comes free."""
        lower = named[:2]
        assert lower[1] == card[1] and rank(lower) < rank(card) and lower not in self.home
        assert lower in self.buried or self.is_covered(named, beside)

    def check_never_open(self, named: str, beside: str) -> None:
        """A card never lies where it can be built on."""
        if named[:2] in self.talon:
            assert named[3:] == "(in the stock)"
            assert named[:2] in self.buried | self.unplaced
        elif named[:2] in self.home:
            assert named[3:] == "(on its foundation)" and named[:2] in self.unplaced
        else:
            assert self.is_covered(named, beside)

    def is_covered(self, named: str, beside: str) -> bool:
        """Whether a card lies face down under one that never leaves its pile, as is said."""
        p, index = self.place(named[:2])
        words = re.fullmatch(r"\(under (..)(?: in pile (\d))?\)", named[3:])
        assert words, named
        top = words[1]
        # The line that names a card has told the place of the card that it is about.
        assert (words[2] is None) == (top == beside) and (top == beside or int(words[2]) - 1 == p)
        assert self.place(top) > (p, index) and self.place(top)[0] == p
        assert self.place(top)[1] <= self.down[p]
        return top in self.stuck or top == self.kept

    def place(self, card: str) -> tuple[int, int]:
        found = [(p, pile.index(card)) for p, pile in enumerate(self.piles) if card in pile]
        assert found, f"{card} is in no pile"
        return found[0]

    def check_stock(self, match: Any) -> None:
        """A card of the stock never comes up, for what would bring it up is never played."""
        index = self.talon.index(match["card"])
        assert index not in self.reached
        assert self.talon[index + 1] == match["next"]
        never = self.stuck | self.buried
        assert match["next"] in never
        before = (match["before"] or "").split()
        assert {*before} <= never & {*self.talon[:index]}
        needed = (index + 1) % self.draw
        count = int(match["count"] or len(before))
        if self.redeals == 0:
            # The draws that are left turn what they would have turned anyway.
            assert not before
        elif before:
            assert index - len(before) + count == needed
        else:
            assert index < needed

    # All that ever moves

    def check_end(self, lines: Sequence[str]) -> None:
        text = " ".join(map(str.strip, lines))
        assert text.startswith(STILL) or (text.startswith(END) and text.endswith(ENDED))
        text = text.removesuffix(ENDED)
        steps, on_piles, in_stock, onto, homewards = re.split("|".join(LABELS), text)
        moved = [step.split() for step in re.sub(f"{END}|{STILL}", "", steps).split(",")]
        moved = [step for step in moved if step]
        assert all(len(step) > 1 for step in moved)
        reach = {*on_piles.split(), *in_stock.split()} - {"none"}
        self.open = {*onto.split()} - {"none"}
        self.laid = {step[0] for step in moved if step[1] != "home"}
        went_home = self.home | {step[0] for step in moved if step[1] == "home"}
        self.gone = went_home | self.laid
        self.free = self.gone | reach
        self.stuck, self.buried = self.free - self.gone, {*self.talon} - self.free
        self.unplaced = self.free - self.laid - self.open
        assert self.kept or len(went_home) < 52
        following = [
            next((r + suit for r in RANKS if r + suit not in went_home), "") for suit in "CDHS"
        ]
        assert homewards.split() == [*filter(None, following)]
        assert not {*following} & self.free
        self.check_nothing_fits()
        self.check_nothing_left_out()

    def check_nothing_fits(self) -> None:
        for card in self.free - self.laid - {self.kept}:
            assert not any(fits(card, other) for other in self.open)
            assert card[0] != "K" or not any(map(self.gets_empty, self.piles))

    def gets_empty(self, pile: Sequence[str]) -> bool:
        return all(card in self.gone and card != self.kept for card in pile[:1])

    def check_nothing_left_out(self) -> None:
        """What lies face up, comes up or is uncovered is among the cards in reach."""
        able = self.free | {self.kept}
        assert self.laid <= self.open
        for pile, down in zip(self.piles, self.down, strict=True):
            assert {*pile[down:]} <= able & self.open
            for beneath, above in zip(pile[:down][::-1], pile[1 : down + 1][::-1], strict=True):
                if above not in self.gone or above == self.kept:
                    break
                assert beneath in able & self.open
        for j, card in enumerate(self.talon):
            played = sum(other in self.gone for other in self.talon[:j])
            after = j + 1 < len(self.talon) and self.talon[j + 1] in self.gone
            after |= self.redeals != 0 and played >= (j + 1) % self.draw
            assert card in able or not (j in self.reached or after)

    # Two cards for one place

    def check_pair(self, match: Any, support: Sequence[str]) -> None:
        low, up = match["low"], match["up"]
        p, index = self.place(low)
        assert p == int(match["pile"]) - 1 and index < self.down[p]
        assert self.place(up)[0] == p and self.place(up)[1] > index
        assert low[0] == up[0] and (low[1] in "CS") == (up[1] in "CS")
        self.kept = low
        if support:
            self.follow(support)
        assert {match["shut"][:2], match["place"]} == {c for c in self.all() if fits(low, c)}
        self.check_never_open(match["shut"], low)
        for named, card in ((match["one"], low), (match["other"], up)):
            self.check_needed_home(named, card, low)

    def all(self) -> set[str]:
        return {*self.talon, *self.home, *(card for pile in self.piles for card in pile)}
