"""The verifier: the steps that it allows, against the plain rules, and its messages for others."""

from __future__ import annotations

import copy
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_pyramid import PLACES, Plain, points, successors

from deals import PyramidDeck, pyramid
from deals.cards import rank_of
from deals.pyramid_deck import pyramid_card_name
from gafreecell.solitaire.pyramid.verifier import IllegalStep, Position, verify

DECK = PyramidDeck.from_text(
    "6d 5h Ah Jd 4s Ks 6s 8c 2h 4d 9s Kd 6c Ad 8s Ac 5c 9d 7h 3h 8d 5s 4c Qc Jh Kc Kh 3c 3s 9c As "
    "5d Qh Ts 4h 7s Td 9h Th 7c 8h 2c 7d Tc 2d 6h 2s Js Qd 3d Qs Jc"
)


def refused(steps: list[str], step: str) -> str:
    position = Position(DECK)
    for before in steps:
        position.play(before)
    kept = copy.deepcopy(vars(position))
    with pytest.raises(IllegalStep) as fault:
        position.play(step)
    assert vars(position) == kept
    return str(fault.value)


def words(step: str, deck: PyramidDeck) -> str:
    """A step of the plain rules as people write it."""
    kind, *cards = step.split()
    names = [pyramid_card_name(deck.cards[int(card)]) for card in dict.fromkeys(cards)]
    return " ".join([kind.capitalize(), " and ".join(names)]).strip()


@given(st.integers(1, 10**6), st.integers(0, 2**32))
def test_the_same_steps_are_legal_by_the_plain_rules(number: int, seed: int) -> None:
    generator = random.Random(seed)
    deck = pyramid(number)
    ranks = tuple(map(rank_of, deck.cards))
    plain = Plain(frozenset(range(28)), tuple(range(28, 52)), (), 0)
    position = Position(deck)
    every = [
        "Draw",
        "Recycle",
        *(f"Remove {pyramid_card_name(c)}" for c in deck.cards if rank_of(c) == 13),
        *(
            f"Remove {pyramid_card_name(a)} and {pyramid_card_name(b)}"
            for i, a in enumerate(deck.cards)
            for b in deck.cards[i + 1 :]
            if rank_of(a) + rank_of(b) == 13
        ),
    ]
    for _ in range(generator.randint(0, 60)):
        legal = {words(step, deck): after for step, after in successors(ranks, plain)}
        for step in generator.sample(every, 10) + list(legal):
            trial = copy.deepcopy(position)
            if step in legal:
                trial.play(step)
            else:
                with pytest.raises(IllegalStep):
                    trial.play(step)
        if not legal:
            break
        eager = [step for step in legal if step.startswith("Remove")]
        step = generator.choice(eager or list(legal))
        position.play(step)
        plain = legal[step]
        left = {PLACES[c]: deck.cards[c] for c in plain.pyramid}
        assert {(r + 1, i + 1): c for (r, i), c in position.pyramid.items()} == left
        assert position.stock == [deck.cards[c] for c in plain.stock]
        assert position.waste == [deck.cards[c] for c in plain.waste]
        assert position.score == points(ranks, plain)


def test_what_is_wrong_is_said() -> None:
    assert refused([], "Remove Kd") == "the Kd is covered"
    assert refused([], "Remove Jc and 2h") == "the Jc is not on top of the stock"
    assert refused(["Draw", "Draw"], "Remove 3s and Td") == "the 3s is not on top of the waste"
    assert refused(["Remove Kh"], "Remove Kh") == "the Kh is gone"
    assert refused([], "Remove 5s") == "expected a king, or two cards whose ranks make 13"
    assert refused([], "Remove 5s and 4c") == "expected two ranks that make 13, got 5 and 4"
    assert refused([], "Remove 1h").startswith("'1h' is not a card")
    assert refused([], "Recycle") == "expected an empty stock, got 24 cards in it"
    assert refused(["Draw"] * 24, "Draw") == "expected cards in the stock, got none"
    around = [*["Draw"] * 24, "Recycle"] * 2 + ["Draw"] * 24
    assert refused(around, "Recycle") == "the waste can be turned over only 2 times"
    assert refused([], "Sing") == "expected Draw, Recycle, Remove Kd or Remove 6d and 7h"


def test_verdicts() -> None:
    assert verify(DECK, ["Draw", "remove  kh"]).reason.startswith(
        "after step 2: expected an empty pyramid, but these are left: 6d 5h Ah"
    )
    verdict = verify(DECK, ["Draw", "Recycle"])
    assert (verdict.legal, verdict.cleared, verdict.steps) == (False, False, 1)
    assert verdict.reason == "step 2 'Recycle': expected an empty stock, got 23 cards in it"
    assert verify(DECK, ["Remove Kh", "Remove Kc"]).count(13) == 2
    assert verify(DECK, ["Remove Kh", "Remove Kc"]).score == 10
