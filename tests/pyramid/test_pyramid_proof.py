"""What is said of pyramids that cannot be cleared, checked on the cards."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from plain_pyramid import RANKS, all_upon, board_of, walk

from deals.pyramid_deck import PyramidDeck, pyramid, pyramid_card_name
from deals.pyramid_position import PyramidBoard, PyramidPosition
from gafreecell.solitaire import pyramid as pyramid_solitaire
from gafreecell.solitaire.pyramid.proof import why_lost
from gafreecell.solving.outcome import Limits, Nodes, Outcome, Status

FEW = re.compile(
    r"(?P<some>[\w ]+) can go only with (?P<rank>\w+), "
    r"(?:and all of these lie on it or beneath it|and these (?P<count>\w+) (?P<kind>\w+) find only "
    r"(?P<found>[\w ]+): the others lie on or beneath (?:both|each of them)): (?P<lost>[\w ]+)"
)
WORDS = "aces twos threes fours fives sixes sevens eights nines tens jacks queens".split()  # noqa: SIM905
CIRCLE = "these wait for one another, whatever becomes of the others; each can go only with:"


class Pyramid:
    """The cards of a pyramid, and which lie on which, directly or not; and all that are left."""

    def __init__(self, board: PyramidBoard) -> None:
        if isinstance(board, PyramidDeck):
            board = PyramidPosition.of_deck(board)
        self.left = {pyramid_card_name(card) for card in board.left}
        names = [pyramid_card_name(card) if card else "" for card in board.pyramid]
        self.upon = {
            name: {names[other] for other in all_upon(place)} - {""}
            for place, name in enumerate(names)
            if name
        }

    def partners(self, card: str) -> list[str]:
        return [other for other in partners(card) if other in self.left]

    def apart(self, one: str, other: str) -> bool:
        return other not in self.upon.get(one, ()) and one not in self.upon.get(other, ())


def partners(card: str) -> list[str]:
    return [RANKS[11 - RANKS.index(card[0])] + suit for suit in "cdhs"]


def check(board: PyramidBoard, lines: tuple[str, ...]) -> str:
    """Follow a proof; returns which kind it is."""
    cards = Pyramid(board)
    if lines[0] == CIRCLE:
        check_circle(cards, lines[1:])
        return "circle"
    (line,) = lines
    match = FEW.fullmatch(line)
    assert match, line
    some, lost = match["some"].split(), match["lost"].split()
    found = [] if match["found"] in (None, "none") else match["found"].split()
    assert {card[0] for card in some} == {some[0][0]} and set(some) <= cards.upon.keys()
    assert WORDS.index(match["rank"]) == RANKS.index(partners(some[0])[0][0])
    assert sorted(found + lost) == sorted(cards.partners(some[0]))
    assert len(found) < len(some)
    numbers = ("one", "two", "three", "four")
    assert match["count"] == (numbers[len(some) - 1] if len(some) > 1 else None)
    assert match["kind"] in (None, WORDS[RANKS.index(some[0][0])])
    assert not any(cards.apart(card, other) for card in some for other in lost)
    return "few"


def check_circle(cards: Pyramid, lines: tuple[str, ...]) -> None:
    waiting = {line[2:4]: re.findall(r"(\w\w) \(([^)]*)\)", line[5:]) for line in lines}
    assert waiting
    for card, needed in waiting.items():
        assert [other for other, _ in needed] == cards.partners(card)
        for other, where in needed:
            if where == "beneath it":
                assert card in cards.upon[other]
            elif where == "on it":
                assert other in cards.upon[card]
            else:
                above = where.removeprefix("beneath ")
                assert above in waiting and above in cards.upon[other]


def test_every_proof_can_be_followed() -> None:
    kinds: Counter[str] = Counter()
    for number in range(1, 1001):
        lines = why_lost(pyramid(number))
        if lines:
            kinds[check(pyramid(number), lines)] += 1
    assert kinds["few"] > 200 and kinds["circle"] > 3


def test_proofs_of_positions_in_mid_game() -> None:
    kinds: Counter[str] = Counter()
    for number in range(1, 161):
        cards = pyramid(number).cards
        *_, (plain, _) = walk(random.Random(number), cards, least=5, most=40)
        board = board_of(plain, cards)
        lines = why_lost(board)
        if lines:
            kinds[check(board, lines)] += 1
            assert pyramid_solitaire.solve(board).status is Status.UNSOLVABLE
    assert kinds["few"] > 20


def test_the_lost_are_those_that_the_search_does_not_begin() -> None:
    """But for few, where every first step leads to a dead end."""
    outcomes = pyramid_solitaire.solve_many(range(1, 401), limits=Limits(nodes=1))
    at_once = {
        number
        for number, outcome in enumerate(outcomes, start=1)
        if outcome.status is Status.UNSOLVABLE and outcome.nodes.generated == 0
    }
    lost = {number for number in range(1, 401) if why_lost(pyramid(number))}
    assert lost <= at_once
    assert len(at_once - lost) < 5


@pytest.mark.parametrize(
    ("nodes", "goal", "said"),
    [
        (520, {}, "every line of play that might clear the pyramid was searched, 520 positions"),
        (
            9,
            {"goal": "score"},
            "every line of play that might reach the goal was searched, 9 positions",
        ),
        (0, {"goal": "cards"}, "whatever is played first, the remaining cards can no longer reach"),
    ],
)
def test_other_proofs_are_told_by_their_count(nodes: int, goal: dict[str, str], said: str) -> None:
    outcome = Outcome(Status.UNSOLVABLE, None, None, Nodes(nodes, nodes), 0.0)
    (line,) = pyramid_solitaire.GAME.why_unsolvable(pyramid(12), outcome, goal)
    assert said in line
