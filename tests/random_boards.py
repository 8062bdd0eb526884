"""Hypothesis strategies for FreeCell boards of every variant and stage of the game."""

from __future__ import annotations

from hypothesis import strategies as st

from deals import FreeCellBoard
from deals.cards import DECK, rank_of, suit_of


@st.composite
def boards(
    draw: st.DrawFn,
    most_home: int = 13,
    least_home: int = 0,
    cascades: int | None = None,
    cells: int | None = None,
) -> FreeCellBoard:
    """Positions with any cards home, held, and anywhere in the cascades; empty cascades too.

    Args:
        most_home: the highest rank that may be home.
        least_home: the lowest rank of each suit that must be home.
        cascades, cells: the game's size; any by default.
    """
    cascades = draw(st.integers(4, 9)) if cascades is None else cascades
    cell_count = draw(st.integers(0, 7)) if cells is None else cells
    home = draw(st.tuples(*[st.integers(least_home, most_home)] * 4))
    left = [card for card in DECK if rank_of(card) > home[suit_of(card)]]
    left = draw(st.permutations(left))
    held = draw(st.integers(0, min(cell_count, len(left))))
    in_cells, left = left[:held], left[held:]
    used = draw(st.integers(1, cascades))
    cuts = sorted(draw(st.lists(st.integers(0, len(left)), min_size=used - 1, max_size=used - 1)))
    columns = [tuple(left[a:b]) for a, b in zip([0, *cuts], [*cuts, len(left)], strict=True)]
    columns = draw(st.permutations(columns + [()] * (cascades - used)))
    return FreeCellBoard(tuple(columns), tuple(in_cells), home, cell_count)
