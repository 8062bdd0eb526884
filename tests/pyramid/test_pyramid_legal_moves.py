"""The steps that hints list, against the plain rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_pyramid import Plain, successors

from deals import PyramidDeck, PyramidPosition, pyramid
from deals.cards import rank_of
from deals.pyramid_deck import pyramid_card_name
from deals.pyramid_position import GONE
from gafreecell.solitaire.pyramid.legal_moves import after, legal_moves, listed
from gafreecell.solitaire.pyramid.verifier import IllegalStep


def board_of(plain: Plain, deck: PyramidDeck) -> PyramidPosition:
    """A position of the plain rules as a board."""
    return PyramidPosition(
        tuple(deck.cards[c] if c in plain.pyramid else GONE for c in range(28)),
        tuple(deck.cards[c] for c in plain.stock),
        tuple(deck.cards[c] for c in plain.waste),
        plain.recycles,
    )


def words(step: str, deck: PyramidDeck) -> str:
    """A step of the plain rules as people write it, the cards in the other order."""
    kind, *cards = step.split()
    names = [pyramid_card_name(deck.cards[int(card)]) for card in dict.fromkeys(cards)]
    return " ".join([kind.capitalize(), " and ".join(names[::-1])]).strip()


@settings(max_examples=10)
@given(st.integers(1, 10**6), st.integers(0, 2**32))
def test_every_legal_step_is_listed_once_and_leads_where_it_should(number: int, seed: int) -> None:
    generator, deck = random.Random(seed), pyramid(number)
    ranks = tuple(map(rank_of, deck.cards))
    plain = Plain(frozenset(range(28)), tuple(range(28, 52)), (), 0)
    for _ in range(generator.randint(0, 60)):
        board = board_of(plain, deck)
        legal = {words(step, deck): reached for step, reached in successors(ranks, plain)}
        found = legal_moves(board)
        assert [*map(str.lower, found)] == [*map(str.lower, dict.fromkeys(found))]
        assert {listed(board, step) for step in legal} == {*found}
        for step, reached in legal.items():
            assert (
                after(board, step) == after(board, listed(board, step)) == board_of(reached, deck)
            )
        assert all(listed(board, one) == one for one in found)
        if not legal:
            break
        eager = [step for step in legal if step.startswith("Remove")]
        plain = legal[generator.choice(eager or list(legal))]


def test_the_cards_of_a_pair_may_come_in_either_order() -> None:
    board = after(after(pyramid(7), "remove ks"), "Draw")
    assert legal_moves(board) == ["Remove Kd", "Remove Qd and Ad", "Draw"]
    assert listed(board, "remove ad and Qd") == "Remove Qd and Ad"
    while "Draw" in legal_moves(board):
        board = after(board, "Draw")
    assert legal_moves(board) == ["Remove Kd", "Recycle"]
    with pytest.raises(IllegalStep, match="expected cards in the stock"):
        after(board, "Draw")
