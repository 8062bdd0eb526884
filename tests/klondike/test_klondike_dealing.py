"""Deals made in a kernel against the plain ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deals import klondike
from gafreecell.jit.kernels.shuffles import new_shuffled
from gafreecell.solitaire.klondike.kernels.dealing import deal
from gafreecell.solitaire.klondike.packed import DEALT_SIZES, PACKED, pack_board, pack_deck

SHUFFLED = new_shuffled()


@given(st.integers(1, 40_000) | st.integers(1, 2**63 - 1))
@example(32_000)
@example(32_001)
@example(2**63 - 1)
def test_any_deal(number: int) -> None:
    packed = np.zeros(PACKED, np.int64)
    deal(number, packed, SHUFFLED)
    assert packed.tolist() == pack_board(klondike(number)).tolist()


@pytest.mark.parametrize("number", [1, 500_001])
def test_a_deck_has_the_sizes_of_a_deal(number: int) -> None:
    board = klondike(number)
    packed = pack_board(board)
    assert packed[: len(DEALT_SIZES)].tolist() == list(DEALT_SIZES)
    assert packed.tolist() == pack_deck(board.deck()).tolist()
