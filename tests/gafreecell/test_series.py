"""Series of deals: results in order, from pieces of work of a suitable length."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gafreecell.service.solvers import PIECE, spread


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("seconds", "longest"), [(1.0, 1), (0.0, PIECE)])
def test_pieces_are_single_until_their_pace_is_known(
    jobs: int, seconds: float, longest: int
) -> None:
    """Slow items that are queued behind each other would hold up the answers of all others."""
    sizes = []

    def work(piece: list[int]) -> list[SimpleNamespace]:
        sizes.append(len(piece))
        return [SimpleNamespace(item=item, seconds=seconds) for item in piece]

    found = [(item, one.item) for item, one in spread(range(400), work, jobs)]
    assert found == [(item, item) for item in range(400)]
    assert max(sizes) == longest
