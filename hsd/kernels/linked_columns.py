"""Columns as links, for trees whose states share them (``hsd.searches.kernels.linked``).

A column is a link to the record of its exposed card. A record is immutable. It links to the record
of the card beneath and describes the column up to this card: its cards, its share in the sums
(``hsd.kernels.sums``), and which of its cards wait for one another (``hsd.kernels.deadlock``).
Taking a card off follows a link; laying one on writes a new record. Record 0 is the empty column.
The records of ``hsd.kernels.columns`` hold a weighted score instead, which is valid for one row of
coefficients only.
"""

from __future__ import annotations

import numpy as np

from gafreecell.jit import kernel, uint64
from hsd.kernels.sums import fits, part_at_bottom, part_on

RECORD = 8
"""Words (int64) of a record."""
UNDER, SUMS, WAITING, LOOPED, INFO, AT_END = range(6)
"""Words of a record, of the column up to its card.

``UNDER`` is the set of its cards and ``SUMS`` its share in the sums. ``WAITING`` is the set of the
cards that wait for this card, ``LOOPED`` the set of the column's cards that wait for themselves.
``INFO`` has the remaining fields. ``AT_END`` is the set of the cards of the run at the end.
"""
# Fields of INFO, each named by its lowest bit. From bit 0: the exposed card, the number of cards,
# the length of the run at the end, whether the column is out of sequence somewhere, and the record
# beneath.
HEIGHT, RUN, BROKEN, BENEATH = 6, 12, 16, 24
LINK = (1 << 32) - 1

HIGHER = np.array(
    [
        sum(1 << (4 * rank + (card & 3)) for rank in range((card >> 2) + 1, 14))
        for card in range(64)
    ],
    np.int64,
)
"""For each card the set of the higher cards of its suit."""


@kernel
def card_of(info: int) -> int:
    """The exposed card of a column, 0 of an empty one."""
    return info & 63


@kernel
def beneath(records: np.ndarray, at: int) -> int:
    """Where the record beneath the one at ``at`` begins."""
    # The mask tells the compiler that the index is not negative.
    return RECORD * ((records[at + INFO] >> BENEATH) & LINK)


@kernel
def lay_on(records: np.ndarray, at: int, column: int, card: int) -> None:
    """Write the record of a card laid on a column.

    Args:
        at: where the record begins.
        column: where the record of the column begins.
    """
    bit = 1 << card
    if column == 0:
        records[at + UNDER] = bit
        records[at + SUMS] = part_at_bottom(card)
        records[at + WAITING] = 0
        records[at + LOOPED] = 0
        records[at + AT_END] = bit
        records[at + INFO] = card | (1 << HEIGHT) | (1 << RUN)
        return
    info = records[column + INFO]
    under = records[column + UNDER]
    height = (info >> HEIGHT) & 63
    below = card_of(info)
    broken = (info >> BROKEN) & 1
    run = 1
    at_end = bit
    if fits(card, below):
        run = ((info >> RUN) & 15) + 1
        at_end |= records[column + AT_END]
    waiting = records[column + WAITING] | HIGHER[below]
    records[at + UNDER] = under | bit
    part = part_on(card, below, uint64(under), broken, height)
    records[at + SUMS] = records[column + SUMS] + part
    records[at + AT_END] = at_end
    records[at + WAITING] = waiting
    records[at + LOOPED] = records[column + LOOPED] | (waiting & bit)
    info = card | ((height + 1) << HEIGHT) | (run << RUN) | ((part & 1) << BROKEN)
    records[at + INFO] = info | ((column // RECORD) << BENEATH)
