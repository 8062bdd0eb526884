"""Verifier and legal moves: the steps of the plain rules, and what is said of others."""

from __future__ import annotations

import copy
import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_pyramid import board_of, points, walk, words
from test_pyramid_solver import EXAMPLE

from deals import pyramid
from deals.cards import rank_of
from deals.pyramid_deck import pyramid_card_name
from gafreecell.solitaire.pyramid.legal_moves import after, legal_moves, listed
from gafreecell.solitaire.pyramid.verifier import IllegalStep, Position, verify

ALL_DRAWN = ["Draw"] * 24
LAST_CYCLE = [*ALL_DRAWN, "Recycle"] * 2 + ALL_DRAWN


@settings(max_examples=8)
@given(st.integers(1, 10**6), st.integers(0, 2**32))
def test_the_same_steps_are_legal_by_the_plain_rules(number: int, seed: int) -> None:
    generator, cards = random.Random(seed), pyramid(number).cards
    ranks = tuple(map(rank_of, cards))
    names = {card: f"Remove {pyramid_card_name(card)}" for card in cards}
    every = ["Draw", "Recycle", *(names[card] for card in cards if rank_of(card) == 13)]
    every += [
        f"{names[one]} and {pyramid_card_name(other)}"
        for one, other in combinations(cards, 2)
        if rank_of(one) + rank_of(other) == 13
    ]
    for plain, legal in walk(generator, cards):
        reached = {words(step, cards): after for step, after in legal.items()}
        for step in [*generator.sample(every, 10), *reached]:
            position = Position(board_of(plain, cards))
            if step in reached:
                position.play(step)
                assert position.board == board_of(reached[step], cards)
                assert position.score == points(ranks, reached[step])
            else:
                with pytest.raises(IllegalStep):
                    position.play(step)


@settings(max_examples=5)
@given(st.integers(1, 10**6), st.integers(0, 2**32))
def test_every_legal_step_is_listed_once_and_leads_where_it_should(number: int, seed: int) -> None:
    cards = pyramid(number).cards
    for plain, legal in walk(random.Random(seed), cards):
        board = board_of(plain, cards)
        found, met = legal_moves(board), set()
        for step, reached in legal.items():
            kind, *places = step.split()
            # The cards in the other order.
            told = words(" ".join([kind, *places[::-1]]), cards)
            met.add(listed(board, told))
            assert after(board, told) == after(board, listed(board, told))
            assert after(board, told) == board_of(reached, cards)
        assert sorted(found) == sorted(met)
        assert all(listed(board, one) == one for one in found)


def test_the_cards_of_a_pair_may_come_in_either_order() -> None:
    board = after(after(pyramid(7), "remove ks"), "Draw")
    assert legal_moves(board) == ["Remove Kd", "Remove Qd and Ad", "Draw"]
    assert listed(board, "remove ad and Qd") == "Remove Qd and Ad"
    while "Draw" in legal_moves(board):
        board = after(board, "Draw")
    assert legal_moves(board) == ["Remove Kd", "Recycle"]


@pytest.mark.parametrize(
    ("steps", "step", "reason"),
    [
        ([], "Remove Kd", "the Kd is covered"),
        ([], "Remove Jc and 2h", "the Jc is not on top of the stock"),
        (["Draw", "Draw"], "Remove 3s and Td", "the 3s is not on top of the waste"),
        (["Remove Kh"], "Remove Kh", "the Kh is gone"),
        ([], "Remove 5s", "expected a king, or two cards whose ranks make 13"),
        ([], "Remove 5s and 4c", "expected two ranks that make 13, got 5 and 4"),
        (
            [],
            "Remove 1h",
            "'1h' is not a card: a card is a rank of A23456789TJQK and a suit of CDHS, "
            "as in TD (AH?)",
        ),
        ([], "Recycle", "expected an empty stock, got 24 cards in it"),
        (ALL_DRAWN, "Draw", "expected cards in the stock, got none"),
        (LAST_CYCLE, "Recycle", "the waste can be turned over only 2 times"),
        ([], "Sing", "expected Draw, Recycle, Remove Kd or Remove 6d and 7h"),
    ],
)
def test_what_is_wrong_is_said(steps: list[str], step: str, reason: str) -> None:
    position = Position(EXAMPLE)
    for before in steps:
        position.play(before)
    kept = copy.deepcopy(vars(position))
    with pytest.raises(IllegalStep) as fault:
        position.play(step)
    assert vars(position) == kept
    assert str(fault.value) == reason


def test_verdicts() -> None:
    assert verify(EXAMPLE, ["Draw", "remove  kh"]).reason.startswith(
        "after step 2: expected an empty pyramid, but these are left: 6d 5h Ah"
    )
    verdict = verify(EXAMPLE, ["Draw", "Recycle"])
    assert (verdict.legal, verdict.cleared, verdict.steps) == (False, False, 1)
    assert verdict.reason == "step 2 'Recycle': expected an empty stock, got 23 cards in it"
    kings = verify(EXAMPLE, ["Remove Kh", "Remove Kc"])
    assert (kings.count(13), kings.score) == (2, 10)
