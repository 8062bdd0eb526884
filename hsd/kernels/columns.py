"""Persistent columns: a column is a link to the record of its exposed card.

A record is immutable. It links to the record of the card beneath and describes the column up to
this card, its weighted score included. Taking a card off follows a link; laying one on writes a new
record. So positions share their common columns, and a successor is scored from a few numbers of
the columns that its move touches.

Record 0 is the empty column.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import kernel
from hsd.kernels.linear import Linear
from hsd.kernels.sums import OF_SUIT, fits

RECORD = 4
"""Words (int64) of a record."""
UNDER, RUN, SCORE, INFO = range(RECORD)
"""Words of a record, all of the column up to its card.

``UNDER`` is the set of its cards, one bit each, and ``RUN`` the set of those in the run at its end.
``SCORE`` is what all its cards add to the score. ``INFO`` has the remaining fields.
"""

# Fields of INFO, each named by its lowest bit. From bit 0: the exposed card, the number of cards,
# their lowest rank, whether the column is out of sequence somewhere, whether some card lies above
# a lower one, and the record beneath.
HEIGHT, LOWEST, BROKEN, INVERTED, BENEATH = 6, 12, 16, 17, 24
LINK = (1 << 32) - 1

# Indices into a row of integer coefficients (``linear.Coefficients``). From ROOM on, the row has
# one coefficient for each pair of cells and columns in use.
(
    W_OUTSIDE, W_LOOPS, W_BREAKS, W_INVERSIONS, W_DROPS, W_SORTED, W_BOTTOMS, W_BURIED,
    W_ABOVE, W_SECOND, W_RANKS, W_HOME, W_LOWEST, W_HIGHEST, W_MADE, W_OFF, ROOM,
) = range(17)  # fmt: skip
COLUMNS = 10
"""``ROOM + COLUMNS * used + columns`` is the index of what cells and columns in use alone add."""
ROW = ROOM + 8 * COLUMNS
_FIELDS = (
    "outside", "loops", "breaks", "inversions", "drops", "sorted", "bottoms", "buried",
    "above", "second", "ranks", "home", "lowest", "highest", "made", "off",
)  # fmt: skip


def row_of(k: Linear) -> np.ndarray:
    """The coefficients of a compiled evaluator as one row (int64[``ROW``])."""
    return np.array([*(getattr(k.of, name) for name in _FIELDS), *k.room], np.int64)


@kernel
def card_of(info: int) -> int:
    """The exposed card of a column that is not empty."""
    return info & 63


@kernel
def beneath(records: np.ndarray, at: int) -> int:
    """The column without its exposed card; ``at`` is the first word of the column's record."""
    # The mask tells the compiler that the index is not negative.
    return (records[at + INFO] >> BENEATH) & LINK


@kernel
def added(info: int, under: int, card: int, w: np.ndarray) -> int:
    """What a card adds to the score of a column if it fits on the exposed card.

    Args:
        info, under: of the column's record.
        w: the row of coefficients.
    """
    rank = card >> 2
    score = w[W_OUTSIDE] if (info >> BROKEN) & 1 else w[W_SORTED]
    lowest = (info >> LOWEST) & 15
    if rank > lowest:
        score += w[W_INVERSIONS] + (rank - lowest) * w[W_DROPS]
        if under & OF_SUIT[card & 3] & ((1 << card) - 1):
            score += w[W_LOOPS]
    return score


@kernel
def alone(card: int, w: np.ndarray) -> int:
    """The score of a column of one card."""
    rank = card >> 2
    return w[W_SORTED] + rank * w[W_BOTTOMS] - (w[W_BURIED] if rank == 13 else 0)


@kernel
def lay_on(records: np.ndarray, new: int, column: int, card: int, w: np.ndarray) -> None:
    """Write the record of a card laid on a column, which may be empty.

    Args:
        records: int64, all records.
        new: the record to write.
        column: the record of the column.
        w: the row of coefficients.
    """
    rank = card >> 2
    at = RECORD * new
    old = RECORD * column
    under = records[old + UNDER]
    run = 1 << card
    if column == 0:
        score = alone(card, w)
        info = card | (1 << HEIGHT) | (rank << LOWEST)
    else:
        info = records[old + INFO]
        score = records[old + SCORE]
        height = (info >> HEIGHT) & 63
        lowest = (info >> LOWEST) & 15
        flags = info & ((1 << BROKEN) | (1 << INVERTED))
        if fits(card, card_of(info)):
            run |= records[old + RUN]
        else:
            score += w[W_BREAKS]
            if flags & (1 << BROKEN) == 0:
                # The column was sorted so far: its cards no longer count as sorted.
                score -= height * w[W_SORTED]
                flags |= 1 << BROKEN
                info |= 1 << BROKEN
        score += added(info, under, card, w)
        if rank > lowest:
            flags |= 1 << INVERTED
        info = card | ((height + 1) << HEIGHT) | (min(rank, lowest) << LOWEST) | flags
    records[at + UNDER] = under | (1 << card)
    records[at + RUN] = run
    records[at + SCORE] = score
    records[at + INFO] = info | (column << BENEATH)
