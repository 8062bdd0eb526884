"""Hypothesis strategies for Klondike: positions that a game reaches from any deal."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from plain_klondike import PlainTable, play_at_random


@st.composite
def tables(draw: st.DrawFn, most_steps: int = 150) -> PlainTable:
    """Games after some random moves, from eager to reluctant to send cards home."""
    generator = random.Random(draw(st.integers(0, 2**32)))
    table = PlainTable.shuffled(generator)
    steps = draw(st.integers(0, most_steps))
    play_at_random(table, generator, steps, draw(st.floats(0, 1)))
    return table
