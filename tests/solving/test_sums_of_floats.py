"""Sums of floats that are the same under every version of Python."""

from gafreecell.solving.sums import left_to_right


def test_additions_are_rounded_one_after_the_other() -> None:
    assert left_to_right([1e16, 1.0, -1e16]) == 0.0, "a compensated sum is 1.0"
    assert left_to_right(iter([0.1] * 10)) == 0.9999999999999999
    assert left_to_right([]) == 0.0
