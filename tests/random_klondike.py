"""Hypothesis strategies for Klondike: positions that a game reaches from any deal."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st
from plain_klondike import USUAL, PlainTable, Rules, play_at_random


@st.composite
def tables(
    draw: st.DrawFn,
    most_steps: int = 150,
    rules: Sequence[Rules] = (USUAL,),
    unseen: bool = False,
) -> PlainTable:
    """Games after some random moves, from eager to reluctant to send cards home.

    Args:
        draw: chooses.
        most_steps: the most moves.
        rules: the rules that games are played by.
        unseen: whether nobody has seen the stock, until it was turned once.
    """
    generator = random.Random(draw(st.integers(0, 2**32)))
    table = PlainTable.shuffled(generator, *draw(st.sampled_from(rules)), unseen)
    steps = draw(st.integers(0, most_steps))
    play_at_random(table, generator, steps, draw(st.floats(0, 1)))
    return table
